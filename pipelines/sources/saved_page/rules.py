"""Rules that a page keeps for its tooltips: stratagems, detachment rules, army rules, core rules, enhancements.

Belongs here: which of these a hidden text is. Does not belong here: lists on the datasheet itself.
"""

import copy
import re
from typing import Any

from lxml import etree

from pipelines.sources.markup import classes, element_text
from pipelines.sources.records import ReadResult, Row
from pipelines.sources.rule_markup import bearers, rule_text_of, stratagem_text, stratagem_type
from pipelines.sources.saved_page.page import Page

_CORE = "/the-rules/"
_FACTION = "/factions/"
_DETACHMENT = re.compile(r"\s*\bDetachment\s*$", re.IGNORECASE)
_POINTS = re.compile(r"(\d{1,3})\s*pts", re.IGNORECASE)
_KEYWORD_LIST = re.compile(r"\bkeywords?\b.{0,400}?\b(?:is|are) used in the following\b", re.DOTALL)


def read_rules(page: Page, result: ReadResult) -> None:
    """Every hidden text of the page is read, counted as a reference, or counted as part of the page's own controls."""
    seen: set[tuple[str, ...]] = set()
    references = others = 0
    for template in page.all("tooltip_templates"):
        if page.all("str10Wrap", template):
            for block in page.all("str10Wrap", template):
                _add_stratagem(page, block, result, seen)
        elif page.all("EnhancementsPts", template):
            _add_enhancement(page, template, result, seen)
        elif page.all("abName", template) or _link(page, template):
            _add_rule(page, template, result, seen)
        elif _KEYWORD_LIST.search("".join(template.itertext())):
            references += 1
        else:
            others += 1
    if references:
        result.notices.append(f"{references} lists of where a keyword is used: references, no facts of this page")
    if others:
        result.notices.append(f"{others} hidden texts are controls of the page or notes without a title")


def _first(page: Page, name: str, within: Any) -> str:
    found = page.all(name, within)
    return " ".join(_text(found[0]).split()) if found else ""


def _text(element: Any) -> str:
    """Text of a hidden element: the wrapper that hides it is not looked at, what is hidden inside stays hidden."""
    return element_text(_unwrapped(element))


def _unwrapped(element: Any) -> Any:
    if "tooltip_templates" not in classes(element):
        return element
    shown = copy.deepcopy(element)
    shown.attrib.pop("class")
    shown.tail = None
    return shown


def _new(seen: set[tuple[str, ...]], *parts: str) -> bool:
    """Whether this rule was not there yet; pages keep one text for each place that points at it."""
    if parts in seen:
        return False
    seen.add(parts)
    return True


def _add_stratagem(page: Page, block: Any, result: ReadResult, seen: set[tuple[str, ...]]) -> None:
    name, printed = _first(page, "str10Name", block), _first(page, "str10Type", block)
    detachment, kind = stratagem_type(printed)
    cost = re.match(r"(\d)\s*CP", _first(page, "str10CP", block))
    bodies = page.all("str10Text", block)
    body = "\n".join(_text(part) for part in bodies)
    text = stratagem_text(body)
    line_no = block.sourceline
    if not name or not detachment or not cost or not text.effect:
        result.reject("a stratagem needs a name, a detachment, a cost and an EFFECT", _text(block), line_no=line_no)
        return
    if not _new(seen, "stratagem", name, detachment, body):
        return
    legends = [element_text(part, flavour=True) for part in page.all("str10Legend", block)]
    result.add(
        "stratagem",
        line_no=line_no,
        name=name,
        detachment=detachment,
        faction=None if detachment in ("Core", "Boarding Actions", "Challenger") else result.faction,
        type=kind,
        cp=int(cost[1]),
        flavour="\n".join(legends) or None,
        when_text=text.when,
        target_text=text.target,
        effect_text=text.effect,
        restrictions_text="\n".join(filter(None, (text.restrictions, text.unlabelled))) or None,
        has_lost_text=False,
    )


def _link(page: Page, template: Any) -> str | None:
    """The address behind a titled rule (`/the-rules/core-rules/#Blast`), None for a text without a title."""
    if not page.all("tooltip_header", template):
        return None
    for anchor in template.iter("a"):
        if any(name.startswith("tooltip_link") for part in anchor.iter(etree.Element) for name in classes(part)):
            return anchor.get("href") or None
    return None


def _add_rule(page: Page, template: Any, result: ReadResult, seen: set[tuple[str, ...]]) -> None:
    name = _first(page, "tooltip_header", template) or _first(page, "abName", template).title()
    address = _link(page, template) or _CORE
    if "#" not in address and _CORE not in address:
        return  # a menu of the page
    table, columns = _place(page, template, address, result)
    body = _without_titles(template)
    rule = rule_text_of(body)
    if not rule.text and not rule.parts:
        result.reject(f"the rule {name} has no text", name, line_no=template.sourceline)
        return
    if not _new(seen, table, name, str(columns.get("detachment")), rule.text):
        return
    common: Row = {"line_no": template.sourceline, "has_lost_text": False, **columns}
    result.add(table, name=name, text=rule.text or None, flavour=rule.flavour, **common)
    for part in rule.parts:
        result.add(table, name=part.name, parent=name, text=part.text or None, flavour=part.flavour, **common)


def _place(page: Page, template: Any, address: str, result: ReadResult) -> tuple[str, Row]:
    """Core rule, army rule or detachment rule: by the address, and by the detachment named below the title."""
    detachment = _DETACHMENT.sub("", _first(page, "detachName", template))
    if detachment:
        return "detachment_rule", {"detachment": detachment, "faction": result.faction}
    if _FACTION in address:
        return "army_rule", {"faction": result.faction}
    return "rule", {}


def _without_titles(template: Any) -> Any:
    """A copy without the titles, which are names and no part of the rule."""
    shown = _unwrapped(template)
    for element in list(shown.iter(etree.Element)):
        if {"tooltip_header", "detachName", "abFlex", "abNameWrap", "EnhancementsPts"}.intersection(classes(element)):
            parent = element.getparent()
            if parent is not None:
                _remove(parent, element)
    return shown


def _remove(parent: Any, element: Any) -> None:
    """Take an element out and leave the text behind it."""
    tail, previous = element.tail or "", element.getprevious()
    if previous is not None:
        previous.tail = (previous.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    parent.remove(element)


def _add_enhancement(page: Page, template: Any, result: ReadResult, seen: set[tuple[str, ...]]) -> None:
    head = page.all("EnhancementsPts", template)[0]
    spans = [" ".join(_text(span).split()) for item in head.iter("li") for span in item if isinstance(span.tag, str)]
    words = [span for span in spans if span]
    points = _POINTS.fullmatch(words[-1]) if words else None
    rule = rule_text_of(_without_titles(template))
    detachment = _DETACHMENT.sub("", _first(page, "detachName", template))
    if len(words) < 2 or not points or not rule.text:
        result.reject("an enhancement needs a name, a price and a text", _text(template), line_no=template.sourceline)
        return
    if _new(seen, "enhancement", words[0], detachment, rule.text):
        result.add(
            "enhancement",
            line_no=template.sourceline,
            name=words[0],
            detachment=detachment or None,
            faction=result.faction,
            points=int(points[1]),
            text=rule.text,
            flavour=rule.flavour,
            requires=bearers(rule.text),
            has_lost_text=False,
        )

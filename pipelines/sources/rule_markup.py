"""Rules in HTML: the boxes and labels that cut one rule into named parts.

Belongs here: stances, oaths and manoeuvres that a source prints as titled boxes, and the labelled paragraphs of a
stratagem. Does not belong here: which table a rule goes to, and what it does.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipelines.sources.markup import classes, element_text, flavour_text, html_to_text, parse_fragment

_BOX_TITLE = "impact18"
_LABEL = re.compile(r"(WHEN|TRIGGER|TARGET|EFFECT|RESTRICTIONS?)\s*:\s*")
_TYPES = frozenset({"battle tactic", "strategic ploy", "epic deed", "wargear"})
_TYPE_WORD = re.compile(r"\s*\bStratagem\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class RulePart:
    """A titled part of a rule: a stance, an oath, an order."""

    name: str
    text: str
    flavour: str | None


@dataclass(frozen=True)
class RuleText:
    """A rule without its titled parts, its flavour, and the parts."""

    text: str
    flavour: str | None
    parts: Sequence[RulePart]


def rule_text(html: str) -> RuleText:
    """Cut the titled boxes out of a rule. A rule without boxes comes back whole."""
    if _BOX_TITLE not in html:
        return RuleText(html_to_text(html), flavour_text(html), ())
    return rule_text_of(parse_fragment(html))


def rule_text_of(document: Any) -> RuleText:
    """The same for an lxml element, which loses its boxes."""
    parts: list[RulePart] = []
    for title in list(document.iter("p")):
        if _BOX_TITLE in classes(title):
            part = _part(title)
            if part:
                parts.append(part)
    flavour = [element_text(element, flavour=True) for element in document.iter("p") if "ShowFluff" in classes(element)]
    return RuleText(element_text(document), "\n".join(filter(None, flavour)) or None, tuple(parts))


def _part(title: Any) -> RulePart | None:
    """The box around a title, taken out of the document."""
    box = title.getparent()
    name = element_text(title).strip(" :")
    if box is None or not name:
        return None
    box.remove(title)
    flavour = [element_text(element, flavour=True) for element in box if "ShowFluff" in classes(element)]
    text = "\n".join(filter(None, (title.tail or "", element_text(box))))
    for child in list(box):
        box.remove(child)
    box.text = None
    return RulePart(name, text.strip(), "\n".join(flavour) or None)


_BEARER = re.compile(r"(?P<who>[^.\n]{2,200}?)\s+models?\s+(?:\([^()]*\)\s*)?only\b", re.IGNORECASE)


def bearers(text: str) -> list[str] | None:
    """Who may bear an enhancement: `CAPTAIN or LIEUTENANT model only.` -> ["CAPTAIN", "LIEUTENANT"], None if unsaid."""
    match = _BEARER.match(text)
    if not match:
        return None
    return [name.strip() for name in re.split(r"\s*,\s*(?:or\s+)?|\s+or\s+", match["who"]) if name.strip()]


@dataclass(frozen=True)
class StratagemText:
    """The labelled paragraphs of a stratagem; None where the block has no such label."""

    when: str | None
    target: str | None
    effect: str | None
    restrictions: str | None
    unlabelled: str | None


def stratagem_text(text: str) -> StratagemText:
    """Cut visible lines at WHEN, TARGET, EFFECT and RESTRICTIONS. What stands before the first label is `unlabelled`.

    Lines behind EFFECT that carry other labels (a designer's note, an ability the effect grants) stay with it.
    """
    found: dict[str, list[str]] = {}
    current = ""
    for line in text.split("\n"):
        match = _LABEL.match(line)
        if match:
            current = {"TRIGGER": "WHEN", "RESTRICTION": "RESTRICTIONS"}.get(match[1], match[1])
            line = line[match.end() :]
        if line:
            found.setdefault(current, []).append(line)
    joined = {label: "\n".join(lines) for label, lines in found.items()}
    return StratagemText(
        joined.get("WHEN"), joined.get("TARGET"), joined.get("EFFECT"), joined.get("RESTRICTIONS"), joined.get("")
    )


def stratagem_type(printed: str) -> tuple[str | None, str | None]:
    """`Shield Host – Battle Tactic Stratagem` -> ("Shield Host", "Battle Tactic"). Either side may be missing."""
    left, dash, right = printed.rpartition(" – ")
    kind = _TYPE_WORD.sub("", right).strip(" –") or None
    if not dash and kind and kind.lower() not in _TYPES:
        return kind, None  # `Core Stratagem`, `Grizzled Company –`
    place = left.strip(" –")
    # `Core Stratagem – Strategic Ploy Stratagem`: the word is no part of the detachment's name.
    return _TYPE_WORD.sub("", place) or None, kind

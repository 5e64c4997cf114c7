"""Rules of the data cards that many datasheets share.

Belongs here: army rules, detachment rules, stratagems, enhancements, the index of Combat Patrols. Does not belong here:
what a rule does.
"""

from dataclasses import dataclass, field

from pipelines.sources.game_datacards.access import Card, Cards, Incomplete
from pipelines.sources.game_datacards.cards import Owner
from pipelines.sources.records import Row
from pipelines.sources.rule_markup import bearers


def read_rules(found: Cards, document: Card, owner: Owner) -> None:
    """Everything in a file beside its datasheets."""
    rules = document.child("rules")
    for rule in rules.entries("army"):
        _add_rule(found, rule, "army_rule", {"faction": owner.faction})
    for group in rules.entries("detachment"):
        if not group.has("detachment"):
            found.reject(group, "the key 'detachment' is missing")
            continue
        place = {"faction": group.text("faction") or owner.faction, "detachment": group.text("detachment")}
        for rule in group.entries("rules", required=True):
            _add_rule(found, rule, "detachment_rule", place)
    for stratagem in document.entries("stratagems"):
        _read_stratagem(found, stratagem, owner)
    for enhancement in document.entries("enhancements"):
        _read_enhancement(found, enhancement, owner)


# --- rules made of blocks ---------------------------------------------------------------------------------------------


@dataclass
class Part:
    """A titled part of a rule while its blocks are collected."""

    name: str
    pointer: str
    lines: list[str] = field(default_factory=list)
    flavour: list[str] = field(default_factory=list)


def _add_rule(found: Cards, rule: Card, table: str, columns: Row) -> None:
    """A rule, and its titled parts (stances, oaths) with the rule as their `parent`."""
    if not rule.has("name"):
        found.reject(rule, "the key 'name' is missing")
        return
    whole, *parts = _parts(found, rule)
    if not any(part.lines for part in (whole, *parts)):
        found.reject(rule, "the rule has no text")
        return
    for part in (whole, *parts):
        if part is not whole and not part.lines:
            continue  # a heading over other parts
        found.result.add(
            table,
            locator=part.pointer,
            name=part.name,
            parent=None if part is whole else whole.name,
            text="\n".join(part.lines) or None,
            flavour="\n".join(part.flavour) or None,
            has_lost_text=False,
            **columns,
        )


def _parts(found: Cards, rule: Card) -> list[Part]:
    """The blocks of a rule in their order: text before the first title is the rule itself."""
    parts = [Part(rule.text("name"), rule.pointer)]
    blocks = list(rule.entries("rules", required=True))
    for block in sorted(blocks, key=_order):
        kind, text, title = block.text("type"), block.text("text"), block.text("title")
        if kind == "header":
            parts.append(Part(text, block.pointer))
        elif kind == "accordion" and title:
            parts.append(Part(title, block.pointer, [text] if text else []))
        elif kind == "quote":
            parts[-1].flavour.append(text)
        elif kind == "image":
            found.left_out["images in rules"] += 1
        elif text:
            parts[-1].lines.append(f"{title}\n{text}" if title else text)
    return parts


def _order(block: Card) -> float:
    order = block.raw("order")
    return float(order) if isinstance(order, int | float) else 0.0


# --- stratagems, enhancements -----------------------------------------------------------------------------------------


def _read_stratagem(found: Cards, stratagem: Card, owner: Owner) -> None:
    try:
        name, cost, effect = (stratagem.need(key) for key in ("name", "cost", "effect"))
        detachment = stratagem.need("detachment")
    except Incomplete as error:
        found.result.reject(str(error), str(stratagem.value), locator=error.pointer)
        return
    if not (name and effect and detachment and cost.isascii() and cost.isdigit() and len(cost) == 1):
        found.reject(stratagem, "a stratagem needs a name, a detachment, an effect and its cost in command points")
        return
    common = detachment.lower() == "core"
    found.result.add(
        "stratagem",
        locator=stratagem.pointer,
        name=stratagem.text("name"),
        detachment="Core" if common else stratagem.text("detachment"),
        faction=None if common else _faction(stratagem, owner),
        type=stratagem.text("type") or None,
        cp=int(cost),
        flavour=stratagem.text("fluff") or None,
        when_text=stratagem.text("when") or None,
        target_text=stratagem.text("target") or None,
        effect_text=stratagem.text("effect"),
        restrictions_text=stratagem.text("restrictions") or None,
        has_lost_text=False,
        source_key=stratagem.text("id") or None,
    )


def _faction(card: Card, owner: Owner) -> str | None:
    return card.text("detachment_faction") or owner.faction


def _read_enhancement(found: Cards, card: Card, owner: Owner) -> None:
    cost = card.text("cost")
    if not card.has("name") or not card.has("description"):
        found.reject(card, "an enhancement needs a name and a description")
    elif cost and not (cost.isascii() and cost.isdigit() and len(cost) <= 3):
        found.reject(card, f"'{cost}' is no price")
    else:
        text = card.text("description")
        found.result.add(
            "enhancement",
            locator=card.pointer,
            name=card.text("name"),
            detachment=card.text("detachment") or None,
            faction=_faction(card, owner),
            points=int(cost) if cost else None,
            text=text,
            requires=bearers(text) or [keyword.upper() for keyword, _ in card.texts("keywords")] or None,
            has_lost_text=False,
            source_key=card.text("id") or None,
        )


def read_enhancement_list(found: Cards, groups: list[Card]) -> None:
    """A list of enhancements by faction id, without detachments."""
    for group in groups:
        if not isinstance(group.value, dict):
            found.reject(group, "an object is expected here")
            continue
        for enhancement in group.entries("enhancements", required=True):
            _read_enhancement(found, enhancement, Owner(None, None))


def read_index(found: Cards, document: Card) -> None:
    """The list of Combat Patrols: their names as books; the datasheets are in files of their own."""
    for patrol in document.entries("combatPatrols"):
        if not patrol.has("name"):
            found.reject(patrol, "the key 'name' is missing")
            continue
        found.result.add(
            "book",
            locator=patrol.pointer,
            name=patrol.text("name").partition(": ")[2] or patrol.text("name"),
            kind="Combat Patrol",
            source_key=patrol.text("id") or None,
        )
    found.result.notices.append(f"an index of {len(found.result.tables.get('book', []))} Combat Patrols, no datasheets")

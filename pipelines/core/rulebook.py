"""Rules that many datasheets share: stratagems, enhancements, detachment rules, army rules, the glossary, leaders.

Belongs here: their keys, and wordings numbered where files differ. Two files that print the same words (blanks,
bullets and case aside) give one wording; the newest file's wording is number 1. Does not belong here: what a rule does
(`pipelines.rules_text`).
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from pipelines.core.identity import Entity, Identities
from pipelines.core.precedence import Source, fact_rank, price_rank
from pipelines.core.sheets import Core
from pipelines.factions import canonical_faction, faction_slug
from pipelines.sources.records import Row
from pipelines.sources.text import name_key, slug

# Detachments that belong to no faction: their stratagems are open to every army.
_COMMON_DETACHMENTS = {"core", "boarding-actions"}

_TEXT_COLUMNS: dict[str, tuple[str, ...]] = {
    "stratagem": ("when_text", "target_text", "effect_text", "restrictions_text"),
    "detachment_rule": ("text",),
    "enhancement": ("text",),
    "army_rule": ("text",),
    "rule": ("text",),
    "secondary_objective": ("text",),
}
_COLUMNS: dict[str, tuple[str, ...]] = {
    "stratagem": ("name", "detachment", "type", "cp", "flavour", *_TEXT_COLUMNS["stratagem"]),
    "detachment_rule": ("name", "detachment", "parent", "text", "flavour"),
    "enhancement": ("name", "detachment", "points", "text", "flavour", "requires"),
    "army_rule": ("name", "parent", "text", "flavour"),
    "rule": ("name", "parent", "text", "flavour"),
    "secondary_objective": ("name", "detachment", "text"),
}


def _faction_of(source: Source, row: Row) -> str | None:
    stated = row.get("faction") or source.result.faction
    return canonical_faction(stated) or stated


def rule_id(table: str, source: Source, row: Row) -> str:
    """The key of a rule: faction, detachment, parent and name, as far as the kind of rule has them."""
    parts: list[str] = []
    detachment = row.get("detachment")
    if table in ("stratagem", "detachment_rule", "enhancement", "secondary_objective"):
        place = slug(detachment) if detachment else "no-detachment"
        faction = _faction_of(source, row)
        if place not in _COMMON_DETACHMENTS and faction and slug(faction) != place:
            parts.append(faction_slug(faction))
        parts.append(place)
    elif table == "army_rule":
        parts.append(faction_slug(_faction_of(source, row) or "any faction"))
    if row.get("parent"):
        parts.append(slug(row["parent"]))
    parts.append(slug(row["name"] or row.get("text") or ""))
    return "/".join(part[:80] for part in parts)


def merge_rules(sources: list[Source], core: Core) -> dict[tuple[str, str, str], str]:
    """Number the wordings of each rule. Returns (faction slug, detachment slug, name key) -> stratagem id."""
    stratagems: dict[tuple[str, str, str], str] = {}
    for table in _COLUMNS:
        wordings: dict[str, dict[str, int]] = defaultdict(dict)
        for print_ in _prints(sources, table):
            number = _wording(print_, wordings[print_.key], core)
            fate = print_.key if number is None else f"{print_.key}#{number}"
            core.fates[print_.source.file.file_id, table, print_.index] = (f"core.{table}", fate)
            if table == "stratagem":
                _index_stratagem(stratagems, print_.source, print_.row, print_.key)
    _set_enhancement_prices(sources, core)
    return stratagems


@dataclass(frozen=True)
class _Print:
    """A rule as one file prints it; `text` is empty where the file only names it."""

    table: str
    source: Source
    index: int
    row: Row
    key: str
    text: str


def _prints(sources: list[Source], table: str) -> list[_Print]:
    """Every print of a table's rules, best source first; those without words (points lists) after all others."""
    found = []
    for source in sorted(sources, key=fact_rank):
        for index, row in enumerate(source.result.tables.get(table, [])):
            text = "|".join(_wording_key(row[column]) for column in _TEXT_COLUMNS[table]).strip("|")
            found.append(_Print(table, source, index, row, rule_id(table, source, row), text))
    return sorted(found, key=lambda print_: not print_.text)


def _wording(print_: _Print, known: dict[str, int], core: Core) -> int | None:
    """The number of a print's wording, a new row where it is new; None for a name without words that has wordings."""
    if not print_.text and known:
        return None
    number = known.get(print_.text)
    if number is None:
        number = known[print_.text] = len(known) + 1
        row = _rule_row(print_.table, _COLUMNS[print_.table], print_.key, number, print_.source, print_.row)
        core.tables[f"core.{print_.table}"].append(row)
    return number


def _set_enhancement_prices(sources: list[Source], core: Core) -> None:
    """The price of an enhancement comes from the newest list that has one, like that of a unit."""
    prices: dict[str, int] = {}
    for source in sorted(sources, key=price_rank):
        for row in source.result.tables.get("enhancement", []):
            if row["points"] is not None:
                prices.setdefault(rule_id("enhancement", source, row), row["points"])
    for row in core.tables["core.enhancement"]:
        row["points"] = prices.get(row["enhancement_id"], row["points"])


def _wording_key(text: str | None) -> str:
    """What must be equal for two prints to be one wording: everything but blanks, bullets and letter case."""
    return re.sub(r"^[-\u2022\u25a0*]+|\s+", "", text or "", flags=re.MULTILINE).lower()


def _rule_row(table: str, columns: Iterable[str], key: str, number: int, source: Source, row: Row) -> Row:
    core_row: Row = {f"{table}_id": key, "wording": number, "file_id": source.file.file_id}
    core_row |= {column: row[column] for column in columns}
    if isinstance(core_row.get("requires"), list | tuple):
        core_row["requires"] = "; ".join(core_row["requires"])
    core_row |= {
        "source_key": row["source_key"],
        "line_no": row["line_no"],
        "locator": row["locator"],
    }
    if table != "secondary_objective":
        core_row["has_lost_text"] = bool(row.get("has_lost_text"))
    if table not in ("secondary_objective", "rule"):
        core_row["faction"] = _faction_of(source, row)
    return core_row


def _index_stratagem(stratagems: dict[tuple[str, str, str], str], source: Source, row: Row, key: str) -> None:
    faction = faction_slug(_faction_of(source, row) or "any faction")
    place = slug(row["detachment"] or "no-detachment")
    stratagems.setdefault((faction, place, name_key(row["name"])), key)
    stratagems.setdefault(("", place, name_key(row["name"])), key)


def link_stratagems(
    identities: Identities, sources: list[Source], stratagems: dict[tuple[str, str, str], str], core: Core
) -> None:
    """`core.datasheet_stratagem` from the lists on datasheets; an entry without a block has no text."""
    linked: set[tuple[str, str]] = set()
    for source in sorted(sources, key=fact_rank):
        by_key = {row["source_key"]: row for row in source.result.rows("stratagem") if row["source_key"]}
        for index, row in enumerate(source.result.tables.get("datasheet_stratagem", [])):
            entity = identities.by_sheet.get((source.file.file_id, row["sheet"]))
            if entity is None:
                core.notice(
                    source, f"{row['locator']}: a stratagem is listed for a datasheet that the file does not hold"
                )
                continue
            block = by_key.get(row["source_key"])
            stratagem_id = (
                rule_id("stratagem", source, block)
                if block
                else _listed_stratagem(source, row, entity, stratagems, core)
            )
            core.fates[source.file.file_id, "datasheet_stratagem", index] = (
                "core.datasheet_stratagem",
                f"{entity.datasheet_id}:{stratagem_id}",
            )
            if (entity.datasheet_id, stratagem_id) not in linked:
                linked.add((entity.datasheet_id, stratagem_id))
                core.tables["core.datasheet_stratagem"].append(
                    {
                        "datasheet_id": entity.datasheet_id,
                        "stratagem_id": stratagem_id,
                        "file_id": source.file.file_id,
                        "line_no": row["line_no"],
                        "locator": row["locator"],
                    }
                )


def _listed_stratagem(
    source: Source, row: Row, entity: Entity, stratagems: dict[tuple[str, str, str], str], core: Core
) -> str:
    """The id of a stratagem that a datasheet lists, made with no text where no file prints its block."""
    place = slug(row["detachment"] or "no-detachment")
    faction = faction_slug(entity.best.faction or "any faction")
    for group in (faction, ""):
        known = stratagems.get((group, place, name_key(row["name"])))
        if known:
            return known
    block: Row = dict.fromkeys((*_COLUMNS["stratagem"], "source_key", "has_lost_text", "faction"))
    block |= {"name": row["name"], "detachment": row["detachment"], "type": row["type"], "cp": row["cp"]}
    block |= {"faction": entity.best.faction, "line_no": row["line_no"], "locator": row["locator"]}
    key = rule_id("stratagem", source, block)
    core.tables["core.stratagem"].append(_rule_row("stratagem", _COLUMNS["stratagem"], key, 1, source, block))
    _index_stratagem(stratagems, source, block, key)
    return key


def link_rules(identities: Identities, sources: list[Source], core: Core) -> None:
    """Which detachment rules and enhancements a datasheet lists."""
    for listed, table in (("datasheet_detachment_rule", "detachment_rule"), ("datasheet_enhancement", "enhancement")):
        linked: set[tuple[str, str]] = set()
        for source in sorted(sources, key=fact_rank):
            by_key = {row["source_key"]: row for row in source.result.rows(table) if row["source_key"]}
            for index, row in enumerate(source.result.tables.get(listed, [])):
                entity = identities.by_sheet.get((source.file.file_id, row["sheet"]))
                if entity is None:
                    continue
                target = by_key.get(row["source_key"]) or row | {"faction": entity.best.faction, "parent": None}
                key = rule_id(table, source, target)
                core.fates[source.file.file_id, listed, index] = (f"core.{listed}", f"{entity.datasheet_id}:{key}")
                if (entity.datasheet_id, key) in linked:
                    continue
                linked.add((entity.datasheet_id, key))
                core.tables[f"core.{listed}"].append(
                    {
                        "datasheet_id": entity.datasheet_id,
                        f"{table}_id": key,
                        "file_id": source.file.file_id,
                        "line_no": row["line_no"],
                        "locator": row["locator"],
                    }
                )


def link_leaders(identities: Identities, sources: list[Source], core: Core) -> None:
    """Pairs of leader and bodyguard whose datasheets are both known; the others are said in one notice per file."""
    linked: set[tuple[str, str]] = set()
    for source in sorted(sources, key=fact_rank):
        unknown = 0
        for index, row in enumerate(source.result.tables.get("leader", [])):
            pair = [_resolve(identities, source, row, row[role]) for role in ("leader", "bodyguard")]
            if pair[0] is None or pair[1] is None:
                unknown += 1
                continue
            ids = (pair[0].datasheet_id, pair[1].datasheet_id)
            core.fates[source.file.file_id, "leader", index] = ("core.leader", f"{ids[0]}:{ids[1]}")
            if ids not in linked:
                linked.add(ids)
                core.tables["core.leader"].append(
                    {
                        "leader_id": ids[0],
                        "bodyguard_id": ids[1],
                        "file_id": source.file.file_id,
                        "line_no": row["line_no"],
                        "locator": row["locator"],
                    }
                )
        if unknown:
            core.notice(source, f"{unknown} leader pairs name a datasheet that no file describes; they are left out")


def _resolve(identities: Identities, source: Source, row: Row, name: str | None) -> Entity | None:
    """A datasheet named on a sheet: in the same file, in the same faction or patrol, else the only one of that name."""
    if not name:
        return None
    same_file = identities.by_sheet.get((source.file.file_id, name))
    if same_file:
        return same_file
    home = identities.by_sheet.get((source.file.file_id, row["sheet"])) if row["sheet"] else None
    if home is not None:
        found = identities.named(name, home.key[1], home.key[0])
        if found or home.key[0]:
            return found
    return identities.anywhere(name)


def merge_books(sources: list[Source], core: Core) -> None:
    """Books and their versions, as each file states them."""
    for source in sources:
        for index, row in enumerate(source.result.tables.get("book", [])):
            core.tables["core.book"].append(
                {
                    "file_id": source.file.file_id,
                    "book_id": f"{source.file.file_id}:{index + 1}",
                    **{name: row[name] for name in ("name", "kind", "edition", "version", "dated", "source_key")},
                    "line_no": row["line_no"],
                    "locator": row["locator"],
                }
            )
            core.fates[source.file.file_id, "book", index] = ("core.book", f"{source.file.file_id}:{index + 1}")

"""Rules that many datasheets share, and which datasheet lists which.

Belongs here: army rules, core rules, detachment rules, enhancements, stratagems and the link tables. Does not belong
here: what a rule does (`pipelines.rules_text`).
"""

import re
from collections import Counter

from pipelines.sources.records import Row
from pipelines.sources.rule_markup import bearers, rule_text, stratagem_text, stratagem_type
from pipelines.sources.text import name_key
from pipelines.sources.wahapedia_csv.export import Export
from pipelines.sources.wahapedia_csv.tables import Record

_NO_DETACHMENT = "army rules"  # parts of an army rule, printed among the stratagems


def read_rules(export: Export) -> None:
    """`Abilities`, `Detachment_abilities`, `Enhancements` and `Stratagems`."""
    _read_abilities(export)
    _read_detachment_rules(export)
    _read_enhancements(export)
    _read_stratagems(export)


def _read_abilities(export: Export) -> None:
    """An ability of a faction is its army rule, one without a faction a core rule. Ids repeat, one row per faction."""
    seen: dict[tuple[str, str], Record] = {}
    for row in export.tables["Abilities"]:
        faction_id = row.plain("faction_id")
        place = (row.plain("id"), faction_id)
        if place in seen:
            export.repeated(row, list(seen[place].cells.values()) == list(row.cells.values()))
            continue
        if not row.plain("name") or not row.text("description"):
            export.quarantine(row, "a rule needs a name and a text")
            continue
        if faction_id and faction_id not in export.factions:
            export.quarantine(row, f"no faction has the id '{faction_id}'")
            continue
        seen[place] = row
        table, place_columns = ("army_rule", {"faction": export.factions[faction_id]}) if faction_id else ("rule", {})
        _add_rule(export, row, table, place_columns)


def _read_detachment_rules(export: Export) -> None:
    detachments = {row.plain("id"): row.plain("name") for row in export.tables["Detachments"]}
    for _ in export.tables["Detachments"]:
        export.loaded("Detachments")
    for row in _unrepeated(export, "Detachment_abilities"):
        if not row.plain("name") or not row.text("description"):
            export.quarantine(row, "a rule needs a name and a text")
            continue
        detachment = row.plain("detachment") or detachments.get(row.plain("detachment_id"))
        if not detachment:
            export.quarantine(row, "the rule names no detachment")
            continue
        faction = export.factions.get(row.plain("faction_id"))
        _add_rule(export, row, "detachment_rule", {"faction": faction, "detachment": detachment})


def _add_rule(export: Export, row: Record, table: str, columns: Row) -> None:
    """A rule and its titled parts (stances, oaths), the parts with the rule as `parent`."""
    rule = rule_text(row.raw("description"))
    common: Row = {"line_no": row.line_no, "locator": row.locator, "has_lost_text": False, **columns}
    export.result.add(
        table,
        name=row.plain("name"),
        text=rule.text or None,
        flavour=row.text("legend") or rule.flavour,
        source_key=row.plain("id"),
        **common,
    )
    for number, part in enumerate(rule.parts, start=1):
        export.result.add(
            table,
            name=part.name,
            parent=row.plain("name"),
            text=part.text or None,
            flavour=part.flavour,
            source_key=f"{row.plain('id')}:{number}",
            **common,
        )
    export.loaded(row.table)


def _unrepeated(export: Export, table: str) -> list[Record]:
    """Rows whose id is new; a second row of an id is merged where it says the same, else refused."""
    seen: dict[str, Record] = {}
    for row in export.tables[table]:
        earlier = seen.get(row.plain("id"))
        if earlier or not row.plain("id"):
            same = earlier is not None and list(earlier.cells.values()) == list(row.cells.values())
            export.repeated(row, same)
        else:
            seen[row.plain("id")] = row
    return list(seen.values())


def _read_enhancements(export: Export) -> None:
    detachments = {row.plain("id"): row.plain("name") for row in export.tables["Detachments"]}
    for row in _unrepeated(export, "Enhancements"):
        cost = re.fullmatch(r"\+?\s*(\d{1,4})", row.plain("cost"))
        if row.plain("cost") and not cost:
            export.quarantine(row, f"'{row.plain('cost')}' is no price")
            continue
        rule = rule_text(row.raw("description"))
        export.result.add(
            "enhancement",
            line_no=row.line_no,
            locator=row.locator,
            name=row.plain("name"),
            detachment=row.plain("detachment") or detachments.get(row.plain("detachment_id")),
            faction=export.factions.get(row.plain("faction_id")),
            points=int(cost[1]) if cost else None,
            text="\n".join([rule.text, *(f"{part.name}: {part.text}" for part in rule.parts)]).strip() or None,
            flavour=row.text("legend") or rule.flavour,
            requires=bearers(rule.text),
            has_lost_text=False,
            source_key=row.plain("id"),
        )
        export.loaded("Enhancements")


def _read_stratagems(export: Export) -> None:
    elsewhere: Counter[str] = Counter()
    parts = 0
    for row in _unrepeated(export, "Stratagems"):
        faction = export.factions.get(row.plain("faction_id"))
        if row.plain("detachment").lower() == _NO_DETACHMENT:
            _add_rule(export, row, "army_rule", {"faction": faction})
            parts += 1
            continue
        printed, kind = stratagem_type(row.plain("type"))
        detachment = row.plain("detachment") or printed
        text = stratagem_text(row.text("description"))
        reason = _refusal(row, detachment, text.effect)
        if reason:
            export.quarantine(row, reason)
            continue
        if printed and detachment and name_key(printed) != name_key(detachment):
            elsewhere[f"{printed} ({detachment})"] += 1
        export.result.add(
            "stratagem",
            line_no=row.line_no,
            locator=row.locator,
            name=row.plain("name"),
            detachment=detachment,
            faction=faction,
            type=kind,
            cp=int(row.plain("cp_cost")),
            flavour=row.text("legend") or None,
            when_text=text.when,
            target_text=text.target,
            effect_text=text.effect,
            restrictions_text="\n".join(filter(None, (text.restrictions, text.unlabelled))) or None,
            has_lost_text=False,
            source_key=row.plain("id"),
        )
        export.loaded("Stratagems")
    if parts:
        export.result.notices.append(f"{parts} rows among the stratagems are parts of an army rule")
    for place in sorted(elsewhere):
        export.result.notices.append(
            f"{elsewhere[place]} stratagems print another name than that of their detachment: {place}"
        )


def _refusal(row: Record, detachment: str | None, effect: str | None) -> str | None:
    """Why a row is no stratagem, None where it is one."""
    if not row.plain("name") or not detachment:
        return "a stratagem needs a name and a detachment"
    if not re.fullmatch(r"\d", row.plain("cp_cost")):
        return f"'{row.plain('cp_cost')}' is no cost in command points"
    if not effect:
        return "the text has no EFFECT"
    return None


# --- links ------------------------------------------------------------------------------------------------------------

_LINKS = (
    ("Datasheets_stratagems", "stratagem_id", "datasheet_stratagem", "stratagem", ("name", "detachment", "type", "cp")),
    ("Datasheets_enhancements", "enhancement_id", "datasheet_enhancement", "enhancement", ("name", "detachment")),
    (
        "Datasheets_detachment_abilities",
        "detachment_ability_id",
        "datasheet_detachment_rule",
        "detachment_rule",
        ("name", "detachment"),
    ),
)


def read_links(export: Export) -> None:
    """Which stratagems, enhancements and detachment rules a datasheet lists."""
    for table, column, target, rule_table, copied in _LINKS:
        rules = {rule["source_key"]: rule for rule in export.result.rows(rule_table)}
        known = {row.plain("id") for row in export.tables[table.removeprefix("Datasheets_").capitalize()]}
        for row, sheet in export.of_sheets(table):
            rule = rules.get(row.plain(column))
            if rule is None:
                said = "is not among the rules of its kind" if row.plain(column) in known else "is unknown"
                export.quarantine(row, f"the {rule_table.replace('_', ' ')} '{row.plain(column)}' {said}")
                continue
            export.result.add(
                target,
                line_no=row.line_no,
                locator=row.locator,
                sheet=sheet.key,
                source_key=row.plain(column),
                **{name: rule[name] for name in copied},
            )
            export.loaded(table)

"""All sources into one set of `core` rows: who wins, and what disagreed.

Belongs here: the order of the merging steps and the edition guard. The steps themselves are in `pipelines.core`.
Pure: rows in, rows out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pipelines.core.corrections import Correction, apply_corrections
from pipelines.core.equipment import infer_equipment
from pipelines.core.identity import identify
from pipelines.core.precedence import Source
from pipelines.core.prices import merge_prices
from pipelines.core.roles import role_group
from pipelines.core.rulebook import link_leaders, link_rules, link_stratagems, merge_books, merge_rules
from pipelines.core.sheets import Core, merge_sheets
from pipelines.sources.records import Row

EDITION = "10"


@dataclass(frozen=True)
class Reconciled:
    """Rows by table name (`core.*`, `raw.notice`, `raw.quarantine` additions) and the fate of each source row."""

    tables: dict[str, list[Row]]
    fates: dict[tuple[str, str, int], tuple[str, str]]
    kept_out: tuple[str, ...]  # file ids of other editions


def reconcile(
    sources: Iterable[Source],
    aliases: Mapping[tuple[str, str], str] | None = None,
    corrections: Iterable[Correction] = (),
) -> Reconciled:
    """Merge what all files say.

    Raises `CorrectionError` where a correction no longer fits what it corrects. The result does not depend on the order
    of `sources`.
    """
    every = sorted(sources, key=lambda source: (source.file.path, source.file.file_id))
    core = Core()
    current, kept_out = _edition_guard(every, core)
    for source in every:
        for notice in source.result.notices:
            core.notice(source, notice)
    identities = identify(current, dict(aliases or {}))
    merge_sheets(identities, current, core)
    merge_prices(identities, current, core)
    stratagems = merge_rules(current, core)
    link_stratagems(identities, current, stratagems, core)
    link_rules(identities, current, core)
    link_leaders(identities, current, core)
    merge_books(every, core)
    _infer_missing_equipment(core)
    _set_role_groups(core)
    said = apply_corrections(core.tables, list(corrections))
    tables = dict(core.tables)
    tables["core.conflict"] = _distinct_conflicts(core.conflicts)
    tables["core.name_suggestion"] = core.suggestions
    tables["raw.notice"] = core.notices + [{"file_id": None, "text": text} for text in said]
    return Reconciled(tables, core.fates, tuple(source.file.file_id for source in kept_out))


def _edition_guard(sources: list[Source], core: Core) -> tuple[list[Source], list[Source]]:
    """Files that state another edition are kept out of every core table, and said so."""
    current: list[Source] = []
    kept_out: list[Source] = []
    for source in sources:
        stated = source.result.edition
        if stated is None or str(stated) == EDITION:
            current.append(source)
            continue
        kept_out.append(source)
        core.notice(source, f"states edition {stated}, so none of it enters the tables of edition {EDITION}")
    return current, kept_out


def _infer_missing_equipment(core: Core) -> None:
    """`core.equipment` for sheets with weapons but no equipment line, marked `is_inferred`."""
    stated = {row["datasheet_id"] for row in core.tables["core.equipment"]}
    by_sheet: dict[str, dict[str, list[Row]]] = {}
    for table in ("core.weapon_profile", "core.ability", "core.wargear_option"):
        for row in core.tables[table]:
            by_sheet.setdefault(row["datasheet_id"], {}).setdefault(table, []).append(row)
    for datasheet_id, tables in sorted(by_sheet.items()):
        weapons = tables.get("core.weapon_profile", [])
        if datasheet_id in stated or not weapons:
            continue
        items = infer_equipment(weapons, tables.get("core.ability", []), tables.get("core.wargear_option", []))
        kinds = list(dict.fromkeys(model for model, _ in items))
        for model, item in items:
            core.tables["core.equipment"].append(
                {
                    "datasheet_id": datasheet_id,
                    "equipment_line": kinds.index(model) + 1,
                    "model": model,
                    "models": None,
                    "item": item,
                    "n": 1,
                    "is_inferred": True,
                    "file_id": weapons[0]["file_id"],
                    "line_no": None,
                    "locator": "inferred from wargear options",
                }
            )


def _set_role_groups(core: Core) -> None:
    """`role_group` of every datasheet, from its keywords and its first profile's Toughness."""
    words: dict[str, set[str]] = {}
    for row in core.tables["core.keyword"]:
        if not row["is_faction"]:
            words.setdefault(row["datasheet_id"], set()).add(row["keyword"])
    toughness: dict[str, int | None] = {}
    for row in core.tables["core.model_profile"]:
        toughness.setdefault(row["datasheet_id"], row["toughness"])
    for row in core.tables["core.datasheet"]:
        row["role_group"] = role_group(words.get(row["datasheet_id"], ()), toughness.get(row["datasheet_id"]))


def _distinct_conflicts(rows: list[Row]) -> list[Row]:
    """One row per fact and other value: a file that repeats itself disagrees once."""
    distinct: dict[tuple[object, ...], Row] = {}
    for row in rows:
        distinct.setdefault((row["entity_id"], row["attribute"], row["other_file_id"], row["other_value"]), row)
    return list(distinct.values())

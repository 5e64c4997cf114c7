"""Read results into the `core` tables, `raw.line`, `raw.notice` and the points history.

Belongs here: reading aliases and corrections, calling the reconciliation, writing its tables. Does not belong here:
which source wins (`pipelines.reconcile`).
"""

from pathlib import Path
from typing import Any

from pipelines.core.corrections import Correction, CorrectionError, read_aliases, read_corrections
from pipelines.core.history import points_history
from pipelines.core.precedence import Source
from pipelines.reconcile import Reconciled, reconcile
from pipelines.sources.characteristics import dice_mean
from pipelines.sources.records import Row
from pipelines.sources.weapon_keywords import KNOWN
from pipelines.steps import read
from pipelines.steps.workspace import Workspace, code_hash, fingerprint

STEP = "core"
CORE_TABLES = (
    "core.book",
    "core.datasheet",
    "core.model_profile",
    "core.weapon_profile",
    "core.weapon_keyword",
    "core.keyword",
    "core.ability",
    "core.composition",
    "core.equipment",
    "core.wargear_option",
    "core.unit_cost",
    "core.leader",
    "core.stratagem",
    "core.datasheet_stratagem",
    "core.datasheet_detachment_rule",
    "core.datasheet_enhancement",
    "core.detachment_rule",
    "core.enhancement",
    "core.army_rule",
    "core.rule",
    "core.secondary_objective",
    "core.conflict",
    "core.name_suggestion",
)
TABLES = ("raw.line", "raw.notice", *CORE_TABLES, "out.points_history")


def build_core(workspace: Workspace) -> None:
    """Reconcile what was read. Raises `CorrectionError` where a correction or alias file cannot be used."""
    aliases, corrections, texts = _configuration(workspace.raw_dirs)
    mark = fingerprint(
        workspace.fingerprint_of(read.STEP),
        code_hash("pipelines/core", "pipelines/reconcile.py", "pipelines/factions.py", "pipelines/steps/core.py"),
        *texts,
    )
    if workspace.is_current(STEP, mark):
        workspace.progress("facts unchanged")
        return
    workspace.forget(STEP)
    workspace.progress("reconciling sources")
    sources = read.load_sources(workspace)
    reconciled = reconcile(sources, aliases, corrections)
    tables = reconciled.tables
    for row in tables.get("core.weapon_profile", []):
        _derive(row)
    for row in tables.get("core.weapon_keyword", []):
        row["is_known"] = row["keyword"] in KNOWN
    for table in CORE_TABLES:
        workspace.write(table, tables.get(table, []))
    workspace.write("raw.notice", _notices(tables["raw.notice"]))
    lines = line_rows(sources, reconciled)
    workspace.write("raw.line", lines)
    workspace.write("out.points_history", points_history(tables.get("core.points", [])))
    workspace.finished(STEP, mark, TABLES, kept_out=list(reconciled.kept_out))


def _derive(row: Row) -> None:
    """Means of dice and the numeric Strength beside its print."""
    row["attacks_mean"] = dice_mean(row["attacks"])
    row["damage_mean"] = dice_mean(row["damage"])
    strength = str(row["strength"])
    row["strength_text"] = strength
    row["strength"] = int(strength) if strength.isdigit() else None


def _notices(rows: list[Row]) -> list[Row]:
    unique = {(row["file_id"] or "", row["text"]): row for row in rows}
    return [{"file_id": file_id or None, "text": text} for file_id, text in unique]


def line_rows(sources: list[Source], reconciled: Reconciled) -> list[Row]:
    """The fate of each line of each text file: its disposition, and the table and row it became."""
    rows: list[Row] = []
    kept_out = set(reconciled.kept_out)
    for source in sources:
        file_id = source.file.file_id
        for claim in source.result.lines:
            fate: tuple[str | None, str | None] = (None, None)
            if claim.table is not None and claim.row_index is not None and file_id not in kept_out:
                fate = reconciled.fates.get((file_id, claim.table, claim.row_index), (f"core.{claim.table}", None))
            rows.append(
                {
                    "file_id": file_id,
                    "line_no": claim.line_no,
                    "section": claim.section,
                    "disposition": claim.disposition,
                    "table_name": fate[0],
                    "row_key": fate[1],
                }
            )
    return rows


def _configuration(raw_dirs: tuple[Path, ...]) -> tuple[dict[tuple[str, str], str], list[Correction], list[str]]:
    """Aliases and corrections of every raw folder, and their texts for the fingerprint."""
    aliases: dict[tuple[str, str], str] = {}
    corrections: list[Correction] = []
    texts: list[str] = []
    readers: tuple[tuple[str, Any], ...] = (("aliases.csv", read_aliases), ("corrections.yml", read_corrections))
    for folder in raw_dirs:
        for name, reader in readers:
            path = folder / name
            if not path.is_file():
                continue
            try:
                text = path.read_text(encoding="utf-8-sig")
            except UnicodeDecodeError as error:
                raise CorrectionError(f"{path}: no text in UTF-8 ({error.reason}); save it as UTF-8") from None
            texts.append(text)
            found = reader(text, str(path))
            if isinstance(found, dict):
                aliases |= found
            else:
                corrections += found
    return aliases, corrections, texts

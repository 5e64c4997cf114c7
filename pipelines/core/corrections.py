"""Corrections as data: what `raw/corrections.yml` changes in core rows, and aliases from `raw/aliases.csv`.

Belongs here: reading and applying both files' contents. Raw files are never edited. A correction states what it
expects to find, so it fails loudly once the source is fixed.
"""

import csv
import io
from dataclasses import dataclass
from typing import Any

import yaml

from pipelines.factions import faction_slug
from pipelines.sources.records import Row
from pipelines.sources.text import name_key, slug


class CorrectionError(ValueError):
    """A correction or alias file that cannot be used, or a correction whose expectation does not hold."""


@dataclass(frozen=True)
class Correction:
    """`match` picks rows of `table`, `expect` must hold for them, `action` is `set` or `drop`."""

    table: str
    match: dict[str, Any]
    expect: dict[str, Any]
    action: str
    values: dict[str, Any]
    reason: str


def read_corrections(text: str, path: str) -> list[Correction]:
    """The corrections of a YAML file. Raises CorrectionError naming the file and the entry."""
    try:
        entries = yaml.safe_load(text) or []
    except yaml.YAMLError as error:
        raise CorrectionError(f"{path}: no valid YAML: {error}") from None
    except RecursionError:
        raise CorrectionError(f"{path}: nested too deeply to be a list of corrections") from None
    if isinstance(entries, dict) and entries.keys() == {"corrections"}:
        entries = entries["corrections"] or []
    if not isinstance(entries, list):
        raise CorrectionError(f"{path}: expected a list of corrections")
    return [_correction(entry, f"{path}: entry {number}") for number, entry in enumerate(entries, start=1)]


def _correction(entry: Any, place: str) -> Correction:
    if not isinstance(entry, dict):
        raise CorrectionError(f"{place}: expected keys table, match, action, expect, reason")
    missing = {"table", "match", "expect", "reason"} - entry.keys()
    if missing:
        raise CorrectionError(f"{place}: {', '.join(sorted(missing))} missing")
    for name in ("match", "expect"):
        if not isinstance(entry[name], dict):
            raise CorrectionError(f"{place}: {name} must be columns with values")
    if not entry["match"]:
        raise CorrectionError(f"{place}: match is empty and would pick every row")
    action = entry.get("action", "set")
    if not isinstance(action, str | dict) or (
        isinstance(action, dict) and not isinstance(action.get("set") or {}, dict)
    ):
        raise CorrectionError(f"{place}: action must be 'drop' or 'set' with values to set")
    kind, values = (action, entry.get("set") or {}) if isinstance(action, str) else ("set", action.get("set") or {})
    if isinstance(action, dict) and "drop" in action:
        kind, values = "drop", {}
    if kind not in ("set", "drop") or (kind == "set" and not values):
        raise CorrectionError(f"{place}: action must be 'drop' or 'set' with values to set")
    table = str(entry["table"]).removeprefix("core.")
    return Correction(
        f"core.{table}", dict(entry["match"]), dict(entry["expect"]), kind, dict(values), str(entry["reason"])
    )


def apply_corrections(tables: dict[str, list[Row]], corrections: list[Correction]) -> list[str]:
    """Change rows in place; returns a sentence for each correction applied.

    Raises CorrectionError where a correction matches rows that differ from its `expect`, or names an unknown column.
    A correction that matches no row is reported, since its file may simply not be loaded.
    """
    said: list[str] = []
    for correction in corrections:
        _check_names(tables, correction)
        rows = [row for row in tables.get(correction.table, []) if _matches(row, correction.match)]
        if not rows:
            said.append(f"correction of {correction.table} {correction.match}: no such row in these sources")
            continue
        for row in rows:
            _check(row, correction)
        if correction.action == "drop":
            tables[correction.table] = [row for row in tables[correction.table] if not any(row is r for r in rows)]
        else:
            for row in rows:
                row.update(correction.values)
        said.append(f"correction of {correction.table} {correction.match}: {len(rows)} rows ({correction.reason})")
    return said


def _check_names(tables: dict[str, list[Row]], correction: Correction) -> None:
    """A misspelt table or column would make a correction match nothing for ever, and be taken for one not needed."""
    if correction.table not in tables:
        raise CorrectionError(f"correction of {correction.table} {correction.match}: no table {correction.table}")
    columns = {name for row in tables[correction.table] for name in row}
    unknown = next((name for name in correction.match if name not in columns), None)
    if columns and unknown is not None:
        raise CorrectionError(f"correction of {correction.table} {correction.match}: no column {unknown}")


def _matches(row: Row, match: dict[str, Any]) -> bool:
    return all(row.get(name) == value for name, value in match.items())


def _check(row: Row, correction: Correction) -> None:
    for name, value in {**dict.fromkeys(correction.values, ...), **correction.expect}.items():
        if name not in row:
            raise CorrectionError(f"correction of {correction.table} {correction.match}: no column {name}")
        if value is not ... and row[name] != value:
            raise CorrectionError(
                f"correction of {correction.table} {correction.match} expects {name} = {value!r} "
                f"but found {row[name]!r}: the source seems fixed, remove the correction"
            )


def read_aliases(text: str, path: str) -> dict[tuple[str, str], str]:
    """(faction slug, name key) -> the name we keep. Columns `faction,printed_name,name`; `#` lines are comments."""
    lines = [line for line in text.lstrip("\ufeff").splitlines() if line.strip() and not line.startswith("#")]
    reader = csv.DictReader(io.StringIO("\n".join(lines)))
    columns = reader.fieldnames or []
    if not {"faction", "printed_name", "name"} <= set(columns):
        raise CorrectionError(f"{path}: expected the header faction,printed_name,name but found {','.join(columns)}")
    aliases: dict[tuple[str, str], str] = {}
    for row in reader:
        if not row["printed_name"] or not row["name"] or not row["faction"]:
            raise CorrectionError(f"{path} line {reader.line_num}: faction, printed_name and name must all be filled")
        aliases[faction_slug(row["faction"]), name_key(row["printed_name"])] = row["name"]
        aliases[slug(row["faction"]), name_key(row["printed_name"])] = row["name"]
    return aliases

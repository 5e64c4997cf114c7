"""What changed between two published warehouses.

Belongs here: the comparison of points, characteristics, weapons, rules and efficiency, as rows. Does not belong here:
how the rows are shown (`formats`, the command line).

Each part is one SELECT on each side that gives key, attribute and value; the two are joined by key and attribute. A
warehouse of another version may lack a table or column: it is then compared in what both have, and the rest is named.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pandas as pd

from warehouse.dictionary import TABLES
from warehouse.dictionary.ddl import literal, quoted
from warehouse.read import PublishedError, open_published

SECTIONS = ("build", "datasheets", "points", "characteristics", "weapons", "rules", "efficiency")
COLUMNS = ("section", "what", "entity", "attribute", "old", "new", "change")
EFFICIENCY_TOLERANCE = 1e-4  # figures are stored in 32 bits
RULE_TABLES = {
    "core.ability": ("ability_id", ("value", "text")),
    "core.stratagem": ("stratagem_id", ("type", "cp", "when_text", "target_text", "effect_text", "restrictions_text")),
    "core.enhancement": ("enhancement_id", ("points", "text")),
    "core.detachment_rule": ("detachment_rule_id", ("text",)),
    "core.army_rule": ("army_rule_id", ("text",)),
    "core.rule": ("rule_id", ("text",)),
}
LONG_TEXTS = {"text", "when_text", "target_text", "effect_text", "restrictions_text"}


@dataclass(frozen=True)
class Difference:
    """Rows of `COLUMNS`: `what` is added, removed or changed, `change` the difference of two numbers. `skipped` names
    what only one of the two has and that could therefore not be compared."""

    rows: pd.DataFrame
    skipped: tuple[str, ...]


def compare(old: Path, new: Path) -> Difference:
    """Compare two database files. Raises PublishedError where one cannot be opened."""
    for path in (old, new):  # the errors of opening are explained in one place
        open_published(path).close()
    with duckdb.connect(":memory:") as connection:
        connection.execute(f"ATTACH {literal(str(old))} AS old (READ_ONLY)")
        connection.execute(f"ATTACH {literal(str(new))} AS new (READ_ONLY)")
        comparison = _Comparison(connection)
        parts = [part for section in SECTIONS for part in comparison.section(section)]
    rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(COLUMNS))
    return Difference(rows[list(COLUMNS)], tuple(comparison.skipped))


class _Comparison:
    """The two attached databases, and what they have in common."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection
        self.skipped: list[str] = []
        self.columns = {side: self._columns_of(side) for side in ("old", "new")}

    def section(self, name: str) -> Iterator[pd.DataFrame]:
        """The changes of one section."""
        for select in getattr(self, f"_{name}")():
            yield self._changes(name, select)

    def _columns_of(self, side: str) -> dict[str, set[str]]:
        rows = self.connection.execute(
            "SELECT schema_name || '.' || table_name, column_name FROM duckdb_columns() WHERE database_name = ?", [side]
        ).fetchall()
        tables: dict[str, set[str]] = {}
        for table, column in rows:
            tables.setdefault(table, set()).add(column)
        return tables

    def _common(self, table: str, columns: tuple[str, ...]) -> list[str]:
        """The columns that both have; the others are noted as skipped."""
        missing = [
            f"{side} has no {table}.{column}" if table in self.columns[side] else f"{side} has no {table}"
            for side in ("old", "new")
            for column in columns
            if column not in self.columns[side].get(table, ())
        ]
        self.skipped += [note for note in dict.fromkeys(missing) if note not in self.skipped]
        return [c for c in columns if all(c in self.columns[side].get(table, ()) for side in ("old", "new"))]

    def _changes(self, section: str, select: str) -> pd.DataFrame:
        """`select` gives entity, attribute and value (text), and names its tables as `{side}.schema.table`."""
        tolerance = EFFICIENCY_TOLERANCE if section == "efficiency" else 0
        query = f"""
            WITH a AS ({select.format(side="old")}), b AS ({select.format(side="new")})
            SELECT {literal(section)} AS section,
                CASE WHEN a.entity IS NULL THEN 'added' WHEN b.entity IS NULL THEN 'removed' ELSE 'changed' END AS what,
                coalesce(a.entity, b.entity) AS entity, coalesce(a.attribute, b.attribute) AS attribute,
                a.value AS old, b.value AS new, try_cast(b.value AS DOUBLE) - try_cast(a.value AS DOUBLE) AS change
            FROM a FULL JOIN b ON a.entity = b.entity AND a.attribute = b.attribute
            WHERE a.value IS DISTINCT FROM b.value
                AND coalesce(abs(change) > {tolerance} * greatest(1, abs(try_cast(a.value AS DOUBLE))), true)
            ORDER BY entity, attribute"""
        return self.connection.execute(query).fetch_df()

    def _table(
        self, table: str, key: tuple[str, ...], attributes: tuple[str, ...], where: str = "true", name: str = ""
    ) -> Iterator[str]:
        """One SELECT for each attribute of a table: rows by key. Long texts are compared by hash."""
        if len(self._common(table, key)) < len(key):
            return
        entity = " || ' | ' || ".join(f"coalesce(CAST({quoted(k)} AS VARCHAR), '-')" for k in key)
        for column in self._common(table, attributes):
            value = f"CAST({quoted(column)} AS VARCHAR)"
            if column in LONG_TEXTS:
                value = f"'text ' || left(md5({value}), 12)"
            yield (
                f"SELECT {entity} AS entity, {literal(name or column)} AS attribute, {value} AS value "
                f"FROM {{side}}.{quoted(table)} WHERE {where}"
            )

    def _build(self) -> Iterator[str]:
        for column in self._common("meta.build", ("build_id", "program_version")):
            yield f"SELECT 'build' AS entity, '{column}' AS attribute, {column} AS value FROM {{side}}.meta.build"

    def _datasheets(self) -> Iterator[str]:
        yield from self._table("core.datasheet", ("datasheet_id",), ("name", "faction", "book", "is_legends"))

    def _points(self) -> Iterator[str]:
        for select in self._table("core.unit_cost", ("datasheet_id", "models", "condition"), ("points",)):
            yield f"SELECT entity, attribute, min(value) AS value FROM ({select}) GROUP BY entity, attribute"

    def _characteristics(self) -> Iterator[str]:
        table = TABLES["core.model_profile"]
        key = ("datasheet_id", "profile")
        facts = tuple(c for c in table.columns if c not in (*key, "file_id", "line_no", "locator", "invulnerable_note"))
        yield from self._table(table.full_name, key, facts)

    def _weapons(self) -> Iterator[str]:
        facts = ("range_in", "attacks", "skill", "strength_text", "armour_penetration", "damage")
        yield from self._table("core.weapon_profile", ("weapon_id",), facts)
        parts = ("weapon_id", "keyword", "value", "target_keyword")
        if len(self._common("core.weapon_keyword", parts)) == len(parts):
            yield (
                "SELECT weapon_id AS entity, 'keywords' AS attribute, "
                "string_agg(concat_ws(' ', keyword, target_keyword, value), ', ' "
                "ORDER BY keyword, target_keyword, value) AS value "
                "FROM {side}.core.weapon_keyword GROUP BY weapon_id"
            )

    def _rules(self) -> Iterator[str]:
        for table, (key, attributes) in RULE_TABLES.items():
            has_wording = "wording" in TABLES[table].columns
            yield from self._table(table, (key, "wording") if has_wording else (key,), attributes)
        parts = ("origin", "origin_id", "status", "kind", "side", "params", "condition")
        if len(self._common("core.effect", parts)) == len(parts):
            yield (
                "SELECT origin || ':' || origin_id AS entity, 'effects' AS attribute, "
                "string_agg(concat_ws(' ', status, side, kind, CAST(params AS VARCHAR), CAST(condition AS VARCHAR)), "
                "'; ' ORDER BY effect_id) AS value "
                "FROM {side}.core.effect GROUP BY ALL"
            )

    def _efficiency(self) -> Iterator[str]:
        """Default loadouts against archetypes in the open."""
        parts = ("scenario", "loadout_id", "attack_type", "target_id", "is_default", "is_archetype")
        if len(self._common("out.unit_matchup", parts)) == len(parts):
            for column in self._common("out.unit_matchup", ("expected_wounds_lost", "wounds_per_100_points")):
                yield (
                    "SELECT concat_ws(' | ', loadout_id, attack_type, target_id) AS entity, "
                    f"{literal(column)} AS attribute, CAST({column} AS VARCHAR) AS value "
                    "FROM {side}.out.unit_matchup WHERE scenario = 'standard' AND is_default AND is_archetype"
                )


__all__ = ["COLUMNS", "SECTIONS", "Difference", "PublishedError", "compare"]

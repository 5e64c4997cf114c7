"""Checks that decide whether a build may be published, and their results as rows of `meta.check`.

Belongs here: checks on Parquet files against the dictionary, and checks in SQL on the assembled database. Does not
belong here: checks of single sources (those are rejects), and the decision to publish (`publish`).

A blocking check keeps the build from being published; a warning is published with it. Every check runs: one failure
does not hide the next.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.dictionary import TABLES, Table
from warehouse.dictionary.ddl import SQL_TYPES, condition, literal, quoted
from warehouse.storage import arrow_schema, table_path

Connection = duckdb.DuckDBPyConnection
SHRINK = 0.9  # a table that loses more than a tenth of its rows since the last build deserves a look
PMF_TOLERANCE = 1e-4  # chances are stored in 32 bits; a unit of 30 models sums to one within 2e-6


@dataclass(frozen=True)
class CheckResult:
    """One row of `meta.check`. `table_name` is `schema.table`; `severity` is blocking or warning."""

    check_name: str
    table_name: str
    passed: bool
    severity: str = "blocking"
    column_name: str | None = None
    observed: str | None = None
    expected: str | None = None
    message: str | None = None


class CheckFailed(Exception):
    """A blocking check failed; nothing was published. `results` holds every check, `failures` the blocking failures."""

    def __init__(self, results: Sequence[CheckResult]) -> None:
        self.results = tuple(results)
        self.failures = tuple(r for r in results if not r.passed and r.severity == "blocking")
        lines = [
            f"  {r.check_name} | {_place(r)} | {r.message or f'{r.observed}, expected {r.expected}'}"
            for r in self.failures
        ]
        super().__init__("\n".join([f"{len(self.failures)} blocking checks failed; nothing was published:", *lines]))


def frame_of(results: Iterable[CheckResult]) -> pd.DataFrame:
    """Results as rows of `meta.check`."""
    return pd.DataFrame([asdict(result) for result in results], columns=list(TABLES["meta.check"].columns))


def check_files(folder: Path, tables: Iterable[Table]) -> list[CheckResult]:
    """Whether each table has a Parquet file of the dictionary's columns whose rows keep the dictionary's promises."""
    results: list[CheckResult] = []
    with duckdb.connect(":memory:") as connection:
        for table in tables:
            path = table_path(folder, table.full_name)
            shape = _shape(path, table)
            results.append(shape)
            if shape.passed:
                results += _rows(connection, f"read_parquet({literal(str(path))})", table)
    return results


def check_database(connection: Connection) -> list[CheckResult]:
    """Checks across tables of an assembled database: references, lines, distributions, views."""
    results = [*_references(connection), _lines(connection), *_distributions(connection)]
    for table in TABLES.values():
        if table.is_view:
            results += _view(connection, table)
    return results


def check_coverage(counts: Mapping[str, int], before: Mapping[str, int]) -> list[CheckResult]:
    """Warn where a table has lost more than a tenth of the rows that it had in the published build."""
    return [
        CheckResult(
            "coverage",
            name,
            counts[name] >= SHRINK * rows,
            "warning",
            observed=f"{counts[name]} rows",
            expected=f"at least {SHRINK:.0%} of the {rows} of the build before",
        )
        for name, rows in sorted(before.items())
        if name in counts
    ]


def row_counts(connection: Connection) -> dict[str, int]:
    """Rows of each stored table that the database in use has."""
    stored = connection.execute("SELECT schema_name, table_name FROM duckdb_tables()").fetchall()
    there = {f"{schema}.{name}" for schema, name in stored}
    names = [name for name, table in TABLES.items() if not table.is_view and name in there]
    if not names:
        return {}
    counts = ", ".join(f"(SELECT count(*) FROM {quoted(name)})" for name in names)
    row = only_row(connection, f"SELECT {counts}")
    return dict(zip(names, row, strict=True))


def only_row(connection: Connection, sql: str) -> tuple[Any, ...]:
    """The row of a query that gives one. All is fetched: an unfinished result would block the connection."""
    (row,) = connection.execute(sql).fetchall()
    return tuple(row)


def _shape(path: Path, table: Table) -> CheckResult:
    """Whether the file is there and has the columns and types of the dictionary."""
    expected = arrow_schema(table)
    wanted = ", ".join(table.columns)
    try:
        found = pq.read_schema(path)
    except FileNotFoundError:
        return CheckResult(
            "columns", table.full_name, False, observed="no file", expected=wanted, message="no step wrote this table"
        )
    except (pa.ArrowException, OSError) as error:
        return CheckResult(
            "columns",
            table.full_name,
            False,
            observed="unreadable file",
            expected=wanted,
            message=str(error).splitlines()[0],
        )
    wrong = [f"{f.name} {f.type}" for f in expected if f.name not in found.names or found.field(f.name).type != f.type]
    passed = found.names == expected.names and not wrong
    message = None if passed else f"wrong or missing: {', '.join(wrong) or 'the order of columns'}"
    return CheckResult(
        "columns", table.full_name, passed, observed=", ".join(found.names), expected=wanted, message=message
    )


def _rows(connection: Connection, relation: str, table: Table) -> Iterator[CheckResult]:
    """NULLs, allowed values, finiteness and the key of one relation, each in one pass."""
    required = [(f.name, f"{quoted(f.name)} IS NULL") for f in table.fields if f.required]
    yield _count(connection, relation, table, "not_null", required, "no NULL in required columns")
    allowed = [(f.name, f"NOT ({c})") for f in table.fields if (c := condition(f))]
    if allowed:
        yield _count(connection, relation, table, "allowed_values", allowed, "every value allowed by the dictionary")
    real = [(f.name, f"NOT isfinite({quoted(f.name)})") for f in table.fields if f.type in ("real", "real32")]
    if real:
        yield _count(connection, relation, table, "finite", real, "no infinity and no NaN")
    yield from _reasons(connection, relation, table)
    yield _unique(connection, relation, table)


def _count(
    connection: Connection, relation: str, table: Table, name: str, rules: Sequence[tuple[str, str]], expected: str
) -> CheckResult:
    """One scan that counts, for each column, the rows that break its rule."""
    counts = ", ".join(f"count(*) FILTER (WHERE {rule})" for _, rule in rules)
    row = only_row(connection, f"SELECT {counts} FROM {relation}")
    bad = {column: count for (column, _), count in zip(rules, row, strict=True) if count}
    text = ", ".join(f"{column}: {count} rows" for column, count in bad.items())
    return CheckResult(
        name, table.full_name, not bad, observed=text or "0 rows", expected=expected, message=text or None
    )


def _unique(connection: Connection, relation: str, table: Table) -> CheckResult:
    key = ", ".join(quoted(column) for column in table.key)
    query = f"SELECT {key}, count(*) AS n FROM {relation} GROUP BY {key} HAVING n > 1 ORDER BY {key} LIMIT 5"
    doubled = connection.execute(query).fetchall()
    message = "; ".join(f"{' | '.join(str(v) for v in row[:-1])} is there {row[-1]} times" for row in doubled)
    return CheckResult(
        "unique_key",
        table.full_name,
        not doubled,
        observed=message or "no key twice",
        expected=f"one row for each {', '.join(table.key)}",
        message=message or None,
    )


def _references(connection: Connection) -> Iterator[CheckResult]:
    """Whether each reference names a row that exists."""
    for table in TABLES.values():
        for column, other in (table.references or {}).items():
            there = TABLES[other].key[0]
            lost = connection.execute(
                f"SELECT DISTINCT a.{quoted(column)} FROM {quoted(table.full_name)} AS a "
                f"WHERE a.{quoted(column)} IS NOT NULL AND NOT EXISTS "
                f"(SELECT 1 FROM {quoted(other)} AS b WHERE b.{quoted(there)} = a.{quoted(column)}) ORDER BY 1 LIMIT 5"
            ).fetchall()
            message = ", ".join(str(row[0]) for row in lost)
            yield CheckResult(
                "reference",
                table.full_name,
                not lost,
                column_name=column,
                observed=f"unknown: {message}" if lost else "all known",
                expected=f"a row of {other}",
                message=f"{other} has no {message}" if lost else None,
            )


def _lines(connection: Connection) -> CheckResult:
    """Every line of a text file is claimed exactly once: its lines are 1 to the number of lines of the file."""
    wrong = connection.execute(
        """
        WITH file AS (
            SELECT DISTINCT file_id, lines FROM raw.file WHERE kind IN ('text_dump', 'munitorum_text')
        ), claimed AS (
            SELECT file_id, count(*) AS n, min(line_no) AS first, max(line_no) AS last FROM raw.line GROUP BY file_id
        )
        SELECT coalesce(file.file_id, claimed.file_id), lines, n, first, last
        FROM file FULL JOIN claimed ON file.file_id = claimed.file_id
        WHERE file.file_id IS NULL OR lines IS NULL OR coalesce(n, 0) <> lines
            OR (lines > 0 AND (first <> 1 OR last <> lines))
        ORDER BY 1
        """
    ).fetchall()
    message = "; ".join(f"{f}: {n or 0} lines claimed ({a} to {z}) of {lines}" for f, lines, n, a, z in wrong[:5])
    return CheckResult(
        "every_line_claimed",
        "raw.line",
        not wrong,
        observed=message or "every line once",
        expected="every line of every text file once",
        message=message or None,
    )


def _distributions(connection: Connection) -> Iterator[CheckResult]:
    """Distributions sum to one, are never negative, and reach no further than the target has models."""
    wrong = connection.execute(
        f"""
        SELECT m.loadout_id, m.scenario, m.target_sig, list_sum(m.models_slain_pmf)
        FROM out.loadout_matchup AS m JOIN out.target_signature AS t ON t.target_sig = m.target_sig
        WHERE m.models_slain_pmf IS NOT NULL AND NOT (
            coalesce(abs(list_sum(m.models_slain_pmf) - 1) <= {PMF_TOLERANCE}, false)
            AND coalesce(list_min(m.models_slain_pmf) >= 0, false)
            AND len(m.models_slain_pmf) = t.models + 1)
        ORDER BY ALL LIMIT 5
        """
    ).fetchall()
    message = "; ".join(f"{loadout} in {scenario} v {sig}: sum {total}" for loadout, scenario, sig, total in wrong)
    yield CheckResult(
        "distribution",
        "out.loadout_matchup",
        not wrong,
        column_name="models_slain_pmf",
        observed=message or "all sum to 1",
        expected="chances of 0 to all models that sum to 1",
        message=message or None,
    )
    for name, models in (("out.loadout_matchup", "t.models"), ("out.signature_matchup", "t.models")):
        over = only_row(
            connection,
            f"""
            SELECT count(*) FROM {quoted(name)} AS m JOIN out.target_signature AS t ON t.target_sig = m.target_sig
            WHERE m.expected_models_slain > {models} * 1.00001 OR m.expected_wounds_lost > t.models * t.wounds * 1.00001
               OR m.expected_wounds_lost > m.expected_damage * 1.00001 + 1e-6
            """,
        )
        yield CheckResult(
            "within_target",
            name,
            over[0] == 0,
            observed=f"{over[0]} rows",
            expected="no more models or wounds lost than the target has, nor more than the damage",
        )


def _view(connection: Connection, table: Table) -> Iterator[CheckResult]:
    """A view has the dictionary's columns and types, and no infinity against archetypes (all is too much)."""
    found = connection.execute(
        "SELECT column_name, data_type FROM duckdb_columns() WHERE schema_name = ? AND table_name = ? "
        "ORDER BY column_index",
        [table.schema, table.name],
    ).fetchall()
    expected = [(f.name, SQL_TYPES[f.type]) for f in table.fields]
    differs = [f"{name} {kind}" for name, kind in set(found) ^ set(expected)]
    message = None if found == expected else f"view and dictionary differ: {', '.join(sorted(differs)) or 'order'}"
    yield CheckResult(
        "columns",
        table.full_name,
        found == expected,
        observed=f"{len(found)} columns",
        expected=f"{len(expected)} columns of the dictionary",
        message=message,
    )
    if found != expected:
        return
    where = " WHERE is_archetype" if "is_archetype" in table.columns else ""
    relation = f"(SELECT * FROM {quoted(table.full_name)}{where})"
    real = [(f.name, f"NOT isfinite({quoted(f.name)})") for f in table.fields if f.type in ("real", "real32")]
    yield _count(connection, relation, table, "finite", real, "no infinity and no NaN")
    yield from _reasons(connection, relation, table)


def _reasons(connection: Connection, relation: str, table: Table) -> Iterator[CheckResult]:
    """A ratio is never NULL without a reason, nor there with one."""
    rules = [
        (f.name, f"({quoted(f.name)} IS NULL) = ({quoted(f.name + '_reason')} IS NULL)")
        for f in table.fields
        if f.name + "_reason" in table.by_name
    ]
    if rules:
        yield _count(connection, relation, table, "reason", rules, "a reason exactly where a ratio is NULL")


def _place(result: CheckResult) -> str:
    return result.table_name + (f".{result.column_name}" if result.column_name else "")

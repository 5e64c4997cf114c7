"""The published warehouse for readers: opened read-only, locked, and with errors that say what to do.

Belongs here: opening the published database, running one statement on it, and explaining what went wrong. Does not
belong here: how results look (`formats`).

The file is attached to a private in-memory database instead of being opened itself. DuckDB shares one handle for a path
within a process, so that after a swap a direct open would go on showing the old file as long as any handle is open; an
attached file is always the one that is published now. Attached files are read-only, files outside it are out of reach,
and the settings are locked.
"""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from warehouse.dictionary import TABLES, nearest
from warehouse.dictionary.ddl import literal
from warehouse.paths import Paths
from warehouse.swap import wal

ALIAS = "hammerhouse"
READING = {
    duckdb.StatementType.SELECT,
    duckdb.StatementType.EXPLAIN,
    duckdb.StatementType.MULTI,  # PIVOT, which DuckDB takes apart itself
}


class PublishedError(RuntimeError):
    """The published warehouse cannot be opened; the message says what to do."""


class QueryError(ValueError):
    """A statement is refused or wrong; the message shows where and names what is nearest."""


def open_published(database: Path | None = None) -> duckdb.DuckDBPyConnection:
    """A connection that can read the published database (default: that of `Paths.resolve()`) and nothing else.

    Table names are `schema.table`. Close it after use (it is a context manager). Raises PublishedError.
    """
    path = database or Paths.resolve().database
    if not path.exists():
        raise PublishedError(f"no warehouse at {path}: run `hammerhouse build` first, or name its folder with --out")
    connection = duckdb.connect(":memory:")
    try:
        spill = Path(tempfile.gettempdir()) / f"hammerhouse-spill-{os.getpid()}"  # for results larger than the memory
        connection.execute(f"SET temp_directory = {literal(str(spill))}")
        connection.execute(f"ATTACH {literal(str(path))} AS {ALIAS} (READ_ONLY)")
        connection.execute(f"USE {ALIAS}")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
    except duckdb.Error as error:
        connection.close()
        raise PublishedError(_why_not(path, error)) from None
    return connection


def run(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.DuckDBPyConnection:
    """Execute one reading statement; rows are then fetched from the connection, as they are computed.

    Raises:
        QueryError: no or several statements, one that writes, or one that DuckDB refuses.
    """
    with explained():
        return connection.execute(_only_statement(sql))


def run_arrow(connection: duckdb.DuckDBPyConnection, sql: str, batch: int = 50_000) -> Any:
    """The same as an Arrow record batch reader. Raises QueryError."""
    with explained():
        relation = connection.sql(_only_statement(sql))
        if relation is None:
            raise QueryError("this statement gives no rows")
        return relation.to_arrow_reader(batch)


@contextmanager
def explained() -> Iterator[None]:
    """Turn DuckDB's errors into QueryError, also those that only show while rows are fetched."""
    try:
        yield
    except duckdb.Error as error:
        raise QueryError(explain(str(error))) from None


def _only_statement(sql: str) -> str:
    statements = duckdb.extract_statements(sql)
    if len(statements) != 1:
        what = "no statement" if not statements else f"{len(statements)} statements"
        raise QueryError(f"{what} given: one SELECT at a time")
    if statements[0].type not in READING:
        raise QueryError(f"the warehouse is read-only: {statements[0].type.name} is not allowed, SELECT is")
    return sql


def explain(message: str) -> str:
    """DuckDB's message, which marks the place, with the nearest tables or columns of this warehouse."""
    text = re.sub(r"\n{2,}", "\n", message.strip())
    near = _near_tables(message) or _near_columns(message)
    return f"{text}\nNearest names: {', '.join(near)}" if near else text


def _near_tables(message: str) -> list[str]:
    missing = re.search(r"Table with name \"?([\w.]+)\"? does not exist", message)
    missing = missing or re.search(r"Catalog \"([\w.]+)\" does not exist", message)
    if not missing:
        return []
    written = re.search(rf"[\w]+\.{re.escape(missing[1])}\b", message)
    return nearest(written[0] if written else missing[1], TABLES)


def _near_columns(message: str) -> list[str]:
    missing = re.search(r"Referenced column \"([^\"]+)\" (?:was )?not found", message)
    missing = missing or re.search(r"does not have a column named \"([^\"]+)\"", message)
    if not missing:
        return []
    used = [name for name in TABLES if re.search(rf"\b{re.escape(name)}\b", message)]
    columns = {column for name in used or TABLES for column in TABLES[name].columns}
    return nearest(missing[1], sorted(columns))


def _why_not(path: Path, error: duckdb.Error) -> str:
    text = str(error)
    log = wal(path)
    if "Could not set lock" in text or "being used by another process" in text:
        return f"{path} is open for writing in another program; close that program and try again"
    if log.exists():
        return f"{path} cannot be opened: {log.name} was left beside it. Remove that file and run `hammerhouse build`"
    if "version" in text.lower():
        return (
            f"{path} was written by another version of DuckDB than {duckdb.__version__}: run `hammerhouse build` anew, "
            f"or read the Parquet files beside it ({text.splitlines()[0]})"
        )
    return f"{path} cannot be opened: {text.splitlines()[0]}. Run `hammerhouse build` to write it anew"

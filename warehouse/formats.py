"""Results of a query as text or Parquet, written as they arrive.

Belongs here: table, CSV, JSON, Markdown and Parquet for any result, in bounded memory. Does not belong here: running
the query (`read`) and choosing the destination (the command line).

NULL is an empty cell in tables, CSV and Markdown and null in JSON. Numbers are written in full (32-bit ones in the
shortest form that reads back the same); JSON has no infinity, so an infinite or undefined number becomes null there.
"""

import csv
import datetime as dt
import decimal
import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Protocol

import duckdb
import numpy as np
import pyarrow.parquet as pq

BATCH = 5_000
LOOK_AHEAD = 1_000  # rows that decide how wide a table's columns are
WIDEST = 60

Row = tuple[Any, ...]


class Rows(Protocol):
    """Anything with named, typed columns and rows."""

    names: list[str]
    types: list[str]

    def rows(self) -> Iterator[Row]:
        """Rows one by one."""
        ...


class Listed:
    """Rows that are at hand already; a column's type is DOUBLE where all its values are numbers."""

    def __init__(self, names: Sequence[str], rows: Sequence[Row]) -> None:
        self.names = list(names)
        self._rows = rows
        self.types = [self._type(i) for i in range(len(self.names))]

    def rows(self) -> Iterator[Row]:
        """Rows one by one."""
        return iter(self._rows)

    def _type(self, column: int) -> str:
        values = [row[column] for row in self._rows if row[column] is not None]
        numbers = values and all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
        return "DOUBLE" if numbers else "VARCHAR"


class Result:
    """The rows of an executed query, fetched in batches; `names` and `types` (DuckDB's) describe the columns."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        described = connection.description or []
        self.names = [str(column[0]) for column in described]
        self.types = [str(column[1]) for column in described]

    def batches(self, size: int = BATCH) -> Iterator[list[Row]]:
        """Rows as Python values, `size` at a time."""
        while rows := self._connection.fetchmany(size):
            yield rows

    def rows(self) -> Iterator[Row]:
        """Rows one by one."""
        for batch in self.batches():
            yield from batch


def write_parquet(reader: Any, path: Path) -> int:
    """Write an Arrow reader's rows to a Parquet file, batch by batch, and return how many."""
    count = 0
    with pq.ParquetWriter(path, reader.schema, compression="zstd") as writer:
        for batch in reader:
            count += batch.num_rows
            writer.write_batch(batch)
    return count


def write(result: Rows, kind: str, out: IO[str]) -> int:
    """Write a result as `table`, `csv`, `json` or `markdown` and return the number of rows. Raises KeyError."""
    return WRITERS[kind](result, out)


def write_csv(result: Rows, out: IO[str]) -> int:
    """Comma-separated, with a header line; lines end in a single newline."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(result.names)
    count = 0
    for row in result.rows():
        writer.writerow([cell(v, t) for v, t in zip(row, result.types, strict=True)])
        count += 1
    return count


def write_json(result: Rows, out: IO[str]) -> int:
    """A JSON list with one object a row; columns of type JSON are nested, not quoted."""
    count = 0
    out.write("[")
    for row in result.rows():
        item = {n: json_value(v, t) for n, v, t in zip(result.names, row, result.types, strict=True)}
        out.write(",\n" if count else "\n")
        out.write(json.dumps(item, ensure_ascii=False, allow_nan=False))
        count += 1
    out.write("\n]\n" if count else "]\n")
    return count


def write_markdown(result: Rows, out: IO[str]) -> int:
    """A Markdown table; bars and line breaks inside cells are escaped, numbers are right-aligned."""
    out.write(_bars(_escape(name) for name in result.names))
    out.write(_bars("---:" if _is_number(kind) else "---" for kind in result.types))
    count = 0
    for row in result.rows():
        out.write(_bars(_escape(cell(v, t)) for v, t in zip(row, result.types, strict=True)))
        count += 1
    return count


def write_table(result: Rows, out: IO[str]) -> int:
    """Aligned columns for a terminal. Widths come from the first rows; a longer cell later on pushes its line out."""
    rows = result.rows()
    first = [_cells(row, result.types) for _, row in zip(range(LOOK_AHEAD), rows, strict=False)]
    widths = [min(WIDEST, max([len(name), *(len(row[i]) for row in first)])) for i, name in enumerate(result.names)]
    right = [_is_number(kind) for kind in result.types]
    out.write(_aligned(result.names, widths, right))
    out.write("  ".join("-" * width for width in widths) + "\n")
    count = 0
    for row in first:
        out.write(_aligned(row, widths, right))
        count += 1
    for raw in rows:
        out.write(_aligned(_cells(raw, result.types), widths, right))
        count += 1
    out.write(f"({count} row{'' if count == 1 else 's'})\n")
    return count


WRITERS: dict[str, Callable[[Rows, IO[str]], int]] = {
    "table": write_table,
    "csv": write_csv,
    "json": write_json,
    "markdown": write_markdown,
}


def cell(value: Any, kind: str = "") -> str:
    """A value as text; NULL is empty, lists and structures are JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(np.float32(value)) if kind == "FLOAT" else str(value)
    if isinstance(value, list | dict | tuple):
        return json.dumps(json_value(value, kind), ensure_ascii=False, allow_nan=False)
    return str(value)


def json_value(value: Any, kind: str = "") -> Any:
    """A value that JSON can hold."""
    if kind == "JSON" and isinstance(value, str):
        return json.loads(value)
    if isinstance(value, float):
        number = float(str(np.float32(value))) if kind.startswith("FLOAT") else value
        return number if math.isfinite(number) else None
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, list | tuple):
        return [json_value(item, kind.removesuffix("[]")) for item in value]
    if isinstance(value, dict):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, dt.date | dt.time | dt.datetime):
        return value.isoformat()
    if value is None or isinstance(value, bool | int | str):
        return value
    return str(value)


def _cells(row: Row, types: Sequence[str]) -> list[str]:
    """Cells of one line: line breaks shown as a mark, so that the table keeps its shape."""
    return [re.sub(r"\s*\n\s*", " ⏎ ", cell(v, t)) for v, t in zip(row, types, strict=True)]


def _aligned(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(cells, widths, right, strict=True)]
    return "  ".join(padded).rstrip() + "\n"


def _bars(cells: Iterator[str]) -> str:
    return "| " + " | ".join(cells) + " |\n"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\r\n", "\n").replace("\n", "<br>")


def _is_number(kind: str) -> bool:
    return bool(re.match(r"(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|DECIMAL)(\(|$)", kind))

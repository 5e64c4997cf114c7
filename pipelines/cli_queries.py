"""Commands that read what is published: query, describe, diff, doctor, serve.

Belongs here: their options, messages and exit codes. Does not belong here: the work (`warehouse`). Exit codes: 0 done,
1 it failed (nothing published, an SQL error), 2 wrong usage (an unknown name, an option that does not fit).
"""

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import IO, Annotated, NoReturn

import typer

from warehouse import formats
from warehouse.dictionary import TABLES, Table, nearest
from warehouse.dictionary.ddl import SQL_TYPES
from warehouse.paths import Paths, raw_folders
from warehouse.read import PublishedError, QueryError, explained, open_published, run, run_arrow

FAILED, USAGE = 1, 2
Out = Annotated[
    Path | None, typer.Option("--out", help="Folder of the build; default: this checkout, or HAMMERHOUSE_OUT.")
]


class Format(StrEnum):
    """Formats of a query's result."""

    table = "table"
    csv = "csv"
    json = "json"
    markdown = "markdown"
    parquet = "parquet"


class TextFormat(StrEnum):
    """Formats that are text."""

    table = "table"
    csv = "csv"
    json = "json"
    markdown = "markdown"


def query(
    sql: Annotated[str, typer.Argument(metavar="SQL", help="One SELECT; - reads it from the standard input.")],
    format: Annotated[Format, typer.Option("--format", "-f", help="How to write the rows.")] = Format.table,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write instead of the terminal.")
    ] = None,
    out: Out = None,
) -> None:
    """Read-only SQL on the published warehouse; works while a build runs."""
    statement = sys.stdin.read() if sql == "-" else sql
    if not statement.strip():
        _fail("no SQL given", USAGE)
    if format is Format.parquet and output is None:
        _fail("Parquet is not text: name a file with --output", USAGE)
    try:
        with open_published(Paths.resolve(out).database) as connection, explained():
            if format is Format.parquet and output is not None:
                with _aside(output) as aside:
                    formats.write_parquet(run_arrow(connection, statement), aside)
            else:
                _write_text(formats.Result(run(connection, statement)), format.value, output)
    except (PublishedError, QueryError) as error:
        _fail(str(error), FAILED)
    except OSError as error:
        _fail(f"cannot write: {error}", FAILED)


def describe(
    table: Annotated[
        str | None, typer.Argument(metavar="[TABLE]", help="A table or view such as core.datasheet.")
    ] = None,
    format: Annotated[TextFormat, typer.Option("--format", "-f", help="How to write it.")] = TextFormat.table,
    search: Annotated[str | None, typer.Option("--search", help="Only columns whose name or words hold this.")] = None,
) -> None:
    """The data dictionary: all tables, or the columns of one."""
    if table is None and search is None:
        rows = [(t.full_name, "view" if t.is_view else "table", t.sentence, ", ".join(t.key)) for t in TABLES.values()]
        _write_rows(["table", "kind", "grain", "key"], rows, format)
        return
    tables = [_find(table)] if table is not None else list(TABLES.values())
    if table is not None and format is TextFormat.table:
        _heading(tables[0])
    names = ["table", "column", "type", "unit", "key", "required", "description", "allowed"]
    first = 1 if table is not None else 0
    _write_rows(names[first:], [row[first:] for row in _column_cells(tables, search or "")], format)


def diff(
    old: Annotated[Path | None, typer.Argument(metavar="[OLD]", help="Earlier database, or its folder.")] = None,
    new: Annotated[Path | None, typer.Argument(metavar="[NEW]", help="Later database, or its folder.")] = None,
    format: Annotated[TextFormat, typer.Option("--format", "-f", help="How to write it.")] = TextFormat.table,
    section: Annotated[list[str] | None, typer.Option("--section", help="Only this part; may be repeated.")] = None,
    out: Out = None,
) -> None:
    """What changed between two published warehouses; by default the previous one and the current one."""
    from warehouse.diff import COLUMNS, SECTIONS, compare

    unknown = [name for name in section or [] if name not in SECTIONS]
    if unknown:
        near = nearest(unknown[0], SECTIONS) or list(SECTIONS)
        _fail(f"no section {unknown[0]}; did you mean {', '.join(near)}?", USAGE)
    paths = Paths.resolve(out)
    earlier = _database(old) if old else paths.previous
    later = _database(new) if new else paths.database
    if old is None and not earlier.exists() and later.exists():
        _fail(f"only one build has been published so far ({later}); name two databases to compare", FAILED)
    try:
        difference = compare(earlier, later)
    except PublishedError as error:
        _fail(str(error), FAILED)
    rows = difference.rows
    if section:
        rows = rows[rows["section"].isin(section)]
    shown = rows.astype(object).where(rows.notna(), None)
    _write_rows(list(COLUMNS), list(shown.itertuples(index=False, name=None)), format)
    for note in difference.skipped:
        typer.echo(f"not compared: {note}", err=True)
    counts = rows["section"].value_counts()
    summary = ", ".join(f"{name} {counts[name]}" for name in SECTIONS if name in counts)
    typer.echo(f"changes: {summary or 'none'}", err=True)


def doctor(
    raw: Annotated[
        list[Path] | None,
        typer.Option("--raw", help="Raw folder to compare with what is published; may be given more than once."),
    ] = None,
    out: Out = None,
) -> None:
    """Versions, paths, locks, what is published and how fresh. Exit code 1 if something will fail."""
    from warehouse.doctor import examine

    findings = examine(Paths.resolve(out), _raw_now(raw or [], Paths.resolve(out)))
    marks = {"ok": "ok", "note": "note", "problem": "PROBLEM"}
    for finding in findings:
        typer.echo(f"{marks[finding.state]:<8}{finding.what:<12}{finding.text}")
    if any(finding.state == "problem" for finding in findings):
        raise typer.Exit(FAILED)


def serve(
    port: Annotated[int, typer.Option("--port", min=0, max=65_535, help="Port; 0 takes a free one.")] = 8000,
    out: Out = None,
) -> None:
    """The published site on 127.0.0.1, until Ctrl+C."""
    from warehouse.serve import ServeError, make_server

    try:
        server = make_server(Paths.resolve(out).site, port)
    except ServeError as error:
        _fail(str(error), FAILED)
    with server:
        typer.echo(f"http://127.0.0.1:{server.server_address[1]}/  (Ctrl+C ends)")
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


def _fail(message: str, code: int) -> NoReturn:
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(code)


def _find(name: str) -> Table:
    """The table of that name, with or without its schema."""
    wanted = name.lower().replace('"', "").strip()
    found = [t for full, t in TABLES.items() if wanted in (full, t.name)]
    if len(found) == 1:
        return found[0]
    near = [t.full_name for t in found] or nearest(wanted, TABLES)
    hint = f"; did you mean {', '.join(near)}?" if near else "; `hammerhouse describe` lists them"
    _fail(f"no table {name}{hint}", USAGE)


def _heading(table: Table) -> None:
    typer.echo(f"{table.full_name} ({'view' if table.is_view else 'table'}): {table.sentence}")
    typer.echo(f"key: {', '.join(table.key)}")
    if table.sources:
        typer.echo(f"from: {', '.join(table.sources)}")
    for column, other in (table.references or {}).items():
        typer.echo(f"refers: {column} to {other}")
    for warning in table.warnings:
        typer.echo(f"beware: {warning}")
    typer.echo()


def _column_cells(tables: list[Table], search: str) -> list[tuple[object, ...]]:
    """One row for each column whose name or description holds `search`."""
    return [
        (t.full_name, f.name, SQL_TYPES[f.type], f.unit, f.name in t.key, f.required, f.description, f.allowed)
        for t in tables
        for f in t.fields
        if search.lower() in f.name.lower() or search.lower() in f.description.lower()
    ]


def _database(named: Path) -> Path:
    """A database file, or the one in a folder that `--out` named."""
    return named / "hammerhouse.duckdb" if named.is_dir() else named


def _raw_now(named: list[Path], paths: Paths) -> set[tuple[str, str]] | str:
    """Path and hash of every raw file as a build would list them, or why there is none."""
    from pipelines.steps.read import RawFolderError, find

    try:
        return {(e.file.path, e.file.sha256) for e in find(raw_folders(named), paths) if e.unit.kind != "config"}
    except RawFolderError as error:
        return str(error)


def _write_text(result: formats.Rows, kind: str, output: Path | None) -> None:
    """To the terminal, or to a file that appears whole or not at all."""
    if output is None:
        _to_stdout(result, kind)
        return
    with _aside(output) as aside, aside.open("w", encoding="utf-8", newline="") as stream:
        formats.write(result, kind, stream)


def _to_stdout(result: formats.Rows, kind: str) -> None:
    """Rows to the standard output; a reader that goes away early, such as `head`, is no error."""
    stream: IO[str] = sys.stdout
    try:
        formats.write(result, kind, stream)
        stream.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write_rows(names: list[str], rows: Sequence[tuple[object, ...]], format: TextFormat) -> None:
    _to_stdout(formats.Listed(names, rows), format.value)


@contextlib.contextmanager
def _aside(output: Path) -> Iterator[Path]:
    """A file beside `output` that takes its place when all is written."""
    aside = output.with_name(f".{output.name}.{os.getpid()}.part")
    try:
        yield aside
        aside.replace(output)
    finally:
        aside.unlink(missing_ok=True)

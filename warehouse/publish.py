"""From a folder of Parquet files to a published warehouse: assemble aside, check, swap.

Belongs here: making the database from the dictionary, loading it, and putting the three published things (database,
Parquet, site) in place together. Does not belong here: how a table is computed, and the checks themselves (`checks`).

    with build_lock(paths):
        write_table(parquet_dir, "core.datasheet", frame) ...          # one file for each table
        assembled = assemble(parquet_dir, database_aside, published=paths.database)  # raises CheckFailed
        ...                                                            # the site may read `database_aside` here
        put_in_place(paths, assembled, site=site_aside)

Until `put_in_place` nothing that is published has been touched.
"""

import datetime as dt
import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import duckdb
import pandas as pd

from warehouse import checks
from warehouse.checks import CheckFailed, CheckResult
from warehouse.dictionary import TABLES, Table, column_rows, conform, ddl, table_rows
from warehouse.dictionary.ddl import literal, quoted
from warehouse.paths import Paths
from warehouse.read import PublishedError, open_published
from warehouse.storage import table_path, to_arrow, write_table
from warehouse.swap import swap_database, swap_folder, wal

MADE_HERE = ("meta.check", "meta.table", "meta.column", "meta.timing", "meta.coverage")
"""Tables that this module writes itself; every other stored table must be in the Parquet folder."""


@dataclass(frozen=True)
class Assembled:
    """A database that passed its checks and is closed, and the Parquet folder that it was made from."""

    database: Path
    parquet: Path
    checks: tuple[CheckResult, ...]
    counts: Mapping[str, int]


def build_id(input_hash: str, program_version: str, versions: Mapping[str, str] | None = None) -> str:
    """The identity of a build: the same input read by the same program gives the same one."""
    text = json.dumps([input_hash, program_version, dict(versions or {})], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def input_hash(files: Iterable[tuple[str, str]]) -> str:
    """A hash of what was read: pairs of path and SHA-256, in any order."""
    return hashlib.sha256(json.dumps(sorted(files)).encode()).hexdigest()


def build_row(
    input_hash: str, program_version: str, versions: Mapping[str, str], counts: Mapping[str, int]
) -> pd.DataFrame:
    """The one row of `meta.build`."""
    row = {
        "build_id": build_id(input_hash, program_version, versions),
        "input_hash": input_hash,
        "program_version": program_version,
        "versions": dict(versions),
        "counts": dict(counts),
    }
    return pd.DataFrame([row])


def assemble(
    parquet: Path,
    database: Path,
    *,
    published: Path | None = None,
    earlier: Sequence[CheckResult] = (),
    started: dt.datetime | None = None,
) -> Assembled:
    """Make and check a database from the Parquet folder, to which the `meta` tables of the build are added.

    Args:
        parquet: folder with `<schema>/<table>.parquet` for every stored table but `MADE_HERE`.
        database: file to create; what lies there is removed.
        published: the database now published, to compare coverage with; it is only read.
        earlier: results of checks that ran before, for `meta.check`; a blocking failure among them counts.
        started: when the build began, with time zone (default: now).

    Raises:
        CheckFailed: a blocking check failed. The new database is removed; nothing that is published was touched.
    """
    started = started or dt.datetime.now(dt.UTC)
    results = [*earlier, *checks.check_files(parquet, _given())]
    _stop_on_failure(results)
    _remove(database)
    database.parent.mkdir(parents=True, exist_ok=True)
    try:
        with duckdb.connect(":memory:") as connection:
            connection.execute(f"ATTACH {literal(str(database))} AS aside (BLOCK_SIZE {_block_size(parquet)})")
            connection.execute("USE aside")
            connection.execute("BEGIN")  # one transaction: hundreds of comments would each wait for the disk
            counts = load(connection, parquet)
            connection.execute("COMMIT")
            results += checks.check_database(connection)
            results += checks.check_coverage(counts, _published_counts(published))
            _stop_on_failure(results)
            _write_results(connection, parquet, results, started)
            connection.execute("CHECKPOINT aside")
            connection.execute("USE memory")
            connection.execute("DETACH aside")
        if wal(database).exists():
            raise RuntimeError(f"{database} did not close cleanly")
    except BaseException:
        _remove(database)
        raise
    return Assembled(database, parquet, tuple(results), counts)


def put_in_place(paths: Paths, assembled: Assembled, site: Path | None = None) -> None:
    """Publish what was assembled, and the site folder with it; the database published before stays as `paths.previous`.

    The Parquet folder of the build is copied, not moved, so that the next build can use what has not changed. The
    folders go first: each is whole at every moment but the one between two renames, and the database, which says what
    the build is, changes last.
    """
    parquet = paths.parquet.with_name(f"{paths.parquet.name}.new")
    _copy_tables(assembled.parquet, parquet)
    if site is not None:
        swap_folder(site, paths.site)
    swap_folder(parquet, paths.parquet)
    swap_database(assembled.database, paths.database, paths.previous)


def publish(
    parquet: Path,
    paths: Paths,
    *,
    site: Path | None = None,
    earlier: Sequence[CheckResult] = (),
    started: dt.datetime | None = None,
) -> Assembled:
    """`assemble` and `put_in_place` in one go. Raises CheckFailed; what is published is then untouched."""
    aside = paths.staging / "hammerhouse.duckdb"
    assembled = assemble(parquet, aside, published=paths.database, earlier=earlier, started=started)
    put_in_place(paths, assembled, site)
    return assembled


def view_sql(table: Table) -> str:
    """The SELECT of a view."""
    folder = resources.files("warehouse").joinpath("sql", "views")
    return folder.joinpath(f"{table.full_name}.sql").read_text(encoding="utf-8")


def _given() -> list[Table]:
    return [table for name, table in TABLES.items() if not table.is_view and name not in MADE_HERE]


def _stop_on_failure(results: Sequence[CheckResult]) -> None:
    if any(not result.passed and result.severity == "blocking" for result in results):
        raise CheckFailed(results)


def load(connection: duckdb.DuckDBPyConnection, parquet: Path) -> dict[str, int]:
    """Create everything from the dictionary in an empty database and load the files. Returns each table's rows."""
    for statement in ddl.create_schemas():
        connection.execute(statement)
    for table in TABLES.values():
        if not table.is_view:
            connection.execute(ddl.create_table(table))
    for table in _given():
        columns = ", ".join(quoted(column) for column in table.columns)
        source = literal(str(table_path(parquet, table.full_name)))
        connection.execute(f"INSERT INTO {quoted(table.full_name)} SELECT {columns} FROM read_parquet({source})")
    for table in _views_in_order():
        connection.execute(f"CREATE VIEW {quoted(table.full_name)} AS {view_sql(table)}")
    for table in TABLES.values():
        for statement in ddl.comments(table):
            connection.execute(statement)
    counts = checks.row_counts(connection)
    return {name: n for name, n in counts.items() if name not in MADE_HERE}


def _views_in_order() -> list[Table]:
    """Views, each after the views that it reads."""
    waiting = [table for table in TABLES.values() if table.is_view]
    done: list[Table] = []
    while waiting:
        names = {table.full_name for table in waiting}
        ready = [table for table in waiting if not names & set(table.sources)]
        if not ready:
            raise ValueError(f"views read one another in a circle: {sorted(names)}")
        done += ready
        waiting = [table for table in waiting if table not in ready]
    return done


def _write_results(
    connection: duckdb.DuckDBPyConnection, parquet: Path, results: Sequence[CheckResult], started: dt.datetime
) -> None:
    """The `meta` tables that exist only once the checks have run. What hangs on the clock or on the build before is
    kept out of Parquet, so that the same input gives the same files."""
    lasting = [result for result in results if result.check_name != "coverage"]
    frames = {
        "meta.check": checks.frame_of(lasting),
        "meta.column": column_rows(TABLES.values()),
        "meta.coverage": _coverage(results),
        "meta.timing": _timing(connection, started),
    }
    made_here = {name: len(frame) for name, frame in frames.items() if TABLES[name].in_parquet}
    stored = [table for table in TABLES.values() if table.is_view or table.in_parquet]
    counts = checks.row_counts(connection) | made_here | {"meta.table": len(stored)}
    frames["meta.table"] = table_rows(stored, {name: n for name, n in counts.items() if TABLES[name].in_parquet})
    for name, frame in frames.items():
        table = TABLES[name]
        connection.register("made_here", to_arrow(table, conform(table, frame)))
        connection.execute(f"INSERT INTO {quoted(name)} SELECT * FROM made_here")
        connection.unregister("made_here")
        if table.in_parquet:
            write_table(parquet, name, frame)


def _coverage(results: Sequence[CheckResult]) -> pd.DataFrame:
    rows = [
        {"table_name": r.table_name, "passed": r.passed, "observed": r.observed, "expected": r.expected}
        for r in results
        if r.check_name == "coverage"
    ]
    return pd.DataFrame(rows, columns=list(TABLES["meta.coverage"].columns))


def _timing(connection: duckdb.DuckDBPyConnection, started: dt.datetime) -> pd.DataFrame:
    row = checks.only_row(connection, "SELECT build_id FROM meta.build")
    finished = dt.datetime.now(dt.UTC)
    return pd.DataFrame(
        [
            {
                "build_id": row[0],
                "started_at": started.isoformat(timespec="seconds"),
                "finished_at": finished.isoformat(timespec="seconds"),
                "seconds": (finished - started).total_seconds(),
            }
        ]
    )


def _published_counts(published: Path | None) -> dict[str, int]:
    """Rows of each table of the published database; none where there is none that can be read."""
    if published is None or not published.exists():
        return {}
    try:
        with open_published(published) as connection:
            return checks.row_counts(connection)
    except PublishedError:  # what is there is about to be replaced, so it need not be whole
        return {}


def _remove(database: Path) -> None:
    database.unlink(missing_ok=True)
    wal(database).unlink(missing_ok=True)


def _block_size(parquet: Path) -> int:
    """DuckDB's block: the smallest for a small warehouse, where 256 KiB for each column is mostly air (19 MB against
    1.5 MB for an empty one), its own default for a large one, where small blocks read slower."""
    size = sum(path.stat().st_size for path in parquet.rglob("*.parquet"))
    return 16_384 if size < 20_000_000 else 262_144


def _copy_tables(source: Path, target: Path) -> None:
    """The files of the dictionary's tables and nothing else. Copies, not links: what writes into a build folder must
    never write into what is published."""
    shutil.rmtree(target, ignore_errors=True)
    for table in TABLES.values():
        if table.in_parquet:
            new = table_path(target, table.full_name)
            new.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(table_path(source, table.full_name), new)

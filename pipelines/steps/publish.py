"""The tables of a build into a checked database, and everything that is published into place.

Belongs here: gathering the Parquet of all steps, `meta.build`, the order assemble - site - put in place. Does not belong
here: how a database is assembled and checked (`warehouse.publish`), pages (`reports`).
"""

import os
import platform
import shutil
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from pipelines.steps import core, effects, matchups, read
from pipelines.steps.workspace import Workspace, code_hash, fingerprint
from warehouse import storage
from warehouse.checks import CheckFailed
from warehouse.publish import Assembled, assemble, build_row, input_hash, put_in_place
from warehouse.read import PublishedError, open_published
from warehouse.swap import swap_folder

ASSEMBLE, SITE = "assemble", "site"
STEPS = (read.STEP, core.STEP, effects.STEP, matchups.STEP)
TABLES = tuple(dict.fromkeys((*read.TABLES, *core.TABLES, *effects.TABLES, *matchups.TABLES)))
_VERSIONS = ("pandas", "numpy", "duckdb", "pyarrow", "hammerhouse")


@dataclass(frozen=True)
class Outcome:
    """What assembling came to."""

    build_id: str
    checks: int
    failures: tuple[str, ...]


def assemble_warehouse(workspace: Workspace) -> Outcome:
    """Make and check the database aside. With nothing changed the one that is published already stands for it."""
    mark = fingerprint(*(workspace.fingerprint_of(step) for step in STEPS), code_hash("warehouse", "pipelines/steps"))
    if workspace.is_current(ASSEMBLE, mark) and _published_id(workspace.paths.database) is not None:
        facts = workspace.facts(ASSEMBLE)
        if facts["build_id"] == _published_id(workspace.paths.database) or _aside(workspace).exists():
            workspace.progress("warehouse unchanged")
            return Outcome(facts["build_id"], int(facts["checks"]), ())
    workspace.forget(ASSEMBLE)
    workspace.progress("assembling and checking the warehouse")
    parquet = workspace.paths.staging / "parquet"
    shutil.rmtree(parquet, ignore_errors=True)
    for table in TABLES:
        _link(workspace.table_path(table), storage.table_path(parquet, table))
    row = build_row(*_identity(workspace))
    storage.write_table(parquet, "meta.build", row)
    build_id = str(row["build_id"].iloc[0])
    try:
        assembled = assemble(parquet, _aside(workspace), published=workspace.paths.database)
    except CheckFailed as failed:
        return Outcome(build_id, len(failed.results), tuple(str(f.message or f.observed) for f in failed.failures))
    workspace.finished(ASSEMBLE, mark, TABLES, build_id=build_id, checks=len(assembled.checks))
    return Outcome(build_id, len(assembled.checks), ())


def _identity(workspace: Workspace) -> tuple[str, str, dict[str, str], dict[str, int]]:
    """Input hash, program version, versions of libraries and row counts: what `meta.build` says of a build."""
    files = workspace.read("raw.file")
    read_hash = input_hash(zip(files["path"], files["sha256"], strict=True))
    program = metadata.version("hammerhouse")
    code = code_hash("pipelines", "models", "warehouse", "reports")[:12]
    versions = {name: metadata.version(name) for name in _VERSIONS} | {"python": platform.python_version()}
    counts = {table: workspace.row_count(table) for table in TABLES}
    return read_hash, f"{program}+{code}", versions, counts


def write_pages(workspace: Workspace) -> int:
    """Write the whole site aside from the assembled database; returns the number of pages."""
    build_id = str(workspace.facts(ASSEMBLE)["build_id"])
    mark = fingerprint(build_id, code_hash("reports"))
    if workspace.is_current(SITE, mark) and (
        (workspace.paths.site / "index.html").exists() or _site(workspace).exists()
    ):
        workspace.progress("site unchanged")
        return int(workspace.facts(SITE)["pages"])
    workspace.forget(SITE)
    shutil.rmtree(_site(workspace), ignore_errors=True)
    database = _aside(workspace) if _aside(workspace).exists() else workspace.paths.database
    from reports.site import write_site  # charts take a second to load: not for a build with nothing to draw

    with open_published(database) as connection:
        pages = write_site(connection, _site(workspace), workspace.progress)
    workspace.finished(SITE, mark, (), pages=pages)
    return pages


def put_all_in_place(workspace: Workspace) -> bool:
    """Swap in what was made: Parquet, database and site. Returns whether anything was new."""
    site = _site(workspace) if _site(workspace).exists() else None
    if not _aside(workspace).exists():
        if site is not None:
            swap_folder(site, workspace.paths.site)
        return site is not None
    assembled = Assembled(_aside(workspace), workspace.paths.staging / "parquet", (), {})
    put_in_place(workspace.paths, assembled, site)
    shutil.rmtree(workspace.paths.staging, ignore_errors=True)
    return True


def _aside(workspace: Workspace) -> Path:
    return workspace.paths.staging / "hammerhouse.duckdb"


def _site(workspace: Workspace) -> Path:
    return workspace.paths.staging / "site"


def _published_id(database: Path) -> str | None:
    """The build that a database holds, None where there is none that can be read."""
    try:
        with open_published(database) as connection:
            row = connection.execute("SELECT build_id FROM meta.build").fetchone()
    except PublishedError:
        return None
    return str(row[0]) if row else None


def _link(source: Path, target: Path) -> None:
    """Give a file of the workspace a second name; steps never write into a file, they replace it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)

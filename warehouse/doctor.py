"""What `hammerhouse doctor` finds: versions, places, locks and the state of what is published.

Belongs here: the findings, as rows. Does not belong here: printing them, and reading raw files (the caller passes what
lies in the raw folders now).
"""

import datetime as dt
import os
import platform
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib import metadata

from filelock import FileLock, Timeout

from warehouse.checks import only_row
from warehouse.dictionary import TABLES
from warehouse.paths import Paths
from warehouse.read import PublishedError, open_published
from warehouse.storage import table_path
from warehouse.swap import RETIRED, wal

LIBRARIES = ("pandas", "duckdb", "pyarrow", "numpy", "dagster", "altair", "pdfplumber", "pandera", "lark")
NEEDED = {"pandas": 3, "duckdb": 2, "dagster": 1, "altair": 6}


@dataclass(frozen=True)
class Finding:
    """`state` is ok, note (worth knowing) or problem (something will fail); `text` says what to do."""

    state: str
    what: str
    text: str


def examine(paths: Paths, raw: Collection[tuple[str, str]] | str) -> list[Finding]:
    """All findings. `raw` holds path and SHA-256 of every raw file now, or says why they are unknown."""
    return [*_versions(), *_places(paths), *_left_over(paths), *_published(paths), *_freshness(paths, raw)]


def _versions() -> Iterator[Finding]:
    good = sys.version_info >= (3, 11)
    yield Finding("ok" if good else "problem", "python", platform.python_version())
    for name in LIBRARIES:
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield Finding("problem", name, "is not installed: run `make setup`")
            continue
        needed = NEEDED.get(name)
        wrong = needed is not None and int(version.split(".")[0]) != needed
        yield Finding("problem" if wrong else "ok", name, version + (f", version {needed} is needed" if wrong else ""))


def _places(paths: Paths) -> Iterator[Finding]:
    for name, path in (("database", paths.database), ("parquet", paths.parquet), ("site", paths.site)):
        folder = next(parent for parent in path.parents if parent.exists())
        writable = os.access(folder, os.W_OK)
        text = f"{path}" if writable else f"{path}: {folder} is not writable, choose another --out"
        yield Finding("ok" if writable else "problem", name, text)


def _left_over(paths: Paths) -> Iterator[Finding]:
    """Locks, logs and folders of builds that are running or died."""
    if paths.lock.exists():
        try:
            with FileLock(paths.lock, timeout=0):
                yield Finding("ok", "lock", "free")
        except Timeout:
            yield Finding("note", "lock", "a build is running; what is published stays readable")
    for database in (paths.database, paths.previous):
        if wal(database).exists():
            yield Finding("problem", "log", f"{wal(database)} was left behind and hides the database: remove it")
    for folder in (paths.parquet, paths.site):
        retired = folder.with_name(folder.name + RETIRED)
        if retired.exists():
            yield Finding("note", "folder", f"{retired} was left by a build that died; the next build puts it right")


def _published(paths: Paths) -> Iterator[Finding]:
    try:
        with open_published(paths.database) as connection:
            build, program = only_row(connection, "SELECT build_id, program_version FROM meta.build")
            (finished,) = only_row(connection, "SELECT finished_at FROM meta.timing")
            (failed,) = only_row(connection, "SELECT count(*) FROM meta.check WHERE NOT passed")
            (sheets,) = only_row(connection, "SELECT count(*) FROM core.datasheet")
    except PublishedError as error:
        yield Finding("problem" if paths.database.exists() else "note", "published", str(error))
        return
    except Exception as error:  # a database of another version of the program may lack any of the four
        first = str(error).splitlines()[0]
        yield Finding("problem", "published", f"is no warehouse of this version ({first}): run `hammerhouse build`")
        return
    age = dt.datetime.now(dt.UTC) - dt.datetime.fromisoformat(finished)
    yield Finding("ok", "published", f"build {build} by {program}, {_ago(age)} ({finished}), {sheets} datasheets")
    if failed:
        yield Finding("note", "checks", f'{failed} warnings: hammerhouse query "from meta.check where not passed"')
    missing = [n for n, t in TABLES.items() if t.in_parquet and not table_path(paths.parquet, n).exists()]
    if missing:
        yield Finding("problem", "parquet", f"lacks {', '.join(missing)}: run `hammerhouse build`")
    if not (paths.site / "index.html").exists():
        yield Finding("note", "site", f"no index.html in {paths.site}: run `hammerhouse build`")


def _freshness(paths: Paths, raw: Collection[tuple[str, str]] | str) -> Iterator[Finding]:
    """Whether the raw files are those that the published build read."""
    if isinstance(raw, str):
        yield Finding("problem", "raw", raw)
        return
    try:
        with open_published(paths.database) as connection:
            read = set(connection.execute("SELECT path, sha256 FROM raw.file").fetchall())
    except Exception:  # `_published` has said why
        yield Finding("note", "raw", f"{len(raw)} raw files, none of them published")
        return
    now = set(raw)
    changed = {path for path, _ in now - read} & {path for path, _ in read - now}
    new = {path for path, _ in now - read} - changed
    gone = {path for path, _ in read - now} - changed
    if not changed | new | gone:
        yield Finding("ok", "raw", f"{len(now)} raw files, all as published")
        return
    parts = [f"{len(paths)} {word}" for word, paths in (("changed", changed), ("new", new), ("gone", gone)) if paths]
    example = sorted(changed | new | gone)[0]
    yield Finding("note", "raw", f"{', '.join(parts)} since the build (such as {example}): run `hammerhouse build`")


def _ago(age: dt.timedelta) -> str:
    minutes = int(age.total_seconds() // 60)
    for size, word in ((24 * 60, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            return f"{minutes // size} {word}{'' if minutes // size == 1 else 's'} ago"
    return "just now"

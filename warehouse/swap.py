"""Putting what was built aside in the place of what is published, so that readers never wait and never see half.

Belongs here: the lock of a build, and the exchange of one file or one folder. Does not belong here: what is in them.

A file is replaced by one rename. A folder takes two renames (old aside, new in); a build that dies between the two
leaves the old one beside, and `recover` puts it back. Programs that hold the old file or files open go on reading them.
"""

import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from warehouse.paths import Paths

RETIRED = ".retired"


class AlreadyBuilding(RuntimeError):
    """Another build holds the lock of this output."""


class OutputError(RuntimeError):
    """The folder of the output cannot be made or written; the message says what to do."""


@contextmanager
def build_lock(paths: Paths) -> Iterator[None]:
    """Hold the output for one build.

    Raises AlreadyBuilding at once where another has it, OutputError where nothing can be written there.
    """
    lock = FileLock(paths.lock)
    try:
        paths.lock.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout:
        message = f"another build is writing to {paths.database.parent}; wait for it, or choose another --out"
        raise AlreadyBuilding(message) from None
    except OSError as error:
        message = f"nothing can be written to {paths.database.parent}: {error.strerror or error}; choose another --out"
        raise OutputError(message) from None
    try:
        yield
    finally:
        lock.release()


def wal(database: Path) -> Path:
    """The write-ahead log that DuckDB keeps beside a database it has not closed."""
    return database.with_name(database.name + ".wal")


def swap_database(new: Path, published: Path, previous: Path | None = None) -> None:
    """Publish a closed database by one rename; the published one is kept as `previous`.

    A left-over log beside either file would be replayed into the wrong database and make it unreadable, so the new
    file must have none and the published one's is removed. Raises RuntimeError where the new one still has a log.
    """
    if wal(new).exists():
        raise RuntimeError(f"{new} was not closed: {wal(new)} is still there")
    published.parent.mkdir(parents=True, exist_ok=True)
    if previous is not None and published.exists():
        _keep(published, previous)
    wal(published).unlink(missing_ok=True)
    new.replace(published)


def swap_folder(new: Path, published: Path) -> None:
    """Publish a folder in place of another; the old one is removed afterwards."""
    recover(published)
    published.parent.mkdir(parents=True, exist_ok=True)
    if new.stat().st_dev != published.parent.stat().st_dev:  # a rename cannot cross disks
        near = _beside(published, "new")
        shutil.copytree(new, near)
        shutil.rmtree(new)
        new = near
    retired = published.with_name(published.name + RETIRED)
    if published.exists():
        published.rename(retired)
    try:
        new.rename(published)
    except OSError:
        recover(published)
        raise
    shutil.rmtree(retired, ignore_errors=True)


def recover(published: Path) -> bool:
    """Put a folder back that a dying build left aside; returns whether there was anything to put back."""
    retired = published.with_name(published.name + RETIRED)
    if not retired.exists():
        return False
    if published.exists():
        shutil.rmtree(retired)
        return False
    retired.rename(published)
    return True


def _keep(published: Path, previous: Path) -> None:
    """Give the published file a second name, by a link where the disk has links, so that it is never absent."""
    aside = _beside(previous, "keep")
    try:
        os.link(published, aside)
    except OSError:
        shutil.copy2(published, aside)
    wal(previous).unlink(missing_ok=True)
    aside.replace(previous)


def _beside(path: Path, word: str) -> Path:
    return path.with_name(f"{path.name}.{word}-{uuid.uuid4().hex[:8]}")

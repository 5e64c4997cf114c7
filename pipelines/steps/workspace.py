"""The build folder: tables as Parquet between steps, fingerprints that say what may be skipped, the reader cache.

Belongs here: where a step finds and leaves its files. Does not belong here: what is in them. The published warehouse
is elsewhere (`warehouse.paths`); removing the workspace costs time, never data.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
from warehouse.parquet import read_parquet, write_parquet

from warehouse.dictionary import conform, empty_frame
from warehouse.paths import Paths

_PROJECT = Path(__file__).resolve().parents[2]
_CODE_ENDINGS = {".py", ".lark", ".yml", ".sql", ".j2", ".js", ".css", ".csv"}


def _silent(message: str) -> None:
    """Progress that nobody watches."""


@dataclass
class Workspace:
    """One build: raw folders in, a folder of tables in between, the published paths out."""

    raw_dirs: tuple[Path, ...]
    paths: Paths
    progress: Callable[[str], None] = field(default=_silent)

    @property
    def folder(self) -> Path:
        return self.paths.cache / "build"

    @property
    def reader_cache(self) -> Path:
        return self.paths.cache / "read"

    @property
    def tables(self) -> Path:
        """Parquet of this build as `<schema>/<table>.parquet`."""
        return self.folder / "tables"

    def table_path(self, table: str) -> Path:
        schema, name = table.split(".")
        return self.tables / schema / f"{name}.parquet"

    def write(self, table: str, rows: pd.DataFrame | Iterable[Mapping[str, Any]]) -> pd.DataFrame:
        """Bring rows into the shape of the dictionary and leave them as Parquet. Raises `ContractError`."""
        frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(list(rows))
        frame = conform(table, frame) if len(frame) else empty_frame(table)
        path = self.table_path(table)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_parquet(frame, path, table)
        return frame

    def read(self, table: str) -> pd.DataFrame:
        """A table that an earlier step left; the empty table where it left none."""
        path = self.table_path(table)
        return read_parquet(path) if path.exists() else empty_frame(table)

    # --- what may be skipped -------------------------------------------------------------------------------------

    def _stamp(self, step: str) -> Path:
        return self.folder / f"{step}.json"

    def is_current(self, step: str, fingerprint: str) -> bool:
        """Whether the step ran to its end with the same inputs and code, and its tables are still there."""
        try:
            stamp = json.loads(self._stamp(step).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return stamp.get("fingerprint") == fingerprint and all(
            self.table_path(table).exists() for table in stamp.get("tables", ())
        )

    def finished(self, step: str, fingerprint: str, tables: Iterable[str], **facts: Any) -> None:
        """Record that the step ran to its end."""
        stamp = {"fingerprint": fingerprint, "tables": sorted(tables), "facts": facts}
        self.folder.mkdir(parents=True, exist_ok=True)
        temporary = self._stamp(step).with_suffix(".tmp")
        temporary.write_text(json.dumps(stamp, sort_keys=True), encoding="utf-8")
        temporary.replace(self._stamp(step))

    def facts(self, step: str) -> dict[str, Any]:
        """What a finished step left beside its tables."""
        stamp = json.loads(self._stamp(step).read_text(encoding="utf-8"))
        return dict(stamp["facts"])

    def fingerprint_of(self, step: str) -> str:
        """The fingerprint of a finished step, to make those of the steps after it."""
        return str(json.loads(self._stamp(step).read_text(encoding="utf-8"))["fingerprint"])

    def forget(self, step: str) -> None:
        """A step that starts over is not current until it ends."""
        self._stamp(step).unlink(missing_ok=True)

    def clear(self) -> None:
        """Remove the whole workspace."""
        shutil.rmtree(self.paths.cache, ignore_errors=True)


def fingerprint(*parts: str) -> str:
    """One hash of several texts; the order counts."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)}:".encode())
        digest.update(part.encode())
    return digest.hexdigest()


@cache
def code_hash(*places: str) -> str:
    """A hash of the program's own files below the given places, such as `pipelines/sources`."""
    digest = hashlib.sha256()
    for place in places:
        root = _PROJECT / place
        files = [root] if root.is_file() else sorted(path for path in root.rglob("*") if path.suffix in _CODE_ENDINGS)
        for path in files:
            digest.update(path.relative_to(_PROJECT).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()

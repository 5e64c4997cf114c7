"""The build folder: tables as Parquet between steps, fingerprints that say what may be skipped, the reader cache.

Belongs here: where a step finds and leaves its files. Does not belong here: what is in them. The published warehouse
is elsewhere (`warehouse.paths`); removing the workspace costs time, never data.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq

from warehouse import storage
from warehouse.dictionary import TABLES, ContractError, empty_frame
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
    problems: dict[str, str] = field(default_factory=dict)

    @property
    def cache(self) -> Path:
        """Everything that can be made again, beside the published database."""
        return self.paths.cache

    @property
    def folder(self) -> Path:
        return self.cache / "build"

    @property
    def reader_cache(self) -> Path:
        return self.cache / "read"

    @property
    def tables(self) -> Path:
        """Parquet of this build as `<schema>/<table>.parquet`."""
        return self.folder / "tables"

    def table_path(self, table: str) -> Path:
        return storage.table_path(self.tables, table)

    def write(self, table: str, rows: pd.DataFrame | Iterable[Mapping[str, Any]]) -> None:
        """Bring rows into the shape of the dictionary and leave them as Parquet.

        Rows that break the dictionary's contract are not written: the problem is kept in `problems`, where the asset's
        check finds it and blocks the build.
        """
        frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(list(rows))
        try:
            storage.write_table(self.tables, table, frame if len(frame) else empty_frame(TABLES[table]))
        except ContractError as error:
            self.problems[table] = str(error)
            self.table_path(table).unlink(missing_ok=True)

    def row_count(self, table: str) -> int:
        """Rows of a table without reading them."""
        path = self.table_path(table)
        return int(pq.read_metadata(path).num_rows) if path.exists() else 0

    def read(self, table: str) -> pd.DataFrame:
        """A table that an earlier step left; the empty table where it left none."""
        return storage.read_table(self.tables, table) if self.table_path(table).exists() else empty_frame(TABLES[table])

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

    def finished(self, step: str, fingerprint: str, tables: Sequence[str], **facts: Any) -> None:
        """Record that the step ran to its end; one that broke a contract did not."""
        if any(table in self.problems for table in tables):
            return
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
        shutil.rmtree(self.cache, ignore_errors=True)


def fingerprint(*parts: str) -> str:
    """One hash of several texts; the order counts."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)}:".encode())
        digest.update(part.encode())
    return digest.hexdigest()


def _is_code(path: Path) -> bool:
    """Whether a file is the program's own. What a build publishes into the checkout (`reports/site`, caches) is not."""
    parts = path.relative_to(_PROJECT).parts
    is_published = len(parts) > 2 and parts[0] == "reports" and parts[1].split(".")[0] == "site"
    return path.suffix in _CODE_ENDINGS and not is_published and not any(part.startswith(".") for part in parts)


@cache
def code_hash(*places: str) -> str:
    """A hash of the program's own files below the given places, such as `pipelines/sources`."""
    digest = hashlib.sha256()
    for place in places:
        root = _PROJECT / place
        files = [root] if root.is_file() else sorted(path for path in root.rglob("*") if _is_code(path))
        for path in files:
            digest.update(path.relative_to(_PROJECT).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()

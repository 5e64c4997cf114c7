"""Raw files into `raw.file`, `raw.quarantine` and the reader cache.

Belongs here: the walk over the raw folders, one cached `ReadResult` for each file content, duplicates. Does not belong
here: parsing (`pipelines.sources`).
"""

import hashlib
import importlib
import os
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

from pipelines.core.precedence import Source
from pipelines.sources.recognise import Unit, decode_text, scan
from pipelines.sources.records import RawFile, ReadResult, Row
from pipelines.sources.text import storable
from pipelines.steps.workspace import Workspace, code_hash, fingerprint
from warehouse.paths import Paths

STEP = "read"
TABLES = ("raw.file", "raw.quarantine")

# Kind -> module of its reader; an export folder is read as a whole.
_READERS = {
    "text_dump": "pipelines.sources.text_dump",
    "saved_page": "pipelines.sources.saved_page",
    "game_datacards": "pipelines.sources.game_datacards",
    "munitorum_pdf": "pipelines.sources.munitorum_pdf",
    "munitorum_text": "pipelines.sources.munitorum_text",
    "datasheet_pdf": "pipelines.sources.datasheet_pdf",
    "profiles_csv": "pipelines.sources.profiles_csv",
    "wahapedia_csv": "pipelines.sources.wahapedia_csv",
}
# Kinds whose every line is accounted for in raw.line.
LINE_KINDS = ("text_dump", "munitorum_text")
# Unread bytes above which a second process pays for its start.
_PARALLEL_BYTES = 3_000_000


class RawFolderError(Exception):
    """A raw folder that is missing, or that holds no file any reader can read."""


@dataclass(frozen=True)
class Found:
    """A file or export folder with its content's hash."""

    unit: Unit
    root: Path
    file: RawFile

    @property
    def files(self) -> list[Path]:
        return [self.root / name for name in self.unit.files]


def find(raw_dirs: Iterable[Path], paths: Paths | None = None) -> list[Found]:
    """Everything below the raw folders, in the order of folders and paths.

    What a build publishes at `paths` is no raw file, also where that lies below a raw folder.
    Raises RawFolderError where a folder is missing or none of them holds a readable file.
    """
    found: list[Found] = []
    seen: set[Path] = set()  # one folder may lie within another, or be named twice
    for root in raw_dirs:
        if not root.is_dir():
            raise RawFolderError(f"the raw folder {root} does not exist; give --raw a folder with dumps or exports")
        for unit in scan(root, paths.outputs if paths else ()):
            places = {root.resolve() / name for name in unit.files}
            if not places <= seen:
                found.append(_found(unit, root))
            seen |= places
    found = _told_apart(found)
    if not any(entry.file.kind in _READERS for entry in found):
        folders = ", ".join(str(root) for root in raw_dirs)
        raise RawFolderError(f"no file below {folders} can be read: no dump, export, card file or points list in it")
    return found


def _told_apart(found: list[Found]) -> list[Found]:
    """Files of one path in several raw folders bear their folder's name, or its whole path, before it."""
    for before in (lambda root: root.name, lambda root: root.resolve().as_posix()):
        times = Counter(entry.file.path for entry in found)
        found = [
            replace(
                entry,
                file=replace(entry.file, path=storable(f"{before(entry.root)}/{_path_shown(entry.unit, entry.root)}")),
            )
            if times[entry.file.path] > 1
            else entry
            for entry in found
        ]
    return found


def _path_shown(unit: Unit, root: Path) -> str:
    """The path below the raw folder; for an export that is the raw folder itself, its name."""
    return storable(unit.path if unit.path != "." else root.name)


def _found(unit: Unit, root: Path) -> Found:
    digest = hashlib.sha256()
    size = 0
    for name in unit.files:
        path = root / name
        try:
            # A pipe or a device would wait for a writer for ever; a link is not followed.
            data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        except OSError:
            data = b""
        size += len(data)
        if len(unit.files) > 1:
            digest.update(os.fsencode(name))
            digest.update(hashlib.sha256(data).digest())
        else:
            digest.update(data)
    sha256 = digest.hexdigest()
    kind = unit.kind
    return Found(unit, root, RawFile(sha256[:16], _path_shown(unit, root), kind, sha256, size))  # type: ignore[arg-type]


def read_raw(workspace: Workspace) -> None:
    """Read every file that was not read before; leave `raw.file` and `raw.quarantine`."""
    found = find(workspace.raw_dirs, workspace.paths)
    mark = fingerprint(
        code_hash("pipelines/sources", "pipelines/steps/read.py"),
        code_hash("warehouse/dictionary"),
        *(
            f"{entry.file.path}|{entry.file.kind}|{entry.file.sha256}|{storable(entry.unit.reason or '')}"
            for entry in found
        ),
    )
    if workspace.is_current(STEP, mark):
        workspace.progress(f"{len(found)} raw files, none changed")
        return
    workspace.forget(STEP)
    readable = [entry for entry in found if entry.file.kind in _READERS]
    _fill_cache(workspace, readable)
    files: list[Row] = []
    quarantine: list[Row] = []
    seen: dict[str, str] = {}
    for entry in found:
        if entry.file.kind not in _READERS:
            if entry.unit.kind != "config":
                files.append(_file_row(entry, None))
                quarantine.append(
                    _whole_file(entry, storable(entry.unit.reason or "") or "no kind of file that a reader knows")
                )
            continue
        result = _cached(workspace, entry)
        files.append(_file_row(entry, result))
        if entry.file.file_id in seen:
            reason = f"the same content as {seen[entry.file.file_id]}: read once"
            quarantine.append(_whole_file(entry, reason))
            continue
        seen[entry.file.file_id] = entry.file.path
        quarantine += [
            {
                "file_id": entry.file.file_id,
                "locator": reject.locator,
                "line_no": reject.line_no,
                "text": reject.text,
                "reason": reject.reason,
            }
            for reject in result.rejects
        ]
    workspace.write("raw.file", files)
    workspace.write("raw.quarantine", _distinct(quarantine))
    sources = [[e.file.file_id, e.file.path, e.file.kind, e.file.sha256, e.file.bytes] for e in readable]
    workspace.finished(STEP, mark, TABLES, sources=sources, quarantined=len(quarantine))


def _distinct(rows: list[Row]) -> list[Row]:
    unique = {(row["file_id"], row["locator"], row["text"], row["reason"]): row for row in rows}
    return list(unique.values())


def _file_row(entry: Found, result: ReadResult | None) -> Row:
    row: Row = {
        "file_id": entry.file.file_id,
        "path": entry.file.path,
        "kind": entry.file.kind,
        "sha256": entry.file.sha256,
        "bytes": entry.file.bytes,
    }
    for name in ("title", "edition", "version", "dated", "faction"):
        row[name] = getattr(result, name) if result else None
    row["lines"] = _line_count(entry) if entry.file.kind in LINE_KINDS else None
    return row


def _line_count(entry: Found) -> int:
    """Lines of the file split on newlines, counted apart from the reader, so that its accounts can be checked."""
    text = decode_text(entry.files[0].read_bytes())
    return 0 if text is None else text.count("\n") + 1


def _whole_file(entry: Found, reason: str) -> Row:
    return {
        "file_id": entry.file.file_id,
        "locator": f"file {entry.file.path}",
        "line_no": None,
        "text": "",
        "reason": reason,
    }


# --- the cache ----------------------------------------------------------------------------------------------------


def _cache_path(workspace: Workspace, file: RawFile) -> Path:
    # The path is part of what a reader sees (a version may stand in a file's name), so it is part of the key.
    key = fingerprint(file.sha256, file.path, file.kind, code_hash("pipelines/sources"))
    return workspace.reader_cache / f"{key[:32]}.pickle"


def _cached(workspace: Workspace, entry: Found) -> ReadResult:
    with _cache_path(workspace, entry.file).open("rb") as stream:
        result = pickle.load(stream)
    assert isinstance(result, ReadResult)
    return result


def _fill_cache(workspace: Workspace, readable: list[Found]) -> None:
    workspace.reader_cache.mkdir(parents=True, exist_ok=True)
    unread = [entry for entry in readable if not _cache_path(workspace, entry.file).exists()]
    workspace.progress(f"{len(readable)} raw files, {len(unread)} to read")
    parallel = len(unread) > 1 and sum(entry.file.bytes for entry in unread) > _PARALLEL_BYTES
    # Largest first, so that the last process to end has little left to do.
    unread.sort(key=lambda entry: (-_weight(entry), entry.file.path))
    executor = ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) if parallel else nullcontext()
    with executor as pool:
        jobs = [
            (entry, [str(path) for path in entry.files], str(_cache_path(workspace, entry.file))) for entry in unread
        ]
        if isinstance(pool, Executor):
            futures = [(e, pool.submit(_read_to, e.file, files, e.unit.tables, target)) for e, files, target in jobs]
            for number, (entry, future) in enumerate(futures, start=1):
                future.result()
                workspace.progress(f"read {number}/{len(jobs)} {entry.file.path} ({entry.file.kind})")
            return
        for number, (entry, files, target) in enumerate(jobs, start=1):
            _read_to(entry.file, files, entry.unit.tables, target)
            workspace.progress(f"read {number}/{len(jobs)} {entry.file.path} ({entry.file.kind})")


def _weight(entry: Found) -> int:
    """A guess at the work in a file: PDF bytes are dearer than text."""
    return entry.file.bytes * (4 if entry.file.kind.endswith("_pdf") else 1)


def _read_to(file: RawFile, files: list[str], tables: tuple[str, ...], target: str) -> None:
    """Read one file in whichever process this is, and leave the result in the cache."""
    result = read_unit(file, [Path(name) for name in files], tables)
    temporary = Path(f"{target}.{os.getpid()}.tmp")
    with temporary.open("wb") as stream:
        pickle.dump(result, stream, protocol=pickle.HIGHEST_PROTOCOL)
    temporary.replace(target)


def read_unit(file: RawFile, files: list[Path], tables: tuple[str, ...]) -> ReadResult:
    """One file, or one export folder, through its reader.

    A reader must not raise; where one does all the same, the file is rejected as a whole with what was raised, so that
    one bad file never stops a build.
    """
    module = importlib.import_module(_READERS[file.kind])
    try:
        if file.kind == "wahapedia_csv":
            read_folder: Callable[[Mapping[str, bytes], RawFile], ReadResult] = module.read_folder
            return read_folder({t: p.read_bytes() for t, p in zip(tables, files, strict=True)}, file)
        read: Callable[[bytes, RawFile], ReadResult] = module.read
        return read(files[0].read_bytes(), file)
    except Exception as error:
        result = ReadResult()
        result.reject(f"the reader failed on this file: {type(error).__name__}: {error}", locator=f"file {file.path}")
        return result


def load_sources(workspace: Workspace) -> list[Source]:
    """All results of the last read, each content once, without files whose reader found nothing."""
    sources: list[Source] = []
    seen: set[str] = set()
    for file_id, path, kind, sha256, size in workspace.facts(STEP)["sources"]:
        if file_id in seen:
            continue
        seen.add(file_id)
        file = RawFile(file_id, path, kind, sha256, size)
        with _cache_path(workspace, file).open("rb") as stream:
            sources.append(Source(file, pickle.load(stream)))
    return sources

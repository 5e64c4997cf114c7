"""The walk over raw folders: what is one file, what bears which path, what is no folder to read."""

import os
from pathlib import Path

import pytest
from build_sample import PIKE, write_raw

from pipelines.steps.read import RawFolderError, find
from warehouse.paths import Paths


def paths(*folders: Path) -> list[str]:
    return [entry.file.path for entry in find(folders)]


def test_paths_are_those_below_the_folder(tmp_path: Path) -> None:
    write_raw(tmp_path / "raw" / "deep")
    assert paths(tmp_path / "raw") == ["deep/basalt_walker.txt", "deep/pike_guard.txt", "deep/profiles.csv"]


def test_a_folder_within_another_is_read_once(tmp_path: Path) -> None:
    write_raw(tmp_path / "raw" / "deep")
    once = paths(tmp_path / "raw")
    assert paths(tmp_path / "raw", tmp_path / "raw" / "deep") == once
    assert paths(tmp_path / "raw", tmp_path / "raw" / "deep" / "..") == once


def test_one_path_in_two_folders_bears_their_names(tmp_path: Path) -> None:
    write_raw(tmp_path / "one")
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "pike_guard.txt").write_text(PIKE, encoding="utf-8")
    assert paths(tmp_path / "one", tmp_path / "two") == [
        "basalt_walker.txt", "one/pike_guard.txt", "profiles.csv", "two/pike_guard.txt",
    ]  # fmt: skip


def test_folders_of_one_name_bear_their_whole_paths(tmp_path: Path) -> None:
    folders = [tmp_path / place / "raw" for place in ("a", "b")]
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / "page.txt").write_text(PIKE, encoding="utf-8")
    found = paths(*folders)
    assert len(set(found)) == 2
    assert all(path.endswith(f"{place}/raw/page.txt") for path, place in zip(found, "ab", strict=True))


def test_the_hash_is_of_the_content_alone(tmp_path: Path) -> None:
    for name in ("first.txt", "second.txt"):
        (tmp_path / name).write_text(PIKE, encoding="utf-8")
    one, two = find([tmp_path])
    assert one.file.sha256 == two.file.sha256
    assert one.file.file_id == one.file.sha256[:16]


@pytest.mark.parametrize("content", [None, b"", b"a shopping list"])
def test_nothing_to_read(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "file.txt").write_bytes(content)
    with pytest.raises(RawFolderError, match="can be read"):
        find([tmp_path])
    with pytest.raises(RawFolderError, match="does not exist"):
        find([tmp_path / "nowhere"])


def test_a_pipe_is_listed_and_never_waited_for(tmp_path: Path) -> None:
    (tmp_path / "pike.txt").write_text(PIKE, encoding="utf-8")
    os.mkfifo(tmp_path / "queue.txt")
    entries = {entry.file.path: entry for entry in find([tmp_path])}
    assert entries["queue.txt"].file.kind == "unrecognised"
    assert entries["queue.txt"].file.bytes == 0


def test_a_name_that_is_no_utf8_can_be_written_down(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"pike\xff.txt")).write_text(PIKE, encoding="utf-8")
    (entry,) = find([tmp_path])
    assert entry.file.path == r"pike\xff.txt"
    assert entry.files[0].read_text(encoding="utf-8") == PIKE


def test_what_a_build_publishes_below_a_raw_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "pike.txt").write_text(PIKE, encoding="utf-8")
    places = Paths.resolve(tmp_path / "out")
    for place in (places.database, places.previous, places.lock):
        place.parent.mkdir(exist_ok=True)
        place.write_text("made")
    for folder in (places.parquet, places.site, places.cache):
        (folder / "units").mkdir(parents=True)
        (folder / "units" / "pike.html").write_text("<html>RANGED WEAPONS</html>")
    (tmp_path / "out" / "second.txt").write_text(PIKE + "\n", encoding="utf-8")
    assert [entry.file.path for entry in find([tmp_path], places)] == ["out/second.txt", "pike.txt"]

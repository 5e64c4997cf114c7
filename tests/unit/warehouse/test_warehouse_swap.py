"""Exchange of files and folders: traps of left-over logs, builds that die half-way, and two builds at once."""

from pathlib import Path

import duckdb
import pytest

from warehouse.paths import Paths
from warehouse.read import PublishedError, open_published
from warehouse.swap import AlreadyBuilding, OutputError, build_lock, recover, swap_database, swap_folder, wal


def _database(path: Path, value: int) -> Path:
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE SCHEMA core")
        connection.execute(f"CREATE TABLE core.t AS SELECT {value} AS a")
    assert not wal(path).exists()
    return path


def _value(path: Path) -> int:
    with open_published(path) as connection:
        return int(connection.execute("SELECT a FROM core.t").fetchall()[0][0])


def _log_of_another(path: Path, folder: Path) -> None:
    """The log that a writer leaves when it dies: copied while the writer still has it open."""
    other = folder / "other.duckdb"
    connection = duckdb.connect(str(other))
    connection.execute("CREATE TABLE somewhere_else AS SELECT 1 AS a")
    log = wal(other).read_bytes()
    connection.close()
    assert log
    wal(path).write_bytes(log)


def test_the_published_one_is_kept_as_previous(tmp_path: Path) -> None:
    published, previous = tmp_path / "p.duckdb", tmp_path / "before.duckdb"
    for value in (1, 2, 3):
        swap_database(_database(tmp_path / "new.duckdb", value), published, previous)
    assert (_value(published), _value(previous)) == (3, 2)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["before.duckdb", "p.duckdb"]


def test_a_database_with_an_open_log_is_not_published(tmp_path: Path) -> None:
    published = _database(tmp_path / "p.duckdb", 1)
    new = _database(tmp_path / "new.duckdb", 2)
    _log_of_another(new, tmp_path)
    with pytest.raises(RuntimeError, match="was not closed"):
        swap_database(new, published)
    assert _value(published) == 1


def test_a_log_left_beside_the_published_one_does_not_spoil_the_next(tmp_path: Path) -> None:
    published = _database(tmp_path / "p.duckdb", 1)
    _log_of_another(published, tmp_path)
    swap_database(_database(tmp_path / "new.duckdb", 2), published, tmp_path / "before.duckdb")
    assert _value(published) == 2
    assert not wal(published).exists()


def test_a_log_that_hides_the_database_is_named(tmp_path: Path) -> None:
    published = _database(tmp_path / "p.duckdb", 1)
    _log_of_another(published, tmp_path)
    with pytest.raises(PublishedError, match=r"p\.duckdb\.wal was left beside it"):
        open_published(published)


def test_an_open_handle_goes_on_and_a_new_one_sees_the_new_file(tmp_path: Path) -> None:
    published = _database(tmp_path / "p.duckdb", 1)
    with open_published(published) as old:
        assert old.execute("SELECT a FROM core.t").fetchall() == [(1,)]
        swap_database(_database(tmp_path / "new.duckdb", 2), published)
        assert old.execute("SELECT a FROM core.t").fetchall() == [(1,)]
        assert _value(published) == 2


def _folder(path: Path, text: str) -> Path:
    (path / "sub").mkdir(parents=True)
    (path / "sub" / "page").write_text(text)
    return path


def test_a_folder_is_exchanged_whole(tmp_path: Path) -> None:
    published = _folder(tmp_path / "site", "old")
    (published / "stale").write_text("gone")
    swap_folder(_folder(tmp_path / "new", "new"), published)
    assert (published / "sub" / "page").read_text() == "new"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["site"]
    assert not (published / "stale").exists()


def test_a_build_that_died_between_the_renames_is_put_right(tmp_path: Path) -> None:
    published = tmp_path / "site"
    _folder(tmp_path / "site.retired", "old")
    assert recover(published)
    assert (published / "sub" / "page").read_text() == "old"
    assert not recover(published)
    _folder(tmp_path / "site.retired", "older")  # died after the second rename: the new one is in place
    assert not recover(published)
    assert (published / "sub" / "page").read_text() == "old"
    assert not (tmp_path / "site.retired").exists()


def test_a_folder_that_cannot_be_moved_in_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    published, new = _folder(tmp_path / "site", "old"), _folder(tmp_path / "new", "new")
    rename = Path.rename

    def failing(self: Path, target: Path) -> Path:
        if self == new:
            raise OSError("disk is full")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(OSError, match="disk is full"):
        swap_folder(new, published)
    assert (published / "sub" / "page").read_text() == "old"


def test_only_one_build_at_a_time(tmp_path: Path) -> None:
    paths = Paths.resolve(tmp_path / "out")
    with build_lock(paths), pytest.raises(AlreadyBuilding, match="another build"), build_lock(paths):
        pass
    with build_lock(paths):
        pass


def test_an_output_that_is_a_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(OutputError, match="choose another --out"), build_lock(Paths.resolve(tmp_path / "taken")):
        pass
    assert (tmp_path / "taken").read_text() == "mine"

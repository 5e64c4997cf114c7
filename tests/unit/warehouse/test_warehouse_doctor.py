"""What the doctor finds."""

import os
import re
import shutil
from importlib import metadata
from pathlib import Path

import duckdb
import pytest

from warehouse.doctor import Finding, examine
from warehouse.paths import Paths
from warehouse.read import open_published
from warehouse.swap import build_lock, wal


@pytest.fixture
def own(published: Paths, tmp_path: Path) -> Paths:
    """A published warehouse of its own, with a site."""
    paths = Paths.resolve(tmp_path / "out")
    shutil.copytree(published.parquet, paths.parquet)
    shutil.copy(published.database, paths.database)
    paths.site.mkdir()
    (paths.site / "index.html").write_text("<p>")
    return paths


def _read(paths: Paths) -> set[tuple[str, str]]:
    with open_published(paths.database) as connection:
        return set(connection.execute("SELECT path, sha256 FROM raw.file").fetchall())


def _of(findings: list[Finding], what: str) -> list[tuple[str, str]]:
    return [(finding.state, finding.text) for finding in findings if finding.what == what]


def test_all_is_well(own: Paths) -> None:
    findings = examine(own, _read(own))
    assert {finding.state for finding in findings} == {"ok"}
    assert {"python", "pandas", "duckdb", "dagster", "altair"} <= {finding.what for finding in findings}
    ((_, text),) = _of(findings, "published")
    assert re.search(r"build [0-9a-f]{16} by 0\.1\.0, (just now|\d+ minutes? ago) .*, 3 datasheets", text)
    assert _of(findings, "raw") == [("ok", "2 raw files, all as published")]


def test_nothing_is_published(tmp_path: Path) -> None:
    findings = examine(Paths.resolve(tmp_path), {("a.txt", "0")})
    ((state, text),) = _of(findings, "published")
    assert state == "note" and "hammerhouse build" in text
    assert _of(findings, "raw") == [("note", "1 raw files, none of them published")]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda raw: raw | {("new.txt", "1")}, "1 new since the build (such as new.txt)"),
        (
            lambda raw: {(p, s) for p, s in raw if p != "pages/tin.txt"},
            "1 gone since the build (such as pages/tin.txt)",
        ),
        (lambda raw: {(p, "1" if p == "pages/tin.txt" else s) for p, s in raw}, "1 changed since the build"),
    ],
)
def test_raw_files_that_changed(own: Paths, change, words: str) -> None:
    ((state, text),) = _of(examine(own, change(_read(own))), "raw")
    assert state == "note" and text.startswith(words)


def test_raw_folders_that_cannot_be_read(own: Paths) -> None:
    assert _of(examine(own, "the raw folder x does not exist"), "raw") == [
        ("problem", "the raw folder x does not exist")
    ]


def test_a_left_over_log_is_a_problem(own: Paths) -> None:
    wal(own.database).write_bytes(b"x")
    ((state, text),) = _of(examine(own, set()), "log")
    assert state == "problem" and "hammerhouse.duckdb.wal" in text


def test_a_running_build_is_seen(own: Paths) -> None:
    with build_lock(own):
        assert _of(examine(own, set()), "lock") == [("note", "a build is running; what is published stays readable")]
    assert all(state == "ok" for state, _ in _of(examine(own, set()), "lock"))


def test_a_folder_of_a_build_that_died(own: Paths) -> None:
    own.parquet.rename(own.parquet.with_name("parquet.retired"))
    findings = examine(own, set())
    assert _of(findings, "folder")[0][0] == "note"
    assert _of(findings, "parquet")[-1][0] == "problem"


def test_a_damaged_database_and_one_that_is_no_warehouse(own: Paths, tmp_path: Path) -> None:
    own.database.write_bytes(b"nothing" * 1000)
    assert _of(examine(own, set()), "published")[0][0] == "problem"
    own.database.unlink()
    duckdb.connect(str(own.database)).close()
    ((state, text),) = _of(examine(own, set()), "published")
    assert state == "problem" and "no warehouse of this version" in text


def test_a_folder_that_cannot_be_written(own: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert {state for state, _ in _of(examine(own, set()), "database")} == {"problem"}


def test_a_library_that_is_missing_or_too_old(own: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    real = metadata.version

    def fake(name: str) -> str:
        if name == "lark":
            raise metadata.PackageNotFoundError(name)
        return "1.5.0" if name == "duckdb" else real(name)

    monkeypatch.setattr(metadata, "version", fake)
    findings = examine(own, set())
    assert _of(findings, "lark") == [("problem", "is not installed: run `make setup`")]
    assert _of(findings, "duckdb") == [("problem", "1.5.0, version 2 is needed")]

"""What a step may skip: only what ran to its end, with the same fingerprint, and whose tables are still there."""

from pathlib import Path

import pytest

from pipelines.steps import workspace as workspace_module
from pipelines.steps.workspace import Workspace, code_hash, fingerprint
from warehouse.paths import Paths

ROW = {"file_id": "f" * 16, "path": "page.txt", "kind": "text_dump", "sha256": "f" * 64, "bytes": 3}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace((), Paths.resolve(tmp_path))


def test_a_finished_step_is_current(workspace: Workspace) -> None:
    workspace.write("raw.file", [ROW])
    workspace.finished("read", "mark", ("raw.file",), seen=1)
    assert workspace.is_current("read", "mark")
    assert not workspace.is_current("read", "another mark")
    assert workspace.facts("read") == {"seen": 1}
    assert workspace.fingerprint_of("read") == "mark"
    assert workspace.row_count("raw.file") == 1
    workspace.forget("read")
    assert not workspace.is_current("read", "mark")


def test_a_missing_table_makes_it_stale(workspace: Workspace) -> None:
    workspace.write("raw.file", [ROW])
    workspace.finished("read", "mark", ("raw.file",))
    workspace.table_path("raw.file").unlink()
    assert not workspace.is_current("read", "mark")
    assert workspace.read("raw.file").empty


def test_a_broken_contract_is_kept_and_the_step_not_finished(workspace: Workspace) -> None:
    workspace.write("raw.file", [ROW | {"kind": "scroll"}])
    assert "kind" in workspace.problems["raw.file"]
    workspace.finished("read", "mark", ("raw.file",))
    assert not workspace.is_current("read", "mark")
    assert not workspace.table_path("raw.file").exists()


def test_a_half_written_stamp_counts_for_nothing(workspace: Workspace) -> None:
    workspace.write("raw.file", [ROW])
    workspace.finished("read", "mark", ("raw.file",))
    stamp = workspace.folder / "read.json"
    stamp.write_text(stamp.read_text(encoding="utf-8")[:10], encoding="utf-8")
    assert not workspace.is_current("read", "mark")


def test_fingerprints_tell_parts_apart() -> None:
    assert fingerprint("ab", "c") != fingerprint("a", "bc")
    assert fingerprint("a", "b") != fingerprint("b", "a")
    assert code_hash("pipelines/core") != code_hash("pipelines/sources")
    assert code_hash("models") == code_hash("models")


def test_what_a_build_publishes_is_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site and the caches lie within the checkout; they must not make the program look changed."""
    monkeypatch.setattr(workspace_module, "_PROJECT", tmp_path)
    for name in ("reports/site.py", "reports/static/site.js", "warehouse/publish.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("one", encoding="utf-8")
    before = [code_hash.__wrapped__(place) for place in ("reports", "warehouse")]
    for name in ("reports/site/assets/site.js", "reports/site.retired/site.css", "warehouse/.cache/build/read.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("made", encoding="utf-8")
    assert [code_hash.__wrapped__(place) for place in ("reports", "warehouse")] == before
    (tmp_path / "reports" / "site.py").write_text("two", encoding="utf-8")
    assert code_hash.__wrapped__("reports") != before[0]

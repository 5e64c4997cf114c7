"""The program on the real data folder: a build of its pages, cards and points lists, and the facts of the full game."""

import shutil
from pathlib import Path

import pytest
from build_running import ROOT, Built, rows, start, value
from contract_tables import CONTRACT

from pipelines.steps import accounting, core, read
from pipelines.steps.workspace import Workspace
from warehouse.paths import Paths

# Everything but the two exports of the whole game, whose matchups take minutes (they have a benchmark).
_BUILT = (
    "dumps",
    "data/text-dumps",
    "data/wahapedia-html",
    "data/munitorum-text",
    "data/pdf",
    "data/game-datacards/combatpatrol",
)


@pytest.fixture(scope="module")
def full(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The folder's pages, cards and points lists and the project's own profiles, built by the program."""
    raw, out = tmp_path_factory.mktemp("raw"), tmp_path_factory.mktemp("full")
    for name in _BUILT:
        shutil.copytree(real_data / name, raw / Path(name).name)
    shutil.copytree(ROOT / "raw" / "profiles", raw / "profiles")
    process = start("build", "--raw", raw, "--out", out)
    stdout, stderr = process.communicate(timeout=3600)
    return Built(raw, out, process.returncode, stdout, stderr)


def test_facts_of_the_full_game(real_data: Path, tmp_path: Path) -> None:
    raw = (real_data / "data", real_data / "dumps", ROOT / "raw" / "profiles")
    workspace = Workspace(raw, Paths.resolve(tmp_path))
    read.read_raw(workspace)
    core.build_core(workspace)
    assert workspace.problems == {}
    assert accounting.every_line_accounted_for(workspace) is None
    assert accounting.every_weapon_row_has_a_sheet(workspace) is None
    sheets = workspace.read("core.datasheet")
    assert len(sheets) > 1_676 and sheets["datasheet_id"].is_unique
    assert workspace.row_count("core.weapon_profile") > 8_900
    assert workspace.row_count("core.conflict") > 0


def test_everything_is_published(full: Built) -> None:
    assert full.code == 0, full.stderr
    assert (full.out / "site" / "index.html").is_file()
    empty = {table for table in CONTRACT if not value(full.database, f"SELECT count(*) FROM {table}")}
    assert empty <= {"raw.quarantine"}  # every piece of these files is understood


def test_every_row_leads_to_a_file(full: Built) -> None:
    for table in ("core.datasheet", "core.weapon_profile", "core.ability", "core.unit_cost", "core.effect"):
        stray = value(
            full.database,
            f"SELECT count(*) FROM {table} WHERE file_id IS NULL OR file_id NOT IN (SELECT file_id FROM raw.file)",
        )
        assert stray == 0, table


def test_every_line_of_every_text_is_accounted_for(full: Built) -> None:
    for path, lines, claimed in rows(
        full.database,
        "SELECT f.path, f.lines, (SELECT count(*) FROM raw.line AS l WHERE l.file_id = f.file_id) FROM raw.file AS f "
        "WHERE f.kind IN ('text_dump', 'munitorum_text')",
    ):
        printed = (full.raw / str(path)).read_text(encoding="utf-8", errors="replace")
        assert lines == claimed == printed.replace("\r\n", "\n").count("\n") + 1, path


def test_figures_are_possible(full: Built) -> None:
    wrong = value(
        full.database,
        "SELECT count(*) FROM out.weapon_matchup AS m JOIN out.target AS t USING (target_id) WHERE "
        "NOT isfinite(expected_damage) OR expected_models_slain < 0 OR expected_models_slain > t.models * 1.000001 "
        "OR expected_wounds_lost > expected_damage * 1.00001 + 1e-5 OR p_destroyed NOT BETWEEN 0 AND 1",
    )
    assert wrong == 0


def test_pages_are_light(full: Built) -> None:
    pages = {path: path.stat().st_size for path in (full.out / "site").rglob("*.html")}
    assert len(pages) > 100
    units = {path.name: size for path, size in pages.items() if path.parts[-3] == "units"}
    assert {name: size for name, size in units.items() if size > 300_000} == {}

"""The whole program on the real data folder: one build, and what must hold of any build of the full game."""

from pathlib import Path

import pytest
from build_running import ROOT, Built, rows, start, value
from contract_tables import CONTRACT


@pytest.fixture(scope="module")
def full(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Every raw file of the folder and the project's own profiles, built by the program."""
    out = tmp_path_factory.mktemp("full")
    process = start("build", "--raw", real_data, "--raw", ROOT / "raw" / "profiles", "--out", out)
    stdout, stderr = process.communicate(timeout=3600)
    return Built(real_data, out, process.returncode, stdout, stderr)


def test_full_game_is_published(full: Built) -> None:
    assert full.code == 0, full.stderr
    assert (full.out / "site" / "index.html").is_file()
    for table in CONTRACT:
        assert value(full.database, f"SELECT count(*) FROM {table}"), table


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
    assert len(pages) > 1000
    assert sum(path.stat().st_size for path in (full.out / "site").rglob("*") if path.is_file()) < 150e6
    units = {path.name: size for path, size in pages.items() if path.parts[-3] == "units"}
    assert {name: size for name, size in units.items() if size > 300_000} == {}

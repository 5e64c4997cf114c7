"""Every real file is the kind that its folder says, told by content alone."""

from collections import Counter
from pathlib import Path

from pipelines.sources.edition import edition_of
from pipelines.sources.recognise import recognise, scan

FOLDERS = {
    "dumps": "text_dump",
    "data/text-dumps": "text_dump",
    "data/wahapedia-html": "saved_page",
    "data/game-datacards": "game_datacards",
    "data/munitorum-text": "munitorum_text",
}


def test_kinds_of_the_real_files(real_data: Path) -> None:
    seen: Counter[str] = Counter()
    for folder, kind in FOLDERS.items():
        for path in sorted((real_data / folder).rglob("*")):
            if path.is_file():
                seen[kind] += 1
                assert recognise(path.read_bytes(), "no-name") == kind, path.name
    assert seen == {"text_dump": 10, "saved_page": 4, "game_datacards": 26, "munitorum_text": 8}
    kinds = {path.name[:9]: recognise(path.read_bytes(), "x") for path in (real_data / "data/pdf").glob("*.pdf")}
    assert kinds == {"imperial-": "datasheet_pdf", "munitorum": "munitorum_pdf"}


def test_the_export_is_one_unit_of_twenty_tables(real_data: Path) -> None:
    for folder in ("data/wahapedia-csv", "data"):
        exports = [unit for unit in scan(real_data / folder) if unit.kind == "wahapedia_csv"]
        assert len(exports) == 1
        assert len(exports[0].files) == 20
        assert [Path(file).name for file in exports[0].files] == list(exports[0].tables)
    listed = {unit.path for unit in scan(real_data / "data/wahapedia-csv") if unit.kind == "unrecognised"}
    assert listed == {"Export Data Specs.xlsx", "readme.md"}


def test_a_page_that_states_its_edition(real_data: Path) -> None:
    editions = {path.name[:3]: edition_of(path.read_text("utf-8")) for path in (real_data / "dumps").glob("*.txt")}
    assert editions == {"000": "10", "001": None, "002": None, "003": None, "004": None}

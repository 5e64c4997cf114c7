"""The small input set of the repository: every kind is there, is read without a reject, and says what it should.

Here belong checks of the files in `raw/` themselves, of their layout and of what the readers make of them. How a reader
treats other files is tested beside that reader.
"""

import csv
import importlib.util
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from pipelines.core.corrections import read_aliases, read_corrections
from pipelines.sources import datasheet_pdf, game_datacards, profiles_csv, saved_page, text_dump
from pipelines.sources.munitorum_pdf import read as read_points_pdf
from pipelines.sources.munitorum_text import read as read_points_text
from pipelines.sources.recognise import scan
from pipelines.sources.records import Kind, RawFile, ReadResult
from pipelines.sources.text import name_key
from pipelines.sources.wahapedia_csv import read_folder

RAW = Path(__file__).resolve().parents[2] / "raw"
PAGES = sorted((RAW / "pages").glob("*.txt"))
SHEET_PAGES = [path for path in PAGES if " – " in path.read_text(encoding="utf-8").split("\n", 1)[0]]
EXPORT = RAW / "wahapedia_csv"
WEAPON_KEYWORDS = {
    "anti",
    "assault",
    "blast",
    "conversion",
    "devastating wounds",
    "extra attacks",
    "hazardous",
    "heavy",
    "ignores cover",
    "indirect fire",
    "lance",
    "lethal hits",
    "melta",
    "one shot",
    "pistol",
    "precision",
    "psychic",
    "rapid fire",
    "sustained hits",
    "torrent",
    "twin-linked",
}
PROFILES_HEADER = (
    "book,datasheet,profile,movement_in,toughness,save,invulnerable_save,invulnerable_versus,wounds,leadership,"
    "objective_control,feel_no_pain,models,points,keywords,source"
)


def raw_file(path: Path, kind: Kind) -> RawFile:
    """Describe a file of the set as the build would."""
    return RawFile(path.name, path.relative_to(RAW).as_posix(), kind, "0" * 64, 1)


def read_page(path: Path) -> ReadResult:
    return text_dump.read(path.read_bytes(), raw_file(path, "text_dump"))


@pytest.fixture(scope="module")
def pages() -> dict[str, ReadResult]:
    """What the reader makes of each page, by file name."""
    return {path.name: read_page(path) for path in PAGES}


# --- the folder as a whole ------------------------------------------------------------------------------------------


def test_every_kind_of_input_is_there_and_nothing_is_unrecognised() -> None:
    kinds = Counter(unit.kind for unit in scan(RAW))
    assert kinds == {
        "text_dump": len(PAGES),
        "profiles_csv": 2,
        "wahapedia_csv": 1,
        "game_datacards": 2,
        "saved_page": 1,
        "munitorum_text": 2,
        "munitorum_pdf": 1,
        "datasheet_pdf": 1,
        "config": 5,
    }


def test_the_manifest_names_every_file() -> None:
    rows = list(csv.DictReader((RAW / "manifest.csv").read_text(encoding="utf-8").splitlines()))
    named = {path for row in rows for path in RAW.glob(row["path"])}
    there = {path for path in RAW.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert there - named == {RAW / "README.md", RAW / "manifest.csv"}
    assert all(any(RAW.glob(row["path"])) for row in rows)


def test_the_pdfs_are_what_their_script_makes_byte_for_byte(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("make_pdfs", RAW / "make_pdfs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_bytes() for path in (RAW / "pdf").iterdir()}
    assert made == kept


def test_aliases_and_corrections_can_be_read() -> None:
    aliases = read_aliases((RAW / "aliases.csv").read_text(encoding="utf-8"), "aliases.csv")
    assert aliases["sanctuary-guardians", name_key("Battle Sister Squad")] == "Battle Sisters Squad"
    corrections = read_corrections((RAW / "corrections.yml").read_text(encoding="utf-8"), "corrections.yml")
    assert [(c.table, c.action, c.values) for c in corrections] == [
        ("core.weapon_profile", "set", {"armour_penetration": -1})
    ]


# --- pages ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_pages_print_each_weapon_row_twice_and_each_stratagem_block_twice(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    heads = [line for line in lines if line.startswith("| ") and line.endswith(" | |||||||")]
    rows = [line for line in lines if re.fullmatch(r"\| .+(?: \| [^|]+){6} \| \|", line)]
    assert [row.split(" | ")[0] for row in rows] == [head.removesuffix(" | |||||||") for head in heads]
    targets = Counter(line for line in lines if line.startswith("TARGET: "))
    assert targets
    assert all(count % 2 == 0 for count in targets.values())


@pytest.mark.parametrize("name", [path.name for path in PAGES])
def test_pages_are_read_without_a_reject(pages: dict[str, ReadResult], name: str) -> None:
    assert [reject.text for reject in pages[name].rejects] == []


@pytest.mark.parametrize("path", SHEET_PAGES, ids=lambda path: path.stem)
def test_a_page_gives_the_datasheet_of_its_title(pages: dict[str, ReadResult], path: Path) -> None:
    faction, name = path.read_text(encoding="utf-8").split("\n", 1)[0].split(" – ")
    sheet = pages[path.name].tables["datasheet"]
    assert [(row["name"], row["faction"], row["is_combat_patrol"]) for row in sheet] == [(name, faction, False)]


def test_the_book_gives_its_two_datasheets_although_they_have_no_headings(pages: dict[str, ReadResult]) -> None:
    tables = pages["wardens_of_korvath.txt"].tables
    assert [(row["name"], row["is_combat_patrol"]) for row in tables["datasheet"]] == [
        ("Captain Varro Thane", True),
        ("Korvath Line-squad", True),
    ]
    assert (
        sum(row["max_models"] for row in tables["composition"] if row["sheet"] == tables["datasheet"][1]["sheet"]) == 10
    )


def test_every_weapon_keyword_appears_on_some_page(pages: dict[str, ReadResult]) -> None:
    found = {
        keyword["keyword"]
        for result in pages.values()
        for weapon in result.tables["weapon_profile"]
        for keyword in weapon["keywords"]
    }
    assert found >= WEAPON_KEYWORDS


def test_unbracketed_keywords_are_read_like_bracketed_ones(pages: dict[str, ReadResult]) -> None:
    weapons = {row["weapon"]: row for row in pages["whirlwind.txt"].tables["weapon_profile"]}
    launcher = weapons["Whirlwind vengeance launcher"]
    assert [keyword["keyword"] for keyword in launcher["keywords"]] == ["blast", "indirect fire"]
    assert weapons["Storm bolter"]["keywords"][0]["value"] == "2"


def test_abilities_glued_to_each_other_are_two(pages: dict[str, ReadResult]) -> None:
    names = [row["name"] for row in pages["blade_champion.txt"].tables["ability"] if row["kind"] == "datasheet"]
    assert names == ["Swift Onslaught", "Martial Inspiration"]


def test_damaged_models_say_so(pages: dict[str, ReadResult]) -> None:
    damaged = {
        name: row["value"]
        for name, result in pages.items()
        for row in result.tables["ability"]
        if row["kind"] == "damaged"
    }
    assert damaged == {
        "cerastus_knight_lancer.txt": "1-10",
        "deimos_predator.txt": "1-4",
        "gladiator_lancer.txt": "1-4",
        "doomsday_ark.txt": "1-5",
        "whirlwind.txt": "1-4",
    }


# --- characteristics ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pages/profiles.csv", "profiles/real_pages.csv"])
def test_profiles_have_the_fixed_header_and_are_read_whole(name: str) -> None:
    path = RAW / name
    text = path.read_text(encoding="utf-8")
    assert text.split("\n", 1)[0] == PROFILES_HEADER
    result = profiles_csv.read(path.read_bytes(), raw_file(path, "profiles_csv"))
    assert result.rejects == []
    assert len(result.tables["model_profile"]) == len(text.splitlines()) - 1


def test_every_page_has_its_characteristics(pages: dict[str, ReadResult]) -> None:
    path = RAW / "pages" / "profiles.csv"
    rows = csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    kept = {(name_key(row["book"]), name_key(row["datasheet"])) for row in rows}
    needed = {
        (name_key(row["faction"] if not row["is_combat_patrol"] else row["book"]), name_key(row["name"]))
        for result in pages.values()
        for row in result.tables["datasheet"]
    }
    assert kept == needed


# --- exports, cards, saved page -------------------------------------------------------------------------------------


def test_the_export_has_the_quirks_of_an_export_and_no_loose_ends() -> None:
    tables = {path.stem: path.read_bytes() for path in EXPORT.glob("*.csv")}
    assert len(tables) == 20
    for data in tables.values():
        assert data.startswith(b"\xef\xbb\xbf")
        assert data.endswith(b"|\r\n")
    result = read_folder(
        {path.name: path.read_bytes() for path in sorted(EXPORT.glob("*.csv"))}, raw_file(EXPORT, "wahapedia_csv")
    )
    assert result.rejects == []
    assert (result.edition, result.dated) == ("10", "2025-11-02")
    assert Counter(row["name"] for row in result.tables["datasheet"]) == {
        "Cinder Matriarch": 1,
        "Ash Striders": 2,
        "Slag Crawler": 1,
    }


@pytest.mark.parametrize(
    ("name", "sheets"),
    [
        ("necrons.json", ["Immortals", "Doomsday Ark"]),
        ("wardens_of_korvath.json", ["Captain Varro Thane", "Korvath Line-squad"]),
    ],
)
def test_cards_are_read_without_a_reject(name: str, sheets: list[str]) -> None:
    path = RAW / "game_datacards" / name
    assert json.loads(path.read_text(encoding="utf-8"))["compatibleDataVersion"] == 780
    result = game_datacards.read(path.read_bytes(), raw_file(path, "game_datacards"))
    assert result.rejects == []
    assert [row["name"] for row in result.tables["datasheet"]] == sheets


def test_the_saved_page_says_the_same_as_the_text_of_that_page_and_adds_characteristics(
    pages: dict[str, ReadResult],
) -> None:
    path = RAW / "saved_pages" / "immortals.html"
    saved = saved_page.read(path.read_bytes(), raw_file(path, "saved_page"))
    text = pages["immortals.txt"]
    assert saved.rejects == []
    profile = saved.tables["model_profile"][0]
    assert (profile["movement_in"], profile["toughness"], profile["save"], profile["wounds"]) == (5, 5, 3, 1)
    columns = ("weapon", "attacks", "skill", "strength", "armour_penetration", "damage", "keywords")

    def facts(result: ReadResult) -> list[list[object]]:
        return sorted(([row[column] for column in columns] for row in result.tables["weapon_profile"]), key=str)

    assert facts(saved) == facts(text)


# --- points and cards in PDF ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "version", "sizes", "enhancements"),
    [("field_manual_1.6.txt", "1.6", 21, 12), ("field_manual_3.7.txt", "3.7", 22, 12)],
)
def test_points_texts_give_every_price(name: str, version: str, sizes: int, enhancements: int) -> None:
    path = RAW / "munitorum" / name
    result = read_points_text(path.read_bytes(), raw_file(path, "munitorum_text"))
    assert result.rejects == []
    assert result.version == version
    assert len(result.tables["unit_cost"]) == sizes
    assert len(result.tables["enhancement"]) == enhancements


def test_points_pdf_gives_every_price_of_its_three_columns() -> None:
    path = RAW / "pdf" / "field_manual_4.0.pdf"
    result = read_points_pdf(path.read_bytes(), raw_file(path, "munitorum_pdf"))
    assert result.rejects == []
    assert result.version == "4.0"
    prices = {(row["name"], row["models"], row["condition"]): row for row in result.tables["unit_cost"]}
    assert len(prices) == 26
    assert prices["Shield-Captain in Allarus Terminator Armour", 1, None]["points"] == 130
    assert prices["Custodian Guard", 5, None]["change"] == 10
    assert len(result.tables["enhancement"]) == 12


def test_the_card_gives_profile_weapons_and_abilities() -> None:
    path = RAW / "pdf" / "cinder_colossus.pdf"
    result = datasheet_pdf.read(path.read_bytes(), raw_file(path, "datasheet_pdf"))
    assert result.rejects == []
    profile = result.tables["model_profile"][0]
    assert [profile[c] for c in ("movement_in", "toughness", "save", "wounds", "leadership", "objective_control")] == [
        8,
        11,
        3,
        18,
        7,
        6,
    ]
    assert (profile["invulnerable_save"], profile["invulnerable_versus"]) == (5, "ranged")
    weapons = [(row["weapon"], row["profile"], row["attacks"]) for row in result.tables["weapon_profile"]]
    assert weapons == [
        ("Furnace cannon", "burst", "D6+3"),
        ("Furnace cannon", "lance of fire", "2"),
        ("Ash mortar", None, "6"),
        ("Vent flamers", None, "2D6"),
        ("Molten fists", "crush", "5"),
        ("Molten fists", "sweep", "15"),
    ]
    mortar = result.tables["weapon_profile"][2]
    assert [keyword["keyword"] for keyword in mortar["keywords"]] == ["heavy", "indirect fire", "twin-linked"]
    kinds = Counter(row["kind"] for row in result.tables["ability"])
    assert kinds == {"core": 1, "faction": 1, "datasheet": 1, "damaged": 1}

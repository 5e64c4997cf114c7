"""Kinds of files by their content, units of a folder, editions."""

import json
import os
from pathlib import Path

import pytest
from fpdf import FPDF
from hypothesis import given
from hypothesis import strategies as st

from pipelines.sources.edition import edition_evidence, edition_of
from pipelines.sources.profiles_csv import COLUMNS
from pipelines.sources.recognise import Unit, decode_text, export_table, identify, recognise, scan

DUMP = """Moss Wardens – Fern Guard
RANGED WEAPONS | RANGE | A | BS | S | AP | D | |
| Bark gun [assault] | 24" | 2 | 3+ | 4 | 0 | 1 | |
ABILITIES
CORE: Deep Strike
UNIT COMPOSITION
- 3-6 Fern Guard
3 models | 90 |
KEYWORDS: INFANTRY, FERN GUARD
"""
BOOK = "Moss Patrol\nBooks\n| Book | Kind | Edition | Version | Last update |\n| Moss Patrol | Index | 10 | June 2031 | |\n"
MANUAL = "MUNITORUM\nFIELD MANUAL\nVERSION 4.7\n1\nMOSS\nFern Guard\n3 models ...... 90 pts\n"
PAGE = "<!DOCTYPE html><html><head><title>Fern Guard</title></head><body><div class='x'>UNIT COMPOSITION</div></body></html>"
ERROR_PAGE = "<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1>wahapedia</body></html>"
CARDS = json.dumps({"name": "Moss", "datasheets": []})


def pdf(*lines: str) -> bytes:
    document = FPDF(unit="pt", format=(600, 800))
    document.add_page()
    document.set_font("helvetica", "", 9)
    for number, line in enumerate(lines):
        document.text(40, 60 + 14 * number, line)
    return bytes(document.output())


def encrypted() -> bytes:
    document = FPDF()
    document.add_page()
    document.set_font("helvetica", "", 9)
    document.text(20, 20, "MUNITORUM FIELD MANUAL")
    document.set_encryption(owner_password="a", user_password="b")
    return bytes(document.output())


KINDS = [
    (DUMP.encode(), "text_dump"),
    (BOOK.encode(), "text_dump"),
    (DUMP.replace("\n", "\r\n").encode("utf-8-sig"), "text_dump"),
    (DUMP.encode("utf-16"), "text_dump"),
    (DUMP.encode("cp1252"), "text_dump"),
    (DUMP.split("ABILITIES", 1)[1].encode(), "text_dump"),
    (MANUAL.encode(), "munitorum_text"),
    (MANUAL.split("\n", 4)[4].encode(), "munitorum_text"),
    (b"MUNITORUM FIELD MANUAL 2030 MK II\nFern Guard\nUnit cost ...... 20 pts/model\n", "munitorum_text"),
    (PAGE.encode(), "saved_page"),
    (CARDS.encode(), "game_datacards"),
    (json.dumps([{"faction_id": "X", "enhancements": []}]).encode(), "game_datacards"),
    (json.dumps({"combatPatrols": [{"id": "1"}]}).encode(), "game_datacards"),
    (CARDS[:-2].encode(), "game_datacards"),
    (",".join(COLUMNS).encode() + b"\n", "profiles_csv"),
    (";".join(COLUMNS).encode("utf-8-sig"), "profiles_csv"),
    ("\ufeffid|name|link|\n1|Moss|x|\n".encode(), "wahapedia_csv"),
    (pdf("MUNITORUM FIELD MANUAL", "VERSION 4.7"), "munitorum_pdf"),
    (pdf("Fern Guard", "3 models ..... 90 pts"), "munitorum_pdf"),
    (pdf("FERN GUARD", "M T SV W LD OC", "RANGED WEAPONS RANGE A BS S AP D"), "datasheet_pdf"),
]


@pytest.mark.parametrize("name", ["a.txt", "points.pdf", "x.json", "Datasheets.csv", "noextension"])
@pytest.mark.parametrize(("data", "kind"), KINDS)
def test_the_content_decides_and_not_the_name(data: bytes, kind: str, name: str) -> None:
    assert recognise(data, name) == kind


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"\0\1\2\3\4" * 100, "binary"),
        (ERROR_PAGE.encode(), "an error page instead of the page that was wanted ('404 Not Found')"),
        (b"<html><head><title>Just a moment...</title></head><body></body></html>", "an error page"),
        (b"<html><body>My garden</body></html>", "a web page without datasheets"),
        (b"404 Not Found\nThe page is gone.\n", "an error page"),
        (b"A letter to my gardener about moss.", "text of no known kind"),
        (b'{"moss": 1}', "JSON without datasheets"),
        (b"colour,height,width\nred,1,2\n", "a table with the unknown header colour, height, width"),
        (b"PK\x03\x04abc", "archive"),
        (b"\x89PNG\r\n\x1a\n", "picture"),
        (b"%PDF-1.7\nnothing", "PDF"),
        (pdf(), "a PDF of pictures without text"),
        (pdf("A letter to my gardener about the moss on the roof."), "neither points nor datasheet cards"),
        (pdf("MUNITORUM FIELD MANUAL")[:300], "PDF"),
        (encrypted(), "an encrypted PDF: save a copy without a password"),
    ],
)
def test_what_is_no_known_kind_says_why(data: bytes, words: str) -> None:
    found = identify(data, "points.pdf")
    assert found.kind == "unrecognised"
    assert words in (found.reason or "")


@given(st.binary(max_size=300))
def test_any_bytes_have_a_kind(data: bytes) -> None:
    assert identify(data, "x").kind
    assert identify(b"%PDF-1.4\n" + data, "x").kind == "unrecognised"


@given(st.text(max_size=200))
def test_text_in_utf_8_is_decoded_as_written(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    decoded = decode_text(text.encode())
    if not any(ord(letter) < 32 for letter in text):
        assert decoded == plain


TABLES = {
    "Datasheets": "id|name|faction_id|source_id|legend|role|loadout|transport|virtual|link|",
    "Datasheets_models": "W|T|M|name|line|datasheet_id|Sv|Ld|OC|",
    "Datasheets_wargear": "datasheet_id|line|name|range|type|A|BS_WS|S|AP|D|description|",
    "Datasheets_unit_composition": "datasheet_id|line|description|",
    "Datasheets_models_cost": "datasheet_id|line|description|cost|",
    "Stratagems": "faction_id|name|id|type|cp_cost|legend|turn|phase|detachment|description|",
    "Enhancements": "faction_id|id|name|cost|detachment|legend|description|",
    "Detachment_abilities": "id|faction_id|name|legend|description|detachment|",
    "Abilities": "id|name|legend|faction_id|description|",
    "Factions": "id|name|link|",
    "Last_update": "last_update|",
    "Source": "id|name|type|edition|version|errata_date|errata_link|",
}


@pytest.mark.parametrize(("table", "header"), TABLES.items())
def test_tables_of_an_export_are_told_by_their_header(table: str, header: str) -> None:
    assert export_table(f"\ufeff{header}\r\n".encode()) == table
    reordered = "|".join(reversed(header.rstrip("|").split("|"))) + "|"
    assert export_table(reordered.encode()) == table


def fill(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def export(*tables: str) -> dict[str, bytes]:
    return {f"{table}.csv": f"{TABLES[table]}\n".encode() for table in tables}


def test_an_export_folder_is_one_unit_and_other_files_stay_apart(tmp_path: Path) -> None:
    fill(tmp_path, {f"full/{name}": data for name, data in export("Factions", "Datasheets").items()})
    fill(tmp_path, {"full/notes.csv": b"colour,height,width\n", "full/hand.csv": ",".join(COLUMNS).encode()})
    fill(tmp_path, {"pages/guard.txt": DUMP.encode(), "README.md": b"# what is here", "broken.json": b"{"})
    fill(tmp_path, {"manifest.csv": b"path,kind,what,dated\n", "sub/README.md": b"# other"})
    units = scan(tmp_path)
    assert [(unit.kind, unit.path) for unit in units] == [
        ("config", "README.md"),
        ("unrecognised", "broken.json"),
        ("wahapedia_csv", "full"),
        ("profiles_csv", "full/hand.csv"),
        ("unrecognised", "full/notes.csv"),
        ("config", "manifest.csv"),
        ("text_dump", "pages/guard.txt"),
        ("unrecognised", "sub/README.md"),
    ]
    assert units[2].files == ("full/Datasheets.csv", "full/Factions.csv")
    assert units[2].tables == ("Datasheets.csv", "Factions.csv")


def test_the_raw_folder_may_be_the_export_itself(tmp_path: Path) -> None:
    fill(tmp_path, export("Factions", "Abilities"))
    assert [(unit.kind, unit.path, unit.files) for unit in scan(tmp_path)] == [
        ("wahapedia_csv", ".", ("Abilities.csv", "Factions.csv"))
    ]


def test_renamed_tables_keep_their_meaning_and_second_ones_are_listed(tmp_path: Path) -> None:
    fill(tmp_path, {"a.csv": export("Factions")["Factions.csv"], "Abilities.csv": export("Abilities")["Abilities.csv"]})
    fill(tmp_path, {"Abilities (1).csv": export("Abilities")["Abilities.csv"]})
    units = {unit.path: unit for unit in scan(tmp_path)}
    assert units["."].files == ("Abilities.csv", "a.csv")
    assert units["."].tables == ("Abilities.csv", "Factions.csv")
    assert "a second Abilities table beside Abilities.csv" in (units["Abilities (1).csv"].reason or "")


def test_two_exports_are_two_units(tmp_path: Path) -> None:
    for place in ("2030", "2031"):
        fill(tmp_path, {f"{place}/{name}": data for name, data in export("Factions").items()})
    assert [unit.path for unit in scan(tmp_path)] == ["2030", "2031"]


def test_configuration_is_told_at_the_top_and_only_where_it_is_no_data(tmp_path: Path) -> None:
    fill(tmp_path, {"aliases.csv": b"# spellings\nfaction,printed_name,name\n", "corrections.yml": b"[]\n"})
    fill(tmp_path, {"deep/aliases.csv": b"faction,printed_name,name\n"})
    kinds = {unit.path: unit.kind for unit in scan(tmp_path)}
    assert kinds == {"aliases.csv": "config", "corrections.yml": "config", "deep/aliases.csv": "unrecognised"}
    assert recognise(DUMP.encode(), "README.md") == "text_dump"


def test_links_are_listed_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    raw = tmp_path / "raw"
    fill(outside, {"secret.txt": DUMP.encode()})
    fill(raw, {"guard.txt": DUMP.encode()})
    (raw / "link.txt").symlink_to(outside / "secret.txt")
    (raw / "folder").symlink_to(outside, target_is_directory=True)
    (raw / "loop").symlink_to(raw, target_is_directory=True)
    (raw / "broken").symlink_to(raw / "nowhere")
    units = scan(raw)
    assert [(unit.path, unit.kind) for unit in units] == [
        ("broken", "unrecognised"),
        ("folder", "unrecognised"),
        ("guard.txt", "text_dump"),
        ("link.txt", "unrecognised"),
        ("loop", "unrecognised"),
    ]
    assert all("a link: not followed" in (unit.reason or "") for unit in units if unit.kind == "unrecognised")


def test_what_cannot_be_read_is_listed_with_its_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, {"guard.txt": DUMP.encode(), "locked.txt": DUMP.encode()})
    os.mkfifo(tmp_path / "pipe")
    plain = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "locked.txt":
            raise PermissionError(13, "Permission denied")
        return plain(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert scan(tmp_path) == [
        Unit("text_dump", "guard.txt", ("guard.txt",)),
        Unit("unrecognised", "locked.txt", ("locked.txt",), reason="cannot be read: Permission denied"),
        Unit("unrecognised", "pipe", ("pipe",), reason="neither a file nor a folder"),
    ]


def test_a_scan_gives_the_same_units_each_time(tmp_path: Path) -> None:
    for name in ("b/x.txt", "a/y.txt", "B/z.txt", "a.txt", "a-b/q.txt"):
        fill(tmp_path, {name: DUMP.encode()})
    assert scan(tmp_path) == scan(tmp_path)
    assert [unit.path for unit in scan(tmp_path)] == sorted(unit.path for unit in scan(tmp_path))


@pytest.mark.parametrize(
    ("text", "edition"),
    [
        (BOOK, "10"),
        (BOOK.replace("| 10 |", "| 9 |"), "9"),
        (BOOK.replace("| 10 |", "| 11 |"), "11"),
        (BOOK + "| Old Moss | Codex | 9 | 2020 | |\n", None),
        ("The moss game, Tenth Edition", "10"),
        ("for the 11th edition", "11"),
        ("Edition: 9", "9"),
        ("Edition 11\n", "11"),
        ("a link to /wh40k10ed/factions", "10"),
        ("the 10th edition, and before it the 9th edition", None),
        ("in the 1st edition of 1987", None),
        ("Each detachment has one Force Disposition.", "11"),
        ("| M | WS | BS | S | T | W | A | Ld | Sv |", "9"),
        ("Unit cost ...... 20 pts/model", "9"),
        ("MUNITORUM FIELD MANUAL\n2030 MK II\n", "9"),
        ("Fern Guard, 3 models", None),
        ("", None),
    ],
)
def test_editions(text: str, edition: str | None) -> None:
    assert edition_of(text) == edition


def test_a_table_of_books_outweighs_a_mention() -> None:
    evidence = edition_evidence(BOOK + "\nLoved since the 9th edition.\n")
    assert evidence is not None
    assert evidence.edition == "10"
    assert evidence.passage == "| Moss Patrol | Index | 10 | June 2031 | |"

"""Points lists as text: invented armies in the format of the manual."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.sources.munitorum_text import read
from pipelines.sources.points_list import parse_mixed_size, parse_price, parse_size, title_case
from pipelines.sources.records import RawFile, ReadResult

LIST = """MUNITORUM
FIELD MANUAL
VERSION 4.7
Prices of the armies of this test. A unit of five that grows pays for ten.
Growing and shrinking
Whatever changed is told in brackets before the price, in the colour of moss
or of rust.
CONTENTS
Moss Wardens ................................................. 2
Rust Choir\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd 3
PRODUCED BY THE TEST STUDIO
Field Manual © Nobody 2031.
1
CODEX: MOSS WARDENS
Bark Sentinel
1 model 65 pts
Fern Guard
4 models (+10) 160 pts
5 models ........(-5) 200 pts
Keeper in
Lichen Armour
1 model\ufffd\ufffd\ufffd\ufffd\ufffd130 pts
GROVE SPIRITS
Sapling
3 models 1,040 pts
FORGE WORLD POINTS VALUES
Moss-crawler
1 model ..........................................................2200 pts
DETACHMENT ENHANCEMENTS
Deep Roots
Green Crown 25 pts
Thorn of
the First Spring 15 pts
Quiet Grove
Dew Cloak (+5) 10 pts
2
CODEX: RUST CHOIR
Cantor Squad
1 Precentor, 5 Cantors
and 4 Novices 150 pts
1 Precentor and 9 Cantors 170 pts
Scrap Swarm
10-11 models 110 pts
Walker Pack
3 models 80 pts
Scout Walker +60 pts
3
LEGENDS FIELD MANUAL
WARHAMMER LEGENDS
The armies below are old. Ask before you bring them.
MOSS WARDENS
X-7
1 model 40 pts
4
"""


def read_text(text: str, name: str = "list.txt") -> ReadResult:
    data = text.encode()
    return read(data, RawFile("0" * 16, name, "munitorum_text", "0" * 64, len(data)))


def costs(result: ReadResult) -> list[tuple[object, ...]]:
    return [
        (row["faction"], row["name"], row["models"], row["points"], row["change"], row["condition"], row["is_legends"])
        for row in result.rows("unit_cost")
    ]


def test_a_whole_list() -> None:
    result = read_text(LIST)
    assert costs(result) == [
        ("Moss Wardens", "Bark Sentinel", 1, 65, None, None, False),
        ("Moss Wardens", "Fern Guard", 4, 160, 10, None, False),
        ("Moss Wardens", "Fern Guard", 5, 200, -5, None, False),
        ("Moss Wardens", "Keeper in Lichen Armour", 1, 130, None, None, False),
        ("Moss Wardens", "Sapling", 3, 1040, None, None, False),
        ("Moss Wardens", "Moss-crawler", 1, 2200, None, None, False),
        ("Rust Choir", "Cantor Squad", 10, 150, None, "1 Precentor, 5 Cantors and 4 Novices", False),
        ("Rust Choir", "Cantor Squad", 10, 170, None, "1 Precentor and 9 Cantors", False),
        ("Rust Choir", "Scrap Swarm", 11, 110, None, None, False),
        ("Rust Choir", "Walker Pack", 3, 80, None, None, False),
        ("Rust Choir", "Walker Pack", None, 60, None, "add-on: Scout Walker", False),
        ("Moss Wardens", "X-7", 1, 40, None, None, True),
    ]
    assert [(r["faction"], r["detachment"], r["name"], r["points"]) for r in result.rows("enhancement")] == [
        ("Moss Wardens", "Deep Roots", "Green Crown", 25),
        ("Moss Wardens", "Deep Roots", "Thorn of the First Spring", 15),
        ("Moss Wardens", "Quiet Grove", "Dew Cloak", 10),
    ]
    assert (result.title, result.version, result.dated, result.edition) == ("Munitorum Field Manual", "4.7", None, None)
    assert result.rejects == []
    assert "price lines: 15 seen, 15 read, 0 quarantined" in result.notices


def test_every_line_is_claimed_once_and_points_at_its_row() -> None:
    result = read_text(LIST)
    lines = LIST.split("\n")
    assert [claim.line_no for claim in result.lines] == list(range(1, len(lines) + 1))
    by_text = {lines[claim.line_no - 1]: claim for claim in result.lines}
    for text in ("Keeper in", "Lichen Armour"):
        assert by_text[text].disposition == "parsed"
        assert result.tables["unit_cost"][by_text[text].row_index]["name"] == "Keeper in Lichen Armour"  # type: ignore[index]
    for text in ("1 Precentor, 5 Cantors", "and 4 Novices 150 pts"):
        assert result.tables["unit_cost"][by_text[text].row_index]["points"] == 150  # type: ignore[index]
    assert by_text["Thorn of"].table == "enhancement"
    assert by_text["Deep Roots"].table == "enhancement"
    assert by_text["VERSION 4.7"].table == "book"
    assert by_text["Moss Wardens ................................................. 2"].disposition == "reference"
    assert by_text["CODEX: RUST CHOIR"].disposition == "decoration"
    assert by_text["4"].disposition == "decoration"
    assert by_text["The armies below are old. Ask before you bring them."].disposition == "reference"


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("4 models 160 pts", ("4 models", None, 160, False)),
        ("4 models....160 pts", ("4 models", None, 160, False)),
        ("4 models\ufffd\ufffd\ufffd160 pts", ("4 models", None, 160, False)),
        ("4 models ....(+10) 160 pts", ("4 models", 10, 160, False)),
        ("4 models (−10)160pts", ("4 models", -10, 160, False)),
        ("4 models 160 pts (+10)", ("4 models", 10, 160, False)),
        ("Blade of the 3rd Dawn ... 5 pts", ("Blade of the 3rd Dawn", None, 5, False)),
        ("Side Car ....+70 pts", ("Side Car", None, 70, True)),
        ("1 model 2,200 pts", ("1 model", None, 2200, False)),
    ],
)
def test_price_lines(printed: str, expected: tuple[object, ...]) -> None:
    price = parse_price(printed)
    assert price is not None
    assert (price.label, price.change, price.points, price.is_addition) == expected


@pytest.mark.parametrize("printed", ["4 models", "160", "", "the points (pts) of a unit", "4 models - pts"])
def test_lines_without_a_price(printed: str) -> None:
    assert parse_price(printed) is None


@pytest.mark.parametrize(
    ("label", "models"),
    [
        ("1 model", 1),
        ("10 models", 10),
        ("18-20 models", 20),
        ("20-18 models", None),
        ("0 models", None),
        ("Fern", None),
    ],
)
def test_sizes(label: str, models: int | None) -> None:
    assert parse_size(label) == models


@pytest.mark.parametrize(
    ("label", "models"),
    [
        ("1 Elder and 4 Saplings", 5),
        ("1 Elder, 4 Saplings and 5 Seeds", 10),
        ("6 Elders", 6),
        ("Elder and 4 Seeds", None),
    ],
)
def test_mixed_sizes(label: str, models: int | None) -> None:
    assert parse_mixed_size(label) == models


def test_headings_take_the_spelling_of_the_contents() -> None:
    assert title_case("T'SUN EMPIRE", {"tsunempire": "T'sun Empire"}) == "T'sun Empire"
    assert title_case("CHILDREN OF THE MOSS-QUEEN", {}) == "Children of the Moss-Queen"


TWO_LISTS = """VERSION 3.1
1
CODEX: HIRED BLADES
ARMY FACTION:
HIRED BLADES
Knife
1 model 100 pts
Needle
1 model 85 pts
2
EVERY MODEL HAS
THE COIN KEYWORD
Knife
1 model 115 pts
Needle
1 model 95 pts
3
CODEX: HOST OF GLASS
Lens
1 model 50 pts
MIRROR LEGION
Lens
1 model 60 pts
Shard
1 model 20 pts
Splinter
1 model 10 pts
Fragment
1 model 10 pts
"""


def test_two_price_lists_of_one_army_are_told_apart() -> None:
    result = read_text(TWO_LISTS)
    assert [(r["faction"], r["name"], r["points"], r["condition"]) for r in result.rows("unit_cost")] == [
        ("Hired Blades", "Knife", 100, "Army Faction: Hired Blades"),
        ("Hired Blades", "Needle", 85, "Army Faction: Hired Blades"),
        ("Hired Blades", "Knife", 115, "Every Model Has the Coin Keyword"),
        ("Hired Blades", "Needle", 95, "Every Model Has the Coin Keyword"),
        ("Host of Glass", "Lens", 50, "Codex: Host of Glass"),
        ("Host of Glass", "Lens", 60, "Mirror Legion"),
        ("Host of Glass", "Shard", 20, "Mirror Legion"),
        ("Host of Glass", "Splinter", 10, "Mirror Legion"),
        ("Host of Glass", "Fragment", 10, "Mirror Legion"),
    ]


def test_a_second_section_of_an_army_is_a_second_list() -> None:
    text = "1\nCODEX: MOSS\nFern\n1 model 10 pts\n2\nINDEX: MOSS\nFern\n1 model 12 pts\n"
    conditions = [row["condition"] for row in read_text(text).rows("unit_cost")]
    assert conditions == ["Codex: Moss", "Index: Moss"]


def test_a_list_without_prefixes_has_bare_headings_for_factions() -> None:
    text = "VERSION 1.2\n1\nMOSS WARDENS\nFern\n1 model 10 pts\n2\nRUST CHOIR\nCantor\n1 model 12 pts\n"
    assert [row["faction"] for row in read_text(text).rows("unit_cost")] == ["Moss Wardens", "Rust Choir"]


def test_a_size_printed_twice_with_two_prices_is_noticed() -> None:
    result = read_text("VERSION 1.2\n1\nMOSS\nFern\n3 models 65 pts\n3 models 120 pts\n")
    assert [row["points"] for row in result.rows("unit_cost")] == [65, 120]
    assert any("two prices for 3 models, 65 and 120" in notice for notice in result.notices)


def test_what_is_not_understood_is_quarantined_with_its_line() -> None:
    result = read_text(
        "1\nCODEX: MOSS\n5 models 65 pts\nFern\n5 models 70 pts\nper banner 10 pts\nA name alone at the end\n"
    )
    assert [(r.line_no, r.reason.split(":")[0]) for r in result.rejects] == [
        (3, "a size without a unit's name before it"),
        (6, "no size such as '5 models' before the price"),
        (7, "a name without a price"),
    ]
    assert [row["points"] for row in result.rows("unit_cost")] == [70]
    assert [claim.disposition for claim in result.lines].count("quarantined") == len(result.rejects)


def test_a_block_of_text_where_a_name_belongs_is_refused_whole() -> None:
    text = "VERSION 1.2\n1\nCODEX: MOSS\nOne\nTwo\nThree\nFour\n1 model 10 pts\n2 models 20 pts\n"
    result = read_text(text)
    assert not result.tables.get("unit_cost")
    assert {reject.line_no for reject in result.rejects} == {4, 5, 6, 7, 8, 9}


def test_version_date_and_edition() -> None:
    stated = read_text("VERSION 9.1\n14 March 2027\n10th Edition\n1\nMOSS\nFern\n1 model 10 pts\n", "MFM1.0.txt")
    assert (stated.version, stated.dated, stated.edition) == ("9.1", "2027-03-14", "10")
    named = read_text("1\nMOSS\nFern\n1 model 10 pts\n", "points/MFM3.4.txt")
    assert named.version == "3.4"
    assert any("taken from the file's name" in notice for notice in named.notices)
    silent = read_text("1\nMOSS\nFern\n1 model 10 pts\n", "points.txt")
    assert silent.version is None
    assert "the list states no version" in silent.notices


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"\0\1\2\3" * 50, b"\xff\xfe\x00\xd8", "no points here".encode("utf-16")]
)
def test_bad_files_do_not_raise(data: bytes) -> None:
    result = read(data, RawFile("0" * 16, "x.txt", "munitorum_text", "0" * 64, len(data)))
    assert not result.tables.get("unit_cost")
    assert result.rejects or result.notices


def test_other_encodings_and_line_ends() -> None:
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le"):
        data = LIST.replace("\n", "\r\n").encode(encoding)
        result = read(data, RawFile("0" * 16, "x.txt", "munitorum_text", "0" * 64, len(data)))
        assert costs(result) == costs(read_text(LIST))


LINES = LIST.split("\n")[:-1]


@given(st.data())
def test_damaged_lists_lose_no_line_and_invent_no_number(data: st.DataObject) -> None:
    lines = list(LINES)
    for _ in range(data.draw(st.integers(1, 6))):
        index = data.draw(st.integers(0, len(lines) - 1))
        action = data.draw(st.sampled_from(("delete", "repeat", "swap", "cut", "glue", "change")))
        if action == "delete" and len(lines) > 1:
            del lines[index]
        elif action == "repeat":
            lines.insert(index, lines[index])
        elif action == "swap":
            other = data.draw(st.integers(0, len(lines) - 1))
            lines[index], lines[other] = lines[other], lines[index]
        elif action == "cut":
            lines[index] = lines[index][: data.draw(st.integers(0, len(lines[index])))]
        elif action == "glue" and index + 1 < len(lines):
            lines[index] += lines.pop(index + 1)
        else:
            lines[index] += data.draw(st.text(max_size=4).filter(lambda t: not set(t) & set("\n\r")))
    text = "\n".join(lines) + "\n"
    result = read_text(text)
    count = len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    assert len(result.lines) == count or not text.strip()
    assert [claim.line_no for claim in result.lines] == list(range(1, len(result.lines) + 1))
    numbers = set(re.findall(r"\d+", text.replace(",", "")))
    for row in (*result.rows("unit_cost"), *result.rows("enhancement")):
        assert str(row["points"]) in numbers or any(n.lstrip("0") == str(row["points"]) or int(n) == 0 for n in numbers)
    refused = {claim.line_no for claim in result.lines if claim.disposition == "quarantined"}
    assert refused <= {reject.line_no for reject in result.rejects}

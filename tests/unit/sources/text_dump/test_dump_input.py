"""Any input at all: bad files, mutated pages, many pages in one file, blocks in any order."""

import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from unit.sources.text_dump import samples
from unit.sources.text_dump.samples import BOOK, PAGE, facts, read_bytes, read_text, rows

from pipelines.sources.records import ReadResult

LIMITS = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}


def numbers_in(text: str) -> set[int]:
    named = {_NUMBERS[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _NUMBERS}
    return {int(number) for number in re.findall(r"\d+", text)} | named


def check_claims(result: ReadResult, text: str) -> None:
    """Every line has one claim, every claim of a row has its row, every quarantined line its reject."""
    assert [claim.line_no for claim in result.lines] == list(range(1, text.count("\n") + 2))
    refused = {reject.line_no for reject in result.rejects}
    for claim in result.lines:
        if claim.table is not None:
            assert claim.row_index is not None
            assert 0 <= claim.row_index < len(result.tables[claim.table])
        if claim.disposition in ("parsed", "repeat"):
            assert claim.table is not None
        if claim.disposition == "quarantined":
            assert claim.line_no in refused
        if not text.split("\n")[claim.line_no - 1].strip():
            assert claim.disposition == "decoration"
    for table in result.tables.values():
        for row in table:
            assert result.lines[row["line_no"] - 1].disposition in ("parsed", "repeat")


def check_numbers(result: ReadResult, text: str) -> None:
    """No characteristic, price or size that the line it comes from does not print."""
    lines = text.split("\n")
    for row in result.rows("weapon_profile"):
        printed = numbers_in(lines[row["line_no"] - 1])
        for name in ("range_in", "skill", "armour_penetration", "attacks", "strength", "damage"):
            value = row[name]
            assert value is None or {abs(int(part)) for part in re.findall(r"\d+", str(value))} <= printed | {3, 6}
        assert row["range_in"] is None or row["range_in"] in printed
        assert -row["armour_penetration"] in printed
    for row in result.rows("unit_cost"):
        assert row["points"] in numbers_in(lines[row["line_no"] - 1])
        assert row["condition"] or row["models"] in numbers_in(lines[row["line_no"] - 1])
    for row in result.rows("stratagem"):
        assert any(row["cp"] in numbers_in(line) for line in lines[row["line_no"] - 1 : row["line_no"] + 4])


LETTERS = st.characters(codec="utf-8", exclude_characters="\r\n")
MUTATION = st.tuples(
    st.sampled_from(["delete", "repeat", "swap", "cut", "glue", "change", "insert", "blank"]),
    st.integers(0, 10_000),
    st.integers(0, 10_000),
    LETTERS,
)


def mutate(text: str, mutations: list[tuple[str, int, int, str]]) -> str:
    lines = text.split("\n")
    for kind, first, second, letter in mutations:
        place = first % len(lines)
        other = second % len(lines)
        line = lines[place]
        column = second % (len(line) + 1)
        if kind == "delete" and len(lines) > 1:
            del lines[place]
        elif kind == "repeat":
            lines.insert(place, line)
        elif kind == "swap":
            lines[place], lines[other] = lines[other], lines[place]
        elif kind == "cut":
            lines[place] = line[:column]
        elif kind == "glue" and place + 1 < len(lines):
            lines[place : place + 2] = [line + lines[place + 1]]
        elif kind == "change":
            lines[place] = line[:column] + letter + line[column + 1 :]
        elif kind == "insert":
            lines[place] = line[:column] + letter + line[column:]
        elif kind == "blank":
            lines.insert(place, " \t")
    return "\n".join(lines)


@LIMITS
@given(st.sampled_from([PAGE, BOOK]), st.lists(MUTATION, min_size=1, max_size=14))
def test_a_damaged_page_is_read_as_far_as_it_goes(page: str, mutations: list[tuple[str, int, int, str]]) -> None:
    text = mutate(page, mutations)
    result = read_text(text)
    check_claims(result, text)
    check_numbers(result, text)


@LIMITS
@given(st.binary(max_size=400) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_read(data: bytes) -> None:
    result = read_bytes(data)
    assert result.lines
    assert read_bytes(data) == result


@LIMITS
@given(st.permutations(samples.SHEET), st.permutations(samples.RULES))
def test_the_order_of_blocks_does_not_matter(sheet: list[str], rules: list[str]) -> None:
    result = read_text(samples.TITLE, *sheet, *rules)
    assert facts(result) == facts(read_text(PAGE))
    assert result.rejects == []


@LIMITS
@given(st.permutations([*samples.SHEET, *samples.RULES]))
def test_rules_may_stand_between_the_sections_of_a_sheet(blocks: list[str]) -> None:
    found = facts(read_text(samples.TITLE, *blocks))
    expected = facts(read_text(PAGE))
    assert found == expected


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("weapon_profile", ("weapon", "profile", "attack_type", "range_in", "attacks", "skill", "strength", "damage")),
        ("unit_cost", ("models", "points", "condition")),
        ("composition", ("model", "min_models", "max_models")),
        ("datasheet_stratagem", ("name", "detachment", "type", "cp")),
        ("stratagem", ("name", "detachment", "type", "cp")),
        ("army_rule", ("name", "parent")),
    ],
)
def test_a_missing_line_never_moves_a_fact(table: str, columns: tuple[str, ...]) -> None:
    """Whichever single line is missing, what is still read is what the whole page says."""
    lines = PAGE.split("\n")
    whole = {tuple(row[column] for column in columns) for row in read_text(PAGE).rows(table)}
    for place in range(len(lines)):
        result = read_text(*lines[:place], *lines[place + 1 :])
        said = {tuple(row[column] for column in columns) for row in result.rows(table)}
        assert said <= whole, f"without '{lines[place]}'"


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("weapon_profile", ("sheet", "weapon", "attack_type", "attacks", "skill", "strength", "damage")),
        ("equipment", ("sheet", "model", "models", "item", "n")),
        ("ability", ("sheet", "kind", "name", "value")),
        ("datasheet", ("name", "book", "faction", "is_combat_patrol")),
        ("enhancement", ("name", "detachment")),
        ("secondary_objective", ("name", "text")),
    ],
)
def test_a_missing_line_never_moves_a_fact_to_another_sheet(table: str, columns: tuple[str, ...]) -> None:
    """The same for a book with two datasheets: nothing of one sheet comes to stand on the other."""
    lines = BOOK.split("\n")
    whole = {tuple(row[column] for column in columns) for row in read_text(BOOK).rows(table)}
    for place in range(len(lines)):
        result = read_text(*lines[:place], *lines[place + 1 :])
        said = {tuple(row[column] for column in columns) for row in result.rows(table)}
        assert said <= whole, f"without line {place + 1}: '{lines[place]}'"


def test_prints_that_disagree_are_a_loss() -> None:
    lines = PAGE.split("\n")
    wrapped = lines.index('again, up to 3".')
    (row,) = rows(read_text(*lines[:wrapped], *lines[wrapped + 1 :]), "stratagem", name="SPRING TIDE")
    assert row["has_lost_text"]


def test_empty_file() -> None:
    result = read_bytes(b"")
    assert [claim.disposition for claim in result.lines] == ["decoration"]
    assert result.tables == {} and "empty" in result.notices[0]


def test_binary_file() -> None:
    data = bytes(range(256)) * 20
    result = read_bytes(data)
    assert result.tables == {}
    assert len(result.lines) == data.count(b"\n") + 1
    assert "no text" in result.rejects[0].reason


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_other_encodings(encoding: str) -> None:
    text = PAGE.replace("➤ ", "")
    assert facts(read_bytes(text.encode(encoding))) == facts(read_text(text))


def test_line_ends_of_other_systems() -> None:
    assert facts(read_bytes(PAGE.replace("\n", "\r\n").encode())) == facts(read_text(PAGE))


def test_an_error_page_is_named() -> None:
    result = read_text("404 Not Found", "The page you look for has sailed.")
    assert any("error page" in notice for notice in result.notices)
    assert result.tables == {}
    assert {claim.disposition for claim in result.lines} == {"quarantined"}


def test_headings_on_a_page_without_a_datasheet_are_no_glossary() -> None:
    result = read_text("About Us", "We sail.", samples.HAZARDOUS)
    assert [row["name"] for row in result.rows("rule")] == ["Hazardous"]
    assert [reject.line_no for reject in result.rejects] == [1, 2]


def test_a_page_of_rules_is_named() -> None:
    result = read_text("Tide Wardens", samples.SPRING_TIDE, samples.MOONLIT_PULL)
    assert any("without a datasheet" in notice for notice in result.notices)
    assert len(rows(result, "stratagem")) == 1


def test_any_other_text_is_quarantined_with_reasons() -> None:
    text = "dear diary, today it rained;\nand again."
    result = read_text(text)
    assert [claim.disposition for claim in result.lines] == ["quarantined"] * 2
    assert [reject.line_no for reject in result.rejects] == [1, 2]
    assert any("no datasheet page" in notice for notice in result.notices)


def test_a_truncated_table() -> None:
    text = PAGE[: PAGE.index("MELEE WEAPONS") - 20] + "\n" + samples.KEYWORDS
    result = read_text(text)
    assert [row["profile"] for row in result.rows("weapon_profile")] == ["gush", "lance"]
    assert {reject.line_no for reject in result.rejects} == {7, 8}


def test_several_pages_in_one_file() -> None:
    other = PAGE.replace("Reef Guard", "Tide Guard").replace("| 5 models | 90 |", "| 5 models | 95 |")
    text = "\n".join((PAGE, other, BOOK))
    result = read_text(text)
    assert result.rejects == []
    check_claims(result, text)
    assert [row["name"] for row in result.rows("datasheet")] == ["Reef Guard", "Tide Guard", "Old Salt", "Divers"]
    assert [(row["sheet"], row["points"]) for row in result.rows("unit_cost")] == [
        ("Reef Guard", 90),
        ("Reef Guard", 180),
        ("Tide Guard", 95),
        ("Tide Guard", 180),
    ]
    single = Counter(facts(read_text(PAGE))["stratagem"])
    assert single <= Counter(facts(result)["stratagem"])
    assert len(rows(result, "stratagem")) == len(rows(read_text(PAGE), "stratagem")) + 1


def test_pages_without_titles_in_one_file() -> None:
    page = "\n".join((*samples.SHEET, *samples.RULES))
    result = read_text(page, page.replace("REEF GUARD", "TIDE GUARD"))
    first, second = result.rows("datasheet")
    assert (first["name"], second["name"]) == ("Reef Guard", "Tide Guard")
    assert second["first_line"] == page.count("\n") + 2
    assert len(rows(result, "weapon_profile")) == 8


def test_one_sheet_twice_has_two_keys() -> None:
    keys = [row["sheet"] for row in read_text(PAGE, PAGE).rows("datasheet")]
    assert keys == ["Reef Guard", f"Reef Guard (line {PAGE.count(chr(10)) + 2})"]


def test_rows_are_where_they_are_stated() -> None:
    for page in (PAGE, BOOK):
        lines = page.split("\n")
        result = read_text(page)
        for table, column in (("stratagem", "name"), ("rule", "name"), ("weapon_profile", "weapon")):
            for row in result.rows(table):
                assert str(row[column]) in lines[row["line_no"] - 1].replace("’", "'")
        for before, after in pairwise(result.lines):
            assert after.line_no == before.line_no + 1

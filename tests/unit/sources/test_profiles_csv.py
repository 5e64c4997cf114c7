"""Characteristics kept by hand: one line a profile, errors by line and column."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.sources.profiles_csv import COLUMNS, read
from pipelines.sources.records import RawFile, ReadResult

HEADER = ",".join(COLUMNS)
GUARD = "Moss Patrol,Fern Guard,Fern Guard,6,4,3,5,ranged,2,6,2,6,3-6,120,INFANTRY;BATTLELINE,by hand"
TANK = "Necrons,Sand Barge,Sand Barge,10,9,3,,,12,7,3,,1,150,VEHICLE;FLY,by hand"


def read_text(*lines: str, header: str = HEADER, encoding: str = "utf-8", end: str = "\n") -> ReadResult:
    data = end.join((header, *lines, "")).encode(encoding)
    return read(data, RawFile("0" * 16, "p.csv", "profiles_csv", "0" * 64, len(data)))


def pick(result: ReadResult, table: str, *names: str) -> list[tuple[object, ...]]:
    return [tuple(row[name] for name in names) for row in result.rows(table)]


def test_a_file_gives_sheets_profiles_sizes_prices_and_keywords() -> None:
    result = read_text(GUARD, TANK)
    assert result.rejects == []
    assert pick(result, "datasheet", "name", "book", "faction", "is_combat_patrol", "first_line") == [
        ("Fern Guard", "Moss Patrol", None, True, 2),
        ("Sand Barge", "Necrons", "Necrons", False, 3),
    ]
    assert pick(
        result,
        "model_profile",
        "profile",
        "movement_in",
        "toughness",
        "save",
        "invulnerable_save",
        "invulnerable_versus",
        "wounds",
        "leadership",
        "objective_control",
        "feel_no_pain",
    ) == [("Fern Guard", 6, 4, 3, 5, "ranged", 2, 6, 2, 6), ("Sand Barge", 10, 9, 3, None, None, 12, 7, 3, None)]
    assert pick(result, "composition", "model", "min_models", "max_models") == [
        ("Fern Guard", 3, 6),
        ("Sand Barge", 1, 1),
    ]
    assert pick(result, "unit_cost", "name", "models", "points", "condition") == [
        ("Fern Guard", 6, 120, None),
        ("Sand Barge", 1, 150, None),
    ]
    assert pick(result, "keyword", "keyword") == [("INFANTRY",), ("BATTLELINE",), ("VEHICLE",), ("FLY",)]
    assert [row["locator"] for row in result.rows("model_profile")] == ["line 2", "line 3"]


@pytest.mark.parametrize(
    ("column", "cell", "message"),
    [
        ("movement_in", '"6"""', "column movement_in: '6\"' is no movement in inches; write 6"),
        ("movement_in", "", "column movement_in: is blank"),
        ("toughness", "T4", "column toughness: 'T4' is no toughness"),
        ("toughness", "0", "column toughness: 0 is no toughness; it lies between 1 and 30"),
        ("save", "3+", "column save: '3+' is no save; write 3"),
        ("invulnerable_save", "7", "column invulnerable_save: 7 is no invulnerable save; it lies between 2 and 6"),
        ("invulnerable_versus", "shooting", "column invulnerable_versus: 'shooting' is no kind of attack"),
        ("wounds", "two", "column wounds: 'two' is no number of wounds"),
        ("leadership", "", "column leadership: is blank"),
        ("objective_control", "-1", "column objective_control: '-1' is no objective control"),
        ("feel_no_pain", "1", "column feel_no_pain: 1 is no feel no pain"),
        ("models", "6-3", "column models: '6-3' is no number of models"),
        ("points", "120 pts", "column points: '120 pts' is no price in points"),
        ("book", "", "column book: is blank; write the name"),
    ],
)
def test_a_bad_cell_rejects_its_line_and_says_what_to_write(column: str, cell: str, message: str) -> None:
    cells = GUARD.split(",")
    cells[COLUMNS.index(column)] = cell
    result = read_text(",".join(cells), TANK)
    assert [reject.line_no for reject in result.rejects] == [2]
    assert result.rejects[0].reason.startswith("line 2, ")
    assert message in result.rejects[0].reason
    assert pick(result, "datasheet", "name") == [("Sand Barge",)]


def test_all_bad_cells_of_a_line_are_named_at_once() -> None:
    cells = GUARD.split(",")
    cells[4], cells[5] = "x", "y"
    reason = read_text(",".join(cells)).rejects[0].reason
    assert "column toughness" in reason
    assert "column save" in reason


def test_a_kind_of_attack_without_a_save_is_refused() -> None:
    cells = GUARD.split(",")
    cells[6] = ""
    assert "no invulnerable_save beside it" in read_text(",".join(cells)).rejects[0].reason


def test_a_save_without_a_kind_of_attack_holds_against_any() -> None:
    cells = GUARD.split(",")
    cells[7] = ""
    assert pick(read_text(",".join(cells)), "model_profile", "invulnerable_versus") == [("any",)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (",".join(GUARD.split(",")[:9]), "9 cells where the header has 16; the line is torn"),
        (GUARD + ",more", "17 cells where the header has 16"),
        (GUARD.replace("Fern Guard", '"Fern Guard', 1), "a quotation mark is not closed"),
    ],
)
def test_a_torn_line_is_refused_and_the_others_load(line: str, reason: str) -> None:
    result = read_text(line, TANK)
    assert [reject.line_no for reject in result.rejects] == [2]
    assert reason in result.rejects[0].reason
    assert pick(result, "datasheet", "name") == [("Sand Barge",)]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_marks_and_line_ends_do_not_matter(encoding: str, end: str) -> None:
    assert read_text(GUARD, TANK, encoding=encoding, end=end).tables == read_text(GUARD, TANK).tables


def test_columns_may_stand_in_another_order_and_others_beside_them() -> None:
    names = [*reversed(COLUMNS), "painted"]
    cells = dict(zip(COLUMNS, GUARD.split(","), strict=True)) | {"painted": "no"}
    result = read_text(",".join(cells[name] for name in names), header=",".join(names))
    assert result.tables == read_text(GUARD).tables
    assert any("painted are not read" in notice for notice in result.notices)


def test_columns_that_are_not_needed_may_be_absent() -> None:
    names = COLUMNS[:11]
    result = read_text(",".join(GUARD.split(",")[:11]), header=",".join(names))
    assert pick(result, "model_profile", "wounds", "feel_no_pain") == [(2, None)]
    assert any("no column feel_no_pain, models" in notice for notice in result.notices)


def test_a_header_that_lacks_a_characteristic_is_refused_with_the_right_one() -> None:
    result = read_text(GUARD, header=HEADER.replace("wounds,", ""))
    assert result.tables == {}
    assert "the header lacks wounds" in result.rejects[0].reason
    assert HEADER.replace(",", ", ") in result.rejects[0].reason


def test_semicolons_and_tabs_between_cells() -> None:
    tabbed = read_text(GUARD.replace(",", "\t"), header=HEADER.replace(",", "\t"))
    assert tabbed.tables == read_text(GUARD).tables


def test_comments_and_blank_lines_are_passed_over() -> None:
    assert read_text("# by hand", "", ",,,,", GUARD).rejects == []


def test_a_repeat_is_noticed_and_a_contradiction_refused_on_all_its_lines() -> None:
    repeated = read_text(GUARD, GUARD, TANK)
    assert len(repeated.tables["model_profile"]) == 2
    assert "line 3 repeats line 2" in repeated.notices
    other = GUARD.replace(",6,4,3,", ",6,5,3,")
    result = read_text(GUARD, TANK, other)
    assert pick(result, "datasheet", "name") == [("Sand Barge",)]
    assert [(r.line_no, "lines 2, 4 state Fern Guard" in r.reason) for r in result.rejects] == [(2, True), (4, True)]


SEVERAL = (
    "Necrons,Sand Riders,Rider,12,5,3,,,4,6,2,,3-6,160,MOUNTED,x",
    "Necrons,Sand Riders,Side Car,12,5,3,,,8,6,2,,1,{points},MOUNTED,x",
)


def test_further_prices_of_a_sheet_are_those_of_added_models() -> None:
    result = read_text(SEVERAL[0], SEVERAL[1].format(points="60"))
    assert pick(result, "unit_cost", "models", "points", "condition") == [
        (6, 160, None),
        (None, 60, "add-on: Side Car"),
    ]
    assert pick(result, "composition", "model", "max_models") == [("Rider", 6), ("Side Car", 1)]
    assert pick(result, "datasheet", "name") == [("Sand Riders",)]


def test_one_price_of_a_sheet_is_that_of_all_its_models() -> None:
    result = read_text(SEVERAL[0], SEVERAL[1].format(points=""))
    assert pick(result, "unit_cost", "models", "points") == [(7, 160)]


def test_a_price_without_a_size_is_refused_alone() -> None:
    cells = GUARD.split(",")
    cells[12] = ""
    result = read_text(",".join(cells))
    assert "column models: is blank beside a price" in result.rejects[0].reason
    assert len(result.tables["model_profile"]) == 1
    assert "unit_cost" not in result.tables


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\0\1\2" * 40, HEADER.encode(), b"a,b\n1,2\n", b'"', b'\xff\xfe"'])
def test_bad_files_do_not_raise(data: bytes) -> None:
    result = read(data, RawFile("0" * 16, "p.csv", "profiles_csv", "0" * 64, len(data)))
    assert not result.tables
    assert result.rejects or data == HEADER.encode()


@given(st.integers(0, len(GUARD)), st.text(max_size=6), st.integers(0, 8))
def test_a_damaged_line_never_touches_the_other(place: int, inserted: str, dropped: int) -> None:
    damaged = GUARD[:place] + "".join(inserted.split()) + GUARD[place + dropped :]
    result = read_text(damaged, TANK)
    assert ("Sand Barge", 12) in pick(result, "model_profile", "profile", "wounds")
    assert len(result.tables["model_profile"]) + len(result.rejects) >= 2 - damaged.startswith("#")

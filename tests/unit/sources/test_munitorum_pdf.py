"""Points lists in PDF, drawn here: invented armies, columns at many places."""

import io
from collections.abc import Iterable
from dataclasses import dataclass

import pytest
from fpdf import FPDF
from fpdf.enums import AccessPermission
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.sources import munitorum_pdf, munitorum_text
from pipelines.sources.munitorum_pdf import columns_of
from pipelines.sources.pdf_layout import Segment
from pipelines.sources.records import RawFile, ReadResult

# (style, text, price): H a section bar over the page, h a bar in a column, n a name, s a size or enhancement,
# w the wrapped beginning of one
Entry = tuple[str, str, str]

SECTION: Entry = ("H", "CODEX: MOSS WARDENS", "")
ENTRIES: tuple[Entry, ...] = (
    ("n", "Bark Sentinel", ""),
    ("s", "1 model", "65 pts"),
    ("n", "Fern Guard", ""),
    ("s", "4 models", "(+10) 160 pts"),
    ("s", "5 models", "(-5) 200 pts"),
    ("n", "Keeper in", ""),
    ("n", "Lichen Armour", ""),
    ("s", "1 model", "130 pts"),
    ("n", "Cantor Squad", ""),
    ("w", "1 Precentor, 5 Cantors", ""),
    ("s", "and 4 Novices", "150 pts"),
    ("s", "1 Precentor and 9 Cantors", "170 pts"),
    ("h", "GROVE SPIRITS", ""),
    ("n", "Sapling", ""),
    ("s", "3 models", "1040 pts"),
    ("n", "Walker Pack", ""),
    ("s", "3 models", "80 pts"),
    ("s", "Scout Walker", "+60 pts"),
    ("h", "DETACHMENT ENHANCEMENTS", ""),
    ("n", "Deep Roots", ""),
    ("s", "Green Crown", "25 pts"),
    ("w", "Thorn of", ""),
    ("s", "the First Spring", "15 pts"),
    ("n", "Quiet Grove", ""),
    ("s", "Dew Cloak", "10 pts"),
)
COSTS = [
    ("Moss Wardens", "Bark Sentinel", 1, 65, None, None),
    ("Moss Wardens", "Fern Guard", 4, 160, 10, None),
    ("Moss Wardens", "Fern Guard", 5, 200, -5, None),
    ("Moss Wardens", "Keeper in Lichen Armour", 1, 130, None, None),
    ("Moss Wardens", "Cantor Squad", 10, 150, None, "1 Precentor, 5 Cantors and 4 Novices"),
    ("Moss Wardens", "Cantor Squad", 10, 170, None, "1 Precentor and 9 Cantors"),
    ("Moss Wardens", "Sapling", 3, 1040, None, None),
    ("Moss Wardens", "Walker Pack", 3, 80, None, None),
    ("Moss Wardens", "Walker Pack", None, 60, None, "add-on: Scout Walker"),
]
ENHANCEMENTS = [
    ("Deep Roots", "Green Crown", 25),
    ("Deep Roots", "Thorn of the First Spring", 15),
    ("Quiet Grove", "Dew Cloak", 10),
]


@dataclass(frozen=True)
class Layout:
    """Where columns stand and how they are set, in points."""

    columns: int = 3
    left: float = 85
    width: float = 139
    gutter: float = 12
    rows: int = 12  # lines of a column
    leading: float = 10
    size: float = 8
    leaders: str = "."
    bold_names: bool = True


def draw(entries: Iterable[Entry], layout: Layout = Layout()) -> FPDF:
    pdf = FPDF(unit="pt", format=(max(610, layout.left + layout.columns * (layout.width + layout.gutter)), 800))
    pdf.set_auto_page_break(False)
    pdf.add_page()
    put(pdf, 190, 100, "MUNITORUM", 45, "B")
    put(pdf, 170, 150, "FIELD MANUAL", 45, "B")
    put(pdf, 250, 190, "VERSION 4.7", 20)
    put(pdf, 85, 230, "The points (pts) of every unit stand on the following pages.", 9.5, "B")
    put(pdf, 85, 300, "Moss Wardens ......................................... 2", 8.5)
    pdf.add_page()
    column, row = 0, 0
    for style, text, price in entries:
        x, y = layout.left + column * (layout.width + layout.gutter), 130 + row * layout.leading
        if style == "H":
            put(pdf, layout.left, 70, text, 4 * layout.size, "B")
            continue
        if style == "h":
            bar(pdf, x, y, text, layout)
        elif style == "n":
            put(pdf, x + 1.5, y, text, layout.size, "B" if layout.bold_names else "")
        else:
            priced(pdf, x, y, text, price, layout)
        row += 1
        if row >= layout.rows and column + 1 < layout.columns:
            column, row = column + 1, 0
    put(pdf, 300, 760, "2", 9)
    return pdf


def put(pdf: FPDF, x: float, y: float, text: str, size: float, style: str = "") -> None:
    pdf.set_font("helvetica", style, size)
    pdf.text(x, y, text)


def bar(pdf: FPDF, x: float, y: float, text: str, layout: Layout) -> None:
    """A heading in its column, condensed to fit as the manual's own type is."""
    pdf.set_font("helvetica", "B", 1.45 * layout.size)
    pdf.set_stretching(min(100, 95 * layout.width / pdf.get_string_width(text)))
    pdf.text(x, y, text)
    pdf.set_stretching(100)


def priced(pdf: FPDF, x: float, y: float, text: str, price: str, layout: Layout) -> None:
    put(pdf, x, y, text, layout.size)
    if not price:
        return
    start = x + pdf.get_string_width(text + " ")
    end = x + layout.width - pdf.get_string_width(price)
    count = max(0, int((end - start) / pdf.get_string_width("."))) if layout.leaders else 0
    if count:
        pdf.text(start, y, "." * count)
    pdf.text(end, y, price)


def data_of(pdf: FPDF) -> bytes:
    return bytes(pdf.output())


def read(data: bytes) -> ReadResult:
    return munitorum_pdf.read(data, RawFile("0" * 16, "list.pdf", "munitorum_pdf", "0" * 64, len(data)))


def costs(result: ReadResult) -> list[tuple[object, ...]]:
    names = ("faction", "name", "models", "points", "change", "condition")
    return [tuple(row[name] for name in names) for row in result.rows("unit_cost")]


def enhancements(result: ReadResult) -> list[tuple[object, ...]]:
    return [(row["detachment"], row["name"], row["points"]) for row in result.rows("enhancement")]


def test_a_page_of_three_columns() -> None:
    result = read(data_of(draw((SECTION, *ENTRIES))))
    assert costs(result) == COSTS
    assert enhancements(result) == ENHANCEMENTS
    assert (result.title, result.version) == ("Munitorum Field Manual", "4.7")
    assert result.dated is not None
    assert result.rejects == []
    assert {row["locator"] for row in result.rows("unit_cost")} == {"page 2"}
    assert "price lines: 12 seen, 12 read, 0 quarantined" in result.notices


@pytest.mark.parametrize(
    "layout",
    [
        Layout(columns=1, rows=99),
        Layout(columns=2, left=40, width=220, gutter=30, rows=13),
        Layout(columns=3, left=20, width=150, gutter=9, rows=9),
        Layout(columns=4, left=30, width=125, gutter=14, rows=7),
        Layout(columns=3, rows=5, leading=11),
        Layout(columns=3, size=6, leading=8, width=120, gutter=7),
        Layout(columns=2, size=11, leading=14, width=230, gutter=40, rows=14),
        Layout(columns=3, rows=12, bold_names=False),
    ],
)
def test_columns_are_found_wherever_they_stand(layout: Layout) -> None:
    result = read(data_of(draw((SECTION, *ENTRIES), layout)))
    assert costs(result) == COSTS
    assert enhancements(result) == ENHANCEMENTS
    assert result.rejects == []


def test_the_text_copy_gives_the_same_rows() -> None:
    lines = ["VERSION 4.7", "1", "CODEX: MOSS WARDENS"]
    lines += [f"{text} {price}".strip() for _, text, price in ENTRIES]
    data = "\n".join(lines).encode()
    text = munitorum_text.read(data, RawFile("0" * 16, "a.txt", "munitorum_text", "0" * 64, len(data)))
    pdf = read(data_of(draw((SECTION, *ENTRIES))))
    assert costs(text) == costs(pdf)
    assert enhancements(text) == enhancements(pdf)


def test_sizes_go_on_at_the_head_of_the_next_column() -> None:
    entries = (SECTION, ("n", "Fern", ""), ("s", "4 models", "160 pts"), ("s", "5 models", "200 pts"))
    result = read(data_of(draw(entries, Layout(rows=2))))
    assert [(row["name"], row["models"]) for row in result.rows("unit_cost")] == [("Fern", 4), ("Fern", 5)]


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_prices_without_leaders_stand_on_the_line_of_their_size(columns: int) -> None:
    """A wide blank before the price looks like the gap between columns."""
    result = read(data_of(draw((SECTION, *ENTRIES), Layout(columns=columns, rows=99 // columns**2, leaders=""))))
    assert costs(result) == COSTS
    assert enhancements(result) == ENHANCEMENTS
    assert result.rejects == []


def test_columns_are_the_extents_of_price_lines() -> None:
    def at(x0: float, x1: float) -> Segment:
        return Segment("1 model 5 pts", x0, x1, 0, 8, 8, "f")

    assert columns_of([at(10, 100), at(12, 99), at(110, 200), at(111, 190)]) == [(10, 100), (110, 200)]
    assert columns_of([]) == []


def test_an_encrypted_pdf_is_refused_with_advice() -> None:
    pdf = draw((SECTION, *ENTRIES))
    pdf.set_encryption(owner_password="a", user_password="b", permissions=AccessPermission.none())
    result = read(data_of(pdf))
    assert [reject.reason for reject in result.rejects] == ["an encrypted PDF: save a copy without a password"]
    assert result.tables == {}


def test_a_pdf_that_only_forbids_copying_is_read() -> None:
    pdf = draw((SECTION, *ENTRIES))
    pdf.set_encryption(owner_password="a", permissions=AccessPermission.none())
    assert costs(read(data_of(pdf))) == COSTS


def test_pictures_without_text_are_refused() -> None:
    pdf = FPDF(unit="pt", format=(600, 800))
    pdf.add_page()
    pdf.rect(10, 10, 200, 200, style="F")
    result = read(data_of(pdf))
    assert [reject.reason.split(":")[0] for reject in result.rejects] == ["the PDF holds no text"]


def test_damaged_files_do_not_raise() -> None:
    whole = data_of(draw((SECTION, *ENTRIES)))
    for data in (whole[: len(whole) // 2], whole[:200], b"%PDF-1.7\n", b"", b"no pdf at all", b"\0" * 1000):
        result = read(data)
        assert result.rejects or costs(result)


def test_a_file_without_its_end_says_that_pages_may_be_missing() -> None:
    whole = WHOLE.rstrip().removesuffix(b"%%EOF")
    reasons = [reject.reason for reject in read(whole).rejects]
    assert "the end of the PDF is missing, so pages may be missing too: download it again" in reasons


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=20))
def test_changed_bytes_do_not_raise(changes: list[tuple[int, int]]) -> None:
    data = bytearray(WHOLE)
    for place, value in changes:
        data[place % len(data)] = value
    result = read(bytes(data))
    assert isinstance(result, ReadResult)
    assert {row["points"] for row in result.rows("unit_cost")} <= set(range(100_000))


WHOLE = data_of(draw((SECTION, *ENTRIES)))


def test_the_file_is_closed_after_reading() -> None:
    """Reading leaves no open handle: a warning about one would fail this test."""
    assert costs(read(io.BytesIO(WHOLE).getvalue())) == COSTS

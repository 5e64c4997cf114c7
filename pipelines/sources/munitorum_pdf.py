"""Reader of points lists in PDF (`munitorum_pdf`): pages of several columns, out come the lines in reading order.

Belongs here: words on a page, their columns and the way they are set. Does not belong here: what a line means
(`points_list`).

Nothing is cut at fixed places. A price line ends in `pts`, and what stands on one line with a price belongs to its
column: the columns of a page are the horizontal extents of its price lines, merged where they overlap. A heading
larger than the columns divides a page into bands, each of which is read column by column.
"""

import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pdfplumber

from pipelines.sources.pdf_errors import CUT_OFF, NO_PAGES, NO_TEXT, is_cut_off, pdf_problem
from pipelines.sources.pdf_layout import Segment, segments, words_of
from pipelines.sources.points_list import PointsLine, Style, parse_price, read_points
from pipelines.sources.records import RawFile, ReadResult

_HEADING_RATIO = 1.3  # headings are set at least this much larger than price lines
_BAND_RATIO = 2.0  # and section titles, which stand over all columns, at least this much
_PRICE_END = re.compile(r"\d\s*(?:pts?|points)\.?$", re.IGNORECASE)
_DATE = re.compile(r"D:(\d{4})(\d{2})(\d{2})")


def read(data: bytes, file: RawFile) -> ReadResult:
    """Prices of units and enhancements of a points PDF; locators `page N`. Never raises."""
    result = ReadResult()
    try:
        pages, metadata = _segments_of_pages(data)
    except Exception as error:  # pdfminer raises nearly anything on damaged files; none of it may stop a build
        result.reject(pdf_problem(error))
        return result
    if not any(pages):
        result.reject(NO_TEXT if pages else NO_PAGES)
        return result
    if is_cut_off(data):
        result.reject(CUT_OFF)
    lines = reading_order(pages)
    read_points(lines, result, name_hint=file.path)
    _count_prices(pages, lines, result)
    if not result.dated:
        _date(metadata, result)
    return result


def reading_order(pages: Sequence[Sequence[Segment]]) -> list[PointsLine]:
    """The lines of all pages, column by column, with the style that the type shows (see `_styler`)."""
    priced = [segment for page in pages for segment in page if _has_price(segment)]
    style = _Styler(pages, priced)
    lines: list[PointsLine] = []
    for number, page in enumerate(pages, 1):
        for segment in _ordered(page, style):
            lines.append(PointsLine(segment.text, None, f"page {number}", style(segment)))
    return lines


class _Styler:
    """How a line was set, compared with the price lines of the same file.

    Where names share the type of the price lines nothing can be told from it, and the style is left open.
    """

    def __init__(self, pages: Sequence[Sequence[Segment]], priced: Sequence[Segment]) -> None:
        self.body = Counter(round(segment.size, 1) for segment in priced).most_common(1)[0][0] if priced else 0.0
        self.price_fonts = {segment.font for segment in priced}
        others = [s for page in pages for s in page if not _has_price(s) and self._is_body(s)]
        self.fonts_tell = any(segment.font not in self.price_fonts for segment in others)

    def _is_body(self, segment: Segment) -> bool:
        return bool(self.body) and abs(segment.size - self.body) <= 0.06 * self.body

    def is_band(self, segment: Segment) -> bool:
        """Whether this is a title over all columns."""
        return bool(self.body) and segment.size >= _BAND_RATIO * self.body

    def __call__(self, segment: Segment) -> Style | None:
        letters = [letter for letter in segment.text if letter.isalpha()]
        if self.body and segment.size >= _HEADING_RATIO * self.body:
            return "heading" if letters and segment.text == segment.text.upper() else None
        if self.fonts_tell and self._is_body(segment) and letters:
            return "text" if segment.font in self.price_fonts else "name"
        return None


def _ordered(page: Sequence[Segment], style: _Styler) -> list[Segment]:
    """Segments of a page in reading order: bands from top to bottom, in each the columns from left to right."""
    columns = columns_of([segment for segment in page if _has_price(segment)])
    bands = sorted((s for s in page if style.is_band(s) or _spans(s, columns)), key=lambda s: (s.top, s.x0))
    wide = set(map(id, bands))
    rest = [segment for segment in page if id(segment) not in wide]
    ordered: list[Segment] = []
    for band in bands:
        above = [segment for segment in rest if segment.top < band.top]
        ordered.extend(_by_column(above, columns))
        ordered.append(band)
        rest = [segment for segment in rest if segment.top >= band.top]
    ordered.extend(_by_column(rest, columns))
    return ordered


def columns_of(priced: Iterable[Segment]) -> list[tuple[float, float]]:
    """Horizontal extents of the columns: those of the price lines, merged where they overlap."""
    columns: list[tuple[float, float]] = []
    for x0, x1 in sorted((segment.x0, segment.x1) for segment in priced):
        if columns and x0 < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(x1, columns[-1][1]))
        else:
            columns.append((x0, x1))
    return columns


def _spans(segment: Segment, columns: Sequence[tuple[float, float]]) -> bool:
    """Whether a segment reaches from one column into another."""
    return sum(1 for x0, x1 in columns if segment.x0 < x1 and segment.x1 > x0) > 1


def _by_column(segments: Iterable[Segment], columns: Sequence[tuple[float, float]]) -> list[Segment]:
    """Sort by column, then from top to bottom. A segment belongs to the column in whose share of the page it begins."""
    borders = [(left[1] + right[0]) / 2 for left, right in pairwise(columns)]
    return sorted(segments, key=lambda s: (sum(1 for border in borders if s.x0 >= border), s.top, s.x0))


def with_labels(parts: Sequence[Segment]) -> list[Segment]:
    """Join a price that stands alone with the text to its left: a list without leaders leaves a blank between them."""
    taken: set[int] = set()
    found: list[Segment] = []
    for part in parts:
        price = parse_price(part.text)
        if price is None or price.label:
            continue
        left = [each for each in parts if _stands_before(each, part) and id(each) not in taken]
        label = max(left, key=lambda each: each.x1, default=None)
        if label is not None and not _has_price(label):
            taken |= {id(label), id(part)}
            found.append(replace(label, text=f"{label.text} {part.text}", x1=part.x1))
    return [part for part in parts if id(part) not in taken] + found


def _stands_before(part: Segment, price: Segment) -> bool:
    return part.x1 <= price.x0 and abs(part.bottom - price.bottom) <= 0.3 * price.size


def _ends_in_price(text: str) -> bool:
    """A price line is complete; what follows on the base line stands in the next column."""
    return bool(_PRICE_END.search(text))


def _has_price(segment: Segment) -> bool:
    return parse_price(segment.text) is not None


def _segments_of_pages(data: bytes) -> tuple[list[list[Segment]], dict[str, Any]]:
    pages: list[list[Segment]] = []
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        for page in pdf.pages:
            pages.append(with_labels(segments(words_of(page), ends=_ends_in_price)))
        return pages, dict(pdf.metadata or {})


def _count_prices(pages: Sequence[Sequence[Segment]], lines: Sequence[PointsLine], result: ReadResult) -> None:
    """Every price word of the file must end a price line that was handed to the grammar."""
    ends = Counter(
        number
        for number, page in enumerate(pages, 1)
        for segment in page
        if re.search(r"\d\s*pts\b", segment.text, re.IGNORECASE) and not _has_price(segment)
    )
    for number, count in sorted(ends.items()):
        if count and any(_has_price(segment) for segment in pages[number - 1]):
            result.reject(f"{count} lines with a price that no column holds: check the page", locator=f"page {number}")
    priced = sum(1 for page in pages for segment in page if _has_price(segment))
    handed = sum(1 for line in lines if parse_price(line.text) is not None)
    if priced != handed:
        result.reject(f"{priced} price lines were seen, {handed} were read")


def _date(metadata: dict[str, Any], result: ReadResult) -> None:
    """The day on which the PDF was made, from the file's own properties."""
    match = _DATE.match(str(metadata.get("CreationDate") or metadata.get("ModDate") or ""))
    if match and int(match[1]) >= 2000 and 1 <= int(match[2]) <= 12 and 1 <= int(match[3]) <= 31:
        result.dated = f"{match[1]}-{match[2]}-{match[3]}"
        for row in result.rows("book"):
            row["dated"] = result.dated
        result.notices = [n for n in result.notices if not n.startswith("the list states no date")]
        result.notices.append(f"dated {result.dated} by the PDF's own properties")

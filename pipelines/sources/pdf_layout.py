"""Words of a PDF page put together to segments and lines.

Belongs here: geometry that the PDF readers share: what stands on one base line, where a gap separates columns, what is
set in bold. Does not belong here: what a line means. Lengths are in points, vertical ones growing downwards.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pdfminer.layout import LTChar, LTContainer
from pdfplumber.utils import extract_words

from pipelines.sources.text import normalise

PdfWord = dict[str, Any]  # pdfplumber's word with `fontname` and `size`
_WORD_ATTRIBUTES = ["fontname", "size"]

_BOLD = re.compile(r"bold|black|heavy|semi|demi", re.IGNORECASE)
_COLUMN_GAP = 0.8  # of the type size: wider than any space between words, narrower than a space between columns
_WORD_GAP = 0.08  # of the type size: a change of font splits words without any space between them


@dataclass(frozen=True)
class Segment:
    """Words on one base line without a gap as wide as the space between columns.

    `bold` is its leading bold part, `loud` the text with all that is bold in capitals (cards set keywords in bold).
    """

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    font: str
    bold: str = ""
    loud: str = ""

    @property
    def middle(self) -> float:
        """Vertical middle."""
        return (self.top + self.bottom) / 2

    @property
    def centre(self) -> float:
        """Horizontal middle."""
        return (self.x0 + self.x1) / 2


def words_of(page: Any) -> list[PdfWord]:
    """The words of a pdfplumber page with `fontname` and `size`, and the page closed.

    Letters are taken from the page's layout: the page's own objects carry a dozen more attributes each, which takes as
    long again as reading the page. Vertical places are relative to the foot of the page, negative upwards.
    """
    letters = [_letter(each) for each in _letters(page.layout)]
    words: list[PdfWord] = extract_words(letters, extra_attrs=_WORD_ATTRIBUTES)
    page.close()
    return words


def _letters(container: Iterable[Any]) -> Iterator[LTChar]:
    for each in container:
        if isinstance(each, LTChar):
            yield each
        elif isinstance(each, LTContainer):
            yield from _letters(each)


def _letter(each: LTChar) -> dict[str, Any]:
    return {
        "text": each.get_text(),
        "fontname": str(each.fontname),
        "size": each.size,
        "x0": each.x0,
        "x1": each.x1,
        "top": -each.y1,
        "doctop": -each.y1,
        "bottom": -each.y0,
        "width": each.width,
        "height": each.height,
        "upright": each.upright,
        "matrix": each.matrix,
    }


def segments(words: Iterable[PdfWord], ends: Callable[[str], bool] = lambda text: False) -> list[Segment]:
    """Words of a page to segments, from top to bottom. `ends` tells from the text so far that a segment is complete."""
    found: list[Segment] = []
    for line in _base_lines(words):
        piece: list[PdfWord] = []
        for word in line:
            if piece and (_is_gap(piece[-1], word) or ends(_text(piece[-2:]))):
                found.append(_segment(piece))
                piece = []
            piece.append(word)
        found.append(_segment(piece))
    return [segment for segment in found if segment.text]


def lines(parts: Iterable[Segment]) -> list[Segment]:
    """Segments on one base line joined, from top to bottom."""
    rows: list[list[Segment]] = []
    for part in sorted(parts, key=lambda s: (s.bottom, s.x0)):
        if rows and abs(rows[-1][0].bottom - part.bottom) <= 0.3 * max(part.size, rows[-1][0].size):
            rows[-1].append(part)
        else:
            rows.append([part])
    return [_joined(sorted(row, key=lambda s: s.x0)) for row in rows]


def join_lines(texts: Iterable[str]) -> str:
    """Lines of one paragraph as one text: a blank between them, none behind a hyphen that the line break cut."""
    joined = ""
    for text in texts:
        glued = re.search(r"\w-$", joined) and re.match(r"\w", text)
        joined += text if glued or not joined else f" {text}"
    return joined.strip()


def _joined(row: Sequence[Segment]) -> Segment:
    if len(row) == 1:
        return row[0]
    widest = max(row, key=lambda s: s.x1 - s.x0)
    return Segment(
        text=" ".join(s.text for s in row),
        x0=row[0].x0,
        x1=row[-1].x1,
        top=min(s.top for s in row),
        bottom=max(s.bottom for s in row),
        size=widest.size,
        font=widest.font,
        bold=row[0].bold,
        loud=" ".join(s.loud or s.text for s in row),
    )


def _base_lines(words: Iterable[PdfWord]) -> list[list[PdfWord]]:
    """Words grouped by base line and type size, from top to bottom, each group from left to right."""
    rows: list[list[PdfWord]] = []
    for word in sorted(words, key=lambda w: (w["bottom"], w["x0"])):
        for row in reversed(rows[-6:]):
            last = row[-1]
            near = abs(last["bottom"] - word["bottom"]) <= 0.2 * min(last["size"], word["size"])
            if near and abs(last["size"] - word["size"]) <= 0.25 * max(last["size"], word["size"]):
                row.append(word)
                break
        else:
            rows.append([word])
    return [sorted(row, key=lambda w: w["x0"]) for row in rows]


def _is_gap(before: PdfWord, word: PdfWord) -> bool:
    return bool(word["x0"] - before["x1"] > _COLUMN_GAP * max(before["size"], word["size"]))


def _text(words: Sequence[PdfWord]) -> str:
    text = ""
    end: float | None = None
    for word in words:
        if end is not None and word["x0"] - end > _WORD_GAP * word["size"]:
            text += " "
        text += str(word["text"])
        end = float(word["x1"])
    return text


def _is_bold(word: PdfWord) -> bool:
    return bool(_BOLD.search(str(word["fontname"])))


def _segment(words: Sequence[PdfWord]) -> Segment:
    sizes = Counter(round(float(word["size"]), 1) for word in words)
    fonts = Counter(str(word["fontname"]) for word in words)
    leading = 0
    while leading < len(words) and _is_bold(words[leading]):
        leading += 1
    return Segment(
        text=normalise(_text(words)),
        x0=float(min(word["x0"] for word in words)),
        x1=float(max(word["x1"] for word in words)),
        top=float(min(word["top"] for word in words)),
        bottom=float(max(word["bottom"] for word in words)),
        size=sizes.most_common(1)[0][0],
        font=fonts.most_common(1)[0][0],
        bold=normalise(_text(words[:leading])),
        loud=normalise(_text([w | {"text": w["text"].upper()} if _is_bold(w) else w for w in words])),
    )

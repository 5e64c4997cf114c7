"""Which edition of the game a text belongs to, and what in the text says so.

Belongs here: the statements by which a file gives its edition away, strongest first: a table of books with an Edition
column, an edition spelled out, and wordings that only one edition has. Does not belong here: what is done with a file
of another edition (`pipelines.reconcile`). Where a file says nothing, or two things at once, the answer is None: an
edition is stated, never guessed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipelines.sources.text import normalise

# Editions that the datasheets of today's sources can state; lower numbers occur in stories ("1st edition of ...").
_EDITIONS = ("8", "9", "10", "11", "12")
_NUMBER_WORDS = {"eighth": "8", "ninth": "9", "tenth": "10", "eleventh": "11", "twelfth": "12"}

_SPELLED = re.compile(
    r"\b(?P<number>8|9|10|11|12)(?:st|nd|rd|th)[ -]edition\b"
    r"|\b(?P<word>eighth|ninth|tenth|eleventh|twelfth)[ -]edition\b"
    r"|\bedition\s*[:|]?\s*(?P<after>8|9|10|11|12)\b(?!\s*[|.:]?\s*\d)"
    r"|\bwh40k(?P<path>8|9|10|11|12)ed\b",
    re.IGNORECASE,
)
# Wordings of one edition alone. A list of detachments priced in Detachment Points and a Force Disposition came with the
# eleventh; a profile with WS, BS, S and A belongs to the ninth and those before it; Power Ratings, prices by the model
# (`20 pts/model`) and field manuals numbered by year and mark (`2023 MK I`) ended with the ninth.
_WORDINGS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("11", re.compile(r"\bforce dispositions?\b", re.IGNORECASE)),
    ("11", re.compile(r"\bdetachment points?\b", re.IGNORECASE)),
    ("9", re.compile(r"\bM[ |\t]+WS[ |\t]+BS[ |\t]+S[ |\t]+T[ |\t]+W[ |\t]+A[ |\t]+Ld[ |\t]+Sv\b", re.IGNORECASE)),
    ("9", re.compile(r"\bpower ratings?\b", re.IGNORECASE)),
    ("9", re.compile(r"\b\d{1,4} ?pts ?/ ?model\b", re.IGNORECASE)),
    ("9", re.compile(r"\bFIELD MANUAL\s+20\d\d\s+MK\s+[IVX]+\b")),
)


@dataclass(frozen=True)
class Evidence:
    """An edition and the passage that states it (at most 120 characters)."""

    edition: str
    passage: str


def edition_of(text: str) -> str | None:
    """The edition that the text states (`"10"`), or None where it states none, or several of equal weight."""
    evidence = edition_evidence(text)
    return evidence.edition if evidence else None


def edition_evidence(text: str) -> Evidence | None:
    """The edition with its passage.

    A stronger kind of statement wins over a weaker; two of one kind that differ cancel.
    """
    for statements in (_book_rows, _spelled_out, _wordings):
        found = list(statements(text))
        if found:
            return found[0] if len({evidence.edition for evidence in found}) == 1 else None
    return None


def is_edition(cell: str) -> bool:
    """Whether a table cell is the number of an edition."""
    return cell.strip() in _EDITIONS


def _book_rows(text: str) -> Iterator[Evidence]:
    """Rows under a header with a cell `Edition`; the table ends at the first line that has fewer than two bars."""
    column: int | None = None
    width = 0
    for line in text.split("\n"):
        if line.count("|") < 2:
            column = None
            continue
        cells = _cells(line)
        folded = [cell.lower() for cell in cells]
        if "edition" in folded and ({"book", "kind", "version", "name"} & set(folded)):
            column, width = folded.index("edition"), len(cells)
        elif column is not None and len(cells) == width and is_edition(cells[column]):
            yield Evidence(cells[column], normalise(line)[:120])


def _cells(line: str) -> list[str]:
    text = line.strip().removeprefix("|")
    return [cell.strip() for cell in text.split("|")]


def _spelled_out(text: str) -> Iterator[Evidence]:
    for match in _SPELLED.finditer(text):
        groups = match.groupdict()
        number = groups["number"] or groups["after"] or groups["path"]
        yield Evidence(number or _NUMBER_WORDS[str(groups["word"]).lower()], _around(text, match))


def _wordings(text: str) -> Iterator[Evidence]:
    for edition, pattern in _WORDINGS:
        match = pattern.search(text)
        if match:
            yield Evidence(edition, _around(text, match))


def _around(text: str, match: re.Match[str]) -> str:
    start = max(text.rfind("\n", 0, match.start()) + 1, match.start() - 50)
    end = text.find("\n", match.end())
    return normalise(text[start : min(end if end >= 0 else len(text), match.end() + 50)])[:120]

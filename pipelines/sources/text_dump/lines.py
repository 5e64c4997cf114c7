"""From bytes to numbered pieces of text: lines, pages, and what is stuck together on one line.

Belongs here: splitting a file into lines and pages, cutting a heading off the sentence it is stuck to. Does not belong
here: what a block of lines says.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from pipelines.sources.text import name_key, normalise
from pipelines.sources.text_dump import vocabulary as words

_FIELDS_STUCK = re.compile(r"(?<=[^\s(\[])\s*(?=(?:WHEN|TARGET|EFFECT|RESTRICTIONS): )")
_LABELS_STUCK = re.compile(
    r"(?<=[^\s|–-])(?=FACTION KEYWORDS:)|(?<=[^\s–-])(?=KEYWORDS: )|(?<=[a-z0-9+\")])(?=(?:CORE|FACTION): )"
)
_PRICE_STUCK = re.compile(r"(?<=[^\s|])(?=\| ?\d{1,3} models? \|)|(?<=\|)(?=\| ?\d{1,3} models? \|)")
_CP_STUCK = re.compile(r"(?<=[A-Z!'’])(?=\d{1,2}CP)|(?<=\dCP)(?=[A-Z])|(?<=Stratagem)(?=[A-Z])")
_SENTENCE_END = re.compile(r"(?:(?<=[.!?:)\]])|(?<=[.!?\d]['\"]))(?=[A-Z0-9])")
_AND_STUCK = re.compile(r"and(?=[A-Z])")
_LONE_HEADINGS = frozenset({"OR", "LEADER", "LED BY", "KEYWORDS"})
_COLLATED = re.compile(r"(?<=collated)(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Piece:
    """A line, or the part of it that belongs to one block. `raw` is as printed, `text` normalised."""

    line_no: int
    text: str
    raw: str
    is_glued: bool = False  # stuck to the piece before it on the same line


@dataclass(frozen=True, slots=True)
class Names:
    """Names that the page itself states: they tell a heading that is stuck to a sentence."""

    keys: frozenset[str]
    faction_abilities: frozenset[str]
    detachment_rules: tuple[str, ...]
    of_detachments: frozenset[str]  # listed or headed: a heading of that name without its detachment is torn
    enhancements: tuple[str, ...]


@lru_cache(maxsize=65_536)
def clean(line: str) -> str:
    """A line in one spelling; pages repeat each other, hence the memory."""
    return normalise(line).strip()


def pages(text: str) -> Iterator[tuple[int, list[str]]]:
    """The pages of a file as (number of the first line, lines). A title line starts a new page.

    Pages without titles are told apart where a weapon table returns after rules were printed.
    """
    start, page = 1, _Page()
    held: list[tuple[int, str]] = []  # a line with text and the blank lines after it
    for number, line in _numbered(text):
        following = clean(line)
        if following and held:
            place, waiting = held[0]
            if page.begins_with(clean(waiting), following) and page.lines:
                yield start, page.lines
                start, page = place, _Page()
            page.extend(held)
            held = []
        held.append((number, line))
    page.extend(held)
    yield start, page.lines


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    """Lines from 1, split on newlines; what follows the last newline is a line too."""
    position, number = 0, 1
    while True:
        end = text.find("\n", position)
        if end < 0:
            yield number, text[position:]
            return
        yield number, text[position:end]
        position, number = end + 1, number + 1


class _Page:
    """The page being collected, with what decides whether the next line starts another one."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._previous = ""
        self._tables: set[str] = set()
        self._rules_since_table = False

    def begins_with(self, line: str, following: str) -> bool:
        """Whether a new page starts at this line."""
        if not line or words.CP_LINE.fullmatch(self._previous):
            return False
        if following == "Books" and not line.startswith("|"):
            return True
        if words.is_title(line) and (_opens_sheet(following) or words.WEAPON_HEADER.fullmatch(following)):
            return True
        table = words.WEAPON_HEADER.fullmatch(line)
        return bool(table) and self._rules_since_table and _kind(line) in self._tables

    def extend(self, held: Sequence[tuple[int, str]]) -> None:
        """Take a line with text and the blank lines after it into the page."""
        for _, line in held:
            self.add(line)

    def add(self, line: str) -> None:
        """Take the line into the page."""
        self.lines.append(line)
        text = clean(line)
        if not text:
            return
        self._previous = text
        if words.WEAPON_HEADER.fullmatch(text):
            self._tables.add(_kind(text))
            self._rules_since_table = False
        elif text.endswith("Stratagem") or "used in the following" in text:
            self._rules_since_table = True


def _kind(header: str) -> str:
    return "ranged" if "RANGED" in header.upper() else "melee"


def _opens_sheet(text: str) -> bool:
    return (
        text in words.SHEET_SECTIONS
        or text in ("LEADER", "LED BY")
        or bool(words.KEYWORDS_LINE.fullmatch(text) or words.FACTION_KEYWORDS.fullmatch(text))
        or bool(words.DAMAGED.fullmatch(text))
    )


def pieces(first_line: int, lines: Sequence[str], names: Names) -> list[Piece]:
    """The lines of a page, each cut where something else is stuck to it. Blank lines are left out."""
    cleaned = [clean(line) for line in lines]
    found: list[Piece] = []
    following = ""
    for index in range(len(lines) - 1, -1, -1):
        text = cleaned[index]
        if not text:
            continue
        parts = cut(text, following, names)
        line_no = first_line + index
        for order in range(len(parts) - 1, -1, -1):
            raw = lines[index] if len(parts) == 1 else parts[order]
            found.append(Piece(line_no, parts[order], raw, order > 0))
        following = parts[0]
    found.reverse()
    return found


def cut(text: str, following: str, names: Names) -> list[str]:
    """The parts of one line that belong to different blocks, nothing lost but blanks between them."""
    rows = _split(_PRICE_STUCK, text) if " model" in text and "|" in text else [text]
    if len(rows) > 1:
        return [part for row in rows for part in cut(row, "", names)]
    if text.startswith("|"):
        return [text]
    parts = list(_cut_apart(text))
    tail = parts.pop()
    parts.extend(_cut_heading(tail, following, names))
    return [part for part in (piece.strip() for piece in parts) if part] or [text]


@lru_cache(maxsize=65_536)
def _cut_apart(text: str) -> tuple[str, ...]:
    """Cuts that the line alone decides; pages repeat each other, hence the memory."""
    return tuple(part for label in _cut_labels(text) for part in _cut_sentences(label))


def _cut_labels(text: str) -> list[str]:
    """Cut before labels that can stand only at the start of a line."""
    stuck = _AND_STUCK.match(text)
    if stuck and len(text) <= 74:
        return [text[:3], text[3:]]
    if _COLLATED.search(text):
        return _split(_COLLATED, text)
    parts = [text]
    for pattern in (_FIELDS_STUCK, _LABELS_STUCK, _CP_STUCK):
        if pattern is _CP_STUCK and "CP" not in text[:100] and "Stratagem" not in text[:100]:
            continue
        if ": " in text or text.endswith(":") or pattern is _CP_STUCK:
            parts = [piece for part in parts for piece in _split(pattern, part)]
    return parts


def _split(pattern: re.Pattern[str], text: str) -> list[str]:
    places = [match.start() for match in pattern.finditer(text) if 0 < match.start() < len(text)]
    bounds = [0, *places, len(text)]
    return [text[low:high] for low, high in pairwise(bounds)]


def _cut_sentences(text: str) -> list[str]:
    """Cut before a keyword reference or a footnote that follows a sentence without a blank."""
    if not any(mark in text for mark in ("used in the following", "Before selecting targets", "While included in")):
        return [text]
    places: list[int] = []
    for match in _SENTENCE_END.finditer(text):
        place = match.start()
        if not text.startswith(("The ", "Before selecting targets", "While included in"), place):
            continue
        rest = text[place:]
        if _is_standing_sentence(rest):
            places.append(place)
    bounds = [0, *places, len(text)]
    return [text[low:high] for low, high in pairwise(bounds)]


def _is_standing_sentence(rest: str) -> bool:
    if rest.startswith("The "):
        return bool(words.KEYWORD_REFERENCE.match(rest[:300])) and "." not in rest[: rest.find("used in the following")]
    if rest.startswith("Before selecting targets"):
        return bool(words.FOOTNOTE.match(rest))
    return rest.startswith("While included in") and bool(words.KEYWORD_GRANT.match(rest))


def _cut_heading(text: str, following: str, names: Names) -> list[str]:
    """Cut a heading off the end of a sentence, where the tail or the next line proves that it is one."""
    place = -1
    for match in _SENTENCE_END.finditer(text, max(0, len(text) - 75)):
        tail = text[match.start() :]
        if match.start() > 0 and _is_stuck_heading(text[: match.start()], tail, following, names):
            place = match.start()
            break
    return [text] if place < 0 else [text[:place], text[place:]]


def _is_stuck_heading(before: str, tail: str, following: str, names: Names) -> bool:
    proved = words.is_name_form(tail) and (
        name_key(tail) in names.keys or bool(words.DETACHMENT_LINE.fullmatch(following))
    )
    if not words.is_heading_form(tail) and tail != "OR" and not proved:
        return False
    checks: tuple[Callable[[], bool], ...] = (
        lambda: words.is_capitals(tail) and bool(words.CP_LINE.fullmatch(following)),
        lambda: bool(words.DETACHMENT_LINE.fullmatch(following)) and words.is_heading_form(following),
        lambda: bool(words.DETACHMENT_LINE.fullmatch(tail)) and before[-1] in ".!?",
        lambda: words.is_core_heading(tail) or name_key(tail) in names.keys,
        lambda: tail in words.SHEET_SECTIONS or tail in words.BOOK_MARKS or tail in _LONE_HEADINGS,
        lambda: before[-1] in ".!?" and name_key(tail) in words.BOOK_SECTIONS,
        lambda: bool(words.NAVIGATION.fullmatch(tail)) or tail in words.GROUP_LABELS,
        lambda: _reads_as_heading(before, tail, following),
    )
    return any(check() for check in checks)


def _reads_as_heading(before: str, tail: str, following: str) -> bool:
    """A capitalised tail of two words or more after a full sentence, with text below it."""
    if before[-1] not in ".!?:" or len(before) < 20 or not following or words.is_heading_form(following):
        return False
    return " " in tail and not any(letter.isdigit() for letter in tail) and following[0] not in "|"

"""Abilities of a datasheet: core with values, faction, named, wargear, weapon footnotes, damage brackets, boxed rules.

Belongs here: cutting lines (and abilities stuck together on one line) into name, value and text. Does not belong here:
what an ability does.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from pipelines.sources.text import name_key
from pipelines.sources.text_dump import vocabulary as words
from pipelines.sources.text_dump.blocks import Block
from pipelines.sources.text_dump.ledger import Ledger
from pipelines.sources.text_dump.lines import Piece

SECTION = "datasheet"
_NAMED = re.compile(r"(?P<name>[^\W\d_][^:.|]{1,70}?)\s*:\s*(?P<text>.+)", re.DOTALL)
_STUCK = re.compile(r"(?:(?<=[.!?)\]])|(?<=[.!?][\"'])|(?P<word>(?<=[a-z])))(?=[A-Z][^.:|\[\]]{1,60}?: )")
_VALUE = re.compile(
    r"(?P<name>.*?[^\W\d_+])\s*(?P<value>\d?D[36](?:\s*\+\s*\d+)?|\d{1,2}(?:\+|\"|'')?)\s*", re.IGNORECASE
)


def core_ability(printed: str) -> tuple[str, str | None]:
    """`Deadly Demise D3`, `DeadlyDemise1`, `Scouts 6"` -> name and value; lost blanks are put back where known."""
    text = printed.strip(" .")
    match = _VALUE.fullmatch(text)
    name, value = (match["name"], match["value"].replace(" ", "").replace("''", '"')) if match else (text, None)
    known = words.CORE_ABILITIES.get(name_key(name))
    if value:
        value = re.sub("d", "D", value)
    return known or name.strip(), value


def split_named(text: str) -> list[str]:
    """Cut a line where another named ability is stuck to the sentence before it."""
    places = [
        match.start()
        for match in _STUCK.finditer(text)
        if words.is_name_form(text[match.start() :].partition(":")[0].strip())
        and (match["word"] is None or ": " in text[: match.start()])
    ]
    bounds = [0, *places, len(text)]
    return [text[low:high].strip() for low, high in pairwise(bounds)]


def named(text: str) -> tuple[str, str] | None:
    """(name, text) of `Name: text`, or None."""
    match = _NAMED.fullmatch(text)
    if not match or not words.is_name_form(match["name"].strip()):
        return None
    return match["name"].strip(), match["text"].strip()


class Abilities:
    """Reads the ability sections of one datasheet."""

    def __init__(self, ledger: Ledger, sheet: str) -> None:
        self._ledger = ledger
        self._sheet = sheet
        self._said: dict[tuple[str, str], int] = {}

    def read(self, block: Block) -> None:
        """A block of lines: ABILITIES or WARGEAR ABILITIES."""
        kind = "wargear" if block.kind == "wargear_abilities" else "datasheet"
        last: int | None = None
        for piece in block.pieces:
            if piece.text in words.SHEET_SECTIONS:
                self._ledger.claim(piece, SECTION, "decoration")
                continue
            last = self._line(piece, kind, last)

    def footnotes(self, pieces: list[Piece]) -> None:
        """`Conversion: Each time ...` below a weapon table."""
        last: int | None = None
        for piece in pieces:
            last = self._line(piece, "weapon", last)

    def damaged(self, block: Block) -> None:
        """`DAMAGED: 1-10 WOUNDS REMAINING` and its text."""
        match = words.DAMAGED.fullmatch(block.heading.text)
        if not match:
            self._refuse(block.pieces, "a damage bracket without its numbers")
            return
        bracket = f"{int(match['low'])}-{int(match['high'])}"
        self._whole(block, f"Damaged: {bracket} Wounds Remaining", "damaged", bracket, match["rest"].strip(" :"))

    def boxed(self, block: Block) -> None:
        """A heading of its own with text below it, such as Patrol Squads."""
        self._whole(block, block.heading.text, "special", None, "")

    def sentence(self, piece: Piece, name: str) -> None:
        """A sentence of a section that is no ability line (limits below a composition, notes below LEADER)."""
        self._add(piece, "special", name, None, piece.text)

    def equipped_by(self) -> list[str]:
        """Names of wargear abilities, which are names of items."""
        return [name for kind, name in self._said if kind == "wargear"]

    def _whole(self, block: Block, name: str, kind: str, value: str | None, first: str) -> None:
        texts = [text for text in (first, *(piece.text for piece in block.body)) if text]
        if not texts:
            self._refuse(block.pieces, f"{name} has no text")
            return
        index = self._add(block.heading, kind, name, value, "\n".join(dict.fromkeys(texts)))
        seen: set[str] = set()
        for piece in block.body:
            self._ledger.claim(piece, SECTION, "repeat" if piece.text in seen else "parsed", "ability", index)
            seen.add(piece.text)

    def _refuse(self, pieces: list[Piece], reason: str) -> None:
        for piece in pieces:
            self._ledger.refuse(piece, SECTION, reason)

    def _line(self, piece: Piece, kind: str, last: int | None) -> int | None:
        """One line of abilities; returns the row that a following wrapped line belongs to."""
        text = piece.text
        label, _, rest = text.partition(":")
        if label in ("CORE", "FACTION") and kind == "datasheet":
            self._listed(piece, "core" if label == "CORE" else "faction", rest)
            return None
        for part in split_named(text):
            pair = named(part)
            if pair:
                last = self._add(piece, kind, pair[0], None, pair[1])
            elif last is not None:
                row = self._ledger.row("ability", last)
                row["text"] = f"{row['text']}\n{part}"
                self._ledger.claim(piece, SECTION, "parsed", "ability", last)
            else:
                self._ledger.refuse(piece, SECTION, "a line among abilities that names none")
        return last

    def _listed(self, piece: Piece, kind: str, rest: str) -> None:
        names = list(_entries(rest))
        if not names:
            self._ledger.refuse(piece, SECTION, f"the list of {kind} abilities is empty")
        for printed in names:
            name, value = core_ability(printed) if kind == "core" else (printed, None)
            self._add(piece, kind, name, value, None)

    def _add(self, piece: Piece, kind: str, name: str, value: str | None, text: str | None) -> int:
        """A row; the same ability printed again with the same text is a repeat."""
        key = (kind, name)
        known = self._said.get(key)
        if known is not None and self._ledger.row("ability", known)["text"] == text:
            self._ledger.claim(piece, SECTION, "repeat", "ability", known)
            return known
        index = self._ledger.add("ability", piece, sheet=self._sheet, name=name, kind=kind, value=value, text=text)
        self._said.setdefault(key, index)
        self._ledger.claim(piece, SECTION, "parsed", "ability", index)
        return index


def _entries(rest: str) -> Iterator[str]:
    """Entries between commas, none inside parentheses cut."""
    for entry in re.split(r",(?![^()]*\))", rest):
        if entry.strip(" ."):
            yield entry.strip(" .")

"""Weapon tables of a page dump.

Belongs here: the table's header, its rows (each printed twice: the name alone, then in full), keywords in every
notation, weapons with several profiles. A row that lacks a cell or holds a value that is none is refused as a whole.
"""

import re
from collections.abc import Collection, Sequence

from pipelines.sources import characteristics
from pipelines.sources.text import name_key
from pipelines.sources.text_dump import vocabulary as words
from pipelines.sources.text_dump.blocks import Block
from pipelines.sources.text_dump.ledger import Ledger
from pipelines.sources.text_dump.lines import Piece
from pipelines.sources.weapon_keywords import WeaponKeyword, split_name
from pipelines.sources.weapon_names import split_profile

_COLUMNS = {
    "RANGE": "range_in",
    "A": "attacks",
    "BS": "skill",
    "WS": "skill",
    "S": "strength",
    "AP": "armour_penetration",
    "D": "damage",
}
_LONGEST_NAME = 300  # with its keywords; beyond that a cell is no name
_NEEDED = frozenset(_COLUMNS.values())
# Words that are a keyword and also name the weapon itself; alone behind one word they belong to the name.
_NOUNS = frozenset({"lance", "pistol"})


def has_brackets(blocks: Sequence[Block]) -> bool:
    """Whether a page prints weapon keywords in brackets."""
    return any("[" in piece.text for block in blocks for piece in block.pieces if piece.text.startswith("|"))


def cells(text: str) -> list[str]:
    """The cells of a row, empty ones at the end left out."""
    parts = [part.strip() for part in text.split("|")]
    if parts and not parts[0]:
        parts = parts[1:]
    while parts and not parts[-1]:
        parts.pop()
    return parts


class WeaponTable:
    """Reads the weapon tables of one datasheet."""

    def __init__(self, ledger: Ledger, sheet: str, bracketed: bool, items: Collection[str]) -> None:
        self._ledger = ledger
        self._sheet = sheet
        self._bracketed = bracketed
        self._items = frozenset(name_key(item) for item in items)
        self._known: dict[tuple[str, str | None, str], int] = {}
        self._columns: dict[str, list[str]] = {}
        self.footnotes: list[Piece] = []
        self.names: list[str] = []

    def read(self, block: Block) -> None:
        """Read one table; footnotes below it are kept for the abilities."""
        waiting: Piece | None = None
        for piece in block.pieces:
            header = words.WEAPON_HEADER.fullmatch(piece.text)
            if header:
                self._header(piece, block.kind)
                continue
            if "|" not in piece.text:
                self.footnotes.append(piece)
                continue
            row = cells(piece.text)
            if not row:
                self._ledger.claim(piece, "datasheet", "decoration")
                continue
            if len(row) == 1:
                self._unfinished(waiting)
                waiting = piece
                continue
            index = self._row(piece, row, block.kind)
            if waiting is not None:
                waiting = self._name_row(waiting, piece, index)
        self._unfinished(waiting)

    def _header(self, piece: Piece, kind: str) -> None:
        names = [name.upper() for name in cells(piece.text)[1:]]
        columns = [_COLUMNS[name] for name in names if name in _COLUMNS]
        self._ledger.claim(piece, "datasheet", "decoration")
        if frozenset(columns) == _NEEDED and len(columns) == len(names) == len(_NEEDED):
            self._columns[kind] = columns
        else:
            self._columns.pop(kind, None)
            self._ledger.notice(piece, f"the header of the {kind} weapons does not name the columns that rows need")

    def _unfinished(self, waiting: Piece | None) -> None:
        if waiting is not None:
            self._ledger.refuse(waiting, "datasheet", "a weapon's name without its row of values")

    def _name_row(self, waiting: Piece, full: Piece, index: int | None) -> Piece | None:
        """The name-only row before a full one: it repeats the name, or it is the rest of a torn table."""
        if name_key(cells(waiting.text)[0]) != name_key(cells(full.text)[0]):
            self._unfinished(waiting)
        elif index is None:
            self._ledger.claim(waiting, "datasheet", "quarantined")
            self._ledger.result.reject("the row of this weapon was refused", waiting.text, line_no=waiting.line_no)
        else:
            self._ledger.claim(waiting, "datasheet", "repeat", "weapon_profile", index)
        return None

    def _row(self, piece: Piece, row: Sequence[str], kind: str) -> int | None:
        columns = self._columns.get(kind)
        if columns is None:
            self._ledger.refuse(piece, "datasheet", "a weapon row below a header that does not name its columns")
            return None
        if len(row) - 1 != len(columns):
            self._ledger.refuse(piece, "datasheet", f"a weapon row with {len(row) - 1} values, expected {len(columns)}")
            return None
        if len(row[0]) > _LONGEST_NAME:
            self._ledger.refuse(piece, "datasheet", f"a weapon's name of {len(row[0])} letters")
            return None
        try:
            values = _values(dict(zip(columns, row[1:], strict=True)), kind)
            name, keywords, printed = self._name(piece, row[0])
        except ValueError as error:
            self._ledger.refuse(piece, "datasheet", str(error))
            return None
        weapon, profile = split_profile(name)
        if not any(letter.isalpha() for letter in weapon):
            self._ledger.refuse(piece, "datasheet", "a weapon row without a name")
            return None
        values |= {"weapon": weapon, "profile": profile, "attack_type": kind}
        values |= {"keywords": [keyword.row() for keyword in keywords], "keywords_text": printed}
        return self._store(piece, values)

    def _store(self, piece: Piece, values: dict[str, object]) -> int | None:
        """Keep a profile once; the same weapon with other values is refused, since neither row can be trusted more."""
        profile = values["profile"]
        key = (name_key(str(values["weapon"])), name_key(str(profile)) if profile else None, str(values["attack_type"]))
        known = self._known.get(key)
        if known is None:
            index = self._ledger.add("weapon_profile", piece, sheet=self._sheet, **values)
            self._known[key] = index
            self.names.append(str(values["weapon"]))
            self._ledger.claim(piece, "datasheet", "parsed", "weapon_profile", index)
            return index
        row = self._ledger.row("weapon_profile", known)
        if all(row[name] == value for name, value in values.items() if name != "keywords_text"):
            self._ledger.claim(piece, "datasheet", "repeat", "weapon_profile", known)
            return known
        reason = f"the same weapon has other values on line {row['line_no']}; the first print is kept"
        self._ledger.refuse(piece, "datasheet", reason)
        self._ledger.notice(
            piece, f"weapon {values['weapon']} is printed with values that differ from line {row['line_no']}"
        )
        return None

    def _name(self, piece: Piece, cell: str) -> tuple[str, list[WeaponKeyword], str | None]:
        name, keywords, printed = self._split(cell)
        for keyword in keywords:
            if not keyword.is_known:
                self._ledger.notice(piece, f"unknown weapon keyword '{keyword.keyword}'")
        return name, keywords, printed

    def _split(self, cell: str) -> tuple[str, list[WeaponKeyword], str | None]:
        if "[" in cell:
            name, keywords, printed = split_name(cell)
            return name, list(dict.fromkeys(keywords)), printed
        if self._bracketed or name_key(cell) in self._items:
            return cell, [], None
        return self._without_brackets(cell)

    def _without_brackets(self, cell: str) -> tuple[str, list[WeaponKeyword], str | None]:
        """Keywords behind the name. A word of the name is not taken for a keyword that is printed behind it anyway."""
        name, keywords, printed = split_name(cell)
        if not keywords or printed is None:
            return cell, [], None
        taken = _words_of(printed)
        whole = cell.split()
        for kept in range(len(name.split()), len(whole)):
            if name_key(" ".join(whole[:kept])) in self._items:
                return self._cut(whole, kept)
        if len(keywords) > 1 and keywords[0].keyword in {keyword.keyword for keyword in keywords[1:]}:
            return self._cut(whole, len(name.split()) + 1)
        if len(keywords) == 1 and keywords[0].keyword in _NOUNS and len(taken) == 1 and len(name.split()) == 1:
            return cell, [], None
        return name, keywords, printed

    @staticmethod
    def _cut(whole: Sequence[str], kept: int) -> tuple[str, list[WeaponKeyword], str | None]:
        rest = " ".join(whole[kept:])
        _, keywords, _ = split_name("name " + rest) if rest else ("", [], None)
        return " ".join(whole[:kept]), keywords, rest or None


def _words_of(printed: str) -> list[str]:
    return [word for word in re.split(r"[\s,]+", printed) if word]


def _values(printed: dict[str, str], kind: str) -> dict[str, object]:
    """The characteristics of a row. Raises ValueError that says which value is none."""
    missing = [name for name, value in printed.items() if not value]
    if missing:
        raise ValueError(f"a weapon row without its {missing[0]}")
    reach = characteristics.range_in(printed["range_in"])
    if (reach is None) != (kind == "melee"):
        raise ValueError(f"range '{printed['range_in']}' in the table of {kind} weapons")
    return {
        "range_in": reach,
        "attacks": characteristics.dice_text(printed["attacks"]),
        "skill": characteristics.skill(printed["skill"]),
        "strength": characteristics.dice_text(printed["strength"]),
        "armour_penetration": characteristics.armour_penetration(printed["armour_penetration"]),
        "damage": characteristics.dice_text(printed["damage"]),
    }

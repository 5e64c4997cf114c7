"""Where the parsers put what they read: rows, the fate of every line, rejects.

Belongs here: adding a row once, claiming a line, refusing a piece. Does not belong here: any grammar.
"""

from collections.abc import Iterable
from typing import Any

from pipelines.sources.records import Disposition, LineClaim, ReadResult, Row
from pipelines.sources.text_dump.lines import Piece

# A line with two pieces keeps the claim that says most.
_RANK: dict[Disposition, int] = {"parsed": 4, "repeat": 3, "quarantined": 2, "reference": 1, "decoration": 0}


class Ledger:
    """Rows, claims and rejects of one file, filled page by page."""

    def __init__(self, result: ReadResult) -> None:
        self.result = result
        self._claims: dict[int, LineClaim] = {}
        self._said: dict[tuple[Any, ...], int] = {}
        self._sheets: set[str] = set()

    def add(self, table: str, piece: Piece, **values: Any) -> int:
        """A row that this piece states; returns its index."""
        return self.result.add(table, line_no=piece.line_no, **values)

    def once(self, table: str, piece: Piece, **values: Any) -> tuple[int, bool]:
        """A row, unless the file said the very same before: (index, whether it is new)."""
        key = (table, *((name, _frozen(value)) for name, value in sorted(values.items())))
        index = self._said.get(key)
        if index is not None:
            return index, False
        index = self.add(table, piece, **values)
        self._said[key] = index
        return index, True

    def row(self, table: str, index: int) -> Row:
        """A row added before."""
        return self.result.tables[table][index]

    def sheet_key(self, name: str, line_no: int) -> str:
        """A key for a datasheet that is unique in this file: its name, with the line where the name is taken."""
        key = name if name not in self._sheets else f"{name} (line {line_no})"
        self._sheets.add(key)
        return key

    def claim(
        self, piece: Piece, section: str, disposition: Disposition, table: str | None = None, row: int | None = None
    ) -> None:
        """Say what became of a piece's line. Of two pieces on one line the one that says more counts."""
        self.claim_line(piece.line_no, section, disposition, table, row)

    def claim_line(
        self, line_no: int, section: str, disposition: Disposition, table: str | None = None, row: int | None = None
    ) -> None:
        """Say what became of a line."""
        known = self._claims.get(line_no)
        if known is None or _RANK[disposition] > _RANK[known.disposition]:
            self._claims[line_no] = LineClaim(line_no, section, disposition, table, row)

    def claim_all(
        self,
        pieces: Iterable[Piece],
        section: str,
        disposition: Disposition,
        table: str | None = None,
        row: int | None = None,
    ) -> None:
        """Claim several pieces alike."""
        for piece in pieces:
            self.claim(piece, section, disposition, table, row)

    def refuse(self, piece: Piece, section: str, reason: str) -> None:
        """Quarantine a piece: a reject that says why, and a claim that says so."""
        self.result.reject(reason, piece.text, line_no=piece.line_no)
        self.claim(piece, section, "quarantined")

    def notice(self, piece: Piece, text: str) -> None:
        """Something a person should know that changes no row."""
        self.result.notices.append(f"line {piece.line_no}: {text}")

    def close_page(self, first_line: int, count: int) -> None:
        """Hand over the claims of a page, in order; a line that no parser claimed is quarantined."""
        for line_no in range(first_line, first_line + count):
            claim = self._claims.pop(line_no, None)
            if claim is None:
                self.result.reject("no parser took this line", line_no=line_no)
                claim = LineClaim(line_no, "unknown", "quarantined")
            self.result.lines.append(claim)


def _frozen(value: Any) -> Any:
    return str(value) if isinstance(value, list | dict) else value

"""Pages of a book: the book table, the roster of a Combat Patrol box, its enhancements and secondary objectives.

Belongs here: what stands around the datasheets of a book. Does not belong here: the datasheets themselves.
"""

import re

from pipelines.sources.records import Disposition
from pipelines.sources.text import name_key
from pipelines.sources.text_dump import vocabulary as words
from pipelines.sources.text_dump.blocks import Block
from pipelines.sources.text_dump.ledger import Ledger
from pipelines.sources.text_dump.lines import Piece
from pipelines.sources.text_dump.lost import lost_in_text
from pipelines.sources.text_dump.sheets import Page, Roster

_COLUMNS = {"book": "name", "kind": "kind", "edition": "edition", "version": "version", "last update": "dated"}


def read_table(ledger: Ledger, block: Block, page: Page) -> None:
    """`Book | Kind | Edition | Version | Last update` and its rows (a name-only row first)."""
    section = "book"
    columns: list[str] = []
    waiting: Piece | None = None
    last: int | None = None
    for piece in block.pieces:
        row = [cell.strip() for cell in piece.text.strip().strip("|").split("|")]
        if piece.text == "Books":
            ledger.claim(piece, section, "decoration")
        elif "|" not in piece.text:
            _title_again(ledger, piece, page, last)
        elif not columns and name_key(row[0]) == "book":
            columns = [_COLUMNS.get(cell.lower(), "") for cell in row]
            ledger.claim(piece, section, "decoration")
        elif len([cell for cell in row if cell]) == 1:
            waiting = piece
        elif not columns or len(row) > len(columns) + 1:
            ledger.refuse(piece, section, "a book row that does not fit its header")
        else:
            last = _book(ledger, piece, dict(zip(columns, row, strict=False)), page)
            if waiting is not None:
                ledger.claim(waiting, section, "repeat", "book", last)
                waiting = None
    if waiting is not None:
        ledger.refuse(waiting, section, "a book's name without its row of values")


def _title_again(ledger: Ledger, piece: Piece, page: Page, last: int | None) -> None:
    if page.book and piece.text == page.book and last is not None:
        ledger.claim(piece, "book", "repeat", "book", last)
    elif page.book and piece.text == page.book:
        ledger.claim(piece, "book", "decoration")
    else:
        ledger.refuse(piece, "book", "a line among books that is no row")


def _book(ledger: Ledger, piece: Piece, values: dict[str, str], page: Page) -> int:
    values.pop("", None)
    named = {name: value or None for name, value in values.items()}
    index, new = ledger.once(
        "book",
        piece,
        name=named.get("name"),
        kind=named.get("kind"),
        edition=named.get("edition"),
        version=named.get("version"),
        dated=named.get("dated"),
    )
    ledger.claim(piece, "book", "parsed" if new else "repeat", "book", index)
    result = ledger.result
    result.edition = result.edition or named.get("edition")
    result.version = result.version or named.get("version")
    if page.title_piece is not None:
        ledger.claim(page.title_piece, "book", "parsed", "book", index)
    return index


def roster(ledger: Ledger, block: Block) -> Roster | None:
    """A unit of the box: `NAME (5 MODELS)`, advice for players, and what the models carry."""
    match = words.ROSTER_HEADING.fullmatch(block.heading.text)
    if not match:
        ledger.refuse(block.heading, "roster", "a unit of a box without its number of models")
        return None
    unit = Roster(block.heading, match["name"], int(match["models"]))
    for piece in block.body:
        if words.EQUIPPED.fullmatch(piece.text):
            unit.equipment.append(piece)
        else:
            ledger.claim(piece, "roster", "reference")  # advice for players: it gives no fact
    return unit


def unclaimed_roster(ledger: Ledger, unit: Roster) -> None:
    """A unit of the box for which the file holds no datasheet."""
    for piece in (unit.heading, *unit.equipment):
        ledger.refuse(piece, "roster", f"the file holds no datasheet named {unit.name}")


def read_introduction(ledger: Ledger, block: Block) -> None:
    """Headings and sentences that only lead over to what follows."""
    section = "introduction"
    ledger.claim(block.heading, section, "decoration")
    for piece in block.body:
        ledger.claim(piece, section, "reference")


def read_enhancements(ledger: Ledger, block: Block, page: Page) -> None:
    """The default and optional enhancement of a box: name, flavour, rules."""
    for name, flavour, rest, pieces in _entries(ledger, block, "enhancement"):
        index, new = ledger.once(
            "enhancement",
            name,
            name=name.text,
            detachment=page.book,
            faction=page.faction,
            points=None,
            text="\n".join(piece.text for piece in rest),
            flavour=flavour.text if flavour else None,
            requires=None,
            has_lost_text=lost_in_text([(piece.raw, piece.text) for piece in rest]),
        )
        ledger.claim_all(pieces, "enhancement", "parsed" if new else "repeat", "enhancement", index)


def read_objectives(ledger: Ledger, block: Block, page: Page) -> None:
    """The default and optional secondary objective of a box."""
    for name, _, rest, pieces in _entries(ledger, block, "secondary_objective"):
        index, new = ledger.once(
            "secondary_objective",
            name,
            name=name.text,
            detachment=page.book,
            text="\n".join(piece.text for piece in rest),
        )
        said: Disposition = "parsed" if new else "repeat"
        ledger.claim_all(pieces, "secondary_objective", said, "secondary_objective", index)


_LEADS_OVER = re.compile(r"You (?:can|will|may) use the following\b[^.]*:")
_RULE = re.compile(
    r"^[-•]|\bVP\b|\d+VP\b|\b(?:score|you can|each time|until the|add|subtract|improve|unit|model)\b", re.I
)


def _reads_as_rule(text: str) -> bool:
    return bool(_RULE.search(text))


_Entry = tuple[Piece, Piece | None, list[Piece], list[Piece]]


def _entries(ledger: Ledger, block: Block, section: str) -> list[_Entry]:
    """(name, flavour, rule lines, all pieces) of each entry; headings and sentences before the first are no fact."""
    entries: list[list[Piece]] = []
    for piece in block.pieces:
        if piece.text == "OR" or piece.text in words.BOOK_MARKS or name_key(piece.text) in words.BOOK_SECTIONS:
            ledger.claim(piece, section, "decoration")
        elif _LEADS_OVER.fullmatch(piece.text):
            ledger.claim(piece, section, "reference")
        elif words.is_heading_form(piece.text):
            entries.append([piece])
        elif entries:
            entries[-1].append(piece)
        else:
            ledger.claim(piece, section, "reference")
    found: list[_Entry] = []
    for pieces in entries:
        body = pieces[1:]
        if not body:
            ledger.refuse(pieces[0], section, f"{pieces[0].text} has no text")
            continue
        if not any(_reads_as_rule(piece.text) for piece in body):
            for piece in pieces:
                ledger.refuse(piece, section, f"{pieces[0].text} has no rule, only a flavour")
            continue
        has_flavour = len(body) > 1 and not re.match(r"[-•]", body[0].text)
        found.append((pieces[0], body[0] if has_flavour else None, body[1:] if has_flavour else body, pieces))
    return found

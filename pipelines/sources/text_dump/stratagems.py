"""Full stratagem blocks: name, cost, detachment and type, flavour, WHEN, TARGET, EFFECT, RESTRICTIONS.

Belongs here: the block as printed, its second copy, fields wrapped over several lines. Does not belong here: what a
stratagem does. A second copy that says something else is refused, never merged.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipelines.sources.text_dump import vocabulary as words
from pipelines.sources.text_dump.blocks import Block
from pipelines.sources.text_dump.ledger import Ledger
from pipelines.sources.text_dump.lines import Piece
from pipelines.sources.text_dump.lost import lost_in_line

SECTION = "stratagem"
_COLUMNS = {"WHEN": "when_text", "TARGET": "target_text", "EFFECT": "effect_text", "RESTRICTIONS": "restrictions_text"}
_CORE_DETACHMENTS = frozenset({"core", "boarding actions"})


@dataclass
class _Field:
    label: str
    pieces: list[Piece] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Wrapped lines joined with a blank, bullets on lines of their own."""
        text = ""
        for line in self.lines:
            if not line:
                continue
            text += ("\n" if line.startswith(("- ", "• ")) else " ") + line if text else line
        return text


def read(ledger: Ledger, block: Block, faction: str | None) -> None:
    """Read one block. `faction` is that of the page; the Core and Boarding Actions stratagems belong to none."""
    pieces = block.pieces
    if len(pieces) < 3 or words.CP_LINE.fullmatch(pieces[0].text):
        _refuse(ledger, pieces, "a stratagem without its name, or cut off after it")
        return
    cost = words.CP_LINE.fullmatch(pieces[1].text)
    place = words.STRATAGEM_LINE.fullmatch(pieces[2].text)
    if place is None and words.is_place(pieces[2].text):
        place = words.DETACHMENT_AND_TYPE.fullmatch(pieces[2].text)
    if not cost or not place:
        _refuse(ledger, pieces, "a stratagem without its cost, detachment or the word Stratagem")
        return
    flavour, fields = _fields(pieces[3:])
    first, second, spare = _copies(fields)
    if "EFFECT" not in first and "WHEN" not in first:
        _refuse(ledger, pieces, "a stratagem without WHEN and EFFECT")
        return
    head = (int(cost[1]), place["detachment"], place["type"] or None)
    index = _store(ledger, pieces, head, flavour, first, faction)
    for label, again in second.items():
        _second_print(ledger, index, first[label], again)
    for item in spare:
        _second_print(ledger, index, first[item.label], item)


def _refuse(ledger: Ledger, pieces: Sequence[Piece], reason: str) -> None:
    for piece in pieces:
        ledger.refuse(piece, SECTION, reason)


def _fields(pieces: Sequence[Piece]) -> tuple[list[Piece], list[_Field]]:
    """The flavour before the first field, and the fields in order of print."""
    flavour: list[Piece] = []
    fields: list[_Field] = []
    for piece in pieces:
        match = words.FIELD.fullmatch(piece.text)
        if match:
            label = "RESTRICTIONS" if match[1].startswith("RESTRICTION") else match[1]
            fields.append(_Field(label, [piece], [match[2].strip()]))
        elif fields:
            fields[-1].pieces.append(piece)
            fields[-1].lines.append(piece.text)
        else:
            flavour.append(piece)
    return flavour, fields


def _copies(fields: Sequence[_Field]) -> tuple[dict[str, _Field], dict[str, _Field], list[_Field]]:
    """First print of each field, second print, and anything printed a third time."""
    first: dict[str, _Field] = {}
    second: dict[str, _Field] = {}
    spare: list[_Field] = []
    for item in fields:
        if item.label not in first:
            first[item.label] = item
        elif item.label not in second:
            second[item.label] = item
        else:
            spare.append(item)
    return first, second, spare


def _store(
    ledger: Ledger,
    pieces: Sequence[Piece],
    head: tuple[int, str, str | None],
    flavour: Sequence[Piece],
    first: dict[str, _Field],
    faction: str | None,
) -> int:
    cost, detachment, kind = head
    texts = {_COLUMNS[label]: item.text or None for label, item in first.items()}
    values: dict[str, object] = dict.fromkeys(_COLUMNS.values())
    values |= texts
    index, new = ledger.once(
        "stratagem",
        pieces[0],
        name=pieces[0].text,
        detachment=detachment,
        faction=None if detachment.casefold() in _CORE_DETACHMENTS else faction,
        type=kind,
        cp=cost,
        flavour=" ".join(piece.text for piece in flavour) or None,
        has_lost_text=any(_lost(item) for item in first.values()),
        **values,
    )
    said = [*pieces[:3], *flavour, *(piece for item in first.values() for piece in item.pieces)]
    ledger.claim_all(said, SECTION, "parsed" if new else "repeat", "stratagem", index)
    return index


def _lost(item: _Field) -> bool:
    """Whether a field lost words: in a line, at its start, at its end, or all of them."""
    text = item.text
    torn = any(lost_in_line(piece.raw, line) for piece, line in zip(item.pieces, item.lines, strict=True))
    return torn or not text or text[0].islower() or text.endswith(":")


def _is_whole(text: str, following: str) -> bool:
    """Whether a text ends where it should: with a sentence, and what follows it begins another."""
    return text[-1:] in (".", "!", "?", ")", '"') and not following[:1].islower()


def _second_print(ledger: Ledger, index: int, first: _Field, again: _Field) -> None:
    """Each field is printed twice. Lines beyond the first print belong to something whose heading is missing."""
    for count in range(len(again.lines), 0, -1):
        if _Field(again.label, lines=again.lines[:count]).text == first.text:
            if count < len(again.lines) and not _is_whole(first.text, again.lines[count]):
                break
            ledger.claim_all(again.pieces[:count], SECTION, "repeat", "stratagem", index)
            _refuse(ledger, again.pieces[count:], "text after a stratagem that belongs to no block")
            return
    reason = f"{again.label} is printed again with other words; the first print is kept"
    ledger.row("stratagem", index)["has_lost_text"] = True  # one of the two prints lost words
    _refuse(ledger, again.pieces, reason)

"""A page dump from bytes to rows: pages, blocks, and the parser of each block.

Belongs here: the order of work on a page and what its blocks tell each other (title, book, faction, detachments). Does
not belong here: the grammar of any block.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from pipelines.sources.edition import edition_of
from pipelines.sources.recognise import decode_text
from pipelines.sources.records import LineClaim, RawFile, ReadResult
from pipelines.sources.text import name_key
from pipelines.sources.text_dump import books, lines, rules, stratagems
from pipelines.sources.text_dump import vocabulary as words
from pipelines.sources.text_dump.blocks import SHEET_KINDS, Block, is_points, names_of, recognise
from pipelines.sources.text_dump.ledger import Ledger
from pipelines.sources.text_dump.lines import Names, Piece
from pipelines.sources.text_dump.sheets import Page, SheetReader, group
from pipelines.sources.text_dump.weapons import has_brackets

_EDITION_LOOKED_AT = 200_000
_ALWAYS_OF_NOBODY = frozenset({"core", "boarding actions"})


def read(data: bytes, file: RawFile) -> ReadResult:
    """Everything that a page dump says. Never raises; every line is claimed, what is not understood is a reject.

    Several pages may stand in one file; memory grows with what they say, not with how often they say it.
    """
    result = ReadResult()
    text = decode_text(data)
    if text is None:
        _binary(result, data)
        return result
    if not text.strip():
        result.notices.append("the file is empty")
    ledger = Ledger(result)
    for first_line, page in lines.pages(text):
        _read_page(ledger, first_line, page)
    result.edition = result.edition or edition_of(text[:_EDITION_LOOKED_AT])
    return result


def _binary(result: ReadResult, data: bytes) -> None:
    """A file that is no text: one reject, and all its lines quarantined."""
    result.reject("no text: binary data, or an encoding that is not UTF-8, UTF-16 or Windows-1252")
    result.lines = [LineClaim(number, "unknown", "quarantined") for number in range(1, data.count(b"\n") + 2)]


def _read_page(ledger: Ledger, first_line: int, page_lines: Sequence[str]) -> None:
    cleaned = [lines.clean(line) for line in page_lines]
    for offset, text in enumerate(cleaned):
        if not text:
            ledger.claim_line(first_line + offset, "blank", "decoration")
    names = names_of(cleaned)
    pieces = lines.pieces(first_line, page_lines, names)
    blocks = recognise(pieces, names)
    page = _page(blocks, cleaned)
    _Reading(ledger, page, names, blocks).run()
    _describe(ledger, page, blocks, first_line, cleaned)
    ledger.close_page(first_line, len(page_lines))


def _page(blocks: Sequence[Block], cleaned: Sequence[str]) -> Page:
    """Title, book and faction of a page, as far as it states them."""
    page = Page(texts=cleaned, bracketed=has_brackets([block for block in blocks if block.kind in ("ranged", "melee")]))
    title = next((block.heading for block in blocks if block.kind == "title"), None)
    match = words.TITLE.fullmatch(title.text) if title else None
    if title:
        page.title, page.title_piece = title.text, title
    referred = _referred_book(blocks)
    if match:
        page.book = page.faction = match["book"]
    else:
        page.book = title.text if title else _tabled_book(blocks) or referred
        page.faction = referred
    has_roster = any(block.kind == "roster" for block in blocks)
    detachments = _detachments(blocks)
    if has_roster and page.book is None and len(detachments) == 1:
        page.book = next(iter(detachments))  # a box's stratagems carry its name
    page.is_combat_patrol = has_roster or name_key(page.book or "-") in {name_key(name) for name in detachments}
    if page.is_combat_patrol:
        page.faction = _patrol_faction(blocks)
    return page


def _tabled_book(blocks: Sequence[Block]) -> str | None:
    """The one book that a book table names."""
    named = {
        piece.text.strip(" |").partition("|")[0].strip()
        for block in blocks
        if block.kind == "book_table"
        for piece in block.body[1:]
        if "|" in piece.text
    }
    return next(iter(named)) if len(named) == 1 else None


def _referred_book(blocks: Sequence[Block]) -> str | None:
    """The book that keyword references name (`used in the following X datasheets`)."""
    found: Counter[str] = Counter()
    for block in blocks:
        if block.kind == "keyword_ref":
            match = words.KEYWORD_REFERENCE.fullmatch(block.heading.text)
            if match and match["book"]:
                found[match["book"]] += 1
    return found.most_common(1)[0][0] if found else None


def _detachments(blocks: Sequence[Block]) -> set[str]:
    """Detachments of the listed stratagems. A Combat Patrol's carry the name of its box in their place."""
    found = set()
    for block in blocks:
        if block.kind == "stratagem_list":
            for before, piece in pairwise(block.pieces):
                match = words.DETACHMENT_AND_TYPE.fullmatch(piece.text)
                if match and words.CP_LINE.fullmatch(before.text):
                    found.add(match["detachment"])
    return {name for name in found if name.casefold() not in _ALWAYS_OF_NOBODY}


def _patrol_faction(blocks: Sequence[Block]) -> str | None:
    """The faction keyword that every datasheet of the box carries, where there is one."""
    listed = [
        frozenset(piece.text for piece in block.body if piece.text)
        for block in blocks
        if block.kind == "faction_keywords" and block.body
    ]
    common = frozenset.intersection(*listed) if listed else frozenset()
    return next(iter(common)) if len(common) == 1 else None


class _Reading:
    """One page being read."""

    def __init__(self, ledger: Ledger, page: Page, names: Names, blocks: Sequence[Block]) -> None:
        self._ledger = ledger
        self._page = page
        self._names = names
        self._blocks = blocks
        self._has_sheet = any(block.kind in SHEET_KINDS for block in blocks)
        self._detachments = rules.Detachments(ledger, page, names, blocks)

    def run(self) -> None:
        """Lists that name things first, then rules (they tell the detachments), then datasheets."""
        self._points()
        for block in self._blocks:
            if block.kind not in SHEET_KINDS:
                self._other(block)
        sheets = group(self._blocks)
        titled = words.TITLE.fullmatch(self._page.title or "") is not None
        for position, sheet in enumerate(sheets):
            SheetReader(self._ledger, self._page, sheet).read(titled and position == 0)
        for unit in self._page.rosters.values():
            books.unclaimed_roster(self._ledger, unit)

    def _points(self) -> None:
        """Points of enhancements stand in the datasheet's list; their rules stand elsewhere."""
        for block in self._blocks:
            if block.kind != "enhancement_list":
                continue
            for name, piece in pairwise(block.pieces):
                if is_points(piece.text) and not is_points(name.text):
                    self._page.points[name_key(name.text)] = (int(re.sub(r"\D", "", piece.text)), piece)

    def _other(self, block: Block) -> None:
        ledger, page = self._ledger, self._page
        match block.kind:
            case "title":
                if block.heading is not page.title_piece:
                    ledger.claim(block.heading, "title", "repeat")
            case "book_table":
                books.read_table(ledger, block, page)
            case "roster":
                unit = books.roster(ledger, block)
                if unit:
                    self._keep_roster(unit)
            case "book_intro":
                books.read_introduction(ledger, block)
            case "book_rules":
                books.read_introduction(ledger, block)
            case "book_enhancements":
                books.read_enhancements(ledger, block, page)
            case "book_objectives":
                books.read_objectives(ledger, block, page)
            case "stratagem":
                stratagems.read(ledger, block, page.faction)
            case "detachment":
                self._detachments.read(block)
            case "keyword_grant":
                self._detachments.grant(block)
            case "army_rule":
                rules.read_army(ledger, block, page)
            case "core_rule":
                self._glossary(block)
            case "keyword_ref" | "army_list_nav" | "profile_footnote":
                ledger.claim_all(block.pieces, block.kind, "reference")
            case "advert":
                ledger.claim_all(block.pieces, block.kind, "decoration")
            case _:
                self._unknown(block.pieces)

    def _keep_roster(self, unit: books.Roster) -> None:
        key = name_key(unit.name)
        if key in self._page.rosters:
            books.unclaimed_roster(self._ledger, unit)
        else:
            self._page.rosters[key] = unit

    def _glossary(self, block: Block) -> None:
        """A glossary entry. One that is no core rule and describes abilities of an army is an army rule as well.

        Only pages with a datasheet have a glossary; elsewhere a heading that is no core rule heads anything at all.
        """
        if not self._has_sheet and not rules.is_known_core(block):
            self._unknown(block.pieces)
            return
        rules.read_core(self._ledger, block)
        if not rules.is_known_core(block) and rules.speaks_of_an_army(block):
            rules.read_army(self._ledger, block, self._page, section="core_rule")

    def _unknown(self, pieces: Sequence[Piece]) -> None:
        for piece in pieces:
            if set(piece.text) <= {"|", " ", "-", "*", "_", "="}:
                self._ledger.claim(piece, "unknown", "decoration")
            else:
                self._ledger.refuse(piece, "unknown", "no block of a page dump begins or goes on like this")


def _describe(ledger: Ledger, page: Page, blocks: Sequence[Block], first_line: int, cleaned: Sequence[str]) -> None:
    """What the file says of itself; a page without a datasheet is named as what it is."""
    result = ledger.result
    result.title = result.title or page.title
    result.faction = result.faction or page.faction
    if page.title_piece is not None:
        ledger.claim(page.title_piece, "title", "decoration")
    if any(block.kind in SHEET_KINDS for block in blocks) or not any(cleaned):
        return
    where = f"line {first_line}"
    known = {block.kind for block in blocks} - {"unknown", "title"}
    head = "\n".join(cleaned[:40])
    if words.ERROR_PAGE.search(head) and known <= {"core_rule"}:
        result.notices.append(f"{where}: an error page, not a datasheet: save the page again")
    elif known & {"stratagem", "detachment", "army_rule", "book_table"}:
        result.notices.append(f"{where}: a page of rules without a datasheet (a faction or detachment page)")
    else:
        result.notices.append(f"{where}: no datasheet page; nothing on it has the form of one")

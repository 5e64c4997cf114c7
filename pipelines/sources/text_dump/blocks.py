"""Which block each piece of a page belongs to.

Belongs here: recognising where a block starts and ends, by the form of the line, its neighbours and the names that the
page states. Does not belong here: what a block says. A piece that fits nowhere becomes a block of kind `unknown`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipelines.sources.text import name_key
from pipelines.sources.text_dump import vocabulary as words
from pipelines.sources.text_dump.lines import Names, Piece

# Blocks that hold a datasheet's own sections; a boxed rule may stand only in those that hold rules of the sheet.
SHEET_KINDS = frozenset(
    {
        "ranged",
        "melee",
        "options",
        "abilities",
        "wargear_abilities",
        "composition",
        "damaged",
        "keywords",
        "faction_keywords",
        "stratagem_list",
        "leader",
        "led_by",
        "detachment_list",
        "enhancement_list",
        "special",
    }
)
_BOXED_AFTER = frozenset({"abilities", "wargear_abilities", "composition", "damaged", "options", "special", "leader"})
_KEEPS_SUBHEADINGS = frozenset(
    {"army_rule", "detachment", "book_rules", "book_enhancements", "book_objectives", "roster"}
)
_RULE_KINDS = frozenset({"stratagem", "core_rule", "army_rule", "detachment", "keyword_ref", "keyword_grant"})
_HEADED_TEXT = frozenset({"core_rule", "army_rule", "detachment", "special", "book_rules", "damaged", "keyword_grant"})


@dataclass
class Block:
    """Pieces of one kind. `heading` is the piece that opened it."""

    kind: str
    pieces: list[Piece] = field(default_factory=list)

    @property
    def heading(self) -> Piece:
        """The piece that opened the block."""
        return self.pieces[0]

    @property
    def body(self) -> list[Piece]:
        """Everything after the heading."""
        return self.pieces[1:]


def names_of(cleaned: Sequence[str]) -> Names:
    """Names that a page states in lists: stratagems, faction abilities, detachment rules, enhancements."""
    keys: set[str] = set()
    faction: set[str] = set()
    headed: set[str] = set()
    rules: list[str] = []
    enhancements: list[str] = []
    texts = [text for text in cleaned if text]
    for index, text in enumerate(texts):
        following = texts[index + 1] if index + 1 < len(texts) else ""
        if words.CP_LINE.fullmatch(following) and words.is_capitals(text):
            keys.add(name_key(text))
        elif words.DETACHMENT_LINE.fullmatch(following) and words.is_name_form(text):
            headed.add(name_key(text))
        elif text.startswith("FACTION:"):
            faction.update(name_key(name) for name in text[8:].split(",") if name.strip())
        elif words.SHEET_SECTIONS.get(text) == "detachment_list":
            rules.extend(_listed(texts, index + 1))
        elif text == "ENHANCEMENTS":
            enhancements.extend(_listed_enhancements(texts, index + 1))
    keys |= faction | {name_key(name) for name in (*rules, *enhancements)}
    headed |= {name_key(name) for name in rules}
    return Names(
        frozenset(keys),
        frozenset(faction),
        tuple(dict.fromkeys(rules)),
        frozenset(headed - words.CORE_KEYS),
        tuple(dict.fromkeys(enhancements)),
    )


def _listed(texts: Sequence[str], start: int) -> list[str]:
    """Headings under a list's title, up to the first that is followed by a sentence (that one opens a rule)."""
    found: list[str] = []
    for index in range(start, min(start + 40, len(texts))):
        text = texts[index]
        following = texts[index + 1] if index + 1 < len(texts) else ""
        if text in words.SHEET_SECTIONS or words.is_core_heading(text) or not words.is_name_form(text):
            break
        if following and not _continues_list(following):
            break
        found.append(text)
    return found


def _continues_list(following: str) -> bool:
    if words.CP_LINE.fullmatch(following) or words.DETACHMENT_LINE.fullmatch(following):
        return False
    return (
        words.is_heading_form(following)
        or words.is_name_form(following)
        or bool(words.WEAPON_HEADER.fullmatch(following))
        or bool(words.KEYWORDS_LINE.fullmatch(following) or words.FACTION_KEYWORDS.fullmatch(following))
        or bool(words.KEYWORD_REFERENCE.match(following) or words.FOOTNOTE.match(following))
    )


def _listed_enhancements(texts: Sequence[str], start: int) -> list[str]:
    found: list[str] = []
    index = start
    while index + 1 < len(texts) and words.is_name_form(texts[index]) and is_points(texts[index + 1]):
        found.append(texts[index])
        index += 2
    return found


def recognise(pieces: Sequence[Piece], names: Names) -> list[Block]:
    """The blocks of a page, in order; every piece is in exactly one."""
    reader = _Recogniser(pieces, names)
    return reader.run()


class _Recogniser:
    def __init__(self, pieces: Sequence[Piece], names: Names) -> None:
        self._pieces = pieces
        self._names = names
        self._rule_names = frozenset(name_key(name) for name in names.detachment_rules)
        self._blocks: list[Block] = []
        self._is_book = any(
            piece.text == "Books" or piece.text in words.BOOK_MARKS or words.BOOK_HEADER.match(piece.text)
            for piece in pieces
        )
        self._region = "none"  # kind of the last block of a datasheet, until rules begin
        self._table: str | None = None  # the last weapon table, while nothing but stray lines followed it
        self._has_begun = False  # whether a section of a sheet or a rule was seen: titles and the like come first

    def run(self) -> list[Block]:
        for index, piece in enumerate(self._pieces):
            kind = self._opener(index)
            if kind:
                self._open(kind, piece)
            elif self._accepts(index):
                self._blocks[-1].pieces.append(piece)
            else:
                self._open(self._resumed(piece.text) or "unknown", piece)
        return self._blocks

    def _is_book_name(self, text: str) -> bool:
        """Whether a line below a book table says the name of the book again."""
        rows = [piece.text.strip(" |").partition("|")[0].strip() for piece in self._blocks[-1].pieces]
        return text in rows or any(block.kind == "title" and block.heading.text == text for block in self._blocks)

    def _resumed(self, text: str) -> str | None:
        """The table that a row belongs to when something else stands between the row and its table."""
        cells = [cell for cell in text.split("|") if cell.strip()]
        if not text.startswith("|") or self._region not in SHEET_KINDS:
            return None
        if len(cells) >= 5 or (len(cells) == 1 and text.count("|") >= 6):
            return self._table
        return "composition" if len(cells) == 2 and self._region == "composition" else None

    # --- neighbours -----------------------------------------------------------------------------------------------

    def _text(self, index: int) -> str:
        return self._pieces[index].text if 0 <= index < len(self._pieces) else ""

    @property
    def _current(self) -> Block | None:
        return self._blocks[-1] if self._blocks else None

    def _kind(self) -> str:
        return self._blocks[-1].kind if self._blocks else "none"

    def _open(self, kind: str, piece: Piece) -> None:
        self._blocks.append(Block(kind, [piece]))
        if kind != "unknown":
            self._table = kind if kind in ("ranged", "melee") else None
        self._has_begun = self._has_begun or kind in SHEET_KINDS or kind in _RULE_KINDS
        if kind in SHEET_KINDS:
            self._region = kind
        elif kind != "unknown":
            self._region = "rules"

    # --- what opens a block ---------------------------------------------------------------------------------------

    def _opener(self, index: int) -> str | None:
        text, following = self._text(index), self._text(index + 1)
        return (
            self._sheet_section(index, text, following)
            or self._standing(text, following)
            or self._stratagem(index, text, following)
            or self._book(index, text, following)
            or self._detachment(text, following)
            or self._rule(index, text, following)
        )

    def _sheet_section(self, index: int, text: str, following: str) -> str | None:
        weapons = words.WEAPON_HEADER.fullmatch(text)
        if weapons:
            return weapons[1].lower()
        if text in words.SHEET_SECTIONS:
            return words.SHEET_SECTIONS[text]
        if text.startswith(("CORE: ", "FACTION: ")) and self._kind() != "abilities":
            return "abilities"
        if text == "LEADER" and words.CAN_LEAD.fullmatch(following):
            return "leader"
        if text == "LED BY":
            return "led_by"
        if words.DAMAGED.fullmatch(text):
            return "damaged"
        if words.FACTION_KEYWORDS.fullmatch(text):
            return "faction_keywords"
        if words.KEYWORDS_LINE.fullmatch(text):
            return "keywords"
        if words.CAN_LEAD.fullmatch(text) and self._kind() != "leader":
            return "leader"
        if words.CAN_BE_LED.fullmatch(text) and self._kind() != "led_by":
            return "led_by"
        return "title" if self._is_title(index, text, following) else None

    def _is_title(self, index: int, text: str, following: str) -> bool:
        """`Book – Name` at the top of a page, or above a section of a datasheet."""
        if not words.is_title(text) or words.CP_LINE.fullmatch(self._text(index - 1)):
            return False
        return self._opens_sheet(following) or (index == 0 and text[-1] not in ".,;" and len(text) <= 90)

    @staticmethod
    def _opens_sheet(text: str) -> bool:
        return text in words.SHEET_SECTIONS or bool(
            words.WEAPON_HEADER.fullmatch(text)
            or words.KEYWORDS_LINE.fullmatch(text)
            or words.FACTION_KEYWORDS.fullmatch(text)
            or words.DAMAGED.fullmatch(text)
        )

    def _standing(self, text: str, following: str) -> str | None:
        if words.KEYWORD_REFERENCE.fullmatch(text):
            return "keyword_ref"
        if text == "The" and words.TORN_REFERENCE.fullmatch(following):
            return "keyword_ref"
        if (
            words.TORN_REFERENCE.fullmatch(text)
            and len(text) < 200
            and not (self._current and self._current.kind == "keyword_ref" and self._current.pieces[-1].text == "The")
        ):
            return "keyword_ref"
        if words.FOOTNOTE.fullmatch(text):
            return "profile_footnote"
        if words.ADVERT.fullmatch(text):
            return "advert"
        if words.NAVIGATION.fullmatch(text) and self._kind() != "army_list_nav":
            return "army_list_nav"
        if words.KEYWORD_GRANT.fullmatch(text):
            return "keyword_grant"
        return None

    def _stratagem(self, index: int, text: str, following: str) -> str | None:
        """A name with a cost below it: a block where the third line ends in `Stratagem`, else an entry of the list."""
        if words.CP_LINE.fullmatch(text):
            return self._nameless_stratagem(index)
        if words.is_capitals(text) and words.is_place(following) and following.endswith("Stratagem"):
            return "stratagem"
        if not words.CP_LINE.fullmatch(following) or not _can_name_stratagem(text):
            return None
        third = self._text(index + 2)
        if words.STRATAGEM_LINE.fullmatch(third) or self._has_fields(index + 3):
            return "stratagem"
        if self._kind() == "stratagem_list":
            return None
        return "stratagem_list" if words.DETACHMENT_AND_TYPE.fullmatch(third) else "stratagem"

    def _has_fields(self, index: int) -> bool:
        """Whether WHEN, TARGET or EFFECT follow at once or after one line of flavour."""
        return any(words.FIELD.match(self._text(place)) for place in (index, index + 1))

    def _nameless_stratagem(self, index: int) -> str | None:
        """A cost that no name precedes."""
        current = self._current
        if current and current.kind in ("stratagem", "stratagem_list"):
            before = self._text(index - 1)
            if current.pieces[-1].text == before and _can_name_stratagem(before) and not words.FIELD.match(before):
                named = current.kind == "stratagem_list" or len(current.pieces) == 1
                if named:
                    return None
        block = words.STRATAGEM_LINE.fullmatch(self._text(index + 1)) or self._has_fields(index + 2)
        return "stratagem" if block else None

    def _book(self, index: int, text: str, following: str) -> str | None:
        if text == "Books" and "|" in following:
            return "book_table"
        if self._is_book and following == "Books":
            return "title"
        roster = words.ROSTER_HEADING.fullmatch(text)
        if roster and words.is_heading_form(text) and following:
            return "roster"
        if not self._is_book:
            return None
        if text in words.BOOK_MARKS:
            return words.BOOK_MARKS[text]
        section = words.BOOK_SECTIONS.get(name_key(text))
        if section and text[0].isupper() and not words.is_capitals(text) and words.is_heading_form(text):
            return section
        return None

    def _detachment(self, text: str, following: str) -> str | None:
        if text in words.GROUP_LABELS or not (words.is_heading_form(text) or words.is_name_form(text)):
            return None
        if words.DETACHMENT_LINE.fullmatch(text):
            current = self._current
            named = current is not None and current.kind == "detachment" and len(current.pieces) == 1
            return None if named else "detachment"
        keyword = self._kind() == "faction_keywords" and words.is_capitals(text)
        if words.DETACHMENT_LINE.fullmatch(following) and words.is_heading_form(following) and not keyword:
            return "detachment"
        return None

    def _rule(self, index: int, text: str, following: str) -> str | None:
        """A heading of the glossary, of an army rule, or of a boxed rule on a datasheet."""
        kind = self._kind()
        if not words.is_heading_form(text) or (kind == "stratagem_list" and self._in_list(index)):
            return None
        current = self._current
        if current and kind in _HEADED_TEXT and all(_same(piece.text, text) for piece in current.pieces):
            return None
        if kind in ("detachment_list", "enhancement_list", "faction_keywords") and self._in_names(index):
            return None
        if not _is_text(following) and not _same(text, following):
            return None
        if text in words.GROUP_LABELS and not self._heads(text, following, kind):
            return None
        if name_key(text) in self._names.of_detachments:
            return "unknown"
        if name_key(text) in self._names.faction_abilities or self._speaks_of_army(index):
            return "army_rule"
        if words.is_core_heading(text):
            return self._core(text)
        return self._other_heading(index, text, kind)

    @staticmethod
    def _heads(label: str, following: str, kind: str) -> bool:
        """Whether a word that labels groups in references is a heading here (`Characters`)."""
        if not words.is_core_heading(label):
            return False
        if kind not in ("keyword_ref", "army_list_nav", "keyword_grant"):
            return True
        return _is_text(following) and name_key(label.rstrip("s")) in name_key(following)

    def _core(self, text: str) -> str | None:
        current = self._current
        owner = words.SUBHEADINGS.get(words.heading_key(text))
        if current and current.kind == "core_rule" and owner == words.heading_key(current.heading.text):
            return None
        return "core_rule"

    def _other_heading(self, index: int, text: str, kind: str) -> str | None:
        if kind in _KEEPS_SUBHEADINGS:
            return None
        if kind in _BOXED_AFTER and self._region in SHEET_KINDS:
            return "special"
        if kind == "stratagem" and not _is_finished(self._text(index - 1)):
            return None
        if words.is_capitals(text):
            return "unknown"  # an oath or a boxed addition whose rule is torn: glossary headings in capitals are known
        return "core_rule" if self._has_begun else None

    def _speaks_of_army(self, index: int) -> bool:
        """Whether the text below a heading says that it holds for an army's faction."""
        for ahead in range(index + 1, min(index + 4, len(self._pieces))):
            text = self._text(ahead)
            if "Army Faction is" in text[:200]:
                return True
            if words.is_heading_form(text) and not _same(self._text(index), text):
                return False
        return False

    # --- what continues a block -----------------------------------------------------------------------------------

    def _in_list(self, index: int) -> bool:
        """Whether a line continues a stratagem list."""
        text = self._text(index)
        if words.CP_LINE.fullmatch(self._text(index + 1)) or words.CP_LINE.fullmatch(text):
            return True
        if words.ICON_LINE.fullmatch(text):
            return True
        return bool(words.CP_LINE.fullmatch(self._text(index - 1)))

    def _in_names(self, index: int) -> bool:
        """Whether a heading is one more name of a list and not the heading of a rule below it."""
        text, following = self._text(index), self._text(index + 1)
        if self._kind() == "faction_keywords":
            return words.is_capitals(text) and not words.is_core_heading(text) and not _is_text(following)
        if self._kind() == "enhancement_list":
            return is_points(following)
        return not words.is_core_heading(text) and (not following or _continues_list(following))

    def _accepts(self, index: int) -> bool:
        current = self._current
        if current is None:
            return False
        text = self._text(index)
        match current.kind:
            case "ranged" | "melee" | "book_table":
                if current.kind == "book_table":
                    return "|" in text or any(
                        block.kind == "title" and block.heading.text == text for block in self._blocks
                    )
                return "|" in text or _is_named(text)
            case "keywords":
                return words.is_capitals(text) and "," in text and "|" not in text
            case "faction_keywords":
                return words.is_capitals(text) and "|" not in text and not words.CP_LINE.fullmatch(text)
            case "stratagem_list":
                return self._in_list(index) or _ends_entry(text, self._text(index - 1))
            case "detachment_list":
                return words.is_heading_form(text) or name_key(text) in self._rule_names
            case "enhancement_list":
                return is_points(text) or (words.is_name_form(text) and is_points(self._text(index + 1)))
            case "keyword_ref" | "army_list_nav":
                return text in words.GROUP_LABELS or bool(
                    words.NAVIGATION.fullmatch(text)
                    or (current.pieces[-1].text == "The" and words.TORN_REFERENCE.fullmatch(text))
                    or text == "and"
                )
            case "keyword_grant":
                return text in words.GROUP_LABELS or text.startswith("- ")
            case "profile_footnote" | "advert":
                return False
            case "title":
                return False
            case "composition" | "unknown":
                return True
            case _:
                return current.kind not in SHEET_KINDS or not text.startswith("|")


def is_points(text: str) -> bool:
    """Whether a line below an enhancement's name is its price."""
    return bool(words.POINTS_LINE.fullmatch(text))


def _can_name_stratagem(text: str) -> bool:
    """Whether a line can be a stratagem's name: capitals, no sentence, no field."""
    return 2 <= len(text) <= 80 and words.is_capitals(text) and "|" not in text and text[-1] not in ".:"


def _ends_entry(text: str, before: str) -> bool:
    """The line below a cost, or the icon below that."""
    if words.CP_LINE.fullmatch(before):
        return bool(words.DETACHMENT_AND_TYPE.fullmatch(text))
    return bool(words.ICON_LINE.fullmatch(text)) and bool(words.DETACHMENT_AND_TYPE.fullmatch(before))


def _is_named(text: str) -> bool:
    """`Conversion: Each time ...`: a weapon's footnote below its table."""
    name, colon, rest = text.partition(":")
    return bool(colon) and bool(rest.strip()) and words.is_heading_form(name)


def _is_text(text: str) -> bool:
    """Whether a line can be the first line of a rule's text."""
    if (
        not text
        or text in words.SHEET_SECTIONS
        or text in words.GROUP_LABELS
        or words.CP_LINE.fullmatch(text)
        or words.FIELD.match(text)
    ):
        return False
    if words.KEYWORD_REFERENCE.fullmatch(text) or words.FOOTNOTE.fullmatch(text) or words.WEAPON_HEADER.fullmatch(text):
        return False
    if words.KEYWORDS_LINE.fullmatch(text) or words.FACTION_KEYWORDS.fullmatch(text):
        return False
    if words.is_place(text):
        return False
    return not words.is_heading_form(text) and not is_points(text) and not text.startswith("|")


def _is_finished(text: str) -> bool:
    return bool(text) and text[-1] in ".!?)\"'"


def _same(first: str, second: str) -> bool:
    return bool(second) and words.heading_key(first) == words.heading_key(second)

"""Datasheets of a page: which sections belong together, whose they are, and what each says.

Belongs here: grouping sections into datasheets, naming them, options, composition, prices, keywords, lists of
stratagems, detachment rules and enhancements, leaders. Weapons and abilities have modules of their own.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pipelines.sources import wargear_text
from pipelines.sources.records import Disposition
from pipelines.sources.text import name_key
from pipelines.sources.text_dump import vocabulary as words
from pipelines.sources.text_dump.abilities import Abilities
from pipelines.sources.text_dump.blocks import SHEET_KINDS, Block, is_points
from pipelines.sources.text_dump.ledger import Ledger
from pipelines.sources.text_dump.lines import Piece
from pipelines.sources.text_dump.lost import lost_in_line
from pipelines.sources.text_dump.weapons import WeaponTable

SECTION = "datasheet"
_MAY_REPEAT = frozenset({"special", "keywords", "damaged"})
_TORN_OFF = frozenset(
    {"stratagem_list", "led_by", "leader", "detachment_list", "enhancement_list", "faction_keywords", "special"}
)
_BULLET = re.compile(r"^[-–•■◦▪]\s*")
_STUCK = re.compile(
    r"(?<=[\w.;:*)])\s?[-•]\s"
    r"(?=(?:\d|Any number|All |Up to|For every|One |This model|The |Each |Every |If ))"
)
_PRICE = re.compile(r"(?P<models>\d{1,3}) models?(?:\s*\((?P<condition>[^()]+)\))?", re.IGNORECASE)
_POINTS = re.compile(r"\+?\s*(?P<points>\d{1,4})\s*(?:pts|points)?", re.IGNORECASE)
_MODEL_LIST = re.compile(r"(?:^|\s[–—|-]\s|\|\s*)(?P<model>[A-Z][A-Z0-9' -]+?)\s*:\s*")


@dataclass
class Page:
    """What the sections of a page share."""

    title: str | None = None
    title_piece: Piece | None = None
    book: str | None = None
    faction: str | None = None
    is_combat_patrol: bool = False
    rosters: dict[str, "Roster"] = field(default_factory=dict)
    rule_detachments: dict[str, str] = field(default_factory=dict)  # name key of a detachment rule -> detachment
    points: dict[str, tuple[int, Piece]] = field(default_factory=dict)  # name key of an enhancement -> points
    texts: Sequence[str] = ()
    bracketed: bool = False


@dataclass
class Roster:
    """A unit of a Combat Patrol box: its heading and the lines below it."""

    heading: Piece
    name: str
    models: int
    equipment: list[Piece] = field(default_factory=list)


@dataclass
class Sheet:
    """Sections of one datasheet."""

    blocks: list[Block]

    def of(self, kind: str) -> list[Block]:
        """The sections of a kind."""
        return [block for block in self.blocks if block.kind == kind]

    @property
    def pieces(self) -> list[Piece]:
        """All pieces, in order."""
        return [piece for block in self.blocks for piece in block.pieces]


def group(blocks: Sequence[Block]) -> list[Sheet]:
    """Sections into datasheets. A section that comes again starts the next sheet, at its weapon tables where those
    stand before it; so the order of sections inside a sheet does not matter."""
    sheets: list[Sheet] = []
    current: list[Block] = []
    for block in (block for block in blocks if block.kind in SHEET_KINDS):
        kinds = {known.kind for known in current}
        if block.kind in kinds and not _goes_on(block, current):
            cut = _cut(current, block)
            sheets.append(Sheet(current[:cut]))
            current = current[cut:]
        current.append(block)
    if current:
        sheets.append(Sheet(current))
    return _join_nameless(sheets)


def _join_nameless(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Lists that come again, torn off their sheet, belong to the sheet before them; weapons and the like never do."""
    joined: list[Sheet] = []
    for sheet in sheets:
        if joined and all(block.kind in _TORN_OFF for block in sheet.blocks):
            joined[-1] = Sheet([*joined[-1].blocks, *sheet.blocks])
        else:
            joined.append(sheet)
    return joined


def _goes_on(block: Block, current: Sequence[Block]) -> bool:
    """Whether a section of a kind that was there already still belongs to the same sheet."""
    if block.kind == "special" or (block.kind == "damaged" and current[-1].kind == "damaged"):
        return True
    if block.kind in ("ranged", "melee", "composition"):
        return not _is_headed(block)
    if block.kind == "keywords":
        match = words.KEYWORDS_LINE.fullmatch(block.heading.text)
        return bool(match and match["model"]) and current[-1].kind == "keywords"
    return False


def _is_headed(block: Block) -> bool:
    text = block.heading.text
    return bool(words.WEAPON_HEADER.fullmatch(text)) or text in words.SHEET_SECTIONS


def _cut(current: Sequence[Block], block: Block) -> int:
    """Where the next sheet starts: at weapon tables after this one's keywords, else at the section itself."""
    if not any(known.kind == "keywords" for known in current):
        return len(current)
    start = len(current)
    for index in range(len(current) - 1, 0, -1):
        before = {known.kind for known in current[:index]}
        later = {known.kind for known in current[index:]}
        if block.kind in later or "keywords" not in before:
            break
        if current[index].kind in ("ranged", "melee") and _is_headed(current[index]):
            start = index
    return start


class SheetReader:
    """Reads one datasheet into the ledger."""

    def __init__(self, ledger: Ledger, page: Page, sheet: Sheet) -> None:
        self._ledger = ledger
        self._page = page
        self._sheet = sheet
        self._lost = False
        self._prices: dict[tuple[int | None, str | None], int] = {}
        self.key: str | None = None

    def read(self, titled: bool) -> None:
        """All sections of the sheet. `titled`: the page's title names it."""
        named = self._name(titled)
        if named is None:
            for piece in self._sheet.pieces:
                self._ledger.refuse(
                    piece, SECTION, "a datasheet without a name: no title, KEYWORDS or composition names it"
                )
            return
        name, piece, inferred = named
        self.key = self._ledger.sheet_key(name, piece.line_no)
        index = self._datasheet(name, piece, inferred, titled)
        self._weapons_and_abilities()
        for block in self._sheet.blocks:
            self._section(block, name)
        self._roster(name)
        self._ledger.row("datasheet", index)["has_lost_text"] = self._lost

    # --- the sheet itself -----------------------------------------------------------------------------------------

    def _name(self, titled: bool) -> tuple[str, Piece, bool] | None:
        title = words.TITLE.fullmatch(self._page.title or "") if titled else None
        if title and self._page.title_piece:
            return title["name"], self._page.title_piece, False
        for block in self._sheet.of("keywords"):
            keywords = _keyword_entries(block)
            if keywords:
                return self._spelling(keywords[-1][0]), block.heading, True
        for block in self._sheet.of("composition"):
            for piece in block.pieces:
                try:
                    model, _, _ = wargear_text.parse_composition(_BULLET.sub("", piece.text))
                except ValueError:
                    continue
                return model, piece, True
        return None

    def _spelling(self, capitals: str) -> str:
        """A name printed in capitals, spelt as elsewhere on the page where it is, else with capitals at its words."""
        pattern = re.compile(rf"(?<![\w-]){re.escape(capitals)}(?![\w-])", re.IGNORECASE)
        for text in self._page.texts:
            for match in pattern.finditer(text):
                if not words.is_capitals(match[0]) and match[0][0].isupper():
                    return match[0]
        return _title_case(capitals)

    def _datasheet(self, name: str, piece: Piece, inferred: bool, titled: bool) -> int:
        numbers = [part.line_no for part in self._sheet.pieces]
        if titled and self._page.title_piece:
            numbers.append(self._page.title_piece.line_no)
        index = self._ledger.add(
            "datasheet",
            piece,
            sheet=self.key,
            name=name,
            faction=self._page.faction,
            book=self._page.book,
            is_combat_patrol=self._page.is_combat_patrol,
            is_legends=bool(titled and _is_legends(self._page.title)),
            first_line=min(numbers),
            last_line=max(numbers),
            has_lost_text=False,
            name_is_inferred=inferred,
        )
        if titled:
            self._ledger.claim(piece, SECTION, "parsed", "datasheet", index)
        return index

    def _weapons_and_abilities(self) -> None:
        assert self.key is not None
        self._abilities = Abilities(self._ledger, self.key)
        self._tables = WeaponTable(self._ledger, self.key, self._page.bracketed, self._mentioned_items())
        for block in self._sheet.blocks:
            if block.kind in ("ranged", "melee"):
                self._tables.read(block)
        self._abilities.footnotes(self._tables.footnotes)

    def _mentioned_items(self) -> list[str]:
        """Items that options and equipment sentences name: they tell a weapon's name from keywords behind it."""
        items: list[str] = []
        for block in (*self._sheet.of("options"), *self._sheet.of("composition")):
            for sentence, bullets in wargear_text.unnest(_option_lines(block)):
                try:
                    options = wargear_text.parse_options(sentence, bullets)
                except ValueError:
                    continue
                for option in options:
                    items.extend(option.replaces)
                    items.extend(item["item"] for choice in option.choices for item in choice)
        roster = self._page.rosters.get(name_key(self.key or ""))
        for piece in roster.equipment if roster else ():
            try:
                items.extend(item for _, _, item, _ in wargear_text.parse_equipment(_BULLET.sub("", piece.text)))
            except ValueError:
                continue
        return items

    def _section(self, block: Block, name: str) -> None:
        match block.kind:
            case "abilities" | "wargear_abilities":
                self._abilities.read(block)
            case "damaged":
                self._abilities.damaged(block)
            case "special":
                self._abilities.boxed(block)
            case "options":
                self._options(block)
            case "composition":
                self._composition(block)
            case "keywords":
                self._keywords(block)
            case "faction_keywords":
                self._faction_keywords(block)
            case "stratagem_list":
                self._stratagem_list(block)
            case "leader" | "led_by":
                self._leaders(block, name)
            case "detachment_list":
                self._detachment_list(block)
            case "enhancement_list":
                self._enhancement_list(block)

    # --- options --------------------------------------------------------------------------------------------------

    def _known_items(self) -> list[str]:
        return [*self._tables.names, *self._abilities.equipped_by()]

    def _options(self, block: Block) -> None:
        known = self._known_items()
        lines: list[tuple[str, Piece]] = []
        for piece in block.pieces:
            if piece.text == "WARGEAR OPTIONS":
                self._ledger.claim(piece, SECTION, "decoration")
            else:
                lines.extend((part, piece) for part in _split_bullets(piece.text))
        starred: list[int] = []
        position = 0
        for sentence, bullets in wargear_text.unnest(text for text, _ in lines):
            owners = [piece for _, piece in lines[position : position + 1 + len(bullets)]]
            position += 1 + len(bullets)
            self._option(sentence, bullets, owners, known, starred)

    def _option(
        self, sentence: str, bullets: list[str], owners: list[Piece], known: list[str], starred: list[int]
    ) -> None:
        if wargear_text.is_footnote(sentence):
            self._star(sentence, owners, starred)
            return
        try:
            options = wargear_text.parse_options(sentence, bullets, known)
        except ValueError as error:
            for piece in owners:
                self._ledger.refuse(piece, SECTION, f"wargear option not understood: {error}")
            return
        if not options:
            self._ledger.claim_all(owners, SECTION, "decoration")
        for option in options:
            index, new = self._ledger.once(
                "wargear_option",
                owners[0],
                sheet=self.key,
                text=sentence,
                replaces=option.replaces,
                choices=option.choices,
                per_models=option.per_models,
                limit_models=option.limit_models,
                has_lost_text=any(lost_in_line(piece.raw, piece.text) for piece in owners),
                model=option.model,
                condition=option.condition,
            )
            self._ledger.claim_all(owners, SECTION, "parsed" if new else "repeat", "wargear_option", index)
            if option.condition and option.condition.endswith("*"):
                starred.append(index)

    def _star(self, sentence: str, owners: list[Piece], starred: list[int]) -> None:
        """A footnote completes the options whose entries carry its star."""
        if not starred:
            for piece in owners:
                self._ledger.refuse(piece, SECTION, "a footnote to wargear options, but no option has a star")
            return
        note = sentence.lstrip("* ").strip()
        for index in starred:
            row = self._ledger.row("wargear_option", index)
            row["condition"] = re.sub(r"\*+$", f"* {note}", row["condition"])
        self._ledger.claim_all(owners, SECTION, "parsed", "wargear_option", starred[0])
        starred.clear()

    # --- composition, prices, equipment ---------------------------------------------------------------------------

    def _composition(self, block: Block) -> None:
        alternative = 1
        for piece in block.pieces:
            if piece.text == "UNIT COMPOSITION":
                self._ledger.claim(piece, SECTION, "decoration")
            elif wargear_text.is_alternative(_BULLET.sub("", piece.text)):
                alternative += 1
                self._ledger.claim(piece, SECTION, "decoration")
            elif "|" in piece.text:
                self._price(piece)
            elif words.EQUIPPED.fullmatch(piece.text):
                self._equipment(piece, SECTION)
            else:
                self._models(piece, alternative)

    def _models(self, piece: Piece, alternative: int) -> None:
        found: list[wargear_text.Composition] = []
        try:
            for part in _split_bullets(piece.text):
                found.extend(wargear_text.parse_compositions(_BULLET.sub("", part)))
        except ValueError as error:
            if piece.text.startswith("*") or _reads_as_sentence(piece.text):
                self._abilities.sentence(piece, "Unit composition")
            else:
                self._ledger.refuse(piece, SECTION, f"unit composition not understood: {error}")
            return
        for model, low, high in found:
            index = self._ledger.add(
                "composition",
                piece,
                sheet=self.key,
                model=model,
                min_models=low,
                max_models=high,
                alternative=alternative,
            )
            self._ledger.claim(piece, SECTION, "parsed", "composition", index)

    def _price(self, piece: Piece) -> None:
        parts = [part.strip() for part in piece.text.split("|") if part.strip()]
        points = _POINTS.fullmatch(parts[-1]) if len(parts) == 2 else None
        if not parts:
            self._ledger.claim(piece, SECTION, "decoration")
            return
        if not points:
            self._ledger.refuse(piece, SECTION, "a price row without a size and points")
            return
        size: tuple[int | None, str | None] | None = self._size(parts[0])
        if parts[-1].startswith("+"):
            # `| Attack Bike | +55 |` prices a model beyond the unit's size: the price has no size of its own.
            size = None, f"add-on: {parts[0]}"
        if size is None:
            self._ledger.refuse(piece, SECTION, f"'{parts[0]}' is no unit size")
            return
        models, condition = size
        known = self._prices.get(size)
        if known is not None and not _PRICE.fullmatch(parts[0]) and self._costs(known) != int(points["points"]):
            # Two mixes of models of one size: the mix becomes the condition.
            size, known = (models, parts[0]), self._prices.get((models, parts[0]))
            condition = parts[0]
        if known is not None:
            self._price_again(piece, known, int(points["points"]))
            return
        index = self._ledger.add(
            "unit_cost", piece, sheet=self.key, models=models, points=int(points["points"]), condition=condition
        )
        self._prices[size] = index
        self._ledger.claim(piece, SECTION, "parsed", "unit_cost", index)

    def _costs(self, index: int) -> int:
        return int(self._ledger.row("unit_cost", index)["points"])

    def _price_again(self, piece: Piece, known: int, points: int) -> None:
        """A size priced twice: a repeat, or two prices of which neither can be trusted more."""
        row = self._ledger.row("unit_cost", known)
        if row["points"] == points:
            self._ledger.claim(piece, SECTION, "repeat", "unit_cost", known)
            return
        reason = f"this size has another price on line {row['line_no']}; the first print is kept"
        self._ledger.refuse(piece, SECTION, reason)
        self._ledger.notice(piece, f"{points} points for a size that costs {row['points']} on line {row['line_no']}")

    @staticmethod
    def _size(printed: str) -> tuple[int, str | None] | None:
        match = _PRICE.fullmatch(printed)
        if match:
            return int(match["models"]), match["condition"]
        try:
            models = wargear_text.parse_compositions(printed)
        except ValueError:
            return None
        if any(low != high for _, low, high in models):
            return None
        return sum(low for _, low, _ in models), None

    def _equipment(self, piece: Piece, section: str) -> None:
        try:
            found = wargear_text.parse_equipment(_BULLET.sub("", piece.text), self._known_items())
        except ValueError as error:
            self._ledger.refuse(piece, section, f"equipment not understood: {error}")
            return
        if not found:
            self._ledger.claim(piece, section, "decoration")
        for model, models, item, count in found:
            index = self._ledger.add(
                "equipment", piece, sheet=self.key, model=model, models=models, item=item, n=count, is_inferred=False
            )
            self._ledger.claim(piece, section, "parsed", "equipment", index)

    def _roster(self, name: str) -> None:
        """The unit as a Combat Patrol box fields it: its size and what its models carry."""
        roster = self._page.rosters.pop(name_key(name), None)
        if roster is None:
            return
        counts = self._equipped_models(roster, name)
        if sum(counts.values()) == roster.models:
            for piece in roster.equipment:
                self._equipment(piece, "roster")
        else:
            for piece in roster.equipment:
                reason = f"{sum(counts.values())} models are equipped below {roster.name}, which has {roster.models}"
                self._ledger.refuse(piece, "roster", reason)
            counts = {name: roster.models}
        for model, number in counts.items():
            index = self._ledger.add(
                "composition",
                roster.heading,
                sheet=self.key,
                model=model,
                min_models=number,
                max_models=number,
                alternative=1,
            )
            self._ledger.claim(roster.heading, "roster", "parsed", "composition", index)

    @staticmethod
    def _equipped_models(roster: Roster, name: str) -> dict[str, int]:
        """How many models of each kind the sentences below a roster heading equip."""
        counts: dict[str, int] = {}
        for piece in roster.equipment:
            try:
                sentences = wargear_text.parse_equipment(_BULLET.sub("", piece.text))
            except ValueError:
                continue
            for model, models in dict.fromkeys((model, models) for model, models, _, _ in sentences):
                counts[model or name] = counts.get(model or name, 0) + (models or roster.models)
        return counts

    # --- keywords -------------------------------------------------------------------------------------------------

    def _keywords(self, block: Block) -> None:
        entries = _keyword_entries(block)
        if not entries:
            for piece in block.pieces:
                self._ledger.refuse(piece, SECTION, "KEYWORDS without a keyword")
            self._lost = True
            return
        said: set[tuple[str, str | None]] = set()
        for keyword, model in entries:
            if (keyword, model) in said:
                continue
            said.add((keyword, model))
            index = self._ledger.add(
                "keyword", block.heading, sheet=self.key, keyword=keyword, is_faction=False, model=model
            )
            self._ledger.claim_all(block.pieces, SECTION, "parsed", "keyword", index)

    def _faction_keywords(self, block: Block) -> None:
        match = words.FACTION_KEYWORDS.fullmatch(block.heading.text)
        said: dict[str, int] = {}
        inline = match["list"] if match else ""
        for piece in block.pieces:
            printed = inline if piece is block.heading else piece.text
            for keyword in (entry.strip(" .") for entry in printed.split(",")):
                if not keyword:
                    continue
                if keyword in said:
                    self._ledger.claim(piece, SECTION, "repeat", "keyword", said[keyword])
                    continue
                index = self._ledger.add("keyword", piece, sheet=self.key, keyword=keyword, is_faction=True)
                said[keyword] = index
                self._ledger.claim(piece, SECTION, "parsed", "keyword", index)
        self._ledger.claim(block.heading, SECTION, "decoration")
        if not said:
            self._lost = True

    # --- lists of rules -------------------------------------------------------------------------------------------

    def _stratagem_list(self, block: Block) -> None:
        pieces = list(block.pieces)
        if pieces and pieces[0].text == "STRATAGEMS":
            self._ledger.claim(pieces.pop(0), SECTION, "decoration")
        section = "stratagem_list"
        while pieces:
            entry = self._entry(pieces)
            if entry is None:
                self._ledger.refuse(
                    pieces.pop(0), section, "no entry of a stratagem list (name, cost, detachment and type)"
                )
                continue
            name, cost, place = pieces[:3]
            index, new = self._ledger.once("datasheet_stratagem", name, sheet=self.key, name=name.text, **entry)
            said: Disposition = "parsed" if new else "repeat"
            self._ledger.claim_all((name, cost, place), section, said, "datasheet_stratagem", index)
            del pieces[:3]
            if pieces and _is_icon(pieces[0].text, str(entry["detachment"])):
                self._ledger.claim(pieces.pop(0), section, "decoration")

    @staticmethod
    def _entry(pieces: Sequence[Piece]) -> dict[str, object] | None:
        if len(pieces) < 3:
            return None
        cost = words.CP_LINE.fullmatch(pieces[1].text)
        place = words.DETACHMENT_AND_TYPE.fullmatch(pieces[2].text)
        if not cost or not place or words.CP_LINE.fullmatch(pieces[0].text):
            return None
        return {"cp": int(cost[1]), "detachment": place["detachment"], "type": place["type"] or None}

    def _detachment_list(self, block: Block) -> None:
        section = "detachment_ability_list"
        for piece in block.pieces:
            if piece is block.heading:
                self._ledger.claim(piece, section, "decoration")
                continue
            index = self._ledger.add(
                "datasheet_detachment_rule",
                piece,
                sheet=self.key,
                name=piece.text,
                detachment=self._page.rule_detachments.get(name_key(piece.text)),
            )
            self._ledger.claim(piece, section, "parsed", "datasheet_detachment_rule", index)

    def _enhancement_list(self, block: Block) -> None:
        section = "enhancement_list"
        last: int | None = None
        for piece in block.pieces:
            if piece is block.heading:
                self._ledger.claim(piece, section, "decoration")
            elif not is_points(piece.text):
                detachment = self._page.rule_detachments.get(name_key(piece.text))
                last = self._ledger.add(
                    "datasheet_enhancement", piece, sheet=self.key, name=piece.text, detachment=detachment
                )
                self._ledger.claim(piece, section, "parsed", "datasheet_enhancement", last)
            elif last is not None:
                self._ledger.claim(piece, section, "parsed", "datasheet_enhancement", last)
            else:
                self._ledger.refuse(piece, section, "points without the name of an enhancement")

    def _leaders(self, block: Block, name: str) -> None:
        leads = block.kind == "leader"
        section = block.kind
        found = False
        sentence: Piece | None = None
        for piece in block.pieces:
            if piece.text in ("LEADER", "LED BY"):
                self._ledger.claim(piece, section, "decoration")
            elif words.CAN_LEAD.fullmatch(piece.text) or words.CAN_BE_LED.fullmatch(piece.text):
                sentence = piece
                self._ledger.claim(piece, section, "reference")
            else:
                found = self._led(piece, name, leads, section) or found
        if sentence is not None and not found:
            self._lost = True

    def _led(self, piece: Piece, name: str, leads: bool, section: str) -> bool:
        """A unit in the list below LEADER or LED BY, or a sentence about it."""
        other = _BULLET.sub("", piece.text).strip(" .")
        bulleted = other != piece.text.strip(" .")
        if not (bulleted or words.is_heading_form(other)) or len(other) > 60 or not other:
            self._abilities.sentence(piece, "Leader" if leads else "Led by")
            return False
        pair = {"leader": name, "bodyguard": other} if leads else {"leader": other, "bodyguard": name}
        index = self._ledger.add("leader", piece, sheet=self.key, **pair)
        self._ledger.claim(piece, section, "parsed", "leader", index)
        return True


def _is_legends(title: str | None) -> bool:
    match = words.TITLE.fullmatch(title or "")
    return bool(match and match["legends"])


def _is_icon(text: str, detachment: str) -> bool:
    """The icon below an entry prints the initials of the rule set (`C`, `BA`)."""
    initials = "".join(word[0] for word in detachment.split())
    return bool(words.ICON_LINE.fullmatch(text)) and text == initials.upper()


def _reads_as_sentence(text: str) -> bool:
    return text.endswith(".") and len(text.split()) >= 5


def _split_bullets(text: str) -> list[str]:
    """Entries of a list that are stuck together on one line."""
    return [part.strip() for part in _STUCK.split(text) if part.strip()]


def _option_lines(block: Block) -> list[str]:
    return [
        part for piece in block.pieces if piece.text not in words.SHEET_SECTIONS for part in _split_bullets(piece.text)
    ]


def _keyword_entries(block: Block) -> list[tuple[str, str | None]]:
    """(keyword, model) pairs of a KEYWORDS line and the lines it is wrapped over."""
    match = words.KEYWORDS_LINE.fullmatch(block.heading.text)
    if not match:
        return []
    printed = " ".join([match["list"], *(piece.text for piece in block.body)])
    entries: list[tuple[str, str | None]] = []
    model = _model(match["model"])
    position = 0
    for place in _MODEL_LIST.finditer(printed):
        entries.extend(_split_keywords(printed[position : place.start()], model))
        model = _model(place["model"])
        position = place.end()
    entries.extend(_split_keywords(printed[position:], model))
    return entries


def _model(printed: str | None) -> str | None:
    if printed is None or name_key(printed) in ("allmodels", "all"):
        return None
    return printed.strip()


def _split_keywords(printed: str, model: str | None) -> list[tuple[str, str | None]]:
    return [(entry, model) for entry in (part.strip(" .;") for part in printed.split(",")) if entry]


def _title_case(capitals: str) -> str:
    small = {"OF", "THE", "IN", "ON", "WITH", "AND", "A", "AN", "FOR", "TO"}
    listed = capitals.split(" ")
    return " ".join(word.lower() if index and word in small else _capitalise(word) for index, word in enumerate(listed))


def _capitalise(word: str) -> str:
    if any(letter.isdigit() for letter in word):
        return word
    head, hyphen, tail = word.partition("-")
    return head[:1] + head[1:].lower() + hyphen + tail.lower()

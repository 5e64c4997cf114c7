"""The grammar of a points list: headings, unit names, sizes with prices, detachments with enhancements.

Belongs here: what the lines of a Munitorum Field Manual mean once they stand in reading order, whether they come from
a text copy (`munitorum_text`) or from a PDF (`munitorum_pdf`, which also knows how a line was set). Does not belong
here: bytes, pages, columns.

The list is read as runs of lines without a price, each followed by its prices. A run holds, in this order, furniture
(page numbers, prose, contents), headings, and at its end a name, which may be wrapped. A unit whose name is set in
capitals (`X-101`) is told from a heading by what follows: a heading is never followed by a price.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pipelines.sources.edition import edition_evidence
from pipelines.sources.records import Disposition, LineClaim, ReadResult
from pipelines.sources.text import name_key, normalise

Style = Literal["heading", "name", "text"]

_LEADERS = r"[^\w()&'’!?,:;/+-]"  # dots, blanks, replacement characters: what fills the line up to the price
_PRICED = re.compile(
    rf"(?P<label>.*?){_LEADERS}*"
    r"(?:\(\s*(?P<change>[+−–-]\s*\d{1,4})\s*\))?"
    rf"{_LEADERS}*(?P<plus>\+\s*)?(?P<points>\d{{1,3}},\d{{3}}|\d{{1,5}})\s*(?:pts?|points)\b\.?"
    r"(?:\s*\(\s*(?P<after>[+−–-]\s*\d{1,4})\s*\))?\s*",
    re.IGNORECASE,
)
_SIZE = re.compile(r"(?P<low>\d{1,3})(?:\s*[-–]\s*(?P<high>\d{1,3}))?\s*models?", re.IGNORECASE)
_PART = re.compile(r"(?P<number>\d{1,3})\s+(?P<model>[^\W\d].*)")
_PAGE_NUMBER = re.compile(r"\d{1,3}")
_LEADER_RUN = re.compile(rf"{_LEADERS}{{2,}}")
_DOTS = re.compile(r"(?:\s*[.…�·_]){3,}\s*")
_CONTENTS = re.compile(r"(?P<name>[^\W\d][^\0]*)\0\d{1,3}")
_VERSION = re.compile(r"\bVERSION\s*:?\s*(?P<version>\d{1,2}(?:\.\d{1,3}){0,2})\b", re.IGNORECASE)
_SECTION = re.compile(
    r"(?P<kind>CODEX SUPPLEMENT|CODEX|INDEX|FACTION PACK|SUPPLEMENT)\s*:\s*(?P<name>.+)", re.IGNORECASE
)
_FURNITURE = re.compile(
    r"(?:MUNITORUM(?: FIELD MANUAL)?|FIELD MANUAL|CONTENTS|PRODUCED BY .*|VERSION\s*:?\s*[\d.]+|.*(?:©|\(c\)).*)",
    re.IGNORECASE,
)
_LEGENDS = re.compile(r"(?:LEGENDS FIELD MANUAL|WARHAMMER LEGENDS|.*\bLEGENDS POINTS VALUES)", re.IGNORECASE)
_ENHANCEMENTS = re.compile(r"(?:DETACHMENT |.* )?ENHANCEMENTS(?: POINTS VALUES)?", re.IGNORECASE)
_PLAIN_LIST = re.compile(r"(?:FORGE WORLD(?: POINTS VALUES)?|POINTS VALUES|UNITS)", re.IGNORECASE)
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_DATE = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?P<month>{'|'.join(_MONTHS)})\s+(?P<year>20\d\d)\b",
    re.IGNORECASE,
)
_SMALL_WORDS = frozenset(("a", "an", "and", "for", "from", "in", "of", "on", "or", "the", "to", "with"))
_LONGEST_NAME_LINES = 3
_PROSE_LENGTH = 62  # a column holds about 45 letters; a line over the whole page is prose


@dataclass(frozen=True)
class PointsLine:
    """A line in reading order. `style` is how it was set where the file shows that, else None."""

    text: str
    line_no: int | None
    locator: str
    style: Style | None = None


@dataclass(frozen=True)
class Price:
    """A line with a price: the label before the leaders, the change since the last manual in points, the price.

    `is_addition` marks a price on top of the unit's own (`Attack Bike +55 pts`).
    """

    label: str
    change: int | None
    points: int
    is_addition: bool = False


def parse_price(text: str) -> Price | None:
    """`4 models ....(+10) 160 pts` -> label `4 models`, change 10, 160 points; None for a line without a price."""
    # Leaders are shortened first: a pattern that skips them lazily takes time with the square of their number.
    match = _PRICED.fullmatch(_LEADER_RUN.sub(" ", normalise(text)))
    if not match:
        return None
    change = match["change"] or match["after"]
    return Price(
        label=re.sub(rf"{_LEADERS}+$", "", match["label"]).strip(),
        change=int(re.sub(r"[−–]", "-", change).replace(" ", "")) if change else None,
        points=int(match["points"].replace(",", "")),
        is_addition=bool(match["plus"]),
    )


def parse_size(label: str) -> int | None:
    """`5 models` -> 5, `10-11 models` -> 11 (the price holds up to the larger number); None for anything else."""
    match = _SIZE.fullmatch(label.strip())
    if not match:
        return None
    low, high = int(match["low"]), int(match["high"] or match["low"])
    return high if 0 < low <= high else None


def parse_mixed_size(label: str) -> int | None:
    """`1 Sword Brother, 5 Initiates and 4 Neophytes` -> 10; None where a part has no number."""
    parts = re.split(r"\s*(?:,\s*and\b|,|\band\b|\+|&)\s*", label.strip())
    numbers = [_PART.fullmatch(part) for part in parts]
    if not all(numbers):
        return None
    return sum(int(match["number"]) for match in numbers if match) or None


def title_case(heading: str, spellings: dict[str, str]) -> str:
    """A heading in capitals in the spelling of the contents page, else with capital initials.

    `T'AU EMPIRE` -> `T'au Empire`.
    """
    known = spellings.get(name_key(heading))
    if known:
        return known
    if heading != heading.upper():
        return heading
    words = heading.lower().split()
    return " ".join(w if i and w in _SMALL_WORDS else _capital(w) for i, w in enumerate(words))


def _capital(word: str) -> str:
    return re.sub(r"(^|[-(])(\w)", lambda m: m[1] + m[2].upper(), word)


@dataclass
class _Entry:
    """A row of `unit_cost` with the list in which it stands, to tell apart two price lists of one army."""

    row: int
    faction: str | None
    is_legends: bool
    listing: str
    name: str


@dataclass
class _Reader:
    """State of one pass over the lines; `claims` hold the fate of each by its index."""

    lines: Sequence[PointsLine]
    result: ReadResult
    spellings: dict[str, str] = field(default_factory=dict)
    has_prefixes: bool = False
    faction: str | None = None
    section: str = ""
    listing: str = ""
    in_enhancements: bool = False
    is_legends: bool = False
    name: str | None = None
    name_lines: list[int] = field(default_factory=list)
    detachment: str | None = None
    label: list[int] = field(default_factory=list)
    begun: list[int] = field(default_factory=list)  # a heading that ends in a colon and goes on in the next line
    claims: dict[int, tuple[str, Disposition, str | None, int | None]] = field(default_factory=dict)
    entries: list[_Entry] = field(default_factory=list)
    sizes_seen: int = 0
    sizes_parsed: int = 0
    ranges: int = 0

    # --- the pass

    def read(self) -> None:
        run: list[int] = []
        for index, line in enumerate(self.lines):
            price = None if line.style == "heading" else parse_price(line.text)
            if price is None or (not price.label and not run and not self.name):
                run.append(index)
                continue
            self._open(run, price)
            run = []
            self._price(index, price)
        self._close(run)
        self._conditions()

    def _close(self, run: list[int]) -> None:
        """Lines after the last price: furniture and headings as everywhere, a name without a price is a reject."""
        for index in self._furniture_and_headings(run):
            self._quarantine(index, "a name without a price: add the price line, or remove the name")

    def _open(self, run: list[int], price: Price) -> None:
        """Read the run before a price: what stands at its end names the unit or the detachment."""
        if not run:
            return
        rest = self._furniture_and_headings(run)
        self.label = self._take_label(rest, price)
        rest = rest[: len(rest) - len(self.label)]
        if not rest:
            return
        if len(rest) > _LONGEST_NAME_LINES:
            for index in rest:
                self._quarantine(index, f"{len(rest)} lines where a name was expected: check the copy")
            self.name, self.detachment, self.name_lines = None, None, []
            return
        name = _join([self.lines[index].text for index in rest])
        if self.in_enhancements and parse_size(price.label) is None:
            self.detachment = name
            for index in rest:
                self._claim(
                    index, "enhancements", "parsed", "enhancement", len(self.result.tables.get("enhancement", ()))
                )
        else:
            self.name, self.name_lines = name, rest
            for index in rest:
                self._claim(index, self._part(), "parsed", "unit_cost", len(self.result.tables.get("unit_cost", ())))

    def _take_label(self, rest: list[int], price: Price) -> list[int]:
        """Lines at the end of a run that are the beginning of the price's own label (wrapped before the leaders)."""
        if parse_size(price.label) is not None:
            return []
        taken = 0
        for index in reversed(rest):
            line = self.lines[index]
            text = normalise(line.text)
            if self.in_enhancements:
                wrapped = (
                    _continues(_tail(rest, taken, self.lines, price.label), text)
                    if line.style is None
                    else line.style == "text"
                )
            else:
                wrapped = bool(_PART.fullmatch(text.rstrip(" ,"))) or (line.style == "text" and bool(price.label))
            if not wrapped:
                break
            taken += 1
            if not self.in_enhancements and _PART.match(text):
                break
        return rest[len(rest) - taken :]

    def _price(self, index: int, price: Price) -> None:
        label = _join([*(self.lines[i].text for i in self.label), price.label])
        wrapped, self.label = self.label, []
        self.sizes_seen += 1
        models = parse_size(label)
        if models is not None and self.in_enhancements and self.name_lines == []:
            self._refuse(index, wrapped, "a size among the enhancements without a unit's name before it")
        elif self.in_enhancements and models is None:
            self._enhancement(index, wrapped, label, price)
        else:
            self._unit_cost(index, wrapped, label, price, models)

    def _enhancement(self, index: int, wrapped: list[int], label: str, price: Price) -> None:
        line = self.lines[index]
        if not label or self.detachment is None:
            self._refuse(index, wrapped, "an enhancement without a name or detachment: check the lines before it")
            return
        row = self.result.add(
            "enhancement",
            line_no=line.line_no,
            locator=line.locator,
            name=label,
            detachment=self.detachment,
            faction=self.faction,
            points=price.points,
            has_lost_text=False,
        )
        self._done(index, wrapped, "enhancements", "enhancement", row)

    def _unit_cost(self, index: int, wrapped: list[int], label: str, price: Price, models: int | None) -> None:
        line = self.lines[index]
        condition = None
        if models is None and price.is_addition and label:
            condition = f"add-on: {label}"  # a model beyond the unit's size, so the price has no size
        elif models is None:
            models = parse_mixed_size(label)
            condition = label if models else None
        if self.name is None or (models is None and condition is None):
            why = "a size without a unit's name before it"
            if self.name is not None:
                why = "no size such as '5 models' before the price"
            self._refuse(index, wrapped, f"{why}: check the copy")
            return
        row = self.result.add(
            "unit_cost",
            line_no=line.line_no,
            locator=line.locator,
            name=self.name,
            faction=self.faction,
            models=models,
            points=price.points,
            condition=condition,
            change=price.change,
            is_legends=self.is_legends,
        )
        size = _SIZE.fullmatch(label)
        self.ranges += bool(size and size["high"])
        self.entries.append(_Entry(row, self.faction, self.is_legends, self.listing, name_key(self.name)))
        self._done(index, wrapped, self._part(), "unit_cost", row)

    # --- runs

    def _furniture_and_headings(self, run: list[int]) -> list[int]:
        """Claim all of a run but its end, taking headings as they come; the indexes left over are a name."""
        lines = self.lines
        start = 0
        for position, index in enumerate(run):
            if self._is_furniture(index) and (
                position < len(run) - 1 or not _PAGE_NUMBER.fullmatch(_clean(lines[index]))
            ):
                start = position + 1
        for index in run[:start]:
            self._claim_early(index, run[:start])
        rest = [index for index in run[start:] if not self._blank_or_number(index)]
        pending: list[int] = []
        while rest and self._is_heading(rest, 0):
            pending.append(rest.pop(0))
            if not rest or not self._is_heading(rest, 0) or self._heading_ends(pending, rest[0]):
                self._heading(pending)
                pending = []
        return rest

    def _claim_early(self, index: int, early: list[int]) -> None:
        """Furniture before the name: headings among it (a section that begins with prose) still count."""
        line = self.lines[index]
        if self._blank_or_number(index):
            return
        text = _clean(line)
        if _contents_name(text):
            self._claim(index, "contents", "reference")
        elif _VERSION.fullmatch(text):
            self._claim(index, "title", "parsed", "book", 0)
        elif _FURNITURE.fullmatch(text):
            self._claim(index, "title", "decoration")
        elif self._is_section(line) or (self.faction is not None and self._is_caps(line)):
            following = early[early.index(index) + 1 :]
            if text.endswith(":") and following and self._is_caps(self.lines[following[0]]):
                self.begun.append(index)
                self._claim(index, "heading", "decoration")
                return
            self._heading([*self.begun, index])
            self.begun = []
        else:
            self._claim(index, "introduction", "reference")

    def _blank_or_number(self, index: int) -> bool:
        text = _clean(self.lines[index])
        if text and not _PAGE_NUMBER.fullmatch(text):
            return False
        self._claim(index, "page number" if text else "blank", "decoration")
        return True

    def _is_furniture(self, index: int) -> bool:
        line = self.lines[index]
        text = _clean(line)
        if line.style in ("heading", "name"):
            return bool(_FURNITURE.fullmatch(text)) and not self._is_section(line)
        if _FURNITURE.fullmatch(text) or _contents_name(text) or _PAGE_NUMBER.fullmatch(text):
            return True
        return len(text) > _PROSE_LENGTH or (text.endswith((".", ";")) and " " in text)

    def _is_section(self, line: PointsLine) -> bool:
        text = _clean(line)
        return bool(_SECTION.fullmatch(text) or (_LEGENDS.fullmatch(text) and text == text.upper()))

    def _is_caps(self, line: PointsLine) -> bool:
        text = _clean(line)
        letters = [letter for letter in text if letter.isalpha()]
        return len(letters) > 2 and text == text.upper() and not parse_price(text)

    def _is_heading(self, rest: list[int], position: int) -> bool:
        """Whether a line is a heading. The last line before a price is one only where it can be no unit's name."""
        line = self.lines[rest[position]]
        if line.style is not None:
            return line.style == "heading"
        text = _clean(line)
        sure = _is_bar(text) or self._is_section(line) or name_key(text) in self.spellings
        if position == len(rest) - 1 and not sure:
            return False
        return self._is_caps(line)

    def _heading_ends(self, pending: list[int], following: int) -> bool:
        """Whether the pending heading is complete before the next heading line: `CODEX SUPPLEMENT:` is not."""
        text = _join([_clean(self.lines[index]) for index in pending])
        after = _clean(self.lines[following])
        if text.endswith(":"):
            return False
        if _is_bar(text) or _is_bar(after) or _SECTION.fullmatch(text) or _SECTION.match(after) or after.endswith(":"):
            return True
        return self._is_faction(text)

    def _heading(self, indexes: list[int]) -> None:
        """Take a heading: a section of a faction, the Legends part, the enhancements, or a list inside a section."""
        text = _join([_clean(self.lines[index]) for index in indexes])
        for index in indexes:
            self._claim(index, "heading", "decoration")
        section = _SECTION.fullmatch(text)
        self.name, self.name_lines, self.detachment = None, [], None
        if _LEGENDS.fullmatch(text):
            self.is_legends, self.in_enhancements, self.faction, self.listing = True, False, None, ""
        elif _ENHANCEMENTS.fullmatch(text):
            self.in_enhancements = True
        elif _PLAIN_LIST.fullmatch(text):
            self.in_enhancements, self.listing = False, self.section
        elif section:
            self._new_section(title_case(section["name"], self.spellings), f"{section['kind'].title()}: ")
        elif self.is_legends or self.faction is None or self._is_faction(text):
            self._new_section(title_case(text, self.spellings), "")
        else:
            self.in_enhancements = False
            self.listing = title_case(text, self.spellings)
            # A second list of the same army, printed as a section of its own: `AGENTS OF THE IMPERIUM (ALLIES)`.

    def _new_section(self, faction: str, prefix: str) -> None:
        self.in_enhancements = False
        self.faction = faction
        self.section = self.listing = f"{prefix}{faction}" + (" (Legends)" if self.is_legends else "")

    def _is_faction(self, heading: str) -> bool:
        """Whether a bare heading names a faction: it is in the contents, or the file marks none of its sections."""
        if self.spellings:
            return name_key(heading) in self.spellings
        return not self.has_prefixes

    def _part(self) -> str:
        return "legends" if self.is_legends else "units"

    # --- the fate of lines

    def _claim(
        self, index: int, section: str, disposition: Disposition, table: str | None = None, row: int | None = None
    ) -> None:
        self.claims[index] = (section, disposition, table, row)

    def _done(self, index: int, wrapped: list[int], section: str, table: str, row: int) -> None:
        self.sizes_parsed += 1
        for each in (*wrapped, index):
            self._claim(each, section, "parsed", table, row)

    def _refuse(self, index: int, wrapped: list[int], reason: str) -> None:
        for each in (*wrapped, index):
            self._quarantine(each, reason)

    def _quarantine(self, index: int, reason: str) -> None:
        line = self.lines[index]
        self._claim(index, "unknown", "quarantined")
        self.result.reject(reason, line.text, line_no=line.line_no, locator=line.locator)

    # --- two price lists of one army

    def _conditions(self) -> None:
        """Name the list in `condition` where one army prices a unit in two lists, or one size in two ways."""
        lists: dict[tuple[str | None, bool], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for entry in self.entries:
            lists[entry.faction, entry.is_legends][entry.listing].add(entry.name)
        for entry in self.entries:
            here = lists[entry.faction, entry.is_legends]
            others = [names for listing, names in here.items() if listing != entry.listing]
            mine = here[entry.listing]
            parallel = any(2 * len(mine & names) >= min(len(mine), len(names)) for names in others)
            if parallel or any(entry.name in names for names in others):
                row = self.result.tables["unit_cost"][entry.row]
                row["condition"] = "; ".join(filter(None, (entry.listing, row["condition"])))
        self._single_mixed_sizes()
        self._contradictions()

    def _single_mixed_sizes(self) -> None:
        """A mixed size needs no condition where its unit has no other price for that number of models."""
        rows = self.result.tables.get("unit_cost", [])
        sizes = Counter((row["faction"], row["name"], row["is_legends"], row["models"]) for row in rows)
        for row in rows:
            alone = sizes[row["faction"], row["name"], row["is_legends"], row["models"]] == 1
            if alone and row["condition"] and parse_mixed_size(row["condition"]):
                row["condition"] = None

    def _contradictions(self) -> None:
        seen: dict[tuple[object, ...], int] = {}
        for row in self.result.rows("unit_cost"):
            key = (row["faction"], name_key(row["name"]), row["is_legends"], row["models"], row["condition"])
            if key in seen and seen[key] != row["points"]:
                self.result.notices.append(
                    f"{row['locator']}: {row['name']} has two prices for {row['models']} models, "
                    f"{seen[key]} and {row['points']}, as printed"
                )
            seen.setdefault(key, row["points"])


def read_points(lines: Iterable[PointsLine], result: ReadResult, *, name_hint: str = "") -> list[LineClaim]:
    """Read a list into `unit_cost`, `enhancement` and `book` rows of `result`; returns one claim for each line.

    Never raises. The claims' `line_no` is 0 for lines that have none (PDF).
    """
    lines = list(lines)
    _title(lines, result, name_hint)
    reader = _Reader(lines, result)
    for line in lines:
        name = _contents_name(_clean(line))
        if name:
            reader.spellings.setdefault(name_key(name), name)
        reader.has_prefixes = reader.has_prefixes or bool(_SECTION.match(_clean(line)))
    reader.read()
    if not result.tables.get("unit_cost"):
        result.notices.append("no price of a unit was found")
    if reader.ranges:
        result.notices.append(
            f"{reader.ranges} sizes are ranges such as 10-11 models; each stands at its larger number"
        )
    refused = reader.sizes_seen - reader.sizes_parsed
    result.notices.append(f"price lines: {reader.sizes_seen} seen, {reader.sizes_parsed} read, {refused} quarantined")
    claims = []
    for index, line in enumerate(lines):
        section, disposition, table, row = reader.claims.get(index, ("unknown", "quarantined", None, None))
        if index not in reader.claims:
            result.reject(
                "a line that belongs to no unit or detachment", line.text, line_no=line.line_no, locator=line.locator
            )
        claims.append(LineClaim(line.line_no or 0, section, disposition, table, row))
    return claims


def _title(lines: Sequence[PointsLine], result: ReadResult, name_hint: str) -> None:
    """Title, version, date and edition, from the file's own words; its name is a hint for the version alone."""
    first_price = next(
        (i for i, line in enumerate(lines) if parse_size((parse_price(line.text) or Price("", 0, 0)).label)), 0
    )
    front = "\n".join(_clean(line) for line in lines[: max(first_price, 1)])
    result.title = "Munitorum Field Manual" if re.search(r"MUNITORUM\s+FIELD\s+MANUAL", front, re.IGNORECASE) else None
    version = _VERSION.search(front)
    hint = re.search(r"(?<![\d.])(\d{1,2}\.\d{1,2})(?![\d.]*\d)", name_hint.rsplit("/", 1)[-1])
    if version:
        result.version = version["version"]
    elif hint:
        result.version = hint[1]
        result.notices.append(f"the list states no version; {hint[1]} is taken from the file's name")
    else:
        result.notices.append("the list states no version")
    date = _DATE.search(front)
    if date and date["day"]:
        result.dated = f"{date['year']}-{_MONTHS.index(date['month'].capitalize()) + 1:02d}-{int(date['day']):02d}"
    year = re.search(r"(?:©|\(c\)).*?\b(20\d\d)\b", front, re.IGNORECASE)
    if not result.dated and year:
        result.notices.append(f"the list states no date, only the year {year[1]} of its copyright")
    evidence = edition_evidence("\n".join(line.text for line in lines))
    if evidence:
        result.edition = evidence.edition
        result.notices.append(f"edition {evidence.edition}: '{evidence.passage}'")
    result.add(
        "book",
        locator=lines[0].locator if lines else "file",
        name=result.title or "points list",
        kind="points",
        edition=result.edition,
        version=result.version,
        dated=result.dated,
    )


def _clean(line: PointsLine) -> str:
    return normalise(line.text)


def _contents_name(text: str) -> str | None:
    """The faction of a line of the contents (`Moss Wardens ....... 2`), None for any other line."""
    match = _CONTENTS.fullmatch(_DOTS.sub("\0", text)) if text[-1:].isdigit() else None
    return match["name"].strip() if match else None


def _join(parts: Iterable[str]) -> str:
    return re.sub(r"\s+", " ", " ".join(normalise(part) for part in parts)).strip(" ,")


def _is_bar(text: str) -> bool:
    return (
        bool(_ENHANCEMENTS.fullmatch(text) or _PLAIN_LIST.fullmatch(text) or _LEGENDS.fullmatch(text))
        and text == text.upper()
    )


def _tail(rest: list[int], taken: int, lines: Sequence[PointsLine], label: str) -> str:
    """The text that follows the line in question: the line taken last, or the label of the price."""
    return normalise(lines[rest[len(rest) - taken]].text) if taken else label


def _continues(following: str, before: str) -> bool:
    """Whether `following` goes on with a name that `before` began: small letters, or a word that cannot end a name."""
    last = before.split()[-1].lower() if before.split() else ""
    return bool(following) and (following[0].islower() or last in _SMALL_WORDS or before.endswith((",", "-", "&")))

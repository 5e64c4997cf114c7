"""Reader of datasheet cards in PDF (`datasheet_pdf`): front and back of each card, bytes in, rows out.

Belongs here: the regions of a card and what stands in them. Does not belong here: words and lines (`pdf_layout`), the
sentences about wargear (`wargear_text`), printed values (`characteristics`).

A card has a left and a right column, a bar of keywords at the foot, and on its front a row of characteristics at the
head. All of it is found by its labels: the right column begins where ABILITIES or UNIT COMPOSITION begins, a table's
columns stand under the labels of its header, headings are set like the headings known by name. What has no place in any
region becomes a reject.
"""

import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import pdfplumber

from pipelines.sources import characteristics as read_value
from pipelines.sources import wargear_text
from pipelines.sources.edition import edition_evidence
from pipelines.sources.invulnerable import improved_save_sentence, invulnerable
from pipelines.sources.pdf_errors import CUT_OFF, NO_PAGES, NO_TEXT, is_cut_off, pdf_problem
from pipelines.sources.pdf_layout import Segment, join_lines, lines, segments, words_of
from pipelines.sources.points_list import title_case
from pipelines.sources.records import RawFile, ReadResult, Row
from pipelines.sources.text import name_key, normalise
from pipelines.sources.weapon_keywords import split_name
from pipelines.sources.weapon_names import split_profile

_LABELS = ("M", "T", "SV", "W", "LD", "OC")
_HEADINGS = re.compile(
    r"(?:RANGED WEAPONS|MELEE WEAPONS|ABILITIES|WARGEAR ABILITIES|WARGEAR OPTIONS|UNIT COMPOSITION|LEADER|TRANSPORT|"
    r"SUPREME COMMANDER|DAMAGED:.*)"
)
_RIGHT_HEADINGS = ("ABILITIES", "UNIT COMPOSITION")
_WEAPONS = {"RANGED WEAPONS": ("ranged", "BS"), "MELEE WEAPONS": ("melee", "WS")}
_INVULNERABLE = re.compile(r"INVULNERABLE SAVE\s*(?P<note>\*?.*)", re.IGNORECASE)
_KEYWORDS = re.compile(r"KEYWORDS\b")
_FACTION_KEYWORDS = re.compile(r"FACTION KEYWORDS\b")
_ABILITY = re.compile(r"(?P<name>[^:]{2,80}):\s*(?P<text>.*)", re.DOTALL)
_VALUE = re.compile(r"(?P<name>.+?)\s+(?P<value>\d?D[36](?:\+\d{1,2})?|\d{1,2}(?:\+|\")?)", re.IGNORECASE)
_DAMAGED = re.compile(r"DAMAGED:\s*(?P<wounds>[\d\s–-]+?)\s*(?:WOUNDS? REMAINING)?", re.IGNORECASE)
_PICK_A_PROFILE = re.compile(r"Before selecting targets for this weapon\b", re.IGNORECASE)
_NOTE = re.compile(r"[A-Z][\w' -]{2,40}: \S")
_BULLET = re.compile(r"(?:(?P<first>[■•▪●◾])|[◦○‣▫]|–(?=\s*\d))\s*(?=\S)")
_DATE = re.compile(r"D:(\d{4})(\d{2})(\d{2})")
_CELL_REACH = 14.0  # half a column of the weapon table, in points, at the size in which cards are set


@dataclass
class _Section:
    """A heading with the lines under it, in one column of one page."""

    heading: str
    page: int
    parts: list[Segment] = field(default_factory=list)
    header: list[Segment] = field(default_factory=list)  # the labels beside a weapon table's heading


@dataclass
class _Page:
    """A page split into its regions."""

    number: int
    title: str
    profiles: list[tuple[str, dict[str, str]]]  # name or blank, label -> print
    saves: list[tuple[str, str]]  # print, note
    sections: list[_Section]
    keywords: str
    faction_keywords: str
    leftover: list[Segment]

    @property
    def is_front(self) -> bool:
        return bool(self.profiles)


@dataclass
class _Sheet:
    """A datasheet while its pages are read."""

    key: str
    name: str
    pages: list[_Page]
    known: list[str] = field(default_factory=list)  # names of weapons and wargear, for `wargear_text`


def read(data: bytes, file: RawFile) -> ReadResult:
    """Every datasheet of a file of cards; locators `page N`. Never raises."""
    result = ReadResult()
    try:
        pages, metadata, text = _pages(data)
    except Exception as error:  # pdfminer raises nearly anything on damaged files; none of it may stop a build
        result.reject(pdf_problem(error))
        return result
    if not any(parts for _, parts in pages):
        result.reject(NO_TEXT if pages else NO_PAGES)
        return result
    if is_cut_off(data):
        result.reject(CUT_OFF)
    cards = []
    for number, parts in pages:
        page = _split(number, parts)
        if page is None:
            if parts:
                result.reject(
                    "no datasheet card on this page", " ".join(s.text for s in parts)[:200], locator=f"page {number}"
                )
        else:
            cards.append(page)
    for sheet in _sheets(cards, result):
        _read_sheet(sheet, result)
    _about(metadata, text, result)
    return result


def _pages(data: bytes) -> tuple[list[tuple[int, list[Segment]]], dict[str, Any], str]:
    pages: list[tuple[int, list[Segment]]] = []
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        for number, page in enumerate(pdf.pages, 1):
            pages.append((number, segments(words_of(page))))
        text = "\n".join(part.text for _, parts in pages for part in parts)
        return pages, dict(pdf.metadata or {}), text


def _about(metadata: dict[str, Any], text: str, result: ReadResult) -> None:
    """What the file says of itself: edition from its words, date from its properties, faction where there is one."""
    evidence = edition_evidence(text)
    if evidence:
        result.edition = evidence.edition
        result.notices.append(f"edition {evidence.edition}: '{evidence.passage}'")
    match = _DATE.match(str(metadata.get("CreationDate") or metadata.get("ModDate") or ""))
    if match and int(match[1]) >= 2000 and 1 <= int(match[2]) <= 12 and 1 <= int(match[3]) <= 31:
        result.dated = f"{match[1]}-{match[2]}-{match[3]}"
        result.notices.append(f"dated {result.dated} by the PDF's own properties")
    result.title = normalise(str(metadata.get("Title") or "")) or None
    factions = sorted({row["faction"] for row in result.rows("datasheet") if row["faction"]})
    result.faction = factions[0] if len(factions) == 1 else None


# --- regions of a page ------------------------------------------------------------------------------------------------


def _split(number: int, parts: Sequence[Segment]) -> _Page | None:
    """The regions of a card page, or None where it is no card: neither characteristics nor a composition."""
    foot, keywords, faction_keywords = _foot(parts)
    body = [part for part in parts if part.top < foot]
    known = [part for part in body if _HEADINGS.fullmatch(part.text)]
    labels = _label_rows(body)
    if not labels and not any(part.text == "UNIT COMPOSITION" for part in known):
        return None
    right = min((part.x0 for part in known if part.text in _RIGHT_HEADINGS), default=float("inf")) - 5
    headings = _all_headings(body, known, right)
    first = min((part.top for part in headings), default=foot)
    head = [part for part in body if part.bottom <= first + 1 and part not in headings]
    rest = [part for part in body if part not in head]
    sections = _sections(number, rest, headings, right)
    profiles, saves, title, leftover = _head(head, labels)
    taken = {id(part) for section in sections for part in (*section.parts, *section.header)}
    saves += [_boxed_save(section) for section in sections if _INVULNERABLE.match(section.heading)]
    sections = [section for section in sections if not _INVULNERABLE.match(section.heading)]
    leftover += [part for part in rest if id(part) not in taken and part not in headings]
    return _Page(number, title, profiles, saves, sections, keywords, faction_keywords, leftover)


def _foot(parts: Sequence[Segment]) -> tuple[float, str, str]:
    """Where the keyword bar begins, and its two texts."""
    factions = [part for part in parts if _FACTION_KEYWORDS.match(part.text)]
    plain = [part for part in parts if _KEYWORDS.match(part.text)]
    if not factions and not plain:
        return float("inf"), "", ""
    top = min(part.top for part in (*factions, *plain)) - 3
    below = [part for part in parts if part.top >= top]
    border = min((part.x0 for part in factions), default=float("inf")) - 3
    left = join_lines(line.text for line in lines(part for part in below if part.x0 < border))
    right = join_lines(line.text for line in lines(part for part in below if part.x0 >= border))
    return top, left, right


def _label_rows(parts: Sequence[Segment]) -> list[list[Segment]]:
    """The rows of the labels M T SV W LD OC; a row has all six, in order."""
    rows = []
    for row in _same_line(part for part in parts if part.text.upper() in _LABELS):
        if tuple(part.text.upper() for part in row) == _LABELS:
            rows.append(row)
    return rows


def _same_line(parts: Iterable[Segment]) -> list[list[Segment]]:
    rows: list[list[Segment]] = []
    for part in sorted(parts, key=lambda s: (s.bottom, s.x0)):
        if rows and abs(rows[-1][0].bottom - part.bottom) <= 0.3 * part.size:
            rows[-1].append(part)
        else:
            rows.append([part])
    return [sorted(row, key=lambda s: s.x0) for row in rows]


def _all_headings(body: Sequence[Segment], known: Sequence[Segment], right: float) -> list[Segment]:
    """The headings known by name, and what is set like them: in capitals, alone on its line in its column."""
    styles = {(part.font, part.size) for part in known}
    tables = [part for part in known if part.text in _WEAPONS]
    found = list(known)
    first = min((part.top for part in known), default=0.0)
    for part in body:
        if part in known or (part.font, part.size) not in styles or part.top < first - 1:
            continue
        beside = any(abs(part.bottom - table.bottom) < 2 and part.x0 < right for table in tables)
        if part.text == part.text.upper() and len(part.text) > 3 and not beside and "[" not in part.text:
            found.append(part)
    return found


def _sections(number: int, parts: Sequence[Segment], headings: Sequence[Segment], right: float) -> list[_Section]:
    """Each heading with what stands under it in its column, down to the next heading there."""
    sections: list[_Section] = []
    for is_right in (False, True):
        column = [part for part in headings if (part.x0 >= right) == is_right]
        column.sort(key=lambda s: s.top)
        for heading, following in pairwise([*column, None]):
            if heading is None:
                continue
            end = following.top - 1 if following else float("inf")
            section = _Section(heading.text, number)
            for part in parts:
                # By its middle: a save in large type beside its heading reaches above it.
                if (part.x0 >= right) != is_right or part in headings or not heading.top - 1 <= part.middle < end:
                    continue
                on_line = abs(part.bottom - heading.bottom) < 2
                (section.header if on_line and heading.text in _WEAPONS else section.parts).append(part)
            sections.append(section)
    return sections


def _head(
    head: Sequence[Segment], labels: Sequence[Sequence[Segment]]
) -> tuple[list[tuple[str, dict[str, str]]], list[tuple[str, str]], str, list[Segment]]:
    """Characteristics, invulnerable saves, title, and what is left over, from the part above the first heading."""
    if not labels:
        return [], [], _back_title(head), []
    top = labels[0][0].top
    used = {id(part) for row in labels for part in row}
    title = [part for part in head if part.top < top - 1]
    used |= {id(part) for part in title}
    saves = _saves(head, used)
    profiles: list[tuple[str, dict[str, str]]] = []
    for row in _same_line(part for part in head if id(part) not in used and part.top > top):
        cells = _under(row, labels[0])
        if len(cells) >= len(_LABELS) - 1:
            used |= {id(part) for part in row}
            named = [part.text for part in row if part.x0 > labels[0][-1].x1 and part not in cells.values()]
            profiles.append((join_lines(named), {label: part.text for label, part in cells.items()}))
    text = join_lines(line.text for line in lines(title))
    return profiles, saves, text, [part for part in head if id(part) not in used]


def _back_title(head: Sequence[Segment]) -> str:
    """The leading lines in capitals; what follows them tells the unit's story."""
    found: list[str] = []
    for line in lines(head):
        if line.text != line.text.upper():
            break
        found.append(line.text)
    return join_lines(found)


def _saves(head: Sequence[Segment], used: set[int]) -> list[tuple[str, str]]:
    """`4+ INVULNERABLE SAVE` with the note of its star, which stands beside or under it."""
    saves: list[tuple[str, str]] = []
    for part in head:
        match = _INVULNERABLE.search(part.text)
        if not match or id(part) in used:
            continue
        used.add(id(part))
        beside = [p for p in head if id(p) not in used and abs(p.middle - part.middle) < 0.7 * part.size]
        value = part.text[: match.start()].strip()
        note = match["note"].strip()
        for each in sorted(beside, key=lambda s: s.x0):
            if each.x0 < part.x0 and not value:
                value = each.text
            elif each.x0 > part.x0:
                note = f"{note} {each.text}".strip()
            else:
                continue
            used.add(id(each))
        if note == "*":
            starred = [p for p in head if id(p) not in used and p.text.startswith("*")]
            note = join_lines(p.text for p in starred)
            used |= {id(p) for p in starred}
        saves.append((value, note))
    return saves


def _boxed_save(section: _Section) -> tuple[str, str]:
    """The save of a card that has it in a box of its own among the abilities."""
    inside = _INVULNERABLE.match(section.heading)
    texts = [inside["note"] if inside else "", *(line.text for line in lines(section.parts))]
    text = join_lines(text for text in texts if text)
    value = re.search(r"(?<!\d)[2-6]\+", text)
    note = (text[: value.start()] + text[value.end() :]) if value else text
    return (value[0] if value else text), " ".join(note.split())


def _under(row: Sequence[Segment], labels: Sequence[Segment]) -> dict[str, Segment]:
    """The cells of a row by the label above which they stand."""
    pitch = min(b.centre - a.centre for a, b in pairwise(labels))
    cells: dict[str, Segment] = {}
    for label in labels:
        near = min(row, key=lambda part: abs(part.centre - label.centre))
        if abs(near.centre - label.centre) < pitch / 2 and re.fullmatch(r"[-–—]|\d.{0,5}", near.text):
            cells[label.text.upper()] = near
    return cells


# --- sheets -----------------------------------------------------------------------------------------------------------


def _sheets(pages: Sequence[_Page], result: ReadResult) -> list[_Sheet]:
    """Fronts with their backs. A back belongs to the last front of its title."""
    sheets: list[_Sheet] = []
    for page in pages:
        owner = next((s for s in reversed(sheets) if name_key(s.pages[0].title) == name_key(page.title)), None)
        if owner and not (page.is_front and any(p.is_front for p in owner.pages)):
            owner.pages.append(page)
            continue
        if not page.title:
            result.reject("a card without a title", locator=f"page {page.number}")
            continue
        if not page.is_front:
            result.notices.append(f"page {page.number}: the back of {page.title} has no front with characteristics")
        sheets.append(_Sheet(f"page {page.number}", page.title, [page]))
    return sheets


def _read_sheet(sheet: _Sheet, result: ReadResult) -> None:
    keywords = _keyword_rows(sheet, result)
    factions = [row["keyword_printed"] for row in keywords if row["is_faction"]]
    sheet.name = _spelled(sheet, [row["keyword_printed"] for row in keywords if not row["is_faction"]])
    first = sheet.pages[0]
    result.add(
        "datasheet",
        locator=sheet.key,
        sheet=sheet.key,
        name=sheet.name,
        faction=factions[0] if factions else None,
        is_combat_patrol=False,
        is_legends=bool(re.search(r"\blegends\b", " ".join(s.heading for s in first.sections), re.IGNORECASE)),
        has_lost_text=False,
        name_is_inferred=False,
    )
    for row in keywords:
        row.pop("keyword_printed")
        result.add("keyword", locator=row.pop("locator"), **row)
    sections = [section for page in sheet.pages for section in page.sections]
    order = {"RANGED WEAPONS": 0, "MELEE WEAPONS": 0, "ABILITIES": 1, "WARGEAR ABILITIES": 1}
    for section in sorted(sections, key=lambda s: (order.get(s.heading, 2), s.page)):
        _read_section(section, sheet, result)
    for page in sheet.pages:
        _profiles(page, sheet, result)
        for line in lines(page.leftover):
            result.reject("text that has no place on a datasheet card", line.text, locator=f"page {page.number}")


def _keyword_rows(sheet: _Sheet, result: ReadResult) -> list[Row]:
    """Keywords of both sides once each, with the model that alone has them."""
    rows: list[Row] = []
    seen: set[tuple[str, bool, str | None]] = set()
    for page in sheet.pages:
        for text, is_faction in ((page.keywords, False), (page.faction_keywords, True)):
            if not text:
                continue
            for model, names in _keyword_lists(text):
                for printed in names:
                    key = (printed.upper(), is_faction, model)
                    if key in seen:
                        continue
                    seen.add(key)
                    rows.append(
                        {
                            "locator": f"page {page.number}",
                            "sheet": sheet.key,
                            "keyword": printed.upper(),
                            "is_faction": is_faction,
                            "model": model,
                            "keyword_printed": printed,
                        }
                    )
        if not page.keywords:
            result.reject("the bar of keywords is missing", locator=f"page {page.number}")
    return rows


def _keyword_lists(text: str) -> list[tuple[str | None, list[str]]]:
    """`KEYWORDS – ALL MODELS: a, b | MODEL: c – OTHER ONLY: d` -> [(None, [a, b]), (Model, [c]), (Other, [d])]."""
    found: list[tuple[str | None, list[str]]] = []
    text = re.sub(r"^(?:FACTION )?KEYWORDS\b[\s:–—-]*", "", text, flags=re.IGNORECASE)
    for piece in re.split(r"\s*\|\s*|\s+[–—]\s+(?=[^,:]{2,60}:)", text):
        label, colon, names = piece.partition(":")
        if not colon:
            label, names = "", piece
        label = re.sub(r"\s+ONLY$", "", label.strip(), flags=re.IGNORECASE)
        model = None if not label or label.upper() in ("ALL", "ALL MODELS") else title_case(label, {})
        found.append((model, [name.strip(" .") for name in names.split(",") if name.strip(" .")]))
    return found


def _spelled(sheet: _Sheet, keywords: Sequence[str]) -> str:
    """The title in the spelling in which the card itself prints the name: among keywords or in the composition."""
    wanted = name_key(sheet.name)
    texts = [*keywords, *(f"{a} {b}" for a, b in pairwise(keywords))]
    for page in sheet.pages:
        for section in page.sections:
            if section.heading == "UNIT COMPOSITION":
                for line in lines(section.parts):
                    texts.append(re.sub(r"^\W*\d+(?:-\d+)?\s+", "", line.text))
    return next((text for text in texts if name_key(text) == wanted), title_case(sheet.name, {}))


def _profiles(page: _Page, sheet: _Sheet, result: ReadResult) -> None:
    """Characteristics, one row for each profile; a save whose note names one profile holds for that one alone."""
    where = f"page {page.number}"
    for printed_name, cells in page.profiles:
        profile = title_case(printed_name, {}) if printed_name else sheet.name
        try:
            missing = [label for label in _LABELS if label not in cells]
            if missing:
                raise ValueError(f"no value under {', '.join(missing)}")
            value, note = _save_of(profile, page.saves)
            save = invulnerable(value, note)
            row = {
                "movement_in": read_value.movement_in(cells["M"]),
                "toughness": read_value.whole_number(cells["T"].rstrip("*"), "Toughness"),
                "save": read_value.target_roll(cells["SV"], "Save"),
                "wounds": read_value.whole_number(cells["W"].rstrip("*"), "Wounds"),
                "leadership": read_value.target_roll(cells["LD"], "Leadership"),
                "objective_control": read_value.whole_number(cells["OC"].rstrip("*"), "Objective Control"),
            }
        except ValueError as error:
            text = " ".join(f"{label} {print_}" for label, print_ in cells.items())
            result.reject(f"characteristics of {profile}: {error}", text, locator=where)
            continue
        result.add(
            "model_profile",
            locator=where,
            sheet=sheet.key,
            profile=profile,
            invulnerable_save=save.save,
            invulnerable_versus=save.versus,
            invulnerable_note=save.note,
            feel_no_pain=_feel_no_pain(sheet, result),
            **row,
        )
        sentence = improved_save_sentence(save)
        if sentence:
            result.add(
                "ability",
                locator=where,
                sheet=sheet.key,
                name="Invulnerable Save",
                kind="special",
                value=f"{save.improved}+",
                text=sentence,
            )


def _save_of(profile: str, saves: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """The save that a profile has: one whose note names it, else one whose note names no profile."""
    named = [(value, note) for value, note in saves if name_key(profile) in name_key(note)]
    open_to_all = [(value, note) for value, note in saves if not re.search(r"\bonly\b", note) or "attack" in note]
    found = named or open_to_all
    if len(found) > 1:
        raise ValueError("several invulnerable saves, and nothing says whose")
    return found[0] if found else ("", "")


def _feel_no_pain(sheet: _Sheet, result: ReadResult) -> int | None:
    """The threshold of an unconditional core ability Feel No Pain."""
    for row in result.rows("ability"):
        if row["sheet"] == sheet.key and row["kind"] == "core" and name_key(row["name"]) == "feelnopain":
            match = re.fullmatch(r"([2-6])\+", row["value"] or "")
            return int(match[1]) if match else None
    return None


# --- sections ---------------------------------------------------------------------------------------------------------


def _read_section(section: _Section, sheet: _Sheet, result: ReadResult) -> None:
    heading = section.heading
    if heading in _WEAPONS:
        _weapons(section, sheet, result)
    elif heading in ("ABILITIES", "WARGEAR ABILITIES"):
        _abilities(section, sheet, result, "datasheet" if heading == "ABILITIES" else "wargear")
    elif heading == "WARGEAR OPTIONS":
        _options(section, sheet, result)
    elif heading == "UNIT COMPOSITION":
        _composition(section, sheet, result)
    elif heading == "LEADER":
        _leader(section, sheet, result)
    elif _DAMAGED.fullmatch(heading):
        match = _DAMAGED.fullmatch(heading)
        value = re.sub(r"\s", "", match["wounds"]).replace("–", "-") if match else None
        _ability(section, sheet, result, "damaged", "Damaged", _text(section.parts), value)
    else:
        _ability(section, sheet, result, "special", title_case(heading, {}), _text(section.parts))


def _ability(
    section: _Section,
    sheet: _Sheet,
    result: ReadResult,
    kind: str,
    name: str,
    text: str | None,
    value: str | None = None,
) -> None:
    result.add(
        "ability",
        locator=f"page {section.page}",
        sheet=sheet.key,
        name=normalise(name),
        kind=kind,
        value=value,
        text=text or None,
    )


def _text(parts: Iterable[Segment]) -> str:
    """A rule: keywords, which are bold, in capitals as every other source has them; entries of a list on own lines."""
    return "\n".join(
        join_lines(texts) if level == 0 else "- " + join_lines(texts)
        for level, texts in _bullets(replace(row, text=row.loud or row.text) for row in lines(parts))
    )


def _bullets(rows: Iterable[Segment]) -> list[tuple[int, list[str]]]:
    """Lines grouped by the bullet before them: (level, lines); level 0 is text without a bullet.

    A line without a bullet goes on with the entry before it as long as it is indented like that entry's text.
    """
    groups: list[tuple[int, list[str]]] = []
    left = 0.0
    for row in rows:
        bullet = _BULLET.match(row.text)
        if bullet:
            groups.append((1 if bullet["first"] else 2, [row.text[bullet.end() :]]))
            left = row.x0
        elif _is_or([row.text]):
            groups.append((0, [row.text]))
        elif groups and not _is_or(groups[-1][1]) and (groups[-1][0] == 0 or row.x0 > left + 1):
            groups[-1][1].append(row.text)
        else:
            groups.append((0, [row.text]))
    return groups


def _abilities(section: _Section, sheet: _Sheet, result: ReadResult, kind: str) -> None:
    """`CORE:` and `FACTION:` lists, then abilities, each begun by its name in bold before a colon."""
    groups: list[list[Segment]] = []
    for row in lines(section.parts):
        begins = bool(re.match(r"(?:CORE|FACTION):", row.text)) or _begins_ability(row)
        if begins or not groups:
            groups.append([row])
        else:
            groups[-1].append(row)
    for group in groups:
        text = _rule(group)
        match = _ABILITY.fullmatch(text)
        if not match:
            result.reject("no ability: a name before a colon is expected", text, locator=f"page {section.page}")
        elif match["name"] in ("CORE", "FACTION"):
            _listed_abilities(section, sheet, result, match["name"].lower(), match["text"])
        else:
            if kind == "wargear":
                sheet.known.append(match["name"])
            _ability(section, sheet, result, kind, match["name"], match["text"])


def _rule(group: Sequence[Segment]) -> str:
    """An ability: its name, which is bold too, as printed, and the rest with keywords in capitals."""
    first = group[0]
    name, colon, _ = first.text.partition(":")
    loud = first.loud or first.text
    if not colon or re.match(r"(?:CORE|FACTION):", first.text):
        return _text(replace(row, loud=row.text) for row in group)
    return _text([replace(first, loud=f"{name}:{loud.partition(':')[2]}"), *group[1:]])


def _begins_ability(row: Segment) -> bool:
    """A bold run that ends in a colon, or runs into one."""
    if not row.bold:
        return False
    rest = row.text[len(row.bold) :]
    return ":" in row.bold or rest.startswith(":")


def _listed_abilities(section: _Section, sheet: _Sheet, result: ReadResult, kind: str, text: str) -> None:
    for printed in re.split(r",\s*(?![^()]*\))", text):
        name = printed.strip(" .")
        if not name:
            continue
        match = _VALUE.fullmatch(name) if kind == "core" else None
        value = match["value"].replace("d", "D") if match else None
        _ability(section, sheet, result, kind, match["name"] if match else name, None, value)


def _options(section: _Section, sheet: _Sheet, result: ReadResult) -> None:
    """Bullets of the first level are sentences, those of the second their lists."""
    where = f"page {section.page}"
    sentences: list[tuple[str, list[str]]] = []
    rows = [row for parts in _list_columns(section.parts) for row in lines(parts)]
    for level, texts in _bullets(rows):
        text = join_lines(texts)
        if level == 2 and sentences:
            sentences[-1][1].append(text)
        else:
            sentences.append((text, []))
    for text, bullets in sentences:
        if wargear_text.is_footnote(text):
            _option_footnote(text, sheet, result, where)
            continue
        # Some cards end the sentence that opens a list in a semicolon.
        opened = re.sub(r";$", ":", text) if bullets else text
        try:
            options = wargear_text.parse_options(opened, bullets, sheet.known)
        except ValueError as error:
            result.reject(f"wargear option: {error}", "\n".join([text, *bullets]), locator=where)
            continue
        for option in options:
            result.add(
                "wargear_option",
                locator=where,
                sheet=sheet.key,
                text="\n".join([text, *(f"- {bullet}" for bullet in bullets)]),
                replaces=option.replaces,
                choices=option.choices,
                per_models=option.per_models,
                limit_models=option.limit_models,
                has_lost_text=False,
                model=option.model,
                condition=option.condition,
            )


def _list_columns(parts: Sequence[Segment]) -> list[list[Segment]]:
    """A long list may stand in two columns: bullets of the first level then begin on one line at two places."""
    firsts = [part for part in parts if (bullet := _BULLET.match(part.text)) and bullet["first"]]
    beside = [row[1].x0 for row in _same_line(firsts) if len(row) > 1]
    if not beside:
        return [list(parts)]
    border = min(beside) - 2
    return [[part for part in parts if part.x0 < border], [part for part in parts if part.x0 >= border]]


def _option_footnote(text: str, sheet: _Sheet, result: ReadResult, where: str) -> None:
    """A footnote completes the option before it."""
    own = [row for row in result.rows("wargear_option") if row["sheet"] == sheet.key]
    if own:
        own[-1]["condition"] = "; ".join(filter(None, (own[-1]["condition"], text.strip("* "))))
    else:
        result.reject("a footnote without an option before it", text, locator=where)


def _composition(section: _Section, sheet: _Sheet, result: ReadResult) -> None:
    """Bullets are models, sentences are default equipment, `OR` parts alternatives."""
    where = f"page {section.page}"
    groups = _bullets(lines(section.parts))
    several = any(_is_or(texts) for _, texts in groups)
    alternative = 1
    for level, texts in groups:
        text = join_lines(texts)
        if _is_or(texts):
            alternative += 1
        elif level or (re.match(r"\d+(?:\s*[-–]\s*\d+)?\s+[A-Z]", text) and "equipped" not in text):
            _models(text, alternative if several else None, sheet, result, where)
        else:
            _equipment(text, sheet, result, where)


def _is_or(texts: Sequence[str]) -> bool:
    return len(texts) == 1 and texts[0].strip(" :").upper() == "OR"


def _models(text: str, alternative: int | None, sheet: _Sheet, result: ReadResult, where: str) -> None:
    try:
        models = wargear_text.parse_compositions(text)
    except ValueError as error:
        result.reject(f"unit composition: {error}", text, locator=where)
        return
    for model, low, high in models:
        result.add(
            "composition",
            locator=where,
            sheet=sheet.key,
            model=model,
            min_models=low,
            max_models=high,
            alternative=alternative,
        )


def _equipment(text: str, sheet: _Sheet, result: ReadResult, where: str) -> None:
    try:
        items = wargear_text.parse_equipment(text, sheet.known)
    except ValueError as error:
        result.reject(f"equipment: {error}", text, locator=where)
        return
    for model, models, item, number in items:
        result.add(
            "equipment",
            locator=where,
            sheet=sheet.key,
            model=model,
            models=models,
            item=item,
            n=number,
            is_inferred=False,
        )


def _leader(section: _Section, sheet: _Sheet, result: ReadResult) -> None:
    """The units that this model can lead, one bullet each; the rule around them is kept as text."""
    groups = _bullets(lines(section.parts))
    for level, texts in groups:
        if level:
            result.add(
                "leader",
                locator=f"page {section.page}",
                sheet=sheet.key,
                leader=sheet.name,
                bodyguard=title_case(join_lines(texts).strip(" .*"), {}),
            )
    _ability(section, sheet, result, "special", "Leader", _text(section.parts))


# --- weapons ----------------------------------------------------------------------------------------------------------


def _weapons(section: _Section, sheet: _Sheet, result: ReadResult) -> None:
    """A table of weapons: cells stand under the labels of its header, names and keywords may take several lines."""
    where = f"page {section.page}"
    attack_type, skill_label = _WEAPONS[section.heading]
    labels = {part.text.upper(): part for part in section.header}
    wanted = ("RANGE", "A", skill_label, "S", "AP", "D")
    if any(label not in labels for label in wanted):
        result.reject(f"the header of {section.heading} lacks columns", " ".join(labels), locator=where)
        return
    columns = [labels[label] for label in wanted]
    border = columns[0].x0 - 6
    cells = [part for part in section.parts if part.x0 > border and _column(part, columns) is not None]
    texts = lines(part for part in section.parts if part not in cells)
    rows = _same_line(cells)
    groups, notes = _names(texts, [_middle(row) for row in rows], [row[0].bottom for row in rows], columns[0].x0)
    for row, group in zip(rows, groups, strict=True):
        name = join_lines(line.text for line in group)
        values = {wanted[_column(part, columns) or 0]: part.text for part in row}
        _weapon(name, values, attack_type, skill_label, sheet, result, where)
    for note in notes:
        _weapon_note(note, section, sheet, result)


def _column(part: Segment, columns: Sequence[Segment]) -> int | None:
    """The column over which a cell stands; None for text that is no cell."""
    if len(part.text) > 8 or " " in part.text.replace(" + ", "+"):
        return None
    index = min(range(len(columns)), key=lambda i: abs(columns[i].centre - part.centre))
    gaps = [b.centre - a.centre for a, b in pairwise(columns)]
    reach = max(min(gaps) * 0.75, _CELL_REACH)
    return index if abs(columns[index].centre - part.centre) <= reach else None


def _middle(row: Sequence[Segment]) -> float:
    return sum(part.middle for part in row) / len(row)


def _names(
    texts: Sequence[Segment], middles: Sequence[float], bottoms: Sequence[float], border: float
) -> tuple[list[list[Segment]], list[list[Segment]]]:
    """The lines of each row's name, and the notes between the rows.

    A name of several lines stands around the middle of its cells, or begins beside them. Of all runs of lines that fit,
    the shortest counts that breaks no bracket open and leaves no line behind that could not be a note.
    """
    is_note = _note_lines(texts, border)
    groups: list[list[Segment]] = []
    taken: set[int] = set()
    start = 0
    for middle, bottom in zip(middles, bottoms, strict=True):
        found = _name_lines(texts, is_note, start, middle, bottom)
        groups.append([texts[i] for i in found])
        taken |= set(found)
        start = found[-1] + 1 if found else start
    notes: list[list[Segment]] = []
    for index, text in enumerate(texts):
        if index in taken:
            continue
        if notes and is_note[index] == 2 and index - 1 not in taken:
            notes[-1].append(text)
        else:
            notes.append([text])
    return groups, notes


def _note_lines(texts: Sequence[Segment], border: float) -> list[int]:
    """0 for no note, 1 for the first line of a note, 2 for a further one."""
    marks: list[int] = []
    for index, text in enumerate(texts):
        before = texts[index - 1] if index else None
        goes_on = bool(
            marks and marks[-1] and before and not before.text.endswith(".") and before.bottom + text.size > text.top
        )
        wide = text.x1 > border and "]" not in text.text
        if goes_on:
            marks.append(2)
        elif wide or _NOTE.match(text.text) or _PICK_A_PROFILE.search(text.text):
            marks.append(1)
        else:
            marks.append(0)
    return marks


def _name_lines(
    texts: Sequence[Segment], is_note: Sequence[int], start: int, middle: float, bottom: float
) -> list[int]:
    for length in range(1, 6):
        for first in range(start, len(texts) - length + 1):
            run = list(range(first, first + length))
            group = [texts[i] for i in run]
            tolerance = 0.35 * group[0].size
            centred = abs((group[0].top + group[-1].bottom) / 2 - middle) <= tolerance
            level = abs(group[0].bottom - bottom) <= tolerance
            if not (centred or level) or any(is_note[i] for i in run) or group[0].text.startswith("["):
                continue
            joined = " ".join(text.text for text in group)
            following = texts[run[-1] + 1] if run[-1] + 1 < len(texts) else None
            opened = joined.count("[") != joined.count("]")
            cut = following is not None and following.text.startswith("[") and not is_note[run[-1] + 1]
            behind = any(not is_note[i] for i in range(start, first))
            if not opened and not cut and not behind:
                return run
    return []


def _weapon(
    name: str,
    values: dict[str, str],
    attack_type: str,
    skill_label: str,
    sheet: _Sheet,
    result: ReadResult,
    where: str,
) -> None:
    text = " | ".join((name, *values.values()))
    try:
        if not name:
            raise ValueError("a row without a name")
        missing = [label for label in ("RANGE", "A", skill_label, "S", "AP", "D") if label not in values]
        if missing:
            raise ValueError(f"no value under {', '.join(missing)}")
        printed, keywords, keywords_text = split_name(name)
        weapon, profile = split_profile(printed)
        range_in = read_value.range_in(values["RANGE"])
        if (range_in is None) != (attack_type == "melee"):
            raise ValueError(f"range '{values['RANGE']}' among the {attack_type} weapons")
        row: Row = {
            "range_in": range_in,
            "attacks": read_value.dice_text(values["A"]),
            "skill": read_value.skill(values[skill_label]),
            "strength": read_value.dice_text(values["S"]),
            "armour_penetration": read_value.armour_penetration(values["AP"]),
            "damage": read_value.dice_text(values["D"]),
        }
    except ValueError as error:
        result.reject(f"weapon: {error}", text, locator=where)
        return
    sheet.known.append(weapon)
    unknown = [keyword.keyword for keyword in keywords if not keyword.is_known]
    if unknown:
        result.notices.append(f"{where}: {weapon} has the unknown keyword {', '.join(unknown)}")
    result.add(
        "weapon_profile",
        locator=where,
        sheet=sheet.key,
        weapon=weapon,
        profile=profile,
        attack_type=attack_type,
        keywords=[keyword.row() for keyword in keywords],
        keywords_text=keywords_text,
        **row,
    )


def _weapon_note(note: Sequence[Segment], section: _Section, sheet: _Sheet, result: ReadResult) -> None:
    """A rule of a weapon below its row; the hint to choose a profile says nothing of its own."""
    text = _rule(note)
    if _PICK_A_PROFILE.search(text):
        return
    match = _ABILITY.fullmatch(text)
    if match:
        _ability(section, sheet, result, "weapon", match["name"], match["text"])
    else:
        result.reject(
            "a line of the weapon table that is neither a name nor a note", text, locator=f"page {section.page}"
        )

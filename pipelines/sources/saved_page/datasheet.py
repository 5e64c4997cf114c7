"""A datasheet of a saved page: profiles, weapons, sections, keywords.

Belongs here: the page's markup of a datasheet. Sections are told by their headings, columns of tables by their titles,
never by position. Does not belong here: rules in tooltips (`rules`).
"""

import copy
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from pipelines.sources import characteristics as read
from pipelines.sources import wargear_text
from pipelines.sources.invulnerable import Invulnerable, improved_save_sentence, invulnerable
from pipelines.sources.markup import classes, element_text, is_hidden
from pipelines.sources.records import ReadResult, Row
from pipelines.sources.rule_markup import stratagem_type
from pipelines.sources.saved_page.page import Page, siblings_until
from pipelines.sources.text import name_key, slug
from pipelines.sources.unit_composition import read_composition
from pipelines.sources.weapon_keywords import WeaponKeyword, split_name
from pipelines.sources.weapon_names import split_profile

_CHARACTERISTICS = ("m", "t", "sv", "w", "ld", "oc")
_CORE = re.compile(r"(?P<name>\D.*?)\s+(?P<value>(?:\d{0,2}D[36](?:\+\d+)?|\d{1,2})(?:\+|\"|'')?)", re.IGNORECASE)
_MODEL_ONLY = re.compile(r"\s*\(?\b(?P<model>[^()]+?) models? only\.?\)?\s*$", re.IGNORECASE)
_DAMAGED = re.compile(r"DAMAGED\s*:?\s*(?P<low>\d{1,3})\s*-\s*(?P<high>\d{1,3})\s+WOUNDS\s+REMAINING", re.IGNORECASE)
_BETWEEN_ENTRIES = re.compile(r",\s*(?![^()]*\))")
_SIZE = re.compile(r"(?P<models>\d{1,3}) models?\s*(?:\((?P<condition>.+)\))?", re.IGNORECASE)
_KINDS = re.compile(r"(?P<n>\d{1,3})\s+[^\d,]+?(?:\s*,\s*(?:and\s+)?|\s+and\s+|$)", re.IGNORECASE)


@dataclass
class Sheet:
    """A datasheet being read. `names` are the items it knows; `feel_no_pain` of all its models."""

    key: str
    name: str
    result: ReadResult
    faction: str | None
    is_legends: bool
    names: list[str] = field(default_factory=list)
    feel_no_pain: int | None = None

    def add(self, table: str, element: Any, **values: Any) -> int:
        """A row of this datasheet, from the line of an element."""
        return self.result.add(table, line_no=element.sourceline, sheet=self.key, **values)

    def reject(self, reason: str, element: Any, text: str | None = None) -> None:
        """Refuse a piece of this datasheet."""
        shown = element_text(element) if text is None else text
        self.result.reject(reason, shown, line_no=element.sourceline)


def read_datasheet(page: Page, frame: Any, number: int, result: ReadResult) -> None:
    """One datasheet of a page, the `number`th."""
    heads = page.all("dsH2Header", frame)
    printed = [_line(child) for head in heads[:1] for child in head if isinstance(child.tag, str)]
    name = next((text for text in printed if text), None) or page.heading()[1]
    if not name:
        result.reject("a datasheet without a name", element_text(frame)[:200], line_no=frame.sourceline)
        return
    book = next((_book(image.get("title") or "") for image in page.all("logo3", frame)), None)
    legends = any("sLegendary" in classes(element) for element in [frame]) or "legends" in (book or "").lower()
    key = slug(name) if number == 1 else f"{slug(name)}-{number}"
    sheet = Sheet(key, name, result, page.heading()[0], legends)
    sheet.add(
        "datasheet",
        frame,
        name=name,
        faction=sheet.faction,
        book=book or sheet.faction,
        is_combat_patrol=False,
        is_legends=legends,
        first_line=frame.sourceline,
        last_line=max(element.sourceline or 0 for element in frame.iter(etree.Element)),
        source_key=_own_address(page) if number == 1 else None,
        has_lost_text=False,
        name_is_inferred=not any(printed),
    )
    _read_weapons(page, frame, sheet)
    _read_sections(page, frame, sheet)
    _read_profiles(page, frame, sheet)
    _read_keywords(page, frame, sheet)


def _line(element: Any) -> str:
    return " ".join(element_text(element).split())


def _book(title: str) -> str | None:
    """`Codex. Adeptus Custodes (10th edition, version 1.3)` -> the book's name."""
    name = re.sub(r"\s*\([^()]*\)\s*$", "", title)
    return name.partition(". ")[2] or name or None


def _own_address(page: Page) -> str | None:
    for link in page.root.iter("link"):
        if link.get("rel") == "canonical" and link.get("href"):
            return re.sub(r"^https?://[^/]+", "", link.get("href"))
    return None


# --- weapons ----------------------------------------------------------------------------------------------------------


def _read_weapons(page: Page, frame: Any, sheet: Sheet) -> None:
    kept: dict[tuple[str, str, str], list[Row]] = {}
    for table in page.all("wTable", frame):
        columns: list[str] = []
        for row in table.iter("tr"):
            cells = [_line(cell) for cell in row if isinstance(cell.tag, str) and not is_hidden(cell)]
            if any(cell.upper() in ("RANGE", "BS", "WS") for cell in cells):
                columns = [cell.upper() for cell in cells]
            elif columns and _has_numbers(cells):
                _read_weapon(row, cells, columns, sheet, kept)
            elif any(cells) and not _only_name(cells) and columns:
                sheet.reject("a weapon row with too few cells", row)


def _has_numbers(cells: list[str]) -> bool:
    return sum(1 for cell in cells if cell) >= 7


def _only_name(cells: list[str]) -> bool:
    """The name-only row that pages print for narrow screens."""
    return sum(1 for cell in cells if cell) == 1


def _read_weapon(
    row: Any, cells: list[str], columns: list[str], sheet: Sheet, kept: dict[tuple[str, str, str], list[Row]]
) -> None:
    try:
        weapon = _weapon_row(cells, columns)
    except ValueError as error:
        sheet.reject(str(error), row)
        return
    same_name = kept.setdefault(
        (weapon["attack_type"], name_key(weapon["weapon"]), name_key(weapon["profile"] or "")), []
    )
    if weapon in same_name:
        return
    if same_name:
        sheet.result.notices.append(f"line {row.sourceline}: {weapon['weapon']} has another set of values above")
    same_name.append(weapon)
    sheet.add("weapon_profile", row, **weapon)
    sheet.names.append(weapon["weapon"])


def _weapon_row(cells: list[str], columns: list[str]) -> Row:
    if len(cells) != len(columns):
        raise ValueError(f"{len(cells)} cells under {len(columns)} column titles")
    title = next((column for column in columns if column.endswith("WEAPONS")), "")
    cell = dict(zip(columns, cells, strict=True))
    skill = cell.get("BS") if "BS" in cell else cell.get("WS")
    missing = [name for name in ("RANGE", "A", "S", "AP", "D") if name not in cell]
    if missing or skill is None or not title:
        raise ValueError(f"the weapon table has no column {', '.join(missing) or 'BS, WS or WEAPONS'}")
    name, keywords, printed = split_name(cell[title])
    weapon, profile = split_profile(name)
    inches = read.range_in(cell["RANGE"])
    attack_type = "melee" if title.startswith("MELEE") else "ranged"
    if (inches is None) != (attack_type == "melee"):
        raise ValueError(f"range '{cell['RANGE']}' does not fit a {attack_type} weapon")
    return {
        "weapon": weapon,
        "profile": profile,
        "attack_type": attack_type,
        "range_in": inches,
        "attacks": read.dice_text(cell["A"]),
        "skill": read.skill(skill),
        "strength": read.dice_text(cell["S"]),
        "armour_penetration": read.armour_penetration(cell["AP"]),
        "damage": read.dice_text(cell["D"]),
        "keywords": [_keyword(keyword) for keyword in keywords],
        "keywords_text": printed,
    }


def _keyword(keyword: WeaponKeyword) -> dict[str, str | int | None]:
    return keyword.row()


# --- models -----------------------------------------------------------------------------------------------------------


def _read_profiles(page: Page, frame: Any, sheet: Sheet) -> None:
    """Profiles in document order; an invulnerable save belongs to the profiles since the save before it."""
    waiting: list[tuple[Any, str, dict[str, str]]] = []
    saves: list[tuple[Any, str, dict[str, str], Any | None]] = []
    for element in frame.iter(etree.Element):
        names = classes(element)
        if "dsProfileWrap" in names:
            waiting.append((element, _model_name(element), _cells(page, element)))
        elif "dsInvulWrap" in names:
            own = [entry for entry in waiting if _share_box(entry[0], element)]
            for entry in waiting:
                saves.append((*entry, element if entry in own or not own else None))
            waiting = []
    saves.extend((*entry, None) for entry in waiting)
    notes = _star_notes(page, frame)
    for element, name, cells, save in saves:
        _add_profile(page, sheet, element, name or sheet.name, cells, save, notes)


def _share_box(profile: Any, save: Any) -> bool:
    """Whether a save stands in the same profile box."""
    box = next((part for part in profile.iterancestors() if "dsProfileBaseWrap" in classes(part)), None)
    return box is not None and any(part is box for part in save.iterancestors())


def _model_name(profile: Any) -> str:
    """The name printed with a profile where a unit has several."""
    for place in (profile, *profile.iterancestors()):
        for element in place.iter(etree.Element):
            if any(name.startswith("dsModelName") for name in classes(element)):
                return _line(element)
        if "dsProfileBaseWrap" in classes(place):
            return ""
    return ""


def _cells(page: Page, profile: Any) -> dict[str, str]:
    cells: dict[str, str] = {}
    for wrap in page.all("dsCharWrap", profile):
        names, values = page.all("dsCharName", wrap), page.all("dsCharValue", wrap)
        if names and values:
            cells[_line(names[0]).lower()] = _line(values[0])
    return cells


def _star_notes(page: Page, frame: Any) -> list[str]:
    """Lines of the sheet that explain a star and speak of attacks or saves."""
    lines = [line for part in page.all("dsAbility", frame) for line in element_text(part).split("\n")]
    return [
        line for line in lines if re.match(r"\*", line) and re.search(r"attack|invulnerable|only", line, re.IGNORECASE)
    ]


def _add_profile(
    page: Page, sheet: Sheet, element: Any, name: str, cells: dict[str, str], wrap: Any | None, notes: list[str]
) -> None:
    try:
        save = _save(page, wrap, notes, name)
        missing = [key for key in _CHARACTERISTICS if key not in cells]
        if missing:
            raise ValueError(f"the profile lacks {', '.join(missing).upper()}")
        row = _profile_row({key: value.removesuffix("*").strip() for key, value in cells.items()}, save)
    except ValueError as error:
        sheet.reject(str(error), element)
        return
    sheet.add("model_profile", element, profile=name, feel_no_pain=sheet.feel_no_pain, **row)
    sentence = improved_save_sentence(save)
    if sentence:
        sheet.add(
            "ability",
            element,
            name="Invulnerable Save",
            kind="special",
            value=f"{save.improved}+",
            text=sentence,
            model=name,
        )


def _save(page: Page, wrap: Any | None, notes: list[str], model: str) -> Invulnerable:
    """The save and its note. A starred save whose note is nowhere on the sheet is refused."""
    if wrap is None:
        return Invulnerable(None)
    values = [_line(element) for element in page.all("dsCharInvulValue", wrap)]
    if not values:
        raise ValueError("an invulnerable save without a number")
    said = re.sub(r"\s+", " ", _line(wrap)).replace("INVULNERABLE SAVE", "", 1)
    note = said.replace(values[0], "", 1).strip(" *|")
    if not note and "*" in values[0]:
        if not notes:
            raise ValueError("the invulnerable save has a star and no note that explains it")
        note = notes[0]
    save = invulnerable(values[0], note)
    named = _MODEL_ONLY.fullmatch(save.note or "")
    if named and name_key(named["model"]) not in name_key(model) and name_key(model) not in name_key(named["model"]):
        return Invulnerable(None)
    return save


def _profile_row(cell: dict[str, str], save: Invulnerable) -> Row:
    return {
        "movement_in": read.movement_in(cell["m"]),
        "toughness": read.whole_number(cell["t"], "Toughness"),
        "save": read.target_roll(cell["sv"], "Save"),
        "invulnerable_save": save.save,
        "invulnerable_versus": save.versus,
        "invulnerable_note": save.note,
        "wounds": read.whole_number(cell["w"], "Wounds"),
        "leadership": read.target_roll(cell["ld"], "Leadership"),
        "objective_control": read.whole_number(cell["oc"], "Objective Control"),
    }


# --- sections ---------------------------------------------------------------------------------------------------------


def _read_sections(page: Page, frame: Any, sheet: Sheet) -> None:
    """Every section of both columns by its heading; one that is not known is a boxed rule of the sheet."""
    for heading in page.all("dsHeader", frame):
        if any(part.tag == "table" for part in heading.iterancestors()):
            continue
        title = _line(heading).strip(" :").upper()
        parts = [part for part in siblings_until(heading, "dsHeader") if not is_hidden(part)]
        reader = _SECTIONS.get(title)
        damaged = _DAMAGED.fullmatch(title)
        if damaged:
            bracket = f"{damaged['low']}-{damaged['high']}"
            _add_box(sheet, heading, parts, "damaged", f"Damaged: {bracket} Wounds Remaining", bracket)
        elif reader:
            reader(page, sheet, parts)
        elif title:
            name = "Transport" if title == "TRANSPORT" else title
            _add_box(sheet, heading, parts, "special", name, None)
    for table in page.all("wTable", frame):
        for part in siblings_until(table, "dsHeader"):
            if any(name.startswith("dsAbility") for name in classes(part)):
                _read_abilities_of(sheet, part, "weapon")


def _add_box(sheet: Sheet, heading: Any, parts: Iterable[Any], kind: str, name: str, value: str | None) -> None:
    text = "\n".join(filter(None, (element_text(part) for part in parts)))
    if not text:
        sheet.reject(f"the section {name} has no text", heading)
        return
    sheet.add("ability", heading, name=name, kind=kind, value=value, text=text)


def _blocks(parts: Iterable[Any]) -> list[Any]:
    return [part for part in parts if any(name.startswith("dsAbility") for name in classes(part))]


def _read_abilities(page: Page, sheet: Sheet, parts: list[Any]) -> None:
    for part in _blocks(parts):
        _read_abilities_of(sheet, part, "datasheet")


def _read_wargear_abilities(page: Page, sheet: Sheet, parts: list[Any]) -> None:
    for part in _blocks(parts):
        _read_abilities_of(sheet, part, "wargear")


def _read_abilities_of(sheet: Sheet, block: Any, kind: str) -> None:
    """Abilities of one block: `CORE:` and `FACTION:` lists, or texts that begin with a bold name, cut at rules."""
    for piece in _pieces(block):
        text = element_text(piece)
        listed = re.match(r"(CORE|FACTION)\s*:\s*(.*)", text, re.DOTALL)
        if listed:
            for entry in _BETWEEN_ENTRIES.split(listed[2].replace("\n", " ")):
                _add_listed(sheet, block, listed[1].lower(), entry.strip())
        elif text:
            _add_named(sheet, block, piece, text, kind)


def _pieces(block: Any) -> list[Any]:
    """A block cut at its dividing lines and before each bold name at the start of a line."""
    pieces = [etree.Element("div")]
    pieces[0].text = block.text
    at_start = not (block.text or "").strip()
    for child in block:
        if not isinstance(child.tag, str):
            continue
        if "dsLineHor" in classes(child):
            pieces.append(etree.Element("div"))
            pieces[-1].text = child.tail
            at_start = not (child.tail or "").strip()
            continue
        if child.tag == "b" and at_start and _line(child).endswith(":") and (len(pieces[-1]) or pieces[-1].text):
            pieces.append(etree.Element("div"))
        pieces[-1].append(copy.deepcopy(child))
        at_start = child.tag in ("br", "p", "ul", "div") and not (child.tail or "").strip()
    return pieces


def _add_listed(sheet: Sheet, block: Any, kind: str, entry: str) -> None:
    """An entry behind CORE or FACTION: name, value, and the model that alone has it."""
    if not entry:
        return
    named = _MODEL_ONLY.search(entry) if entry.endswith(")") else None
    text = entry[: entry.rfind("(")].strip() if named else entry
    match = _CORE.fullmatch(text) if kind == "core" else None
    name, value = (match["name"], match["value"]) if match else (text, None)
    model = named["model"] if named else None
    sheet.add("ability", block, name=name, kind=kind, value=value, model=model)
    if kind == "core" and name_key(name) == "feelnopain" and not model and re.fullmatch(r"[2-6]\+", value or ""):
        sheet.feel_no_pain = int((value or "")[0])


def _add_named(sheet: Sheet, block: Any, piece: Any, text: str, kind: str) -> None:
    bold = next((child for child in piece if child.tag == "b"), None)
    label = _line(bold) if bold is not None and not (piece.text or "").strip() else ""
    if label.endswith(":") and text.startswith(label):
        name = label.rstrip(": ")
        sheet.add("ability", block, name=name, kind=kind, text=text[len(label) :].strip() or None)
        if kind == "wargear":
            sheet.names.append(name)
    elif text.startswith("*"):
        sheet.add("ability", block, name="Unit Note", kind="special", text=text)
    else:
        sheet.reject("a text among the abilities that has no name", block, text)


# --- composition, options, prices -------------------------------------------------------------------------------------


def _read_unit(page: Page, sheet: Sheet, parts: list[Any]) -> None:
    """UNIT COMPOSITION: model lines, default equipment, prices, notes."""
    lines: list[tuple[Any, str]] = []
    for block in _blocks(parts):
        if page.all("PriceTag", block):
            _read_prices(page, sheet, block)
            continue
        for line in element_text(block).split("\n"):
            text = line.removeprefix("- ").strip()
            if re.search(r"\b(?:is|are) equipped with\b", text):
                _add_equipment(sheet, block, text)
            elif text:
                lines.append((block, text))
    for found in read_composition([text for _, text in lines], sheet.name):
        block, text = lines[found.index]
        if found.kind in ("note", "error") and not re.match(r"\d", text):
            sheet.add("ability", block, name="Unit Note", kind="special", text=text)
        elif found.kind == "error":
            sheet.reject(found.error or "", block, text)
        for model, low, high in found.models:
            sheet.add("composition", block, model=model, min_models=low, max_models=high, alternative=found.alternative)


def _add_equipment(sheet: Sheet, block: Any, text: str) -> None:
    try:
        items = wargear_text.parse_equipment(text, sheet.names)
    except ValueError as error:
        sheet.reject(f"equipment: {error}", block, text)
        return
    for model, models, item, number in items:
        sheet.add("equipment", block, model=model, models=models, item=item, n=number, is_inferred=False)


def _read_prices(page: Page, sheet: Sheet, block: Any) -> None:
    for row in block.iter("tr"):
        cells = [_line(cell) for cell in row if isinstance(cell.tag, str)]
        if len(cells) < 2 or not any(cells):
            continue
        try:
            values = _price(cells[0], cells[-1])
        except ValueError as error:
            sheet.reject(str(error), row)
            continue
        sheet.add("unit_cost", row, name=sheet.name, faction=sheet.faction, is_legends=sheet.is_legends, **values)


def _price(line: str, printed: str) -> Row:
    points = re.fullmatch(r"(\+?)\s*(\d{1,5})(?:\s*pts)?", printed)
    if not points:
        raise ValueError(f"'{printed}' is no price")
    if points[1]:
        return {"models": None, "points": int(points[2]), "condition": f"add-on: {line}"}
    size = _SIZE.fullmatch(line)
    if size:
        return {"models": int(size["models"]), "points": int(points[2]), "condition": size["condition"]}
    kinds = list(_KINDS.finditer(line))
    if not kinds or "".join(match[0] for match in kinds) != line:
        raise ValueError(f"'{line}' is no size of a unit")
    condition = line if len(kinds) > 1 else None
    return {"models": sum(int(match["n"]) for match in kinds), "points": int(points[2]), "condition": condition}


def _read_options(page: Page, sheet: Sheet, parts: list[Any]) -> None:
    """WARGEAR OPTIONS: the markup nests the lists, so nothing has to be rebuilt."""
    last: Row | None = None
    for part in parts:
        entries = [child for child in part if child.tag == "li"] if part.tag in ("ul", "ol") else [part]
        for entry in entries:
            lines = [line.removeprefix("- ").strip() for line in element_text(entry).split("\n")]
            lines = [line for line in lines if line]
            if not lines or wargear_text.is_nothing(lines[0]):
                continue
            if wargear_text.is_footnote(lines[0]):
                if last is None:
                    sheet.reject("a footnote without an option before it", entry)
                else:
                    last["text"] = "\n".join([last["text"], *lines])
                continue
            last = _add_options(sheet, entry, lines) or last


def _add_options(sheet: Sheet, entry: Any, lines: list[str]) -> Row | None:
    try:
        options = wargear_text.parse_options(lines[0], lines[1:], sheet.names)
    except ValueError as error:
        sheet.reject(str(error), entry)
        return None
    row: Row | None = None
    for option in options:
        index = sheet.add(
            "wargear_option",
            entry,
            text=lines[0],
            replaces=option.replaces,
            choices=option.choices,
            per_models=option.per_models,
            limit_models=option.limit_models,
            has_lost_text=False,
            model=option.model,
            condition=option.condition,
        )
        row = sheet.result.tables["wargear_option"][index]
    return row


# --- lists ------------------------------------------------------------------------------------------------------------


def _read_leader(page: Page, sheet: Sheet, parts: list[Any]) -> None:
    _read_pairs(sheet, parts, leads=True)


def _read_led_by(page: Page, sheet: Sheet, parts: list[Any]) -> None:
    _read_pairs(sheet, parts, leads=False)


def _read_pairs(sheet: Sheet, parts: list[Any], *, leads: bool) -> None:
    """Units in the list; what stands around it but the announcing sentence is a rule about attaching."""
    notes: list[str] = []
    seen: set[str] = set()
    for part in parts:
        for entry in part.iter("li"):
            other = _line(entry).removeprefix("- ")
            if other and name_key(other) not in seen:
                seen.add(name_key(other))
                pair = (sheet.key, other) if leads else (other, sheet.key)
                sheet.add("leader", entry, leader=pair[0], bodyguard=pair[1])
        for line in element_text(part).split("\n"):
            if not line.startswith("- ") and not re.search(r"following units?:?$", line):
                notes.append(line)
    text = "\n".join(note for note in notes if note)
    if text:
        sheet.add("ability", parts[0], name="Leader", kind="special", text=text)


def _read_stratagem_list(page: Page, sheet: Sheet, parts: list[Any]) -> None:
    for part in parts:
        for entry in page.all("s10Wrap", part):
            names, types = page.all("s10Name", entry), page.all("s10Type", entry)
            cost = re.search(r"(\d)\s*CP\b", _line(entry))
            if not names or not types:
                sheet.reject("a listed stratagem needs a name and a type", entry)
                continue
            detachment, kind = stratagem_type(_line(types[0]))
            sheet.add(
                "datasheet_stratagem",
                entry,
                name=_line(names[0]),
                detachment=detachment,
                type=kind,
                cp=int(cost[1]) if cost else None,
            )


def _linked(page: Page, parts: list[Any], add: Callable[[Any, str, str | None], int]) -> None:
    """Entries of a list whose detachment stands in the text that each shows when pointed at."""
    for part in parts:
        for entry in page.all("s10EnhWrap", part):
            names = [_line(child) for child in entry if isinstance(child.tag, str)]
            template = page.template(entry)
            named = [_line(found) for found in page.all("detachName", template)] if template is not None else []
            detachment = re.sub(r"\s*\bDetachment\s*$", "", named[0]) if named else None
            if names and names[0]:
                add(entry, names[0], detachment)


def _read_detachment_list(page: Page, sheet: Sheet, parts: list[Any]) -> None:
    _linked(
        page,
        parts,
        lambda entry, name, place: sheet.add("datasheet_detachment_rule", entry, name=name, detachment=place),
    )


def _read_enhancement_list(page: Page, sheet: Sheet, parts: list[Any]) -> None:
    _linked(
        page, parts, lambda entry, name, place: sheet.add("datasheet_enhancement", entry, name=name, detachment=place)
    )


def _read_keywords(page: Page, frame: Any, sheet: Sheet) -> None:
    """Both keyword boxes, told by their titles. `MODEL: KEYWORD | ...` gives keywords of one model."""
    for box in [part for part in frame.iter(etree.Element) if any(n.startswith("ds2colKW") for n in classes(part))]:
        for column in box:
            text = element_text(column) if isinstance(column.tag, str) else ""
            match = re.match(r"(FACTION )?KEYWORDS\b\s*(?:[–-]\s*)?:?\s*(.*)", text, re.DOTALL)
            if not match:
                if text:
                    sheet.reject("a keyword box without its title", column)
                continue
            _add_keywords(sheet, column, match[2], bool(match[1]))


def _add_keywords(sheet: Sheet, column: Any, printed: str, is_faction: bool) -> None:
    model: str | None = None
    seen: set[tuple[str, str | None]] = set()
    for entry in re.split(r"\s*[,|\n]\s*", printed):
        head, colon, keyword = entry.rpartition(":")
        if colon:
            named = re.sub(r"(?:\s+MODELS?)?\s+ONLY$", "", head.strip(" –-").upper())
            model = None if named in ("ALL", "ALL MODELS") else named
        word = (keyword if colon else entry).strip(" .").upper()
        if word and (word, model) not in seen:
            seen.add((word, model))
            sheet.add("keyword", column, keyword=word, is_faction=is_faction, model=model)


_SECTIONS: dict[str, Callable[[Page, Sheet, list[Any]], None]] = {
    "ABILITIES": _read_abilities,
    "WARGEAR ABILITIES": _read_wargear_abilities,
    "WARGEAR OPTIONS": _read_options,
    "UNIT COMPOSITION": _read_unit,
    "LEADER": _read_leader,
    "LED BY": _read_led_by,
    "STRATAGEMS": _read_stratagem_list,
    "DETACHMENT ABILITY": _read_detachment_list,
    "DETACHMENT ABILITIES": _read_detachment_list,
    "ENHANCEMENTS": _read_enhancement_list,
}

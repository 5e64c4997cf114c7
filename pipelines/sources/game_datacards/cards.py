"""Datasheets of the data cards.

Belongs here: stats, weapons, abilities, composition, equipment, options, prices, leaders of one card. Does not belong
here: rules that many cards share (`rules`).
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pipelines.sources import characteristics as read
from pipelines.sources import wargear_text
from pipelines.sources.game_datacards.access import Card, Cards, Incomplete, card_text
from pipelines.sources.invulnerable import Invulnerable, improved_save_sentence, invulnerable
from pipelines.sources.records import Row
from pipelines.sources.text import name_key, normalise
from pipelines.sources.unit_composition import read_composition
from pipelines.sources.weapon_keywords import WeaponKeyword, parse_keyword
from pipelines.sources.weapon_names import split_profile

EDITION = "10"
_PATROL = re.compile(r"\s*combat patrol\s*:\s*", re.IGNORECASE)
_SOURCE = re.compile(r"40k-(\d{1,2})e", re.IGNORECASE)
_CORE = re.compile(r"(?P<name>\D.*?)\s+(?P<value>(?:\d{0,2}D[36](?:\+\d+)?|\d{1,2})(?:\+|\"|'')?)", re.IGNORECASE)
_MODEL_ONLY = re.compile(r"\s*\(?\b(?P<model>[^()]+?) models? only\.?\)?\s*$", re.IGNORECASE)
_EQUIPPED = re.compile(r"\b(?:is|are) equipped with\b", re.IGNORECASE)
# A footnote stands behind a full stop or a star and several blanks, behind a gap, or names what an entry forbids.
_FOOTNOTE = re.compile(
    r"(?<=[.*)])\s{2,}(?=[*A-Z])|\s{3,}(?=[*A-Z])|\n+(?=[*A-Z])|\s+(?=\*\s+[A-Z])"
    r"|\s+(?=That model['’]s [^:]* cannot be replaced)"
)
_CAPITALS = re.compile(r"([A-Z][A-Z0-9' -]*[A-Z0-9])(?=\s+[A-Z][a-z]|[\s.]*$)")
_REMAINING = re.compile(r"(\d{1,3}\s*-\s*\d{1,3}|\d{1,3})")


@dataclass(frozen=True)
class Owner:
    """Whose cards a file holds: a faction, or a Combat Patrol."""

    faction: str | None
    patrol: str | None


@dataclass
class Sheet:
    """A card being read. `names` are the items it knows; `feel_no_pain` of all its models."""

    key: str
    name: str
    faction: str | None
    is_legends: bool
    card: Card
    names: list[str] = field(default_factory=list)
    feel_no_pain: int | None = None


def owner_of(document: Card) -> Owner:
    """The faction of a file, or its Combat Patrol without the words that head its name."""
    name = document.text("name")
    if document.text("id") == "basic" and not _PATROL.match(name):
        return Owner(None, None)  # rules of every army
    if document.raw("isCombatPatrol") is True or _PATROL.match(name):
        return Owner(None, _PATROL.sub("", name, count=1) or None)
    return Owner(name or None, None)


def read_datasheets(found: Cards, document: Card, owner: Owner) -> None:
    """Every card; one that lacks its name, or belongs to another edition, is rejected and the rest loads."""
    seen: dict[str, object] = {}
    pairs: set[tuple[str, str]] = set()
    cards = list(document.entries("datasheets"))
    found.result.edition = _main_edition(cards)
    for card in cards:
        edition = _SOURCE.fullmatch(card.text("source"))
        key = card.text("id")
        if not key or (key in seen and seen[key] != card.value):
            key = card.pointer.strip("/")  # one id for two cards: a Legends card kept the id of its successor
        if not card.has("name"):
            found.reject(card, "the key 'name' is missing")
        elif edition and edition[1] != EDITION and found.result.edition == EDITION:
            found.reject(card, f"a datasheet of edition {edition[1]}")
        elif key in seen:
            found.left_out["datasheets printed twice"] += 1
        else:
            seen[key] = card.value
            _read_sheet(found, card, key, owner, pairs)


def _main_edition(cards: Iterable[Card]) -> str | None:
    """The edition of most cards. A file of another edition is read whole: it says so, and none of it is used."""
    stated = Counter(match[1] for card in cards if (match := _SOURCE.fullmatch(card.text("source"))))
    return max(stated, key=lambda edition: (stated[edition], edition == EDITION), default=None)


def _read_sheet(found: Cards, card: Card, key: str, owner: Owner, pairs: set[tuple[str, str]]) -> None:
    factions = [card_text(text) for text, _ in card.texts("factions")]
    patrol = owner.patrol if owner.patrol or card.raw("combatPatrol") is not True else owner.faction
    faction = owner.faction if not patrol else next(iter(factions), None)
    sheet = Sheet(key, card.text("name"), faction, card.raw("legends") is True, card)
    found.result.add(
        "datasheet",
        locator=card.pointer,
        sheet=key,
        name=sheet.name,
        faction=faction,
        book=patrol or faction,
        is_combat_patrol=bool(patrol),
        is_legends=sheet.is_legends,
        source_key=card.text("id") or None,
        has_lost_text=False,
        name_is_inferred=False,
    )
    _read_weapons(found, sheet)
    _read_abilities(found, sheet)
    _read_stats(found, sheet)
    _read_keywords(found, sheet, factions)
    _read_composition(found, sheet, _read_loadout(found, sheet))
    _read_options(found, sheet)
    _read_prices(found, sheet)
    _read_leaders(found, sheet, pairs)


# --- weapons ----------------------------------------------------------------------------------------------------------


def _read_weapons(found: Cards, sheet: Sheet) -> None:
    kept: dict[tuple[str, str, str], list[Row]] = {}
    for key, listed in (("rangedWeapons", "ranged"), ("meleeWeapons", "melee")):
        for weapon in sheet.card.entries(key):
            profiles = list(weapon.entries("profiles", required=True))
            for profile in profiles:
                place = profile.pointer if len(profiles) > 1 else weapon.pointer
                _read_profile(found, sheet, profile, place, listed, kept)
            for ability in weapon.entries("abilities"):
                _add_named_ability(found, sheet, ability, "weapon")


def _read_profile(
    found: Cards, sheet: Sheet, profile: Card, place: str, listed: str, kept: dict[tuple[str, str, str], list[Row]]
) -> None:
    try:
        row = _weapon_row(sheet, profile)
    except ValueError as error:
        found.result.reject(str(error), str(profile.value), locator=place)
        return
    if row["attack_type"] != listed:
        found.result.notices.append(
            f"{place}: {row['weapon']} is listed as {listed} and has a {row['attack_type']} range"
        )
    same_name = kept.setdefault((row["attack_type"], name_key(row["weapon"]), name_key(row["profile"] or "")), [])
    if row in same_name:
        return
    if same_name:
        found.result.notices.append(f"{place}: {row['weapon']} of {sheet.name} has another set of values above")
    same_name.append(row)
    found.result.add("weapon_profile", locator=place, **row)
    sheet.names.append(row["weapon"])


def _weapon_row(sheet: Sheet, profile: Card) -> Row:
    """A weapon profile; raises ValueError for a missing key and for a value in the wrong column (`4+` attacks)."""
    cell = {key: profile.need(key) for key in ("name", "range", "attacks", "skill", "strength", "ap", "damage")}
    if not cell["name"]:
        raise Incomplete(profile.pointer, "the weapon has no name")
    weapon, kind = split_profile(cell["name"])
    inches = read.range_in(cell["range"])
    printed = [card_text(text) for text, _ in profile.texts("keywords")]
    keywords = [parse_keyword(text) or WeaponKeyword(text.strip("[] ").lower()) for text in printed if text]
    return {
        "sheet": sheet.key,
        "weapon": weapon,
        "profile": kind,
        "attack_type": "melee" if inches is None else "ranged",
        "range_in": inches,
        "attacks": read.dice_text(cell["attacks"]),
        "skill": read.skill(cell["skill"]),
        "strength": read.dice_text(cell["strength"]),
        "armour_penetration": read.armour_penetration(cell["ap"]),
        "damage": read.dice_text(cell["damage"]),
        "keywords": [keyword.row() for keyword in keywords],
        "keywords_text": ", ".join(text for text in printed if text) or None,
    }


# --- abilities --------------------------------------------------------------------------------------------------------


def _read_abilities(found: Cards, sheet: Sheet) -> None:
    abilities = sheet.card.child("abilities")
    if not sheet.card.has("abilities"):
        found.reject(sheet.card, "the key 'abilities' is missing")
    for text, pointer in abilities.texts("core"):
        _add_core_ability(found, sheet, card_text(text), pointer)
    for text, pointer in abilities.texts("faction"):
        if card_text(text):
            _add_ability(found, sheet, pointer, "faction", card_text(text))
    for key, kind in (("other", "datasheet"), ("wargear", "wargear"), ("special", "special")):
        for entry in abilities.entries(key):
            _add_named_ability(found, sheet, entry, kind)
    for group in abilities.entries("primarch"):
        parts = list(group.entries("abilities"))
        if group.has("name"):
            choices = "\n".join(f"- {part.text('name')}" for part in parts)
            _add_ability(found, sheet, group.pointer, "datasheet", group.text("name"), text=choices or None)
        for part in parts:
            _add_named_ability(found, sheet, part, "datasheet")
    _add_damaged(found, sheet, abilities.child("damaged"))
    if sheet.card.has("transport"):
        pointer = f"{sheet.card.pointer}/transport"
        _add_ability(found, sheet, pointer, "special", "Transport", text=sheet.card.text("transport"))


def _add_ability(
    found: Cards,
    sheet: Sheet,
    pointer: str,
    kind: str,
    name: str,
    *,
    value: str | None = None,
    text: str | None = None,
    model: str | None = None,
) -> None:
    found.result.add(
        "ability", locator=pointer, sheet=sheet.key, name=name, kind=kind, value=value, text=text, model=model
    )


def _add_core_ability(found: Cards, sheet: Sheet, printed: str, pointer: str) -> None:
    """`Deadly Demise D3 (Szarekh model only)` into name, value and model."""
    if not printed:
        return
    named = _MODEL_ONLY.search(printed) if printed.endswith(")") else None
    text = printed[: printed.rfind("(")].strip() if named else printed
    match = _CORE.fullmatch(text)
    name, value = (match["name"], match["value"]) if match else (text, None)
    model = named["model"] if named else None
    _add_ability(found, sheet, pointer, "core", name, value=value, model=model)
    if name_key(name) == "feelnopain" and model is None and re.fullmatch(r"[2-6]\+", value or ""):
        sheet.feel_no_pain = int((value or "")[0])


def _add_named_ability(found: Cards, sheet: Sheet, entry: Card, kind: str) -> None:
    if entry.raw("showAbility") is False:
        found.left_out["hidden abilities"] += 1
        return
    name, text = entry.text("name"), entry.text("description")
    if not name and not text:
        found.reject(entry, "an ability without a name and without a description")
        return
    _add_ability(found, sheet, entry.pointer, kind, name, text=text or None)
    if kind == "wargear":
        sheet.names.append(name)


def _add_damaged(found: Cards, sheet: Sheet, damaged: Card) -> None:
    if damaged.has("description") or damaged.has("range"):
        wounds = _REMAINING.match(damaged.text("range"))
        value = re.sub(r"\s", "", wounds[1]) if wounds else damaged.text("range") or None
        text = damaged.text("description") or None
        name = f"Damaged: {value} Wounds Remaining" if wounds else "Damaged"
        _add_ability(found, sheet, damaged.pointer, "damaged", name, value=value, text=text)


# --- models -----------------------------------------------------------------------------------------------------------


def _read_stats(found: Cards, sheet: Sheet) -> None:
    stats = list(sheet.card.entries("stats", required=True))
    try:
        save, bearer = _invulnerable(sheet)
    except ValueError as error:
        found.result.reject(str(error), locator=f"{sheet.card.pointer}/abilities/invul")
        save, bearer = Invulnerable(None), None
    if bearer and not any(_is_model(bearer, line.text("name")) for line in stats):
        bearer = None
    kept: dict[str, Row] = {}
    for line in stats:
        own = save if bearer is None or _is_model(bearer, line.text("name")) else Invulnerable(None)
        try:
            row = _stat_row(sheet, line, own)
        except ValueError as error:
            found.reject(line, str(error))
            continue
        earlier = kept.get(name_key(row["profile"]))
        if earlier:
            if earlier != row:
                found.reject(line, "an earlier line of the same name has other values")
            continue
        kept[name_key(row["profile"])] = row
        found.result.add("model_profile", locator=line.pointer, **row)
        sentence = improved_save_sentence(own)
        if sentence:
            value = f"{own.improved}+"
            _add_ability(
                found,
                sheet,
                line.pointer,
                "special",
                "Invulnerable Save",
                value=value,
                text=sentence,
                model=row["profile"],
            )


def _invulnerable(sheet: Sheet) -> tuple[Invulnerable, str | None]:
    """The save of the card, and the one kind of model that has it where the note names one."""
    card = sheet.card.child("abilities").child("invul")
    if card.raw("showInvulnerableSave") is False:
        return Invulnerable(None), None
    save = invulnerable(card.text("value"), card.text("info"))
    named = _MODEL_ONLY.fullmatch(save.note or "")
    return (replace(save, versus="any"), named["model"]) if named and save.save else (save, None)


def _is_model(named: str, profile: str) -> bool:
    """Whether a note names the profile: wholly, or a part of it (`Terminator` of `Kill Team Terminator`)."""
    one, other = name_key(named), name_key(profile)
    return bool(one and other) and (one in other or other in one)


def _stat_row(sheet: Sheet, line: Card, save: Invulnerable) -> Row:
    cell = {key: line.need(key).removesuffix("*") for key in ("m", "t", "sv", "w", "ld", "oc")}
    return {
        "sheet": sheet.key,
        "profile": line.text("name") or sheet.name,
        "movement_in": read.movement_in(cell["m"]),
        "toughness": read.whole_number(cell["t"], "Toughness"),
        "save": read.target_roll(cell["sv"], "Save"),
        "invulnerable_save": save.save,
        "invulnerable_versus": save.versus,
        "invulnerable_note": save.note,
        "wounds": read.whole_number(cell["w"], "Wounds"),
        "leadership": read.target_roll(cell["ld"], "Leadership"),
        "objective_control": read.whole_number(cell["oc"], "Objective Control"),
        "feel_no_pain": sheet.feel_no_pain,
    }


def _read_keywords(found: Cards, sheet: Sheet, factions: Iterable[str]) -> None:
    seen: set[tuple[str, bool, str | None]] = set()
    listed = [(card_text(text), pointer, False) for text, pointer in sheet.card.texts("keywords")]
    listed += [(text, f"{sheet.card.pointer}/factions/{n}", True) for n, text in enumerate(factions)]
    model: str | None = None
    for text, pointer, is_faction in listed:
        keyword = text.upper().strip()
        if ":" in keyword and not is_faction:
            # `ALL MODELS: INFANTRY`, `... | QUARTERMASTER: CHARACTER`: what follows belongs to that model.
            head, _, keyword = keyword.rpartition(":")
            named = head.rpartition("|")[2].strip()
            model = None if named in ("ALL", "ALL MODELS") else named
            keyword = keyword.strip()
        place = (keyword, is_faction, None if is_faction else model)
        if keyword and place not in seen:
            seen.add(place)
            found.result.add(
                "keyword", locator=pointer, sheet=sheet.key, keyword=keyword, is_faction=is_faction, model=place[2]
            )


# --- composition, equipment, options ----------------------------------------------------------------------------------


def _read_loadout(found: Cards, sheet: Sheet) -> list[tuple[str, str]]:
    """Sentences about equipment, and notes below them. Returns lines of the composition that slipped in there."""
    pointer = f"{sheet.card.pointer}/loadout"
    slipped: list[tuple[str, str]] = []
    for line in sheet.card.text("loadout").split("\n"):
        text = line.removeprefix("- ").strip()
        if _EQUIPPED.search(text):
            _read_equipment(found, sheet, text, pointer)
        elif re.match(r"\d|or:?$", text, re.IGNORECASE):
            slipped.append((text, pointer))
        elif text and not wargear_text.is_nothing(text):
            _add_ability(found, sheet, pointer, "special", "Unit Note", text=text)
    return slipped


def _read_composition(found: Cards, sheet: Sheet, slipped: list[tuple[str, str]]) -> None:
    listed = [*sheet.card.texts("composition"), *slipped]
    lines = [card_text(text) for text, _ in listed]
    sizes = {price.text("models") for price in sheet.card.entries("points")}
    for line in read_composition(lines, sheet.name):
        text, pointer = lines[line.index], listed[line.index][1]
        if line.kind == "equipment":
            _read_equipment(found, sheet, text, pointer)
        elif line.kind == "note":
            _add_ability(found, sheet, pointer, "special", "Unit Composition", text=text)
        elif line.kind == "error" and len(lines) == 1 and sizes == {"1"} and _names_unit(text, sheet):
            _add_models(found, sheet, pointer, ((sheet.name, 1, 1),), 1)
        elif line.kind == "error":
            found.result.reject(line.error or "", text, locator=pointer)
        else:
            _add_models(found, sheet, pointer, line.models, line.alternative)


def _names_unit(text: str, sheet: Sheet) -> bool:
    """`Logan Grimnar – EPIC HERO`: a line that only names the unit, whose prices are all for one model."""
    return name_key(re.split(r"\s+[–-]\s+", text)[0]) == name_key(sheet.name)


def _add_models(
    found: Cards, sheet: Sheet, pointer: str, models: Iterable[tuple[str, int, int]], alternative: int | None
) -> None:
    for model, low, high in models:
        found.result.add(
            "composition",
            locator=pointer,
            sheet=sheet.key,
            model=model,
            min_models=low,
            max_models=high,
            alternative=alternative,
        )


def _read_equipment(found: Cards, sheet: Sheet, printed: str, pointer: str) -> None:
    text = _EQUIPPED.sub(lambda match: match[0].lower(), printed)
    try:
        items = wargear_text.parse_equipment(text, sheet.names)
    except ValueError as error:
        found.result.reject(f"equipment: {error}", printed, locator=pointer)
        return
    for model, models, item, number in items:
        found.result.add(
            "equipment",
            locator=pointer,
            sheet=sheet.key,
            model=model,
            models=models,
            item=item,
            n=number,
            is_inferred=False,
        )


def _read_options(found: Cards, sheet: Sheet) -> None:
    last: Row | None = None
    for printed, pointer in sheet.card.texts("wargear"):
        sentence, bullets, footnotes = split_option(printed)
        if not sentence or wargear_text.is_nothing(sentence):
            continue
        if wargear_text.is_footnote(sentence):
            footnotes, sentence = [sentence, *footnotes], ""
        options: list[wargear_text.Option] = []
        if sentence:
            try:
                options = wargear_text.parse_options(sentence, bullets, sheet.names)
            except ValueError as error:
                found.result.reject(str(error), printed, locator=pointer)
                continue
        for option in options:
            index = found.result.add(
                "wargear_option",
                locator=pointer,
                sheet=sheet.key,
                text=sentence,
                replaces=option.replaces,
                choices=option.choices,
                per_models=option.per_models,
                limit_models=option.limit_models,
                has_lost_text=False,
                model=option.model,
                condition=option.condition,
            )
            last = found.result.tables["wargear_option"][index]
        if footnotes and last is None:
            found.result.reject("a footnote without an option before it", printed, locator=pointer)
        elif footnotes and last is not None:
            last["text"] = "\n".join([last["text"], *footnotes])


def split_option(printed: str) -> tuple[str, list[str], list[str]]:
    """An option on one line into sentence, list entries and footnotes.

    Entries stand behind ring bullets; a footnote stands behind several blanks and begins with a star or a capital.
    """
    pieces: list[str] = []
    footnotes: list[str] = []
    for piece in re.split(r"\s*[◦■•▪●]\s*", printed.replace("**", "")):
        entry, *rest = _FOOTNOTE.split(piece.strip())
        pieces.append(normalise(entry))
        footnotes.extend(f"* {normalise(note).lstrip('* ')}" for note in rest)
    sentence, bullets = pieces[0], [piece for piece in pieces[1:] if piece]
    if not sentence and bullets:
        sentence, bullets = bullets[0], bullets[1:]
    return sentence, bullets, footnotes


# --- prices, leaders --------------------------------------------------------------------------------------------------


def _read_prices(found: Cards, sheet: Sheet) -> None:
    prices: dict[tuple[int, str | None], list[tuple[Card, int]]] = {}
    for price in sheet.card.entries("points"):
        try:
            models = read.whole_number(price.need("models"), "number of models")
            points = _points(price.need("cost"))
        except ValueError as error:
            found.reject(price, str(error))
            continue
        prices.setdefault((models, _price_condition(price)), []).append((price, points))
    for (models, condition), entries in prices.items():
        if len({points for _, points in entries}) > 1:
            for price, _ in entries:
                found.reject(price, f"two prices for {models} models and nothing that tells them apart")
            continue
        found.result.add(
            "unit_cost",
            locator=entries[0][0].pointer,
            sheet=sheet.key,
            name=sheet.name,
            faction=sheet.faction,
            models=models,
            points=entries[0][1],
            condition=condition,
            is_legends=sheet.is_legends,
        )


def _points(printed: str) -> int:
    if not re.fullmatch(r"\d{1,5}", printed):
        raise ValueError(f"'{printed}' is no price")
    return int(printed)


def _price_condition(price: Card) -> str | None:
    """`in <detachment>`, `with <keyword>`, both, or None."""
    parts = [f"in {price.text('detachment')}"] if price.has("detachment") else []
    if price.has("keyword"):
        parts.append(f"with {price.text('keyword')}")
    return ", ".join(parts) or None


def _read_leaders(found: Cards, sheet: Sheet, pairs: set[tuple[str, str]]) -> None:
    leads = sheet.card.child("leads")
    units = [(card_text(text), pointer) for text, pointer in leads.texts("units")]
    if not units:
        units = [(unit, f"{sheet.card.pointer}/leader") for unit in led_units(sheet.card.text("leader"))]
    for unit, pointer in units:
        _add_pair(found, sheet, pairs, (sheet.name, unit), (sheet.key, unit), pointer)
    for text, pointer in sheet.card.texts("leadBy"):
        _add_pair(found, sheet, pairs, (card_text(text), sheet.name), (card_text(text), sheet.key), pointer)
    if leads.has("extra"):
        _add_ability(found, sheet, f"{leads.pointer}/extra", "special", "Leader", text=leads.text("extra"))


def _add_pair(
    found: Cards, sheet: Sheet, pairs: set[tuple[str, str]], names: tuple[str, str], said: tuple[str, str], pointer: str
) -> None:
    """A pair once, whichever of the two cards says it."""
    place = (name_key(names[0]), name_key(names[1]))
    if all(place) and place not in pairs:
        pairs.add(place)
        found.result.add("leader", locator=pointer, sheet=sheet.key, leader=said[0], bodyguard=said[1])


def led_units(text: str) -> list[str]:
    """Units behind `can be attached to the following units:`, on one line or as bullets; names are in capitals."""
    match = re.search(r"attached to the following units?\s*:\s*(.*)", text, re.IGNORECASE | re.DOTALL)
    if not match:
        return []
    lines = [_CAPITALS.match(line.removeprefix("- ").strip()) for line in match[1].split("\n")]
    return [line[1] for line in lines if line]

"""Datasheets and what belongs to one: models, keywords, abilities, composition, equipment, options, prices, leaders.

Belongs here: the `Datasheets*.csv` tables but the weapons and the links to rules. Does not belong here: the grammar of
options and equipment (`pipelines.sources.wargear_text`).
"""

import re
from collections import Counter

from pipelines.sources import characteristics as read
from pipelines.sources import wargear_text
from pipelines.sources.invulnerable import Invulnerable, improved_save_sentence, invulnerable
from pipelines.sources.records import Row
from pipelines.sources.text import name_key
from pipelines.sources.unit_composition import read_composition
from pipelines.sources.wahapedia_csv.export import Export, Sheet
from pipelines.sources.wahapedia_csv.tables import Record

# Labels of ability types by their first word; the export's own labels are partly in Russian.
_KINDS = {
    "core": "core",
    "faction": "faction",
    "datasheet": "datasheet",
    "primarch": "datasheet",
    "wargear": "wargear",
    "wargear profile": "weapon",
    "special": "special",
    "fortification": "special",
    "без заголовка": "special",  # "without a heading"
}
_EVERY_MODEL = re.compile(r"\s*ALL(?:\s+MODELS)?\s*", re.IGNORECASE)
_ONLY = re.compile(r"(?:\s+MODELS?)?\s+ONLY\s*$", re.IGNORECASE)
_MODEL_ONLY = re.compile(r"\s*\((?P<model>[^()]+?) models? only\)\s*$", re.IGNORECASE)
_EQUIPPED = re.compile(r"\bequipped with\b", re.IGNORECASE)
_IS_EQUIPPED = re.compile(r"^[^.:]*\b(?:is|are) equipped with\s*:", re.IGNORECASE)
_FEEL_NO_PAIN = "feelnopain"


# --- datasheets -------------------------------------------------------------------------------------------------------


def read_sheets(export: Export) -> None:
    """`Datasheets.csv`. Sheets of a book of another edition are kept out with one reject each."""
    for row in export.tables["Datasheets"]:
        key, name = row.plain("id"), row.plain("name")
        book = export.books.get(row.plain("source_id"))
        if not key or not name:
            export.quarantine(row, "a datasheet needs an id and a name")
        elif key in export.sheets:
            export.repeated(row, list(export.sheets[key].record.cells.values()) == list(row.cells.values()))
        elif book and book.edition and export.is_kept_out(book):
            export.kept_out[key] = book.edition
            export.quarantine(row, f"its book '{book.name}' is of edition {book.edition}")
        else:
            legends = bool(book and book.is_legends) or "legends" in name.lower()
            faction = export.factions.get(row.plain("faction_id"))
            export.sheets[key] = Sheet(key, name, faction, row.plain("faction_id"), legends, row)
            _add_sheet(export, export.sheets[key], book.name if book else None)
    if export.kept_out:
        editions = ", ".join(sorted(set(export.kept_out.values())))
        export.result.notices.append(f"{len(export.kept_out)} datasheets of edition {editions} are kept out")
    _say_about_sheets(export)


def _add_sheet(export: Export, sheet: Sheet, book: str | None) -> None:
    virtual = sheet.record.plain("virtual").lower() == "true"
    export.result.add(
        "datasheet",
        line_no=sheet.record.line_no,
        locator=sheet.record.locator,
        sheet=sheet.key,
        name=sheet.name,
        faction=sheet.faction,
        book=book,
        is_combat_patrol=False,
        is_legends=sheet.is_legends,
        role=sheet.record.plain("role") or ("Virtual" if virtual else None),
        first_line=sheet.record.line_no,
        last_line=sheet.record.line_no,
        source_key=sheet.key,
        has_lost_text=False,
        name_is_inferred=False,
    )
    export.loaded("Datasheets")


def _say_about_sheets(export: Export) -> None:
    names = Counter((sheet.faction_id, name_key(sheet.name)) for sheet in export.sheets.values())
    twice = sum(1 for count in names.values() if count > 1)
    virtual = [s.name for s in export.sheets.values() if s.record.plain("virtual").lower() == "true"]
    lost = sorted({s.faction_id for s in export.sheets.values() if s.faction is None})
    notices = export.result.notices
    if twice:
        notices.append(f"{twice} names stand for several datasheets of one faction; told apart by their ids")
    if virtual:
        notices.append(f"{len(virtual)} virtual datasheets (no army can include them): {', '.join(sorted(virtual))}")
    if lost:
        notices.append(f"faction ids without a faction: {', '.join(repr(faction) for faction in lost)}")


def read_details(export: Export) -> None:
    """Everything that belongs to a datasheet, in the order in which later steps need it."""
    feel_no_pain = _read_abilities(export)
    _read_models(export, feel_no_pain)
    _read_keywords(export)
    _read_composition(export)
    _read_options(export)
    _read_costs(export)
    _read_leaders(export)
    for sheet in export.sheets.values():
        _read_sheet_texts(export, sheet)


# --- models -----------------------------------------------------------------------------------------------------------


def _read_models(export: Export, feel_no_pain: dict[str, int]) -> None:
    profiles: dict[tuple[str, str], Row] = {}
    for row, sheet in export.of_sheets("Datasheets_models"):
        try:
            save = invulnerable(row.plain("inv_sv"), row.plain("inv_sv_descr"))
            values = _model_values(row, sheet, save) | {"feel_no_pain": feel_no_pain.get(sheet.key)}
        except ValueError as error:
            export.quarantine(row, str(error))
            continue
        place = (sheet.key, name_key(values["profile"]))
        if place in profiles:
            export.repeated(row, profiles[place] == values)
            continue
        profiles[place] = values
        export.result.add("model_profile", line_no=row.line_no, locator=row.locator, **values)
        export.loaded("Datasheets_models")
        _add_improved_save(export, row, sheet, save)
        starred = [name for name in ("m", "t", "sv", "w", "ld", "oc") if row.plain(name).endswith("*")]
        if starred:
            export.result.notices.append(f"{row.locator}: a footnote mark behind {', '.join(starred)} was left out")


def _model_values(row: Record, sheet: Sheet, save: Invulnerable) -> Row:
    cell = {name: row.plain(name).removesuffix("*").strip() for name in ("m", "t", "sv", "w", "ld", "oc")}
    return {
        "sheet": sheet.key,
        "profile": row.plain("name") or sheet.name,
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


def _add_improved_save(export: Export, row: Record, sheet: Sheet, save: Invulnerable) -> None:
    """A save that is better against one kind of attack: the profile holds the plain one, a rule the better one."""
    sentence = improved_save_sentence(save)
    if sentence:
        export.result.add(
            "ability",
            line_no=row.line_no,
            locator=row.locator,
            sheet=sheet.key,
            name="Invulnerable Save",
            kind="special",
            value=f"{save.improved}+",
            text=sentence,
            model=row.plain("name") or None,
        )


# --- keywords ---------------------------------------------------------------------------------------------------------


def _read_keywords(export: Export) -> None:
    seen: set[tuple[str, str, bool, str | None]] = set()
    for row, sheet in export.of_sheets("Datasheets_keywords"):
        keyword = row.plain("keyword").upper()
        is_faction = row.plain("is_faction_keyword").lower() == "true"
        model = _model_of_keyword(row.plain("model"))
        if not keyword:
            export.count("Datasheets_keywords", "empty")
        elif (sheet.key, keyword, is_faction, model) in seen:
            export.count("Datasheets_keywords", "merged")
        else:
            seen.add((sheet.key, keyword, is_faction, model))
            export.result.add(
                "keyword",
                line_no=row.line_no,
                locator=row.locator,
                sheet=sheet.key,
                keyword=keyword,
                is_faction=is_faction,
                model=model,
            )
            export.loaded("Datasheets_keywords")


def _model_of_keyword(printed: str) -> str | None:
    """The model that alone has the keyword; None where all have it."""
    text = _ONLY.sub("", printed).strip()
    return None if not text or _EVERY_MODEL.fullmatch(text) else text


# --- abilities --------------------------------------------------------------------------------------------------------


def _read_abilities(export: Export) -> dict[str, int]:
    """Abilities of datasheets. Returns the Feel No Pain that every model of a sheet has, by datasheet."""
    shared: dict[str, list[Record]] = {}
    for row in export.tables["Abilities"]:
        shared.setdefault(row.plain("id"), []).append(row)
    feel_no_pain: dict[str, int] = {}
    labels: Counter[str] = Counter()
    for row, sheet in export.of_sheets("Datasheets_abilities"):
        rule = _shared_ability(row, sheet, shared)
        if row.plain("ability_id") and rule is None:
            export.quarantine(row, f"no ability has the id '{row.plain('ability_id')}'")
            continue
        values = _ability_values(row, sheet, rule, labels)
        if not values["name"] and not values["text"]:
            export.quarantine(row, "an ability without a name and without a text")
            continue
        export.result.add("ability", line_no=row.line_no, locator=row.locator, **values)
        export.loaded("Datasheets_abilities")
        if values["kind"] == "wargear":
            sheet.names.append(values["name"])
        threshold = _unconditional_feel_no_pain(values)
        if threshold:
            feel_no_pain[sheet.key] = min(threshold, feel_no_pain.get(sheet.key, threshold))
    for label in sorted(labels):
        export.result.notices.append(f"ability type '{label}' is unknown; {labels[label]} abilities taken as special")
    return feel_no_pain


def _shared_ability(row: Record, sheet: Sheet, shared: dict[str, list[Record]]) -> Record | None:
    """The row of `Abilities.csv`: its ids repeat, one row for each faction that has the ability."""
    found = shared.get(row.plain("ability_id"), []) if row.plain("ability_id") else []
    own = [rule for rule in found if rule.plain("faction_id") == sheet.faction_id]
    return next(iter(own or found), None)


def _ability_values(row: Record, sheet: Sheet, rule: Record | None, labels: Counter[str]) -> Row:
    """The rule of a core or faction ability stands once among the rules, so its text is not repeated here."""
    name = row.plain("name") or (rule.plain("name") if rule else "")
    kind = _kind(row.plain("type") or (rule.plain("type") if rule else ""), rule, labels)
    value, model = row.plain("parameter") or None, row.plain("model") or None
    named = _MODEL_ONLY.search(value or "")
    if value and named:
        value, model = value[: named.start()].strip(), named["model"]
    text = row.text("description")
    if rule and not text and kind not in ("core", "faction"):
        text = rule.text("description")
    return {
        "sheet": sheet.key,
        "name": name,
        "kind": kind,
        "value": value,
        "text": text or None,
        "model": model,
        "source_key": row.plain("ability_id") or f"{sheet.key}:{row.plain('line') or row.line_no}",
    }


def _kind(label: str, rule: Record | None, labels: Counter[str]) -> str:
    text = label.partition("(")[0].strip().lower()
    if text in _KINDS:
        return _KINDS[text]
    if not text and rule is not None:
        return "faction" if rule.plain("faction_id") else "core"
    if not text:
        return "datasheet"
    labels[label] += 1
    return "special"


def _unconditional_feel_no_pain(ability: Row) -> int | None:
    """The threshold of a core ability Feel No Pain of all models (`5+`); anything printed beside it is a condition."""
    if ability["kind"] != "core" or ability["model"] or name_key(ability["name"]) != _FEEL_NO_PAIN:
        return None
    match = re.fullmatch(r"([2-6])\+", ability["value"] or "")
    return int(match[1]) if match else None


# --- composition, options, equipment ----------------------------------------------------------------------------------


def _read_composition(export: Export) -> None:
    table = "Datasheets_unit_composition"
    rows: dict[str, list[Record]] = {}
    for row, sheet in export.of_sheets(table):
        rows.setdefault(sheet.key, []).append(row)
    for key, entries in rows.items():
        texts = [row.text("description") for row in entries]
        for line in read_composition(texts, export.sheets[key].name):
            row = entries[line.index]
            if line.kind == "error":
                export.quarantine(row, line.error or "")
                continue
            export.loaded(table)
            if line.kind == "note":
                _add_note(export, row, key, "Unit Composition", texts[line.index])
            elif line.kind == "equipment":
                _add_equipment(export, row, export.sheets[key], texts[line.index])
            for model, low, high in line.models:
                export.result.add(
                    "composition",
                    line_no=row.line_no,
                    locator=row.locator,
                    sheet=key,
                    model=model,
                    min_models=low,
                    max_models=high,
                    alternative=line.alternative,
                )


def _add_note(export: Export, row: Record, key: str, name: str, text: str) -> None:
    """A printed rule of the sheet that is no ability by name: a limit, a designer's note."""
    export.result.add(
        "ability",
        line_no=row.line_no,
        locator=row.locator,
        sheet=key,
        name=name,
        kind="special",
        text=text,
        source_key=f"{key}:{name.lower()}",
    )


def _read_options(export: Export) -> None:
    table = "Datasheets_options"
    last: dict[str, Row] = {}
    for row, sheet in export.of_sheets(table):
        lines = row.text("description").split("\n")
        sentence = lines[0]
        bullets = [line.removeprefix("- ") for line in lines[1:]]
        if row.plain("button") == "*" and not wargear_text.is_footnote(sentence):
            sentence = f"* {sentence}"
        if re.search(r"\bone of$", sentence) and len(lines) > 1 and lines[1].startswith("the following"):
            sentence, bullets = f"{sentence} {lines[1]}", [line.removeprefix("- ") for line in lines[2:]]
        if wargear_text.is_nothing(sentence):
            export.count(table, "empty")
        elif _IS_EQUIPPED.search(sentence) and not bullets:
            _add_equipment(export, row, sheet, sentence)
            export.loaded(table)
        elif wargear_text.is_footnote(sentence):
            _add_footnote(export, row, last.get(sheet.key), sentence)
        else:
            _add_options(export, row, sheet, sentence, bullets, last)


def _add_footnote(export: Export, row: Record, option: Row | None, sentence: str) -> None:
    """What a star behind an option means belongs to the option's text."""
    if option is None:
        export.quarantine(row, "a footnote without an option before it")
        return
    option["text"] = f"{option['text']}\n{sentence}"
    export.loaded("Datasheets_options")


def _add_options(
    export: Export, row: Record, sheet: Sheet, sentence: str, bullets: list[str], last: dict[str, Row]
) -> None:
    try:
        options = wargear_text.parse_options(sentence, bullets, sheet.names)
    except ValueError as error:
        export.quarantine(row, str(error))
        return
    for option in options:
        index = export.result.add(
            "wargear_option",
            line_no=row.line_no,
            locator=row.locator,
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
        last[sheet.key] = export.result.tables["wargear_option"][index]
    export.loaded("Datasheets_options")


def _read_sheet_texts(export: Export, sheet: Sheet) -> None:
    """The texts that stand in the row of `Datasheets.csv` itself."""
    row = sheet.record
    _read_loadout(export, sheet)
    wounds, damaged = row.plain("damaged_w"), row.text("damaged_description")
    name = f"Damaged: {wounds} Wounds Remaining" if wounds else "Damaged"
    texts = [("damaged", name, wounds or None, damaged)] if damaged or wounds else []
    texts.append(("special", "Transport", None, row.text("transport")))
    leading = "\n".join(filter(None, (row.text("leader_head"), row.text("leader_footer"))))
    texts.append(("special", "Leader", None, leading))
    for kind, name, value, text in texts:
        if text or value:
            export.result.add(
                "ability",
                line_no=row.line_no,
                locator=row.locator,
                sheet=sheet.key,
                name=name,
                kind=kind,
                value=value,
                text=text or None,
                source_key=f"{sheet.key}:{kind}:{name.lower()}",
            )


def _read_loadout(export: Export, sheet: Sheet) -> None:
    """The loadout: sentences about equipment, and boxed notes printed below them."""
    lines = sheet.record.text("loadout").split("\n")
    equipment = [line for line in lines if _EQUIPPED.search(line)]
    notes = [line for line in lines if line and not _EQUIPPED.search(line)]
    if equipment:
        _add_equipment(export, sheet.record, sheet, "\n".join(equipment))
    for note in notes:
        label = re.match(r"(Designer's Note):\s*", note)
        _add_note(export, sheet.record, sheet.key, label[1] if label else "Unit Note", note)


def _add_equipment(export: Export, row: Record, sheet: Sheet, text: str) -> None:
    """Equipment as one text; where that does not parse, line by line, so that one odd line does not lose the rest."""
    try:
        items = wargear_text.parse_equipment(text, sheet.names)
    except ValueError:
        items = []
        for line in text.split("\n"):
            try:
                items.extend(wargear_text.parse_equipment(line, sheet.names))
            except ValueError as error:
                export.result.reject(f"equipment: {error}", line, line_no=row.line_no, locator=row.locator)
    for model, models, item, number in items:
        export.result.add(
            "equipment",
            line_no=row.line_no,
            locator=row.locator,
            sheet=sheet.key,
            model=model,
            models=models,
            item=item,
            n=number,
            is_inferred=False,
        )


# --- prices, leaders --------------------------------------------------------------------------------------------------

_SIZE = re.compile(r"(?P<models>\d{1,3}) models?\s*(?:\((?P<condition>.+)\))?", re.IGNORECASE)
_KINDS_OF_MODEL = re.compile(r"(?P<n>\d{1,3})\s+(?P<model>[^\d,]+?)(?:\s*,\s*(?:and\s+)?|\s+and\s+|$)", re.IGNORECASE)


def _read_costs(export: Export) -> None:
    table = "Datasheets_models_cost"
    prices: dict[str, list[tuple[Record, Row, int]]] = {}
    for row, sheet in export.of_sheets(table):
        try:
            values, kinds = _cost_values(row)
        except ValueError as error:
            export.quarantine(row, str(error))
            continue
        values |= {"sheet": sheet.key, "name": sheet.name, "faction": sheet.faction, "is_legends": sheet.is_legends}
        prices.setdefault(sheet.key, []).append((row, values, kinds))
    for entries in prices.values():
        _tell_sizes_apart(entries)
        for row, values, _ in entries:
            export.result.add("unit_cost", line_no=row.line_no, locator=row.locator, **values)
            export.loaded(table)


def _cost_values(row: Record) -> tuple[Row, int]:
    """A price and the number of kinds of model its line names. `+55` prices a model beyond the unit's size."""
    line, cost = row.plain("description"), row.plain("cost")
    points = re.fullmatch(r"(\+?)\s*(\d{1,5})", cost)
    if not points:
        raise ValueError(f"'{cost}' is no price")
    if points[1]:
        return {"models": None, "points": int(points[2]), "condition": f"add-on: {line}"}, 1
    size = _SIZE.fullmatch(line)
    if size:
        return {"models": int(size["models"]), "points": int(points[2]), "condition": size["condition"]}, 1
    kinds = list(_KINDS_OF_MODEL.finditer(line))
    if not kinds or "".join(match[0] for match in kinds) != line:
        raise ValueError(f"'{line}' is no size of a unit")
    return {"models": sum(int(match["n"]) for match in kinds), "points": int(points[2]), "condition": None}, len(kinds)


def _tell_sizes_apart(entries: list[tuple[Record, Row, int]]) -> None:
    """Two prices of one size: the mixed unit's line becomes its condition."""
    sizes = Counter((values["models"], values["condition"]) for _, values, _ in entries)
    for row, values, kinds in entries:
        if kinds > 1 and sizes[values["models"], values["condition"]] > 1:
            values["condition"] = row.plain("description")


def _read_leaders(export: Export) -> None:
    """Pairs by the ids of both datasheets: names alone do not tell sheets of one faction apart."""
    table = "Datasheets_leader"
    seen: set[tuple[str, str]] = set()
    for row in export.tables[table]:
        pair = (row.plain("leader_id"), row.plain("attached_id"))
        if pair[0] in export.kept_out or pair[1] in export.kept_out:
            export.count(table, "quarantined")
        elif pair[0] not in export.sheets or pair[1] not in export.sheets:
            export.quarantine(row, "no datasheet has the id of the leader or of the unit it leads")
        elif pair in seen:
            export.count(table, "merged")
        else:
            seen.add(pair)
            export.result.add(
                "leader", line_no=row.line_no, locator=row.locator, sheet=pair[0], leader=pair[0], bodyguard=pair[1]
            )
            export.loaded(table)

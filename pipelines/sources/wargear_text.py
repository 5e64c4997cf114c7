"""Sentences about what models carry: wargear options, default equipment, unit composition.

Belongs here: the grammar of those three kinds of sentence, as every source prints them, turned into plain values. Does
not belong here: where a source keeps the sentences. Whatever does not fit the grammar raises `ValueError`; the reader
turns that into a reject. Items come back in lower case and in the singular where a count above one was printed.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any

from pipelines.sources.text import name_key, normalise

Item = dict[str, Any]  # {"item": str, "n": int}
Composition = tuple[str, int, int]  # model as printed, smallest and largest number
Equipment = tuple[str | None, int | None, str, int]  # model, number of such models, item, number of items

_WORDS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "fifteen": 15,
    "twenty": 20,
}
_NUMBER = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty)"
_COUNTED = re.compile(rf"({_NUMBER}|an?)\s+(.+)", re.IGNORECASE)
_DASHES = "-–—"
_ABOUT_NOTHING = re.compile(r"(?:none|nothing|n/a|-)\.?", re.IGNORECASE)
_VERB = re.compile(r"\b(?:can|must|may|cannot)\b|\b(?:is|are) (?:both )?equipped with\b", re.IGNORECASE)
_LIST = re.compile(
    rf"(?P<upto>up to )?(?:(?P<n>{_NUMBER}|any number|any) of|(?P<different>{_NUMBER}) different [a-z]+ from) "
    r"the following(?P<more>[^:]*):?\s*(?P<inline>.*)",
    re.IGNORECASE | re.DOTALL,
)
_UP_TO_ITEM = re.compile(r"up to (\d{1,2}) (.+)", re.IGNORECASE)
_PARENTHESIS = re.compile(r"\s*\(([^()]*)\)")


@dataclass(frozen=True)
class Option:
    """What one wargear option allows.

    `replaces`: items given up, one entry for each ("2 heavy bolters" gives two), empty where the option adds.
    `choices`: alternatives, each a list of {"item", "n"}.
    `limit_models`: how many models may take it (per `per_models` models where that is set), None for every model that
    fits. `model`: the kind of model, None where any model may. `condition`: what else the sentence demands, as printed.
    """

    replaces: list[str]
    choices: list[list[Item]]
    per_models: int | None = None
    limit_models: int | None = None
    model: str | None = None
    condition: str | None = None


def number(printed: str) -> int:
    """`4` or `four` as a number. Raises ValueError for anything else."""
    text = printed.strip().lower()
    if text.isascii() and text.isdigit():
        return int(text)
    if text in _WORDS:
        return _WORDS[text]
    raise ValueError(f"'{printed}' is no number")


def singular(name: str) -> str:
    """The singular of a printed plural: the last word, or the word before ` of `, ` with `, ` on ` and ` in `."""
    head, tail = name, ""
    match = re.search(r"\s(?:of|with|on|in|from)\s", name)
    if match and match.start():
        head, tail = name[: match.start()], name[match.start() :]
    words = head.split(" ")
    words[-1] = _singular_word(words[-1])
    return " ".join(words) + tail


def _singular_word(word: str) -> str:
    lower = word.lower()
    if len(lower) < 4 or not lower.endswith("s") or lower.endswith(("ss", "us", "is")):
        return word
    if lower.endswith("ies") and len(lower) > 4:
        return word[:-3] + ("Y" if word.isupper() else "y")
    if lower.endswith("knives"):
        return word[:-3] + "fe"
    if lower.endswith(("ches", "shes", "sses", "zzes")) or (lower.endswith("xes") and not lower.endswith("axes")):
        return word[:-2]
    return word[:-1]


def is_footnote(text: str) -> bool:
    """Whether a line explains a star (`* Maximum 1 per model.`) instead of giving an option."""
    return normalise(text).startswith("*")


def is_nothing(text: str) -> bool:
    """Whether the sentence says that there is no option (`None`)."""
    return bool(_ABOUT_NOTHING.fullmatch(normalise(text).strip(_DASHES + " ")))


def is_sentence(text: str) -> bool:
    """Whether a bullet is a sentence of its own (`1 model can ...`) and not an entry of a list (`1 vexilla`)."""
    return bool(_VERB.search(normalise(text)))


def unnest(bullets: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Rebuild lists that were flattened to one level: entries without a verb belong to the sentence that opened a list.

    Returns (sentence, entries) pairs in order. An entry that no sentence opened comes back as a sentence of its own, so
    that parsing refuses it; a footnote (`* ...`) and `None` stand alone.
    """
    groups: list[tuple[str, list[str]]] = []
    for raw in bullets:
        bullet = normalise(raw).removeprefix("- ").strip()
        if not bullet:
            continue
        alone = is_sentence(bullet) or is_footnote(bullet) or is_nothing(bullet)
        opened = groups[-1][0] if groups else ""
        belongs = _opens_condition(opened) and not is_footnote(bullet) if alone else _opens_list(opened)
        if belongs:
            groups[-1][1].append(bullet)
        else:
            groups.append((bullet, []))
    return groups


def _opens_list(sentence: str) -> bool:
    text = normalise(sentence).rstrip()
    return text.endswith(":") or bool(re.search(r"\bthe following\b[^.:]*:?$", text, re.IGNORECASE))


def _opens_condition(sentence: str) -> bool:
    """`If this unit contains 10 or more models:` heads a list of whole options."""
    text = normalise(sentence).rstrip()
    return text.endswith(":") and text.lower().startswith(("if ", "for every ")) and not _VERB.search(text)


def parse_items(text: str, known: Collection[str] = ()) -> list[Item]:
    """`1 vexilla, 1 misericordia and 1 praesidium shield` -> items with counts. One alternative, hence no `or`.

    `known` holds names that the same sheet states; a name among them is never split at its `and` or made singular.
    Raises ValueError for an empty item or an unexpected `or`.
    """
    keys = {name_key(name) for name in known}
    items: list[Item] = []
    for piece in _split_items(normalise(text).strip(" .;:,"), keys):
        items.append(_item(piece, keys))
    if not items:
        raise ValueError("no item is named")
    return items


def _split_items(text: str, keys: Collection[str]) -> list[str]:
    """Cut at commas and `and`. An `and` before a count always separates; another one does unless the pair is known."""
    pieces: list[str] = []
    for part in re.split(rf"\s*;\s*|\s*,\s*(?:and\s+)?|\s+and\s+(?={_NUMBER}\s|an?\s)", text, flags=re.IGNORECASE):
        whole = _strip_count(part)
        if name_key(whole) in keys or name_key(singular(whole)) in keys:
            pieces.append(part)
            continue
        pieces.extend(re.split(r"\s+and\s+", part))
    return [piece.strip() for piece in pieces]


def _strip_count(part: str) -> str:
    match = _COUNTED.fullmatch(part.strip(" *"))
    return match[2] if match else part.strip(" *")


def _item(piece: str, keys: Collection[str]) -> Item:
    text = _PARENTHESIS.sub("", piece).strip(" .*,;:†‡")
    match = _COUNTED.fullmatch(text)
    count, name = (number(match[1]), match[2]) if match else (1, text)
    name = name.strip(" .*,;:")
    if re.search(r"\b(?:can|be|is|are|replaced|equipped|following|up to)\b|[:.]$", name, re.IGNORECASE):
        raise ValueError(f"'{piece}' is part of a sentence, no item")
    if not name or re.fullmatch(r"and|or|with|\W+", name, re.IGNORECASE) or re.search(r"\bor\b", name, re.IGNORECASE):
        raise ValueError(f"'{piece}' is no item")
    if re.search(r"-(?:and|or)$", name, re.IGNORECASE):
        raise ValueError(f"'{piece}' ends in a torn word")
    if count > 1 and (name_key(singular(name)) in keys or name_key(name) not in keys):
        name = singular(name)
    if count == 0:
        raise ValueError(f"'{piece}' counts no item")
    return {"item": name.lower(), "n": count}


def _alternatives(text: str, bullets: Sequence[str], known: Collection[str]) -> tuple[list[list[Item]], list[str]]:
    """The choices after `with`, and what was printed beside them (duplicates, stars)."""
    text = text.strip()
    listed = _LIST.fullmatch(text)
    if listed or (not bare_items(text) and bullets):
        notes = _notes(listed["more"]) if listed else []
        inline = listed["inline"] if listed else text.partition(":")[2]
        entries = [*_split_entries(inline), *bullets]
        if not entries:
            raise ValueError("the list of alternatives is missing")
        if any("*" in entry for entry in entries) or (listed and "*" in listed["more"]):
            notes.append("*")
        singles: list[list[Item]] = []
        for alternative in (items for entry in entries for items in _or_items(entry, known)):
            if alternative not in singles:  # an entry printed twice is no second choice
                singles.append(alternative)
        return _take(listed, singles, notes), notes
    if bullets:
        raise ValueError("alternatives follow a sentence that opens no list")
    notes = _notes(text)
    if "*" in text:
        notes.append("*")
    return _or_items(_PARENTHESIS.sub("", text), known), notes


def bare_items(text: str) -> bool:
    """Whether the text names items at once instead of announcing a list."""
    return not text.rstrip().endswith(":") and "following" not in text


def _take(listed: re.Match[str] | None, singles: list[list[Item]], notes: list[str]) -> list[list[Item]]:
    """`two of the following`: every legal pick as one alternative."""
    if listed is None or (listed["n"] or "").lower() in ("one", "1"):
        return singles
    picked = listed["n"] or listed["different"]
    if picked.lower().startswith("any"):
        largest, smallest = len(singles), 1
        if largest > 6:
            raise ValueError("any number of a long list has too many combinations to state")
    else:
        largest = number(picked)
        smallest = 1 if listed["upto"] else largest
    repeat = "duplicate" in listed["more"] and "not" not in listed["more"]
    pick = combinations_with_replacement if repeat else combinations
    picks: list[list[Item]] = []
    for size in range(smallest, largest + 1):
        picks.extend(_merge(chosen) for chosen in pick(singles, size))
    if not picks or len(picks) > 500:
        raise ValueError(f"'{listed[0][:40]}' allows {len(picks)} combinations")
    return picks


def _merge(chosen: Sequence[list[Item]]) -> list[Item]:
    counts: dict[str, int] = {}
    for items in chosen:
        for item in items:
            counts[item["item"]] = counts.get(item["item"], 0) + item["n"]
    return [{"item": item, "n": n} for item, n in counts.items()]


def _notes(text: str) -> list[str]:
    return [note.strip() for note in _PARENTHESIS.findall(text) if note.strip()]


def _split_entries(text: str) -> list[str]:
    """Entries of a list that stayed on one line: `1 flamer- 1 meltagun`, `- 1 flamer; 1 meltagun`."""
    entries = re.split(r"(?:^|(?<=[\w.;:*)\s]))[-•◦]\s+(?=\d)|;\s*(?=\d)", text)
    return [entry.strip(" .;") for entry in entries if entry.strip(" .;-")]


def _or_items(text: str, known: Collection[str]) -> list[list[Item]]:
    """`1 a or 1 b and 1 c` -> [[a], [b, c]]: `or` binds loosest."""
    alternatives: list[list[Item]] = []
    for part in re.split(r"\s*,?\s+(?:or|OR)\s+", normalise(text).strip(" .;")):
        several = _UP_TO_ITEM.fullmatch(part)
        if several:
            item = parse_items(f"{several[1]} {several[2]}", known)
            if len(item) != 1:
                raise ValueError(f"'{part}' counts more than one item")
            alternatives.extend([{"item": item[0]["item"], "n": n}] for n in range(1, int(several[1]) + 1))
        else:
            alternatives.append(parse_items(part, known))
    return alternatives


_PER = re.compile(
    rf"for (?:every|each) (?P<per>{_NUMBER}) (?:other )?(?P<what>[\w' -]*?)\s*"
    r"(?:in (?:this|the|that|your) unit)?\s*[,:]\s*(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_IF = re.compile(r"(?P<condition>(?:if|while|unless) [^,:]*?)\s*[,:]\s*(?P<rest>.+)", re.IGNORECASE | re.DOTALL)
_UNLESS = re.compile(r"\s*,?\s+(?P<condition>(?:if|unless|provided) [^,:]*)\.?$", re.IGNORECASE)
_REPLACED = re.compile(
    r"(?P<subject>.+?)(?:'s|s'|')\s+(?P<items>(?!.*'s? ).+?|.+?)\s+(?P<modal>can|must|may)(?: each)?(?: be| have)? "
    r"(?:each )?(?:be )?replaced (?:with|by)\s*:?\s*(?P<choices>.+)",
    re.IGNORECASE | re.DOTALL,
)
_HAVE_REPLACED = re.compile(
    r"(?P<subject>.+?)\s+(?:can|must|may)(?: each)? have (?:its|their|his|her|each of (?:its|their)) (?P<items>.+?)\s+"
    r"(?:each )?replaced (?:with|by)\s*:?\s*(?P<choices>.+)",
    re.IGNORECASE | re.DOTALL,
)
_REPLACE = re.compile(
    r"(?P<subject>.+?)\s+(?:can|must|may)(?: each)? replace (?:its|their|his|her) (?P<items>.+?) (?:with|by)"
    r"\s*:?\s*(?P<choices>.+)",
    re.IGNORECASE | re.DOTALL,
)
_EQUIPPED = re.compile(
    r"(?P<subject>.+?)\s+(?:can|must|may)(?: each| also)?(?: each| also)? (?:be equipped with|have|take|carry)"
    r"\s*:?\s*(?P<choices>.+)",
    re.IGNORECASE | re.DOTALL,
)
_ITEMS_OF = re.compile(
    rf"(?:(?P<each>each|any number|all|up to {_NUMBER}|{_NUMBER}) of )"
    r"(?P<owner>this model|the [\w' -]+?|each model|a model)'s\s+"
    r"(?P<items>.+?)\s+(?:can|must|may)(?: each)? be (?:each )?replaced (?:with|by)\s*:?\s*(?P<choices>.+)",
    re.IGNORECASE | re.DOTALL,
)


def parse_option(text: str, bullets: Sequence[str] = (), known: Collection[str] = ()) -> Option:
    """One option sentence with the entries of its list. Raises ValueError where the sentence holds none or several."""
    options = parse_options(text, bullets, known)
    if len(options) != 1:
        raise ValueError(f"the sentence holds {len(options)} options")
    return options[0]


def parse_options(text: str, bullets: Sequence[str] = (), known: Collection[str] = ()) -> list[Option]:
    """The options of one sentence: several where it replaces `a or b`, or where a condition heads a list of options.

    Raises ValueError that names what does not fit; `None` gives no option.
    """
    sentence = _tidy(text)
    if is_nothing(sentence):
        return []
    if is_footnote(sentence):
        raise ValueError("a footnote is no option")
    if _opens_condition(sentence) and bullets:
        head = sentence.rstrip(":").strip()
        return [option for bullet in bullets for option in parse_options(f"{head}, {bullet}", (), known)]
    return _after_conditions(sentence, bullets, known)


def _tidy(text: str) -> str:
    """One line, single articles before counts (`one 1 chainfist`), no star after the colon of a list."""
    sentence = " ".join(normalise(text).split()).removeprefix("- ").strip()
    sentence = re.sub(r"\b(?:one|an?) (?=\d)", "", sentence, flags=re.IGNORECASE)
    return re.sub(r":\s*(\*+)$", r"\1:", sentence)


def _after_conditions(sentence: str, bullets: Sequence[str], known: Collection[str]) -> list[Option]:
    conditions: list[str] = []
    per_models: int | None = None
    while True:
        per = _PER.fullmatch(sentence)
        condition = None if per else _IF.fullmatch(sentence)
        if per and per_models is None:
            per_models = number(per["per"])
            sentence = re.sub(r"^it(?= (?:can|must|may)\b)", "this unit", per["rest"], flags=re.IGNORECASE)
            if per["what"].lower() not in ("models", "model", "of these models"):
                conditions.append(f"for every {per['per']} {per['what']}")
        elif condition and _VERB.search(condition["rest"]):
            conditions.append(condition["condition"])
            sentence = _name_it(condition["rest"], condition["condition"])
        else:
            break
    return _clause(sentence, bullets, known, per_models, conditions)


def _name_it(rest: str, condition: str) -> str:
    """`If the Exarch is equipped with a, it can ...`: put the owner that the condition names in place of `it`."""
    owner = re.match(
        r"(?:if|while|unless) (this|the|that) (.+?)(?: is| are| has| contains)\b", condition, re.IGNORECASE
    )
    if not owner:
        return rest
    named = f"{owner[1]} {owner[2]}"
    rest = re.sub(r"^it(?= (?:can|must|may)\b)", named, rest, flags=re.IGNORECASE)
    return re.sub(r"^its (?=.+ (?:can|must|may) be replaced\b)", f"{named}'s ", rest, flags=re.IGNORECASE)


def _clause(
    sentence: str, bullets: Sequence[str], known: Collection[str], per_models: int | None, conditions: list[str]
) -> list[Option]:
    part = _ITEMS_OF.fullmatch(sentence)
    if part:
        return _part_of_items(part, bullets, known, per_models, conditions)
    match = _HAVE_REPLACED.fullmatch(sentence) or _REPLACE.fullmatch(sentence)
    match = match or _REPLACED.fullmatch(sentence) or _EQUIPPED.fullmatch(sentence)
    if not match:
        raise ValueError("the sentence has no form of a wargear option")
    rest, trailing = _trailing_condition(match["choices"])
    if _VERB.search(_PARENTHESIS.sub("", rest.partition(":")[0])):
        raise ValueError("the sentence joins several options")
    limit, model, demands = _subject(match["subject"])
    choices, notes = _alternatives(rest, bullets, known)
    printed = "; ".join([*conditions, *demands, *trailing, *dict.fromkeys(notes)]) or None
    replaced = match.groupdict().get("items")
    if replaced is None:
        return [Option([], choices, per_models, limit, model, printed)]
    options = []
    for items in _or_items(re.sub(r"^both\s+", "", replaced), known):
        names = [item["item"] for item in items for _ in range(item["n"])]
        options.append(Option(names, choices, per_models, limit, model, printed))
    return options


def _trailing_condition(choices: str) -> tuple[str, list[str]]:
    """Cut `if ...`, `unless ...` and `... cannot be replaced` off the end of the choices."""
    choices = re.sub(r",? (?:and|but) (can(?:not)? take duplicates?\b[^:]*)", r" (\1)", choices)
    trailing: list[str] = []
    fixed = re.search(r"\.\s+((?:that|this|the) [^.:]*? cannot be replaced)\.?$", choices, re.IGNORECASE)
    if fixed:
        choices = choices[: fixed.start()]
        trailing.append(fixed[1])
    match = _UNLESS.search(choices)
    if match and "following" not in match["condition"]:
        choices = choices[: match.start()]
        trailing.append(match["condition"].strip())
    return choices, trailing


def _part_of_items(
    match: re.Match[str], bullets: Sequence[str], known: Collection[str], per_models: int | None, conditions: list[str]
) -> list[Option]:
    """`2 of this model's heavy bolters can be replaced with ...`: some of several equal weapons of one model."""
    rest, trailing = _trailing_condition(match["choices"])
    choices, notes = _alternatives(rest, bullets, known)
    amount = match["each"].lower()
    _, model, demands = _subject(match["owner"])
    counted = bool(re.fullmatch(_NUMBER, amount))
    extra = [] if counted else [f"{amount} of its {match['items']}"]
    printed = "; ".join([*conditions, *demands, *extra, *trailing, *dict.fromkeys(notes)]) or None
    options = []
    for items in _or_items(match["items"], known):
        names = [singular(item["item"]) for item in items for _ in range(number(amount) if counted else 1)]
        options.append(Option(names, choices, per_models, None, model, printed))
    return options


_SUBJECT = re.compile(
    rf"(?P<quantity>any number of(?: the| this)?|all(?: of(?: the)?)?|up to {_NUMBER}(?: other)?|{_NUMBER}(?: other)?"
    r"|the|this|each|every|any|an?)"
    r"\s+(?P<model>.+?)",
    re.IGNORECASE,
)
_QUALIFIED = re.compile(
    r"(?P<model>.+?)\s+"
    r"(?P<demand>(?:that (?:is|are|does|do|has|have)|equipped with|who|with) .+|in (?:this|the|your) unit.*)",
    re.IGNORECASE,
)


def _subject(printed: str) -> tuple[int | None, str | None, list[str]]:
    """Who may take the option: (limit, kind of model, further demands)."""
    text = printed.strip(" ,")
    match = _SUBJECT.fullmatch(text)
    if not match:
        if re.fullmatch(r"[A-Z][\w' -]+", text):  # a named model
            return 1, text, []
        raise ValueError(f"'{printed}' names no models")
    quantity, model = match["quantity"].lower(), match["model"].strip()
    demands: list[str] = []
    qualified = _QUALIFIED.fullmatch(model)
    if qualified and not re.match(r"with [A-Z]", qualified["demand"]):
        model = qualified["model"]
        if not re.match(r"in (?:this|the|your) unit$", qualified["demand"], re.IGNORECASE):
            demands.append(qualified["demand"])
    limit = _limit(quantity, model)
    plural = (limit is None and quantity.startswith(("any number", "all"))) or (limit or 0) > 1
    kind = None if re.fullmatch(r"(?:of the )?(?:models?|unit)", model, re.IGNORECASE) else model
    if kind and plural:
        kind = singular(kind)
    return limit, kind, demands


def _limit(quantity: str, model: str) -> int | None:
    if quantity.startswith(("any", "all", "each", "every")):
        return None
    if quantity == "this":
        return 1 if model.lower() == "unit" else None
    if quantity == "the":
        return 1
    return number(re.sub(r"^up to |\s*other$", "", quantity))


_SENTENCE = re.compile(
    r"(?P<subject>[^:;.]+?)\s+(?:is|are)(?: both| each| all)? equipped with\s*:?\s*(?P<items>[^:]*?)"
    r"(?=\s*(?:\.\s*|;\s*|\s)(?:[A-Z0-9][^:;.]*?\s(?:is|are)(?: both| each| all)? equipped with\b)|\s*\.?\s*$)",
    re.DOTALL,
)


def parse_equipment(text: str, known: Collection[str] = ()) -> list[Equipment]:
    """Default equipment: `This model is equipped with: a; 2 b.` -> [(None, None, "a", 1), (None, None, "b", 2)].

    The model is None for `This model`, `Every model`, `This unit`; the number of models is None where the sentence
    names every model of a kind. Raises ValueError where no sentence of that form is found or text is left over.
    """
    sentence = normalise(text).replace("\n", " ").removeprefix("- ").strip()
    found: list[Equipment] = []
    position = 0
    for match in _SENTENCE.finditer(sentence):
        if sentence[position : match.start()].strip(" .;"):
            raise ValueError("the sentence does not say who is equipped with what")
        position = match.end()
        if is_nothing(match["items"]):
            continue
        items = [
            item for piece in re.split(r"\s*;\s*", match["items"].strip(" .;")) for item in _equipped(piece, known)
        ]
        for model, models in _equipped_models(match["subject"]):
            found.extend((model, models, item["item"], item["n"]) for item in items)
    if position == 0 or sentence[position:].strip(" .;"):
        raise ValueError("the sentence does not say who is equipped with what")
    return found


def _equipped(piece: str, known: Collection[str]) -> list[Item]:
    """An entry between semicolons; a pair joined by `and` is two items, unless the sheet knows it as one."""
    return parse_items(piece, known) if piece.strip() else []


def _equipped_models(subject: str) -> list[tuple[str | None, int | None]]:
    text = subject.strip(" .;")
    models: list[tuple[str | None, int | None]] = []
    match = re.fullmatch(
        rf"(?P<q>this|every|each|all|the|an?|{_NUMBER})(?: other)?(?: of (?:the|these))?\s+(?P<model>.+)",
        text,
        re.IGNORECASE,
    )
    if not match:
        return [(text, 1)]
    quantity, model = match["q"].lower(), match["model"]
    if re.fullmatch(r"(?:models?|unit|models? in this unit)", model, re.IGNORECASE):
        count = number(quantity) if quantity not in ("this", "every", "each", "all", "the") else None
        return [(None, count)]
    for part in re.split(r"\s+and\s+(?:the\s+|every\s+)?(?=[A-Z])", re.sub(r"\s+models?$", "", model)):
        if quantity in ("every", "each", "all", "this"):
            models.append((singular(part) if quantity == "all" else part, None))
        else:
            count = 1 if quantity == "the" else number(quantity)
            models.append((singular(part) if count > 1 else part, count))
    return models


_COMPOSED = re.compile(
    rf"(?P<low>{_NUMBER})(?:\s*[-–—]\s*(?P<high>\d{{1,3}}))?(?:\s+|x\s*)(?P<model>\S.*)", re.IGNORECASE
)


def is_alternative(line: str) -> bool:
    """Whether a line of the composition separates two compositions (`OR`)."""
    return normalise(line).strip(_DASHES + " :").upper() == "OR"


def parse_composition(line: str) -> Composition:
    """`4-5 Custodian Guard` -> ("Custodian Guard", 4, 5). Raises ValueError where the line holds none or several."""
    models = parse_compositions(line)
    if len(models) != 1:
        raise ValueError(f"'{line}' names {len(models)} kinds of model")
    return models[0]


def parse_compositions(line: str) -> list[Composition]:
    """`1 Runtherd and 10 Gretchin` -> two kinds. What follows an en dash (`– EPIC HERO`) is a keyword, not the name."""
    text = normalise(line).removeprefix("- ").strip()
    text = re.sub(r"\s*[–—]\s+[A-Z][A-Z ]+$", "", text).strip(" .*")
    between = rf"(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?={_NUMBER}\b)(?![^()]*\))"
    pieces = re.split(between, text, flags=re.IGNORECASE)
    found: list[Composition] = []
    for piece in pieces:
        match = _COMPOSED.fullmatch(piece.strip())
        if not match or re.search(r"[:|]", match["model"]) or re.match(r"(?:of|models?)\b", match["model"]):
            raise ValueError(f"'{piece}' is no model line (expected a number and a name)")
        low = number(match["low"])
        high = int(match["high"]) if match["high"] else low
        if high < low:
            raise ValueError(f"'{piece}' counts down")
        found.append((match["model"].strip(" .*"), low, high))
    return found

"""Loadouts: how many models of which kind a unit has at a size, what each carries, which weapons it uses together.

Belongs here: sizes, default equipment per model, the groups of alternatives of a volley. Does not belong here: what the
volley does (`models.volley`) or what it is worth (`models.efficiency`). Pure: rows in, rows out.

A volley: in the shooting phase every model fires its ranged weapons that are not Pistols (its Pistols where it has no
others); in the fight phase each model uses one melee weapon and its Extra Attacks weapons. Where a model has a choice
(profiles of one weapon, melee weapons), the alternatives share a `choice`.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]


def item_key(name: str) -> str:
    """The key under which an item, its plural and the weapon of that name meet."""
    decomposed = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    words = re.sub(r"[^a-z0-9 ]+", "", decomposed.replace("-", " ")).split()
    return "".join(_singular(word) for word in words)


def _singular(word: str) -> str:
    if word.endswith("ss") or len(word) <= 3:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word.removesuffix("s")


@dataclass(frozen=True)
class Crew:
    """Models of one kind in a unit."""

    model: str
    count: int


@dataclass(frozen=True)
class Size:
    """A legal size with its price (None: no price known) and its models by kind."""

    models: int
    points: int | None
    crew: tuple[Crew, ...]
    is_inferred: bool


@dataclass(frozen=True)
class Carried:
    """`bearers` models carry `n` of a weapon profile; rows with one `choice` are alternatives of which one is used."""

    weapon_id: str
    attack_type: str
    bearers: int
    choice: str


@dataclass
class Loadout:
    """A unit at a size with what it carries."""

    loadout_id: str
    datasheet_id: str
    name: str
    models: int
    points: int | None
    items: list[dict[str, Any]]
    is_default: bool
    is_inferred: bool
    carried: list[Carried] = field(default_factory=list)


@dataclass(frozen=True)
class Sheet:
    """All that a loadout needs of one datasheet, as rows of the core tables."""

    datasheet_id: str
    name: str
    composition: Sequence[Row] = ()
    equipment: Sequence[Row] = ()
    costs: Sequence[Row] = ()
    weapons: Sequence[Row] = ()  # with `keywords`: a set of lower-case weapon keywords


def sizes(sheet: Sheet) -> list[Size]:
    """The legal sizes of a unit, smallest first.

    Priced sizes where there are prices without a condition, else the smallest and largest of the composition. A unit
    with neither is taken as one model, marked as inferred.
    """
    prices = {
        int(row["models"]): int(row["points"])
        for row in sorted(sheet.costs, key=lambda r: (int(r["models"] or 0), -int(r["points"] or 0)))
        if row["models"] and not _text(row.get("condition"))
    }
    alternatives = _alternatives(sheet.composition)
    wanted: list[int] = sorted(prices)
    if not wanted and alternatives:
        wanted = sorted(
            {sum(row["min_models"] for row in kinds) for kinds in alternatives}
            | {sum(row["max_models"] for row in kinds) for kinds in alternatives}
        )
    if not wanted:
        return [Size(1, None, (Crew(sheet.name, 1),), True)]
    return [_size(sheet, alternatives, models, prices.get(models)) for models in wanted]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _alternatives(composition: Iterable[Row]) -> list[list[Row]]:
    by_alternative: dict[int, list[Row]] = defaultdict(list)
    for row in composition:
        if row["min_models"] is not None and row["max_models"] is not None:
            by_alternative[int(row.get("alternative") or 1)].append(row)
    return [by_alternative[number] for number in sorted(by_alternative)]


def _size(sheet: Sheet, alternatives: list[list[Row]], models: int, points: int | None) -> Size:
    for kinds in alternatives:
        low = sum(int(row["min_models"]) for row in kinds)
        high = sum(int(row["max_models"]) for row in kinds)
        if low <= models <= high:
            return Size(models, points, _fill(kinds, models - low), False)
    return Size(models, points, (Crew(sheet.name, models),), bool(alternatives) or models > 1)


def _fill(kinds: list[Row], extra: int) -> tuple[Crew, ...]:
    """Each kind at its least, then the kinds with most headroom filled up."""
    counts = [int(row["min_models"]) for row in kinds]
    order = sorted(range(len(kinds)), key=lambda i: (-(int(kinds[i]["max_models"]) - counts[i]), i))
    for index in order:
        added = min(extra, int(kinds[index]["max_models"]) - counts[index])
        counts[index] += added
        extra -= added
    return tuple(Crew(str(row["model"]), count) for row, count in zip(kinds, counts, strict=True) if count)


@dataclass(frozen=True)
class Bundle:
    """Models of a unit that carry the same things: item name -> how many each of them has."""

    model: str
    count: int
    items: Mapping[str, int]


def default_bundles(sheet: Sheet, size: Size) -> list[Bundle]:
    """What each model carries before options, models with equal equipment together.

    A sentence that counts its models (`1 Battle Sister is equipped with`) takes them off its kind; one that names a
    kind without a count holds for the rest of it, else the sentence of most models does; sentences that name no kind of
    this unit hold for every model.
    """
    sentences = _sentences(sheet.equipment)
    # Kinds of the composition count as known even where this size has none of them (a 0-1 escort).
    known = {item_key(crew.model) for crew in size.crew}
    known |= {item_key(str(row["model"])) for row in sheet.composition}
    strangers = [sentence for sentence in sentences if sentence.kind and sentence.kind not in known]
    if len(size.crew) == 1 and len(strangers) > 1 and not any(sentence.kind in known for sentence in sentences):
        return _told_apart(sentences, size)
    shared: dict[str, int] = {}
    for sentence in sentences:
        if not sentence.kind or (sentence.kind not in known and len(size.crew) == 1):
            shared |= sentence.items
    bundles: list[Bundle] = []
    for crew in size.crew:
        mine = [sentence for sentence in sentences if sentence.kind and sentence.kind == item_key(crew.model)]
        left = crew.count
        counted = [sentence for sentence in mine if sentence.models is not None]
        for sentence in counted:
            taken = min(sentence.models or 0, left)
            bundles.append(Bundle(crew.model, taken, {**shared, **sentence.items}))
            left -= taken
        rest = [sentence.items for sentence in mine if sentence.models is None]
        if not rest and counted:
            rest = [max(counted, key=lambda sentence: sentence.models or 0).items]
        everything = dict(shared)
        for items in rest:
            everything |= items
        bundles.append(Bundle(crew.model, left, everything))
    return [bundle for bundle in bundles if bundle.count]


def _told_apart(sentences: Sequence["_Sentence"], size: Size) -> list[Bundle]:
    """A unit whose composition counts models without their kinds, which its equipment tells apart.

    Each sentence equips the models that it counts, `The Sergeant` is one; models that no sentence counts are equipped
    as the sentence of most models says.
    """
    shared: dict[str, int] = {}
    for sentence in sentences:
        if not sentence.kind:
            shared |= sentence.items
    named = [sentence for sentence in sentences if sentence.kind]
    bundles: list[Bundle] = []
    left = size.models
    for sentence in named:
        taken = min(sentence.models or 1, left)
        bundles.append(Bundle(sentence.name, taken, {**shared, **sentence.items}))
        left -= taken
    most = max(named, key=lambda sentence: sentence.models or 1)
    bundles.append(Bundle(most.name, left, {**shared, **most.items}))
    return [bundle for bundle in bundles if bundle.count]


@dataclass
class _Sentence:
    """One sentence of the equipment: the kind of model (empty: every model), how many (None: all), the items."""

    kind: str
    models: int | None
    items: dict[str, int]
    name: str = ""


def _sentences(equipment: Iterable[Row]) -> list[_Sentence]:
    found: dict[int, _Sentence] = {}
    for row in equipment:
        number = int(row.get("equipment_line") or 1)
        models = row["models"]
        count = None if models is None or models != models else int(models)
        sentence = found.setdefault(number, _Sentence(item_key(_text(row["model"])), count, {}, _text(row["model"])))
        sentence.items[str(row["item"])] = int(row.get("n") or 1)
    return [found[number] for number in sorted(found)]


def carried_weapons(sheet: Sheet, bundles: Iterable[Bundle]) -> list[Carried]:
    """The weapon profiles that the bundles bring to a volley, with alternatives marked."""
    by_item: dict[str, list[Row]] = defaultdict(list)
    for weapon in sheet.weapons:
        by_item[item_key(weapon["weapon"])].append(weapon)
    carried: list[Carried] = []
    for number, bundle in enumerate(bundles):
        profiles = [
            (weapon, count) for item, count in bundle.items.items() for weapon in by_item.get(item_key(item), ())
        ]
        carried += _shooting(bundle, number, profiles)
        carried += _fighting(bundle, number, profiles)
    return _joined(carried)


def _shooting(bundle: Bundle, number: int, profiles: Sequence[tuple[Row, int]]) -> list[Carried]:
    ranged = [(weapon, count) for weapon, count in profiles if weapon["attack_type"] == "ranged"]
    others = [(weapon, count) for weapon, count in ranged if "pistol" not in weapon["keywords"]]
    by_weapon: dict[str, list[tuple[Row, int]]] = defaultdict(list)
    for weapon, count in others or ranged:
        by_weapon[item_key(weapon["weapon"])].append((weapon, count))
    return [
        Carried(weapon["weapon_id"], "ranged", bundle.count * count, f"{number}/{key}" if len(group) > 1 else "")
        for key, group in by_weapon.items()
        for weapon, count in group
    ]


def _fighting(bundle: Bundle, number: int, profiles: Sequence[tuple[Row, int]]) -> list[Carried]:
    """One melee weapon for each model however many it carries, and every Extra Attacks weapon beside it."""
    melee = [(weapon, count) for weapon, count in profiles if weapon["attack_type"] == "melee"]
    main = [weapon for weapon, _ in melee if "extra attacks" not in weapon["keywords"]]
    found = [
        Carried(weapon["weapon_id"], "melee", bundle.count, f"{number}/melee" if len(main) > 1 else "")
        for weapon in main
    ]
    extra: dict[str, list[tuple[Row, int]]] = defaultdict(list)
    for weapon, count in melee:
        if "extra attacks" in weapon["keywords"]:
            extra[item_key(weapon["weapon"])].append((weapon, count))
    for key, group in extra.items():
        choice = f"{number}/{key}" if len(group) > 1 else ""
        found += [Carried(weapon["weapon_id"], "melee", bundle.count * count, choice) for weapon, count in group]
    return found


def _joined(carried: Iterable[Carried]) -> list[Carried]:
    """Bearers of the same weapon without a choice are one group: they roll the same dice."""
    plain: dict[str, Carried] = {}
    choices: list[Carried] = []
    for entry in carried:
        if entry.choice:
            choices.append(entry)
        elif entry.weapon_id in plain:
            known = plain[entry.weapon_id]
            plain[entry.weapon_id] = Carried(entry.weapon_id, entry.attack_type, known.bearers + entry.bearers, "")
        else:
            plain[entry.weapon_id] = entry
    merged: dict[tuple[tuple[str, str], ...], list[Carried]] = {}
    sets: dict[str, list[Carried]] = defaultdict(list)
    for entry in choices:
        sets[entry.choice].append(entry)
    for group in sets.values():
        identity = tuple((entry.weapon_id, entry.attack_type) for entry in group)
        known_group = merged.get(identity)
        if known_group is None:
            merged[identity] = group
        else:
            merged[identity] = [
                Carried(a.weapon_id, a.attack_type, a.bearers + b.bearers, a.choice)
                for a, b in zip(known_group, group, strict=True)
            ]
    return [*plain.values(), *(entry for group in merged.values() for entry in group)]


def default_loadouts(sheet: Sheet) -> list[Loadout]:
    """The default equipment at the smallest and at the largest size, smallest first."""
    every = sizes(sheet)
    chosen = every[:1] if len(every) == 1 else [every[0], every[-1]]
    inferred_items = any(bool(row["is_inferred"]) for row in sheet.equipment)
    loadouts: list[Loadout] = []
    for size in chosen:
        bundles = default_bundles(sheet, size)
        items = [
            {"model": b.model, "models": b.count, "item": item, "n": n} for b in bundles for item, n in b.items.items()
        ]
        loadouts.append(
            Loadout(
                loadout_id=f"{sheet.datasheet_id}/default-{size.models}",
                datasheet_id=sheet.datasheet_id,
                name="default equipment",
                models=size.models,
                points=size.points,
                items=items,
                is_default=True,
                is_inferred=size.is_inferred or inferred_items,
                carried=carried_weapons(sheet, bundles),
            )
        )
    return loadouts

"""Targets: a unit as something to shoot at, with its default equipment's effects applied.

Belongs here: which profile and size stand for a unit. Does not belong here: archetypes (`models.archetypes`), attack
resolution. Pure: rows in, rows out.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from models.loadouts import Bundle, Crew, Sheet, Size, default_bundles, item_key, sizes

Row = Mapping[str, Any]

# Characteristics of a target that an unconditional effect of carried equipment may change.
_CHARACTERISTICS = {"T": "toughness", "Sv": "save", "W": "wounds"}


def unit_target(
    sheet: Sheet, profiles: Sequence[Row], keywords: Iterable[str], item_effects: Sequence[Row]
) -> dict[str, Any] | None:
    """The target row of a unit at its largest legal size, or None where it has no characteristics.

    A unit of unlike models is represented by its commonest profile and marked `is_mixed`. `item_effects` are effects of
    the sheet's wargear abilities with `source_item` naming the item; one that every model carries is applied, one that
    only some carry marks the unit as mixed.
    """
    usable = [row for row in profiles if all(row[name] is not None for name in ("toughness", "save", "wounds"))]
    if not usable:
        return None
    size = sizes(sheet)[-1]
    profile, counted = _commonest(usable, size)
    bundles = default_bundles(sheet, size)
    target = {
        "target_id": sheet.datasheet_id,
        "name": sheet.name,
        "datasheet_id": sheet.datasheet_id,
        "is_archetype": False,
        "models": size.models,
        "points": size.points,
        "toughness": int(profile["toughness"]),
        "save": int(profile["save"]),
        "invulnerable_save": profile["invulnerable_save"],
        "invulnerable_versus": profile["invulnerable_versus"],
        "wounds": int(profile["wounds"]),
        "feel_no_pain": profile["feel_no_pain"],
        "keywords": sorted(set(keywords)),
        "is_mixed": counted < size.models or _differ(usable, profile),
    }
    for effect in item_effects:
        share = _carriers(bundles, effect["source_item"])
        if share == 0:
            continue
        if share < size.models:
            target["is_mixed"] = True
            continue
        _apply(target, effect)
    return target


def _commonest(profiles: Sequence[Row], size: Size) -> tuple[Row, int]:
    """The profile that most models of the unit have, and how many."""
    if len(profiles) == 1:
        return profiles[0], size.models
    counts = [sum(crew.count for crew in size.crew if _same_kind(crew, row)) for row in profiles]
    best = max(range(len(profiles)), key=lambda i: (counts[i], -i))
    return profiles[best], counts[best] or size.models


def _same_kind(crew: Crew, profile: Row) -> bool:
    ours, theirs = item_key(crew.model), item_key(str(profile["profile"]))
    return ours == theirs or ours in theirs or theirs in ours


def _differ(profiles: Sequence[Row], chosen: Row) -> bool:
    names = ("toughness", "save", "invulnerable_save", "invulnerable_versus", "wounds", "feel_no_pain")
    return any(any(row[name] != chosen[name] for name in names) for row in profiles)


def _carriers(bundles: Iterable[Bundle], item: str) -> int:
    key = item_key(item)
    return sum(bundle.count for bundle in bundles if any(item_key(name) == key for name in bundle.items))


def _apply(target: dict[str, Any], effect: Row) -> None:
    """One unconditional effect on the bearer's own characteristics."""
    params = effect["params"]
    if effect["kind"] in ("modify", "set") and params.get("stat") in _CHARACTERISTICS:
        name = _CHARACTERISTICS[params["stat"]]
        value = target[name] + int(params["delta"]) if effect["kind"] == "modify" else int(params["value"])
        target[name] = max(2, value) if name == "save" else max(1, value)
    elif effect["kind"] == "invulnerable_save":
        known = target["invulnerable_save"]
        if known is None or int(params["threshold"]) < known:
            target["invulnerable_save"] = int(params["threshold"])
            target["invulnerable_versus"] = params.get("versus", "any")
    elif effect["kind"] == "feel_no_pain" and params.get("versus", "any") in ("any", ["any"]):
        known = target["feel_no_pain"]
        target["feel_no_pain"] = int(params["threshold"]) if known is None else min(known, int(params["threshold"]))

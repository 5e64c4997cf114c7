"""Frames of weapons and targets, read into the records of `models.units`.

Belongs here: columns, empty cells and what cannot be read. Does not belong here: rules and signatures.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from models.dice import Dice, parse_dice
from models.effects import VERSUS_ATTACK, Effect, read_effects
from models.keywords import UnknownKeyword, WeaponKeywords, with_keyword
from models.resolve import feel_no_pains, invulnerable_saves
from models.units import ModelGroup, TargetUnit, Weapon


@dataclass(frozen=True)
class Weapons:
    """Weapons by id, in the order of the frame; what was not understood beside them.

    `unknown_keywords` (weapon_id, keyword, reason): the weapon is resolved with the keywords that are known.
    `unresolved` (weapon_id, column, reason): the weapon is not resolved.
    """

    by_id: dict[str, Weapon]
    unknown_keywords: pd.DataFrame
    unresolved: pd.DataFrame


@dataclass(frozen=True)
class Targets:
    """Targets by id, each with the rules of its own that touch attacks against it."""

    by_id: dict[str, TargetUnit]
    effects: dict[str, tuple[Effect, ...]]
    unresolved: pd.DataFrame


def absent(value: object) -> bool:
    """Whether a cell is empty; lists never are."""
    return value is None or (pd.api.types.is_scalar(value) and bool(pd.isna(value)))  # type: ignore[call-overload]


def cell(value: Any) -> Any:
    """A cell as a plain value: None where it is empty, whole floats as whole numbers."""
    if absent(value):
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return (
        value.item() if hasattr(value, "item") and not isinstance(value, (list, tuple)) and value.ndim == 0 else value
    )


def read_weapons(weapons: pd.DataFrame, weapon_keywords: pd.DataFrame) -> Weapons:
    """Read weapon profiles (columns of `core.weapon_profile`) with their keywords (`core.weapon_keyword`)."""
    keywords, unknown = _keywords(weapon_keywords)
    by_id: dict[str, Weapon] = {}
    unresolved: list[dict[str, Any]] = []
    for row in weapons.to_dict("records"):
        name = str(row["weapon_id"])
        try:
            by_id[name] = _weapon(row, keywords.get(name, WeaponKeywords()))
        except _Unread as error:
            unresolved.append({"weapon_id": name, "column": error.column, "reason": error.reason})
    return Weapons(
        by_id,
        pd.DataFrame(unknown, columns=["weapon_id", "keyword", "reason"]),
        pd.DataFrame(unresolved, columns=["weapon_id", "column", "reason"]),
    )


class _Unread(ValueError):
    def __init__(self, column: str, reason: str) -> None:
        super().__init__(f"{column}: {reason}")
        self.column, self.reason = column, reason


def _keywords(frame: pd.DataFrame) -> tuple[dict[str, WeaponKeywords], list[dict[str, Any]]]:
    found: dict[str, WeaponKeywords] = {}
    unknown: list[dict[str, Any]] = []
    for row in frame.to_dict("records"):
        name = str(row["weapon_id"])
        arguments = [cell(row.get(column)) for column in ("keyword", "value", "target_keyword", "threshold")]
        try:
            found[name] = with_keyword(found.get(name, WeaponKeywords()), *arguments)
        except UnknownKeyword as error:
            unknown.append({"weapon_id": name, "keyword": row.get("keyword"), "reason": str(error)})
    return found, unknown


def _dice(row: Mapping[Any, Any], column: str) -> Dice:
    try:
        dice = parse_dice(cell(row.get(column)))
    except ValueError as error:
        raise _Unread(column, str(error)) from None
    if dice.minimum < 1:
        raise _Unread(column, f"{dice} is below 1")
    return dice


def _number(row: Mapping[Any, Any], column: str, low: int, high: int) -> int:
    value = cell(row.get(column))
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise _Unread(column, f"not a whole number from {low} to {high}: {value!r}")
    return value


def _weapon(row: Mapping[Any, Any], keywords: WeaponKeywords) -> Weapon:
    attack_type = row["attack_type"]
    if attack_type not in ("ranged", "melee"):
        raise _Unread("attack_type", f"neither ranged nor melee: {attack_type!r}")
    reach = cell(row.get("range_in"))
    return Weapon(
        name=str(row.get("weapon") or ""),
        attack_type=attack_type,
        range_in=reach if isinstance(reach, int) and attack_type == "ranged" else None,
        attacks=_dice(row, "attacks"),
        skill=None if absent(row.get("skill")) else _number(row, "skill", 2, 6),
        strength=_dice(row, "strength"),
        armour_penetration=_number(row, "armour_penetration", -20, 0),
        damage=_dice(row, "damage"),
        keywords=keywords,
    )


def read_targets(targets: pd.DataFrame) -> Targets:
    """Read units of equal models. `feel_no_pain` is a number or a list as in a case; `effects` a list of effect rows."""
    by_id: dict[str, TargetUnit] = {}
    effects: dict[str, tuple[Effect, ...]] = {}
    unresolved: list[dict[str, Any]] = []
    for row in targets.to_dict("records"):
        name = str(row["target_id"])
        try:
            by_id[name] = _target(row)
            effects[name] = read_effects(None if absent(row.get("effects")) else _listed(row["effects"]))
        except ValueError as error:
            by_id.pop(name, None)
            unresolved.append({"target_id": name, "reason": str(error)})
    return Targets(by_id, effects, pd.DataFrame(unresolved, columns=["target_id", "reason"]))


def _listed(value: Any) -> Any:
    """Lists may come as arrays or as JSON."""
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        return json.loads(value)
    return value.tolist() if hasattr(value, "tolist") else value


def _target(row: Mapping[Any, Any]) -> TargetUnit:
    versus = cell(row.get("invulnerable_versus"))
    keywords = [] if absent(row.get("keywords")) else _listed(row["keywords"])
    if not isinstance(keywords, Sequence) or isinstance(keywords, str):
        raise _Unread("keywords", f"not a list: {keywords!r}")
    group = ModelGroup(
        name=str(row.get("name") or ""),
        count=_number(row, "models", 1, 1000),
        toughness=_number(row, "toughness", 1, 100),
        save=_number(row, "save", 2, 7),
        wounds=_number(row, "wounds", 1, 1000),
        invulnerable_saves=invulnerable_saves(
            cell(_listed(row.get("invulnerable_save"))), versus or VERSUS_ATTACK[0], "invulnerable_save"
        ),
        feel_no_pains=feel_no_pains(cell(_listed(row.get("feel_no_pain"))), "feel_no_pain"),
    )
    return TargetUnit((group,), frozenset(str(keyword).strip().upper() for keyword in keywords))

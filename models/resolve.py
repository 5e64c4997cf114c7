"""Resolving one case: a unit's weapons against one target, given as plain data, answered as plain data.

Belongs here: reading and checking a case, and the answer. Does not belong here: rules (`models.fold` and the modules of
the steps) and files (the program reads those). A bad case answers its id and an `error` that names the field.

Beside what a case must tell it may tell of the attacking unit: `attacker` with `keywords`, `toughness`, `models`,
`wounds`, `wounds_lost`, `feel_no_pain` and `hazardous_destroys` (the older text of Hazardous, by which a failed test
destroys a model that is no CHARACTER, MONSTER or VEHICLE). A weapon that cannot attack in the circumstances (a melee
weapon in Overwatch, no Indirect Fire without line of sight, Blast at an engaged unit) makes no attacks: its counts are
zero. Own wounds lost to Hazardous are three for each failed test where the bearers' wounds are not told.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from models.allocation import UnitStates
from models.damage import chance_ignored, thinned
from models.dice import Pmf, changed_pmf, compounded, mean, point
from models.effects import (
    MOST,
    POLICIES,
    VERSUS_ATTACK,
    VERSUS_DAMAGE,
    read_dice,
    read_effects,
    read_versus,
    whole,
)
from models.exact import Volley, assembled, check_size, result_states
from models.fold import (
    UnitMortalWounds,
    attacks_pmf,
    best_feel_no_pain,
    defend,
    saturated,
)
from models.keywords import UnknownKeyword, WeaponKeywords, with_keyword
from models.scenarios import FLAGS, Scenario
from models.sequence import Expected, expected, mortal_wounds_pmf
from models.units import BODYGUARD, LEADER, Attacker, CaseError, ModelGroup, TargetUnit, Weapon

_NOTES = frozenset({"id", "name", "note", "notes", "comment", "description", "source"})
_ATTACK_FIELDS = _NOTES | {
    "attack_type", "bearers", "range_in", "attacks", "skill", "strength", "armour_penetration", "damage", "keywords",
    "weapon_id", "weapon", "profile",
}  # fmt: skip
_MODEL_FIELDS = _NOTES | {
    "count", "toughness", "save", "invulnerable_save", "invulnerable_versus", "wounds", "feel_no_pain", "role",
    "wounds_lost", "profile", "movement_in", "leadership", "objective_control",
}  # fmt: skip
_TARGET_FIELDS = _NOTES | {"keywords", "models", "target_id", "points"}
_SCENARIO_FIELDS = _NOTES | set(FLAGS) | {"scenario", "twin_linked_policy"}
_ATTACKER_FIELDS = _NOTES | {
    "keywords", "toughness", "models", "wounds", "wounds_lost", "feel_no_pain", "hazardous_destroys", "points",
}  # fmt: skip
# A slip of the pen must not run for hours.
_MOST_ATTACKS = 20_000


def resolve_cases(cases: object) -> list[dict[str, Any]]:
    """Answer each case of a list; a list that is none answers one error."""
    if not isinstance(cases, Sequence) or isinstance(cases, (str, bytes)):
        return [{"id": None, "error": "cases: not a list"}]
    return [resolve_case(case) for case in cases]


def resolve_case(case: object) -> dict[str, Any]:
    """Exact answer to one case, or `{"id", "error"}` where it cannot be resolved. Never raises for a bad case."""
    name = case.get("id") if isinstance(case, Mapping) else None
    if not _is_id(name):
        return {"id": None, "error": "id: neither a text nor a number"}
    try:
        read = read_case(case)
        return {"id": name, **answer(read)}
    except CaseError as error:
        return {"id": name, "error": str(error)}
    except (TypeError, ValueError, LookupError, ArithmeticError, MemoryError) as error:
        # A value that no check foresaw spoils its own case, not the others.
        return {"id": name, "error": f"case: cannot be resolved ({type(error).__name__}: {error})"}


def _is_id(name: object) -> bool:
    """Whether an id can be said again in the answer: JSON knows no NaN and no infinity."""
    return name is None or isinstance(name, (str, int)) or (isinstance(name, float) and math.isfinite(name))


class Case:
    """A case that is read: the volleys in order, the target as it stands, mortal wounds for the whole unit."""

    def __init__(
        self,
        volleys: Sequence[Volley],
        target: TargetUnit,
        mortal_wounds: Sequence[UnitMortalWounds],
        attacker: Attacker,
        weapons: Sequence[Weapon],
    ) -> None:
        self.volleys = tuple(volleys)
        self.target = target
        self.mortal_wounds = tuple(mortal_wounds)
        self.attacker = attacker
        self.weapons = tuple(weapons)


def read_case(case: object) -> Case:
    """Read and check a case. CaseError names the field and the reason."""
    fields = _object(case, "case")
    scenario = _scenario(fields.get("scenario"))
    attacker = _attacker(fields.get("attacker"))
    target = _target(_need(fields, "target", "target"))
    attacks = _list(_need(fields, "attacks", "attacks"), "attacks")
    weapons = [_weapon(row, f"attacks[{index}]") for index, row in enumerate(attacks)]
    bearers = [_whole(row.get("bearers", 1), f"attacks[{index}].bearers", 1, MOST) for index, row in enumerate(attacks)]
    effects = read_effects(fields.get("effects"))
    if not weapons and not any(row.kind == "mortal_wounds" and row.side == "attacker" for row in effects):
        raise CaseError("attacks", "empty, and no mortal wounds of the attacker")
    ready = assembled(list(zip(weapons, bearers, strict=True)), scenario, effects, target, attacker)
    _check_wounds_lost(ready.target)
    for index, volley in enumerate(ready.volleys):
        if changed_pmf(volley.plan.attacks).size * volley.bearers > _MOST_ATTACKS:
            raise CaseError(f"attacks[{index}].attacks", f"more than {_MOST_ATTACKS} attacks")
    return Case(ready.volleys, ready.target, ready.mortal_wounds, attacker, weapons)


# --- answering -------------------------------------------------------------------------------------------------------


def answer(case: Case) -> dict[str, Any]:
    """Every figure of the answer but the id."""
    units, states = result_states(case.volleys, case.target, case.mortal_wounds)
    counts = [counted(volley, case.target) for volley in case.volleys]
    slain = pmf_of(units.slain, states)
    lost = pmf_of(units.lost, states)
    unsaved, damage = _before_allocation(case, counts)
    failures, own_lost = hazardous(case)
    return {
        "expected_attacks": sum(one.attacks for one in counts),
        "expected_hits": sum(one.hits for one in counts),
        "expected_critical_hits": sum(one.critical_hits for one in counts),
        "expected_wounds": sum(one.wounds for one in counts),
        "expected_critical_wounds": sum(one.critical_wounds for one in counts),
        "expected_unsaved": unsaved,
        "expected_damage": damage,
        "expected_wounds_lost": mean(lost),
        "expected_models_slain": mean(slain),
        "p_destroyed": float(states[-1, -1]),
        "models_slain_pmf": slain.tolist(),
        "wounds_lost_pmf": lost.tolist(),
        "expected_hazardous_failures": failures,
        "expected_own_wounds_lost": own_lost,
    }


def pmf_of(values: np.ndarray, states: np.ndarray) -> Pmf:
    """Distribution of a whole number that each state of the unit has."""
    return np.bincount(values.ravel(), weights=states.ravel()).astype(np.float64)


def counted(volley: Volley, target: TargetUnit) -> Expected:
    """Counts before allocation of one weapon; unsaved and damage as against the first group of models."""
    return expected(volley.plan, volley.bearers, defend(volley.plan, target.groups[0]))


def has_one_meaning(volleys: Sequence[Volley], target: TargetUnit) -> bool:
    """Whether unsaved attacks and damage mean the same whichever model they go to."""
    if target.is_attached:
        return False
    return all(len({defend(volley.plan, group) for group in target.groups}) == 1 for volley in volleys)


def _before_allocation(case: Case, counts: Sequence[Expected]) -> tuple[float | None, float | None]:
    target = case.target
    if not has_one_meaning(case.volleys, target):
        return None, None
    damage = sum(one.damage for one in counts)
    for volley in case.volleys:
        damage += mortal_damage(volley, target.groups[0])
    for wounds in case.mortal_wounds:
        thresholds = {best_feel_no_pain(group, wounds.feel_no_pains, wounds.psychic)[1] for group in target.groups}
        if len(thresholds) > 1:
            return sum(one.unsaved for one in counts), None
        damage += mean(np.array(wounds.amounts)) * (1.0 - chance_ignored(thresholds.pop()))
    return sum(one.unsaved for one in counts), damage


def mortal_damage(volley: Volley, group: ModelGroup) -> float:
    """Expected mortal wounds beside the damage of a weapon that Feel No Pain does not ignore."""
    number = attacks_pmf(volley.plan, volley.bearers)
    total = 0.0
    for rule in volley.plan.mortal_wounds:
        threshold = best_feel_no_pain(group, volley.plan.defence.feel_no_pains, rule.psychic)[1]
        inflicted = saturated(compounded(number, mortal_wounds_pmf(volley.plan, rule)), rule.maximum)
        total += mean(inflicted) * (1.0 - chance_ignored(threshold))
    return total


def hazardous(case: Case) -> tuple[float, float]:
    """Expected failed Hazardous tests, and own wounds lost to them: one die a weapon used, a 1 fails."""
    bearers = sum(volley.bearers for volley in case.volleys if volley.plan.hazardous)
    failures = bearers / 6
    attacker = case.attacker
    hardy = attacker.keywords is not None and bool(attacker.keywords & {"CHARACTER", "MONSTER", "VEHICLE"})
    destroys = attacker.hazardous_destroys and not hardy
    threshold = best_feel_no_pain(_as_group(attacker, 1, 3), (), False)[1]
    if attacker.wounds is None or not bearers:
        return failures, failures * 3 * (1.0 if destroys else 1.0 - chance_ignored(threshold))
    group = _as_group(attacker, max(bearers, attacker.models or 1), attacker.wounds)
    unit = UnitStates.of(TargetUnit((group,)))
    check_size(unit, "attacker.wounds")
    # The mortal wounds stop at the chosen model, so each failed test is one packet.
    loss = point(attacker.wounds) if destroys else thinned(point(3), 1.0 - chance_ignored(threshold))
    change = unit.packet([loss], precision=False)
    states = unit.start()
    for _ in range(bearers):
        states = states * (5 / 6) + change(states) / 6
    return failures, mean(pmf_of(unit.lost, states))


def _as_group(attacker: Attacker, count: int, wounds: int) -> ModelGroup:
    return ModelGroup(
        name="bearer",
        count=count,
        toughness=1,
        save=7,
        wounds=wounds,
        feel_no_pains=attacker.feel_no_pains,
        wounds_lost=attacker.wounds_lost,
    )


# --- reading ---------------------------------------------------------------------------------------------------------


def _object(value: object, place: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise CaseError(place, "not an object")
    return value


def _list(value: object, place: str) -> Sequence[Any]:
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
        raise CaseError(place, "not a list")
    return value


def _need(fields: Mapping[str, Any], name: str, place: str) -> Any:
    if name not in fields:
        raise CaseError(place, "missing")
    return fields[name]


def _known(fields: Mapping[str, Any], known: frozenset[str] | set[str], place: str) -> None:
    for name in fields:
        if name not in known:
            raise CaseError(f"{place}.{name}", "unknown field")


def _whole(value: object, place: str, low: int, high: int) -> int:
    """A whole number in bounds; characteristics are numbers, not prints such as `3+`."""
    if isinstance(value, str):
        raise CaseError(place, f"not a number: {value!r}")
    number = whole(value, place)
    if not low <= number <= high:
        raise CaseError(place, f"{number} is not from {low} to {high}")
    return number


def _need_whole(fields: Mapping[str, Any], name: str, place: str, low: int, high: int) -> int:
    return _whole(_need(fields, name, f"{place}.{name}"), f"{place}.{name}", low, high)


def _keywords(value: object, place: str) -> frozenset[str]:
    names = _list([] if value is None else value, place)
    for name in names:
        if not isinstance(name, str):
            raise CaseError(place, f"not a keyword: {name!r}")
    return frozenset(name.strip().upper() for name in names)


def _scenario(value: object) -> Scenario:
    fields = _object({} if value is None else value, "scenario")
    _known(fields, _SCENARIO_FIELDS, "scenario")
    flags: dict[str, Any] = {}
    for name in FLAGS:
        flag = fields.get(name)
        if flag is None:
            continue
        if not isinstance(flag, bool):
            raise CaseError(f"scenario.{name}", f"neither true nor false: {flag!r}")
        flags[name] = flag
    policy = fields.get("twin_linked_policy")
    if policy is not None:
        if policy not in POLICIES:
            raise CaseError("scenario.twin_linked_policy", f"{policy!r} is none of {', '.join(POLICIES)}")
        flags["twin_linked_policy"] = policy
    return Scenario(**flags)


def _weapon(value: object, place: str) -> Weapon:
    fields = _object(value, place)
    _known(fields, _ATTACK_FIELDS, place)
    attack_type = _need(fields, "attack_type", f"{place}.attack_type")
    if attack_type not in ("ranged", "melee"):
        raise CaseError(f"{place}.attack_type", f"neither ranged nor melee: {attack_type!r}")
    keywords = WeaponKeywords()
    for keyword in _list([] if fields.get("keywords") is None else fields["keywords"], f"{place}.keywords"):
        try:
            keywords = with_keyword(keywords, keyword)
        except UnknownKeyword as error:
            raise CaseError(f"{place}.keywords", str(error)) from None
    attacks = read_dice(_need(fields, "attacks", f"{place}.attacks"), f"{place}.attacks")
    strength = read_dice(_need(fields, "strength", f"{place}.strength"), f"{place}.strength")
    damage = read_dice(_need(fields, "damage", f"{place}.damage"), f"{place}.damage")
    for name, dice in (("attacks", attacks), ("strength", strength), ("damage", damage)):
        if dice.minimum < 1 or dice.maximum > MOST:
            raise CaseError(f"{place}.{name}", f"{dice} is not from 1 to {MOST}")
    skill = fields.get("skill") if "torrent" in keywords else _need(fields, "skill", f"{place}.skill")
    reach = fields.get("range_in")
    return Weapon(
        name=str(fields.get("name") or ""),
        attack_type=attack_type,
        range_in=None if reach is None or attack_type == "melee" else _whole(reach, f"{place}.range_in", 0, 10_000),
        attacks=attacks,
        skill=None if skill is None else _whole(skill, f"{place}.skill", 2, 6),
        strength=strength,
        armour_penetration=_need_whole(fields, "armour_penetration", place, -20, 0),
        damage=damage,
        keywords=keywords,
    )


def _target(value: object) -> TargetUnit:
    fields = _object(value, "target")
    _known(fields, _TARGET_FIELDS, "target")
    rows = _list(_need(fields, "models", "target.models"), "target.models")
    if not rows:
        raise CaseError("target.models", "empty")
    groups = tuple(_group(row, f"target.models[{index}]") for index, row in enumerate(rows))
    target = TargetUnit(groups, _keywords(fields.get("keywords"), "target.keywords"))
    if target.models > MOST:
        raise CaseError("target.models", f"more than {MOST} models")
    return target


def _group(value: object, place: str) -> ModelGroup:
    fields = _object(value, place)
    _known(fields, _MODEL_FIELDS, place)
    role = fields.get("role") or BODYGUARD
    if role not in (BODYGUARD, LEADER):
        raise CaseError(f"{place}.role", f"neither bodyguard nor leader: {role!r}")
    return ModelGroup(
        name=str(fields.get("name") or ""),
        count=_whole(fields.get("count", 1), f"{place}.count", 1, MOST),
        toughness=_need_whole(fields, "toughness", place, 1, 100),
        save=_need_whole(fields, "save", place, 2, 7),
        wounds=_need_whole(fields, "wounds", place, 1, MOST),
        invulnerable_saves=invulnerable_saves(
            fields.get("invulnerable_save"), fields.get("invulnerable_versus"), f"{place}.invulnerable_save"
        ),
        feel_no_pains=feel_no_pains(fields.get("feel_no_pain"), f"{place}.feel_no_pain"),
        role=role,
        wounds_lost=_wounds_lost(fields, place),
        tells_wounds_lost=fields.get("wounds_lost") is not None,
    )


def _wounds_lost(fields: Mapping[str, Any], place: str) -> int:
    value = fields.get("wounds_lost")
    return 0 if value is None else _whole(value, f"{place}.wounds_lost", 0, MOST)


def _check_wounds_lost(target: TargetUnit) -> None:
    for index, group in enumerate(target.groups):
        if group.wounds_lost >= group.wounds:
            raise CaseError(f"target.models[{index}].wounds_lost", f"{group.wounds_lost} of {group.wounds} wounds")


def _options(value: object, versus: object, allowed: Sequence[str], place: str) -> tuple[tuple[int, str], ...]:
    """A threshold, or a list of thresholds with what each is against."""
    if value is None:
        return ()
    if isinstance(value, Mapping):
        raise CaseError(place, "neither a number nor a list of objects")
    rows = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    found: list[tuple[int, str]] = []
    for index, row in enumerate(rows):
        here = f"{place}[{index}]" if rows is value else place
        if isinstance(row, Mapping):
            _known(row, {"threshold", "versus"}, here)
            threshold, against = _need(row, "threshold", f"{here}.threshold"), row.get("versus")
        else:
            threshold, against = row, versus
        for one in read_versus(against, allowed, f"{here}.versus"):
            found.append((_whole(threshold, here, 2, 6), one))
    return tuple(found)


def invulnerable_saves(value: object, versus: object, place: str) -> tuple[tuple[int, str], ...]:
    """Invulnerable saves as (threshold, versus): a number, or a list of objects."""
    return _options(value, versus, VERSUS_ATTACK, place)


def feel_no_pains(value: object, place: str) -> tuple[tuple[int, str], ...]:
    """Feel No Pain as (threshold, versus): a number, or a list of objects."""
    return _options(value, None, VERSUS_DAMAGE, place)


def _attacker(value: object) -> Attacker:
    if value is None:
        return Attacker()
    fields = _object(value, "attacker")
    _known(fields, _ATTACKER_FIELDS, "attacker")

    def number(name: str) -> int | None:
        return None if fields.get(name) is None else _whole(fields[name], f"attacker.{name}", 1, MOST)

    destroys = fields.get("hazardous_destroys", False)
    if not isinstance(destroys, bool):
        raise CaseError("attacker.hazardous_destroys", f"neither true nor false: {destroys!r}")
    wounds = number("wounds")
    lost = _wounds_lost(fields, "attacker")
    if lost and (wounds is None or lost >= wounds):
        raise CaseError("attacker.wounds_lost", f"{lost} of {wounds} wounds")
    return Attacker(
        keywords=None if fields.get("keywords") is None else _keywords(fields["keywords"], "attacker.keywords"),
        toughness=number("toughness"),
        models=number("models"),
        wounds=wounds,
        wounds_lost=lost,
        feel_no_pains=feel_no_pains(fields.get("feel_no_pain"), "attacker.feel_no_pain"),
        hazardous_destroys=destroys,
    )

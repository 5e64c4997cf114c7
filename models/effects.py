"""Effect rows: reading them, and deciding which of them touch an attack.

Belongs here: the vocabulary (kinds, parameters, conditions, weapon filters, alternatives) and its checks. Does not
belong here: what a kind does to the numbers (`models.fold`).

Readings. A condition that the circumstances decide is decided; any other holds. Of the rows of one source that share a
`choice_group` the first that touches an attack applies to it - except the outcomes of one die (mortal wounds on
different faces), which belong together. A row with `instead_of` takes the place of that row of its source wherever it
applies itself. `requires` says who may have the rule and is taken to be satisfied; `model_name:X` in it narrows a rule
of the defender to the models of that name, where the unit has such models.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from models.dice import Dice, parse_dice
from models.keywords import PLAIN, VALUED, UnknownKeyword, WeaponKeywords, normalised, with_keyword
from models.scenarios import Scenario
from models.units import Attacker, CaseError, NotModelled, TargetUnit, Weapon

STATS = (
    "hit_roll", "wound_roll", "save_roll", "damage_roll", "A", "S", "AP", "D", "BS", "WS", "T", "Sv", "W",
)  # fmt: skip
ROLLS = ("hit", "wound", "damage", "save", "attacks")
POLICIES = ("failed", "non_critical")
VERSUS_ATTACK = ("any", "ranged", "melee")
VERSUS_DAMAGE = ("any", "mortal", "psychic")
NOT_MODELLED = ("substitute_roll", "attack_again", "fight_on_death", "out_of_phase_attack", "other_attack")
EVENTS = ("attack", "hit", "critical_hit", "wound", "critical_wound")
PER = {"critical": "critical_wound", "unit": "once", "target": "once", **{event: event for event in EVENTS}}
# More than any number of the game; a slip of the pen must not run for hours.
MOST = 1000
LATE = frozenset({"critical_wound", "critical_hit"})


@dataclass(frozen=True)
class Effect:
    """One effect row, checked. `params` holds (name, value) pairs whose values are read already."""

    place: str
    side: str
    kind: str
    params: tuple[tuple[str, Any], ...] = ()
    phase: str = "any"
    attack_type: str = "any"
    conditions: tuple[str, ...] = ()
    weapon_filter: str | None = None
    choice: tuple[str, ...] | None = None
    replaces: int | None = None
    index: int = 0
    model_names: frozenset[str] = frozenset()

    def param(self, name: str) -> Any:
        return dict(self.params).get(name)

    @property
    def late(self) -> frozenset[str]:
        """Conditions that are known only once the dice of the attack lie."""
        return LATE.intersection(self.conditions)


@dataclass(frozen=True)
class Circumstances:
    """All that conditions can be decided from. Weapon None: no particular attack. Strength None: not known yet."""

    scenario: Scenario
    target: TargetUnit
    attacker: Attacker
    weapon: Weapon | None = None
    keywords: WeaponKeywords = field(default_factory=WeaponKeywords)
    strength: int | None = None
    toughness: int | None = None

    @property
    def beyond_12(self) -> bool:
        """A target beyond 12 inches has no hold on a weapon that does not reach that far."""
        if not self.scenario.beyond_12 or self.weapon is None:
            return self.scenario.beyond_12
        return self.weapon.is_ranged and (self.weapon.range_in is None or self.weapon.range_in > 12)


# --- reading ---------------------------------------------------------------------------------------------------------


def read_effects(rows: object, place: str = "effects") -> tuple[Effect, ...]:
    """Read effect rows; rows of kind `none` say that nothing changes and are left out. CaseError names the field."""
    if rows is None:
        return ()
    if not isinstance(rows, Sequence) or isinstance(rows, (str, bytes)):
        raise CaseError(place, "not a list")
    kept = [effect for index, row in enumerate(rows) if (effect := _read_row(row, f"{place}[{index}]", index))]
    return tuple(_with_reference(effect, rows, place) for effect in kept)


def _read_row(row: object, place: str, index: int) -> Effect | None:
    if not isinstance(row, Mapping):
        raise CaseError(place, "not an object")
    kind = row.get("kind")
    if kind == "none":
        return None
    if kind in NOT_MODELLED:
        raise NotModelled(f"{place}.kind", str(kind))
    if not isinstance(kind, str) or kind not in _READERS:
        raise CaseError(f"{place}.kind", f"unknown kind {kind!r}")
    side = row.get("side")
    if side not in ("attacker", "defender"):
        raise CaseError(f"{place}.side", f"neither attacker nor defender: {side!r}")
    params = _decoded(row.get("params"), {}, f"{place}.params")
    if not isinstance(params, Mapping):
        raise CaseError(f"{place}.params", "not an object")
    read = _READERS[kind](params, f"{place}.params")
    conditions = _texts(row.get("condition"), f"{place}.condition")
    for token in conditions:
        check_condition(token, f"{place}.condition")
    requires = _texts(row.get("requires"), f"{place}.requires")
    weapon_filter = row.get("weapon_filter")
    if weapon_filter is not None and not isinstance(weapon_filter, str):
        raise CaseError(f"{place}.weapon_filter", f"not a text: {weapon_filter!r}")
    return Effect(
        place=place,
        side=side,
        kind=str(kind),
        params=tuple(sorted(read.items())),
        phase=_one_of(row.get("phase"), ("any", "shooting", "fight"), f"{place}.phase"),
        attack_type=_one_of(row.get("attack_type"), VERSUS_ATTACK, f"{place}.attack_type"),
        conditions=conditions,
        weapon_filter=weapon_filter or None,
        choice=None if row.get("choice_group") in (None, "") else (*_source(row), str(row["choice_group"])),
        index=index,
        model_names=frozenset(
            token.split(":", 1)[1].strip().casefold() for token in requires if token.startswith("model_name:")
        ),
    )


def _source(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(row.get(name)) for name in ("origin", "origin_id", "origin_name"))


def _with_reference(effect: Effect, rows: Sequence[Mapping[str, Any]], place: str) -> Effect:
    """Find the row that `instead_of` names: an effect id, an effect index of the same source, or a position from 1."""
    reference = rows[effect.index].get("instead_of")
    if reference in (None, ""):
        return effect
    source = _source(rows[effect.index])
    same = [(index, row) for index, row in enumerate(rows) if isinstance(row, Mapping) and _source(row) == source]
    found = [
        index
        for index, row in same
        if reference in (row.get("effect_id"), row.get("effect_index")) and index != effect.index
    ]
    if not found and isinstance(reference, int) and not isinstance(reference, bool) and 1 <= reference <= len(same):
        found = [same[reference - 1][0]]
    if not found or found[0] == effect.index:
        raise CaseError(f"{place}[{effect.index}].instead_of", f"no other row {reference!r} of the same source")
    return replace(effect, replaces=found[0])


def _decoded(value: object, empty: object, place: str) -> object:
    if value is None:
        return empty
    if isinstance(value, str):
        try:
            return json.loads(value)
        except ValueError:
            raise CaseError(place, f"not JSON: {value!r}") from None
    return value


def _texts(value: object, place: str) -> tuple[str, ...]:
    if isinstance(value, str) and not value.lstrip().startswith("["):
        return (value,) if value else ()
    decoded = _decoded(value, [], place)
    if not isinstance(decoded, Iterable) or not all(isinstance(item, str) for item in decoded):
        raise CaseError(place, f"not a list of texts: {value!r}")
    return tuple(str(item).strip() for item in decoded)


def _one_of(value: object, allowed: Sequence[str], place: str) -> str:
    if value is None:
        return allowed[0]
    if value not in allowed:
        raise CaseError(place, f"{value!r} is none of {', '.join(allowed)}")
    return str(value)


Params = Mapping[str, Any]


def _required(params: Params, name: str, place: str) -> Any:
    if params.get(name) is None:
        raise CaseError(f"{place}.{name}", "missing")
    return params[name]


def _named(params: Params, name: str, allowed: Sequence[str], place: str) -> str:
    value = _required(params, name, place)
    if value not in allowed:
        raise CaseError(f"{place}.{name}", f"{value!r} is none of {', '.join(allowed)}")
    return str(value)


def whole(value: object, place: str) -> int:
    """A whole number, also where it is written as text with a sign or a plus behind it."""
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?\d+\s*\+?\s*", value):
        value = int(value.replace("+", "").strip())
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MOST:
        raise CaseError(place, f"not a whole number up to {MOST}: {value!r}")
    return value


def _face(params: Params, name: str, place: str, low: int = 2, high: int = 6) -> int:
    value = whole(_required(params, name, place), f"{place}.{name}")
    if not low <= value <= high:
        raise CaseError(f"{place}.{name}", f"{value} is not a roll from {low} to {high}")
    return value


def _flag(value: object, default: bool, place: str) -> bool:
    if value is None:
        return default
    if not isinstance(value, bool):
        raise CaseError(place, f"neither true nor false: {value!r}")
    return value


def read_dice(value: object, place: str) -> Dice:
    try:
        dice = parse_dice(value)
    except ValueError as error:
        raise CaseError(place, str(error)) from None
    if dice.maximum > MOST:
        raise CaseError(place, f"{dice} is more than {MOST}")
    return dice


def _read_reroll(params: Params, place: str) -> dict[str, Any]:
    roll = _named(params, "roll", ROLLS, place)
    which = _named(params, "which", ("ones", "any", "one_roll"), place)
    if which == "one_roll":
        raise NotModelled(f"{place}.which", "one_roll re-roll")
    policy = _one_of(params.get("policy"), POLICIES, f"{place}.policy")
    return {"roll": roll, "which": which, "policy": policy}


def _read_delta(value: object, stat: str, place: str) -> int | Dice:
    """Numbers everywhere; Attacks and Damage may also grow by dice."""
    if stat in ("A", "D", "damage_roll") and isinstance(value, str) and "d" in value.lower():
        return read_dice(value.strip().removeprefix("+"), place)
    return whole(value, place)


def _read_modify(params: Params, place: str) -> dict[str, Any]:
    stat = _named(params, "stat", STATS, place)
    delta = _read_delta(_required(params, "delta", place), stat, f"{place}.delta")
    limit = params.get("limit")
    return {"stat": stat, "delta": delta, "limit": None if limit is None else whole(limit, f"{place}.limit")}


def _read_set(params: Params, place: str) -> dict[str, Any]:
    stat = _named(params, "stat", tuple(stat for stat in STATS if not stat.endswith("_roll")), place)
    value = _required(params, "value", place)
    if stat in ("A", "S", "D"):
        return {"stat": stat, "value": read_dice(value, f"{place}.value")}
    number = whole(value, f"{place}.value")
    if stat == "AP":
        number = -abs(number)
    elif number < 1:
        raise CaseError(f"{place}.value", f"{number} is below 1")
    return {"stat": stat, "value": number}


def _read_grant(params: Params, place: str) -> dict[str, Any]:
    keyword = _required(params, "keyword", place)
    arguments = (keyword, params.get("value"), params.get("target_keyword"), params.get("threshold"))
    try:
        with_keyword(WeaponKeywords(), *arguments)
    except UnknownKeyword as error:
        raise CaseError(f"{place}.keyword", str(error)) from None
    return dict(zip(("keyword", "value", "target_keyword", "threshold"), arguments, strict=True))


def _read_critical_on(params: Params, place: str) -> dict[str, Any]:
    roll = _named(params, "roll", ("hit", "wound"), place)
    successful = _flag(params.get("if_successful"), roll == "hit", f"{place}.if_successful")
    return {"roll": roll, "threshold": _face(params, "threshold", place), "if_successful": successful}


def _read_critical_bonus(params: Params, place: str) -> dict[str, Any]:
    roll = _named(params, "roll", ("hit", "wound"), place)
    allowed = ("AP", "D", "damage_roll") if roll == "wound" else ("AP", "D", "damage_roll", "S", "wound_roll")
    stat = _named(params, "stat", STATS, place)
    if stat not in allowed:
        raise NotModelled(f"{place}.stat", f"{stat} on a critical {roll}")
    delta = _read_delta(_required(params, "delta", place), stat, f"{place}.delta")
    return {"roll": roll, "stat": stat, "delta": delta}


def _read_ignore(params: Params, place: str) -> dict[str, Any]:
    stats = _required(params, "stats", place)
    stats = [stats] if isinstance(stats, str) else stats
    if not isinstance(stats, Sequence) or not stats:
        raise CaseError(f"{place}.stats", f"not a list of stats: {stats!r}")
    for stat in stats:
        if stat not in STATS:
            raise CaseError(f"{place}.stats", f"unknown stat {stat!r}")
    only = params.get("only")
    reasons = [reason for word, reason in _REASONS.items() if only and word in str(only).lower()]
    if only is not None and not reasons:
        raise NotModelled(f"{place}.only", str(only))
    return {"stats": tuple(stats), "only": reasons[0] if reasons else None}


_REASONS = {"engage": "engaged", "stealth": "stealth", "indirect": "indirect", "visib": "indirect", "heavy": "heavy"}


def _read_invulnerable(params: Params, place: str) -> dict[str, Any]:
    versus = params.get("versus")
    if isinstance(versus, Sequence) and not isinstance(versus, str):
        versus = versus[0] if len(set(versus)) == 1 else "any" if {"ranged", "melee"} <= set(versus) else versus
    return {"threshold": _face(params, "threshold", place), "versus": _one_of(versus, VERSUS_ATTACK, f"{place}.versus")}


def read_versus(value: object, allowed: Sequence[str], place: str) -> tuple[str, ...]:
    """One name or a list of them; nothing means the first, `any`."""
    if value is None:
        return (allowed[0],)
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, Sequence) or not names or any(name not in allowed for name in names):
        raise CaseError(place, f"{value!r} is none of {', '.join(allowed)}")
    return tuple(names)


def _read_feel_no_pain(params: Params, place: str) -> dict[str, Any]:
    versus = read_versus(params.get("versus"), VERSUS_DAMAGE, f"{place}.versus")
    return {"threshold": _face(params, "threshold", place), "versus": versus}


def _read_mortal_wounds(params: Params, place: str) -> dict[str, Any]:
    amount = _required(params, "amount", place)
    if amount == "deadly_demise":
        raise CaseError(f"{place}.amount", "deadly_demise is the model's own value, which is not told here; give dice")
    per = str(params.get("per", "once"))
    if per not in ("once", "model", *PER):
        raise NotModelled(f"{place}.per", f"mortal wounds for each {per}")
    dice = params.get("dice", 1)
    maximum = params.get("max")
    return {
        "dice": dice if dice in ("T",) else read_dice(1 if dice is None else dice, f"{place}.dice"),
        "amount": read_dice(amount, f"{place}.amount"),
        "per": PER.get(per, per),
        "faces": read_faces(params.get("success_on", "auto"), f"{place}.success_on"),
        "max": None if maximum is None else whole(maximum, f"{place}.max"),
    }


def read_faces(value: object, place: str) -> tuple[int, ...] | None:
    """Faces of a die that succeed: 4 or `4+` is 4 to 6, `4-5` a range, `=1` exactly; `auto` (None) rolls no die."""
    if value is None or value == "auto":
        return None
    text = str(value).strip()
    if match := re.fullmatch(r"=\s*([1-6])", text):
        return (int(match[1]),)
    if match := re.fullmatch(r"([1-6])\s*[-–]\s*([1-6])", text):
        if int(match[1]) <= int(match[2]):
            return tuple(range(int(match[1]), int(match[2]) + 1))
    elif match := re.fullmatch(r"([1-6])\+?", text):
        return tuple(range(int(match[1]), 7))
    raise CaseError(place, f"not faces of a die: {value!r}")


def _read_nothing(params: Params, place: str) -> dict[str, Any]:
    return {}


_READERS: dict[object, Callable[[Params, str], dict[str, Any]]] = {
    "reroll": _read_reroll,
    "modify": _read_modify,
    "set": _read_set,
    "halve": lambda params, place: {"stat": _named(params, "stat", ("D",), place)},
    "grant_keyword": _read_grant,
    "critical_on": _read_critical_on,
    "critical_bonus": _read_critical_bonus,
    "always_fails": lambda params, place: {
        "roll": _named(params, "roll", ("hit", "wound", "save"), place),
        "up_to": _face(params, "up_to", place, low=1),
    },
    "auto": lambda params, place: {"roll": _named(params, "roll", ("hit", "wound"), place)},
    "hit_only_on": lambda params, place: {"threshold": _face(params, "threshold", place)},
    "ignore_modifiers": _read_ignore,
    "invulnerable_save": _read_invulnerable,
    "feel_no_pain": _read_feel_no_pain,
    "benefit_of_cover": _read_nothing,
    "deny_cover": _read_nothing,
    "stealth": _read_nothing,
    "mortal_wounds": _read_mortal_wounds,
}

# --- conditions ------------------------------------------------------------------------------------------------------


def check_condition(token: str, place: str) -> None:
    """A condition whose name is known must have an argument that can be read."""
    name, _, argument = token.partition(":")
    if name == "any_of":
        if not argument:
            raise CaseError(place, f"{token!r} names no alternatives")
        for part in argument.split("|"):
            if part in LATE:
                raise NotModelled(place, token)
            check_condition(part, place)
    elif name in ("target_within", "target_farther_than"):
        if not re.match(r"\d+", argument):
            raise CaseError(place, f"{token!r} needs a distance in inches")
    elif name == "wounds_remaining":
        if not re.fullmatch(r"\d+(-\d+)?", argument):
            raise CaseError(place, f"{token!r} needs a range of wounds")
    elif name in _WITH_KEYWORDS and not argument.strip():
        raise CaseError(place, f"{token!r} needs a keyword")
    elif not name:
        raise CaseError(place, "empty condition")


_WITH_KEYWORDS = (
    "target_keyword",
    "target_keyword_any",
    "target_keyword_all",
    "target_not_keyword",
    "target_not_keyword_any",
    "attacker_keyword",
    "attacker_keyword_any",
    "attacker_not_keyword",
    "attacker_not_keyword_any",
    "weapon_keyword",
)


def decided(token: str, side: str, now: Circumstances) -> bool | None:
    """Whether a condition holds; None where the circumstances cannot tell."""
    name, _, argument = token.partition(":")
    if name == "any_of":
        answers = [decided(part, side, now) for part in argument.split("|")]
        return None if True not in answers and None in answers else True in answers
    if name in _FLAG_CONDITIONS:
        return _FLAG_CONDITIONS[name](now)
    if name in ("target_within", "target_farther_than"):
        return _distance(name, int(re.match(r"\d+", argument)[0]), now.beyond_12)  # type: ignore[index]
    if name.startswith("target_") and name in _WITH_KEYWORDS:
        return _has_keywords(name.removeprefix("target_"), argument, now.target.keywords)
    if name.startswith("attacker_") and name in _WITH_KEYWORDS:
        return _has_keywords(name.removeprefix("attacker_"), argument, now.attacker.keywords)
    if name == "weapon_keyword":
        return None if now.weapon is None else normalised(argument) in now.keywords
    if name == "stratagem_active" and argument.strip().upper() in ("FIRE OVERWATCH", "OVERWATCH"):
        return now.scenario.overwatch
    if name == "strength_greater_than_toughness":
        return None if now.strength is None or now.toughness is None else now.strength > now.toughness
    if name in (
        "target_below_starting_strength",
        "target_below_half_strength",
        "wounds_remaining",
        "model_lost_wounds",
    ):
        return _target_state(name, argument, side, now.target)
    return None


_FLAG_CONDITIONS: dict[str, Callable[[Circumstances], bool | None]] = {
    "within_half_range": lambda now: now.scenario.half_range,
    "charging": lambda now: now.scenario.charging,
    "stationary": lambda now: now.scenario.stationary,
    "unit_advanced": lambda now: False if now.scenario.stationary else None,
    "overwatch": lambda now: now.scenario.overwatch,
    "target_visible": lambda now: not now.scenario.hidden,
    "within_engagement_range": lambda now: True if now.scenario.engaged else None,
    "not_within_engagement_range": lambda now: False if now.scenario.engaged else None,
    "psychic_attack": lambda now: None if now.weapon is None else "psychic" in now.keywords,
}


def _distance(name: str, inches: int, beyond_12: bool) -> bool | None:
    """What standing within or beyond 12 inches tells about another distance."""
    farther = (True if inches <= 12 else None) if beyond_12 else False if inches >= 12 else None
    if farther is None:
        return None
    return farther if name == "target_farther_than" else not farther


def _has_keywords(test: str, argument: str, keywords: frozenset[str] | None) -> bool | None:
    if keywords is None:
        return None
    wanted = {part.strip().upper() for part in argument.split("|")}
    if test == "keyword_all":
        return wanted <= keywords
    found = bool(wanted & keywords)
    return found if test in ("keyword", "keyword_any") else not found


def _target_state(name: str, argument: str, side: str, target: TargetUnit) -> bool | None:
    """The state of a single-model target is told by its wounds; of a larger unit the original size is not known."""
    if target.models != 1:
        return None
    model = target.groups[0]
    left = model.wounds - model.wounds_lost
    if name in ("wounds_remaining", "model_lost_wounds"):
        if side != "defender":  # the rule speaks of its owner, the attacking model
            return None
        if name == "model_lost_wounds":
            return model.wounds_lost > 0 if model.tells_wounds_lost else None
        low, _, high = argument.partition("-")
        return int(low) <= left <= int(high or low)
    if not model.tells_wounds_lost:
        return None
    return model.wounds_lost > 0 if name == "target_below_starting_strength" else 2 * left < model.wounds


# --- which rows touch an attack --------------------------------------------------------------------------------------


def names_weapon(weapon_filter: str, weapon: Weapon) -> bool:
    """Whether a filter names this weapon itself, not only its type or keywords."""
    names = {_singular(weapon.name), _singular(re.split(r"\s+[-–—]\s+", weapon.name)[0])}
    included = _split_filter(weapon_filter)[0]
    return any(_singular(part) in names for part in included)


def passes_filter(weapon_filter: str | None, weapon: Weapon | None, keywords: WeaponKeywords) -> bool:
    """Whether a filter lets a weapon through: a name, `ranged` or `melee`, a weapon keyword, or what it excludes."""
    if weapon_filter is None or weapon is None:
        return True
    if _same_name(weapon_filter, weapon):
        return True
    included, excluded = _split_filter(weapon_filter)
    if any(_matches(part, weapon, keywords) for part in excluded):
        return False
    return not included or any(_matches(part, weapon, keywords) for part in included)


def _split_filter(weapon_filter: str) -> tuple[list[str], list[str]]:
    text = weapon_filter.replace("(", " ").replace(")", " ").strip()
    if match := re.fullmatch(r"(.*?)\bexcluding\b(.*)", text, re.IGNORECASE):
        return _parts(match[1]), _parts(match[2])
    if match := re.fullmatch(r"(.*?)\bexcluded\b", text, re.IGNORECASE):
        return [], _parts(match[1])
    return _parts(text), []


def _parts(text: str) -> list[str]:
    parts = re.split(r"\s*(?:,|;|\||/|\band\b|\bor\b)\s*", text.strip(), flags=re.IGNORECASE)
    return [part for part in parts if part]


def _same_name(text: str, weapon: Weapon) -> bool:
    return normalised(text) == normalised(weapon.name)


def _matches(part: str, weapon: Weapon, keywords: WeaponKeywords) -> bool:
    name = re.sub(r"\s+(?:weapons?|attacks?)$", "", normalised(part)).strip("[] ")
    if name in ("ranged", "melee"):
        return weapon.attack_type == name
    if name in PLAIN or name in VALUED or name == "anti":
        return name in keywords or _singular(part) == _singular(weapon.name)
    return names_weapon(part, weapon)


def _singular(text: str) -> str:
    return normalised(text).removesuffix("s")


def touches(effect: Effect, now: Circumstances) -> bool:
    """Whether a row can touch this attack: phase, type, weapon, and no condition that is decided to be false."""
    if now.weapon is not None:
        phase = "shooting" if now.weapon.is_ranged else "fight"
        if effect.phase not in ("any", phase) or effect.attack_type not in ("any", now.weapon.attack_type):
            return False
    if not passes_filter(effect.weapon_filter, now.weapon, now.keywords):
        return False
    return all(decided(token, effect.side, now) is not False for token in effect.conditions if token not in LATE)


def is_die_table(rows: Sequence[Effect]) -> bool:
    """Whether rows are the outcomes of one die: mortal wounds on faces that no two of them share."""
    faces: list[int] = []
    for row in rows:
        if row.kind != "mortal_wounds" or row.param("faces") is None:
            return False
        faces += row.param("faces")
    return len(rows) > 1 and len(faces) == len(set(faces))


def touching(effects: Sequence[Effect], now: Circumstances) -> tuple[Effect, ...]:
    """The rows in force for this attack: none whose place another takes, and one of each group of alternatives."""
    if not effects:
        return ()
    rows = [effect for effect in effects if touches(effect, now)]
    replaced = {row.replaces for row in rows if row.replaces is not None}
    rows = [row for row in rows if row.index not in replaced]
    groups: dict[tuple[str, ...], list[Effect]] = {}
    for row in rows:
        if row.choice is not None:
            groups.setdefault(row.choice, []).append(row)
    left_out = {row.index for group in groups.values() if not is_die_table(group) for row in group[1:]}
    return tuple(row for row in rows if row.index not in left_out)

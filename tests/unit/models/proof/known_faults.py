"""Public fault reports of comparable tools that touch the attack rules, restated as cases with the right value.

Belongs here: for each report a case of our own making and the values that are right. Does not belong here: reports
about reading files (their tests stand beside the readers).
"""

from dataclasses import dataclass
from typing import Any

from .grid import Case, Row, attack, case, effect, models, modify

NO_SAVE: dict[str, Any] = {"save": 7}
SURE: list[Row] = [effect("auto", roll="hit"), effect("auto", roll="wound")]


@dataclass(frozen=True)
class Fault:
    """A report: its mark in the public list, what it is about, a case and the right values (fractions)."""

    mark: str
    about: str
    case: Case
    expected: dict[str, str]
    in_words: bool = False  # the report states a rule or a wish, and the number is ours


def volley(number: int, skill: int, target: Row, *keywords: str, effects: tuple[Row, ...] = (), **changes: Any) -> Case:
    weapon = attack(str(number), skill, keywords=list(keywords), **changes)
    return case([weapon], [target], effects, ["INFANTRY"])


def sure_damage(text: str, *effects: Row) -> Case:
    """One attack that goes through, against a model too big to die of it."""
    return case([attack("1", damage=text)], [models(1, wounds=20, **NO_SAVE)], [*SURE, *effects])


BIG: dict[str, Any] = {"toughness": 11, "save": 2, "wounds": 13}
SMALL_DAMAGE: dict[str, Any] = {"strength": 3, "armour_penetration": -1, "damage": "3"}
LASCANNON: dict[str, Any] = {"strength": 12, "armour_penetration": -3, "damage": "D6+1"}
FIVES = effect("critical_on", roll="hit", threshold=5)
FISHING = effect("reroll", roll="hit", which="any", policy="non_critical")
LESS = modify("D", -1, "defender")

FAULTS = [
    Fault(
        "A1",
        "lethal is for the critical hit, not for its extra hits",
        volley(36, 3, models(1, toughness=8, **NO_SAVE), "lethal hits", "sustained hits 1"),
        {"expected_wounds": "10"},
    ),
    Fault(
        "A3",
        "critical on 5+ with both keywords",
        volley(36, 3, models(1, toughness=8, **NO_SAVE), "lethal hits", "sustained hits 1", effects=(FIVES,)),
        {"expected_wounds": "16"},
    ),
    Fault(
        "A5",
        "fishing re-roll with lethal hits",
        volley(36, 3, models(1, toughness=9, **NO_SAVE), "lethal hits", effects=(FISHING,), strength=8),
        {"expected_wounds": "16"},
    ),
    Fault("A7", "no keyword", volley(8, 4, models(1, **BIG), **SMALL_DAMAGE), {"expected_damage": "2/3"}),
    Fault(
        "A7",
        "devastating wounds",
        volley(8, 4, models(1, **BIG), "devastating wounds", **SMALL_DAMAGE),
        {"expected_damage": "2"},
    ),
    Fault("A7", "anti-X", volley(8, 4, models(1, **BIG), "anti-infantry 4+", **SMALL_DAMAGE), {"expected_damage": "2"}),
    Fault(
        "A7",
        "both",
        volley(8, 4, models(1, **BIG), "anti-infantry 4+", "devastating wounds", **SMALL_DAMAGE),
        {"expected_damage": "6"},
    ),
    Fault(
        "A9",
        "critical wounds are wounds",
        volley(20, 2, models(1, toughness=12), "devastating wounds", attack_type="melee"),
        {"expected_wounds": "25/9", "expected_critical_wounds": "25/9"},
    ),
    Fault(
        "A11",
        "variable damage against one wound",
        case([attack("2", damage="D6")], [models(5, **NO_SAVE)], SURE),
        {"expected_wounds_lost": "2", "expected_models_slain": "2"},
    ),
    Fault(
        "A13",
        "unmodified wound rolls of 1 to 3 fail",
        volley(
            12,
            3,
            models(1, toughness=4),
            strength=8,
            effects=(effect("auto", roll="hit"), effect("always_fails", "defender", roll="wound", up_to=3)),
        ),
        {"expected_wounds": "6"},
    ),
    Fault(
        "A13",
        "without that rule",
        volley(12, 3, models(1, toughness=4), strength=8, effects=(effect("auto", roll="hit"),)),
        {"expected_wounds": "10"},
    ),
    Fault(
        "A13",
        "lethal hits make no roll that could fail",
        volley(
            12,
            6,
            models(1, toughness=4),
            "lethal hits",
            strength=8,
            effects=(effect("always_fails", "defender", roll="wound", up_to=3),),
        ),
        {"expected_wounds": "2"},
        in_words=True,
    ),
    Fault(
        "A15",
        "a critical is an unmodified 6",
        volley(1, 4, models(1), effects=(modify("hit_roll", 1),)),
        {"expected_hits": "2/3", "expected_critical_hits": "1/6"},
    ),
    Fault("A17", "a D6 less 1", sure_damage("D6", LESS), {"expected_damage": "8/3"}),
    Fault("A17", "a D3 less 1", sure_damage("D3", LESS), {"expected_damage": "4/3"}),
    Fault(
        "A18",
        "more damage on a wound roll of 6",
        volley(
            6,
            3,
            models(1, wounds=20, **NO_SAVE),
            effects=(effect("auto", roll="hit"), effect("critical_bonus", roll="wound", stat="D", delta=2)),
        ),
        {"expected_damage": "5"},
    ),
    Fault(
        "A19",
        "re-roll of all that is not critical",
        volley(1, 3, models(1), effects=(FISHING,)),
        {"expected_critical_hits": "11/36"},
    ),
    Fault(
        "A21",
        "two keywords and a changed critical on one roll",
        volley(36, 3, models(1, toughness=4), "lethal hits", "sustained hits 2", effects=(FIVES,)),
        {"expected_hits": "48", "expected_critical_hits": "12", "expected_wounds": "30"},
        in_words=True,
    ),
    Fault(
        "A23",
        "two thresholds on one roll",
        volley(
            36,
            3,
            models(1, toughness=4),
            "lethal hits",
            effects=(FIVES, effect("critical_on", roll="hit", threshold=6), effect("reroll", roll="hit", which="ones")),
        ),
        {"expected_hits": "28", "expected_critical_hits": "14", "expected_wounds": "21"},
        in_words=True,
    ),
    Fault(
        "A25",
        "numbers of attackers and defenders, chance to destroy",
        case([attack("1", bearers=2)], [models(2, **NO_SAVE)], SURE[:1]),
        {"expected_attacks": "2", "p_destroyed": "1/4", "expected_models_slain": "1"},
        in_words=True,
    ),
    Fault(
        "A27",
        "Feel No Pain against a devastating packet",
        volley(
            1, 3, models(1, wounds=2, feel_no_pain=5), "torrent", "anti-infantry 2+", "devastating wounds", damage="2"
        ),
        {"expected_models_slain": "10/27"},
    ),
    Fault(
        "A28",
        "blast has no number: one attack for five models",
        volley(1, 3, models(10), "blast"),
        {"expected_attacks": "3"},
        in_words=True,
    ),
    Fault(
        "B10",
        "+1 to a D6 is D6+1",
        sure_damage("D6", modify("D", 1)),
        {"expected_damage": "9/2"},
    ),
    Fault(
        "B10", "+1 to a D6+1 is D6+2", sure_damage("D6+1", modify("D", 1)), {"expected_damage": "11/2"}, in_words=True
    ),
    Fault(
        "P1",
        "no more than one model for one packet",
        volley(1, 3, models(10, toughness=3, save=5), **LASCANNON),
        {"expected_models_slain": "5/9", "expected_wounds_lost": "5/9"},
    ),
    Fault("P3", "1 less of each roll, not of the mean", sure_damage("D6", LESS), {"expected_damage": "8/3"}),
    Fault("P3", "the same with a D3", sure_damage("D3", LESS), {"expected_damage": "4/3"}),
    Fault(
        "P5", "blast without a number", volley(1, 3, models(10), "blast", attacks="D6+3"), {"expected_attacks": "17/2"}
    ),
    Fault("P7", "damage 1 less 1 stays 1", sure_damage("1", LESS), {"expected_damage": "1"}),
    Fault("P9", "no penalty for assault", volley(6, 4, models(1), "assault"), {"expected_hits": "3"}, in_words=True),
    Fault(
        "P13",
        "an invulnerable save of 2+",
        volley(12, 2, models(1, toughness=3, save=4, invulnerable_save=2), strength=8),
        {"expected_unsaved": "25/18"},
    ),
    Fault(
        "P15",
        "Feel No Pain comes before damage is cut to the model's wounds",
        volley(1, 3, models(1, toughness=5, save=3, wounds=2, feel_no_pain=5), **LASCANNON),
        {"expected_models_slain": "7600/19683"},
    ),
    Fault(
        "P17",
        "a printed D6+1 is halved whole",
        sure_damage("D6+1", effect("halve", "defender", stat="D")),
        {"expected_damage": "5/2"},
    ),
]

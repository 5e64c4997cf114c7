"""The vectorised volleys against the enumeration: several weapon groups of a unit, with rules in force, and choices.

Belongs here: loadouts made of the weapons of the tables, the same volleys as cases, and their comparison.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import pytest

from models.volley import volley_matchups

from .enumeration import can_attack, enumerate_case, ruling
from .grid import Case, Row, case, effect, modify
from .tables import COLUMNS, SCENARIOS, TARGETS, WEAPONS, scenario_frame, target_frame, weapon_frames

# Weapons (by their place in the table) and bearers of each loadout, in order.
LOADOUTS: list[list[tuple[int, int]]] = [
    [(0, 2), (5, 1)],
    [(5, 1), (0, 2)],
    [(1, 1), (6, 1), (0, 1)],
    [(6, 1), (7, 1)],
    [(7, 1), (10, 1)],
    [(3, 1), (4, 1)],
    [(2, 1), (15, 1)],
    [(12, 1), (13, 2)],
    [(14, 1), (12, 1)],
    [(8, 1), (9, 1)],
    [(6, 2)],
    [(11, 1), (10, 1)],
    [(16, 1), (7, 1), (16, 2)],
    [(16, 1), (6, 1), (10, 1)],
]
RULES: list[list[Row]] = [
    [],
    [effect("reroll", roll="hit", which="ones"), modify("AP", -1)],
    [effect("grant_keyword", keyword="lethal hits", value=None), modify("wound_roll", 1)],
    [effect("critical_on", roll="hit", threshold=5), effect("grant_keyword", keyword="sustained hits", value=1)],
    [modify("A", 1), modify("D", -1, "defender"), effect("reroll", roll="wound", which="any")],
]


def group_frame(loadouts: Mapping[str, list[tuple[int, int]]]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"loadout_id": name, "group_order": order, "weapon_id": f"w{weapon}", "bearers": bearers}
            for name, groups in loadouts.items()
            for order, (weapon, bearers) in enumerate(groups, start=1)
        ]
    )


def as_case(groups: list[tuple[int, int]], target: int, scenario: str, rules: list[Row]) -> Case:
    row, keywords, own = TARGETS[target]
    volley = [WEAPONS[weapon] | {"bearers": bearers, "name": f"w{weapon}"} for weapon, bearers in groups]
    return case(volley, [row], [*rules, *own], keywords, **SCENARIOS[scenario])


def held_against(found: Mapping[str, Any], expected: Mapping[str, Any]) -> list[str]:
    wrong = [
        f"{column}: {found[column]} instead of {float(expected[column])}"
        for column in COLUMNS
        if abs(found[column] - float(expected[column])) > 1e-9
    ]
    pairs = zip(found["models_slain_pmf"], expected["models_slain_pmf"], strict=True)
    return wrong + [f"models_slain_pmf: {a} instead of {b}" for a, b in pairs if abs(a - float(b)) > 1e-9]


def by_key(frame: pd.DataFrame) -> dict[tuple[str, str, str], dict[Any, Any]]:
    found = {(row["scenario"], row["loadout_id"], row["target_id"]): row for row in frame.to_dict("records")}
    assert len(found) == len(frame)
    return found


@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_volleys(rules: list[Row]) -> None:
    """Every loadout against every target; each in some of the scenarios, so that all scenarios come up."""
    loadouts = {f"l{place}": groups for place, groups in enumerate(LOADOUTS)}
    effects = pd.DataFrame([rule | {"loadout_id": None} for rule in rules]) if rules else None
    answers = volley_matchups(
        group_frame(loadouts), *weapon_frames(), target_frame(), scenario_frame(), effects, with_pmf=True
    )
    found = by_key(answers.expanded())
    wrong = []
    for number, (name, groups) in enumerate(loadouts.items()):
        for target in range(len(TARGETS)):
            scenario = list(SCENARIOS)[(number + 3 * target + RULES.index(rules)) % len(SCENARIOS)]
            volley = as_case(groups, target, scenario, rules)
            answer = found.get((scenario, name, f"t{target}"))
            assert (answer is not None) == any(can_attack(ruling(volley, place)) for place in range(len(groups)))
            if answer is not None:
                faults = held_against(answer, enumerate_case(volley))
                wrong += [f"{name} t{target} {scenario}: {fault}" for fault in faults]
    assert wrong == []


def test_rules_of_one_loadout_touch_that_loadout_alone() -> None:
    loadouts = {"with": LOADOUTS[0], "without": LOADOUTS[0]}
    rule = modify("S", 2)
    answers = volley_matchups(
        group_frame(loadouts),
        *weapon_frames(),
        target_frame(),
        scenario_frame(),
        pd.DataFrame([rule | {"loadout_id": "with"}]),
        with_pmf=True,
    )
    found = by_key(answers.expanded())
    for target in range(len(TARGETS)):
        for name, rules in (("with", [rule]), ("without", [])):
            expected = enumerate_case(as_case(LOADOUTS[0], target, "standard", rules))
            assert held_against(found["standard", name, f"t{target}"], expected) == []


def test_of_several_weapons_the_one_that_takes_most_off() -> None:
    """A model that may use one of three weapons uses, against each target, the one that takes most wounds off it alone."""
    choices = [12, 13, 14]
    groups = pd.DataFrame(
        [
            {"loadout_id": "one", "group_order": 1, "weapon_id": f"w{weapon}", "bearers": 1, "option": "blade"}
            for weapon in choices
        ]
    )
    answers = volley_matchups(groups, *weapon_frames(), target_frame(), scenario_frame(), with_pmf=True)
    found = by_key(answers.expanded())
    used = set()
    for target in range(len(TARGETS)):
        single = {weapon: enumerate_case(as_case([(weapon, 1)], target, "close", [])) for weapon in choices}
        best = max(choices, key=lambda weapon: single[weapon]["expected_wounds_lost"])
        used.add(best)
        assert held_against(found["close", "one", f"t{target}"], single[best]) == []
    assert len(used) > 1

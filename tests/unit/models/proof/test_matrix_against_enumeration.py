"""The vectorised weapon matrix against the enumeration: every pair of many weapons, targets and the eight scenarios.

Belongs here: pairs of the tables as cases, and their comparison.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import pytest

from models.matrix import weapon_matchups

from .enumeration import can_attack, enumerate_case, ruling
from .grid import Case, case
from .tables import COLUMNS, SCENARIOS, TARGETS, WEAPONS, scenario_frame, target_frame, weapon_frames


def as_case(weapon: int, target: int, scenario: str) -> Case:
    row, keywords, rules = TARGETS[target]
    return case([WEAPONS[weapon]], [row], rules, keywords, **SCENARIOS[scenario])


@pytest.fixture(scope="module")
def answers() -> Mapping[tuple[str, str, str], Mapping[str, Any]]:
    matrix = weapon_matchups(*weapon_frames(), target_frame(), scenario_frame())
    assert matrix.unknown_keywords.empty
    assert matrix.unresolved_weapons.empty
    assert matrix.unresolved_targets.empty
    rows: list[Any] = matrix.expanded().to_dict("records")
    found = {(row["scenario"], row["weapon_id"], row["target_id"]): row for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_pairs(answers: Mapping[tuple[str, str, str], Mapping[str, Any]], scenario: str) -> None:
    """All pairs of a scenario; a weapon that cannot attack in it has no row."""
    wrong = []
    for weapon in range(len(WEAPONS)):
        for target in range(len(TARGETS)):
            found = answers.get((scenario, f"w{weapon}", f"t{target}"))
            pair = as_case(weapon, target, scenario)
            able = can_attack(ruling(pair, 0))
            assert (found is not None) == able, (scenario, WEAPONS[weapon])
            if found is not None:
                expected = enumerate_case(pair)
                wrong += [
                    (weapon, target, column, found[column], float(expected[column]))
                    for column in COLUMNS
                    if abs(found[column] - float(expected[column])) > 1e-9
                ]
    assert wrong == []


def test_the_named_scenarios_are_the_eight() -> None:
    """Without a frame of scenarios the matrix answers for the eight of the public format, and alike."""
    weapons, keywords = weapon_frames()
    own = weapon_matchups(weapons, keywords, target_frame()).expanded()
    given = weapon_matchups(weapons, keywords, target_frame(), scenario_frame()).expanded()
    order = ["scenario", "weapon_id", "target_id"]
    pd.testing.assert_frame_equal(
        own.sort_values(order, ignore_index=True), given.sort_values(order, ignore_index=True), check_like=True
    )

"""The engine against the enumeration of faces: thousands of small cases, every field of the answer, to 1e-9."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from models.resolve import resolve_case, resolve_cases

from .comparison import disagreements
from .enumeration import enumerate_case
from .grid import SECTIONS, cases, section
from .worked import differences, worked_cases

SHOWN = 3


@pytest.mark.parametrize("name", SECTIONS)
def test_grid(name: str) -> None:
    found = section(name)
    wrong = [
        f"{json.dumps(case)}\n  " + "\n  ".join(faults)
        for case, answer in zip(found, resolve_cases(found), strict=True)
        if (faults := list(disagreements(case, answer)))
    ]
    assert not wrong, f"{len(wrong)} of {len(found)} cases disagree:\n" + "\n".join(wrong[:SHOWN])


@settings(max_examples=300, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(cases())
def test_mixed(case: dict[str, Any]) -> None:
    assert list(disagreements(case, resolve_case(case))) == []


@pytest.mark.parametrize("row", worked_cases(), ids=[f"{row['number']:02d}" for row in worked_cases()])
def test_worked_cases(row: dict[str, Any]) -> None:
    answer = resolve_case(row["case"])
    assert list(differences(answer, row["expected"])) == []


def test_the_grid_meets_every_outcome() -> None:
    """The section of whole units is not trivial: destroyed and untouched units, criticals and misses are among them."""
    answers = [enumerate_case(case) for case in section("unit")[::5]]
    assert any(answer["p_destroyed"] == 0 for answer in answers)
    assert any(0 < answer["p_destroyed"] < 1 for answer in answers)
    assert any(answer["expected_critical_wounds"] > 0 for answer in answers)
    assert len({tuple(answer["models_slain_pmf"]) for answer in answers}) > len(answers) / 2

"""The thirty worked cases: by enumeration (which proves the enumeration) and by the engine."""

from typing import Any

import pytest

from .enumeration import enumerate_case
from .worked import differences, worked_cases

WORKED = worked_cases()


def test_there_are_thirty_numbered_cases() -> None:
    assert [row["number"] for row in WORKED] == list(range(1, 31))


@pytest.mark.parametrize("row", WORKED, ids=[f"{row['number']:02d}" for row in WORKED])
def test_enumeration_gives_the_worked_values(row: dict[str, Any]) -> None:
    answer = enumerate_case(row["case"])
    assert list(differences(answer, row["expected"], tolerance=0)) == []

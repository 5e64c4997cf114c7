"""Faults that users reported in comparable tools: the enumeration and the engine give the right values."""

import pytest

from models.resolve import resolve_case

from .enumeration import enumerate_case
from .grid import attack, case, models
from .known_faults import FAULTS, Fault
from .worked import differences


def ids(fault: Fault) -> str:
    return f"{fault.mark} {fault.about}"


@pytest.mark.parametrize("fault", FAULTS, ids=ids)
def test_enumeration_gives_the_right_value(fault: Fault) -> None:
    assert list(differences(enumerate_case(fault.case), fault.expected, tolerance=0)) == []


@pytest.mark.parametrize("fault", FAULTS, ids=ids)
def test_engine_gives_the_right_value(fault: Fault) -> None:
    assert list(differences(resolve_case(fault.case), fault.expected)) == []


@pytest.mark.parametrize("keyword", ["blast 2", "cleave 1"])
def test_keywords_of_another_edition_are_refused(keyword: str) -> None:
    answer = resolve_case(case([attack(keywords=[keyword])], [models()]))
    assert set(answer) == {"id", "error"}
    assert keyword in answer["error"]

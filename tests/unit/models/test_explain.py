"""The steps of a case say the numbers of its answer."""

import json

import pytest

from models.explain import explain_case
from models.resolve import resolve_case
from tests.unit.models.cases import attack, case, effect, models


def steps_of(found: dict) -> dict[str, dict]:
    return {step["step"]: step for step in explain_case(found)}


def test_steps_say_what_the_answer_says() -> None:
    found = case(
        attack(armour_penetration=-2, keywords=["heavy", "hazardous"]),
        target=[models(name="dummy", save=3, invulnerable_save=4, wounds=2, feel_no_pain=6)],
        effects=[effect("modify", "defender", stat="wound_roll", delta=-1)],
        stationary=True,
        cover=True,
    )
    answer, steps = resolve_case(found), steps_of(found)
    assert [steps[name]["needed"] for name in ("hit", "wound", "save", "damage")] == ["2+", "5+", "4+", "6+"]
    for name, figure in (
        ("attacks", "expected_attacks"),
        ("hit", "expected_hits"),
        ("wound", "expected_wounds"),
        ("save", "expected_unsaved"),
        ("damage", "expected_damage"),
        ("hazardous", "expected_hazardous_failures"),
        ("wounds lost", "expected_wounds_lost"),
        ("models slain", "expected_models_slain"),
        ("destroyed", "p_destroyed"),
    ):
        assert steps[name]["expected"] == pytest.approx(answer[figure]), name
    assert "Benefit of Cover" in steps["save"]["reading"]
    json.dumps(explain_case(found), allow_nan=False)


def test_devastating_wounds_have_a_step_of_their_own() -> None:
    found = case(
        attack(keywords=["devastating wounds", "anti-infantry 3+"]), keywords=("INFANTRY",), target=[models(save=2)]
    )
    steps = steps_of(found)
    assert steps["wound"]["needed"] == "3+"
    assert steps["devastating wounds"]["needed"] is None
    assert steps["devastating wounds"]["expected"] == pytest.approx(resolve_case(found)["expected_critical_wounds"])


def test_a_case_that_cannot_be_resolved_is_one_step() -> None:
    (step,) = explain_case(case(effects=[effect("attack_again")]))
    assert step["step"] == "error"
    assert "not modelled" in step["reading"]

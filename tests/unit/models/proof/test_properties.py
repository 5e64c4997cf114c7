"""What must hold of every answer, whatever the case: distributions, bounds, and which way a better number moves."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from models.resolve import resolve_case

from .grid import Case, attack, case, cases, models

SLACK = 1e-9
MEASURES = ("expected_wounds_lost", "expected_models_slain", "p_destroyed")

examples = settings(
    max_examples=100, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), database=None
)


def resolved(found: Case) -> Mapping[str, Any]:
    answer = resolve_case(found)
    assert "error" not in answer, answer
    return answer


def total(values: list[float]) -> float:
    return sum(value * place for place, value in enumerate(values))


@examples
@given(cases())
def test_distributions_and_bounds(found: Case) -> None:
    answer = resolved(found)
    size = sum(row["count"] for row in found["target"]["models"])
    for field in ("models_slain_pmf", "wounds_lost_pmf"):
        assert sum(answer[field]) == pytest.approx(1, abs=SLACK)
        assert min(answer[field]) >= -SLACK
    assert len(answer["models_slain_pmf"]) == size + 1
    assert answer["expected_models_slain"] == pytest.approx(total(answer["models_slain_pmf"]), abs=SLACK)
    assert answer["expected_wounds_lost"] == pytest.approx(total(answer["wounds_lost_pmf"]), abs=SLACK)
    assert answer["p_destroyed"] == pytest.approx(answer["models_slain_pmf"][-1], abs=SLACK)
    assert answer["p_destroyed"] == pytest.approx(answer["wounds_lost_pmf"][-1], abs=SLACK)
    assert 0 <= answer["expected_models_slain"] <= size + SLACK
    assert answer["expected_critical_hits"] <= answer["expected_hits"] + SLACK
    assert answer["expected_critical_wounds"] <= answer["expected_wounds"] + SLACK
    assert answer["expected_wounds"] <= answer["expected_hits"] + SLACK
    if answer["expected_unsaved"] is not None:
        assert answer["expected_unsaved"] <= answer["expected_wounds"] + SLACK


@examples
@given(cases())
def test_a_case_is_not_changed_and_answers_alike_twice(found: Case) -> None:
    before = deepcopy(found)
    assert resolve_case(found) == resolve_case(found)
    assert found == before


# One weapon against models of one kind: the setting in which more of a characteristic is never worse. (Not so in
# general: a lower Toughness can bring in a rule that looks for Strength above it.)


@st.composite
def plain_cases(draw: st.DrawFn) -> Case:
    keywords = ["sustained hits 1", "devastating wounds", "twin-linked", "anti-infantry 4+", "precision"]
    weapon = attack(
        draw(st.sampled_from(["1", "2", "4", "D3"])),
        draw(st.integers(3, 6)),
        strength=draw(st.integers(3, 9)),
        armour_penetration=draw(st.integers(-3, 0)),
        damage=draw(st.sampled_from(["1", "2", "3", "D3"])),
        keywords=draw(st.lists(st.sampled_from(keywords), max_size=2, unique=True)),
    )
    target = models(
        draw(st.integers(1, 4)),
        toughness=draw(st.integers(3, 7)),
        save=draw(st.integers(3, 6)),
        wounds=draw(st.integers(1, 4)),
        invulnerable_save=draw(st.sampled_from([None, 5, 6])),
        feel_no_pain=draw(st.sampled_from([None, 5, 6])),
    )
    return case([weapon], [target], keywords=["INFANTRY"], cover=draw(st.booleans()))


def changed(found: Case, place: str, **fields: Any) -> Case:
    """The case with fields of its weapon or of its models changed."""
    new = deepcopy(found)
    row = new["attacks"][0] if place == "weapon" else new["target"]["models"][0]
    row.update(fields)
    return new


def no_more(one: Case, other: Case) -> None:
    """The first case takes no more off the target than the second."""
    less, more = resolved(one), resolved(other)
    for measure in MEASURES:
        assert less[measure] <= more[measure] + SLACK, measure


@examples
@given(plain_cases())
def test_a_tougher_target_never_loses_more(found: Case) -> None:
    model = found["target"]["models"][0]
    no_more(changed(found, "models", save=model["save"] - 1), found)
    no_more(changed(found, "models", toughness=model["toughness"] + 1), found)
    no_more(changed(found, "models", invulnerable_save=4), found)
    no_more(changed(found, "models", feel_no_pain=4), found)


@examples
@given(plain_cases())
def test_more_wounds_never_lose_more_models(found: Case) -> None:
    more = changed(found, "models", wounds=found["target"]["models"][0]["wounds"] + 1)
    assert resolved(more)["expected_models_slain"] <= resolved(found)["expected_models_slain"] + SLACK
    assert resolved(more)["p_destroyed"] <= resolved(found)["p_destroyed"] + SLACK


@examples
@given(plain_cases())
def test_more_models_never_lose_fewer_wounds(found: Case) -> None:
    more = changed(found, "models", count=found["target"]["models"][0]["count"] + 1)
    assert resolved(found)["expected_wounds_lost"] <= resolved(more)["expected_wounds_lost"] + SLACK
    assert resolved(more)["p_destroyed"] <= resolved(found)["p_destroyed"] + SLACK


@examples
@given(plain_cases())
def test_a_better_weapon_never_takes_less(found: Case) -> None:
    weapon = found["attacks"][0]
    no_more(found, changed(found, "weapon", skill=weapon["skill"] - 1))
    no_more(found, changed(found, "weapon", strength=weapon["strength"] + 1))
    no_more(found, changed(found, "weapon", armour_penetration=weapon["armour_penetration"] - 1))
    no_more(found, changed(found, "weapon", bearers=2))


@examples
@given(plain_cases())
def test_more_damage_never_takes_less_off(found: Case) -> None:
    text = found["attacks"][0]["damage"]
    more = f"{text}+1" if text.startswith("D") else str(int(text) + 1)
    no_more(found, changed(found, "weapon", damage=more))


@examples
@given(cases(), st.integers(1, 3))
def test_a_volley_in_two_is_the_same_volley(found: Case, more: int) -> None:
    """Bearers of one weapon may be written as two rows, one after the other.

    Blast looks at the unit as it was selected, and Devastating Wounds wait for the end of the whole volley either way.
    Left out is the one thing on which the rules are silent: in what order the Devastating Wounds of one weapon come if
    a bonus on Critical Hits makes them unlike.
    """
    assume(not any(rule["kind"] == "critical_bonus" and rule["params"]["roll"] == "hit" for rule in found["effects"]))
    row = found["attacks"][-1]
    whole = deepcopy(found)
    whole["attacks"][-1]["bearers"] = 1 + more
    split = deepcopy(found)
    split["attacks"] = [*found["attacks"][:-1], row | {"bearers": 1}, row | {"bearers": more}]
    one, two = resolved(whole), resolved(split)
    for field, value in one.items():
        assert two[field] == pytest.approx(value, abs=SLACK), field


@examples
@given(cases())
def test_order_of_effects_changes_nothing(found: Case) -> None:
    turned = deepcopy(found)
    turned["effects"].reverse()
    one, two = resolved(found), resolved(turned)
    for field, value in one.items():
        assert two[field] == pytest.approx(value, abs=SLACK), field

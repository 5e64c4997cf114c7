"""Malformed cases are refused one by one: the answer names the field, nothing is guessed, the other cases resolve.

Belongs here: every way in which a case can be wrong. Does not belong here: what right cases answer.
"""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from models.resolve import resolve_case, resolve_cases

from .grid import Case, attack, case, cases, effect, models

GOOD = case([attack("2", 3, keywords=["heavy"])], [models(3)], [effect("reroll", roll="hit", which="ones")])
Change = Callable[[Case], None]


def on_attack(field: str, value: Any) -> Change:
    return lambda found: found["attacks"][0].update({field: value})


def on_models(field: str, value: Any) -> Change:
    return lambda found: found["target"]["models"][0].update({field: value})


def on_effect(field: str, value: Any) -> Change:
    return lambda found: found["effects"][0].update({field: value})


def on_scenario(field: str, value: Any) -> Change:
    return lambda found: found["scenario"].update({field: value})


def row(kind: str, side: str = "attacker", **params: Any) -> Change:
    return lambda found: found.update(effects=[effect(kind, side, **params)])


def without(*path: str | int) -> Change:
    def remove(found: Case) -> None:
        place: Any = found
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]

    return remove


def on_case(field: str, value: Any) -> Change:
    return lambda found: found.update({field: value})


NOT_A_NUMBER = float("nan")

# The word that the error must hold, and the change that spoils the case.
SPOILED: list[tuple[str, Change]] = [
    ("attacks", without("attacks")),
    ("attacks", on_case("attacks", "boltgun")),
    ("attacks", on_case("attacks", [])),
    ("target", without("target")),
    ("target", on_case("target", None)),
    ("models", on_case("target", {"keywords": [], "models": []})),
    ("models", on_case("target", {"keywords": []})),
    ("scenario", on_case("scenario", ["cover"])),
    ("effects", on_case("effects", {"kind": "stealth"})),
    *[("attack_type", on_attack("attack_type", value)) for value in ("psychic", None, 1, "RANGED AND MELEE")],
    *[("bearers", on_attack("bearers", value)) for value in (-1, 1.5, "two", None, True)],
    *[("attacks", on_attack("attacks", value)) for value in ("D4", "", "many", "D6+", None, -1, NOT_A_NUMBER)],
    *[("skill", on_attack("skill", value)) for value in ("3+", 0, -2, 3.5, NOT_A_NUMBER, [3])],
    *[("strength", on_attack("strength", value)) for value in (None, "5+", 0, -1, 4.5, NOT_A_NUMBER)],
    *[("armour_penetration", on_attack("armour_penetration", value)) for value in (1, "-1", None, -1.5)],
    *[("damage", on_attack("damage", value)) for value in ("D7", "", "2+", None, NOT_A_NUMBER)],
    ("keywords", on_attack("keywords", "heavy")),
    *[
        ("keyword", on_attack("keywords", [value]))
        for value in ("explosive", "rapid fire", "sustained hits", "melta x", "anti-infantry", "anti-infantry 9+", 3)
    ],
    ("strength", without("attacks", 0, "strength")),
    ("damage", without("attacks", 0, "damage")),
    ("attack_type", without("attacks", 0, "attack_type")),
    *[("count", on_models("count", value)) for value in (0, -1, "ten", None, 2.5)],
    *[("toughness", on_models("toughness", value)) for value in ("5+", None, 0, NOT_A_NUMBER)],
    *[("save", on_models("save", value)) for value in ("3+", None, 0, 2.5)],
    *[("wounds", on_models("wounds", value)) for value in (0, "2", None, -1)],
    *[("wounds_lost", on_models("wounds_lost", value)) for value in (1, -1, "1")],
    *[("role", on_models("role", value)) for value in ("hero", 3)],
    *[
        (field, on_models(field, value))
        for field in ("feel_no_pain", "invulnerable_save")
        for value in ("4+", 0, [{"versus": "any"}], [{"threshold": 4, "versus": "tuesdays"}], {"threshold": 4})
    ],
    ("wounds", without("target", "models", 0, "wounds")),
    ("toughness", without("target", "models", 0, "toughness")),
    *[("cover", on_scenario("cover", value)) for value in ("yes", 2, 0.5)],
    ("half_rnage", on_scenario("half_rnage", True)),
    ("twin_linked_policy", on_scenario("twin_linked_policy", "sometimes")),
    *[("kind", on_effect("kind", value)) for value in ("bless", None, 7)],
    *[("side", on_effect("side", value)) for value in ("spectator", 7)],
    ("params", on_effect("params", "ones")),
    ("condition", on_effect("condition", 5)),
    ("phase", on_effect("phase", "psychic")),
    ("attack_type", on_effect("attack_type", "thrown")),
    ("roll", row("reroll", roll="charge", which="ones")),
    ("roll", row("reroll", which="ones")),
    ("which", row("reroll", roll="hit", which="twos")),
    ("which", row("reroll", roll="hit")),
    ("policy", row("reroll", roll="hit", which="any", policy="sometimes")),
    ("stat", row("modify", stat="luck", delta=1)),
    ("stat", row("modify", delta=1)),
    ("delta", row("modify", stat="hit_roll")),
    ("delta", row("modify", stat="hit_roll", delta="one")),
    ("stat", row("set", stat="luck", value=1)),
    ("value", row("set", stat="S")),
    ("stat", row("halve", "defender", stat="T")),
    ("keyword", row("grant_keyword", keyword="explosive", value=None)),
    ("threshold", row("critical_on", roll="hit")),
    ("threshold", row("critical_on", roll="hit", threshold=9)),
    ("roll", row("critical_on", roll="save", threshold=5)),
    ("stat", row("critical_bonus", roll="wound", stat="luck", delta=1)),
    ("up_to", row("always_fails", roll="hit")),
    ("roll", row("auto", roll="damage")),
    ("threshold", row("hit_only_on")),
    ("stats", row("ignore_modifiers")),
    ("threshold", row("invulnerable_save", "defender", versus="any")),
    ("versus", row("invulnerable_save", "defender", threshold=4, versus="psychic")),
    ("versus", row("feel_no_pain", "defender", threshold=5, versus="plasma")),
    ("amount", row("mortal_wounds", dice=1, success_on=4, per="once")),
    ("amount", row("mortal_wounds", dice=1, success_on=4, amount="D5", per="once")),
    ("success_on", row("mortal_wounds", dice=1, success_on="often", amount="1", per="once")),
]


@pytest.mark.parametrize(("word", "spoil"), SPOILED, ids=[f"{i}-{word}" for i, (word, _) in enumerate(SPOILED)])
def test_a_spoiled_case_names_the_field(word: str, spoil: Change) -> None:
    bad = deepcopy(GOOD) | {"id": "bad"}
    spoil(bad)
    answer = resolve_case(bad)
    assert set(answer) == {"id", "error"}, answer
    assert answer["id"] == "bad"
    assert word in answer["error"]


@pytest.mark.parametrize("kind", ["substitute_roll", "attack_again", "fight_on_death", "out_of_phase_attack"])
def test_kinds_that_are_not_modelled_say_so(kind: str) -> None:
    answer = resolve_case(deepcopy(GOOD) | {"effects": [effect(kind)]})
    assert answer == {"id": "case", "error": answer["error"]}
    assert "not modelled" in answer["error"]


def test_single_die_rerolls_are_not_modelled() -> None:
    answer = resolve_case(deepcopy(GOOD) | {"effects": [effect("reroll", roll="hit", which="one_roll")]})
    assert "not modelled" in answer["error"]


@pytest.mark.parametrize("found", [None, 3, "case", [], {}])
def test_what_is_no_case_is_refused(found: Any) -> None:
    answer = resolve_cases([found, GOOD])
    assert "error" in answer[0]
    assert answer[0].get("id") is None
    assert answer[1] == resolve_case(GOOD)


def test_one_bad_case_leaves_the_others_alone() -> None:
    bad = deepcopy(GOOD) | {"id": "bad"}
    del bad["attacks"][0]["strength"]
    first, second, third = resolve_cases([GOOD, bad, GOOD])
    assert "error" in second
    assert first == third == resolve_case(GOOD)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.floats(-2, 8)
    | st.sampled_from(["", "D6", "4+", "any", "heavy"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["threshold", "versus"]), inner),
    max_leaves=4,
)


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of everything inside a case."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] * bool(path) + [found for key, part in inside for found in places(part, (*path, key))]


@settings(max_examples=300, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(cases(), st.data())
def test_whatever_stands_in_a_field_nothing_is_raised(found: Case, data: st.DataObject) -> None:
    """One value of a good case becomes any JSON: the answer is an error or a proper distribution."""
    found = deepcopy(found)  # its rows are shared
    *way, last = data.draw(st.sampled_from(places(found)))
    place: Any = found
    for step in way:
        place = place[step]
    place[last] = data.draw(JSON)
    answer = resolve_case(found)
    if "error" in answer:
        assert set(answer) == {"id", "error"}
        assert answer["error"]
    else:
        assert sum(answer["models_slain_pmf"]) == pytest.approx(1, abs=1e-9)


def test_fields_left_out_have_their_defaults() -> None:
    """Flags are false, one bearer, a bodyguard that is whole, no saves but armour, no keywords, no effects."""
    full = case([attack("2", 3)], [models(1)])
    short = {
        "id": "case",
        "attacks": [
            {
                "name": "alpha",
                "attack_type": "ranged",
                "attacks": "2",
                "skill": 3,
                "strength": 4,
                "armour_penetration": 0,
                "damage": "1",
            }
        ],
        "target": {"models": [{"count": 1, "toughness": 4, "save": 4, "wounds": 1}]},
    }
    assert resolve_case(short) == resolve_case(full)


def test_numbers_may_stand_where_dice_texts_do() -> None:
    as_text, as_number = deepcopy(GOOD), deepcopy(GOOD)
    as_text["attacks"][0] |= {"attacks": "3", "damage": "2"}
    as_number["attacks"][0] |= {"attacks": 3, "damage": 2}
    assert resolve_case(as_number) == resolve_case(as_text)


def test_answers_have_the_fields_of_the_format() -> None:
    assert set(resolve_case(GOOD)) >= {
        "id",
        "expected_attacks",
        "expected_hits",
        "expected_critical_hits",
        "expected_wounds",
        "expected_critical_wounds",
        "expected_unsaved",
        "expected_damage",
        "expected_wounds_lost",
        "expected_models_slain",
        "p_destroyed",
        "models_slain_pmf",
        "wounds_lost_pmf",
        "expected_hazardous_failures",
        "expected_own_wounds_lost",
    }

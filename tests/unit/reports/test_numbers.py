"""Rounding and words as a reader sees them."""

import pytest

from reports import numbers
from reports.pages.common import unit_address
from reports.pages.target import _ranks
from reports.words import condition_words, effect_words, target_facts


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0 %"), (1, "100 %"), (0.004, "<1 %"), (0.996, ">99 %"), (0.125, "13 %"), (0.5, "50 %"), (None, "-")],
)
def test_chance(value, shown):
    assert numbers.chance(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0.00"),
        (0.004, "<0.01"),
        (0.005, "0.01"),
        (2.345, "2.35"),
        (9.994, "9.99"),
        (9.996, "10.0"),
        (12.34, "12.3"),
    ],
)
def test_expected(value, shown):
    assert numbers.expected(value) == shown


@pytest.mark.parametrize(
    ("value", "reason", "shown"),
    [
        (25.44, None, "25.4"),
        (99.96, None, "100"),
        (1000.5, None, "1000+"),
        (None, "zero_damage", "no damage"),
        (None, "no_points", "no points"),
    ],
)
def test_points_per_wound(value, reason, shown):
    assert numbers.points_per_wound(value, reason) == shown


@pytest.mark.parametrize(
    ("value", "signed", "shown"),
    [
        (0.481, False, "48 %"),
        (0.005, False, "0.5 %"),
        (0.0004, False, "<0.1 %"),
        (0, False, "0 %"),
        (-0.2, True, "−20 %"),
        (0.2, True, "+20 %"),
    ],
)
def test_share(value, signed, shown):
    assert numbers.share(value, signed=signed) == shown


def test_half_goes_away_from_zero():
    assert (numbers.rounded(0.125, 2), numbers.rounded(-0.125, 2), numbers.rounded(-0.001, 2)) == (
        "0.13",
        "−0.13",
        "0.00",
    )


def test_ties_share_the_better_rank():
    assert _ranks([3.0, 2.0, 2.0 + 1e-12, 1.0, None]) == [1, 2, 2, 4, None]


@pytest.mark.parametrize("bad", ["../etc/passwd", "a/../b", "A/b", "a//b", "", "a/b?x", "/a"])
def test_only_keys_become_addresses(bad):
    with pytest.raises(ValueError, match="no key"):
        unit_address(bad)


def test_effects_in_words():
    row = {
        "kind": "modify",
        "params": '{"stat": "hit_roll", "delta": 1}',
        "condition": '["target_keyword:MONSTER"]',
        "attack_type": "any",
        "side": "attacker",
    }
    assert effect_words(row) == "+1 to the Hit roll if target keyword MONSTER"
    row |= {
        "kind": "feel_no_pain",
        "params": '{"threshold": 5, "versus": ["mortal", "psychic"]}',
        "condition": "[]",
        "side": "defender",
    }
    assert effect_words(row) == "Feel No Pain 5+ against mortal and psychic when attacked"


def test_conditions_in_words():
    assert condition_words("target_keyword_any:MONSTER|VEHICLE") == "target keyword any MONSTER or VEHICLE"


def test_target_facts():
    knight = {
        "toughness": 11,
        "save": 3,
        "invulnerable_save": 5,
        "invulnerable_versus": "ranged",
        "wounds": 26,
        "feel_no_pain": None,
        "models": 1,
        "points": 375,
    }
    assert target_facts(knight) == "T11 Sv3+ 5++ (ranged only) W26, 1 model, 375 points"

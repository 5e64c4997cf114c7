"""Rounding and words as a reader sees them."""

import pytest

from reports import numbers
from reports.pages.common import distinct_names, heat_cell, unit_address
from reports.pages.target import _ranks
from reports.tables import Cell
from reports.words import condition_words, effect_words, stopped_words, target_facts


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
    assert effect_words(row) == "+1 to the Hit roll, given: target keyword MONSTER"
    row |= {
        "kind": "feel_no_pain",
        "params": '{"threshold": 5, "versus": ["mortal", "psychic"]}',
        "condition": "[]",
        "side": "defender",
    }
    assert effect_words(row) == "Feel No Pain 5+ against mortal and psychic when attacked"


def test_conditions_in_words():
    assert condition_words("target_keyword_any:MONSTER|VEHICLE") == "target keyword any MONSTER or VEHICLE"


def test_a_condition_in_the_words_of_its_text_is_shown_as_words():
    assert condition_words("if:the_lamp_is_lit") == "the lamp is lit"


def test_where_the_compiler_stopped_in_words():
    assert stopped_words("no text: Lamp") == "the sources give its name only"
    assert stopped_words("the lamp is lit") == "stopped at: the lamp is lit"


def test_names_are_told_apart_only_where_needed():
    def sheet(datasheet_id: str, name: str, book: str) -> dict[str, object]:
        faction = datasheet_id.split("/")[0].title()
        return {"datasheet_id": datasheet_id, "name": name, "book": book, "faction": faction, "is_combat_patrol": False}

    sheets = [
        sheet("hermits/crab", "Crab", "Hermits"),
        sheet("molluscs/crab", "Crab", "Molluscs"),
        sheet("molluscs/crab--old", "Crab", "Molluscs (Legends)"),
        sheet("molluscs/whelk", "Whelk", "Molluscs"),
    ]
    assert distinct_names(sheets) == {
        "hermits/crab": "Crab (Hermits)",
        "molluscs/crab": "Crab (Molluscs)",
        "molluscs/crab--old": "Crab (Molluscs (Legends))",
        "molluscs/whelk": "Whelk",
    }
    same_book = [sheet("hermits/crab", "Crab", "Hermits"), sheet("hermits/crab--2", "Crab", "Hermits")]
    assert len(set(distinct_names(same_book).values())) == 2


def test_table_cells_carry_a_number_only_where_the_text_is_another():
    assert Cell("5", 5.0).sort_value is None
    assert Cell("4.17", 4.166666666).sort_value == "4.166667"
    assert Cell("no points").sort_value is None


def test_heat_cells():
    assert heat_cell(0.05, None, True).css == "b1"
    assert heat_cell(0.049, None, True).css == "b0"
    assert heat_cell(0.0, None, True).css == "none"
    assert heat_cell(None, 0.2, True).text == "no points"
    assert heat_cell(None, 0.2, False).css == "b5"


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

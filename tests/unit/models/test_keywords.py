"""Weapon keywords as print and as table rows."""

import pytest

from models.dice import parse_dice
from models.keywords import UnknownKeyword, WeaponKeywords, with_keyword


def test_print_and_table_form_are_the_same() -> None:
    printed, rows = WeaponKeywords(), WeaponKeywords()
    for keyword in ("anti-epic hero 4+", "Sustained Hits D3", "twin\u2011linked", "[LETHAL HITS]"):
        printed = with_keyword(printed, keyword)
    for row in (
        ("anti", None, "EPIC HERO", 4),
        ("sustained hits", "D3"),
        ("twin-linked",),
        ("lethal hits", None),
    ):
        rows = with_keyword(rows, *row)
    assert printed == rows
    assert "anti" in rows
    assert "sustained hits" in rows
    assert "melta" not in rows


def test_the_larger_of_two_values_counts_random_ones_by_mean() -> None:
    keywords = with_keyword(with_keyword(WeaponKeywords(), "sustained hits 1"), "sustained hits", "D3")
    assert keywords.sustained_hits == parse_dice("D3")
    assert with_keyword(keywords, "sustained hits 2").sustained_hits == parse_dice("D3")
    assert with_keyword(keywords, "sustained hits", 3).sustained_hits == parse_dice("3")


def test_lowest_threshold_of_those_that_apply() -> None:
    keywords = WeaponKeywords()
    for keyword in ("anti-fly 2+", "anti-vehicle 4+", "anti-vehicle 5+"):
        keywords = with_keyword(keywords, keyword)
    assert keywords.anti_threshold(frozenset({"VEHICLE"})) == 4
    assert keywords.anti_threshold(frozenset({"VEHICLE", "FLY"})) == 2
    assert keywords.anti_threshold(frozenset({"INFANTRY"})) == 7


@pytest.mark.parametrize(
    "keyword",
    ["blasting", "rapid fire", "melta x", "anti-infantry", "anti-infantry 1+", "sustained hits 0", "", 3, None],
)
def test_unknown_keywords(keyword: object) -> None:
    with pytest.raises(UnknownKeyword):
        with_keyword(WeaponKeywords(), keyword)


def test_a_keyword_without_a_value_takes_none() -> None:
    with pytest.raises(UnknownKeyword, match="takes no value"):
        with_keyword(WeaponKeywords(), "blast", 2)

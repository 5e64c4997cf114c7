"""Frames that conform to the dictionary, and the words with which others are refused."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warehouse_sample import given_tables, sample

from warehouse.dictionary import TABLES, ContractError, conform

SHEETS = TABLES["core.datasheet"]
LOADOUTS = TABLES["out.loadout_matchup"]


def _sheets(**columns: object) -> pd.DataFrame:
    rows = pd.DataFrame(sample()["core.datasheet"])
    return rows.assign(**columns)


def test_every_sample_table_conforms_and_conforming_twice_changes_nothing() -> None:
    rows = sample()
    assert set(rows) <= set(given_tables())
    for name in rows:
        once = conform(TABLES[name], pd.DataFrame(rows[name]))
        pd.testing.assert_frame_equal(conform(TABLES[name], once), once)


def test_order_types_and_sorting() -> None:
    frame = conform(SHEETS, _sheets(first_line=[9.0, math.nan, 3.0]))
    assert list(frame.columns) == list(SHEETS.columns)
    assert list(frame["datasheet_id"]) == sorted(frame["datasheet_id"])
    assert frame["first_line"].dtype == pd.Int64Dtype()
    assert frame["first_line"].tolist() == [pd.NA, 3, 9]
    assert frame["role"].isna().all() and frame["role"].dtype == pd.StringDtype()


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"colour": "red"}, "core.datasheet has no column colour"),
        ({"datasheet_id": ["A/b", "c/d", "e/f"]}, r"core.datasheet.datasheet_id, row 0 .*'A/b' is not allowed"),
        ({"datasheet_id": ["a/b", "c/d", "a/b"]}, r"core.datasheet.datasheet_id, row 0 .*appears more than once"),
        ({"name": ["a", None, "b"]}, r"core.datasheet.name, row 1 \[datasheet_id=moss-clan/moss-brute\].*is NULL"),
        ({"name": ["a", 2, "b"]}, "core.datasheet.name, row 1: 2 is no text"),
        ({"name": [1, 2, 3]}, "core.datasheet.name, row 0: .*1.* is no text"),
        ({"first_line": [1, 2.5, 3]}, "core.datasheet.first_line, row 1: .*2.5.* is no whole number"),
        ({"first_line": [1, math.inf, 3]}, "first_line, row 1: .*inf.* is no whole number"),
        ({"first_line": [1, "2", 3]}, "first_line, row 1: '2' is no whole number"),
        ({"first_line": [True, False, True]}, "first_line, row 0: .*True.* is no whole number"),
        ({"first_line": [1, 0, 3]}, r"first_line, row 1 .*not allowed \(at least 1\)"),
        ({"is_legends": [0, 1, 0]}, "is_legends, row 0: .*0.* is neither true nor false"),
        ({"is_legends": [True, None, True]}, "is_legends, row 1 .*is NULL"),
    ],
)
def test_refusals_name_table_column_and_row(columns: dict, words: str) -> None:
    with pytest.raises(ContractError, match=words):
        conform(SHEETS, _sheets(**columns))


def test_a_required_column_cannot_be_left_out() -> None:
    with pytest.raises(ContractError, match=r"core.datasheet lacks column name"):
        conform(SHEETS, _sheets().drop(columns="name"))


@pytest.mark.parametrize("value", [math.inf, -math.inf, 1e300])
def test_no_infinity_even_after_rounding_to_32_bits(value: float) -> None:
    rows = pd.DataFrame(sample()["out.loadout_matchup"]).assign(expected_damage=value)
    with pytest.raises(ContractError, match=r"expected_damage, row 0: .* is infinite"):
        conform(LOADOUTS, rows)


@pytest.mark.parametrize("value", ["x", True, [1]])
def test_a_real_is_a_number(value: object) -> None:
    rows = pd.DataFrame(sample()["out.loadout_matchup"])
    rows["expected_damage"] = pd.Series([value] * len(rows), dtype=object)
    with pytest.raises(ContractError, match=r"expected_damage, row 0: .* is no number"):
        conform(LOADOUTS, rows)


@pytest.mark.parametrize("value", [[0.5, math.nan], ["a"], 3.0, [[0.5]]])
def test_a_distribution_is_a_list_of_finite_numbers(value: object) -> None:
    rows = pd.DataFrame(sample()["out.loadout_matchup"])
    rows["models_slain_pmf"] = pd.Series([value] * len(rows), dtype=object)
    with pytest.raises(ContractError, match=r"models_slain_pmf, row 0: .* is no list of finite numbers"):
        conform(LOADOUTS, rows)


def test_json_has_one_spelling() -> None:
    rows = pd.DataFrame(sample()["core.effect"])
    one = conform(TABLES["core.effect"], rows.assign(params=[{"b": 1, "a": "é"}, None]))
    other = conform(TABLES["core.effect"], rows.assign(params=['{ "a": "é", "b": 1 }', None]))
    pd.testing.assert_frame_equal(one, other)
    assert sorted(one["params"].dropna()) == ['{"a":"é","b":1}']


@pytest.mark.parametrize(
    ("column", "value"),
    [("params", [1]), ("params", "{"), ("condition", {"a": 1}), ("condition", "x"), ("params", {"a": math.nan})],
)
def test_json_of_the_wrong_kind_is_refused(column: str, value: object) -> None:
    rows = pd.DataFrame(sample()["core.effect"])
    rows[column] = pd.Series([value] * len(rows), dtype=object)
    with pytest.raises(ContractError, match=rf"core.effect.{column}, row 0: .* is no JSON"):
        conform(TABLES["core.effect"], rows)


def test_tuples_are_lists() -> None:
    rows = pd.DataFrame(sample()["core.effect"])
    rows["requires"] = pd.Series([("unit_keyword:A",), ()], dtype=object)
    assert set(conform(TABLES["core.effect"], rows)["requires"]) == {'["unit_keyword:A"]', "[]"}


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.permutations(range(6)))
def test_the_order_of_rows_does_not_matter(order: list[int]) -> None:
    rows = pd.DataFrame(sample()["out.signature_matchup"])
    table = TABLES["out.signature_matchup"]
    pd.testing.assert_frame_equal(conform(table, rows.iloc[order]), conform(table, rows))


def test_numpy_values_inside_objects_are_taken() -> None:
    frame = conform(SHEETS, _sheets(first_line=pd.Series([np.int64(4), None, 5.0], dtype=object)))
    assert sorted(frame["first_line"].dropna()) == [4, 5]

"""Dice texts, distributions, and changes to rolled numbers."""

from itertools import product

import numpy as np
import pytest

from models.dice import Dice, Rolled, changed_pmf, compounded, dice_pmf, fixed, mean, parse_dice, rolled_pmf


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        ("1", Dice(0, 0, 1)),
        ("D3", Dice(1, 3, 0)),
        ("d6+3", Dice(1, 6, 3)),
        ("2D6", Dice(2, 6, 0)),
        ("3D3+2", Dice(3, 3, 2)),
        (" D6 + 1 ", Dice(1, 6, 1)),
        (7, Dice(0, 0, 7)),
    ],
)
def test_dice_texts(text: object, dice: Dice) -> None:
    assert parse_dice(text) == dice
    assert parse_dice(str(dice)) == dice


@pytest.mark.parametrize("text", ["", "D", "D4", "x", "D6+", "0D6", "D6-3", "1.5", None, True, 1.5, float("nan")])
def test_what_is_no_dice_text(text: object) -> None:
    with pytest.raises(ValueError, match="dice text"):
        parse_dice(text)


def test_sum_of_dice_by_counting_faces() -> None:
    counts = np.zeros(14)
    for faces in product(range(1, 4), repeat=3):
        counts[sum(faces) + 2] += 1
    assert np.allclose(dice_pmf(parse_dice("3D3+2"))[: len(counts)], counts[:12] / 27, atol=1e-15)


def test_reroll_of_several_dice_rolls_all_of_them_below_the_mean() -> None:
    expected = np.zeros(13)
    pairs = [a + b for a, b in product(range(1, 7), repeat=2)]
    for first in pairs:
        for second in pairs:
            expected[second if first < 7 else first] += 1 / 36**2
    assert np.allclose(rolled_pmf(parse_dice("2D6"), "any"), expected, atol=1e-15)


def test_ones_of_a_single_die_whatever_is_added_to_it() -> None:
    pmf = rolled_pmf(parse_dice("D6+2"), "ones")
    assert pmf[3] == pytest.approx(1 / 36)
    assert pmf[4:] == pytest.approx([7 / 36] * 5)


@pytest.mark.parametrize(
    ("rolled", "values"),
    [
        (Rolled(parse_dice("D6+1"), halvings=1), [1, 2, 2, 3, 3, 4]),
        (Rolled(parse_dice("D6"), halvings=1, added=(fixed(2),)), [3, 3, 4, 4, 5, 5]),
        (Rolled(parse_dice("D3"), subtracted=1), [1, 1, 2]),
        (Rolled(fixed(3), halvings=1, subtracted=1), [1]),
        (Rolled(fixed(0), floor=0), [0]),
        (Rolled(fixed(1), subtracted=4), [1]),
    ],
)
def test_each_result_is_changed(rolled: Rolled, values: list[int]) -> None:
    expected = np.bincount(values) / len(values)
    assert changed_pmf(rolled) == pytest.approx(expected)


def test_a_random_number_of_rolls() -> None:
    number, each = dice_pmf(parse_dice("D3")), dice_pmf(parse_dice("D6"))
    assert mean(compounded(number, each)) == pytest.approx(2 * 3.5)
    assert compounded(number, each).sum() == pytest.approx(1.0)

"""Dice texts of the game and their exact distributions.

Belongs here: reading `D6+3`, probability arrays indexed by value, and the changes that rules make to a rolled number.
Does not belong here: what a number means (attacks, damage, extra hits); that is in the modules of the attack sequence.

A distribution is a float64 array `p` with `p[v]` the probability of the value `v >= 0`.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Pmf = NDArray[np.float64]

_TEXT = re.compile(r"(?:(?P<count>\d*)\s*D\s*(?P<sides>3|6)(?:\s*(?P<plus>[+-]\s*\d+))?|(?P<fixed>\d+))", re.IGNORECASE)


@dataclass(frozen=True, order=True)
class Dice:
    """`count` dice of `sides` faces added together, plus a fixed number; a constant has no dice."""

    count: int
    sides: int
    plus: int

    @property
    def mean(self) -> float:
        return self.count * (self.sides + 1) / 2 + self.plus

    @property
    def is_fixed(self) -> bool:
        return self.count == 0

    @property
    def maximum(self) -> int:
        return self.count * self.sides + self.plus

    @property
    def minimum(self) -> int:
        return self.count + self.plus

    def __str__(self) -> str:
        if self.is_fixed:
            return str(self.plus)
        head = f"{self.count if self.count > 1 else ''}D{self.sides}"
        return f"{head}{self.plus:+d}" if self.plus else head


def fixed(value: int) -> Dice:
    """A constant as dice."""
    return Dice(0, 0, value)


def parse_dice(text: object) -> Dice:
    """Read `1`, `D3`, `D6+3`, `2D6`, `3D3+2` (or a whole number). ValueError says what cannot be read."""
    if isinstance(text, bool) or not isinstance(text, (str, int)):
        if isinstance(text, float) and text.is_integer():
            return parse_dice(int(text))
        raise ValueError(f"not a dice text: {text!r}")
    match = _TEXT.fullmatch(str(text).strip())
    if match is None:
        raise ValueError(f"not a dice text: {text!r}")
    if match["fixed"] is not None:
        return fixed(int(match["fixed"]))
    count = int(match["count"] or 1)
    if count == 0:
        raise ValueError(f"not a dice text: {text!r}")
    dice = Dice(count, int(match["sides"]), int((match["plus"] or "0").replace(" ", "")))
    if dice.minimum < 0:
        raise ValueError(f"dice text with values below zero: {text!r}")
    return dice


def point(value: int) -> Pmf:
    """All probability on one value."""
    pmf = np.zeros(value + 1)
    pmf[value] = 1.0
    return pmf


@lru_cache(maxsize=4096)
def dice_pmf(dice: Dice) -> Pmf:
    """Distribution of the sum. A D3 is a D6 halved, rounded up: three equal faces."""
    pmf = point(0)
    if dice.count:
        face = np.zeros(dice.sides + 1)
        face[1:] = 1.0 / dice.sides
        pmf = power(face, dice.count)
    return _locked(shifted(pmf, dice.plus))


def _locked(pmf: Pmf) -> Pmf:
    pmf.setflags(write=False)
    return pmf


def shifted(pmf: Pmf, by: int) -> Pmf:
    """Every value changed by the same whole number; values below zero are an error of the caller."""
    if by >= 0:
        return np.concatenate([np.zeros(by), pmf])
    if pmf[:-by].any():
        raise ValueError("a value would fall below zero")
    return pmf[-by:].copy()


def convolved(first: Pmf, second: Pmf) -> Pmf:
    """Distribution of the sum of two independent values."""
    return np.convolve(first, second)


def power(pmf: Pmf, times: int) -> Pmf:
    """Distribution of the sum of `times` independent values."""
    result, square = point(0), pmf
    while times:
        if times & 1:
            result = np.convolve(result, square)
        times >>= 1
        if times:
            square = np.convolve(square, square)
    return result


def compounded(number: Pmf, each: Pmf) -> Pmf:
    """Distribution of the sum of a random number of independent values."""
    result = np.zeros((len(number) - 1) * (len(each) - 1) + 1)
    total = point(0)
    for count, chance in enumerate(number):
        if count:
            total = np.convolve(total, each)
        if chance:
            result[: len(total)] += chance * total
    return result


def mean(pmf: Pmf) -> float:
    return float(pmf @ np.arange(len(pmf)))


def mapped(pmf: Pmf, change: Callable[[int], int]) -> Pmf:
    """Distribution after each value is changed; `change` must give values of zero or more."""
    values = [change(value) for value in range(len(pmf))]
    result = np.zeros(max(value for value, chance in zip(values, pmf, strict=True) if chance > 0) + 1)
    for value, chance in zip(values, pmf, strict=True):
        if chance > 0:
            result[value] += chance
    return result


def rerolled(pmf: Pmf, values: Callable[[int], bool]) -> Pmf:
    """Results for which `values` says yes are rolled once more, all dice together, and the second roll stands."""
    again = np.array([values(value) for value in range(len(pmf))])
    return np.where(again, 0.0, pmf) + pmf[again].sum() * pmf


@lru_cache(maxsize=4096)
def rolled_pmf(dice: Dice, reroll: str) -> Pmf:
    """Distribution of a roll with a re-roll: `none`, `ones` (the dice come to 1) or `any` (below the mean).

    The fixed part of `D6+1` is no part of the roll, so a re-roll looks at the dice alone.
    """
    if dice.is_fixed or reroll == "none":
        return dice_pmf(dice)
    bare = Dice(dice.count, dice.sides, 0)
    if reroll == "ones":
        pmf = rerolled(dice_pmf(bare), lambda value: value == 1)
    elif reroll == "any":
        pmf = rerolled(dice_pmf(bare), lambda value: value < bare.mean)
    else:
        raise ValueError(f"no such re-roll: {reroll!r}")
    return _locked(shifted(pmf, dice.plus))


@dataclass(frozen=True)
class Rolled:
    """A rolled number and the changes to it, in the order that the rules give them.

    Replace (already done in `base`), divide by two `halvings` times, add dice and numbers, subtract, round up;
    then the result is held to `floor`.
    """

    base: Dice
    reroll: str = "none"
    halvings: int = 0
    added: tuple[Dice, ...] = ()
    subtracted: int = 0
    floor: int = 1


@lru_cache(maxsize=65536)
def changed_pmf(rolled: Rolled) -> Pmf:
    """Distribution of a changed roll: each result is changed, not the mean."""
    pmf = rolled_pmf(rolled.base, rolled.reroll)
    if rolled.halvings:
        divisor = 2**rolled.halvings
        # Everything added or taken away is whole, so rounding up may come before it.
        pmf = mapped(pmf, lambda value: math.ceil(value / divisor))
    for extra in rolled.added:
        pmf = np.convolve(pmf, dice_pmf(extra))
    low, less = rolled.floor, rolled.subtracted
    if less or pmf[:low].any():
        pmf = mapped(pmf, lambda value: max(value - less, low))
    pmf = pmf.copy()
    return _locked(pmf)

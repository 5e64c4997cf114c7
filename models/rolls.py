"""One six-sided die with a meaning for each face, and re-rolls of it.

Belongs here: what Hit rolls, Wound rolls and saving throws share. Does not belong here: how a face gets its meaning.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

FACES = (1, 2, 3, 4, 5, 6)
REROLLS = ("none", "ones", "failed", "non_critical")


class Outcome(IntEnum):
    FAILURE = 0
    SUCCESS = 1
    CRITICAL = 2


class Chances(NamedTuple):
    """Probabilities of a success that is not critical, and of a critical one."""

    plain: float
    critical: float

    @property
    def success(self) -> float:
        return self.plain + self.critical


def capped(modifier: int) -> int:
    """Modifiers of a Hit or Wound roll are summed, and the sum is held to -1..+1."""
    return max(-1, min(1, modifier))


def is_rerolled(face: int, outcome: Outcome, reroll: str) -> bool:
    """Whether the player rolls this face again. `failed` means failed after modifiers."""
    if reroll == "ones":
        return face == 1
    if reroll == "failed":
        return outcome is Outcome.FAILURE
    if reroll == "non_critical":
        return outcome is not Outcome.CRITICAL
    return False


def chances(outcomes: Sequence[Outcome], reroll: str) -> Chances:
    """Probabilities of a die with these outcomes for faces 1 to 6; a die is re-rolled once at most."""
    kept = {Outcome.SUCCESS: 0, Outcome.CRITICAL: 0}
    every = {Outcome.SUCCESS: 0, Outcome.CRITICAL: 0}
    again = 0
    for face, outcome in zip(FACES, outcomes, strict=True):
        rolled_again = is_rerolled(face, outcome, reroll)
        again += rolled_again
        if outcome is not Outcome.FAILURE:
            every[outcome] += 1
            kept[outcome] += not rolled_again
    return Chances(
        (6 * kept[Outcome.SUCCESS] + again * every[Outcome.SUCCESS]) / 36,
        (6 * kept[Outcome.CRITICAL] + again * every[Outcome.CRITICAL]) / 36,
    )

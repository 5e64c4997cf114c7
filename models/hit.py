"""The Hit roll.

Readings. An unmodified 1 misses; an unmodified 6 is a Critical Hit and hits. Modifiers are summed and held to -1..+1.
A critical on less than 6 counts only if the roll succeeds anyway where the rule says "successful"; otherwise the
critical is itself a hit. Where only an unmodified N or more hits (Fire Overwatch), nothing else makes a hit, whatever
is critical. An attack that hits automatically (Torrent, no skill) makes no roll: no criticals, no modifiers.
"""

from dataclasses import dataclass
from functools import lru_cache

from models.rolls import FACES, Chances, Outcome, capped, chances


@dataclass(frozen=True)
class HitRule:
    """All that decides a Hit roll. Thresholds are unmodified faces; 7 means never."""

    automatic: bool = False
    skill: int = 7
    modifier: int = 0
    reroll: str = "none"
    critical_on: int = 6
    critical_if_successful: int = 6
    only_on: int | None = None
    fails_to: int = 1


def hit_outcome(rule: HitRule, face: int) -> Outcome:
    """What an unmodified face means."""
    if face <= max(rule.fails_to, 1):
        return Outcome.FAILURE
    succeeds = face + capped(rule.modifier) >= rule.skill or face == 6
    if rule.only_on is not None:
        if face < rule.only_on:
            return Outcome.FAILURE
        succeeds = True
    if face == 6 or face >= rule.critical_on or (succeeds and face >= rule.critical_if_successful):
        return Outcome.CRITICAL
    return Outcome.SUCCESS if succeeds else Outcome.FAILURE


@lru_cache(maxsize=65536)
def hit_chances(rule: HitRule) -> Chances:
    """Probabilities that one attack hits plainly and critically."""
    if rule.automatic:
        return Chances(1.0, 0.0)
    return chances([hit_outcome(rule, face) for face in FACES], rule.reroll)

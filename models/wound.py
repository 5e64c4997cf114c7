"""The Wound roll.

Readings. Strength against Toughness: 2+ at twice or more, 3+ above, 4+ equal, 5+ below, 6+ at half or less. An
unmodified 1 fails; an unmodified 6 is a Critical Wound and wounds. Anti-X Y+ makes an unmodified Y+ critical, and so
successful. Modifiers are summed and held to -1..+1. Twin-linked re-rolls the Wound roll, once like any die. An attack
that wounds automatically (Lethal Hits on a Critical Hit) made no Wound roll and is no Critical Wound.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from models.rolls import FACES, Chances, Outcome, capped, chances


@dataclass(frozen=True)
class WoundRule:
    """All that decides a Wound roll. Thresholds are unmodified faces; 7 means never."""

    automatic: bool = False
    needed: int = 4
    modifier: int = 0
    reroll: str = "none"
    critical_on: int = 6
    critical_if_successful: int = 6
    fails_to: int = 1

    def against(self, strength: int, toughness: int, anti_threshold: int) -> "WoundRule":
        """The rule with what depends on the target: the roll needed, and the Anti threshold (7: none)."""
        if self.automatic:
            return self
        return replace(
            self, needed=wound_needed(strength, toughness), critical_on=min(self.critical_on, anti_threshold)
        )


def wound_needed(strength: int, toughness: int) -> int:
    """The modified roll that wounds."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def wound_outcome(rule: WoundRule, face: int) -> Outcome:
    """What an unmodified face means. A rule that unmodified low rolls always fail beats everything else."""
    if face <= max(rule.fails_to, 1):
        return Outcome.FAILURE
    succeeds = face + capped(rule.modifier) >= rule.needed or face == 6
    if face == 6 or face >= rule.critical_on or (succeeds and face >= rule.critical_if_successful):
        return Outcome.CRITICAL
    return Outcome.SUCCESS if succeeds else Outcome.FAILURE


@lru_cache(maxsize=65536)
def wound_chances(rule: WoundRule) -> Chances:
    """Probabilities that one hit wounds plainly and critically."""
    if rule.automatic:
        return Chances(1.0, 0.0)
    return chances([wound_outcome(rule, face) for face in FACES], rule.reroll)

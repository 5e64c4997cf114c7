"""The saving throw.

Readings. The better of the armour save, changed by Armour Penetration, and the invulnerable save, never changed by it.
An unmodified 1 fails. All modifiers of the roll are summed, Armour Penetration among them, and the sum is held to +1
at best. The Benefit of Cover is +1 to the armour save against ranged attacks, not for a Save of 3+ or better against
AP 0, and never twice. A better Save characteristic is no roll modifier and is never better than 2+.
"""

from dataclasses import dataclass
from functools import lru_cache

from models.rolls import FACES, Outcome, chances

NO_SAVE = 7


@dataclass(frozen=True)
class SaveRule:
    """What an attack does to a saving throw. `cover`: the target has its benefit and the attack does not deny it."""

    armour_penetration: int = 0
    cover: bool = False
    modifier: int = 0
    reroll: str = "none"
    fails_to: int = 1


def _failed(rule: SaveRule, needed: int, modifier: int) -> float:
    held = min(1, modifier)
    outcomes = [
        Outcome.SUCCESS if face > max(rule.fails_to, 1) and face + held >= needed else Outcome.FAILURE for face in FACES
    ]
    return 1.0 - chances(outcomes, rule.reroll).plain


def has_cover(rule: SaveRule, save: int) -> bool:
    """Whether cover counts for a model with this Save characteristic, both numbers as they stand after changes."""
    return rule.cover and not (save <= 3 and rule.armour_penetration == 0)


def armour_modifier(rule: SaveRule, save: int) -> int:
    """Sum of the modifiers of an armour saving throw, held to +1 at best."""
    return min(1, rule.armour_penetration + rule.modifier + has_cover(rule, save))


@lru_cache(maxsize=65536)
def chance_unsaved(rule: SaveRule, save: int, invulnerable_save: int) -> float:
    """Probability that a model fails its better saving throw; an invulnerable save of 7 stands for having none.

    (A printed Save of 7+ is a save that cover can still make possible.)
    """
    armour = _failed(rule, save, armour_modifier(rule, save))
    if invulnerable_save >= NO_SAVE:
        return armour
    return min(armour, _failed(rule, invulnerable_save, rule.modifier))

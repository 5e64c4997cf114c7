"""The two sides of an attack as plain records: a weapon profile, the unit that it targets, the unit that makes it.

Belongs here: printed facts and what can be read off them. Does not belong here: changes by rules (`models.fold`).
"""

from dataclasses import dataclass, field
from functools import cached_property

from models.dice import Dice
from models.keywords import WeaponKeywords

BODYGUARD, LEADER = "bodyguard", "leader"


class CaseError(ValueError):
    """Something that cannot be resolved, with the field that it comes from."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class NotModelled(CaseError):
    """A rule that is understood, and that the engine does not resolve."""

    def __init__(self, place: str, what: str) -> None:
        super().__init__(place, f"not modelled: {what}")


@dataclass(frozen=True)
class Weapon:
    """A weapon profile. `skill` None: it hits automatically; `range_in` None: melee, or a range that is not told."""

    name: str
    attack_type: str
    range_in: int | None
    attacks: Dice
    skill: int | None
    strength: Dice
    armour_penetration: int
    damage: Dice
    keywords: WeaponKeywords = field(default_factory=WeaponKeywords)

    @property
    def is_ranged(self) -> bool:
        return self.attack_type == "ranged"


@dataclass(frozen=True)
class ModelGroup:
    """Equal models of a unit; saves and Feel No Pains hold (threshold, versus), `wounds_lost` is on one model."""

    name: str
    count: int
    toughness: int
    save: int
    wounds: int
    invulnerable_saves: tuple[tuple[int, str], ...] = ()
    feel_no_pains: tuple[tuple[int, str], ...] = ()
    role: str = BODYGUARD
    wounds_lost: int = 0
    tells_wounds_lost: bool = False


@dataclass(frozen=True)
class TargetUnit:
    """The unit that is attacked: groups in the order of allocation; a unit has the keywords of all its models."""

    groups: tuple[ModelGroup, ...]
    keywords: frozenset[str] = frozenset()

    @cached_property
    def models(self) -> int:
        return sum(group.count for group in self.groups)

    @cached_property
    def bodyguards(self) -> tuple[ModelGroup, ...]:
        """The models that shield the others; the whole unit where there is no leader or nothing but leaders."""
        guards = tuple(group for group in self.groups if group.role == BODYGUARD)
        return guards or self.groups

    @cached_property
    def leaders(self) -> tuple[ModelGroup, ...]:
        """Leaders of an Attached unit; a leader on its own leads nobody."""
        guards = self.bodyguards
        return () if guards is self.groups else tuple(group for group in self.groups if group.role == LEADER)

    @property
    def is_attached(self) -> bool:
        return bool(self.leaders)


@dataclass(frozen=True)
class Attacker:
    """What is told of the attacking unit beside its weapons; None where nothing is."""

    keywords: frozenset[str] | None = None
    toughness: int | None = None
    models: int | None = None
    wounds: int | None = None
    wounds_lost: int = 0
    feel_no_pains: tuple[tuple[int, str], ...] = ()
    hazardous_destroys: bool = False

"""What a segment of rules English says, before it is known what it is about.

Belongs here: the small immutable values that `reading` makes of one segment. Does not belong here: parsing, and what the
values mean for an attack (`compiler`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Pred:
    """One thing said of a unit, model or attack: `name` as in the grammar, `arg` a number, word or Who."""

    name: str
    arg: Any = None
    negated: bool = False


@dataclass(frozen=True)
class Who:
    """A unit or model that a text names.

    `owner`: friend (the owner of the rule), enemy, any (the text does not say), that, it, attacker or target (words that
    point back). `scope`: self, unit, army or None. `keywords`: alternatives, each a tuple of keywords that all hold.
    """

    owner: str
    level: str = "unit"
    scope: str | None = None
    keywords: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[str, ...] = ()
    preds: tuple[Pred, ...] = ()
    abilities: tuple[str, ...] = ()
    model_name: str | None = None
    equipped: str | None = None
    weapons_excluded: str | None = None
    plural: bool = False


@dataclass(frozen=True)
class Weapons:
    """Weapons that a text names: `attack_type` ranged, melee or any; `name` as effects print it (None: all of them)."""

    attack_type: str = "any"
    name: str | None = None
    owner: Who | None = None
    excluded: str | None = None
    targeting: Who | None = None
    back_reference: bool = False


@dataclass(frozen=True)
class Segment:
    """One segment: `kind` names the rule of the grammar, `data` holds its parts.

    `instead` and `also`: the segment ended in (or began with) those words. `suffix`: a condition that follows its clause. `alternative`: a
    condition joined to the one before by `or`. `opaque` segments are conditions whose words
    the grammar does not know but which hold no word of an attack.
    """

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)
    instead: bool = False
    also: bool = False
    suffix: bool = False
    alternative: bool = False
    text: str = ""

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def get(self, key: str, default: Any = None) -> Any:
        """The part of that name, or the default."""
        return self.data.get(key, default)

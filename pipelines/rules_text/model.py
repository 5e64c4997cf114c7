"""The compiler's inputs and outputs.

Belongs here: the public values of the package. Does not belong here: how they are made.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class RuleText:
    """One text to compile.

    `text` is plain: newlines between paragraphs, `- ` before a bullet, keywords in capitals, weapon abilities in [BRACKETS].
    `kind` is the kind of an ability (core, faction, datasheet, wargear, weapon, damaged, special) or, for a text whose
    `parent` is another rule, what it is to that rule (stance, order, oath, option). `parts` holds the parts of a stratagem
    (when, target, effect, restrictions) where a reader has them. `value` is the printed value of a core ability.
    """

    origin: str
    name: str
    text: str
    kind: str | None = None
    parts: Mapping[str, str] = field(default_factory=dict)
    parent: str | None = None
    faction: str | None = None
    value: str | None = None


@dataclass(frozen=True)
class Effect:
    """One atomic change to one attack sequence; the fields are those of a row of `core.effect`.

    `instead_of` counts from 1 among the effects of the same text. `source_name` is set when the effect belongs to a granted
    ability or option that has a name of its own. `category` is set for kind `none` only.
    """

    side: str | None
    phase: str | None
    attack_type: str | None
    kind: str
    params: dict[str, Any]
    condition: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    weapon_filter: str | None = None
    choice_group: str | None = None
    instead_of: int | None = None
    scope: str | None = None
    source_name: str | None = None
    category: str | None = None


@dataclass(frozen=True)
class Compiled:
    """What became of a text.

    `status`: read (effects that change an attack), not_attack (one effect of kind none, and `category`), not_understood.
    `stopped_at` is the clause that could not be read. It is also set with status `read` when a sentence that provably does
    not touch the effects given was left unread.
    """

    status: str
    category: str | None
    effects: tuple[Effect, ...]
    stopped_at: str | None

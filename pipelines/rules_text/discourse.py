"""What a text has said so far, and the attack that a clause is about.

Belongs here: the values that pass from sentence to sentence. Does not belong here: reading (`referents`, `prefixes`, `clauses`).
"""

from dataclasses import dataclass, field

from pipelines.rules_text.model import Effect, RuleText
from pipelines.rules_text.nodes import Weapons, Who


class NotUnderstood(Exception):
    """A stretch of text that no reading covers; the message is that stretch."""


SHOOTING, FIGHT = frozenset({"shooting"}), frozenset({"fight"})
SELF = Who("friend", "model", "self")


@dataclass(frozen=True)
class Selection:
    """A unit chosen or named earlier: `that unit`. `tokens` are conditions without their prefix."""

    who: Who
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True)
class Attack:
    """The attack that a clause is about: whose, of which type, and everything that narrows it."""

    side: str
    attack_type: str = "any"
    requires: tuple[str, ...] = ()
    condition: tuple[str, ...] = ()
    scope: str | None = None
    weapon_filter: str | None = None
    phases: frozenset[str] = frozenset()


@dataclass
class Frame:
    """What the segments of one sentence have said so far."""

    phases: frozenset[str] = frozenset()
    edge: bool = False
    length: str | None = None
    conditions: list[str] = field(default_factory=list)
    attack: Attack | None = None
    critical: str | None = None
    success_on: int | str | None = None
    dice: int | str = 1
    per: str = "once"
    destroyed: Who | None = None
    destroyed_type: str = "any"
    destroyed_conditions: list[str] = field(default_factory=list)
    subject: Who | None = None
    reroll_rolls: list[str] = field(default_factory=list)
    stratagem: str | None = None
    weapons: Weapons | None = None
    made_with: Weapons | None = None
    outcomes: int = 0
    acting: str | None = None
    raised: tuple[int, str] | None = None
    exactly: bool = False
    most_dice: int | None = None


@dataclass
class Discourse:
    """What a text has said so far."""

    rule: RuleText
    phases: frozenset[str] = frozenset()
    requires: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    that: Selection | None = None
    enemy: Selection | None = None
    friend: Selection | None = None
    weapons: Weapons | None = None
    subject: Who | None = None
    chosen: list[str] | None = None
    chosen_tokens: tuple[str, ...] = ()
    chosen_used: bool = False
    target_keywords: tuple[str, ...] = ()
    states: dict[str, Selection] = field(default_factory=dict)
    previous: Frame | None = None
    choice_group: str | None = None
    source_name: str | None = None
    effects: list[Effect] = field(default_factory=list)
    harmless: list[str] = field(default_factory=list)
    sentence_start: int = 0
    stratagem_scope: str | None = None
    when_rolls: tuple[str, ...] = ()
    struck: Frame | None = None
    limits: tuple[str, ...] = ()

"""From segments to effects: who attacks whom, when, on what condition, and what changes.

Belongs here: the discourse of a text (what `that unit` and `instead` point to, which sentences hang together, options and
their alternatives). Does not belong here: words and phrases (the grammar), files, caches.

What is refused: a sentence with a stretch that the grammar does not read is not understood, and gives no effect. It takes
with it every sentence that it may touch: those before it when it points back (`instead`, `that attack`, `such`), those
after it when they point back. What stands is what reads the same with the unread sentence gone; `stopped_at` names it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from pipelines.rules_text import vocabulary
from pipelines.rules_text.model import Compiled, Effect, RuleText
from pipelines.rules_text.nodes import Pred, Segment, Weapons, Who
from pipelines.rules_text.normalise import normalise, sentences
from pipelines.rules_text.reading import CLAUSES, parse, read_sentence


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
    limits: tuple[str, ...] = ()


def _dedupe(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for item in items if item))


def either(first: str, second: str) -> str:
    """A disjunction of two conditions; the first may be one already."""
    return f"{first}|{second}" if first.startswith("any_of:") else f"any_of:{first}|{second}"


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_").lower()[:80]


# ------------------------------------------------------------------------------------------------ tokens
def keyword_tokens(prefix: str, keywords: tuple[tuple[str, ...], ...], negated: bool = False) -> tuple[str, ...]:
    """`unit_keyword:X` for each keyword that must hold, `unit_keyword_any:X|Y` for alternatives."""
    infix = "_not" if negated else ""
    if not keywords:
        return ()
    if len(keywords) == 1:
        return tuple(f"{prefix}{infix}_keyword:{name}" for name in keywords[0])
    return (f"{prefix}{infix}_keyword_any:" + "|".join(" ".join(names) for names in keywords),)


def excluded_tokens(prefix: str, excluded: tuple[str, ...]) -> tuple[str, ...]:
    """`unit_not_keyword:X`, or `..._any:X|Y` for a target that has none of several."""
    if not excluded:
        return ()
    if prefix in {"target", "attacker"}:
        prefix_any = f"{prefix}_not_keyword_any:" + "|".join(excluded)
        return (prefix_any,) if len(excluded) > 1 else (f"{prefix}_not_keyword:{excluded[0]}",)
    return tuple(f"{prefix}_not_keyword:{name}" for name in excluded)


def pred_tokens(pred: Pred, prefix: str) -> tuple[str, ...]:
    """Condition tokens of one thing said about the owner (`unit`), the `target` or the `attacker`."""
    bar = "" if prefix == "unit" else f"{prefix}_"
    no = "not_" if pred.negated else ""
    name, arg = pred.name, pred.arg
    if name in {"below_starting_strength", "below_half_strength", "at_starting_strength", "battle_shocked"}:
        return (f"{no}{prefix}_{name}",)
    if name == "within":
        distance, who = arg
        if prefix != "unit":
            return (f"{no}{prefix}_within:{distance}",)
        if who is None:
            return (f"{no}enemy_within:{distance}",)
        side = "enemy" if who.owner == "enemy" else "friendly"
        named = "|".join(" ".join(k) for k in who.keywords) or who.model_name or ""
        return (f"{no}{side}_within:{distance}" + (f":{named}" if named else ""),)
    if name == "farther_than":
        return (f"{no}{bar}farther_than:{arg[0]}",)
    if name == "objective":
        if prefix == "unit":
            return (f"{no}within_objective:{arg}",)
        return (f"{no}{bar}within_objective" + ("" if arg == "any" else f":{arg}"),)
    if name == "engagement_range":
        return (f"{no}{bar}within_engagement_range" + (f":{arg}" if arg else ""),)
    if name == "half_range":
        return (f"{no}within_half_range",)
    if name == "keyword":
        role = "owner" if prefix == "unit" else prefix
        return keyword_tokens(role, arg, pred.negated)
    if name == "model_keyword":
        return keyword_tokens("model" if prefix == "unit" else prefix, arg)
    if name == "doctrine":
        return (f"{no}stance_active:{arg}",)
    if name == "order":
        return (f"{no}order_active",)
    if name == "state":
        return (f"{no}{bar}{_slug(arg)}",)
    if name == "named":
        return (f"target_named:{arg}",)
    if name == "charged":
        return ("charging",) if prefix == "unit" else (f"{bar}charged",)
    if name == "disembarked":
        return ("disembarked_from_source",) if arg == "source" else ("disembarked_this_turn",)
    if name == "not_bearer":
        return ("not_bearer",)
    if name == "stationary":
        return (f"{no}stationary",)
    if name == "lost_wounds":
        return (f"{bar}model_lost_wounds",)
    if name == "was_target":
        return ()
    if name == "shocked_or_half":
        return (f"any_of:{prefix}_battle_shocked|{prefix}_below_half_strength",)
    if name == "hit_with":
        return (f"hit_with_weapon:{arg}",)
    if name == "opaque" and arg == "on the battlefield":
        return ()
    if name == "opaque":
        return (f"{bar}if:{_slug(arg)}",)
    if name == "within_of_source":
        return (f"within_of_source:{arg}",)
    if name == "models_at_least":
        return (f"{no}{bar}models_at_least:{arg}",)
    if name == "not_selected":
        return (f"not_selected_to_{arg}",)
    if name == "eligible":
        return ()
    return (f"{no}{bar}{name}",)


def owner_tokens(who: Who) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(requires, condition) of a friendly unit or model that a text names."""
    requires = [*keyword_tokens("unit", who.keywords), *excluded_tokens("unit", who.excluded)]
    requires += [f"unit_ability:{name}" for name in who.abilities if name != "this"]
    if who.model_name:
        named = who.level == "unit" and not who.keywords
        requires.append(f"unit_keyword:{who.model_name.upper()}" if named else f"model_name:{who.model_name}")
    if who.equipped:
        requires.append(f"equipped_with:{who.equipped}")
    condition: list[str] = []
    for pred in who.preds:
        if (
            pred.name == "within"
            and pred.arg[1] is not None
            and pred.arg[1].scope in {"self", "unit"}
            and not pred.negated
        ):
            continue
        tokens = pred_tokens(pred, "unit")
        (
            requires if pred.name in {"not_selected", "model_keyword", "within_of_source", "not_bearer"} else condition
        ).extend(tokens)
    return _dedupe(requires), _dedupe(condition)


def enemy_tokens(who: Who, prefix: str) -> tuple[str, ...]:
    """Condition tokens of an enemy unit, as target or as attacker."""
    tokens = [*keyword_tokens(prefix, who.keywords), *excluded_tokens(prefix, who.excluded)]
    tokens += [f"{prefix}_ability:{name}" for name in who.abilities]
    if who.model_name:
        tokens.append(f"{prefix}_named:{who.model_name}")
    for pred in who.preds:
        tokens += pred_tokens(pred, prefix)
    return _dedupe(tokens)


def aura_of(who: Who) -> int | None:
    """The reach of an aura: the unit must be within so many inches of the rule's owner."""
    for pred in who.preds:
        if pred.name == "within" and not pred.negated:
            distance, source = pred.arg
            if source is not None and source.owner == "friend" and source.scope in {"self", "unit"}:
                return int(distance)
    return None


def scope_of(who: Who) -> str | None:
    """The scope of a friendly unit or model."""
    reach = aura_of(who)
    return f"aura:{reach}" if reach is not None else who.scope


# ------------------------------------------------------------------------------------------------ the reader
_OPAQUE_TOKENS = tuple(
    (re.compile(pattern), token)
    for pattern, token in (
        (r"^(?:if|when|each time) (?:it|this (?:unit|model)|the bearer(?:'s unit)?|this model's unit|your unit|that unit) (?:ends|makes|made|ended) a [Cc]harge move", "charging"),
        (r"^(?:if|when|each time) (?:it|this (?:unit|model)|the bearer(?:'s unit)?|this model's unit|that unit) disembark(?:s|ed) from", "disembarked_this_turn"),
        (r"^(?:if|when|each time) (?:it|this (?:unit|model)|the bearer(?:'s unit)?|your unit) [Rr]emain(?:s|ed) [Ss]tationary", "stationary"),
        (r"^while (?:(?:that|this) (?:unit|model) is )?Empowered$", "empowered"),
        (r"^once per battle for each ", "once_per_battle"),
        (r"^(?:while|if) the [A-Z][\w' !]+ is active(?: for your army)?$", "stance_active:NAME"),
    )
)  # fmt: skip


class TextReader:
    """Reads the sentences of one text in order, keeping the discourse; `NotUnderstood` leaves it unchanged in effects."""

    def __init__(self, discourse: Discourse) -> None:
        self.d = discourse

    # -- references
    def resolve(self, who: Who, frame: Frame) -> Who:
        """The unit or model that a back reference points to."""
        if who.owner == "it":
            found = frame.subject or self.d.subject or (self.d.that.who if self.d.that is not None else None)
            if found is None:
                raise NotUnderstood("it")
            return found
        if who.owner == "that":
            said = {k for names in who.keywords for k in names}
            known = {k for names in (frame.subject.keywords if frame.subject else ()) for k in names}
            if (
                who.scope == "model_ref"
                and frame.subject is not None
                and said <= known
                and frame.subject.owner == "friend"
                and (frame.subject.level == "model" or self.d.that is None)
            ):
                return frame.subject
            if self.d.that is None:
                return self._that_without_antecedent(who, frame)
            base = self.d.that.who
            preds = (*base.preds, *(p for p in who.preds if p not in base.preds))
            return replace(base, level=who.level, preds=preds, model_name=who.model_name or base.model_name)
        if who.owner == "enemy" and who.scope == "that":
            if self.d.enemy is None:
                return replace(who, scope=None)
            return replace(self.d.enemy.who, level=who.level, preds=(*self.d.enemy.who.preds, *who.preds))
        if who.owner == "attacker":
            return self._acting(frame, attacking=True)
        if who.owner == "target":
            return self._acting(frame, attacking=False)
        if who.owner == "any":
            return self._unowned(who)
        return who

    def _that_without_antecedent(self, who: Who, frame: Frame) -> Who:
        if frame.subject is not None and frame.subject.owner == "friend":
            return replace(frame.subject, level=who.level)
        if self.d.stratagem_scope is not None:
            return Who("friend", who.level, self.d.stratagem_scope)
        if self.d.friend is not None:
            return self.d.friend.who
        raise NotUnderstood("that unit")

    def _acting(self, frame: Frame, attacking: bool) -> Who:
        attack = frame.attack or (self.d.previous.attack if self.d.previous else None)
        if attack is None and attacking and frame.destroyed is not None and frame.destroyed.owner == "friend":
            return Who("enemy")
        if attack is None:
            if self.d.enemy is not None and attacking:
                return self.d.enemy.who
            if attacking:
                return Who("enemy")
            raise NotUnderstood("the target")
        friendly = (attack.side == "attacker") == attacking
        return Who("friend", scope=attack.scope) if friendly else Who("enemy")

    def _unowned(self, who: Who) -> Who:
        for pred in who.preds:
            if pred.name == "state" and _slug(pred.arg) in self.d.states:
                return self.d.states[_slug(pred.arg)].who
        if "this" in who.abilities or any(p.name in {"not_selected"} for p in who.preds):
            return replace(who, owner="friend", scope=who.scope or "army")
        return who

    def selection_tokens(self, who: Who, prefix: str) -> tuple[str, ...]:
        """Tokens of an enemy: those of its selection where it is the selected one, and what the text adds."""
        selection = self.d.enemy
        tokens: tuple[str, ...] = ()
        if any(p.name == "selected_keyword" for p in who.preds):
            if not self.d.target_keywords:
                raise NotUnderstood("the selected keyword")
            chosen = f"{prefix}_keyword_selected:" + "|".join(self.d.target_keywords)
            return _dedupe(
                (
                    chosen,
                    *enemy_tokens(
                        replace(who, preds=tuple(p for p in who.preds if p.name != "selected_keyword")), prefix
                    ),
                )
            )
        if selection is not None and who.owner == "enemy" and _same(who, selection.who):
            tokens = tuple(f"{prefix}_{token}" for token in selection.tokens)
        for state, marked in self.d.states.items():
            if marked.who == who and not tokens:
                tokens = tuple(f"{prefix}_{token}" for token in marked.tokens) or (f"{prefix}_{state}",)
        return _dedupe((*tokens, *enemy_tokens(who, prefix)))

    # -- attacks
    def attack_from(self, event: Segment, frame: Frame) -> Attack:
        """The attack that an event names."""
        shape = event["shape"]
        attack_type = event["attack_type"]
        weapons: Weapons | None = event.get("with")
        conditions: list[str] = []
        weapon_filter = None
        actor: Who | None = event.get("actor") or event.get("by")
        target: Who | None = event.get("target")
        if weapons is not None:
            if weapons.back_reference and self.d.weapons is not None:
                weapons = self.d.weapons
            weapon_filter = self.filter_of(weapons)
            if weapons.attack_type != "any":
                attack_type = weapons.attack_type
            if actor is None:
                actor = weapons.owner or (SELF if shape == "made" else None)
        if event.get("overwatch"):
            conditions.append("stratagem_active:FIRE OVERWATCH")
            attack_type = "ranged"
        if event.get("opaque"):
            conditions.append("if:" + _slug(event["opaque"]))
        if event.get("damage"):
            conditions.append(f"attack_damage:{event['damage']}")
        if event.get("psychic"):
            conditions.append("psychic_attack")
        if event.get("not_psychic"):
            conditions.append("not_psychic_attack")
        if event.get("save_failed"):
            conditions.append("save_failed")
        actor = self.resolve(actor, frame) if actor is not None else None
        target = self.resolve(target, frame) if target is not None else None
        side, owner = self._sides(event, actor, target, weapons)
        requires: tuple[str, ...] = ()
        scope = None
        if owner is not None:
            requires, owned = owner_tokens(owner)
            if owner.scope == "led_unit":
                owned = ("leading_unit", *owned)
            scope = scope_of(owner)
            if self.d.that is not None and owner == self.d.that.who:
                owned = (*self.d.that.tokens, *owned)
            conditions[:0] = owned
        if side == "attacker":
            if target is not None:
                if target.owner == "friend":
                    raise NotUnderstood(event.text)
                conditions += self.selection_tokens(target, "target")
        elif actor is not None:
            conditions += self.selection_tokens(actor, "attacker")
        if owner is not None:
            frame.subject = self.d.subject = owner
        if event.get("indirect"):
            weapon_filter = "[INDIRECT FIRE]"
        return Attack(
            side, attack_type, requires, _dedupe(conditions), scope, weapon_filter, event.get("phases", frozenset())
        )

    def _sides(
        self, event: Segment, actor: Who | None, target: Who | None, weapons: Weapons | None
    ) -> tuple[str, Who | None]:
        if actor is not None and actor.owner == "friend":
            return "attacker", actor
        if actor is not None and actor.owner == "enemy":
            return "defender", target if target is not None and target.owner == "friend" else None
        if target is not None and target.owner == "friend":
            return "defender", target
        if target is not None and target.owner == "enemy":
            if actor is not None and actor.owner == "any" and (actor.keywords or actor.model_name):
                return "attacker", replace(actor, owner="friend", scope="army")
            return "attacker", None
        if event["shape"] == "made":
            previous = self.d.previous.attack if self.d.previous else None
            if previous is not None:
                return previous.side, None
            if self.d.weapons is not None:
                return "attacker", None
        if event["shape"] == "making":
            return (
                "attacker",
                self.d.subject if self.d.subject is not None and self.d.subject.owner == "friend" else None,
            )
        if (
            actor is not None
            and actor.owner == "any"
            and actor.keywords
            and self.d.rule.origin in {"detachment_rule", "army_rule", "ability"}
        ):
            return "attacker", replace(actor, owner="friend", scope="army")
        raise NotUnderstood(event.text)

    def filter_of(self, weapons: Weapons) -> str | None:
        """How effects print the weapons that a text names."""
        name = weapons.name
        if weapons.excluded:
            return f"{name} excluding {weapons.excluded}" if name else f"excluding {weapons.excluded}"
        return name

    def weapon_attack(self, weapons: Weapons, frame: Frame) -> Attack:
        """The attacks made with weapons that a text names."""
        if weapons.back_reference:
            known = self.d.weapons
            if known is None:
                if frame.attack is not None:
                    return frame.attack
                raise NotUnderstood("those weapons")
            narrowed = weapons.attack_type if weapons.attack_type != "any" else known.attack_type
            weapons = replace(known, attack_type=narrowed, targeting=weapons.targeting or known.targeting)
        owner = weapons.owner
        if owner is None:
            owner = frame.subject or self.d.subject
            if owner is None:
                raise NotUnderstood(f"weapons of no one: {weapons.name}")
        owner = self.resolve(owner, frame)
        if owner.owner == "any":
            if not (owner.keywords or owner.model_name or owner.abilities or owner.equipped):
                raise NotUnderstood("weapons of no one")
            owner = replace(owner, owner="friend", scope="army")
        self.d.weapons = replace(weapons, owner=owner)
        frame.subject = owner
        name = self.filter_of(weapons)
        if owner.owner == "enemy":
            return Attack("defender", weapons.attack_type, (), self.selection_tokens(owner, "attacker"), None, name)
        requires, conditions = owner_tokens(owner)
        if owner.scope == "led_unit":
            conditions = ("leading_unit", *conditions)
        if self.d.that is not None and owner == self.d.that.who:
            conditions = (*self.d.that.tokens, *conditions)
        if weapons.targeting is not None:
            conditions = (*conditions, *self.selection_tokens(self.resolve(weapons.targeting, frame), "target"))
        return Attack("attacker", weapons.attack_type, requires, conditions, scope_of(owner), name)

    # -- emission
    def emit(
        self, frame: Frame, attack: Attack, kind: str, params: dict[str, Any], segment: Segment, **fixed: Any
    ) -> None:
        """Add one effect, with everything that the sentence has said."""
        attack_type = fixed.get("attack_type", attack.attack_type)
        if attack_type == "any" and frame.acting is not None and attack.side == "attacker":
            attack_type = frame.acting
        conditions = [*self.d.conditions, *frame.conditions, *attack.condition]
        if frame.critical is not None and kind not in {"critical_bonus", "critical_on"}:
            conditions.append(f"critical_{frame.critical}")
        if frame.success_on == "auto":
            pass
        elif isinstance(frame.success_on, int) and kind not in {"mortal_wounds", "fight_on_death"}:
            conditions.append(f"roll:{frame.success_on}" + ("" if frame.exactly else "+"))
        elif frame.success_on is not None and kind not in {"mortal_wounds", "fight_on_death"}:
            conditions.append(f"roll:{str(frame.success_on).removeprefix('=')}")
        if frame.stratagem is not None and f"stratagem_active:{frame.stratagem}" not in conditions:
            conditions.append(f"stratagem_active:{frame.stratagem}")
        role = "attacker" if attack.side == "attacker" else "unit"
        conditions = [re.sub(r"\bowner(?=_(?:not_)?keyword)", role, token) for token in conditions]
        effect = Effect(
            side=attack.side,
            phase=fixed.get("phase") or self._phase(frame, attack, attack_type),
            attack_type=attack_type,
            kind=kind,
            params=params,
            condition=_dedupe(conditions),
            requires=_dedupe((*self.d.requires, *attack.requires)),
            weapon_filter=fixed.get("weapon_filter", attack.weapon_filter),
            choice_group=fixed.get("choice_group", self.d.choice_group or ("roll" if frame.outcomes > 1 else None)),
            scope=fixed.get("scope", attack.scope) or self.d.stratagem_scope or "unit",
            source_name=self.d.source_name,
        )
        if segment.instead:
            effect = replace(effect, instead_of=self._replaced(effect))
        self.d.effects.append(effect)

    def _phase(self, frame: Frame, attack: Attack, attack_type: str) -> str:
        if attack_type == "ranged":
            return "shooting"
        if attack_type == "melee":
            return "fight"
        phases = attack.phases or frame.phases
        if frame.length == "longer":
            phases = attack.phases
        if len(phases) == 1:
            return next(iter(phases))
        return "any"

    def _replaced(self, effect: Effect) -> int:
        for index in range(len(self.d.effects) - 1, -1, -1):
            other = self.d.effects[index]
            if (
                other.kind == effect.kind
                and other.side == effect.side
                and other.instead_of is None
                and _key(other) == _key(effect)
            ):
                return index + 1
        for index in range(len(self.d.effects) - 1, -1, -1):
            other = self.d.effects[index]
            if other.kind == effect.kind and other.side == effect.side and other.instead_of is None:
                return index + 1
        raise NotUnderstood("instead of what")

    # -- sentences
    def read(self, sentence: str) -> None:
        """One sentence; adds its effects to the discourse or raises `NotUnderstood`."""
        segments, stopped = read_sentence(_drop_harmless_brackets(sentence))
        if stopped is not None:
            raise NotUnderstood(stopped)
        start = len(self.d.effects)
        kept = replace(self.d, effects=list(self.d.effects), states=dict(self.d.states), harmless=list(self.d.harmless))
        segments = _or_is_instead(segments)
        frame = self._new_frame(segments)
        frame.outcomes = sum(s.kind == "outcome" for s in segments)
        try:
            for segment in segments:
                if segment.alternative and segment.kind in CLAUSES and not _is_choice(segment):
                    raise NotUnderstood(segment.text)
            for segment, conditions in _attach_suffixes(_spread_instead(_share_owner(segments))):
                if conditions:
                    self._apply_under(segment, conditions, frame)
                else:
                    self._apply(segment, frame)
        except NotUnderstood:
            del self.d.effects[start:]
            self.d = kept
            raise
        self.d.previous = frame

    def _new_frame(self, segments: tuple[Segment, ...]) -> Frame:
        frame = Frame()
        previous = self.d.previous
        first = segments[0].kind if segments else ""
        text = segments[0].text if segments else ""
        continues = first in {
            "duration",
            "outcome",
            "roll",
            "harmless",
            "mortal",
            "deny_cover",
            "keep_in_play",
            "fight_on_death",
            "reroll_result",
        }
        continues = continues or (
            first == "once"
            and text
            not in {"in addition", "once per battle", "once per turn", "once per phase", "once per battle round"}
        )
        continues = continues or (first == "holds" and segments[0]["word"] == "if")
        continues = continues or (first == "opaque" and text.startswith(("if ", "for ")))
        own_timing = any(s.kind in {"timing", "after_attacks", "selected_to", "is_targeted"} for s in segments)
        if previous is not None and continues:
            frame.conditions = list(previous.conditions)
            frame.dice, frame.per = previous.dice, previous.per
            frame.destroyed, frame.destroyed_type = previous.destroyed, previous.destroyed_type
            frame.reroll_rolls = list(previous.reroll_rolls)
            frame.stratagem = previous.stratagem
            frame.raised = previous.raised
            if (
                first not in {"roll"}
                and not any(s.kind == "outcome" for s in segments)
                and previous.success_on is not None
                and first in {"harmless", "fight_on_death", "keep_in_play"}
            ):
                frame.success_on = previous.success_on
            if not own_timing:
                frame.phases = previous.phases
        if not own_timing and not frame.phases and (self.d.rule.origin == "stratagem" or continues):
            frame.phases = self.d.phases
        if self.d.rule.origin == "stratagem" and not own_timing:
            frame.phases = frame.phases or self.d.phases
        return frame

    def _apply_under(self, segment: Segment, conditions: list[Segment], frame: Frame) -> None:
        """A clause with the conditions that follow it: they hold for this clause only."""
        kept, attack, critical = list(frame.conditions), frame.attack, frame.critical
        for condition in conditions:
            self._apply(condition, frame)
        self._apply(segment, frame)
        frame.conditions, frame.attack, frame.critical = kept, attack, critical

    def _apply(self, segment: Segment, frame: Frame) -> None:
        before = len(frame.conditions)
        self._apply_one(segment, frame)
        added = frame.conditions[before:]
        if segment.alternative and added and before > 0:
            frame.conditions[before - 1 :] = [either(frame.conditions[before - 1], added[-1]), *added[:-1]]

    def _apply_one(self, segment: Segment, frame: Frame) -> None:
        method = getattr(self, f"on_{segment.kind}", None)
        if method is None:
            raise NotUnderstood(segment.text or segment.kind)
        try:
            method(segment, frame)
        except NotUnderstood as stop:
            missing = str(stop)
            if missing == segment.text or len(missing) > 60:
                raise
            raise NotUnderstood(f"{missing} [in: {segment.text}]") from None

    # -- prefixes
    def on_duration(self, segment: Segment, frame: Frame) -> None:
        frame.length = segment["length"]

    def on_timing(self, segment: Segment, frame: Frame) -> None:
        frame.phases = segment["phases"]
        frame.edge = bool(segment["edge"])

    def on_after_attacks(self, segment: Segment, frame: Frame) -> None:
        who = self.resolve(segment["who"], frame)
        if segment["phases"] and not frame.phases:
            frame.phases = segment["phases"]
        if who.owner == "friend":
            self.note(who, frame)
        elif who.owner == "enemy" and segment["who"].scope != "that" and segment["who"].owner != "attacker":
            self.d.enemy = Selection(who, ("triggering_unit",))

    def on_selected_to(self, segment: Segment, frame: Frame) -> None:
        who = self.resolve(segment["who"], frame)
        frame.phases = frame.phases or segment["phases"]
        if who.owner == "any" and (who.keywords or who.abilities):
            who = replace(who, owner="friend", scope="army")
        if who.owner == "enemy":
            self.d.enemy = Selection(who, ())
            self.d.that = self.d.enemy
        else:
            self.note(who, frame)

    def on_is_targeted(self, segment: Segment, frame: Frame) -> None:
        who = self.resolve(segment["who"], frame)
        if who.owner != "friend":
            raise NotUnderstood(segment.text)
        self.note(who, frame)
        if segment["attack_type"] == "ranged" and not frame.phases:
            frame.phases = SHOOTING
        self.d.enemy = Selection(Who("enemy"), ("triggering_unit",))

    def note(self, who: Who, frame: Frame) -> None:
        """Remember a friendly unit as the one that later words point to."""
        frame.subject = who
        self.d.subject = who
        if who.scope not in {"self", "unit"} or aura_of(who) is not None:
            self.d.that = Selection(who)
            self.d.friend = self.d.that
        elif self.d.that is not None and self.d.that.who.owner == "enemy":
            pass
        elif who.scope == "unit" and (self.d.that is None or self.d.that.who.scope not in {"led_unit", "army"}):
            self.d.that = Selection(who)

    def on_once(self, segment: Segment, frame: Frame) -> None:
        text = segment["text"]
        found = re.match(r"(once|twice|up to twice) per (battle round|battle|turn|phase)", text)
        if found:
            frame.conditions.append(
                f"{'once' if found.group(1) == 'once' else 'twice'}_per_{found.group(2).replace(' ', '_')}"
            )
        elif text == "otherwise":
            frame.conditions.append("if:otherwise")
        elif text == "the first time":
            frame.conditions.append("once_per_battle")

    def on_opaque(self, segment: Segment, frame: Frame) -> None:
        words = segment["words"]
        enemy = re.search(r"\benem(?:y|ies)\b|opponent's", words)
        if re.match(r"(?:until|for the purposes|instead of|with|from|except|to do so)\b", words):
            if words.startswith("until"):
                frame.length = "longer"
            elif words.startswith(("instead of", "except")):
                raise NotUnderstood(words)
            return
        if re.match(r"(?:unless|except|only if|provided)\b", words):
            raise NotUnderstood(words)
        if re.match(r"(?:in|during|at|start of|end of|before)\b", words) and re.search(
            r"phase|turn|round|battle|step", words
        ):
            if "Shooting phase" in words or "Fight phase" in words:
                frame.phases = frozenset(p for w, p in (("Shooting", "shooting"), ("Fight", "fight")) if w in words)
            return
        friend = re.search(r"(?:a|one|each|another|the) (?:other )?friendly ([A-Z][A-Z' \-]+ )?(?:unit|model)", words)
        if enemy and re.search(r"\b(?:an?|one|each) enemy\b", words):
            self.d.enemy = Selection(Who("enemy"), ("triggering_unit",))
            self.d.that = self.d.enemy
        elif friend or re.search(r"(?:a|one) (?:[A-Z][A-Z' \-]+ )?(?:unit|model) from your army", words):
            found = friend or re.search(r"(?:a|one) ([A-Z][A-Z' \-]+ )?(?:unit|model) from your army", words)
            assert found is not None
            keywords = vocabulary.keyword_alternatives(found.group(1).strip()) if found.group(1) else ()
            self.d.that = Selection(Who("friend", "unit", "army", keywords))
            self.d.friend = self.d.that
        if re.search(
            r"^(?:if |while |when |each time |after )?(?:this unit|your unit|the bearer's unit|this model's unit|a model in this unit)\b",
            words,
        ):
            frame.subject = self.d.subject = Who("friend", "unit", "unit")
        elif re.search(r"^(?:if |while |when |each time |after )?(?:this model|the bearer)\b", words):
            frame.subject = self.d.subject = SELF
        if self.d.choice_group is not None and re.search(r"^while (?:this|that) .* is active", words):
            return
        known = next((token for pattern, token in _OPAQUE_TOKENS if pattern.search(words)), None)
        if known is not None:
            active = re.search(r"the ([A-Z][\w' !]+?)(?: ability| Blessing of Khorne)? is active", words)
            frame.conditions.append(known.replace("NAME", active.group(1) if active else ""))
            return
        frame.conditions.append("if:" + _slug(re.sub(r"^(?:if|while|when|each time) ", "", words)))

    def on_event(self, segment: Segment, frame: Frame) -> None:
        frame.attack = self.attack_from(segment, frame)

    def on_destroyed(self, segment: Segment, frame: Frame) -> None:
        who = self.resolve(segment["who"], frame)
        if who.owner == "any" and who.scope is None:
            frame.conditions.append("if:" + _slug(segment.text))
            return
        frame.destroyed = who
        frame.destroyed_type = segment["attack_type"]
        if segment.get("first"):
            frame.conditions.append("once_per_battle")
        if who.owner == "enemy":
            frame.conditions.append("target_destroyed")
        frame.subject = who
        if who.owner == "friend":
            self.d.subject = who

    def on_after_roll(self, segment: Segment, frame: Frame) -> None:
        who = segment["who"]
        frame.reroll_rolls = list(segment["rolls"])
        if who is not None:
            frame.subject = self.resolve(who, frame)

    def on_determine_attacks(self, segment: Segment, frame: Frame) -> None:
        frame.attack = self.weapon_attack(segment["weapons"], frame)
        frame.reroll_rolls = ["attacks"]

    def on_overwatch(self, segment: Segment, frame: Frame) -> None:
        frame.stratagem = "FIRE OVERWATCH"
        if segment.get("who") is not None:
            frame.subject = self.d.subject = self.resolve(segment["who"], frame)

    def on_holds(self, segment: Segment, frame: Frame) -> None:
        for kind, who, value in segment["facts"]:
            getattr(self, f"fact_{kind}")(who, value, frame, segment)

    def fact_is(self, who: Who, preds: tuple[Pred, ...], frame: Frame, segment: Segment) -> None:
        original = who
        who = self._subject_of(who, frame)
        full = replace(who, preds=(*who.preds, *preds))
        if who.owner == "any" and any(p.name == "state" for p in preds):
            name = next(_slug(p.arg) for p in preds if p.name == "state")
            marked = self.d.states.get(name)
            if marked is None and name == "affected_by_this_ability" and "Bondsman" in self.d.rule.name:
                marked = Selection(Who("friend", "unit", "unit"), ("affected_by_this_ability",))
            if marked is None:
                raise NotUnderstood(segment.text)
            self.d.that = marked
            if marked.who.owner == "enemy":
                self.d.enemy = marked
            return
        if who.owner == "any" and aura_of(full) is not None:
            # Auras name enemies as such; a unit without that word is a friendly one, its keyword lost or left out.
            who, full = replace(who, owner="friend"), replace(full, owner="friend")
        if who.owner == "any":
            who = (
                replace(who, owner="friend", scope="army")
                if (who.keywords or who.abilities) and not original.plural
                else who
            )
            full = replace(who, preds=full.preds)
        if who.owner == "any":
            raise NotUnderstood(segment.text)
        if who.owner == "enemy":
            if original.scope == "that" or original.owner in {"target", "that", "attacker", "it"}:
                acts = original.owner == "attacker" or (frame.attack is not None and frame.attack.side == "defender")
                prefix = "attacker" if acts else "target"
                frame.conditions += [t for p in preds for t in pred_tokens(p, prefix)]
                return
            self.d.enemy = Selection(full)
            self.d.that = self.d.enemy
            return
        introduces = original.owner in {"friend", "any"} and original.scope not in {"self", "unit"}
        if introduces and (aura_of(full) is not None or original.scope == "army"):
            if segment["word"] == "if":
                frame.conditions.append("if:" + _slug(segment.text.removeprefix("if ")))
            self.d.that = Selection(replace(full, scope=full.scope or "army"))
            self.d.friend = self.d.that
            frame.subject = self.d.subject = self.d.that.who
            return
        state = next((p for p in preds if p.name == "state" and not p.negated), None)
        if state is not None and _slug(state.arg) in self.d.states:
            frame.conditions += [f"unit_{_slug(state.arg)}"]
            return
        frame.subject = who
        frame.conditions += [t for p in preds for t in pred_tokens(p, "unit")]

    def _subject_of(self, who: Who, frame: Frame) -> Who:
        if who.owner == "it" and frame.subject is None and self.d.subject is None:
            raise NotUnderstood("it")
        return self.resolve(who, frame)

    def fact_leading(self, who: Who, keyword: str | None, frame: Frame, segment: Segment) -> None:
        led = Who("friend", "unit", "led_unit", vocabulary.keyword_alternatives(keyword) if keyword else ())
        self.d.that = Selection(led)
        self.d.friend = self.d.that
        frame.conditions.append("leading_unit")

    def fact_led_by(self, who: Who, _: None, frame: Frame, segment: Segment) -> None:
        named = "|".join(" ".join(k) for k in who.keywords) or who.model_name
        frame.conditions.append(f"led_by:{named}" if named else "led")
        self.d.that = Selection(Who("friend", "model", "unit", who.keywords, model_name=who.model_name))
        frame.subject = self.d.subject = Who("friend", "unit", "unit")

    def fact_contains(self, who: Who, what: Who, frame: Frame, segment: Segment) -> None:
        named = what.model_name or "|".join(" ".join(k) for k in what.keywords)
        if not named:
            raise NotUnderstood(segment.text)
        frame.subject = self.resolve(who, frame)
        frame.conditions.append(f"unit_contains:{named}")

    def fact_wounds(self, who: Who, value: str, frame: Frame, segment: Segment) -> None:
        frame.subject = self.d.subject = self.resolve(who, frame)
        frame.conditions.append(f"wounds_remaining:{value}")

    def fact_token(self, who: Who | None, value: str, frame: Frame, segment: Segment) -> None:
        if who is not None:
            subject = self.resolve(who, frame)
            frame.subject = subject
            if subject.owner == "enemy":
                value = f"target_{value}"
        if value in {"test_passed", "test_failed"}:
            frame.conditions = [c for c in frame.conditions if c not in {"test_passed", "test_failed"}]
        frame.conditions.append(value)

    def fact_made_by(self, _: None, who: Who, frame: Frame, segment: Segment) -> None:
        previous = frame.attack or (self.d.previous.attack if self.d.previous else None)
        if previous is None:
            raise NotUnderstood(segment.text)
        prefix = "attacker" if previous.side == "defender" else "unit"
        tokens = (
            enemy_tokens(who, "attacker") if prefix == "attacker" else (*owner_tokens(who)[0], *owner_tokens(who)[1])
        )
        frame.attack = replace(previous, condition=_dedupe((*previous.condition, *tokens)))

    def fact_hit_by(self, who: Who, _: None, frame: Frame, segment: Segment) -> None:
        target = self.resolve(who, frame)
        if target.owner != "enemy":
            raise NotUnderstood(segment.text)
        self.d.enemy = Selection(target, ("hit_by_this_unit",))
        self.d.that = self.d.enemy

    def fact_critical(self, _: None, value: str, frame: Frame, segment: Segment) -> None:
        frame.critical = value

    def fact_with(self, _: None, weapons: Weapons, frame: Frame, segment: Segment) -> None:
        frame.made_with = weapons
        previous = frame.attack or (self.d.previous.attack if self.d.previous else None)
        if previous is None:
            raise NotUnderstood(segment.text)
        narrowed = weapons.attack_type if weapons.attack_type != "any" else previous.attack_type
        name = self.filter_of(weapons)
        if previous.side == "attacker":
            frame.attack = replace(previous, attack_type=narrowed, weapon_filter=name)
        else:
            frame.attack = replace(
                previous, attack_type=narrowed, condition=(*previous.condition, f"attack_made_with:{name}")
            )

    def fact_targets(self, _: None, who: Who, frame: Frame, segment: Segment) -> None:
        previous = frame.attack or (self.d.previous.attack if self.d.previous else None)
        if previous is None or previous.side != "attacker":
            raise NotUnderstood(segment.text)
        target = self.resolve(who, frame)
        if target.owner == "friend":
            raise NotUnderstood(segment.text)
        frame.attack = replace(
            previous, condition=_dedupe((*previous.condition, *self.selection_tokens(target, "target")))
        )

    def fact_not_acted(self, who: Who, text: str, frame: Frame, segment: Segment) -> None:
        frame.destroyed_conditions.append(
            "not_"
            + ("shot_or_fought" if "shot or" in text else "fought" if "fought" in text else "shot")
            + "_this_phase"
        )

    def on_critical(self, segment: Segment, frame: Frame) -> None:
        frame.critical = segment["roll"]

    def on_adding(self, segment: Segment, frame: Frame) -> None:
        self._adding(segment["adding"], frame)

    def _adding(self, text: str, frame: Frame) -> None:
        """What is added to a die: on a condition it is a second row, otherwise it cannot be told here."""
        found = re.match(r"(adding|subtracting) (\d+)(?: (?:to|from) [\w ]*?)? (if .*)$", text)
        if not found:
            raise NotUnderstood(text)
        node = parse(found.group(3))
        aside = Frame(subject=frame.subject, attack=frame.attack)
        if node is not None and node.kind == "holds":
            self.on_holds(node, aside)
        else:
            aside.conditions.append("if:" + _slug(found.group(3).removeprefix("if ")))
        tokens = [re.sub(r"\bowner(?=_(?:not_)?keyword)", "unit", token) for token in aside.conditions]
        frame.raised = (
            int(found.group(2)) * (1 if found.group(1) == "adding" else -1),
            tokens[-1] if tokens else "roll_modified",
        )

    def on_roll(self, segment: Segment, frame: Frame) -> None:
        self._roll(segment.data, frame)

    def _roll(self, data: Any, frame: Frame) -> None:
        frame.dice = data["dice"]
        per: Who | None = data["per"]
        if per is not None:
            frame.per = "model" if per.level == "model" else "unit"
            marked = next((_slug(p.arg) for p in per.preds if p.name == "state"), None)
            if marked is not None:
                selection = self.d.states.get(marked)
                if selection is None:
                    raise NotUnderstood(f"a unit that is {marked}")
                frame.per = "once"
                self.d.enemy = self.d.that = selection
            elif per.owner == "enemy" and per.level == "unit":
                self.d.enemy = Selection(per)
                self.d.that = self.d.enemy
        if data["adding"]:
            self._adding(data["adding"], frame)
        frame.success_on = "auto"

    def on_outcome(self, segment: Segment, frame: Frame) -> None:
        frame.success_on = segment["success_on"]
        frame.exactly = "+" not in segment.text

    def on_select(self, segment: Segment, frame: Frame) -> None:
        who: Who = segment["who"]
        if segment.get("also"):
            who = replace(who, preds=(*who.preds, *segment["also"]))
        if who.owner == "any" and not any(p.name == "was_target" for p in who.preds):
            who = self.resolve(who, frame)
        if who.owner == "any":
            factions = {k for names in who.keywords for k in names} & set(vocabulary.FACTION_KEYWORDS)
            if segment.get("hit"):
                who = replace(who, owner="enemy")
            elif factions:
                who = replace(who, owner="friend")
            elif self.d.rule.origin == "stratagem" or "objective" in segment.text:
                raise NotUnderstood(segment.text)
            else:
                raise NotUnderstood(segment.text)
        if who.owner == "enemy":
            tokens = ["hit_by_this_unit"] if segment.get("hit") else [] if segment.get("moved_over") else ["selected"]
            self.d.enemy = Selection(who, tuple(tokens))
            self.d.that = self.d.enemy
        else:
            if segment.get("hit"):
                raise NotUnderstood(segment.text)
            self.d.that = Selection(_selected(who))
            self.d.friend = self.d.that
            frame.subject = self.d.subject = self.d.that.who
        roll = segment.get("roll")
        if roll is not None:
            self._roll(roll, frame)

    def on_select_weapons(self, segment: Segment, frame: Frame) -> None:
        self.weapon_attack(segment["weapons"], frame)
        if self.d.weapons is not None:
            self.d.weapons = replace(self.d.weapons, name=f"one {self.d.weapons.name or 'weapon'}")

    def on_choose(self, segment: Segment, frame: Frame) -> None:
        self.d.chosen = segment["keywords"]
        self.d.chosen_tokens = ()

    def on_choose_apply(self, segment: Segment, frame: Frame) -> None:
        if segment["phase"]:
            frame.length = "phase"
        if segment.get("keywords"):
            self.d.chosen, self.d.chosen_tokens = segment["keywords"], ()
        self.on_grant(Segment("grant", {"weapons": segment["weapons"], "keywords": None}, text=segment.text), frame)

    def on_choose_target_keyword(self, segment: Segment, frame: Frame) -> None:
        self.d.target_keywords = tuple(segment["keywords"])

    def on_choose_following(self, segment: Segment, frame: Frame) -> None:
        """The alternatives stand in the bullets below, which the document has set already."""

    def on_harmless(self, segment: Segment, frame: Frame) -> None:
        if re.search(r"\byour opponent (?:must|can|may) (?:declare|choose|select)|\binstead choose\b", segment.text):
            raise NotUnderstood(segment.text)
        limit = re.search(
            r"\bonly (?:be )?used? (?:this (?:Stratagem|ability|Enhancement|rule) )?(once|twice) per (battle round|battle|turn|phase)\b",
            segment.text,
        )
        if limit:
            self.d.limits = _dedupe((*self.d.limits, f"{limit.group(1)}_per_{limit.group(2).replace(' ', '_')}"))
        self.d.harmless.append(segment.text)
        self._note_harmless(segment.text, frame)

    def _note_harmless(self, words: str, frame: Frame) -> None:
        marked = re.search(
            r"\b(that (?:enemy )?(?:unit|model)|each of those units|it|those (?:enemy )?units|they) (?:is|are) (?:also )?([a-z-]+)$",
            words,
        )
        if marked and marked.group(2) not in {"eligible", "destroyed", "removed", "visible"}:
            selection = self.d.that
            if "enemy" in marked.group(1) and self.d.enemy is not None:
                selection = self.d.enemy
            if selection is not None:
                self.d.states[_slug(marked.group(2))] = selection
        found = re.search(
            r"select (?:one|up to \w+|a|a number of|any number of) (enemy|friendly)(?: ([A-Z][A-Z' \-]+?))?(?: unit| model)",
            words,
        )
        if found:
            if found.group(1) == "enemy":
                said = vocabulary.keyword_alternatives(found.group(2)) if found.group(2) else ()
                left_out = re.search(r"\(excluding ([^()]*)\)", words)
                without = (
                    tuple(" ".join(k) for k in vocabulary.keyword_alternatives(left_out.group(1))) if left_out else ()
                )
                near = re.search(r"within (\d+)\"", words)
                preds = [Pred("within", (int(near.group(1)), SELF))] if near else []
                preds += (
                    [Pred("engagement_range")]
                    if re.search(r"within Engagement Range of (?:your|this|the bearer|it)\b", words)
                    else []
                )
                self.d.enemy = Selection(
                    Who("enemy", keywords=said, excluded=without, preds=tuple(preds)), ("selected",)
                )
                self.d.that = self.d.enemy
            else:
                keywords = vocabulary.keyword_alternatives(found.group(2)) if found.group(2) else ()
                self.d.that = Selection(Who("friend", "unit", "unit", keywords))
                self.d.friend = self.d.that
                self.d.subject = self.d.that.who
        elif re.search(
            r"select (?:one|a|up to \w+|a number of|any number of) (?:[A-Z][A-Z' \-]+ )?(?:unit|model)s? from your army",
            words,
        ):
            self.d.that = Selection(Who("friend", "unit", "unit"))
            self.d.friend = self.d.that

    def on_must_target(self, segment: Segment, frame: Frame) -> None:
        self.d.harmless.append(segment.text)
        if self.d.enemy is not None and "that enemy unit" in segment.text:
            frame.conditions += self.selection_tokens(
                Who(
                    "enemy",
                    scope=self.d.enemy.who.scope,
                    preds=self.d.enemy.who.preds,
                    keywords=self.d.enemy.who.keywords,
                ),
                "target",
            )

    def on_becomes(self, segment: Segment, frame: Frame) -> None:
        who = self.resolve(segment["who"], frame)
        selection = self.d.enemy if who.owner == "enemy" and self.d.enemy is not None else Selection(who)
        self.d.states[_slug(segment["state"])] = selection
        self.d.harmless.append(segment.text)

    def on_keep_in_play(self, segment: Segment, frame: Frame) -> None:
        if segment.get("success_on") is not None:
            frame.success_on = segment["success_on"]
        self.d.harmless.append(segment.text)

    # -- clauses
    def needed_attack(self, frame: Frame, segment: Segment) -> Attack:
        """The attack that `the Hit roll` and `that attack` belong to."""
        if frame.attack is not None:
            return frame.attack
        if self.d.previous is not None and self.d.previous.attack is not None:
            return self.d.previous.attack
        raise NotUnderstood(segment.text)

    def _rolled_attack(self, segment: Segment, frame: Frame, rolls: list[str]) -> Attack:
        who = segment.get("for")
        if who is None:
            if frame.attack is None and frame.stratagem == "FIRE OVERWATCH":
                return self._overwatch_attack(frame)
            return self.needed_attack(frame, segment)
        who = self.resolve(who, frame)
        if who.owner not in {"friend", "enemy"}:
            raise NotUnderstood(segment.text)
        defends = rolls[0] in {"save", "armour_save"}
        if who.owner == "friend":
            requires, conditions = owner_tokens(who)
            return Attack("defender" if defends else "attacker", "any", requires, conditions, scope_of(who))
        prefix = "target" if defends else "attacker"
        return Attack("attacker" if defends else "defender", "any", (), self.selection_tokens(who, prefix))

    def _overwatch_attack(self, frame: Frame) -> Attack:
        return Attack("attacker", "ranged", (), (), "unit")

    def on_modify_roll(self, segment: Segment, frame: Frame) -> None:
        rolls = segment["rolls"]
        attack = self._rolled_attack(segment, frame, rolls)
        for roll in rolls:
            params: dict[str, Any] = {
                "stat": "save_roll" if "save" in roll else f"{roll}_roll",
                "delta": segment["delta"],
            }
            if roll == "armour_save":
                params["only"] = "armour"
            self.emit(frame, attack, "modify", params, segment)

    def on_modify_stat(self, segment: Segment, frame: Frame) -> None:
        owner = segment["owner"]
        for name in segment["stats"]:
            if name in vocabulary.OTHER_STATS:
                self.d.harmless.append(segment.text)
                continue
            stat = vocabulary.STATS[name]
            delta = segment["delta"]
            improve = segment["improve"]
            if isinstance(delta, str) and (improve is not None or stat in vocabulary.LOWER_IS_BETTER):
                raise NotUnderstood(segment.text)
            if improve is not None:
                delta = delta * (1 if improve else -1) * (-1 if stat in vocabulary.LOWER_IS_BETTER else 1)
            elif stat == "AP":
                raise NotUnderstood(segment.text)
            attack, attack_type = self._stat_attack(owner, stat, frame, segment)
            if frame.critical is not None and owner == "that attack":
                self.emit(
                    frame,
                    attack,
                    "critical_bonus",
                    {"roll": frame.critical, "stat": stat, "delta": delta},
                    segment,
                    attack_type=attack_type,
                )
            else:
                self.emit(frame, attack, "modify", {"stat": stat, "delta": delta}, segment, attack_type=attack_type)

    def _stat_attack(self, owner: Any, stat: str, frame: Frame, segment: Segment) -> tuple[Attack, str]:
        if owner == "that attack" or owner is None:
            if stat in {"T", "Sv", "W"}:
                raise NotUnderstood(segment.text)
            attack = self.needed_attack(frame, segment)
        elif isinstance(owner, Weapons):
            attack = self.weapon_attack(owner, frame)
            if frame.attack is not None and not attack.condition and attack.side == frame.attack.side:
                attack = replace(attack, condition=frame.attack.condition)
        else:
            attack = self._who_attack(owner, stat, frame, segment)
        attack_type = attack.attack_type
        if stat in {"BS", "WS"} and attack_type == "any":
            attack_type = "ranged" if stat == "BS" else "melee"
        return attack, attack_type

    def _who_attack(self, owner: Who, stat: str, frame: Frame, segment: Segment) -> Attack:
        if owner.owner == "it" and frame.attack is not None and stat in {"S", "AP", "D"}:
            return frame.attack  # `its` after an attack is the attack's
        who = self.resolve(owner, frame)
        if who.owner == "any":
            if not (who.keywords or who.model_name or who.abilities):
                raise NotUnderstood(segment.text)
            who = replace(who, owner="friend", scope="army")
        frame.subject = who
        defends = stat in {"T", "Sv", "W"}
        if who.owner == "friend":
            requires, conditions = owner_tokens(who)
            if who.scope == "led_unit":
                conditions = ("leading_unit", *conditions)
            attack_type = (
                frame.attack.attack_type
                if frame.attack is not None and defends and frame.attack.side == "defender"
                else "any"
            )
            extra = (
                frame.attack.condition
                if frame.attack is not None and frame.attack.side == ("defender" if defends else "attacker")
                else ()
            )
            return Attack(
                "defender" if defends else "attacker", attack_type, requires, (*extra, *conditions), scope_of(who)
            )
        if who.owner == "enemy":
            prefix = "target" if defends else "attacker"
            return Attack(
                "attacker" if defends else "defender", "any", (), self.selection_tokens(who, prefix), "target"
            )
        raise NotUnderstood(segment.text)

    def on_set_stat(self, segment: Segment, frame: Frame) -> None:
        for name in segment["stats"]:
            if name in vocabulary.OTHER_STATS:
                self.d.harmless.append(segment.text)
                continue
            stat = vocabulary.STATS[name]
            attack, attack_type = self._stat_attack(segment["owner"], stat, frame, segment)
            if segment["owner"] is None and frame.attack is None:
                raise NotUnderstood(segment.text)
            value: Any = segment["value"]
            if stat == "AP" and isinstance(value, int):
                value = -value
            self.emit(frame, attack, "set", {"stat": stat, "value": value}, segment, attack_type=attack_type)

    def on_weapon_has(self, segment: Segment, frame: Frame) -> None:
        for name, value in segment["values"]:
            if name in vocabulary.OTHER_STATS:
                self.d.harmless.append(segment.text)
                continue
            stat = vocabulary.STATS[name]
            attack, attack_type = self._stat_attack(segment["owner"], stat, frame, segment)
            self.emit(frame, attack, "set", {"stat": stat, "value": value}, segment, attack_type=attack_type)

    def on_halve(self, segment: Segment, frame: Frame) -> None:
        if [vocabulary.STATS.get(name) for name in segment["stats"]] != ["D"]:
            raise NotUnderstood(segment.text)
        attack, attack_type = self._stat_attack(segment["owner"], "D", frame, segment)
        self.emit(frame, attack, "halve", {"stat": "D"}, segment, attack_type=attack_type)

    def on_reroll(self, segment: Segment, frame: Frame) -> None:
        rolls = segment["rolls"]
        group = "one" if len(rolls) > 1 and rolls[0][1] == "one_roll" else None
        for roll, which in rolls:
            attack = self._reroll_attack(segment, frame, roll, which)
            self.emit(
                frame,
                attack,
                "reroll",
                {"roll": roll, "which": which},
                segment,
                **({"choice_group": group} if group else {}),
            )

    def _reroll_attack(self, segment: Segment, frame: Frame, roll: str, which: str) -> Attack:
        defends = roll == "save"
        if segment.get("for") is not None or frame.attack is not None:
            if (
                segment.get("for") is None
                and frame.attack is not None
                and defends != (frame.attack.side == "defender")
                and which == "one_roll"
            ):
                raise NotUnderstood(segment.text)
            return self._rolled_attack(segment, frame, [roll])
        subject = frame.subject or self.d.subject
        if which == "one_roll" or (frame.length is not None and roll in {"save"}):
            if subject is None or subject.owner != "friend":
                raise NotUnderstood(segment.text)
            requires, conditions = owner_tokens(subject)
            return Attack("defender" if defends else "attacker", "any", requires, conditions, scope_of(subject))
        return self.needed_attack(frame, segment)

    def on_reroll_result(self, segment: Segment, frame: Frame) -> None:
        if frame.reroll_rolls != ["attacks"]:
            if not frame.reroll_rolls:
                raise NotUnderstood(segment.text)
            raise NotUnderstood(segment.text)
        attack = frame.attack or (self.d.previous.attack if self.d.previous else None)
        if attack is None:
            raise NotUnderstood(segment.text)
        self.emit(frame, attack, "reroll", {"roll": "attacks", "which": "any"}, segment)

    def on_reroll_that(self, segment: Segment, frame: Frame) -> None:
        """The roll that the WHEN of a stratagem names: one row for each roll of an attack, alternatives of each other."""
        if not self.d.when_rolls:
            raise NotUnderstood(segment.text)
        for roll in self.d.when_rolls:
            attack = Attack("defender" if roll == "save" else "attacker", "any", (), (), "unit")
            self.emit(frame, attack, "reroll", {"roll": roll, "which": "one_roll"}, segment, choice_group="one")

    def on_grant(self, segment: Segment, frame: Frame) -> None:
        weapons: Weapons | None = segment["weapons"]
        attack = self.weapon_attack(weapons, frame) if weapons is not None else self.needed_attack(frame, segment)
        if weapons is not None and frame.attack is not None and frame.attack.side == attack.side:
            attack = replace(
                attack,
                condition=_dedupe((*frame.attack.condition, *attack.condition)),
                requires=_dedupe((*frame.attack.requires, *attack.requires)),
            )
        if segment.get("targeting") is not None:
            extra = self.selection_tokens(self.resolve(segment["targeting"], frame), "target")
            attack = replace(attack, condition=_dedupe((*attack.condition, *extra)))
        keywords = segment["keywords"]
        options = keywords is None
        if options:
            keywords = self.d.chosen
            if not keywords:
                raise NotUnderstood(segment.text)
            self.d.chosen_used = True
        for number, printed in enumerate(keywords, start=1):
            params = weapon_keyword(printed)
            if params is None:
                raise NotUnderstood(printed)
            narrowed = attack
            if params["keyword"] in vocabulary.RANGED_ONLY and attack.attack_type == "any":
                narrowed = replace(narrowed, attack_type="ranged")
            if params["keyword"] in vocabulary.MELEE_ONLY and attack.attack_type == "any":
                narrowed = replace(narrowed, attack_type="melee")
            if options:
                token = self.d.chosen_tokens[number - 1] if self.d.chosen_tokens else f"option_selected:{number}"
                narrowed = replace(narrowed, condition=(*narrowed.condition, token))
                group = "roll" if self.d.chosen_tokens else "one"
                self.emit(frame, narrowed, "grant_keyword", params, segment, choice_group=group)
            else:
                self.emit(frame, narrowed, "grant_keyword", params, segment)

    def on_has(self, segment: Segment, frame: Frame) -> None:
        named: Who | None = segment["who"]
        who = self.resolve(named, frame) if named is not None else frame.subject
        if who is None:
            raise NotUnderstood(segment.text)
        if who.owner == "any":
            if not (who.keywords or who.abilities or who.model_name):
                raise NotUnderstood(segment.text)
            who = replace(who, owner="friend", scope="army")
        if who.owner == "enemy":
            if all(kind == "stat" and value[0] in {"Toughness", "Save"} for kind, value in segment["items"]):
                for _, (name, value) in segment["items"]:
                    attack = Attack("attacker", "any", (), self.selection_tokens(who, "target"), "target")
                    self.emit(frame, attack, "set", {"stat": vocabulary.STATS[name], "value": value}, segment)
                return
            raise NotUnderstood(segment.text)
        frame.subject = who
        requires, conditions = owner_tokens(who)
        if who.scope == "led_unit":
            conditions = ("leading_unit", *conditions)
        if self.d.that is not None and who == self.d.that.who:
            conditions = (*self.d.that.tokens, *conditions)
        base = Attack("defender", "any", requires, conditions, scope_of(who))
        if frame.attack is not None and frame.attack.side == "defender":
            base = replace(
                base,
                attack_type=frame.attack.attack_type,
                condition=_dedupe((*frame.attack.condition, *conditions)),
                requires=_dedupe((*frame.attack.requires, *requires)),
                scope=frame.attack.scope or base.scope,
            )
        elif frame.attack is not None:
            raise NotUnderstood(segment.text)
        for kind, value in segment["items"]:
            self._grant_defence(kind, value, base, frame, segment)

    def _grant_defence(self, kind: str, value: Any, base: Attack, frame: Frame, segment: Segment) -> None:
        if kind == "fnp":
            self.emit(frame, base, "feel_no_pain", {"threshold": value[0], "versus": value[1]}, segment)
        elif kind == "invuln":
            attack_type = value[1] if value[1] != "any" else base.attack_type
            self.emit(
                frame,
                base,
                "invulnerable_save",
                {"threshold": value[0], "versus": value[1]},
                segment,
                attack_type=attack_type,
            )
        elif kind == "cover":
            self.emit(frame, base, "benefit_of_cover", {}, segment, attack_type="ranged")
        elif kind == "stealth":
            self.emit(frame, base, "stealth", {}, segment, attack_type="ranged")
        elif kind == "stat":
            name, number = value
            if name in vocabulary.OTHER_STATS:
                self.d.harmless.append(segment.text)
                return
            stat = vocabulary.STATS[name]
            attack = base if stat in {"T", "Sv", "W"} else replace(base, side="attacker")
            self.emit(frame, attack, "set", {"stat": stat, "value": number}, segment)
        else:
            self.d.harmless.append(segment.text)

    def on_deny_cover(self, segment: Segment, frame: Frame) -> None:
        named: Who | None = segment["who"]
        if (
            named is None
            or named.owner == "target"
            or (named.owner in {"that", "it"} and frame.attack is not None and frame.attack.side == "attacker")
        ):
            attack = frame.attack or (self.d.previous.attack if self.d.previous is not None and named is None else None)
            if attack is not None and attack.side == "attacker":
                self.emit(frame, attack, "deny_cover", {}, segment, attack_type="ranged")
                return
            if named is None:
                selection = self.d.that
                if selection is None or selection.who.owner != "enemy":
                    raise NotUnderstood(segment.text)
                named = Who("enemy", scope="that")
        who = self.resolve(named, frame)
        if who.owner != "enemy":
            raise NotUnderstood(segment.text)
        attack = Attack("attacker", "ranged", (), self.selection_tokens(who, "target"), "target")
        self.emit(frame, attack, "deny_cover", {}, segment, attack_type="ranged")

    def on_critical_on(self, segment: Segment, frame: Frame) -> None:
        roll = segment["roll"]
        params = {"roll": roll, "threshold": segment["threshold"], "if_successful": segment["successful"] or False}
        if not segment["successful"]:
            params["if_successful"] = False
        self.emit(frame, self.needed_attack(frame, segment), "critical_on", params, segment)

    def on_hit_only_on(self, segment: Segment, frame: Frame) -> None:
        if frame.attack is None and frame.stratagem is None and not segment["stratagem"]:
            attack = self.needed_attack(frame, segment)
        elif frame.attack is not None:
            attack = frame.attack
        else:
            subject = frame.subject or self.d.subject
            requires, conditions = (
                owner_tokens(subject) if subject is not None and subject.owner == "friend" else ((), ())
            )
            attack = Attack(
                "attacker", "ranged", requires, conditions, scope_of(subject) if subject is not None else "unit"
            )
            frame.stratagem = "FIRE OVERWATCH"
        self.emit(frame, attack, "hit_only_on", {"threshold": segment["threshold"]}, segment)

    def on_always_fails(self, segment: Segment, frame: Frame) -> None:
        self.emit(
            frame,
            self.needed_attack(frame, segment),
            "always_fails",
            {"roll": segment["roll"], "up_to": segment["up_to"]},
            segment,
        )

    def on_auto(self, segment: Segment, frame: Frame) -> None:
        self.emit(frame, self.needed_attack(frame, segment), "auto", {"roll": segment["roll"]}, segment)

    def on_ignore(self, segment: Segment, frame: Frame) -> None:
        stats = list(dict.fromkeys(segment["stats"]))
        if not stats:
            self.d.harmless.append(segment.text)
            return
        who: Who | None = segment.get("who")
        if segment.get("only"):
            subject = self.resolve(who, frame) if who is not None else frame.subject or self.d.subject
            requires, conditions = (
                owner_tokens(subject) if subject is not None and subject.owner == "friend" else ((), ())
            )
            attack = frame.attack or Attack(
                "attacker", "ranged", requires, conditions, scope_of(subject) if subject else None
            )
            if attack.attack_type == "any":
                attack = replace(attack, attack_type="ranged")
            self.emit(frame, attack, "ignore_modifiers", {"stats": stats, "only": segment["only"]}, segment)
            return
        self.emit(frame, self.needed_attack(frame, segment), "ignore_modifiers", {"stats": stats}, segment)

    def on_mortal(self, segment: Segment, frame: Frame) -> None:
        named: Who | None = segment["who"]
        if named is not None and named.owner == "it" and frame.subject is None and any(c.startswith("if:") for c in frame.conditions):
            raise NotUnderstood(segment.text)  # `it` is whoever that condition is about
        who = (
            self.resolve(named, frame) if named is not None else (self.d.that.who if self.d.that is not None else None)
        )
        if who is None or segment.get("instead_of_amount") or segment.instead:
            raise NotUnderstood(segment.text)
        params: dict[str, Any] = {"amount": segment["amount"]}
        if frame.dice != 1:
            params["dice"] = frame.dice
        per = frame.per
        if segment.get("for_each") is not None:
            per = "model" if segment["for_each"].level == "model" else "unit"
        if frame.attack is not None:
            per = "critical" if frame.critical is not None else "attack"
        params["per"] = per
        params["success_on"] = frame.success_on if frame.success_on is not None else "auto"
        if segment.get("max"):
            params["max"] = segment["max"]
        group = {"choice_group": "roll"} if frame.outcomes > 1 else {}
        if who.owner == "any" and named is not None and self.d.enemy is not None:
            who = self.d.enemy.who
        if who.owner == "enemy":
            conditions = self.selection_tokens(who, "target")
            attack = Attack(
                "attacker",
                frame.attack.attack_type if frame.attack else "any",
                (),
                conditions,
                "target",
                phases=frame.attack.phases if frame.attack else frozenset(),
            )
            if frame.attack is not None and frame.attack.side == "attacker":
                attack = replace(
                    attack,
                    condition=_dedupe((*frame.attack.condition, *conditions)),
                    requires=frame.attack.requires,
                    weapon_filter=frame.attack.weapon_filter,
                )
        elif who.owner == "friend":
            requires, conditions = owner_tokens(who)
            attack = Attack("defender", "any", requires, ("self_inflicted", *conditions), scope_of(who))
        else:
            raise NotUnderstood(segment.text)
        if frame.destroyed is not None and frame.destroyed.owner == "friend":
            attack = replace(attack, attack_type=frame.destroyed_type, condition=("model_destroyed", *attack.condition))
        self.emit(frame, attack, "mortal_wounds", params, segment, **group)
        if frame.raised is not None:
            if group:
                raise NotUnderstood(segment.text)
            self._emit_raised(frame, segment)

    def on_substitute(self, segment: Segment, frame: Frame) -> None:
        rolls = segment["rolls"] or frame.reroll_rolls
        if not rolls:
            raise NotUnderstood(segment.text)
        subject = frame.subject or self.d.subject or (self.d.that.who if self.d.that else None)
        if subject is None or subject.owner == "enemy":
            subject = SELF if self.d.rule.origin in {"ability", "enhancement"} else None
        if subject is None:
            raise NotUnderstood(segment.text)
        requires, conditions = owner_tokens(subject)
        group = {"choice_group": "one"} if len(rolls) > 1 else {}
        for roll in rolls:
            side = "defender" if roll == "save" else "attacker"
            attack = Attack(side, "any", requires, conditions, scope_of(subject))
            self.emit(frame, attack, "substitute_roll", {"roll": roll, "value": segment["value"]}, segment, **group)

    def on_fight_on_death(self, segment: Segment, frame: Frame) -> None:
        previous = self.d.previous
        destroyed = frame.destroyed or (previous.destroyed if previous else None)
        if destroyed is None and self.d.rule.origin == "stratagem":
            destroyed = self.d.friend.who if self.d.friend else Who("friend", "model", "unit")
        if destroyed is None or destroyed.owner != "friend":
            raise NotUnderstood(segment.text)
        success = frame.success_on if frame.success_on is not None else "auto"
        extra = frame.destroyed_conditions or (previous.destroyed_conditions if previous else [])
        requires, conditions = owner_tokens(destroyed)
        if destroyed.scope == "led_unit":
            conditions = ("leading_unit", *conditions)
        kind = frame.destroyed_type if frame.destroyed else (previous.destroyed_type if previous else "any")
        attack = Attack("defender", kind, requires, ("model_destroyed", *conditions, *extra), scope_of(destroyed))
        self.emit(frame, attack, "fight_on_death", {"action": segment["action"], "success_on": success}, segment)
        self._emit_raised(frame, segment)

    def _emit_raised(self, frame: Frame, segment: Segment) -> None:
        """`adding 1 to the result if ...`: the last row again, easier by so much, where that condition holds."""
        raised = frame.raised or (
            self.d.previous.raised if self.d.previous and frame.success_on == self.d.previous.success_on else None
        )
        if raised is None:
            return
        last = self.d.effects[-1]
        success = last.params.get("success_on")
        if not isinstance(success, int):
            raise NotUnderstood(segment.text)
        by, condition = raised
        params = {**last.params, "success_on": max(1, success - by) if success - by > 1 else "auto"}
        index = len(self.d.effects)
        self.d.effects.append(
            replace(last, params=params, condition=_dedupe((*last.condition, condition)), instead_of=index)
        )

    def _acting_owner(self, named: Who | None, frame: Frame, segment: Segment) -> Who:
        who = self.resolve(named, frame) if named is not None else frame.subject or self.d.subject
        if who is None or who.owner == "enemy":
            raise NotUnderstood(segment.text)
        return replace(who, owner="friend")

    def on_again(self, segment: Segment, frame: Frame) -> None:
        who = self._acting_owner(segment["who"], frame, segment)
        attack_type = "ranged" if segment["action"] == "shoot" else "melee"
        requires, conditions = owner_tokens(who)
        self.emit(
            frame, Attack("attacker", attack_type, requires, conditions, scope_of(who)), "attack_again", {}, segment
        )

    def on_out_of_phase(self, segment: Segment, frame: Frame) -> None:
        if frame.destroyed is not None and frame.destroyed.owner == "friend":
            self.on_fight_on_death(
                Segment("fight_on_death", {"action": segment["action"], "who": segment["who"]}, text=segment.text),
                frame,
            )
            return
        who = self._acting_owner(segment["who"], frame, segment)
        attack_type = "ranged" if segment["action"] == "shoot" else "melee"
        frame.acting = attack_type
        requires, conditions = owner_tokens(who)
        if self.d.enemy is not None:
            conditions = (*conditions, *self.selection_tokens(self.d.enemy.who, "target"))
        self.emit(
            frame,
            Attack("attacker", attack_type, requires, conditions, scope_of(who)),
            "out_of_phase_attack",
            {},
            segment,
        )

    def on_deadly(self, segment: Segment, frame: Frame) -> None:
        params = {"amount": "deadly_demise", "per": "once", "success_on": segment["success_on"]}
        if segment.get("that"):
            raise NotUnderstood(segment.text)
        attack = Attack("defender", "any", (), ("model_destroyed",), "self")
        self.emit(frame, attack, "mortal_wounds", params, replace(segment, instead=False))

    def on_redirect(self, segment: Segment, frame: Frame) -> None:
        attack = Attack("defender", "any", (), (), "unit")
        self.emit(frame, attack, "other_attack", {"summary": "attacks must target another unit instead"}, segment)

    def on_while_targeting(self, segment: Segment, frame: Frame) -> None:
        frame.conditions += self.selection_tokens(self.resolve(segment["who"], frame), "target")

    def on_other_attack(self, segment: Segment, frame: Frame) -> None:
        self.emit(frame, self.needed_attack(frame, segment), "other_attack", {"summary": segment["summary"]}, segment)

    def on_only(self, segment: Segment, frame: Frame) -> None:
        who = Who("friend", "model", "self", segment["keywords"], segment["excluded"])
        requires, _ = owner_tokens(who)
        extra = (f"unit_ability:{segment['ability']}",) if segment.get("ability") else ()
        self.d.requires = _dedupe((*self.d.requires, *requires, *extra))
        self.d.harmless.append(segment.text)

    def on_target(self, segment: Segment, frame: Frame) -> None:
        raise NotUnderstood(segment.text)


def _selected(who: Who) -> Who:
    """A friendly unit that was picked: how near it had to be is who may be picked, not an aura."""
    reach = aura_of(who)
    if reach is None:
        return replace(who, scope="unit")
    preds = tuple(p for p in who.preds if p.name != "within")
    return replace(who, scope="unit", preds=(*preds, Pred("within_of_source", reach)))


def _same(who: Who, other: Who) -> bool:
    return who.owner == other.owner and who.keywords == other.keywords and all(p in who.preds for p in other.preds)


def _key(effect: Effect) -> tuple[Any, ...]:
    params = effect.params
    return (params.get("roll"), params.get("stat"), params.get("keyword"))


_CONDITIONS = frozenset({"holds", "opaque", "critical"})


def _spread_instead(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """`add 1 to X and add 2 to Y instead`: the word covers the clauses that stand directly before it."""
    marked = list(segments)
    for index in range(len(segments) - 1, -1, -1):
        if segments[index].instead and segments[index].kind in CLAUSES:
            before = index - 1
            while before >= 0 and segments[before].kind in CLAUSES:
                marked[before] = replace(segments[before], instead=True)
                before -= 1
            break
    return tuple(marked)


def _share_owner(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """`add 1 to the Attacks characteristic and add 2 to the Strength characteristic of X`: X owns both."""
    shared = list(segments)
    for index in range(len(segments) - 2, -1, -1):
        this, following = shared[index], shared[index + 1]
        if this.kind == following.kind == "modify_stat" and this["owner"] is None and following["owner"] is not None:
            shared[index] = replace(this, data={**this.data, "owner": following["owner"]})
    return tuple(shared)


def _is_choice(segment: Segment) -> bool:
    """Whether `or` before a clause offers a choice that the rows can carry: one die or another, or `instead` said otherwise."""
    return segment.instead or (segment.kind == "reroll" and all(which == "one_roll" for _, which in segment["rolls"]))


def _or_is_instead(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """`add 1, or add 2 if ...`: the second clause replaces the first where its condition holds."""
    marked = list(segments)
    for index, segment in enumerate(segments[:-1]):
        following = segments[index + 1]
        if segment.alternative and segment.kind in CLAUSES and following.suffix and following.kind in _CONDITIONS:
            marked[index] = replace(segment, instead=True)
    return tuple(marked)


def _attach_suffixes(segments: tuple[Segment, ...]) -> list[tuple[Segment, list[Segment]]]:
    """Each segment with the conditions that follow it. Conditions that end a sentence hold for all its clauses."""
    last_clause = max((i for i, s in enumerate(segments) if s.kind in CLAUSES), default=-1)
    trailing = (
        [s for i, s in enumerate(segments) if i > last_clause and s.kind in _CONDITIONS and not s.suffix]
        if last_clause >= 0
        else []
    )
    result: list[tuple[Segment, list[Segment]]] = [(s, []) for s in trailing]
    for segment in segments:
        if any(segment is t for t in trailing):
            continue
        if segment.suffix and result and result[-1][0].kind in CLAUSES:
            result[-1][1].append(segment)
        else:
            result.append((segment, []))
    return result


def weapon_keyword(printed: str) -> dict[str, Any] | None:
    """A weapon ability as printed, `[SUSTAINED HITS D3]`, as parameters; None when it is none that is known."""
    text = printed.strip("[] ").lower()
    anti = re.fullmatch(r"anti-(.+?) (\d)\+", text)
    if anti:
        return {"keyword": "anti", "value": int(anti.group(2)), "target_keyword": anti.group(1).upper()}
    found = re.fullmatch(r"(.*?)(?: (\d+|d3|d6(?:\+\d+)?|d3\+\d+))?", text)
    assert found is not None
    name, value = found.group(1), found.group(2)
    if name not in vocabulary.WEAPON_KEYWORDS:
        return None
    number: int | str | None = int(value) if value is not None and value.isdigit() else value.upper() if value else None
    return {"keyword": name, "value": number}


_BRACKETS = re.compile(r" ?\([^()]*\)")
_HARMLESS_BRACKET = re.compile(
    r"^\((?:and )?(?:only )?(?:if it is|if that enemy unit is|unless|even though|including|rounding|after any|even if|this is not cumulative|"
    r"assuming|as normal|note|see|to a maximum of \+?\d+)",
    re.IGNORECASE,
)


def _drop_harmless_brackets(sentence: str) -> str:
    """The sentence without the brackets that say nothing of an attack; exclusions and maxima stay."""

    def keep(found: re.Match[str]) -> str:
        text = found.group(0)
        inner = text.strip()
        if re.match(r"\((?:excluding|other than|except|to a maximum|maximum)", inner):
            return text
        if re.match(
            r"\((?:and )?only if (?:it|that enemy unit|that unit|they) (?:is|are) (?:a |an )?eligible targets?", inner
        ):
            return ""
        if re.search(r"eligible target|rounding (?:up|down)|Engagement Range of both", inner):
            return ""
        return text if vocabulary.unexplained(inner) else ""

    return _BRACKETS.sub(keep, sentence)


# ------------------------------------------------------------------------------------------------ texts
@dataclass
class Outcome:
    """What reading a run of lines gave."""

    unread: list[str] = field(default_factory=list)


_BACK = re.compile(
    r"\binstead\b|\bthat attack\b|\bthose attacks\b|\bsuch\b|\bas well\b|\bthis (?:ability|Enhancement|rule|Stratagem)\b|\bthose\b|\badditional\b"
    r"|\bselected\b|\bthe result\b|\bcumulative\b|\bthat (?:re-roll|roll|bonus|modifier)\b|\bif it does\b|\bif you do\b|\bthis effect\b",
    re.IGNORECASE,
)


_GRANTED = re.compile(
    r"^([A-Z][\w' \-!,]{2,60}?) ?: (?=(?:Each|While|In|At|If|Models?|Once|Add|Subtract|This|The|Weapons|Ranged|Melee|When|After|Until|Improve|Enemy|Friendly|You|All|Your) )(.*)$",
    re.DOTALL,
)


class Document:
    """A text cut into lines, bullets and options, read in order."""

    def __init__(self, rule: RuleText) -> None:
        self.rule = rule
        self.unread: list[str] = []
        self.reader = TextReader(Discourse(rule))

    @property
    def d(self) -> Discourse:
        return self.reader.d

    def read_sentence(self, sentence: str) -> bool:
        """One sentence; False if it could not be read and may touch an attack."""
        if _is_comment(sentence):
            return True
        try:
            self.reader.read(sentence)
        except NotUnderstood as stop:
            if vocabulary.unexplained(sentence) is None and not self._would_hold(sentence):
                self.d.harmless.append(sentence)
                self.reader._note_harmless(sentence, Frame())
                return True
            self._refuse(sentence, str(stop))
            return False
        return True

    @staticmethod
    def _would_hold(sentence: str) -> bool:
        return bool(re.search(r"\binstead\b", sentence)) and not re.search(r"\b(?:can|must|is|are)\b", sentence)

    def _refuse(self, sentence: str, stop: str) -> None:
        self.unread.append(stop or sentence)
        if _BACK.search(sentence):
            # What it points back to is not known: every effect of this block falls with it.
            del self.d.effects[self.d.sentence_start :]
        self.d.previous = None
        self.d.that = None
        self.d.enemy = None
        self.d.weapons = None
        self.d.chosen = None

    def read_line(self, line: str) -> None:
        """The sentences of a line; a name printed before the first (`Null Field (Aura): While ...`) names what it grants."""
        named = _GRANTED.match(line)
        if named:
            self._begin_granted(named.group(1).strip())
            line = named.group(2)
        for sentence in sentences(line):
            self.read_sentence(sentence)

    def _begin_granted(self, name: str) -> None:
        self.d.source_name = name
        self.d.previous = None
        self.d.subject = None
        self.d.sentence_start = len(self.d.effects)

    def read_body(self, text: str) -> None:
        """All lines of a text: plain lines, bullets under a head, options."""
        lines = [line for line in text.split("\n") if line.strip()]
        index = 0
        while index < len(lines):
            line = lines[index]
            bullets: list[str] = []
            follow = index + 1
            while follow < len(lines) and lines[follow].startswith("- "):
                bullets.append(lines[follow][2:].strip())
                follow += 1
            if not bullets and _offers_choice(line):
                while follow < len(lines) and _GRANTED.match(lines[follow]):
                    bullets.append(lines[follow])
                    follow += 1
            if bullets and not line.startswith("- "):
                self.read_list(line, bullets)
                index = follow
                continue
            heads = _option_headings(lines, index)
            if heads and _offers_choice(line):
                self.read_line(line)
                index = self.read_options(lines, heads)
                continue
            bare = line.lstrip("|- ").strip()
            if _is_heading(bare) and index + 1 < len(lines) and not line.startswith("- "):
                self._begin_granted(bare)
                flavour = (
                    index + 2 < len(lines) and _is_flavour(lines[index + 1]) and not lines[index + 2].startswith("- ")
                )
                index += 2 if flavour else 1
                continue
            self.read_line(bare)
            index += 1

    def read_list(self, head: str, bullets: list[str]) -> None:
        """Bullets under a head: alternatives when the head offers a choice, else sentences that share the head's words."""
        *before, last = sentences(head) or [""]
        offered = _keyword_bullets(bullets)
        if offered is not None:
            self.d.chosen, self.d.chosen_tokens = offered
            for sentence in (*before, last.rstrip(":")):
                self.read_sentence(sentence)
            return
        for sentence in before:
            self.read_sentence(sentence)
        if _offers_choice(head):
            if not last.endswith(":") or not _offers_choice(last):
                self.read_sentence(last.rstrip(":"))
            elif vocabulary.unexplained(last) is not None or True:
                self._read_choice_head(last)
            self._alternatives(bullets)
            return
        lead = last.rstrip(":")
        if last.endswith(":") and not _is_clause_head(lead):
            for bullet in bullets:
                for number, sentence in enumerate(sentences(bullet)):
                    named = re.match(r"([A-Z][\w' \-!]+): (.*)", sentence)
                    rest = named.group(2) if named and not re.match(r"[A-Z]{2}", sentence) else sentence
                    self.read_sentence(f"{lead}, {rest}" if number == 0 else rest)
            return
        self.read_sentence(lead)
        for bullet in bullets:
            self.read_line(bullet)

    def _read_choice_head(self, last: str) -> None:
        prefix = re.split(r",? ?(?:you can |you must )?(?:select|choose|apply) one", last, maxsplit=1)[0]
        if prefix:
            try:
                self.reader.read(prefix)
            except NotUnderstood as stop:
                if vocabulary.unexplained(prefix):
                    self._refuse(prefix, str(stop))

    def _alternatives(self, bullets: list[str]) -> None:
        saved = replace(self.d)
        for number, bullet in enumerate(bullets, start=1):
            name, text = _bullet_name(bullet)
            self._option(number, name, [text], saved)
        self.d.choice_group, self.d.conditions, self.d.source_name = (
            saved.choice_group,
            saved.conditions,
            saved.source_name,
        )

    def _option(self, number: int, name: str | None, lines: list[str], saved: Discourse) -> None:
        token = option_token(self.rule, name, number)
        self.d.choice_group = "one"
        self.d.conditions = (*saved.conditions, token)
        self.d.source_name = name
        self.d.sentence_start = len(self.d.effects)
        self.d.previous = saved.previous
        self.d.that, self.d.enemy, self.d.friend = saved.that, saved.enemy, saved.friend
        self.d.subject, self.d.weapons = saved.subject, saved.weapons
        self.read_body("\n".join(lines))

    def read_options(self, lines: list[str], heads: list[int]) -> int:
        """Options under headings; returns the index of the line after the last of them."""
        saved = replace(self.d)
        stops = [*heads[1:], len(lines)]
        for number, (start, stop) in enumerate(zip(heads, stops, strict=True), start=1):
            name = lines[start].strip("| ").strip()
            body = lines[start + 1 : stop]
            if len(body) > 1 and _is_flavour(body[0]):
                body = body[1:]
            self._option(number, name, [line.lstrip("| ") for line in body], saved)
        self.d.choice_group, self.d.conditions, self.d.source_name = (
            saved.choice_group,
            saved.conditions,
            saved.source_name,
        )
        return len(lines)


def option_token(rule: RuleText, name: str | None, number: int) -> str:
    """The condition under which an option of a rule is in force."""
    if name is None:
        return f"option_selected:{number}"
    if re.search(r"\bOrders?\b|Voice of Command", rule.name):
        return f"order_active:{name}"
    if re.search(r"Oaths?\b|Chivalric", rule.name):
        return f"oath_active:{name}"
    return f"stance_active:{name}" if rule.origin in {"army_rule", "detachment_rule"} else f"option_selected:{number}"


def parent_token(rule: RuleText) -> str | None:
    """The condition under which a text that belongs to another rule is in force."""
    if rule.parent is None and rule.kind not in {"stance", "order", "oath"}:
        return None
    about = f"{rule.kind or ''} {rule.parent or ''}"
    if rule.kind == "order" or re.search(r"\borders?\b|Voice of Command", about, re.IGNORECASE):
        return f"order_active:{rule.name}"
    if rule.kind == "oath" or re.search(r"\boaths?\b|Chivalric", about, re.IGNORECASE):
        return f"oath_active:{rule.name}"
    if rule.kind == "stance" or re.search(r"Ka'tah|Stance|Doctrine|Tactic", about.replace("’", "'")):
        return f"stance_active:{re.sub(r' Stance$', '', rule.name)}"
    if rule.kind == "option":
        return f"option_selected:{rule.name}"
    if rule.kind == "granted" or re.search(r"\(Aura|Saga\b|^(?:RESTRICTIONS|KEYWORDS|DESIGNER)", rule.name):
        return None  # granted abilities and notes are in force without being chosen
    return f"stance_active:{rule.name}"


def _offers_choice(line: str) -> bool:
    return bool(
        re.search(
            r"select(?:s|ed)? (?:either|one|up to \w+|two|and resolve one) (?:or more |or both )?(?:of )?(?:the |these |of )*(?:following|bullet points|[\w' \-]+ (?:listed )?below|options|abilities)"
            r"|(?:choose|select|use|apply|activate|gains?|has) (?:one|either) of the [\w' \-]*(?:below|following)|one of the following",
            line,
            re.IGNORECASE,
        )
    )


def _is_clause_head(text: str) -> bool:
    return bool(
        re.search(
            r"\bthe following (?:abilities|ability|effects|rules|units|models|keywords)$|\bas follows$|\bbelow$", text
        )
    )


def _keyword_bullets(bullets: list[str]) -> tuple[list[str], tuple[str, ...]] | None:
    """Weapon abilities that bullets offer, with the result of the die that gives each; None if the bullets are sentences."""
    found = [
        re.fullmatch(r"(?:(\d(?:-\d)?\+?): )?(\[[^\]]+\])(?: ability)?[.;,]?(?: or| and)?", bullet)
        for bullet in bullets
    ]
    if not all(found):
        return None
    keywords = [match.group(2) for match in found if match]
    tokens = tuple(f"roll:{match.group(1)}" for match in found if match and match.group(1))
    return keywords, tokens if len(tokens) == len(keywords) else ()


def _bullet_name(bullet: str) -> tuple[str | None, str]:
    named = re.match(r"([A-Z][\w' \-!,]{2,60}?): (.+)", bullet, re.DOTALL)
    if named and not re.search(r"\b(?:unit|model|phase|attack|weapons?)\b", named.group(1)):
        return named.group(1), named.group(2)
    return None, bullet


def _option_headings(lines: list[str], index: int) -> list[int]:
    """Indexes of the headings after this line: short lines of a title's shape without a final stop."""
    return [number for number in range(index + 1, len(lines)) if _is_heading(lines[number]) and number + 1 < len(lines)]


def _is_heading(line: str) -> bool:
    bare = line.strip("| ")
    return (
        bool(bare)
        and len(bare) <= 48
        and not re.search(r"[.:;]$", bare)
        and bool(re.match(r"[A-Z0-9]", bare))
        and len(bare.split()) <= 7
    )


def _is_flavour(line: str) -> bool:
    return not re.search(
        r"\d|\[|\b(?:unit|units|models?|roll|phase|characteristic|this (?:army|unit|model))\b|\b[A-Z]{3,}\b", line
    )


def _is_comment(sentence: str) -> bool:
    return bool(re.match(r"(?:Designer's Note|Example|Note)\b", sentence))


# ------------------------------------------------------------------------------------------------ a rule
_PART = re.compile(r"\b(WHEN|TARGET|EFFECT|RESTRICTIONS?):\s*")
CORE_STEALTH = "stealth"


def stratagem_parts(rule: RuleText) -> dict[str, str]:
    """when, target, effect and restrictions of a stratagem, from the reader's parts or from the text itself."""
    if rule.parts:
        return {
            key.lower().rstrip("s") if key.lower().startswith("restriction") else key.lower(): value or ""
            for key, value in rule.parts.items()
        }
    pieces = _PART.split(rule.text)
    return {pieces[i].lower().rstrip("s"): pieces[i + 1].strip() for i in range(1, len(pieces) - 1, 2)}


def compile_stratagem(rule: RuleText) -> Document:
    """A stratagem: WHEN gives the phase, TARGET who may be picked, EFFECT and RESTRICTIONS the sentences."""
    parts = {key: normalise(value) for key, value in stratagem_parts(rule).items()}
    document = Document(rule)
    d = document.d
    when = parts.get("when", "")
    other = re.search(r"Command phase|Movement phase|Charge phase|[Aa]ny phase", when)
    d.phases = (
        frozenset() if other else frozenset(p for w, p in (("Shooting", "shooting"), ("Fight", "fight")) if w in when)
    )
    if re.search(r"enemy (?:[A-Z' \-]+ )?(?:unit|model)", when):
        d.enemy = Selection(Who("enemy"), ("triggering_unit",))
    rolls = (
        ("hit", "Hit roll"),
        ("wound", "Wound roll"),
        ("damage", "Damage roll"),
        ("attacks", "number of attacks"),
        ("save", "saving throw"),
    )
    d.when_rolls = tuple(roll for roll, words in rolls if words in when)
    target = parts.get("target", "")
    d.stratagem_scope = "self" if re.match(r"(?:One|That|Up to \w+) (?:[A-Z][\w' ,\-]*? )?model\b", target) else "unit"
    _read_target(target, d)
    d.friend = Selection(Who("friend", "unit", d.stratagem_scope))
    d.subject = d.friend.who
    effect = parts.get("effect", "")
    document.read_body(_unglue(effect))
    if parts.get("restriction"):
        document.read_body(parts["restriction"])
    return document


def _unglue(text: str) -> str:
    return re.sub(r"^- ", "", text)


def _read_target(target: str, d: Discourse) -> None:
    first = sentences(target.split("\n")[0])
    if not first:
        return
    text = first[0]
    text = re.sub(r"^(?:[Tt]hat|[Oo]ne or more) ", "one ", text)
    node = parse("target: " + text[0].lower() + text[1:]) if text else None
    if node is not None and node.kind == "target":
        requires, conditions = owner_tokens(node["who"])
        d.requires = requires
        d.conditions = _dedupe(c for c in conditions)
        return
    head, clauses = _target_clauses(text)
    node = parse("target: " + head[0].lower() + head[1:]) if head else None
    if node is not None and node.kind == "target":
        d.requires, d.conditions = owner_tokens(node["who"])
    for clause in clauses:
        node = parse("target: one unit from your army that " + clause)
        if node is not None and node.kind == "target":
            requires, conditions = owner_tokens(node["who"])
            d.requires = _dedupe((*d.requires, *requires))
            d.conditions = _dedupe((*d.conditions, *conditions))
        elif near := re.match(r"is (?:wholly )?within (\d+)\" of that enemy unit", clause):
            d.conditions = _dedupe((*d.conditions, f"target_within:{near.group(1)}"))
        elif not re.match(
            r"(?:was|were|is|are) (?:just )?(?:selected|hit|targeted|the target|destroyed)|you can|even though|would be eligible|that would",
            clause,
        ):
            d.conditions = _dedupe((*d.conditions, "if:" + _slug(clause)))


def _target_clauses(text: str) -> tuple[str, list[str]]:
    """Who may be picked, and what is said of it clause by clause (`is within ...`, `has not ...`)."""
    head, *rest = re.split(
        r",? (?:and )?that (?=(?:is|are|was|were|has|have|had|made|did|disembarked|ended|arrived|started|contains|can|Re)\b)",
        text,
    )
    clauses: list[str] = []
    for part in rest:
        clauses += re.split(r",? and (?=(?:that would|would|is|are|was|were|has|have|not|within|disembarked)\b)", part)
    exclusion = re.search(r" (\(excluding [^()]*\))", clauses[-1]) if clauses else None
    if exclusion and "excluding" not in head:
        clauses[-1] = clauses[-1].replace(exclusion.group(0), "")
        head += exclusion.group(0)
    return head.strip(" ,"), [clause.strip(" ,") for clause in clauses if clause.strip(" ,")]


_CORE_NONE = {
    "deep strike": "reserves", "scouts": "movement", "infiltrators": "reserves", "leader": "army-building", "hover": "movement",
    "firing deck": "other", "lone operative": "other", "fights first": "other", "super-heavy walker": "movement",
}  # fmt: skip


def core_ability(rule: RuleText) -> Compiled | None:
    """A core ability by its name and printed value; None when it is none."""
    printed = f"{rule.name} {rule.value or ''}".strip()
    name = re.sub(r" *(?:\d*D?\d+(?:\+\d+)?[+\"]?)$", "", printed).strip().lower()
    value = rule.value or (re.search(r"(\d*D?\d+(?:\+\d+)?[+\"]?)$", rule.name) or [None, None])[1]
    if name == "deadly demise" and value:
        params = {"amount": str(value), "per": "unit", "success_on": 6}
        return _read_one(Effect("defender", "any", "any", "mortal_wounds", params, ("model_destroyed",), scope="self"))
    if name == "feel no pain" and value:
        threshold = re.search(r"\d", str(value))
        if threshold:
            versus = [w for w in ("psychic", "mortal") if w in str(rule.value).lower() or w in rule.text.lower()] or [
                "any"
            ]
            return _read_one(
                Effect(
                    "defender",
                    "any",
                    "any",
                    "feel_no_pain",
                    {"threshold": int(threshold.group(0)), "versus": versus},
                    scope="unit",
                )
            )
    if name == CORE_STEALTH:
        return _read_one(Effect("defender", "shooting", "ranged", "stealth", {}, scope="unit"))
    if name in _CORE_NONE:
        return not_attack(_CORE_NONE[name])
    return None


def _read_one(effect: Effect) -> Compiled:
    return Compiled("read", None, (effect,), None)


def not_attack(category: str) -> Compiled:
    """A text that changes no attack."""
    return Compiled("not_attack", category, (Effect(None, None, None, "none", {}, category=category),), None)


_ORDER_LINE = re.compile(r"^(?:.*?[!|:.] *|)((?:(?:M|T|S[Vv]|W|L[Dd]|OC|BS|WS|A|S|AP|D) [+-]\d+\"?(?:,? |$))+) *\|?$")
_ORDER_STATS = {"T": "T", "SV": "Sv", "W": "W", "BS": "BS", "WS": "WS", "A": "A", "S": "S", "AP": "AP", "D": "D"}


def order_line(rule: RuleText) -> Compiled | None:
    """An order printed as a characteristic and a change: `WS +1` (an improvement by 1)."""
    text = normalise(rule.text).replace("\n", " ").strip()
    found = _ORDER_LINE.match(text)
    if not found:
        return None
    condition = (f"order_active:{rule.name}",)
    effects = []
    for stat, amount in re.findall(r"(M|T|SV|Sv|W|LD|Ld|OC|BS|WS|A|S|AP|D) ([+-]\d+)", found.group(1)):
        name = _ORDER_STATS.get(stat.upper())
        if name is None:
            continue
        delta = int(amount) * (-1 if name in vocabulary.LOWER_IS_BETTER else 1)
        attack_type = {"BS": "ranged", "WS": "melee"}.get(name, "any")
        phase = {"ranged": "shooting", "melee": "fight"}.get(attack_type, "any")
        side = "defender" if name in {"T", "Sv", "W"} else "attacker"
        weapon = attack_type if attack_type != "any" else None
        effects.append(
            Effect(
                side,
                phase,
                attack_type,
                "modify",
                {"stat": name, "delta": delta},
                condition,
                ("not_battle_shocked",),
                weapon,
                scope="unit",
            )
        )
    if not effects:
        return not_attack("objective" if "OC" in text else "movement")
    return Compiled("read", None, tuple(effects), None)


def compile_rule(rule: RuleText) -> Compiled:
    """Compile one text; never raises for a text. Shapes: see `model`."""
    if rule.kind == "core" or (rule.origin == "ability" and not rule.text.strip()):
        core = core_ability(rule)
        if core is not None:
            return core
    if rule.kind == "order" or (rule.parent and re.search(r"order|Voice of Command", rule.parent, re.IGNORECASE)):
        line = order_line(rule)
        if line is not None:
            return line
    if not rule.text.strip() and not any(rule.parts.values()):
        return Compiled("not_understood", None, (), f"no text: {rule.name}")
    if rule.origin == "stratagem" and (rule.parts or _PART.search(rule.text)):
        document = compile_stratagem(rule)
    else:
        document = Document(rule)
        token = parent_token(rule)
        if token is not None:
            document.d.conditions = (token,)
            document.d.choice_group = "one"
        document.d.subject = SELF if rule.origin == "enhancement" or rule.kind in {"wargear", "damaged"} else None
        document.read_body(normalise(_without_name(rule)))
    return _verdict(document)


def _without_name(rule: RuleText) -> str:
    """The text without its own name printed before it."""
    for mark in (":", "."):
        if rule.name and rule.text.startswith(rule.name + mark):
            return rule.text[len(rule.name) + 1 :].strip()
    return rule.text


def _is_malus(effect: Effect) -> bool:
    """A change for the worse to the owner itself, other than one that wounds lost bring."""
    if any(token.startswith("wounds_remaining") for token in effect.condition):
        return False
    stat, delta = effect.params.get("stat"), effect.params.get("delta")
    if effect.kind != "modify" or not isinstance(delta, int):
        return False
    if effect.side == "attacker" and effect.scope != "target":
        return stat in {"hit_roll", "wound_roll", "S", "A", "D"} and delta < 0
    return effect.side == "defender" and ((stat == "Sv" and delta > 0) or (stat == "T" and delta < 0))


def _verdict(document: Document) -> Compiled:
    # A part of another rule may be about enemy units that its parent marks; a malus to `this unit` tells that it is.
    if document.rule.parent is not None and any(_is_malus(effect) for effect in document.d.effects):
        return Compiled(
            "not_understood", None, (), f"a change for the worse whose bearer only {document.rule.parent} names"
        )
    if document.d.chosen and not document.d.chosen_used:
        document.unread.append("a choice of weapon abilities that nothing takes up")
    effects = tuple(replace(e, condition=_dedupe((*e.condition, *document.d.limits))) for e in document.d.effects)
    stopped = document.unread[0][:200] if document.unread else None
    if effects:
        return Compiled("read", None, effects, stopped)
    if stopped is not None:
        return Compiled("not_understood", None, (), stopped)
    text = " ".join([document.rule.text, *document.rule.parts.values()])
    return not_attack(vocabulary.category_of(text))

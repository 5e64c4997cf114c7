"""What words point to: units, weapons, the attack; and the row that a clause adds.

Belongs here: `that unit`, `it`, `the target`, whose attack an event names, the common fields of an effect. Does not belong
here: what single segments mean (`prefixes`, `clauses`).
"""

import re
from dataclasses import replace
from typing import Any

from pipelines.rules_text.discourse import SELF, Attack, Discourse, Frame, NotUnderstood, Selection
from pipelines.rules_text.model import Effect
from pipelines.rules_text.nodes import Pred, Segment, Weapons, Who
from pipelines.rules_text.tokens import aura_of, dedupe, enemy_tokens, owner_tokens, scope_of, slug


class Referents:
    """The discourse of a text, and what its words point to."""

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
            base = self.antecedent(who).who
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

    def tokens_of(self, who: Who) -> tuple[str, ...]:
        """The conditions that the choice of this unit carries, if it is the one chosen earlier or a model in it."""
        chosen = self.d.that
        if chosen is None or replace(who, level="unit") != replace(chosen.who, level="unit"):
            return ()
        return chosen.tokens

    def antecedent(self, who: Who) -> Selection:
        """The selection that `that unit` points to; `that PSYKER model` points only to one with that keyword."""
        assert self.d.that is not None
        said = {name for names in who.keywords for name in names}
        for candidate in (self.d.that, self.d.friend, self.d.enemy):
            if candidate is not None and said <= {name for names in candidate.who.keywords for name in names}:
                return candidate
        if self.d.that.who.owner == "enemy":
            raise NotUnderstood(f"that {' '.join(sorted(said))} unit")
        return self.d.that

    def _that_without_antecedent(self, who: Who, frame: Frame) -> Who:
        if frame.subject is not None and frame.subject.owner == "friend":
            return replace(frame.subject, level=who.level)
        if self.d.stratagem_scope is not None:
            return Who("friend", who.level, self.d.stratagem_scope)
        if self.d.friend is not None:
            return self.d.friend.who
        if self.d.subject is not None and self.d.subject.scope == "army":
            return replace(self.d.subject, level=who.level)
        raise NotUnderstood("that unit")

    def _acting(self, frame: Frame, attacking: bool) -> Who:
        attack = frame.attack or (self.d.previous.attack if self.d.previous else None)
        if attack is None and attacking and frame.destroyed is not None and frame.destroyed.owner == "friend":
            return Who("enemy")
        if attack is None and self.d.rule.kind == "weapon":
            return SELF if attacking else Who("enemy")  # the footnote of a weapon is about attacks made with it
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
            if pred.name == "state" and slug(pred.arg) in self.d.states:
                return self.d.states[slug(pred.arg)].who
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
            return dedupe(
                (
                    chosen,
                    *enemy_tokens(
                        replace(who, preds=tuple(p for p in who.preds if p.name != "selected_keyword")), prefix
                    ),
                )
            )
        if selection is not None and who.owner == "enemy" and same_unit(who, selection.who):
            tokens = tuple(f"{prefix}_{token}" for token in selection.tokens)
        for state, marked in self.d.states.items():
            if marked.who == who and not tokens:
                tokens = tuple(f"{prefix}_{token}" for token in marked.tokens) or (f"{prefix}_{state}",)
        return dedupe((*tokens, *enemy_tokens(who, prefix)))

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
                actor = weapons.owner or (SELF if shape in {"made", "scores", "destroys"} else None)
        if event.get("overwatch"):
            conditions.append("stratagem_active:FIRE OVERWATCH")
            attack_type = "ranged"
        if event.get("opaque"):
            conditions.append("if:" + slug(event["opaque"]))
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
            owned = (*self.tokens_of(owner), *owned)
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
            side, attack_type, requires, dedupe(conditions), scope, weapon_filter, event.get("phases", frozenset())
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
        unowned = target is not None and target.owner == "any" and actor is None
        if target is not None and unowned and event["shape"] == "allocated" and "because of this" in self.d.rule.text:
            return "defender", replace(target, owner="friend", scope="army")  # terrain covers whoever is behind it
        before = self.d.previous.attack if self.d.previous else None
        if unowned and before is not None and before.side == "attacker" and "such an attack" in event.text:
            return "attacker", None
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
            if self.d.that is not None and self.d.that.who.owner == "enemy" and " such a" in event.text:
                return "attacker", None  # the attacks that the text has just allowed against an enemy unit
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
        conditions = (*self.tokens_of(owner), *conditions)
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
            condition=dedupe(conditions),
            requires=dedupe((*self.d.requires, *attack.requires)),
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
                and row_key(other) == row_key(effect)
            ):
                return index + 1
        for index in range(len(self.d.effects) - 1, -1, -1):
            other = self.d.effects[index]
            if other.kind == effect.kind and other.side == effect.side and other.instead_of is None:
                return index + 1
        for index in range(len(self.d.effects) - 1, -1, -1):
            other = self.d.effects[index]
            of_stat = {effect.kind, other.kind} <= {"modify", "set", "halve"} and other.side == effect.side
            if of_stat and other.params["stat"] == effect.params["stat"] and other.instead_of is None:
                return index + 1
        raise NotUnderstood("instead of what")


def picked(who: Who) -> Who:
    """A friendly unit that was picked: how near it had to be is who may be picked, not an aura."""
    reach = aura_of(who)
    if reach is None:
        return replace(who, scope="unit")
    preds = tuple(p for p in who.preds if p.name != "within")
    return replace(who, scope="unit", preds=(*preds, Pred("within_of_source", reach)))


def same_unit(who: Who, other: Who) -> bool:
    return who.owner == other.owner and who.keywords == other.keywords and all(p in who.preds for p in other.preds)


def row_key(effect: Effect) -> tuple[Any, ...]:
    params = effect.params
    return (params.get("roll"), params.get("stat"), params.get("keyword"))

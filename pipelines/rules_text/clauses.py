"""Clauses: what changes in an attack, as rows.

Belongs here: one method `on_<kind>` for each kind of clause. Does not belong here: conditions (`prefixes`), order (`ordering`).
"""

import re
from dataclasses import replace
from typing import Any

from pipelines.rules_text import vocabulary
from pipelines.rules_text.discourse import SELF, Attack, Frame, NotUnderstood, Selection
from pipelines.rules_text.nodes import Segment, Weapons, Who
from pipelines.rules_text.prefixes import Prefixes
from pipelines.rules_text.tokens import dedupe, owner_tokens, scope_of, slug, weapon_keyword


def _against_token(text: str, against: str) -> str:
    """The condition under which a save against attacks of one kind counts."""
    damage = re.search(r"Damage characteristic of (\d)$", text)
    if damage:
        return f"attack_damage:{damage.group(1)}"
    if "sychic" in text and " and " not in text:
        return "psychic_attack"
    keyword = re.fullmatch(r"([A-Z][A-Z' -]+) (?:models|units)", against)
    return f"attacker_keyword:{keyword.group(1)}" if keyword else f"if:against_{slug(against)}"


class Clauses(Prefixes):
    """Reads clauses that change an attack."""

    def needed_attack(self, frame: Frame, segment: Segment) -> Attack:
        """The attack that `the Hit roll` and `that attack` belong to."""
        if frame.attack is not None:
            return frame.attack
        if self.d.previous is not None and self.d.previous.attack is not None:
            return self.d.previous.attack
        if self.d.rule.kind == "weapon":
            return Attack("attacker", scope="self", weapon_filter="this weapon")
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
                if isinstance(owner, Weapons):
                    self.weapon_attack(owner, frame)  # so that `those weapons` are known
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
        stats = [vocabulary.STATS.get(name) for name in segment["stats"]]
        if stats == ["A"] and segment["owner"] != "that attack" and segment["owner"] is not None:
            attack, attack_type = self._stat_attack(segment["owner"], "A", frame, segment)
            self.emit(frame, attack, "other_attack", {"summary": "A: halve"}, segment, attack_type=attack_type)
            return
        if stats != ["D"]:
            raise NotUnderstood(segment.text)
        attack, attack_type = self._stat_attack(segment["owner"], "D", frame, segment)
        self.emit(frame, attack, "halve", {"stat": "D"}, segment, attack_type=attack_type)

    def on_reroll(self, segment: Segment, frame: Frame) -> None:
        rolls = segment["rolls"]
        group = "one" if len(rolls) > 1 and rolls[0][1] == "one_roll" and not segment.get("all") else None
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
                condition=dedupe((*frame.attack.condition, *attack.condition)),
                requires=dedupe((*frame.attack.requires, *attack.requires)),
            )
        if segment.get("targeting") is not None:
            extra = self.selection_tokens(self.resolve(segment["targeting"], frame), "target")
            attack = replace(attack, condition=dedupe((*attack.condition, *extra)))
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
            if attack.side == "defender" and params["keyword"] != "hazardous":
                raise NotUnderstood(segment.text)  # no rule of the defender gives attackers better weapons
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

    def on_choose_apply(self, segment: Segment, frame: Frame) -> None:
        if segment["phase"]:
            frame.length = "phase"
        if segment.get("keywords"):
            self.d.chosen, self.d.chosen_tokens = segment["keywords"], ()
        self.on_grant(Segment("grant", {"weapons": segment["weapons"], "keywords": None}, text=segment.text), frame)

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
        if who.scope == "army" and self.d.that is None:
            self.d.that = Selection(who)
        requires, conditions = owner_tokens(who)
        if who.scope == "led_unit":
            conditions = ("leading_unit", *conditions)
        conditions = (*self.tokens_of(who), *conditions)
        base = Attack("defender", "any", requires, conditions, scope_of(who))
        if frame.attack is not None and frame.attack.side == "defender":
            base = replace(
                base,
                attack_type=frame.attack.attack_type,
                condition=dedupe((*frame.attack.condition, *conditions)),
                requires=dedupe((*frame.attack.requires, *requires)),
                scope=frame.attack.scope or base.scope,
            )
        elif frame.attack is not None:
            raise NotUnderstood(segment.text)
        for kind, value in segment["items"]:
            self._grant_defence(kind, value, base, frame, segment)

    def _grant_defence(self, kind: str, value: Any, base: Attack, frame: Frame, segment: Segment) -> None:
        if kind in {"fnp", "invuln"} and len(value) > 2:
            against = re.sub(r"^(?:ability )?against (?:attacks? )?(?:made )?(?:by |with )?", "", value[2])
            base = replace(base, condition=dedupe((*base.condition, _against_token(value[2], against))))
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

    def on_struck_suffer(self, segment: Segment, frame: Frame) -> None:
        struck = self.d.struck
        if struck is None or struck.attack is None:
            raise NotUnderstood(segment.text)
        params = {"amount": segment["amount"], "per": "unit", "success_on": struck.success_on}
        attack = replace(struck.attack, scope="target", condition=(*struck.attack.condition, "target_or_near"))
        phases = frame.phases or struck.phases
        frame = Frame(
            phases=phases, conditions=list(struck.conditions), success_on=struck.success_on, raised=struck.raised
        )
        self.emit(frame, attack, "mortal_wounds", params, segment)
        self._emit_raised(frame, segment)

    def on_lose(self, segment: Segment, frame: Frame) -> None:
        attack = self.weapon_attack(segment["weapons"], frame)
        if segment.get("targeting") is not None:
            extra = self.selection_tokens(self.resolve(segment["targeting"], frame), "target")
            attack = replace(attack, condition=dedupe((*attack.condition, *extra)))
        self.emit(frame, attack, "other_attack", {"summary": segment["summary"]}, segment)

    def on_scaled(self, segment: Segment, frame: Frame) -> None:
        for name in segment["stats"]:
            if name in vocabulary.OTHER_STATS:
                self.d.harmless.append(segment.text)
                continue
            attack, attack_type = self._stat_attack(segment["owner"], vocabulary.STATS[name], frame, segment)
            summary = {"summary": f"{vocabulary.STATS[name]}: {segment['summary'].partition(': ')[2]}"}
            self.emit(frame, attack, "other_attack", summary, segment, attack_type=attack_type)

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
        attack = self._ignoring_attack(segment, frame)
        self.emit(frame, attack, "ignore_modifiers", {"stats": stats}, segment)

    def _ignoring_attack(self, segment: Segment, frame: Frame) -> Attack:
        """The attack whose modifiers are ignored; `your unit can ignore` names its owner without an attack."""
        subject = frame.subject or self.d.subject
        if (
            frame.attack is None
            and subject is not None
            and subject.owner == "friend"
            and re.match(r"(?!you )\w.* can ignore", segment.text)
        ):
            requires, conditions = owner_tokens(subject)
            return Attack("attacker", "any", requires, conditions, scope_of(subject))
        return self.needed_attack(frame, segment)

    def on_mortal(self, segment: Segment, frame: Frame) -> None:
        named: Who | None = segment["who"]
        if (
            named is not None
            and named.owner == "it"
            and frame.subject is None
            and any(c.startswith("if:") for c in frame.conditions)
        ):
            raise NotUnderstood(segment.text)  # `it` is whoever that condition is about
        who = (
            self.resolve(named, frame) if named is not None else (self.d.that.who if self.d.that is not None else None)
        )
        if segment.instead and who is not None and not segment.get("instead_of_amount"):
            self._replace_mortal(segment, who, frame)
            return
        if who is None or segment.get("instead_of_amount"):
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
        elif frame.most_dice is not None:
            if params["amount"] != "1":
                raise NotUnderstood(segment.text)
            params["max"] = frame.most_dice
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
                    condition=dedupe((*frame.attack.condition, *conditions)),
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
        if frame.raised is not None and "test_failed" not in frame.conditions:
            self._emit_raised(frame, segment)

    def _replace_mortal(self, segment: Segment, who: Who, frame: Frame) -> None:
        """`suffers so many instead`: the one row of mortal wounds before it, with the other amount."""
        rows = [
            (index, effect)
            for index, effect in enumerate(self.d.effects, start=1)
            if index > self.d.sentence_start and effect.kind == "mortal_wounds"
        ]
        side = "attacker" if who.owner == "enemy" else "defender"
        own_roll = frame.outcomes > 0 and frame.success_on is not None
        if len(rows) != 1 or rows[0][1].side != side or frame.raised is not None:
            raise NotUnderstood(segment.text)
        index, row = rows[0]
        params = {**row.params, "amount": segment["amount"]}
        if own_roll and frame.success_on != row.params["success_on"]:
            params["success_on"] = frame.success_on
        condition = dedupe((*row.condition, *frame.conditions))
        if params["success_on"] == row.params["success_on"] and condition == row.condition:
            raise NotUnderstood(segment.text)
        condition = tuple(re.sub(r"\bowner(?=_(?:not_)?keyword)", "unit", token) for token in condition)
        self.d.effects.append(replace(row, params=params, condition=condition, instead_of=index))

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
        by, condition = raised
        span = re.fullmatch(r"(\d)-(\d)", str(success))
        easier: int | str
        if span:
            low, high = (max(1, min(6, int(end) - by)) for end in span.groups())
            easier = f"{low}-{high}" if low < high else f"={low}"
        elif isinstance(success, int):
            easier = success - by if success - by > 1 else "auto"
        else:
            raise NotUnderstood(segment.text)
        params = {**last.params, "success_on": easier}
        index = len(self.d.effects)
        self.d.effects.append(
            replace(last, params=params, condition=dedupe((*last.condition, condition)), instead_of=index)
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
            if frame.attack is None or frame.destroyed is None or frame.destroyed.owner != "enemy":
                raise NotUnderstood(segment.text)
            enemy = replace(frame.attack, side="attacker", scope="target")
            self.emit(frame, enemy, "mortal_wounds", params, replace(segment, instead=False))
            return
        attack = Attack("defender", "any", (), ("model_destroyed",), "self")
        self.emit(frame, attack, "mortal_wounds", params, replace(segment, instead=False))

    def on_hidden_models(self, segment: Segment, frame: Frame) -> None:
        attack = Attack(segment["side"], "ranged", (), (), "unit")
        self.emit(frame, attack, "other_attack", {"summary": segment["summary"]}, segment)

    def on_act_when_destroyed(self, segment: Segment, frame: Frame) -> None:
        if frame.destroyed is None:
            raise NotUnderstood(segment.text)
        self.on_fight_on_death(segment, frame)

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
        self.d.requires = dedupe((*self.d.requires, *requires, *extra))
        self.d.harmless.append(segment.text)

    def on_target(self, segment: Segment, frame: Frame) -> None:
        raise NotUnderstood(segment.text)

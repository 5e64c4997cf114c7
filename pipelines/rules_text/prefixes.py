"""Segments that come before a clause: when, how long, how often, on what condition, who is picked.

Belongs here: one method `on_<kind>` for each kind of segment that changes the frame, `fact_<kind>` for what a condition says.
Does not belong here: clauses that change an attack.
"""

import re
from dataclasses import replace
from typing import Any

from pipelines.rules_text import vocabulary
from pipelines.rules_text.discourse import SELF, SHOOTING, Attack, Frame, NotUnderstood, Selection
from pipelines.rules_text.nodes import Pred, Segment, Weapons, Who
from pipelines.rules_text.reading import parse
from pipelines.rules_text.referents import Referents, picked
from pipelines.rules_text.tokens import (
    OPAQUE_TOKENS,
    aura_of,
    dedupe,
    either,
    enemy_tokens,
    owner_tokens,
    pred_tokens,
    slug,
)


def _beside_the_source(preds: tuple[Pred, ...]) -> bool:
    """Whether the models are said to be in one unit with the rule's owner, so that they are of its army."""
    return any(p.name == "opaque" and str(p.arg).startswith("in the same unit as") for p in preds)


class Prefixes(Referents):
    """Reads segments that change the frame of a sentence."""

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

    def on_once_each(self, segment: Segment, frame: Frame) -> None:
        self.on_once(segment, frame)
        who = segment["who"]
        if who.owner != "friend":
            return
        self.d.that = Selection(who)
        self.note(who, frame)

    def on_opaque(self, segment: Segment, frame: Frame) -> None:
        words = segment["words"]
        enemy = re.search(r"\benem(?:y|ies)\b|opponent's", words)
        if re.match(r"(?:until|for the purposes|instead of|with|from|except|to do so)\b", words):
            if words.startswith("until"):
                frame.length = "longer"
            elif words.startswith(("instead of", "except")):
                raise NotUnderstood(words)
            return
        made = re.match(r"unless (?:it|that attack) (?:is|was) made with an? ([A-Z]\w+)(?: weapon)?$", words)
        if made:
            frame.conditions.append(f"not_made_with:{made.group(1).lower()}")
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
        several = re.match(
            r"while (?:one|two) or more ([A-Z][A-Z' \-]+) (model|unit)s are (?:under the effects? of|affected by)",
            words,
        )
        if several:
            who = Who("friend", several.group(2), "army", vocabulary.keyword_alternatives(several.group(1)))
            self.d.that = self.d.friend = Selection(who)
        if re.search(
            r"^(?:if |while |when |each time |after )?(?:this unit|your unit|the bearer's unit|this model's unit|a model in this unit)\b",
            words,
        ):
            frame.subject = self.d.subject = Who("friend", "unit", "unit")
        elif re.search(r"^(?:if |while |when |each time |after )?(?:this model|the bearer)\b", words):
            frame.subject = self.d.subject = SELF
        if self.d.choice_group is not None and re.search(r"^while (?:this|that) .* is active", words):
            return
        known = next((token for pattern, token in OPAQUE_TOKENS if pattern.search(words)), None)
        if known is not None:
            active = re.search(r"the ([A-Z][\w' !]+?)(?: ability| Blessing of Khorne)? is active", words)
            frame.conditions.append(known.replace("NAME", active.group(1) if active else ""))
            return
        frame.conditions.append("if:" + slug(re.sub(r"^(?:if|while|when|each time) ", "", words)))

    def on_event(self, segment: Segment, frame: Frame) -> None:
        frame.attack = self._narrowed_like_the_one_before(segment, self.attack_from(segment, frame))
        if segment.get("scored"):
            scored = re.search(r"(Critical )?([Ww]ound|[Hh]it)", segment["scored"])
            assert scored is not None
            roll = scored.group(2).lower()
            if scored.group(1):
                frame.critical = roll
            else:
                frame.conditions.append(f"{roll}_scored")
            self.d.enemy = self.d.that = Selection(Who("enemy"))
        if segment["shape"] == "destroys":
            target = self.resolve(segment["target"], frame)
            if target.owner != "enemy" or frame.attack.side != "attacker":
                raise NotUnderstood(segment.text)
            frame.destroyed = target
            frame.conditions.append("target_destroyed")
        if segment.get("first") and not any(c.startswith("once_per_") for c in frame.conditions):
            frame.conditions.append("first_time")

    def _narrowed_like_the_one_before(self, segment: Segment, attack: Attack) -> Attack:
        """`if such an attack targets ...`: an attack of the kind that the sentence before was about."""
        before = self.d.previous.attack if self.d.previous is not None else None
        if before is None or before.side != attack.side or not re.search(r"\bsuch an? attack\b", segment.text):
            return attack
        kind = attack.attack_type if attack.attack_type != "any" else before.attack_type
        return replace(
            attack,
            attack_type=kind,
            weapon_filter=attack.weapon_filter or before.weapon_filter,
            condition=dedupe((*before.condition, *attack.condition)),
            requires=dedupe((*before.requires, *attack.requires)),
        )

    def on_target_chosen(self, segment: Segment, frame: Frame) -> None:
        """`just after selecting a target for W`: what follows is done with the attacks of W."""
        frame.attack = self.weapon_attack(segment["weapons"], frame)

    def on_unit_struck(self, segment: Segment, frame: Frame) -> None:
        """The die of a unit that is struck is remembered until the text says what it suffers."""
        if not isinstance(frame.success_on, int):
            raise NotUnderstood(segment.text)
        if frame.attack is None and self.d.previous is not None:
            frame.attack = self.d.previous.attack
        self.d.struck = frame

    def on_destroyed(self, segment: Segment, frame: Frame) -> None:
        who = self.resolve(segment["who"], frame)
        if who.owner == "any" and who.scope is None:
            frame.conditions.append("if:" + slug(segment.text))
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
        before = len(frame.conditions)
        for kind, who, value in segment["facts"]:
            getattr(self, f"fact_{kind}")(who, value, frame, segment)
        if segment.get("either"):
            self._join_last(frame, before, segment)

    def _join_last(self, frame: Frame, before: int, segment: Segment) -> None:
        """Two conditions of which one is enough; each must have given exactly one token."""
        added = frame.conditions[before:]
        if len(added) != 2:
            raise NotUnderstood(segment.text)
        frame.conditions[before:] = [either(*added)]

    def on_before_deadly(self, segment: Segment, frame: Frame) -> None:
        subject = frame.subject or self.d.subject
        if subject is None or subject.owner != "friend":
            raise NotUnderstood(segment.text)
        frame.destroyed = subject

    def fact_is(self, who: Who, preds: tuple[Pred, ...], frame: Frame, segment: Segment) -> None:
        original = who
        who = self._subject_of(who, frame)
        full = replace(who, preds=(*who.preds, *preds))
        if who.owner == "any" and any(p.name == "state" for p in preds):
            name = next(slug(p.arg) for p in preds if p.name == "state")
            marked = self.d.states.get(name)
            if marked is None and name == "affected_by_this_ability" and "Bondsman" in self.d.rule.name:
                marked = Selection(Who("friend", "unit", "unit"), ("affected_by_this_ability",))
            if marked is None:
                raise NotUnderstood(segment.text)
            self.d.that = marked
            frame.subject = marked.who
            if marked.who.owner == "enemy":
                self.d.enemy = marked
            return
        if who.owner == "any" and aura_of(full) is not None:
            # Auras name enemies as such; a unit without that word is a friendly one, its keyword lost or left out.
            who, full = replace(who, owner="friend"), replace(full, owner="friend")
        if who.owner == "any":
            who = (
                replace(who, owner="friend", scope="army")
                if (who.keywords or who.abilities) and (not original.plural or _beside_the_source(preds))
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
                frame.conditions.append("if:" + slug(segment.text.removeprefix("if ")))
            self.d.that = Selection(replace(full, scope=full.scope or "army"))
            self.d.friend = self.d.that
            frame.subject = self.d.subject = self.d.that.who
            return
        state = next((p for p in preds if p.name == "state" and not p.negated), None)
        if state is not None and slug(state.arg) in self.d.states:
            frame.conditions += [f"unit_{slug(state.arg)}"]
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
        if who.owner == "any" and (who.keywords or who.model_name):
            self.d.friend = Selection(replace(who, owner="friend", scope="unit"))
            self.d.that = Selection(replace(led, preds=()))
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

    def fact_carries(self, who: Who, named: str, frame: Frame, segment: Segment) -> None:
        """Two weapons of a kind: the condition, and the weapons that `those weapons` are."""
        owner = self.resolve(who, frame)
        kind = re.fullmatch(r"(melee|ranged) weapons", named)
        self.d.weapons = Weapons(kind.group(1) if kind else "any", kind.group(1) if kind else named, owner)
        frame.subject = owner
        frame.conditions = [
            token for token in frame.conditions if "_equipped_with_" not in token
        ]  # of the sentence before
        frame.conditions.append("if:" + slug(segment.text.removeprefix("if ")))

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
        frame.attack = replace(previous, condition=dedupe((*previous.condition, *tokens)))

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
            previous, condition=dedupe((*previous.condition, *self.selection_tokens(target, "target")))
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
            aside.conditions.append("if:" + slug(found.group(3).removeprefix("if ")))
        tokens = [re.sub(r"\bowner(?=_(?:not_)?keyword)", "unit", token) for token in aside.conditions]
        frame.raised = (
            int(found.group(2)) * (1 if found.group(1) == "adding" else -1),
            tokens[-1] if tokens else "roll_modified",
        )

    def on_roll(self, segment: Segment, frame: Frame) -> None:
        self._roll(segment.data, frame)

    def _roll(self, data: Any, frame: Frame) -> None:
        frame.dice = data["dice"]
        frame.most_dice = data["most"]
        per: Who | None = data["per"]
        if per is not None:
            frame.per = "model" if per.level == "model" else "unit"
            marked = next((slug(p.arg) for p in per.preds if p.name == "state"), None)
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
            self.d.that = Selection(picked(who))
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
            self.d.limits = dedupe((*self.d.limits, f"{limit.group(1)}_per_{limit.group(2).replace(' ', '_')}"))
        self.d.harmless.append(segment.text)
        self.note_harmless(segment.text, frame)

    def note_harmless(self, words: str, frame: Frame) -> None:
        user = re.search(
            r"^one (?:([A-Z][A-Z' \-]+) )?(model|unit)(?: from your army)? with this ability can use it", words
        )
        if user:
            keywords = vocabulary.keyword_alternatives(user.group(1)) if user.group(1) else ()
            scope = "self" if user.group(2) == "model" else "unit"
            self.d.friend = Selection(Who("friend", user.group(2), scope, keywords))
        listed = re.search(
            r"\b(?:made|taken) for ([A-Z][A-Z'\-]+(?:(?:, | and | or | )[A-Z][A-Z'\-]+)*) units from your army", words
        )
        if listed:
            self.d.that = Selection(Who("friend", "unit", "army", vocabulary.keyword_alternatives(listed.group(1))))
        marked = re.search(
            r"\b(that (?:enemy )?(?:unit|model)|each of those units|it|those (?:enemy )?units|they) (?:is|are) (?:also )?([a-z-]+)$",
            words,
        )
        if marked and marked.group(2) not in {"eligible", "destroyed", "removed", "visible"}:
            selection = self.d.that
            if "enemy" in marked.group(1) and self.d.enemy is not None:
                selection = self.d.enemy
            if selection is not None:
                self.d.states[slug(marked.group(2))] = selection
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
        self.d.states[slug(segment["state"])] = selection
        self.d.harmless.append(segment.text)

    def on_keep_in_play(self, segment: Segment, frame: Frame) -> None:
        if segment.get("success_on") is not None:
            frame.success_on = segment["success_on"]
        self.d.harmless.append(segment.text)

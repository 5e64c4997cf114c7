"""From a parse tree of one segment to its values.

Belongs here: one method for each named rule of the grammar. Does not belong here: the cut into segments (`reading`), meaning.
"""

import re
from dataclasses import replace
from typing import Any

from lark import Token, Transformer

from pipelines.rules_text import vocabulary
from pipelines.rules_text.nodes import Pred, Segment, Weapons, Who


def _keywords(text: str) -> tuple[tuple[str, ...], ...]:
    return vocabulary.keyword_alternatives(text)


def _excluded(text: str) -> tuple[tuple[str, ...], str | None]:
    """Keywords that an exclusion names, and the weapon it names where it is about weapons."""
    inner = re.sub(r"^\(?(?:excluding|other than|except)|\)$", "", text).strip()
    if "weapon" in inner or not re.search(r"[A-Z]{2}", inner) or inner.startswith("["):
        return (), re.sub(r" weapons$", "", inner)
    words = re.sub(r"\b(?:units?|models?|with the|keyword)\b", " ", inner)
    alternatives = [
        re.sub(r" +", " ", alt).strip() for alt in re.split(r",? and/or |, or |, and |, | or | and ", words)
    ]
    return tuple(" ".join(vocabulary.split_keyword(alt)) for alt in alternatives if alt), None


def _phases(text: str) -> frozenset[str]:
    named = {"Shooting": "shooting", "Fight": "fight"}
    return frozenset(value for word, value in named.items() if word in text)


def _attack_type(text: str) -> str:
    lowered = text.lower()
    if "ranged" in lowered and "melee" in lowered:
        return "any"
    return "ranged" if "ranged" in lowered or "overwatch" in lowered else "melee" if "melee" in lowered else "any"


def _rolls(text: str) -> str:
    for word, roll in (
        ("hit", "hit"),
        ("wound", "wound"),
        ("damage", "damage"),
        ("sav", "save"),
        ("number of attacks", "attacks"),
    ):
        if word in text.lower():
            return roll
    raise ValueError(f"no roll in {text!r}")


_RANGED_NAMES = frozenset({"torrent", "blast", "melta", "pistol", "indirect fire", "rapid fire", "heavy", "assault"})


class ToNodes(Transformer[Token, Any]):
    """One method for each alias of the grammar. Shapes are documented in `nodes`."""

    def start(self, items: list[Any]) -> Any:
        return items[0]

    segment = start

    # time
    def until_phase(self, _: list[Any]) -> Segment:
        return Segment("duration", {"length": "phase"})

    def until_attacks(self, _: list[Any]) -> Segment:
        return Segment("duration", {"length": "attacks"})

    def until_longer(self, _: list[Any]) -> Segment:
        return Segment("duration", {"length": "longer"})

    def phase(self, items: list[Any]) -> str:
        return str(items[0])

    def any_phase(self, _: list[Any]) -> str:
        return "any phase"

    def a_turn(self, items: list[Any]) -> str:
        return str(items[0])

    def phase_list(self, items: list[Any]) -> list[str]:
        return [str(item) for item in items if not (isinstance(item, Token) and item.type == "COMMA_OR")]

    def phase_timing(self, items: list[Any]) -> Segment:
        names: list[str] = items[-1]
        edge = str(items[0]) if len(items) > 1 else ""
        known = all("Shooting" in name or "Fight" in name for name in names)
        phases = frozenset().union(*(_phases(name) for name in names)) if known else frozenset()
        opponent = all("opponent" in name for name in names)
        return Segment("timing", {"phases": phases, "edge": edge, "opponent": opponent, "names": tuple(names)})

    def after_attacks(self, items: list[Any]) -> Segment:
        who = next(item for item in items if isinstance(item, Who))
        verb = next(str(item) for item in items if isinstance(item, Token) and item.type == "HAS_SHOT")
        phases = _phases(
            " ".join(str(i) for i in items if not isinstance(i, Who))
            .replace("shot", "Shooting")
            .replace("fought", "Fight")
        )
        return Segment("after_attacks", {"who": who, "phases": phases, "verb": verb})

    def selected_to(self, items: list[Any]) -> Segment:
        who = next(item for item in items if isinstance(item, Who))
        verb = next(str(item) for item in items if isinstance(item, Token) and item.type == "SELECTED_TO")
        phases = frozenset(p for w, p in (("shoot", "shooting"), ("fight", "fight")) if w in verb)
        return Segment("selected_to", {"who": who, "phases": phases})

    def you_select_to(self, items: list[Any]) -> Segment:
        verb = str(items[-1])
        phases = frozenset(p for w, p in (("shoot", "shooting"), ("fight", "fight")) if w in verb)
        return Segment("selected_to", {"who": next(i for i in items if isinstance(i, Who)), "phases": phases})

    def within_phase(self, items: list[Any]) -> str:
        return str(items[0]) if items else ""

    def targets_selected(self, items: list[Any]) -> Segment:
        return Segment("after_attacks", {"who": items[1], "phases": frozenset(), "verb": "targets"})

    def who_is_targeted(self, items: list[Any]) -> Segment:
        who = next(item for item in items if isinstance(item, Who))
        return Segment("is_targeted", {"who": who, "attack_type": _attack_type(str(items[-1]))})

    def once(self, items: list[Any]) -> Segment:
        return Segment("once", {"text": str(items[0])})

    def once_each(self, items: list[Any]) -> Segment:
        return Segment("once_each", {"text": str(items[0]), "who": items[2]})

    # attacks
    def attack_np(self, items: list[Any]) -> dict[str, Any]:
        text = str(items[0])
        return {
            "attack_type": _attack_type(text),
            "psychic": "sychic" in text and "non-" not in text and "xcluding" not in text,
            "not_psychic": "non-Psychic" in text or "xcluding" in text,
            "indirect": "Indirect" in text,
            "overwatch": "Overwatch" in text,
        }

    def attack_by(self, items: list[Any]) -> dict[str, Any]:
        return {**self.attack_np(items), "by": items[2]}

    def attack_damage(self, items: list[Any]) -> dict[str, Any]:
        return {**self.attack_np(items), "damage": str(items[1])[-1]}

    def attack_with(self, items: list[Any]) -> dict[str, Any]:
        return {**self.attack_np(items), "with": items[2]}

    def tail_target(self, items: list[Any]) -> dict[str, Any]:
        return {"target": items[1]}

    def tail_with(self, items: list[Any]) -> dict[str, Any]:
        return {"with": items[1]}

    def tail_overwatch(self, _: list[Any]) -> dict[str, Any]:
        return {"overwatch": True}

    def tail_phase(self, items: list[Any]) -> dict[str, Any]:
        return {"phases": _phases(str(items[0]))}

    def tail_none(self, _: list[Any]) -> dict[str, Any]:
        return {}

    @staticmethod
    def _event(shape: str, items: list[Any], **parts: Any) -> Segment:
        data: dict[str, Any] = {"shape": shape, "attack_type": "any", **parts}
        for item in items:
            if isinstance(item, dict):
                narrowed = item.get("attack_type", "any")
                kept = data["attack_type"]
                data.update(item)
                data["attack_type"] = narrowed if narrowed != "any" else kept
        return Segment("event", data)

    def makes_attack(self, items: list[Any]) -> Segment:
        return self._event("makes", items, actor=items[1])

    def unit_targets(self, items: list[Any]) -> Segment:
        return self._event("makes", items, actor=items[1], target=items[3])

    def attack_targets(self, items: list[Any]) -> Segment:
        return self._event("targeted", items, target=next(i for i in items if isinstance(i, Who)))

    def attack_allocated(self, items: list[Any]) -> Segment:
        return self._event("allocated", items, target=next(i for i in items if isinstance(i, Who)))

    def attack_made(self, items: list[Any]) -> Segment:
        return self._event("made", items)

    def attack_made_by(self, items: list[Any]) -> Segment:
        return self._event("makes", items, actor=next(i for i in items if isinstance(i, Who)))

    def attack_scores(self, items: list[Any]) -> Segment:
        """An attack that scores a hit or wound: what follows is done on that success."""
        scored = next(str(i) for i in items if isinstance(i, Token) and i.type == "SCORES")
        target = items[-1] if isinstance(items[-1], Who) else Who("enemy")
        if target.owner == "any":
            target = replace(target, owner="enemy")
        return self._event("scores", items, target=target, scored=scored)

    def attack_destroys(self, items: list[Any]) -> Segment:
        return self._event("destroys", items, target=items[-1])

    def target_chosen(self, items: list[Any]) -> Segment:
        return Segment("target_chosen", {"weapons": items[-1]})

    def per_near(self, _: list[Any]) -> Who:
        return Who("enemy", "unit", preds=(Pred("target_or_near"),))

    def unit_struck(self, _: list[Any]) -> Segment:
        return Segment("unit_struck", {})

    def struck_suffer(self, items: list[Any]) -> Segment:
        amount = next(str(i) for i in items if isinstance(i, Token) and i.type == "MW_AMOUNT").split(" mortal")[0]
        return Segment("struck_suffer", {"amount": "1" if amount == "a" else amount})

    def making_attacks(self, items: list[Any]) -> Segment:
        return self._event("making", items)

    def model_destroyed(self, items: list[Any]) -> Segment:
        text = str(items[-1])
        return Segment("destroyed", {"who": items[-2], "attack_type": _attack_type(text)})

    def model_destroyed_first(self, items: list[Any]) -> Segment:
        return Segment("destroyed", {"who": items[-2], "attack_type": _attack_type(str(items[-1])), "first": True})

    def save_failed(self, items: list[Any]) -> Segment:
        who = items[-1] if isinstance(items[-1], Who) else None
        failed = any(isinstance(i, Token) and i.type == "FAILED" and "failed" in i for i in items)
        return Segment("event", {"shape": "allocated", "attack_type": "any", "target": who, "save_failed": failed})

    def first_save_failed(self, items: list[Any]) -> Segment:
        made = self.save_failed(items)
        return Segment("event", {**made.data, "first": True})

    def first_allocated(self, items: list[Any]) -> Segment:
        made = self.attack_allocated(items)
        return Segment("event", {**made.data, "first": True})

    def after_roll(self, items: list[Any]) -> Segment:
        rolls = next(item for item in items if isinstance(item, list))
        who = items[-1] if isinstance(items[-1], Who) else None
        return Segment("after_roll", {"rolls": rolls, "who": who})

    def made_for(self, items: list[Any]) -> Who:
        return items[1]

    def determine_attacks(self, items: list[Any]) -> Segment:
        return Segment("determine_attacks", {"weapons": items[2]})

    def select_as_target(self, items: list[Any]) -> Segment:
        return Segment("event", {"shape": "targeted", "attack_type": "any", "target": items[2], "with": items[4]})

    def resolving_overwatch(self, _: list[Any]) -> Segment:
        return Segment("overwatch", {})

    def overwatch_fired(self, items: list[Any]) -> Segment:
        return Segment("overwatch", {"who": items[1]})

    def overwatch_use(self, items: list[Any]) -> Segment:
        return Segment("overwatch", {"who": items[2]})

    # states
    def holds(self, items: list[Any]) -> Segment:
        facts = tuple(item for item in items if isinstance(item, tuple))
        return Segment("holds", {"facts": facts, "word": str(items[0]).removeprefix("and ")})

    def predicate(self, items: list[Any]) -> tuple[Pred, ...]:
        return tuple(item for item in items if isinstance(item, Pred))

    def who_is(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("is", items[0], items[2])

    def who_is_not(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("is", items[0], tuple(Pred(p.name, p.arg, True) for p in items[2]))

    def leading(self, items: list[Any]) -> tuple[str, Any, Any]:
        keyword = re.search(r"leading (?:a )?([A-Z][A-Z' \-]+) unit", str(items[1]))
        return ("leading", items[0], keyword.group(1) if keyword else None)

    def led_by(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("led_by", items[0], None)

    def contains(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("contains", items[0], items[2])

    def has_keyword(self, items: list[Any]) -> tuple[str, Any, Any]:
        words = re.sub(r"^(?:has|have) the | keywords?$", "", str(items[1]))
        return ("is", items[0], (Pred("keyword", _keywords(words)),))

    def has_not_keyword(self, items: list[Any]) -> tuple[str, Any, Any]:
        words = re.sub(r"^(?:does|do) not have the | keywords?$", "", str(items[1]))
        return ("is", items[0], (Pred("keyword", _keywords(words), True),))

    def isolated(self, items: list[Any]) -> tuple[str, Any, Any]:
        found = re.search(r"(\d+)\"", str(items[0]))
        return ("token", None, f"target_alone_within:{found.group(1)}" if found else "target_alone")

    def made_by(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("made_by", None, items[1])

    def t_containing(self, items: list[Any]) -> tuple[str, Any]:
        words = re.search(r"(\w+) or more", str(items[0]))
        if words is None:
            raise ValueError(str(items[0]))
        number = words.group(1)
        return ("pred", Pred("models_at_least", int(number) if number.isdigit() else vocabulary.NUMBERS[number]))

    def t_shocked_or_half(self, _: list[Any]) -> tuple[str, Any]:
        return ("pred", Pred("shocked_or_half"))

    def t_opaque(self, items: list[Any]) -> tuple[str, Any]:
        return ("pred", Pred("opaque", str(items[0])))

    def tail_opaque(self, items: list[Any]) -> dict[str, Any]:
        return {"opaque": str(items[0])}

    def while_targeting(self, items: list[Any]) -> Segment:
        return Segment("while_targeting", {"who": items[1]})

    def t_can_fly(self, items: list[Any]) -> tuple[str, Any]:
        return ("pred", Pred("keyword", (("FLY",),), "cannot" in str(items[0])))

    def p_unit(self, items: list[Any]) -> Pred:
        """`an enemy unit within range of ...` said of a target: what its tails say."""
        preds = [item[1] for item in items if isinstance(item, tuple) and item[0] == "pred"]
        words = next((str(i) for i in items if isinstance(i, Token) and i.type == "KEYWORDS"), None)
        if words is not None or len(preds) != 1:
            raise ValueError("more said of a unit than one thing")
        return preds[0]

    def holds_either(self, items: list[Any]) -> Segment:
        facts = tuple(item for item in items if isinstance(item, tuple))
        return Segment("holds", {"facts": facts, "word": str(items[0]).removeprefix("and "), "either": True})

    def before_deadly(self, _: list[Any]) -> Segment:
        return Segment("before_deadly", {})

    def for_blast(self, _: list[Any]) -> Segment:
        return Segment("harmless", {})

    def hidden_models(self, items: list[Any]) -> Segment:
        own = "treated as containing" in str(items[0])
        return Segment("hidden_models", {"side": "defender" if own else "attacker", "summary": str(items[0])})

    def act_when_destroyed(self, items: list[Any]) -> Segment:
        made = self.fight_on_death(items)
        return Segment("act_when_destroyed", made.data)

    def tail_attack_type(self, items: list[Any]) -> dict[str, Any]:
        return {"attack_type": _attack_type(str(items[0]))}

    def holds_not(self, items: list[Any]) -> Segment:
        """`unless`: what is said, the other way round; only a single thing said of a unit can be turned."""
        kind, who, preds = items[1]
        if kind != "is" or len(preds) != 1:
            raise ValueError("unless")
        turned = (Pred(preds[0].name, preds[0].arg, not preds[0].negated),)
        return Segment("holds", {"facts": ((kind, who, turned),), "word": "if"})

    def choose_apply_list(self, items: list[Any]) -> Segment:
        return Segment("choose_apply", {"weapons": items[1], "phase": False, "keywords": items[-1]})

    def t_without(self, items: list[Any]) -> tuple[str, Any]:
        words = re.sub(r"^(?:(?:that|which) (?:does|do) not have|without) the | keywords?$", "", str(items[0]))
        return ("pred", Pred("keyword", _keywords(words), True))

    def wounds_remaining(self, items: list[Any]) -> tuple[str, Any, Any]:
        text = str(items[1])
        found = re.search(r"(\d+)-(\d+)", text)
        if found:
            return ("wounds", items[0], found.group(0))
        single = re.search(r"(\d+)", text)
        if single is None:
            return ("token", items[0], "wounds_below_half")
        return ("wounds", items[0], f"1-{single.group(1)}" if "fewer" in text else single.group(1))

    def contains_named(self, items: list[Any]) -> tuple[str, Any, Any]:
        named = re.sub(r"^contains? ", "", str(items[1]))
        return ("contains", items[0], Who("any", "model", model_name=named))

    def charging(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("token", items[0], "charging")

    def stationary(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("token", items[0], "stationary")

    def advanced(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("token", items[0], "unit_advanced")

    def disembarked(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("token", items[0], "disembarked_this_turn")

    def lost_wounds(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("token", items[0], "model_lost_wounds")

    def s_greater_t(self, _: list[Any]) -> tuple[str, Any, Any]:
        return ("token", None, "strength_greater_than_toughness")

    def crit_scored(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("critical", None, "wound" if "Wound" in str(items[0]) else "hit")

    def made_with(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("with", None, items[1])

    def within_half(self, _: list[Any]) -> tuple[str, Any, Any]:
        return ("token", None, "within_half_range")

    def if_targets(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("targets", None, items[1])

    def not_fought(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("not_acted", items[0], str(items[1]))

    def test_result(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("token", None, "test_passed" if "passed" in str(items[0]) else "test_failed")

    def covered_by(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("is", items[0], (Pred("benefit_of_cover"),))

    def carries(self, items: list[Any]) -> tuple[str, Any, Any]:
        named = re.sub(r"^(?:is|are) equipped with (?:\w+) | in addition to .*$", "", str(items[1]))
        return ("carries", items[0], named)

    def same_unit(self, items: list[Any]) -> tuple[str, Any, Any]:
        other: Who = items[2]
        named = "|".join(" ".join(names) for names in other.keywords) or other.model_name or "source"
        return ("is", items[0], (Pred("opaque", f"in the same unit as {named}"),))

    def already_has(self, _: list[Any]) -> tuple[str, Any, Any]:
        return ("token", None, "weapon_already_has_keyword")

    def s_versus_t(self, items: list[Any]) -> tuple[str, Any, Any]:
        return (
            "token",
            None,
            "strength_less_than_toughness"
            if "equal" not in str(items[0])
            else f"strength_at_{'least' if 'greater' in str(items[0]) else 'most'}_toughness",
        )

    def attacks_hit(self, items: list[Any]) -> tuple[str, Any, Any]:
        return ("hit_by", items[1], None)

    def must_target(self, _: list[Any]) -> Segment:
        return Segment("must_target", {})

    def harmless(self, _: list[Any]) -> Segment:
        return Segment("harmless", {})

    def p_below_start(self, _: list[Any]) -> Pred:
        return Pred("below_starting_strength")

    def p_below_half(self, _: list[Any]) -> Pred:
        return Pred("below_half_strength")

    def p_at_start(self, _: list[Any]) -> Pred:
        return Pred("at_starting_strength")

    def p_shocked(self, _: list[Any]) -> Pred:
        return Pred("battle_shocked")

    def p_within(self, items: list[Any]) -> Pred:
        distance = next(str(i).rstrip('"') for i in items if isinstance(i, Token) and i.type == "DIST")
        return Pred("within", (int(distance), next((i for i in items if isinstance(i, Who)), None)))

    def p_beyond(self, items: list[Any]) -> Pred:
        distance = next(str(i).rstrip('"') for i in items if isinstance(i, Token) and i.type == "DIST")
        return Pred("farther_than", (int(distance), next((i for i in items if isinstance(i, Who)), None)))

    p_beyond_bare = p_beyond
    p_within_visible = p_within

    def p_objective(self, items: list[Any]) -> Pred:
        text = str(items[0])
        if re.search(r"opponent|do not control", text):
            return Pred("objective", "opponent")
        if "control" in text:
            return Pred("objective", "controlled")
        return Pred("objective", "selected" if re.search(r"(?:your|that|selected) ", text) else "any")

    def p_engaged(self, items: list[Any]) -> Pred:
        who = next((i for i in items if isinstance(i, Who)), None)
        named = "|".join(" ".join(names) for names in who.keywords) if who is not None else ""
        return Pred("engagement_range", named or None)

    def p_half_range(self, _: list[Any]) -> Pred:
        return Pred("half_range")

    def p_visible(self, _: list[Any]) -> Pred:
        return Pred("visible")

    def p_keyword(self, items: list[Any]) -> Pred:
        words = next((str(i) for i in items if isinstance(i, Token) and i.type == "KEYWORDS"), None)
        if words is None:
            raise ValueError("a unit without its keyword")
        return Pred("keyword", _keywords(words))

    def p_closest(self, _: list[Any]) -> Pred:
        return Pred("closest")

    def p_place(self, items: list[Any]) -> Pred:
        return Pred("opaque", str(items[0]))

    def p_doctrine(self, items: list[Any]) -> Pred:
        return Pred("doctrine", str(items[0]).rsplit(" the ", 1)[1])

    def p_order(self, _: list[Any]) -> Pred:
        return Pred("order")

    def p_state(self, items: list[Any]) -> Pred:
        return Pred("state", str(items[0]))

    def on_critical(self, items: list[Any]) -> Segment:
        return Segment("critical", {"roll": "wound" if "Wound" in str(items[0]) else "hit"})

    # dice
    def per_what(self, items: list[Any]) -> Who:
        return items[1]

    per_who = per_what

    @staticmethod
    def _dice(items: list[Any]) -> dict[str, Any]:
        text = next(str(i) for i in items if isinstance(i, Token) and i.type == "ROLL_DICE")
        found = re.search(r"roll (\w+) D6", text)
        if "Toughness" in text:
            dice: int | str = "T"
        elif found:
            word = found.group(1)
            dice = int(word) if word.isdigit() else vocabulary.NUMBERS[word]
        else:
            raise ValueError(text)
        adding = next((str(i) for i in items if isinstance(i, Token) and i.type == "ADDING"), None)
        limit = next((str(i) for i in items if isinstance(i, Token) and i.type == "MAX_DICE"), None)
        words = re.search(r"maximum of (\w+) D6", limit) if limit else None
        most = None
        if words:
            most = int(words.group(1)) if words.group(1).isdigit() else vocabulary.NUMBERS[words.group(1)]
        return {
            "dice": dice,
            "per": next((i for i in items if isinstance(i, Who)), None),
            "adding": adding,
            "most": most,
        }

    def roll_dice(self, items: list[Any]) -> Segment:
        return Segment("roll", self._dice(items))

    def adding(self, items: list[Any]) -> Segment:
        return Segment("adding", {"adding": str(items[0])})

    def outcome(self, items: list[Any]) -> Segment:
        text = str(items[1])
        success: int | str = int(text[:-1]) if text.endswith("+") else text if "-" in text else f"={text}"
        if success == "=6":
            success = 6
        return Segment("outcome", {"success_on": success, "each": "each" in str(items[0])})

    # selection
    def select_unit(self, items: list[Any]) -> Segment:
        who = next(i for i in items if isinstance(i, Who))
        data: dict[str, Any] = {"who": who}
        for item in items:
            if isinstance(item, dict):
                data.update(item)
        return Segment("select", data)

    def select_weapons(self, items: list[Any]) -> Segment:
        return Segment("select_weapons", {"weapons": items[1]})

    def select_named_weapon(self, items: list[Any]) -> Segment:
        name = str(items[1]).removeprefix("one ")
        return Segment("select_weapons", {"weapons": self._weapons(None, name, items[3], [])})

    def sel_hit(self, items: list[Any]) -> dict[str, Any]:
        also = self.np(["noun:unit", *[i for i in items if isinstance(i, tuple)]]).preds
        made = next((str(i) for i in items if isinstance(i, Token) and i.type == "HIT_BY" and "made with" in i), None)
        if made:
            named = re.search(
                r"made with (?:its |this model's |the bearer's |an? |their )?(.*?)(?: this (?:phase|turn))?$", made
            )
            also = (*also, Pred("hit_with", named.group(1) if named else made))
        return {"hit": True, "also": also}

    def sel_roll(self, items: list[Any]) -> dict[str, Any]:
        return {"roll": self._dice(items)}

    def sel_moved_over(self, _: list[Any]) -> dict[str, Any]:
        return {"moved_over": True}

    def sel_none(self, _: list[Any]) -> dict[str, Any]:
        return {}

    def weapon_words(self, items: list[Any]) -> list[str]:
        return [str(i) for i in items if isinstance(i, Token) and i.type == "WKW"]

    weapon_list = weapon_words

    def choose_keywords(self, items: list[Any]) -> Segment:
        return Segment("choose", {"keywords": next(i for i in items if isinstance(i, list))})

    choose_list = choose_keywords

    def keyword_list(self, items: list[Any]) -> list[str]:
        return [str(i) for i in items if isinstance(i, Token) and i.type == "KEYWORDS"]

    def choose_apply(self, items: list[Any]) -> Segment:
        return Segment("choose_apply", {"weapons": items[1], "phase": len(items) > 2})

    def per_marked(self, items: list[Any]) -> Who:
        return Who("enemy", "unit", "that", preds=(Pred("state", str(items[1]).split(" ")[0]),))

    def choose_target_keyword(self, items: list[Any]) -> Segment:
        return Segment("choose_target_keyword", {"keywords": next(i for i in items if isinstance(i, list))})

    def t_selected_keyword(self, _: list[Any]) -> tuple[str, Any]:
        return ("pred", Pred("selected_keyword"))

    def choose_following(self, _: list[Any]) -> Segment:
        return Segment("choose_following", {})

    # who
    def det(self, items: list[Any]) -> str:
        return f"det:{items[0]}"

    def noun(self, items: list[Any]) -> str:
        return f"noun:{items[0]}"

    def np(self, items: list[Any]) -> Who:
        owner, level = "any", "unit"
        scope: str | None = None
        model_name: str | None = None
        equipped: str | None = None
        weapons_excluded: str | None = None
        keywords: tuple[tuple[str, ...], ...] = ()
        excluded: list[str] = []
        preds: list[Pred] = []
        abilities: list[str] = []
        plural = False
        for item in items:
            if isinstance(item, str) and not isinstance(item, Token):
                kind, _, text = item.partition(":")
                if kind == "noun":
                    level = "model" if "model" in text and "unit" not in text else "unit"
                    plural = text.endswith("s")
            elif isinstance(item, Token):
                if item.type == "KEYWORDS":
                    keywords = _keywords(str(item))
                elif item.type == "NAMED_KIND" or item.type == "NAME":
                    model_name = str(item)
                elif item.type == "NON_KEYWORD":
                    preds.append(Pred("keyword", ((str(item).removeprefix("non-"),),), True))
                elif item.type == "STATE_ADJ":
                    preds.append(Pred("state", str(item)))
                elif item.type == "ADJ":
                    if "enemy" in item:
                        owner = "enemy"
                    elif "friendly" in item:
                        owner = "friend"
                    if "closest" in item:
                        preds.append(Pred("closest"))
                        owner = "enemy"
                    if "visible" in item:
                        preds.append(Pred("visible"))
                    if "Battle-shocked" in item:
                        preds.append(Pred("battle_shocked"))
                    if "Guided" in item or "Spotted" in item:
                        owner = "friend" if "Guided" in item else "enemy"
                        preds.append(Pred("state", str(item)))
            elif isinstance(item, tuple):
                what, value = item
                if what == "excluded":
                    excluded.extend(value)
                elif what == "weapons_excluded":
                    weapons_excluded = value
                elif what == "army":
                    owner, scope = "friend", "army"
                elif what == "enemy":
                    owner = "enemy"
                elif what == "ability":
                    abilities.append(value)
                elif what == "equipped":
                    equipped = value
                elif what == "pred":
                    preds.append(value)
        if any(p.name == "disembarked" and p.arg == "source" for p in preds) and owner == "any":
            owner = "friend"
        if level == "model" and any(isinstance(i, str) and i.startswith("det:") and "other" in i for i in items):
            preds.append(Pred("not_bearer"))
        if level == "unit" and "det:any other" in items:
            preds.append(Pred("opaque", "other than those named before"))
        if scope is None and owner == "friend":
            scope = "army"
        return Who(
            owner, level, scope, keywords, tuple(excluded), tuple(preds), tuple(abilities), model_name, equipped,
            weapons_excluded, plural,
        )  # fmt: skip

    def NAMED_KIND(self, token: Token) -> Token:
        return token

    def named_kind(self, items: list[Any]) -> Token:
        return items[0]

    def t_excl(self, items: list[Any]) -> tuple[str, Any]:
        keywords, weapon = _excluded(str(items[0]))
        if weapon is not None:
            return ("weapons_excluded", weapon)
        return ("excluded", keywords)

    def t_army(self, _: list[Any]) -> tuple[str, Any]:
        return ("army", None)

    def t_enemy_army(self, _: list[Any]) -> tuple[str, Any]:
        return ("enemy", None)

    def t_ability(self, items: list[Any]) -> tuple[str, Any]:
        text = re.sub(
            r"^(?:with|that has|that have|which has|which have) (?:the )?| (?:abilit(?:y|ies)|keyword)$",
            "",
            str(items[0]),
        )
        return ("ability", text.strip())

    def t_equipped(self, items: list[Any]) -> tuple[str, Any]:
        return ("equipped", re.sub(r"^equipped with (?:an? |one or more )?", "", str(items[0])).strip())

    def t_pred(self, items: list[Any]) -> tuple[str, Any]:
        return ("pred", items[-1])

    def t_not_pred(self, items: list[Any]) -> tuple[str, Any]:
        pred: Pred = items[-1]
        return ("pred", Pred(pred.name, pred.arg, True))

    def t_charging(self, _: list[Any]) -> tuple[str, Any]:
        return ("pred", Pred("charged"))

    def t_disembarked(self, items: list[Any]) -> tuple[str, Any]:
        return ("pred", Pred("disembarked", "source" if " from this " in str(items[0]) else None))

    def t_not_selected(self, items: list[Any]) -> tuple[str, Any]:
        verb = re.search(r"to (shoot or fight|shoot|fight|move|charge)", str(items[0]))
        return ("pred", Pred("not_selected", verb.group(1).replace(" ", "_") if verb else "act"))

    def t_was_target(self, _: list[Any]) -> tuple[str, Any]:
        return ("pred", Pred("was_target"))

    def t_lost(self, _: list[Any]) -> tuple[str, Any]:
        return ("pred", Pred("lost_wounds"))

    def t_stationary(self, _: list[Any]) -> tuple[str, Any]:
        return ("pred", Pred("stationary"))

    def t_eligible(self, _: list[Any]) -> tuple[str, Any]:
        return ("pred", Pred("eligible"))

    def who(self, items: list[Any]) -> Who:
        return items[0]

    def models_in(self, items: list[Any]) -> Who:
        inner: Who = items[0]
        outer: Who = items[2]
        tails = self.np(["noun:model", *items[3:]])
        if outer.owner == "any" and outer.scope is None and inner.owner in {"friend", "enemy"}:
            outer = Who(
                inner.owner, outer.level, inner.scope, outer.keywords, outer.excluded, outer.preds, outer.abilities
            )
        keywords = outer.keywords
        preds = (*outer.preds, *inner.preds, *tails.preds)
        if inner.keywords:
            preds = (*preds, Pred("model_keyword", inner.keywords))
        return Who(
            outer.owner, "model", outer.scope, keywords, (*outer.excluded, *inner.excluded, *tails.excluded), preds,
            (*outer.abilities, *inner.abilities, *tails.abilities), inner.model_name or outer.model_name,
            inner.equipped or tails.equipped or outer.equipped,
            tails.weapons_excluded or inner.weapons_excluded or outer.weapons_excluded,
        )  # fmt: skip

    @staticmethod
    def _own_keyword(text: str) -> tuple[tuple[str, ...], ...]:
        found = re.search(r"\b([A-Z][A-Z' \-]{2,}?) (?:unit|model)(?:'s|s)?", text)
        return _keywords(found.group(1)) if found else ()

    def self_unit(self, items: list[Any]) -> Who:
        return Who("friend", "unit", "unit")

    def self_model(self, items: list[Any]) -> Who:
        return Who("friend", "model", "self")

    def it(self, _: list[Any]) -> Who:
        return Who("it")

    def that_enemy(self, items: list[Any]) -> Who:
        return Who("enemy", "model" if "model" in items[0] else "unit", "that")

    def that_unit(self, items: list[Any]) -> Who:
        text = str(items[0])
        level = "model" if "model" in text and "'s unit" not in text else "unit"
        scope = "model_ref" if re.match(r"(?:that|the destroyed|those|such an?)\b.*\bmodel", text) else None
        return Who("that", level, scope, keywords=self._own_keyword(text))

    def your_units(self, items: list[Any]) -> Who:
        return Who("friend", "unit", "unit", keywords=self._own_keyword(str(items[0])))

    def the_attacker(self, _: list[Any]) -> Who:
        return Who("attacker")

    def the_target(self, _: list[Any]) -> Who:
        return Who("target")

    def the_closest(self, items: list[Any]) -> Who:
        tails = self.np(["noun:unit", *items[1:]])
        return replace(tails, owner="enemy", preds=(Pred("closest"), *tails.preds))

    def named_target(self, items: list[Any]) -> Who:
        name = re.sub(r"^(?:your|its|their) | (?:target|unit)$", "", str(items[0]))
        return Who("enemy", preds=(Pred("named", name),))

    # weapons
    def wt_excl(self, items: list[Any]) -> tuple[str, Any]:
        keywords, weapon = _excluded(str(items[0]))
        return ("excluded", weapon or " ".join(keywords))

    def wt_targeting(self, items: list[Any]) -> tuple[str, Any]:
        return ("targeting", items[1])

    @staticmethod
    def _weapons(
        kind: str | None, name: str | None, owner: Who | None, items: list[Any], back: bool = False
    ) -> Weapons:
        excluded = next((v for i in items if isinstance(i, tuple) for k, v in [i] if k == "excluded"), None)
        targeting = next((v for i in items if isinstance(i, tuple) for k, v in [i] if k == "targeting"), None)
        if excluded is None and owner is not None:
            excluded = owner.weapons_excluded
        text = kind or ""
        attack_type = _attack_type(text)
        bracket = re.search(r"\[[^\]]+\]", text)
        if name is None:
            if bracket:
                name = bracket.group(0)
            elif "psychic" in text.lower():
                name = "non-psychic" if "non-" in text.lower() else "psychic"
            else:
                named = re.search(
                    r"(Torrent|Blast|Melta|Pistol(?=s?)|Indirect Fire|Rapid Fire|Heavy|Assault|Plasma|Bolt)", text
                )
                pair = re.search(r"([A-Z]\w+) (?:or|and) ([A-Z]\w+) weapon", text)
                if pair:
                    return Weapons("any", f"{pair.group(1)}|{pair.group(2)}".lower(), owner, excluded, targeting, back)
                name = named.group(1).lower() if named else attack_type if attack_type != "any" else None
        elif name.endswith(" weapons") is False:
            name = re.sub(r"^(?:all |all of the |each |any |the )", "", name).strip()
            name = re.sub(r" weapons?$", "", name)
            typed = re.search(r" (melee|ranged)$", name)
            if typed:
                attack_type, name = typed.group(1), name[: typed.start()]
        if name in _RANGED_NAMES and attack_type == "any":
            attack_type = "ranged"
        return Weapons(attack_type, name, owner, excluded, targeting, back)

    def weapons_of(self, items: list[Any]) -> Weapons:
        return self._weapons(str(items[0]), None, items[2], items)

    def weapons_but(self, items: list[Any]) -> Weapons:
        return self._weapons(str(items[0]), None, items[3], [self.wt_excl([items[1]]), *items])

    def weapons_bare(self, items: list[Any]) -> Weapons:
        return self._weapons(str(items[0]), None, None, items)

    def _possessor(self, text: str) -> Who:
        if text.startswith(("this model", "the bearer's", "your model")) and "unit" not in text:
            return Who("friend", "model", "self")
        if re.match(r"your [A-Z].*(?:unit|model)'s$", text):
            return Who("friend", "unit", "unit", self._own_keyword(text))
        if "bearer's unit" in text or text.startswith(("this unit", "your unit")):
            return Who("friend", "unit", "unit")
        if text.startswith("that"):
            return Who("enemy", "unit", "that") if "enemy" in text else Who("that", keywords=self._own_keyword(text))
        return Who("it")

    def own_weapons(self, items: list[Any]) -> Weapons:
        return self._weapons(str(items[1]), None, self._possessor(str(items[0])), items)

    def own_named(self, items: list[Any]) -> Weapons:
        return self._weapons(None, str(items[1]).strip(), self._possessor(str(items[0])), items)

    def those_weapons(self, items: list[Any]) -> Weapons:
        return self._weapons(str(items[0]), None, None, items, back=True)

    def named_weapon(self, items: list[Any]) -> Weapons:
        return self._weapons(None, re.sub(r"^an? ", "", str(items[0])), None, items)

    def this_weapon(self, _: list[Any]) -> Weapons:
        return Weapons("any", "this weapon", Who("friend", "model", "self"))

    def named_of(self, items: list[Any]) -> Weapons:
        return self._weapons(None, str(items[0]).strip(), items[2], items)

    # clauses
    def roll_name_list(self, items: list[Any]) -> list[str]:
        return [_rolls(str(i)) for i in items if isinstance(i, Token) and i.type == "ROLL_NAME"]

    def roll_for(self, items: list[Any]) -> dict[str, Any]:
        return {"for": items[1]}

    def roll_tail(self, items: list[Any]) -> dict[str, Any]:
        return {}

    reroll_tail = roll_tail

    @staticmethod
    def _tails(items: list[Any]) -> dict[str, Any]:
        return {key: value for item in items if isinstance(item, dict) for key, value in item.items()}

    @staticmethod
    def _amount(items: list[Any]) -> int | str:
        """A number, or a die (`D3`) where the text rolls for it."""
        text = next(str(i) for i in items if isinstance(i, Token) and i.type in {"AMOUNT", "BY_AMOUNT"})
        die = re.search(r"\d?D\d", text)
        if die:
            return die.group(0)
        found = re.search(r"\d+(?=\"?$)", text)
        if found is None:
            raise ValueError(f"an amount that is no number: {text}")
        return int(found.group(0))

    @staticmethod
    def _signed(sign: int, amount: int | str) -> int | str:
        if isinstance(amount, int):
            return sign * amount
        if sign < 0:
            raise ValueError(f"a die that is taken away: {amount}")
        return amount

    def change_roll(self, items: list[Any]) -> Segment:
        sign = 1 if items[0].type == "ADD" else -1
        rolls = next(i for i in items if isinstance(i, list))
        return Segment(
            "modify_roll", {"rolls": rolls, "delta": self._signed(sign, self._amount(items)), **self._tails(items)}
        )

    def armour_save(self, items: list[Any]) -> Segment:
        amount = re.search(r"\d", str(items[0]))
        return Segment(
            "modify_roll",
            {"rolls": ["armour_save"], "delta": int(amount.group(0)) if amount else 0, **self._tails(items)},
        )

    def stat_list(self, items: list[Any]) -> list[str]:
        return [str(i) for i in items if isinstance(i, Token) and i.type == "STAT"]

    def stat_owner(self, items: list[Any]) -> Any:
        return "that attack" if isinstance(items[0], Token) else items[0]

    def char_of(self, items: list[Any]) -> dict[str, Any]:
        return {"stats": next(i for i in items if isinstance(i, list)), "owner": items[-1]}

    def own_char(self, items: list[Any]) -> dict[str, Any]:
        text = str(items[0])
        stats = next(i for i in items if isinstance(i, list))
        if "attack" in text:
            return {"stats": stats, "owner": "that attack"}
        if "weapon" in text:
            return {"stats": stats, "owner": Weapons(back_reference=True)}
        return {"stats": stats, "owner": self._possessor(text)}

    def bare_char(self, items: list[Any]) -> dict[str, Any]:
        return {"stats": next(i for i in items if isinstance(i, list)), "owner": None}

    def change_stat(self, items: list[Any]) -> Segment:
        sign = 1 if items[0].type == "ADD" else -1
        chars = next(i for i in items if isinstance(i, dict))
        return Segment("modify_stat", {**chars, "delta": self._signed(sign, self._amount(items)), "improve": None})

    def improve_stat(self, items: list[Any]) -> Segment:
        chars = next(i for i in items if isinstance(i, dict))
        return Segment("modify_stat", {**chars, "delta": self._amount(items), "improve": items[0].type == "IMPROVE"})

    def stat_is_changed(self, items: list[Any]) -> Segment:
        chars = next(i for i in items if isinstance(i, dict))
        improved = any(isinstance(i, Token) and i.type == "IS_CHANGED" and "worsened" not in i for i in items)
        return Segment("modify_stat", {**chars, "delta": self._amount(items), "improve": improved})

    @staticmethod
    def _value(text: str) -> int | str:
        found = re.search(r"(D\d(?:\+\d)?|\d+)\+?\"?$", text)
        if found is None:
            raise ValueError(text)
        return int(found.group(1)) if found.group(1).isdigit() else found.group(1)

    def set_stat(self, items: list[Any]) -> Segment:
        chars = next(i for i in items if isinstance(i, dict))
        return Segment("set_stat", {**chars, "value": self._value(str(items[-1]))})

    def weapon_has_stats(self, items: list[Any]) -> Segment:
        values = [self.has_stat([i])[1] for i in items if isinstance(i, Token) and i.type == "A_STAT"]
        return Segment("weapon_has", {"owner": items[0], "values": values})

    def halve_stat(self, items: list[Any]) -> Segment:
        return Segment("halve", next(i for i in items if isinstance(i, dict)))

    def reroll_item(self, items: list[Any]) -> tuple[str, str]:
        text = str(items[0])
        if len(items) > 1:
            return (_rolls(text), "ones")
        return (_rolls(text), "one_roll" if text.startswith("one ") else "any")

    def of_one(self, _: list[Any]) -> str:
        return "of 1"

    def reroll_list(self, items: list[Any]) -> dict[str, Any]:
        found = [i for i in items if isinstance(i, tuple)]
        if found and found[0][1] == "one_roll":
            found = [(roll, "one_roll") for roll, _ in found]
        joined = [str(i) for i in items if isinstance(i, Token) and i.type == "REROLL_JOIN"]
        return {"rolls": found, "all": any("and" in word for word in joined)}

    def reroll(self, items: list[Any]) -> Segment:
        return Segment("reroll", self._tails(items))

    def reroll_result(self, _: list[Any]) -> Segment:
        return Segment("reroll_result", {})

    def reroll_that(self, _: list[Any]) -> Segment:
        return Segment("reroll_that", {})

    def keyword_words(self, items: list[Any]) -> list[str]:
        return next(i for i in items if isinstance(i, list))

    def gt_targeting(self, items: list[Any]) -> dict[str, Any]:
        return {"targeting": items[1]}

    def grant_tail(self, _: list[Any]) -> dict[str, Any]:
        return {}

    def grant_weapons(self, items: list[Any]) -> Segment:
        return Segment("grant", {"weapons": items[0], "keywords": items[2], **self._tails(items)})

    def grant_weapons_it(self, items: list[Any]) -> Segment:
        """`they have`, after weapons: the same weapons; a model cannot have the ability of a weapon."""
        return Segment("grant", {"weapons": Weapons(back_reference=True), "keywords": items[1], **self._tails(items)})

    def grant_choice(self, items: list[Any]) -> Segment:
        weapons = items[0] if isinstance(items[0], Weapons) else Weapons(back_reference=True)
        offered = next(i for i in items if isinstance(i, list))
        return Segment("choose_apply", {"weapons": weapons, "phase": False, "keywords": offered})

    def lose_keyword(self, items: list[Any]) -> Segment:
        weapons = items[0] if isinstance(items[0], Weapons) else Weapons(back_reference=True)
        lost = next(i for i in items if isinstance(i, list))
        return Segment("lose", {"weapons": weapons, "summary": f"weapons lose {', '.join(lost)}", **self._tails(items)})

    def scaled_stat(self, items: list[Any]) -> Segment:
        """A change by a number that the board decides: outside the vocabulary, but what changes is known."""
        chars = next(i for i in items if isinstance(i, dict))
        by = " ".join(
            str(i) for i in items if isinstance(i, Token) and i.type in {"TIMES", "SCALING", "AMOUNT", "ADD_NUMBER"}
        )
        return Segment("scaled", {**chars, "summary": f"{'/'.join(chars['stats'])}: {by}"})

    def grant_attacks_of(self, items: list[Any]) -> Segment:
        weapons = Weapons(_attack_type(str(items[0])), None, items[2])
        return Segment("grant", {"weapons": weapons, "keywords": items[4], **self._tails(items)})

    def redirect(self, _: list[Any]) -> Segment:
        return Segment("redirect", {})

    def grant_selected(self, items: list[Any]) -> Segment:
        return Segment("grant", {"weapons": items[0], "keywords": None})

    def grant_attack(self, items: list[Any]) -> Segment:
        return Segment("grant", {"weapons": None, "keywords": items[1], **self._tails(items)})

    def grant_more(self, items: list[Any]) -> Segment:
        return Segment("grant", {"weapons": Weapons(back_reference=True), "keywords": items[1], "more": True})

    def grant_attack_selected(self, _: list[Any]) -> Segment:
        return Segment("grant", {"weapons": None, "keywords": None})

    def has_fnp(self, items: list[Any]) -> tuple[str, Any]:
        threshold = int(re.search(r"(\d)\+", str(items[0])).group(1))  # type: ignore[union-attr]
        versus = ["any"]
        if len(items) > 1:
            text = str(items[1]).lower()
            versus = [name for name in ("psychic", "mortal") if name in text] or ["any"]
        return ("fnp", (threshold, versus))

    def has_invuln(self, items: list[Any]) -> tuple[str, Any]:
        threshold = int(re.search(r"(\d)\+", str(items[0])).group(1))  # type: ignore[union-attr]
        if len(items) > 1 and "sychic" in str(items[1]):
            return ("invuln", (threshold, "any", str(items[1])))
        return ("invuln", (threshold, _attack_type(str(items[1])) if len(items) > 1 else "any"))

    def has_fnp_against(self, items: list[Any]) -> tuple[str, Any]:
        threshold = int(re.search(r"(\d)\+", str(items[0])).group(1))  # type: ignore[union-attr]
        return ("fnp", (threshold, ["any"], str(items[1])))

    def has_invuln_against(self, items: list[Any]) -> tuple[str, Any]:
        threshold = int(re.search(r"(\d)\+", str(items[0])).group(1))  # type: ignore[union-attr]
        return ("invuln", (threshold, _attack_type(str(items[1])), str(items[1])))

    def has_cover(self, _: list[Any]) -> tuple[str, Any]:
        return ("cover", None)

    def has_stealth(self, _: list[Any]) -> tuple[str, Any]:
        return ("stealth", None)

    def has_stat(self, items: list[Any]) -> tuple[str, Any]:
        found = re.match(r"an? (.*) characteristic of (-?\d+)", str(items[0]))
        assert found is not None
        return ("stat", (found.group(1), int(found.group(2))))

    def has_other(self, items: list[Any]) -> tuple[str, Any]:
        return ("other", str(items[0]))

    def have_items(self, items: list[Any]) -> list[tuple[str, Any]]:
        return [i for i in items if isinstance(i, tuple)]

    def who_has(self, items: list[Any]) -> Segment:
        return Segment("has", {"who": items[0], "items": items[-1]})

    def subject_has(self, items: list[Any]) -> Segment:
        return Segment("has", {"who": None, "items": items[-1]})

    def deny_cover(self, items: list[Any]) -> Segment:
        return Segment("deny_cover", {"who": items[0]})

    def deny_cover_it(self, _: list[Any]) -> Segment:
        return Segment("deny_cover", {"who": None})

    def crit_on(self, items: list[Any]) -> Segment:
        text = str(items[0])
        number = re.search(r"rolls? of (\d)", text)
        if number is None:
            roll = "hit" if "Hit roll" in text else "wound"
            return Segment("critical_on", {"roll": roll, "threshold": 2, "successful": True})
        roll = "hit" if re.search(r"[Hh]it roll", text) else "wound"
        return Segment(
            "critical_on", {"roll": roll, "threshold": int(number.group(1)), "successful": "uccessful" in text}
        )

    def hits_on(self, items: list[Any]) -> Segment:
        number = re.search(r"rolls? of (\d)", str(items[0]))
        if number is None:
            raise ValueError(str(items[0]))
        return Segment("hit_only_on", {"threshold": int(number.group(1)), "stratagem": "Stratagem" in str(items[0])})

    def always_fails(self, items: list[Any]) -> Segment:
        text = str(items[0])
        numbers = [int(n) for n in re.findall(r"\d", text)]
        if numbers != list(range(numbers[0], numbers[-1] + 1)) and len(numbers) != 2:
            raise ValueError(text)
        return Segment("always_fails", {"roll": _rolls(text), "up_to": numbers[-1]})

    def auto(self, items: list[Any]) -> Segment:
        return Segment("auto", {"roll": "wound" if "wound" in str(items[0]) else "hit"})

    def ignored(self, items: list[Any]) -> list[str]:
        text = str(items[0])
        for word, stat in (
            ("Hit", "hit_roll"),
            ("Wound", "wound_roll"),
            ("Damage", "damage_roll"),
            ("sav", "save_roll"),
        ):
            if word in text:
                return [stat]
        return []

    def ignored_stat(self, items: list[Any]) -> list[str]:
        name = next(str(i) for i in items if isinstance(i, Token) and i.type == "IGNORED_STAT")
        return [vocabulary.STATS[name]] if name in vocabulary.STATS else []

    def ignored_list(self, items: list[Any]) -> list[str]:
        return [stat for item in items if isinstance(item, list) for stat in item]

    def ignore(self, items: list[Any]) -> Segment:
        return Segment("ignore", {"stats": items[1]})

    def no_penalty(self, items: list[Any]) -> Segment:
        reason = re.search(r"for (being within Engagement Range|.*)", str(items[-1]))
        only = f"penalty for {reason.group(1)}" if reason else "penalty"
        return Segment(
            "ignore", {"stats": ["hit_roll"], "only": only, "who": items[0] if isinstance(items[0], Who) else None}
        )

    def mw_max(self, items: list[Any]) -> dict[str, Any]:
        found = re.search(r"\d+", str(items[0]))
        return {"max": int(found.group(0)) if found else None}

    def mw_per(self, items: list[Any]) -> dict[str, Any]:
        return {"for_each": items[1]}

    def mw_tail(self, items: list[Any]) -> dict[str, Any]:
        if "instead" in str(items[0]):
            return {"instead_of_amount": True}
        return {}

    def mortal(self, items: list[Any]) -> Segment:
        amount = next(str(i) for i in items if isinstance(i, Token) and i.type == "MW_AMOUNT").split(" mortal")[0]
        who = items[0] if isinstance(items[0], Who) else None
        return Segment("mortal", {"who": who, "amount": "1" if amount == "a" else amount, **self._tails(items)})

    mortal_it = mortal

    def substitute(self, items: list[Any]) -> Segment:
        text = str(items[0])
        rolls = [
            r
            for w, r in (
                ("Hit roll", "hit"),
                ("Wound roll", "wound"),
                ("Damage roll", "damage"),
                ("saving throw", "save"),
            )
            if w in text
        ]
        value = re.search(r"\d", str(items[1]))
        return Segment("substitute", {"rolls": rolls, "value": int(value.group(0)) if value else None})

    def fight_on_death(self, items: list[Any]) -> Segment:
        text = str(items[1])
        action = "either" if "shoot" in text and "fight" in text else "shoot" if "shoot" in text else "fight"
        return Segment("fight_on_death", {"action": action, "who": items[0]})

    def again(self, items: list[Any]) -> Segment:
        return Segment("again", {"who": items[0], "action": "shoot" if "shoot" in str(items[1]) else "fight"})

    def out_of_phase(self, items: list[Any]) -> Segment:
        return Segment("out_of_phase", {"who": items[0], "action": "shoot" if "shoot" in str(items[1]) else "fight"})

    def out_of_phase_it(self, items: list[Any]) -> Segment:
        return Segment("out_of_phase", {"who": None, "action": "shoot" if "shoot" in str(items[0]) else "fight"})

    def keep_on_roll(self, items: list[Any]) -> Segment:
        return Segment("keep_in_play", {"success_on": self.outcome(items[1:])["success_on"]})

    def t_not_fought(self, items: list[Any]) -> tuple[str, Any]:
        return ("pred", Pred("fought" if "fought" in items[0] else "shot", None, True))

    def keep_in_play(self, _: list[Any]) -> Segment:
        return Segment("keep_in_play", {})

    def becomes(self, items: list[Any]) -> Segment:
        return Segment("becomes", {"who": items[0], "state": str(items[2]).split(" for your army")[0]})

    def deadly_auto(self, _: list[Any]) -> Segment:
        return Segment("deadly", {"success_on": "auto"})

    def deadly_on(self, items: list[Any]) -> Segment:
        found = re.search(r"roll of (\d)", str(items[0]))
        enemy = str(items[0]).startswith("that model")
        return Segment("deadly", {"success_on": int(found.group(1)) if found else None, "that": enemy})

    def sequence_ends(self, _: list[Any]) -> Segment:
        return Segment("other_attack", {"summary": "the attack sequence ends"})

    def bearer_only(self, items: list[Any]) -> Segment:
        excluded: tuple[str, ...] = ()
        ability = None
        for item in items[2:]:
            if isinstance(item, Token) and item.type == "EXCL":
                excluded = _excluded(str(item))[0]
            elif isinstance(item, Token) and item.type == "WITH_ABILITY":
                ability = self.t_ability([item])[1]
        return Segment("only", {"keywords": _keywords(str(items[0])), "excluded": excluded, "ability": ability})

    def stratagem_target(self, items: list[Any]) -> Segment:
        return Segment("target", {"who": items[1]})

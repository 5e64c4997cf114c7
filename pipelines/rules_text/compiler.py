"""One rule text to its effects.

Belongs here: which reader a text gets, and the verdict. Does not belong here: reading (`document`, `stratagem`, `printed`).
"""

import re
from dataclasses import replace

from pipelines.rules_text import vocabulary
from pipelines.rules_text.discourse import SELF
from pipelines.rules_text.document import Document, parent_token
from pipelines.rules_text.model import Compiled, Effect, RuleText
from pipelines.rules_text.normalise import normalise
from pipelines.rules_text.printed import core_ability, not_attack, order_line
from pipelines.rules_text.stratagem import PART, compile_stratagem
from pipelines.rules_text.tokens import dedupe


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
    if rule.origin == "stratagem" and (rule.parts or PART.search(rule.text)):
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


def _belongs_to_a_choice(document: Document, effect: Effect) -> bool:
    chosen = document.rule.origin in {"army_rule", "detachment_rule"} and any(
        t.startswith("stance_active:") for t in effect.condition
    )
    return document.rule.parent is not None or chosen


def _verdict(document: Document) -> Compiled:
    # A part of another rule may be about enemy units that its parent marks; a malus to `this unit` tells that it is.
    if any(_is_malus(effect) and _belongs_to_a_choice(document, effect) for effect in document.d.effects):
        return Compiled("not_understood", None, (), "a change for the worse to a unit that only the whole rule names")
    if document.d.chosen and not document.d.chosen_used:
        document.unread.append("a choice of weapon abilities that nothing takes up")
    effects = tuple(replace(e, condition=dedupe((*e.condition, *document.d.limits))) for e in document.d.effects)
    stopped = document.unread[0][:200] if document.unread else None
    if effects:
        return Compiled("read", None, effects, stopped)
    if stopped is not None:
        return Compiled("not_understood", None, (), stopped)
    text = " ".join([document.rule.text, *document.rule.parts.values()])
    return not_attack(vocabulary.category_of(text))

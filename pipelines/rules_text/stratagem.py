"""Stratagems: WHEN gives the phase, TARGET who may be picked, EFFECT and RESTRICTIONS the sentences.

Belongs here: the parts of a stratagem. Does not belong here: sentences.
"""

import re

from pipelines.rules_text import vocabulary
from pipelines.rules_text.discourse import Discourse, Selection
from pipelines.rules_text.document import Document
from pipelines.rules_text.model import RuleText
from pipelines.rules_text.nodes import Who
from pipelines.rules_text.normalise import normalise, sentences
from pipelines.rules_text.reading import parse
from pipelines.rules_text.tokens import dedupe, excluded_tokens, keyword_tokens, owner_tokens, slug

PART = re.compile(r"\b(WHEN|TARGET|EFFECT|RESTRICTIONS?):\s*")
CORE_STEALTH = "stealth"


def stratagem_parts(rule: RuleText) -> dict[str, str]:
    """when, target, effect and restrictions of a stratagem, from the reader's parts or from the text itself."""
    if rule.parts:
        return {
            key.lower().rstrip("s") if key.lower().startswith("restriction") else key.lower(): value or ""
            for key, value in rule.parts.items()
        }
    pieces = PART.split(rule.text)
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
    d.subject = Who("friend", "unit", d.stratagem_scope)
    d.friend = Selection(Who("friend", "unit", d.stratagem_scope, _required_keywords(d)))
    effect = parts.get("effect", "")
    document.read_body(_unglue(effect))
    if parts.get("restriction"):
        document.read_body(parts["restriction"])
    return document


def _required_keywords(d: Discourse) -> tuple[tuple[str, ...], ...]:
    """The keywords of whoever the TARGET names, so that `those BEAST units` are known again."""
    every = tuple(token.partition(":")[2] for token in d.requires if token.startswith("unit_keyword:"))
    either = [token.partition(":")[2] for token in d.requires if token.startswith("unit_keyword_any:")]
    return tuple((name,) for name in either[0].split("|")) if either else (every,) if every else ()


def _unglue(text: str) -> str:
    return re.sub(r"^- ", "", text)


def _read_target(target: str, d: Discourse) -> None:
    first = sentences(target.split("\n")[0])
    if not first:
        return
    text = first[0]
    aside = re.search(r",? and (?:one|up to one) enemy (?:[A-ZÀ-Þ' \-]+ )?unit\b.*$", text)
    if aside:
        d.enemy = Selection(Who("enemy"), ("selected",))
        text = text[: aside.start()]
    text = re.sub(r"^(?:[Tt]hat|[Oo]ne or more) ", "one ", text)
    node = parse("target: " + text[0].lower() + text[1:]) if text else None
    if node is not None and node.kind == "target":
        requires, conditions = owner_tokens(node["who"])
        d.requires = requires
        d.conditions = dedupe(c for c in conditions)
        return
    head, clauses = _target_clauses(text)
    node = parse("target: " + head[0].lower() + head[1:]) if head else None
    if node is not None and node.kind == "target":
        d.requires, d.conditions = owner_tokens(node["who"])
    else:
        left_out = re.search(r"\(excluding ([^()]*)\)", head)
        without = (
            tuple(" ".join(names) for names in vocabulary.keyword_alternatives(left_out.group(1))) if left_out else ()
        )
        d.requires = dedupe((*_named_units(head), *excluded_tokens("unit", without)))
        provided = re.search(r", if (.*)$", head)
        if provided:
            d.conditions = ("if:" + slug(provided.group(1)),)
    for clause in clauses:
        node = parse("target: one unit from your army that " + clause)
        if node is not None and node.kind == "target":
            requires, conditions = owner_tokens(node["who"])
            d.requires = dedupe((*d.requires, *requires))
            d.conditions = dedupe((*d.conditions, *conditions))
        elif near := re.match(r"is (?:wholly )?within (\d+)\" of that enemy unit", clause):
            d.conditions = dedupe((*d.conditions, f"target_within:{near.group(1)}"))
        elif not re.match(
            r"(?:was|were|is|are) (?:just )?(?:selected|hit|targeted|the target|destroyed)|you can|even though|would be eligible|that would",
            clause,
        ):
            d.conditions = dedupe((*d.conditions, "if:" + slug(clause)))


_NAMED_UNIT = re.compile(
    r"\b(?:[Oo]ne or more|[Uu]p to (?:one|two|three)|[Oo]ne|[Tt]wo|[Tt]hat|both)(?: other)?(?: friendly)? "
    r"([A-ZÀ-Þ][A-ZÀ-Þ'\-]+(?:(?: |, | or |, or | and )[A-ZÀ-Þ][A-ZÀ-Þ'\-]+)*)(?= (?:Attached )?(?:units?|models?)\b| from your army| and one )"
)


def _named_units(head: str) -> tuple[str, ...]:
    """The keywords of the units that a longer TARGET names: alternatives where it says `or`, else the first, which acts."""
    named = [vocabulary.keyword_alternatives(found) for found in _NAMED_UNIT.findall(head)]
    if not named:
        return ()
    if len(named) > 1 and re.search(r"\bor (?:one|up to|two)\b", head):
        return keyword_tokens("unit", tuple(names for alternatives in named for names in alternatives))
    return keyword_tokens("unit", named[0])


def _target_clauses(text: str) -> tuple[str, list[str]]:
    """Who may be picked, and what is said of it clause by clause (`is within ...`, `has not ...`)."""
    head, *rest = re.split(
        r",? (?:and )?that (?=(?:is|are|was|were|has|have|had|made|just|did|disembarked|ended|arrived|started|contains|can|Re)\b)",
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

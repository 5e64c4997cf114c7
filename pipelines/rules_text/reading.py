"""From one sentence to its segments: the cut at commas and joining words, the grammar, and the values it gives.

Belongs here: everything that touches the parser. Does not belong here: what a segment means for an attack (`compiler`).

A sentence is cut at `, ; :` and joining words outside brackets. Of all ways to join neighbouring pieces into segments the
cheapest is kept: a segment that the grammar reads costs 1, a harmless clause 4 and an opaque condition 5, and 1 more for each
piece. A piece that the grammar reads is never hidden inside a harmless clause or an opaque condition. A sentence with a stretch that
is none of these is not understood, and that stretch is named.
"""

import itertools
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from lark import Lark, UnexpectedInput
from lark.exceptions import VisitError
from lark.lexer import PatternRE, TerminalDef

from pipelines.rules_text import vocabulary
from pipelines.rules_text.nodes import Segment
from pipelines.rules_text.normalise import lower_start
from pipelines.rules_text.to_nodes import ToNodes

GRAMMAR_PATH = Path(__file__).with_name("rules.lark")
GRAMMAR_TEXT = GRAMMAR_PATH.read_text(encoding="utf-8")
MAX_PIECES = 7


CLAUSES = frozenset(
    [
        "modify_roll",
        "modify_stat",
        "reroll",
        "reroll_result",
        "reroll_that",
        "grant",
        "has",
        "set_stat",
        "weapon_has",
        "halve",
        "deny_cover",
        "critical_on",
        "hit_only_on",
        "always_fails",
        "auto",
        "ignore",
        "mortal",
        "substitute",
        "fight_on_death",
        "again",
        "out_of_phase",
        "deadly",
        "other_attack",
        "redirect",
        "lose",
        "struck_suffer",
        "scaled",
        "hidden_models",
        "act_when_destroyed",
    ]
)
_TRANSFORM = ToNodes()


def _whole_words(terminal: TerminalDef) -> None:
    """Make a terminal end where a word ends: `a` must not match the start of `attack`."""
    terminal.pattern = PatternRE(f"(?:{terminal.pattern.to_regexp()})(?:(?![A-Za-z])|(?<![A-Za-z]))")


def _make_parser() -> Lark:
    return Lark(GRAMMAR_TEXT, parser="lalr", maybe_placeholders=False, edit_terminals=_whole_words)


PARSER = _make_parser()
_LEADS = re.compile(r"^(?:(?:and|but|or|then|in addition|also|however|additionally|instead),? +)+")
_ALSO = re.compile(r",? (?:as well|too|also|in addition)$")
_INSTEAD = re.compile(r",? instead$|^instead,? ")
_SUFFIX = re.compile(r"^(?: (?:if|while|provided) |,? unless |, provided )")
_CONDITION = re.compile(
    r"^(?:if|while|when|whenever|each time|after|just after|before|at|in|during|once|for each|on|provided|unless|until|"
    r"start of|end of|from|with|instead of|except|only if|so long as|as long as|every time|the first time|for|to do so)\b"
)
_CLAUSE = re.compile(
    r"^(?:(?:you|it|they|that|this|the|your|each|every|all|both|models?|units?|enemy|friendly|its|their|one|no|any|a|such|those|these|"
    r"up to|if|[A-Z][\w'\-]+)\b.*?\b(?:can|cannot|must|is|are|has|have|gains?|makes?|does|do|counts?|may|returns?|was|were|will|"
    r"ceases?|becomes?|takes?|regains?|ends?|starts?|loses?|moves?|heals?|scores?|remains?|applies|apply|costs?|use[sd]?|replaces?|"
    r"need|needs|includes?|specifies|means?|declares?|shoots?|fights?|falls?|resolves?|treats?|continues?|surges?|activates?)\b"
    r"|(?:select|roll|place|remove|set|return|add|subtract|move|take|do not|re-roll|choose|use|gain|make|note|spend|discard|reduce|"
    r"increase|draw|score|resolve|declare|if|give|designate|deploy|divide|change|treat|double|halve|ignore|heal|activate|nominate|"
    r"can|cannot|must|is|are|has|have|gains?|regains?|takes?|does|counts?|may|only|until|with|as if|not|within|wholly|unless|moves?|"
    r"instead|excluding|shoot|fight|then|(?:just )?(?:after|before)|where|even|including|immediately|improve|worsen)\b)"
)
_PIECES = re.compile(
    r"( (?:if|while|provided) |,? unless |, provided | (?:and|but), |, (?:and |but |or |then )?|; ?(?:and |or )?|: ?| and then | and | but | or (?!more\b|all\b|greater\b|less\b|fewer\b|fight\b|shoot\b|fought\b|shot\b)| then | - | – )"
)


@lru_cache(maxsize=200_000)
def parse(text: str) -> Segment | None:
    """The grammar's reading of exactly this text; None when it has none."""
    if len(text) > 400:
        return None
    try:
        node = _TRANSFORM.transform(PARSER.parse(text))
    except (UnexpectedInput, VisitError):
        return None
    return node if isinstance(node, Segment) else None


@lru_cache(maxsize=200_000)
def segment(text: str) -> Segment | None:
    """One segment with its leading and trailing words (`and`, `instead`, `as well`) taken off first; None if unread."""
    bare = _LEADS.sub("", text).strip(" ,")
    instead = bool(_INSTEAD.search(bare))
    bare = _INSTEAD.sub("", bare)
    also = bool(_ALSO.search(bare))
    bare = _ALSO.sub("", bare).strip(" ,")
    if not bare:
        return Segment("harmless", {}, instead=instead, text=text)
    node = parse(bare)
    if node is None:
        return None
    return Segment(node.kind, node.data, instead=instead or node.instead, also=also, text=bare)


def _plain(text: str) -> Segment | None:
    """An opaque condition or a harmless clause; None when a word of an attack stays unexplained in it."""
    bare = _LEADS.sub("", text).strip(" ,")
    if not bare:
        return Segment("harmless", {}, text=text)
    if (vocabulary.unexplained(bare) and not _about_the_target(bare)) or re.search(
        r"D6 for each|\bon an? (?:D6 roll of )?\d|^(?:add|subtract) \d+\"?(?: (?:if|while) .*)?$", bare
    ):
        return None
    if _CONDITION.match(bare):
        return Segment("opaque", {"words": bare}, text=bare)
    if _CLAUSE.match(bare):
        return Segment("harmless", {}, text=bare, instead=bool(_INSTEAD.search(bare)))
    return None


_ABOUT_TARGET = re.compile(
    r"^(?:and )?(?:if|while) (?:the target(?: of that attack| unit)?|that attack|such an? attack|(?:such a|that|this) weapon|"
    r"(?:its|the) target)(?= (?:targets?|is|was|has|had|are|contains|cannot|can|made)\b)"
)


def _about_the_target(bare: str) -> bool:
    """A condition that says something of the target or of the weapon used, and nothing else of the attack."""
    found = _ABOUT_TARGET.match(bare)
    if found is None or " instead" in bare:
        return False
    rest = re.sub(
        r"\bthe target(?: of that attack)?\b|\bthat attack\b|^ targets\b|\bmade with [\w ]*weapons?\b",
        "",
        bare[found.end() :],
    )
    return vocabulary.unexplained(rest) is None


def pieces(sentence: str) -> list[str]:
    """The sentence cut at separators outside brackets; the separators keep their place, so joining gives it back."""
    depth = 0
    cuts = [0]
    masked = []
    for character in sentence:
        depth += {"(": 1, ")": -1}.get(character, 0)
        masked.append("x" if depth > 0 else character)
    for found in _PIECES.finditer("".join(masked)):
        cuts.append(found.start())
    cuts.append(len(sentence))
    return [sentence[a:b] for a, b in itertools.pairwise(cuts) if sentence[a:b]]


def _clean(text: str) -> str:
    text = re.sub(r"^,? or (?=(?:if|while|when) )", "", text)
    text = re.sub(r"^,? (?=(?:if|while|provided|unless) )", "", text)
    return lower_start(
        re.sub(
            r"^(?: (?:and|but), |, |; ?|: ?| - | – )(?:and |or |but |then )?|^ (?:and then|and|but|or|then) ", "", text
        ).strip()
    )


@lru_cache(maxsize=50_000)
def read_sentence(sentence: str) -> tuple[tuple[Segment, ...], str | None]:
    """The segments of a sentence, and the stretch that stopped the reading (None when all of it was read)."""
    parts = pieces(sentence)
    count = len(parts)
    known = [segment(_clean(part)) is not None for part in parts]
    best: list[tuple[float, tuple[Segment, ...]] | None] = [None] * (count + 1)
    best[0] = (0.0, ())
    for start in range(count):
        here = best[start]
        if here is None:
            continue
        for stop in range(start + 1, min(count, start + MAX_PIECES) + 1):
            text = _clean("".join(parts[start:stop]))
            node = segment(text)
            cost = 1.0
            if node is None and not any(known[start + 1 : stop]):
                node = _plain(text)
                cost = 4.0 + (stop - start) + (1.0 if node is not None and node.kind == "opaque" else 0.0)
            if node is None:
                continue
            total = here[0] + cost
            old = best[stop]
            if old is None or total < old[0]:
                suffix = start > 0 and node.kind in {"holds", "opaque"} and bool(_SUFFIX.match(parts[start]))
                if start > 0 and node.kind in CLAUSES and re.match(r",? or ", parts[start]):
                    node = replace(node, alternative=True)
                either = node.kind in {"holds", "opaque"} and bool(
                    re.match(r",? or (?:if|while|when) ", "".join(parts[start:stop]))
                )
                best[stop] = (
                    total,
                    (*here[1], replace(node, suffix=suffix, alternative=either) if suffix or either else node),
                )
    done = best[count]
    if done is not None:
        return done[1], None
    reached = max(i for i, value in enumerate(best) if value is not None)
    value = best[reached]
    assert value is not None
    return value[1], _clean("".join(parts[reached : reached + 2]))[:160]

"""The segments of a sentence put in order before they are read.

Belongs here: to which clause `instead`, `or` and a condition that follows belong, and brackets that say nothing of an attack.
Does not belong here: parsing (`reading`), meaning (`clauses`).
"""

import re
from dataclasses import replace

from pipelines.rules_text import vocabulary
from pipelines.rules_text.nodes import Segment
from pipelines.rules_text.reading import CLAUSES

CONDITIONS = frozenset({"holds", "opaque", "critical"})


def spread_instead(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """`add 1 to X and add 2 to Y instead`: the word covers the clauses that stand directly before it."""
    marked = list(segments)
    for index in range(len(segments) - 1, -1, -1):
        if segments[index].instead and segments[index].kind in CLAUSES:
            if segments[index].alternative:
                break  # `or` replaces the clause before it
            before = index - 1
            while before >= 0 and segments[before].kind in CLAUSES:
                marked[before] = replace(segments[before], instead=True)
                before -= 1
            break
    return tuple(marked)


def share_owner(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """`add 1 to the Attacks characteristic and add 2 to the Strength characteristic of X`: X owns both."""
    shared = list(segments)
    for index in range(len(segments) - 2, -1, -1):
        this, following = shared[index], shared[index + 1]
        if this.kind == following.kind == "modify_stat" and this["owner"] is None and following["owner"] is not None:
            shared[index] = replace(this, data={**this.data, "owner": following["owner"]})
    return tuple(shared)


def is_choice(segment: Segment) -> bool:
    """Whether `or` before a clause offers a choice that the rows can carry: one die or another, or `instead` said otherwise."""
    return segment.instead or (segment.kind == "reroll" and all(which == "one_roll" for _, which in segment["rolls"]))


def or_is_instead(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """`add 1, or add 2 if ...`: the second clause replaces the first where its condition holds."""
    marked = list(segments)
    for index, segment in enumerate(segments[:-1]):
        following = segments[index + 1]
        if segment.alternative and segment.kind in CLAUSES and following.suffix and following.kind in CONDITIONS:
            marked[index] = replace(segment, instead=True)
    return tuple(marked)


def attach_suffixes(segments: tuple[Segment, ...]) -> list[tuple[Segment, list[Segment]]]:
    """Each segment with the conditions that follow it. Conditions that end a sentence hold for all its clauses."""
    last_clause = max((i for i, s in enumerate(segments) if s.kind in CLAUSES), default=-1)
    trailing = (
        [s for i, s in enumerate(segments) if i > last_clause and s.kind in CONDITIONS and not s.suffix]
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


_BRACKETS = re.compile(r" ?\([^()]*\)")
_HARMLESS_BRACKET = re.compile(
    r"^\((?:and )?(?:only )?(?:if it is|if that enemy unit is|unless|even though|including|rounding|after any|even if|this is not cumulative|"
    r"assuming|as normal|note|see|to a maximum of \+?\d+)",
    re.IGNORECASE,
)


def drop_harmless_brackets(sentence: str) -> str:
    """The sentence without the brackets that say nothing of an attack; exclusions and maxima stay."""

    def keep(found: re.Match[str]) -> str:
        text = found.group(0)
        inner = text.strip()
        if re.match(r"\((?:excluding|other than|except|to a maximum|maximum)", inner) and not inner.endswith("+)"):
            return text
        if re.match(
            r"\((?:and )?only if (?:it|that enemy unit|that unit|they) (?:is|are) (?:a |an )?eligible targets?", inner
        ):
            return ""
        if re.search(
            r"this cannot improve|to a maximum of (?:BS |WS )?\d\+|eligible target|rounding (?:up|down)|not cumulative|this counts as |Engagement Range of both",
            inner,
        ):
            return ""
        return text if vocabulary.unexplained(inner) else ""

    return _BRACKETS.sub(keep, sentence)

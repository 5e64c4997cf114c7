"""Holding an answer of the engine against the enumeration, field by field.

Belongs here: which fields are compared and where they have one meaning. Does not belong here: cases.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from .enumeration import enumerate_case

TOLERANCE = 1e-9

FIELDS = (
    "expected_attacks",
    "expected_hits",
    "expected_critical_hits",
    "expected_wounds",
    "expected_critical_wounds",
    "expected_unsaved",
    "expected_damage",
    "expected_wounds_lost",
    "expected_models_slain",
    "p_destroyed",
    "models_slain_pmf",
    "wounds_lost_pmf",
    "expected_hazardous_failures",
    "expected_own_wounds_lost",
)
OF_SAVES = ("expected_unsaved", "expected_damage")


def unlike_saves(case: Mapping[str, Any]) -> bool:
    """Whether saves differ from model to model, so that unsaved attacks and damage have no one meaning."""
    return len({str((m["save"], m["invulnerable_save"], m["feel_no_pain"])) for m in case["target"]["models"]}) > 1


def disagreements(case: Mapping[str, Any], answer: Mapping[str, Any]) -> Iterator[str]:
    """Every field of the answer that is not what enumeration gives."""
    if "error" in answer:
        yield f"error: {answer['error']}"
        return
    expected = enumerate_case(case)
    for field in FIELDS:
        found, wanted = answer[field], expected[field]
        if field in OF_SAVES and wanted is not None and unlike_saves(case):
            continue
        if (found is None) != (wanted is None):
            yield f"{field}: {found} instead of {wanted}"
        elif isinstance(wanted, list):
            if len(found) != len(wanted):
                yield f"{field}: {len(found)} entries instead of {len(wanted)}"
            elif any(abs(a - float(b)) > TOLERANCE for a, b in zip(found, wanted, strict=True)):
                yield f"{field}: {found} instead of {[float(part) for part in wanted]}"
        elif wanted is not None and abs(found - float(wanted)) > TOLERANCE:
            yield f"{field}: {found} instead of {wanted} = {float(wanted)}"

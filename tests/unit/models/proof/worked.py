"""The worked cases of ``cases_worked.json`` and how an answer is held against them.

Belongs here: reading that file and comparing. Does not belong here: any arithmetic of attacks.
"""

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

CASES_FILE = Path(__file__).parent.parent / "cases_worked.json"


def worked_cases() -> list[dict[str, Any]]:
    """Rows of ``number``, ``about``, ``case`` (resolve input), ``expected`` (fractions), ``parts`` (inner counts)."""
    rows: list[dict[str, Any]] = json.loads(CASES_FILE.read_text(encoding="utf-8"))
    return rows


def differences(answer: Mapping[str, Any], expected: Mapping[str, Any], tolerance: float = 1e-9) -> Iterator[str]:
    """Each expected value that the answer misses; lists are compared at the places that are named."""
    if "error" in answer:
        yield f"error: {answer['error']}"
        return
    for name, value in expected.items():
        if isinstance(value, Mapping):
            pairs = [(f"{name}[{place}]", answer[name][int(place)], part) for place, part in value.items()]
        else:
            pairs = [(name, answer[name], value)]
        for label, found, wanted in pairs:
            if found is None or abs(float(found) - float(Fraction(wanted))) > tolerance:
                yield f"{label}: {found} instead of {wanted} = {float(Fraction(wanted))}"

"""The worked cases of the real-data folder against our transcription and against the engine.

The cases are restated in ``tests/unit/models/cases_worked.json``. Here the document itself is read, so that a slip
of the pen in the restatement cannot hide a wrong engine: every value that the document marks must be one of ours.
"""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from models.resolve import resolve_cases

RESTATED = Path(__file__).parents[2] / "unit" / "models" / "cases_worked.json"
HEADING = re.compile(r"^## (\d+)\.")
MARK = re.compile(r"-> \*\*(.+?)\*\*")
PROBABILITY = re.compile(r"P\((\d+) models slain\)")
FRACTION = re.compile(r"= (\d+(?:/\d+)?)(?= = | \(| ->|$)")


def marked_values(text: str) -> Iterator[tuple[int, str, Fraction]]:
    """``(case number, mark, value)`` of every marked line; the value is the last exact number of the line."""
    number = 0
    for line in text.splitlines():
        if heading := HEADING.match(line):
            number = int(heading[1])
        if mark := MARK.search(line):
            exact = FRACTION.findall(line[: mark.start() + 2])
            yield number, mark[1], Fraction(exact[-1])


def restated() -> dict[int, dict[str, Any]]:
    return {row["number"]: row for row in json.loads(RESTATED.read_text(encoding="utf-8"))}


def our_value(row: dict[str, Any], mark: str) -> Fraction:
    """What our restatement says for a mark of the document."""
    expected, parts = row["expected"], row["parts"]
    if probability := PROBABILITY.fullmatch(mark):
        return Fraction(expected["models_slain_pmf"][probability[1]])
    if mark == "expected_wounds_rolled":
        return Fraction(expected["expected_wounds"]) - Fraction(parts.get("lethal_auto_wounds", 0))
    if mark == "expected_damage_no_overkill":
        return Fraction(expected["expected_damage"])
    if mark in expected:
        return Fraction(expected[mark])
    return Fraction(parts[mark.removeprefix("expected_")])


def test_every_marked_value_is_restated(real_data: Path) -> None:
    text = (real_data / "cases" / "worked.md").read_text(encoding="utf-8")
    rows = restated()
    marks = list(marked_values(text))
    assert {number for number, _, _ in marks} == set(rows) == set(range(1, 31))
    assert len(marks) == text.count("-> **")
    wrong = [(n, mark, value) for n, mark, value in marks if our_value(rows[n], mark) != value]
    assert wrong == []


def test_the_engine_gives_every_marked_value(real_data: Path) -> None:
    """Marks that are fields of the answer, straight from the document."""
    text = (real_data / "cases" / "worked.md").read_text(encoding="utf-8")
    rows = restated()
    answers = dict(zip(rows, resolve_cases([row["case"] for row in rows.values()]), strict=True))
    compared = 0
    for number, mark, value in marked_values(text):
        answer, parts = answers[number], rows[number]["parts"]
        if probability := PROBABILITY.fullmatch(mark):
            found = answer["models_slain_pmf"][int(probability[1])]
        elif mark == "expected_wounds_rolled":
            found = answer["expected_wounds"] - float(Fraction(parts.get("lethal_auto_wounds", 0)))
        else:
            found = answer.get("expected_damage" if mark == "expected_damage_no_overkill" else mark)
        if found is not None:
            compared += 1
            assert abs(found - float(value)) < 1e-9, (number, mark)
    assert compared > 60

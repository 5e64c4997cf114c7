"""The list of known faults in the real-data folder: each row about attack rules is one of ours, with its right value.

The cases are restated in ``tests/unit/models/proof/known_faults.py`` and resolved there; here the list itself is
read, so that neither a row nor a number can be lost on the way.
"""

import re
from fractions import Fraction
from pathlib import Path

from ...unit.models.proof.known_faults import FAULTS

ROW = re.compile(r"^\| ([ABP]\d+) \|(.*)\|\s*$", re.MULTILINE)
NUMBER = re.compile(r"(?<![\d.])(\d+/\d+|\d+\.\d+|\d+)(?![\d/]|\.\d)")

# Rows about reading files and keeping data (B but for B10, and P11): the tests of readers and warehouse hold those.
ABOUT_DATA = re.compile(r"P11|B(?!10$)\d+")

# The row states the packet that got through; ours is one attack that gets through five times in six.
SHARE = {"A27": Fraction(5, 6)}


def rows(real_data: Path) -> dict[str, str]:
    """The cell with input and right value of each row, by its mark."""
    text = (real_data / "cases" / "known-faults.md").read_text(encoding="utf-8")
    return {mark: cells.split("|")[-2] for mark, cells in ROW.findall(text)}


def test_every_row_about_attack_rules_is_restated(real_data: Path) -> None:
    listed = {mark for mark in rows(real_data) if not ABOUT_DATA.fullmatch(mark)}
    assert listed == {fault.mark for fault in FAULTS}


def test_the_right_values_are_those_of_the_list(real_data: Path) -> None:
    """Each of our values stands in its row, exactly or rounded to the digits that are printed there."""
    listed = rows(real_data)
    for fault in (fault for fault in FAULTS if not fault.in_words):
        printed = NUMBER.findall(listed[fault.mark])
        for field, value in fault.expected.items():
            ours = Fraction(value) / SHARE.get(fault.mark, 1)
            close = [text for text in printed if abs(ours - Fraction(text)) <= Fraction(1, 2 * 10 ** decimals(text))]
            exact = [text for text in close if "." in text or Fraction(text) == ours]
            assert exact, (fault.mark, field, value, printed)


def decimals(text: str) -> int:
    return len(text.partition(".")[2])

"""The lines of a unit composition together: alternatives, model lines, notes between them.

Belongs here: `OR`, `One of the following:`, and what a line is. Does not belong here: the grammar of one model line
(`wargear_text.parse_compositions`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pipelines.sources import wargear_text

_LIST = re.compile(r"one of the following\s*:?", re.IGNORECASE)
_NOTE = re.compile(r"(?!\d).*\bunit\b.*\bcontain\b", re.IGNORECASE | re.DOTALL)
_EQUIPMENT = re.compile(r"[^.:]*\b(?:is|are) equipped with\b", re.IGNORECASE)
_SIZED = re.compile(r"(?P<model>\D.*?)\s*\((?P<n>\d{1,3}) models?\)", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """One line: `index` in the list as given, `alternative` from 1 (a unit with one composition has only that)."""

    index: int
    kind: Literal["models", "separator", "note", "equipment", "error"]
    alternative: int | None = None
    models: tuple[tuple[str, int, int], ...] = ()
    error: str | None = None


def read_composition(lines: Sequence[str], unit: str) -> list[Line]:
    """Every line of a composition, none left out. `unit` is the datasheet's name, whose capitals are kept."""
    listed = any(_LIST.fullmatch(line.strip()) for line in lines)  # some sources print the heading last
    found: list[Line] = []
    number = 0 if listed else 1
    for index, line in enumerate(lines):
        if _is_or(line) or _LIST.fullmatch(line.strip()):
            number += 0 if listed else 1
            found.append(Line(index, "separator"))
        elif _EQUIPMENT.match(line):
            found.append(Line(index, "equipment"))
        elif _NOTE.match(line):
            found.append(Line(index, "note"))
        else:
            number += 1 if listed else 0
            found.append(_models(index, line, number, unit))
    return found


def _is_or(line: str) -> bool:
    return line.strip(" :").lower() == "or"


def _models(index: int, line: str, alternative: int, unit: str) -> Line:
    """A model line. What follows its first line are the names of the models, which are characters of that kind."""
    head = line.split("\n")[0].strip(" :")
    sized = _SIZED.fullmatch(head)
    if sized:
        size = int(sized["n"])
        return Line(index, "models", alternative, ((_as_printed(sized["model"], unit), size, size),))
    try:
        return Line(index, "models", alternative, tuple(wargear_text.parse_compositions(head)))
    except ValueError as error:
        return Line(index, "error", error=str(error))


def _as_printed(model: str, unit: str) -> str:
    """A name in capitals gets the capitals of the datasheet's name, or those of a title."""
    if not model.isupper():
        return model
    return unit if unit.upper() == model else model.title()

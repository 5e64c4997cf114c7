"""Reader of characteristics kept by hand (`profiles_csv`): for pages that do not print them.

Belongs here: the columns of such a file, what each cell may hold, and error messages that say which line and column to
change and how. Does not belong here: what other sources say of the same datasheet.

One line is one profile. A bad cell rejects its line, and the other lines load. Lines that state one profile in two ways
are all rejected, since nothing says which is right.
"""

import csv
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipelines.factions import canonical_faction
from pipelines.sources.edition import edition_of
from pipelines.sources.recognise import decode_text
from pipelines.sources.records import RawFile, ReadResult, Row
from pipelines.sources.text import name_key, normalise

COLUMNS = (
    "book",
    "datasheet",
    "profile",
    "movement_in",
    "toughness",
    "save",
    "invulnerable_save",
    "invulnerable_versus",
    "wounds",
    "leadership",
    "objective_control",
    "feel_no_pain",
    "models",
    "points",
    "keywords",
    "source",
)
_REQUIRED = ("book", "datasheet", "movement_in", "toughness", "save", "wounds", "leadership", "objective_control")
_CHARACTERISTICS = COLUMNS[3:12]
_VERSUS = ("any", "ranged", "melee")
_NONE = ("", "-", "–", "—")


@dataclass(frozen=True)
class _Line:
    """A line that is well formed: its cells as printed and the values read from them."""

    line_no: int
    cells: dict[str, str]
    values: Row

    @property
    def key(self) -> tuple[str, str, str]:
        return (name_key(self.values["book"]), name_key(self.values["datasheet"]), name_key(self.values["profile"]))


def read(data: bytes, file: RawFile) -> ReadResult:
    """Datasheets, characteristics, sizes, prices and keywords of a file kept by hand. Never raises."""
    result = ReadResult()
    text = decode_text(data)
    if text is None or not text.strip():
        result.reject("the file is empty" if text is not None else "binary data where a table was expected")
        return result
    rows = text.removeprefix("\ufeff").split("\n")
    start = next(number for number, row in enumerate(rows) if row.strip())
    separator = _separator(rows[start])
    header = [cell.strip().lower() for cell in _cells(rows[start], separator) or []]
    if not _check_header(header, start + 1, result):
        return result
    lines = []
    for number, row in enumerate(rows[start + 1 :], start + 2):
        if row.strip(f" \t{separator}") and not row.lstrip().startswith("#"):
            line = _line(number, row, header, separator, result)
            if line:
                lines.append(line)
    _add_sheets(_without_contradictions(lines, result), result)
    result.edition = edition_of(text)
    return result


def _separator(header: str) -> str:
    return max((",", ";", "\t"), key=header.count)


def _cells(row: str, separator: str) -> list[str] | None:
    """The cells of one line; None where a quotation mark is not closed (one line is one profile)."""
    try:
        return next(csv.reader([row], delimiter=separator, strict=True))
    except (csv.Error, StopIteration):
        return None


def _check_header(header: Sequence[str], line_no: int, result: ReadResult) -> bool:
    missing = [name for name in _REQUIRED if name not in header]
    if missing:
        wanted = ", ".join(COLUMNS)
        result.reject(
            f"line {line_no}: the header lacks {', '.join(missing)}; write the header {wanted}",
            ",".join(header),
            line_no=line_no,
        )
        return False
    absent = [name for name in COLUMNS if name not in header]
    if absent:
        result.notices.append(f"line {line_no}: no column {', '.join(absent)}; read as blank")
    extra = [name for name in header if name and name not in COLUMNS]
    if extra:
        result.notices.append(f"line {line_no}: the columns {', '.join(extra)} are not read")
    twice = sorted({name for name in header if name and header.count(name) > 1})
    if twice:
        result.reject(f"line {line_no}: the header has {', '.join(twice)} twice; leave one", line_no=line_no)
        return False
    return True


# --- one line ---------------------------------------------------------------------------------------------------------


def _line(number: int, row: str, header: Sequence[str], separator: str, result: ReadResult) -> _Line | None:
    printed = _cells(row, separator)
    if printed is None:
        result.reject(f"line {number}: a quotation mark is not closed", row, line_no=number)
        return None
    while len(printed) > len(header) and not printed[-1].strip():
        printed.pop()
    if len(printed) != len(header):
        reason = f"line {number}: {len(printed)} cells where the header has {len(header)}; the line is torn"
        result.reject(reason, row, line_no=number)
        return None
    cells = {name: normalise(cell) for name, cell in zip(header, printed, strict=True)}
    values: Row = {}
    errors: list[str] = []
    for name, read_cell in _READERS.items():
        try:
            values[name] = read_cell(cells.get(name, ""))
        except ValueError as error:
            errors.append(f"column {name}: {error}")
    if not errors and values["invulnerable_save"] is None and values["invulnerable_versus"] is not None:
        errors.append(
            "column invulnerable_versus: there is no invulnerable_save beside it; fill in or leave both blank"
        )
    if errors:
        result.reject(f"line {number}, " + "; ".join(errors), row, line_no=number)
        return None
    values["profile"] = values["profile"] or values["datasheet"]
    if values["invulnerable_save"] is not None:
        values["invulnerable_versus"] = values["invulnerable_versus"] or "any"
    return _Line(number, cells, values)


def _name(cell: str) -> str:
    if not cell:
        raise ValueError("is blank; write the name as the page prints it")
    return cell


def _number(low: int, high: int, what: str) -> Callable[[str], int]:
    """A whole number without marks. `3+` and `6"` are refused with the right print, not repaired."""

    def read_cell(cell: str) -> int:
        if not re.fullmatch(r"\d{1,4}", cell):
            plain = re.fullmatch(r"(\d{1,4})\s*[+\"']+", cell)
            advice = f"write {plain[1]}" if plain else f"write a number such as {low}"
            raise ValueError(f"'{cell}' is no {what}; {advice}" if cell else f"is blank; {advice}")
        number = int(cell)
        if not low <= number <= high:
            raise ValueError(f"{number} is no {what}; it lies between {low} and {high}")
        return number

    return read_cell


def _optional(read_cell: Callable[[str], int]) -> Callable[[str], int | None]:
    return lambda cell: None if cell in _NONE else read_cell(cell)


def _versus(cell: str) -> str | None:
    text = cell.lower()
    if text in _NONE:
        return None
    if text not in _VERSUS:
        raise ValueError(f"'{cell}' is no kind of attack; write any, ranged or melee")
    return text


def _models(cell: str) -> tuple[int, int] | None:
    """`5` or `3-6`: the size of the unit, or of this profile's part of it."""
    if cell in _NONE:
        return None
    match = re.fullmatch(r"(\d{1,3})(?:\s*[-–]\s*(\d{1,3}))?", cell)
    if not match:
        raise ValueError(f"'{cell}' is no number of models; write 5 or 3-6")
    low, high = int(match[1]), int(match[2] or match[1])
    if high == 0 or high < low:
        raise ValueError(f"'{cell}' is no number of models; the larger number comes last")
    return low, high


def _keywords(cell: str) -> list[str]:
    return [keyword for keyword in (part.strip().upper() for part in cell.split(";")) if keyword]


_READERS: dict[str, Callable[[str], object]] = {
    "book": _name,
    "datasheet": _name,
    "profile": lambda cell: cell,
    "movement_in": lambda cell: None if cell in ("-", "–", "—") else _number(0, 99, "movement in inches")(cell),
    "toughness": _number(1, 30, "toughness"),
    "save": _number(2, 7, "save"),
    "invulnerable_save": _optional(_number(2, 6, "invulnerable save")),
    "invulnerable_versus": _versus,
    "wounds": _number(1, 200, "number of wounds"),
    "leadership": _number(2, 12, "leadership"),
    "objective_control": _number(0, 99, "objective control"),
    "feel_no_pain": _optional(_number(2, 6, "feel no pain")),
    "models": _models,
    "points": _optional(_number(0, 9999, "price in points")),
    "keywords": _keywords,
    "source": lambda cell: cell,
}


# --- rows -------------------------------------------------------------------------------------------------------------


def _without_contradictions(lines: Sequence[_Line], result: ReadResult) -> list[_Line]:
    """Lines that state each profile once; repeats are left out, contradictions rejected on all their lines."""
    by_key: dict[tuple[str, str, str], list[_Line]] = defaultdict(list)
    for line in lines:
        by_key[line.key].append(line)
    kept: list[_Line] = []
    for same in by_key.values():
        facts = [{k: v for k, v in line.values.items() if k != "source"} for line in same]
        if all(fact == facts[0] for fact in facts):
            kept.append(same[0])
            result.notices.extend(f"line {line.line_no} repeats line {same[0].line_no}" for line in same[1:])
            continue
        numbers = ", ".join(str(line.line_no) for line in same)
        for line in same:
            name = line.values["profile"]
            reason = f"lines {numbers} state {name} in different ways; leave one"
            result.reject(reason, ",".join(line.cells.values()), line_no=line.line_no)
    return sorted(kept, key=lambda line: line.line_no)


def _add_sheets(lines: Sequence[_Line], result: ReadResult) -> None:
    sheets: dict[tuple[str, str], list[_Line]] = defaultdict(list)
    for line in lines:
        sheets[line.key[:2]].append(line)
    for key, members in sheets.items():
        _add_sheet("/".join(key), members, result)


def _add_sheet(sheet: str, lines: Sequence[_Line], result: ReadResult) -> None:
    """A datasheet of one or several profiles. A book that is no faction is a Combat Patrol."""
    first = lines[0].values
    faction = canonical_faction(first["book"])
    is_legends = any("legends" in line.values["source"].lower() for line in lines)
    result.add(
        "datasheet",
        line_no=lines[0].line_no,
        sheet=sheet,
        name=first["datasheet"],
        faction=faction,
        book=first["book"],
        is_combat_patrol=faction is None,
        is_legends=is_legends,
        first_line=lines[0].line_no,
        last_line=lines[-1].line_no,
        has_lost_text=False,
        name_is_inferred=False,
    )
    seen: set[str] = set()
    for line in lines:
        _add_profile(sheet, line, result)
        for keyword in line.values["keywords"]:
            if keyword not in seen:
                seen.add(keyword)
                result.add("keyword", line_no=line.line_no, sheet=sheet, keyword=keyword, is_faction=False)
    _add_prices(sheet, lines, faction, is_legends, result)


def _add_profile(sheet: str, line: _Line, result: ReadResult) -> None:
    values = {name: line.values[name] for name in _CHARACTERISTICS}
    result.add("model_profile", line_no=line.line_no, sheet=sheet, profile=line.values["profile"], **values)
    if line.values["models"]:
        low, high = line.values["models"]
        model = line.values["profile"]
        result.add("composition", line_no=line.line_no, sheet=sheet, model=model, min_models=low, max_models=high)


def _add_prices(sheet: str, lines: Sequence[_Line], faction: str | None, is_legends: bool, result: ReadResult) -> None:
    """One price is that of the unit, all its profiles together; further ones are those of models added to it."""
    priced = [line for line in lines if line.values["points"] is not None]
    for number, line in enumerate(priced):
        values = line.values
        members = [each.values["models"] for each in (lines if len(priced) == 1 else [line])]
        if number == 0 and not all(members):
            reason = (
                f"line {line.line_no}, column models: is blank beside a price; write the size that the price is for"
            )
            result.reject(reason, ",".join(line.cells.values()), line_no=line.line_no)
            continue
        result.add(
            "unit_cost",
            line_no=line.line_no,
            sheet=sheet,
            name=values["datasheet"],
            faction=faction,
            models=sum(high for _, high in members) if number == 0 else None,
            points=values["points"],
            condition=f"add-on: {values['profile']}" if number else None,
            is_legends=is_legends,
        )

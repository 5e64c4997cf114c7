"""The export's files as records: cells by column name, each with its line.

Belongs here: the byte and line format (mark, line ends, bars, trailing bar, torn lines) and which table a file is. Does
not belong here: what a cell means. Columns are found by name, so that an export of another date, with another order of
columns or without some of them, reads the same way.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath

from pipelines.sources.markup import html_to_text
from pipelines.sources.recognise import export_table
from pipelines.sources.records import ReadResult
from pipelines.sources.text import normalise

# The tables of the export and the columns without which a row says nothing.
TABLES: dict[str, tuple[str, ...]] = {
    "Factions": ("id", "name"),
    "Source": ("id", "name"),
    "Last_update": ("last_update",),
    "Datasheets": ("id", "name"),
    "Datasheets_models": ("datasheet_id", "name", "m", "t", "sv", "w", "ld", "oc"),
    "Datasheets_wargear": ("datasheet_id", "name", "range", "a", "bs_ws", "s", "ap", "d"),
    "Datasheets_abilities": ("datasheet_id",),
    "Datasheets_keywords": ("datasheet_id", "keyword"),
    "Datasheets_unit_composition": ("datasheet_id", "description"),
    "Datasheets_models_cost": ("datasheet_id", "description", "cost"),
    "Datasheets_options": ("datasheet_id", "description"),
    "Datasheets_leader": ("leader_id", "attached_id"),
    "Datasheets_stratagems": ("datasheet_id", "stratagem_id"),
    "Datasheets_enhancements": ("datasheet_id", "enhancement_id"),
    "Datasheets_detachment_abilities": ("datasheet_id", "detachment_ability_id"),
    "Abilities": ("id", "name", "description"),
    "Stratagems": ("id", "name", "description"),
    "Enhancements": ("id", "name", "description"),
    "Detachment_abilities": ("id", "name", "description"),
    "Detachments": ("id", "name"),
}
# Spellings of columns that the export's own specification and its files do not share.
_COLUMN_ALIASES = {"attached_datasheet_id": "attached_id", "bs/ws": "bs_ws", "cp": "cp_cost"}
# Columns whose texts may hold line ends of their own.
_FREE_TEXT = frozenset(
    ("description", "legend", "loadout", "transport", "leader_head", "leader_footer", "damaged_description")
)
_BROKEN = re.compile("[\ud800-\udfff]")
_BY_LOWER_NAME = {name.lower(): name for name in TABLES}


@lru_cache(maxsize=50_000)
def _normalised(cell: str) -> str:
    return normalise(cell).replace("\n", " ")


@dataclass(frozen=True)
class Record:
    """One row of a table. A column that this export does not have reads as an empty cell."""

    table: str
    file: str
    line_no: int
    cells: Mapping[str, str]

    @property
    def locator(self) -> str:
        """`Datasheets.csv:7`."""
        return f"{self.file}:{self.line_no}"

    def raw(self, column: str) -> str:
        """A cell as delivered."""
        return self.cells.get(column, "")

    def plain(self, column: str) -> str:
        """A cell without markup, on one line."""
        cell = self.cells.get(column, "")
        if "<" in cell or "&" in cell:
            return html_to_text(cell).replace("\n", " ")
        return _normalised(cell)

    def text(self, column: str) -> str:
        """A cell as visible lines."""
        return html_to_text(self.cells.get(column, ""))

    def print(self) -> str:
        """The row as one piece of text, for a reject."""
        return "|".join(self.cells.values())


@dataclass
class Tables:
    """All records of an export by table name; a missing table has none. `torn` counts the lines that were refused."""

    records: dict[str, list[Record]] = field(default_factory=dict)
    torn: Counter[str] = field(default_factory=Counter)

    def __getitem__(self, name: str) -> list[Record]:
        return self.records.get(name, [])


def load(files: Mapping[str, bytes], result: ReadResult) -> Tables:
    """Read every file of the folder. Missing tables become notices, torn lines and foreign files rejects."""
    tables = Tables()
    for path in sorted(files):
        file = PurePosixPath(path.replace("\\", "/")).name
        name = _table_name(file, files[path])
        if name is None:
            result.notices.append(f"{file}: no table of this export, not read")
        elif name in tables.records:
            result.reject(f"a second file for the table {name}; the first is kept", file, locator=file)
        else:
            records = _read_table(name, file, files[path], result, tables.torn)
            if records is not None:
                tables.records[name] = records
    for name in TABLES:
        if name not in tables.records:
            result.notices.append(f"table {name}.csv is missing from this export")
    return tables


def _table_name(file: str, data: bytes) -> str | None:
    """The table that the header describes; a header that fits none leaves the file's name to say it."""
    return export_table(data) or _BY_LOWER_NAME.get(PurePosixPath(file).stem.lower())


def _read_table(name: str, file: str, data: bytes, result: ReadResult, torn: Counter[str]) -> list[Record] | None:
    text = _decode(data)
    if text is None:
        result.reject("the file is no text in UTF-8 or UTF-16", locator=file)
        return None
    end = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    head, _, body = text.partition(end)
    columns = [_column(cell) for cell in head.split("|")]
    trailing = len(columns) > 1 and columns[-1] == ""
    if trailing:
        columns.pop()
    missing = [column for column in TABLES[name] if column not in columns]
    if missing:
        result.reject(f"the header lacks the column(s) {', '.join(missing)}", head, locator=f"{file}:1")
        return None
    records: list[Record] = []
    shape = _Shape(columns, trailing)
    for line_no, line in _joined(list(_rows(body, end, shape.width)), shape):
        locator = f"{file}:{line_no}"
        cells = line.split("|")
        reason = _fault(line, cells, shape)
        if reason:
            torn[name] += line.count("\n") + 1
            result.reject(reason, _BROKEN.sub("?", line), line_no=line_no, locator=locator)
            continue
        records.append(Record(name, file, line_no, dict(zip(columns, cells, strict=False))))
    spanning = sum("\n" in cell for record in records for cell in record.cells.values())
    if spanning:
        result.notices.append(f"{file}: {spanning} texts go over several lines")
    return records


@dataclass(frozen=True)
class _Shape:
    """Columns of a table, and whether its rows end in a bar. `width` counts pieces between bars."""

    columns: list[str]
    trailing: bool

    @property
    def width(self) -> int:
        return len(self.columns) + self.trailing


def _fault(line: str, cells: list[str], shape: _Shape) -> str | None:
    """Why a line is no row, None where it is one."""
    if _BROKEN.search(line):
        return "the line holds bytes that are no text in UTF-8"
    if len(cells) == shape.width and not (shape.trailing and cells[-1].strip()):
        return None
    found = len(cells) - (cells[-1] == "")
    return f"torn line: {found} cells where the header names {len(shape.columns)}"


def _joined(rows: list[tuple[int, str]], shape: _Shape) -> Iterator[tuple[int, str]]:
    """Rows whose free text goes over several lines, made whole.

    Only where each break falls into a column of free text and the pieces add up to exactly one row; any other short
    line is torn, and comes back as it is.
    """
    index = 0
    while index < len(rows):
        line_no, line = rows[index]
        taken, whole = 1, line
        while whole.count("|") + 1 < shape.width and _breaks_in_text(whole, shape) and index + taken < len(rows):
            following = rows[index + taken][1]
            if following.count("|") + 1 >= shape.width:
                break
            whole = f"{whole}\n{following}"
            taken += 1
        if taken > 1 and whole.count("|") + 1 == shape.width:
            yield line_no, whole
            index += taken
        else:
            yield line_no, line
            index += 1


def _breaks_in_text(line: str, shape: _Shape) -> bool:
    return shape.columns[min(line.count("|"), len(shape.columns) - 1)] in _FREE_TEXT


def _column(cell: str) -> str:
    name = normalise(cell).lower()
    return _COLUMN_ALIASES.get(name, name)


def _rows(body: str, end: str, width: int) -> Iterator[tuple[int, str]]:
    """Non-blank rows with their line number. A line feed inside a row that ends otherwise is part of a cell, unless
    the row then has too many or too few cells: then the file mixes its line ends."""
    line_no = 2
    for row in body.split(end):
        inner = row.count("\n")
        if inner and row.count("|") + 1 != width:
            for offset, piece in enumerate(row.split("\n")):
                if piece.strip():
                    yield line_no + offset, piece.removesuffix("\r")
        elif row.strip():
            yield line_no, row.removesuffix("\r")
        line_no += inner + 1


def _decode(data: bytes) -> str | None:
    """UTF-8 (with or without mark) or UTF-16 with its mark; None for anything else, since half-read names mislead.

    A broken byte in UTF-8 stays visible as a surrogate, so that only its own line is lost.
    """
    try:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return data.decode("utf-16").removeprefix("\ufeff")
        text = data.decode("utf-8-sig", errors="surrogateescape")
    except UnicodeDecodeError:
        return None
    return None if "\x00" in text else text

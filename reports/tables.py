"""Tables of the site as data: columns, cells with a shown text and an unrounded value, rows with filter marks.

Belongs here: what a table is. Does not belong here: which tables there are (`pages`), HTML (`templates/macros.j2`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from reports.numbers import missing


@dataclass(frozen=True)
class Column:
    """A column's head. `detail` columns are hidden on narrow screens until asked for."""

    label: str
    numeric: bool = False
    detail: bool = False
    title: str | None = None


@dataclass(frozen=True)
class Cell:
    """A shown text; `value` is the unrounded number behind it (None: the text says why there is none)."""

    text: str
    value: float | None = None
    href: str | None = None
    css: str = ""


@dataclass(frozen=True)
class TableRow:
    """Cells, the first of which heads the row, and marks for the filters (`data-<name>`)."""

    cells: Sequence[Cell]
    marks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TableView:
    """A whole table with its anchor and caption."""

    anchor: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[TableRow]
    sortable: bool = True
    wide: bool = False
    sorted_by: int | None = None  # column that the rows are sorted by, falling

    @property
    def has_detail(self) -> bool:
        """Whether some columns are hidden on narrow screens."""
        return any(column.detail for column in self.columns)


def number(value: object, show: Callable[..., str], reason: object = None, css: str = "") -> Cell:
    """A numeric cell: the shown text from a function of `reports.numbers`, the value in full beside it."""
    known = None if value is None or missing(float(value)) else float(value)  # type: ignore[arg-type]
    text = show(known, reason) if reason is not None or known is not None else show(None, None)
    return Cell(text, known, css=css if known is not None else f"{css} none".strip())


def text(value: object, href: str | None = None, css: str = "") -> Cell:
    """A cell of words; a dash for nothing."""
    return Cell("-" if value is None or value == "" else str(value), None, href, css)

"""Tables of the site as data: columns, cells with a shown text and an unrounded value, rows with filter marks.

Belongs here: what a table is. Does not belong here: which tables there are (`pages`), HTML (`templates/macros.j2`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from reports.numbers import missing


@dataclass(frozen=True)
class Column:
    """A column's head. `detail` columns are hidden on narrow screens until asked for; filters name a column by `key`."""

    label: str
    numeric: bool = False
    detail: bool = False
    title: str | None = None
    key: str | None = None


@dataclass(frozen=True)
class Cell:
    """A shown text; `value` is the unrounded number behind it (None: the text says why there is none)."""

    text: str
    value: float | None = None
    href: str | None = None
    css: str = ""
    badge: str = ""  # a remark on the row, beside the text

    @property
    def sort_value(self) -> str | None:
        """The number in full where the shown text is not that number; None where the text says it all."""
        if self.value is None:
            return None
        full = f"{self.value:.7g}"
        return None if full == self.text else full


@dataclass(frozen=True)
class TableRow:
    """Cells, the first of which heads the row, and marks for filters that no column answers (`data-<name>`)."""

    cells: Sequence[Cell]
    marks: Mapping[str, str] = field(default_factory=dict)


TALL = 30  # rows from which a table scrolls in its own box, under a fixed head


@dataclass(frozen=True)
class TableView:
    """A whole table with its anchor and caption. A `folded` one is secondary: closed at first on screen, open in print."""

    anchor: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[TableRow]
    sortable: bool = True
    folded: bool = False
    matrix: bool = False
    boxed: bool = True  # whether a long one scrolls in its own box

    @property
    def css(self) -> str:
        """Classes of the table."""
        wide = any(column.detail for column in self.columns)
        marks = {"sortable": self.sortable, "wide": wide, "matrix": self.matrix}
        return " ".join(name for name, holds in marks.items() if holds)

    @property
    def has_detail(self) -> bool:
        """Whether some columns are hidden on narrow screens."""
        return any(column.detail for column in self.columns)

    @property
    def is_tall(self) -> bool:
        """Whether the table scrolls in its own box."""
        return self.boxed and len(self.rows) > TALL


def number(value: object, show: Callable[..., str], reason: object = None, css: str = "") -> Cell:
    """A numeric cell: the shown text from a function of `reports.numbers`, the value in full beside it."""
    known = None if value is None or missing(float(value)) else float(value)  # type: ignore[arg-type]
    text = show(known, reason) if reason is not None or known is not None else show(None, None)
    return Cell(text, known, css=css if known is not None else f"{css} none".strip())


def text(value: object, href: str | None = None, css: str = "") -> Cell:
    """A cell of words; a dash for nothing."""
    return Cell("-" if value is None or value == "" else str(value), None, href, css)

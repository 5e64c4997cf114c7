"""What the readers of single tables share: the sheets by id, and the count of what became of each row.

Belongs here: factions, books, editions, dates, rows that are empty, repeated or without a datasheet. Does not belong
here: the contents of datasheets and rules.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipelines.sources.records import ReadResult
from pipelines.sources.wahapedia_csv.tables import Record, Tables

EDITION = "10"
_DATE_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_DATE_DOTS = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")


@dataclass
class Sheet:
    """A datasheet of the export. `names` are the items it knows, so that a pair joined by `and` is not torn apart."""

    key: str
    name: str
    faction: str | None
    faction_id: str
    is_legends: bool
    record: Record
    names: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Book:
    """A row of `Source.csv`; the edition is None where the export states none (it writes 0 for that)."""

    name: str
    edition: str | None

    @property
    def is_legends(self) -> bool:
        """Whether the book holds units that are no longer supported."""
        return "legends" in self.name.lower()


class Export:
    """An export being read. Rows of a table are taken by `records`, and each ends as loaded, merged or quarantined."""

    def __init__(self, tables: Tables, result: ReadResult) -> None:
        self.tables = tables
        self.result = result
        self.factions = {row.plain("id"): row.plain("name") for row in tables["Factions"] if row.plain("id")}
        self.sheets: dict[str, Sheet] = {}
        self.kept_out: dict[str, str] = {}  # datasheet id -> edition
        self.books: dict[str, Book] = {}
        self.fates: dict[str, Counter[str]] = {}

    # --- what the export says of itself ---------------------------------------------------------------------------

    def read_dates(self) -> None:
        """The date of the export, which also serves as its version."""
        for row in self.tables["Last_update"]:
            dated = iso_date(row.plain("last_update"))
            if dated is None:
                self.quarantine(row, "no date of the form 2025-11-14 19:35:22")
                continue
            self.result.dated = self.result.version = dated
            self.count("Last_update", "loaded")

    def read_books(self) -> None:
        """`Source.csv`, and the edition that its books agree on."""
        for row in self.tables["Source"]:
            edition = row.plain("edition")
            book = Book(row.plain("name"), edition if edition.isdigit() and edition != "0" else None)
            if row.plain("id") in self.books or not row.plain("id"):
                self.repeated(row, self.books.get(row.plain("id")) == book)
                continue
            self.books[row.plain("id")] = book
            self.result.add(
                "book",
                line_no=row.line_no,
                locator=row.locator,
                name=book.name,
                kind=row.plain("type") or None,
                edition=book.edition,
                version=row.plain("version") or None,
                dated=iso_date(row.plain("errata_date")),
                source_key=row.plain("id"),
            )
            self.count("Source", "loaded")
        self.result.edition = self._main_edition()

    def _main_edition(self) -> str | None:
        """The edition of most datasheets, by the books they belong to; rules name no book and are taken to be of it."""
        stated = Counter(book.edition for book in self.books.values() if book.edition)
        of_sheets = Counter[str]()
        for row in self.tables["Datasheets"]:
            book = self.books.get(row.plain("source_id"))
            if book and book.edition:
                of_sheets[book.edition] += 1
        counts = of_sheets or stated
        return max(counts, key=lambda edition: (counts[edition], edition == EDITION), default=None)

    def is_kept_out(self, book: Book | None) -> bool:
        """Whether a book's datasheets are of another edition than the export. An export that is of another edition as a
        whole is read whole: it says so, and none of it is used."""
        return bool(book and book.edition and self.result.edition == EDITION and book.edition != EDITION)

    # --- rows -----------------------------------------------------------------------------------------------------

    def of_sheets(self, table: str, *, merge: bool = True) -> Iterator[tuple[Record, Sheet]]:
        """Rows of a table with their datasheet. Rows of unknown datasheets are rejected, rows of another edition
        counted out; with `merge`, rows that repeat another one word for word are counted as merged."""
        seen: set[tuple[str, ...]] = set()
        for row in self.tables[table]:
            key = row.plain("datasheet_id")
            cells = tuple(row.cells.values())
            if key in self.kept_out:
                self.count(table, "quarantined")
            elif key not in self.sheets:
                self.quarantine(row, f"no datasheet has the id '{key}'", table)
            elif merge and cells in seen:
                self.count(table, "merged")
            else:
                seen.add(cells)
                yield row, self.sheets[key]

    def loaded(self, table: str) -> None:
        """One more row of the table gave a row."""
        self.count(table, "loaded")

    def count(self, table: str, fate: str) -> None:
        """Remember what became of a row: loaded, merged, quarantined or empty."""
        self.fates.setdefault(table, Counter())[fate] += 1

    def quarantine(self, row: Record, reason: str, table: str | None = None) -> None:
        """A row that is not loaded, with its place and the reason."""
        self.result.reject(reason, row.print(), line_no=row.line_no, locator=row.locator)
        self.count(table or row.table, "quarantined")

    def repeated(self, row: Record, same: bool) -> None:
        """A second row under the id of an earlier one: merged where both say the same, else refused."""
        if same:
            self.count(row.table, "merged")
        else:
            self.quarantine(row, "an earlier row has the same id (or none) and other contents")

    def say_counts(self) -> None:
        """One notice for each table with rows: how many were loaded, merged, quarantined, empty."""
        self.fates["Factions"] = Counter(loaded=len(self.tables["Factions"]))
        for table in self.tables.records:
            fates = self.fates.get(table, Counter())
            fates["quarantined"] += self.tables.torn[table]
            parts = [f"{fates[fate]} {fate}" for fate in ("loaded", "merged", "quarantined")]
            if fates["empty"]:
                parts.append(f"{fates['empty']} empty")
            self.result.notices.append(f"{_label(table)} rows: {', '.join(parts)}")


_LABELS = {"Datasheets_wargear": "weapon", "Datasheets": "datasheet", "Datasheets_models": "model"}


def _label(table: str) -> str:
    return _LABELS.get(table, table)


def iso_date(printed: str) -> str | None:
    """`2025-11-14 19:35:22` or `14.11.2025 0:00:00` as an ISO date; None for no date and for the year 1."""
    match = _DATE_ISO.search(printed)
    year, month, day = match.groups() if match else ("", "", "")
    if not match:
        match = _DATE_DOTS.search(printed)
        if not match:
            return None
        day, month, year = match.groups()
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31) or int(year) < 1980:
        return None
    return f"{year}-{int(month):02d}-{int(day):02d}"

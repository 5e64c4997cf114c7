"""What every reader returns: rows of source tables, the fate of each line, and rejects.

Belongs here: the types that readers and reconciliation share, and the columns of the source tables. Does not belong
here: parsing. A reader never raises on bad input: what it cannot read becomes a `Reject` with a locator, and the rest
of the file is still returned.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

Row = dict[str, Any]

Kind = Literal[
    "text_dump",
    "saved_page",
    "wahapedia_csv",
    "game_datacards",
    "munitorum_pdf",
    "munitorum_text",
    "datasheet_pdf",
    "profiles_csv",
    "unrecognised",
]
Disposition = Literal["parsed", "repeat", "reference", "decoration", "quarantined"]

SOURCE_TABLES: dict[str, tuple[str, ...]] = {
    # Every row also has `line_no` (int or None) and `locator` ("line 12", "Datasheets.csv:7", "page 3", "/datasheets/4").
    # `sheet` is the key of a datasheet inside its file: any text that is unique there.
    "datasheet": (
        "sheet",
        "name",
        "faction",  # as the source states it, None where it does not
        "book",  # codex, index, supplement or Combat Patrol box
        "is_combat_patrol",
        "is_legends",
        "role",
        "first_line",
        "last_line",
        "source_key",  # the source's own id
        "has_lost_text",
        "name_is_inferred",
    ),
    "model_profile": (
        "sheet",
        "profile",
        "movement_in",
        "toughness",
        "save",
        "invulnerable_save",
        "invulnerable_versus",  # any, ranged, melee
        "invulnerable_note",
        "wounds",
        "leadership",
        "objective_control",
        "feel_no_pain",
    ),
    "weapon_profile": (
        "sheet",
        "weapon",
        "profile",  # None, or supercharge, standard, ...
        "attack_type",  # ranged, melee
        "range_in",  # None for melee
        "attacks",  # dice text
        "skill",  # None: hits automatically (N/A)
        "strength",  # dice text is possible; int otherwise as text
        "armour_penetration",  # int, 0 or negative
        "damage",  # dice text
        "keywords",  # list of WeaponKeyword rows, see `weapon_keywords.parse_keywords`
        "keywords_text",
    ),
    "keyword": ("sheet", "keyword", "is_faction", "model"),
    "ability": ("sheet", "name", "kind", "value", "text", "model", "source_key"),
    "composition": ("sheet", "model", "min_models", "max_models", "alternative"),
    "equipment": ("sheet", "model", "models", "item", "n", "is_inferred"),  # n: how many of the item each model has
    "wargear_option": (
        "sheet",
        "text",
        "replaces",
        "choices",
        "per_models",
        "limit_models",
        "has_lost_text",
        "model",  # kind of model that may take it, None for any
        "condition",  # what else the sentence demands, as printed
    ),
    # A price names its datasheet by `sheet` where the file has datasheets, else by name and faction (points lists).
    # `condition` distinguishes two prices of one size ("copy 3+", "in <detachment>", "add-on: <model>").
    "unit_cost": ("sheet", "name", "faction", "models", "points", "condition", "change", "is_legends"),
    "leader": ("sheet", "leader", "bodyguard"),
    "datasheet_stratagem": ("sheet", "name", "detachment", "type", "cp", "source_key"),
    "datasheet_detachment_rule": ("sheet", "name", "detachment", "source_key"),
    "datasheet_enhancement": ("sheet", "name", "detachment", "source_key"),
    "stratagem": (
        "name",
        "detachment",
        "faction",
        "type",
        "cp",
        "flavour",
        "when_text",
        "target_text",
        "effect_text",
        "restrictions_text",
        "has_lost_text",
        "source_key",
    ),
    "detachment_rule": ("name", "detachment", "faction", "parent", "text", "flavour", "has_lost_text", "source_key"),
    "enhancement": (
        "name",
        "detachment",
        "faction",
        "points",
        "text",
        "flavour",
        "requires",
        "has_lost_text",
        "source_key",
    ),
    "army_rule": ("name", "faction", "parent", "text", "flavour", "has_lost_text", "source_key"),
    "rule": ("name", "parent", "text", "flavour", "has_lost_text", "source_key"),  # glossary of core rules
    "secondary_objective": ("name", "detachment", "text", "source_key"),
    "book": ("name", "kind", "edition", "version", "dated", "source_key"),
}


@dataclass(frozen=True)
class RawFile:
    """A file as delivered. `path` is relative to its raw folder, `file_id` the first 16 hex digits of its SHA-256."""

    file_id: str
    path: str
    kind: Kind
    sha256: str
    bytes: int
    mtime_date: str | None = None


@dataclass(frozen=True)
class LineClaim:
    """What became of one line of a text file. `row_index` points into `tables[table]` where there is a row."""

    line_no: int  # from 1
    section: str
    disposition: Disposition
    table: str | None = None
    row_index: int | None = None


@dataclass(frozen=True)
class Reject:
    """A piece that no parser understood. `locator` names the place (`line 12`), `reason` says what to do about it."""

    locator: str
    text: str
    reason: str
    line_no: int | None = None


@dataclass
class ReadResult:
    """All that one file (or one export folder) says. `facts` holds what the file says of itself."""

    title: str | None = None
    edition: str | None = None  # "10" where the file states it, else None
    version: str | None = None
    dated: str | None = None  # ISO date where the file states one
    faction: str | None = None
    tables: dict[str, list[Row]] = field(default_factory=dict)
    lines: list[LineClaim] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def add(self, table: str, *, line_no: int | None = None, locator: str | None = None, **values: Any) -> int:
        """Append a row to a source table and return its index. Unknown tables and columns are programming errors."""
        columns = SOURCE_TABLES[table]
        unknown = values.keys() - set(columns)
        if unknown:
            raise KeyError(f"source table {table} has no column {sorted(unknown)}")
        row: Row = dict.fromkeys(columns)
        row.update(values)
        row["line_no"] = line_no
        row["locator"] = locator or (f"line {line_no}" if line_no else "")
        rows = self.tables.setdefault(table, [])
        rows.append(row)
        return len(rows) - 1

    def reject(self, reason: str, text: str = "", *, line_no: int | None = None, locator: str | None = None) -> None:
        """Record a piece that was not understood; long texts are cut, the locator finds them again."""
        self.rejects.append(Reject(locator or (f"line {line_no}" if line_no else "file"), text[:500], reason, line_no))

    def rows(self, table: str) -> Iterator[Row]:
        """The rows of a source table, none where the file has none."""
        yield from self.tables.get(table, ())

"""What several pages need: addresses, links, chart rows, heat bins.

Belongs here: small shared pieces. Does not belong here: a page.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from reports.charts import BIN_EDGES
from reports.facts import Facts, Row
from reports.numbers import expected, share
from reports.tables import Cell

SAFE_ID = re.compile(r"[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)*")
SHARE_EDGES = (0.01, 0.02, 0.05, 0.10, 0.20)  # of the target's wounds taken off by one bearer
BIN_LABELS = ("under 5 %", "5 %", "10 %", "20 %", "30 %", "50 % and more")
SHARE_LABELS = ("under 1 %", "1 %", "2 %", "5 %", "10 %", "20 % and more")


def unit_address(datasheet_id: str) -> str:
    """Address of a unit's page. Ids are slugs by contract; anything else must not become a path."""
    if not SAFE_ID.fullmatch(datasheet_id):
        raise ValueError(f"'{datasheet_id}' is no key that can be an address")
    return f"units/{datasheet_id}.html"


def group_of(sheet: Row) -> str:
    """The faction or patrol part of a datasheet's id."""
    return str(sheet["datasheet_id"]).split("/")[0]


def group_address(sheet: Row) -> str:
    """Address of the page of a unit's faction or patrol."""
    folder = "combat-patrol" if sheet["is_combat_patrol"] else "factions"
    return f"{folder}/{group_of(sheet)}.html"


def group_name(sheet: Row) -> str:
    """The faction, or for a Combat Patrol sheet the patrol."""
    return str(sheet["book"] if sheet["is_combat_patrol"] and sheet["book"] else sheet["faction"])


def heat_cell(worn_return: float | None, of_target: float | None, by_points: bool) -> Cell:
    """A cell of a matrix: worn return where prices are known, else the share of the target's wounds."""
    value = worn_return if by_points else of_target
    if value is None:
        return Cell("no points", None, css="none")
    edges = BIN_EDGES if by_points else SHARE_EDGES
    return Cell(share(value), value, css=f"b{bisect_right(edges, value)}" if value > 0 else "none")


def heat_bin(value: float | None, by_points: bool) -> int | None:
    """The bin of a value, None for nothing to show."""
    if value is None or value <= 0:
        return None
    return bisect_right(BIN_EDGES if by_points else SHARE_EDGES, value)


def headline(facts: Facts, datasheet_id: str, scenario: str = "standard") -> list[Row]:
    """A unit's matchups with default equipment at its smallest size in one scenario."""
    rows = [row for row in facts.unit_matchups.get(datasheet_id, []) if row["scenario"] == scenario]
    if not rows:
        return []
    smallest = min(row["models"] for row in rows)
    return [row for row in rows if row["models"] == smallest and row["is_default"]]


def weapon_title(weapon: Row) -> str:
    """`Plasma incinerator, supercharge`."""
    return f"{weapon['weapon']}, {weapon['profile']}" if weapon["profile"] else str(weapon["weapon"])


def wounds_lost(row: Mapping[str, Any]) -> str:
    """Expected wounds lost as shown."""
    return expected(row["expected_wounds_lost"])


def and_list(names: Sequence[str]) -> str:
    """`a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

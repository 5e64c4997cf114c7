"""What several pages need: addresses, links, chart rows, heat bins.

Belongs here: small shared pieces. Does not belong here: a page.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

from reports.charts import BIN_EDGES
from reports.facts import Facts, Row
from reports.numbers import share
from reports.tables import Cell, Column
from reports.words import target_facts

SAFE_ID = re.compile(r"[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)*")
SHARE_EDGES = (0.01, 0.02, 0.05, 0.10, 0.20)  # of the target's wounds taken off by one bearer
BIN_LABELS = ("under 5 %", "5 to 10 %", "10 to 20 %", "20 to 30 %", "30 to 50 %", "50 % and more")
SHARE_LABELS = ("under 1 %", "1 to 2 %", "2 to 5 %", "5 to 10 %", "10 to 20 %", "20 % and more")
_SHORT = {
    "geq": "GEQ",
    "leq": "LEQ",
    "horde": "Horde",
    "meq": "MEQ",
    "gravis": "Gravis",
    "teq": "TEQ",
    "custodes": "Cust.",
    "light_vehicle": "Light",
    "medium_vehicle": "Medium",
    "heavy_vehicle": "Heavy",
    "monster": "Monster",
    "knight": "Knight",
}


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
    return Cell(share(value), float(f"{value:.4g}"), css=f"b{bisect_right(edges, value)}" if value > 0 else "none")


def heat_bin(value: float | None, by_points: bool) -> int | None:
    """The bin of a value, None for nothing to show."""
    if value is None or value <= 0:
        return None
    return bisect_right(BIN_EDGES if by_points else SHARE_EDGES, value)


def short_name(target: Row) -> str:
    """A target's name for a narrow head; an archetype that is not among the twelve keeps its own."""
    return _SHORT.get(target["target_id"], str(target["name"]))


def target_columns(facts: Facts) -> list[Column]:
    """The heads of a matrix: a short name for each target, its full name and characteristics with it."""
    return [
        Column(short_name(target), numeric=True, title=f"{target['name']}: {target_facts(target)}")
        for target in facts.targets
    ]


def headline(facts: Facts, datasheet_id: str, scenario: str = "standard") -> list[Row]:
    """A unit's matchups with default equipment at its smallest size in one scenario."""
    return facts.headlines.get((datasheet_id, scenario), [])


def distinct_names(sheets: Iterable[Row]) -> dict[str, str]:
    """Names of datasheets that tell them apart: the faction, the book, at last the id is added where needed."""
    listed = list(sheets)
    names = {sheet["datasheet_id"]: str(sheet["name"]) for sheet in listed}
    for more in (group_name, lambda sheet: str(sheet["book"] or ""), lambda sheet: str(sheet["datasheet_id"])):
        counts = Counter(names.values())
        for sheet in listed:
            if counts[names[sheet["datasheet_id"]]] > 1 and more(sheet):
                names[sheet["datasheet_id"]] = f"{sheet['name']} ({more(sheet)})"
    return names


def weapon_title(weapon: Row) -> str:
    """`Plasma incinerator, supercharge`."""
    return f"{weapon['weapon']}, {weapon['profile']}" if weapon["profile"] else str(weapon["weapon"])


def and_list(names: Sequence[str]) -> str:
    """`a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def version_key(version: str) -> tuple[int, ...]:
    """`4.10` sorts after `4.2`."""
    return tuple(int(part) for part in str(version).split(".") if part.isdigit())


def rules_page(row: Row) -> str:
    """Name of the page of a shared rule: its faction and detachment, whatever rule it is a part of."""
    parts = str(row["origin_id"]).split("/")
    depth = 1 if row["origin"] == "army_rule" else 2
    if row["origin"] != "army_rule" and row["detachment"]:
        depth = next((n for n, part in enumerate(parts, start=1) if part == slug(str(row["detachment"]))), depth)
    return "--".join(parts[: max(1, min(depth, len(parts) - 1))]) or "common"


def slug(text: str) -> str:
    """The key of a name as the ids of the warehouse have it."""
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower().replace("'", "")
    return re.sub(r"[^a-z0-9]+", "-", folded).strip("-")

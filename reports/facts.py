"""Everything the pages need of one build, read once and grouped.

Belongs here: the queries' rows by datasheet, target and weapon, and what follows from several of them (badges). Does
not belong here: HTML, SQL.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import duckdb

from reports import queries
from reports.numbers import plural

Row = dict[str, Any]
NO_FACTION = "No faction"


@dataclass(frozen=True)
class Badge:
    """A mark on a unit: text and look."""

    text: str
    css: str = ""


def _by(rows: list[Row], *names: str) -> dict[Any, list[Row]]:
    grouped: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        grouped[row[names[0]] if len(names) == 1 else tuple(row[name] for name in names)].append(row)
    return grouped


@dataclass
class Facts:
    """One build as the site sees it."""

    build_id: str
    dates: str
    sheets: list[Row]
    targets: list[Row]
    unit_targets: dict[str, Row]
    profiles: dict[str, list[Row]]
    keywords: dict[str, list[Row]]
    weapons: dict[str, list[Row]]
    weapon_keywords: dict[str, str]
    loadouts: dict[str, list[Row]]
    costs: dict[str, list[Row]]
    history: dict[str, list[Row]]
    effects: dict[str, list[Row]]
    shared_effects: list[Row]
    unit_matchups: dict[str, list[Row]]
    weapon_matchups: dict[str, list[Row]]
    durability: dict[str, list[Row]]
    lift: dict[str, list[Row]]
    conflicts: dict[str, list[Row]]
    files: dict[str, Row]
    stratagems: dict[str, list[Row]]
    headlines: dict[tuple[str, str], list[Row]] = field(init=False)

    def __post_init__(self) -> None:
        """Group what every overview asks for: default equipment at the smallest size, by datasheet and scenario."""
        found: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for datasheet_id, rows in self.unit_matchups.items():
            smallest = min(row["models"] for row in rows)
            for row in rows:
                if row["models"] == smallest:
                    found[datasheet_id, row["scenario"]].append(row)
        self.headlines = dict(found)

    @classmethod
    def read(cls, connection: duckdb.DuckDBPyConnection) -> "Facts":
        """Ask the database everything, once."""

        def rows(sql: str) -> list[Row]:
            return queries.records(connection, sql)

        build = rows(queries.BUILD)[0]
        files = {row["file_id"]: row for row in rows(queries.FILES)}
        dated = sorted(row["dated"] for row in files.values() if row["dated"])
        effects = rows(queries.EFFECTS)
        dates = f"data dated {dated[0]} to {dated[-1]}" if dated else "sources without dates"
        return cls(
            build_id=build["build_id"],
            dates=dates,
            sheets=rows(queries.SHEETS),
            targets=rows(queries.TARGETS),
            unit_targets={row["datasheet_id"]: row for row in rows(queries.UNIT_TARGETS)},
            profiles=_by(rows(queries.PROFILES), "datasheet_id"),
            keywords=_by(rows(queries.KEYWORDS), "datasheet_id"),
            weapons=_by(rows(queries.WEAPONS), "datasheet_id"),
            weapon_keywords={row["weapon_id"]: row["keywords"] for row in rows(queries.WEAPON_KEYWORDS)},
            loadouts=_by(rows(queries.LOADOUTS), "datasheet_id"),
            costs=_by(rows(queries.COSTS), "datasheet_id"),
            history=_by(rows(queries.HISTORY), "datasheet_id"),
            effects=_by([row for row in effects if row["origin"] == "ability"], "datasheet_id"),
            shared_effects=[row for row in effects if row["origin"] != "ability"],
            unit_matchups=_by(rows(queries.UNIT_MATCHUPS), "datasheet_id"),
            weapon_matchups=_by(rows(queries.WEAPON_MATCHUPS), "weapon_id"),
            durability=_by(rows(queries.DURABILITY), "target_id"),
            lift=_by(rows(queries.RULE_LIFT), "datasheet_id"),
            conflicts=_conflicts(rows(queries.SHEET_CONFLICTS)),
            files=files,
            stratagems=_by(rows(queries.SHEET_STRATAGEMS), "datasheet_id"),
        )

    def not_modelled(self, datasheet_id: str) -> list[Row]:
        """Rules of a sheet that change, or may change, an attack and are in no figure."""
        return [
            row
            for row in self.effects.get(datasheet_id, [])
            if row["status"] == "not_understood" or row["kind"] == "other_attack"
        ]

    def badges(self, sheet: Row) -> list[Badge]:
        """What a reader should know before trusting a unit's figures."""
        datasheet_id = sheet["datasheet_id"]
        found: list[Badge] = []
        missing = len({row["origin_id"] for row in self.not_modelled(datasheet_id)})
        conflicts = self.conflicts.get(datasheet_id, [])
        if missing:
            found.append(Badge(f"{plural(missing, 'rule')} not modelled", "partial"))
        elif not self.effects.get(datasheet_id):
            found.append(Badge("No rules known", "inferred"))
        elif not conflicts:
            found.append(Badge("Fully modelled"))
        if any(row["is_inferred"] for row in self.loadouts.get(datasheet_id, [])):
            found.append(Badge("Equipment or size inferred", "inferred"))
        if conflicts:
            found.append(Badge("Sources disagree", "conflict"))
        if sheet["is_combat_patrol"]:
            found.append(Badge("Combat Patrol"))
        elif datasheet_id not in self.costs:
            found.append(Badge("No points", "no-points"))
        if datasheet_id not in self.unit_targets:
            found.append(Badge("Attacker only", "partial"))
        elif self.unit_targets[datasheet_id]["is_mixed"]:
            found.append(Badge("Models differ", "inferred"))
        if sheet["is_legends"]:
            found.append(Badge("Legends", "legends"))
        return found


def _conflicts(rows: list[Row]) -> dict[str, list[Row]]:
    """Conflicts by datasheet; entities below a datasheet (weapons, profiles) belong to it."""
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        grouped["/".join(str(row["entity_id"]).split("/")[:2])].append(row)
    return grouped

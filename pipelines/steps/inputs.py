"""Core tables in the shape that the models take: weapons, targets, loadouts.

Belongs here: frames and rows that the matchups and the gains of rules share. Does not belong here: resolving, writing.
"""

import json
from collections import defaultdict
from typing import Any

import pandas as pd

from models.archetypes import archetype_targets
from models.loadouts import Loadout, Sheet, default_loadouts
from models.targets import unit_target
from pipelines.sources.records import Row
from pipelines.steps.effects import records
from pipelines.steps.workspace import Workspace


class Inputs:
    """Core tables in the shape that the models take."""

    def __init__(self, workspace: Workspace) -> None:
        self.sheets = records(workspace.read("core.datasheet"))
        self._factions = {row["datasheet_id"]: row["faction"] for row in self.sheets}
        weapons = workspace.read("core.weapon_profile")
        self.weapons = weapons.assign(strength=weapons["strength_text"])
        self.weapon_keywords = workspace.read("core.weapon_keyword")
        self._composition = _by_sheet(workspace.read("core.composition"))
        self._equipment = _by_sheet(workspace.read("core.equipment"))
        self._costs = _by_sheet(workspace.read("core.unit_cost"))
        self._keywords = _by_sheet(workspace.read("core.keyword"))
        self._profiles = _by_sheet(workspace.read("core.model_profile"))
        self._weapons = self._weapons_with_keywords()
        self._item_effects = _item_effects(workspace)
        self.targets = self._targets()

    def _weapons_with_keywords(self) -> dict[str, list[Row]]:
        keywords: dict[str, set[str]] = defaultdict(set)
        for weapon_id, keyword in zip(self.weapon_keywords["weapon_id"], self.weapon_keywords["keyword"], strict=True):
            keywords[weapon_id].add(keyword)
        found: dict[str, list[Row]] = defaultdict(list)
        for row in records(self.weapons):
            found[row["datasheet_id"]].append(row | {"keywords": keywords[row["weapon_id"]]})
        return found

    def sheet(self, row: Row) -> Sheet:
        """One datasheet as the loadout maker takes it."""
        datasheet_id = row["datasheet_id"]
        return Sheet(
            datasheet_id=datasheet_id,
            name=row["name"],
            composition=self._composition.get(datasheet_id, []),
            equipment=self._equipment.get(datasheet_id, []),
            costs=self._costs.get(datasheet_id, []),
            weapons=self._weapons.get(datasheet_id, []),
        )

    def keywords_of(self, datasheet_id: str) -> set[str]:
        """Keywords and faction keywords of a datasheet, in capitals."""
        return {row["keyword"] for row in self._keywords.get(datasheet_id, [])}

    def faction_of(self, datasheet_id: str) -> str | None:
        """The faction of a datasheet."""
        return self._factions.get(datasheet_id)

    def version(self, datasheet_id: str) -> str | None:
        """The points version of a unit's prices."""
        costs = self._costs.get(datasheet_id, [])
        return costs[0]["version"] if costs else None

    def loadouts(self) -> list[Loadout]:
        """Default loadouts of every datasheet that has a weapon."""
        return [
            loadout
            for row in self.sheets
            for loadout in default_loadouts(self.sheet(row))
            if self._weapons.get(row["datasheet_id"])
        ]

    def _targets(self) -> pd.DataFrame:
        """Archetypes first, then every unit with characteristics."""
        archetypes = archetype_targets().drop(columns="unit")
        archetypes = archetypes.assign(is_archetype=True, is_mixed=False, target_order=range(1, len(archetypes) + 1))
        rows: list[dict[str, Any]] = []
        for sheet in self.sheets:
            datasheet_id = sheet["datasheet_id"]
            words = [row["keyword"] for row in self._keywords.get(datasheet_id, [])]
            target = unit_target(
                self.sheet(sheet), self._profiles.get(datasheet_id, []), words, self._item_effects.get(datasheet_id, [])
            )
            if target is not None:
                extra = {name: sheet[name] for name in ("faction", "is_legends", "is_combat_patrol", "role_group")}
                rows.append(target | extra | {"points_version": self.version(datasheet_id)})
        frame = pd.concat([archetypes.astype(object), pd.DataFrame(rows).astype(object)], ignore_index=True)
        return frame.where(frame.notna(), None)


def _by_sheet(frame: pd.DataFrame) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in records(frame):
        found[row["datasheet_id"]].append(row)
    return found


def _item_effects(workspace: Workspace) -> dict[str, list[Row]]:
    """Unconditional effects of wargear abilities on their bearer, by datasheet."""
    found: dict[str, list[Row]] = defaultdict(list)
    frame = workspace.read("core.effect")
    mine = frame[(frame["origin"] == "ability") & (frame["status"] == "read") & (frame["scope"] == "self")]
    for row in records(mine):
        if "/wargear/" not in row["origin_id"] or json.loads(row["condition"] or "[]"):
            continue
        found[row["datasheet_id"]].append(
            {"source_item": row["origin_name"], "kind": row["kind"], "params": json.loads(row["params"] or "{}")}
        )
    return found


def group_frame(loadouts: list[Loadout]) -> pd.DataFrame:
    """The weapon groups of loadouts: loadout_id, group_order, weapon_id, bearers, alternative_group, attack_type."""
    rows = [
        {
            "loadout_id": loadout.loadout_id,
            "group_order": order,
            "weapon_id": carried.weapon_id,
            "bearers": carried.bearers,
            "alternative_group": carried.choice or None,
            "attack_type": carried.attack_type,
        }
        for loadout in loadouts
        for order, carried in enumerate(loadout.carried, start=1)
    ]
    columns = ["loadout_id", "group_order", "weapon_id", "bearers", "alternative_group", "attack_type"]
    return pd.DataFrame(rows, columns=columns)

"""Pages of a faction or a Combat Patrol: which of its units and weapons does which job.

Belongs here: the two matrices against the archetypes. Does not belong here: one unit's details (`unit`).
"""

from typing import Any

from reports.facts import Facts, Row
from reports.numbers import plural, share
from reports.pages.common import (
    BIN_LABELS,
    SHARE_LABELS,
    distinct_names,
    group_name,
    headline,
    heat_bin,
    heat_cell,
    short_name,
    target_columns,
    unit_address,
    weapon_title,
)
from reports.tables import Cell, Column, TableRow, TableView, text

MAP_ROWS = 30
WEAPONS_LISTED = 80
LARGE = 150  # datasheets from which Legends stand apart, so that the page stays light


def page(facts: Facts, sheets: list[Row]) -> dict[str, Any]:
    """The context of a faction's page; `sheets` are its datasheets."""
    name = group_name(sheets[0])
    names = distinct_names(sheets)
    by_points = any(sheet["datasheet_id"] in facts.costs for sheet in sheets)
    shown = [sheet for sheet in sheets if not sheet["is_legends"]] if len(sheets) > LARGE else sheets
    units = _unit_rows(facts, shown, names, by_points)
    weapons, chart, known = _weapon_rows(facts, shown, names, by_points)
    in_matrix = {sheet["datasheet_id"] for sheet in shown if headline(facts, sheet["datasheet_id"])}
    weapons_caption = f"{name}: weapons against the targets"
    if known > len(weapons):
        weapons_caption += f", the {len(weapons)} of {known:,} with the highest cell"
    kind = "Worn return: points worn off the target for each point paid, one phase, standard scenario."
    if not by_points:
        kind = "No prices are known here, so cells show the share of the target's wounds taken off in one phase."
    heads = target_columns(facts)
    return {
        "title": name,
        "description": f"{name}: units and weapons against twelve targets.",
        "faction": {"name": name},
        "sentence": _sentence(facts, sheets, by_points),
        "measure": kind,
        "weapon_measure": kind.replace("one phase", "one bearer, one phase"),
        "bins": BIN_LABELS if by_points else SHARE_LABELS,
        "units": TableView(
            "units",
            f"{name}: units against the targets",
            [Column("Unit"), Column("Attacks"), *heads],
            units,
            matrix=True,
        ),
        "weapons": TableView(
            "weapons",
            weapons_caption,
            [Column("Weapon"), Column("Unit"), Column("Attacks"), *heads],
            weapons,
            folded=bool(chart),
            matrix=True,
        ),
        "others": [
            {"name": names[sheet["datasheet_id"]], "href": f"../{unit_address(sheet['datasheet_id'])}"}
            for sheet in sheets
            if sheet["datasheet_id"] not in in_matrix
        ],
        "weapon_sentence": f"The {plural(min(MAP_ROWS, len(weapons)), 'weapon')} with the highest cell against the twelve "
        "targets; darker is more.",
        "charts": {"weapon-map": chart},
    }


def _measure(row: Row, by_points: bool) -> float | None:
    value = row["worn_return"] if by_points else row["share_of_target"]
    return None if value is None else float(value)


def _unit_rows(facts: Facts, sheets: list[Row], names: dict[str, str], by_points: bool) -> list[TableRow]:
    totals = {target["target_id"]: target["models"] * target["wounds"] for target in facts.targets}
    rows: list[TableRow] = []
    for sheet in sheets:
        mine = headline(facts, sheet["datasheet_id"])
        for attack_type in ("ranged", "melee"):
            by_target = {row["target_id"]: row for row in mine if row["attack_type"] == attack_type}
            if not by_target:
                continue
            cells = [text(names[sheet["datasheet_id"]], f"../{unit_address(sheet['datasheet_id'])}"), text(attack_type)]
            for target in facts.targets:
                row = by_target.get(target["target_id"])
                if row is None:
                    cells.append(Cell("-", None, css="none"))
                    continue
                of_target = row["expected_wounds_lost"] / totals[target["target_id"]]
                cells.append(heat_cell(row["worn_return"], of_target, by_points))
            rows.append(TableRow(cells))
    return rows


def _weapon_rows(
    facts: Facts, sheets: list[Row], names: dict[str, str], by_points: bool
) -> tuple[list[TableRow], list[Row], int]:
    """Table rows of the weapons with the highest cells, the marks of the heat map, and how many weapons there are."""
    found: list[tuple[float, TableRow, list[Row]]] = []
    for sheet in sheets:
        for weapon in facts.weapons.get(sheet["datasheet_id"], []):
            by_target = {row["target_id"]: row for row in facts.weapon_matchups.get(weapon["weapon_id"], [])}
            cells = [
                text(weapon_title(weapon)),
                text(names[sheet["datasheet_id"]], f"../{unit_address(sheet['datasheet_id'])}"),
                text(weapon["attack_type"]),
            ]
            marks: list[Row] = []
            best = 0.0
            label = f"{weapon_title(weapon)} ({names[sheet['datasheet_id']]}, {weapon['attack_type']})"
            for target in facts.targets:
                row = by_target.get(target["target_id"])
                value = _measure(row, by_points) if row else None
                cells.append(heat_cell(value, value, by_points) if row else Cell("-", None, css="none"))
                best = max(best, value or 0.0)
                if value:
                    marks.append(
                        {
                            "row": label,
                            "target": short_name(target),
                            "bin": heat_bin(value, by_points),
                            "text": share(value),
                        }
                    )
            found.append((best, TableRow(cells), marks))
    best_first = sorted(range(len(found)), key=lambda i: (-found[i][0], i))
    listed = sorted(best_first[:WEAPONS_LISTED])  # in the order of the units, as the reader knows them
    marks_shown = [mark for index in best_first[:MAP_ROWS] for mark in found[index][2]]
    return [found[index][1] for index in listed], marks_shown, len(found)


def _sentence(facts: Facts, sheets: list[Row], by_points: bool) -> str:
    said = f"{plural(len(sheets), 'datasheet')}"
    targets = sum(sheet["datasheet_id"] in facts.unit_targets for sheet in sheets)
    said += f", {targets} of them with characteristics." if targets < len(sheets) else "."
    if not by_points:
        return said
    gaps = []
    for target in facts.targets:
        best = max(
            (
                row["worn_return"] or 0.0
                for sheet in sheets
                for row in headline(facts, sheet["datasheet_id"])
                if row["target_id"] == target["target_id"]
            ),
            default=0.0,
        )
        if best < 0.2:
            gaps.append(str(target["name"]))
    return f"{said} No unit returns 20 % of its price in one phase against {', '.join(gaps)}." if gaps else said

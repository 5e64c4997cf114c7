"""Ranking pages, one per archetype target: which unit and which weapon removes it best for its points.

Belongs here: rows of both rankings, the median sentence. Does not belong here: the figures themselves.
"""

from statistics import median
from typing import Any

from reports.facts import Facts, Row
from reports.numbers import chance, expected, plural, points, points_per_wound, share
from reports.pages.common import distinct_names, group_name, headline, unit_address, weapon_title
from reports.tables import Cell, Column, TableRow, TableView, number, text
from reports.words import target_facts

LISTED = {"standard": 240, "close": 100, "cover": 100}
WEAPONS_LISTED = 150
CHARTED = 30

_COLUMNS = (
    Column("Unit", key="name"),
    Column("Rank", numeric=True, title="among rows of one scenario; equal figures share a rank"),
    Column("Faction", detail=True, key="faction"),
    Column("Attacks", key="attacks"),
    Column("Scenario", detail=True, key="scenario"),
    Column("Size", numeric=True, detail=True),
    Column("Points", numeric=True, detail=True),
    Column("Wounds lost per 100 points", numeric=True),
    Column("Points per wound lost", numeric=True),
    Column("Wounds lost", numeric=True, detail=True),
    Column("Models slain", numeric=True, detail=True),
    Column("Chance of all", numeric=True, detail=True),
    Column("Worn return", numeric=True, detail=True, title="points worn off the target for each point paid"),
    Column("Points return", numeric=True, detail=True, title="points of slain models for each point paid"),
    Column("Wasted", numeric=True, detail=True, title="share of damage lost to overkill"),
    Column("Not modelled", detail=True, title="rules of the unit that are in no figure"),
)
_WEAPON_COLUMNS = (
    Column("Weapon", key="name"),
    Column("Rank", numeric=True),
    Column("Unit"),
    Column("Faction", detail=True, key="faction"),
    Column("Attacks", key="attacks"),
    Column("Wounds lost", numeric=True),
    Column("Points per wound lost", numeric=True),
    Column("Wounds lost per 100 points", numeric=True),
)


def page(facts: Facts, target: Row, factions: list[str]) -> dict[str, Any]:
    """The context of a ranking page."""
    by_sheet = {sheet["datasheet_id"]: sheet for sheet in facts.sheets}
    rows: list[TableRow] = []
    left_out = 0
    standard: list[Row] = []
    for scenario, limit in LISTED.items():
        ranked = _ranked(facts, target["target_id"], scenario)
        if scenario == "standard":
            standard = ranked
        left_out += max(0, len(ranked) - limit)
        ranks = _ranks([row["wounds_per_100_points"] for row in ranked])
        rows += [
            _unit_row(facts, by_sheet[row["datasheet_id"]], row, rank)
            for row, rank in zip(ranked[:limit], ranks, strict=False)
        ]
    current = [row for row in standard if not by_sheet[row["datasheet_id"]]["is_legends"]]
    priced = any(row["wounds_per_100_points"] for row in current)
    chart = _chart_rows(by_sheet, current, priced)
    return {
        "title": f"{target['name']}: what removes it best",
        "description": _sentence(standard),
        "target": target | {"facts": target_facts(target), "stands_for": STANDS_FOR.get(target["target_id"], "")},
        "sentence": _sentence(standard),
        "factions": factions,
        "ranking": TableView("ranking", f"Units against {target['name']}, one phase", _COLUMNS, rows),
        "weapons": _weapon_table(facts, by_sheet, target),
        "ranking_chart": "ranking" if priced else "ranking_unpriced",
        "chart_sentence": f"The {plural(len(chart), 'attack')} of units, without Legends, that take most wounds off "
        f"{target['name']} {'for their points' if priced else 'in one phase'}; standard scenario.",
        "charts": {"ranking-chart": chart},
        "more": f"{left_out:,} further rows are in the table out.unit_matchup of the warehouse." if left_out else "",
    }


STANDS_FOR = {
    "geq": "guardsmen and other light infantry",
    "leq": "lightly armoured infantry",
    "horde": "a tough horde",
    "meq": "Space Marines",
    "gravis": "heavy infantry",
    "teq": "Terminators",
    "custodes": "the elite of the elite",
    "light_vehicle": "transports",
    "medium_vehicle": "battle tanks",
    "heavy_vehicle": "heavy tanks",
    "monster": "great monsters",
    "knight": "Knights",
}


def _ranked(facts: Facts, target_id: str, scenario: str) -> list[Row]:
    """Headline rows of every unit against a target: figures first and falling, then those without, by reason."""
    rows = [
        row
        for datasheet_id in facts.unit_matchups
        for row in headline(facts, datasheet_id, scenario)
        if row["target_id"] == target_id
    ]
    return sorted(
        rows,
        key=lambda r: (
            r["wounds_per_100_points"] is None,
            -(r["wounds_per_100_points"] or 0),
            r["wounds_per_100_points_reason"] or "",
            -r["expected_wounds_lost"],
            r["datasheet_id"],
            r["attack_type"],
        ),
    )


def _ranks(values: list[float | None]) -> list[int | None]:
    """Ranks from 1 on unrounded falling values; values equal to 1e-9 share the better rank."""
    ranks: list[int | None] = []
    for index, value in enumerate(values):
        before = values[index - 1] if index else None
        if value is None:
            ranks.append(None)
        elif before is not None and abs(before - value) <= 1e-9 * max(1.0, abs(value)):
            ranks.append(ranks[-1])
        else:
            ranks.append(index + 1)
    return ranks


def _unit_row(facts: Facts, sheet: Row, row: Row, rank: int | None) -> TableRow:
    missing = len({rule["origin_id"] for rule in facts.not_modelled(sheet["datasheet_id"])})
    faction = group_name(sheet)
    cells = (
        text(sheet["name"] + (" *" if missing else ""), f"../{unit_address(sheet['datasheet_id'])}"),
        Cell("-" if rank is None else str(rank), None if rank is None else float(rank)),
        text(faction),
        text(row["attack_type"]),
        text(row["scenario"]),
        Cell(str(row["models"]), float(row["models"])),
        number(row["points"], points, "no_points"),
        number(row["wounds_per_100_points"], expected, row["wounds_per_100_points_reason"]),
        number(row["points_per_expected_wound"], points_per_wound, row["points_per_expected_wound_reason"]),
        number(row["expected_wounds_lost"], expected),
        number(row["expected_models_slain"], expected),
        number(row["p_destroyed"], chance),
        number(row["worn_return"], share, row["worn_return_reason"]),
        number(row["points_return"], share, row["points_return_reason"]),
        number(row["overkill_share"], share, row["overkill_share_reason"]),
        Cell("", badge=plural(missing, "rule")) if missing else text("none", css="none"),
    )
    marks = {"legends": "yes"} if sheet["is_legends"] else {}
    return TableRow(cells, marks | ({"modelled": "no"} if missing else {}))


def _chart_rows(by_sheet: dict[str, Row], standard: list[Row], priced: bool) -> list[Row]:
    """The first rows with a figure: per 100 points, or per unit where nothing has a price."""
    measure = "wounds_per_100_points" if priced else "expected_wounds_lost"
    names = distinct_names(by_sheet.values())
    return [
        {
            "unit": f"{names[row['datasheet_id']]} ({row['attack_type']})",
            "faction": group_name(by_sheet[row["datasheet_id"]]),
            "attack_type": row["attack_type"],
            "value": float(f"{row[measure]:.6g}"),
            "value_txt": expected(row[measure]),
        }
        for row in [row for row in standard if row[measure]][:CHARTED]
    ]


def _sentence(standard: list[Row]) -> str:
    units = {row["datasheet_id"] for row in standard}
    slayers = {row["datasheet_id"] for row in standard if row["expected_models_slain"] >= 1}
    prices = [row["points_per_expected_wound"] for row in standard if row["points_per_expected_wound"] is not None]
    said = f"{len(slayers)} of {plural(len(units), 'unit')} can expect to slay at least one model in one phase"
    middle = f"; the median needs {points_per_wound(median(prices))} points per wound." if prices else "."
    return said + middle


def _weapon_table(facts: Facts, by_sheet: dict[str, Row], target: Row) -> TableView:
    found: list[tuple[Row, Row, Row]] = []
    for datasheet_id, weapons in facts.weapons.items():
        for weapon in weapons:
            for row in facts.weapon_matchups.get(weapon["weapon_id"], []):
                if row["target_id"] == target["target_id"]:
                    found.append((by_sheet[datasheet_id], weapon, row))
    found.sort(
        key=lambda f: (
            f[2]["wounds_per_100_points"] is None,
            -(f[2]["wounds_per_100_points"] or 0),
            -f[2]["expected_wounds_lost"],
            f[1]["weapon_id"],
        )
    )
    ranks = _ranks([row["wounds_per_100_points"] for _, _, row in found])
    rows = []
    for (sheet, weapon, row), rank in list(zip(found, ranks, strict=True))[:WEAPONS_LISTED]:
        cells = (
            text(weapon_title(weapon)),
            Cell("-" if rank is None else str(rank), None if rank is None else float(rank)),
            text(sheet["name"], f"../{unit_address(sheet['datasheet_id'])}"),
            text(group_name(sheet)),
            text(weapon["attack_type"]),
            number(row["expected_wounds_lost"], expected),
            number(row["points_per_expected_wound"], points_per_wound, row["points_per_expected_wound_reason"]),
            number(row["wounds_per_100_points"], expected, row["wounds_per_100_points_reason"]),
        )
        rows.append(TableRow(cells))
    caption = f"Weapons against {target['name']}, one bearer, standard scenario"
    if len(found) > WEAPONS_LISTED:
        caption += f"; the first {WEAPONS_LISTED} of {len(found):,}"
    return TableView("weapons", caption, _WEAPON_COLUMNS, rows)

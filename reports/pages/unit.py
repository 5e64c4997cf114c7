"""A unit's page: what one volley and one fight do, how reliably, how hard it is to remove, and what to trust.

Belongs here: the tables, charts and sentences of one datasheet. Does not belong here: comparisons of many units.
"""

import json
from collections.abc import Sequence
from typing import Any

from reports.facts import Facts, Row
from reports.numbers import chance, expected, plural, points, points_per_wound, share, target_roll, whole
from reports.pages.common import and_list, group_address, group_name, headline, version_key, weapon_title
from reports.tables import Cell, Column, TableRow, TableView, number, text
from reports.words import STATUS_WORDS, condition_words, effect_words, stopped_words

_CHARACTERISTICS = {
    "M": "Movement",
    "T": "Toughness",
    "Sv": "Save",
    "Inv": "Invulnerable save",
    "W": "Wounds",
    "FNP": "Feel No Pain",
    "Ld": "Leadership",
    "OC": "Objective Control",
}
LIFTS_LISTED = 40
LIFTS_CHARTED = 12
_MATCHUP_COLUMNS = (
    Column("Target"),
    Column("Attacks", key="attacks"),
    Column("Scenario", detail=True, key="scenario"),
    Column("Size", numeric=True, detail=True, key="size"),
    Column("Number of attacks", numeric=True, detail=True),
    Column("Hits", numeric=True, detail=True),
    Column("Wounds", numeric=True, detail=True),
    Column("Unsaved", numeric=True, detail=True),
    Column("Wounds lost", numeric=True),
    Column("Models slain", numeric=True),
    Column("Chance of 1 or more", numeric=True),
    Column("Chance of all", numeric=True, detail=True),
    Column("Points per wound lost", numeric=True),
    Column("Wounds lost per 100 points", numeric=True, detail=True),
    Column("Worn return", numeric=True, detail=True),
    Column("Points return", numeric=True, detail=True),
    Column("Wasted", numeric=True, detail=True),
)


def page(facts: Facts, sheet: Row) -> dict[str, Any]:
    """The context of a unit's page."""
    datasheet_id = sheet["datasheet_id"]
    mine = headline(facts, datasheet_id)
    charts: dict[str, list[Row]] = {}
    context: dict[str, Any] = {
        "title": f"{sheet['name']} ({group_name(sheet)})",
        "unit": sheet,
        "faction": group_name(sheet),
        "faction_href": f"../../{group_address(sheet)}",
        "badges": facts.badges(sheet),
        "facts": _facts_line(facts, sheet),
        "keywords": ", ".join(row["keyword"] for row in facts.keywords.get(datasheet_id, [])),
        "sentence": _sentence(facts, sheet, mine),
        "profiles": _profiles(facts, sheet),
        "weapons": _weapons(facts, sheet),
        "rules": _rules(facts, sheet),
        "prices": _prices(facts, sheet),
        "conflicts": _conflicts(facts, sheet),
        "not_modelled": _not_modelled(facts, sheet),
        "trust_sentence": _trust(facts, sheet),
        "sources": _sources(facts, sheet),
        "charts": charts,
    }
    context["description"] = context["sentence"]
    if mine:
        context |= _matchups(facts, sheet, mine, charts)
    context |= _durability(facts, sheet, charts)
    context |= _lift(facts, sheet, charts)
    context |= _price_chart(facts, sheet, charts)
    return context


def _facts_line(facts: Facts, sheet: Row) -> str:
    sizes = [
        plural(row["models"], "model") + (f" {row['points']} points" if row["points"] else "")
        for row in facts.loadouts.get(sheet["datasheet_id"], [])
        if row["is_default"]
    ]
    book = f"Book: {sheet['book']}." if sheet["book"] else ""
    return f"{' · '.join(sizes)}. {book}".lstrip(". ").strip()


def _sentence(facts: Facts, sheet: Row, mine: list[Row]) -> str:
    name = sheet["name"]
    targets = {target["target_id"]: target["name"] for target in facts.targets}
    priced = [row for row in mine if row["points_per_expected_wound"] is not None]
    if priced:
        best = min(priced, key=lambda row: (row["points_per_expected_wound"], row["target_id"]))
        worst = max(priced, key=lambda row: (row["points_per_expected_wound"], row["target_id"]))
        size = f"{plural(best['models'], 'model')}, {points(best['points'])} points, default equipment"
        return (
            f"{name} ({size}) does most for its points against {targets[best['target_id']]} ({best['attack_type']}): "
            f"{points_per_wound(best['points_per_expected_wound'])} points per wound lost. It does least against "
            f"{targets[worst['target_id']]} ({worst['attack_type']}): "
            f"{points_per_wound(worst['points_per_expected_wound'])}."
        )
    harmful = [row for row in mine if row["expected_wounds_lost"] > 0]
    if harmful:
        best = max(harmful, key=lambda row: (row["expected_wounds_lost"], row["target_id"]))
        why = "Combat Patrol units have no points" if sheet["is_combat_patrol"] else "No source states its points"
        return (
            f"{why}, so figures are per unit. {name} ({plural(best['models'], 'model')}) takes most wounds off "
            f"{targets[best['target_id']]} ({best['attack_type']}): {expected(best['expected_wounds_lost'])} expected."
        )
    return f"{name} has no weapon that can be resolved."


# --- tables --------------------------------------------------------------------------------------------------------


def _profiles(facts: Facts, sheet: Row) -> TableView | None:
    rows = [
        TableRow(
            (
                text(row["profile"]),
                Cell("-" if row["movement_in"] is None else f'{row["movement_in"]}"', _float(row["movement_in"])),
                Cell(whole(row["toughness"]), _float(row["toughness"])),
                Cell(target_roll(row["save"]), _float(row["save"])),
                Cell(_invulnerable(row), _float(row["invulnerable_save"])),
                Cell(whole(row["wounds"]), _float(row["wounds"])),
                Cell(target_roll(row["feel_no_pain"]), _float(row["feel_no_pain"])),
                Cell(target_roll(row["leadership"]), _float(row["leadership"])),
                Cell(whole(row["objective_control"]), _float(row["objective_control"])),
            )
        )
        for row in facts.profiles.get(sheet["datasheet_id"], [])
    ]
    columns = [Column("Model"), *(Column(short, numeric=True, title=full) for short, full in _CHARACTERISTICS.items())]
    return TableView("profile", "Characteristics as printed", columns, rows, sortable=False) if rows else None


def _float(value: Any) -> float | None:
    return None if value is None else float(value)


def _invulnerable(row: Row) -> str:
    versus = row["invulnerable_versus"]
    shown = target_roll(row["invulnerable_save"])
    return f"{shown} ({versus} only)" if row["invulnerable_save"] and versus not in (None, "any") else shown


def _matchups(facts: Facts, sheet: Row, mine: list[Row], charts: dict[str, list[Row]]) -> dict[str, Any]:
    every = facts.unit_matchups[sheet["datasheet_id"]]
    order = {target["target_id"]: index for index, target in enumerate(facts.targets)}
    names = {target["target_id"]: target["name"] for target in facts.targets}
    scenarios = {"standard": 0, "close": 1, "cover": 2}
    smallest = mine[0]["models"]
    shown = [r for r in every if r["scenario"] == "standard" or r["models"] == smallest]
    shown.sort(
        key=lambda r: (order[r["target_id"]], r["attack_type"] != "ranged", scenarios[r["scenario"]], r["models"])
    )
    priced = any(row["points"] for row in mine)
    charts["profile-chart"] = _profile_rows(names, mine, order, priced)
    loud = _main_attacks(mine)
    panels, distribution = _panels(facts, mine, loud, charts)
    return {
        "sizes": [
            {"value": str(models), "words": plural(models, "model")} for models in sorted({r["models"] for r in shown})
        ],
        "matchups": TableView(
            "targets",
            f"{sheet['name']} against the twelve targets, default equipment, one phase",
            _MATCHUP_COLUMNS,
            [_matchup_row(names, row) for row in shown],
            boxed=False,  # the filters leave one size and scenario
        ),
        "profile_chart": "target_profile" if priced else "wounds_profile",
        "profile_sentence": "Points per wound lost against each target, standard scenario, smallest size; left is better."
        if priced
        else "Expected wounds lost of each target, standard scenario, smallest size.",
        "panels": panels,
        "slain_note": f"Standard scenario, smallest size; for each target the {and_list(sorted(set(loud.values())))} "
        "attacks that slay more.",
        "distribution": distribution,
    }


def _at_least_one(row: Row) -> float | None:
    pmf = row["models_slain_pmf"]
    return None if pmf is None else max(0.0, 1.0 - float(pmf[0]))


def _matchup_row(names: dict[str, str], row: Row) -> TableRow:
    target = row["target_id"]
    cells = (
        text(names[target], f"../../targets/{target}.html"),
        text(row["attack_type"]),
        text(row["scenario"]),
        Cell(str(row["models"]), float(row["models"])),
        number(row["expected_attacks"], expected),
        number(row["expected_hits"], expected),
        number(row["expected_wounds"], expected),
        number(row["expected_unsaved"], expected),
        number(row["expected_wounds_lost"], expected),
        number(row["expected_models_slain"], expected),
        number(_at_least_one(row), chance),
        number(row["p_destroyed"], chance),
        number(row["points_per_expected_wound"], points_per_wound, row["points_per_expected_wound_reason"]),
        number(row["wounds_per_100_points"], expected, row["wounds_per_100_points_reason"]),
        number(row["worn_return"], share, row["worn_return_reason"]),
        number(row["points_return"], share, row["points_return_reason"]),
        number(row["overkill_share"], share, row["overkill_share_reason"]),
    )
    return TableRow(cells)


def _profile_rows(names: dict[str, str], mine: list[Row], order: dict[str, int], priced: bool) -> list[Row]:
    rows = []
    for row in sorted(mine, key=lambda r: (order[r["target_id"]], r["attack_type"] != "ranged")):
        value = row["points_per_expected_wound"] if priced else row["expected_wounds_lost"]
        reason = row["points_per_expected_wound_reason"]
        rows.append(
            {
                "target": names[row["target_id"]],
                "attack_type": row["attack_type"],
                "value": None if value is None else float(f"{value:.6g}"),
                "value_txt": points_per_wound(value, reason) if priced else expected(value),
            }
        )
    return rows


def _main_attacks(mine: list[Row]) -> dict[str, str]:
    """For each target the attack type that slays more models."""
    loud: dict[str, tuple[float, str]] = {}
    for row in mine:
        entry = (float(row["expected_models_slain"]), str(row["attack_type"]))
        if row["target_id"] not in loud or entry[0] > loud[row["target_id"]][0]:
            loud[row["target_id"]] = entry
    return {target: attack_type for target, (_, attack_type) in loud.items()}


def _panels(
    facts: Facts, mine: list[Row], loud: dict[str, str], charts: dict[str, list[Row]]
) -> tuple[list[Row], TableView]:
    panels: list[Row] = []
    table: list[TableRow] = []
    for target in facts.targets:
        target_id = target["target_id"]
        row = next((r for r in mine if r["target_id"] == target_id and r["attack_type"] == loud.get(target_id)), None)
        if row is None or row["models_slain_pmf"] is None:
            continue
        pmf = [float(p) for p in row["models_slain_pmf"]]
        pmf += [0.0] * (int(target["models"]) + 1 - len(pmf))
        at_least = [min(1.0, sum(pmf[k:])) for k in range(len(pmf))]
        chart_id = f"slain-{target_id.replace('_', '-')}-chart"
        last = next((k for k in range(len(pmf) - 1, -1, -1) if at_least[k] >= 0.00005), 0)
        last = max(last, 1)  # a unit that slays nothing still shows that it slays not even one
        charts[chart_id] = [
            {
                "k": str(k),
                "p": round(pmf[k], 6),
                "p_at_least": round(at_least[k], 6),
                "p_txt": chance(pmf[k]),
                "at_least_txt": chance(at_least[k]),
            }
            for k in range(last + 1)
        ]
        table += [
            TableRow(
                (
                    text(target["name"]),
                    text(row["attack_type"]),
                    Cell(str(k), float(k)),
                    number(pmf[k], chance),
                    number(at_least[k], chance),
                )
            )
            for k in range(last + 1)
        ]
        sentence = _distribution_sentence(target, row, pmf, at_least)
        panels.append(
            {"id": target_id.replace("_", "-"), "title": target["name"], "chart": chart_id, "sentence": sentence}
        )
    columns = (
        Column("Target"),
        Column("Attacks"),
        Column("k", numeric=True),
        Column("Exactly k", numeric=True),
        Column("At least k", numeric=True),
    )
    return panels, TableView("distribution", "Distribution of models slain in one phase", columns, table, folded=True)


def _distribution_sentence(target: Row, row: Row, pmf: Sequence[float], at_least: Sequence[float]) -> str:
    phase = "shooting" if row["attack_type"] == "ranged" else "fight"
    models = int(target["models"])
    if row["expected_wounds_lost"] <= 0:
        return f"Cannot harm {target['name']} in the {phase} phase."
    if pmf[0] > 0.5:
        return (
            f"One {phase} phase slays nothing in {chance(pmf[0])} of volleys; {chance(at_least[models])} destroy all."
        )
    middle = max(k for k in range(models + 1) if at_least[k] >= 0.5)
    return (
        f"One {phase} phase is expected to slay {expected(row['expected_models_slain'])} of {models}; an even chance of "
        f"{middle} or more, {chance(at_least[models])} destroy all."
    )


def _weapons(facts: Facts, sheet: Row) -> TableView:
    columns = [
        Column("Weapon"),
        Column("Attacks"),
        Column("Range", numeric=True),
        Column("A", numeric=True),
        Column("Skill", numeric=True),
        Column("S", numeric=True),
        Column("AP", numeric=True),
        Column("D", numeric=True),
        Column("Keywords"),
        Column("Wounds lost of MEQ, one bearer", numeric=True),
        Column("Wounds lost of a battle tank, one bearer", numeric=True),
    ]
    rows = []
    for weapon in facts.weapons.get(sheet["datasheet_id"], []):
        by_target = {row["target_id"]: row for row in facts.weapon_matchups.get(weapon["weapon_id"], [])}
        figures = [by_target.get(target_id) for target_id in ("meq", "medium_vehicle")]
        rows.append(
            TableRow(
                (
                    text(weapon_title(weapon)),
                    text(weapon["attack_type"]),
                    Cell(
                        "melee" if weapon["range_in"] is None else f'{weapon["range_in"]}"', _float(weapon["range_in"])
                    ),
                    Cell(str(weapon["attacks"]), _float(weapon["attacks_mean"])),
                    Cell("automatic" if weapon["skill"] is None else f"{weapon['skill']}+", _float(weapon["skill"])),
                    Cell(str(weapon["strength_text"]), _float(weapon["strength"])),
                    Cell(
                        str(weapon["armour_penetration"]).replace("-", "\u2212"), _float(weapon["armour_penetration"])
                    ),
                    Cell(str(weapon["damage"]), _float(weapon["damage_mean"])),
                    text(facts.weapon_keywords.get(weapon["weapon_id"])),
                    *(
                        number(figure["expected_wounds_lost"], expected) if figure else Cell("-", None, css="none")
                        for figure in figures
                    ),
                )
            )
        )
    return TableView("weapons", "Weapon profiles as printed, with one bearer's expected result", columns, rows)


def _durability(facts: Facts, sheet: Row, charts: dict[str, list[Row]]) -> dict[str, Any]:
    rows = facts.durability.get(sheet["datasheet_id"], [])
    if not rows:
        return {}
    by_loadout: dict[str, Row] = {}
    for row in rows:  # melta is a yardstick within half range: its row of the close scenario comes first
        by_loadout.setdefault(row["loadout_id"], row)
    rows = list(by_loadout.values())
    priced = all(row["points_lost_per_100"] is not None for row in rows)
    measure, show = ("points_lost_per_100", points_shown) if priced else ("wounds_lost_per_100", expected)
    charts["durability-chart"] = [
        {"attacker": row["loadout"], "value": float(f"{row[measure] or 0:.6g}"), "value_txt": show(row[measure])}
        for row in rows
    ]
    columns = (
        Column("Attacker"),
        Column("Price", numeric=True),
        Column("Wounds lost", numeric=True),
        Column("Models slain", numeric=True),
        Column("Wounds lost per 100 points of fire", numeric=True),
        Column("Points lost per 100 points of fire", numeric=True),
        Column("Chance one volley destroys", numeric=True),
    )
    table = [
        TableRow(
            (
                text(row["loadout"]),
                number(row["attacker_points"], points, "no_points"),
                number(row["expected_wounds_lost"], expected),
                number(row["expected_models_slain"], expected),
                number(row["wounds_lost_per_100"], expected, row["wounds_lost_per_100_reason"]),
                number(row["points_lost_per_100"], points_shown, row["points_lost_per_100_reason"]),
                number(row["p_destroyed"], chance),
            )
        )
        for row in rows
    ]
    unit = "points" if priced else "wounds"
    return {
        "durability": TableView(
            "durability", "One volley of each archetype attacker, standard scenario", columns, table
        ),
        "durability_sentence": f"{unit.capitalize()} of this unit that 100 points of each archetype attacker take off.",
    }


def points_shown(value: float | None, reason: str | None = None) -> str:
    """Points that are an expectation: one decimal below 100."""
    return points_per_wound(value, reason)


def _rules(facts: Facts, sheet: Row) -> TableView:
    rows = []
    for effect in facts.effects.get(sheet["datasheet_id"], []):
        kind = str(effect["origin_id"]).split("/")[-2] if "/" in str(effect["origin_id"]) else ""
        words = effect_words(effect) if effect["kind"] and effect["status"] == "read" else ""
        if effect["status"] == "not_attack":
            words = str(effect["category"] or "").replace("_", " ")
        rows.append(
            TableRow(
                (
                    text(effect["source_name"] or effect["origin_name"]),
                    text(kind),
                    text(STATUS_WORDS.get(effect["status"], effect["status"])),
                    text(words),
                    text(effect["phase"] if effect["kind"] != "none" else None),
                )
            )
        )
    columns = (Column("Rule"), Column("Kind"), Column("Status"), Column("Effect in our words"), Column("Phase"))
    return TableView("rules", "Abilities of this datasheet and what the compiler made of them", columns, rows)


def _not_modelled(facts: Facts, sheet: Row) -> TableView:
    rows = [
        TableRow(
            (
                text(row["origin_name"]),
                text(
                    STATUS_WORDS.get(row["status"], row["status"])
                    if row["kind"] != "other_attack"
                    else "outside the model"
                ),
                text(stopped_words(row["stopped_at"]) if row["status"] == "not_understood" else effect_words(row)),
            )
        )
        for row in facts.not_modelled(sheet["datasheet_id"])
    ]
    columns = (Column("Rule"), Column("Why"), Column("Detail"))
    return TableView("not-modelled", "Rules that are in no figure of this page", columns, rows, sortable=False)


def _conflicts(facts: Facts, sheet: Row) -> TableView:
    rows = [
        TableRow(
            (
                text(str(row["entity_id"]).removeprefix(sheet["datasheet_id"]).strip("/") or "datasheet"),
                text(str(row["attribute"]).replace("_", " ")),
                text(_short(row["kept_value"])),
                text(row["kept_path"]),
                text(_short(row["other_value"])),
                text(row["other_path"]),
                text(row["reason"]),
            )
        )
        for row in facts.conflicts.get(sheet["datasheet_id"], [])
        if row["attribute"] != "text"
    ]
    heads = ("Of", "Fact", "Kept", "from", "Other", "from", "Why")
    return TableView(
        "conflicts",
        "Facts on which sources disagree",
        [Column(h) for h in heads],
        rows[:60],
        sortable=False,
        folded=len(rows) > 8,
    )


def _short(value: object) -> str:
    shown = "not stated" if value is None else str(value)
    return shown if len(shown) <= 80 else shown[:77] + "..."


def _prices(facts: Facts, sheet: Row) -> TableView:
    history = facts.history.get(sheet["datasheet_id"], [])
    rows = [
        TableRow(
            (
                text(row["version"]),
                text(row["dated"]),
                Cell(whole(row["models"]), _float(row["models"])),
                text(row["condition"]),
                number(row["points"], points, "no_points"),
                number(row["change"], _signed_points),
            )
        )
        for row in sorted(history, key=lambda row: (version_key(row["version"]), row["models"] or 0), reverse=True)
    ]
    if not rows:
        rows = [
            TableRow(
                (
                    text(row["version"] or "undated"),
                    text(row["dated"]),
                    Cell(whole(row["models"]), _float(row["models"])),
                    text(row["condition"]),
                    number(row["points"], points, "no_points"),
                    Cell("-", None, css="none"),
                )
            )
            for row in facts.costs.get(sheet["datasheet_id"], [])
        ]
    columns = (
        Column("Version"),
        Column("Date"),
        Column("Models", numeric=True),
        Column("Condition"),
        Column("Points", numeric=True),
        Column("Change", numeric=True),
    )
    return TableView("prices", "Prices by version of the points list", columns, rows)


def _signed_points(value: float | None, reason: str | None = None) -> str:
    shown = points(value, reason)
    return f"+{shown}" if value is not None and value > 0 else shown


def _price_chart(facts: Facts, sheet: Row, charts: dict[str, list[Row]]) -> dict[str, Any]:
    history = [row for row in facts.history.get(sheet["datasheet_id"], []) if not row["condition"] and row["models"]]
    if len({row["version"] for row in history}) < 2:
        return {"price_chart": False}
    ordered = sorted(history, key=lambda row: [int(part) for part in str(row["version"]).split(".") if part.isdigit()])
    charts["price-chart"] = [
        {
            "version": row["version"],
            "size": plural(row["models"], "model"),
            "points": row["points"],
            "points_txt": points(row["points"]),
        }
        for row in ordered
    ]
    smallest = min(row["models"] for row in ordered)
    same = [row for row in ordered if row["models"] == smallest]
    first, last = same[0], same[-1]
    size = plural(smallest, "model")
    moved = (
        f"went from {points(first['points'])} to {points(last['points'])} points between versions {first['version']} and "
        f"{last['version']}"
        if first["points"] != last["points"]
        else f"cost {points(last['points'])} points in version {first['version']} and in {last['version']}"
    )
    return {"price_chart": True, "price_sentence": f"{sheet['name']} ({size}) {moved}."}


def _lift(facts: Facts, sheet: Row, charts: dict[str, list[Row]]) -> dict[str, Any]:
    shown = facts.lift.get(sheet["datasheet_id"], [])[:LIFTS_LISTED]
    if not shown:
        return {}
    names = {target["target_id"]: target["name"] for target in facts.targets}
    charts["lift-chart"] = [
        {
            "rule": f"{row['origin_name']} v {names[row['target_id']]} ({row['attack_type']})",
            "without": float(f"{row['wounds_lost_without']:.6g}"),
            "with_rule": float(f"{row['wounds_lost_with']:.6g}"),
            "without_txt": expected(row["wounds_lost_without"]),
            "with_txt": expected(row["wounds_lost_with"]),
            "gain_txt": expected(row["lift_abs"]),
        }
        for row in shown[:LIFTS_CHARTED]
    ]
    columns = (
        Column("Rule"),
        Column("From"),
        Column("Cost", numeric=True),
        Column("Attacks"),
        Column("Best target"),
        Column("Without", numeric=True),
        Column("With", numeric=True),
        Column("Gain", numeric=True),
        Column("Gain in per cent", numeric=True),
        Column("Assumed"),
    )
    table = [
        TableRow(
            (
                text(row["origin_name"]),
                text(str(row["origin"]).replace("_", " ")),
                _cost(row),
                text(row["attack_type"]),
                text(names[row["target_id"]]),
                number(row["wounds_lost_without"], expected),
                number(row["wounds_lost_with"], expected),
                number(row["lift_abs"], expected),
                number(row["lift"], share, row["lift_reason"]),
                text(", ".join(condition_words(str(token)) for token in json.loads(row["assumed"] or "[]"))),
            )
        )
        for row in shown
    ]
    return {
        "lift": TableView(
            "lift", "Rules that change this unit's attacks, each at its best target", columns, table, folded=True
        ),
        "lift_sentence": "Expected wounds lost without (open) and with (filled) each rule, against the target where it "
        "gains most; standard scenario.",
    }


def _cost(row: Row) -> Cell:
    if row["cp"] is not None:
        return Cell(f"{row['cp']} CP", float(row["cp"]))
    return Cell(f"{row['points']} points", float(row["points"])) if row["points"] is not None else Cell("free", 0.0)


def _trust(facts: Facts, sheet: Row) -> str:
    effects = facts.effects.get(sheet["datasheet_id"], [])
    texts = {row["origin_id"]: row["status"] for row in effects}
    read = sum(status == "read" for status in texts.values())
    missing = len({row["origin_id"] for row in facts.not_modelled(sheet["datasheet_id"])})
    if not texts:
        return "No rules text is known for this sheet."
    return (
        f"Of {plural(len(texts), 'rule')} on this sheet {read} {'changes' if read == 1 else 'change'} an attack and "
        f"{'is' if read == 1 else 'are'} read, {missing} {'is' if missing == 1 else 'are'} not modelled. Figures on this page use weapons and their keywords; "
        "abilities and stratagems are shown apart, as gains."
    )


def _sources(facts: Facts, sheet: Row) -> list[dict[str, str]]:
    datasheet_id = sheet["datasheet_id"]
    used: dict[str, set[str]] = {}
    for said, rows in (
        ("characteristics", facts.profiles.get(datasheet_id, [])),
        ("weapons", facts.weapons.get(datasheet_id, [])),
        ("prices", facts.costs.get(datasheet_id, [])),
        ("keywords", facts.keywords.get(datasheet_id, [])),
    ):
        for row in rows:
            if row.get("file_id"):
                used.setdefault(row["file_id"], set()).add(said)
    found = []
    for file_id, what in sorted(used.items(), key=lambda item: facts.files[item[0]]["path"]):
        file = facts.files[file_id]
        dated = f", dated {file['dated']}" if file["dated"] else ", undated"
        found.append({"kind": file["kind"], "words": f"{file['path']}{dated}: {', '.join(sorted(what))}"})
    return found

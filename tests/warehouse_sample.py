"""A small invented warehouse for tests: rows of the stored tables that fit together.

Belongs here: rows of two invented factions and what a build would make of them. The figures are placeholders that keep
the dictionary's promises; tests of figures live with the models.
"""

import datetime as dt
import hashlib
from pathlib import Path
from typing import Any

import pandas as pd

from warehouse.dictionary import TABLES, Field, Table, empty_frame
from warehouse.publish import MADE_HERE, build_row, input_hash
from warehouse.storage import write_table

STARTED = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
DUMP, LIST = (hashlib.sha256(name.encode()).hexdigest() for name in ("dump", "list"))
DUMP_ID, LIST_ID = DUMP[:16], LIST[:16]
WARDEN, BRUTE, PATROL = "tin-legion/tin-warden", "moss-clan/moss-brute", "moss-vanguard/moss-brute"
SCENARIOS = ("standard", "cover")
Rows = list[dict[str, Any]]


def sample() -> dict[str, Rows]:
    """Rows of the stored tables that a build has to bring, by `schema.table`. Change them at will: they are fresh."""
    stated = {**_raw(), **_core(), **_rules(), **_out(), **_meta()}
    return {name: [_filled(TABLES[name], row) for row in table_rows] for name, table_rows in stated.items()}


def write_sample(folder: Path, rows: dict[str, Rows] | None = None) -> Path:
    """Write the rows as Parquet and return the folder; tables without rows are written empty."""
    given = sample() if rows is None else rows
    for name in given_tables():
        frame = pd.DataFrame(given[name]) if given.get(name) else empty_frame(TABLES[name])
        write_table(folder, name, frame)
    return folder


def _filled(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    """The row with a lawful placeholder in each required column that the sample has nothing to say about."""
    return {**{field.name: _placeholder(field) for field in table.fields if field.required}, **row}


def _placeholder(field: Field) -> Any:
    number = field.minimum or 0
    return {
        "text": (field.one_of or ("1",))[0],
        "integer": int(number),
        "real": float(number),
        "real32": float(number),
        "boolean": False,
        "json": {},
        "json_list": [],
        "real32_list": [1.0],
    }[field.type]


def given_tables() -> list[str]:
    """Tables that a build has to bring."""
    return [name for name, table in TABLES.items() if not table.is_view and name not in MADE_HERE]


def _raw() -> dict[str, Rows]:
    return {
        "raw.file": [
            {
                "file_id": DUMP_ID,
                "path": "pages/tin.txt",
                "kind": "text_dump",
                "sha256": DUMP,
                "bytes": 90,
                "lines": 4,
                "title": "Tin Legion – Tin Warden",
                "dated": "2025-11-14",
            },
            {
                "file_id": LIST_ID,
                "path": "points/1.1.json",
                "kind": "game_datacards",
                "sha256": LIST,
                "bytes": 50,
                "version": "1.1",
                "dated": "2026-01-01",
            },
        ],
        "raw.line": [
            {
                "file_id": DUMP_ID,
                "line_no": 1,
                "section": "title",
                "disposition": "parsed",
                "table_name": "core.datasheet",
                "row_key": WARDEN,
            },
            {
                "file_id": DUMP_ID,
                "line_no": 2,
                "section": "weapons",
                "disposition": "parsed",
                "table_name": "core.weapon_profile",
                "row_key": f"{WARDEN}/bolt-lance",
            },
            {"file_id": DUMP_ID, "line_no": 3, "section": "weapons", "disposition": "decoration"},
            {"file_id": DUMP_ID, "line_no": 4, "section": "abilities", "disposition": "quarantined"},
        ],
        "raw.quarantine": [
            {"file_id": DUMP_ID, "locator": "line 4", "line_no": 4, "text": "??", "reason": "no ability has this shape"}
        ],
        "raw.notice": [{"file_id": LIST_ID, "text": "one inactive entry was left out"}],
    }


def _core() -> dict[str, Rows]:
    dump = {"file_id": DUMP_ID, "line_no": 2, "locator": "line 2"}
    cards = {"file_id": LIST_ID, "locator": "/datasheets/0"}
    return {
        "core.book": [{"book_id": "tin-legion", "name": "Tin Legion", "kind": "codex", **cards}],
        "core.datasheet": [
            {
                "datasheet_id": WARDEN,
                "name": "Tin Warden",
                "faction": "Tin Legion",
                "is_combat_patrol": False,
                "is_legends": False,
                **dump,
            },
            {
                "datasheet_id": BRUTE,
                "name": "Moss Brute",
                "faction": "Moss Clan",
                "is_combat_patrol": False,
                "is_legends": False,
                **cards,
            },
            {
                "datasheet_id": PATROL,
                "name": "Moss Brute",
                "faction": "Moss Clan",
                "is_combat_patrol": True,
                "is_legends": False,
                **cards,
            },
        ],
        "core.model_profile": [
            {
                "datasheet_id": WARDEN,
                "profile": "Tin Warden",
                "movement_in": 6,
                "toughness": 4,
                "save": 3,
                "wounds": 2,
                "leadership": 6,
                "objective_control": 2,
                **dump,
            },
            {
                "datasheet_id": BRUTE,
                "profile": "Moss Brute",
                "movement_in": 10,
                "toughness": 10,
                "save": 3,
                "wounds": 12,
                "leadership": 7,
                "objective_control": 3,
                **cards,
            },
        ],
        "core.weapon_profile": [
            _weapon(WARDEN, "Bolt lance", "ranged", 24, "2", 4, dump),
            _weapon(BRUTE, "Root maul", "melee", None, "D6", 9, cards),
            _weapon(PATROL, "Root maul", "melee", None, "D6", 9, cards),
        ],
        "core.weapon_keyword": [
            {"weapon_id": f"{WARDEN}/bolt-lance", "keyword": "rapid fire", "value": "1", "is_known": True}
        ],
        "core.keyword": [{"datasheet_id": WARDEN, "keyword": "INFANTRY", "is_faction": False, **dump}],
        "core.ability": [
            {
                "ability_id": f"{WARDEN}/steady-aim",
                "datasheet_id": WARDEN,
                "name": "Steady Aim",
                "kind": "datasheet",
                "text": "Each time a model in this unit makes an attack, re-roll a Hit roll of 1.",
                **dump,
            },
            {
                "ability_id": f"{WARDEN}/odd-hum",
                "datasheet_id": WARDEN,
                "name": "Odd Hum",
                "kind": "datasheet",
                "text": "Hums oddly at each Wound roll.",
                **dump,
            },
        ],
        "core.composition": [
            {"datasheet_id": WARDEN, "model": "Tin Warden", "min_models": 5, "max_models": 10, **dump}
        ],
        "core.equipment": [{"datasheet_id": WARDEN, "item": "bolt lance", "n": 1, "is_inferred": False, **dump}],
        "core.wargear_option": [
            {
                "option_id": f"{WARDEN}/1",
                "datasheet_id": WARDEN,
                "text": "Any lance may become a maul.",
                "replaces": ["bolt lance"],
                "choices": [[{"item": "maul", "n": 1}]],
                **dump,
            }
        ],
        "core.unit_cost": [
            {"datasheet_id": WARDEN, "models": 5, "points": 100, "version": "1.1", "dated": "2026-01-01", **cards},
            {"datasheet_id": WARDEN, "models": 10, "points": 190, "version": "1.1", "dated": "2026-01-01", **cards},
            {"datasheet_id": BRUTE, "models": 1, "points": 150, "version": "1.1", "dated": "2026-01-01", **cards},
        ],
        "core.leader": [{"leader_id": BRUTE, "bodyguard_id": WARDEN, **cards}],
        "core.conflict": [
            {
                "entity_id": WARDEN,
                "attribute": "objective_control",
                "kept_value": "2",
                "kept_file_id": DUMP_ID,
                "other_value": "1",
                "other_file_id": LIST_ID,
                "reason": "the newer file wins",
            }
        ],
    }


def _weapon(sheet: str, name: str, kind: str, reach: int | None, attacks: str, strength: int, where: dict) -> dict:
    return {
        "weapon_id": f"{sheet}/{name.lower().replace(' ', '-')}", "datasheet_id": sheet, "weapon": name,
        "attack_type": kind, "range_in": reach, "attacks": attacks, "skill": 3, "strength": strength,
        "strength_text": str(strength), "armour_penetration": -1, "damage": "1", "attacks_mean": 2.0,
        "damage_mean": 1.0, **where,
    }  # fmt: skip


def _rules() -> dict[str, Rows]:
    where = {"file_id": DUMP_ID, "line_no": 2, "locator": "line 2"}
    rule = {"wording": 1, **where}
    aim, hum = f"{WARDEN}/steady-aim", f"{WARDEN}/odd-hum"
    return {
        "core.stratagem": [
            {"stratagem_id": "tin-host/hold-fast", "name": "HOLD FAST", "detachment": "Tin Host", "cp": 1,
             "effect_text": "Improve the Save characteristic by 1.", **rule}
        ],
        "core.datasheet_stratagem": [{"datasheet_id": WARDEN, "stratagem_id": "tin-host/hold-fast", **where}],
        "core.datasheet_detachment_rule": [
            {"datasheet_id": WARDEN, "detachment_rule_id": "tin-host/ring-of-tin", **where}
        ],
        "core.datasheet_enhancement": [{"datasheet_id": WARDEN, "enhancement_id": "tin-host/bell", **where}],
        "core.detachment_rule": [
            {"detachment_rule_id": "tin-host/ring-of-tin", "name": "Ring of Tin", "text": "Rings.", **rule}
        ],
        "core.enhancement": [
            {"enhancement_id": "tin-host/bell", "name": "Bell", "points": 15, "text": "Tolls.", **rule}
        ],
        "core.army_rule": [{"army_rule_id": "tin-legion/oath", "name": "Oath", "text": "Swear.", **rule}],
        "core.rule": [{"rule_id": "hazardous", "name": "Hazardous", "text": "Beware.", **rule}],
        "core.secondary_objective": [
            {"secondary_objective_id": "tin-host/stand", "name": "Stand", "text": "Stand.", **rule}
        ],
        "core.effect": [
            {"effect_id": f"ability:{aim}#1", "origin": "ability", "origin_id": aim, "origin_name": "Steady Aim",
             "datasheet_id": WARDEN, "status": "read", "side": "attacker", "phase": "any", "kind": "reroll",
             "params": {"roll": "hit", "which": "ones"}, "condition": [], "requires": [], "scope": "unit", **where},
            {"effect_id": f"ability:{hum}#1", "origin": "ability", "origin_id": hum, "origin_name": "Odd Hum",
             "datasheet_id": WARDEN, "status": "not_understood", "stopped_at": "Hums oddly", **where},
        ],
    }  # fmt: skip


def _out() -> dict[str, Rows]:
    flags = ("half_range", "stationary", "charging", "cover", "overwatch", "hidden", "beyond_12", "engaged")
    return {
        "out.scenario": [
            {"scenario": name, "scenario_order": order, "description": f"{name} in words",
             **{flag: flag == name or flag == "beyond_12" for flag in flags}}
            for order, name in enumerate(SCENARIOS, 1)
        ],
        "out.target_signature": [
            _line(0, 1, 10, 3, 12, []), _line(1, 5, 4, 3, 2, ["INFANTRY"]), _line(2, 1, 10, 3, 11, []),
        ],
        "out.target": [
            _target("medium_vehicle", "Battle tank", None, 2, (1, 10, 3, 11), 140, 9),
            _target("meq", "MEQ", None, 1, (5, 4, 3, 2), 80, 4),
            _target(BRUTE, "Moss Brute", BRUTE, 0, (1, 10, 3, 12), 150, None),
            _target(PATROL, "Moss Brute", PATROL, 0, (1, 10, 3, 12), None, None),
        ],
        "out.attack_signature": [_attack(0, "ranged"), _attack(1, "melee")],
        "out.weapon_signature": [
            {"scenario": scenario, "weapon_id": weapon, "attack_sig": sig}
            for scenario in SCENARIOS
            for weapon, sig in ((f"{WARDEN}/bolt-lance", 0), (f"{BRUTE}/root-maul", 1), (f"{PATROL}/root-maul", 1))
        ],
        "out.signature_matchup": [
            {"attack_sig": a, "target_sig": t, **expectations((0.25, 1.0)[a] * (1, 2, 1)[t] * (t != 2 or a != 0))}
            for a in (0, 1)
            for t in (0, 1, 2)
        ],
        "out.loadout": [
            _loadout(f"{WARDEN}/5/default", WARDEN, "default", 5, 100),
            _loadout(f"{PATROL}/1/default", PATROL, "default", 1, None),
            _loadout("lascannon", None, "Anti-tank", 5, 120),
        ],
        "out.loadout_weapon": [
            {"loadout_id": f"{WARDEN}/5/default", "group_order": 1, "weapon_id": f"{WARDEN}/bolt-lance", "bearers": 5},
            {"loadout_id": "lascannon", "group_order": 1, "weapon_id": "lascannon/lascannon", "bearers": 4},
        ],
        "out.loadout_matchup": [
            {"scenario": scenario, "loadout_id": loadout, "attack_type": kind, "target_sig": t, "weapons_used": [],
             "models_slain_pmf": pmf(slain, (1, 5, 1)[t]), **expectations(lost, slain)}
            for scenario in SCENARIOS
            for loadout, kind, lost, slain in (
                (f"{WARDEN}/5/default", "ranged", 1.5, 0.5), (f"{PATROL}/1/default", "melee", 1.0, 0.25),
                ("lascannon", "ranged", 0.0, 0.0))
            for t in (0, 1, 2)
        ],
        "out.rule_lift": [
            {"origin": "stratagem", "origin_id": "tin-host/hold-fast", "origin_name": "HOLD FAST",
             "datasheet_id": WARDEN, "loadout_id": f"{WARDEN}/5/default", "attack_type": "ranged",
             "scenario": "standard", "target_id": "meq", "cp": 1, "assumed": [], "wounds_lost_without": 1.5,
             "wounds_lost_with": 2.0, "lift_abs": 0.5, "lift": 1 / 3, "lift_per_cp": 4.0,
             "lift_per_point_reason": "not_applicable"}
        ],
        "out.points_history": [
            {"datasheet_id": WARDEN, "models": 5, "version": version, "dated": dated, "points": points,
             "change": change, "file_id": LIST_ID}
            for version, dated, points, change in (("1.0", "2025-06-01", 110, None), ("1.1", "2026-01-01", 100, -10))
        ],
    }  # fmt: skip


def _meta() -> dict[str, Rows]:
    read = input_hash([("pages/tin.txt", DUMP), ("points/1.1.json", LIST)])
    frame = build_row(read, "0.1.0", {"duckdb": "2"}, {"datasheets": 3})
    return {"meta.build": [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]}


def expectations(lost: float, slain: float | None = None) -> dict[str, float]:
    """Expectations that fit together: some of the damage is always wasted."""
    return {
        "expected_attacks": 4.0, "expected_hits": 3.0, "expected_wounds": 2.0, "expected_unsaved": 1.5,
        "expected_damage": lost * 1.25, "expected_wounds_lost": lost,
        "expected_models_slain": lost / 12 if slain is None else slain, "p_destroyed": 0.0,
    }  # fmt: skip


def pmf(slain: float, models: int) -> list[float]:
    """A distribution over 0 to `models` with mean `slain` (at most 1): one model or none."""
    return [1 - slain, slain, *[0.0] * (models - 1)]


def _line(sig: int, models: int, toughness: int, save: int, wounds: int, keywords: list[str]) -> dict[str, Any]:
    return {"target_sig": sig, "models": models, "toughness": toughness, "save": save, "wounds": wounds,
            "keywords": keywords}  # fmt: skip


def _target(
    target_id: str, name: str, sheet: str | None, sig: int, line: tuple[int, ...], points: int | None, order: int | None
) -> dict[str, Any]:
    models, toughness, save, wounds = line
    return {
        "target_id": target_id, "name": name, "datasheet_id": sheet, "is_archetype": sheet is None,
        "target_order": order, "models": models, "toughness": toughness, "save": save, "wounds": wounds,
        "points": points, "keywords": [], "is_mixed": False, "target_sig": sig,
    }  # fmt: skip


def _attack(sig: int, kind: str) -> dict[str, Any]:
    return {"attack_sig": sig, "attack_type": kind}


def _loadout(loadout_id: str, sheet: str | None, name: str, models: int, points: int | None) -> dict[str, Any]:
    return {"loadout_id": loadout_id, "datasheet_id": sheet, "name": name, "models": models, "points": points,
            "items": [], "is_default": True, "is_inferred": False, "is_attacker_archetype": sheet is None,
            "half_range": False}  # fmt: skip

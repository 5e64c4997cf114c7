"""Real datasheet cards against the JSON cards of the same units.

The PDF is of June 2023 and the JSON of May 2026: where the game changed a unit between them, the difference is listed here
by the attribute that changed; everything else must agree.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pipelines.sources import datasheet_pdf
from pipelines.sources.records import RawFile, ReadResult, Row
from pipelines.sources.text import name_key, normalise
from pipelines.sources.weapon_keywords import parse_keywords

FILES = {"adeptus-custodes": "adeptuscustodes", "imperial-knights": "imperialknights"}
COUNTS = {"adeptus-custodes": (13, 48), "imperial-knights": (9, 47)}

PROFILE = (
    "movement_in",
    "toughness",
    "save",
    "wounds",
    "leadership",
    "objective_control",
    "invulnerable_save",
    "invulnerable_versus",
)

_CERASTUS = (
    "Cerastus Knight Lancer",
    "Cerastus Knight Castigator",
    "Cerastus Knight Acheron",
    "Cerastus Knight Atrapos",
)
_REVISED = (*_CERASTUS, "Questoris Knight Magaera", "Questoris Knight Styrix", "Armiger Moirax")
# (unit, what) that later books changed
CHANGED = {
    *((unit, "profile") for unit in _REVISED),
    *((unit, "damaged") for unit in _REVISED),
    ("Venatari Custodians", "weapons"),
    ("Questoris Knight Styrix", "weapons"),
    ("Telemon Heavy Dreadnought", "ability names"),
    ("Armiger Moirax", "keywords"),
    ("Custodian Guard with Adrasite and Pyrithite Spears", "text of custodianguard"),
    ("Sagittarum Custodians", "text of custodianguard"),
    ("Coronus Grav-carrier", "text of firesupport"),
    ("Acastus Knight Asterius", "text of sundereroffortresses"),
    ("Questoris Knight Magaera", "text of magaerasdutybondsman"),
    ("Questoris Knight Styrix", "text of styrixsdutybondsman"),
    ("Questoris Knight Styrix", "text of gravpinned"),
}


@cache
def cards(folder: Path, name: str) -> ReadResult:
    data = (folder / f"data/pdf/imperial-armour-{name}.pdf").read_bytes()
    return datasheet_pdf.read(data, RawFile("0" * 16, "cards.pdf", "datasheet_pdf", "0" * 64, len(data)))


def of_sheet(result: ReadResult, table: str, sheet: Row) -> list[Row]:
    return [row for row in result.rows(table) if row["sheet"] == sheet["sheet"]]


def weapons_of_card(rows: list[Row]) -> list[tuple[object, ...]]:
    return sorted(
        (
            row["attack_type"],
            name_key(row["weapon"] + (row["profile"] or "")),
            row["range_in"] or 0,
            row["attacks"],
            row["skill"] or 0,
            row["strength"],
            row["armour_penetration"],
            row["damage"],
            tuple(sorted(f"{k['keyword']} {k['value']} {k['target_keyword']}" for k in row["keywords"])),
        )
        for row in rows
    )


def weapons_of_json(unit: dict[str, Any]) -> list[tuple[object, ...]]:
    found = []
    for attack_type, key in (("ranged", "rangedWeapons"), ("melee", "meleeWeapons")):
        for weapon in unit[key]:
            for profile in weapon["profiles"]:
                keywords = parse_keywords(", ".join(profile["keywords"]))
                found.append(
                    (
                        attack_type,
                        name_key(profile["name"]),
                        number(profile["range"]),
                        profile["attacks"],
                        number(profile["skill"]),
                        profile["strength"],
                        int(profile["ap"]),
                        profile["damage"],
                        tuple(sorted(f"{k.keyword} {k.value} {k.target_keyword}" for k in keywords)),
                    )
                )
    return sorted(found)


def number(printed: str) -> int:
    return int(re.sub(r"\D", "", printed) or 0)


def differences(result: ReadResult, sheet: Row, unit: dict[str, Any]) -> set[tuple[str, str]]:
    abilities = of_sheet(result, "ability", sheet)
    of_json = unit["abilities"]
    own = {name_key(a["name"]): a["text"] for a in abilities if a["kind"] in ("datasheet", "wargear", "special")}
    other = {name_key(a["name"]): a["description"] for k in ("other", "wargear", "special") for a in of_json[k]}
    if unit["transport"]:
        other["transport"] = unit["transport"]
    profiles = [tuple(row[name] for name in PROFILE) for row in of_sheet(result, "model_profile", sheet)]
    versus = "ranged" if "ranged" in of_json["invul"]["info"] else "any"
    checks = {
        "weapons": (weapons_of_card(of_sheet(result, "weapon_profile", sheet)), weapons_of_json(unit)),
        "profile": (
            profiles,
            [
                (
                    *(number(stats[key]) for key in ("m", "t", "sv", "w", "ld", "oc")),
                    number(of_json["invul"]["value"]),
                    versus,
                )
                for stats in unit["stats"]
            ],
        ),
        "ability names": (sorted(own), sorted(other)),
        "core": (
            sorted(" ".join(filter(None, (a["name"], a["value"]))) for a in abilities if a["kind"] == "core"),
            sorted(of_json["core"]),
        ),
        "faction": (
            sorted(a["name"] for a in abilities if a["kind"] == "faction"),
            sorted(map(normalise, of_json["faction"])),
        ),
        "damaged": (
            [a["text"] for a in abilities if a["kind"] == "damaged"],
            [normalise(of_json["damaged"]["description"])] if of_json["damaged"]["description"] else [],
        ),
        "keywords": (
            sorted(row["keyword"] for row in of_sheet(result, "keyword", sheet) if not row["is_faction"]),
            sorted(normalise(keyword).upper() for keyword in unit["keywords"]),
        ),
        "faction keywords": (
            [row["keyword"] for row in of_sheet(result, "keyword", sheet) if row["is_faction"]],
            [keyword.upper() for keyword in unit["factions"]],
        ),
        "composition": (
            [
                f"{row['min_models']}-{row['max_models']} {row['model']}".replace("1-1 ", "1 ").replace("5-5 ", "5 ")
                for row in of_sheet(result, "composition", sheet)
            ],
            [normalise(line) for line in unit["composition"]],
        ),
        "equipment": (
            len(of_sheet(result, "equipment", sheet)),
            unit["loadout"].count(";") + 1,
        ),
    }
    checks |= {
        f"text of {key}": (own[key].rstrip("."), normalise(other[key]).rstrip(".")) for key in own.keys() & other
    }
    return {(sheet["name"], what) for what, (ours, theirs) in checks.items() if ours != theirs}


@pytest.mark.parametrize("name", FILES)
def test_all_cards_agree_with_the_json(real_data: Path, name: str) -> None:
    result = cards(real_data, name)
    units = json.loads((real_data / f"data/game-datacards/{FILES[name]}.json").read_text("utf-8"))["datasheets"]
    by_name = {normalise(unit["name"]): unit for unit in units}
    found: set[tuple[str, str]] = set()
    for sheet in result.rows("datasheet"):
        found |= differences(result, sheet, by_name[sheet["name"]])
    listed = {sheet["name"] for sheet in result.rows("datasheet")}
    assert found == {(unit, what) for unit, what in CHANGED if unit in listed}


@pytest.mark.parametrize("name", FILES)
def test_counts_and_provenance(real_data: Path, name: str) -> None:
    result = cards(real_data, name)
    assert (len(result.tables["datasheet"]), len(result.tables["weapon_profile"])) == COUNTS[name]
    assert result.rejects == []
    assert result.dated == "2023-06-13"
    assert all(re.fullmatch(r"page \d+", row["locator"]) for rows in result.tables.values() for row in rows)
    printed = [f"{row['weapon']} {row['keywords_text']}" for row in result.rows("weapon_profile")]
    assert not [text for text in printed if text.count("[") != text.count("]")]


def test_starred_saves_hold_against_ranged_attacks(real_data: Path) -> None:
    result = cards(real_data, "imperial-knights")
    starred = {row["profile"]: row["invulnerable_versus"] for row in result.rows("model_profile")}
    assert starred["Acastus Knight Asterius"] == starred["Armiger Moirax"] == "ranged"
    assert starred["Cerastus Knight Lancer"] == "any"

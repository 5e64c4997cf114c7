"""The page dump reader against hand-labelled tables of two dumps, and against counts of all the real pages.

Belongs here: comparison with labels that were typed by hand. The labels' field names differ from the source tables';
this module holds the mapping.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pipelines.core.equipment import infer_equipment
from pipelines.sources.records import LineClaim, RawFile, ReadResult, Row
from pipelines.sources.text import name_key
from pipelines.sources.text_dump import read

SEEDS = ("001", "002")
Rows = list[dict[str, Any]]


@cache
def _read(path: Path) -> ReadResult:
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    return read(data, RawFile(digest[:16], path.name, "text_dump", digest, len(data)))


@pytest.fixture(params=SEEDS)
def seed(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def result(real_data: Path, seed: str) -> ReadResult:
    (path,) = (real_data / "dumps").glob(f"{seed}_*.txt")
    return _read(path)


@pytest.fixture
def gold(real_data: Path, seed: str) -> dict[str, Any]:
    folder = real_data / "gold" / seed
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}


def all_pages(folder: Path) -> list[Path]:
    return [*sorted((folder / "dumps").glob("*.txt")), *sorted((folder / "data/text-dumps").glob("*.txt"))]


def rows(result: ReadResult, table: str, **where: Any) -> list[Row]:
    return [row for row in result.rows(table) if all(row[name] == value for name, value in where.items())]


def claims(result: ReadResult) -> dict[int, LineClaim]:
    return {claim.line_no: claim for claim in result.lines}


def test_book(result: ReadResult, gold: dict[str, Any]) -> None:
    book = gold["book"]
    assert len(result.lines) == book["n_lines"]
    assert result.title == book["title"]
    assert result.faction == book["faction"]
    assert result.edition == book["edition"]
    assert result.version == book["version"]
    (sheet,) = result.rows("datasheet")
    assert sheet["book"] == book["book"]
    assert not sheet["is_combat_patrol"]


def test_datasheets(result: ReadResult, gold: dict[str, Any]) -> None:
    for label, row in zip(gold["datasheets"]["items"], result.rows("datasheet"), strict=True):
        assert row["name"] == label["name"]
        assert row["faction"] == label["faction"]
        assert row["name_is_inferred"] == label["name_inferred_from_keywords"]
        assert row["line_no"] == label["heading_line"]
        assert [[row["first_line"], row["last_line"]]] == label["lines"]
        lost = bool(label.get("faction_keywords_lost") or label["leader"] or label["led_by"])
        assert row["has_lost_text"] == lost


def test_composition_and_prices(result: ReadResult, gold: dict[str, Any]) -> None:
    (label,) = gold["datasheets"]["items"]
    assert [
        {"model": row["model"], "min": row["min_models"], "max": row["max_models"], "line": row["line_no"]}
        for row in result.rows("composition")
    ] == [{key: item[key] for key in ("model", "min", "max", "line")} for item in label["composition"]]
    assert [
        {"models": row["models"], "points": row["points"], "line": row["line_no"]} for row in result.rows("unit_cost")
    ] == label["points"]
    assert rows(result, "equipment") == label["equipment"] == []


def test_equipment_is_inferred_from_what_options_replace(result: ReadResult, gold: dict[str, Any]) -> None:
    (label,) = gold["datasheets"]["items"]
    replaced = {item for row in result.rows("wargear_option") for item in row["replaces"]}
    inferred = infer_equipment(
        list(result.rows("weapon_profile")), list(result.rows("ability")), list(result.rows("wargear_option"))
    )
    assert [item for _, item in inferred if item in replaced] == label["equipment_inferred"]


def test_wargear_options(result: ReadResult, gold: dict[str, Any]) -> None:
    (label,) = gold["datasheets"]["items"]
    found = [
        (row["text"], row["line_no"], row["replaces"], row["choices"], row["limit_models"])
        for row in result.rows("wargear_option")
    ]
    assert found == [
        (item["text"], item["line"], item["replaces"], item["choices"], item["max_models"])
        for item in label["wargear_options"]
    ]
    by_line = claims(result)
    for item in label["wargear_options"]:
        for line in item.get("sub_bullet_lines", ()):
            assert by_line[line].table == "wargear_option"
            assert list(result.rows("wargear_option"))[by_line[line].row_index or 0]["line_no"] == item["line"]


def test_keywords(result: ReadResult, gold: dict[str, Any]) -> None:
    (label,) = gold["datasheets"]["items"]
    assert [row["keyword"] for row in rows(result, "keyword", is_faction=False)] == label["keywords"]
    assert {row["line_no"] for row in rows(result, "keyword", is_faction=False)} == {label["keywords_line"]}
    assert [row["keyword"] for row in rows(result, "keyword", is_faction=True)] == label["faction_keywords"]
    by_line = claims(result)
    assert all(by_line[line].section == "datasheet" for line in label["faction_keywords_lines"])


@pytest.mark.parametrize(
    ("kind", "labels"),
    [
        ("core", "core_abilities"),
        ("faction", "faction_abilities"),
        ("datasheet", "abilities"),
        ("wargear", "wargear_abilities"),
        ("weapon", "weapon_abilities"),
    ],
)
def test_abilities(result: ReadResult, gold: dict[str, Any], kind: str, labels: str) -> None:
    (label,) = gold["datasheets"]["items"]
    expected = [
        (item["name"], str(item["value"]) if item.get("value") is not None else None, item.get("text"), item["line"])
        for item in label[labels]
    ]
    found = [(row["name"], row["value"], row["text"], row["line_no"]) for row in rows(result, "ability", kind=kind)]
    assert found == expected
    assert rows(result, "ability", kind="damaged") == ([] if label["damaged"] is None else [label["damaged"]])


def test_weapons(result: ReadResult, gold: dict[str, Any]) -> None:
    found = list(result.rows("weapon_profile"))
    by_line = claims(result)
    for label, row in zip(gold["weapons"]["items"], found, strict=True):
        assert (row["weapon"], row["profile"]) == (label["name"], None)
        assert row["attack_type"] == label["type"]
        assert row["range_in"] == label["range_inches"]
        assert row["skill"] == label["skill"]
        assert row["armour_penetration"] == label["ap"]
        for name in ("attacks", "strength", "damage"):
            assert row[name] == label[name]["text"]
        assert row["keywords_text"] == label["keywords_raw"]
        assert [(item["keyword"], item["value"], item["target_keyword"]) for item in row["keywords"]] == [
            (item["name"], None if item["value"] is None else str(item["value"]), item["target_keyword"])
            for item in label["keywords"]
        ]
        name_only, full = label["lines"]
        assert row["line_no"] == full
        assert by_line[full].disposition == "parsed"
        assert by_line[name_only].disposition == "repeat"
        assert found[by_line[name_only].row_index or 0] is row


def test_stratagem_list(result: ReadResult, gold: dict[str, Any]) -> None:
    expected = [
        (item["name"], item["cp"], item["detachment"], item["type"], item["lines"][0])
        for item in gold["stratagem_list"]["items"]
    ]
    found = [
        (row["name"], row["cp"], row["detachment"], row["type"], row["line_no"])
        for row in result.rows("datasheet_stratagem")
    ]
    assert found == expected
    by_line = claims(result)
    for item in gold["stratagem_list"]["items"]:
        first, last = item["lines"]
        told = [by_line[line].disposition for line in range(first, last + 1)]
        assert told == ["parsed"] * 3 + (["decoration"] if item["icon"] else [])


def test_stratagems(result: ReadResult, gold: dict[str, Any]) -> None:
    columns = {
        "name": "name",
        "detachment": "detachment",
        "type": "type",
        "cp": "cp",
        "flavour": "flavour",
        "when": "when_text",
        "target": "target_text",
        "effect": "effect_text",
        "restrictions": "restrictions_text",
    }
    labels = gold["stratagems"]["items"]
    found = sorted(result.rows("stratagem"), key=lambda row: row["line_no"])
    for label, row in zip(sorted(labels, key=lambda item: item["copies"][0][0]), found, strict=True):
        assert {name: row[column] for name, column in columns.items()} == {name: label[name] for name in columns}
        assert row["line_no"] == label["copies"][0][0]
    by_line = claims(result)
    for label in labels:
        for first, last in label["copies"]:
            sections = {by_line[line].section for line in range(first + 1, last + 1)}
            assert sections == {"stratagem"}


def test_stratagems_with_lost_words(result: ReadResult, gold: dict[str, Any]) -> None:
    expected = {
        item["source_name"]
        for item in gold["effects"]["items"]
        if item.get("lost_text") and item["source_type"].startswith("stratagem")
    }
    assert {row["name"] for row in rows(result, "stratagem", has_lost_text=True)} == expected


def test_detachment_rules(result: ReadResult, gold: dict[str, Any]) -> None:
    labels = sorted(gold["detachment_rules"]["items"], key=lambda item: item["lines"][0])
    found = sorted(rows(result, "detachment_rule", parent=None), key=lambda row: row["line_no"])
    for label, row in zip(labels, found, strict=True):
        assert row["name"] == label["name"]
        assert row["detachment"] == label["detachment"]
        assert row["flavour"] == label["flavour"]
        assert row["text"] == label["text"]
        assert row["line_no"] == label["lines"][0]
        _children_agree(result, label)
    grants = [row for row in result.rows("detachment_rule") if row["parent"] == row["detachment"]]
    assert [(row["detachment"], row["text"], row["line_no"], row["has_lost_text"]) for row in grants] == [
        (item["detachment"], item["text"], item["lines"][0], item["units_lost"])
        for item in gold["detachment_rules"]["keyword_grants"]
    ]
    assert [row["name"] for row in result.rows("datasheet_detachment_rule")] == gold["detachment_rules"][
        "listed_under_detachment_ability"
    ]


def _children_agree(result: ReadResult, label: dict[str, Any]) -> None:
    """Options, granted abilities and boxed additions of one detachment rule."""
    children = rows(result, "detachment_rule", parent=label["name"], detachment=label["detachment"])
    expected = [
        (item["name"] or f"{label['name']} (option {item['index']})", item["text"], item["line"])
        for item in label["options"]
    ]
    expected += [(item["name"], item["text"], item["line"]) for item in label["grants"]]
    expected += [(item["name"], item["text"], item["lines"][0]) for item in label.get("extra_rules", ())]
    assert [(row["name"], row["text"], row["line_no"]) for row in children] == expected
    for item in label.get("extra_rules", ()):
        (row,) = (row for row in children if row["name"] == item["name"])
        assert row["flavour"] == item["designers_note"]


def test_army_rules(result: ReadResult, gold: dict[str, Any]) -> None:
    found = rows(result, "army_rule", parent=None)
    for label, row in zip(gold["army_rules"]["items"], found, strict=True):
        assert row["name"] == label["name"]
        assert row["flavour"] == label["flavour"]
        assert row["text"] == label["text"]
        assert row["line_no"] == label["lines"][0]
        children = rows(result, "army_rule", parent=label["name"])
        for item, child in zip(label["options"], children, strict=True):
            assert child["name"] == item["name"]
            assert child["line_no"] == item["line"]
            if "text" in item:
                assert (child["text"], child["flavour"]) == (item["text"], item["flavour"])
            else:
                changes = [f"{change['stat']} {change['n']:+d}" for change in item["changes"]]
                assert child["text"].replace('"', "") == " ".join(changes)
        by_line = claims(result)
        first, last = label.get("repeated_lines", (1, 0))
        assert all(by_line[line].disposition == "repeat" for line in range(first, last + 1))


def test_core_rules(result: ReadResult, gold: dict[str, Any]) -> None:
    labels = gold["core_rules"]["items"]
    found = [row for row in result.rows("rule") if row["parent"] is None]
    assert [(row["name"], row["line_no"]) for row in found] == [
        (label["heading"], label["lines"][0]) for label in labels
    ]
    for label, row in zip(labels, found, strict=True):
        assert row["text"] == label["text"]


def test_keyword_references(result: ReadResult, gold: dict[str, Any]) -> None:
    by_line = claims(result)
    for label in gold["keyword_refs"]["items"]:
        first, last = label["lines"]
        told = [by_line[line] for line in range(first + (1 if label["glued"] else 0), last + 1)]
        assert all(claim.disposition == "reference" for claim in told)
        assert all(claim.section == "keyword_ref" for claim in told)
    labelled = {
        line for item in gold["keyword_refs"]["items"] for line in range(item["lines"][0], item["lines"][1] + 1)
    }
    assert {claim.line_no for claim in result.lines if claim.section == "keyword_ref"} <= labelled


def test_sections(result: ReadResult, gold: dict[str, Any]) -> None:
    """Every line lies in the section that the labels give it; a line with two pieces lies in one of both."""
    allowed: dict[int, set[str]] = {}
    for section in gold["line_coverage"]["sections"]:
        kind = {"detachment_extra_rule": "detachment_rule"}.get(section["kind"], section["kind"])
        for line in range(section["lines"][0], section["lines"][1] + 1):
            allowed.setdefault(line, set()).add(kind)
    wrong = [(claim.line_no, claim.section) for claim in result.lines if claim.section not in allowed[claim.line_no]]
    assert wrong == []
    assert [claim.line_no for claim in result.lines] == list(range(1, gold["line_coverage"]["n_lines"] + 1))


def test_expected_counts(result: ReadResult, gold: dict[str, Any]) -> None:
    counts = gold["expected_counts"]["counts"]
    children = [row for row in result.rows("detachment_rule") if row["parent"] is not None]
    labels = gold["detachment_rules"]["items"]
    granted = {item["name"] for label in labels for item in label["grants"]}
    extra = {item["name"] for label in labels for item in label.get("extra_rules", ())}
    found = {
        "lines": len(result.lines),
        "datasheets": len(rows(result, "datasheet")),
        "weapons": len(rows(result, "weapon_profile")),
        "weapons_ranged": len(rows(result, "weapon_profile", attack_type="ranged")),
        "weapons_melee": len(rows(result, "weapon_profile", attack_type="melee")),
        "raw_weapon_rows": sum(claim.table == "weapon_profile" for claim in result.lines),
        "weapon_keyword_instances": sum(len(row["keywords"]) for row in result.rows("weapon_profile")),
        "points_rows": len(rows(result, "unit_cost")),
        "composition_options": len(rows(result, "composition")),
        "wargear_options": len(rows(result, "wargear_option")),
        "equipment_lines": len({row["line_no"] for row in result.rows("equipment")}),
        "named_abilities": len(rows(result, "ability", kind="datasheet")),
        "wargear_abilities": len(rows(result, "ability", kind="wargear")),
        "weapon_abilities": len(rows(result, "ability", kind="weapon")),
        "core_abilities": len(rows(result, "ability", kind="core")),
        "faction_abilities": len(rows(result, "ability", kind="faction")),
        "damaged": len(rows(result, "ability", kind="damaged")),
        "keywords": len(rows(result, "keyword", is_faction=False)),
        "faction_keywords": len(rows(result, "keyword", is_faction=True)),
        "stratagem_list": len(rows(result, "datasheet_stratagem")),
        "stratagems_unique": len(rows(result, "stratagem")),
        "stratagems_with_restrictions": sum(row["restrictions_text"] is not None for row in result.rows("stratagem")),
        "stratagem_detachments": len({row["detachment"] for row in result.rows("stratagem")}),
        "detachment_rules": len(rows(result, "detachment_rule", parent=None)),
        "detachment_rule_options": sum(
            row["name"] not in granted | extra and row["parent"] != row["detachment"] for row in children
        ),
        "detachment_granted_abilities": sum(row["name"] in granted for row in children),
        "detachment_extra_rules": sum(row["name"] in extra or row["parent"] == row["detachment"] for row in children),
        "enhancements": len(rows(result, "enhancement")),
        "secondary_objectives": len(rows(result, "secondary_objective")),
        "army_rules": len(rows(result, "army_rule", parent=None)),
        "army_rule_options": len([row for row in result.rows("army_rule") if row["parent"] is not None]),
        "core_rule_headings": len(rows(result, "rule")),
    }
    assert found == {name: counts[name] for name in found}


def test_nothing_of_the_real_pages_is_quarantined(real_data: Path) -> None:
    for path in all_pages(real_data):
        result = _read(path)
        assert result.rejects == [], path.name
        assert all(claim.disposition != "quarantined" for claim in result.lines), path.name
        assert len(result.lines) == path.read_bytes().count(b"\n") + 1


def test_counts_of_the_five_dumps(real_data: Path) -> None:
    results = [_read(path) for path in sorted((real_data / "dumps").glob("*.txt"))]
    weapons = [row for result in results for row in result.rows("weapon_profile")]
    assert sum(len(rows(result, "datasheet")) for result in results) == 8
    assert sum(row["attack_type"] == "ranged" for row in weapons) == 19
    assert sum(row["attack_type"] == "melee" for row in weapons) == 11
    assert sum(len(row["keywords"]) for row in weapons) == 39
    assert sum(len(rows(result, "unit_cost")) for result in results) == 5


def test_the_combat_patrol_book(real_data: Path) -> None:
    (path,) = (real_data / "dumps").glob("000_*.txt")
    result = _read(path)
    sheets = list(result.rows("datasheet"))
    assert [name_key(row["name"]) for row in sheets] == [
        "canonessadalya",
        "battlesisterssquad",
        "celestiansacresants",
        "arcoflagellants",
    ]
    assert all(row["name_is_inferred"] and row["is_combat_patrol"] for row in sheets)
    (book,) = result.rows("book")
    assert (book["kind"], book["edition"], book["version"]) == ("Index", "10", "June 2024")
    assert (result.edition, result.version) == ("10", "June 2024")
    models = {
        sheet["sheet"]: sum(row["max_models"] for row in rows(result, "composition", sheet=sheet["sheet"]))
        for sheet in sheets
    }
    assert list(models.values()) == [1, 10, 5, 10]
    assert [row["name"] for row in result.rows("enhancement")] == ["DEFENDER OF THE FAITH", "RIGHTEOUS FURY"]
    assert [row["name"] for row in result.rows("secondary_objective")] == ["HALLOWED RETRIBUTION", "CONSECRATED GROUND"]


def test_one_name_two_books_two_detachments(real_data: Path) -> None:
    guards = []
    vengeance = set()
    for path in sorted((real_data / "dumps").glob("00[13]_*.txt")):
        result = _read(path)
        guards += [(row["name"], row["book"], row["is_combat_patrol"]) for row in result.rows("datasheet")]
        vengeance |= {row["detachment"] for row in result.rows("stratagem") if row["name"] == "INESCAPABLE VENGEANCE"}
    assert guards == [
        ("Custodian Guard", "Adeptus Custodes", False),
        ("Custodian Guard", "Tristraen's Gilded Blades", True),
    ]
    assert vengeance == {"Voyagers in Darkness", "Tristraen's Gilded Blades"}

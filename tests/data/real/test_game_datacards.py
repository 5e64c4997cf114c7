"""The JSON data cards of May 2026, alone and beside the CSV export of November 2025."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.factions import canonical_faction
from pipelines.sources.game_datacards import read
from pipelines.sources.records import RawFile, ReadResult, Row
from pipelines.sources.text import name_key
from pipelines.sources.wahapedia_csv import read_folder

VALUES = ("range_in", "attacks", "skill", "strength", "armour_penetration", "damage")


@pytest.fixture(scope="module")
def cards(real_data: Path) -> dict[str, ReadResult]:
    """Every file of cards by its name."""
    files = sorted((real_data / "data" / "game-datacards").rglob("*.json"))
    return {
        path.name: read(path.read_bytes(), RawFile("0" * 16, path.name, "game_datacards", "0" * 64, 0))
        for path in files
    }


def test_counts(cards: dict[str, ReadResult]) -> None:
    assert len(cards) == 26
    assert sum(len(result.tables.get("datasheet", [])) for result in cards.values()) == 776
    assert sum(len(result.tables.get("model_profile", [])) for result in cards.values()) == 813
    versions = Counter(result.version for result in cards.values() if "datasheet" in result.tables)
    assert set(versions) == {"780"}
    patrols = [row for result in cards.values() for row in result.rows("datasheet") if row["is_combat_patrol"]]
    assert Counter(row["book"] for row in patrols) == {
        "Guardians of the Throne": 5,
        "Sanctuary Guardians": 4,
        "The Penitent Host": 7,
        "Tristraen's Gilded Blades": 4,
    }
    assert len(cards["index.json"].tables["book"]) == 72


def test_damaged_rows_are_caught_and_few_others_refused(cards: dict[str, ReadResult]) -> None:
    refused = [(name, reject) for name, result in cards.items() for reject in result.rejects]
    weapons = {(name, reject.locator) for name, reject in refused if "Weapons/" in reject.locator}
    assert weapons == {
        ("astramilitarum.json", "/datasheets/31/rangedWeapons/1"),
        ("astramilitarum.json", "/datasheets/92/rangedWeapons/4/profiles/1"),
        ("chaos_spacemarines.json", "/datasheets/58/rangedWeapons/8"),
        ("chaos_spacemarines.json", "/datasheets/82/rangedWeapons/6/profiles/1"),
    }
    others = Counter(reject.locator.split("/")[3] for _, reject in refused if "Weapons/" not in reject.locator)
    assert others["points"] == 2
    assert sum(others.values()) <= 28
    assert not others.keys() - {"points", "wargear", "loadout"}


def sheets(result: ReadResult) -> Iterator[tuple[tuple[str, str], list[Row]]]:
    """(faction, name) of each full-game sheet that is no Legends sheet, with its weapons."""
    weapons: dict[str, list[Row]] = {}
    for row in result.rows("weapon_profile"):
        weapons.setdefault(row["sheet"], []).append(row)
    for row in result.rows("datasheet"):
        if not row["is_legends"] and not row["is_combat_patrol"]:
            faction = canonical_faction(row["faction"]) or str(row["faction"])
            yield (faction, name_key(row["name"])), weapons.get(row["sheet"], [])


def keyed(weapons: list[Row]) -> dict[tuple[str, str, str], Row]:
    """Weapons by type, name and profile."""
    return {(row["attack_type"], name_key(row["weapon"]), name_key(row["profile"] or "")): row for row in weapons}


def test_both_sources_agree_on_weapons(cards: dict[str, ReadResult], real_data: Path) -> None:
    files = {path.name: path.read_bytes() for path in (real_data / "data" / "wahapedia-csv").glob("*.csv")}
    export = read_folder(files, RawFile("0" * 16, "csv", "wahapedia_csv", "0" * 64, 0))
    ours: dict[tuple[str, str], list[list[Row]]] = {}
    for key, weapons in sheets(export):
        ours.setdefault(key, []).append(weapons)
    compared, differing = 0, []
    for result in cards.values():
        for key, weapons in sheets(result):
            # Two sheets of one name in one faction cannot be told apart by name alone.
            if len(ours.get(key, [])) != 1:
                continue
            mine, theirs = keyed(ours[key][0]), keyed(weapons)
            for place in mine.keys() & theirs.keys():
                compared += 1
                if any(mine[place][column] != theirs[place][column] for column in VALUES):
                    differing.append((key, place))
    assert compared > 2500
    assert len(differing) < 0.05 * compared, f"{len(differing)} of {compared} weapon profiles differ: {differing}"

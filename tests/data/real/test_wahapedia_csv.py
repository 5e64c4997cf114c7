"""The full-game CSV export of November 2025, read whole."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from pipelines.sources.records import RawFile, ReadResult
from pipelines.sources.wahapedia_csv import read_folder

FOLDER = RawFile("0" * 16, "wahapedia-csv", "wahapedia_csv", "0" * 64, 0)


def files(real_data: Path) -> dict[str, bytes]:
    """The tables of the export."""
    return {path.name: path.read_bytes() for path in sorted((real_data / "data" / "wahapedia-csv").glob("*.csv"))}


@pytest.fixture(scope="module")
def result(real_data: Path) -> ReadResult:
    """The export as read."""
    return read_folder(files(real_data), FOLDER)


def lines(real_data: Path, table: str) -> int:
    """Rows of a table as the file has them."""
    data = (real_data / "data" / "wahapedia-csv" / f"{table}.csv").read_bytes()
    return len([line for line in data.split(b"\n") if line.strip()]) - 1


def test_every_row_of_every_table_is_accounted_for(result: ReadResult, real_data: Path) -> None:
    counted = [notice for notice in result.notices if " loaded, " in notice]
    labels = {"weapon": "Datasheets_wargear", "datasheet": "Datasheets", "model": "Datasheets_models"}
    assert len(counted) == 20
    for notice in counted:
        label, _, rest = notice.partition(" rows: ")
        assert sum(map(int, re.findall(r"\d+", rest))) == lines(real_data, labels.get(label, label)), notice


def test_counts(result: ReadResult) -> None:
    assert len(result.tables["datasheet"]) == 1676
    assert "model rows: 1776 loaded, 0 merged, 4 quarantined" in result.notices
    weapons = next(notice for notice in result.notices if notice.startswith("weapon rows:"))
    loaded, merged, quarantined = map(int, re.findall(r"\d+", weapons))
    assert loaded + merged + quarantined == 9139
    assert loaded == len(result.tables["weapon_profile"]) == 8954
    reasons = Counter(re.sub(r"'\d+'", "#", reject.reason) for reject in result.rejects if "wargear" in reject.locator)
    assert reasons["filler row: no weapon is named"] == 44
    assert reasons["no datasheet has the id #"] == 139
    assert sum(reasons.values()) == quarantined
    assert (result.edition, result.dated) == ("10", "2025-11-14")


def test_few_sentences_are_not_understood(result: ReadResult) -> None:
    tables = Counter(
        reject.locator.partition(":")[0] for reject in result.rejects if "no datasheet" not in reject.reason
    )
    assert tables["Datasheets_options.csv"] <= 32
    assert tables["Datasheets.csv"] <= 2
    assert not tables.keys() - {"Datasheets_options.csv", "Datasheets.csv", "Datasheets_wargear.csv"}


def test_known_datasheets(result: ReadResult) -> None:
    sheets = {row["sheet"]: row for row in result.tables["datasheet"]}
    guard = next(key for key, row in sheets.items() if row["name"] == "Custodian Guard")
    weapons = [row for row in result.tables["weapon_profile"] if row["sheet"] == guard]
    spear = next(row for row in weapons if row["weapon"] == "Guardian spear" and row["attack_type"] == "melee")
    assert (spear["attacks"], spear["skill"], spear["strength"], spear["armour_penetration"], spear["damage"]) == (
        "5",
        2,
        "7",
        -2,
        "2",
    )
    model = next(row for row in result.tables["model_profile"] if row["sheet"] == guard)
    assert (model["toughness"], model["save"], model["invulnerable_save"], model["wounds"]) == (6, 2, 4, 3)
    asterius = next(key for key, row in sheets.items() if row["name"] == "Acastus Knight Asterius")
    model = next(row for row in result.tables["model_profile"] if row["sheet"] == asterius)
    assert (model["invulnerable_save"], model["invulnerable_versus"], model["wounds"]) == (5, "ranged", 30)


def test_no_markup_is_left(result: ReadResult) -> None:
    for table, rows in result.tables.items():
        for row in rows:
            for column, value in row.items():
                if isinstance(value, str):
                    assert not re.search(r"<\w|</|&\w+;|tooltip", value), (table, column, row["locator"])


def test_links_lead_somewhere(result: ReadResult) -> None:
    sheets = {row["sheet"] for row in result.tables["datasheet"]}
    for table, rows in result.tables.items():
        if rows and "sheet" in rows[0]:
            assert {row["sheet"] for row in rows} <= sheets, table
    assert {row["bodyguard"] for row in result.tables["leader"]} <= sheets


MEASURE = """
import resource, sys, time
from pathlib import Path
from pipelines.sources.records import RawFile
from pipelines.sources.wahapedia_csv import read_folder
content = {path.name: path.read_bytes() for path in Path(sys.argv[1]).glob("*.csv")}
start = time.process_time()
read_folder(content, RawFile("0", "x", "wahapedia_csv", "0", 0))
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_speed_and_memory(real_data: Path) -> None:
    command = [sys.executable, "-c", MEASURE, str(real_data / "data" / "wahapedia-csv")]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    seconds, kibibytes = float(output[0]), int(output[1])
    assert seconds < 15
    assert kibibytes * 1024 < 1_000_000_000

"""Four saved pages beside the text dumps of the same pages."""

from pathlib import Path

import pytest

from pipelines.sources.records import RawFile, ReadResult
from pipelines.sources.saved_page import read as read_page
from pipelines.sources.text import name_key
from pipelines.sources.text_dump import read as read_dump

PAGES = ("cust_cg", "cust_wardens", "necron_warriors", "termagants")
EQUAL = {
    "weapon_profile": (
        "weapon",
        "profile",
        "attack_type",
        "range_in",
        "attacks",
        "skill",
        "strength",
        "armour_penetration",
        "damage",
        "keywords",
    ),
    "keyword": ("keyword", "is_faction"),
    "ability": ("kind", "name", "value", "text"),
    "unit_cost": ("models", "points", "condition"),
    "composition": ("model", "min_models", "max_models"),
    "wargear_option": ("text", "replaces", "choices", "per_models", "limit_models"),
    "datasheet_stratagem": ("name", "detachment", "type", "cp"),
    "datasheet_detachment_rule": ("name", "detachment"),
    "stratagem": ("name", "detachment", "type", "cp"),
}
PROFILES = {
    "cust_cg": ("Custodian Guard", 6, 6, 2, 4, 3, 6, 2),
    "cust_wardens": ("Custodian Wardens", 6, 6, 2, 4, 3, 6, 2),
    "necron_warriors": ("Necron Warriors", 5, 4, 4, None, 1, 7, 2),
    "termagants": ("Termagants", 6, 3, 5, None, 1, 8, 2),
}


@pytest.fixture(scope="module")
def pages(real_data: Path) -> dict[str, tuple[ReadResult, ReadResult]]:
    """(saved page, text dump) of each page."""
    folder = real_data / "data"
    return {
        name: (
            read_page(
                (folder / "wahapedia-html" / f"{name}.html").read_bytes(),
                RawFile("0" * 16, name, "saved_page", "0" * 64, 0),
            ),
            read_dump(
                (folder / "text-dumps" / f"{name}.txt").read_bytes(),
                RawFile("1" * 16, name, "text_dump", "1" * 64, 0),
            ),
        )
        for name in PAGES
    }


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("table", sorted(EQUAL))
def test_the_page_says_what_its_dump_says(
    pages: dict[str, tuple[ReadResult, ReadResult]], name: str, table: str
) -> None:
    page, dump = pages[name]
    ours, theirs = (
        sorted(str([row[column] for column in EQUAL[table]]) for row in result.rows(table)) for result in (page, dump)
    )
    assert ours == theirs


@pytest.mark.parametrize("name", PAGES)
def test_characteristics_and_nothing_refused(pages: dict[str, tuple[ReadResult, ReadResult]], name: str) -> None:
    page, _ = pages[name]
    row = next(page.rows("model_profile"))
    columns = ("profile", "movement_in", "toughness", "save", "invulnerable_save", "wounds", "leadership")
    assert tuple(row[column] for column in (*columns, "objective_control")) == PROFILES[name]
    assert page.rejects == []
    assert page.edition == "10"


@pytest.mark.parametrize("name", PAGES)
def test_rules_that_both_hold(pages: dict[str, tuple[ReadResult, ReadResult]], name: str) -> None:
    page, dump = pages[name]
    for table in ("rule", "army_rule", "detachment_rule"):
        ours = {name_key(row["name"]) for row in page.rows(table) if row["parent"] is None}
        theirs = {name_key(row["name"]) for row in dump.rows(table) if row["parent"] is None}
        assert ours == theirs, table


def test_the_page_keeps_keywords_that_its_dump_lost(pages: dict[str, tuple[ReadResult, ReadResult]]) -> None:
    page, dump = pages["cust_cg"]
    ours = {(row["name"], row["detachment"]): row["target_text"] for row in page.rows("stratagem")}
    theirs = {(row["name"], row["detachment"]): row["target_text"] for row in dump.rows("stratagem")}
    more = [key for key in ours if ours[key] != theirs[key]]
    assert len(more) > 10
    assert all("ADEPTUS CUSTODES" in str(ours[key]) for key in more)

"""Who wins where sources disagree, and that every disagreement is written down."""

from pathlib import Path

import pytest

from pipelines.core.corrections import CorrectionError, read_aliases, read_corrections
from pipelines.core.precedence import Source
from pipelines.reconcile import Reconciled, reconcile
from pipelines.sources.records import RawFile, ReadResult

WEAPON = {
    "weapon": "Storm bolter",
    "attack_type": "ranged",
    "range_in": 24,
    "attacks": "2",
    "skill": 3,
    "strength": "4",
    "armour_penetration": 0,
    "damage": "1",
    "keywords": [{"keyword": "rapid fire", "value": "2", "target_keyword": None, "threshold": None}],
}
PROFILE = {"movement_in": 6, "toughness": 4, "save": 3, "wounds": 2, "leadership": 6, "objective_control": 2}


def sheet_of(result: ReadResult, name: str = "Watchers", faction: str | None = "Grey Knights") -> ReadResult:
    result.add("datasheet", sheet=name, name=name, faction=faction, book=faction, line_no=1)
    return result


def source(kind: str, path: str, result: ReadResult) -> Source:
    number = f"{sum(map(ord, path)) * 7919:016x}"
    return Source(RawFile(number, path, kind, number * 4, 1), result)  # type: ignore[arg-type]


def weapons(done: Reconciled) -> list[dict]:
    return done.tables["core.weapon_profile"]


def two_sources() -> list[Source]:
    old = sheet_of(ReadResult(dated="2025-01-01"))
    old.add("weapon_profile", sheet="Watchers", **WEAPON)
    old.add("model_profile", sheet="Watchers", profile="Watchers", **PROFILE)
    new = sheet_of(ReadResult(dated="2026-01-01"))
    new.add("weapon_profile", sheet="Watchers", **(WEAPON | {"attacks": "4"}))
    new.add("model_profile", sheet="Watchers", profile="Watchers", **(PROFILE | {"toughness": 5}))
    return [source("wahapedia_csv", "old", old), source("game_datacards", "new.json", new)]


def test_the_newer_source_wins_and_the_older_is_a_conflict():
    done = reconcile(two_sources())
    assert [row["attacks"] for row in weapons(done)] == ["4"]
    found = {(row["attribute"], row["kept_value"], row["other_value"]) for row in done.tables["core.conflict"]}
    assert found == {("attacks", "4", "2"), ("toughness", "5", "4")}


def test_the_order_of_files_does_not_matter():
    forward, backward = reconcile(two_sources()), reconcile(reversed(two_sources()))
    assert forward.tables == backward.tables


def test_hand_kept_profiles_only_fill_gaps():
    page = sheet_of(ReadResult())
    page.add("weapon_profile", sheet="Watchers", **WEAPON)
    hand = sheet_of(ReadResult(dated="2026-12-01"))
    hand.add("model_profile", sheet="Watchers", profile="Watchers", **(PROFILE | {"toughness": 9}))
    hand.add("composition", sheet="Watchers", model="Watchers", min_models=5, max_models=5)
    card = sheet_of(ReadResult(dated="2024-01-01"))
    card.add("model_profile", sheet="Watchers", profile="Watchers", **PROFILE)
    with_card = reconcile(
        [
            source("text_dump", "p.txt", page),
            source("profiles_csv", "h.csv", hand),
            source("datasheet_pdf", "c.pdf", card),
        ]
    )
    assert [row["toughness"] for row in with_card.tables["core.model_profile"]] == [4]
    without = reconcile([source("text_dump", "p.txt", page), source("profiles_csv", "h.csv", hand)])
    assert [row["toughness"] for row in without.tables["core.model_profile"]] == [9]
    assert without.tables["core.datasheet"][0]["datasheet_id"] == "grey-knights/watchers"


def test_feel_no_pain_of_the_core_abilities_reaches_the_profile():
    page = sheet_of(ReadResult())
    page.add("ability", sheet="Watchers", name="Feel No Pain", kind="core", value="5+")
    page.add("model_profile", sheet="Watchers", profile="Watchers", **PROFILE)
    done = reconcile([source("saved_page", "p.html", page)])
    assert done.tables["core.model_profile"][0]["feel_no_pain"] == 5


def test_one_weapon_twice_with_other_values_is_kept_twice_and_flagged():
    page = sheet_of(ReadResult())
    page.add("weapon_profile", sheet="Watchers", **WEAPON)
    page.add("weapon_profile", sheet="Watchers", **WEAPON)
    page.add("weapon_profile", sheet="Watchers", **(WEAPON | {"attacks": "7"}))
    done = reconcile([source("text_dump", "p.txt", page)])
    assert [row["weapon_id"].split("/")[-1] for row in weapons(done)] == ["storm-bolter", "storm-bolter-2"]
    assert [row["reason"] for row in done.tables["core.conflict"]] == [
        "same weapon printed twice with different values; both kept"
    ]


def test_an_incomplete_list_yields_to_a_complete_one():
    old = sheet_of(ReadResult(dated="2025-01-01"))
    old.add("weapon_profile", sheet="Watchers", **WEAPON)
    new = ReadResult(dated="2026-01-01")
    new.add("datasheet", sheet="0", name="Watchers", faction="Grey Knights", locator="/datasheets/0")
    new.add("weapon_profile", sheet="0", **(WEAPON | {"weapon": "Halberd"}))
    new.reject("columns are shifted", locator="/datasheets/0/rangedWeapons/1")
    done = reconcile([source("wahapedia_csv", "old", old), source("game_datacards", "n.json", new)])
    assert [row["weapon"] for row in weapons(done)] == ["Storm bolter"]


def test_another_edition_is_kept_out_and_said_so():
    old = sheet_of(ReadResult(edition="9"))
    old.add("weapon_profile", sheet="Watchers", **WEAPON)
    done = reconcile([source("text_dump", "old.txt", old)])
    assert "core.datasheet" not in done.tables or not done.tables["core.datasheet"]
    assert any("states edition 9" in row["text"] for row in done.tables["raw.notice"])


# --- prices ----------------------------------------------------------------------------------------------------------


def price(result: ReadResult, models: int, points: int, **more) -> None:
    result.add(
        "unit_cost", name="Watchers", faction=more.pop("faction", "GREY KNIGHTS"), models=models, points=points, **more
    )


def test_the_newest_points_list_is_kept_and_the_others_are_history():
    sheets = sheet_of(ReadResult(dated="2025-11-01"))
    sheets.add("unit_cost", sheet="Watchers", models=5, points=100)
    three, four = ReadResult(version="3.10"), ReadResult(version="4.2")
    price(three, 5, 110)
    price(four, 5, 95)
    price(four, 10, 190)
    done = reconcile(
        [
            source("wahapedia_csv", "csv", sheets),
            source("munitorum_text", "3", three),
            source("munitorum_text", "4", four),
        ]
    )
    assert [(r["models"], r["points"], r["version"]) for r in done.tables["core.unit_cost"]] == [
        (5, 95, "4.2"),
        (10, 190, "4.2"),
    ]
    history = {(r["version"], r["models"]): r["points"] for r in done.tables["core.points"]}
    assert history == {("3.10", 5): 110, ("4.2", 5): 95, ("4.2", 10): 190}
    assert [row["other_value"] for row in done.tables["core.conflict"]] == ["100"]  # the export, not the older list


def test_two_price_lists_of_one_army_stay_two_rows():
    sheets = sheet_of(ReadResult(), "Impulsor", "Space Marines")
    manual = ReadResult(version="4.0")
    manual.add("unit_cost", name="Impulsor", faction="SPACE MARINES", models=1, points=80)
    manual.add("unit_cost", name="Impulsor", faction="BLACK TEMPLARS", models=1, points=75)
    done = reconcile([source("wahapedia_csv", "csv", sheets), source("munitorum_text", "m", manual)])
    kept = {(row["condition"], row["points"]) for row in done.tables["core.unit_cost"]}
    assert kept == {(None, 80), ("in BLACK TEMPLARS", 75)}


def test_a_price_without_a_datasheet_is_suggested_not_guessed():
    sheets = sheet_of(ReadResult())
    manual = ReadResult(version="4.0")
    manual.add("unit_cost", name="Watcher", faction="GREY KNIGHTS", models=5, points=80)
    done = reconcile([source("wahapedia_csv", "csv", sheets), source("munitorum_text", "m", manual)])
    assert not done.tables.get("core.unit_cost")
    assert done.tables["core.name_suggestion"][0]["suggested_datasheet_id"] == "grey-knights/watchers"
    with_alias = reconcile(
        [source("wahapedia_csv", "csv", sheets), source("munitorum_text", "m", manual)],
        read_aliases("faction,printed_name,name\nGrey Knights,Watcher,Watchers\n", "aliases.csv"),
    )
    assert [row["points"] for row in with_alias.tables["core.unit_cost"]] == [80]


# --- rules -----------------------------------------------------------------------------------------------------------


def test_wordings_are_numbered_newest_first_and_equal_ones_meet():
    def page(text: str, dated: str) -> ReadResult:
        result = ReadResult(dated=dated, faction="Necrons")
        result.add("stratagem", name="GO TO GROUND", detachment="Core", cp=1, when_text="Now.", effect_text=text)
        return result

    done = reconcile(
        [
            source("text_dump", "a", page("Old words.", "2024-01-01")),
            source("text_dump", "b", page("New words.", "2026-01-01")),
            source("text_dump", "c", page("New  words. ", "2025-01-01")),
        ]
    )
    rows = done.tables["core.stratagem"]
    assert [(r["stratagem_id"], r["wording"], r["effect_text"]) for r in rows] == [
        ("core/go-to-ground", 1, "New words."),
        ("core/go-to-ground", 2, "Old words."),
    ]


def test_one_name_in_two_detachments_is_two_stratagems():
    page = ReadResult(faction="Necrons")
    for detachment in ("Core", "Boarding Actions"):
        page.add("stratagem", name="COMMAND RE-ROLL", detachment=detachment, effect_text="Re-roll it.")
    done = reconcile([source("text_dump", "a", page)])
    assert [r["stratagem_id"] for r in done.tables["core.stratagem"]] == [
        "core/command-re-roll",
        "boarding-actions/command-re-roll",
    ]


def test_a_listed_stratagem_without_a_block_has_a_row_without_text():
    page = sheet_of(ReadResult())
    page.add("datasheet_stratagem", sheet="Watchers", name="STAND FAST", detachment="Warpbane", type="Epic Deed", cp=1)
    done = reconcile([source("text_dump", "a", page)])
    (row,) = done.tables["core.stratagem"]
    assert (row["stratagem_id"], row["effect_text"]) == ("grey-knights/warpbane/stand-fast", None)
    assert done.tables["core.datasheet_stratagem"][0]["stratagem_id"] == row["stratagem_id"]


def test_equipment_is_inferred_only_where_it_is_not_stated():
    page = sheet_of(ReadResult())
    page.add("weapon_profile", sheet="Watchers", **WEAPON)
    page.add("weapon_profile", sheet="Watchers", **(WEAPON | {"weapon": "Psycannon"}))
    page.add(
        "wargear_option",
        sheet="Watchers",
        text="...",
        replaces=["storm bolter"],
        choices=[[{"item": "psycannon", "n": 1}]],
    )
    done = reconcile([source("text_dump", "a", page)])
    assert [(r["item"], r["is_inferred"]) for r in done.tables["core.equipment"]] == [("storm bolter", True)]


def test_sentences_of_equipment_stay_apart():
    page = sheet_of(ReadResult())
    for line, items in ((3, ("flamer", "pistol")), (4, ("pistol", "boltgun"))):
        for item in items:
            page.add("equipment", sheet="Watchers", model="Watcher", models=1, item=item, n=1, line_no=line)
    done = reconcile([source("text_dump", "a", page)])
    assert [(r["equipment_line"], r["item"]) for r in done.tables["core.equipment"]] == [
        (1, "flamer"),
        (1, "pistol"),
        (2, "pistol"),
        (2, "boltgun"),
    ]


# --- corrections -----------------------------------------------------------------------------------------------------

CORRECTION = """
- table: weapon_profile
  match: {weapon: Storm bolter}
  expect: {attacks: "4"}
  action: {set: {attacks: "3"}}
  reason: the card was reprinted
"""


def test_a_correction_changes_core_and_is_said():
    done = reconcile(two_sources(), corrections=read_corrections(CORRECTION, "c.yml"))
    assert [row["attacks"] for row in weapons(done)] == ["3"]
    assert any("reprinted" in row["text"] for row in done.tables["raw.notice"])


def test_a_correction_whose_source_was_fixed_fails_loudly():
    fixed = CORRECTION.replace('expect: {attacks: "4"}', 'expect: {attacks: "2"}')
    with pytest.raises(CorrectionError, match="expects attacks = '2' but found '4'"):
        reconcile(two_sources(), corrections=read_corrections(fixed, "c.yml"))


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("match: {weapon:", "match: {wepon:", "no column wepon"),
        ("set: {attacks:", "set: {atacks:", "no column atacks"),
        ("table: weapon_profile", "table: weapons", "no table core.weapons"),
    ],
)
def test_a_misspelt_correction_is_no_correction_that_is_not_needed(right: str, wrong: str, said: str):
    with pytest.raises(CorrectionError, match=said):
        reconcile(two_sources(), corrections=read_corrections(CORRECTION.replace(right, wrong), "c.yml"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- table: x", "entry 1: expect, match, reason missing"),
        ("[", "no valid YAML"),
        ("- {table: x, match: {a: 1}, expect: {}, action: explode, reason: r}", "action must be 'drop' or 'set'"),
        ("- {table: x, match: {a: 1}, expect: {}, action: [set], reason: r}", "action must be 'drop' or 'set'"),
        ("- {table: x, match: {a: 1}, expect: {}, action: {set: 5}, reason: r}", "action must be 'drop' or 'set'"),
        ("- {table: x, match: [a], expect: {}, action: drop, reason: r}", "entry 1: match must be columns"),
        ("- {table: x, match: {}, expect: {}, action: drop, reason: r}", "entry 1: match is empty"),
        ("correction: []", "expected a list of corrections"),
        ("- !!python/object/apply:os.getcwd []", "c.yml: no valid YAML"),
        ("[" * 20_000, "c.yml: "),
    ],
)
def test_a_broken_corrections_file_names_its_entry(text: str, said: str):
    with pytest.raises(CorrectionError, match=said):
        read_corrections(text, "c.yml")


def test_the_raw_set_s_own_files_can_be_used():
    raw = Path(__file__).parents[3] / "raw"
    assert read_corrections((raw / "corrections.yml").read_text(encoding="utf-8"), "corrections.yml")
    assert ("aeldari", "vyper") in read_aliases((raw / "aliases.csv").read_text(encoding="utf-8"), "aliases.csv")


def test_a_points_list_names_an_enhancement_and_only_prices_it():
    words = ReadResult(dated="2025-01-01")
    words.add("enhancement", name="Veil", detachment="Dynasty", faction="Necrons", points=20, text="The bearer moves.")
    prices = ReadResult(dated="2026-01-01", version="4.0")
    prices.add("enhancement", name="Veil", detachment="Dynasty", faction="NECRONS", points=25)
    prices.add("enhancement", name="Orb", detachment="Dynasty", faction="NECRONS", points=10)
    done = reconcile([source("wahapedia_csv", "csv", words), source("munitorum_pdf", "m.pdf", prices)])
    rows = {row["name"]: (row["wording"], row["points"], row["text"]) for row in done.tables["core.enhancement"]}
    assert rows == {"Veil": (1, 25, "The bearer moves."), "Orb": (1, 10, None)}


def test_a_size_that_one_list_prices_twice_keeps_both_prices():
    sheets = sheet_of(ReadResult())
    manual = ReadResult(version="4.0")
    price(manual, 3, 65)
    price(manual, 3, 120)
    done = reconcile([source("wahapedia_csv", "csv", sheets), source("munitorum_text", "m", manual)])
    kept = {(row["condition"], row["points"]) for row in done.tables["core.unit_cost"]}
    assert kept == {(None, 65), ("printed price 2", 120)}
    assert [row["reason"] for row in done.tables["core.conflict"]] == ["one list prices the size twice; both kept"]
    assert len(done.tables["core.points"]) == 2

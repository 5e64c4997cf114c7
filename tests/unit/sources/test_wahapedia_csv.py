"""The CSV export: an invented faction in the export's own format, then every fault that real exports have."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.sources.invulnerable import Invulnerable, improved_save_sentence, invulnerable
from pipelines.sources.records import RawFile, ReadResult, Row
from pipelines.sources.rule_markup import bearers, rule_text, stratagem_text, stratagem_type
from pipelines.sources.wahapedia_csv import read_folder
from pipelines.sources.weapon_names import split_profile

FOLDER = RawFile("0" * 16, "export", "wahapedia_csv", "0" * 64, 0)
Export = dict[str, list[str]]


def export() -> Export:
    """Tables of two invented factions, one list of lines each, the header first."""
    return {
        "Factions": ["id|name|link|", "HM|Hermits|x|", "MO|Molluscs|x|"],
        "Source": [
            "id|name|type|edition|version|errata_date|errata_link|",
            "01|Hermits|Faction Pack|10|1.2|12.11.2025 0:00:00||",
            "02|Hermits (Warhammer Legends)|Faction Pack|0||01.01.0001 0:00:00||",
            "03|Old Hermits|Codex|9||01.01.2020 0:00:00||",
        ],
        "Last_update": ["last_update|", "2025-11-14 19:35:22|"],
        "Datasheets": [
            "id|name|faction_id|source_id|legend|role|loadout|transport|virtual|leader_head|leader_footer|damaged_w"
            "|damaged_description|link|",
            "001|Cave Warden|HM|01|Old.|Characters|<b>This model is equipped with:</b> moss gun; 2 crab claws.||false||"
            "|1-2|While this model has 1-2 wounds remaining, subtract 1 from its <a href='#'>Hit rolls</a>.|x|",
            "002|Shell Guard|MO|01||Battleline|<b>Every model is equipped with:</b> moss gun.<br>Designer’s Note: Wet.|"
            "Carries 2 <b>HERMITS</b>.|false|||||x|",
            "003|Shell Guard|HM|02||Other|||false|||||x|",
            "004|Grey Shell|HM|03||Other|||false|||||x|",
        ],
        "Datasheets_models": [
            "datasheet_id|line|name|M|T|Sv|inv_sv|inv_sv_descr|W|Ld|OC|base_size|base_size_descr|",
            '001|1|Warden|6"|5|3+|4|* against ranged attacks only|4|6+|1|40mm||',
            '002|1|Guard|20+"|4*|4+|5|This invulnerable save is improved to 4+ against melee attacks.|1|7+|2|||',
            "002|2|Guard Elder|-|4|4+|-||2|7+|2|||",
            '003|1||5"|4|4+|-||1|7+|2|||',
            '004|1||5"|4|4+|-||1|7+|2|||',
            '999|1|Nobody|5"|4|4+|-||1|7+|2|||',
        ],
        "Datasheets_wargear": [
            "datasheet_id|line|line_in_wargear|dice|name|description|range|type|A|BS_WS|S|AP|D|",
            '001|1|1||Moss gun – wet|<a href="#h">heavy</a>. <a href="#r">rapid fire 1</a>|24|Ranged|D6 |3|4|-1|1|',
            "001|1|2||Moss gun – dry||24|Ranged|2|N/A|4|0|D3+1|",
            "001|2|1||Crab claw|snapping|Melee|Melee|3|2|5|-2|2|",
            "002|||| moss  gun |heavy|24|Ranged|1|4|4|0|1|",
            "002|||| Moss gun|HEAVY|24|Ranged|1|4|4|-0|1|",
            "003|1|1|||||  |0|-|-|0|-|",
            "004|1|1||Old gun||24|Ranged|1|4|4|0|1|",
            "888|1|1||Lost gun||24|Ranged|1|4|4|0|1|",
        ],
        "Datasheets_abilities": [
            "datasheet_id|line|ability_id|model|name|description|type|parameter|",
            "001|1|a1||||Core|5+|",
            "001|2|a2||||Faction||",
            "001|3|||Moss Cloak|While <b>HERMITS</b> wait, they have the Stealth ability.|Datasheet||",
            "001|4|||Lantern|The bearer glows.|Wargear||",
            "001|5|||Snapping|Snap.|Wargear profile||",
            "002|1|a1||||Core|6+ (Guard Elder model only)|",
            "002|2|||SHELL WALL|Stand.|Special (правая колонка)||",
            "002|3|||Damp|Drip.|Puddle||",
            "002|4|a9||||Core||",
            "777|1|a1||||Core||",
        ],
        "Datasheets_keywords": [
            "datasheet_id|keyword|model|is_faction_keyword|",
            "001|Hermits||true|",
            "001|Infantry|ALL MODELS|false|",
            "001|Infantry||false|",
            "001||| false|",
            "002|Elder|GUARD ELDER ONLY|false|",
        ],
        "Datasheets_unit_composition": [
            "datasheet_id|line|description|",
            "001|1|1 Cave Warden – <span class='kwb'>EPIC</span> <span class='kwb'>HERO</span>|",
            "002|1|1 Guard Elder and 4 Guards|",
            "002|2|OR|",
            "002|3|2 Guard Elders and 8 Guards|",
            "003|1|some snails|",
        ],
        "Datasheets_options": [
            "datasheet_id|line|button|description|",
            "001|1|•|This model’s moss gun can be replaced with one of the following:*<ul><li>1 horn</li>"
            "<li>1 horn and 1 bell</li></ul>|",
            "001|2|*|* Once per army.|",
            "002|1|•|None|",
            "003|1|•|Snails are nice.|",
        ],
        "Datasheets_models_cost": [
            "datasheet_id|line|description|cost|",
            "001|1|1 model|80|",
            "001|2|1 model (Guest)|90|",
            "002|1|1 Guard Elder and 4 Guards|60|",
            "002|2|1 Guard Elder, 2 Guards and 2 Snails|65|",
            "002|3|Snail|+15|",
            "003|1|5 models|cheap|",
        ],
        "Datasheets_leader": ["leader_id|attached_id|", "001|002|", "001|002|", "001|555|"],
        "Abilities": [
            "id|name|legend|faction_id|description|",
            "a1|Feel No Pain|||Ignore wounds.|",
            "a2|Tides|Waves.|HM|Select a tide:<table><tr><td><p class='impact18'>Ebb</p><p class='ShowFluff legend2'>"
            "Low.</p><p>Add 1 to Hit rolls.</p></td></tr></table><table><tr><td><p class='impact18'>Flood</p>"
            "<p>Add 1 to Wound rolls.</p></td></tr></table>|",
            "a2|Tides|Waves.|MO|Select a tide.|",
        ],
        "Detachments": ["id|faction_id|name|legend|type|", "d1|HM|Low Tide|||"],
        "Detachment_abilities": [
            "id|faction_id|name|legend|description|detachment|detachment_id|",
            "r1|HM|Salt|Salty.|Add 1 to Charge rolls.||d1|",
        ],
        "Enhancements": [
            "faction_id|id|name|cost|detachment|detachment_id|legend|description|",
            "HM|e1|Pearl|+15|Low Tide|d1|Shiny.|<b>HERMITS</b> or <b>MOLLUSC</b> model only. The bearer shines.|",
            "HM|e2|Grit|lots|Low Tide|d1||Grit.|",
        ],
        "Stratagems": [
            "faction_id|name|id|type|cp_cost|legend|turn|phase|detachment|detachment_id|description|",
            "|HIDE|s1|Core – Battle Tactic Stratagem|1|Hush.|Your turn|Any phase|||<b>WHEN:</b> Any phase.<br><br>"
            "<b>TARGET:</b> One unit.<br><br><b>EFFECT:</b> It has:<ul><li>Stealth</li></ul>RESTRICTIONS: Once.|",
            "HM|SEEP|s2|Low Tides – Wargear Stratagem|2|||Any phase|Low Tide|d1|WHEN: Now.<br>EFFECT: Seep.|",
            "HM|CRAWL|s3|||||| Army Rules||<span>TRIGGER:</span> When it crawls.<br>EFFECT: Slime.|",
            "HM|BROKEN|s4|Low Tide – Epic Deed Stratagem|1||||Low Tide|d1|Nothing is said.|",
        ],
        "Datasheets_stratagems": ["datasheet_id|stratagem_id|", "001|s1|", "001|s2|", "001|s4|", "001|s7|"],
        "Datasheets_enhancements": ["datasheet_id|enhancement_id|", "001|e1|"],
        "Datasheets_detachment_abilities": ["datasheet_id|detachment_ability_id|", "001|r1|"],
    }


def write(tables: Export, end: str = "\r\n", mark: bytes = b"\xef\xbb\xbf") -> dict[str, bytes]:
    """The tables as files, as the export writes them."""
    return {f"{name}.csv": mark + (end.join(lines) + end).encode() for name, lines in tables.items()}


def read(change: Callable[[Export], None] = lambda tables: None, **how: object) -> ReadResult:
    """Read the invented export after a change to its lines."""
    tables = export()
    change(tables)
    return read_folder(write(tables, **how), FOLDER)  # type: ignore[arg-type]


def rows(result: ReadResult, table: str, *columns: str) -> list[tuple[object, ...]]:
    """Some columns of a source table."""
    return [tuple(row[column] for column in columns) for row in result.rows(table)]


def reasons(result: ReadResult) -> dict[str, str]:
    """Reasons of the rejects by locator."""
    return {reject.locator: reject.reason for reject in result.rejects}


@pytest.fixture(scope="module")
def result() -> ReadResult:
    """The invented export as read."""
    return read()


def test_dates_books_and_edition(result: ReadResult) -> None:
    assert (result.dated, result.version, result.edition) == ("2025-11-14", "2025-11-14", "10")
    assert rows(result, "book", "name", "kind", "edition", "version", "dated") == [
        ("Hermits", "Faction Pack", "10", "1.2", "2025-11-12"),
        ("Hermits (Warhammer Legends)", "Faction Pack", None, None, None),
        ("Old Hermits", "Codex", "9", None, "2020-01-01"),
    ]


def test_datasheets_of_the_edition(result: ReadResult) -> None:
    assert rows(result, "datasheet", "sheet", "name", "faction", "book", "is_legends", "role", "locator") == [
        ("001", "Cave Warden", "Hermits", "Hermits", False, "Characters", "Datasheets.csv:2"),
        ("002", "Shell Guard", "Molluscs", "Hermits", False, "Battleline", "Datasheets.csv:3"),
        ("003", "Shell Guard", "Hermits", "Hermits (Warhammer Legends)", True, "Other", "Datasheets.csv:4"),
    ]
    assert reasons(result)["Datasheets.csv:5"] == "its book 'Old Hermits' is of edition 9"
    assert "1 datasheets of edition 9 are kept out" in result.notices


def test_an_export_of_another_edition_says_so() -> None:
    def later(tables: Export) -> None:
        tables["Source"][1] = tables["Source"][1].replace("|10|", "|11|")

    result = read(later)
    assert result.edition == "11"
    assert len(list(result.rows("datasheet"))) == 4
    assert not any("edition" in reason for reason in reasons(result).values())


def test_an_export_without_books_states_no_edition() -> None:
    assert read(lambda tables: tables.pop("Source") and None).edition is None


def test_models(result: ReadResult) -> None:
    columns = ("sheet", "profile", "movement_in", "toughness", "save", "invulnerable_save", "invulnerable_versus")
    assert rows(result, "model_profile", *columns, "wounds", "leadership", "objective_control", "feel_no_pain") == [
        ("001", "Warden", 6, 5, 3, 4, "ranged", 4, 6, 1, 5),
        ("002", "Guard", 20, 4, 4, 5, "any", 1, 7, 2, None),
        ("002", "Guard Elder", None, 4, 4, None, None, 2, 7, 2, None),
        ("003", "Shell Guard", 5, 4, 4, None, None, 1, 7, 2, None),
    ]
    assert "model rows: 4 loaded, 0 merged, 2 quarantined" in result.notices
    assert any("Datasheets_models.csv:3" in notice for notice in result.notices)


def test_weapons_are_loaded_merged_or_quarantined(result: ReadResult) -> None:
    columns = ("sheet", "weapon", "profile", "attack_type", "range_in", "attacks", "skill", "strength")
    assert rows(result, "weapon_profile", *columns, "armour_penetration", "damage", "locator") == [
        ("001", "Moss gun", "wet", "ranged", 24, "D6", 3, "4", -1, "1", "Datasheets_wargear.csv:2"),
        ("001", "Moss gun", "dry", "ranged", 24, "2", None, "4", 0, "D3+1", "Datasheets_wargear.csv:3"),
        ("001", "Crab claw", None, "melee", None, "3", 2, "5", -2, "2", "Datasheets_wargear.csv:4"),
        ("002", "moss gun", None, "ranged", 24, "1", 4, "4", 0, "1", "Datasheets_wargear.csv:5"),
    ]
    wet = next(result.rows("weapon_profile"))
    assert [(keyword["keyword"], keyword["value"]) for keyword in wet["keywords"]] == [
        ("heavy", None),
        ("rapid fire", "1"),
    ]
    assert "weapon rows: 4 loaded, 1 merged, 3 quarantined" in result.notices
    assert "weapon keyword 'snapping' is none of the core rules (1 weapons)" in result.notices
    found = reasons(result)
    assert found["Datasheets_wargear.csv:7"] == "filler row: no weapon is named"
    assert found["Datasheets_wargear.csv:9"] == "no datasheet has the id '888'"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("001|9|1||Odd gun||24|Ranged|D3+|3|4|0|1|", "'D3+' is no dice"),
        ("001|9|1||Odd gun||24|Ranged|1|3|4|1|1|", "armour penetration"),
        ("001|9|1||Odd gun||24|Ranged|1|7|4|0|1|", "no skill"),
        ("001|9|1||Odd gun||24|Ranged||3|4|0|1|", "is no dice"),
        ("001|9|1||Odd gun||N/A|Ranged|1|3|4|0|1|", "is no range"),
        ("001|9|1||Odd gun||24|Melee|1|3|4|0|1|", "does not fit"),
        ("001|9|1||Odd gun||24|Thrown|1|3|4|0|1|", "neither Ranged nor Melee"),
    ],
)
def test_wrong_numbers_are_refused(row: str, words: str) -> None:
    result = read(lambda tables: tables["Datasheets_wargear"].append(row))
    assert words in reasons(result)["Datasheets_wargear.csv:10"]
    assert len(list(result.rows("weapon_profile"))) == 4


def test_a_weapon_with_two_sets_of_values_is_flagged() -> None:
    row = "001|3|1||Crab claw|snapping|Melee|Melee|5|2|5|-2|2|"
    result = read(lambda tables: tables["Datasheets_wargear"].append(row))
    assert [row["attacks"] for row in result.rows("weapon_profile") if row["weapon"] == "Crab claw"] == ["3", "5"]
    places = "Datasheets_wargear.csv:4 and Datasheets_wargear.csv:10"
    assert f"Cave Warden: Crab claw has two sets of values ({places})" in result.notices


def test_abilities(result: ReadResult) -> None:
    assert rows(result, "ability", "sheet", "kind", "name", "value", "text", "model")[:8] == [
        ("001", "core", "Feel No Pain", "5+", None, None),
        ("001", "faction", "Tides", None, None, None),
        ("001", "datasheet", "Moss Cloak", None, "While HERMITS wait, they have the Stealth ability.", None),
        ("001", "wargear", "Lantern", None, "The bearer glows.", None),
        ("001", "weapon", "Snapping", None, "Snap.", None),
        ("002", "core", "Feel No Pain", "6+", None, "Guard Elder"),
        ("002", "special", "SHELL WALL", None, "Stand.", None),
        ("002", "special", "Damp", None, "Drip.", None),
    ]
    rest = rows(result, "ability", "sheet", "kind", "name", "value", "text", "model")[8:]
    text = "This model has a 4+ invulnerable save against melee attacks."
    assert ("002", "special", "Invulnerable Save", "4+", text, "Guard") in rest
    damaged = "While this model has 1-2 wounds remaining, subtract 1 from its Hit rolls."
    assert ("001", "damaged", "Damaged: 1-2 Wounds Remaining", "1-2", damaged, None) in rest
    assert ("002", "special", "Transport", None, "Carries 2 HERMITS.", None) in rest
    assert ("002", "special", "Designer's Note", None, "Designer's Note: Wet.", None) in rest
    found = reasons(result)
    assert found["Datasheets_abilities.csv:10"] == "no ability has the id 'a9'"
    assert found["Datasheets_abilities.csv:11"] == "no datasheet has the id '777'"
    assert "ability type 'Puddle' is unknown; 1 abilities taken as special" in result.notices


def test_keywords(result: ReadResult) -> None:
    assert rows(result, "keyword", "sheet", "keyword", "is_faction", "model") == [
        ("001", "HERMITS", True, None),
        ("001", "INFANTRY", False, None),
        ("002", "ELDER", False, "GUARD ELDER"),
    ]
    assert "Datasheets_keywords rows: 3 loaded, 1 merged, 0 quarantined, 1 empty" in result.notices


def test_composition_equipment_options(result: ReadResult) -> None:
    assert rows(result, "composition", "sheet", "model", "min_models", "max_models", "alternative") == [
        ("001", "Cave Warden", 1, 1, 1),
        ("002", "Guard Elder", 1, 1, 1),
        ("002", "Guards", 4, 4, 1),
        ("002", "Guard Elders", 2, 2, 2),
        ("002", "Guards", 8, 8, 2),
    ]
    assert "Datasheets_unit_composition.csv:6" in reasons(result)
    assert rows(result, "equipment", "sheet", "item", "n") == [
        ("001", "moss gun", 1),
        ("001", "crab claw", 2),
        ("002", "moss gun", 1),
    ]
    option = next(result.rows("wargear_option"))
    assert option["replaces"] == ["moss gun"]
    assert option["choices"] == [[{"item": "horn", "n": 1}], [{"item": "horn", "n": 1}, {"item": "bell", "n": 1}]]
    assert option["text"].endswith("* Once per army.")
    assert "Datasheets_options.csv:5" in reasons(result)


def test_prices(result: ReadResult) -> None:
    assert rows(result, "unit_cost", "sheet", "name", "models", "points", "condition") == [
        ("001", "Cave Warden", 1, 80, None),
        ("001", "Cave Warden", 1, 90, "Guest"),
        ("002", "Shell Guard", 5, 60, "1 Guard Elder and 4 Guards"),
        ("002", "Shell Guard", 5, 65, "1 Guard Elder, 2 Guards and 2 Snails"),
        ("002", "Shell Guard", None, 15, "add-on: Snail"),
    ]
    assert reasons(result)["Datasheets_models_cost.csv:7"] == "'cheap' is no price"


def test_leaders_are_pairs_of_sheets(result: ReadResult) -> None:
    assert rows(result, "leader", "sheet", "leader", "bodyguard") == [("001", "001", "002")]
    assert "Datasheets_leader rows: 1 loaded, 1 merged, 1 quarantined" in result.notices


def test_rules(result: ReadResult) -> None:
    assert rows(result, "rule", "name", "text") == [("Feel No Pain", "Ignore wounds.")]
    assert rows(result, "army_rule", "name", "faction", "parent", "text", "flavour") == [
        ("Tides", "Hermits", None, "Select a tide:", "Waves."),
        ("Ebb", "Hermits", "Tides", "Add 1 to Hit rolls.", "Low."),
        ("Flood", "Hermits", "Tides", "Add 1 to Wound rolls.", None),
        ("Tides", "Molluscs", None, "Select a tide.", "Waves."),
        ("CRAWL", "Hermits", None, "TRIGGER: When it crawls.\nEFFECT: Slime.", None),
    ]
    assert rows(result, "detachment_rule", "name", "detachment", "faction", "text") == [
        ("Salt", "Low Tide", "Hermits", "Add 1 to Charge rolls.")
    ]
    assert rows(result, "enhancement", "name", "points", "requires", "source_key") == [
        ("Pearl", 15, ["HERMITS", "MOLLUSC"], "e1")
    ]


def test_stratagems(result: ReadResult) -> None:
    columns = ("name", "detachment", "type", "cp", "when_text", "target_text", "effect_text", "restrictions_text")
    assert rows(result, "stratagem", *columns) == [
        ("HIDE", "Core", "Battle Tactic", 1, "Any phase.", "One unit.", "It has:\n- Stealth", "Once."),
        ("SEEP", "Low Tide", "Wargear", 2, "Now.", None, "Seep.", None),
    ]
    assert reasons(result)["Stratagems.csv:5"] == "the text has no EFFECT"
    assert any("Low Tides (Low Tide)" in notice for notice in result.notices)


def test_links(result: ReadResult) -> None:
    assert rows(result, "datasheet_stratagem", "sheet", "name", "detachment", "type", "cp", "source_key") == [
        ("001", "HIDE", "Core", "Battle Tactic", 1, "s1"),
        ("001", "SEEP", "Low Tide", "Wargear", 2, "s2"),
    ]
    assert rows(result, "datasheet_enhancement", "name", "detachment") == [("Pearl", "Low Tide")]
    assert rows(result, "datasheet_detachment_rule", "name", "detachment") == [("Salt", "Low Tide")]
    assert "is not among the rules" in reasons(result)["Datasheets_stratagems.csv:4"]
    assert "is unknown" in reasons(result)["Datasheets_stratagems.csv:5"]


# --- other exports, broken exports ------------------------------------------------------------------------------------


def facts(result: ReadResult) -> dict[str, list[Row]]:
    """All rows of all tables."""
    return result.tables


def test_line_ends_mark_and_file_names_do_not_matter(result: ReadResult) -> None:
    assert facts(read(end="\n", mark=b"")) == facts(result)
    renamed = {f"deep/{name.lower()}": data for name, data in write(export()).items()}
    read_again = read_folder(renamed, FOLDER)
    assert [row["name"] for row in read_again.rows("datasheet")] == [row["name"] for row in result.rows("datasheet")]


def test_columns_in_another_order(result: ReadResult) -> None:
    def shuffle(tables: Export) -> None:
        for name, lines in tables.items():
            cells = [line.split("|")[:-1] for line in lines]
            tables[name] = ["|".join([*reversed(row), ""]) for row in cells]

    assert facts(read(shuffle)) == facts(result)


def test_an_export_without_later_columns_and_without_trailing_bar() -> None:
    def older(tables: Export) -> None:
        drop = {"Stratagems": {"detachment", "detachment_id", "turn"}, "Datasheets_wargear": {"dice", "type"}}
        for name, lines in tables.items():
            header = lines[0].split("|")[:-1]
            keep = [index for index, column in enumerate(header) if column not in drop.get(name, set())]
            tables[name] = ["|".join(line.split("|")[index] for index in keep) for line in lines]

    result = read(older)
    assert len(list(result.rows("weapon_profile"))) == 4
    assert rows(result, "stratagem", "name", "detachment") == [("HIDE", "Core"), ("SEEP", "Low Tides")]


@pytest.mark.parametrize("table", sorted(export()))
def test_any_table_may_be_missing(table: str) -> None:
    result = read(lambda tables: tables.pop(table) and None)
    assert f"table {table}.csv is missing from this export" in result.notices
    if table != "Datasheets":
        assert len(list(result.rows("datasheet"))) >= 3


def test_a_torn_line_is_refused_and_the_rest_loads() -> None:
    def tear(tables: Export) -> None:
        tables["Datasheets_wargear"][3:3] = ["001|7|1||Torn gun||24|Ra", "nged|1|3|4|0|1|"]
        tables["Datasheets"].append('005|He said "no|HM|01||Other|||false|||||x|')

    result = read(tear)
    found = reasons(result)
    assert found["Datasheets_wargear.csv:4"].startswith("torn line: 8 cells")
    assert found["Datasheets_wargear.csv:5"].startswith("torn line")
    assert "weapon rows: 4 loaded, 1 merged, 5 quarantined" in result.notices
    assert 'He said "no' in [row["name"] for row in result.rows("datasheet")]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_free_text_may_go_over_several_lines(end: str) -> None:
    def wrap(tables: Export) -> None:
        tables["Stratagems"][1] = tables["Stratagems"][1].replace("One unit.", f"One{end}unit.{end}{end}")
        tables["Abilities"][1] = tables["Abilities"][1].replace("Ignore", "Ignore\n")

    result = read(wrap, end=end)
    assert rows(result, "stratagem", "name", "target_text")[0] == ("HIDE", "One unit.")
    assert rows(result, "stratagem", "name", "locator")[1] == ("SEEP", "Stratagems.csv:6")
    assert rows(result, "rule", "text") == [("Ignore\nwounds.",)]
    assert "Stratagems.csv: 1 texts go over several lines" in result.notices
    assert not any("torn" in reason for reason in reasons(result).values())


def test_the_last_line_may_be_cut_in_its_last_cell() -> None:
    files = write(export())
    files["Datasheets_models_cost.csv"] = files["Datasheets_models_cost.csv"].removesuffix(b"ap|\r\n")
    result = read_folder(files, FOLDER)
    assert reasons(result)["Datasheets_models_cost.csv:7"].startswith("torn line")


def test_a_broken_byte_loses_its_line_only() -> None:
    files = write(export())
    files["Datasheets.csv"] = files["Datasheets.csv"].replace(b"003|Shell", b"003|Sh\xe9ll")
    result = read_folder(files, FOLDER)
    assert "UTF-8" in reasons(result)["Datasheets.csv:4"]
    assert [row["sheet"] for row in result.rows("datasheet")] == ["001", "002"]


def test_ids_that_repeat() -> None:
    def repeat(tables: Export) -> None:
        tables["Datasheets"] += [tables["Datasheets"][3], "003|Other Shell|HM|02||Other|||false|||||x|"]
        tables["Enhancements"].append(tables["Enhancements"][1])
        tables["Datasheets_models"] += [
            tables["Datasheets_models"][1].replace("001|1", "001|2"),
            tables["Datasheets_models"][1].replace("|5|3+", "|6|3+"),
        ]

    result = read(repeat)
    assert "datasheet rows: 3 loaded, 1 merged, 2 quarantined" in result.notices
    assert "Enhancements rows: 1 loaded, 1 merged, 1 quarantined" in result.notices
    assert "model rows: 4 loaded, 1 merged, 3 quarantined" in result.notices
    assert "other contents" in reasons(result)["Datasheets.csv:7"]


def test_a_header_without_its_key_and_foreign_files() -> None:
    files = write(export())
    files["Datasheets_leader.csv"] = b"leader|follower|\r\n001|002|\r\n"
    files["holiday.csv"] = b"a;b\n1;2\n"
    files["Abilities.csv"] = b"\x00\x01\x02"
    result = read_folder(files, FOLDER)
    assert reasons(result)["Datasheets_leader.csv:1"] == "the header lacks the column(s) leader_id, attached_id"
    assert reasons(result)["Abilities.csv"].startswith("the file is no text")
    assert "holiday.csv: no table of this export, not read" in result.notices


def test_nothing_at_all() -> None:
    result = read_folder({}, FOLDER)
    assert not result.tables and not result.rejects and len(result.notices) == 20


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_no_damage_raises_or_invents(data: st.DataObject) -> None:
    files = write(export())
    name = data.draw(st.sampled_from(sorted(files)))
    content = bytearray(files[name])
    start = data.draw(st.integers(0, len(content) - 1))
    end = data.draw(st.integers(start, min(len(content), start + 30)))
    content[start:end] = data.draw(st.binary(max_size=6))
    files[name] = bytes(content)
    result = read_folder(files, FOLDER)
    text = bytes(content).decode("utf-8", errors="ignore") + str(export())
    for row in result.rows("weapon_profile"):
        for column in ("attacks", "strength", "damage"):
            assert row[column].split("+")[0].strip("D") in text


# --- small parts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "note", "expected"),
    [
        ("-", "", Invulnerable(None)),
        ("4", "", Invulnerable(4, "any")),
        ("4*", "Against ranged attacks only", Invulnerable(4, "ranged", "Against ranged attacks only")),
        ("4+", "* against melee attacks.", Invulnerable(4, "melee", "against melee attacks.")),
        ("6", "4+ against melee attacks", Invulnerable(6, "any", "4+ against melee attacks", 4, "melee")),
        ("5", "Snail only.", Invulnerable(5, "any", "Snail only.")),
        ("5", "A 5+ save against ranged attacks", Invulnerable(5, "ranged", "A 5+ save against ranged attacks")),
    ],
)
def test_invulnerable_notes(printed: str, note: str, expected: Invulnerable) -> None:
    assert invulnerable(printed, note) == expected


@pytest.mark.parametrize(("printed", "note"), [("9", ""), ("x", ""), ("7+", ""), ("4", "against Psychic attacks only")])
def test_no_invulnerable_save(printed: str, note: str) -> None:
    with pytest.raises(ValueError, match="invulnerable"):
        invulnerable(printed, note)


def test_improved_save_is_a_rule() -> None:
    assert improved_save_sentence(invulnerable("4", "")) is None
    sentence = improved_save_sentence(invulnerable("6", "improved to 4+ against Psychic Attacks."))
    assert sentence == "This model has a 4+ invulnerable save against psychic attacks."


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("Moss gun – wet", ("Moss gun", "wet")),
        ("Moss gun - wet", ("Moss gun", "wet")),
        ("➤ Moss gun – wet", ("Moss gun", "wet")),
        ("Moss-gun", ("Moss-gun", None)),
        ("Moss spear – Ranged", ("Moss spear", None)),
        ("Moss gun –", ("Moss gun –", None)),
    ],
)
def test_weapon_names(printed: str, expected: tuple[str, str | None]) -> None:
    assert split_profile(printed) == expected


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("Low Tide – Battle Tactic Stratagem", ("Low Tide", "Battle Tactic")),
        ("Core Stratagem – Epic Deed Stratagem", ("Core", "Epic Deed")),
        ("Low Tide – Stratagem", ("Low Tide", None)),
        ("Low Tide –", ("Low Tide", None)),
        ("Battle Tactic Stratagem", (None, "Battle Tactic")),
        ("Core Stratagem", ("Core", None)),
        ("", (None, None)),
    ],
)
def test_stratagem_types(printed: str, expected: tuple[str | None, str | None]) -> None:
    assert stratagem_type(printed) == expected


def test_stratagem_labels_keep_every_line() -> None:
    text = stratagem_text("Before.\nWHEN: a\nb\nTARGET: c\nEFFECT: d\nDesigner's Note: e\nRESTRICTIONS: f")
    assert (text.when, text.target, text.effect) == ("a\nb", "c", "d\nDesigner's Note: e")
    assert (text.restrictions, text.unlabelled) == ("f", "Before.")


def test_rules_without_boxes_stay_whole() -> None:
    rule = rule_text("A.<br>B.<p class='ShowFluff legend'>C.</p>")
    assert (rule.text, rule.flavour, list(rule.parts)) == ("A.\nB.", "C.", [])


def test_bearers() -> None:
    assert bearers("SNAIL, CRAB or WHELK models only. Shine.") == ["SNAIL", "CRAB", "WHELK"]
    assert bearers("The bearer shines.") is None

"""The data dictionary: complete, consistent, and able to refuse."""

from importlib import resources

import duckdb
import pytest
import yaml

from warehouse.dictionary import SCHEMAS, TABLES, DictionaryError, column_rows, conform, ddl, empty_frame, nearest
from warehouse.dictionary.model import parse_tables
from warehouse.publish import view_sql

# Tables and key columns that scripts rely on; a change here is a change of the public contract.
CONTRACT = {
    "raw.file": "file_id path kind sha256 bytes title edition version dated",
    "raw.line": "file_id line_no section disposition table_name row_key",
    "raw.quarantine": "file_id locator text reason",
    "core.datasheet": "datasheet_id name faction book is_combat_patrol is_legends file_id first_line last_line",
    "core.model_profile": "datasheet_id profile movement_in toughness save invulnerable_save invulnerable_versus "
    "wounds leadership objective_control feel_no_pain",
    "core.weapon_profile": "weapon_id datasheet_id weapon profile attack_type range_in attacks skill strength "
    "armour_penetration damage attacks_mean damage_mean",
    "core.weapon_keyword": "weapon_id keyword value target_keyword threshold",
    "core.keyword": "datasheet_id keyword is_faction",
    "core.ability": "ability_id datasheet_id name kind value text",
    "core.composition": "datasheet_id model min_models max_models",
    "core.equipment": "datasheet_id model models item is_inferred",
    "core.wargear_option": "option_id datasheet_id text replaces choices per_models limit_models",
    "core.unit_cost": "datasheet_id models points condition file_id version",
    "core.stratagem": "stratagem_id wording file_id name detachment type cp when_text target_text effect_text "
    "restrictions_text",
    "core.datasheet_stratagem": "datasheet_id stratagem_id",
    "core.detachment_rule": "detachment_rule_id wording file_id name detachment parent text",
    "core.enhancement": "enhancement_id wording file_id name detachment parent text",
    "core.army_rule": "army_rule_id wording file_id name parent text",
    "core.rule": "rule_id wording file_id name parent text",
    "core.leader": "leader_id bodyguard_id",
    "core.effect": "effect_id origin origin_id origin_name status side phase attack_type kind params condition "
    "requires weapon_filter choice_group instead_of scope",
    "core.conflict": "entity_id attribute kept_value kept_file_id other_value other_file_id reason",
    "out.target": "target_id name datasheet_id is_archetype models toughness save invulnerable_save wounds "
    "feel_no_pain points",
    "out.scenario": "scenario description half_range stationary charging cover overwatch hidden beyond_12 engaged",
    "out.weapon_matchup": "scenario weapon_id target_id expected_attacks expected_hits expected_wounds "
    "expected_unsaved expected_damage expected_wounds_lost expected_models_slain p_destroyed",
    "out.unit_matchup": "scenario datasheet_id loadout_id models points attack_type target_id expected_attacks "
    "expected_hits expected_wounds expected_unsaved expected_damage expected_wounds_lost expected_models_slain "
    "p_destroyed points_per_expected_wound wounds_per_100_points points_destroyed points_return worn_return "
    "overkill_share models_slain_pmf",
    "out.loadout": "loadout_id datasheet_id name models points items is_default is_inferred",
    "out.rule_lift": "origin origin_id datasheet_id loadout_id scenario target_id cp points wounds_lost_without "
    "wounds_lost_with lift_abs lift lift_per_cp lift_per_point",
    "out.points_history": "datasheet_id models version dated points change",
    "meta.build": "build_id",
    "meta.check": "check_name table_name severity passed observed expected message",
    "meta.column": "table_name column_name",
}


@pytest.mark.parametrize("name", CONTRACT)
def test_public_tables_have_their_public_columns(name: str) -> None:
    assert set(CONTRACT[name].split()) <= set(TABLES[name].columns)


def test_every_column_is_described() -> None:
    rows = column_rows(TABLES.values())
    assert (rows["description"].str.len() >= 13).all()
    assert {table.schema for table in TABLES.values()} == set(SCHEMAS)


def test_no_field_is_left_over() -> None:
    folder = resources.files("warehouse.dictionary")
    parsed = {name: yaml.safe_load(folder.joinpath(f"{name}.yml").read_text()) for name in ("fields", *SCHEMAS)}
    used = {
        spec.get("fields", {}).get(column.removesuffix("!"), column.removesuffix("!"))
        for schema in SCHEMAS
        for spec in parsed[schema].values()
        for column in spec["columns"]
    }
    assert set(parsed["fields"]) == used


def test_same_column_name_means_same_type_except_where_a_text_is_a_list() -> None:
    types: dict[str, set[str]] = {}
    for table in TABLES.values():
        for field in table.fields:
            types.setdefault(field.name, set()).add(field.type)
    # A price's condition is words, an effect's a list of tokens; who an enhancement needs is words, too.
    assert {name: kinds for name, kinds in types.items() if len(kinds) > 1} == {
        "condition": {"text", "json_list"},
        "requires": {"text", "json_list"},
    }


def test_quantities_have_units() -> None:
    unitless = {"save", "invulnerable_save", "feel_no_pain", "leadership", "skill", "toughness", "wounds", "strength"}
    for table in TABLES.values():
        for field in table.fields:
            if field.type in ("real", "real32", "real32_list"):
                assert field.unit, f"{table.full_name}.{field.name}"
            if field.name.endswith("_in"):
                assert field.unit == "inches"
            if field.name in unitless:
                assert field.unit is None


def test_ratios_have_a_reason_beside_them() -> None:
    for table in TABLES.values():
        for field in table.fields:
            if field.name.endswith("_reason"):
                assert field.name.removesuffix("_reason") in table.columns, table.full_name


@pytest.mark.parametrize("name", [name for name, table in TABLES.items() if not table.is_view])
def test_ddl_runs_and_comments_reach_the_database(name: str) -> None:
    table = TABLES[name]
    with duckdb.connect(":memory:") as connection:
        for statement in [*ddl.create_schemas(), ddl.create_table(table), *ddl.comments(table)]:
            connection.execute(statement)
        found = connection.execute("SELECT column_name, comment FROM duckdb_columns() WHERE NOT internal").fetchall()
        comment = connection.execute("SELECT comment FROM duckdb_tables()").fetchall()
    assert [column for column, _ in found] == list(table.columns)
    assert all(text for _, text in found)
    assert comment == [(ddl.table_comment(table),)]
    assert list(conform(table, empty_frame(table)).columns) == list(table.columns)


def test_constraints_refuse_what_the_dictionary_forbids() -> None:
    table = TABLES["out.scenario"]
    with duckdb.connect(":memory:") as connection:
        for statement in [*ddl.create_schemas(), ddl.create_table(table)]:
            connection.execute(statement)
        good = "('a', 1, 'x', true, true, true, true, true, true, true, true)"
        connection.execute(f"INSERT INTO out.scenario VALUES {good}")
        for bad in (good, good.replace("'a', 1", "'b', 0"), good.replace("'x'", "NULL").replace("'a'", "'c'")):
            with pytest.raises(duckdb.ConstraintException):
                connection.execute(f"INSERT INTO out.scenario VALUES {bad}")


def test_every_view_has_sql_and_every_source_that_is_a_table_exists() -> None:
    for table in TABLES.values():
        if table.is_view:
            assert view_sql(table).startswith("--")
        for source in table.sources:
            if source.split(".")[0] in SCHEMAS:
                assert source in TABLES, f"{table.full_name}: {source}"


FIELD = {"a": {"type": "text", "description": "An a"}}


def _spec(**changes: object) -> dict[str, dict[str, dict[str, object]]]:
    return {"raw": {"t": {"grain": "a", "key": ["a"], "columns": ["a"], **changes}}}


@pytest.mark.parametrize(
    ("fields", "schemas", "words"),
    [
        (FIELD, _spec(columns=["a", "b"]), "raw.t names column b"),
        (FIELD, _spec(columns=["a", "a!"]), "names a twice"),
        (FIELD, _spec(key=["c"]), "speaks of c"),
        (FIELD, _spec(references={"a": "raw.u"}), "refers to raw.u"),
        (FIELD, _spec(narrow={"a": {"type": "real"}}), "narrow may not change"),
        ({"a": {"type": "text", "description": " "}}, _spec(), "field a has no description"),
        ({"a": {"type": "word", "description": "x"}}, _spec(), "field a has type 'word'"),
        ({"a": {**FIELD["a"], "colour": 1}}, _spec(), "unknown entry"),
    ],
)
def test_a_wrong_dictionary_is_refused(fields: dict, schemas: dict, words: str) -> None:
    with pytest.raises(DictionaryError, match=words):
        parse_tables(fields, schemas)


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("core.wepon_profile", "core.weapon_profile"),
        ("datashets", "core.datasheet"),
        ("unit_matchp", "out.unit_matchup"),
        ("OUT.TARGETS", "out.target"),
    ],
)
def test_nearest_names(asked: str, first: str) -> None:
    assert nearest(asked, TABLES)[0] == first


def test_nothing_is_near_to_nonsense() -> None:
    assert nearest("zzz", TABLES) == []

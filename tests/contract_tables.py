"""Names that users script against: tables of the warehouse and the columns that each must have.

Belongs here: the promise, apart from the dictionary that keeps it, so that a change of the one shows in the other.
"""

CONTRACT: dict[str, frozenset[str]] = {
    name: frozenset(columns.split())
    for name, columns in {
        "raw.file": "file_id path kind sha256 bytes title edition version dated",
        "raw.line": "file_id line_no section disposition table_name row_key",
        "raw.quarantine": "file_id locator text reason",
        "core.datasheet": "datasheet_id name faction book is_combat_patrol is_legends file_id first_line last_line",
        "core.model_profile": "datasheet_id profile movement_in toughness save invulnerable_save invulnerable_versus wounds leadership objective_control feel_no_pain",
        "core.weapon_profile": "weapon_id datasheet_id weapon profile attack_type range_in attacks skill strength armour_penetration damage attacks_mean damage_mean",
        "core.weapon_keyword": "weapon_id keyword value target_keyword threshold",
        "core.keyword": "datasheet_id keyword is_faction",
        "core.ability": "ability_id datasheet_id name kind value text",
        "core.composition": "datasheet_id model min_models max_models",
        "core.equipment": "datasheet_id model models item is_inferred",
        "core.wargear_option": "option_id datasheet_id text replaces choices per_models limit_models",
        "core.unit_cost": "datasheet_id models points condition file_id version",
        "core.stratagem": "stratagem_id wording file_id name detachment type cp when_text target_text effect_text restrictions_text",
        "core.datasheet_stratagem": "datasheet_id stratagem_id",
        "core.detachment_rule": "detachment_rule_id wording file_id name text detachment parent",
        "core.enhancement": "enhancement_id wording file_id name text detachment",
        "core.army_rule": "army_rule_id wording file_id name text parent",
        "core.rule": "rule_id wording file_id name text parent",
        "core.leader": "leader_id bodyguard_id",
        "core.effect": "effect_id origin origin_id origin_name status side phase attack_type kind params condition requires weapon_filter choice_group instead_of",
        "core.conflict": "entity_id attribute kept_value kept_file_id other_value other_file_id reason",
        "out.target": "target_id name datasheet_id is_archetype models toughness save invulnerable_save wounds feel_no_pain points",
        "out.scenario": "scenario description half_range stationary charging cover overwatch hidden beyond_12 engaged",
        "out.weapon_matchup": "scenario weapon_id target_id expected_attacks expected_hits expected_wounds expected_unsaved expected_damage expected_wounds_lost expected_models_slain p_destroyed",
        "out.unit_matchup": "scenario datasheet_id loadout_id models points attack_type target_id points_per_expected_wound wounds_per_100_points points_destroyed points_return worn_return overkill_share models_slain_pmf expected_attacks expected_hits expected_wounds expected_unsaved expected_damage expected_wounds_lost expected_models_slain p_destroyed",
        "out.loadout": "loadout_id datasheet_id name models points items is_default is_inferred",
        "out.rule_lift": "origin origin_id datasheet_id loadout_id scenario target_id cp points wounds_lost_without wounds_lost_with lift_abs lift lift_per_cp lift_per_point",
        "out.points_history": "datasheet_id models version dated points change",
        "meta.build": "",
        "meta.check": "",
        "meta.column": "",
    }.items()
}

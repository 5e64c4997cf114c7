"""Whole texts of invented rules, and the effects they compile to.

Belongs here: sides, kinds, parameters, conditions, phases, alternatives and replacement. Does not belong here: single
phrases (test_grammar) and real texts.
"""

import pytest

from pipelines.rules_text import Effect, RuleText, compile_rule

# Phrases that many of the invented rules below are built of.
ADD_1 = "add 1 to the Hit roll"
LESS_1 = "subtract 1 from the Hit roll"
EACH = "each time a model in that unit makes an attack"
HIT_BY_IT = "select one enemy unit hit by one or more of those attacks"
ENEMY = "that enemy unit suffers"


def effects(text: str, origin: str = "ability", **more: object) -> tuple[Effect, ...]:
    """The effects of a text that must be read to the end."""
    compiled = compile_rule(RuleText(origin, "Invented Rule", text, **more))  # type: ignore[arg-type]
    assert compiled.status == "read", compiled.stopped_at
    assert compiled.stopped_at is None
    return compiled.effects


def one(text: str, origin: str = "ability", **more: object) -> Effect:
    """The only effect of a text."""
    found = effects(text, origin, **more)
    assert len(found) == 1, found
    return found[0]


def stratagem(
    effect: str, when: str = "Fight phase.", target: str = "One BEAST unit from your army."
) -> tuple[Effect, ...]:
    """The effects of a stratagem in parts."""
    return effects("", "stratagem", parts={"when": when, "target": target, "effect": effect, "restrictions": ""})


@pytest.mark.parametrize(
    ("text", "side", "kind", "params"),
    [
        ("Each time this model attacks or makes an attack, sing.", None, "none", {}),
        (f"Each time this model makes an attack, {ADD_1}.", "attacker", "modify", {"stat": "hit_roll", "delta": 1}),
        ("Each time an attack targets this unit, subtract 1 from the Wound roll.", "defender", "modify", {"stat": "wound_roll", "delta": -1}),
        ("Each time an attack targets this unit, worsen its Armour Penetration by 1.", "defender", "modify", {"stat": "AP", "delta": 1}),
        ("Each time an attack is allocated to this model, subtract 1 from the Damage characteristic of that attack.", "defender", "modify", {"stat": "D", "delta": -1}),
        ("Improve the Ballistic Skill characteristic of ranged weapons equipped by this model by 1.", "attacker", "modify", {"stat": "BS", "delta": -1}),
        ("Add 2 to the bearer's Wounds characteristic.", "defender", "modify", {"stat": "W", "delta": 2}),
        ("This model has a Save characteristic of 2+.", "defender", "set", {"stat": "Sv", "value": 2}),
        ("Each time an attack is allocated to this model, halve the Damage characteristic of that attack.", "defender", "halve", {"stat": "D"}),
        ("Each time this model makes an attack, you can re-roll the Wound roll.", "attacker", "reroll", {"roll": "wound", "which": "any"}),
        ("Each time this model makes an attack, re-roll a Hit roll of 1.", "attacker", "reroll", {"roll": "hit", "which": "ones"}),
        ("Melee weapons equipped by this model have the [SUSTAINED HITS D3] ability.", "attacker", "grant_keyword", {"keyword": "sustained hits", "value": "D3"}),
        ("Weapons equipped by this model have the [ANTI-BEAST 4+] ability.", "attacker", "grant_keyword", {"keyword": "anti", "value": 4, "target_keyword": "BEAST"}),
        ("Each time this model makes an attack, an unmodified Hit roll of 5+ scores a Critical Hit.", "attacker", "critical_on", {"roll": "hit", "threshold": 5, "if_successful": False}),
        ("Each time this model makes an attack, a successful unmodified Hit roll of 5+ scores a Critical Hit.", "attacker", "critical_on", {"roll": "hit", "threshold": 5, "if_successful": True}),
        ("Each time this model makes an attack, on a Critical Wound, improve the Armour Penetration characteristic of that attack by 2.", "attacker", "critical_bonus", {"roll": "wound", "stat": "AP", "delta": -2}),
        ("Each time an attack targets this unit, an unmodified Wound roll of 1-3 fails.", "defender", "always_fails", {"roll": "wound", "up_to": 3}),
        ("Each time this model makes an attack, you can ignore any or all modifiers to the Hit roll.", "attacker", "ignore_modifiers", {"stats": ["hit_roll"]}),
        ("This model has a 4+ invulnerable save against ranged attacks.", "defender", "invulnerable_save", {"threshold": 4, "versus": "ranged"}),
        ("Models in this unit have the Feel No Pain 4+ ability against mortal wounds.", "defender", "feel_no_pain", {"threshold": 4, "versus": ["mortal"]}),
        ("Models in this unit have the Feel No Pain 6+ ability.", "defender", "feel_no_pain", {"threshold": 6, "versus": ["any"]}),
        ("This unit has the Stealth ability.", "defender", "stealth", {}),
        ("Models in this unit have the Benefit of Cover.", "defender", "benefit_of_cover", {}),
        ("Once per battle, in your Shooting phase, after this unit has shot, it can shoot again.", "attacker", "attack_again", {}),
        ("Once per battle, you can change the result of one Hit roll made for this model to an unmodified 6.", "attacker", "substitute_roll", {"roll": "hit", "value": 6}),
    ],
)  # fmt: skip
def test_side_kind_and_parameters(text, side, kind, params):
    if side is None:
        assert compile_rule(RuleText("ability", "Song", text)).status == "not_understood"
        return
    found = one(text)
    assert (found.side, found.kind, found.params) == (side, kind, params)


@pytest.mark.parametrize(
    ("text", "phase", "attack_type"),
    [
        (f"Each time this model makes a ranged attack, {ADD_1}.", "shooting", "ranged"),
        (f"Each time this model makes a melee attack, {ADD_1}.", "fight", "melee"),
        (f"Each time this model makes an attack, {ADD_1}.", "any", "any"),
        ("Weapons equipped by this model have the [HEAVY] ability.", "shooting", "ranged"),
        ("Weapons equipped by this model have the [LANCE] ability.", "fight", "melee"),
        ("Improve the Weapon Skill characteristic of weapons equipped by this model by 1.", "fight", "melee"),
    ],
)
def test_phase_and_attack_type_are_only_what_text_or_keyword_restrict(text, phase, attack_type):
    found = one(text)
    assert (found.phase, found.attack_type) == (phase, attack_type)


def test_the_phase_of_a_stratagem_is_that_of_its_when():
    (found,) = stratagem(f"Until the end of the phase, each time a model in your unit makes an attack, {ADD_1}.")
    assert (found.phase, found.attack_type) == ("fight", "any")
    (found,) = stratagem(f"Until the end of the turn, each time a model in your unit makes an attack, {ADD_1}.")
    assert found.phase == "any"


def test_the_target_of_a_stratagem_is_who_may_be_picked():
    (found,) = stratagem(
        "Until the end of the phase, models in your unit have the Stealth ability.",
        target="One BEAST or SWARM unit from your army (excluding TITANIC units) that has not been selected to shoot this phase.",
    )
    assert found.requires == ("unit_keyword_any:BEAST|SWARM", "unit_not_keyword:TITANIC", "not_selected_to_shoot")


def test_a_negated_target_keeps_its_negation():
    (found,) = stratagem(
        "Until the end of the phase, models in your unit have the Stealth ability.",
        target="One BEAST unit from your army that is not within Engagement Range of one or more enemy units.",
    )
    assert found.condition == ("not_within_engagement_range",)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        (f"Each time this model makes an attack that targets a MONSTER or VEHICLE unit, {ADD_1}.", ("target_keyword_any:MONSTER|VEHICLE",)),
        (f"Each time this model makes an attack that targets a unit (excluding MONSTERS and VEHICLES), {ADD_1}.", ("target_not_keyword_any:MONSTER|VEHICLE",)),
        (f"Each time this model makes a ranged attack against an Owlmarked unit, {ADD_1}.", ("target_named:Owlmarked",)),
        (f"Each time this model makes an attack that targets a unit with two Doom tokens, {ADD_1}.", ("target_if:with_two_doom_tokens",)),
        (f'Each time this model makes an attack that targets a unit within 9", {ADD_1}.', ("target_within:9",)),
        (f"While this model is leading a unit, {EACH}, {ADD_1}.", ("leading_unit",)),
        (f"While a PSYKER is leading this unit, each time a model in this unit makes an attack, {ADD_1}.", ("led_by:PSYKER",)),
        (f"While this model has 1-4 wounds remaining, each time this model makes an attack, {LESS_1}.", ("wounds_remaining:1-4",)),
        (f"Each time this model makes an attack, if this model is within range of an objective marker you control, {ADD_1}.", ("within_objective:controlled",)),
        (f"Each time this model makes an attack, if it made a Charge move this turn, {ADD_1}.", ("charging",)),
        (f"If this unit is Below Half-strength, or if this unit is Battle-shocked, each time a model in this unit makes an attack, {ADD_1}.", ("any_of:unit_below_half_strength|unit_battle_shocked",)),
        (f"While the owl is awake, each time this model makes an attack, {ADD_1}.", ("if:the_owl_is_awake",)),
    ],
)  # fmt: skip
def test_conditions(text, condition):
    assert one(text).condition == condition


def test_a_condition_after_its_clause_holds_for_that_clause_only():
    first, second = effects(
        f"Each time this model makes an attack, {ADD_1} if this model is Battle-shocked, and add 1 to the Wound roll."
    )
    assert first.condition == ("unit_battle_shocked",)
    assert second.condition == ()


def test_an_aura_names_its_reach_and_its_beneficiaries():
    found = one(f'While a friendly BEAST INFANTRY unit is within 6" of this model, {EACH}, {ADD_1}.')
    assert (found.side, found.scope, found.requires) == (
        "attacker",
        "aura:6",
        ("unit_keyword:BEAST", "unit_keyword:INFANTRY"),
    )


def test_an_aura_on_enemies_is_the_defenders():
    found = one(f'While an enemy unit is within 6" of this model, {EACH}, {LESS_1}.')
    assert (found.side, found.condition) == ("defender", ("attacker_within:6",))


def test_a_chosen_enemy_is_remembered_in_later_sentences():
    found = one(
        f"In your Shooting phase, after this model has shot, {HIT_BY_IT}. "
        "Until the end of the phase, that enemy unit cannot have the Benefit of Cover."
    )
    assert (found.side, found.kind, found.phase, found.condition) == (
        "attacker",
        "deny_cover",
        "shooting",
        ("target_hit_by_this_unit",),
    )


def test_a_state_that_a_sentence_gives_is_known_in_the_next():
    found = one(
        f"In your Shooting phase, after this model has shot, {HIT_BY_IT}. "
        "Until the start of your next turn, that enemy unit is dazzled. "
        f"While a unit is dazzled, {EACH}, {LESS_1}."
    )
    assert (found.side, found.condition) == ("defender", ("attacker_hit_by_this_unit",))


def test_instead_replaces_the_row_of_the_same_roll():
    first, second = effects(
        "Each time this model makes an attack, re-roll a Wound roll of 1. "
        "If that attack targets a VEHICLE unit, you can re-roll the Wound roll instead."
    )
    assert (first.instead_of, second.instead_of) == (None, 1)
    assert second.condition == ("target_keyword:VEHICLE",)


def test_instead_of_two_clauses_replaces_both():
    rows = effects(
        "Add 1 to the Attacks and Strength characteristics of melee weapons equipped by the bearer. "
        "While the bearer is Battle-shocked, add 2 to the Attacks and Strength characteristics of melee weapons equipped by the bearer instead.",
        "enhancement",
    )
    assert [row.instead_of for row in rows] == [None, None, 1, 2]


def test_instead_of_nothing_is_refused():
    compiled = compile_rule(
        RuleText("ability", "Lost", "Each time this model makes an attack, you can re-roll the Hit roll instead.")
    )
    assert compiled.status == "not_understood"


def test_two_weapon_abilities_to_choose_from_are_alternatives():
    rows = stratagem(
        "Select either the [LETHAL HITS] or [LANCE] ability. Until the end of the phase, melee weapons equipped by models in your unit have the selected ability."
    )
    assert [(row.params["keyword"], row.choice_group, row.condition) for row in rows] == [
        ("lethal hits", "one", ("option_selected:1",)),
        ("lance", "one", ("option_selected:2",)),
    ]


def test_bulleted_options_are_alternatives_with_their_number():
    rows = effects(
        "At the start of the battle round, select one of the following abilities:\n"
        f"- Each time this model makes an attack, {ADD_1}.\n"
        "- Each time an attack targets this model, subtract 1 from the Wound roll."
    )
    assert [(row.side, row.condition, row.choice_group) for row in rows] == [
        ("attacker", ("option_selected:1",), "one"),
        ("defender", ("option_selected:2",), "one"),
    ]


def test_bullets_under_a_condition_share_it():
    rows = effects(
        f"While this model is leading a unit:\n- Each time a model in that unit makes an attack, {ADD_1}.\n"
        "- Models in that unit have the Stealth ability."
    )
    assert [(row.kind, row.condition) for row in rows] == [
        ("modify", ("leading_unit",)),
        ("stealth", ("leading_unit",)),
    ]


def test_the_results_of_one_die_are_alternatives():
    rows = effects(
        "Each time this model is selected to fight, select one enemy unit within Engagement Range of this model and roll one D6: "
        f"on a 2-4, {ENEMY} D3 mortal wounds; on a 5+, {ENEMY} 3 mortal wounds."
    )
    assert [(row.params["amount"], row.params["success_on"], row.choice_group) for row in rows] == [
        ("D3", "2-4", "roll"),
        ("3", 5, "roll"),
    ]


def test_dice_rolled_for_mortal_wounds_are_counted():
    found = one(
        f'At the start of the Fight phase, select one enemy unit within 3" of this model and roll six D6: for each 4+, {ENEMY} 1 mortal wound.'
    )
    assert found.params == {"amount": "1", "dice": 6, "per": "once", "success_on": 4}
    assert found.phase == "fight"


def test_staying_in_play_needs_its_roll():
    sentence = "it can fight after the attacking unit has finished making its attacks, and is then removed from play."
    rolled = one(
        f"Each time a model in this unit is destroyed by a melee attack, roll one D6: on a 4+, do not remove it from play; {sentence}"
    )
    printed = one(
        f"Each time a model in this unit is destroyed by a melee attack, do not remove it from play on a D6 roll of 3+; {sentence}"
    )
    assert rolled.params == {"action": "fight", "success_on": 4}
    assert printed.params == {"action": "fight", "success_on": 3}
    assert (rolled.side, rolled.attack_type) == ("defender", "melee")


def test_overwatch_hits_only_on_what_the_text_says():
    found = one("While resolving the Fire Overwatch Stratagem, hits are scored on unmodified Hit rolls of 5+.")
    assert (found.kind, found.params, found.condition) == (
        "hit_only_on",
        {"threshold": 5},
        ("stratagem_active:FIRE OVERWATCH",),
    )


def test_weapons_named_or_left_out_are_the_filter():
    assert (
        one(
            "Ranged weapons equipped by this model (excluding [ONE SHOT] weapons) have the [HAZARDOUS] ability."
        ).weapon_filter
        == "ranged excluding [ONE SHOT]"
    )
    assert one("This model's storm lance has the [LANCE] ability.").weapon_filter == "storm lance"


def test_who_may_bear_an_enhancement_is_required():
    found = one("BEAST PSYKER model only. The bearer has the Stealth ability.", "enhancement")
    assert (found.requires, found.scope) == (("unit_keyword:BEAST", "unit_keyword:PSYKER"), "self")


def test_a_lost_keyword_does_not_hide_a_clear_effect():
    (found,) = stratagem(
        f"Until the end of the phase, each time an attack targets your unit, {LESS_1}.",
        target="One  unit from your army.",
    )
    assert (found.side, found.requires) == ("defender", ())


def test_a_text_with_its_own_name_before_it():
    compiled = compile_rule(
        RuleText("ability", "Owl Eyes", f"Owl Eyes: Each time this model makes an attack, {ADD_1}.")
    )
    assert compiled.effects[0].params == {"stat": "hit_roll", "delta": 1}


@pytest.mark.parametrize(
    ("name", "value", "kind", "params"),
    [
        ("Deadly Demise", "D3", "mortal_wounds", {"amount": "D3", "per": "unit", "success_on": 6}),
        ("Deadly Demise D6+2", None, "mortal_wounds", {"amount": "D6+2", "per": "unit", "success_on": 6}),
        ("Feel No Pain", "5+", "feel_no_pain", {"threshold": 5, "versus": ["any"]}),
        ("Stealth", None, "stealth", {}),
    ],
)
def test_core_abilities(name, value, kind, params):
    compiled = compile_rule(RuleText("ability", name, "", "core", value=value))
    assert (compiled.effects[0].kind, compiled.effects[0].params) == (kind, params)


@pytest.mark.parametrize(
    ("name", "category"), [("Deep Strike", "reserves"), ("Leader", "army-building"), ('Scouts 6"', "movement")]
)
def test_core_abilities_that_change_no_attack(name, category):
    compiled = compile_rule(RuleText("ability", name, "", "core"))
    assert (compiled.status, compiled.category) == ("not_attack", category)


def test_stances_orders_and_oaths_name_their_condition():
    text = "Melee weapons equipped by models in this unit have the [LETHAL HITS] ability."
    stance = compile_rule(RuleText("army_rule", "Heron Stance", text, "stance", parent="Stances of the Marsh"))
    oath = compile_rule(RuleText("army_rule", "Oath of Reeds", text, "oath", parent="Oaths"))
    assert stance.effects[0].condition == ("stance_active:Heron",)
    assert oath.effects[0].condition == ("oath_active:Oath of Reeds",)
    order = compile_rule(
        RuleText("army_rule", "Stand Straight!", "Stand Straight! WS +1 |", "order", parent="Voice of Command")
    )
    assert (order.effects[0].params, order.effects[0].condition) == (
        {"stat": "WS", "delta": -1},
        ("order_active:Stand Straight!",),
    )
    move = compile_rule(RuleText("army_rule", "Run!", 'M +3"', "order", parent="Voice of Command"))
    assert move.status == "not_attack"


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("You can re-roll Charge rolls made for this unit.", "movement"),
        ("This model regains up to D3 lost wounds at the start of your Command phase.", "other"),
        ("This unit is eligible to shoot and declare a charge in a turn in which it Fell Back.", "movement"),
        ("Add 1 to the Objective Control characteristic of models in this unit.", "objective"),
    ],
)
def test_texts_that_change_no_attack(text, category):
    compiled = compile_rule(RuleText("ability", "Quiet", text))
    assert (compiled.status, compiled.category) == ("not_attack", category)
    assert compiled.effects[0].kind == "none"


@pytest.mark.parametrize(
    "text",
    [
        f"Each time this model makes an attack, {ADD_1} unless the owl is watching the attack.",
        "Each time this model makes an attack, the Wound roll is whatever the owl says.",
        "Double the Damage characteristic of weapons the owl likes.",
        "Each time this model makes an attack, hoot, and the Hit roll hoots back.",
    ],
)
def test_what_is_not_read_to_the_end_gives_no_effect(text):
    compiled = compile_rule(RuleText("ability", "Owl", text))
    assert (compiled.status, compiled.effects) == ("not_understood", ())
    assert compiled.stopped_at


def test_an_unread_sentence_takes_what_it_points_back_to():
    read = f"Each time this model makes an attack, {ADD_1}."
    back = " Such attacks wound in the manner of owls instead."
    compiled = compile_rule(RuleText("ability", "Owl", read + back))
    assert (compiled.status, compiled.effects) == ("not_understood", ())


def test_an_unread_sentence_that_stands_alone_is_named_beside_the_effects():
    read = f"Each time this model makes an attack, {ADD_1}."
    compiled = compile_rule(RuleText("ability", "Owl", read + " Enemy weapons near the nest are mostly feathers."))
    assert compiled.status == "read"
    assert [row.params for row in compiled.effects] == [{"stat": "hit_roll", "delta": 1}]
    assert compiled.stopped_at is not None


def refused(text: str, origin: str = "ability", **more: object) -> bool:
    """Whether a text gives no effect, because it is not understood."""
    compiled = compile_rule(RuleText(origin, "Invented Rule", text, **more))  # type: ignore[arg-type]
    return (compiled.status, compiled.effects) == ("not_understood", ())


def test_the_defender_never_arms_its_attackers():
    assert refused(
        "At the start of the Fight phase, select one enemy unit. Melee weapons equipped by models in that unit have the [LANCE] ability."
    )
    found = one("Melee weapons equipped by enemy models have the [HAZARDOUS] ability while targeting this unit.")
    assert (found.side, found.params["keyword"]) == ("defender", "hazardous")


def test_a_demonstrative_with_a_keyword_points_only_to_a_unit_with_that_keyword():
    text = f"At the start of the Fight phase, select one enemy unit. Until the end of the phase, each time that OWL unit makes an attack, {ADD_1}."
    assert refused(text)


def test_or_with_a_condition_is_a_replacement():
    first, second = effects(
        f"Each time this model makes an attack, {ADD_1}, or add 2 to the Hit roll if this model is Battle-shocked."
    )
    assert (first.params["delta"], second.params["delta"], second.instead_of) == (1, 2, 1)
    assert second.condition == ("unit_battle_shocked",)
    assert refused(
        "Add 1 to the Attacks characteristic of melee weapons equipped by this model, or add 2 if the owl hoots."
    )


def test_or_without_a_condition_is_a_choice_that_no_row_can_carry():
    assert refused(f"Each time this model makes an attack, {ADD_1} or add 1 to the Wound roll.")


def test_a_test_is_passed_or_failed_but_not_both():
    first, second = effects(
        "Each time this unit is selected to fight, it takes a Leadership test: if that test is passed, until the end of the phase, "
        f"each time a model in this unit makes an attack, {ADD_1}; if that test is failed, until the end of the phase, "
        "each time this OWL unit makes an attack, re-roll a Hit roll of 1."
    )
    assert "test_passed" in first.condition
    assert "test_failed" in second.condition
    assert "test_passed" not in second.condition


def test_what_is_added_to_a_die_on_a_condition_is_a_second_row():
    first, second = effects(
        "Each time a model in this unit is destroyed, roll one D6, adding 1 to the result if this unit is Battle-shocked: on a 4+, "
        "do not remove it from play; it can fight after the attacking unit has resolved its attacks."
    )
    assert (first.params["success_on"], second.params["success_on"], second.instead_of) == (4, 3, 1)
    assert "unit_battle_shocked" in second.condition


def test_other_models_leave_the_bearer_out():
    found = one(
        "Add 1 to the Attacks characteristic of melee weapons equipped by all other models in the bearer's unit.",
        "enhancement",
    )
    assert found.requires == ("not_bearer",)


def test_unless_turns_a_condition_round():
    found = one(f"Each time this model makes an attack, unless this model is Battle-shocked, {ADD_1}.")
    assert found.condition == ("not_unit_battle_shocked",)


def test_either_of_two_conditions_is_enough():
    found = one(
        "Each time a BEAST model from your army makes an attack, if that model is Battle-shocked or the target of that attack is Battle-shocked, "
        f"{ADD_1}."
    )
    assert found.condition == ("any_of:unit_battle_shocked|target_battle_shocked",)


def test_shooting_out_of_its_phase_makes_ranged_attacks():
    first, second = stratagem(
        "Your unit can shoot as if it were your Shooting phase. When doing so, each time your BEAST unit makes a ranged attack, "
        "hits are scored on unmodified Hit rolls of 6+.",
        when="Your opponent's Movement phase, just after an enemy unit ends a move.",
    )
    assert (first.kind, first.attack_type, first.condition) == (
        "out_of_phase_attack",
        "ranged",
        ("target_triggering_unit",),
    )
    assert (second.kind, second.params, second.phase) == ("hit_only_on", {"threshold": 6}, "shooting")


def test_a_die_of_a_pool_may_stand_for_the_rolls_that_bullets_name():
    rows = effects(
        "You can use owl dice for any of the following types of dice roll:\n- Charge roll\n- Hit roll\n- Saving throw",
        "army_rule",
    )
    assert [(row.side, row.kind, row.params) for row in rows] == [
        ("attacker", "substitute_roll", {"roll": "hit"}),
        ("defender", "substitute_roll", {"roll": "save"}),
    ]


def test_a_change_for_the_worse_in_a_part_of_a_rule_is_refused():
    text = f"Each time a model in this unit makes an attack, {LESS_1}."
    assert refused(text, "army_rule", parent="Moulting")
    assert one(text).params == {"stat": "hit_roll", "delta": -1}


def test_every_unit_that_a_target_names_is_required():
    (found,) = stratagem(
        "Until the end of the phase, models in your unit have the Stealth ability.",
        target="Up to two OWL units from your army, or one other HERON unit from your army.",
    )
    assert found.requires == ("unit_keyword_any:OWL|HERON",)


def test_a_clause_of_a_target_that_is_not_known_stays_as_a_condition():
    (found,) = stratagem(
        "Until the end of the phase, models in your unit have the Stealth ability.",
        target="One BEAST unit from your army that is on the seventh branch and has not been selected to fight this phase.",
    )
    assert found.requires == ("unit_keyword:BEAST", "not_selected_to_fight")
    assert found.condition == ("if:is_on_the_seventh_branch",)


def test_mortal_wounds_of_another_amount_replace_those_before_them():
    first, second = effects(
        'At the start of the Fight phase, select one enemy unit within 3" of this model and roll one D6: on a 3+, '
        f"{ENEMY} D3 mortal wounds. If it is a BEAST unit, {ENEMY} 2D3 mortal wounds instead.".replace(
            "If it", "If that unit"
        )
    )
    assert (first.params["amount"], first.params["success_on"], first.instead_of) == ("D3", 3, None)
    assert (second.params["amount"], second.params["success_on"], second.instead_of) == ("2D3", 3, 1)
    assert "target_keyword:BEAST" in second.condition


def test_a_die_that_is_raised_moves_every_result_of_its_table():
    rows = effects(
        'At the start of the Fight phase, select one enemy unit within 3" of this model and roll one D6, adding 1 to the '
        f"result if this model made a Charge move this turn: on a 3-5, {ENEMY} 1 mortal wound; on a 6, {ENEMY} 3 mortal wounds."
    )
    assert [(row.params["success_on"], row.instead_of) for row in rows] == [
        ("3-5", None),
        ("2-4", 1),
        (6, None),
        (5, 3),
    ]


def test_a_named_weapon_and_a_list_of_them_become_the_filter():
    (one_weapon,) = effects(
        "Each time this model makes an attack with an owl lance that targets a BEAST, re-roll a Wound roll of 1."
    )
    assert (one_weapon.weapon_filter, one_weapon.condition) == ("owl lance", ("target_keyword:BEAST",))
    (listed,) = effects(
        "Improve the Strength characteristic of owl bows, heron slings and owl throwers equipped by models in this unit by 1."
    )
    assert listed.weapon_filter == "owl bows, heron slings and owl throwers"


def test_saves_against_some_attacks_only_carry_the_condition():
    small, beasts = effects(
        "Models in this unit have the Feel No Pain 5+ ability against attacks with a Damage characteristic of 1. "
        "This model has a 4+ invulnerable save against attacks made by BEAST models."
    )
    assert (small.kind, small.condition) == ("feel_no_pain", ("attack_damage:1",))
    assert (beasts.kind, beasts.condition) == ("invulnerable_save", ("attacker_keyword:BEAST",))


def test_a_number_that_the_board_decides_is_outside_the_vocabulary():
    found = one(
        'Add 1 to the Attacks characteristic of melee weapons equipped by this model for every 5 owls within 6" of it.'
    )
    assert (found.side, found.kind, found.weapon_filter) == ("attacker", "other_attack", "melee")
    assert one("Double the Attacks characteristic of melee weapons equipped by this model.").kind == "other_attack"


def test_damage_of_a_failed_save():
    found = one(
        "Once per turn, the first time a saving throw is failed for this unit, change the Damage characteristic of that attack to 0."
    )
    assert (found.side, found.kind, found.params) == ("defender", "set", {"stat": "D", "value": 0})
    assert found.condition == ("once_per_turn", "save_failed")


def test_such_an_attack_is_of_the_kind_before_it():
    _, second = effects(
        "Each time a model in this unit makes a ranged attack, re-roll a Hit roll of 1. If such an attack targets a BEAST unit, add 1 to the Hit roll as well."
    )
    assert (second.attack_type, second.condition) == ("ranged", ("target_keyword:BEAST",))


def test_what_spreads_from_the_target_of_a_weapon():
    (found,) = effects(
        "In your Shooting phase, just after selecting a target for this model's owl mortar, roll one D6 for the target unit and "
        'every other unit within 4" of that unit: on a 5+, the unit being rolled for is struck by feathers. After this model has '
        "finished making its attacks against that target unit this phase, each unit struck by feathers suffers D3 mortal wounds."
    )
    assert (found.side, found.kind, found.weapon_filter) == ("attacker", "mortal_wounds", "owl mortar")
    assert (found.params["amount"], found.params["success_on"], found.phase) == ("D3", 5, "shooting")


def test_a_choice_between_weapon_abilities_beside_a_fixed_one():
    fixed, first, second = effects(
        "Weapons equipped by models in this unit have the [PRECISION] ability and your choice of the [LANCE] or [HAZARDOUS] ability."
    )
    assert [row.params["keyword"] for row in (fixed, first, second)] == ["precision", "lance", "hazardous"]
    assert [row.choice_group for row in (fixed, first, second)] == [None, "one", "one"]


def test_a_condition_about_the_target_in_other_words_stays_a_condition():
    _, second = effects(
        f"{EACH.replace('that', 'this')}, {ADD_1}, and if the target has three feather tokens, add 1 to the Wound roll.".capitalize()
    )
    assert second.condition == ("if:the_target_has_three_feather_tokens",)


def test_one_of_two_conditions_is_enough_even_where_one_is_the_attacks():
    (found,) = effects(
        "Each time a model in this unit makes an attack, if this unit Advanced this turn or if that attack targets a BEAST unit, add 1 to the Hit roll."
    )
    assert found.condition == ("any_of:unit_advanced|target_keyword:BEAST",)


def test_a_bodyguard_shields_the_character():
    (found,) = effects("While a PSYKER model is leading this unit, that PSYKER model has the Feel No Pain 4+ ability.")
    assert (found.kind, found.requires, found.condition) == (
        "feel_no_pain",
        ("unit_keyword:PSYKER",),
        ("led_by:PSYKER",),
    )
    (other,) = effects(
        "While a PSYKER model is leading a unit that contains one or more Owl models, that PSYKER model has the Feel No Pain 4+ ability."
    )
    assert (other.kind, other.requires) == ("feel_no_pain", ("unit_keyword:PSYKER",))


def test_dice_with_a_maximum():
    (found,) = effects(
        "When a melee attack is allocated to this model, roll one D6 (to a maximum of five D6 each phase): for each 3+, the attacking unit suffers 1 mortal wound."
    )
    assert (found.side, found.params["max"], found.params["success_on"]) == ("attacker", 5, 3)


def test_the_footnote_of_a_weapon_is_about_its_own_attacks():
    (found,) = effects(
        "If this weapon's target is more than 9\" from the bearer, a successful unmodified Hit roll of 4+ scores a Critical Hit.",
        kind="weapon",
    )
    assert (found.side, found.kind, found.scope, found.weapon_filter) == (
        "attacker",
        "critical_on",
        "self",
        "this weapon",
    )
    assert found.condition == ("target_farther_than:9",)
    fired = compile_rule(RuleText("ability", "Once", "This weapon can be fired once per battle.", kind="weapon"))
    assert fired.status == "not_attack"


def test_one_roll_of_each_kind_is_no_choice():
    rows = effects("Each time this unit is selected to shoot, you can re-roll one Hit roll and one Wound roll.")
    assert [(row.params["roll"], row.choice_group) for row in rows] == [("hit", None), ("wound", None)]
    rows = effects("Each time this unit is selected to shoot, you can re-roll one Hit roll or one Wound roll.")
    assert [(row.params["roll"], row.choice_group) for row in rows] == [("hit", "one"), ("wound", "one")]


def test_a_set_number_may_replace_a_changed_one():
    changed, fixed = effects(
        "Each time an attack is allocated to this model, subtract 1 from the Damage characteristic of that attack. "
        "If that attack was made with a Melta weapon, change the Damage characteristic of that attack to 1 instead."
    )
    assert (changed.kind, fixed.kind, fixed.instead_of) == ("modify", "set", 1)


def test_models_of_a_named_kind_under_an_effect_are_those_that_follow():
    (found,) = effects(
        "While two or more OWL models are under the effects of this model's Gaze ability, each time one of those OWL models makes a melee attack, you can re-roll the Hit roll."
    )
    assert found.requires == ("unit_keyword:OWL",)


def test_overwatch_with_a_better_result_near_an_objective():
    first, second = effects(
        "Each time this unit fires Overwatch, it scores hits on unmodified Hit rolls of 5+, or unmodified Hit rolls of 4+ instead if it is within range of an objective marker."
    )
    assert (first.params, second.params, second.instead_of) == ({"threshold": 5}, {"threshold": 4}, 1)


def test_a_keyword_before_a_sentence_says_whose_rule_it_is():
    first, second = effects(
        "All of these count.\n- NURGLE: Each time a model in this unit makes an attack, re-roll a Hit roll of 1.\n"
        "- KHORNE: Each time a model in this unit makes an attack, re-roll a Wound roll of 1."
    )
    assert (first.requires, second.requires) == (("unit_keyword:NURGLE",), ("unit_keyword:KHORNE",))


def test_keywords_in_plain_words_are_keywords():
    found = one(
        "Each time this model makes an attack that targets a Monster or Vehicle unit, re-roll a Wound roll of 1."
    )
    assert found.condition == ("target_keyword_any:MONSTER|VEHICLE",)


def test_weapons_whose_range_changes_are_those_weapons():
    found = one(
        'Add 3" to the Range characteristic of ranged weapons equipped by this model, and add 1 to the Strength characteristic of those weapons.'
    )
    assert (found.params, found.weapon_filter) == ({"stat": "S", "delta": 1}, "ranged")


def test_two_weapons_of_a_kind_are_those_weapons():
    found = one("If this model is equipped with 2 owl claws, those weapons have the [TWIN-LINKED] ability.")
    assert (found.params["keyword"], found.weapon_filter) == ("twin-linked", "owl claws")
    assert found.condition == ("if:this_model_is_equipped_with_2_owl_claws",)


def test_any_other_target_keeps_that_it_is_another():
    _, second = effects(
        "Each time this model makes an attack that targets a BEAST unit, add 1 to the Hit roll. "
        "Each time this model makes an attack that targets any other unit, add 1 to the Wound roll."
    )
    assert second.condition == ("target_if:other_than_those_named_before",)

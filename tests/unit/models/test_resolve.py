"""Readings of the rules as single cases with values worked by hand."""

import json

import pytest

from models.resolve import resolve_case, resolve_cases
from tests.unit.models.cases import attack, case, effect, models


def hits(*effects: dict, **fields: object) -> float:
    flags = {name: fields.pop(name) for name in list(fields) if isinstance(fields[name], bool)}
    return resolve_case(case(attack(**fields), effects=effects, **flags))["expected_hits"]


def test_modifiers_of_both_sides_are_summed_and_held() -> None:
    plus, minus = effect("modify", stat="hit_roll", delta=1), effect("modify", "defender", stat="hit_roll", delta=-1)
    assert hits(plus, plus, skill=4) == pytest.approx(4)
    assert hits(plus, plus, minus, skill=4) == pytest.approx(4)
    assert hits(minus, minus, skill=4) == pytest.approx(2)
    assert hits(effect("modify", stat="BS", delta=-1), plus, skill=4) == pytest.approx(5)
    assert hits(effect("modify", stat="WS", delta=-1), skill=4) == pytest.approx(3)


def test_who_ignores_modifiers_keeps_the_good_ones() -> None:
    ignore = effect("ignore_modifiers", stats=["hit_roll", "BS"])
    worse = [effect("modify", "defender", stat="hit_roll", delta=-1), effect("modify", "defender", stat="BS", delta=1)]
    assert hits(ignore, *worse, skill=4) == pytest.approx(3)
    assert hits(ignore, *worse, effect("modify", stat="hit_roll", delta=1), skill=4) == pytest.approx(4)
    only = effect("ignore_modifiers", stats=["hit_roll"], only="being within Engagement Range")
    assert hits(only, engaged=True) == pytest.approx(4)
    assert hits(only, worse[0], engaged=True) == pytest.approx(3)


def test_overwatch_hits_on_sixes_whatever_is_critical() -> None:
    crit = effect("critical_on", roll="hit", threshold=5, if_successful=False)
    assert hits(crit, overwatch=True) == pytest.approx(1)
    better = effect("hit_only_on", threshold=4, condition=["stratagem_active:FIRE OVERWATCH"])
    assert hits(better, overwatch=True) == pytest.approx(3)
    assert hits(better) == pytest.approx(4)
    assert hits(skill=None, keywords=["torrent"], overwatch=True) == pytest.approx(6)


def test_a_weapon_that_cannot_attack_makes_no_attacks() -> None:
    for answer in (
        resolve_case(case(attack(), hidden=True)),
        resolve_case(case(attack(attack_type="melee", range_in=None), overwatch=True)),
        resolve_case(case(attack(keywords=["blast", "hazardous"]), engaged=True)),
        resolve_case(case(attack(keywords=["torrent", "indirect fire"], skill=None), hidden=True)),
    ):
        assert answer["expected_attacks"] == answer["expected_damage"] == 0
        assert answer["expected_hazardous_failures"] == 0
        assert answer["models_slain_pmf"][0] == pytest.approx(1)


def test_no_invulnerable_save_stays_none_with_better_saving_throws() -> None:
    better = effect("modify", "defender", stat="save_roll", delta=1)
    answer = resolve_case(case(attack(armour_penetration=-5), target=[models(save=4)], effects=[better]))
    assert answer["expected_unsaved"] == pytest.approx(answer["expected_wounds"])


@pytest.mark.parametrize(("reach", "crits"), [(24, 3.0), (12, 1.0), (None, 3.0)])
def test_beyond_12_has_no_hold_on_a_weapon_that_does_not_reach_that_far(reach: int | None, crits: float) -> None:
    answer = resolve_case(case(attack(range_in=reach, keywords=["conversion"]), beyond_12=True))
    assert answer["expected_critical_hits"] == pytest.approx(crits)


def test_blast_counts_the_whole_attached_unit() -> None:
    target = [models(count=4), models(count=1, role="leader", wounds=4)]
    answer = resolve_case(case(attack(keywords=["blast"]), target=target))
    assert answer["expected_attacks"] == 7
    assert answer["expected_unsaved"] is None
    assert answer["expected_damage"] is None


def test_extra_attacks_are_changed_only_by_rules_that_name_the_weapon() -> None:
    tail = attack(name="Lashing tail", attack_type="melee", range_in=None, attacks="2", keywords=["extra attacks"])
    more = effect("modify", stat="A", delta=1, weapon_filter="melee")
    named = effect("modify", stat="A", delta=1, weapon_filter="lashing tails")
    assert resolve_case(case(tail, effects=[more]))["expected_attacks"] == 2
    assert resolve_case(case(tail, effects=[named]))["expected_attacks"] == 3


def test_stealth_counts_only_if_every_model_has_it() -> None:
    target = [models(name="scout"), models(name="captain", count=1, role="leader")]
    part = effect("stealth", "defender", requires=["model_name:Scout"])
    assert resolve_case(case(target=target, effects=[part]))["expected_hits"] == pytest.approx(4)
    assert resolve_case(case(target=target, effects=[effect("stealth", "defender")]))["expected_hits"] == pytest.approx(
        3
    )


@pytest.mark.parametrize(
    ("weapon_filter", "touched"),
    [
        ("test rifles", True),
        ("Test Rifle", True),
        ("ranged", True),
        ("melee", False),
        ("psychic", False),
        ("[HEAVY]", True),
        ("ranged excluding [HEAVY]", False),
        ("ranged weapons excluding ballista", True),
        ("[HEAVY] excluded", False),
        ("ballista", False),
        ("ballista and test rifle", True),
    ],
)
def test_weapon_filters(weapon_filter: str, touched: bool) -> None:
    row = effect("set", stat="A", value="1", weapon_filter=weapon_filter)
    answer = resolve_case(case(attack(keywords=["heavy"]), effects=[row]))
    assert answer["expected_attacks"] == (1 if touched else 6)


def test_alternatives_and_replacements() -> None:
    lethal = effect("grant_keyword", keyword="lethal hits", choice_group="one")
    sustained = effect("grant_keyword", keyword="sustained hits", value=1, choice_group="one")
    assert resolve_case(case(effects=[lethal, sustained]))["expected_hits"] == pytest.approx(4)
    not_now = lethal | {"condition": ["charging"]}
    assert resolve_case(case(effects=[not_now, sustained]))["expected_hits"] == pytest.approx(5)
    one, two = effect("modify", stat="A", delta=1), effect("modify", stat="A", delta=2, instead_of=1)
    assert resolve_case(case(effects=[one, two]))["expected_attacks"] == 8
    assert resolve_case(case(effects=[one, two | {"condition": ["charging"]}]))["expected_attacks"] == 7


@pytest.mark.parametrize(
    ("token", "flags", "holds"),
    [
        ("target_within:12", {"beyond_12": True}, False),
        ("target_within:9", {"beyond_12": True}, False),
        ("target_within:18", {"beyond_12": True}, True),
        ("target_farther_than:12", {}, False),
        ("target_farther_than:18", {}, False),
        ("target_farther_than:6", {}, True),
        ("within_half_range", {}, False),
        ("any_of:charging|stationary", {"stationary": True}, True),
        ("any_of:charging|stationary", {}, False),
        ("any_of:charging|oath_active", {}, True),
        ("target_keyword_any:MONSTER|INFANTRY", {}, True),
        ("target_not_keyword_any:MONSTER|INFANTRY", {}, False),
        ("weapon_keyword:ASSAULT", {}, False),
        ("psychic_attack", {}, False),
        ("strength_greater_than_toughness", {}, False),
        ("oath_active:First", {}, True),
        ("target_battle_shocked", {}, True),
    ],
)
def test_conditions_are_decided_or_hold(token: str, flags: dict[str, bool], holds: bool) -> None:
    row = effect("set", stat="A", value="1", condition=[token])
    answer = resolve_case(case(keywords=("INFANTRY",), effects=[row], **flags))
    assert answer["expected_attacks"] == (1 if holds else 6)


@pytest.mark.parametrize(("lost", "below"), [(7, True), (6, False), (0, False), (None, True)])
def test_state_of_a_single_model_is_told_by_its_wounds(lost: int | None, below: bool) -> None:
    row = effect("set", stat="A", value="1", condition=["target_below_half_strength"])
    target = [models(count=1, wounds=12) | ({} if lost is None else {"wounds_lost": lost})]
    assert resolve_case(case(target=target, effects=[row]))["expected_attacks"] == (1 if below else 6)


def test_mortal_wounds_stop_at_the_last_bodyguard_unless_they_come_from_an_attack() -> None:
    target = [models(count=1), models(count=1, role="leader", wounds=3)]
    once = effect("mortal_wounds", amount="3", success_on="auto")
    answer = resolve_case(case(target=target, effects=[once]) | {"attacks": []})
    assert answer["wounds_lost_pmf"] == pytest.approx([0, 1, 0, 0, 0])
    weapon = attack(attacks="1", skill=None, keywords=["torrent"], strength=1)
    each = effect("mortal_wounds", amount="3", success_on="auto", per="attack")
    never = effect("always_fails", roll="wound", up_to=6)
    answer = resolve_case(case(weapon, target=target, effects=[each, never]))
    assert answer["wounds_lost_pmf"] == pytest.approx([0, 0, 0, 1, 0])


def test_mortal_wounds_on_criticals_with_a_maximum() -> None:
    weapon = attack(attacks="2", skill=None, keywords=["torrent"])
    row = effect("mortal_wounds", amount="1", per="critical", max=1)
    never = effect("modify", "defender", stat="Sv", delta=-5)
    answer = resolve_case(case(weapon, target=[models(count=9)], effects=[row, never]))
    # Wounds on 4+ pass a save of 2+ on a 1; at most one more wound, if one of two dice is a 6.
    assert answer["expected_damage"] == pytest.approx(2 / 2 / 6 + 11 / 36)
    assert answer["expected_wounds_lost"] == pytest.approx(answer["expected_damage"])


def test_rows_of_one_die_belong_together() -> None:
    rows = [
        effect("mortal_wounds", amount="1", success_on="4-5", choice_group="roll"),
        effect("mortal_wounds", amount="3", success_on="6", choice_group="roll"),
    ]
    answer = resolve_case(case(target=[models(count=9)], effects=rows) | {"attacks": []})
    assert answer["wounds_lost_pmf"][:4] == pytest.approx([1 / 2, 1 / 3, 0, 1 / 6])


def test_tank_shock_needs_the_toughness_of_the_model_that_charges() -> None:
    row = effect("mortal_wounds", dice="T", amount="1", success_on=5, max=6)
    told = case(effects=[row]) | {"attacks": [], "attacker": {"toughness": 3}}
    assert resolve_case(told)["expected_wounds_lost"] == pytest.approx(1)
    assert "not modelled" in resolve_case(case(effects=[row]) | {"attacks": []})["error"]


def test_hazardous_beside_the_result() -> None:
    weapon = attack(bearers=2, keywords=["hazardous"])
    answer = resolve_case(case(weapon))
    assert answer["expected_hazardous_failures"] == pytest.approx(1 / 3)
    assert answer["expected_own_wounds_lost"] == pytest.approx(1)
    told = case(weapon) | {"attacker": {"wounds": 2, "models": 5, "feel_no_pain": 4}}
    # Three points, each ignored on 4+, on a model of two wounds; the second failure may meet a wounded model.
    none, one, two = 1 / 8, 3 / 8, 4 / 8
    first = one + two * 2
    both = none * first + one * (1 + (one + two)) + two * (2 + first)
    expected = 2 * (1 / 6) * (5 / 6) * first + (1 / 36) * both
    assert resolve_case(told)["expected_own_wounds_lost"] == pytest.approx(expected)
    old = told | {"attacker": {"wounds": 2, "models": 5, "hazardous_destroys": True}}
    assert resolve_case(old)["expected_own_wounds_lost"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("kind", ["substitute_roll", "attack_again", "fight_on_death", "out_of_phase_attack"])
def test_what_is_not_modelled_says_so(kind: str) -> None:
    answer = resolve_case(case(effects=[effect(kind)]))
    assert set(answer) == {"id", "error"}
    assert "not modelled" in answer["error"]
    assert "effects[0]" in answer["error"]


def test_a_bad_case_does_not_stop_the_others() -> None:
    bad = case(attack(keywords=["wibbling"]))
    answers = resolve_cases([case(), bad, case()])
    assert "attacks[0].keywords" in answers[1]["error"]
    assert answers[0] == answers[2]
    json.dumps(answers, allow_nan=False)
    assert "error" in resolve_cases({"id": "no list"})[0]


def test_random_strength_is_rolled_for_each_attack() -> None:
    answer = resolve_case(case(attack(strength="D3+3", attacks="1", skill=None, keywords=["torrent"])))
    # Strength 4, 5 or 6 against Toughness 4: 4+, 3+, 3+.
    assert answer["expected_wounds"] == pytest.approx((3 + 4 + 4) / 18)


def test_devastating_wounds_come_in_the_order_of_the_weapons() -> None:
    sure = {"attacks": "1", "skill": None, "keywords": ["torrent", "devastating wounds", "anti-infantry 2+"]}
    one, three = attack(**sure, damage="1"), attack(**sure, damage="3")
    auto = effect("critical_on", roll="wound", threshold=2)
    target = [models(count=2, wounds=3)]

    def slain(*weapons: dict) -> float:
        return resolve_case(case(*weapons, target=target, keywords=("INFANTRY",), effects=[auto]))[
            "expected_models_slain"
        ]

    # Wounds are rolled on 2+. A point, three, a point: the first model falls to the second packet, the second keeps two.
    p = 5 / 6
    assert slain(one, three, one) == pytest.approx(p)
    # Two points and then three: still one model; three first and then points: one model each.
    assert slain(one, one, three) == pytest.approx(p)
    assert slain(three, one, one) == pytest.approx(p)
    # A point, three, two points: the points after the three go to the second model.
    assert slain(one, three, one, one, one) == pytest.approx(p + (1 - p) * 0 + _both(p))


def _both(p: float) -> float:
    """Three packets of one point after a packet of three, that is, a second model; or four points without it."""
    second = p * p**3
    without_three = (1 - p) * (4 * p**3 * (1 - p) + p**4)
    return second + without_three


@pytest.mark.parametrize(
    ("bad", "place"),
    [
        (case(attack(), target=[models(count=1000, wounds=100)]), "target.models"),
        (case(attack(attacks="1000", bearers=19), target=[models(count=500, wounds=9)]), "attacks"),
        (case(attack(keywords=["sustained hits 999999999"])), "attacks[0].keywords"),
        (case(attack(keywords=["rapid fire 101"])), "attacks[0].keywords"),
        (case(attack(keywords={})), "attacks[0].keywords"),
        (case(target=[models(wounds_lost=[])]), "target.models[0].wounds_lost"),
        (
            case(attack(bearers=500, keywords=["hazardous"])) | {"attacker": {"wounds": 100, "models": 500}},
            "attacker.wounds",
        ),
    ],
)
def test_what_would_fill_the_memory_or_run_for_hours_is_refused_at_once(bad: dict, place: str) -> None:
    answer = resolve_case(bad)
    assert answer["id"] == "test"
    assert answer["error"].startswith(f"{place}: ")


def test_a_large_unit_is_resolved() -> None:
    """A thousand single-wound models: half of six attacks' hits wound, and each wound takes one model."""
    answer = resolve_case(case(target=[models(count=1000)]))
    assert answer["expected_models_slain"] == pytest.approx(6 * 2 / 3 / 2)
    assert len(answer["models_slain_pmf"]) == 1001


@pytest.mark.parametrize("name", [float("nan"), [1], {"a": 1}])
def test_an_id_that_cannot_be_said_again(name: object) -> None:
    answers = resolve_cases([case() | {"id": name}, case()])
    assert answers[0] == {"id": None, "error": "id: neither a text nor a number"}
    assert "error" not in answers[1]

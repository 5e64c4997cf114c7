"""Small attack cases for the comparison of the engine with the enumeration.

Belongs here: case builders, the products of keywords, targets, scenarios and effects, and a hypothesis strategy that
mixes all of them. Does not belong here: expected values - those are enumerated.

Every section is a full product of its choices, of which every n-th case is taken (``n`` prime, so that no choice is
always met by the same other one).
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

from hypothesis import strategies as st

Case = dict[str, Any]
Row = dict[str, Any]


# --- builders --------------------------------------------------------------------------------------------------------


def attack(number: str = "1", skill: int | None = 3, **changes: Any) -> Row:
    """A ranged attack S4 AP0 D1; ``changes`` are fields of the format, ``keywords`` among them."""
    plain = {
        "name": "alpha",
        "attack_type": "ranged",
        "bearers": 1,
        "range_in": 24,
        "attacks": number,
        "skill": skill,
        "strength": 4,
        "armour_penetration": 0,
        "damage": "1",
        "keywords": [],
    }
    row = plain | changes
    return row | {"range_in": None} if row["attack_type"] == "melee" else row


def models(count: int = 1, **changes: Any) -> Row:
    """``count`` models T4 Sv4+ W1."""
    plain = {
        "name": "model",
        "count": count,
        "toughness": 4,
        "save": 4,
        "invulnerable_save": None,
        "wounds": 1,
        "feel_no_pain": None,
        "role": "bodyguard",
        "wounds_lost": 0,
    }
    return plain | changes


def effect(kind: str, side: str = "attacker", condition: Sequence[str] = (), **params: Any) -> Row:
    return {"side": side, "kind": kind, "params": params, "condition": list(condition)}


def modify(stat: str, delta: int, side: str = "attacker", condition: Sequence[str] = ()) -> Row:
    return effect("modify", side, condition, stat=stat, delta=delta)


def case(
    attacks: Sequence[Row],
    target: Sequence[Row],
    effects: Sequence[Row] = (),
    keywords: Sequence[str] = (),
    **scenario: Any,
) -> Case:
    return {
        "id": "case",
        "attacks": list(attacks),
        "target": {"keywords": list(keywords), "models": list(target)},
        "scenario": scenario,
        "effects": list(effects),
    }


def every(step: int, cases: Iterator[Case]) -> list[Case]:
    """Each ``step``-th case, numbered."""
    return [found | {"id": f"{index * step}"} for index, found in enumerate(islice(cases, 0, None, step))]


# --- sections --------------------------------------------------------------------------------------------------------

REROLLS: Mapping[str, list[Row]] = {
    "none": [],
    "ones": [effect("reroll", roll="hit", which="ones")],
    "failed": [effect("reroll", roll="hit", which="any")],
    "fishing": [effect("reroll", roll="hit", which="any", policy="non_critical")],
    "ones and failed": [
        effect("reroll", roll="hit", which="ones"),
        effect("reroll", roll="hit", which="any", policy="failed"),
    ],
}


def hit_cases() -> Iterator[Case]:
    skills = [2, 3, 4, 5, 6, None]
    modifiers = [[], [1], [-1], [1, 1], [-1, -1], [1, -1], [1, 1, -1], [1, -1, -1]]
    keywords = [
        [],
        ["sustained hits 1"],
        ["lethal hits"],
        ["sustained hits 2", "lethal hits"],
        ["sustained hits d3", "devastating wounds"],
        ["sustained hits 1", "sustained hits d3", "heavy"],
        ["torrent", "lethal hits"],
        ["indirect fire", "heavy", "sustained hits 1"],
        ["conversion", "sustained hits 1"],
        ["pistol", "lethal hits", "devastating wounds"],
        ["assault", "hazardous"],
    ]
    flags: list[dict[str, Any]] = [
        {},
        {"stationary": True},
        {"overwatch": True},
        {"hidden": True},
        {"hidden": True, "stationary": True},
        {"beyond_12": True},
        {"engaged": True},
    ]
    rules: list[list[Row]] = [
        [],
        [effect("critical_on", roll="hit", threshold=5)],
        [effect("critical_on", roll="hit", threshold=5, if_successful=False)],
        [effect("critical_on", roll="hit", threshold=4), effect("critical_on", roll="hit", threshold=5)],
        [effect("stealth", "defender")],
        [effect("stealth", "defender"), effect("ignore_modifiers", stats=["hit_roll"])],
        [modify("BS", -1), modify("BS", -1)],
        [modify("BS", 1, "defender"), effect("ignore_modifiers", stats=["BS", "hit_roll"])],
        [effect("set", stat="BS", value=5)],
        [effect("auto", roll="hit")],
        [effect("always_fails", roll="hit", up_to=3)],
        [effect("hit_only_on", threshold=5)],
        [effect("grant_keyword", keyword="sustained hits", value=2)],
        [effect("grant_keyword", keyword="lethal hits", value=None)],
    ]
    for skill, deltas, words, flag, rule, rerolls in product(
        skills, modifiers, keywords, flags, rules, REROLLS.values()
    ):
        sides = ["attacker" if delta > 0 else "defender" for delta in deltas]
        changes = [modify("hit_roll", delta, side) for delta, side in zip(deltas, sides, strict=True)]
        yield case([attack("1", skill, keywords=words)], [models()], [*rule, *changes, *rerolls], **flag)


def melee_cases() -> Iterator[Case]:
    """Hit rolls in the fight phase, where shooting flags and Ballistic Skill have no hold."""
    rules: list[list[Row]] = [
        [],
        [modify("WS", -1), modify("WS", -1)],
        [modify("WS", 1, "defender")],
        [modify("WS", 2, "defender"), effect("ignore_modifiers", stats=["WS"])],
        [effect("set", stat="WS", value=2)],
        [modify("BS", -1)],
        [effect("stealth", "defender")],
        [effect("benefit_of_cover", "defender")],
        [effect("critical_on", roll="hit", threshold=5), modify("hit_roll", -1, "defender")],
    ]
    flags: list[dict[str, Any]] = [{}, {"engaged": True}, {"cover": True}, {"stationary": True}, {"charging": True}]
    keywords = [[], ["sustained hits 1"], ["lance", "lethal hits"], ["precision", "hazardous"]]
    for skill, rule, flag, words in product((2, 3, 4, 6), rules, flags, keywords):
        weapon = attack("2", skill, attack_type="melee", keywords=words, armour_penetration=-1)
        yield case([weapon], [models(2, save=3)], rule, **flag)


def wound_cases() -> Iterator[Case]:
    pairs = [(4, 4), (8, 4), (9, 4), (5, 4), (7, 4), (3, 4), (4, 7), (4, 8), (4, 9), (1, 1)]
    keywords = [
        [],
        ["devastating wounds"],
        ["twin-linked"],
        ["twin-linked", "devastating wounds"],
        ["anti-infantry 4+"],
        ["anti-infantry 2+", "devastating wounds"],
        ["anti-vehicle 2+", "anti-infantry 5+", "twin-linked", "devastating wounds"],
        ["lance"],
        ["lance", "lethal hits", "devastating wounds"],
        ["lethal hits", "sustained hits 1", "devastating wounds"],
    ]
    rules: list[list[Row]] = [
        [],
        [modify("wound_roll", 1)],
        [modify("wound_roll", -1, "defender")],
        [modify("wound_roll", -1, "defender", ["strength_greater_than_toughness"])],
        [modify("wound_roll", -1, "defender", ["strength_greater_than_toughness"]), modify("S", 1)],
        [modify("wound_roll", 1), modify("wound_roll", -1, "defender"), modify("T", 1, "defender")],
        [modify("wound_roll", -1, "defender"), effect("ignore_modifiers", stats=["wound_roll"])],
        [modify("S", 2), modify("T", -1)],
        [effect("set", stat="S", value=6), modify("S", 1)],
        [modify("S", -3, "defender")],
        [effect("set", "defender", stat="T", value=5)],
        [effect("critical_on", roll="wound", threshold=5)],
        [effect("critical_on", roll="wound", threshold=3, if_successful=True)],
        [effect("critical_bonus", roll="wound", stat="AP", delta=-2)],
        [effect("critical_bonus", roll="wound", stat="D", delta=2), effect("critical_on", roll="wound", threshold=5)],
        [effect("critical_bonus", roll="hit", stat="AP", delta=-2)],
        [effect("critical_bonus", roll="hit", stat="D", delta=1), modify("D", 1)],
        [effect("auto", roll="wound")],
        [effect("grant_keyword", keyword="anti", target_keyword="INFANTRY", value=3)],
        [effect("grant_keyword", keyword="devastating wounds", value=None)],
        [modify("AP", -1, condition=["critical_wound"])],
        [modify("D", 2, condition=["critical_wound"]), modify("D", -1, "defender")],
        [effect("grant_keyword", keyword="twin-linked", value=None)],
        [effect("grant_keyword", keyword="lance", value=None)],
    ]
    rerolls: list[list[Row]] = [
        [],
        [effect("reroll", roll="wound", which="ones")],
        [effect("reroll", roll="wound", which="any")],
        [effect("reroll", roll="wound", which="any", policy="non_critical")],
    ]
    scenarios: list[dict[str, Any]] = [{}, {"charging": True}, {"twin_linked_policy": "non_critical"}]
    for (strength, tough), words, rule, again, scenario in product(pairs, keywords, rules, rerolls, scenarios):
        weapon = attack("1", 3, attack_type="melee", strength=strength, keywords=words)
        yield case([weapon], [models(2, toughness=tough, wounds=2)], [*rule, *again], ["INFANTRY"], **scenario)


def always_fails_cases() -> Iterator[Case]:
    """Unmodified wound rolls of 1 to 3 fail; lethal hits make no roll. (Not beside Anti: two rules of one strength.)"""
    for strength, up_to, words, again in product(
        (2, 4, 8, 9), (2, 3), ([], ["lethal hits"], ["twin-linked"]), (True, False)
    ):
        rows = [effect("always_fails", "defender", roll="wound", up_to=up_to), modify("wound_roll", 1)]
        rows += [effect("reroll", roll="wound", which="ones")] if again else []
        yield case([attack("2", 3, strength=strength, keywords=words)], [models()], rows)


def save_cases() -> Iterator[Case]:
    saves = [2, 3, 4, 5, 6, 7]
    penetrations = [0, -1, -2, -3, -5]
    invulnerable: list[Any] = [
        None,
        2,
        4,
        6,
        [{"threshold": 5, "versus": "ranged"}],
        [{"threshold": 4, "versus": "melee"}, {"threshold": 6, "versus": "any"}],
    ]
    weapons = [
        attack("1", 3),
        attack("1", 3, keywords=["ignores cover"]),
        attack("1", 3, attack_type="melee"),
        attack("1", 3, keywords=["indirect fire"]),
    ]
    flags: list[dict[str, Any]] = [{}, {"cover": True}, {"hidden": True}]
    rules: list[list[Row]] = [
        [],
        [effect("benefit_of_cover", "defender")],
        [effect("benefit_of_cover", "defender"), effect("deny_cover")],
        [modify("save_roll", 1, "defender")],
        [modify("save_roll", -1)],
        [modify("Sv", -1, "defender")],
        [modify("Sv", 1)],
        [modify("AP", 1, "defender")],
        [modify("AP", -1)],
        [modify("AP", -1), modify("AP", 1, "defender"), modify("AP", 1, "defender")],
        [effect("set", stat="AP", value=-2)],
        [effect("set", "defender", stat="Sv", value=3)],
        [effect("invulnerable_save", "defender", threshold=5, versus="any")],
        [effect("invulnerable_save", "defender", threshold=3, versus="melee")],
        [effect("always_fails", roll="save", up_to=3)],
        [effect("reroll", "defender", roll="save", which="ones")],
        [effect("reroll", "defender", roll="save", which="any")],
        [modify("save_roll", 1, "defender"), modify("save_roll", 1, "defender")],
        [effect("grant_keyword", keyword="ignores cover", value=None)],
    ]
    for save, ap, inv, weapon, flag, rule in product(saves, penetrations, invulnerable, weapons, flags, rules):
        target = models(1, save=save, invulnerable_save=inv)
        yield case([weapon | {"armour_penetration": ap}], [target], rule, **flag)


def damage_cases() -> Iterator[Case]:
    damages = ["1", "2", "3", "D3", "D6", "D6+1", "D3+3", "2D3", "2D6"]
    keywords = [[], ["melta 2"], ["melta d3"], ["devastating wounds"], ["devastating wounds", "psychic"]]
    rules: list[list[Row]] = [
        [],
        [modify("D", -1, "defender")],
        [modify("D", 1)],
        [modify("D", 1), modify("damage_roll", -1, "defender")],
        [effect("halve", "defender", stat="D")],
        [effect("halve", "defender", stat="D"), modify("D", -1, "defender")],
        [effect("set", "defender", stat="D", value=1)],
        [effect("set", "defender", stat="D", value=0)],
        [effect("set", stat="D", value="D3"), modify("D", 1)],
        [effect("reroll", roll="damage", which="any")],
        [effect("reroll", roll="damage", which="ones")],
        [effect("grant_keyword", keyword="melta", value="D3")],
        [effect("set", "defender", stat="W", value=4)],
        [effect("feel_no_pain", "defender", threshold=5, versus=["mortal"])],
        [effect("feel_no_pain", "defender", threshold=4, versus="psychic")],
        [effect("feel_no_pain", "defender", threshold=6, versus="any"), modify("W", 1, "defender")],
    ]
    targets = [
        [models(1, wounds=1)],
        [models(2, wounds=2)],
        [models(3, wounds=1, feel_no_pain=5)],
        [models(2, wounds=3, feel_no_pain=6)],
        [models(2, wounds=3, wounds_lost=2)],
        [models(1, wounds=8, feel_no_pain=[{"threshold": 4, "versus": "mortal"}, {"threshold": 6, "versus": "any"}])],
        [models(2, wounds=2, feel_no_pain=[{"threshold": 5, "versus": "psychic"}])],
        [models(1, wounds=2, name="one"), models(1, wounds=3, name="two")],
    ]
    numbers = [("1", 1), ("2", 1), ("1", 3), ("D3", 1)]
    for text, words, rule, target, (number, bearers), half in product(
        damages, keywords, rules, targets, numbers, (True, False)
    ):
        weapon = attack(number, 3, damage=text, keywords=words, bearers=bearers, armour_penetration=-1)
        yield case([weapon], target, rule, half_range=half)


def number_cases() -> Iterator[Case]:
    texts = ["1", "3", "D3", "D6", "D3+2", "2D3"]
    keywords = [
        [],
        ["rapid fire 1"],
        ["rapid fire d3"],
        ["blast"],
        ["blast", "rapid fire 2", "hazardous"],
        ["extra attacks"],
        ["one shot", "hazardous"],
    ]
    rules: list[list[Row]] = [
        [],
        [modify("A", 1)],
        [modify("A", -2, "defender")],
        [effect("set", stat="A", value=2)],
        [effect("set", stat="A", value="D3"), modify("A", 1)],
        [effect("reroll", roll="attacks", which="any")],
        [effect("reroll", roll="attacks", which="ones")],
        [effect("grant_keyword", keyword="rapid fire", value=2)],
        [effect("grant_keyword", keyword="hazardous", value=None)],
        [modify("A", 1) | {"weapon_filter": "alpha"}],
        [modify("A", 1) | {"weapon_filter": "beta"}],
        [modify("A", 1) | {"weapon_filter": "melee"}],
        [effect("grant_keyword", keyword="blast", value=None)],
    ]
    sizes = [4, 5, 11]
    for text, words, rule, size, kind, half, bearers in product(
        texts, keywords, rules, sizes, ("ranged", "melee"), (True, False), (1, 2)
    ):
        if kind == "melee" and {"rapid fire 1", "rapid fire d3", "blast"} & set(words):
            continue
        yield case(
            [attack(text, 4, keywords=words, attack_type=kind, bearers=bearers)], [models(size)], rule, half_range=half
        )


def unit_cases() -> Iterator[Case]:
    """Several weapons, unlike models, attached leaders, Precision, worn units, mortal wounds from rules."""
    volleys = [
        [attack("2", 3, strength=8, damage="2", keywords=["devastating wounds"])],
        [attack("2", 3, damage="2", keywords=["precision"], armour_penetration=-2)],
        [
            attack("2", 3, damage="D3", keywords=["precision", "devastating wounds"]),
            attack("2", 4, name="beta", damage="3"),
        ],
        [
            attack("2", 3, damage="3", keywords=["devastating wounds"], strength=5),
            attack("1", 2, name="beta", damage="1"),
        ],
        [attack("1", 3, damage="2"), attack("2", 3, name="beta", damage="D3", keywords=["devastating wounds"])],
        [
            attack("1", 3, damage="1", keywords=["devastating wounds", "anti-infantry 3+"]),
            attack("1", 3, name="beta", damage="3", keywords=["devastating wounds", "anti-infantry 3+"]),
            attack("1", 3, name="gamma", damage="2"),
        ],
        [
            attack("1", 3, damage="1", keywords=["devastating wounds", "anti-infantry 3+"]),
            attack("1", 3, name="beta", damage="3", keywords=["devastating wounds", "anti-infantry 3+"]),
            attack("1", 3, damage="1", keywords=["devastating wounds", "anti-infantry 3+"]),
        ],
        [attack("D3", 3, attack_type="melee", damage="2", strength=6, keywords=["lethal hits", "sustained hits 1"])],
        [attack("2", 3, attack_type="melee", damage="2", keywords=["psychic", "devastating wounds", "precision"])],
        [],
    ]
    leader = models(1, role="leader", name="leader", save=2, invulnerable_save=4, wounds=3, feel_no_pain=5, toughness=3)
    targets = [
        [models(3, wounds=3)],
        [models(2, wounds=2, wounds_lost=1)],
        [models(2, wounds=2), leader],
        [models(1, wounds=1, toughness=4), models(2, wounds=2, toughness=5, name="other"), leader],
        [models(1, wounds=2, wounds_lost=1, feel_no_pain=6), leader | {"wounds_lost": 1}],
        [leader | {"toughness": 5}],
        [models(1, wounds=3), models(2, wounds=1, name="other")],
        [models(2, wounds=1), models(2, wounds=3, name="other", wounds_lost=2)],
        [models(1, wounds=2, save=3), models(1, wounds=2, save=6, name="other", feel_no_pain=5)],
    ]
    rules: list[list[Row]] = [
        [],
        [effect("mortal_wounds", dice=1, success_on=4, amount="D3", per="once")],
        [effect("mortal_wounds", dice=3, success_on="5", amount="1", per="once", max=2)],
        [effect("mortal_wounds", success_on="auto", amount="2", per="once"), modify("W", 1, "defender")],
        [effect("mortal_wounds", dice=2, success_on="=1", amount="2", per="unit")],
        [effect("mortal_wounds", dice=2, success_on="4-5", amount="D3", per="once", max="3")],
        [effect("feel_no_pain", "defender", threshold=5, versus=["psychic", "mortal"])],
        [effect("critical_bonus", roll="wound", stat="AP", delta=-2), effect("critical_on", roll="wound", threshold=5)],
        [effect("critical_bonus", roll="hit", stat="D", delta=1)],
        [effect("grant_keyword", keyword="precision", value=None)],
        [effect("grant_keyword", condition=["critical_wound"], keyword="precision", value=None)],
        [effect("reroll", roll="hit", which="ones"), modify("D", -1, "defender")],
    ]
    for volley, target, rule, cover, precise in product(volleys, targets, rules, (True, False), (True, False)):
        if volley or any(row["kind"] == "mortal_wounds" for row in rule):
            yield case(volley, target, rule, ["INFANTRY", "CHARACTER"], cover=cover, use_precision=precise)


def event_cases() -> Iterator[Case]:
    """Mortal wounds that attacks set off beside their own damage."""
    leader = models(1, role="leader", name="leader", save=3, wounds=2, feel_no_pain=5)
    targets = [
        [models(3)],
        [models(2, wounds=2, feel_no_pain=5)],
        [models(1, wounds=2, feel_no_pain=[{"threshold": 4, "versus": "mortal"}]), leader],
        [models(1, wounds=5)],
    ]
    volleys = [
        [attack("2", 3, damage="2")],
        [attack("1", 3, keywords=["sustained hits 1", "lethal hits"]), attack("1", 4, name="beta", strength=8)],
        [attack("2", 4, keywords=["devastating wounds", "anti-infantry 4+"])],
        [attack("D3", None, keywords=["torrent"], attack_type="ranged")],
    ]
    amounts: list[dict[str, Any]] = [
        {"amount": "1", "success_on": "auto"},
        {"amount": "D3", "success_on": "4"},
        {"amount": "2", "success_on": "5+"},
        {"amount": "1", "dice": 2, "success_on": "4-5"},
    ]
    events = ["attack", "hit", "critical_hit", "wound", "critical", "critical_wound"]
    filters = [None, "beta", "ranged"]
    for target, volley, params, per, wanted in product(targets, volleys, amounts, events, filters):
        row = effect("mortal_wounds", **params, per=per) | {"weapon_filter": wanted}
        yield case(volley, target, [row], ["INFANTRY"])


def condition_cases() -> Iterator[Case]:
    """Conditions that a case decides, phases, attack types and weapon filters."""
    tokens = [
        [],
        ["charging"],
        ["stationary"],
        ["within_half_range"],
        ["target_farther_than:12"],
        ["target_keyword:INFANTRY"],
        ["target_keyword:VEHICLE"],
        ["target_keyword_any:VEHICLE|INFANTRY"],
        ["target_not_keyword_any:VEHICLE|MONSTER"],
        ["target_not_keyword_any:INFANTRY|MONSTER"],
        ["any_of:charging|stationary"],
        ["psychic_attack"],
        ["target_keyword:INFANTRY", "charging"],
        ["strength_greater_than_toughness"],
        ["target_battle_shocked"],
        ["order_active:Steady"],
    ]
    fields: list[dict[str, Any]] = [
        {},
        {"phase": "shooting", "attack_type": "any"},
        {"phase": "fight", "attack_type": "any"},
        {"phase": "any", "attack_type": "ranged"},
        {"phase": "any", "attack_type": "melee"},
        {"weapon_filter": "ranged"},
        {"weapon_filter": "melee"},
        {"weapon_filter": "beta"},
        {"phase": "any", "attack_type": "any", "weapon_filter": None, "requires": ["unit_keyword:X"], "scope": "unit"},
    ]
    rules = [
        modify("wound_roll", 1),
        effect("reroll", roll="wound", which="any"),
        effect("grant_keyword", keyword="devastating wounds", value=None),
        modify("S", 1),
    ]
    flags: list[dict[str, Any]] = [
        {},
        {"charging": True},
        {"stationary": True},
        {"half_range": True},
        {"beyond_12": True},
    ]
    weapons = [
        [attack("1", 3, strength=5), attack("1", 3, name="beta", attack_type="melee")],
        [attack("1", 3, keywords=["psychic"]), attack("1", 4, name="beta", damage="2", range_in=12)],
    ]
    for condition, field, rule, flag, volley in product(tokens, fields, rules, flags, weapons):
        if rule["params"].get("stat") == "S" and "strength_greater_than_toughness" in condition:
            continue  # a Strength that looks at itself
        yield case(volley, [models(2, wounds=2)], [rule | field | {"condition": condition}], ["INFANTRY"], **flag)


def state_cases() -> Iterator[Case]:
    """Conditions on the state of the target: told for a single model, not for a unit, where they hold."""
    tokens = ["target_below_starting_strength", "target_below_half_strength"]
    units = [
        *([models(1, wounds=6, wounds_lost=lost)] for lost in (0, 1, 3, 4)),
        [models(3, wounds=2)],
        [models(3, wounds=2, wounds_lost=1)],
    ]
    rules = [modify("wound_roll", 1), effect("reroll", roll="hit", which="any"), modify("A", 1)]
    for token, unit, rule in product(tokens, units, rules):
        yield case([attack("2", 4, damage="2")], unit, [rule | {"condition": [token]}])


def choice_cases() -> Iterator[Case]:
    """Rows that replace others, alternatives of one source, and the results of one die table."""
    stronger = modify("A", 2, condition=["charging"]) | {"instead_of": 1}
    closest = effect("reroll", roll="hit", which="any", condition=["target_keyword:INFANTRY"]) | {"instead_of": 1}
    lists: list[list[Row]] = [
        [modify("A", 1), stronger],
        [effect("reroll", roll="hit", which="ones"), closest],
        [modify("A", 1), modify("S", 1), stronger, modify("S", 2, condition=["charging"]) | {"instead_of": 2}],
        [modify("S", 3) | {"choice_group": "one"}, modify("A", 3) | {"choice_group": "one"}],
        [modify("S", 3, condition=["charging"]) | {"choice_group": "one"}, modify("A", 3) | {"choice_group": "one"}],
        [
            effect("mortal_wounds", success_on="4-5", amount="D3", per="once") | {"choice_group": "roll"},
            effect("mortal_wounds", success_on="6", amount="3", per="once") | {"choice_group": "roll"},
        ],
        [
            effect("mortal_wounds", success_on="2-3", amount="1", per="once") | {"choice_group": "roll"},
            effect("mortal_wounds", success_on="4-5", amount="2", per="once") | {"choice_group": "roll"},
            effect("mortal_wounds", success_on="=6", amount="D3+1", per="once") | {"choice_group": "roll"},
        ],
    ]
    for rules, charging, keywords in product(lists, (True, False), (["INFANTRY"], ["VEHICLE"])):
        yield case([attack("2", 4, attack_type="melee")], [models(3, wounds=2)], rules, keywords, charging=charging)


SECTIONS: Mapping[str, tuple[int, Any]] = {
    "hit": (293, hit_cases),
    "melee": (1, melee_cases),
    "wound": (17, wound_cases),
    "always_fails": (1, always_fails_cases),
    "save": (23, save_cases),
    "damage": (53, damage_cases),
    "number": (17, number_cases),
    "unit": (7, unit_cases),
    "condition": (7, condition_cases),
    "state": (1, state_cases),
    "choice": (1, choice_cases),
    "event": (5, event_cases),
}


def section(name: str) -> list[Case]:
    step, cases = SECTIONS[name]
    return every(step, cases())


# --- mixed at random -------------------------------------------------------------------------------------------------

KEYWORDS = [
    "sustained hits 1",
    "sustained hits d3",
    "lethal hits",
    "devastating wounds",
    "twin-linked",
    "anti-infantry 4+",
    "anti-vehicle 3+",
    "precision",
    "psychic",
    "hazardous",
]
RANGED_KEYWORDS = [
    "heavy",
    "blast",
    "ignores cover",
    "indirect fire",
    "rapid fire 1",
    "melta 1",
    "torrent",
    "conversion",
    "pistol",
]
MELEE_KEYWORDS = ["lance", "extra attacks"]

PLAIN_EFFECTS: list[Row] = [
    modify("hit_roll", 1),
    modify("hit_roll", -1, "defender"),
    modify("wound_roll", 1),
    modify("wound_roll", -1, "defender"),
    modify("save_roll", 1, "defender"),
    modify("S", 1),
    modify("T", 1, "defender"),
    modify("AP", -1),
    modify("AP", 1, "defender"),
    modify("D", -1, "defender"),
    modify("D", 1),
    modify("A", 1),
    modify("BS", -1),
    modify("WS", 1, "defender"),
    modify("Sv", -1, "defender"),
    modify("W", 1, "defender"),
    effect("halve", "defender", stat="D"),
    effect("stealth", "defender"),
    effect("benefit_of_cover", "defender"),
    effect("deny_cover"),
    effect("reroll", roll="hit", which="ones"),
    effect("reroll", roll="hit", which="any"),
    effect("reroll", roll="wound", which="ones"),
    effect("reroll", roll="wound", which="any", policy="non_critical"),
    effect("reroll", roll="damage", which="any"),
    effect("reroll", "defender", roll="save", which="ones"),
    effect("critical_on", roll="hit", threshold=5),
    effect("critical_on", roll="wound", threshold=5),
    effect("critical_bonus", roll="wound", stat="AP", delta=-1),
    effect("critical_bonus", roll="hit", stat="D", delta=1),
    effect("invulnerable_save", "defender", threshold=5, versus="any"),
    effect("feel_no_pain", "defender", threshold=5, versus="any"),
    effect("feel_no_pain", "defender", threshold=4, versus=["psychic", "mortal"]),
    effect("mortal_wounds", dice=1, success_on=5, amount="D3", per="once"),
    modify("wound_roll", -1, "defender", ["strength_greater_than_toughness"]),
    modify("hit_roll", 1, condition=["charging"]),
]


@st.composite
def attacks(draw: st.DrawFn, name: str) -> Row:
    kind = draw(st.sampled_from(["ranged", "ranged", "melee"]))
    keywords = KEYWORDS + (RANGED_KEYWORDS if kind == "ranged" else MELEE_KEYWORDS)
    return attack(
        draw(st.sampled_from(["1", "2", "D3"])),
        draw(st.sampled_from([2, 3, 4, 5, None])),
        name=name,
        attack_type=kind,
        strength=draw(st.integers(2, 9)),
        armour_penetration=draw(st.integers(-4, 0)),
        damage=draw(st.sampled_from(["1", "2", "3", "D3", "D3+1"])),
        keywords=draw(st.lists(st.sampled_from(keywords), max_size=4, unique=True)),
    )


@st.composite
def targets(draw: st.DrawFn) -> list[Row]:
    """One to three groups of models; a leader comes last, one model may start wounded."""

    def group(role: str, most: int) -> Row:
        wounds = draw(st.integers(1, 3))
        return models(
            draw(st.integers(1, most)),
            name=role,
            role=role,
            toughness=draw(st.integers(3, 6)),
            save=draw(st.integers(2, 6)),
            wounds=wounds,
            wounds_lost=draw(st.integers(0, wounds - 1)) if draw(st.booleans()) else 0,
            invulnerable_save=draw(st.sampled_from([None, None, 4, 5])),
            feel_no_pain=draw(st.sampled_from([None, None, 5, [{"threshold": 4, "versus": "mortal"}]])),
        )

    made = [group("bodyguard", 3)]
    if draw(st.booleans()):
        made.append(group(draw(st.sampled_from(["bodyguard", "leader"])), 1))
    worn = [row for row in made if row["wounds_lost"]]
    for row in worn[1:]:
        row["wounds_lost"] = 0
    return made


@st.composite
def cases(draw: st.DrawFn) -> Case:
    volley = [draw(attacks(name)) for name in ("alpha", "beta")[: draw(st.integers(1, 2))]]
    flags = ["half_range", "stationary", "charging", "cover", "overwatch", "hidden", "beyond_12", "engaged"]
    scenario: dict[str, Any] = dict.fromkeys(draw(st.lists(st.sampled_from(flags), max_size=3, unique=True)), True)
    if scenario.get("beyond_12") and scenario.get("half_range"):
        scenario["half_range"] = False
    scenario["use_precision"] = draw(st.booleans())
    scenario["twin_linked_policy"] = draw(st.sampled_from(["failed", "non_critical"]))
    rows = draw(st.lists(st.sampled_from(PLAIN_EFFECTS), max_size=4, unique_by=lambda row: str(row)))
    keywords = draw(st.sampled_from([["INFANTRY"], ["VEHICLE"], []]))
    return case(volley, draw(targets()), rows, keywords, **scenario)

"""Sizes, default equipment and the weapons that a volley uses together."""

import pytest

from models.loadouts import Sheet, default_bundles, default_loadouts, item_key, sizes
from models.targets import unit_target


def weapon(name: str, attack_type: str = "ranged", *keywords: str, profile: str | None = None) -> dict:
    parts = [attack_type, name.lower().replace(" ", "-")] + ([profile] if profile else [])
    return {
        "weapon_id": "/".join(parts),
        "weapon": name,
        "profile": profile,
        "attack_type": attack_type,
        "keywords": set(keywords),
    }


def kind(model: str, low: int, high: int, alternative: int = 1) -> dict:
    return {"model": model, "min_models": low, "max_models": high, "alternative": alternative}


def carries(line: int, item: str, model: str | None = None, models: int | None = None, n: int = 1) -> dict:
    return {"equipment_line": line, "model": model, "models": models, "item": item, "n": n, "is_inferred": False}


def cost(models: int, points: int, condition: str | None = None) -> dict:
    return {"models": models, "points": points, "condition": condition}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("lascannons", "Lascannon"),
        ("twin-linked bolters", "Twin-linked bolter"),
        ("C’tan’s gaze", "C'tan's gaze"),
        ("Close combat weapons", "close combat weapon"),
    ],
)
def test_an_item_meets_its_plural(one: str, other: str):
    assert item_key(one.replace("’", "'")) == item_key(other)


def test_blades_and_glass_are_no_plurals_of_others():
    assert item_key("power glass") != item_key("power gla")


def test_sizes_are_the_priced_ones():
    sheet = Sheet(
        "f/u",
        "U",
        [kind("Sergeant", 1, 1), kind("Trooper", 4, 9)],
        costs=[cost(10, 180), cost(5, 90), cost(5, 5, "add-on: x")],
    )
    found = sizes(sheet)
    assert [(s.models, s.points) for s in found] == [(5, 90), (10, 180)]
    assert [(c.model, c.count) for c in found[1].crew] == [("Sergeant", 1), ("Trooper", 9)]


def test_a_size_takes_the_alternative_that_fits():
    sheet = Sheet("f/u", "U", [kind("A", 3, 3, 1), kind("A", 3, 3, 2), kind("B", 2, 2, 2)], costs=[cost(5, 100)])
    assert [(c.model, c.count) for c in sizes(sheet)[0].crew] == [("A", 3), ("B", 2)]


def test_without_price_and_composition_one_model_is_inferred():
    (size,) = sizes(Sheet("f/u", "U"))
    assert (size.models, size.points, size.is_inferred) == (1, None, True)


def test_two_sentences_of_one_model_each_equip_two_models():
    sheet = Sheet(
        "f/u",
        "U",
        [kind("Sister", 9, 9), kind("Superior", 1, 1)],
        [
            carries(1, "power weapon", "Superior"),
            carries(2, "flamer", "Sister", 1),
            carries(3, "heavy flamer", "Sister", 1),
            carries(4, "boltgun", "Sister", 6),
            carries(5, "pistol"),
        ],
    )
    (size,) = sizes(sheet)
    found = {(b.model, b.count, tuple(sorted(b.items))) for b in default_bundles(sheet, size)}
    assert found == {
        ("Superior", 1, ("pistol", "power weapon")),
        ("Sister", 1, ("flamer", "pistol")),
        ("Sister", 1, ("heavy flamer", "pistol")),
        ("Sister", 6, ("boltgun", "pistol")),
        ("Sister", 1, ("boltgun", "pistol")),  # the tenth: as most of its kind
    }


def test_pistols_fire_only_where_there_is_nothing_else():
    weapons = [weapon("Pistol", "ranged", "pistol"), weapon("Boltgun"), weapon("Fist", "melee")]
    sheet = Sheet("f/u", "U", [kind("A", 5, 5)], [carries(1, "pistol"), carries(1, "boltgun")], weapons=weapons)
    assert [(c.weapon_id, c.bearers) for c in default_loadouts(sheet)[0].carried] == [("ranged/boltgun", 5)]
    only = Sheet("f/u", "U", [kind("A", 5, 5)], [carries(1, "pistol")], weapons=weapons)
    assert [(c.weapon_id, c.bearers) for c in default_loadouts(only)[0].carried] == [("ranged/pistol", 5)]


def test_melee_weapons_are_alternatives_and_extra_attacks_are_not():
    weapons = [
        weapon("Sword", "melee", profile="strike"),
        weapon("Sword", "melee", profile="sweep"),
        weapon("Fist", "melee"),
        weapon("Tail", "melee", "extra attacks"),
    ]
    equipment = [carries(1, "sword"), carries(1, "fist"), carries(1, "tail", n=2)]
    sheet = Sheet("f/u", "U", [kind("A", 3, 3)], equipment, weapons=weapons)
    carried = default_loadouts(sheet)[0].carried
    assert {(c.weapon_id, c.bearers, bool(c.choice)) for c in carried} == {
        ("melee/sword/strike", 3, True),
        ("melee/sword/sweep", 3, True),
        ("melee/fist", 3, True),
        ("melee/tail", 6, False),
    }
    assert len({c.choice for c in carried if c.choice}) == 1


def test_profiles_of_a_ranged_weapon_are_alternatives():
    weapons = [weapon("Plasma", profile="standard"), weapon("Plasma", profile="supercharge")]
    sheet = Sheet("f/u", "U", [kind("A", 2, 2)], [carries(1, "plasmas", n=2)], weapons=weapons)
    assert [(c.bearers, bool(c.choice)) for c in default_loadouts(sheet)[0].carried] == [(4, True), (4, True)]


# --- targets ---------------------------------------------------------------------------------------------------------

PROFILE = {
    "profile": "Guard",
    "toughness": 6,
    "save": 2,
    "invulnerable_save": 4,
    "invulnerable_versus": "any",
    "wounds": 3,
    "feel_no_pain": None,
}


def shield(kind_: str = "modify", **params) -> dict:
    return {"source_item": "Praesidium Shield", "kind": kind_, "params": params or {"stat": "W", "delta": 1}}


def guard(*equipment: dict, **more) -> Sheet:
    return Sheet("f/guard", "Guard", [kind("Guard", 4, 5)], equipment, [cost(4, 160), cost(5, 200)], **more)


def test_a_target_is_the_largest_size_with_the_effects_of_what_all_carry():
    target = unit_target(guard(carries(1, "praesidium shield")), [PROFILE], ["INFANTRY"], [shield()])
    assert (target["models"], target["points"], target["wounds"], target["is_mixed"]) == (5, 200, 4, False)


def test_an_item_of_some_models_marks_the_target_as_mixed():
    target = unit_target(
        guard(carries(1, "praesidium shield", "Guard", 1), carries(2, "spear", "Guard", 4)), [PROFILE], [], [shield()]
    )
    assert (target["wounds"], target["is_mixed"]) == (3, True)


def test_an_item_that_nobody_carries_changes_nothing():
    target = unit_target(
        guard(carries(1, "spear")), [PROFILE], [], [shield("invulnerable_save", threshold=2, versus="any")]
    )
    assert (target["invulnerable_save"], target["is_mixed"]) == (4, False)


def test_no_characteristics_no_target():
    assert unit_target(guard(), [], [], []) is None
    assert unit_target(guard(), [PROFILE | {"save": None}], [], []) is None


def test_the_commonest_profile_stands_for_a_mixed_unit():
    sheet = Sheet("f/u", "U", [kind("Boss", 1, 1), kind("Boy", 9, 9)])
    boss = PROFILE | {"profile": "Boss", "wounds": 3}
    boy = PROFILE | {"profile": "Boy", "wounds": 1}
    target = unit_target(sheet, [boss, boy], [], [])
    assert (target["wounds"], target["is_mixed"]) == (1, True)

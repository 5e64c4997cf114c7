"""The archetypes: their facts, their frames and the plausibility of what the engine makes of them.

Here belong checks of `models.archetypes` alone and of one volley of each attacker at each target. The rules of attacks
are proven elsewhere; a whole table of rounded figures catches a wrong archetype, not a wrong rule.
"""

import pandas as pd
import pytest

from models.archetypes import (
    ATTACKERS,
    TARGETS,
    ArchetypeAttacker,
    ArchetypeTarget,
    archetype_attackers,
    archetype_targets,
)
from models.resolve import resolve_case

TARGET_COLUMNS = [
    "target_id",
    "name",
    "models",
    "points",
    "toughness",
    "save",
    "invulnerable_save",
    "invulnerable_versus",
    "wounds",
    "feel_no_pain",
    "keywords",
]


def test_twelve_targets_from_soft_to_hard() -> None:
    frame = archetype_targets()
    assert frame["target_id"].tolist() == [
        "geq",
        "leq",
        "horde",
        "meq",
        "gravis",
        "teq",
        "custodes",
        "light_vehicle",
        "medium_vehicle",
        "heavy_vehicle",
        "monster",
        "knight",
    ]
    assert set(TARGET_COLUMNS) <= set(frame.columns)


def test_only_the_knight_keeps_its_invulnerable_save_for_one_attack_type() -> None:
    frame = archetype_targets().set_index("target_id")
    has_save = frame["invulnerable_save"].notna()
    assert frame.index[has_save].tolist() == ["teq", "custodes", "monster", "knight"]
    assert frame["invulnerable_versus"].notna().equals(has_save)
    assert frame.loc["knight", "invulnerable_versus"] == "ranged"
    assert frame.loc["knight", "invulnerable_save"] == 5


def test_no_target_has_feel_no_pain_because_archetypes_carry_no_abilities() -> None:
    assert archetype_targets()["feel_no_pain"].isna().all()


def test_blast_and_anti_find_the_keywords_they_read() -> None:
    keywords = {t.target_id: t.keywords for t in TARGETS}
    assert {k for k, words in keywords.items() if "INFANTRY" in words} == {
        "geq",
        "leq",
        "horde",
        "meq",
        "gravis",
        "teq",
        "custodes",
    }
    assert keywords["knight"] == ("VEHICLE", "TITANIC")
    assert keywords["monster"] == ("MONSTER",)


def test_every_attacker_is_one_loadout_with_one_weapon_group() -> None:
    frames = archetype_attackers()
    assert frames.loadouts["loadout_id"].is_unique
    assert frames.groups["loadout_id"].tolist() == frames.loadouts["loadout_id"].tolist()
    assert frames.groups["weapon_id"].tolist() == frames.weapons["weapon_id"].tolist()
    bearers = frames.groups.merge(frames.loadouts, on="loadout_id")
    assert (bearers["bearers"] <= bearers["models"]).all()
    assert set(frames.weapon_keywords["weapon_id"]) <= set(frames.weapons["weapon_id"])


def test_skill_is_null_exactly_for_the_weapon_that_hits_automatically() -> None:
    frames = archetype_attackers()
    torrent = set(frames.weapon_keywords.query("keyword == 'torrent'")["weapon_id"])
    without_skill = set(frames.weapons.loc[frames.weapons["skill"].isna(), "weapon_id"])
    assert torrent == without_skill == {"flame/pyreblaster"}


def test_range_is_null_exactly_for_melee_and_only_melta_is_measured_at_half_range() -> None:
    frames = archetype_attackers()
    melee = frames.weapons["attack_type"] == "melee"
    assert frames.weapons["range_in"].isna().equals(melee)
    assert frames.loadouts.loc[frames.loadouts["half_range"], "loadout_id"].tolist() == ["melta"]


def test_keyword_values_are_text_as_printed() -> None:
    keywords = archetype_attackers().weapon_keywords.set_index("keyword")["value"]
    assert keywords["sustained hits"] == "1"
    assert keywords["melta"] == "2"
    assert pd.isna(keywords["torrent"])


def test_frames_are_fresh_so_that_a_caller_cannot_spoil_the_next_one() -> None:
    first = archetype_targets()
    first["points"] = 0
    assert (archetype_targets()["points"] > 0).all()
    assert len(ATTACKERS) == 8


# Worn return of one volley in whole per cent: 100 * V * E[wounds lost] / H / C, V the target's points, H its wounds
# all told, C the attacker's points. Columns are the targets from soft to hard.
WORN_RETURN = {
    "small_arms": (30, 28, 20, 17, 9, 10, 12, 5, 9, 6, 8, 10),
    "medium_fire": (24, 22, 24, 35, 12, 21, 17, 17, 14, 10, 12, 16),
    "flame": (63, 62, 69, 51, 22, 37, 29, 24, 21, 15, 18, 23),
    "plasma": (33, 38, 34, 61, 35, 37, 43, 25, 43, 37, 33, 39),
    "melta": (11, 12, 11, 27, 27, 23, 27, 37, 44, 42, 30, 35),
    # At the monster, by hand: 4 shots x 1/2 x 2/3 x 1/2 x 4.5 = 3.0 wounds (a hair less, for overkill) of 16: 40.6.
    "lascannon": (9, 10, 12, 19, 21, 22, 25, 29, 50, 34, 41, 48),
    "blades": (63, 59, 42, 36, 20, 22, 26, 11, 19, 14, 16, 21),
    "hammers": (23, 23, 24, 36, 22, 31, 37, 17, 29, 29, 34, 33),
}


def case(attacker: ArchetypeAttacker, target: ArchetypeTarget) -> dict[str, object]:
    """One volley as a custom case: moved, at long range unless the attacker's yardstick is half range."""
    attack = {
        "name": attacker.weapon,
        "attack_type": attacker.attack_type,
        "bearers": attacker.bearers,
        "range_in": attacker.range_in,
        "attacks": attacker.attacks,
        "skill": attacker.skill,
        "strength": attacker.strength,
        "armour_penetration": attacker.armour_penetration,
        "damage": attacker.damage,
        "keywords": [" ".join(filter(None, pair)) for pair in attacker.keywords],
    }
    save = target.invulnerable_save
    invulnerable = None if save is None else [{"threshold": save, "versus": target.invulnerable_versus}]
    models = {
        "name": target.unit,
        "count": target.models,
        "toughness": target.toughness,
        "save": target.save,
        "invulnerable_save": invulnerable,
        "wounds": target.wounds,
        "feel_no_pain": target.feel_no_pain,
    }
    return {
        "id": f"{attacker.loadout_id} at {target.target_id}",
        "attacks": [attack],
        "target": {"keywords": list(target.keywords), "models": [models]},
        "scenario": {"half_range": attacker.half_range, "beyond_12": not attacker.half_range},
    }


@pytest.mark.parametrize("attacker", ATTACKERS, ids=lambda attacker: attacker.loadout_id)
def test_worn_return_of_one_volley_is_plausible(attacker: ArchetypeAttacker) -> None:
    returns = []
    for target in TARGETS:
        answer = resolve_case(case(attacker, target))
        share = answer["expected_wounds_lost"] / (target.models * target.wounds)
        returns.append(100 * target.points * share / attacker.points)
    # Half a point to either side of a whole number is as printed; the rest is for a result that falls on a half.
    assert returns == pytest.approx(list(WORN_RETURN[attacker.loadout_id]), rel=0, abs=0.501)

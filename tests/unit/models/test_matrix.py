"""The vectorised paths give what single cases give, pair for pair."""

from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd
import pytest

from models.matrix import Matrix, weapon_matchups
from models.resolve import resolve_case
from models.scenarios import PUBLISHED_FLAGS, SCENARIOS, scenario_frame
from models.volley import Volleys, volley_matchups

FIGURES = (
    "expected_attacks",
    "expected_hits",
    "expected_wounds",
    "expected_unsaved",
    "expected_damage",
    "expected_wounds_lost",
    "expected_models_slain",
    "p_destroyed",
)

# id: attack type, range, attacks, skill, strength, AP, damage, keywords
WEAPONS: dict[str, tuple[Any, ...]] = {
    "rifle": ("ranged", 24, "2", 3, "4", 0, "1", ["rapid fire 1"]),
    "lance": ("ranged", 36, "D3", 4, "12", -3, "D6+1", ["heavy", "twin-linked"]),
    "mortar": ("ranged", 48, "D6+1", 4, "6", -1, "2", ["blast", "indirect fire", "ignores cover"]),
    "flamer": ("ranged", 12, "D6", None, "5", -1, "1", ["torrent"]),
    "beam": ("ranged", 60, "3", 3, "14", -2, "D6", ["conversion", "sustained hits d3", "melta 2"]),
    "needle": ("ranged", 18, "4", 2, "3", 0, "3", ["anti-infantry 4+", "devastating wounds", "psychic"]),
    "oddity": ("ranged", 24, "1", 3, "2D6", -2, "D3", ["lethal hits", "unheard of"]),
    "axe": ("melee", None, "4", 3, "6", -2, "2", ["devastating wounds", "lance"]),
    "claws": ("melee", None, "6", 3, "5", -1, "1", ["sustained hits 1", "lethal hits", "twin-linked"]),
}
# id: models, T, Sv, invulnerable, W, Feel No Pain, keywords
TARGETS: dict[str, tuple[Any, ...]] = {
    "mob": (12, 5, 6, None, 1, None, ("INFANTRY",)),
    "guard": (5, 6, 2, 4, 3, None, ("INFANTRY",)),
    "stubborn": (6, 4, 3, None, 2, 5, ("INFANTRY", "CHARACTER")),
    "warded": (3, 5, 2, 5, 4, [{"threshold": 4, "versus": "mortal"}], ("MOUNTED",)),
    "hexed": (2, 7, 3, None, 5, [{"threshold": 3, "versus": ["psychic", "mortal"]}, {"threshold": 6}], ("BEAST",)),
    "tank": (1, 11, 2, [{"threshold": 5, "versus": "ranged"}], 13, None, ("VEHICLE",)),
}
LOADOUTS = {
    "shooters": [("rifle", 5), ("lance", 1)],
    "psychics": [("needle", 2), ("beam", 1), ("needle", 1)],
    "mixed dev": [("needle", 1), ("oddity", 2), ("rifle", 3)],
    "fighters": [("axe", 3), ("claws", 2)],
    "champions": [("claws", 1), ("axe", 2)],
    "two of a kind": [("axe", 1), ("axe", 2)],
    "barrage": [("mortar", 3)],
}


def weapon_frame() -> pd.DataFrame:
    columns = ["attack_type", "range_in", "attacks", "skill", "strength", "armour_penetration", "damage"]
    rows = [{"weapon_id": name, **dict(zip(columns, row[:7], strict=True))} for name, row in WEAPONS.items()]
    return pd.DataFrame(rows)


def keyword_frame() -> pd.DataFrame:
    rows = [
        {"weapon_id": name, "keyword": keyword, "value": None, "target_keyword": None, "threshold": None}
        for name, row in WEAPONS.items()
        for keyword in row[7]
    ]
    return pd.DataFrame(rows)


def target_rows() -> pd.DataFrame:
    columns = ["models", "toughness", "save", "invulnerable_save", "wounds", "feel_no_pain", "keywords"]
    rows = [{"target_id": name, **dict(zip(columns, row, strict=True))} for name, row in TARGETS.items()]
    return pd.DataFrame(rows)


def group_frame() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"loadout_id": loadout, "group_order": order, "weapon_id": weapon, "bearers": bearers}
            for loadout, groups in LOADOUTS.items()
            for order, (weapon, bearers) in enumerate(groups)
        ]
    )


def answer(groups: list[tuple[str, int]], target: str, scenario: str, effects: list[dict] | None = None) -> dict:
    names = ("attack_type", "range_in", "attacks", "skill", "strength", "armour_penetration", "damage", "keywords")
    attacks = [
        {"name": weapon, "bearers": bearers, **dict(zip(names, WEAPONS[weapon], strict=True))}
        for weapon, bearers in groups
    ]
    for attack in attacks:
        attack["keywords"] = [keyword for keyword in attack["keywords"] if keyword != "unheard of"]
    size, toughness, save, invulnerable, wounds, feel_no_pain, keywords = TARGETS[target]
    model = {
        "count": size,
        "toughness": toughness,
        "save": save,
        "invulnerable_save": invulnerable,
        "wounds": wounds,
        "feel_no_pain": feel_no_pain,
    }
    case = {
        "id": None,
        "attacks": attacks,
        "target": {"keywords": list(keywords), "models": [model]},
        "scenario": asdict(SCENARIOS[scenario].flags),
        "effects": effects or [],
    }
    found = resolve_case(case)
    assert "error" not in found, found
    return found


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    return weapon_matchups(weapon_frame(), keyword_frame(), target_rows())


@pytest.fixture(scope="module")
def volleys() -> Volleys:
    return volley_matchups(group_frame(), weapon_frame(), keyword_frame(), target_rows(), with_pmf=True)


def test_every_pair_of_the_matrix(matrix: Matrix) -> None:
    rows = matrix.expanded()
    ranged = {name for name, row in WEAPONS.items() if row[0] == "ranged"}
    pairs = {(row.scenario, row.weapon_id) for row in rows.itertuples()}
    expected = {(scenario, weapon) for scenario in SCENARIOS for weapon in WEAPONS}
    expected -= {("overwatch", weapon) for weapon in WEAPONS if weapon not in ranged}
    expected -= {("hidden", weapon) for weapon in WEAPONS if weapon != "mortar"}
    assert pairs == expected
    assert len(rows) == len(expected) * len(TARGETS)
    for row in rows.to_dict("records"):
        found = answer([(row["weapon_id"], 1)], row["target_id"], row["scenario"])
        assert [row[name] for name in FIGURES] == pytest.approx([found[name] for name in FIGURES], abs=1e-9), row


def test_equal_pairs_are_stored_once(matrix: Matrix) -> None:
    signatures = matrix.weapon_signature
    of = {(row.scenario, row.weapon_id): row.attack_sig for row in signatures.itertuples()}
    assert of["standard", "rifle"] == of["stationary", "rifle"]
    assert of["standard", "rifle"] != of["close", "rifle"]
    assert of["standard", "mortar"] == of["cover", "mortar"]
    assert of["standard", "axe"] == of["cover", "axe"] != of["close", "axe"]
    assert len(matrix.pair) == len(matrix.attack_signature) * len(matrix.target_signature)
    assert not matrix.pair.isna().any().any()


def test_unknown_keywords_are_flagged_and_the_weapon_resolved_without(matrix: Matrix) -> None:
    assert matrix.unknown_keywords[["weapon_id", "keyword"]].to_numpy().tolist() == [["oddity", "unheard of"]]
    assert "oddity" in set(matrix.weapon_signature["weapon_id"])


def test_what_cannot_be_read_is_returned_with_its_reason() -> None:
    weapons = weapon_frame()
    weapons.loc[0, "attacks"] = "-"
    targets = target_rows()
    targets.loc[0, "toughness"] = np.nan
    found = weapon_matchups(weapons, keyword_frame(), targets)
    assert found.unresolved_weapons[["weapon_id", "column"]].to_numpy().tolist() == [["rifle", "attacks"]]
    assert found.unresolved_targets["target_id"].tolist() == ["mob"]
    assert "rifle" not in set(found.weapon_signature["weapon_id"])


def test_results_stay_in_their_bounds(matrix: Matrix, volleys: Volleys) -> None:
    for found in (matrix, volleys):
        rows = found.pair.merge(found.target_signature, on="target_sig")
        assert (rows[list(FIGURES)] >= 0).all().all()
        assert (rows["expected_models_slain"] <= rows["models"]).all()
        assert (rows["expected_wounds_lost"] <= rows["models"] * rows["wounds"]).all()
        assert (rows["p_destroyed"] <= 1).all()


def test_every_volley(volleys: Volleys) -> None:
    rows = volleys.expanded()
    assert {row.loadout_id for row in rows.itertuples() if row.scenario == "hidden"} == {"barrage"}
    for row in rows.to_dict("records"):
        groups = LOADOUTS[row["loadout_id"]]
        if row["scenario"] == "hidden":
            groups = [group for group in groups if group[0] == "mortar"]
        found = answer(groups, row["target_id"], row["scenario"])
        assert [row[name] for name in FIGURES] == pytest.approx([found[name] for name in FIGURES], abs=1e-9), row
        assert row["models_slain_pmf"] == pytest.approx(found["models_slain_pmf"], abs=1e-9)


def test_volleys_under_rules() -> None:
    rules = [
        {"side": "attacker", "kind": "modify", "params": {"stat": "D", "delta": 1}, "condition": ["critical_wound"]},
        {"side": "attacker", "kind": "mortal_wounds", "params": {"amount": "D3", "success_on": 4}},
        {"side": "defender", "kind": "feel_no_pain", "params": {"threshold": 5, "versus": ["mortal"]}},
        {
            "side": "attacker",
            "kind": "reroll",
            "params": {"roll": "wound", "which": "ones"},
            "condition": ["target_keyword:INFANTRY"],
        },
        {"side": "defender", "kind": "modify", "params": {"stat": "W", "delta": 1}},
    ]
    for chosen in ([rules[0]], [rules[1], rules[2]], [rules[3]], [rules[4], rules[3]], rules):
        found = volley_matchups(
            group_frame(),
            weapon_frame(),
            keyword_frame(),
            target_rows(),
            scenario_frame().query("scenario == 'close'"),
            pd.DataFrame(chosen),
        )
        for row in found.expanded().to_dict("records"):
            single = answer(LOADOUTS[row["loadout_id"]], row["target_id"], "close", chosen)
            assert [row[name] for name in FIGURES] == pytest.approx([single[name] for name in FIGURES], abs=1e-9), row


def test_rules_of_targets() -> None:
    targets = target_rows()
    rules = [{"side": "defender", "kind": "stealth", "params": {}}, {"side": "defender", "kind": "benefit_of_cover"}]
    targets["effects"] = [rules, None, rules, None, [], rules]
    single = weapon_matchups(weapon_frame(), keyword_frame(), targets).expanded()
    unit = volley_matchups(group_frame(), weapon_frame(), keyword_frame(), targets).expanded()
    for row in single.to_dict("records"):
        own = dict(zip(targets["target_id"], targets["effects"], strict=True))[row["target_id"]]
        found = answer([(row["weapon_id"], 1)], row["target_id"], row["scenario"], own)
        assert [row[name] for name in FIGURES] == pytest.approx([found[name] for name in FIGURES], abs=1e-9), row
    one = unit.query("loadout_id == 'barrage'").set_index(["scenario", "target_id"])["expected_wounds_lost"]
    assert one["standard", "mob"] < one["close", "mob"] + 1e-9


def test_of_several_weapons_the_one_that_takes_most_wounds_is_used() -> None:
    groups = pd.DataFrame(
        [
            {"loadout_id": "duellist", "group_order": 1, "option": 1, "weapon_id": "claws", "bearers": 2},
            {"loadout_id": "duellist", "group_order": 1, "option": 2, "weapon_id": "axe", "bearers": 2},
            {"loadout_id": "duellist", "group_order": 2, "option": 1, "weapon_id": "claws", "bearers": 1},
        ]
    )
    found = volley_matchups(groups, weapon_frame(), keyword_frame(), target_rows())
    named = found.choice.merge(found.option, on=["volley_sig", "place", "operation"])
    rows = named.merge(found.target_map, on="target_sig").merge(
        found.expanded(), on=["scenario", "loadout_id", "target_id"]
    )
    assert len(rows) == len(found.expanded())
    assert set(rows["weapon_id"]) == {"claws", "axe"}
    for row in rows.to_dict("records"):
        alone = {
            weapon: answer([(weapon, 2)], row["target_id"], row["scenario"])["expected_wounds_lost"]
            for weapon in ("claws", "axe")
        }
        assert alone[row["weapon_id"]] == max(alone.values())
        both = answer([(row["weapon_id"], 2), ("claws", 1)], row["target_id"], row["scenario"])
        assert row["expected_wounds_lost"] == pytest.approx(both["expected_wounds_lost"], abs=1e-9)


def test_the_eight_scenarios() -> None:
    frame = scenario_frame().set_index("scenario")
    flags = {name: {flag for flag in PUBLISHED_FLAGS if frame.loc[name, flag]} for name in frame.index}
    assert flags == {
        "standard": {"beyond_12"},
        "cover": {"beyond_12", "cover"},
        "stationary": {"beyond_12", "stationary"},
        "stationary_cover": {"beyond_12", "stationary", "cover"},
        "close": {"half_range", "stationary", "charging"},
        "close_cover": {"half_range", "stationary", "charging", "cover"},
        "overwatch": {"overwatch"},
        "hidden": {"beyond_12", "hidden"},
    }
    assert set(PUBLISHED_FLAGS) == {
        "half_range", "stationary", "charging", "cover", "overwatch", "hidden", "beyond_12", "engaged",
    }  # fmt: skip

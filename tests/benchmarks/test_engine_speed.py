"""How fast the engine is beside other ways, as ratios within one run; printed.

Each way resolves the same pairs of a weapon and a unit of equal models to the expected number of models slain, and the
exact ways must agree. A pair of the engine is a weapon against a target in one of the eight scenarios, as the warehouse
asks for it: that equal pairs are computed once is the engine's way to be fast, and counts. Processor time, so that
other work on the machine does not count. Run with `make benchmark`.
"""

import time
from collections.abc import Callable
from itertools import product

import icepool
import numpy as np
import pandas as pd
import pytest

from models.dice import parse_dice
from models.matrix import Matrix, weapon_matchups
from models.wound import wound_needed

STANDARD = pd.DataFrame([{"scenario": "standard", "beyond_12": True}])


def weapon_rows() -> pd.DataFrame:
    """A few hundred plain profiles, each on three datasheets (in the whole game a profile stands on nearly four)."""
    grid = product(("1", "2", "4", "D6", "D6+3", "2D6"), (2, 3, 4), (4, 6, 9, 12), (0, -1, -3), ("1", "2", "D6"))
    columns = ["attacks", "skill", "strength", "armour_penetration", "damage"]
    rows = [dict(zip(columns, row, strict=True)) for row in grid]
    return pd.DataFrame(
        [{"weapon_id": str(n), "attack_type": "ranged", "range_in": 24} | row for n, row in enumerate(3 * rows)]
    )


def target_rows() -> pd.DataFrame:
    """More than a thousand units."""
    grid = product((1, 2, 3, 4, 5, 6, 10, 20), (3, 4, 5, 6, 8, 10, 12), (2, 3, 4, 5, 6), (1, 2, 3, 4, 10))
    columns = ["models", "toughness", "save", "wounds"]
    rows = [dict(zip(columns, row, strict=True)) for row in grid]
    return pd.DataFrame(
        [{"target_id": str(n), "keywords": (), "feel_no_pain": None} | row for n, row in enumerate(rows)]
    )


def no_keywords() -> pd.DataFrame:
    return pd.DataFrame(columns=["weapon_id", "keyword", "value", "target_keyword", "threshold"])


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def unsaved_chance(weapon: dict, target: dict) -> float:
    hit = (7 - weapon["skill"]) / 6
    wound = (7 - wound_needed(weapon["strength"], target["toughness"])) / 6
    save = max(0, min(5, 7 - (target["save"] - weapon["armour_penetration"]))) / 6
    return hit * wound * (1 - save)


def icepool_slain(weapon: dict, target: dict) -> float:
    """The pair with a library of exact dice: states of the unit walked packet by packet."""

    def die(text: str) -> "icepool.Die":
        dice = parse_dice(text)
        rolled = dice.count @ icepool.d(dice.sides) if dice.count else icepool.Die([0])
        return rolled + dice.plus

    hit = icepool.d6 >= weapon["skill"]
    wound = icepool.d6 >= wound_needed(weapon["strength"], target["toughness"])
    failed = (icepool.d6 + weapon["armour_penetration"]) < target["save"]
    one = hit & wound & (failed | (icepool.d6 == 1) if target["save"] - weapon["armour_penetration"] <= 1 else failed)
    damage = die(weapon["damage"])

    def struck(state: tuple[int, int], passes: bool, points: int) -> tuple[int, int]:
        slain, left = state
        if not passes or slain == target["models"]:
            return state
        return (slain, left - points) if points < left else (slain + 1, target["wounds"])

    total = 0.0
    for attacks, chance in die(weapon["attacks"]).items():
        state: icepool.Die = icepool.Die([(0, target["wounds"])])
        for _ in range(attacks):
            state = icepool.map(struck, state, one, damage, star=False)
        total += float(state.map(lambda slain, left: slain, star=True).mean()) * chance
    return total / die(weapon["attacks"]).denominator()


def simulated_slain(weapon: dict, target: dict, trials: int, rng: np.random.Generator) -> float:
    """The pair with a simulation on arrays: every attack of every trial at once, packets one after another."""

    def rolled(text: str, shape: tuple[int, ...]) -> np.ndarray:
        dice = parse_dice(text)
        return (
            rng.integers(1, dice.sides + 1, (*shape, dice.count)).sum(-1) + dice.plus
            if dice.count
            else np.full(shape, dice.plus)
        )

    attacks = rolled(weapon["attacks"], (trials,))
    most = int(attacks.max())
    made = np.arange(most)[None, :] < attacks[:, None]
    shape = (trials, most)
    hit = rng.integers(1, 7, shape) >= weapon["skill"]
    wound = rng.integers(1, 7, shape) >= wound_needed(weapon["strength"], target["toughness"])
    roll = rng.integers(1, 7, shape)
    saved = (roll > 1) & (roll + weapon["armour_penetration"] >= target["save"])
    unsaved = made & hit & wound & ~saved
    damage = rolled(weapon["damage"], shape)
    slain = np.zeros(trials, dtype=np.int64)
    left = np.full(trials, target["wounds"])
    for packet in range(most):
        points = np.where(unsaved[:, packet], damage[:, packet], 0)
        dies = (points >= left) & (points > 0) & (slain < target["models"])
        left = np.where(dies, target["wounds"], np.maximum(left - points, 1) if dies.any() else left - points)
        slain += dies
    return float(slain.mean())


def cross_joined(weapons: pd.DataFrame, targets: pd.DataFrame) -> pd.DataFrame:
    """Expected damage without allocation by a cross join with a row function, as a notebook would do it."""
    pairs = weapons.merge(targets, how="cross")

    def one(row: pd.Series) -> float:
        attacks, damage = parse_dice(row["attacks"]).mean, parse_dice(row["damage"]).mean
        return attacks * unsaved_chance(row, row) * damage

    pairs["expected_damage"] = pairs.apply(one, axis=1)
    return pairs


@pytest.fixture(scope="module")
def per_pair() -> float:
    """Seconds of the engine for each pair, the better of two runs."""
    weapons, targets = weapon_rows(), target_rows()
    found: list[Matrix] = []
    spent = min(seconds(lambda: found.append(weapon_matchups(weapons, no_keywords(), targets))) for _ in range(2))
    pairs = len(found[0].weapon_signature) * len(targets)
    print(f"\nengine: {spent:.2f} s for {pairs:,} pairs, {spent / pairs * 1e6:.2f} microseconds each")
    return spent / pairs


def some_pairs(number: int) -> list[tuple[dict, dict]]:
    weapons, targets = weapon_rows().to_dict("records"), target_rows().to_dict("records")
    rng = np.random.default_rng(10)
    chosen = [
        (weapons[w] | {"strength": int(weapons[w]["strength"])}, targets[t])
        for w, t in zip(rng.integers(len(weapons), size=number), rng.integers(len(targets), size=number), strict=True)
    ]
    return chosen


def engine_slain(pairs: list[tuple[dict, dict]]) -> list[float]:
    found = weapon_matchups(weapon_rows(), no_keywords(), target_rows(), STANDARD).expanded()
    slain = found.set_index(["weapon_id", "target_id"])["expected_models_slain"]
    return [float(slain[weapon["weapon_id"], target["target_id"]]) for weapon, target in pairs]


def test_against_a_library_of_exact_dice(per_pair: float) -> None:
    pairs = some_pairs(30)
    found: list[float] = []
    spent = seconds(lambda: found.extend(icepool_slain(*pair) for pair in pairs)) / len(pairs)
    assert found == pytest.approx(engine_slain(pairs), abs=1e-9)
    print(f"icepool: {spent * 1e3:.2f} ms a pair, {spent / per_pair:,.0f} times the engine")
    assert spent / per_pair >= 3000


def test_against_a_simulation(per_pair: float) -> None:
    pairs = some_pairs(60)
    rng = np.random.default_rng(40)
    found: list[float] = []
    spent = seconds(lambda: found.extend(simulated_slain(*pair, 10_000, rng) for pair in pairs)) / len(pairs)
    assert found == pytest.approx(engine_slain(pairs), abs=0.15)
    print(f"simulation of 10,000 trials: {spent * 1e3:.2f} ms a pair, {spent / per_pair:,.0f} times the engine")
    assert spent / per_pair >= 5000


def test_against_a_cross_join(per_pair: float) -> None:
    weapons, targets = weapon_rows().iloc[::9], target_rows().iloc[::9]
    weapons = weapons.assign(strength=weapons["strength"].astype(int))
    joined: list[pd.DataFrame] = []
    spent = seconds(lambda: joined.append(cross_joined(weapons, targets))) / (len(weapons) * len(targets))
    found = weapon_matchups(weapon_rows(), no_keywords(), target_rows(), STANDARD).expanded()
    both = joined[0].merge(found, on=["weapon_id", "target_id"])
    assert both["expected_damage_x"].to_numpy() == pytest.approx(both["expected_damage_y"].to_numpy(), abs=1e-9)
    print(f"cross join: {spent * 1e6:.1f} microseconds a pair, {spent / per_pair:,.1f} times the engine")
    assert spent / per_pair >= 15

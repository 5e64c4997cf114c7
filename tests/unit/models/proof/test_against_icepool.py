"""The engine against a dice library that is not ours: whole attack sequences, the slain distribution included.

Belongs here: attack sequences said in the words of icepool (dice mapped to dice), and the comparison. The library knows
nothing of the game; what it proves is the counting, from the number of attacks to the distribution of models slain.
"""

from dataclasses import dataclass
from itertools import product
from typing import Any

import icepool
import pytest
from icepool import Die, Vector, d3, d6

from models.resolve import resolve_case

from .grid import Case, attack, case, effect, models

DICE: dict[str, Any] = {
    "1": Die([1]),
    "2": Die([2]),
    "3": Die([3]),
    "4": Die([4]),
    "D3": d3,
    "D6": d6,
    "D3+1": d3 + 1,
    "D6+1": d6 + 1,
    "2D3": 2 @ d3,
    "2D6": 2 @ d6,
}


@dataclass(frozen=True)
class Sequence:
    """One weapon against one kind of model. Thresholds are faces needed on the die, 7 for never."""

    attacks: str = "4"
    skill: int = 3
    wound_on: int = 4
    save_on: int = 5
    damage: str = "2"
    wounds: int = 2
    count: int = 3
    feel_no_pain: int = 7
    against_mortal: int = 7
    sustained: str = ""
    lethal: bool = False
    devastating: bool = False
    anti: int = 7
    twin_linked: bool = False
    reroll_hits: str = ""

    def to_case(self) -> Case:
        """The same sequence as a case: Strength 4, 5, 8 or 3 against Toughness 4 (6 for a 6+) gives the wound roll."""
        strength = {2: 8, 3: 5, 4: 4, 5: 3, 6: 2}[self.wound_on]
        keywords = ["lethal hits"] * self.lethal + ["devastating wounds"] * self.devastating
        keywords += [f"sustained hits {self.sustained}"] if self.sustained else []
        keywords += [f"anti-beast {self.anti}+"] if self.anti < 7 else []
        keywords += ["twin-linked"] if self.twin_linked else []
        ignoring: Any = [{"threshold": self.feel_no_pain, "versus": "any"}] if self.feel_no_pain < 7 else []
        ignoring += [{"threshold": self.against_mortal, "versus": "mortal"}] if self.against_mortal < 7 else []
        rows = {
            "": [],
            "ones": [effect("reroll", roll="hit", which="ones")],
            "failed": [effect("reroll", roll="hit", which="any", policy="failed")],
            "non_critical": [effect("reroll", roll="hit", which="any", policy="non_critical")],
        }
        weapon = attack(self.attacks, self.skill, strength=strength, damage=self.damage, keywords=keywords)
        target = models(self.count, save=self.save_on, wounds=self.wounds, feel_no_pain=ignoring or None)
        return case([weapon], [target], rows[self.reroll_hits], ["BEAST"])


def hit_die(sequence: Sequence) -> Any:
    """0 a miss, 1 a hit, 2 a Critical Hit."""
    again = {
        "": [],
        "ones": [1],
        "failed": [face for face in range(1, 6) if face < sequence.skill],
        "non_critical": [1, 2, 3, 4, 5],
    }[sequence.reroll_hits]
    roll = d6.reroll(again, depth=1) if again else d6
    return roll.map(lambda face: 2 if face == 6 else int(face >= sequence.skill))


def wound_die(sequence: Sequence) -> Any:
    """``(wounds, critical wounds, ordinary packets unsaved, devastating packets)`` of one hit that rolls to wound."""
    critical = min(6, sequence.anti)
    needed = min(critical, sequence.wound_on)
    roll = d6.reroll(list(range(1, needed)), depth=1) if sequence.twin_linked else d6

    def wounded(face: int) -> Any:
        if face < needed:
            return Vector((0, 0, 0, 0))
        if face >= critical and sequence.devastating:
            return Vector((1, 1, 0, 1))
        return save_die(sequence).map(lambda failed: Vector((1, int(face >= critical), failed, 0)))

    return roll.map(wounded)


def save_die(sequence: Sequence) -> Any:
    """1 where the save fails."""
    return d6.map(lambda face: int(face < max(2, sequence.save_on)))


def attack_die(sequence: Sequence) -> Any:
    """``(hits, critical hits)`` and the four counts of ``wound_die`` for one attack."""
    rolled = wound_die(sequence)
    automatic = save_die(sequence).map(lambda failed: Vector((1, 0, failed, 0)))

    def with_hits(hits: int, criticals: int, wounds: Any) -> Any:
        return wounds.map(lambda *counts: Vector((hits, criticals, *counts)), star=True)

    def hit(result: int) -> Any:
        if result == 0:
            return Vector((0, 0, 0, 0, 0, 0))
        if result == 1:
            return with_hits(1, 0, rolled)
        first = automatic if sequence.lethal else rolled
        if not sequence.sustained:
            return with_hits(1, 1, first)
        return DICE[sequence.sustained].map(lambda extra: with_hits(1 + extra, 1, first + extra @ rolled))

    return hit_die(sequence).map(hit)


def points_die(sequence: Sequence, mortal: bool) -> Any:
    """Points of damage of one packet that Feel No Pain lets through."""
    best = min(sequence.feel_no_pain, sequence.against_mortal if mortal else 7)
    return DICE[sequence.damage].map(lambda damage: damage @ d6.map(lambda face: int(face < best)))


def after_packets(sequence: Sequence, start: Any, packets: int, points: Any) -> Any:
    """The unit (models left, wounds left on the model in front) after some packets."""

    def take(unit: tuple[int, int], damage: int) -> tuple[int, int]:
        left, front = unit
        if left == 0 or damage < front:
            return (left, front - damage if left else front)
        return (left - 1, sequence.wounds)

    unit = start
    for _ in range(packets):
        unit = icepool.map(take, unit, points, star=False)
    return unit


def slain_die(sequence: Sequence, counts: Any) -> Any:
    """Models slain: ordinary packets first, devastating ones last."""
    whole = Die([(sequence.count, sequence.wounds)])
    packets = counts.map(lambda *parts: (parts[4], parts[5]), star=True)

    def result(ordinary: int, devastating: int) -> Any:
        middle = after_packets(sequence, whole, ordinary, points_die(sequence, mortal=False))
        return after_packets(sequence, middle, devastating, points_die(sequence, mortal=True))

    return packets.map(result, star=True).map(lambda left, _: sequence.count - left, star=True)


SEQUENCES = [
    Sequence(),
    Sequence(attacks="D6", damage="3", wounds=2, count=4),
    Sequence(attacks="D6", skill=4, wound_on=3, damage="1", wounds=1, count=8),
    Sequence(attacks="D3+1", damage="D6", wounds=3, count=2),
    Sequence(attacks="D6+1", damage="D3", wounds=4, count=2, save_on=3),
    Sequence(damage="D6+1", feel_no_pain=5, save_on=7),
    Sequence(damage="2D3", feel_no_pain=6, wounds=5, count=2),
    Sequence(attacks="2D3", damage="2D6", wounds=9, count=2, wound_on=5),
    Sequence(devastating=True, damage="D3", against_mortal=4, wounds=3),
    Sequence(devastating=True, damage="D6", against_mortal=5, feel_no_pain=6, anti=4, wounds=5),
    Sequence(devastating=True, anti=2, twin_linked=True, damage="3", wounds=4),
    Sequence(sustained="1", lethal=True, devastating=True),
    Sequence(attacks="3", sustained="D3", lethal=True, damage="D3", wounds=3),
    Sequence(sustained="2", skill=6, wound_on=2, save_on=6, damage="1", wounds=1, count=6),
    Sequence(sustained="D3", devastating=True, anti=5, attacks="D3", wounds=3, against_mortal=5),
    *(
        Sequence(skill=skill, reroll_hits=again, lethal=lethal, sustained="1", twin_linked=lethal, wound_on=5)
        for skill, again, lethal in product((2, 3, 5), ("ones", "failed", "non_critical"), (True, False))
    ),
    *(
        Sequence(wound_on=wound, save_on=save, damage=damage, wounds=wounds, count=3, feel_no_pain=ignoring)
        for (wound, save), (damage, wounds, ignoring) in product(
            ((2, 2), (3, 4), (6, 3)), (("1", 1, 7), ("4", 3, 5), ("D3+1", 2, 6), ("D6", 4, 7))
        )
    ),
]


@pytest.mark.parametrize("sequence", SEQUENCES, ids=range(len(SEQUENCES)))
def test_whole_sequences(sequence: Sequence) -> None:
    counts = DICE[sequence.attacks] @ attack_die(sequence)
    slain = slain_die(sequence, counts)
    ordinary, mortal = points_die(sequence, mortal=False), points_die(sequence, mortal=True)
    expected = {
        "expected_attacks": DICE[sequence.attacks].mean(),
        "expected_hits": counts.marginals[0].mean(),
        "expected_critical_hits": counts.marginals[1].mean(),
        "expected_wounds": counts.marginals[2].mean(),
        "expected_critical_wounds": counts.marginals[3].mean(),
        "expected_unsaved": counts.marginals[4].mean() + counts.marginals[5].mean(),
        "expected_damage": counts.marginals[4].mean() * ordinary.mean() + counts.marginals[5].mean() * mortal.mean(),
        "expected_models_slain": slain.mean(),
        "p_destroyed": slain.probability(sequence.count),
    }
    answer = resolve_case(sequence.to_case())
    wanted = {name: float(value) for name, value in expected.items()}
    assert {name: answer[name] for name in expected} == pytest.approx(wanted, abs=1e-9)
    probabilities = [float(slain.probability(k)) for k in range(sequence.count + 1)]
    assert answer["models_slain_pmf"] == pytest.approx(probabilities, abs=1e-9)

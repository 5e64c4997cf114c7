"""One attack from the Hit roll to the packets of damage that it sends.

Belongs here: how hits, extra hits, automatic wounds, wounds and critical wounds hang together, and the expectations
that need no allocation. Does not belong here: the rolls themselves, and what packets do to models.

Readings. Sustained Hits' extra hits are not critical and always roll to wound. Lethal Hits' automatic wound made no
Wound roll: no Critical Wound. Lethal Hits is compulsory. Counts before allocation are as if every die were rolled even
after the target is gone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from models.damage import loss_pmf
from models.dice import Pmf, changed_pmf, compounded, dice_pmf, mean, point
from models.fold import AttackPlan, Defence, MortalWounds, Packet, unsaved_chance
from models.hit import hit_chances
from models.rolls import Chances
from models.wound import WoundRule, wound_chances


@dataclass(frozen=True)
class AttackChances:
    """Probabilities of one attack. `wound_on_critical_hit` is for the critical hit itself, `wound` for all others."""

    hit: Chances
    wound: Chances
    wound_on_critical_hit: Chances
    lethal: bool
    sustained: Pmf

    @property
    def hits(self) -> float:
        """Expected hits of one attack, extra hits included."""
        return self.hit.plain + self.hit.critical * (1.0 + mean(self.sustained))

    @property
    def plain_hits(self) -> float:
        """Expected hits of one attack that are not the critical hit itself."""
        return self.hit.plain + self.hit.critical * mean(self.sustained)

    @property
    def wounds(self) -> float:
        return self.plain_hits * self.wound.success + self.hit.critical * self.wound_on_critical_hit.success

    @property
    def critical_wounds(self) -> float:
        return self.plain_hits * self.wound.critical + self.hit.critical * self.wound_on_critical_hit.critical


def _mixed(rules: tuple[tuple[float, WoundRule], ...]) -> Chances:
    parts = [(chance, wound_chances(rule)) for chance, rule in rules]
    return Chances(sum(c * p.plain for c, p in parts), sum(c * p.critical for c, p in parts))


@lru_cache(maxsize=65536)
def attack_chances(plan: AttackPlan) -> AttackChances:
    """Probabilities of one attack of this plan."""
    automatic = Chances(1.0, 0.0)
    return AttackChances(
        hit=hit_chances(plan.hit),
        wound=_mixed(plan.wound),
        wound_on_critical_hit=automatic if plan.lethal else _mixed(plan.wound_on_critical_hit),
        lethal=plan.lethal,
        sustained=point(0) if plan.sustained is None else dice_pmf(plan.sustained),
    )


def packet_rates(plan: AttackPlan) -> list[tuple[float, Packet]]:
    """Expected packets of each class that one attack sends, before saving throws."""
    chances = attack_chances(plan)
    rates: dict[Packet, float] = {}
    for critical_hit, hits, wound in (
        (False, chances.plain_hits, chances.wound),
        (True, chances.hit.critical, chances.wound_on_critical_hit),
    ):
        for critical_wound, chance in ((False, wound.plain), (True, wound.critical)):
            if hits * chance > 0:
                packet = plan.packet(critical_hit, critical_wound)
                rates[packet] = rates.get(packet, 0.0) + hits * chance
    return [(rate, packet) for packet, rate in rates.items()]


def reachable_packets(plan: AttackPlan) -> list[Packet]:
    """Classes of packets that an attack of this plan can send at all."""
    return [packet for _, packet in packet_rates(plan)]


@dataclass(frozen=True)
class Expected:
    """Expected counts before allocation. `unsaved` and `damage` are for models that defend as the given defence."""

    attacks: float
    hits: float
    critical_hits: float
    wounds: float
    critical_wounds: float
    unsaved: float
    damage: float


def expected(plan: AttackPlan, bearers: int, defence: Defence) -> Expected:
    """Expected counts of all bearers' attacks; mortal wounds beside the damage are not in it."""
    chances = attack_chances(plan)
    attacks = bearers * mean(changed_pmf(plan.attacks))
    unsaved = damage = 0.0
    for rate, packet in packet_rates(plan):
        passing = rate * unsaved_chance(plan, packet, defence)
        unsaved += passing
        damage += passing * mean(loss_pmf(packet.damage, feel_no_pain_against(packet, defence)))
    return Expected(
        attacks=attacks,
        hits=attacks * chances.hits,
        critical_hits=attacks * chances.hit.critical,
        wounds=attacks * chances.wounds,
        critical_wounds=attacks * chances.critical_wounds,
        unsaved=attacks * unsaved,
        damage=attacks * damage,
    )


def feel_no_pain_against(packet: Packet, defence: Defence) -> int:
    """Devastating Wounds come as mortal wounds, so Feel No Pain against those applies to them."""
    return defence.feel_no_pain_mortal if packet.devastating else defence.feel_no_pain


def mortal_wounds_pmf(plan: AttackPlan, rule: MortalWounds) -> Pmf:
    """Distribution of the mortal wounds that one attack brings by a rule, before any maximum and Feel No Pain."""
    chances = attack_chances(plan)
    none, amounts = point(0), rule.pmf

    def on(event: str) -> Pmf:
        return amounts if rule.event == event else none

    def hit(critical: bool) -> Pmf:
        wound = chances.wound_on_critical_hit if critical else chances.wound
        wounded = np.convolve(on("wound"), on("critical_wound"))
        after = mixed([(1.0 - wound.success, none), (wound.plain, on("wound")), (wound.critical, wounded)])
        after = np.convolve(after, on("hit"))
        return np.convolve(after, on("critical_hit")) if critical else after

    extra = compounded(chances.sustained, hit(False))
    parts = [
        (1.0 - chances.hit.success, none),
        (chances.hit.plain, hit(False)),
        (chances.hit.critical, np.convolve(hit(True), extra)),
    ]
    return np.convolve(mixed(parts), on("attack"))


def mixed(parts: Sequence[tuple[float, Pmf]]) -> Pmf:
    """Distribution that is one of several with the given probabilities."""
    result = np.zeros(max(len(pmf) for _, pmf in parts))
    for chance, pmf in parts:
        result[: len(pmf)] += chance * pmf
    return result

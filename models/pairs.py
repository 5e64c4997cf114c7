"""Attack signatures against many targets of equal models: the probabilities of one attack for each pair.

Belongs here: folding once for all pairs that are alike, and arrays over targets. Every rule is applied by `models.fold`
and the modules of the steps. Does not belong here: numbers of packets and what they do (`models.counts`,
`models.chains`), frames (`models.frames`).

What the folding of an attack reads of a target is its Toughness, the size of the unit where the weapon has Blast, and
the keywords that the weapon is Anti to. Targets that agree in these share one plan; where rules beyond keywords are in
force, every target has its own.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.allocation import Array
from models.counts import Number, Rates
from models.damage import loss_pmf
from models.dice import Pmf, Rolled, changed_pmf, mean
from models.effects import Circumstances, Effect
from models.fold import (
    NO_ATTACKS,
    AttackPlan,
    Packet,
    defend,
    fold_attack,
    plain_attacks,
    plain_strengths,
    unsaved_chance,
    wounded_profile,
)
from models.rolls import Chances
from models.scenarios import Scenario
from models.sequence import attack_chances, reachable_packets
from models.units import Attacker, ModelGroup, TargetUnit, Weapon
from models.wound import WoundRule, wound_chances

NOBODY = Attacker()
_PROBE = TargetUnit((ModelGroup("", 1, 1, 7, 1),))
KEYS = ((False, False), (False, True), (True, False), (True, True))
Places = NDArray[np.int64]
Strengths = tuple[tuple[float, int], ...]


@dataclass(frozen=True)
class AttackSignature:
    """A weapon in a scenario under rules; two of them are equal where every pair with a target is."""

    weapon: Weapon = field(compare=False)
    scenario: Scenario = field(compare=False)
    effects: tuple[Effect, ...]
    probe: AttackPlan
    strengths: Strengths
    anti: frozenset[tuple[str, int]]
    blast: bool
    named: tuple[Weapon, Scenario] | None

    @classmethod
    def of(
        cls, weapon: Weapon, scenario: Scenario, effects: tuple[Effect, ...] = (), exact: bool = False
    ) -> "AttackSignature | None":
        """The signature, None where the weapon cannot attack.

        `exact`: targets have rules of their own, which may ask for anything; only the same weapon in the same
        scenario is then the same signature.
        """
        probe = fold_attack(weapon, scenario, effects, _PROBE, NOBODY)
        if probe.attacks == NO_ATTACKS:
            return None
        save = replace(probe.save, cover=probe.save.cover and not probe.denies_cover)
        probe = replace(probe, name="", hazardous=False, hit_reasons=(), save=save, denies_cover=False)
        return cls(
            weapon=weapon,
            scenario=scenario,
            effects=effects,
            probe=probe,
            strengths=plain_strengths(weapon),
            anti=frozenset(weapon.keywords.anti),
            blast="blast" in weapon.keywords,
            named=(weapon, scenario) if effects or exact else None,
        )

    @property
    def has_rules(self) -> bool:
        """Whether the target may matter for more than Toughness, size and keywords."""
        return self.named is not None

    def plan(self, target: "TargetSignature") -> AttackPlan:
        return fold_attack(self.weapon, self.scenario, self.effects + target.effects, target.unit, NOBODY)


@dataclass(frozen=True)
class TargetSignature:
    """A unit of equal models with the rules of its own."""

    unit: TargetUnit
    effects: tuple[Effect, ...] = ()

    @property
    def group(self) -> ModelGroup:
        return self.unit.groups[0]


class TargetSet:
    """Target signatures as arrays, and their saves against packets."""

    def __init__(self, signatures: Sequence[TargetSignature]) -> None:
        self.signatures = tuple(_with_wounds(signature) for signature in signatures)
        groups = [signature.group for signature in self.signatures]
        self.models = np.array([group.count for group in groups], dtype=np.int64)
        self.wounds = np.array([group.wounds for group in groups], dtype=np.int64)
        self.toughness = np.array([group.toughness for group in groups], dtype=np.int64)
        defenders = [
            replace(group, name=group.name if signature.effects else "", count=1, toughness=1, wounds=1)
            for group, signature in zip(groups, self.signatures, strict=True)
        ]
        self.defenders = tuple(dict.fromkeys(defenders))
        places = {defender: place for place, defender in enumerate(self.defenders)}
        self.defender = np.array([places[defender] for defender in defenders], dtype=np.int64)
        self._unsaved: dict[Hashable, Array] = {}
        self._thresholds: dict[Hashable, Places] = {}
        self._alike: dict[Hashable, Places] = {}
        self._views: dict[Hashable, tuple[Places, Places]] = {}
        self._kinds: dict[Hashable, tuple[Places, Places, Places]] = {}

    def __len__(self) -> int:
        return len(self.signatures)

    @cached_property
    def keywords(self) -> Mapping[str, NDArray[np.bool_]]:
        names = {name for signature in self.signatures for name in signature.unit.keywords}
        return {
            name: np.array([name in signature.unit.keywords for signature in self.signatures]) for name in sorted(names)
        }

    def views(self, attack: AttackSignature) -> tuple[Places, Places]:
        """Targets that are alike to this attack: (a target of each view, the view of each target)."""
        if attack.has_rules:
            every = np.arange(len(self), dtype=np.int64)
            return every, every
        key = (attack.blast, frozenset(name for name, _ in attack.anti))
        if key not in self._views:
            self._views[key] = self._alike_to(attack)
        return self._views[key]

    def kinds(self, attack: AttackSignature) -> tuple[Places, Places, Places]:
        """Kinds of targets to this attack: (view of each kind, defender of each kind, kind of each target)."""
        _, view = self.views(attack)
        key = (attack.has_rules, attack.blast, frozenset(name for name, _ in attack.anti))
        if key not in self._kinds:
            code = view * len(self.defenders) + self.defender
            different, kind = np.unique(code, return_inverse=True)
            own_view, own_defender = np.divmod(different, len(self.defenders))
            self._kinds[key] = (own_view, own_defender, kind.astype(np.int64))
        return self._kinds[key]

    def _alike_to(self, attack: AttackSignature) -> tuple[Places, Places]:
        columns: list[NDArray[Any]] = [self.toughness]
        if attack.blast:
            columns.append(self.models // 5)
        columns += [self.keywords[name] for name, _ in sorted(attack.anti) if name in self.keywords]
        code = np.zeros(len(self), dtype=np.int64)
        for column in columns:
            code = code * (int(column.max(initial=0)) + 1) + column
        _, first, view = np.unique(code, return_index=True, return_inverse=True)
        return first.astype(np.int64), view.astype(np.int64)

    def unsaved(self, plan: AttackPlan, packet: Packet) -> Array:
        """Probability of each kind of defender to fail its save against a packet."""
        key = (
            plan.is_ranged, plan.save, plan.denies_cover, plan.defence, packet.armour_penetration, packet.devastating,
        )  # fmt: skip
        if key not in self._unsaved:
            self._unsaved[key] = np.array(
                [unsaved_chance(plan, packet, defend(plan, group)) for group in self.defenders]
            )
        return self._unsaved[key]

    def alike(self, tables: Sequence[Array]) -> Places:
        """A number for each kind of defender; those with the same number agree in all these tables (of `unsaved`)."""
        key = tuple(id(table) for table in tables)  # the tables are kept, so their ids stand for them
        if key not in self._alike:
            rows = np.stack(tables, axis=1)
            self._alike[key] = np.unique(rows, axis=0, return_inverse=True)[1].ravel().astype(np.int64)
        return self._alike[key]

    def thresholds(self, plan: AttackPlan) -> Places:
        """Feel No Pain of each kind of defender: an array (ordinary packets or those that wait, defenders)."""
        key = (plan.psychic, plan.is_ranged, plan.defence)
        if key not in self._thresholds:
            defences = [defend(plan, group) for group in self.defenders]
            self._thresholds[key] = np.array(
                [[one.feel_no_pain for one in defences], [one.feel_no_pain_mortal for one in defences]], dtype=np.int64
            )
        return self._thresholds[key]


def _with_wounds(signature: TargetSignature) -> TargetSignature:
    """Wounds after the target's own rules; they stand before the first attack."""
    if not signature.effects:
        return signature
    now = Circumstances(Scenario(), signature.unit, NOBODY)
    return replace(signature, unit=wounded_profile(signature.unit, signature.effects, now))


@lru_cache(maxsize=65536)
def plain_wounds(rule: WoundRule, strengths: Strengths) -> dict[tuple[int, int], Chances]:
    """Chances of a Wound roll by (Toughness, Anti threshold), filled as they are asked for."""
    return {}


def plain_wound(rule: WoundRule, strengths: Strengths, toughness: int, anti_threshold: int) -> Chances:
    """Chances of a Wound roll whose rule was folded against another target."""
    parts = [(chance, wound_chances(rule.against(own, toughness, anti_threshold))) for chance, own in strengths]
    return Chances(sum(c * part.plain for c, part in parts), sum(c * part.critical for c, part in parts))


@dataclass(frozen=True)
class View:
    """What one attack is against targets that are alike to it."""

    plan: AttackPlan
    attacks: Rolled
    hit: Chances
    sustained: Pmf
    wound: Chances
    wound_on_critical_hit: Chances
    damages: tuple[Rolled, Rolled]
    simple: bool


def _view_of(plan: AttackPlan) -> View:
    chances = attack_chances(plan)
    packets = reachable_packets(plan)
    ordinary = {packet.damage: None for packet in packets if not packet.devastating}
    late = {packet.damage: None for packet in packets if packet.devastating}
    plain = plan.packet(False, False).damage
    return View(
        plan=plan,
        attacks=plan.attacks,
        hit=chances.hit,
        sustained=chances.sustained,
        wound=chances.wound,
        wound_on_critical_hit=chances.wound_on_critical_hit,
        damages=(next(iter(ordinary), plain), next(iter(late), plain)),
        # All ordinary packets alike, all that wait alike, and nothing else comes of an attack.
        simple=len(ordinary) <= 1 and len(late) <= 1 and not plan.mortal_wounds,
    )


def _plain_views(attack: AttackSignature, targets: TargetSet, first: Places) -> list[View]:
    """Views of an attack without rules: only the Wound roll and the size for Blast depend on the target."""
    base = _view_of(attack.probe)
    rule = attack.probe.wound[0][1]
    known = plain_wounds(rule, attack.strengths)
    views = []
    for place in first.tolist():
        unit = targets.signatures[place].unit
        anti = min((threshold for name, threshold in attack.anti if name in unit.keywords), default=7)
        key = (unit.groups[0].toughness, anti)
        wound = known.get(key)
        if wound is None:
            wound = known[key] = plain_wound(rule, attack.strengths, *key)
        views.append(
            View(
                plan=base.plan,
                attacks=plain_attacks(attack.weapon, attack.scenario, unit.models) if attack.blast else base.attacks,
                hit=base.hit,
                sustained=base.sustained,
                wound=wound,
                wound_on_critical_hit=base.wound_on_critical_hit if attack.probe.lethal else wound,
                damages=base.damages,
                simple=base.simple,
            )
        )
    return views


@lru_cache(maxsize=65536)
def mean_losses(damage: Rolled) -> Array:
    """Expected points of one unsaved packet after Feel No Pain 2+ to 7 (none)."""
    return np.array([mean(loss_pmf(damage, threshold)) for threshold in range(2, 8)])


@dataclass(frozen=True)
class PairRates:
    """One attack signature against all targets of a set.

    Targets that are alike to the attack and defend alike are one kind: `own`, `own_view`, `own_threshold` and
    `own_same` are arrays over kinds, `kind` says of each target which it is. Kinds with equal rates agree in `own_same`.
    """

    attack: AttackSignature
    views: tuple[View, ...]
    kind: Places
    own: Rates
    own_view: Places
    own_same: Places
    own_threshold: Places

    @cached_property
    def view(self) -> Places:
        """The view of each target."""
        return self.own_view[self.kind]

    @cached_property
    def rates(self) -> Rates:
        """Probabilities for each target."""
        return self.own.take(self.kind)

    @cached_property
    def same(self) -> Places:
        """A number for each target; with the same number, the same rates."""
        return self.own_same[self.kind]

    @cached_property
    def feel_no_pain(self) -> Places:
        """Feel No Pain of each target against ordinary packets."""
        return self.own_threshold[0][self.kind]

    @cached_property
    def feel_no_pain_late(self) -> Places:
        """Feel No Pain of each target against packets that wait."""
        return self.own_threshold[1][self.kind]

    @cached_property
    def simple(self) -> NDArray[np.bool_]:
        return np.array([one.simple for one in self.views])[self.own_view][self.kind]

    @cached_property
    def alike(self) -> NDArray[np.bool_]:
        """Whether packets that wait meet the same Feel No Pain as the others, or there are none."""
        none = (self.own.plain_late == 0) & (self.own.critical_late == 0)
        return ((self.own_threshold[0] == self.own_threshold[1]) | none)[self.kind]

    def number(self, view: int, bearers: int) -> Number:
        return Number(changed_pmf(self.views[view].attacks), bearers)

    def counts(self, bearers: int) -> dict[str, Array]:
        """Expected attacks, hits, wounds, unsaved attacks and damage of each pair, before allocation."""
        attacks_of = {view.attacks: mean(changed_pmf(view.attacks)) for view in self.views}
        sustained_of = {id(view.sustained): mean(view.sustained) for view in self.views}
        table = np.array(
            [
                (
                    attacks_of[view.attacks],
                    sustained_of[id(view.sustained)],
                    view.wound.success,
                    view.wound_on_critical_hit.success,
                )
                for view in self.views
            ]
        )[self.own_view]
        attacks = bearers * table[:, 0]
        rates = self.own
        plain = rates.plain + rates.critical * table[:, 1]
        ordinary = plain * rates.plain_packet + rates.critical * rates.critical_packet
        late = plain * rates.plain_late + rates.critical * rates.critical_late
        found = {
            "expected_attacks": attacks,
            "expected_hits": attacks * (plain + rates.critical),
            "expected_wounds": attacks * (plain * table[:, 2] + rates.critical * table[:, 3]),
            "expected_unsaved": attacks * (ordinary + late),
            "expected_damage": attacks * (ordinary * self._loss(0) + late * self._loss(1)),
        }
        return {name: values[self.kind] for name, values in found.items()}

    def _loss(self, which: int) -> Array:
        """Expected points that an unsaved packet of each kind takes after Feel No Pain."""
        thresholds = self.own_threshold[which]
        if not self.attack.has_rules:
            return mean_losses(self.views[0].damages[which])[thresholds - 2]
        return np.stack([mean_losses(view.damages[which]) for view in self.views])[self.own_view, thresholds - 2]


def pair_rates(attack: AttackSignature, targets: TargetSet) -> PairRates:
    """Fold an attack against every view of the targets; probabilities for every kind of pair."""
    first, _ = targets.views(attack)
    view, defender, kind = targets.kinds(attack)
    if attack.has_rules:
        views = [_view_of(attack.plan(targets.signatures[place])) for place in first.tolist()]
    else:
        views = _plain_views(attack, targets, first)
    rows = np.array([(*one.hit, *one.wound, *one.wound_on_critical_hit) for one in views])[view]
    unsaved, late, tables = {}, {}, []
    for key in KEYS:
        if attack.has_rules:
            packets = [one.plan.packet(*key) for one in views]
            table = np.array([targets.unsaved(one.plan, packet) for one, packet in zip(views, packets, strict=True)])
            unsaved[key] = table[view, defender]
            late[key] = np.array([packet.devastating for packet in packets])[view]
        else:
            packet = attack.probe.packet(*key)
            tables.append(targets.unsaved(attack.probe, packet))
            unsaved[key] = tables[-1][defender]
            late[key] = np.full(len(view), packet.devastating)

    def sent(critical_hit: bool, waiting: bool) -> Array:
        total = np.zeros(len(view))
        for critical_wound in (False, True):
            key = (critical_hit, critical_wound)
            chance = rows[:, 2 + 2 * critical_hit + critical_wound] * unsaved[key]
            total += np.where(late[key] == waiting, chance, 0.0)
        return total

    if attack.has_rules:
        thresholds = np.array([targets.thresholds(one.plan) for one in views])[view, :, defender].T
        same = np.arange(len(view), dtype=np.int64)
    else:
        thresholds = targets.thresholds(attack.probe)[:, defender]
        same = _same(views, view, targets.alike(tables)[defender], len(targets.defenders))
    return PairRates(
        attack=attack,
        views=tuple(views),
        kind=kind,
        own=Rates(rows[:, 0], rows[:, 1], sent(False, False), sent(True, False), sent(False, True), sent(True, True)),
        own_view=view,
        own_same=same,
        own_threshold=thresholds,
    )


def _same(views: Sequence[View], view: Places, defender: Places, defenders: int) -> Places:
    """A number for each kind of pair; those with the same number have the same rates."""
    known: dict[Hashable, int] = {}
    numbers = [known.setdefault((one.hit, one.wound, one.wound_on_critical_hit), len(known)) for one in views]
    return np.array(numbers, dtype=np.int64)[view] * defenders + defender

"""The exact distribution of what a unit's attacks do to one target, attack by attack.

Belongs here: the walk through all attacks of all weapons, with what has to wait until they are done. Does not belong
here: reading cases (`models.resolve`), and the fast ways for equal models (`models.matrix`, `models.volley`).

Readings. Weapons fire in the given order and damage carries on. Devastating Wounds come after all other attacks of the
unit, across all its weapons, in the order of the weapons, and do not spill over. Other mortal wounds come after that,
one at a time, and do.

What waits is counted on axes of its own before the two axes of the unit's states, so that its dependence on the damage
that came first is kept: an attack that sends a Devastating Wound sends no ordinary one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from models.allocation import Array, UnitStates
from models.damage import chance_ignored, loss_pmf, thinned
from models.dice import Pmf, point
from models.effects import Circumstances, Effect
from models.fold import (
    AttackPlan,
    MortalWounds,
    Packet,
    UnitMortalWounds,
    attacks_pmf,
    best_feel_no_pain,
    defend,
    fold_attack,
    unit_mortal_wounds,
    unsaved_chance,
    wounded_profile,
)
from models.scenarios import Scenario
from models.sequence import attack_chances, feel_no_pain_against, packet_rates
from models.units import Attacker, CaseError, TargetUnit, Weapon

# Numbers of states above this are refused rather than left to fill the memory.
LARGEST = 60_000_000
# Every kind of packet has a matrix of (states of a chain) squared: 200 MB at this size.
_LARGEST_CHAIN = 5_002
# Numbers that all attacks together may touch (about a minute), and what one small step costs beside them.
_MOST_WORK = 4e10
_STEP_WORK = 20_000


@dataclass(frozen=True)
class Volley:
    """One weapon of the unit: its plan against the target and how many bearers use it."""

    plan: AttackPlan
    bearers: int


@dataclass(frozen=True)
class Assembled:
    """A unit's weapons folded against a target: what `result_states` takes."""

    volleys: tuple[Volley, ...]
    target: TargetUnit
    mortal_wounds: tuple[UnitMortalWounds, ...]


def assembled(
    weapons: Sequence[tuple[Weapon, int]],
    scenario: Scenario,
    effects: Sequence[Effect],
    target: TargetUnit,
    attacker: Attacker,
) -> Assembled:
    """Fold a unit's weapons, each with its bearers, in the order given. CaseError where a rule is not modelled."""
    now = Circumstances(scenario, target, attacker)
    target = wounded_profile(target, effects, now)
    volleys = []
    for place, (weapon, bearers) in enumerate(weapons):
        try:
            volleys.append(Volley(fold_attack(weapon, scenario, effects, target, attacker), bearers))
        except CaseError as error:
            if error.place.startswith("effects"):
                raise
            raise CaseError(f"attacks[{place}], {error.place}", error.reason) from None
    models = attacker.models if attacker.models is not None else sum(bearers for _, bearers in weapons) or None
    return Assembled(tuple(volleys), target, unit_mortal_wounds(effects, replace(now, target=target), models))


@dataclass
class _Waiting:
    """A kind of packet or of mortal wounds that waits: its last count, what one of it does, its axis.

    `enough`: a count that destroys the whole unit for certain; more of it changes nothing.
    """

    last: int
    apply: Callable[[Array], Array]
    enough: int
    is_mortal: bool
    key: object = None
    axis: int = -1


@dataclass
class _Walk:
    """The walk through the attacks: the unit's states and everything that waits, in the order in which it comes.

    `waiting_of` finds what waits by the place of the weapon and its kind.
    """

    target: TargetUnit
    units: UnitStates
    waiting: list[_Waiting] = field(default_factory=list)
    waiting_of: dict[tuple[int, object], _Waiting] = field(default_factory=dict)


def result_states(
    volleys: Sequence[Volley], target: TargetUnit, mortal_wounds: Sequence[UnitMortalWounds] = ()
) -> tuple[UnitStates, Array]:
    """States of the unit and their probabilities after all attacks. CaseError where there are too many to hold."""
    units = UnitStates.of(target)
    check_size(units, "target.models")
    walk = _Walk(target, units)
    for place, volley in enumerate(volleys):
        _find_waiting(walk, place, volley)
    for axis, waiting in enumerate(walk.waiting):
        waiting.axis = axis
    shape = (*(waiting.last + 1 for waiting in walk.waiting), *units.shape)
    if np.prod(shape, dtype=float) > LARGEST:
        raise CaseError("attacks", "too many combinations of waiting Devastating Wounds to resolve exactly")
    _check_work(volleys, units, float(np.prod(shape, dtype=float)))
    states = np.zeros(shape)
    states[(0,) * len(shape)] = 1.0
    for place, volley in enumerate(volleys):
        states = _fired(walk, place, volley, states)
    # Devastating Wounds before other mortal wounds, each kind in the order of its weapon.
    order = sorted(walk.waiting, key=lambda waiting: waiting.is_mortal)
    axes = [waiting.axis for waiting in order]
    states = np.moveaxis(states, axes, range(len(axes)))
    for waiting in order:
        states = _released(waiting, states)
    for wounds in mortal_wounds:
        states = _struck(target, units, wounds, states)
    return units, states


def check_size(units: UnitStates, place: str) -> None:
    """CaseError where a unit has more wounds than there is memory for."""
    most = max(units.shape) - 1
    if most > _LARGEST_CHAIN - 2:
        raise CaseError(place, f"{most} wounds in all; up to {_LARGEST_CHAIN - 2} can be resolved exactly")


def _check_work(volleys: Sequence[Volley], units: UnitStates, states: float) -> None:
    """CaseError where the walk through all attacks would take more than about a minute."""
    # A whole row of states goes through a matrix for each packet, of which an attack has up to two for each hit.
    touched = max(states * max(units.shape), float(max(units.shape)) ** 2) + _STEP_WORK
    work = 0.0
    for volley in volleys:
        hits = len(attack_chances(volley.plan).sustained) + 1
        work += (len(attacks_pmf(volley.plan, volley.bearers)) - 1) * hits * touched
    if work > _MOST_WORK:
        raise CaseError("attacks", "too many attacks at a unit of this many wounds to resolve exactly in a minute")


def _fired(walk: _Walk, place: int, volley: Volley, states: Array) -> Array:
    """All attacks of one weapon; a random number of them is a weighted sum over the numbers."""
    number = attacks_pmf(volley.plan, volley.bearers)
    attack = _attack(walk, place, volley.plan)
    result = number[0] * states
    for count in range(1, len(number)):
        states = attack(states)
        if number[count]:
            result = result + number[count] * states
    return result


def _attack(walk: _Walk, place: int, plan: AttackPlan) -> Callable[[Array], Array]:
    """The change of all states by one attack."""
    chances = attack_chances(plan)
    on_attack, on_hit = _events(walk, place, plan, "attack"), _events(walk, place, plan, "hit")
    on_critical_hit = _events(walk, place, plan, "critical_hit")
    plain_hit = _hit(walk, place, plan, critical_hit=False) if chances.plain_hits else _unchanged
    critical_hit = _hit(walk, place, plan, critical_hit=True) if chances.hit.critical else _unchanged

    def change(states: Array) -> Array:
        states = on_attack(states)
        result = (1.0 - chances.hit.success) * states
        if chances.hit.plain:
            result = result + chances.hit.plain * on_hit(plain_hit(states))
        if chances.hit.critical:
            after = on_critical_hit(on_hit(critical_hit(states)))
            extra = chances.sustained
            total = extra[0] * after
            for count in range(1, len(extra)):
                after = on_hit(plain_hit(after))
                if extra[count]:
                    total = total + extra[count] * after
            result = result + chances.hit.critical * total
        return result

    return change


def _unchanged(states: Array) -> Array:
    return states


def _hit(walk: _Walk, place: int, plan: AttackPlan, critical_hit: bool) -> Callable[[Array], Array]:
    """The change by one hit: its Wound roll and what becomes of the wound."""
    chances = attack_chances(plan)
    wound = chances.wound_on_critical_hit if critical_hit else chances.wound
    parts = [
        (chance, _packet(walk, place, plan, plan.packet(critical_hit, critical_wound)), critical_wound)
        for critical_wound, chance in ((False, wound.plain), (True, wound.critical))
        if chance > 0
    ]
    on_wound, on_critical = _events(walk, place, plan, "wound"), _events(walk, place, plan, "critical_wound")

    def change(states: Array) -> Array:
        result = (1.0 - wound.success) * states
        for chance, packet, critical_wound in parts:
            after = on_wound(packet(states))
            result = result + chance * (on_critical(after) if critical_wound else after)
        return result

    return change


def _packet(walk: _Walk, place: int, plan: AttackPlan, packet: Packet) -> Callable[[Array], Array]:
    """The change by one wound: allocated at once, or counted where it waits."""
    if packet.devastating:
        return _counted(walk.waiting_of[place, _devastating_key(walk.target, plan, packet)], point(1))
    losses = packet_losses(walk.target, plan, packet)
    return walk.units.packet(losses, packet.precision)


def packet_losses(target: TargetUnit, plan: AttackPlan, packet: Packet) -> list[Pmf]:
    """For each group of models the points that a wound takes from one of them, its saving throw included."""
    losses = []
    for group in target.groups:
        defence = defend(plan, group)
        passing = unsaved_chance(plan, packet, defence)
        loss = loss_pmf(packet.damage, feel_no_pain_against(packet, defence)) * passing
        loss[0] += 1.0 - passing
        losses.append(loss)
    return losses


# --- what waits ------------------------------------------------------------------------------------------------------


def _find_waiting(walk: _Walk, place: int, volley: Volley) -> None:
    """Give an axis to every kind of packet and of mortal wounds that this weapon makes wait."""
    plan = volley.plan
    chances = attack_chances(plan)
    attacks = len(attacks_pmf(plan, volley.bearers)) - 1
    most = attacks * len(chances.sustained) if chances.hit.critical else attacks
    for _, packet in packet_rates(plan):
        if packet.devastating:
            key = _devastating_key(walk.target, plan, packet)
            last = next((one for one in reversed(walk.waiting) if not one.is_mortal), None)
            if last is None or last.key != key:
                # The same kind may wait again later: what is unlike comes between, in the order of the weapons.
                last = _devastating_waiting(walk, plan, packet)
                walk.waiting.append(last)
            if (place, key) not in walk.waiting_of:
                last.last = min(last.last + most, last.enough)
                walk.waiting_of[place, key] = last
    for number, rule in enumerate(plan.mortal_wounds):
        events = attacks if rule.event == "attack" else most
        walk.waiting_of[place, number] = _mortal_waiting(walk, plan, rule, events)
        walk.waiting.append(walk.waiting_of[place, number])


@dataclass(frozen=True)
class _DevastatingKey:
    """What a kind of Devastating Wounds does to the models; equal kinds of neighbouring weapons wait together."""

    damage: object
    feel_no_pains: tuple[int, ...]
    precision: bool


def _devastating_key(target: TargetUnit, plan: AttackPlan, packet: Packet) -> _DevastatingKey:
    thresholds = tuple(defend(plan, group).feel_no_pain_mortal for group in target.groups)
    return _DevastatingKey(packet.damage, thresholds, packet.precision)


def _devastating_waiting(walk: _Walk, plan: AttackPlan, packet: Packet) -> _Waiting:
    losses = packet_losses(walk.target, plan, packet)
    # Where each packet takes a wound at least, more packets than wounds change nothing.
    enough = 2**31 if any(loss[0] for loss in losses) else int(walk.units.lost.max())
    key = _devastating_key(walk.target, plan, packet)
    return _Waiting(0, walk.units.packet(losses, packet.precision), enough, is_mortal=False, key=key)


def _mortal_waiting(walk: _Walk, plan: AttackPlan, rule: MortalWounds, events: int) -> _Waiting:
    thresholds = [best_feel_no_pain(group, plan.defence.feel_no_pains, rule.psychic)[1] for group in walk.target.groups]
    losses = [thinned(point(1), 1.0 - chance_ignored(threshold)) for threshold in thresholds]
    one = walk.units.mortal_wound(losses, rule.precision, carries=True)
    enough = int(walk.units.lost.max()) if min(thresholds) > 6 else 2**31
    last = min(events * (len(rule.amounts) - 1), enough, rule.maximum if rule.maximum is not None else 2**31)
    return _Waiting(last, lambda states: one(states, 1), enough, is_mortal=True)


def _counted(waiting: _Waiting, amounts: Pmf) -> Callable[[Array], Array]:
    """The change by which a random number is added to what waits; the last count stands for all beyond it."""

    def change(states: Array) -> Array:
        moved = np.moveaxis(states, waiting.axis, 0)
        result = amounts[0] * moved
        for amount in range(1, len(amounts)):
            if amounts[amount]:
                step = min(amount, waiting.last)
                result[step:] += amounts[amount] * moved[: waiting.last + 1 - step]
                if step:
                    result[-1] += amounts[amount] * moved[waiting.last + 1 - step :].sum(axis=0)
        return np.moveaxis(result, 0, waiting.axis)

    return change


def _events(walk: _Walk, place: int, plan: AttackPlan, event: str) -> Callable[[Array], Array]:
    """The change by the mortal wounds that an event of an attack brings."""
    changes = [
        _counted(walk.waiting_of[place, number], rule.pmf)
        for number, rule in enumerate(plan.mortal_wounds)
        if rule.event == event
    ]

    def change(states: Array) -> Array:
        for one in changes:
            states = one(states)
        return states

    return change


def _released(waiting: _Waiting, states: Array) -> Array:
    """Everything that waits on the first axis happens; the axis goes."""
    after = states[waiting.last]
    for count in range(waiting.last - 1, -1, -1):
        after = waiting.apply(after) + states[count]
    return after


def _struck(target: TargetUnit, units: UnitStates, wounds: UnitMortalWounds, states: Array) -> Array:
    """Mortal wounds that come from no attack: they do not carry from the last bodyguard to the leader."""
    losses = []
    for group in target.groups:
        threshold = best_feel_no_pain(group, wounds.feel_no_pains, wounds.psychic)[1]
        losses.append(thinned(point(1), 1.0 - chance_ignored(threshold)))
    apply = units.mortal_wound(losses, precision=False, carries=False)
    return sum(chance * apply(states, number) for number, chance in enumerate(wounds.amounts) if chance)  # type: ignore[return-value]

"""Several weapon groups of one unit against many targets of equal models.

Belongs here: the walk through a unit's weapon groups on arrays with many pairs, and the choice between weapons that a
model may use instead of each other. Does not belong here: rules, and single weapons (`models.matrix`).

A weapon group is an operator on the states of the target: a weighted sum over its number of packets. Groups follow each
other in their order; Devastating Wounds wait on axes of their own until all groups are done, where that makes a
difference. What is not of this form goes attack by attack (`models.exact`).

Readings. Of several weapons of one place (`option`) the one is used that takes most wounds off this target on its own,
the first of equal ones.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from models.allocation import Array
from models.chains import struck, transition, whole_unit
from models.counts import packet_counts, saturated_axis, split_counts, trimmed
from models.damage import loss_pmf
from models.dice import Rolled, changed_pmf
from models.effects import Effect, read_effects
from models.exact import assembled
from models.frames import Weapons, absent, read_targets, read_weapons
from models.matrix import (
    COUNTS,
    RESULTS,
    ResultTables,
    asked_keywords,
    expectations,
    one_group_results,
    target_frame,
    target_signatures,
)
from models.pairs import NOBODY, AttackSignature, PairRates, Places, TargetSet, pair_rates
from models.resolve import Case, answer
from models.scenarios import Scenario, read_scenarios, scenario_frame
from models.units import Weapon

# Pairs that are walked together; more would only cost memory.
BATCH = 2048


@dataclass(frozen=True)
class Volleys:
    """Results of all volleys; `expanded` shows every scenario x loadout x target.

    volley_signature: scenario, loadout_id, volley_sig; a loadout none of whose weapons can attack has no row.
    target_signature, target_map: as in a matrix.
    pair: volley_sig, target_sig, the expectations and models_slain_pmf (a list, if asked for).
    choice: volley_sig, target_sig, place, operation: the weapon used at each place that has several.
    option: scenario, loadout_id, volley_sig, group_order, place, weapon_id, operation: what can be used at each place.
    unknown_keywords, unresolved_weapons, unresolved_targets: what was not understood, with the reason.
    """

    volley_signature: pd.DataFrame
    target_signature: pd.DataFrame
    target_map: pd.DataFrame
    pair: pd.DataFrame
    choice: pd.DataFrame
    option: pd.DataFrame
    unknown_keywords: pd.DataFrame
    unresolved_weapons: pd.DataFrame
    unresolved_targets: pd.DataFrame

    def expanded(self) -> pd.DataFrame:
        """One row per scenario x loadout x target."""
        return (
            self.volley_signature.merge(self.pair, on="volley_sig")
            .merge(self.target_map, on="target_sig")
            .drop(columns=["volley_sig", "target_sig"])
        )


@dataclass(frozen=True)
class Operation:
    """An attack signature used by a number of bearers."""

    attack: int
    bearers: int


@dataclass(frozen=True)
class VolleySignature:
    """Places in their order, each with the weapons that may be used there; rules that touch more than single attacks."""

    places: tuple[tuple[int, ...], ...]
    beyond: tuple[Scenario, tuple[Effect, ...]] | None = None


def volley_matchups(
    groups: pd.DataFrame,
    weapons: pd.DataFrame,
    weapon_keywords: pd.DataFrame,
    targets: pd.DataFrame,
    scenarios: pd.DataFrame | None = None,
    effects: pd.DataFrame | None = None,
    with_pmf: bool = False,
) -> Volleys:
    """Resolve every loadout against every target in every scenario.

    `groups` (loadout_id, group_order, weapon_id, bearers, and `option` where a place has several weapons).
    `effects` (columns of effect rows, and `loadout_id`, empty for all loadouts): the rules in force for a loadout.
    Targets may have `effects` of their own. CaseError where a rule of the effects is not modelled.
    """
    read = read_weapons(weapons, weapon_keywords)
    units = read_targets(targets)
    named = read_scenarios(scenario_frame() if scenarios is None else scenarios)
    rules = _rules_by_loadout(groups, effects)
    exact = any(units.effects.values())
    asked = None if exact or any(rules.values()) else asked_keywords(read)
    signatures, target_map = target_signatures(units, asked)
    target_set = TargetSet(signatures)
    plan = _signatures(groups, read, named, rules, exact)
    runner = _Runner(plan.attacks, list(plan.operations), target_set)
    volleys = list(plan.volleys)
    pair, choice = _pairs(runner, volleys, with_pmf)
    return Volleys(
        volley_signature=plan.rows,
        target_signature=target_frame(target_set),
        target_map=target_map,
        pair=pair,
        choice=choice,
        option=plan.options,
        unknown_keywords=read.unknown_keywords,
        unresolved_weapons=read.unresolved,
        unresolved_targets=units.unresolved,
    )


# --- signatures ------------------------------------------------------------------------------------------------------


@dataclass
class _Plan:
    attacks: list[AttackSignature]
    operations: dict[Operation, int]
    volleys: dict[VolleySignature, int]
    rows: pd.DataFrame
    options: pd.DataFrame


def _rules_by_loadout(groups: pd.DataFrame, effects: pd.DataFrame | None) -> dict[str, tuple[Effect, ...]]:
    """Effect rows of each loadout, in the order of the frame."""
    loadouts = [str(name) for name in groups["loadout_id"].unique()]
    if effects is None or not len(effects):
        return dict.fromkeys(loadouts, ())
    rows = [
        {str(name): None if absent(value) else value for name, value in row.items()}
        for row in effects.to_dict("records")
    ]
    if "loadout_id" not in effects.columns:
        return dict.fromkeys(loadouts, read_effects(rows))
    own: dict[Any, list[tuple[int, Mapping[str, Any]]]] = {}
    for number, row in enumerate(rows):
        own.setdefault(row["loadout_id"], []).append((number, row))
    everywhere = own.get(None, [])
    known: dict[str, tuple[Effect, ...]] = {}  # one rule is in force for many loadouts
    rules: dict[str, tuple[Effect, ...]] = {}
    for loadout in loadouts:
        mine = [row for _, row in sorted(everywhere + own.get(loadout, []), key=lambda entry: entry[0])]
        key = repr([{name: value for name, value in row.items() if name != "loadout_id"} for row in mine])
        if key not in known:
            known[key] = read_effects(mine)
        rules[loadout] = known[key]
    return rules


def _signatures(
    groups: pd.DataFrame,
    read: Weapons,
    scenarios: Mapping[str, Scenario],
    rules: Mapping[str, tuple[Effect, ...]],
    exact: bool,
) -> _Plan:
    """Distinct volleys; one that makes no attacks in a scenario is left out."""
    attacks: dict[AttackSignature, int] = {}
    known: dict[Hashable, int | None] = {}
    plan = _Plan([], {}, {}, pd.DataFrame(), pd.DataFrame())
    rows, options = [], []
    by_loadout = _places(groups)
    for scenario_name, scenario in scenarios.items():
        for loadout, places in by_loadout.items():
            own = rules[loadout]
            chosen: list[tuple[int, ...]] = []
            named: list[tuple[int, int, str, int]] = []
            for order, weapons in places:
                operations = []
                for weapon_id, bearers in weapons:
                    weapon = read.by_id.get(weapon_id)
                    number = None if weapon is None else _attack_number(weapon, scenario, own, exact, attacks, known)
                    if number is not None:
                        operation = plan.operations.setdefault(Operation(number, bearers), len(plan.operations))
                        operations.append(operation)
                        named.append((order, len(chosen), weapon_id, operation))
                if operations:
                    chosen.append(tuple(dict.fromkeys(operations)))
            if chosen:
                beyond = (scenario, own) if _beyond_attacks(own) else None
                volley = plan.volleys.setdefault(VolleySignature(tuple(chosen), beyond), len(plan.volleys))
                rows.append((scenario_name, loadout, volley))
                options += [(scenario_name, loadout, volley, *one) for one in named]
    plan.attacks = list(attacks)
    plan.rows = pd.DataFrame(rows, columns=["scenario", "loadout_id", "volley_sig"])
    plan.options = pd.DataFrame(
        options,
        columns=["scenario", "loadout_id", "volley_sig", "group_order", "place", "weapon_id", "operation"],
    )
    return plan


def _places(groups: pd.DataFrame) -> dict[str, list[tuple[int, list[tuple[str, int]]]]]:
    """Places of each loadout in their order, each with its (weapon, bearers) in the order of the options."""
    columns = ["group_order", *(["option"] if "option" in groups.columns else [])]
    found: dict[str, dict[int, list[tuple[str, int]]]] = {}
    for row in groups.sort_values(columns, kind="stable").to_dict("records"):
        places = found.setdefault(str(row["loadout_id"]), {})
        places.setdefault(int(row["group_order"]), []).append((str(row["weapon_id"]), int(row["bearers"])))
    if "option" not in groups.columns:
        return {
            loadout: [(order, [row]) for order, rows in places.items() for row in rows]
            for loadout, places in found.items()
        }
    return {loadout: list(places.items()) for loadout, places in found.items()}


def _attack_number(
    weapon: Weapon,
    scenario: Scenario,
    effects: tuple[Effect, ...],
    exact: bool,
    attacks: dict[AttackSignature, int],
    known: dict[Hashable, int | None],
) -> int | None:
    key = (weapon, scenario, effects)
    if key not in known:
        signature = AttackSignature.of(weapon, scenario, effects, exact)
        known[key] = None if signature is None else attacks.setdefault(signature, len(attacks))
    return known[key]


def _beyond_attacks(effects: tuple[Effect, ...]) -> bool:
    """Whether rules do more than change single attacks: mortal wounds for the unit, Wounds characteristics."""
    return any(row.kind == "mortal_wounds" or row.param("stat") == "W" for row in effects)


# --- running ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Class:
    """What the packets of an operation do to a target: damage and Feel No Pain, ordinary and waiting."""

    damage: Rolled
    feel_no_pain: int
    late_damage: Rolled
    late_feel_no_pain: int
    has_late: bool

    @property
    def ordinary(self) -> tuple[Rolled, int]:
        return self.damage, self.feel_no_pain

    @property
    def late(self) -> tuple[Rolled, int]:
        return self.late_damage, self.late_feel_no_pain


class _Runner:
    """Operations against all targets: their rates, their classes and their numbers of packets."""

    def __init__(self, attacks: Sequence[AttackSignature], operations: Sequence[Operation], targets: TargetSet) -> None:
        self.attacks, self.operations, self.targets = attacks, operations, targets
        self.tables = ResultTables(targets)
        self.rates = [pair_rates(attack, targets) for attack in attacks]
        self.expected = [np.stack(list(rates.counts(1).values())) for rates in self.rates]
        self.classes: dict[_Class, int] = {}
        by_attack = [self._classes(rates) for rates in self.rates]
        shape = (len(operations), len(targets))
        self.class_of = _rows([by_attack[one.attack] for one in operations], shape).astype(np.int64)
        self.class_list = list(self.classes)
        self.simple = _rows([self.rates[one.attack].simple for one in operations], shape).astype(bool)
        self.most = np.array(
            [one.bearers * len(changed_pmf(self.rates[one.attack].views[0].attacks)) for one in operations],
            dtype=np.int64,
        )
        alike = [_alike(rates) for rates in self.rates]
        self.kind = _rows([alike[one.attack] for one in operations], shape).astype(np.int64)
        self._together: dict[int, list[Array]] = {}
        self._split: dict[tuple[int, int], Array] = {}
        self._lost: dict[int, Array] = {}

    def _classes(self, pairs: PairRates) -> Places:
        has_late = (pairs.rates.plain_late > 0) | (pairs.rates.critical_late > 0)
        columns = np.stack([pairs.view, pairs.feel_no_pain, pairs.feel_no_pain_late, has_late.astype(np.int64)], axis=1)
        kinds, place = np.unique(columns, axis=0, return_inverse=True)
        numbers = []
        for view, ordinary, late, waits in kinds.tolist():
            damage, late_damage = pairs.views[view].damages
            one = _Class(damage, ordinary, late_damage if waits else damage, late if waits else ordinary, bool(waits))
            numbers.append(self.classes.setdefault(one, len(self.classes)))
        return np.array(numbers, dtype=np.int64)[place.ravel()]

    def together(self, operation: int, kind: int) -> Array:
        """Distribution of the number of packets, whatever their nature, for a kind of pairs."""
        if operation not in self._together:
            first = np.unique(self.kind[operation], return_index=True)[1]
            pairs = self.rates[self.operations[operation].attack]
            found: list[Array] = [np.zeros(0)] * len(first)
            for view in np.unique(pairs.view[first]).tolist():
                own = np.flatnonzero(pairs.view[first] == view)
                number = pairs.number(view, self.operations[operation].bearers)
                rates = pairs.rates.take(first[own]).together()
                counts = packet_counts(number, pairs.views[view].sustained, rates)
                for place, row in zip(own.tolist(), counts, strict=True):
                    found[place] = row[: len(trimmed(row[None], 1)[0])]
            self._together[operation] = found
        return self._together[operation][kind]

    def split(self, operation: int, kind: int) -> Array:
        """Joint distribution of ordinary packets and packets that wait, for a kind of pairs."""
        key = (operation, kind)
        if key not in self._split:
            pairs = self.rates[self.operations[operation].attack]
            target = int(np.flatnonzero(self.kind[operation] == kind)[0])
            view = int(pairs.view[target])
            number = pairs.number(view, self.operations[operation].bearers)
            counts = split_counts(number, pairs.views[view].sustained, pairs.rates.take(np.array([target])))
            self._split[key] = trimmed(trimmed(counts, 1), 2)[0]
        return self._split[key]

    def lost_alone(self, operation: int) -> Array:
        """Wounds that an operation takes off each target on its own."""
        if operation not in self._lost:
            one = self.operations[operation]
            pairs = self.rates[one.attack]
            self._lost[operation] = one_group_results(pairs, one.bearers, self.targets, self.tables)[:, 0]
        return self._lost[operation]

    def states(self, rows: Places, plain: NDArray[np.bool_], targets: Places) -> Array:
        """States (pairs, models, wounds) after volleys, an array (pairs, places) of operations against `targets`.

        The targets have the same size and Wounds. `plain`: at these places all packets count alike; at the others the
        operations have the same class. -1 is no operation.
        """
        walk = _Walk(self, targets)
        for column, alike in zip(rows.T, plain, strict=True):
            if column[0] >= 0:
                walk.fire(column, bool(alike))
        return walk.finished()

    def is_plain(self, chosen: Places, targets: Places) -> NDArray[np.bool_]:
        """Where no packets of a volley's operation need to wait: an array (pairs, places).

        None do where there are none, or where they do the same as the others and nothing comes after them.
        """
        one = np.array([[kind.has_late, kind.late == kind.ordinary] for kind in self.class_list], dtype=bool)
        classes = np.concatenate([self.class_of, np.full((1, self.class_of.shape[1]), -1)])[chosen, targets[:, None]]
        late = (classes >= 0) & one[classes, 0]
        last = (chosen >= 0) & (np.cumsum(chosen[:, ::-1] >= 0, axis=1)[:, ::-1] == 1)
        alone = late.sum(axis=1, keepdims=True) == 1
        return ~late | (last & alone & one[classes, 1])


def _rows(rows: Sequence[NDArray[Any]], shape: tuple[int, int]) -> NDArray[Any]:
    return np.array(rows).reshape(shape)


def _alike(pairs: PairRates) -> Places:
    """A number from 0 for each target; with the same number, the same numbers of packets come."""
    return np.unique(pairs.same * len(pairs.views) + pairs.view, return_inverse=True)[1].astype(np.int64)


class _Walk:
    """Pairs of the same classes on units of the same kind: states with an axis for each kind of packets that wait."""

    def __init__(self, runner: _Runner, targets: Places) -> None:
        self.runner, self.targets = runner, targets
        self.models, self.wounds = int(runner.targets.models[targets[0]]), int(runner.targets.wounds[targets[0]])
        self.waiting: list[tuple[Rolled, int]] = []
        self.states: Array = whole_unit(self.models, self.wounds)[None]

    def _struck(self, states: Array, kind: tuple[Rolled, int]) -> Array:
        return struck(states, *transition(*kind, self.wounds))

    def fire(self, operations: Places, plain: bool) -> None:
        """One weapon group of every pair."""
        kinds = self.runner.kind[operations, self.targets]
        classes = self.runner.class_of[operations, self.targets]
        most = np.array([int(kinds.max()) + 1, len(self.runner.class_list)])
        codes = (operations * most[0] + kinds) * most[1] + classes
        _, first, place = np.unique(codes, return_index=True, return_inverse=True)
        keys = list(zip(operations[first].tolist(), kinds[first].tolist(), strict=True))
        if plain:
            self._ordinary(_padded([self.runner.together(*key) for key in keys]), place, classes[first])
        else:
            one = self.runner.class_list[classes[0]]
            counts = _padded([self.runner.split(*key) for key in keys])
            self._split(saturated_axis(counts, 2, self._enough(one.late)), place, one.ordinary, one.late)

    def _ordinary(self, counts: Array, place: Places, classes: Places) -> None:
        """Packets of one nature; `counts` and `classes` are of the distinct operations, `place` says whose they are."""
        states = self.states
        first = states.shape[0] == 1  # every pair starts from the same states
        rows = slice(None) if first else place
        counts, classes = counts[rows], classes[rows]
        stay, slain = self._transitions(classes, states.ndim)
        total = _weights(counts[:, 0], states) * states
        for packets in range(1, counts.shape[1]):
            states = struck(states, stay, slain)
            total += _weights(counts[:, packets], states) * states
        self.states = total[place] if first else total

    def _transitions(self, classes: Places, dimensions: int) -> tuple[Array, Array]:
        """The transition of one model for each pair, or one for all where it is the same."""
        different, place = np.unique(classes, return_inverse=True)
        found = [transition(*self.runner.class_list[one].ordinary, self.wounds) for one in different.tolist()]
        if len(found) == 1:
            return found[0]
        extra = (1,) * (dimensions - 3)
        stay = np.stack([one[0] for one in found])[place]
        slain = np.stack([one[1] for one in found])[place]
        # One more axis in `slain`: it meets the models as well.
        return stay.reshape(-1, *extra, *stay.shape[1:]), slain.reshape(-1, *extra, slain.shape[1])

    def _enough(self, kind: tuple[Rolled, int]) -> int:
        """Packets that destroy the unit for certain, where each takes a wound at least."""
        return 2**31 if loss_pmf(*kind)[0] > 0 else self.models * self.wounds

    def _split(self, counts: Array, place: Places, kind: tuple[Rolled, int], late: tuple[Rolled, int]) -> None:
        if self.waiting and self.waiting[-1] == late:
            self._split_more(counts[place], kind, late)
            return
        # A new axis before those of the unit: what waits is counted from zero.
        self.waiting.append(late)
        states = self.states[..., None, :, :]
        first = states.shape[0] == 1
        counts = counts if first else counts[place]
        extra = (1,) * (states.ndim - 4)
        shape = (counts.shape[0], *extra, counts.shape[2], 1, 1)
        total: Array = np.zeros(())
        for packets in range(counts.shape[1]):
            states = self._struck(states, kind) if packets else states
            total = total + counts[:, packets].reshape(shape) * states
        self.states = total[place] if first else total

    def _split_more(self, counts: Array, kind: tuple[Rolled, int], late: tuple[Rolled, int]) -> None:
        """What waits is added to what waits already; only so if nothing unlike came between."""
        axis = len(self.waiting)
        states = np.moveaxis(self.states, axis, 1)
        old, new = states.shape[1], counts.shape[2]
        size = min(old + new - 1, self._enough(late) + 1)
        total = np.zeros((len(counts), size, *states.shape[2:]))
        for packets in range(counts.shape[1]):
            states = self._struck(states, kind) if packets else states
            for waits in range(new):
                if not counts[:, packets, waits].any():
                    continue
                part = _weights(counts[:, packets, waits], states) * states
                end = min(waits + old, size)
                total[:, waits:end] += part[:, : end - waits]
                if waits + old > size:
                    total[:, -1] += part[:, max(size - waits, 0) :].sum(axis=1)
        self.states = np.moveaxis(total, 1, axis)

    def finished(self) -> Array:
        """All that waits comes, in the order of the weapons."""
        states = self.states
        for kind in self.waiting:
            after = states[:, -1]
            for count in range(states.shape[1] - 2, -1, -1):
                after = self._struck(after, kind) + states[:, count]
            states = after
        return states


def _weights(chances: Array, states: Array) -> Array:
    """A number for each pair, shaped so that it multiplies the pair's states."""
    return chances.reshape(-1, *(1,) * (states.ndim - 1))


def _padded(counts: Sequence[Array]) -> Array:
    """Arrays of different sizes in one, with zeros behind."""
    shape = tuple(max(array.shape[axis] for array in counts) for axis in range(counts[0].ndim))
    result = np.zeros((len(counts), *shape))
    for place, array in enumerate(counts):
        result[place][tuple(slice(0, size) for size in array.shape)] = array
    return result


# --- pairs -----------------------------------------------------------------------------------------------------------


def _pairs(runner: _Runner, volleys: Sequence[VolleySignature], with_pmf: bool) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Results of every volley against every target, and the weapons chosen where there was a choice."""
    targets = runner.targets
    most = max((len(volley.places) for volley in volleys), default=0)
    first = np.full((len(volleys), most), -1, dtype=np.int64)
    for number, volley in enumerate(volleys):
        first[number, : len(volley.places)] = [options[0] for options in volley.places]
    beyond = np.array([volley.beyond is not None for volley in volleys], dtype=bool)
    figures = np.zeros((len(targets), len(volleys), len(COUNTS) + len(RESULTS)))
    slain: list[list[Any]] = [[None] * len(volleys) for _ in range(len(targets) if with_pmf else 0)]
    choices: list[tuple[int, int, int, int]] = []
    shapes = np.stack([targets.models, targets.wounds], axis=1)
    for shape in np.unique(shapes, axis=0):
        own = np.flatnonzero((shapes == shape).all(axis=1))
        chosen = np.stack([_chosen(runner, volleys, first, target, choices) for target in own.tolist()])
        slow = np.stack([beyond | ~_all_simple(runner, chosen[row], target) for row, target in enumerate(own.tolist())])
        for row, target in enumerate(own.tolist()):
            figures[target, :, : len(COUNTS)] = _counts(runner, chosen[row], target)
        for at, which, plain in _batches(runner, chosen, own, ~slow):
            states = runner.states(chosen[at, which], plain, own[at])
            figures[own[at], which, len(COUNTS) :] = expectations(states)
            if with_pmf:
                for target, number, pmf in zip(own[at].tolist(), which.tolist(), _slain(states), strict=True):
                    slain[target][number] = pmf
        for row, number in np.argwhere(slow).tolist():
            target = int(own[row])
            found = _exact(runner, [place for place in chosen[row, number].tolist() if place >= 0], target)
            figures[target, number] = [found[name] for name in (*COUNTS, *RESULTS)]
            if with_pmf:
                slain[target][number] = found["models_slain_pmf"]
    frame = {
        "volley_sig": np.tile(np.arange(len(volleys)), len(targets)),
        "target_sig": np.repeat(np.arange(len(targets)), len(volleys)),
    }
    pair = pd.DataFrame(frame | {name: figures[:, :, place].ravel() for place, name in enumerate((*COUNTS, *RESULTS))})
    if with_pmf:
        pair["models_slain_pmf"] = pd.Series([pmf for row in slain for pmf in row], dtype=object)
    return pair, pd.DataFrame(choices, columns=["volley_sig", "target_sig", "place", "operation"])


def _chosen(
    runner: _Runner,
    volleys: Sequence[VolleySignature],
    first: Places,
    target: int,
    choices: list[tuple[int, int, int, int]],
) -> Places:
    """The operation of each place against a target; choices are noted."""
    chosen = first.copy()
    for number, volley in enumerate(volleys):
        for place, options in enumerate(volley.places):
            if len(options) > 1:
                lost = [round(float(runner.lost_alone(operation)[target]), 12) for operation in options]
                chosen[number, place] = options[lost.index(max(lost))]
                choices.append((number, target, place, int(chosen[number, place])))
    return chosen


def _all_simple(runner: _Runner, chosen: Places, target: int) -> NDArray[np.bool_]:
    """Whether a volley needs no walk attack by attack."""
    simple: NDArray[np.bool_] = np.append(runner.simple[:, target], True)[chosen]
    return np.asarray(simple.all(axis=1))


def _counts(runner: _Runner, chosen: Places, target: int) -> Array:
    """Expected counts before allocation of all operations of each volley."""
    table = np.array([one.bearers * runner.expected[one.attack][:, target] for one in runner.operations])
    nothing = np.zeros((1, len(COUNTS)))
    return np.concatenate([table.reshape(-1, len(COUNTS)), nothing])[chosen].sum(axis=1)


def _batches(
    runner: _Runner, chosen: Places, own: Places, wanted: NDArray[np.bool_]
) -> list[tuple[Places, Places, NDArray[np.bool_]]]:
    """Pairs that can be walked together: (place of the target, volley, whether each place is plain).

    They have operations at the same places, and at those where packets wait operations of the same class.
    """
    at, volley = np.nonzero(wanted)
    if not len(at):
        return []
    rows = chosen[at, volley]
    plain = runner.is_plain(rows, own[at])
    most = np.append(runner.most, 0)[rows].sum(axis=1)
    code = np.zeros(len(at), dtype=np.int64)
    for place in range(rows.shape[1]):
        column = rows[:, place]
        values = np.where(column < 0, 0, np.where(plain[:, place], 1, runner.class_of[column, own[at]] + 2))
        code = np.unique(code * (int(values.max()) + 1) + values, return_inverse=True)[1]
    # Pairs of about the same number of packets together, so that none waits long for the others.
    order = np.lexsort([most, code])
    parts = np.split(order, np.flatnonzero(np.diff(code[order])) + 1)
    return [
        (at[batch], volley[batch], plain[batch[0]])
        for part in parts
        for batch in (part[start : start + BATCH] for start in range(0, len(part), BATCH))
    ]


def _slain(states: Array) -> list[list[float]]:
    """Distribution of the models slain of each volley."""
    alive = states.sum(axis=-1)
    gone = np.clip(1.0 - alive.sum(axis=-1), 0.0, 1.0)
    return np.clip(np.concatenate([alive, gone[:, None]], axis=1), 0.0, 1.0).tolist()


def _exact(runner: _Runner, operations: Sequence[int], target: int) -> dict[str, Any]:
    """Every figure of one pair, attack by attack."""
    signature = runner.targets.signatures[target]
    used = [runner.operations[operation] for operation in operations]
    first = runner.attacks[used[0].attack]
    weapons = [(runner.attacks[one.attack].weapon, one.bearers) for one in used]
    ready = assembled(weapons, first.scenario, first.effects + signature.effects, signature.unit, NOBODY)
    return answer(Case(ready.volleys, ready.target, ready.mortal_wounds, NOBODY, [weapon for weapon, _ in weapons]))

"""Every weapon profile against every target of equal models in every scenario, one bearer each.

Belongs here: signatures (pairs that are equal are computed once), and results of one weapon group from its number of
packets. Does not belong here: rules; the folding and the steps are those of single cases. Several weapon groups of one
unit are in `models.volley`.

One weapon's packets are equal and independent, and Devastating Wounds do not spill over, so the result of a pair is a
sum over the number of packets: its probability (attack against target) times the result of so many packets (damage
against Feel No Pain, Wounds and size, shared by all pairs). Where Devastating Wounds meet another Feel No Pain than
ordinary damage the two kinds are counted jointly, and the Devastating Wounds come last. What is not of this form goes
attack by attack (`models.exact`).
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from models.allocation import Array
from models.chains import PacketTable, struck, transition, whole_unit
from models.counts import Number, packet_counts, split_counts, trimmed
from models.dice import Pmf, Rolled
from models.exact import Volley, result_states
from models.frames import Targets, Weapons, read_targets, read_weapons
from models.pairs import AttackSignature, PairRates, Places, TargetSet, TargetSignature, pair_rates
from models.scenarios import Scenario, read_scenarios, scenario_frame
from models.sequence import attack_chances
from models.units import TargetUnit

RESULTS = ("expected_wounds_lost", "expected_models_slain", "p_destroyed")
# Far above the error of the sums here, far below any result that a reader could tell from none.
ROUNDING = 1e-13
COUNTS = ("expected_attacks", "expected_hits", "expected_wounds", "expected_unsaved", "expected_damage")


@dataclass(frozen=True)
class Matrix:
    """Signatures and unique pairs; `expanded` shows every scenario x weapon x target.

    attack_signature: attack_sig and what it is, with a weapon and scenario that have it.
    weapon_signature: scenario, weapon_id, attack_sig; a weapon that cannot attack in a scenario has no row.
    target_signature: target_sig and its characteristics. target_map: target_id, target_sig.
    pair: attack_sig, target_sig and the expectations (float64).
    unknown_keywords, unresolved_weapons, unresolved_targets: what was not understood, with the reason.
    """

    attack_signature: pd.DataFrame
    weapon_signature: pd.DataFrame
    target_signature: pd.DataFrame
    target_map: pd.DataFrame
    pair: pd.DataFrame
    unknown_keywords: pd.DataFrame
    unresolved_weapons: pd.DataFrame
    unresolved_targets: pd.DataFrame

    def expanded(self) -> pd.DataFrame:
        """One row per scenario x weapon x target."""
        return (
            self.weapon_signature.merge(self.pair, on="attack_sig")
            .merge(self.target_map, on="target_sig")
            .drop(columns=["attack_sig", "target_sig"])
        )


def weapon_matchups(
    weapons: pd.DataFrame,
    weapon_keywords: pd.DataFrame,
    targets: pd.DataFrame,
    scenarios: pd.DataFrame | None = None,
) -> Matrix:
    """Resolve every weapon profile against every target in every scenario; see `Matrix` for the columns."""
    read = read_weapons(weapons, weapon_keywords)
    units = read_targets(targets)
    named = read_scenarios(scenario_frame() if scenarios is None else scenarios)
    exact = any(units.effects.values())
    signatures, target_map = target_signatures(units, None if exact else asked_keywords(read))
    attacks, weapon_signature = attack_signatures(read, named, exact)
    target_set = TargetSet(signatures)
    return Matrix(
        attack_signature=attack_frame(attacks),
        weapon_signature=weapon_signature,
        target_signature=target_frame(target_set),
        target_map=target_map,
        pair=pair_frame(attacks, target_set),
        unknown_keywords=read.unknown_keywords,
        unresolved_weapons=read.unresolved,
        unresolved_targets=units.unresolved,
    )


def target_signatures(
    units: Targets, asked: frozenset[str] | None = None
) -> tuple[list[TargetSignature], pd.DataFrame]:
    """Distinct targets, and the signature of each target id. `asked`: keywords that matter; None where all may."""
    numbers: dict[TargetSignature, int] = {}
    rows = []
    for name, unit in units.by_id.items():
        rules = units.effects[name]
        signature = TargetSignature(unit if rules else plain_unit(unit, asked), rules)
        rows.append((name, numbers.setdefault(signature, len(numbers))))
    return list(numbers), pd.DataFrame(rows, columns=["target_id", "target_sig"])


def plain_unit(unit: TargetUnit, asked: frozenset[str] | None) -> TargetUnit:
    """A unit without what nobody asks for: names, and keywords that no weapon is Anti to."""
    keywords = unit.keywords if asked is None else unit.keywords & asked
    return TargetUnit(tuple(replace(group, name="") for group in unit.groups), keywords)


def asked_keywords(read: Weapons) -> frozenset[str]:
    """Keywords of targets that some weapon is Anti to."""
    return frozenset(name for weapon in read.by_id.values() for name, _ in weapon.keywords.anti)


def attack_signatures(
    read: Weapons, scenarios: dict[str, Scenario], exact: bool
) -> tuple[list[AttackSignature], pd.DataFrame]:
    """Distinct attacks, and the signature of each weapon in each scenario in which it can attack."""
    numbers: dict[AttackSignature, int] = {}
    known: dict[Hashable, int | None] = {}
    rows = []
    for scenario_name, scenario in scenarios.items():
        for name, weapon in read.by_id.items():
            # A name matters only to rules that ask for it.
            plain = weapon if exact else replace(weapon, name="")
            key = (scenario, plain)
            if key not in known:
                signature = AttackSignature.of(plain, scenario, exact=exact)
                known[key] = None if signature is None else numbers.setdefault(signature, len(numbers))
            if (number := known[key]) is not None:
                rows.append((scenario_name, name, number))
    return list(numbers), pd.DataFrame(rows, columns=["scenario", "weapon_id", "attack_sig"])


def attack_frame(attacks: Sequence[AttackSignature]) -> pd.DataFrame:
    """What each attack signature is."""
    rows = []
    for number, attack in enumerate(attacks):
        chances = attack_chances(attack.probe)
        packet = attack.probe.packet(False, False)
        rows.append(
            {
                "attack_sig": number,
                "attack_type": attack.weapon.attack_type,
                "attacks": str(attack.weapon.attacks),
                "strength": str(attack.weapon.strength),
                "armour_penetration": packet.armour_penetration,
                "damage": str(attack.weapon.damage),
                "p_hit": chances.hit.success,
                "p_critical_hit": chances.hit.critical,
            }
        )
    columns = [
        "attack_sig", "attack_type", "attacks", "strength", "armour_penetration", "damage", "p_hit", "p_critical_hit",
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def target_frame(targets: TargetSet) -> pd.DataFrame:
    """Characteristics of each target signature; lists of saves and Feel No Pains as (threshold, versus)."""
    rows = [
        {
            "target_sig": number,
            "models": signature.group.count,
            "toughness": signature.group.toughness,
            "save": signature.group.save,
            "invulnerable_saves": list(signature.group.invulnerable_saves),
            "wounds": signature.group.wounds,
            "feel_no_pains": list(signature.group.feel_no_pains),
            "keywords": sorted(signature.unit.keywords),
        }
        for number, signature in enumerate(targets.signatures)
    ]
    columns = [
        "target_sig", "models", "toughness", "save", "invulnerable_saves", "wounds", "feel_no_pains", "keywords",
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def pair_frame(attacks: Sequence[AttackSignature], targets: TargetSet) -> pd.DataFrame:
    """Expectations of every pair."""
    tables = ResultTables(targets)
    columns: dict[str, list[Array]] = {name: [] for name in (*COUNTS, *RESULTS)}
    for attack in attacks:
        pairs = pair_rates(attack, targets)
        for name, values in pairs.counts(1).items():
            columns[name].append(values)
        for name, values in zip(RESULTS, one_group_results(pairs, 1, targets, tables).T, strict=True):
            columns[name].append(values)
    frame = {
        "attack_sig": np.repeat(np.arange(len(attacks)), len(targets)),
        "target_sig": np.tile(np.arange(len(targets)), len(attacks)),
    }
    return pd.DataFrame(frame | {name: _joined(parts) for name, parts in columns.items()})


def _joined(parts: list[Array]) -> Array:
    return np.concatenate(parts) if parts else np.zeros(0)


class ResultTables:
    """Results of numbers of equal packets for every target of a set, computed as far as anyone asked."""

    def __init__(self, targets: TargetSet) -> None:
        self.targets = targets
        self._tables: dict[tuple[Rolled, int, int], tuple[int, PacketTable]] = {}
        self._stacked: dict[Hashable, tuple[int, Array, Places]] = {}
        self._most = {
            int(wounds): int(targets.models[targets.wounds == wounds].max()) for wounds in np.unique(targets.wounds)
        }

    def table(self, damage: Rolled, feel_no_pain: int, wounds: int, packets: int) -> PacketTable:
        key = (damage, feel_no_pain, wounds)
        known = self._tables.get(key)
        if known is None or known[0] < packets:
            reach = max(packets, 2 * known[0] if known else 24)
            known = (reach, PacketTable(damage, feel_no_pain, wounds, self._most[wounds], reach))
            self._tables[key] = known
        return known[1]

    def stacked(self, damage: Rolled, feel_no_pain: Places, packets: int) -> tuple[Array, Places]:
        """Results of 0 to `packets` packets: (array (kinds, packets, results), the kind of each target)."""
        key = (damage, feel_no_pain.tobytes())
        known = self._stacked.get(key)
        if known is None or known[0] < packets:
            reach = max(packets, 2 * known[0] if known else 24)
            rows = np.stack([feel_no_pain, self.targets.wounds, self.targets.models], axis=1)
            kinds, kind = np.unique(rows, axis=0, return_inverse=True)
            array = np.stack(
                [
                    self.table(damage, threshold, wounds, reach).results(models)[: reach + 1]
                    for threshold, wounds, models in kinds.tolist()
                ]
            )
            known = (reach, array, kind.ravel().astype(np.int64))
            self._stacked[key] = known
        return known[1][:, : packets + 1], known[2]


def one_group_results(pairs: PairRates, bearers: int, targets: TargetSet, tables: ResultTables) -> Array:
    """Wounds lost, models slain and destruction by one weapon group: an array (targets, results)."""
    results = np.zeros((len(targets), len(RESULTS)))
    for views in same_number(pairs):
        chosen = pairs.simple if len(views) == len(pairs.views) else np.isin(pairs.view, views) & pairs.simple
        rows = np.flatnonzero(chosen)
        number, sustained = pairs.number(views[0], bearers), pairs.views[views[0]].sustained
        damage, late = pairs.views[views[0]].damages
        whole = pairs.alike[rows] & (damage == late)
        together, apart = rows[whole], rows[~whole]
        if len(together):
            counts, place = _unique_counts(number, sustained, pairs, together)
            table, kind = tables.stacked(damage, pairs.feel_no_pain, counts.shape[1] - 1)
            results[together] = _weighted(counts, place, table, kind[together])
        if len(apart):
            results[apart] = _apart(number, sustained, pairs, apart, (damage, late), targets)
    for row in np.flatnonzero(~pairs.simple).tolist():
        results[row] = exact_results(pairs, row, bearers, targets)
    return tidy(results)


def tidy(values: Array) -> Array:
    """Sums of many floats of either sign: what is no larger than their rounding is nothing."""
    return np.where(np.abs(values) < ROUNDING, 0.0, values)


def _weighted(counts: Array, place: Places, table: Array, kind: Places) -> Array:
    """Sum over the numbers of packets for each pair; all combinations at once where that is less work."""
    if len(counts) * len(table) <= 8 * len(place):
        return np.tensordot(counts, table, axes=(1, 1))[place, kind]
    return np.einsum("tn,tnk->tk", counts[place], table[kind])


def same_number(pairs: PairRates) -> Iterable[list[int]]:
    """Views that agree in the number of attacks, the extra hits and the damage."""
    if not (pairs.attack.has_rules or pairs.attack.blast):
        return [list(range(len(pairs.views)))]
    groups: dict[Hashable, list[int]] = {}
    for place, view in enumerate(pairs.views):
        groups.setdefault((view.attacks, view.plan.sustained, view.damages), []).append(place)
    return groups.values()


def _unique_counts(number: Number, sustained: Pmf, pairs: PairRates, rows: Places) -> tuple[Array, Places]:
    """Numbers of packets of the distinct rates, all packets together, and the place of each pair among them."""
    used = np.unique(pairs.kind[rows]) if len(rows) < len(pairs.kind) else np.arange(len(pairs.own_same))
    _, first, same = np.unique(pairs.own_same[used], return_index=True, return_inverse=True)
    counts = packet_counts(number, sustained, pairs.own.take(used[first]).together())
    place = np.zeros(len(pairs.own_same), dtype=np.int64)
    place[used] = same
    return trimmed(counts, 1), place[pairs.kind[rows]]


def _apart(
    number: Number,
    sustained: Pmf,
    pairs: PairRates,
    rows: Places,
    damages: tuple[Rolled, Rolled],
    targets: TargetSet,
) -> Array:
    """Results where packets that wait do otherwise than ordinary ones: those come first, these last."""
    results = np.zeros((len(rows), len(RESULTS)))
    counts = split_counts(number, sustained, pairs.rates.take(rows))
    keys = np.stack(
        [targets.wounds[rows], targets.models[rows], pairs.feel_no_pain[rows], pairs.feel_no_pain_late[rows]], axis=1
    )
    kinds, kind = np.unique(keys, axis=0, return_inverse=True)
    for place, (wounds, models, ordinary, late) in enumerate(kinds.tolist()):
        chosen = np.flatnonzero(kind.ravel() == place)
        own = trimmed(trimmed(counts[chosen], 1), 2)
        states = whole_unit(models, wounds)
        waiting = np.zeros((len(chosen), own.shape[2], models, wounds))
        for packets in range(own.shape[1]):
            if packets:
                states = struck(states, *transition(damages[0], ordinary, wounds))
            waiting += own[:, packets, :, None, None] * states
        results[chosen] = expectations(released(waiting, *transition(damages[1], late, wounds)))
    return results


def released(waiting: Array, stay: Array, slain: Array) -> Array:
    """States (pairs, models, wounds) after the packets that wait on axis 1 have come."""
    after = waiting[:, -1]
    for count in range(waiting.shape[1] - 2, -1, -1):
        after = struck(after, stay, slain) + waiting[:, count]
    return after


def expectations(states: Array) -> Array:
    """Wounds lost, models slain and destruction of states (pairs, models, wounds): an array (pairs, results)."""
    models, wounds = states.shape[-2:]
    slain = np.arange(models, dtype=float)
    by_model = states.sum(axis=-1)
    destroyed = np.clip(1.0 - by_model.sum(axis=-1), 0.0, 1.0)
    lost = by_model @ slain * wounds + states.sum(axis=-2) @ np.arange(wounds - 1, -1, -1.0)
    results = np.stack([lost + destroyed * models * wounds, by_model @ slain + destroyed * models, destroyed], axis=-1)
    return np.clip(results, 0.0, np.array([models * wounds, models, 1.0]))


def exact_results(pairs: PairRates, row: int, bearers: int, targets: TargetSet) -> Array:
    """Results of one pair, attack by attack."""
    plan = pairs.attack.plan(targets.signatures[row])
    units, states = result_states([Volley(plan, bearers)], targets.signatures[row].unit)
    lost, slain = float((units.lost * states).sum()), float((units.slain * states).sum())
    return np.array([lost, slain, float(states[-1, -1])])

"""Folding: a weapon, the circumstances and the rules in force become the numbers of one attack sequence.

Belongs here: keywords, scenario flags and effect rows, each turned into the rule of the step that it changes (Hit roll,
Wound roll, saving throw, damage). Does not belong here: dice; the steps themselves are in their own modules.

Readings. Changes to a number: replace, divide, add, subtract, round up. Attacks, Strength and Toughness are never below
1, AP never worse than 0, Save, BS and WS never better than 2+. Changes of the skill characteristic are outside the cap
on roll modifiers. Rules that do not name an Extra Attacks weapon do not change its number of attacks. Rapid Fire and
Melta count inside half range; Blast adds 1 for each five whole models of the whole unit. Of two rules that replace the
same number the later row stands. Who ignores modifiers ignores those that hurt, and keeps the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from models.damage import NO_FEEL_NO_PAIN
from models.dice import Dice, Pmf, Rolled, changed_pmf, compounded, dice_pmf, fixed, point
from models.effects import Circumstances, Effect, is_die_table, names_weapon, touching
from models.hit import HitRule
from models.keywords import WeaponKeywords, with_keyword
from models.rolls import REROLLS
from models.save import NO_SAVE, SaveRule, chance_unsaved
from models.scenarios import Scenario
from models.units import Attacker, ModelGroup, NotModelled, TargetUnit, Weapon
from models.wound import WoundRule

# +1 where a larger number is good for the attacker, -1 where it is good for the defender.
_GOOD_FOR_ATTACKER = {
    "hit_roll": 1, "wound_roll": 1, "save_roll": -1, "damage_roll": 1, "A": 1, "S": 1, "AP": -1, "D": 1,
    "BS": -1, "WS": -1, "T": -1, "Sv": 1, "W": -1,
}  # fmt: skip

NO_ATTACKS = Rolled(fixed(0), floor=0)


@dataclass(frozen=True)
class Packet:
    """One wound on its way to a model: what its saving throw and its damage look like."""

    armour_penetration: int
    damage: Rolled
    devastating: bool = False
    precision: bool = False


@dataclass(frozen=True)
class MortalWounds:
    """Mortal wounds beside the damage. `amounts` is the distribution for one event; `event` when it happens."""

    event: str
    amounts: tuple[float, ...]
    maximum: int | None = None
    psychic: bool = False
    precision: bool = False

    @property
    def pmf(self) -> Pmf:
        return np.array(self.amounts)


@dataclass(frozen=True)
class DefenceChanges:
    """What rules change on the models that are attacked: each with the names of the models, empty for all."""

    save_set: tuple[tuple[frozenset[str], int], ...] = ()
    save_deltas: tuple[tuple[frozenset[str], int], ...] = ()
    invulnerable_saves: tuple[tuple[frozenset[str], int], ...] = ()
    feel_no_pains: tuple[tuple[frozenset[str], int, str], ...] = ()
    cover: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True)
class Defence:
    """How one group of models stands against one attack; 7 means none."""

    save: int
    invulnerable_save: int
    cover: bool
    feel_no_pain: int
    feel_no_pain_mortal: int


@dataclass(frozen=True)
class AttackPlan:
    """The numbers of one attack sequence. Packets are keyed by (critical hit, critical wound)."""

    name: str
    is_ranged: bool
    attacks: Rolled
    hit: HitRule
    lethal: bool
    sustained: Dice | None
    wound: tuple[tuple[float, WoundRule], ...]
    wound_on_critical_hit: tuple[tuple[float, WoundRule], ...]
    packets: tuple[tuple[tuple[bool, bool], Packet], ...]
    save: SaveRule
    denies_cover: bool
    defence: DefenceChanges
    psychic: bool = False
    hazardous: bool = False
    mortal_wounds: tuple[MortalWounds, ...] = ()
    hit_reasons: tuple[tuple[str, int], ...] = ()

    def packet(self, critical_hit: bool, critical_wound: bool) -> Packet:
        return dict(self.packets)[critical_hit, critical_wound]


@dataclass
class _Rules:
    """The rows that touch one attack, by kind, and the side that ignores modifiers."""

    rows: tuple[Effect, ...]
    ignores: tuple[Effect, ...] = field(default=())

    def __post_init__(self) -> None:
        self.ignores = tuple(row for row in self.rows if row.kind == "ignore_modifiers")

    def of(self, kind: str, **params: object) -> list[Effect]:
        if not self.rows:
            return []
        return [
            row
            for row in self.rows
            if row.kind == kind and all(row.param(name) == value for name, value in params.items())
        ]

    def is_ignored(self, stat: str, delta: float, reason: str | None = None) -> bool:
        hurts = "attacker" if delta * _GOOD_FOR_ATTACKER[stat] < 0 else "defender"
        return any(
            row.side == hurts and stat in row.param("stats") and row.param("only") in (None, reason)
            for row in self.ignores
        )

    def value(self, stat: str) -> Dice | int | None:
        """The number that replaces a characteristic, None where no rule does."""
        rows = self.of("set", stat=stat)
        return rows[-1].param("value") if rows else None

    def deltas(self, stat: str) -> list[tuple[int | Dice, int | None, Effect]]:
        """Changes of a number that nobody ignores, additions first, each with its limit."""
        if not self.rows:
            return []
        found = []
        for row in self.of("modify", stat=stat):
            delta = row.param("delta")
            if not self.is_ignored(stat, delta.mean if isinstance(delta, Dice) else delta):
                found.append((delta, row.param("limit"), row))
        return sorted(found, key=lambda item: -(item[0].mean if isinstance(item[0], Dice) else item[0]))

    def whole_deltas(self, stat: str) -> list[tuple[int, Effect]]:
        """Changes of a number that has no dice."""
        return [(delta, row) for delta, _, row in self.deltas(stat) if isinstance(delta, int)]

    def total(self, stat: str) -> int:
        return sum(delta for delta, _ in self.whole_deltas(stat))

    def changed(self, stat: str, base: int) -> int:
        """A characteristic that is one number, after its changes, before the game's own bounds."""
        replaced = self.value(stat)
        number = base if replaced is None else replaced.plus if isinstance(replaced, Dice) else replaced
        for delta, limit, _ in self.deltas(stat):
            assert isinstance(delta, int)
            number = limited(number, delta, limit)
        return number

    def reroll(self, roll: str) -> str:
        """The widest re-roll of a Hit or Wound roll."""
        policies = [
            row.param("policy") if row.param("which") == "any" else "ones" for row in self.of("reroll", roll=roll)
        ]
        return widest(policies)

    def simple_reroll(self, roll: str) -> str:
        """The widest re-roll of a rolled number: none, ones or any."""
        found = {row.param("which") for row in self.of("reroll", roll=roll)}
        return "any" if "any" in found else "ones" if found else "none"

    def fails_to(self, roll: str) -> int:
        return max((row.param("up_to") for row in self.of("always_fails", roll=roll)), default=1)


def widest(rerolls: Sequence[str]) -> str:
    return max(rerolls, key=REROLLS.index, default="none")


def limited(number: int, delta: int, limit: int | None) -> int:
    """A changed number; a limit of the text holds the result, and never pushes it the other way."""
    changed = number + delta
    if limit is None:
        return changed
    return max(number, min(changed, limit)) if delta > 0 else min(number, max(changed, limit))


# --- one attack ------------------------------------------------------------------------------------------------------


def fold_attack(
    weapon: Weapon, scenario: Scenario, effects: Sequence[Effect], target: TargetUnit, attacker: Attacker
) -> AttackPlan:
    """Numbers of one weapon's attacks against a target; none where it cannot attack. NotModelled where unknown.

    Rules that ask whether Strength exceeds Toughness come last: Strength and Toughness count after their own changes.
    """
    now = Circumstances(scenario, target, attacker, weapon, weapon.keywords)
    now = replace(now, keywords=_granted(weapon.keywords, _early(effects, now)))
    early = _Rules(_early(effects, now))
    toughness = _toughness(early, target)
    strengths = _strengths(early, weapon)
    rules = early
    if len(strengths) == 1:
        now = replace(now, strength=strengths[0][1], toughness=toughness)
        now = replace(now, keywords=_granted(now.keywords, touching(effects, now)))
        rules = _Rules(touching(effects, now))
        _check_circular(rules.rows)
    _check_late(rules.rows)
    keywords = now.keywords
    attacks = cannot_attack(weapon, keywords, scenario, attacker) is None
    bonuses = _critical_bonuses(rules)
    wound = _wounds(effects, now, strengths, toughness, {})
    changes_wound = "S" in bonuses["hit"] or "wound_roll" in bonuses["hit"]
    return AttackPlan(
        name=weapon.name,
        is_ranged=weapon.is_ranged,
        attacks=_attacks(rules, weapon, keywords, scenario, target) if attacks else NO_ATTACKS,
        hit=_hit(rules, weapon, keywords, now),
        lethal="lethal hits" in keywords,
        sustained=keywords.sustained_hits,
        wound=wound,
        wound_on_critical_hit=_wounds(effects, now, strengths, toughness, bonuses["hit"]) if changes_wound else wound,
        packets=_packets(rules, weapon, keywords, scenario, bonuses, target),
        save=SaveRule(
            armour_penetration=_armour_penetration(rules, weapon, 0),
            cover=weapon.is_ranged and (scenario.cover or scenario.hidden),
            modifier=rules.total("save_roll"),
            reroll={"none": "none", "ones": "ones", "any": "failed"}[rules.simple_reroll("save")],
            fails_to=rules.fails_to("save"),
        ),
        denies_cover="ignores cover" in keywords or bool(rules.of("deny_cover")),
        defence=_defence_changes(rules, weapon, target),
        psychic="psychic" in keywords,
        hazardous=attacks and "hazardous" in keywords,
        mortal_wounds=_attack_mortals(rules, keywords, scenario, target),
        hit_reasons=tuple(_hit_modifiers(rules, weapon, keywords, now)),
    )


def cannot_attack(
    weapon: Weapon, keywords: WeaponKeywords, scenario: Scenario, attacker: Attacker
) -> tuple[str, str] | None:
    """Why a weapon makes no attacks in a scenario, with the flag that stops it; None where it attacks."""
    if scenario.overwatch and not weapon.is_ranged:
        return "overwatch", "a melee weapon does not fire Overwatch"
    if scenario.hidden:
        if not weapon.is_ranged or "indirect fire" not in keywords:
            return "hidden", "without line of sight only Indirect Fire weapons attack"
        if "torrent" in keywords or weapon.skill is None:
            return "hidden", "a Torrent weapon cannot be fired with Indirect Fire"
    if scenario.engaged and weapon.is_ranged:
        if "blast" in keywords:
            return "engaged", "a Blast weapon cannot target a unit that is engaged with its own side"
        if (
            attacker.keywords is not None
            and not attacker.keywords & {"MONSTER", "VEHICLE"}
            and "pistol" not in keywords
        ):
            return "engaged", "an engaged unit that is no MONSTER or VEHICLE fires Pistols alone"
    return None


def _early(effects: Sequence[Effect], now: Circumstances) -> tuple[Effect, ...]:
    return tuple(row for row in touching(effects, now) if not _needs_strength(row))


def _check_circular(rows: Sequence[Effect]) -> None:
    for row in rows:
        if _needs_strength(row) and row.kind == "set" and row.param("stat") in ("S", "T"):
            raise NotModelled(f"{row.place}.condition", f"{row.param('stat')} that depends on Strength and Toughness")


def _granted(keywords: WeaponKeywords, rows: Sequence[Effect]) -> WeaponKeywords:
    for row in rows:
        if row.kind == "grant_keyword" and not (row.late and _only_on_criticals(row)):
            keywords = with_keyword(
                keywords, row.param("keyword"), row.param("value"), row.param("target_keyword"), row.param("threshold")
            )
    return keywords


def _only_on_criticals(row: Effect) -> bool:
    """Whether it matters that a keyword is granted for critical rolls alone. Lethal and Sustained Hits work on critical
    hits, Devastating Wounds on critical wounds, whatever else is granted."""
    keyword = str(row.param("keyword")).strip("[] ").lower()
    if keyword == "devastating wounds":
        return "critical_hit" in row.late
    return not (keyword.startswith(("lethal hits", "sustained hits")) and row.late == {"critical_hit"})


def _needs_strength(row: Effect) -> bool:
    return any("strength_greater_than_toughness" in token for token in row.conditions)


def _check_late(rows: Sequence[Effect]) -> None:
    for row in rows:
        if not row.late or row.kind == "critical_bonus":
            continue
        if row.kind == "modify" and row.param("stat") in ("AP", "D", "damage_roll"):
            continue
        if row.kind == "modify" and row.late == {"critical_hit"} and row.param("stat") in ("S", "wound_roll"):
            continue
        if row.kind == "mortal_wounds" or (row.kind == "grant_keyword" and _late_keyword(row)):
            continue
        raise NotModelled(f"{row.place}.condition", f"{row.kind} on {', '.join(sorted(row.late))}")


def _late_keyword(row: Effect) -> bool:
    name = str(row.param("keyword")).strip("[] ").lower()
    return not _only_on_criticals(row) or name in ("precision", "devastating wounds")


def _toughness(rules: _Rules, target: TargetUnit) -> int:
    """Of an Attached unit the bodyguard's, of unlike models the highest, each after its own changes."""
    return max(max(1, _for_group(rules, group, target).changed("T", group.toughness)) for group in target.bodyguards)


def _for_group(rules: _Rules, group: ModelGroup, target: TargetUnit) -> _Rules:
    return _Rules(tuple(row for row in rules.rows if _covers(_names(row, target), group)))


def _names(row: Effect, target: TargetUnit) -> frozenset[str]:
    """The model names that a defender's rule is narrowed to; empty where it is for all."""
    present = {group.name.casefold() for group in target.groups}
    return row.model_names & present


def _covers(names: frozenset[str], group: ModelGroup) -> bool:
    return not names or group.name.casefold() in names


def _strengths(rules: _Rules, weapon: Weapon) -> list[tuple[float, int]]:
    """Strengths of an attack with their probabilities; a random Strength is rolled anew for each attack."""
    replaced = rules.value("S")
    base = weapon.strength if replaced is None else replaced
    assert isinstance(base, Dice)
    result: dict[int, float] = {}
    unconditional = [(delta, limit) for delta, limit, row in rules.deltas("S") if not row.late]
    for value, chance in enumerate(dice_pmf(base)):
        if chance > 0:
            strength = value
            for delta, limit in unconditional:
                assert isinstance(delta, int)
                strength = limited(strength, delta, limit)
            strength = max(1, strength)
            result[strength] = result.get(strength, 0.0) + float(chance)
    return [(chance, strength) for strength, chance in result.items()]


def _attacks(rules: _Rules, weapon: Weapon, keywords: WeaponKeywords, scenario: Scenario, target: TargetUnit) -> Rolled:
    may_change = rules.rows
    if "extra attacks" in keywords:
        # Only a rule that names the weapon changes how often an Extra Attacks weapon attacks.
        may_change = tuple(row for row in rules.rows if row.weapon_filter and names_weapon(row.weapon_filter, weapon))
    allowed = _Rules(may_change)
    replaced = allowed.value("A")
    base = weapon.attacks if replaced is None else replaced
    assert isinstance(base, Dice)
    added, subtracted = [], 0
    if scenario.half_range and weapon.is_ranged and keywords.rapid_fire is not None:
        added.append(keywords.rapid_fire)
    if "blast" in keywords:
        added.append(fixed(target.models // 5))
    base, more, subtracted = _dice_changes(base, allowed.deltas("A"))
    return Rolled(base, rules.simple_reroll("attacks"), 0, _merged([*added, *more]), subtracted, floor=1)


def _dice_changes(base: Dice, deltas: Sequence[tuple[int | Dice, int | None, Effect]]) -> tuple[Dice, list[Dice], int]:
    """Split changes of a rolled number into a base, what is added and what is subtracted."""
    added, subtracted = [], 0
    for delta, limit, row in deltas:
        if isinstance(delta, Dice):
            added.append(delta)
        elif delta < 0 and limit is not None and limit <= 1:
            subtracted -= delta  # the floor of 1 is there anyway
        elif limit is not None:
            if not base.is_fixed or added or subtracted:
                raise NotModelled(f"{row.place}.params.limit", "a limit on a rolled number")
            base = fixed(limited(base.plus, delta, limit))
        elif delta >= 0:
            added.append(fixed(delta))
        else:
            subtracted -= delta
    return base, added, subtracted


def _merged(added: Sequence[Dice]) -> tuple[Dice, ...]:
    """Additions with the constants in one, so that equal changes are equal records."""
    constant = sum(dice.plus for dice in added if dice.is_fixed)
    rolled = sorted(dice for dice in added if not dice.is_fixed)
    return (*rolled, fixed(constant)) if constant else tuple(rolled)


# --- hit -------------------------------------------------------------------------------------------------------------


def _hit_modifiers(
    rules: _Rules, weapon: Weapon, keywords: WeaponKeywords, now: Circumstances
) -> list[tuple[str, int]]:
    """Every modifier of the Hit roll that nobody ignores, with its reason, before the sum is capped."""
    scenario, target = now.scenario, now.target
    found: list[tuple[str, int]] = []
    if weapon.is_ranged:
        if scenario.stationary and "heavy" in keywords:
            found.append(("heavy", 1))
        if scenario.hidden and "indirect fire" in keywords:
            found.append(("indirect", -1))
        if scenario.engaged and "pistol" not in keywords:
            found.append(("engaged", -1))
        if _has_stealth(rules, target):
            found.append(("stealth", -1))
    found = [(reason, delta) for reason, delta in found if not rules.is_ignored("hit_roll", delta, reason)]
    return found + [("rule", delta) for delta, _ in rules.whole_deltas("hit_roll")]


def _has_stealth(rules: _Rules, target: TargetUnit) -> bool:
    """Stealth counts only if every model has it."""
    rows = rules.of("stealth")
    return bool(rows) and all(any(_covers(_names(row, target), group) for row in rows) for group in target.groups)


def _hit(rules: _Rules, weapon: Weapon, keywords: WeaponKeywords, now: Circumstances) -> HitRule:
    scenario = now.scenario
    if weapon.skill is None or "torrent" in keywords or rules.of("auto", roll="hit"):
        return HitRule(automatic=True)
    critical = rules.of("critical_on", roll="hit")
    successful = [row.param("threshold") for row in critical if row.param("if_successful")]
    if "conversion" in keywords and now.beyond_12:
        successful.append(4)
    fails_to = rules.fails_to("hit")
    if scenario.hidden and "indirect fire" in keywords and weapon.is_ranged:
        fails_to = max(fails_to, 3)
    return HitRule(
        skill=min(max(2, rules.changed("BS" if weapon.is_ranged else "WS", weapon.skill)), 7),
        modifier=max(-1, min(1, sum(delta for _, delta in _hit_modifiers(rules, weapon, keywords, now)))),
        reroll=rules.reroll("hit"),
        critical_on=min([6, *(row.param("threshold") for row in critical if not row.param("if_successful"))]),
        critical_if_successful=min([6, *successful]),
        only_on=_only_on(rules, scenario),
        fails_to=fails_to,
    )


def _only_on(rules: _Rules, scenario: Scenario) -> int | None:
    """The unmodified roll that alone hits. A rule that names one stands for the 6 of Fire Overwatch."""
    rows = rules.of("hit_only_on")
    own = [row.param("threshold") for row in rows if row.side == "attacker"]
    others = [row.param("threshold") for row in rows if row.side == "defender"]
    if own or others:
        return max([*others, *([min(own)] if own else [])])
    return 6 if scenario.overwatch else None


# --- wound -----------------------------------------------------------------------------------------------------------


def _wounds(
    effects: Sequence[Effect],
    now: Circumstances,
    strengths: Sequence[tuple[float, int]],
    toughness: int,
    bonus: dict[str, int],
) -> tuple[tuple[float, WoundRule], ...]:
    """Wound rules with their probabilities: one, unless the Strength is rolled."""
    result: dict[WoundRule, float] = {}
    for chance, strength in strengths:
        own = max(1, strength + bonus.get("S", 0))
        rows = touching(effects, replace(now, strength=own, toughness=toughness))
        if len(strengths) > 1:
            for row in rows:
                if _needs_strength(row) and not (row.kind == "modify" and row.param("stat") == "wound_roll"):
                    raise NotModelled(
                        f"{row.place}.condition", "strength_greater_than_toughness with a random Strength"
                    )
        rules = _Rules(rows)
        # Rules that ask for Strength and Toughness may change them once more; that decides the roll, not the rules.
        more = sum(delta for delta, row in rules.whole_deltas("S") if _needs_strength(row) and not row.late)
        stands = _toughness(rules, now.target)
        rule = _wound_rule(rules, now, max(1, own + more), stands, bonus.get("wound_roll", 0))
        result[rule] = result.get(rule, 0.0) + chance
    return tuple((chance, rule) for rule, chance in result.items())


def _wound_rule(rules: _Rules, now: Circumstances, strength: int, toughness: int, bonus: int) -> WoundRule:
    keywords, scenario = now.keywords, now.scenario
    if rules.of("auto", roll="wound"):
        return WoundRule(automatic=True)
    modifier = bonus + sum(delta for delta, row in rules.whole_deltas("wound_roll") if not row.late)
    if "lance" in keywords and scenario.charging and not rules.is_ignored("wound_roll", 1, "lance"):
        modifier += 1
    rerolls = [rules.reroll("wound")]
    if "twin-linked" in keywords:
        rerolls.append(scenario.twin_linked_policy)
    critical = rules.of("critical_on", roll="wound")
    rule = WoundRule(
        modifier=max(-1, min(1, modifier)),
        reroll=widest(rerolls),
        critical_on=min([6, *(row.param("threshold") for row in critical if not row.param("if_successful"))]),
        critical_if_successful=min([6, *(row.param("threshold") for row in critical if row.param("if_successful"))]),
        fails_to=rules.fails_to("wound"),
    )
    return rule.against(strength, toughness, keywords.anti_threshold(now.target.keywords))


# --- packets: save, damage -------------------------------------------------------------------------------------------


def _critical_bonuses(rules: _Rules) -> dict[str, dict[str, int]]:
    """What a critical hit, and a critical wound, adds to the attack that rolled it."""
    found: dict[str, dict[str, int]] = {"hit": {}, "wound": {}}
    for row in rules.rows:
        if row.kind == "critical_bonus":
            rolls = [row.param("roll")]
        elif row.kind == "modify" and row.late:
            rolls = [token.removeprefix("critical_") for token in sorted(row.late)]
            if len(rolls) > 1:
                raise NotModelled(f"{row.place}.condition", "a critical hit and a critical wound at once")
        else:
            continue
        delta = row.param("delta")
        if isinstance(delta, Dice):
            raise NotModelled(f"{row.place}.params.delta", "dice added on a critical roll")
        stat = "D" if row.param("stat") == "damage_roll" else row.param("stat")
        if not rules.is_ignored(stat, delta):
            found[rolls[0]][stat] = found[rolls[0]].get(stat, 0) + delta
    return found


def _armour_penetration(rules: _Rules, weapon: Weapon, bonus: int) -> int:
    replaced = rules.value("AP")
    number = weapon.armour_penetration if replaced is None else int(replaced)  # type: ignore[arg-type]
    for delta, limit, row in rules.deltas("AP"):
        if not row.late:
            assert isinstance(delta, int)
            number = limited(number, delta, limit)
    return min(0, number + bonus)


def _damage(rules: _Rules, weapon: Weapon, keywords: WeaponKeywords, scenario: Scenario, bonus: int) -> Rolled:
    replaced = rules.value("D")
    base = weapon.damage if replaced is None else replaced
    assert isinstance(base, Dice)
    halvings = len(rules.of("halve", stat="D"))
    if halvings and any(stat == "D" for row in rules.ignores if row.side == "attacker" for stat in row.param("stats")):
        halvings = 0
    deltas = [item for stat in ("D", "damage_roll") for item in rules.deltas(stat) if not item[2].late]
    if halvings and any(limit is not None for _, limit, _ in deltas):
        raise NotModelled("effects", "a limit on a halved number")
    base, added, subtracted = _dice_changes(base, deltas)
    if keywords.melta is not None and scenario.half_range and weapon.is_ranged:
        added.append(keywords.melta)
    if bonus > 0:
        added.append(fixed(bonus))
    # Never below 1, unless a rule sets Damage to 0 and nothing is added.
    floor = 0 if isinstance(replaced, Dice) and replaced.maximum == 0 and not added else 1
    return Rolled(base, rules.simple_reroll("damage"), halvings, _merged(added), subtracted - min(bonus, 0), floor)


def _packets(
    rules: _Rules,
    weapon: Weapon,
    keywords: WeaponKeywords,
    scenario: Scenario,
    bonuses: dict[str, dict[str, int]],
    target: TargetUnit,
) -> tuple[tuple[tuple[bool, bool], Packet], ...]:
    sees_leader = target.is_attached and scenario.use_precision and not scenario.hidden
    late = [row for row in rules.rows if row.kind == "grant_keyword" and row.late]
    same = Packet(
        armour_penetration=_armour_penetration(rules, weapon, 0),
        damage=_damage(rules, weapon, keywords, scenario, 0),
        precision=sees_leader and "precision" in keywords,
    )
    result = []
    for key in ((False, False), (False, True), (True, False), (True, True)):
        critical = {"hit": key[0], "wound": key[1]}
        more = [bonuses[roll] for roll in ("hit", "wound") if critical[roll]]
        better_ap, better_damage = (sum(one.get(stat, 0) for one in more) for stat in ("AP", "D"))
        granted = {
            str(row.param("keyword")).strip("[] ").lower()
            for row in late
            if all(critical[token.removeprefix("critical_")] for token in row.late)
        }
        packet = replace(
            same,
            devastating=critical["wound"] and ("devastating wounds" in keywords or "devastating wounds" in granted),
            precision=same.precision or (sees_leader and "precision" in granted),
        )
        if better_ap:
            packet = replace(packet, armour_penetration=_armour_penetration(rules, weapon, better_ap))
        if better_damage:
            packet = replace(packet, damage=_damage(rules, weapon, keywords, scenario, better_damage))
        result.append((key, packet))
    return tuple(result)


# --- the models that are attacked ------------------------------------------------------------------------------------


def _defence_changes(rules: _Rules, weapon: Weapon, target: TargetUnit) -> DefenceChanges:
    versus = ("any", weapon.attack_type)
    return DefenceChanges(
        save_set=tuple((_names(row, target), row.param("value")) for row in rules.of("set", stat="Sv")),
        save_deltas=tuple(
            (_names(row, target), delta) for delta, _, row in rules.deltas("Sv") if isinstance(delta, int)
        ),
        invulnerable_saves=tuple(
            (_names(row, target), row.param("threshold"))
            for row in rules.of("invulnerable_save")
            if row.param("versus") in versus
        ),
        feel_no_pains=_feel_no_pain_changes(rules.rows, target),
        cover=tuple(_names(row, target) for row in rules.of("benefit_of_cover")) if weapon.is_ranged else (),
    )


def _feel_no_pain_changes(rows: Sequence[Effect], target: TargetUnit) -> tuple[tuple[frozenset[str], int, str], ...]:
    return tuple(
        (_names(row, target), row.param("threshold"), versus)
        for row in rows
        if row.kind == "feel_no_pain"
        for versus in row.param("versus")
    )


def defend(plan: AttackPlan, group: ModelGroup) -> Defence:
    """How a group of models stands against an attack, each number the best that applies."""
    changes = plan.defence
    save = group.save
    for names, value in changes.save_set:
        save = value if _covers(names, group) else save
    save += sum(delta for names, delta in changes.save_deltas if _covers(names, group))
    versus = ("any", "ranged" if plan.is_ranged else "melee")
    invulnerable = [threshold for threshold, against in group.invulnerable_saves if against in versus]
    invulnerable += [threshold for names, threshold in changes.invulnerable_saves if _covers(names, group)]
    ordinary, mortal = best_feel_no_pain(group, changes.feel_no_pains, plan.psychic)
    has_cover = plan.save.cover or any(_covers(names, group) for names in changes.cover)
    return Defence(
        save=max(2, save),
        invulnerable_save=min(invulnerable, default=NO_SAVE),
        cover=has_cover and not plan.denies_cover,
        feel_no_pain=ordinary,
        feel_no_pain_mortal=mortal,
    )


def best_feel_no_pain(
    group: ModelGroup, changes: Sequence[tuple[frozenset[str], int, str]], psychic: bool
) -> tuple[int, int]:
    """Best Feel No Pain against damage and against mortal wounds; a model uses one."""
    options = [*group.feel_no_pains, *((value, against) for names, value, against in changes if _covers(names, group))]
    ordinary = [value for value, against in options if against == "any" or (against == "psychic" and psychic)]
    mortal = [value for value, against in options if against == "mortal"]
    return min(ordinary, default=NO_FEEL_NO_PAIN), min(ordinary + mortal, default=NO_FEEL_NO_PAIN)


def unsaved_chance(plan: AttackPlan, packet: Packet, defence: Defence) -> float:
    """Probability that a packet gets past the saving throw; a Devastating Wound allows none."""
    if packet.devastating:
        return 1.0
    rule = replace(plan.save, armour_penetration=packet.armour_penetration, cover=defence.cover)
    return chance_unsaved(rule, defence.save, defence.invulnerable_save)


def wounded_profile(target: TargetUnit, effects: Sequence[Effect], now: Circumstances) -> TargetUnit:
    """The target with its changed Wounds characteristics; they stand before the first attack."""
    rules = _Rules(touching([row for row in effects if row.param("stat") == "W"], now))
    if not rules.rows:
        return target
    groups = tuple(
        replace(group, wounds=max(1, _for_group(rules, group, target).changed("W", group.wounds)))
        for group in target.groups
    )
    return replace(target, groups=groups)


# --- mortal wounds ---------------------------------------------------------------------------------------------------


def _attack_mortals(
    rules: _Rules, keywords: WeaponKeywords, scenario: Scenario, target: TargetUnit
) -> tuple[MortalWounds, ...]:
    """Mortal wounds that events of this attack cause, whatever becomes of its damage."""
    precise = target.is_attached and scenario.use_precision and not scenario.hidden and "precision" in keywords
    rows = [row for row in rules.of("mortal_wounds") if row.side == "attacker" and _event(row) is not None]
    return tuple(
        MortalWounds(
            _event(table[0]) or "", tuple(_amounts(table, 1)), table[0].param("max"), "psychic" in keywords, precise
        )
        for table in _die_tables(rows)
    )


def _event(row: Effect) -> str | None:
    """The event of an attack that brings mortal wounds; None where they do not come from single attacks."""
    per = row.param("per")
    if per in ("once", "model"):
        return None
    if per == "critical_wound" and row.late == {"critical_hit"}:
        return "critical_hit"
    return str(per)


def _die_tables(rows: Sequence[Effect]) -> list[list[Effect]]:
    """Rows that are outcomes of one die together, every other row alone."""
    groups: dict[object, list[Effect]] = {}
    for row in rows:
        groups.setdefault(row.choice if row.choice is not None else row.index, []).append(row)
    tables: list[list[Effect]] = []
    for group in groups.values():
        tables += [group] if is_die_table(group) else [[row] for row in group]
    return tables


def _amounts(table: Sequence[Effect], times: int, toughness: int | None = None) -> Pmf:
    """Distribution of the mortal wounds of one event: `dice` dice, each bringing an amount on its faces."""
    parts = [(row.param("faces"), dice_pmf(row.param("amount"))) for row in table]
    each = np.zeros(max(len(pmf) for _, pmf in parts))
    each[0] = 1.0
    for faces, pmf in parts:
        chance = 1.0 if faces is None else len(faces) / 6
        each[: len(pmf)] += chance * pmf
        each[0] -= chance
    each[0] = max(each[0], 0.0)
    dice = table[0].param("dice")
    if dice == "T":
        if toughness is None:
            raise NotModelled(f"{table[0].place}.params.dice", "T of an attacking model whose Toughness is not told")
        dice = fixed(toughness)
    number = compounded(point(times), dice_pmf(dice))
    total = compounded(number, each)
    return saturated(total, table[0].param("max"))


def saturated(pmf: Pmf, maximum: int | None) -> Pmf:
    """Everything above the maximum counts as the maximum."""
    if maximum is None or len(pmf) <= maximum + 1:
        return pmf
    return np.concatenate([pmf[:maximum], [pmf[maximum:].sum()]])


@dataclass(frozen=True)
class UnitMortalWounds:
    """Mortal wounds that do not come from single attacks, with the Feel No Pain rules that touch them."""

    amounts: tuple[float, ...]
    feel_no_pains: tuple[tuple[frozenset[str], int, str], ...]
    psychic: bool


def unit_mortal_wounds(
    effects: Sequence[Effect], now: Circumstances, bearers: int | None
) -> tuple[UnitMortalWounds, ...]:
    """The attacker's mortal wounds for the whole target unit, in the order of their rows.

    `bearers`: models that attack, for those that come once for each model of the attacking unit; None where not told.
    """
    rows = touching(effects, now)
    feel_no_pains = _feel_no_pain_changes([row for row in rows if row.attack_type == "any"], now.target)
    found = []
    mortal = [row for row in rows if row.kind == "mortal_wounds" and row.side == "attacker" and _event(row) is None]
    for table in _die_tables(mortal):
        times = 1
        if table[0].param("per") == "model":
            if bearers is None:
                raise NotModelled(f"{table[0].place}.params.per", "a number of attacking models that is not told")
            times = bearers
        psychic = table[0].weapon_filter == "psychic" or "psychic_attack" in table[0].conditions
        amounts = _amounts(table, times, now.attacker.toughness)
        found.append(UnitMortalWounds(tuple(amounts), feel_no_pains, psychic))
    return tuple(found)


def attacks_pmf(plan: AttackPlan, bearers: int) -> Pmf:
    """Number of attacks of all bearers; each rolls its own."""
    return compounded(point(bearers), changed_pmf(plan.attacks))


def plain_attacks(weapon: Weapon, scenario: Scenario, models: int) -> Rolled:
    """Number of attacks of one bearer against a unit of this many models where no rule beyond keywords is in force."""
    target = TargetUnit((ModelGroup("", models, 1, NO_SAVE, 1),))
    return _attacks(_Rules(()), weapon, weapon.keywords, scenario, target)


def plain_strengths(weapon: Weapon) -> tuple[tuple[float, int], ...]:
    """Strengths of an attack with their probabilities where no rule beyond keywords is in force."""
    return tuple(_strengths(_Rules(()), weapon))

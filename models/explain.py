"""A case told step by step: what is rolled, what is needed, what is expected, in words.

Belongs here: the steps of one attack sequence as plain data for people to read. Does not belong here: any number that
`models.resolve` does not answer too.
"""

from dataclasses import dataclass
from typing import Any

from models.dice import Dice, Rolled, changed_pmf, mean
from models.exact import Volley
from models.fold import AttackPlan, Defence, Packet, defend, unsaved_chance
from models.hit import HitRule
from models.resolve import Case, answer, counted, read_case
from models.save import NO_SAVE, SaveRule, armour_modifier
from models.sequence import feel_no_pain_against, packet_rates
from models.units import CaseError, ModelGroup
from models.wound import WoundRule


@dataclass(frozen=True)
class Step:
    """One step: its name, the weapon or models it is about, the roll needed, the expected count, a sentence.

    `needed` is as print (`3+`), None where nothing is rolled; `expected` is None where a count has no one meaning.
    """

    step: str
    subject: str
    needed: str | None
    expected: float | None
    reading: str


def explain_case(case: object) -> list[dict[str, Any]]:
    """The steps of a case, in the order in which they happen; one step `error` where it cannot be resolved."""
    try:
        read = read_case(case)
        found = answer(read)
    except CaseError as error:
        return [vars(Step("error", error.place, None, None, str(error)))]
    steps = [step for volley in read.volleys for step in _weapon_steps(volley, read)]
    return [vars(step) for step in (*steps, *_mortal_steps(read), *_result_steps(read, found))]


def _weapon_steps(volley: Volley, case: Case) -> list[Step]:
    plan = volley.plan
    count = counted(volley, case.target)
    steps = [
        Step("attacks", plan.name, None, count.attacks, _attacks_text(plan.attacks, volley.bearers)),
        Step("hit", plan.name, _hit_needed(plan.hit), count.hits, _hit_text(plan, count.critical_hits)),
        Step("wound", plan.name, _wound_needed(plan), count.wounds, _wound_text(plan, count.critical_wounds)),
    ]
    for group in case.target.groups:
        steps += _group_steps(volley, group, case, count.attacks)
    if plan.hazardous:
        tests = volley.bearers
        text = f"{_plural(tests, 'test')}, one for each weapon used; a 1 fails. Reported beside the result."
        steps.append(Step("hazardous", plan.name, "2+", tests / 6, text))
    return steps


def _group_steps(volley: Volley, group: ModelGroup, case: Case, attacks: float) -> list[Step]:
    plan = volley.plan
    defence = defend(plan, group)
    alone = len(case.target.groups) == 1
    subject = f"{plan.name} v {group.name}" if group.name else plan.name
    steps = []
    for rate, packet in packet_rates(plan):
        passing = unsaved_chance(plan, packet, defence)
        expected = attacks * rate * passing if alone else None
        name = "devastating wounds" if packet.devastating else "save"
        steps.append(
            Step(name, subject, _save_needed(plan, packet, defence), expected, _save_text(plan, packet, defence))
        )
        threshold = feel_no_pain_against(packet, defence)
        taken = mean(changed_pmf(packet.damage)) * (threshold - 1 if threshold <= 6 else 6) / 6
        text = _damage_text(packet.damage)
        if threshold <= 6:
            text += f" Feel No Pain ignores each point on {threshold}+."
        needed = f"{threshold}+" if threshold <= 6 else None
        steps.append(Step("damage", subject, needed, attacks * rate * passing * taken if alone else None, text))
    return steps


def _mortal_steps(case: Case) -> list[Step]:
    steps = []
    for wounds in case.mortal_wounds:
        expected = sum(number * chance for number, chance in enumerate(wounds.amounts))
        text = "Come one at a time after the damage, and spill over to the next model."
        steps.append(Step("mortal wounds", "", None, expected, text))
    return steps


def _result_steps(case: Case, found: dict[str, Any]) -> list[Step]:
    models = case.target.models
    slain = found["models_slain_pmf"]
    likely = max(range(len(slain)), key=lambda number: slain[number])
    return [
        Step(
            "wounds lost",
            "",
            None,
            found["expected_wounds_lost"],
            "After allocation: what exceeds a model's wounds, or the last model, is lost.",
        ),
        Step(
            "models slain",
            "",
            None,
            found["expected_models_slain"],
            f"Of {_plural(models, 'model')}; most likely {likely} ({slain[likely]:.1%}).",
        ),
        Step("destroyed", "", None, found["p_destroyed"], "Probability that the whole unit is destroyed."),
    ]


# --- words -----------------------------------------------------------------------------------------------------------


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _rolled_text(rolled: Rolled) -> str:
    parts = [str(rolled.base)]
    if rolled.reroll != "none" and not rolled.base.is_fixed:
        parts.append({"ones": "ones re-rolled", "any": "low rolls re-rolled"}[rolled.reroll])
    if rolled.halvings:
        parts.append("halved, rounding up")
    parts += [f"plus {_dice(dice)}" for dice in rolled.added]
    if rolled.subtracted:
        parts.append(f"less {rolled.subtracted}, at least {rolled.floor}")
    return ", ".join(parts)


def _dice(dice: Dice) -> str:
    return str(dice)


def _attacks_text(attacks: Rolled, bearers: int) -> str:
    if attacks.floor == 0 and attacks.base.maximum == 0:
        return "The weapon cannot attack in these circumstances."
    return f"{_plural(bearers, 'bearer')} with {_rolled_text(attacks)} attacks each."


def _hit_needed(rule: HitRule) -> str | None:
    if rule.automatic:
        return None
    if rule.only_on is not None:
        return f"{rule.only_on}+"
    return f"{max(2, rule.fails_to + 1, min(6, rule.skill - rule.modifier))}+"


def _reroll_text(reroll: str) -> str:
    words = {"ones": "Ones are re-rolled.", "failed": "Failures are re-rolled.", "none": ""}
    return words.get(reroll, "Everything that is not critical is re-rolled.")


def _hit_text(plan: AttackPlan, criticals: float) -> str:
    rule = plan.hit
    if rule.automatic:
        return "Hits automatically: no roll, no Critical Hits."
    parts = [f"{'BS' if plan.is_ranged else 'WS'} {rule.skill}+"]
    if rule.only_on is not None:
        parts = [f"only an unmodified {rule.only_on}+ hits"]
    elif rule.modifier:
        reasons = ", ".join(f"{reason} {delta:+d}" for reason, delta in plan.hit_reasons)
        parts.append(f"{rule.modifier:+d} to the roll ({reasons}; held to -1..+1)")
    if rule.fails_to > 1:
        parts.append(f"unmodified 1-{rule.fails_to} fail")
    text = f"{'; '.join(parts)}. {criticals:.3g} Critical Hits. {_reroll_text(rule.reroll)}".strip()
    if plan.sustained is not None:
        text += f" Each Critical Hit scores {plan.sustained} more."
    if plan.lethal:
        text += " A Critical Hit wounds automatically."
    return text


def _first_wound(plan: AttackPlan) -> WoundRule:
    return plan.wound[0][1]


def _wound_needed(plan: AttackPlan) -> str | None:
    rule = _first_wound(plan)
    if rule.automatic or len(plan.wound) > 1:
        return None
    needed = max(2, rule.fails_to + 1, min(6, rule.needed - rule.modifier))
    return f"{min(needed, max(rule.critical_on, rule.fails_to + 1))}+"


def _wound_text(plan: AttackPlan, criticals: float) -> str:
    rule = _first_wound(plan)
    if rule.automatic:
        return "Wounds automatically: no roll, no Critical Wounds."
    parts = []
    if len(plan.wound) > 1:
        parts.append("the Strength is rolled for each attack")
    else:
        parts.append(f"Strength against Toughness asks for {rule.needed}+")
    if rule.modifier:
        parts.append(f"{rule.modifier:+d} to the roll")
    if rule.critical_on < 6:
        parts.append(f"unmodified {rule.critical_on}+ is a Critical Wound")
    if rule.fails_to > 1:
        parts.append(f"unmodified 1-{rule.fails_to} fail")
    return f"{'; '.join(parts)}. {criticals:.3g} Critical Wounds. {_reroll_text(rule.reroll)}".strip()


def _save_rule(plan: AttackPlan, packet: Packet, defence: Defence) -> SaveRule:
    return SaveRule(packet.armour_penetration, defence.cover, plan.save.modifier, plan.save.reroll, plan.save.fails_to)


def _save_needed(plan: AttackPlan, packet: Packet, defence: Defence) -> str | None:
    if packet.devastating:
        return None
    rule = _save_rule(plan, packet, defence)
    needed = defence.save - armour_modifier(rule, defence.save)
    if defence.invulnerable_save < NO_SAVE:
        needed = min(needed, defence.invulnerable_save - min(1, rule.modifier))
    needed = max(needed, rule.fails_to + 1, 2)
    return f"{needed}+" if needed <= 6 else None


def _save_text(plan: AttackPlan, packet: Packet, defence: Defence) -> str:
    if packet.devastating:
        return (
            "A Critical Wound allows no save and comes as mortal wounds after all other attacks, without spilling over."
        )
    rule = _save_rule(plan, packet, defence)
    parts = [f"Save {defence.save}+ against AP {packet.armour_penetration}"]
    if armour_modifier(rule, defence.save) > packet.armour_penetration + rule.modifier:
        parts.append("Benefit of Cover")
    if rule.modifier:
        parts.append(f"{rule.modifier:+d} to saving throws")
    if defence.invulnerable_save < NO_SAVE:
        parts.append(f"invulnerable {defence.invulnerable_save}+")
    return f"{'; '.join(parts)}. {_reroll_text(rule.reroll)}".strip()


def _damage_text(damage: Rolled) -> str:
    return f"Damage {_rolled_text(damage)}; one packet goes to one model."

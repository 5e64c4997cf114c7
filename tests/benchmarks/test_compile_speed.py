"""How long the rules compiler needs for as many distinct texts as the full game has.

Belongs here: a budget in processor seconds on one core. Does not belong here: whether the effects are right.
"""

import itertools
import time

from pipelines.rules_text import RuleText, compile_rule

TEXTS = 3400
BUDGET_S = 20.0

WHO = ("this model", "a model in this unit", "a model in your unit", "the bearer", "a BEAST model from your army")
ATTACK = ("an attack", "a ranged attack", "a melee attack")
TARGET = (
    "",
    " that targets a VEHICLE unit",
    ' that targets a unit within 12"',
    " that targets the closest eligible target",
    " that targets a unit with two Doom tokens",
)
CHANGE = (
    "add 1 to the Hit roll",
    "re-roll a Wound roll of 1",
    "you can re-roll the Hit roll and you can re-roll the Wound roll",
    "that attack has the [PRECISION] ability",
)
BEFORE = (
    "", "While this unit is within range of an objective marker you control, ", "If this unit is Below Half-strength, ",
    "Until the end of the phase, ", "While the owl of number {n} is awake, ", "Once per battle, in your Shooting phase, ",
    "If one or more of the seven owls of nest {n} are asleep and have not hooted, ", "At the start of the Fight phase, ",
)  # fmt: skip
AFTER = (
    "", " In addition, models in this unit have the Feel No Pain 5+ ability.",
    " Owl number {n} hoots at the edge of the wood, and it then flies home as if the night were over.",
)  # fmt: skip


def texts() -> list[RuleText]:
    """Distinct texts of the length and shapes of the game's."""
    made = []
    for number, (before, who, attack, target, change, after) in enumerate(
        itertools.product(BEFORE, WHO, ATTACK, TARGET, CHANGE, AFTER)
    ):
        start = "each" if before else "Each"
        text = f"{before}{start} time {who} makes {attack}{target}, {change}.{after}".replace("{n}", str(number))
        made.append(RuleText("ability", f"Rule {number}", text))
        if len(made) == TEXTS:
            break
    return made


def test_the_texts_of_a_full_game_compile_within_the_budget():
    rules = texts()
    assert len({rule.text for rule in rules}) == TEXTS
    start = time.process_time()
    results = [compile_rule(rule) for rule in rules]
    spent = time.process_time() - start
    assert {result.status for result in results} <= {"read", "not_attack"}
    assert spent < BUDGET_S, f"{spent:.1f} s for {TEXTS} texts"

"""The rules compiler over every text of the full-game export.

Belongs here: what must hold for all texts: none raises, speed, how many are read, rows that cannot be right. Does not belong
here: scores against labels (`test_rules_fresh_sample`).
"""

import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from data.real.labelled_texts import TABLES, read_export, rule_text_of

from pipelines.rules_text import Compiled, Effect, RuleText, compile_rules, vocabulary

SECONDS = 20.0
Pair = tuple[RuleText, Compiled]


@pytest.fixture(scope="module")
def rules(real_data: Path) -> list[RuleText]:
    """The distinct texts of the export, as the compiler gets them."""
    result = read_export(real_data)
    found: dict[tuple[str, str, str], RuleText] = {}
    for table in [table for tables in TABLES.values() for table in tables]:
        for row in result.rows(table):
            rule = rule_text_of(table, row)
            if rule.text:
                found.setdefault((table, rule.name if rule.parent else "", rule.text), rule)
    return list(found.values())


@pytest.fixture(scope="module")
def timed(rules: list[RuleText]) -> tuple[list[Pair], float]:
    """Every text with its result, and the processor seconds of the whole run."""
    start = time.process_time()
    results = compile_rules(rules)
    return list(zip(rules, results, strict=True)), time.process_time() - start


def effects(pairs: list[Pair]) -> Iterator[tuple[RuleText, Effect]]:
    """All effects that change an attack."""
    for rule, result in pairs:
        if result.status == "read":
            for effect in result.effects:
                yield rule, effect


def test_the_export_has_thousands_of_texts(rules: list[RuleText]) -> None:
    assert len(rules) > 3000


def test_all_texts_compile_within_the_budget(timed: tuple[list[Pair], float]) -> None:
    assert timed[1] < SECONDS


def test_most_texts_are_understood(timed: tuple[list[Pair], float]) -> None:
    statuses = Counter(result.status for _, result in timed[0])
    assert statuses["not_understood"] < 0.09 * sum(statuses.values()), statuses
    assert statuses["read"] > 0.43 * sum(statuses.values()), statuses


def test_no_row_has_an_impossible_side(timed: tuple[list[Pair], float]) -> None:
    wrong = []
    for rule, effect in effects(timed[0]):
        attackers = {"critical_on", "critical_bonus", "ignore_modifiers", "attack_again", "out_of_phase_attack", "auto"}
        defenders = {"feel_no_pain", "invulnerable_save", "benefit_of_cover", "stealth", "fight_on_death"}
        if (effect.side == "defender" and effect.kind in attackers) or (
            effect.side == "attacker" and effect.kind in defenders
        ):
            wrong.append((rule.name, effect.kind))
        if effect.kind == "reroll" and (effect.params["roll"] == "save") != (effect.side == "defender"):
            wrong.append((rule.name, "reroll"))
        if effect.kind == "grant_keyword" and effect.side == "defender" and effect.params["keyword"] != "hazardous":
            wrong.append((rule.name, effect.params["keyword"]))
    assert not wrong


def test_a_defender_never_makes_attacks_better(timed: tuple[list[Pair], float]) -> None:
    better = {"hit_roll": 1, "wound_roll": 1, "S": 1, "A": 1, "D": 1, "AP": -1, "BS": -1, "WS": -1}
    wrong = [
        rule.name
        for rule, effect in effects(timed[0])
        if effect.side == "defender" and effect.kind == "modify" and isinstance(effect.params["delta"], int)
        and effect.params["delta"] * better.get(effect.params["stat"], 0) > 0
    ]  # fmt: skip
    assert not wrong


def test_every_replacement_points_to_an_earlier_row_of_its_side(timed: tuple[list[Pair], float]) -> None:
    for rule, result in timed[0]:
        for index, effect in enumerate(result.effects, start=1):
            if effect.instead_of is not None:
                assert effect.instead_of < index, rule.name
                assert result.effects[effect.instead_of - 1].side == effect.side, rule.name


def test_a_stratagem_for_named_units_requires_them(timed: tuple[list[Pair], float]) -> None:
    wrong = []
    for rule, effect in effects(timed[0]):
        target = rule.parts.get("target", "")
        if re.match(r"(?:One|That|Up to two|Two) [A-Z][A-Z'’ \-]{3,} (?:unit|model)s?\b", target) and not any(
            token.startswith(("unit_keyword", "model_keyword")) for token in effect.requires
        ):
            wrong.append(rule.name)
    assert not set(wrong)


def test_a_verdict_of_no_attack_leaves_no_roll_unexplained(timed: tuple[list[Pair], float]) -> None:
    words = re.compile(
        r"(?:add|subtract) \d to the (?:Hit|Wound) roll|re-roll (?:a|the) (?:Hit|Wound) roll|Feel No Pain \d\+ ability|\d\+ invulnerable save"
    )
    wrong = [rule.name for rule, result in timed[0] if result.status == "not_attack" and words.search(rule.text)]
    assert not wrong


def test_rows_use_the_vocabulary_of_effects(timed: tuple[list[Pair], float]) -> None:
    stats = set(vocabulary.STATS.values()) | {"hit_roll", "wound_roll", "damage_roll", "save_roll"}
    for rule, effect in effects(timed[0]):
        assert effect.side in {"attacker", "defender"}, rule.name
        assert effect.phase in {"shooting", "fight", "any"}, rule.name
        assert effect.attack_type in {"ranged", "melee", "any"}, rule.name
        if "stat" in effect.params:
            assert effect.params["stat"] in stats, rule.name
        if effect.kind == "grant_keyword":
            assert effect.params["keyword"] in vocabulary.WEAPON_KEYWORDS, rule.name

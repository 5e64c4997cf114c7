"""The rules compiler against hand labels.

Belongs here: figures over 80 texts that were drawn at random and labelled before the compiler had read them, over the 50 texts
of the first sample and over the labelled effects of two dumps. Does not belong here: single grammar cases (`tests/unit`).
"""

from collections import Counter
from pathlib import Path

import pytest
from data.real.labelled_texts import gold_label, labels_of, read_export, score_export, score_gold, texts_of
from data.real.rules_scoring import Score

from pipelines.sources.records import ReadResult

FRESH = Path(__file__).parent / "effects_fresh_sample.jsonl"


@pytest.fixture(scope="module")
def export(real_data: Path) -> ReadResult:
    """The full-game export, read once."""
    return read_export(real_data)


def check(score: Score, found: float) -> None:
    """A wrong effect is worse than a missing one: none may be wrong, and few missing."""
    report = "\n".join(note for note in score.notes if "condition of" not in note)
    assert score.right == score.emitted, report
    assert score.false_not_attack == 0, report
    assert score.recall >= found, report


def test_the_fresh_sample_is_drawn_by_strata_and_apart_from_the_first(real_data: Path, export: ReadResult) -> None:
    fresh = labels_of(FRESH)
    first = labels_of(real_data / "cases" / "effects_sample.jsonl")
    assert Counter(entry["origin"] for entry in fresh) == {
        "stratagem": 30,
        "ability": 20,
        "enhancement": 15,
        "detachment_rule": 10,
        "army_rule": 5,
    }
    assert not [entry["name"] for entry in fresh if entry["ref"] in [other["ref"] for other in first]]
    for entry in fresh:
        assert texts_of(export, entry["ref"]), entry["name"]
        assert [effect["effect_index"] for effect in entry["effects"]] == list(range(1, len(entry["effects"]) + 1))


def test_effects_of_the_fresh_sample(export: ReadResult) -> None:
    check(score_export(export, labels_of(FRESH)), found=0.95)


def test_effects_of_the_first_sample(real_data: Path, export: ReadResult) -> None:
    check(score_export(export, labels_of(real_data / "cases" / "effects_sample.jsonl")), found=0.95)


@pytest.mark.parametrize("number", ["001", "002"])
def test_effects_of_the_labelled_dumps(real_data: Path, number: str) -> None:
    check(score_gold(real_data, number), found=0.9)


def test_older_words_of_the_labelled_dumps() -> None:
    item = {"kind": "crit_wound_ap", "params": {"n": -1}, "side": "attacker", "accept_none": False}
    label = gold_label(item)
    assert (label["kind"], label["params"]) == ("critical_bonus", {"roll": "wound", "stat": "AP", "delta": -1})

"""What holds for every text: nothing raises, the same text gives the same result, taking words away adds nothing.

Belongs here: properties over generated and damaged texts, the cache. Does not belong here: what single phrases mean.
"""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.rules_text import GRAMMAR_HASH, RuleText, compile_rule, compile_rules
from pipelines.rules_text.cache import FileCache, from_json, to_json
from pipelines.rules_text.normalise import normalise, sentences
from pipelines.rules_text.reading import pieces

SENTENCES = (
    "Each time this model makes an attack, add 1 to the Hit roll.",
    "Each time an attack targets this unit, subtract 1 from the Wound roll.",
    "While this model is leading a unit, models in that unit have the Feel No Pain 5+ ability.",
    "In your Shooting phase, after this unit has shot, you can select one enemy VEHICLE unit hit by one or more of those attacks.",
    "Until the end of the turn, that enemy unit cannot have the Benefit of Cover, and owls see it.",
    "If that attack targets a VEHICLE unit, you can re-roll the Hit roll instead.",
    "Once per turn, at the start of the Fight phase, this model can call its owl.",
    "If it does, until the end of the phase, melee weapons equipped by this model have the [LANCE] ability.",
    "Roll one D6: on a 4+, that enemy unit suffers D3 mortal wounds.",
    "You can re-roll Charge rolls made for this unit.",
    "Owls are watching every attack with interest.",
)
WORDS = sorted(
    {word for sentence in SENTENCES for word in sentence.split()} | {"(", ")", ":", ";", "-", "|", "4+", "[", "]", "\n"}
)
ORIGINS = ("ability", "stratagem", "enhancement", "detachment_rule", "army_rule", "rule")


@given(st.text(max_size=200), st.sampled_from(ORIGINS))
@settings(max_examples=150, deadline=None)
def test_no_text_raises(text, origin):
    assert compile_rule(RuleText(origin, "Any", text)).status in {"read", "not_attack", "not_understood"}


@given(st.lists(st.sampled_from(WORDS), max_size=40), st.sampled_from(ORIGINS))
@settings(max_examples=200, deadline=None)
def test_no_heap_of_rule_words_raises(words, origin):
    compiled = compile_rule(RuleText(origin, "Heap", " ".join(words)))
    assert (compiled.status == "not_understood") == (not compiled.effects)


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=6))
@settings(max_examples=100, deadline=None)
def test_the_same_text_gives_the_same_result(chosen):
    rule = RuleText("ability", "Same", " ".join(chosen))
    assert compile_rule(rule) == compile_rule(rule)


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=6, unique=True), st.data())
@settings(max_examples=150, deadline=None)
def test_taking_a_sentence_away_adds_no_other_kind_of_effect(chosen, data):
    gone = data.draw(st.integers(0, len(chosen) - 1))
    whole = compile_rule(RuleText("ability", "Whole", " ".join(chosen)))
    part = compile_rule(RuleText("ability", "Whole", " ".join(chosen[:gone] + chosen[gone + 1 :])))
    if whole.status == "read" and whole.stopped_at is None and part.status == "read":
        assert {(e.side, e.kind) for e in part.effects} <= {(e.side, e.kind) for e in whole.effects}


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5))
@settings(max_examples=100, deadline=None)
def test_every_replacement_points_to_an_earlier_row(chosen):
    effects = compile_rule(RuleText("ability", "Rows", " ".join(chosen))).effects
    for index, effect in enumerate(effects, start=1):
        assert effect.instead_of is None or 1 <= effect.instead_of < index


@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5))
@settings(max_examples=100, deadline=None)
def test_a_verdict_of_no_attack_leaves_no_unread_clause(chosen):
    compiled = compile_rule(RuleText("ability", "Verdict", " ".join(chosen)))
    if compiled.status == "not_attack":
        assert compiled.stopped_at is None
        assert compiled.category


@given(st.text(alphabet="abc ,;:()and or", max_size=80))
def test_pieces_joined_give_the_sentence_back(sentence):
    assert "".join(pieces(sentence)) == sentence


@given(st.text(max_size=120))
def test_normalising_twice_changes_nothing_more(text):
    once = normalise(text)
    assert normalise(normalise(once)) == normalise(once)


def test_sentences_start_in_lower_case_unless_with_a_keyword():
    assert sentences("Each owl hoots. BEAST units sleep. While it rains, wait.") == [
        "each owl hoots",
        "BEAST units sleep",
        "while it rains, wait",
    ]


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("the owl’s “wing” is 6″", 'the owl\'s "wing" is 6"'),
        ("non‑owl", "non-owl"),
        ("One  unit", "One unit"),
        ("While an unit hoots", "While a unit hoots"),
        ("It ends.Each owl", "It ends. Each owl"),
        ("below.- Each owl", "below.\n- Each owl"),
    ],
)
def test_one_spelling_for_what_vintages_print_in_many(printed, read):
    assert normalise(printed) == read


def test_a_cache_spares_what_it_knows():
    rules = [
        RuleText("ability", "A", SENTENCES[0]),
        RuleText("ability", "B", SENTENCES[1]),
        RuleText("ability", "A", SENTENCES[0]),
    ]
    cache: dict = {}
    first = compile_rules(rules, cache)
    assert len(cache) == 2
    assert compile_rules(rules, cache) == first
    assert first[0] == first[2] == compile_rule(rules[0])


def test_a_cache_on_disk_gives_back_what_it_was_given(tmp_path):
    path = tmp_path / "cache" / "rules.json"
    rules = [RuleText("ability", "A", sentence) for sentence in SENTENCES]
    cache = FileCache(path)
    first = compile_rules(rules, cache)
    cache.save()
    again = FileCache(path)
    assert len(again) == len(rules)
    assert compile_rules(rules, again) == first
    path.write_text("{not json", encoding="utf-8")
    assert len(FileCache(path)) == 0


def test_only_what_was_asked_for_stays_in_the_cache(tmp_path):
    path = tmp_path / "rules.json"
    cache = FileCache(path)
    compile_rules([RuleText("ability", "A", SENTENCES[0]), RuleText("ability", "B", SENTENCES[1])], cache)
    cache.save()
    later = FileCache(path)
    compile_rules([RuleText("ability", "A", SENTENCES[0])], later)
    later.save()
    assert len(json.loads(path.read_text(encoding="utf-8"))) == 1


def test_results_survive_json():
    compiled = compile_rule(RuleText("ability", "A", SENTENCES[2]))
    assert from_json(json.loads(json.dumps(to_json(compiled)))) == compiled


def test_the_hash_of_the_grammar_is_short_and_stable():
    assert len(GRAMMAR_HASH) == 16

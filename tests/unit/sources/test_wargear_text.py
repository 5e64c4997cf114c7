"""The grammar of wargear options, default equipment and unit composition, on invented units."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.sources.wargear_text import (
    is_alternative,
    parse_composition,
    parse_compositions,
    parse_equipment,
    parse_option,
    parse_options,
    singular,
    unnest,
)


def items(*pairs: tuple[str, int]) -> list[dict[str, object]]:
    return [{"item": item, "n": n} for item, n in pairs]


@pytest.mark.parametrize(
    ("text", "replaces", "choices", "per_models", "limit_models", "model"),
    [
        (
            "Any number of models can each have their tide pike replaced with 1 reef knife and 1 coral shield.",
            ["tide pike"],
            [items(("reef knife", 1), ("coral shield", 1))],
            None,
            None,
            None,
        ),
        ("1 model’s tide pike can be replaced with 1 horn.", ["tide pike"], [items(("horn", 1))], None, 1, None),
        ("One Diver’s tide pike can be replaced with 1 net.", ["tide pike"], [items(("net", 1))], None, 1, "Diver"),
        (
            "The Tidemaster's cutter can be replaced with 1 lance.",
            ["cutter"],
            [items(("lance", 1))],
            None,
            1,
            "Tidemaster",
        ),
        (
            "This model’s 2 spouts can be replaced with 2 lances.",
            ["spout", "spout"],
            [items(("lance", 2))],
            None,
            None,
            None,
        ),
        (
            "2 of this model’s spouts can be replaced with 1 ram.",
            ["spout", "spout"],
            [items(("ram", 1))],
            None,
            None,
            None,
        ),
        (
            "For every 5 models in this unit, up to 2 Divers can each have their pike replaced with 1 harpoon",
            ["pike"],
            [items(("harpoon", 1))],
            5,
            2,
            "Diver",
        ),
        ("This model can be equipped with 1 keel mine.", [], [items(("keel mine", 1))], None, None, None),
        (
            "This model can be equipped with up to 2 keel mines.",
            [],
            [items(("keel mine", 1)), items(("keel mine", 2))],
            None,
            None,
            None,
        ),
        (
            "This model’s cutter and net can be replaced with 1 lance or 2 hooks, 1 horn and 1 bell.",
            ["cutter", "net"],
            [items(("lance", 1)), items(("hook", 2), ("horn", 1), ("bell", 1))],
            None,
            None,
            None,
        ),
        (
            "All models in this unit can each have their pike replaced with 1 net.",
            ["pike"],
            [items(("net", 1))],
            None,
            None,
            None,
        ),
        ("For every 5 models in this unit, it can have 1 bell.", [], [items(("bell", 1))], 5, 1, None),
        ("Up to four Divers can each replace their pike with 1 net.", ["pike"], [items(("net", 1))], None, 4, "Diver"),
    ],
)
def test_option_forms(
    text: str,
    replaces: list[str],
    choices: list[list[dict[str, object]]],
    per_models: int | None,
    limit_models: int | None,
    model: str | None,
) -> None:
    option = parse_option(text)
    assert option.replaces == replaces
    assert option.choices == choices
    assert (option.per_models, option.limit_models, option.model) == (per_models, limit_models, model)


def test_list_of_alternatives_keeps_pairs_together() -> None:
    option = parse_option(
        "1 model’s tide pike can be replaced with 1 of the following:",
        ["1 horn and 1 reef knife", "1 horn, 1 reef knife and 1 coral shield", "2 nets*"],
    )
    assert option.choices == [
        items(("horn", 1), ("reef knife", 1)),
        items(("horn", 1), ("reef knife", 1), ("coral shield", 1)),
        items(("net", 2)),
    ]
    assert option.condition == "*"


def test_two_of_the_following_gives_every_pick() -> None:
    bullets = ["1 horn", "1 net", "1 bell"]
    once = parse_option("This model can be equipped with up to two of the following:", bullets)
    assert [[item["item"] for item in choice] for choice in once.choices] == [
        ["horn"],
        ["net"],
        ["bell"],
        ["horn", "net"],
        ["horn", "bell"],
        ["net", "bell"],
    ]
    twice = parse_option("This model can be equipped with two of the following, and can take duplicates:", bullets[:2])
    assert twice.choices == [items(("horn", 2)), items(("horn", 1), ("net", 1)), items(("net", 2))]


def test_either_item_replaced_gives_two_options() -> None:
    options = parse_options("This model’s pike or cutter and net can be replaced with 1 lance.")
    assert [option.replaces for option in options] == [["pike"], ["cutter", "net"]]
    with pytest.raises(ValueError, match="2 options"):
        parse_option("This model’s pike or cutter and net can be replaced with 1 lance.")


def test_conditions_stay_with_the_option() -> None:
    option = parse_option("If this unit contains 10 or more models, 1 Diver’s pike can be replaced with 1 harpoon.")
    assert option.condition == "If this unit contains 10 or more models"
    diver = parse_option("1 Diver that is not equipped with a net can be equipped with 1 horn.")
    assert (diver.model, diver.limit_models, diver.condition) == ("Diver", 1, "that is not equipped with a net")
    headed = parse_options(
        "If this unit contains 10 models:",
        ["1 model can be equipped with 1 horn", "1 model can be equipped with 1 bell"],
    )
    assert [option.choices for option in headed] == [[items(("horn", 1))], [items(("bell", 1))]]
    assert all(option.condition == "If this unit contains 10 models" for option in headed)


def test_a_known_name_is_never_split() -> None:
    text = "This model’s hook and chain can be replaced with 1 lance."
    assert parse_option(text).replaces == ["hook", "chain"]
    assert parse_option(text, known=["Hook and chain"]).replaces == ["hook and chain"]


@pytest.mark.parametrize(
    "text",
    [
        "* Maximum 1 per model.",
        "This model looks splendid.",
        "This model’s pike can be replaced with one of the following:",
        "This model’s pike can be replaced with and.",
        "1 vexing horn",
        "Up to 2 Divers can each have their pike replaced with 1 net, or can be equipped with 1 horn.",
    ],
)
def test_what_is_no_option_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_option(text)


def test_none_is_no_option() -> None:
    assert parse_options("None") == []


def test_unnest_rebuilds_flattened_lists() -> None:
    bullets = [
        "- Any number of models can each have their pike replaced with 1 net.",
        "- 1 model’s pike can be replaced with one of the following:",
        "- 1 horn and 1 knife",
        "- 1 horn",
        "* Maximum 1 per model.",
        "- 1 model can be equipped with 1 bell.",
        "- 1 stray",
    ]
    assert unnest(bullets) == [
        ("Any number of models can each have their pike replaced with 1 net.", []),
        ("1 model's pike can be replaced with one of the following:", ["1 horn and 1 knife", "1 horn"]),
        ("* Maximum 1 per model.", []),
        ("1 model can be equipped with 1 bell.", []),
        ("1 stray", []),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "This model is equipped with: null horn; 2 deck lances.",
            [(None, None, "null horn", 1), (None, None, "deck lance", 2)],
        ),
        ("Every model is equipped with: cutter; net.", [(None, None, "cutter", 1), (None, None, "net", 1)]),
        ("Every Diver is equipped with: cutter and net", [("Diver", None, "cutter", 1), ("Diver", None, "net", 1)]),
        ("The Tidemaster is equipped with: cutter.", [("Tidemaster", 1, "cutter", 1)]),
        ("6 Reef Divers are equipped with: pike.", [("Reef Diver", 6, "pike", 1)]),
        (
            "1 Diver is equipped with: horn; pike. The Tidemaster is equipped with: cutter.",
            [("Diver", 1, "horn", 1), ("Diver", 1, "pike", 1), ("Tidemaster", 1, "cutter", 1)],
        ),
        ("This unit is equipped with: nothing.", []),
    ],
)
def test_equipment(text: str, expected: list[tuple[str | None, int | None, str, int]]) -> None:
    assert parse_equipment(text) == expected


@pytest.mark.parametrize("text", ["", "A fine crew.", "Diver’s note: hats. Every Diver is equipped with: pike."])
def test_equipment_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_equipment(text)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- 4-5 Reef Divers", ("Reef Divers", 4, 5)),
        ("1 Tidemaster", ("Tidemaster", 1, 1)),
        ("1 Old Salt – EPIC HERO", ("Old Salt", 1, 1)),
        ("9–19 Divers", ("Divers", 9, 19)),
    ],
)
def test_composition(line: str, expected: tuple[str, int, int]) -> None:
    assert parse_composition(line) == expected


def test_composition_with_two_kinds() -> None:
    assert parse_compositions("1 Tidemaster and 10 Divers") == [("Tidemaster", 1, 1), ("Divers", 10, 10)]
    assert is_alternative("OR") and not is_alternative("1 Orca")
    for bad in ("Divers", "5-4 Divers", "1 Tidemaster and 10 Divers", "One of the following:"):
        with pytest.raises(ValueError):
            parse_composition(bad)


@pytest.mark.parametrize(
    ("plural", "expected"),
    [
        ("deck lances", "deck lance"),
        ("batteries", "battery"),
        ("torches", "torch"),
        ("war axes", "war axe"),
        ("cutlass", "cutlass"),
        ("Sisters of Brine", "Sister of Brine"),
    ],
)
def test_singular(plural: str, expected: str) -> None:
    assert singular(plural) == expected


@given(st.text(max_size=120), st.lists(st.text(max_size=30), max_size=4))
def test_only_value_errors(text: str, bullets: list[str]) -> None:
    """Whatever the text, the grammar answers or refuses; and it names no number that is not printed."""
    for parse in (
        lambda: parse_options(text, bullets),
        lambda: parse_equipment(text),
        lambda: parse_compositions(text),
    ):
        try:
            parse()
        except ValueError:
            continue


def test_a_star_behind_the_colon_of_a_list() -> None:
    option = parse_option("1 model’s pike can be replaced with one of the following:*", ["1 horn", "1 bell", "1 bell"])
    assert option.condition == "*"
    assert option.choices == [items(("horn", 1)), items(("bell", 1))]

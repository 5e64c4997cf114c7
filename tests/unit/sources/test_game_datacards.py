"""JSON data cards: an invented faction and patrol in the cards' own format, then what goes wrong in real files."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.sources.game_datacards import card_text, read
from pipelines.sources.game_datacards.cards import led_units, split_option
from pipelines.sources.records import RawFile, ReadResult
from pipelines.sources.unit_composition import read_composition

FILE = RawFile("0" * 16, "cards.json", "game_datacards", "0" * 64, 0)


def profile(**change: Any) -> dict[str, Any]:
    """A weapon profile."""
    values = {"active": True, "name": "Moss gun", "range": '24"', "attacks": "2", "skill": "3+", "strength": "4"}
    return values | {"ap": "-1", "damage": "1", "keywords": ["Rapid Fire 1"]} | change


def ability(name: str, description: str, **change: Any) -> dict[str, Any]:
    """A named ability."""
    return {"name": name, "description": description, "showAbility": True, "showDescription": True} | change


def card(**change: Any) -> dict[str, Any]:
    """A datasheet of the Hermits."""
    values: dict[str, Any] = {
        "id": "id-1",
        "name": "Cave Warden",
        "source": "40k-10e",
        "cardType": "DataCard",
        "factions": ["Hermits"],
        "keywords": ["Infantry", "Grenades"],
        "composition": ["1 Cave Warden", "2‑4 Cave Guards"],
        "loadout": "Every model is equipped with: moss gun; 2 crab claws.\nKeep it dry.",
        "wargear": ["This model’s moss gun can be replaced with one of the following: ◦ 1 horn ◦ 1 bell   Once only."],
        "points": [{"active": True, "cost": "1100", "models": "3", "keyword": None, "detachment": None}],
        "stats": [{"active": True, "name": "Warden", "m": '6"', "t": "5", "sv": "3+", "w": "4", "ld": "6+", "oc": "1"}],
        "abilities": {
            "core": ["Feel No Pain 5+", 'Scouts 6"', "Deadly Demise D3+1 (Cave Guard model only)", "Stealth"],
            "faction": ["Tides"],
            "other": [ability("Moss Cloak", "**HERMITS** hide:\n■ well &x20;")],
            "wargear": [ability("Lantern", "Glow.")],
            "special": [ability("Secret", "Hush.", showAbility=False)],
            "primarch": [{"name": "Two Moods", "showAbility": True, "abilities": [ability("Calm", "Rest.")]}],
            "damaged": {"range": "1-2 WOUNDS REMAINING", "description": "Limp.", "showDamagedAbility": True},
            "invul": {"value": "5+*", "info": "* Against ranged attacks only", "showInvulnerableSave": True},
        },
        "rangedWeapons": [
            {"active": True, "profiles": [profile()], "abilities": [ability("Wet", "Drip.")]},
            {
                "active": True,
                "profiles": [profile(name="Horn – loud"), profile(name="Horn – low", ap="0", skill="N/A")],
            },
            {"active": False, "profiles": [profile(name="Old gun")]},
        ],
        "meleeWeapons": [{"active": True, "profiles": [profile(name="Crab claw", range="Melee", keywords=[])]}],
        "leads": {"units": ["CAVE GUARD"], "extra": "Even twice."},
        "leadBy": ["Moss King"],
        "leader": "This model can be attached to the following unit: ■ CAVE GUARD",
        "transport": "Carries 2.",
    }
    return values | change


def document(*cards: dict[str, Any], **change: Any) -> dict[str, Any]:
    """A faction file."""
    values: dict[str, Any] = {
        "name": "Hermits",
        "id": "HM",
        "compatibleDataVersion": 781,
        "updated": "2026-05-20T11:06:28.530Z",
        "datasheets": list(cards) or [card()],
        "rules": {
            "army": [
                {
                    "name": "Tides",
                    "rules": [
                        {"order": 2, "type": "header", "text": "Ebb", "title": None},
                        {"order": 1, "type": "text", "text": "Select a tide:", "title": None},
                        {"order": 3, "type": "quote", "text": "Low.", "title": None},
                        {"order": 4, "type": "text", "text": "Add 1 to **Hit rolls**.", "title": None},
                        {"order": 5, "type": "header", "text": "Deeds", "title": None},
                        {"order": 6, "type": "accordion", "text": "Add 1 to Wound rolls.", "title": "Flood"},
                        {"order": 7, "type": "image", "text": "x.png", "title": None},
                    ],
                }
            ],
            "detachment": [
                {
                    "detachment": "Low Tide",
                    "faction": "Hermits",
                    "rules": [
                        {"name": "Salt", "rules": [{"order": 1, "type": "text", "text": "Charge.", "title": None}]}
                    ],
                }
            ],
        },
        "stratagems": [
            {
                "name": "Hide",
                "id": "s1",
                "cost": 1,
                "type": "Battle Tactic",
                "detachment": "Low Tide",
                "detachment_faction": "Hermits",
                "fluff": "Hush.",
                "when": "Any phase.",
                "target": "One unit.",
                "effect": "It has Stealth.",
                "restrictions": "",
            }
        ],
        "enhancements": [
            {
                "name": "Pearl",
                "id": "e1",
                "cost": "15",
                "keywords": ["Hermits"],
                "description": "HERMITS model only. Shine.",
                "detachment": "Low Tide",
                "detachment_faction": "Hermits",
            }
        ],
    }
    return values | change


def read_json(value: Any) -> ReadResult:
    """Read a JSON value as a file."""
    return read(json.dumps(value).encode(), FILE)


def rows(result: ReadResult, table: str, *columns: str) -> list[tuple[object, ...]]:
    """Some columns of a source table."""
    return [tuple(row[column] for column in columns) for row in result.rows(table)]


def reasons(result: ReadResult) -> dict[str, str]:
    """Reasons of the rejects by locator."""
    return {reject.locator: reject.reason for reject in result.rejects}


@pytest.fixture(scope="module")
def result() -> ReadResult:
    """The invented faction file as read."""
    return read_json(document())


def test_file_and_datasheet(result: ReadResult) -> None:
    assert not result.rejects
    assert (result.title, result.version, result.dated, result.edition) == ("Hermits", "781", "2026-05-20", "10")
    columns = ("sheet", "name", "faction", "book", "is_combat_patrol", "is_legends", "locator")
    assert rows(result, "datasheet", *columns) == [
        ("id-1", "Cave Warden", "Hermits", "Hermits", False, False, "/datasheets/0")
    ]


def test_models(result: ReadResult) -> None:
    columns = ("profile", "movement_in", "toughness", "save", "invulnerable_save", "invulnerable_versus", "wounds")
    assert rows(result, "model_profile", *columns, "leadership", "objective_control", "feel_no_pain") == [
        ("Warden", 6, 5, 3, 5, "ranged", 4, 6, 1, 5)
    ]


def test_weapons(result: ReadResult) -> None:
    columns = ("weapon", "profile", "attack_type", "range_in", "attacks", "skill", "armour_penetration", "locator")
    assert rows(result, "weapon_profile", *columns) == [
        ("Moss gun", None, "ranged", 24, "2", 3, -1, "/datasheets/0/rangedWeapons/0"),
        ("Horn", "loud", "ranged", 24, "2", 3, -1, "/datasheets/0/rangedWeapons/1/profiles/0"),
        ("Horn", "low", "ranged", 24, "2", None, 0, "/datasheets/0/rangedWeapons/1/profiles/1"),
        ("Crab claw", None, "melee", None, "2", 3, -1, "/datasheets/0/meleeWeapons/0"),
    ]
    gun = next(result.rows("weapon_profile"))
    assert gun["keywords"] == [{"keyword": "rapid fire", "value": "1", "target_keyword": None, "threshold": None}]
    assert "1 entries left out: inactive rangedWeapons" in result.notices


def test_abilities(result: ReadResult) -> None:
    assert rows(result, "ability", "kind", "name", "value", "text", "model") == [
        ("weapon", "Wet", None, "Drip.", None),
        ("core", "Feel No Pain", "5+", None, None),
        ("core", "Scouts", '6"', None, None),
        ("core", "Deadly Demise", "D3+1", None, "Cave Guard"),
        ("core", "Stealth", None, None, None),
        ("faction", "Tides", None, None, None),
        ("datasheet", "Moss Cloak", None, "HERMITS hide:\n- well", None),
        ("wargear", "Lantern", None, "Glow.", None),
        ("datasheet", "Two Moods", None, "- Calm", None),
        ("datasheet", "Calm", None, "Rest.", None),
        ("damaged", "Damaged: 1-2 Wounds Remaining", "1-2", "Limp.", None),
        ("special", "Transport", None, "Carries 2.", None),
        ("special", "Unit Note", None, "Keep it dry.", None),
        ("special", "Leader", None, "Even twice.", None),
    ]


def test_composition_equipment_options_prices_keywords(result: ReadResult) -> None:
    assert rows(result, "composition", "model", "min_models", "max_models") == [
        ("Cave Warden", 1, 1),
        ("Cave Guards", 2, 4),
    ]
    assert rows(result, "equipment", "item", "n") == [("moss gun", 1), ("crab claw", 2)]
    option = next(result.rows("wargear_option"))
    assert option["choices"] == [[{"item": "horn", "n": 1}], [{"item": "bell", "n": 1}]]
    assert option["text"].endswith("one of the following:\n* Once only.")
    assert rows(result, "unit_cost", "models", "points", "condition") == [(3, 1100, None)]
    assert rows(result, "keyword", "keyword", "is_faction") == [
        ("INFANTRY", False),
        ("GRENADES", False),
        ("HERMITS", True),
    ]
    assert rows(result, "leader", "leader", "bodyguard") == [("id-1", "CAVE GUARD"), ("Moss King", "id-1")]


def test_rules(result: ReadResult) -> None:
    assert rows(result, "army_rule", "name", "parent", "text", "flavour", "faction") == [
        ("Tides", None, "Select a tide:", None, "Hermits"),
        ("Ebb", "Tides", "Add 1 to Hit rolls.", "Low.", "Hermits"),
        ("Flood", "Tides", "Add 1 to Wound rolls.", None, "Hermits"),
    ]
    assert rows(result, "detachment_rule", "name", "detachment", "text") == [("Salt", "Low Tide", "Charge.")]
    columns = ("name", "detachment", "type", "cp", "when_text", "effect_text", "restrictions_text")
    assert rows(result, "stratagem", *columns) == [
        ("Hide", "Low Tide", "Battle Tactic", 1, "Any phase.", "It has Stealth.", None)
    ]
    assert rows(result, "enhancement", "name", "points", "requires") == [("Pearl", 15, ["HERMITS"])]


def test_combat_patrol() -> None:
    sheet = card(composition=["CAVE WARDENS (3 MODELS)"], points=[], combatPatrol=True, name="Cave Wardens")
    result = read_json(document(sheet, name="Combat Patrol: Moss’s Own", isCombatPatrol=True, rules={}))
    assert rows(result, "datasheet", "book", "faction", "is_combat_patrol") == [("Moss's Own", "Hermits", True)]
    assert rows(result, "composition", "model", "min_models", "max_models") == [("Cave Wardens", 3, 3)]


# --- what goes wrong --------------------------------------------------------------------------------------------------


def without(key: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A change that removes a key."""
    return lambda value: {name: entry for name, entry in value.items() if name != key}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"range": "6", "attacks": "4+", "skill": "8", "strength": "-2", "ap": "2"}, "is no dice"),
        ({"ap": "2"}, "with its minus"),
        ({"damage": None}, "the key 'damage' is missing"),
        ({"attacks": "D3+"}, "is no dice"),
        ({"strength": ["4"]}, "the key 'strength' is no text"),
        ({"range": "N/A"}, "is no range"),
        ({"name": ""}, "the weapon has no name"),
    ],
)
def test_damaged_weapon_rows_are_refused(change: dict[str, Any], words: str) -> None:
    weapons = [
        {"active": True, "profiles": [profile(name="Good gun")]},
        {"active": True, "profiles": [profile(**change)]},
    ]
    result = read_json(document(card(), card(id="id-2", rangedWeapons=weapons, meleeWeapons=[])))
    assert words in reasons(result)["/datasheets/1/rangedWeapons/1"]
    assert [row["weapon"] for row in result.rows("weapon_profile") if row["sheet"] == "id-2"] == ["Good gun"]


@pytest.mark.parametrize("key", ["name", "stats", "abilities"])
def test_a_missing_key_is_named(key: str) -> None:
    result = read_json(document(card(), without(key)(card(id="id-2"))))
    assert reasons(result)["/datasheets/1"] == f"the key '{key}' is missing"
    assert "id-1" in [row["sheet"] for row in result.rows("datasheet")]


@pytest.mark.parametrize("key", sorted(card()))
def test_any_key_may_be_missing_or_of_the_wrong_type(key: str) -> None:
    for broken in (
        without(key)(card(id="id-2")),
        card() | {key: 7},
        card() | {key: {"a": None}},
        card() | {key: [None]},
    ):
        result = read_json(document(card(), broken))
        assert [row for row in result.rows("weapon_profile") if row["sheet"] == "id-1"]


def test_a_stat_line_without_a_number() -> None:
    stats = card()["stats"]
    result = read_json(document(card(stats=[without("t")(stats[0]), stats[0] | {"name": "Guard", "t": "5*"}])))
    assert reasons(result)["/datasheets/0/stats/0"] == "the key 't' is missing"
    assert rows(result, "model_profile", "profile", "toughness") == [("Guard", 5)]


def test_saves_of_named_models_and_against_one_kind_of_attack() -> None:
    stats = card()["stats"]
    lines = [stats[0], stats[0] | {"name": "Guard"}]

    def saves(**invul: Any) -> list[tuple[object, ...]]:
        abilities = card()["abilities"] | {"invul": {"showInvulnerableSave": True, "info": ""} | invul}
        found = read_json(document(card(stats=lines, abilities=abilities)))
        return rows(found, "model_profile", "profile", "invulnerable_save", "invulnerable_versus")

    assert saves(value="4+", info="Cave Warden model only.") == [("Warden", 4, "any"), ("Guard", None, None)]
    assert saves(value="4+", info="Snail model only.") == [("Warden", 4, "any"), ("Guard", 4, "any")]
    assert saves(value="4+", info="Against melee attacks only") == [("Warden", 4, "melee"), ("Guard", 4, "melee")]
    assert saves(value="6+", info="4+ against melee attacks") == [("Warden", 6, "any"), ("Guard", 6, "any")]
    assert saves(value="4+", showInvulnerableSave=False) == [("Warden", None, None), ("Guard", None, None)]
    assert saves(value="soft") == [("Warden", None, None), ("Guard", None, None)]


def test_prices_with_conditions() -> None:
    price = card()["points"][0]
    points = [
        price,
        price | {"detachment": "Low Tide", "cost": "90"},
        price | {"keyword": "Snail", "cost": "80"},
        price | {"models": "6", "cost": "10"},
        price | {"models": "6", "cost": "20"},
        price | {"active": False, "cost": "1"},
        price | {"cost": "+5"},
    ]
    result = read_json(document(card(points=points)))
    assert rows(result, "unit_cost", "models", "points", "condition") == [
        (3, 1100, None),
        (3, 90, "in Low Tide"),
        (3, 80, "with Snail"),
    ]
    assert set(reasons(result)) == {f"/datasheets/0/points/{n}" for n in (3, 4, 6)}


def test_a_weapon_in_the_wrong_list_goes_by_its_range() -> None:
    result = read_json(document(card(meleeWeapons=[{"profiles": [profile(name="Horn"), profile(name="Horn")]}])))
    horn = [row for row in result.rows("weapon_profile") if row["weapon"] == "Horn" and row["profile"] is None]
    assert [row["attack_type"] for row in horn] == ["ranged"]
    assert any("listed as melee" in notice for notice in result.notices)


def test_two_cards_with_one_id() -> None:
    result = read_json(document(card(), card(), card(legends=True)))
    assert rows(result, "datasheet", "sheet", "is_legends") == [("id-1", False), ("datasheets/2", True)]


def test_other_editions_are_kept_out() -> None:
    result = read_json(document(card(), card(id="id-2", source="40k-9e")))
    assert reasons(result) == {"/datasheets/1": "a datasheet of edition 9"}


def test_a_file_of_another_edition_says_so() -> None:
    result = read_json(document(card(source="40k-11e"), card(id="id-2", source="40k-11e"), card(id="id-3")))
    assert result.edition == "11" and len(list(result.rows("datasheet"))) == 3 and not result.rejects


def test_rules_that_lack_something() -> None:
    rules = {"army": [{"name": "Empty", "rules": []}, {"rules": []}], "detachment": [{"rules": []}]}
    stratagem = document()["stratagems"][0]
    broken = [without("effect")(stratagem), stratagem | {"cost": "many"}, stratagem | {"detachment": "core"}]
    enhancement = document()["enhancements"][0]
    result = read_json(
        document(
            rules=rules,
            stratagems=broken,
            enhancements=[enhancement | {"cost": "x"}, without("description")(enhancement)],
        )
    )
    assert reasons(result) == {
        "/rules/army/0": "the rule has no text",
        "/rules/army/1": "the key 'name' is missing",
        "/rules/detachment/0": "the key 'detachment' is missing",
        "/stratagems/0": "the key 'effect' is missing",
        "/stratagems/1": "a stratagem needs a name, a detachment, an effect and its cost in command points",
        "/enhancements/0": "'x' is no price",
        "/enhancements/1": "an enhancement needs a name and a description",
    }
    assert rows(result, "stratagem", "detachment", "faction") == [("Core", None)]


def test_lists_and_index() -> None:
    enhancement = document()["enhancements"][0]
    result = read_json([{"faction_id": "HM", "enhancements": [enhancement]}, 5])
    assert rows(result, "enhancement", "name") == [("Pearl",)] and reasons(result) == {
        "/1": "an object is expected here"
    }
    result = read_json(
        {"combatPatrols": [{"id": "p", "name": "Combat Patrol: Moss’s Own", "file": "x.json"}, {"id": "q"}]}
    )
    assert rows(result, "book", "name", "kind") == [("Moss's Own", "Combat Patrol")]
    assert reasons(result) == {"/combatPatrols/1": "the key 'name' is missing"}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no valid JSON"),
        (b"{", "no valid JSON"),
        (b"\xff\xfe{", "UTF-8"),
        (b"7", "object or a list"),
        (b"[" * 9999, "JSON"),
    ],
)
def test_no_cards_at_all(data: bytes, words: str) -> None:
    result = read(data, FILE)
    assert len(result.rejects) == 1 and words in result.rejects[0].reason


def test_an_empty_object_says_so() -> None:
    assert read(b"{}", FILE).notices == ["the file holds no datasheets, rules or stratagems"]


PLACES = st.lists(st.integers(0, 8), min_size=1, max_size=6)
VALUES = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8), st.just([]), st.just({}), st.floats())


@settings(max_examples=150, deadline=None)
@given(PLACES, VALUES)
def test_no_damage_raises(path: list[int], value: Any) -> None:
    damaged: Any = copy.deepcopy(document())
    place = damaged
    for step, number in enumerate(path):
        keys = list(place) if isinstance(place, dict) else list(range(len(place))) if isinstance(place, list) else []
        if not keys:
            break
        key = keys[number % len(keys)]
        if step == len(path) - 1:
            place[key] = value
        else:
            place = place[key]
    read_json(damaged)


# --- small parts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "plain"),
    [
        ("a **B** c", "a B c"),
        ("pick:\n\n■ one\n■ two", "pick:\n- one\n- two"),
        ("pick:&x20; ◦ one ◦ two", "pick:\n- one\n- two"),
        ("a<br>b\nc", "a\nb\nc"),
        ("see note*", "see note"),
        ("2 * 3", "2 * 3"),
    ],
)
def test_card_text(printed: str, plain: str) -> None:
    assert card_text(printed) == plain


def test_options_on_one_line() -> None:
    assert split_option("Pick one: ◦ 1 a ◦ 1 b  ") == ("Pick one:", ["1 a", "1 b"], [])
    assert split_option("Up to 2  Snails can have 1 a.   Never twice.") == (
        "Up to 2 Snails can have 1 a.",
        [],
        ["* Never twice."],
    )
    assert split_option("Pick: ◦ 1 a* * Once") == ("Pick:", ["1 a*"], ["* Once"])


def test_led_units() -> None:
    text = "This model can be attached to the following units:\n- CAVE GUARD\n- MOSS FOLK This model can also sing."
    assert led_units(text) == ["CAVE GUARD", "MOSS FOLK"]
    assert led_units("Nothing") == []


def test_compositions() -> None:
    lines = ["One of the following:", "1 A and 4 Bs", "2 As", "This unit can contain 3 As.", "1 A is equipped with: c."]
    found = read_composition(lines, "Unit")
    assert [(line.kind, line.alternative) for line in found] == [
        ("separator", None),
        ("models", 1),
        ("models", 2),
        ("note", None),
        ("equipment", None),
    ]
    assert read_composition(["snails"], "Unit")[0].kind == "error"
    assert read_composition(["UNIT OF SNAILS (1 MODEL)"], "Unit of Snails")[0].models == (("Unit of Snails", 1, 1),)
    assert read_composition(["MOSS FOLK (2 MODELS)"], "Unit")[0].models == (("Moss Folk", 2, 2),)


def test_half_of_a_pair_of_escapes_is_no_letter() -> None:
    text = json.dumps(document(card(name="NAME"))).replace("NAME", r"Pike\ud800 \ud83d\ude00 \\ud800")
    (found,) = rows(read(text.encode(), FILE), "datasheet", "name")
    assert found == ("Pike\ufffd \U0001f600 \\ud800",)


def test_a_number_of_thousands_of_digits() -> None:
    result = read(b'{"datasheets": [{"id": ' + b"9" * 5000 + b"}]}", FILE)
    assert "no usable JSON" in result.rejects[0].reason

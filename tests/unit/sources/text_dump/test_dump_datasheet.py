"""Sections of a datasheet: weapons, options, abilities, composition, keywords, lists."""

import pytest
from unit.sources.text_dump import samples
from unit.sources.text_dump.samples import PAGE, claim_of, line_of, read_text, rows

HEADER = "RANGED WEAPONS | RANGE | A | BS | S | AP | D | |"
MELEE_HEADER = "MELEE WEAPONS | RANGE | A | WS | S | AP | D | |"
SHEET_END = "KEYWORDS: INFANTRY, DIVER\nFACTION KEYWORDS:\nTIDE WARDENS"


def keywords(row: dict[str, object]) -> list[tuple[object, ...]]:
    return [
        (item["keyword"], item["value"], item["target_keyword"], item["threshold"])
        for item in row["keywords"]  # type: ignore[attr-defined]
    ]


def test_nothing_of_the_sample_is_refused() -> None:
    result = read_text(PAGE)
    assert result.rejects == []
    assert {claim.disposition for claim in result.lines} == {"parsed", "repeat", "reference", "decoration"}
    assert (result.title, result.faction) == ("Tide Wardens – Reef Guard", "Tide Wardens")


def test_the_sheet_itself() -> None:
    (sheet,) = rows(read_text(PAGE), "datasheet")
    assert (sheet["name"], sheet["book"], sheet["faction"]) == ("Reef Guard", "Tide Wardens", "Tide Wardens")
    assert not sheet["is_combat_patrol"] and not sheet["name_is_inferred"]
    assert (sheet["line_no"], sheet["first_line"]) == (1, 1)
    assert sheet["last_line"] == line_of(PAGE, "Gifts of the Sea")


def test_weapons_with_profiles_arrows_and_keywords() -> None:
    result = read_text(PAGE)
    gush, lance, pike, butt = result.rows("weapon_profile")
    assert [(row["weapon"], row["profile"], row["attack_type"]) for row in (gush, lance, pike, butt)] == [
        ("Brine caster", "gush", "ranged"),
        ("Brine caster", "lance", "ranged"),
        ("Reef pike", None, "ranged"),
        ("Reef pike", None, "melee"),
    ]
    assert (gush["range_in"], gush["attacks"], gush["skill"], gush["damage"]) == (12, "D6", None, "1")
    assert (lance["strength"], lance["armour_penetration"], lance["damage"]) == ("9", -4, "D6+1")
    assert butt["range_in"] is None
    assert keywords(lance) == [
        ("hazardous", None, None, None),
        ("melta", "2", None, None),
        ("anti", "4+", "VEHICLE", 4),
    ]
    assert keywords(pike) == [("assault", None, None, None), ("rapid fire", "1", None, None)]


def test_each_weapon_row_is_printed_twice_and_claimed_once() -> None:
    result = read_text(PAGE)
    index, row = next((i, row) for i, row in enumerate(result.rows("weapon_profile")) if row["profile"] == "lance")
    name_only, full = claim_of(result, row["line_no"] - 1), claim_of(result, row["line_no"])
    assert (name_only.disposition, full.disposition) == ("repeat", "parsed")
    assert name_only.row_index == full.row_index == index
    assert claim_of(result, line_of(PAGE, "RANGED WEAPONS")).disposition == "decoration"


@pytest.mark.parametrize(
    ("cell", "name", "expected"),
    [
        ("Deck stubber assault rapid fire 3", "Deck stubber", ["assault", "rapid fire"]),
        ("Flood gun assault rapidfire3", "Flood gun", ["assault", "rapid fire"]),
        ("Salt pistol pistol", "Salt pistol", ["pistol"]),
        ("Hunting lance", "Hunting lance", []),
        ("Ship's prow", "Ship's prow", []),
        ("Wave thrower blast, ignores cover", "Wave thrower", ["blast", "ignores cover"]),
    ],
)
def test_keywords_without_brackets(cell: str, name: str, expected: list[str]) -> None:
    row = f'| {cell} | |||||||\n| {cell} | 24" | 1 | 3+ | 4 | 0 | 1 | |'
    (weapon,) = rows(read_text(HEADER, row, SHEET_END), "weapon_profile")
    assert weapon["weapon"] == name
    assert [item["keyword"] for item in weapon["keywords"]] == expected


def test_a_page_with_brackets_has_no_keywords_outside_them() -> None:
    table = f'{HEADER}\n| Hook [assault] | 12" | 1 | 3+ | 4 | 0 | 1 |\n| Storm blast | 24" | 1 | 3+ | 4 | 0 | 1 |'
    _, blast = rows(read_text(table, SHEET_END), "weapon_profile")
    assert (blast["weapon"], blast["keywords"]) == ("Storm blast", [])


def test_options_tell_a_name_from_keywords() -> None:
    options = "WARGEAR OPTIONS\n- This model’s mind blast can be replaced with 1 net."
    row = f'{HEADER}\n| Mind blast | 24" | 1 | 3+ | 4 | 0 | 1 |'
    (weapon,) = rows(read_text(row, options, SHEET_END), "weapon_profile")
    assert (weapon["weapon"], weapon["keywords"]) == ("Mind blast", [])


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ('| Hook | 24" | 1 | 3+ | 4 | 0 |', "5 values"),
        ('| Hook | 24" | | 3+ | 4 | 0 | 1 |', "without its attacks"),
        ('| Hook | 24" | D3+ | 3+ | 4 | 0 | 1 |', "no dice"),
        ('| Hook | 24" | 1 | 3+ | 4 | 1 | 1 |', "armour penetration"),
        ('| Hook | 24" | 1 | 3+ | 5+ | 0 | 1 |', "no dice"),
        ('| Hook | 24" | 1 | 3 | 4 | 0 | 1 |', "no skill"),
        ("| Hook | Melee | 1 | 3+ | 4 | 0 | 1 |", "range"),
        ('| Hook | 24" | 1 | 3+ | 4 | 0 | 1 | 7 |', "7 values"),
        ("| Hook [assault] | |||||||", "without its row"),
        (f'| {"assault " * 99} | 24" | 1 | 3+ | 4 | 0 | 1 |', "letters"),
    ],
)
def test_a_row_with_a_wrong_value_is_refused(row: str, reason: str) -> None:
    result = read_text(HEADER, row, SHEET_END)
    assert rows(result, "weapon_profile") == []
    (reject,) = result.rejects
    assert reject.line_no == 2
    assert reason in reject.reason
    assert claim_of(result, 2).disposition == "quarantined"


def test_an_unknown_keyword_is_kept_and_noticed() -> None:
    result = read_text(HEADER, '| Hook [barnacled, assault] | 24" | 1 | 3+ | 4 | 0 | 1 |', SHEET_END)
    (weapon,) = rows(result, "weapon_profile")
    assert [item["keyword"] for item in weapon["keywords"]] == ["barnacled", "assault"]
    assert any("barnacled" in notice for notice in result.notices)


def test_one_weapon_with_two_prints_that_disagree() -> None:
    first = '| Hook | 24" | 5 | 3+ | 4 | 0 | 1 |'
    result = read_text(HEADER, first, first, first.replace("| 5 |", "| 7 |"), SHEET_END)
    (weapon,) = rows(result, "weapon_profile")
    assert weapon["attacks"] == "5"
    assert [claim_of(result, line).disposition for line in (2, 3, 4)] == ["parsed", "repeat", "quarantined"]
    assert any("differ" in notice for notice in result.notices)


def test_columns_are_read_by_their_names() -> None:
    table = 'RANGED WEAPONS | A | RANGE | BS | D | AP | S |\n| Hook | 2 | 24" | 3+ | D3 | -1 | 5 |'
    (weapon,) = rows(read_text(table, SHEET_END), "weapon_profile")
    assert (weapon["range_in"], weapon["attacks"], weapon["strength"], weapon["damage"]) == (24, "2", "5", "D3")
    torn = read_text('RANGED WEAPONS | RANGE | A |\n| Hook | 24" | 2 | 3+ | 5 | -1 | D3 |', SHEET_END)
    assert rows(torn, "weapon_profile") == []
    assert torn.rejects


def test_options_with_rebuilt_lists_and_a_footnote() -> None:
    result = read_text(PAGE)
    plain, listed = result.rows("wargear_option")
    assert plain["choices"] == [[{"item": "brine caster", "n": 1}]]
    assert listed["choices"] == [[{"item": "horn", "n": 1}, {"item": "net", "n": 1}], [{"item": "net", "n": 2}]]
    assert (listed["replaces"], listed["limit_models"]) == (["reef pike"], 1)
    assert listed["condition"] == "* Maximum 1 per unit."
    first = line_of(PAGE, "- 1 model’s")
    assert {claim_of(result, line).row_index for line in range(first, first + 4)} == {1}


def test_lists_stuck_to_their_sentence() -> None:
    options = "WARGEAR OPTIONS\n- 1 model’s pike can be replaced with one of the following:- 1 horn and 1 net- 2 hooks"
    (option,) = rows(read_text(options, SHEET_END), "wargear_option")
    assert option["choices"] == [[{"item": "horn", "n": 1}, {"item": "net", "n": 1}], [{"item": "hook", "n": 2}]]


def test_an_option_that_is_not_understood_is_refused() -> None:
    result = read_text("WARGEAR OPTIONS\n- None\n- The crew may sing.\n- 1 stray horn", SHEET_END)
    assert rows(result, "wargear_option") == []
    assert [reject.line_no for reject in result.rejects] == [3, 4]
    assert claim_of(result, 2).disposition == "decoration"


def test_abilities() -> None:
    found = {(row["kind"], row["name"]): (row["value"], row["text"]) for row in read_text(PAGE).rows("ability")}
    assert found["core", "Deep Strike"] == (None, None)
    assert found["core", "Deadly Demise"] == ("1", None)
    assert found["core", "Scouts"] == ('6"', None)
    assert found["faction", "Moon Oath"] == (None, None)
    assert found["datasheet", "Riptide"] == (None, "Each time this unit ends a Charge move, it gets one more attack.")
    assert found["datasheet", "Slack Water"] == (None, "Once per battle, this unit can stay where it is.")
    assert found["wargear", "Net"] == (None, "The bearer's enemies move slowly.")
    assert found["weapon", "Undertow"][1] == "Each time this weapon's bearer fights, its target is Battle-shocked."
    assert found["special", "Shoal Split"][1] == "At the start of the battle, this unit can be split into two."
    assert found["damaged", "Damaged: 1-3 Wounds Remaining"][0] == "1-3"
    assert len(found) == 10


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Slack Tide: It can wait.Neap Tide: It can go.", ["Slack Tide", "Neap Tide"]),
        ("Slack Tide: It can make a Normal moveNeap Tide: It can go.", ["Slack Tide", "Neap Tide"]),
        ("DeepSea Calling: It can wait.", ["DeepSea Calling"]),
        ("A Sailor’s ‘Heave Ho’: It can wait.", ["A Sailor's 'Heave Ho'"]),
        ("Been Out, Seen it All: It can wait. Example: it waits.Note: it may go.", ["Been Out, Seen it All"]),
        (
            "Bell (Aura, Psychic): While near, each unit does the following: it waits; it goes.",
            ["Bell (Aura, Psychic)"],
        ),
    ],
)
def test_names_of_abilities(line: str, names: list[str]) -> None:
    result = read_text(f"ABILITIES\n{line}", SHEET_END)
    assert [row["name"] for row in result.rows("ability")] == names
    assert result.rejects == []


@pytest.mark.parametrize(
    ("printed", "name", "value"),
    [
        ("Feel No Pain 5+", "Feel No Pain", "5+"),
        ("FeelNoPain5+", "Feel No Pain", "5+"),
        ("Deadly Demise D3+1", "Deadly Demise", "D3+1"),
        ("Deadly Demise d6", "Deadly Demise", "D6"),
        ("Firing Deck 12", "Firing Deck", "12"),
        ("Stealth", "Stealth", None),
    ],
)
def test_core_abilities_with_values(printed: str, name: str, value: str | None) -> None:
    (ability,) = rows(read_text(f"ABILITIES\nCORE: {printed}", SHEET_END), "ability")
    assert (ability["name"], ability["value"]) == (name, value)


def test_composition_equipment_and_prices() -> None:
    result = read_text(PAGE)
    assert [
        (row["model"], row["min_models"], row["max_models"], row["alternative"]) for row in result.rows("composition")
    ] == [
        ("Reef Captain", 1, 1, 1),
        ("Reef Guards", 4, 9, 1),
        ("Reef Captain", 1, 1, 2),
        ("Reef Guards", 10, 10, 2),
    ]
    assert [(row["item"], row["n"]) for row in result.rows("equipment")] == [("reef pike", 1), ("net", 2)]
    assert [(row["models"], row["points"]) for row in result.rows("unit_cost")] == [(5, 90), (10, 180)]
    assert {row["line_no"] for row in result.rows("unit_cost")} == {line_of(PAGE, "| 5 m"), line_of(PAGE, "| 10 m")}


@pytest.mark.parametrize("row", ["| 5 models | many |", "| some models | 90 |", "| 5 models |", "| 90 | 5 | 7 |"])
def test_a_price_that_is_none_is_refused(row: str) -> None:
    result = read_text("UNIT COMPOSITION\n- 5 Divers", row, SHEET_END)
    assert rows(result, "unit_cost") == []
    assert [reject.line_no for reject in result.rejects] == [3]


def test_prices_of_mixed_sizes_and_add_ons() -> None:
    prices = "| 1 Captain and 4 Divers | 95 |\n| 2 Captains and 3 Divers | 99 |\n| 5 models (Boat) | 80 |\n| 1 Captain | +15 |"
    result = read_text(f"UNIT COMPOSITION\n- 5 Divers\n{prices}", SHEET_END)
    assert [(row["models"], row["points"], row["condition"]) for row in result.rows("unit_cost")] == [
        (5, 95, None),
        (5, 99, "2 Captains and 3 Divers"),
        (5, 80, "Boat"),
        (None, 15, "add-on: 1 Captain"),
    ]


def test_a_size_priced_twice() -> None:
    result = read_text(
        "UNIT COMPOSITION\n- 5 Divers\n| 5 models | 90 |\n| 5 models | 90 |\n| 5 models | 95 |", SHEET_END
    )
    assert [row["points"] for row in result.rows("unit_cost")] == [90]
    assert [claim_of(result, line).disposition for line in (3, 4, 5)] == ["parsed", "repeat", "quarantined"]
    assert any("95 points" in notice for notice in result.notices)


def test_prices_stuck_to_the_composition() -> None:
    result = read_text("UNIT COMPOSITION\n- 5-10 Divers| 5 models | 90 || 10 models | 180 |", SHEET_END)
    assert [(row["models"], row["points"]) for row in result.rows("unit_cost")] == [(5, 90), (10, 180)]
    assert [(row["model"], row["max_models"]) for row in result.rows("composition")] == [("Divers", 10)]


def test_an_option_or_a_stratagem_listed_twice_is_a_repeat() -> None:
    option = "- 1 model can be equipped with 1 horn."
    entry = "DRY DOCK\n1CP\nSalt Company –"
    result = read_text(f"WARGEAR OPTIONS\n{option}\n{option}\nSTRATAGEMS\n{entry}\n{entry}", SHEET_END)
    assert len(rows(result, "wargear_option")) == len(rows(result, "datasheet_stratagem")) == 1
    assert [claim_of(result, line).disposition for line in (3, 8, 9, 10)] == ["repeat"] * 4


def test_keywords_and_faction_keywords() -> None:
    result = read_text(PAGE)
    assert [row["keyword"] for row in rows(result, "keyword", is_faction=False)] == [
        "INFANTRY",
        "BATTLELINE",
        "SEA FOLK",
        "REEF GUARD",
    ]
    (faction,) = rows(result, "keyword", is_faction=True)
    first = line_of(PAGE, "FACTION KEYWORDS:")
    assert (faction["keyword"], faction["line_no"]) == ("TIDE WARDENS", first + 1)
    assert claim_of(result, first + 2).disposition == "repeat"


def test_a_blank_faction_keyword_is_a_loss_and_stays_one() -> None:
    result = read_text(samples.TITLE, samples.RANGED, "KEYWORDS: REEF GUARD\nFACTION KEYWORDS:", samples.LIST)
    assert rows(result, "keyword", is_faction=True) == []
    (sheet,) = result.rows("datasheet")
    assert sheet["has_lost_text"] and sheet["faction"] == "Tide Wardens"


def test_keywords_of_single_models() -> None:
    result = read_text("KEYWORDS – ALL MODELS: INFANTRY, CREW – CAPTAIN: CHARACTER, DIVER\nFACTION KEYWORDS: SEA FOLK")
    assert [(row["keyword"], row["model"], row["is_faction"]) for row in result.rows("keyword")] == [
        ("INFANTRY", None, False),
        ("CREW", None, False),
        ("CHARACTER", "CAPTAIN", False),
        ("DIVER", "CAPTAIN", False),
        ("SEA FOLK", None, True),
    ]


def test_stratagem_list() -> None:
    result = read_text(PAGE)
    assert [(row["name"], row["cp"], row["detachment"], row["type"]) for row in result.rows("datasheet_stratagem")] == [
        ("COMMAND RE-ROLL", 1, "Boarding Actions", "Epic Deed"),
        ("COMMAND RE-ROLL", 1, "Core", "Battle Tactic"),
        ("SPRING TIDE", 2, "Deep Current", "Strategic Ploy"),
        ("DRY DOCK", 1, "Salt Company", None),
    ]
    icon = line_of(PAGE, "BA")
    assert [claim_of(result, line).disposition for line in range(icon - 3, icon + 1)] == ["parsed"] * 3 + ["decoration"]


def test_leaders_and_lost_lists_of_leaders() -> None:
    (pair,) = rows(read_text(PAGE), "leader")
    assert (pair["leader"], pair["bodyguard"]) == ("Harbour Master", "Reef Guard")
    leads = read_text("LEADER\nThis model can be attached to the following units:\n■ Reef Guard", SHEET_END)
    assert [(row["leader"], row["bodyguard"]) for row in leads.rows("leader")] == [("Diver", "Reef Guard")]
    lost = read_text("LED BY\nThis unit can be led by the following units:", SHEET_END)
    assert rows(lost, "leader") == []
    assert rows(lost, "datasheet")[0]["has_lost_text"]
    assert claim_of(lost, 2).disposition == "reference"


def test_detachment_rules_of_a_sheet_know_their_detachment() -> None:
    listed = read_text(PAGE).rows("datasheet_detachment_rule")
    assert [(row["name"], row["detachment"]) for row in listed] == [
        ("Moonlit Pull", "Deep Current"),
        ("Gifts of the Sea", "Salt Company"),
    ]


def test_enhancements_of_a_sheet() -> None:
    result = read_text(
        samples.TITLE,
        samples.RANGED,
        samples.KEYWORDS,
        "ENHANCEMENTS\nBottled Storm\n25\nOld Compass\n10",
        "Bottled Storm\nDeep Current Detachment\nIt shakes.\nTIDE WARDENS model only. The bearer’s attacks hit harder.",
    )
    assert [(row["name"], row["detachment"]) for row in result.rows("datasheet_enhancement")] == [
        ("Bottled Storm", "Deep Current"),
        ("Old Compass", None),
    ]
    (enhancement,) = result.rows("enhancement")
    assert (enhancement["points"], enhancement["requires"]) == (25, "TIDE WARDENS model only")
    assert (enhancement["flavour"], enhancement["has_lost_text"]) == ("It shakes.", False)
    assert result.rejects == []


def test_a_sheet_without_title_is_named_by_its_last_keyword() -> None:
    (sheet,) = rows(read_text(samples.RANGED, "KEYWORDS: INFANTRY, BELL-DIVERS OF THE DEEP", samples.LIST), "datasheet")
    assert (sheet["name"], sheet["name_is_inferred"]) == ("Bell-divers of the Deep", True)
    spelt = read_text(samples.RANGED, "UNIT COMPOSITION\n- 5 McDivers", "KEYWORDS: INFANTRY, MCDIVERS")
    assert next(spelt.rows("datasheet"))["name"] == "McDivers"


@pytest.mark.parametrize(
    ("title", "name", "legends"),
    [("Tide Wardens - Reef Guard", "Reef Guard", False), ("Tide Wardens – Old Ram [Legends]", "Old Ram", True)],
)
def test_titles(title: str, name: str, legends: bool) -> None:
    (sheet,) = rows(read_text(title, samples.RANGED, samples.KEYWORDS), "datasheet")
    assert (sheet["name"], sheet["book"], sheet["is_legends"]) == (name, "Tide Wardens", legends)


def test_a_sheet_that_nothing_names_is_refused_line_by_line() -> None:
    result = read_text(samples.RANGED, samples.LIST)
    assert rows(result, "datasheet") == rows(result, "weapon_profile") == []
    assert len(result.rejects) == len(result.lines)

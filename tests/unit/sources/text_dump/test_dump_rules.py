"""Rules of a page: stratagems, detachment rules, army rules, glossary, books; and what is stuck together or lost."""

import pytest
from unit.sources.text_dump import samples
from unit.sources.text_dump.samples import BOOK, PAGE, claim_of, line_of, read_text, rows


def test_stratagem_blocks() -> None:
    result = read_text(PAGE)
    tide = rows(result, "stratagem", name="SPRING TIDE")[0]
    assert (tide["detachment"], tide["type"], tide["cp"], tide["faction"]) == (
        "Deep Current",
        "Strategic Ploy",
        2,
        "Tide Wardens",
    )
    assert tide["flavour"] == "The water remembers where it stood."
    assert tide["when_text"] == "Your Movement phase."
    assert tide["effect_text"] == 'Your unit moves again, up to 3".'
    assert tide["restrictions_text"] == "Not twice in one turn."
    assert not tide["has_lost_text"]
    first = tide["line_no"]
    assert PAGE.split("\n")[first - 1] == "SPRING TIDE"
    told = [claim_of(result, line).disposition for line in range(first, first + 13)]
    assert told == ["parsed"] * 9 + ["repeat"] * 4


def test_a_stratagem_without_a_type() -> None:
    (dock,) = rows(read_text(PAGE), "stratagem", name="DRY DOCK")
    assert (dock["detachment"], dock["type"], dock["restrictions_text"]) == ("Salt Company", None, None)


def test_one_name_in_two_detachments() -> None:
    both = rows(read_text(PAGE), "stratagem", name="COMMAND RE-ROLL")
    assert [(row["detachment"], row["type"], row["effect_text"], row["faction"]) for row in both] == [
        ("Core", "Battle Tactic", "Roll again.", None),
        ("Boarding Actions", "Epic Deed", "Roll again, once.", None),
    ]


def test_the_same_wording_is_a_repeat_and_another_wording_a_row() -> None:
    again = samples.DRY_DOCK.replace("1 lost wound", "2 lost wounds")
    result = read_text(samples.DRY_DOCK, samples.DRY_DOCK, again)
    assert [row["effect_text"] for row in result.rows("stratagem")] == [
        "One model in your unit regains 1 lost wound.",
        "One model in your unit regains 2 lost wounds.",
    ]
    second = {claim_of(result, line).disposition for line in range(10, 19)}
    assert second == {"repeat"}
    assert {claim_of(result, line).row_index for line in range(10, 19)} == {0}


def test_fields_on_one_line() -> None:
    text = samples.DRY_DOCK.replace("\nTARGET:", "TARGET:").replace("\nEFFECT:", " EFFECT:")
    (dock,) = rows(read_text(text), "stratagem")
    assert dock["when_text"] == "Your Command phase."
    assert dock["target_text"] == "One unit from your army."
    assert dock["effect_text"] == "One model in your unit regains 1 lost wound."


@pytest.mark.parametrize(
    ("printed", "changed"),
    [
        ("Salt Company – Stratagem", "Salt Company –"),
        ("Salt Company – Stratagem\n", "Salt Company – Stratagem"),
        ("DRY DOCK\n1CP\n", "DRY DOCK1CP"),
        ("1CP\n", "1CP"),
    ],
)
def test_heads_that_are_stuck_or_short_of_a_word(printed: str, changed: str) -> None:
    result = read_text(samples.DRY_DOCK.replace(printed, changed), samples.HAZARDOUS)
    (dock,) = result.rows("stratagem")
    assert (dock["name"], dock["cp"], dock["detachment"], dock["type"]) == ("DRY DOCK", 1, "Salt Company", None)
    assert dock["flavour"] == "Nothing sinks on land."
    assert result.rejects == []


def test_a_second_print_with_other_words_is_refused() -> None:
    text = samples.DRY_DOCK[::-1].replace("1 lost"[::-1], "3 lost"[::-1], 1)[::-1]
    result = read_text(text)
    (dock,) = rows(result, "stratagem")
    assert dock["effect_text"] == "One model in your unit regains 1 lost wound."
    assert [(reject.line_no, "other words" in reject.reason) for reject in result.rejects] == [(9, True)]


def test_text_behind_the_second_print_belongs_to_no_block() -> None:
    result = read_text(samples.DRY_DOCK, "A stray sentence whose heading was lost.")
    assert [reject.line_no for reject in result.rejects] == [10]
    assert rows(result, "stratagem")[0]["effect_text"] == "One model in your unit regains 1 lost wound."


@pytest.mark.parametrize("cut", [1, 2, 3, 4])
def test_a_stratagem_that_is_cut_off_is_refused(cut: int) -> None:
    result = read_text(samples.HAZARDOUS, "\n".join(samples.DRY_DOCK.split("\n")[:cut]))
    assert rows(result, "stratagem") == rows(result, "datasheet_stratagem") == []
    if cut > 1:
        assert len(result.rejects) == cut


def test_headings_stuck_to_the_sentence_before() -> None:
    glossary = samples.HAZARDOUS.split("\n")
    text = "\n".join(
        [
            "\n".join(glossary[:3]) + "Lethal Hits",
            "Good aim.",
            "A Critical Hit wounds.SPRING TIDE",
            *samples.SPRING_TIDE.split("\n")[1:],
            "Torrent",
            "It flows.",
            "It always hits.Moonlit Pull",
            *samples.MOONLIT_PULL.split("\n")[1:],
        ]
    )
    result = read_text(text)
    assert result.rejects == []
    assert [(row["name"], row["text"]) for row in result.rows("rule")] == [
        ("Hazardous", "Sea fire burns its owner too.\nWeapons with [HAZARDOUS] can hurt the model that fires them."),
        ("Lethal Hits", "Good aim.\nA Critical Hit wounds."),
        ("Torrent", "It flows.\nIt always hits."),
    ]
    assert rows(result, "rule", name="Lethal Hits")[0]["line_no"] == 3
    assert rows(result, "stratagem")[0]["line_no"] == 5
    assert rows(result, "detachment_rule", parent=None)[0]["detachment"] == "Deep Current"


def test_references_and_footnotes_stuck_to_a_sentence() -> None:
    result = read_text(
        f"Torrent\nIt flows.\nIt always hits.{samples.REFERENCE}",
        f"Blast\nIt bursts.\nIt counts models.{samples.FOOTNOTE}",
    )
    assert [row["text"] for row in result.rows("rule")] == [
        "It flows.\nIt always hits.",
        "It bursts.\nIt counts models.",
    ]
    assert [claim_of(result, line).disposition for line in (4, 5, 6)] == ["reference"] * 3


def test_references_give_no_fact() -> None:
    for block in (samples.REFERENCE, samples.LOST_REFERENCE, samples.NAVIGATION, samples.FOOTNOTE):
        result = read_text(block)
        assert result.tables == {}
        assert {claim.disposition for claim in result.lines} == {"reference"}
    torn = read_text("The\nkeyword is used in the following Tide Wardens datasheets:Characters\nOther")
    assert {claim.disposition for claim in torn.lines} == {"reference"}
    word = read_text(
        "The SEA FOLK keywords are used in the following Tide Wardens datasheets:\nandCharacters\nandDRY DOCK",
        *samples.DRY_DOCK.split("\n")[1:],
    )
    assert [row["name"] for row in word.rows("stratagem")] == ["DRY DOCK"]
    assert word.rejects == []


def test_detachment_rule_with_options_and_a_boxed_addition() -> None:
    result = read_text(PAGE)
    (rule,) = rows(result, "detachment_rule", name="Moonlit Pull", parent=None)
    assert (rule["detachment"], rule["flavour"]) == ("Deep Current", "The moon draws more than water.")
    assert rule["text"].endswith("- Each time a unit from your army shoots, re-roll a Hit roll of 1.")
    assert [
        (row["name"], row["text"], row["flavour"]) for row in rows(result, "detachment_rule", parent="Moonlit Pull")
    ] == [
        ("High Water", 'Units from your army move 1" farther.', None),
        ("Moonlit Pull (option 1)", "Each time a unit from your army shoots, re-roll a Hit roll of 1.", None),
        ("KEYWORDS", "SEA FOLK units from your army gain the FLOOD keyword.", "They get wet."),
    ]


def test_granted_abilities() -> None:
    result = read_text(PAGE)
    assert [(row["name"], row["text"]) for row in rows(result, "detachment_rule", parent="Gifts of the Sea")] == [
        ("Salt Skin (Aura)", 'While an unit is within 6" of this unit, it has the Feel No Pain 6+ ability.'),
        ("Undertow Pull", "Enemy units nearby cannot Fall Back."),
    ]


def test_a_detachment_rule_without_its_name_is_filled_from_the_list_alone() -> None:
    nameless = "\n".join(samples.GIFTS.split("\n")[1:])
    sheet = (samples.TITLE, samples.RANGED, samples.KEYWORDS, samples.DETACHMENTS)
    result = read_text(*sheet, samples.MOONLIT_PULL, nameless)
    (rule,) = rows(result, "detachment_rule", detachment="Salt Company", parent=None)
    assert (rule["name"], rule["has_lost_text"]) == ("Gifts of the Sea", True)
    torn = read_text(samples.TITLE, samples.RANGED, samples.KEYWORDS, nameless)
    assert rows(torn, "detachment_rule", parent=None) == []
    assert len(torn.rejects) == len(nameless.split("\n"))


def test_keywords_granted_by_a_detachment() -> None:
    result = read_text(
        "While included in an Deep Current Detachment following units have DROWNED keyword:\nOther\nOther"
    )
    (grant,) = result.rows("detachment_rule")
    assert (grant["detachment"], grant["has_lost_text"]) == ("Deep Current", True)
    assert [claim.disposition for claim in result.lines] == ["parsed", "reference", "reference"]


def test_army_rule_with_stances() -> None:
    result = read_text(PAGE)
    (oath,) = rows(result, "army_rule", parent=None)
    assert (oath["name"], oath["flavour"], oath["has_lost_text"]) == (
        "Moon Oath",
        "Sailors swear by what pulls them home.",
        True,
    )
    assert oath["text"] == "If your Army Faction is , select one of the Moon Phases below for each unit:"
    assert [(row["name"], row["flavour"], row["text"]) for row in rows(result, "army_rule", parent="Moon Oath")] == [
        (
            "New Phase",
            "Nothing shines, and nothing is seen.",
            "Each time a ranged attack targets this unit, subtract 1 from the Hit roll.",
        ),
        (
            "Full Phase",
            "The light is bright",
            "Melee weapons equipped by models in this unit have the [LETHAL HITS] ability.",
        ),
    ]


def test_army_rule_with_orders_and_lines_printed_twice() -> None:
    result = read_text(samples.ORDERS)
    calls, row_call, batten = result.rows("army_rule")
    assert calls["text"] == "If your Army Faction is TIDE WARDENS, a captain can ring one of the calls below."
    assert not calls["has_lost_text"]
    assert (row_call["name"], row_call["text"]) == ("Row! Row! Row!", 'M +2"')
    assert (batten["name"], batten["text"], batten["parent"]) == ("Batten Down!", "LD +1 OC +1", "Harbour Calls")
    assert claim_of(result, 4).disposition == "repeat"


def test_army_rule_with_oaths() -> None:
    oaths = "SINK THE GREAT\n- Oath Ability: re-roll one Hit roll.\n- Deed: their flagship is destroyed."
    result = read_text(f"{samples.ORDERS.split('Row!')[0]}{oaths}")
    (oath,) = rows(result, "army_rule", parent="Harbour Calls")
    assert oath["name"] == "SINK THE GREAT"
    assert oath["text"] == "- Oath Ability: re-roll one Hit roll.\n- Deed: their flagship is destroyed."


def test_glossary_entry_that_describes_an_army_is_both() -> None:
    entry = "Tidecaller Abilities\nSome captains call. Models from your army with a Tidecaller ability can use it."
    result = read_text(samples.KEYWORDS, samples.HAZARDOUS, entry)
    assert [row["name"] for row in result.rows("rule")] == ["Hazardous", "Tidecaller Abilities"]
    assert [row["name"] for row in result.rows("army_rule")] == ["Tidecaller Abilities"]


@pytest.mark.parametrize(
    ("lost", "refused"),
    [("Deep Current Detachment", "Moonlit Pull"), ("2CP\nDeep Current – Strategic Ploy Stratagem", "SPRING TIDE")],
)
def test_a_rule_whose_head_is_torn_is_no_glossary_entry(lost: str, refused: str) -> None:
    text = PAGE.replace(f"{lost}\n", lost.partition("\n")[2] + "\n" * bool(lost.partition("\n")[2]))
    result = read_text(text)
    assert {row["name"] for row in result.rows("rule")} == {"Hazardous", "Feel No Pain"}
    assert refused in {reject.text for reject in result.rejects}


def test_glossary_heading_printed_twice() -> None:
    result = read_text(samples.FEEL_NO_PAIN)
    (rule,) = result.rows("rule")
    assert rule["name"] == "Feel No Pain"
    assert [claim.disposition for claim in result.lines] == ["parsed", "repeat", "parsed", "parsed"]


def test_a_lost_table_is_a_loss() -> None:
    result = read_text("Wound Roll\nCompare the two as shown below.\n| ||||||||||||||\nThen roll.")
    (rule,) = result.rows("rule")
    assert rule["has_lost_text"]
    assert claim_of(result, 3).disposition == "decoration"


@pytest.mark.parametrize(
    ("effect", "lost"),
    [
        ("One  unit from your army shoots.", True),
        ("Select an model from your army.", True),
        ("While an unit is near, roll.", True),
        ("That or SEA FOLK unit shoots.", True),
        ("If your Army Faction is , roll.", True),
        ("units from your army shoot.", True),
        ("Select an army(excluding CREW units).", True),
        ("Select one of the following:", True),
        ("One unit from your army shoots.", False),
        ("Select an INFANTRY or ENEMY unit, an hour, an honour or a unit (or two).", False),
        ("You can ignore any or all modifiers, e.g. from cover.", False),
        ('Select one (and only one) unit(s) within 6" of it.', False),
    ],
)
def test_signs_of_lost_words(effect: str, lost: bool) -> None:
    block = samples.DRY_DOCK.replace("One model in your unit regains 1 lost wound.", effect)
    (row,) = rows(read_text(block), "stratagem")
    assert row["has_lost_text"] is lost


def test_the_book_of_a_box() -> None:
    result = read_text(BOOK)
    assert result.rejects == []
    (book,) = result.rows("book")
    assert (book["name"], book["kind"], book["edition"], book["version"]) == ("Coral Crown", "Index", "10", "June 2024")
    assert (result.title, result.edition, result.version) == ("Coral Crown", "10", "June 2024")
    salt, divers = result.rows("datasheet")
    assert (salt["name"], divers["name"]) == ("Old Salt", "Divers")
    assert salt["is_combat_patrol"] and salt["name_is_inferred"] and salt["faction"] == "CORAL FOLK"
    assert (salt["first_line"], divers["first_line"]) == (51, 70)
    assert salt["has_lost_text"]
    assert [(row["sheet"], row["weapon"], row["attack_type"]) for row in result.rows("weapon_profile")] == [
        ("Old Salt", "Harpoon", "ranged"),
        ("Old Salt", "Harpoon", "melee"),
        ("Divers", "Harpoon", "melee"),
    ]


def test_units_of_a_box_have_sizes_and_equipment() -> None:
    result = read_text(BOOK)
    assert [
        (row["sheet"], row["model"], row["min_models"], row["max_models"]) for row in result.rows("composition")
    ] == [("Old Salt", "Old Salt", 1, 1), ("Divers", "Bell Diver", 1, 1), ("Divers", "Diver", 4, 4)]
    assert [(row["sheet"], row["model"], row["models"], row["item"]) for row in result.rows("equipment")] == [
        ("Old Salt", None, None, "harpoon"),
        ("Old Salt", None, None, "old lamp"),
        ("Divers", "Bell Diver", 1, "harpoon"),
        ("Divers", "Diver", 1, "harpoon"),
        ("Divers", "Diver", 1, "net"),
        ("Divers", "Diver", 3, "harpoon"),
    ]


def test_enhancements_objectives_and_rules_of_a_box() -> None:
    result = read_text(BOOK)
    assert [(row["name"], row["detachment"], row["flavour"]) for row in result.rows("enhancement")] == [
        ("LAMP OF AGES", "Coral Crown", "It never went out."),
        ("ROPE OF AGES", "Coral Crown", "It never tore."),
    ]
    assert [(row["name"], row["text"]) for row in result.rows("secondary_objective")] == [
        ("SALVAGE", "You score 3VP for each wreck."),
        ("LIGHTHOUSE", "You score 4VP while it burns."),
    ]
    (oath,) = result.rows("army_rule")
    assert (oath["name"], oath["line_no"]) == ("Moon Oath", line_of(BOOK, "All datasheets"))
    assert oath["text"].split("\n")[1] == "Breaking an Oath"
    (anchor,) = result.rows("stratagem")
    second = line_of(BOOK, "This unit can be led by the following unit:") + 1
    assert claim_of(result, second).disposition == "repeat"
    assert claim_of(result, second).row_index == 0 and anchor["line_no"] < second


def test_a_sheet_of_a_box_on_a_page_of_its_own() -> None:
    page = samples.LIST.replace("Deep Current", "Coral Crown").replace("Salt Company", "Coral Crown")
    result = read_text("Coral Crown – Divers", samples.RANGED, samples.KEYWORDS, page)
    (sheet,) = result.rows("datasheet")
    assert (sheet["name"], sheet["book"], sheet["is_combat_patrol"]) == ("Divers", "Coral Crown", True)
    assert sheet["faction"] == "TIDE WARDENS"


def test_a_page_without_title_takes_its_faction_from_references() -> None:
    result = read_text(samples.RANGED, samples.KEYWORDS, samples.REFERENCE, samples.MOONLIT_PULL)
    assert result.faction == "Tide Wardens"
    assert rows(result, "detachment_rule", parent=None)[0]["faction"] == "Tide Wardens"

"""Datasheet cards in PDF, drawn here: invented units, labels and columns at several places."""

from dataclasses import dataclass
from typing import Any

import pytest
from fpdf import FPDF
from fpdf.enums import AccessPermission
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.sources import datasheet_pdf
from pipelines.sources.records import RawFile, ReadResult, Row

LABELS = ("M", "T", "SV", "W", "LD", "OC")


@dataclass
class Card:
    """What a drawn card says. A weapon is (name, keyword lines, six cells, note lines)."""

    title: tuple[str, ...] = ("MOSS COLOSSUS",)
    profiles: tuple[tuple[str, tuple[str, ...]], ...] = (("", ('8"', "13", "2+", "30", "6+", "10")),)
    saves: tuple[tuple[str, str], ...] = (("5+", "* Against ranged attacks only"),)
    ranged: tuple[tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...] = (
        ("Bark cannon", ("[BLAST, DEVASTATING WOUNDS]",), ('24"', "D6+3", "3+", "6", "-1", "1"), ()),
        (
            "Sap thrower",
            ("[TORRENT, ANTI-INFANTRY 2+,", "IGNORES COVER]"),
            ('12"', "2D6", "N/A", "5", "0", "1"),
            (
                "Sticky: Each time an attack is made with this weapon, if the target is",
                "near the bearer, it sticks.",
            ),
        ),
        ("Seed gun - focus", (), ('36"', "2", "3+", "9", "-3", "D6"), ()),
        ("Seed gun - spread", ("[RAPID FIRE 2]",), ('36"', "6", "3+", "5", "0", "1"), ()),
    )
    melee: tuple[tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...] = (
        ("Root fists", (), ("Melee", "6", "4+", "10", "-1", "2"), ()),
    )
    pick_note: bool = True
    abilities: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("CORE:", ("Deadly Demise 2D6, Feel No Pain 6+",)),
        ("FACTION:", ("Slow Growth",)),
        ("Old Wood:", ("Each time this model is", "hit, it does not much care.")),
        ("Second Spring:", ("Once per battle, this grows-", "back model stands up.")),
    )
    boxes: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("DAMAGED: 1-10 WOUNDS REMAINING", ("While this model has 1-10 wounds", "remaining, it is slower.")),
    )
    options: tuple[tuple[int, str], ...] = (
        (1, "This model's seed gun can be replaced with one of the following:"),
        (2, "1 bark cannon"),
        (2, "1 sap thrower and 1 root fist"),
        (1, "This model's root fists can be replaced with 1 vine whip."),
    )
    composition: tuple[str, ...] = ("1 Moss Colossus",)
    equipment: tuple[str, ...] = ("This model is equipped with: 2 seed guns;", "bark cannon; root fists.")
    back_boxes: tuple[tuple[str, tuple[str, ...]], ...] = (("TRANSPORT", ("This model carries 12 acorns.",)),)
    keywords: tuple[str, ...] = ("Vehicle, Walker, Towering,", "Moss Colossus")
    faction: str = "Moss Wardens"


@dataclass(frozen=True)
class Geometry:
    """Where the parts of a card stand."""

    left: float = 37
    right: float = 340
    first: float = 184  # the label RANGE
    step: float = 24  # between the labels behind it
    head: float = 117
    align: str = "middle"  # cells beside the middle of a name of several lines, or beside its top
    body: float = 7.5


def put(pdf: FPDF, x: float, y: float, text: str, size: float, style: str = "") -> float:
    pdf.set_font("helvetica", style, size)
    pdf.text(x, y, text)
    return float(x + pdf.get_string_width(text))


def centred(pdf: FPDF, centre: float, y: float, text: str, size: float, style: str = "") -> None:
    pdf.set_font("helvetica", style, size)
    pdf.text(centre - pdf.get_string_width(text) / 2, y, text)


def empty() -> FPDF:
    pdf = FPDF(unit="pt", format=(540, 360))
    pdf.core_fonts_encoding = "cp1252"  # bullets and dashes
    pdf.set_auto_page_break(False)
    return pdf


def draw(card: Card, geometry: Geometry = Geometry(), pdf: FPDF | None = None) -> FPDF:
    pdf = pdf or empty()
    pdf.add_page()
    front(pdf, card, geometry)
    pdf.add_page()
    back(pdf, card, geometry)
    return pdf


def titles(pdf: FPDF, card: Card) -> None:
    for number, line in enumerate(card.title):
        put(pdf, 20, 22 + 9 * number, line, 11, "B")


def foot(pdf: FPDF, card: Card) -> None:
    put(pdf, 31, 328, "KEYWORDS:", 8)
    for number, line in enumerate(card.keywords):
        put(pdf, 80, 328 + 9 * number, line, 8, "B")
    put(pdf, 356, 328, "FACTION KEYWORDS:", 8)
    put(pdf, 356, 337, card.faction, 8, "B")


def front(pdf: FPDF, card: Card, g: Geometry) -> None:
    titles(pdf, card)
    centres = [32 + 30 * number for number in range(6)]
    for centre, label in zip(centres, LABELS, strict=True):
        centred(pdf, centre, 44, label, 6, "B")
    y = 56.0
    for name, values in card.profiles:
        for centre, value in zip(centres, values, strict=True):
            centred(pdf, centre, y, value, 11, "B")
        if name:
            put(pdf, 205, y - 1, name, 8, "B")
        y += 14
    for value, note in card.saves:
        put(pdf, 86, y + 6, value, 11, "B")
        end = put(pdf, 117, y + 5, "INVULNERABLE SAVE" + ("*" if note.startswith("*") else ""), 9, "B")
        if note:
            put(pdf, end + 12, y + 5, note, 7.5, "I")
        y += 12
    y = table(pdf, "RANGED WEAPONS", "BS", card.ranged, g, max(g.head, y + 10))
    y = table(pdf, "MELEE WEAPONS", "WS", card.melee, g, y + 6)
    if card.pick_note:
        put(pdf, g.left, y + 6, "Before selecting targets for this weapon, select one of its profiles.", 7)
    y = g.head
    put(pdf, g.right, y, "ABILITIES", 9, "B")
    y += 14
    for name, texts in card.abilities:
        style = "" if name in ("CORE:", "FACTION:") else "B"
        end = put(pdf, g.right, y, name, g.body, style)
        put(pdf, end + 1.6, y, texts[0], g.body)
        for text in texts[1:]:
            y += 8.5
            put(pdf, g.right, y, text, g.body)
        y += 14
    boxes(pdf, card.boxes, g, y)
    foot(pdf, card)


def boxes(pdf: FPDF, entries: tuple[tuple[str, tuple[str, ...]], ...], g: Geometry, y: float) -> None:
    for heading, texts in entries:
        put(pdf, g.right + 2, y + 4, heading, 9, "B")
        y += 18
        for text in texts:
            put(pdf, g.right, y, text, g.body)
            y += 8.5
        y += 8


def table(pdf: FPDF, heading: str, skill: str, rows: Any, g: Geometry, y: float) -> float:
    put(pdf, g.left, y, heading, 9, "B")
    centres = [g.first + 12] + [g.first + 12 + g.step * number + 12 for number in range(1, 6)]
    for centre, label in zip(centres, ("RANGE", "A", skill, "S", "AP", "D"), strict=True):
        centred(pdf, centre, y, label, 9, "B")
    y += 14
    for name, keyword_lines, cells, note in rows:
        put(pdf, g.left, y, name, g.body)
        for number, line in enumerate(keyword_lines, start=1):
            put(pdf, g.left, y + 9 * number, line, 5.5, "B")
        beside = y + (4.5 * len(keyword_lines) - (0.7 if keyword_lines else 0) if g.align == "middle" else 0)
        for centre, cell in zip(centres, cells, strict=True):
            if cell:
                centred(pdf, centre, beside, cell, g.body)
        y += 9 * len(keyword_lines) + 10
        for line in note:
            put(pdf, g.left, y, line, g.body)
            y += 9
    return y


def back(pdf: FPDF, card: Card, g: Geometry) -> None:
    titles(pdf, card)
    put(pdf, 20, 55, "It has stood here longer than anyone can say.", 8, "I")
    put(pdf, 28, g.head, "WARGEAR OPTIONS", 9, "B")
    put(pdf, g.right, g.head, "UNIT COMPOSITION", 9, "B")
    y = g.head + 16
    for level, text in card.options or ((1, "None"),):
        # The standard fonts have one bullet; a dash stands for the second level.
        put(pdf, 28 + 8 * (level - 1), y, "\u2022" if level == 1 else "\u2013", 7.5)
        put(pdf, 34 + 8 * (level - 1), y, text, 7.5)
        y += 10
    y = g.head + 16
    for text in card.composition:
        if text != "OR":
            put(pdf, g.right, y, "\u2022", 7.5)
        put(pdf, g.right + 6, y, text, 7.5, "B")
        y += 10
    for text in card.equipment:
        put(pdf, g.right, y, text, 7.5)
        y += 8.5
    boxes(pdf, card.back_boxes, g, y + 8)
    foot(pdf, card)


def read(data: bytes) -> ReadResult:
    return datasheet_pdf.read(data, RawFile("0" * 16, "cards.pdf", "datasheet_pdf", "0" * 64, len(data)))


def read_card(card: Card, geometry: Geometry = Geometry()) -> ReadResult:
    pdf = draw(card, geometry)
    return read(bytes(pdf.output()))


def pick(result: ReadResult, table_name: str, *names: str) -> list[tuple[object, ...]]:
    return [tuple(row[name] for name in names) for row in result.rows(table_name)]


def weapons(result: ReadResult) -> list[tuple[object, ...]]:
    def keyword(row: Row) -> str:
        return " ".join(str(row[name]) for name in ("keyword", "value", "target_keyword") if row[name])

    return [
        (
            row["attack_type"],
            row["weapon"],
            row["profile"],
            row["range_in"],
            row["attacks"],
            row["skill"],
            row["strength"],
            row["armour_penetration"],
            row["damage"],
            tuple(keyword(entry) for entry in row["keywords"]),
        )
        for row in result.rows("weapon_profile")
    ]


WEAPONS = [
    ("ranged", "Bark cannon", None, 24, "D6+3", 3, "6", -1, "1", ("blast", "devastating wounds")),
    ("ranged", "Sap thrower", None, 12, "2D6", None, "5", 0, "1", ("torrent", "anti 2+ INFANTRY", "ignores cover")),
    ("ranged", "Seed gun", "focus", 36, "2", 3, "9", -3, "D6", ()),
    ("ranged", "Seed gun", "spread", 36, "6", 3, "5", 0, "1", ("rapid fire 2",)),
    ("melee", "Root fists", None, None, "6", 4, "10", -1, "2", ()),
]
GEOMETRIES = [
    Geometry(),
    Geometry(align="top"),
    Geometry(left=30, first=170, step=22, right=320),
    Geometry(left=22, first=176, step=25, right=352, head=121),
    Geometry(body=7),
]


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_a_card_wherever_its_parts_stand(geometry: Geometry) -> None:
    result = read_card(Card(), geometry)
    assert result.rejects == []
    assert pick(result, "datasheet", "name", "faction") == [("Moss Colossus", "Moss Wardens")]
    assert pick(
        result,
        "model_profile",
        "profile",
        "movement_in",
        "toughness",
        "save",
        "wounds",
        "leadership",
        "objective_control",
        "invulnerable_save",
        "invulnerable_versus",
        "feel_no_pain",
    ) == [("Moss Colossus", 8, 13, 2, 30, 6, 10, 5, "ranged", 6)]
    assert weapons(result) == WEAPONS
    assert pick(result, "ability", "kind", "name", "value", "text") == [
        (
            "weapon",
            "Sticky",
            None,
            "Each time an attack is made with this weapon, if the target is near the bearer, it sticks.",
        ),
        ("core", "Deadly Demise", "2D6", None),
        ("core", "Feel No Pain", "6+", None),
        ("faction", "Slow Growth", None, None),
        ("datasheet", "Old Wood", None, "Each time this model is hit, it does not much care."),
        ("datasheet", "Second Spring", None, "Once per battle, this grows-back model stands up."),
        ("damaged", "Damaged", "1-10", "While this model has 1-10 wounds remaining, it is slower."),
        ("special", "Transport", None, "This model carries 12 acorns."),
    ]
    assert pick(result, "wargear_option", "replaces", "choices") == [
        (
            ["seed gun"],
            [[{"item": "bark cannon", "n": 1}], [{"item": "sap thrower", "n": 1}, {"item": "root fist", "n": 1}]],
        ),
        (["root fists"], [[{"item": "vine whip", "n": 1}]]),
    ]
    assert pick(result, "composition", "model", "min_models", "max_models") == [("Moss Colossus", 1, 1)]
    assert pick(result, "equipment", "item", "n") == [("seed gun", 2), ("bark cannon", 1), ("root fists", 1)]
    assert pick(result, "keyword", "keyword", "is_faction") == [
        ("VEHICLE", False),
        ("WALKER", False),
        ("TOWERING", False),
        ("MOSS COLOSSUS", False),
        ("MOSS WARDENS", True),
    ]


def test_several_profiles_and_a_save_of_one_of_them() -> None:
    card = Card(
        title=("THE QUEEN", "WITH HER MOSS GUARD"),
        profiles=(("MOSS QUEEN", ('12"', "3", "2+", "7", "6+", "1")), ("GUARD", ("-", "3", "3+", "2", "6+", "1"))),
        saves=(("4+", "* Moss Queen only"),),
        keywords=("KEYWORDS",),
    )
    result = read_card(card)
    assert pick(result, "model_profile", "profile", "movement_in", "wounds", "invulnerable_save") == [
        ("Moss Queen", 12, 7, 4),
        ("Guard", None, 2, None),
    ]
    assert pick(result, "datasheet", "name") == [("The Queen with Her Moss Guard",)]


def test_two_saves_that_nothing_tells_apart_are_refused() -> None:
    result = read_card(Card(saves=(("4+", ""), ("5+", ""))))
    assert not result.tables.get("model_profile")
    assert any("several invulnerable saves" in reject.reason for reject in result.rejects)


@pytest.mark.parametrize(
    ("box", "save"),
    [
        (("INVULNERABLE SAVE", ("4+",)), (4, "any")),
        (("INVULNERABLE SAVE*", ("5+", "* Against ranged attacks only")), (5, "ranged")),
        (("INVULNERABLE SAVE 6+", ()), (6, "any")),
    ],
)
def test_a_save_in_a_box_among_the_abilities(box: tuple[str, tuple[str, ...]], save: tuple[int, str]) -> None:
    result = read_card(Card(saves=(), boxes=(box,)))
    assert pick(result, "model_profile", "invulnerable_save", "invulnerable_versus") == [save]
    assert result.rejects == []
    assert "Invulnerable Save" not in {row["name"] for row in result.rows("ability")}


def test_keywords_of_one_model_of_several() -> None:
    card = Card(keywords=("Infantry, Imperium | MOSS QUEEN: Character,", "Epic Hero | GUARD: Battleline"))
    result = read_card(card)
    assert pick(result, "keyword", "keyword", "model") == [
        ("INFANTRY", None),
        ("IMPERIUM", None),
        ("CHARACTER", "Moss Queen"),
        ("EPIC HERO", "Moss Queen"),
        ("BATTLELINE", "Guard"),
        ("MOSS WARDENS", None),
    ]


@pytest.mark.parametrize(
    "keywords",
    [
        ("\u2013 ALL MODELS: Infantry, Imperium \u2013", "QUEEN OF MOSS: Character \u2013 GUARD: Battleline"),
        ("\u2013 ALL MODELS: Infantry, Imperium |", "QUEEN OF MOSS ONLY: Character | GUARD ONLY: Battleline"),
    ],
)
def test_dashes_and_only_between_the_models_of_the_keywords(keywords: tuple[str, ...]) -> None:
    result = read_card(Card(keywords=keywords))
    assert pick(result, "keyword", "keyword", "model")[:-1] == [
        ("INFANTRY", None),
        ("IMPERIUM", None),
        ("CHARACTER", "Queen of Moss"),
        ("BATTLELINE", "Guard"),
    ]


def test_options_in_two_columns() -> None:
    pdf = empty()
    pdf.add_page()
    titles(pdf, Card())
    put(pdf, 28, 117, "WARGEAR OPTIONS", 9, "B")
    put(pdf, 340, 117, "UNIT COMPOSITION", 9, "B")
    put(pdf, 346, 133, "\u2022 1 Moss Colossus", 7.5)
    for x, item in ((28, "vine whip"), (190, "acorn")):
        put(pdf, x, 133, "\u2022 This model can be equipped with", 7.5)
        put(pdf, x + 6, 142, f"1 {item}.", 7.5)
    foot(pdf, Card())
    result = read(bytes(pdf.output()))
    assert pick(result, "wargear_option", "choices") == [
        ([[{"item": "vine whip", "n": 1}]],),
        ([[{"item": "acorn", "n": 1}]],),
    ]
    assert result.rejects == []


def test_leader_lists_its_units() -> None:
    box = ("LEADER", ("This model can be attached to:", "\u2022 FERN GUARD", "\u2022 BARK SENTINELS"))
    result = read_card(Card(back_boxes=(box,)))
    assert pick(result, "leader", "leader", "bodyguard") == [
        ("Moss Colossus", "Fern Guard"),
        ("Moss Colossus", "Bark Sentinels"),
    ]
    leader = [row["text"] for row in result.rows("ability") if row["name"] == "Leader"]
    assert leader == ["This model can be attached to:\n- FERN GUARD\n- BARK SENTINELS"]


def test_alternative_compositions() -> None:
    result = read_card(Card(composition=("3-6 Ferns", "1 Bark", "OR", "10 Ferns")))
    assert pick(result, "composition", "model", "min_models", "max_models", "alternative") == [
        ("Ferns", 3, 6, 1),
        ("Bark", 1, 1, 1),
        ("Ferns", 10, 10, 2),
    ]


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        (('24"', "D6", "3+", "6", "1", "1"), "is no armour penetration"),
        (('24"', "D3+", "3+", "6", "-1", "1"), "is no dice or number"),
        (('24"', "D6", "", "6", "-1", "1"), "no value under BS"),
        (("Melee", "D6", "3+", "6", "-1", "1"), "among the ranged weapons"),
        (('24"', "D6", "9+", "6", "-1", "1"), "is no skill"),
    ],
)
def test_a_damaged_row_is_refused_and_the_others_load(cells: tuple[str, ...], reason: str) -> None:
    ranged = (("Bad gun", (), cells, ()), ("Good gun", (), ('24"', "1", "3+", "4", "0", "1"), ()))
    result = read_card(Card(ranged=ranged))
    assert [row["weapon"] for row in result.rows("weapon_profile")] == ["Good gun", "Root fists"]
    found = [reject for reject in result.rejects if reject.reason.startswith("weapon:")]
    assert len(found) == 1
    assert reason in found[0].reason
    assert found[0].text.startswith("Bad gun")
    assert found[0].locator == "page 1"


def test_a_characteristic_that_is_none_is_refused() -> None:
    result = read_card(Card(profiles=(("", ('8"', "13", "2", "3x", "6+", "10")),)))
    assert not result.tables.get("model_profile")
    assert any("characteristics" in reject.reason or "no place" in reject.reason for reject in result.rejects)


def test_an_unknown_keyword_is_kept_and_noticed() -> None:
    result = read_card(Card(ranged=(("Odd gun", ("[MOSSY]",), ('24"', "1", "3+", "4", "0", "1"), ()),)))
    assert weapons(result)[0][-1] == ("mossy",)
    assert any("unknown keyword mossy" in notice for notice in result.notices)


def test_odd_sentences_are_refused_one_by_one() -> None:
    result = read_card(Card(options=((1, "Bark grows where it likes."),), equipment=("Everyone brings lunch.",)))
    assert {reject.reason.split(":")[0] for reject in result.rejects} == {"wargear option", "equipment"}
    assert weapons(result) == WEAPONS


def test_none_is_no_option() -> None:
    result = read_card(Card(options=()))
    assert result.rejects == []
    assert not result.tables.get("wargear_option")


def test_several_cards_and_a_page_between_them() -> None:
    pdf = draw(Card())
    pdf.add_page()
    put(pdf, 50, 50, "A page about the wood", 12, "B")
    draw(Card(title=("SECOND COLOSSUS",), keywords=("Vehicle, Second Colossus",)), pdf=pdf)
    result = read(bytes(pdf.output()))
    assert [row["name"] for row in result.rows("datasheet")] == ["Moss Colossus", "Second Colossus"]
    assert [row["locator"] for row in result.rows("model_profile")] == ["page 1", "page 4"]
    assert [(reject.locator, reject.reason) for reject in result.rejects] == [
        ("page 3", "no datasheet card on this page")
    ]


def test_a_back_without_its_front_is_kept_and_noticed() -> None:
    pdf = empty()
    pdf.add_page()
    back(pdf, Card(), Geometry())
    result = read(bytes(pdf.output()))
    assert [row["name"] for row in result.rows("datasheet")] == ["Moss Colossus"]
    assert not result.tables.get("model_profile")
    assert any("has no front" in notice for notice in result.notices)


def test_an_edition_in_the_text_is_reported() -> None:
    result = read_card(Card(boxes=(("DESIGNER'S NOTE", ("This card is for the 11th edition.",)),)))
    assert result.edition == "11"


def test_an_encrypted_pdf_is_refused_with_advice() -> None:
    pdf = draw(Card())
    pdf.set_encryption(owner_password="a", user_password="b", permissions=AccessPermission.none())
    result = read(bytes(pdf.output()))
    assert [reject.reason for reject in result.rejects] == ["an encrypted PDF: save a copy without a password"]


def test_pictures_and_damaged_files_do_not_raise() -> None:
    pdf = FPDF(unit="pt", format=(540, 360))
    pdf.add_page()
    pdf.rect(10, 10, 200, 200, style="F")
    whole = bytes(draw(Card()).output())
    for data in (bytes(pdf.output()), whole[: len(whole) // 2], whole[:100], b"%PDF-1.4", b"", b"text"):
        result = read(data)
        assert result.rejects or result.tables


WHOLE = bytes(draw(Card()).output())


def test_a_file_without_its_end_says_that_pages_may_be_missing() -> None:
    whole = WHOLE.rstrip().removesuffix(b"%%EOF")
    reasons = [reject.reason for reject in read(whole).rejects]
    assert "the end of the PDF is missing, so pages may be missing too: download it again" in reasons


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=20))
def test_changed_bytes_do_not_raise(changes: list[tuple[int, int]]) -> None:
    data = bytearray(WHOLE)
    for place, value in changes:
        data[place % len(data)] = value
    assert isinstance(read(bytes(data)), ReadResult)

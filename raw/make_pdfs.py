"""Makes the two PDFs of `raw/pdf`: a points list in three columns and a datasheet card of two pages.

Here belong their contents and layout, nothing else; both are raw files like the others once they are made. The same
script gives the same bytes: no clock, no random ids, no compression, only the fonts that every PDF reader has.

    python raw/make_pdfs.py [FOLDER]

The points list holds facts (names and prices of version 4.0) and words of ours; the unit on the card is invented.
"""

import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF

MADE = datetime(2026, 2, 11, tzinfo=UTC)

# --- points list: (unit name as printed, one string a line; sizes as (size, change, price)) -------------------------
Unit = tuple[str, tuple[tuple[str, str, str], ...]]


def one(price: str, change: str = "") -> tuple[tuple[str, str, str], ...]:
    """The sizes of a unit of one model."""
    return (("1 model", change, price),)


CUSTODES: tuple[Unit, ...] = (
    ("Blade Champion", one("120 pts")),
    ("Custodian Guard", (("4 models", "(+10)", "160 pts"), ("5 models", "(+10)", "200 pts"))),
    ("Custodian Wardens", (("4 models", "", "210 pts"), ("5 models", "", "260 pts"))),
    ("Shield-Captain in\nAllarus Terminator Armour", one("130 pts")),
    ("Venerable\nContemptor Dreadnought", one("170 pts")),
)
CUSTODES_FORGE_WORLD: tuple[Unit, ...] = (
    ("Agamatus Custodians", (("3 models", "", "225 pts"), ("6 models", "", "450 pts"))),
    ("Custodian Guard with Adrasite\nand Pyrithite Spears", (("5 models", "", "250 pts"),)),
)
NECRONS: tuple[Unit, ...] = (
    ("Doomsday Ark", one("200 pts")),
    ("Immortals", (("5 models", "", "70 pts"), ("10 models", "", "150 pts"))),
    ("Overlord", one("85 pts")),
)
MARINES: tuple[Unit, ...] = (
    ("Hellblaster Squad", (("5 models", "", "110 pts"), ("10 models", "", "220 pts"))),
    ("Lieutenant", one("55 pts")),
    ("Lieutenant with Combi-weapon", one("85 pts", "(+15)")),
    (
        "Outrider Squad",
        (("3 models", "", "80 pts"), ("6 models", "", "160 pts"), ("Invader ATV", "", "+60 pts")),
    ),
    ("Whirlwind", one("190 pts")),
)
TYRANIDS: tuple[Unit, ...] = (
    ("Carnifexes", (("1 model", "", "90 pts"), ("2 models", "", "180 pts"))),
    ("Hive Guard", (("3 models", "", "90 pts"), ("6 models", "", "180 pts"))),
)
ENHANCEMENTS: dict[str, tuple[tuple[str, str], ...]] = {
    "Shield Host": (
        ("Auric Mantle", "15 pts"),
        ("Castellan’s Mark", "20 pts"),
        ("From the Hall of Armouries", "25 pts"),
        ("Panoptispex", "5 pts"),
    ),
    "Awakened Dynasty": (
        ("Enaegic Dermal Bond", "30 pts"),
        ("Nether-realm Casket", "20 pts"),
        ("Phasal Subjugator", "35 pts"),
        ("Veil of Darkness", "20 pts"),
    ),
    "Gladius Task Force": (
        ("Adept of the Codex", "20 pts"),
        ("Artificer Armour", "10 pts"),
        ("Fire Discipline", "25 pts"),
        ("The Honour Vehement", "15 pts"),
    ),
}
FRONT = (
    "This list holds some units of the game, each with its price in points (pts).",
    "Where a price differs from the list before, the change stands before it in brackets.",
)
COLUMNS = (85.0, 235.3, 385.6)
COLUMN_WIDTH = 138.9
GREY, RED = (51, 51, 51), (190, 30, 30)
BROWN, DARK = (110, 84, 58), (20, 24, 33)


class Page(FPDF):
    """A document whose bytes depend on its contents only."""

    def __init__(self, width: float, height: float, title: str) -> None:
        """Set the page size in points and all that would otherwise be taken from the clock or the library."""
        super().__init__(unit="pt", format=(width, height))
        self.core_fonts_encoding = "windows-1252"
        self.set_compression(False)
        self.set_auto_page_break(False)
        self.set_margin(0)
        self.set_title(title)
        self.set_producer("make_pdfs")
        self.set_creation_date(MADE)

    def file_id(self) -> str:
        """No id: the library would derive one from the clock."""
        return ""

    def put(self, x: float, top: float, text: str, size: float, style: str = "", family: str = "helvetica") -> float:
        """Write `text` in one line with its upper edge at `top`; returns where it ends."""
        self.set_font(family, style, size)
        self.text(x, top + 0.8 * size, text)
        return float(x + self.get_string_width(text))

    def bar(self, x: float, top: float, width: float, height: float, colour: tuple[int, int, int]) -> None:
        """Draw a filled bar under a heading."""
        self.set_fill_color(*colour)
        self.rect(x, top, width, height, style="F")

    def colour(self, *rgb: int) -> None:
        """Colour of the text that follows."""
        self.set_text_color(*rgb)

    def leader(self, x: float, top: float, left: str, right: str) -> None:
        """Write `left`, dots and `right` over the width of a column."""
        self.set_font("helvetica", "", 8)
        room = COLUMN_WIDTH - self.get_string_width(f"{left} ") - self.get_string_width(right)
        dots = "." * int(room // self.get_string_width("."))
        self.put(x, top, f"{left} {dots}{right}", 8)


def units(page: Page, x: float, top: float, entries: Iterable[Unit]) -> float:
    """Write units under each other: a bar with the name (two lines where it wraps), then a line for each size."""
    for name, sizes in entries:
        lines = name.split("\n")
        changed = any(change for _, change, _ in sizes)
        page.bar(x, top, COLUMN_WIDTH, 9.0 * len(lines), RED if changed else GREY)
        page.colour(255, 255, 255)
        for line in lines:
            page.put(x + 1.5, top + 0.4, line, 8, "B")
            top += 9.0
        page.colour(0, 0, 0)
        top += 1.0
        for size, change, price in sizes:
            page.leader(x, top, size, f"{change} {price}".strip())
            top += 9.0
        top += 6.0
    return top


def enhancements(page: Page, x: float, top: float, detachment: str) -> float:
    """Write the heading of the enhancements, a bar with the detachment and a line for each enhancement."""
    page.put(x, top, "DETACHMENT ENHANCEMENTS", 8.5, "B")
    top += 18.0
    page.bar(x, top, COLUMN_WIDTH, 9.0, GREY)
    page.colour(255, 255, 255)
    page.put(x + 1.5, top + 0.4, detachment, 8, "B")
    page.colour(0, 0, 0)
    top += 10.0
    for name, price in ENHANCEMENTS[detachment]:
        page.leader(x, top, name, price)
        top += 9.0
    return top


def points_list(path: Path) -> None:
    """Write the points list: a front page and a page for each faction."""
    page = Page(609.449, 793.701, "Points list 4.0")
    page.add_page()
    page.put(192.4, 96.6, "MUNITORUM", 38, "B")
    page.put(180.0, 136.6, "FIELD MANUAL", 38, "B")
    page.put(257.4, 181.9, "VERSION 4.0", 18)
    for number, line in enumerate(FRONT):
        page.put(85.0, 213.6 + 10.0 * number, line, 9, "", "times")
    page.put(85.0, 740.0, "Points (c) 2026 by the publisher of the game.", 7, "", "times")
    page.put(302.0, 752.0, "1", 8)
    sheets: tuple[tuple[str, tuple[Unit, ...], tuple[Unit, ...], str], ...] = (
        ("CODEX: ADEPTUS CUSTODES", CUSTODES, CUSTODES_FORGE_WORLD, "Shield Host"),
        ("CODEX: NECRONS", NECRONS, (), "Awakened Dynasty"),
        ("CODEX: SPACE MARINES", MARINES, (), "Gladius Task Force"),
        ("CODEX: TYRANIDS", TYRANIDS, (), ""),
    )
    for number, (title, own, forge_world, detachment) in enumerate(sheets, start=2):
        page.add_page()
        page.put(COLUMNS[0], 70.0, title, 26, "B")
        units(page, COLUMNS[0], 115.0, own)
        column = 1
        if forge_world:
            page.put(COLUMNS[column], 115.0, "FORGE WORLD POINTS VALUES", 8.5, "B")
            units(page, COLUMNS[column], 134.0, forge_world)
            column += 1
        if detachment:
            enhancements(page, COLUMNS[column], 115.0, detachment)
        page.put(302.0, 752.0, str(number), 8)
    page.output(str(path))


# --- datasheet card -----------------------------------------------------------------------------------------------
NAME = "CINDER COLOSSUS"
PROFILE = (("M", '8"'), ("T", "11"), ("SV", "3+"), ("W", "18"), ("LD", "7+"), ("OC", "6"))
CELL_CENTRES = {"RANGE": 195.6, "A": 228.2, "BS": 250.8, "WS": 250.8, "S": 270.7, "AP": 290.5, "D": 313.2}
RANGED = (
    ("Furnace cannon – burst", "[BLAST, RAPID FIRE 3]", ('36"', "D6+3", "4+", "8", "-1", "2")),
    ("Furnace cannon – lance of fire", "[MELTA 4]", ('24"', "2", "4+", "14", "-4", "D6+2")),
    ("Ash mortar", "[HEAVY, INDIRECT FIRE, TWIN-LINKED]", ('60"', "6", "4+", "5", "0", "1")),
    ("Vent flamers", "[TORRENT]", ('12"', "2D6", "N/A", "5", "-1", "1")),
)
MELEE = (
    ("Molten fists – crush", "[DEVASTATING WOUNDS]", ("Melee", "5", "4+", "16", "-3", "4")),
    ("Molten fists – sweep", "", ("Melee", "15", "4+", "8", "-1", "1")),
)
ABILITIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("CORE:", ("Deadly Demise D6",)),
    ("FACTION:", ("Kindled Wrath",)),
    (
        "Walking Furnace:",
        (
            "Each time a melee attack is made",
            "against this model, if the Strength characteristic",
            "of that attack is greater than its Toughness",
            "characteristic, subtract 1 from the Wound roll.",
        ),
    ),
)
DAMAGED = (
    "DAMAGED: 1-6 WOUNDS REMAINING",
    (
        "While it has 1-6 wounds remaining,",
        "each time this model makes an attack,",
        "subtract 1 from the Hit roll.",
    ),
)
KEYWORDS = "Vehicle, Walker, Titanic, Towering, Cinder Colossus"
LEGEND = ("Half statue and half stove, it was never meant", "to leave the hall it heated.")
OPTIONS = (
    "This model’s ash mortar can be replaced with 1 vent flamers.",
    "This model can be equipped with 1 flare rocket.",
)


def weapons(page: Page, top: float, title: str, skill: str, rows: Iterable[tuple[str, str, tuple[str, ...]]]) -> float:
    """Write a weapon table; keywords that do not fit beside the name stand in a line of their own below it."""
    page.bar(14, top, 312, 14, BROWN)
    page.colour(255, 255, 255)
    page.put(36.9, top + 3, title, 9, "B")
    heads = ("RANGE", "A", skill, "S", "AP", "D")
    for head in heads:
        _centred(page, CELL_CENTRES[head], top + 3, head, 9, "B")
    page.colour(0, 0, 0)
    top += 16.5
    for name, keywords, cells in rows:
        end = page.put(36.9, top, f"{name} ", 7.5)
        page.set_font("helvetica", "B", 5.5)
        wraps = bool(keywords) and end + page.get_string_width(keywords) > 176
        if keywords:
            page.put(*((36.9, top + 10.0) if wraps else (end, top + 1.5)), keywords, 5.5, "B")
        for head, cell in zip(heads, cells, strict=True):
            _centred(page, CELL_CENTRES[head], top + (4.2 if wraps else 0.0), cell, 7.5)
        top += 18.5 if wraps else 11.0
    return top + 6.0


def _centred(page: Page, centre: float, top: float, text: str, size: float, style: str = "") -> None:
    page.set_font("helvetica", style, size)
    page.put(centre - page.get_string_width(text) / 2, top, text, size, style)


def _banner(page: Page) -> None:
    page.add_page()
    page.bar(0, 0, 538.583, 94, DARK)
    page.colour(255, 255, 255)
    page.put(19.8, 17.4, NAME, 15, "B")
    page.colour(0, 0, 0)


def _foot(page: Page) -> None:
    page.bar(26, 315, 310, 27, (200, 200, 204))
    page.bar(348, 315, 164, 27, DARK)
    end = page.put(31.2, 325.0, "KEYWORDS: ", 8.5)
    page.put(end, 325.0, KEYWORDS, 8.5, "B")
    page.colour(255, 255, 255)
    page.put(356.2, 320.5, "FACTION KEYWORDS:", 8.5)
    page.put(356.2, 329.5, "Ashen Conclave", 8.5, "B")
    page.colour(0, 0, 0)


def _heading(page: Page, x: float, top: float, width: float, text: str) -> None:
    page.bar(x, top, width, 14, BROWN)
    page.colour(255, 255, 255)
    page.put(x + 3, top + 3, text, 9, "B")
    page.colour(0, 0, 0)


def _front(page: Page) -> None:
    _banner(page)
    page.colour(255, 255, 255)
    for number, (head, value) in enumerate(PROFILE):
        _centred(page, 31.9 + 29.9 * number, 34.7, head, 6, "B")
        _centred(page, 31.9 + 29.9 * number, 46.7, value, 14, "B")
    _centred(page, 91.9, 72.0, "5+", 12, "B")
    page.put(117.3, 74.7, "INVULNERABLE SAVE*", 9, "B")
    page.put(225.0, 76.1, "* Against ranged attacks only", 7.5, "I")
    page.colour(0, 0, 0)
    weapons(page, weapons(page, 105.0, "RANGED WEAPONS", "BS", RANGED), "MELEE WEAPONS", "WS", MELEE)
    _heading(page, 337, 105, 176, "ABILITIES")
    top = 123.8
    for label, lines in ABILITIES:
        core = label.isupper()
        end = page.put(340.0, top, f"{label} ", 7.5, "" if core else "B")
        page.put(end, top, lines[0], 7.5, "B" if core else "")
        for line in lines[1:]:
            top += 8.5
            page.put(340.0, top, line, 7.5)
        top += 16.0
    _heading(page, 337, top, 176, DAMAGED[0])
    for number, line in enumerate(DAMAGED[1]):
        page.put(340.0, top + 18.5 + 8.5 * number, line, 7.5)
    _foot(page)


def _back(page: Page) -> None:
    _banner(page)
    page.colour(255, 255, 255)
    for number, line in enumerate(LEGEND):
        page.put(19.8, 36.0 + 10.0 * number, line, 8, "I")
    page.colour(0, 0, 0)
    _heading(page, 26, 105, 289, "WARGEAR OPTIONS")
    for number, option in enumerate(OPTIONS):
        page.put(29.0, 123.7 + 11.0 * number, "•", 7.5)
        page.put(36.0, 123.7 + 11.0 * number, option, 7.5)
    _heading(page, 337, 105, 176, "UNIT COMPOSITION")
    page.put(340.0, 123.7, "•", 7.5)
    page.put(347.0, 123.7, "1 Cinder Colossus", 7.5, "B")
    end = page.put(340.0, 136.5, "This model is equipped with: ", 7.5, "B")
    page.put(end, 136.5, "furnace cannon;", 7.5)
    page.put(340.0, 145.0, "ash mortar; molten fists.", 7.5)
    _foot(page)


def card(path: Path) -> None:
    """Write the datasheet card: the front with profile, weapons and abilities, the back with options."""
    page = Page(538.583, 357.165, "Datasheet card")
    _front(page)
    _back(page)
    page.output(str(path))


def main(folder: Path) -> None:
    """Write both files into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    points_list(folder / "field_manual_4.0.pdf")
    card(folder / "cinder_colossus.pdf")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / "pdf")

"""Words and line forms by which a page dump is told apart.

Belongs here: the names of sections, glossary headings, list labels and the patterns of single lines. Does not belong
here: which block a line belongs to (`blocks`) or what a block says (the parsers).
"""

import re
from functools import lru_cache

from pipelines.sources.text import name_key

# Sections of a datasheet that stand alone on a line.
SHEET_SECTIONS = {
    "WARGEAR OPTIONS": "options",
    "ABILITIES": "abilities",
    "WARGEAR ABILITIES": "wargear_abilities",
    "UNIT COMPOSITION": "composition",
    "STRATAGEMS": "stratagem_list",
    "DETACHMENT ABILITY": "detachment_list",
    "DETACHMENT ABILITIES": "detachment_list",
    "DETACHMENT RULE": "detachment_list",
    "DETACHMENT RULES": "detachment_list",
    "ENHANCEMENTS": "enhancement_list",
}

# Headings of the core rules, as facts of the game: they tell a heading that is stuck to a sentence, or that stands
# where another rule's text could go on.
CORE_HEADINGS = (
    "Advance Moves",
    "Aircraft",
    "Anti",
    "Assault",
    "Attached Units",
    "Aura Abilities",
    "Battle-shock",
    "2. Battle-shock",
    "Below Half-strength",
    "Below Starting Strength",
    "Benefit of Cover",
    "Blast",
    "Characters",
    "Charge Bonus",
    "Charging with a Unit",
    "Conversion",
    "Consolidate",
    "Deadly Demise",
    "Deep Strike",
    "Desperate Escape Tests",
    "Destroyed",
    "Devastating Wounds",
    "Disembark",
    "Embark",
    "Engagement Range",
    "Extra Attacks",
    "Fall Back Moves",
    "Feel No Pain",
    "Fights First",
    "Firing Deck",
    "Hazardous",
    "Heavy",
    "Hit Roll",
    "Hover",
    "Ignores Cover",
    "Indirect Fire",
    "Infiltrators",
    "Invulnerable Saves",
    "Lance",
    "Leader",
    "Leadership Tests",
    "Lethal Hits",
    "Linked Fire",
    "Lone Operative",
    "Melta",
    "Model Visible",
    "Mortal Wounds",
    "Normal Moves",
    "Objective Markers",
    "One Shot",
    "Pile In",
    "Pistol",
    "Precision",
    "Psychic",
    "Psychic Weapons and Abilities",
    "Rapid Fire",
    "Re-rolls",
    "Remain Stationary",
    "Reserves",
    "Saving Throw",
    "Scouts",
    "Shoot Again",
    "Starting Strength",
    "Stealth",
    "Strategic Reserves",
    "Surge Moves",
    "Sustained Hits",
    "Torrent",
    "Transports",
    "Twin-linked",
    "Unit Coherency",
    "Unit Visible",
    "Wound Roll",
)
CORE_KEYS = frozenset(name_key(name) for name in CORE_HEADINGS)
# Subheadings that belong to one rule, by the keys of both.
SUBHEADINGS = {name_key("Desperate Escape Tests"): name_key("Fall Back Moves")}

# Abilities of the core rules that a datasheet lists after `CORE:`; lost blanks are put back by these.
CORE_ABILITIES = {
    name_key(name): name
    for name in (
        "Deadly Demise",
        "Deep Strike",
        "Feel No Pain",
        "Fights First",
        "Firing Deck",
        "Hover",
        "Infiltrators",
        "Leader",
        "Lone Operative",
        "Scouts",
        "Stealth",
        "Super-heavy Walker",
    )
}

GROUP_LABELS = frozenset(
    {
        "Characters",
        "Epic Heroes",
        "Battleline",
        "Dedicated Transports",
        "Transports",
        "Fortifications",
        "Other",
        "Other Datasheets",
        "Lords of War",
        "Allied Units",
        "and others...",
    }
)
BOOK_SECTIONS = {
    "abilities": "book_rules",
    "armyrules": "book_rules",
    "armyrule": "book_rules",
    "enhancements": "book_enhancements",
    "secondaryobjectives": "book_objectives",
    "secondaryobjective": "book_objectives",
    "stratagems": "book_intro",
    "datasheets": "book_intro",
}
BOOK_HEADER = re.compile(r"\|? ?Book \| Kind \|")
BOOK_MARKS = {
    "DEFAULT ENHANCEMENT": "book_enhancements",
    "OPTIONAL ENHANCEMENT": "book_enhancements",
    "DEFAULT SECONDARY OBJECTIVE": "book_objectives",
    "OPTIONAL SECONDARY OBJECTIVE": "book_objectives",
}

CHARACTERISTICS = r"M|T|SV|Sv|W|LD|Ld|OC|WS|BS|A|S|AP|D"
DASH = r"[–—-]"

WEAPON_HEADER = re.compile(r"\W*(RANGED|MELEE) WEAPONS\s*(?:\||$).*", re.IGNORECASE)
CP_LINE = re.compile(r"(\d{1,2})\s*CP")
DETACHMENT_AND_TYPE = re.compile(rf"(?P<detachment>\S.*?)\s+{DASH}(?:\s+(?P<type>.*?))?\s*")
STRATAGEM_LINE = re.compile(rf"(?P<detachment>\S.*?)\s+{DASH}(?:\s+(?P<type>.*?))??\s*\bStratagem")
FIELD = re.compile(r"(WHEN|TARGET|EFFECT|RESTRICTIONS?)\s*:\s*(.*)", re.DOTALL)
ICON_LINE = re.compile(r"[A-Z]{1,3}")
KEYWORD_REFERENCE = re.compile(
    r"The\b(?P<keywords>.*?)\bkeywords? (?:is|are) used in the following\s*(?P<book>.*?)\s*datasheets?"
    r"(?:\s*\([^()]*\))?\s*:?(?P<label>.*)"
)
TORN_REFERENCE = re.compile(r"(?:[A-Z].*?)?\bkeywords? (?:is|are) used in the following\b.*")
FOOTNOTE = re.compile(r"Before selecting targets for this weapon, select one of its profiles\b.*")
ADVERT = re.compile(r"Alternative models by .*", re.IGNORECASE)
NAVIGATION = re.compile(r"Army List|Datasheets collated.*", re.IGNORECASE)
KEYWORD_GRANT = re.compile(
    r"While included in an? (?P<detachment>.+?) Detachment,? (?:the )?following units (?:have|gain) (?:the )?"
    r"(?P<keyword>.+?) keywords?\s*:?"
)
DETACHMENT_LINE = re.compile(r"(?P<detachment>[^.:|]{2,60}?) Detachment")
ROSTER_HEADING = re.compile(r"(?P<name>\S.*?)\s*\((?P<models>\d{1,3}) MODELS?\)", re.IGNORECASE)
DAMAGED = re.compile(
    r"DAMAGED\s*:?\s*(?P<low>\d{1,3})\s*-\s*(?P<high>\d{1,3}) WOUNDS REMAINING(?P<rest>.*)", re.IGNORECASE
)
KEYWORDS_LINE = re.compile(rf"KEYWORDS(?:\s*{DASH}\s*(?P<model>[^:]+?))?\s*:(?P<list>.*)")
FACTION_KEYWORDS = re.compile(r"FACTION KEYWORDS?\s*:?(?P<list>.*)")
CAN_LEAD = re.compile(r"This (?:model|unit) can be attached to (?:(?:one|either|any) of )?the following\b.*")
CAN_BE_LED = re.compile(r"This (?:model|unit) can be led by (?:(?:one|either|any) of )?the following\b.*")
EQUIPPED = re.compile(r"[^:]{2,120}\b(?:is|are)(?: both| each)? equipped with\s*:.*")
ORDER = re.compile(rf"(?P<name>\S.*?)\s+(?P<changes>(?:(?:{CHARACTERISTICS}) [+-]\d{{1,2}}\"?\s*)+)\|?")
TABLE_RULE = re.compile(r"[|\s-]*\|[|\s-]*")
TITLE = re.compile(rf"(?P<book>[^|:]{{2,80}}?) {DASH} (?P<name>[^|:]{{2,80}}?)(?P<legends>\s*[\[(]?Legends[\])]?)?")
STRATAGEM_TYPES = frozenset({"Battle Tactic", "Epic Deed", "Strategic Ploy", "Wargear", "Stratagem"})
POINTS_LINE = re.compile(r"\d{1,3}(?: ?pts)?", re.IGNORECASE)
ERROR_PAGE = re.compile(
    r"\b404\b|\bnot found\b|\b403\b|\bforbidden\b|\b50[0234]\b|\bbad gateway\b|\bservice unavailable\b|"
    r"\binternal server error\b|\baccess denied\b|\bjust a moment\b|\btoo many requests\b|"
    r"\bpage (?:does not|doesn't) exist\b",
    re.IGNORECASE,
)

_SMALL_WORDS = frozenset(
    (
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "into",
        "of",
        "on",
        "or",
        "per",
        "the",
        "to",
        "upon",
        "with",
    )
)
_UNTELLING_WORDS = _SMALL_WORDS | {
    "all",
    "be",
    "it",
    "is",
    "no",
    "not",
    "out",
    "so",
    "than",
    "your",
    "you",
    "once",
    "per",
}
_NO_NAMES = frozenset({"example", "note", "designersnote", "designernote", "designersnotes", "core", "faction"})
_WORD = re.compile(r"[^\W_][\w'’.-]*", re.UNICODE)


def is_capitals(text: str) -> bool:
    """Whether all letters are capitals (two letters at least)."""
    letters = [letter for letter in text if letter.isalpha()]
    return len(letters) >= 2 and all(letter.isupper() for letter in letters)


def is_place(text: str) -> bool:
    """Whether a line has the form `Detachment – Type` or `Detachment – Type Stratagem`, the type possibly missing."""
    match = DETACHMENT_AND_TYPE.fullmatch(text) if len(text) <= 90 else None
    if match is None:
        return False
    kind = (match["type"] or "").removesuffix("Stratagem").strip()
    return kind in STRATAGEM_TYPES or (not kind and match["detachment"][:1].isupper())


def is_title(text: str) -> bool:
    """Whether a line has the form `Book – Datasheet` and is no `Detachment – Type` of a stratagem."""
    match = TITLE.fullmatch(text)
    return match is not None and match["name"].removesuffix(" Stratagem") not in STRATAGEM_TYPES


@lru_cache(maxsize=65_536)
def is_heading_form(text: str) -> bool:
    """Whether a line has the form of a heading: short, no sentence, capitals or every word capitalised."""
    if not 2 <= len(text) <= 70 or text == "OR" or text[0] in "|-*•" or text[-1] in ".:;,|" or "|" in text:
        return False
    if CP_LINE.fullmatch(text) or FIELD.match(text) or is_place(text):
        return False
    if is_capitals(text):
        return True
    if ":" in text or ". " in text.lstrip("0123456789. ") or "?" in text:
        return False
    words = _WORD.findall(text)
    if not words or len(words) > 9 or not any(word[0].isalpha() for word in words):
        return False
    return (
        all(word[0].isupper() or word[0].isdigit() or word in _SMALL_WORDS for word in words)
        and words[0] not in _SMALL_WORDS
    )


@lru_cache(maxsize=65_536)
def is_name_form(text: str) -> bool:
    """Whether a text can be a name where its place proves it (before a colon, above a price): mostly capitalised."""
    if not 2 <= len(text) <= 70 or name_key(text) in _NO_NAMES or text[-1] in ".,;:|" or "|" in text:
        return False
    listed = re.sub(r"\([^()]*\)", "", text).split()
    if not listed or len(listed) > 9 or not text.lstrip("'\"([").strip()[:1].isupper():
        return False
    telling = [word for word in listed if word.lower() not in _UNTELLING_WORDS] or listed
    return sum(1 for word in telling if not word[0].islower()) * 2 > len(telling)


def heading_key(text: str) -> str:
    """The key under which a heading is known; a value (`SCOUTS X"`) and a number before it do not matter."""
    return name_key(re.sub(r"\s+[xX]\+?\"?$", "", text))


def is_core_heading(text: str) -> bool:
    """Whether the text is a heading of the core rules."""
    return len(text) <= 40 and heading_key(text) in CORE_KEYS

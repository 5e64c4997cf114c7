"""Weapon keywords in every notation met, turned into rows.

Belongs here: `[SUSTAINED HITS D3]`, `rapid fire 1` after a name, `rapidfire1`, `Twin Linked`, `Anti Vehicle 3+`. One
function for lists in brackets or between commas, one that splits a weapon's name from unbracketed keywords. What is no
known keyword is returned as unknown, never dropped.
"""

import re
from dataclasses import dataclass

from models.keywords import PLAIN as MODELLED_PLAIN
from models.keywords import VALUED as MODELLED_VALUED
from pipelines.sources.characteristics import dice_text
from pipelines.sources.text import normalise

# Keywords of the core rules, and the two of the later supplements (conversion, linked fire).
PLAIN = (
    "assault",
    "blast",
    "conversion",
    "devastating wounds",
    "extra attacks",
    "hazardous",
    "heavy",
    "ignores cover",
    "indirect fire",
    "lance",
    "lethal hits",
    "linked fire",
    "one shot",
    "pistol",
    "precision",
    "psychic",
    "torrent",
    "twin-linked",
)
WITH_VALUE = ("cleave", "melta", "rapid fire", "sustained hits")
# Known is what the resolution model resolves: a keyword that is only spelt (linked fire, cleave) is flagged, not counted.
KNOWN = MODELLED_PLAIN | MODELLED_VALUED | {"anti"}

_SQUASHED = {re.sub(r"[^a-z]", "", name): name for name in (*PLAIN, *WITH_VALUE)}
_BETWEEN = re.compile(r"[,;]|\.\s")  # some rows print a full stop for a comma
_ANTI = re.compile(r"anti[\s-]*(.+?)[\s-]*([2-6])\s*\+?", re.IGNORECASE)
_VALUED = re.compile(r"([a-z][a-z\s-]*?)\s*(\d{1,2}|\d?d[36](?:\s*\+\s*\d{1,2})?)", re.IGNORECASE)


@dataclass(frozen=True)
class WeaponKeyword:
    """`keyword` in lower case; `value` as dice text; `target_keyword` in capitals and `threshold` for anti."""

    keyword: str
    value: str | None = None
    target_keyword: str | None = None
    threshold: int | None = None

    @property
    def is_known(self) -> bool:
        """Whether the resolution model knows the keyword."""
        return self.keyword in KNOWN

    def row(self) -> dict[str, str | int | None]:
        """As a row of `core.weapon_keyword` without its key."""
        return {
            "keyword": self.keyword,
            "value": self.value,
            "target_keyword": self.target_keyword,
            "threshold": self.threshold,
        }


def parse_keyword(printed: str) -> WeaponKeyword | None:
    """One keyword in any notation, or None where the text is no known keyword."""
    text = normalise(printed).strip(" .,[]").lower()
    anti = _ANTI.fullmatch(text)
    if anti:
        return WeaponKeyword("anti", f"{anti[2]}+", anti[1].strip(" -").upper(), int(anti[2]))
    plain = _SQUASHED.get(re.sub(r"[^a-z]", "", text)) if not re.search(r"\d", text) else None
    if plain and plain in PLAIN:
        return WeaponKeyword(plain)
    valued = _VALUED.fullmatch(text)
    if valued:
        name = _SQUASHED.get(re.sub(r"[^a-z]", "", valued[1]))
        if name in WITH_VALUE:
            return WeaponKeyword(name, dice_text(valued[2]))
    return None


def parse_keywords(printed: str) -> list[WeaponKeyword]:
    """A list between commas, with or without (several) brackets. Unknown entries keep their print, in lower case."""
    text = normalise(printed)
    text = re.sub(r"\]\s*\[", ",", text).strip(" []")
    found: list[WeaponKeyword] = []
    for piece in _BETWEEN.split(text):
        entry = piece.strip(" []")
        if not entry or entry in ("-", "–"):
            continue
        found.append(parse_keyword(entry) or WeaponKeyword(entry.lower()))
    return found


def split_name(printed: str) -> tuple[str, list[WeaponKeyword], str | None]:
    """A weapon cell into name, keywords and the keywords' print.

    Brackets win. Without them the longest run of known keywords at the end of the cell is taken, and the name keeps at
    least one word: `Heavy stubber assault rapid fire 3` is the Heavy stubber. Commas may separate the run.
    """
    text = normalise(printed)
    bracket = text.find("[")
    if bracket >= 0:
        inside = text[bracket:]
        return text[:bracket].strip(), parse_keywords(inside), inside
    words = text.replace(",", " , ").split()
    start = len(words)
    taken: list[WeaponKeyword] = []
    while True:
        step = _last_keyword(words, start)
        if step is None:
            break
        start, keyword = step
        taken.insert(0, keyword)
    if not taken:
        return text, [], None
    name = " ".join(words[:start]).replace(" ,", ",").strip(" ,")
    return name, taken, " ".join(words[start:]).replace(" ,", ",").strip(" ,")


def _last_keyword(words: list[str], end: int) -> tuple[int, WeaponKeyword] | None:
    """The keyword that ends before word `end`, longest first, leaving at least one word for the name."""
    while end > 1 and words[end - 1] == ",":
        end -= 1
    for start in range(max(1, end - 4), end):
        if words[start] == ",":
            continue
        keyword = parse_keyword(" ".join(words[start:end]))
        if keyword is not None:
            return start, keyword
    return None

"""Weapon keywords: the print (`anti-infantry 4+`, `sustained hits D3`) and the table form, read into one record.

Belongs here: names, values and how the same keyword twice combines. Does not belong here: what a keyword does to an
attack; each is used in the module of the step that it changes.
"""

import re
from dataclasses import dataclass, field, replace

from models.dice import Dice, parse_dice

PLAIN = frozenset(
    {
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
        "one shot",
        "pistol",
        "precision",
        "psychic",
        "torrent",
        "twin-linked",
    }
)
VALUED = frozenset({"melta", "rapid fire", "sustained hits"})

_ANTI = re.compile(r"anti-(?P<target>[^\d+]+?)(?:\s+(?P<threshold>[2-6])\+)")
_VALUED = re.compile(r"(?P<name>melta|rapid fire|sustained hits)\s+(?P<value>\S.*)")


# No rule of the game comes near; a slip of the pen must not fill the memory.
MOST_VALUE = 100


class UnknownKeyword(ValueError):
    """A keyword that is not of the game's list, or has no value that can be read."""


@dataclass(frozen=True)
class WeaponKeywords:
    """What a weapon profile's keywords say. `anti` holds (target keyword in capitals, threshold)."""

    plain: frozenset[str] = frozenset()
    sustained_hits: Dice | None = None
    rapid_fire: Dice | None = None
    melta: Dice | None = None
    anti: frozenset[tuple[str, int]] = field(default_factory=frozenset)

    def __contains__(self, name: str) -> bool:
        if name in VALUED:
            return self.value(name) is not None
        return name in self.plain or (name == "anti" and bool(self.anti))

    def with_plain(self, name: str) -> "WeaponKeywords":
        return replace(self, plain=self.plain | {name})

    def with_value(self, name: str, value: Dice) -> "WeaponKeywords":
        """The same ability twice does not add up: the larger counts, random ones by their mean."""
        old = self.value(name)
        kept = value if old is None or value.mean > old.mean else old
        if name == "melta":
            return replace(self, melta=kept)
        return replace(self, rapid_fire=kept) if name == "rapid fire" else replace(self, sustained_hits=kept)

    def value(self, name: str) -> Dice | None:
        """The value of `melta`, `rapid fire` or `sustained hits`."""
        return {"melta": self.melta, "rapid fire": self.rapid_fire, "sustained hits": self.sustained_hits}[name]

    def with_anti(self, target: str, threshold: int) -> "WeaponKeywords":
        return replace(self, anti=self.anti | {(target.upper(), threshold)})

    def anti_threshold(self, target_keywords: frozenset[str]) -> int:
        """Lowest unmodified Wound roll that is critical against a unit of these keywords; 7 where none is."""
        return min((threshold for target, threshold in self.anti if target in target_keywords), default=7)


def normalised(text: str) -> str:
    """Lower case, plain hyphens, single spaces, no square brackets."""
    plain = re.sub(r"[\u2010\u2011\u2012\u2013]", "-", text).strip().strip("[]")
    return re.sub(r"\s+", " ", plain).strip().lower()


def with_keyword(
    keywords: WeaponKeywords,
    keyword: object,
    value: object = None,
    target_keyword: object = None,
    threshold: object = None,
) -> WeaponKeywords:
    """Add one keyword: a print, or (keyword, value, target keyword, threshold). UnknownKeyword says why not."""
    if not isinstance(keyword, str):
        raise UnknownKeyword(f"not a keyword: {keyword!r}")
    name = normalised(keyword)
    if name in PLAIN:
        if value not in (None, ""):
            raise UnknownKeyword(f"{name!r} takes no value, not {value!r}")
        return keywords.with_plain(name)
    if name in VALUED:
        return keywords.with_value(name, _value(name, value))
    if name == "anti" or (name.startswith("anti-") and target_keyword in (None, "") and _ANTI.fullmatch(name) is None):
        target = target_keyword if name == "anti" else name.removeprefix("anti-")
        return keywords.with_anti(_target(target), _threshold(threshold if threshold is not None else value))
    if match := _ANTI.fullmatch(name):
        return keywords.with_anti(match["target"], int(match["threshold"]))
    if match := _VALUED.fullmatch(name):
        return keywords.with_value(match["name"], _value(match["name"], match["value"]))
    raise UnknownKeyword(f"unknown keyword {keyword!r}")


def _value(name: str, value: object) -> Dice:
    try:
        dice = parse_dice(value)
    except ValueError as error:
        raise UnknownKeyword(f"{name!r} needs a number or dice: {error}") from None
    if dice.minimum < 1:
        raise UnknownKeyword(f"{name!r} needs a value of 1 or more, not {value!r}")
    if dice.maximum > MOST_VALUE:
        raise UnknownKeyword(f"{name!r} needs a value of at most {MOST_VALUE}, not {value!r}")
    return dice


def _target(target: object) -> str:
    if not isinstance(target, str) or not target.strip():
        raise UnknownKeyword("'anti' needs the keyword that it is against")
    return normalised(target)


def _threshold(threshold: object) -> int:
    text = str(threshold).strip().removesuffix("+").removesuffix(".0")
    if text not in {"2", "3", "4", "5", "6"}:
        raise UnknownKeyword(f"'anti' needs a threshold from 2+ to 6+, not {threshold!r}")
    return int(text)

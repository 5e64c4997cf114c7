"""Characteristics as printed, turned into numbers or refused.

Belongs here: one function per kind of printed value (`24"`, `3+`, `-1`, `D6+3`). Each raises `ValueError` that says
what was printed and what is allowed; the reader turns it into a reject. Nothing is guessed: `D3+` or an AP without a
minus is refused, not repaired.
"""

import re

from pipelines.sources.text import normalise

_DICE = re.compile(r"(?:(\d{0,2})\s?D\s?([36])(?:\s*\+\s*(\d{1,2}))?|(\d{1,3}))", re.IGNORECASE)
_TARGET_ROLL = re.compile(r"([2-7])\+")
_NONE = {"", "-", "–", "—", "n/a", "*", "none"}


def dice_text(printed: str) -> str:
    """Dice in one spelling: `d6 + 3` -> `D6+3`, `2D6`, `4`. Raises ValueError for anything else (`D3+`, `D`, `x`)."""
    text = normalise(printed)
    match = _DICE.fullmatch(text)
    if not match:
        raise ValueError(f"'{printed}' is no dice or number (expected 4, D6, 2D6, D3+1)")
    number, sides, plus, constant = match.groups()
    if constant is not None:
        return str(int(constant))
    if number == "0":
        raise ValueError(f"'{printed}' rolls no dice")
    number = "" if number in ("", "1") else number
    return f"{number}D{sides}" + (f"+{int(plus)}" if plus and int(plus) else "")


def dice_mean(text: str) -> float:
    """The mean of a dice text in the spelling of `dice_text`."""
    match = _DICE.fullmatch(text)
    if not match:
        raise ValueError(f"'{text}' is no dice text")
    number, sides, plus, constant = match.groups()
    if constant is not None:
        return float(constant)
    return int(number or 1) * (int(sides) + 1) / 2 + int(plus or 0)


def skill(printed: str) -> int | None:
    """BS or WS: `3+` -> 3, `N/A` or `-` -> None (hits automatically)."""
    text = normalise(printed)
    if text.lower() in _NONE - {"", "*"}:
        return None
    match = _TARGET_ROLL.fullmatch(text)
    if not match or match[1] == "7":
        raise ValueError(f"'{printed}' is no skill (expected 2+ to 6+ or N/A)")
    return int(match[1])


def target_roll(printed: str, what: str = "save") -> int:
    """A roll needed, such as Sv, Ld or an invulnerable save: `3+` or `3` -> 3 (2 to 9)."""
    match = re.fullmatch(r"(\d{1,2})\+?\*?", normalise(printed))
    if not match or not 2 <= int(match[1]) <= 9:
        raise ValueError(f"'{printed}' is no {what} (expected 2+ to 7+)")
    return int(match[1])


def armour_penetration(printed: str) -> int:
    """AP: `0` -> 0, `-2` -> -2. A number without its minus is refused: a lost sign and a shifted column look alike."""
    text = normalise(printed).replace("−", "-").replace("–", "-")
    match = re.fullmatch(r"(-?)(\d)", text)
    if not match or (match[2] != "0" and not match[1]):
        raise ValueError(f"'{printed}' is no armour penetration (expected 0 or -1 to -9, with its minus)")
    return -int(match[2])


def range_in(printed: str) -> int | None:
    """Range in inches; None for `Melee`."""
    text = normalise(printed)
    if text.lower() == "melee":
        return None
    match = re.fullmatch(r"(\d{1,3})(?:\"|'')?", text)
    if not match or int(match[1]) == 0:
        raise ValueError(f"'{printed}' is no range (expected inches such as 24\" or Melee)")
    return int(match[1])


def movement_in(printed: str) -> int | None:
    """Move in inches: `6"`, `20+"` -> 20; None for `-` (cannot move)."""
    text = normalise(printed)
    if text.lower() in _NONE:
        return None
    match = re.fullmatch(r"(\d{1,2})(?:\"|'')?\+?(?:\"|'')?", text)
    if not match:
        raise ValueError(f"'{printed}' is no Move characteristic (expected inches such as 6\")")
    return int(match[1])


def whole_number(printed: str, what: str) -> int:
    """A plain characteristic such as T, W or OC."""
    text = normalise(printed)
    if not re.fullmatch(r"\d{1,3}", text):
        raise ValueError(f"'{printed}' is no {what} (expected a whole number)")
    return int(text)

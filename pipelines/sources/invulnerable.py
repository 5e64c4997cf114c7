"""The invulnerable save with its printed note.

Belongs here: what a note such as `* against ranged attacks only` does to the save beside it. Every reader of
characteristics meets the same notes. Does not belong here: rules that grant a save.
"""

import re
from dataclasses import dataclass

from pipelines.sources.characteristics import target_roll
from pipelines.sources.text import normalise

_NONE = frozenset({"", "-", "–", "—", "0", "n/a", "none"})
_AGAINST = re.compile(r"\bagainst (?P<what>[a-z ]+?) (?:attacks?|weapons?)\b", re.IGNORECASE)
_OTHER_ROLL = re.compile(r"(?<!\d)(?P<roll>[2-6])\+")
_ATTACK_TYPES = {"ranged": "ranged", "shooting": "ranged", "melee": "melee", "close combat": "melee"}


@dataclass(frozen=True)
class Invulnerable:
    """`save` holds against `versus` (any, ranged, melee). `improved` is a better save against `improved_versus` alone.

    `note` is the print beside the save where it says anything, `improved_versus` a kind of attack in lower case.
    """

    save: int | None
    versus: str | None = None
    note: str | None = None
    improved: int | None = None
    improved_versus: str | None = None


def invulnerable(printed: str, note: str = "") -> Invulnerable:
    """The save and its note as data. Raises ValueError where the print is no save, or holds only against attacks that
    are neither ranged nor melee: such a save would be a wrong number for every ordinary attack.

    A note that names models (`Ibram Gaunt only.`) or points at a rule leaves the save as it is and is kept as text.
    """
    text = normalise(printed).strip("* ")
    note_text = normalise(note).replace("\n", " ").strip("* ") or None
    if text.lower() in _NONE:
        return Invulnerable(None, None, note_text)
    save = target_roll(text, "invulnerable save")
    if save > 6:
        raise ValueError(f"'{printed}' is no invulnerable save (expected 2+ to 6+)")
    against = _AGAINST.search(note_text or "")
    if note_text is None or against is None:
        return Invulnerable(save, "any", note_text)
    what = against["what"].lower().strip()
    other = _OTHER_ROLL.search(note_text)
    if other and int(other["roll"]) != save:
        return Invulnerable(save, "any", note_text, int(other["roll"]), _ATTACK_TYPES.get(what, what))
    if what not in _ATTACK_TYPES:
        raise ValueError(f"an invulnerable save against '{what}' attacks alone has no place among the characteristics")
    return Invulnerable(save, _ATTACK_TYPES[what], note_text)


def improved_save_sentence(save: Invulnerable) -> str | None:
    """The better save against one kind of attack as a rule in the game's wording, None where there is none."""
    if save.improved is None:
        return None
    return f"This model has a {save.improved}+ invulnerable save against {save.improved_versus} attacks."

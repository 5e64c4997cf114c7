"""Weapon names as printed, split into weapon and profile.

Belongs here: `Plasma gun – standard`. Does not belong here: keywords after a name (`weapon_keywords.split_name`).
"""

import re

from pipelines.sources.text import normalise

# Profiles stand behind a dash with blanks around it; hyphens inside a name have none. Pages put an arrow before them.
_PROFILE = re.compile(r"\s+[–—-]\s+")
# Some cards repeat the attack type behind the name of a weapon that shoots and fights; that is no profile.
_ATTACK_TYPES = frozenset({"ranged", "melee"})
_ARROW = re.compile(r"^[➤►▶→➔➜❯>]\s*")


def split_profile(printed: str) -> tuple[str, str | None]:
    """`Plasma gun – standard` -> ("Plasma gun", "standard"); a name without a profile gives None for it."""
    text = _ARROW.sub("", normalise(printed))
    pieces = _PROFILE.split(text, maxsplit=1)
    if len(pieces) == 1 or not pieces[0] or not pieces[1]:
        return text, None
    if pieces[1].lower() in _ATTACK_TYPES:
        return pieces[0], None
    return pieces[0], pieces[1]

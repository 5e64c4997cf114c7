"""Peer groups: which units are compared with which.

Belongs here: the group of a datasheet from its keywords and Toughness, first match. Does not belong here: the
battlefield role that a source prints.
"""

from collections.abc import Iterable

HEAVY_TOUGHNESS = 10


def role_group(keywords: Iterable[str], toughness: int | None) -> str | None:
    """The peer group, None for a sheet without a keyword that decides one."""
    words = set(keywords)
    if "TITANIC" in words:
        return "Titanic"
    if "AIRCRAFT" in words:
        return "Aircraft"
    if "FORTIFICATION" in words:
        return "Fortification"
    if "DEDICATED TRANSPORT" in words:
        return "Dedicated Transport"
    if "CHARACTER" in words and not words & {"MONSTER", "VEHICLE"}:
        return "Character"
    if "MONSTER" in words:
        return "Monster"
    if "VEHICLE" in words:
        if toughness is None:
            return None
        return "Vehicle T10+" if toughness >= HEAVY_TOUGHNESS else "Vehicle under T10"
    if words & {"MOUNTED", "BEAST", "BEASTS", "SWARM"}:
        return "Mounted, Beast, Swarm"
    if "INFANTRY" in words:
        return "Battleline infantry" if "BATTLELINE" in words else "Other infantry"
    return None

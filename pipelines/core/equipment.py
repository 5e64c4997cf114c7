"""Default equipment where no source states it, and items matched to weapons.

Belongs here: what a model carries before options. Does not belong here: loadouts and prices (`models.loadouts`).
"""

import re
from collections.abc import Iterable

from pipelines.sources.records import Row
from pipelines.sources.text import name_key


def singular(item: str) -> str:
    """The key under which an item and its plural meet: `2 lascannons` is the lascannon twice."""
    key = name_key(item)
    return key[:-1] if key.endswith("s") and not key.endswith("ss") else key


def infer_equipment(
    weapons: Iterable[Row], abilities: Iterable[Row], options: Iterable[Row]
) -> list[tuple[str | None, str]]:
    """Items that every model of a sheet without an equipment line carries, by what its options say.

    What an option replaces is carried; what only an option gives is not; a weapon or wargear ability that no option
    names is carried. An item that only models of one kind give up is theirs alone. Returns pairs of the kind of model
    (None: every model) and the item, in the order of the sheet.
    """
    replaced: dict[str, set[str | None]] = {}
    given: set[str] = set()
    for option in options:
        for item in option["replaces"] or ():
            replaced.setdefault(singular(item), set()).add(option.get("model"))
        for choice in option["choices"] or ():
            given.update(singular(entry["item"]) for entry in choice)
    items: dict[str, str] = {}
    for weapon in weapons:
        items.setdefault(singular(weapon["weapon"]), str(weapon["weapon"]).lower())
    for ability in abilities:
        if ability["kind"] == "wargear":
            name = re.sub(r"\s*\([^)]*\)\s*$", "", str(ability["name"]))  # Icon (Aura) is the icon
            items.setdefault(singular(name), name.lower())
    carried = []
    for key, item in items.items():
        owners = replaced.get(key, set())
        if key in given and not owners:
            continue
        owner = next(iter(owners)) if len(owners) == 1 else None
        carried.append((owner, item))
    return carried

"""The factions of the game, and the spellings under which sources print them.

Belongs here: one canonical name per faction and every other print of it (keywords, chapters with books of their own).
Does not belong here: spellings of units (those are data: `raw/aliases.csv`).
"""

from pipelines.sources.text import name_key, slug

# canonical name -> other prints: the faction keyword, older or shorter names, parts with their own points list or file
_SPELLINGS: dict[str, tuple[str, ...]] = {
    "Adepta Sororitas": (),
    "Adeptus Custodes": ("Talons of the Emperor", "Anathema Psykana"),
    "Adeptus Mechanicus": (),
    "Adeptus Titanicus": ("Titan Legions", "Titanicus Traitoris"),
    "Aeldari": ("Asuryani", "Ynnari", "Harlequins", "Craftworlds"),
    "Astra Militarum": (),
    "Chaos Daemons": (
        "Legiones Daemonica",
        "Daemons of Chaos",
        "Plague Legions",
        "Legions of Excess",
        "Scintillating Legions",
        "Blood Legions",
    ),
    "Chaos Knights": (),
    "Chaos Space Marines": ("Heretic Astartes",),
    "Death Guard": (),
    "Drukhari": (),
    "Emperor's Children": (),
    "Genestealer Cults": ("Genestealer Cult",),
    "Grey Knights": (),
    "Imperial Agents": ("Agents of the Imperium",),
    "Imperial Knights": ("Questor Imperialis",),
    "Leagues of Votann": ("Votann",),
    "Necrons": (),
    "Orks": ("Ork",),
    "Space Marines": (
        "Adeptus Astartes",
        "Black Templars",
        "Black Templar",
        "Blood Angels",
        "Dark Angels",
        "Deathwatch",
        "Space Wolves",
        "Ultramarines",
        "Imperial Fists",
        "Iron Hands",
        "Raven Guard",
        "Salamanders",
        "White Scars",
        "Crimson Fists",
        "Flesh Tearers",
    ),
    "T'au Empire": ("Tau Empire", "T'au"),
    "Thousand Sons": (),
    "Tyranids": ("Tyranid",),
    "Unaligned Forces": (),
    "Unbound Adversaries": (),
    "World Eaters": (),
}

_CANONICAL = {name_key(print_): name for name, others in _SPELLINGS.items() for print_ in (name, *others)}


def canonical_faction(printed: str | None) -> str | None:
    """The faction that a print stands for, or None where it is no faction that we know."""
    return _CANONICAL.get(name_key(printed)) if printed else None


def faction_slug(printed: str) -> str:
    """The key of a faction: canonical where known, else the slug of the print itself (homebrew, invented fixtures)."""
    return slug(canonical_faction(printed) or printed)


def is_part_of_larger_faction(printed: str) -> bool:
    """Whether the print names a chapter or another part with its own points list that belongs to a larger faction."""
    canonical = canonical_faction(printed)
    return canonical is not None and name_key(canonical) != name_key(printed)

"""A tiny raw folder of invented units, for tests that build a warehouse from files.

Belongs here: texts in the formats that the readers take, small enough to build in seconds, and the ways in which a file
can be bad. Does not belong here: running a build, or anything about a real unit.
"""

from pathlib import Path

PROFILES_HEADER = (
    "book,datasheet,profile,movement_in,toughness,save,invulnerable_save,invulnerable_versus,wounds,leadership,"
    "objective_control,feel_no_pain,models,points,keywords,source"
)
HEAD = "RANGED WEAPONS | RANGE | A | BS | S | AP | D | |\n"


def ranged(name: str, keywords: str = "", cells: str = '24" | 2 | 3+ | 5 | -1 | 2') -> str:
    """Two lines of a weapon table, as a page prints them: the name alone, then the name with its cells."""
    title = f"| {name} {keywords}".rstrip()
    return f"{title} |||||||\n{title} | {cells} | |\n"


def page(
    name: str,
    weapons: str,
    *,
    faction: str = "Sable Wardens",
    abilities: str = "CORE: Deep Strike\n",
    models: str = "- 5 {name}\n",
    points: str = "| 5 models | 90 |\n| 10 models | 170 |\n",
    keywords: str = "INFANTRY",
) -> str:
    """The text of a datasheet page; `weapons` are lines from `ranged`."""
    return (
        f"{faction} – {name}\n{HEAD}{weapons}"
        "ABILITIES\n"
        f"{abilities}"
        "UNIT COMPOSITION\n"
        f"{models.format(name=name)}"
        f"{points}"
        f"KEYWORDS: {keywords}, {name.upper()}\n"
        f"FACTION KEYWORDS: {faction.upper()}\n"
    )


def profiles(*rows: str) -> str:
    """A profiles file with the given rows."""
    return "\n".join((PROFILES_HEADER, *rows)) + "\n"


PIKE = page(
    "Pike Guard",
    ranged("Ember pike", "rapid fire 1") + ranged("Cinder launcher", "blast", '36" | D6 | 4+ | 8 | -2 | D3+1'),
    abilities=(
        "CORE: Deep Strike\n"
        "Steady Aim: Each time a model in this unit makes a ranged attack, add 1 to the Hit roll.\n"
        "Ember Oath: Each time a model in this unit makes an attack, you can re-roll a Hit roll of 1.\n"
    ),
)
WALKER = page(
    "Basalt Walker",
    ranged("Slag cannon", "heavy", '48" | 3 | 3+ | 10 | -3 | D6'),
    models="- 1 {name}\n",
    points="| 1 model | 160 |\n",
    keywords="VEHICLE, WALKER",
)
PIKE_PROFILE = "Sable Wardens,Pike Guard,Pike Guard,6,4,3,,,2,6,2,,5,90,INFANTRY,by hand"
WALKER_PROFILE = "Sable Wardens,Basalt Walker,Basalt Walker,8,10,3,5,any,12,7,4,,1,160,VEHICLE;WALKER,by hand"


def write_raw(folder: Path) -> Path:
    """A raw folder with two pages and their profiles; returns it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pike_guard.txt").write_text(PIKE, encoding="utf-8")
    (folder / "basalt_walker.txt").write_text(WALKER, encoding="utf-8")
    (folder / "profiles.csv").write_text(profiles(PIKE_PROFILE, WALKER_PROFILE), encoding="utf-8")
    return folder


def bad_files() -> dict[str, bytes]:
    """File name -> content of every kind of bad input, each beside a good raw folder."""
    cut = page("Cut Short", ranged("Whole blade") + ranged("Torn blade"))
    texts = {
        "error_page.html": "<!doctype html><html><head><title>404 Not Found</title></head>"
        "<body><h1>Not Found</h1><p>nginx</p></body></html>",
        "truncated.txt": cut[: cut.rindex(" | 5 | -1")],
        "missing_cell.txt": page("Lost Cell", ranged("Good saw") + ranged("Thin saw", "", '24" | 2 | 3+ | 5 | 2')),
        "open_dice.txt": page("Open Dice", ranged("Good saw") + ranged("Odd saw", "", '24" | 2 | 3+ | 5 | -1 | D3+')),
        "positive_ap.txt": page(
            "Bare Piercing", ranged("Good saw") + ranged("Bare saw", "", '24" | 2 | 3+ | 5 | 2 | 1')
        ),
        "unknown_keyword.txt": page(
            "Strange Word", ranged("Good saw") + ranged("Weird saw", "[rapid fire 1, tidal surge 3, blast]")
        ),
        "copy_of_pike_guard.txt": PIKE,
        "other_pike_guard.txt": PIKE.replace("| 5 | -1 | 2 |", "| 5 | -2 | 2 |"),
        "notes.txt": "Buy paint on Tuesday.\n",
    }
    data = {name: text.encode() for name, text in texts.items()}
    data["empty.txt"] = b""
    data["binary.dat"] = bytes(range(256)) * 8
    data["windows.txt"] = page("Écorcheurs’ Own", ranged("Good saw")).encode("cp1252")
    return data

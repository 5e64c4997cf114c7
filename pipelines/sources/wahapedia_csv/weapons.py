"""`Datasheets_wargear.csv`: weapon profiles.

Belongs here: cells of a weapon row. Weapons are keyed by datasheet and name: the export's line numbers are missing from
a fifth of its rows. Does not belong here: weapon abilities (their text is among the abilities).
"""

from pipelines.sources import characteristics as read
from pipelines.sources.records import Row
from pipelines.sources.text import name_key
from pipelines.sources.wahapedia_csv.export import Export, Sheet
from pipelines.sources.wahapedia_csv.tables import Record
from pipelines.sources.weapon_keywords import WeaponKeyword, parse_keywords
from pipelines.sources.weapon_names import split_profile

TABLE = "Datasheets_wargear"
_NUMBERS = ("range_in", "attacks", "skill", "strength", "armour_penetration", "damage")


def read_weapons(export: Export) -> None:
    """Every weapon row is loaded, merged into an equal one of its datasheet, or quarantined with a reason."""
    known: dict[tuple[str, str, str, str], list[Row]] = {}
    unknown: dict[str, int] = {}
    unnumbered = rolled = 0
    for row, sheet in export.of_sheets(TABLE, merge=False):
        if not row.plain("name"):
            export.quarantine(row, "filler row: no weapon is named")
            continue
        try:
            weapon = weapon_row(row, sheet)
        except ValueError as error:
            export.quarantine(row, str(error))
            continue
        key = (sheet.key, weapon["attack_type"], name_key(weapon["weapon"]), name_key(weapon["profile"] or ""))
        same_name = known.setdefault(key, [])
        if any(_equal(weapon, other) for other in same_name):
            export.count(TABLE, "merged")
            continue
        if same_name:
            place = f"{same_name[0]['locator']} and {row.locator}"
            export.result.notices.append(f"{sheet.name}: {row.plain('name')} has two sets of values ({place})")
        export.result.add("weapon_profile", **weapon)
        same_name.append(weapon)
        sheet.names.append(weapon["weapon"])
        export.loaded(TABLE)
        unnumbered += not row.plain("line")
        rolled += bool(row.plain("dice"))
        for keyword in weapon["keywords"]:
            if not WeaponKeyword(keyword["keyword"]).is_known:
                unknown[keyword["keyword"]] = unknown.get(keyword["keyword"], 0) + 1
    _say(export, unnumbered, rolled, unknown)


def weapon_row(row: Record, sheet: Sheet) -> Row:
    """A row of `weapon_profile`. Raises ValueError naming the cell that is no characteristic."""
    attack_type = _attack_type(row)
    weapon, profile = split_profile(row.plain("name"))
    keywords = row.plain("description")
    inches = read.range_in(row.plain("range"))
    if (inches is None) != (attack_type == "melee"):
        raise ValueError(f"range '{row.plain('range')}' does not fit a {attack_type} weapon")
    return {
        "sheet": sheet.key,
        "weapon": weapon,
        "profile": profile,
        "attack_type": attack_type,
        "range_in": inches,
        "attacks": read.dice_text(row.plain("a")),
        "skill": _skill(row.plain("bs_ws")),
        "strength": read.dice_text(row.plain("s")),
        "armour_penetration": read.armour_penetration(row.plain("ap")),
        "damage": read.dice_text(row.plain("d")),
        "keywords": [keyword.row() for keyword in parse_keywords(keywords)],
        "keywords_text": keywords or None,
        "line_no": row.line_no,
        "locator": row.locator,
    }


def _attack_type(row: Record) -> str:
    """The Type cell; an export without that column says it by the range alone."""
    stated = row.plain("type").lower()
    by_range = "melee" if row.plain("range").lower() == "melee" else "ranged"
    if "type" not in row.cells:
        return by_range
    if stated not in ("melee", "ranged", "range"):
        raise ValueError(f"type '{row.plain('type')}' is neither Ranged nor Melee")
    return "melee" if stated == "melee" else "ranged"


def _skill(printed: str) -> int | None:
    """The export prints `3` for 3+."""
    return read.skill(f"{printed}+" if printed.isdigit() else printed)


def _equal(one: Row, other: Row) -> bool:
    """Same values and keywords, in whatever order the keywords are printed."""
    if any(one[name] != other[name] for name in _NUMBERS):
        return False
    return _keyword_set(one) == _keyword_set(other)


def _keyword_set(weapon: Row) -> set[tuple[str, str]]:
    return {(keyword["keyword"], f"{keyword['value']}{keyword['target_keyword']}") for keyword in weapon["keywords"]}


def _say(export: Export, unnumbered: int, rolled: int, unknown: dict[str, int]) -> None:
    if unnumbered:
        export.result.notices.append(f"{unnumbered} weapon rows have no line number; keyed by datasheet and name")
    if rolled:
        export.result.notices.append(f"{rolled} weapon profiles are chosen by a roll; the weapon's ability says how")
    for keyword in sorted(unknown):
        export.result.notices.append(
            f"weapon keyword '{keyword}' is none of the core rules ({unknown[keyword]} weapons)"
        )

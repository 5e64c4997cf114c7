"""Datasheets of several sources merged into one set of core rows.

Belongs here: which source's list is kept per attribute, the keys of the rows, and a conflict for each disagreement.
Does not belong here: rules that are shared by many datasheets (`rulebook`).

Lists are taken whole from one source (weapons, abilities, composition, ...): a list mixed from two vintages would
describe a unit that never existed. What the other sources say differently becomes a row of `core.conflict`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from pipelines.core.identity import Entity, Identities, Member
from pipelines.core.precedence import Source, complete_first, fact_rank
from pipelines.factions import canonical_faction
from pipelines.sources.records import Row
from pipelines.sources.text import name_key, slug

PROFILE_FIELDS = (
    "movement_in",
    "toughness",
    "save",
    "invulnerable_save",
    "invulnerable_versus",
    "wounds",
    "leadership",
    "objective_control",
)
WEAPON_FIELDS = ("range_in", "attacks", "skill", "strength", "armour_penetration", "damage")


@dataclass
class Core:
    """Rows of `core` tables under construction, and what happened to each source row."""

    tables: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    conflicts: list[Row] = field(default_factory=list)
    suggestions: list[Row] = field(default_factory=list)
    notices: list[Row] = field(default_factory=list)
    # (file_id, source table, row index) -> (core table, row key): for the fate of each line
    fates: dict[tuple[str, str, int], tuple[str, str]] = field(default_factory=dict)

    def conflict(
        self,
        entity_id: str,
        attribute: str,
        kept: object,
        kept_source: Source,
        other: object,
        other_source: Source,
        reason: str,
    ) -> None:
        """Record that two sources disagree. Values are kept as text, NULL where one source is silent."""
        self.conflicts.append(
            {
                "entity_id": entity_id,
                "attribute": attribute,
                "kept_value": None if kept is None else str(kept),
                "kept_file_id": kept_source.file.file_id,
                "other_value": None if other is None else str(other),
                "other_file_id": other_source.file.file_id,
                "reason": reason,
            }
        )

    def notice(self, source: Source, text: str) -> None:
        """A sentence for the reader of the build report, about one file."""
        self.notices.append({"file_id": source.file.file_id, "text": text})


class SheetRows:
    """Rows of all sources by source table and datasheet, with their indices."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._rows: dict[tuple[str, str, str], list[tuple[int, Row]]] = defaultdict(list)
        for source in sources:
            for table, rows in source.result.tables.items():
                for index, row in enumerate(rows):
                    if row.get("sheet") is not None:
                        self._rows[source.file.file_id, table, row["sheet"]].append((index, row))

    def of(self, member: Member, table: str) -> list[tuple[int, Row]]:
        """The rows of one table for a datasheet as one source states it."""
        return self._rows.get((member.source.file.file_id, table, member.row["sheet"]), [])


@dataclass
class Merge:
    """One datasheet being merged: its members, its rows and where the result goes."""

    entity: Entity
    rows: SheetRows
    core: Core

    @property
    def datasheet_id(self) -> str:
        return self.entity.datasheet_id

    def stating(self, table: str) -> list[Member]:
        """Members that state something in the table, best first; incomplete lists after complete ones."""
        members = [member for member in self.entity.members if self.rows.of(member, table)]
        return sorted(members, key=lambda m: (not complete_first(m.source, m.row), *fact_rank(m.source)))

    def add(self, table: str, member: Member, index: int | None, row: Row, key: str, source_table: str) -> None:
        """Append a core row with its provenance and remember what the source row became."""
        row["file_id"] = member.source.file.file_id
        self.core.tables[table].append(row)
        if index is not None:
            self.core.fates[member.source.file.file_id, source_table, index] = (table, key)

    def fate(self, member: Member, source_table: str, index: int, table: str, key: str) -> None:
        self.core.fates[member.source.file.file_id, source_table, index] = (table, key)


def provenance(row: Row) -> Row:
    """The columns that lead from a core row to its place in the file."""
    return {"line_no": row["line_no"], "locator": row["locator"]}


def _unique(wanted: str, taken: set[str]) -> str:
    """`wanted`, or `wanted-2`, `wanted-3` ... where it is taken already."""
    key, number = wanted, 2
    while key in taken:
        key, number = f"{wanted}-{number}", number + 1
    taken.add(key)
    return key


def merge_sheets(identities: Identities, sources: list[Source], core: Core) -> None:
    """Merge every datasheet into `core`. The order of files does not matter; the result is sorted by key later."""
    rows = SheetRows(sources)
    for entity in identities.entities:
        merge = Merge(entity, rows, core)
        for step in _STEPS:
            step(merge)


# --- the sheet itself ---------------------------------------------------------------------------------------------


def _datasheet(merge: Merge) -> None:
    best = merge.entity.best
    row = {
        "datasheet_id": merge.datasheet_id,
        "name": best.row["name"],
        "faction": _faction_name(merge.entity),
        "book": best.row["book"],
        "is_combat_patrol": merge.entity.key[0],
        "is_legends": any(bool(m.row["is_legends"]) for m in merge.entity.members if m.row["is_legends"] is not None),
        "role": next((m.row["role"] for m in merge.entity.members if m.row["role"]), None),
        "first_line": best.row["first_line"],
        "last_line": best.row["last_line"],
        "source_key": best.row["source_key"],
        "has_lost_text": bool(best.row["has_lost_text"]),
        "name_is_inferred": bool(best.row["name_is_inferred"]),
        **provenance(best.row),
    }
    merge.add("core.datasheet", best, None, row, merge.datasheet_id, "datasheet")
    for member in merge.entity.members:
        for index, _ in merge.rows.of(member, "datasheet"):
            merge.fate(member, "datasheet", index, "core.datasheet", merge.datasheet_id)


def _faction_name(entity: Entity) -> str | None:
    stated = next((member.faction for member in entity.members if member.faction), None)
    return canonical_faction(stated) or stated


# --- characteristics ----------------------------------------------------------------------------------------------


def _model_profiles(merge: Merge) -> None:
    members = merge.stating("model_profile")
    if not members:
        return
    kept = members[0]
    taken: set[str] = set()
    kept_rows = merge.rows.of(kept, "model_profile")
    feel_no_pain = _printed_feel_no_pain(merge)
    for index, source_row in kept_rows:
        profile = _unique(source_row["profile"] or merge.entity.best.row["name"], taken)
        row: Row = {"datasheet_id": merge.datasheet_id, "profile": profile}
        row |= {name: source_row[name] for name in PROFILE_FIELDS}
        if row["invulnerable_save"] is not None and not row["invulnerable_versus"]:
            row["invulnerable_versus"] = "any"
        stated = source_row["feel_no_pain"]
        row["feel_no_pain"] = stated if stated is not None else feel_no_pain
        row |= {"invulnerable_note": source_row["invulnerable_note"], **provenance(source_row)}
        merge.add("core.model_profile", kept, index, row, f"{merge.datasheet_id}/{slug(profile)}", "model_profile")
        source_row["_profile"] = profile
    for other in members[1:]:
        _compare_profiles(merge, kept, kept_rows, other)


def _printed_feel_no_pain(merge: Merge) -> int | None:
    """The core ability `Feel No Pain 5+` of the sheet, where a source prints it without a condition."""
    for member in merge.stating("ability"):
        for _, row in merge.rows.of(member, "ability"):
            if row["kind"] == "core" and name_key(row["name"]) == "feelnopain" and row["value"] and not row["model"]:
                digits = str(row["value"]).strip().rstrip("+")
                if digits.isdigit() and 2 <= int(digits) <= 6:
                    return int(digits)
    return None


def _compare_profiles(merge: Merge, kept: Member, kept_rows: list[tuple[int, Row]], other: Member) -> None:
    by_name = {name_key(row["profile"] or ""): row for _, row in kept_rows}
    other_rows = merge.rows.of(other, "model_profile")
    for index, row in other_rows:
        match = by_name.get(name_key(row["profile"] or ""))
        if match is None and len(kept_rows) == 1 and len(other_rows) == 1:
            match = kept_rows[0][1]
        if match is None:
            merge.core.conflict(
                merge.datasheet_id,
                f"model_profile[{row['profile']}]",
                None,
                kept.source,
                "present",
                other.source,
                "profile in one source only",
            )
            continue
        merge.fate(
            other, "model_profile", index, "core.model_profile", f"{merge.datasheet_id}/{slug(match['_profile'])}"
        )
        for name in PROFILE_FIELDS:
            ours, theirs = match[name], row[name]
            if name == "invulnerable_versus":
                ours, theirs = ours or "any", theirs or "any"
            hand_kept_silence = theirs is None and other.source.file.kind == "profiles_csv"
            if ours != theirs and not hand_kept_silence:
                merge.core.conflict(
                    f"{merge.datasheet_id}/{slug(match['_profile'])}",
                    name,
                    ours,
                    kept.source,
                    theirs,
                    other.source,
                    _why(kept, other),
                )


def _why(kept: Member, other: Member) -> str:
    """Why the kept value won, in words."""
    if kept.source.dated != other.source.dated and kept.source.dated:
        return f"newer source ({kept.source.dated} against {other.source.dated or 'no date'})"
    return (
        f"{kept.source.file.kind} before {other.source.file.kind}"
        if kept.source.file.kind != other.source.file.kind
        else "first file by path"
    )


# --- weapons ------------------------------------------------------------------------------------------------------


def _weapon_identity(row: Row) -> tuple[str, str, str]:
    return (row["attack_type"], name_key(row["weapon"]), name_key(row["profile"] or ""))


def _weapon_values(row: Row) -> tuple[object, ...]:
    keywords = sorted((k["keyword"], k["value"] or "", k["target_keyword"] or "") for k in row["keywords"] or ())
    return (*(row[name] for name in WEAPON_FIELDS), tuple(keywords))


def _weapons(merge: Merge) -> None:
    members = merge.stating("weapon_profile")
    if not members:
        return
    kept = members[0]
    taken: set[str] = set()
    first_with: dict[tuple[str, str, str], Row] = {}
    for index, row in merge.rows.of(kept, "weapon_profile"):
        identity = _weapon_identity(row)
        same = first_with.get(identity)
        if same is not None and _weapon_values(same) == _weapon_values(row):
            merge.fate(kept, "weapon_profile", index, "core.weapon_profile", same["_weapon_id"])
            continue
        weapon_id = _unique(_weapon_id(merge.datasheet_id, row), taken)
        row["_weapon_id"] = weapon_id
        if same is not None:
            merge.core.conflict(
                same["_weapon_id"],
                "weapon",
                _shown(same),
                kept.source,
                _shown(row),
                kept.source,
                "same weapon printed twice with different values; both kept",
            )
        first_with.setdefault(identity, row)
        _add_weapon(merge, kept, index, row, weapon_id)
    for other in members[1:]:
        _compare_weapons(merge, kept, first_with, other)


def _weapon_id(datasheet_id: str, row: Row) -> str:
    parts = [datasheet_id, row["attack_type"], slug(row["weapon"])]
    if row["profile"]:
        parts.append(slug(row["profile"]))
    return "/".join(parts)


def _add_weapon(merge: Merge, kept: Member, index: int, row: Row, weapon_id: str) -> None:
    core_row = {"weapon_id": weapon_id, "datasheet_id": merge.datasheet_id}
    core_row |= {name: row[name] for name in ("weapon", "profile", "attack_type", *WEAPON_FIELDS)}
    core_row |= provenance(row)
    merge.add("core.weapon_profile", kept, index, core_row, weapon_id, "weapon_profile")
    seen: set[tuple[object, ...]] = set()
    for keyword in row["keywords"] or ():
        identity = (keyword["keyword"], keyword["value"], keyword["target_keyword"])
        if identity in seen:
            continue
        seen.add(identity)
        merge.core.tables["core.weapon_keyword"].append({"weapon_id": weapon_id, **keyword})


def _shown(row: Row) -> str:
    return " ".join(f"{name}={row[name]}" for name in WEAPON_FIELDS)


def _compare_weapons(merge: Merge, kept: Member, first_with: dict[tuple[str, str, str], Row], other: Member) -> None:
    seen: set[tuple[str, str, str]] = set()
    for index, row in merge.rows.of(other, "weapon_profile"):
        identity = _weapon_identity(row)
        match = first_with.get(identity)
        if match is None:
            if identity not in seen:
                merge.core.conflict(
                    _weapon_id(merge.datasheet_id, row),
                    "weapon",
                    None,
                    kept.source,
                    "present",
                    other.source,
                    "weapon in one source only",
                )
            seen.add(identity)
            continue
        seen.add(identity)
        merge.fate(other, "weapon_profile", index, "core.weapon_profile", match["_weapon_id"])
        for name in WEAPON_FIELDS:
            if match[name] != row[name]:
                merge.core.conflict(
                    match["_weapon_id"], name, match[name], kept.source, row[name], other.source, _why(kept, other)
                )
        ours, theirs = _keywords_shown(match), _keywords_shown(row)
        if ours != theirs:
            merge.core.conflict(
                match["_weapon_id"], "keywords", ours, kept.source, theirs, other.source, _why(kept, other)
            )
    for identity, row in first_with.items():
        if identity not in seen:
            merge.core.conflict(
                row["_weapon_id"], "weapon", "present", kept.source, None, other.source, "weapon in one source only"
            )


def _keywords_shown(row: Row) -> str:
    printed = []
    for keyword in row["keywords"] or ():
        if keyword["keyword"] == "anti":
            printed.append(f"anti-{str(keyword['target_keyword']).lower()} {keyword['value']}")
        else:
            printed.append(f"{keyword['keyword']} {keyword['value']}" if keyword["value"] else str(keyword["keyword"]))
    return ", ".join(sorted(set(printed)))


# --- lists taken whole --------------------------------------------------------------------------------------------


def _keywords(merge: Merge) -> None:
    for is_faction in (False, True):
        members = [
            member
            for member in merge.stating("keyword")
            if any(
                bool(row["is_faction"]) == is_faction and row["keyword"] for _, row in merge.rows.of(member, "keyword")
            )
        ]
        sets: list[tuple[Member, set[str]]] = []
        for member in members:
            words: set[str] = set()
            for index, row in merge.rows.of(member, "keyword"):
                if bool(row["is_faction"]) != is_faction or not row["keyword"]:
                    continue
                word = str(row["keyword"]).upper()
                key = f"{merge.datasheet_id}/{slug(word)}"
                if member is members[0] and word not in words:
                    core_row = {"datasheet_id": merge.datasheet_id, "keyword": word, "is_faction": is_faction}
                    merge.add(
                        "core.keyword",
                        member,
                        index,
                        core_row | {"model": row["model"], **provenance(row)},
                        key,
                        "keyword",
                    )
                else:
                    merge.fate(member, "keyword", index, "core.keyword", key)
                words.add(word)
            sets.append((member, words))
        for other, words in sets[1:]:
            _compare_keywords(merge, sets[0], other, words, is_faction)


def _compare_keywords(
    merge: Merge, kept: tuple[Member, set[str]], other: Member, words: set[str], is_faction: bool
) -> None:
    attribute = "faction_keyword" if is_faction else "keyword"
    ours = {name_key(word): word for word in kept[1]}
    theirs = {name_key(word): word for word in words}
    for key in sorted(ours.keys() ^ theirs.keys()):
        word = ours.get(key) or theirs[key]
        merge.core.conflict(
            merge.datasheet_id,
            f"{attribute}[{word}]",
            ours.get(key),
            kept[0].source,
            theirs.get(key),
            other.source,
            "keyword in one source only",
        )


def _abilities(merge: Merge) -> None:
    members = merge.stating("ability")
    if not members:
        return
    kept = members[0]
    taken: set[str] = set()
    by_name: dict[tuple[str, str], tuple[str, Row]] = {}
    for index, row in merge.rows.of(kept, "ability"):
        same = by_name.get((row["kind"], name_key(row["name"])))
        if same and name_key(same[1]["text"] or "") == name_key(row["text"] or "") and same[1]["value"] == row["value"]:
            merge.fate(kept, "ability", index, "core.ability", same[0])
            continue
        ability_id = _unique(f"{merge.datasheet_id}/{row['kind']}/{slug(row['name'])}", taken)
        by_name.setdefault((row["kind"], name_key(row["name"])), (ability_id, row))
        core_row = {"ability_id": ability_id, "datasheet_id": merge.datasheet_id}
        core_row |= {name: row[name] for name in ("name", "kind", "value", "text", "model", "source_key")}
        merge.add("core.ability", kept, index, core_row | provenance(row), ability_id, "ability")
    for other in members[1:]:
        theirs = set()
        for index, row in merge.rows.of(other, "ability"):
            theirs.add(name_key(row["name"]))
            match = by_name.get((row["kind"], name_key(row["name"])))
            if match is None:
                match = next((v for (_, name), v in by_name.items() if name == name_key(row["name"])), None)
            if match is None:
                merge.core.conflict(
                    merge.datasheet_id,
                    f"ability[{row['name']}]",
                    None,
                    kept.source,
                    "present",
                    other.source,
                    "ability in one source only",
                )
                continue
            merge.fate(other, "ability", index, "core.ability", match[0])
            if row["value"] != match[1]["value"]:
                merge.core.conflict(
                    match[0], "value", match[1]["value"], kept.source, row["value"], other.source, _why(kept, other)
                )
            ours, text = name_key(match[1]["text"] or ""), name_key(row["text"] or "")
            if ours and text and ours != text:
                merge.core.conflict(
                    match[0], "text", match[1]["text"], kept.source, row["text"], other.source, _why(kept, other)
                )


def _simple_list(
    source_table: str,
    table: str,
    make: Callable[[Merge, Row, int], tuple[str, Row]],
    compare: Callable[[Row], tuple[str, object] | None],
) -> Callable[[Merge], None]:
    """A step that keeps one source's list whole and compares the others entry by entry."""

    def step(merge: Merge) -> None:
        members = merge.stating(source_table)
        if not members:
            return
        kept = members[0]
        keys: set[str] = set()
        kept_values: dict[str, object] = {}
        ids: dict[str, str] = {}
        for number, (index, row) in enumerate(merge.rows.of(kept, source_table), start=1):
            key, core_row = make(merge, row, number)
            entry = compare(row)
            if key in keys:
                merge.fate(kept, source_table, index, table, key)
                continue
            keys.add(key)
            if entry:
                kept_values[entry[0]] = entry[1]
                ids[entry[0]] = key
            merge.add(table, kept, index, core_row | provenance(row), key, source_table)
        for other in members[1:]:
            if other.source.file.kind == "profiles_csv":
                continue  # a hand-kept file counts the models of a unit and does not list their kinds
            for index, row in merge.rows.of(other, source_table):
                entry = compare(row)
                if entry is None:
                    continue
                if entry[0] in ids:
                    merge.fate(other, source_table, index, table, ids[entry[0]])
                ours = kept_values.get(entry[0])
                if ours != entry[1]:
                    merge.core.conflict(
                        merge.datasheet_id,
                        f"{source_table}[{entry[0]}]",
                        ours,
                        kept.source,
                        entry[1],
                        other.source,
                        _why(kept, other),
                    )

    return step


def _make_composition(merge: Merge, row: Row, number: int) -> tuple[str, Row]:
    key = f"{merge.datasheet_id}/{row['alternative'] or 1}/{slug(row['model'] or '')}"
    names = ("model", "min_models", "max_models", "alternative")
    return key, {"datasheet_id": merge.datasheet_id, **{name: row[name] for name in names}}


def _equipment(merge: Merge) -> None:
    """One source's equipment, each sentence numbered: two of `1 Battle Sister` equip two models.

    A new sentence begins where the line or the models change, or where an item comes again.
    """
    members = merge.stating("equipment")
    if not members:
        return
    sentence: tuple[object, ...] | None = None
    number, items = 0, set[str]()
    for index, row in merge.rows.of(members[0], "equipment"):
        stated = (row["line_no"], row["model"], row["models"])
        if stated != sentence or row["item"] in items:
            sentence, number, items = stated, number + 1, set()
        items.add(row["item"])
        core_row: Row = {"datasheet_id": merge.datasheet_id, "equipment_line": number, "n": row["n"] or 1}
        core_row |= {name: row[name] for name in ("model", "models", "item")}
        core_row |= {"is_inferred": bool(row["is_inferred"]), **provenance(row)}
        key = f"{merge.datasheet_id}/{number}/{slug(row['item'])}"
        merge.add("core.equipment", members[0], index, core_row, key, "equipment")


def _make_option(merge: Merge, row: Row, number: int) -> tuple[str, Row]:
    option_id = f"{merge.datasheet_id}/option-{number}"
    names = ("text", "replaces", "choices", "per_models", "limit_models", "model", "condition")
    core_row = {"option_id": option_id, "datasheet_id": merge.datasheet_id, **{name: row[name] for name in names}}
    return option_id, core_row | {"has_lost_text": bool(row["has_lost_text"])}


def _composition_entry(row: Row) -> tuple[str, object]:
    return f"{row['alternative'] or 1}/{name_key(row['model'] or '')}", f"{row['min_models']}-{row['max_models']}"


_STEPS: tuple[Callable[[Merge], None], ...] = (
    _datasheet,
    _model_profiles,
    _weapons,
    _keywords,
    _abilities,
    _simple_list("composition", "core.composition", _make_composition, _composition_entry),
    _equipment,
    _simple_list("wargear_option", "core.wargear_option", _make_option, lambda row: None),
)

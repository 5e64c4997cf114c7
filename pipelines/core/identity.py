"""Which rows of different sources speak of the same datasheet.

Belongs here: keys. Two names meet when they differ only in accents, case, hyphens, apostrophes or blanks, or by a
reviewed alias. Close names are suggested, never accepted by themselves. Combat Patrol sheets live under their patrol,
so they never mix with the full game's sheet of the same name.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process

from pipelines.core.precedence import Source, fact_rank
from pipelines.factions import canonical_faction, faction_slug
from pipelines.sources.records import Row
from pipelines.sources.text import name_key, normalise, slug

Key = tuple[bool, str, str]  # is_combat_patrol, slug of faction or patrol, name key
SUGGESTION_SCORE = 85.0
# Kinds that list the same name once for each book that prints it.
_LISTS_OF_BOOKS = ("wahapedia_csv", "game_datacards")
# A kind that has only the name of a book takes one that is no faction it knows for a Combat Patrol.
_GUESSES_PATROLS = "profiles_csv"


@dataclass
class Member:
    """A datasheet as one source states it."""

    source: Source
    row: Row
    faction: str | None  # canonical where known


@dataclass
class Entity:
    """One datasheet with everything that speaks of it, best source first."""

    datasheet_id: str
    key: Key
    members: list[Member] = field(default_factory=list)

    @property
    def best(self) -> Member:
        """The member whose statement wins where nothing else decides."""
        return self.members[0]


@dataclass
class Identities:
    """All datasheets, and look-ups from (source, sheet) and from names."""

    entities: list[Entity]
    by_sheet: dict[tuple[str, str], Entity]  # (file_id, sheet)
    by_key: dict[Key, list[Entity]]
    by_name: dict[str, list[Entity]]
    aliases: Mapping[tuple[str, str], str]

    def named(self, name: str, group: str, is_combat_patrol: bool = False, is_legends: bool = False) -> Entity | None:
        """The datasheet of that name in a faction or patrol; with two of a name, the one whose Legends flag agrees."""
        found = self.by_key.get((is_combat_patrol, group, _aliased_key(name, group, self.aliases)), [])
        return _prefer_legends(found, is_legends)

    def anywhere(self, name: str) -> Entity | None:
        """The one full-game datasheet of that name in any faction, None where there is none or more than one."""
        found = [entity for entity in self.by_name.get(name_key(name), []) if not entity.key[0]]
        return found[0] if len(found) == 1 else None


def _prefer_legends(found: list[Entity], is_legends: bool) -> Entity | None:
    agreeing = [entity for entity in found if bool(entity.best.row["is_legends"]) == is_legends]
    return (agreeing or found or [None])[0]  # type: ignore[list-item]


def _aliased_key(name: str, group: str, aliases: Mapping[tuple[str, str], str]) -> str:
    return name_key(aliases.get((group, name_key(name)), name))


def sheet_faction(source: Source, row: Row, faction_keywords: Iterable[str]) -> str | None:
    """The faction of a sheet: stated, else by its faction keywords, else by the file. Canonical where known."""
    for stated in (row["faction"], *faction_keywords, source.result.faction):
        if stated and canonical_faction(stated):
            return canonical_faction(stated)
    stated = row["faction"] or source.result.faction or next(iter(faction_keywords), None)
    return normalise(stated) if stated else None


def identify(sources: Iterable[Source], aliases: Mapping[tuple[str, str], str]) -> Identities:
    """Group the datasheet rows of all sources. `aliases` maps (group slug, name key) to the name that we keep."""
    grouped: dict[Key, list[Member]] = defaultdict(list)
    ranked = sorted(sources, key=fact_rank)
    factions, patrols = _stated_groups(ranked)
    for source in ranked:
        for row, faction, is_patrol, group in _grouped_rows(source):
            if source.file.kind == _GUESSES_PATROLS and group in factions and group not in patrols:
                is_patrol, faction = False, faction or factions[group]
            key = (is_patrol, group, _aliased_key(row["name"], group, aliases))
            grouped[key].append(Member(source, row, faction))
    identities = Identities([], {}, {}, defaultdict(list), aliases)
    taken: set[str] = set()
    for key in sorted(grouped):
        entities = _split_namesakes(key, grouped[key])
        for entity in entities:
            # A patrol may bear the name of a faction that is in no list of ours.
            entity.datasheet_id = _unused(entity.datasheet_id, taken, "combat-patrol" if key[0] else "other")
            taken.add(entity.datasheet_id)
        identities.by_key[key] = entities
        identities.by_name[key[2]].extend(entities)
        identities.entities.extend(entities)
        for entity in entities:
            for member in entity.members:
                identities.by_sheet[member.source.file.file_id, member.row["sheet"]] = entity
    return identities


def _grouped_rows(source: Source) -> Iterator[tuple[Row, str | None, bool, str]]:
    """Each sheet of a source with its faction, whether it is a Combat Patrol's, and the slug of the one or the other."""
    keywords = _faction_keywords(source)
    for row in source.result.rows("datasheet"):
        faction = sheet_faction(source, row, keywords.get(row["sheet"], ()))
        is_patrol = bool(row["is_combat_patrol"])
        group = slug(row["book"] or "") if is_patrol else faction_slug(faction or "unknown faction")
        yield row, faction, is_patrol, group


def _stated_groups(sources: Iterable[Source]) -> tuple[dict[str, str | None], set[str]]:
    """Factions (slug -> name) and patrols of the sources that know which is which."""
    factions: dict[str, str | None] = {}
    patrols: set[str] = set()
    for source in sources:
        if source.file.kind == _GUESSES_PATROLS:
            continue
        for _, faction, is_patrol, group in _grouped_rows(source):
            if is_patrol:
                patrols.add(group)
            else:
                factions.setdefault(group, faction)
    return factions, patrols


def _faction_keywords(source: Source) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for row in source.result.rows("keyword"):
        if row["is_faction"] and row["keyword"]:
            found[row["sheet"]].append(row["keyword"])
    return found


def _split_namesakes(key: Key, members: list[Member]) -> list[Entity]:
    """Sheets of one name in one faction are told apart by book, where an export lists several.

    The faction's own book keeps the plain id, Legends last; the others append `--<book slug>`. Members of other kinds join
    the sheet of their book, else the one with their Legends flag, else the first.
    """
    base = f"{key[1]}/{slug(members[0].row['name'])}"
    by_kind: dict[str, dict[str, Member]] = defaultdict(dict)
    for member in members:
        if member.source.file.kind in _LISTS_OF_BOOKS and not key[0]:
            by_kind[member.source.file.kind].setdefault(slug(member.row["book"] or ""), member)
    widest = max((by_kind[kind] for kind in _LISTS_OF_BOOKS if kind in by_kind), key=len, default={})
    if len(widest) <= 1:
        return [Entity(base, key, members)]
    ordered = sorted(widest.items(), key=lambda item: (bool(item[1].row["is_legends"]), item[0] != key[1]))
    ordered_members = [member for _, member in ordered]
    entities = [Entity(base, key, ordered_members[:1])]
    for member in ordered_members[1:]:
        name = f"{base}--{slug(member.row['book'] or 'other')}"
        entities.append(Entity(_unused(name, {entity.datasheet_id for entity in entities}), key, [member]))
    for member in members:
        if not any(member is kept for kept in ordered_members):
            _home_of(member, entities).members.append(member)
    for entity in entities:
        entity.members.sort(key=lambda member: fact_rank(member.source))
    return entities


def _home_of(member: Member, entities: list[Entity]) -> Entity:
    """Of several namesakes the one that this member means: its very book, then one that differs by an ending."""
    book = slug(member.row["book"] or "")
    books = [slug(entity.members[0].row["book"] or "") for entity in entities]
    if book in books:
        return entities[books.index(book)]
    for entity, other in zip(entities, books, strict=True):
        if book and other and (book.startswith(other) or other.startswith(book)):
            return entity
    return _prefer_legends(entities, bool(member.row["is_legends"])) or entities[0]


def _unused(wanted: str, taken: set[str], ending: str = "") -> str:
    if wanted in taken and ending:
        wanted = f"{wanted}--{ending}"
    candidate, number = wanted, 2
    while candidate in taken:
        candidate, number = f"{wanted}-{number}", number + 1
    return candidate


def suggest(name: str, group: str, identities: Identities) -> tuple[str, float] | None:
    """The closest datasheet name of a faction and its score (0-100): for a person to review, never taken by itself."""
    choices = {
        entity.datasheet_id: name_key(entity.best.row["name"])
        for key, entities in identities.by_key.items()
        if key[1] == group
        for entity in entities
    }
    best = process.extractOne(name_key(name), choices, scorer=fuzz.ratio, score_cutoff=SUGGESTION_SCORE)
    return (str(best[2]), round(float(best[1]), 1)) if best else None

"""Prices of several sources: the newest list into `core.unit_cost`, every points list into the history.

Belongs here: which datasheet a price belongs to, conditions that tell two prices of one size apart, conflicts of
price. Does not belong here: efficiency (`models.efficiency`).
"""

from collections import defaultdict
from dataclasses import dataclass

from pipelines.core.identity import Identities, suggest
from pipelines.core.precedence import Source, is_price_list, price_rank
from pipelines.core.sheets import Core, provenance
from pipelines.factions import faction_slug, is_part_of_larger_faction
from pipelines.sources.records import Row
from pipelines.sources.text import slug

Conditions = dict[tuple[str, int], str | None]


@dataclass(frozen=True)
class Price:
    """A price of a size as one source states it."""

    source: Source
    index: int
    row: Row
    datasheet_id: str


def prices(identities: Identities, sources: list[Source], core: Core) -> list[Price]:
    """Every price of every source with the datasheet it belongs to.

    A price of a points list whose name matches no datasheet keeps an id made of its faction and name, and the nearest
    name is suggested where datasheets are known.
    """
    found: list[Price] = []
    suggested: set[tuple[str, str]] = set()
    for source in sources:
        for index, row in enumerate(source.result.tables.get("unit_cost", [])):
            if row["sheet"] is not None:
                entity = identities.by_sheet.get((source.file.file_id, row["sheet"]))
                if entity:
                    found.append(Price(source, index, row, entity.datasheet_id))
                continue
            group = faction_slug(row["faction"] or source.result.faction or "unknown faction")
            entity = identities.named(row["name"], group, is_legends=bool(row["is_legends"]))
            datasheet_id = entity.datasheet_id if entity else f"{group}/{slug(row['name'])}"
            found.append(Price(source, index, row, datasheet_id))
            if entity is None and identities.entities and (group, row["name"]) not in suggested:
                suggested.add((group, row["name"]))
                _suggest(core, identities, source, group, row)
    return found


def _suggest(core: Core, identities: Identities, source: Source, group: str, row: Row) -> None:
    nearest = suggest(row["name"], group, identities)
    core.suggestions.append(
        {
            "file_id": source.file.file_id,
            "locator": row["locator"],
            "faction": group,
            "name": row["name"],
            "suggested_datasheet_id": nearest[0] if nearest else None,
            "score": nearest[1] if nearest else None,
        }
    )


def _conditions(every: list[Price]) -> Conditions:
    """The condition of each price by file and row, so that two prices of one size in one file stay two rows.

    The printed condition where there is one; where two lists of one file price the same size, the list is the
    condition; a price that one list prints once more with other points is a further printed price.
    """
    lists: dict[tuple[object, ...], set[object]] = defaultdict(set)
    for price in every:
        lists[price.source.file.file_id, price.datasheet_id, price.row["models"]].add(price.row["points"])
    seen: dict[tuple[object, ...], list[object]] = defaultdict(list)
    conditions: Conditions = {}
    for price in every:
        row, place = price.row, (price.source.file.file_id, price.datasheet_id, price.row["models"])
        condition = str(row["condition"]) if row["condition"] else None
        if condition is None and len(lists[place]) > 1 and row["faction"] and is_part_of_larger_faction(row["faction"]):
            condition = f"in {row['faction']}"
        printed = seen[(*place, condition)]
        if row["points"] not in printed:
            printed.append(row["points"])
        if (number := printed.index(row["points"])) > 0:
            condition = f"{condition}; printed price {number + 1}" if condition else f"printed price {number + 1}"
        conditions[price.source.file.file_id, price.index] = condition
    return conditions


def merge_prices(identities: Identities, sources: list[Source], core: Core) -> None:
    """Prices into `core.unit_cost` (newest list of each datasheet) and `core.points` (every list, for the history)."""
    known = {entity.datasheet_id for entity in identities.entities}
    every = prices(identities, sources, core)
    conditions = _conditions(every)
    by_sheet: dict[str, list[Price]] = defaultdict(list)
    for price in every:
        by_sheet[price.datasheet_id].append(price)
    for datasheet_id in sorted(by_sheet):
        ranked = sorted(by_sheet[datasheet_id], key=lambda price: (*price_rank(price.source), price.index))
        if datasheet_id in known:
            _keep_prices(datasheet_id, ranked, conditions, core)
        _history(datasheet_id, ranked, conditions, core)


def _cost_key(datasheet_id: str, row: Row, condition: str | None) -> str:
    parts = [datasheet_id, str(row["models"])]
    if condition:
        parts.append(slug(condition))
    return "/".join(parts)


def _keep_prices(datasheet_id: str, ranked: list[Price], conditions: Conditions, core: Core) -> None:
    kept_source = ranked[0].source
    kept: dict[str, Price] = {}
    for price in ranked:
        condition = conditions[price.source.file.file_id, price.index]
        key = _cost_key(datasheet_id, price.row, condition)
        file_id = price.source.file.file_id
        if price.source is not kept_source:
            core.fates[file_id, "unit_cost", price.index] = ("core.unit_cost", key)
            _compare_price(datasheet_id, key, price, kept, core)
            continue
        core.fates[file_id, "unit_cost", price.index] = ("core.unit_cost", key)
        if key in kept:
            continue
        kept[key] = price
        if condition and "printed price" in condition:
            core.conflict(
                datasheet_id,
                f"points[{key.removeprefix(datasheet_id + '/')}]",
                ranked[0].row["points"],
                kept_source,
                price.row["points"],
                price.source,
                "one list prices the size twice; both kept",
            )
        core.tables["core.unit_cost"].append(
            {
                "datasheet_id": datasheet_id,
                "models": price.row["models"],
                "points": price.row["points"],
                "condition": condition,
                "file_id": file_id,
                "version": price.source.result.version,
                **provenance(price.row),
            }
        )


def _compare_price(datasheet_id: str, key: str, price: Price, kept: dict[str, Price], core: Core) -> None:
    """A differing price is a conflict, except between points lists: an older list is history, not disagreement."""
    ours = kept.get(key)
    if ours is None or ours.row["points"] == price.row["points"]:
        return
    if (
        is_price_list(price.source)
        and is_price_list(ours.source)
        and price.source.result.version != ours.source.result.version
    ):
        return
    reason = f"newer prices ({ours.source.file.kind})"
    core.conflict(
        datasheet_id,
        f"points[{key.removeprefix(datasheet_id + '/')}]",
        ours.row["points"],
        ours.source,
        price.row["points"],
        price.source,
        reason,
    )


def _history(datasheet_id: str, ranked: list[Price], conditions: Conditions, core: Core) -> None:
    """One row per size, condition and version, from points lists only."""
    seen: set[tuple[object, ...]] = set()
    for price in ranked:
        if not is_price_list(price.source):
            continue
        condition = conditions[price.source.file.file_id, price.index]
        version = price.source.result.version or price.source.file.path
        place = (price.row["models"], condition, version)
        core.fates.setdefault(
            (price.source.file.file_id, "unit_cost", price.index), ("out.points_history", datasheet_id)
        )
        if place in seen:
            continue
        seen.add(place)
        core.tables["core.points"].append(
            {
                "datasheet_id": datasheet_id,
                "models": price.row["models"],
                "condition": condition,
                "version": version,
                "dated": price.source.result.dated,
                "points": price.row["points"],
                "printed_change": price.row["change"],
                "is_legends": bool(price.row["is_legends"]),
                "file_id": price.source.file.file_id,
                **provenance(price.row),
            }
        )

"""The price of each size through the versions of the points list.

Belongs here: the order of versions and the change from one to the next. Does not belong here: which price is current
(`prices`).
"""

from collections import defaultdict
from collections.abc import Iterable

from pipelines.core.precedence import version_key
from pipelines.sources.records import Row


def points_history(rows: Iterable[Row]) -> list[Row]:
    """`out.points_history`: a row per datasheet, size, condition and version, with the change since the version before.

    Versions are ordered by number, then by date. The first price of a size has no change.
    """
    series: dict[tuple[object, ...], list[Row]] = defaultdict(list)
    for row in rows:
        series[row["datasheet_id"], row["models"], row["condition"]].append(row)
    history: list[Row] = []
    for prices in series.values():
        before: int | None = None
        for row in sorted(prices, key=lambda r: (version_key(r["version"]), r["dated"] or "", str(r["version"]))):
            history.append(
                {
                    "datasheet_id": row["datasheet_id"],
                    "models": row["models"],
                    "condition": row["condition"],
                    "version": row["version"],
                    "dated": row["dated"],
                    "points": row["points"],
                    "change": None if before is None else row["points"] - before,
                    "file_id": row["file_id"],
                }
            )
            before = row["points"]
    return history

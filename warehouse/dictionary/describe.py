"""The dictionary for readers: rows of `meta.table` and `meta.column`, and nearest names.

Belongs here: the dictionary as data. Does not belong here: how a terminal or a page shows it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd
from rapidfuzz import fuzz

from warehouse.dictionary.ddl import SQL_TYPES
from warehouse.dictionary.model import Table


def table_rows(tables: Iterable[Table], counts: Mapping[str, int] | None = None) -> pd.DataFrame:
    """Rows of `meta.table`; `counts` are the rows of each table in this build."""
    return pd.DataFrame([_table_row(table, (counts or {}).get(table.full_name)) for table in tables])


def column_rows(tables: Iterable[Table]) -> pd.DataFrame:
    """Rows of `meta.column`, in the order of the dictionary."""
    return pd.DataFrame(
        [
            {
                "table_name": table.full_name,
                "column_name": field.name,
                "position": position,
                "data_type": SQL_TYPES[field.type],
                "unit": field.unit,
                "description": field.description,
                "is_key": field.name in table.key,
                "is_required": field.required,
                "allowed": field.allowed,
            }
            for table in tables
            for position, field in enumerate(table.fields, 1)
        ]
    )


def nearest(name: str, known: Iterable[str], limit: int = 5) -> list[str]:
    """The known names most like `name`, best first; none where nothing is like it.

    Both the whole name and its last part count, so that `weapons` finds `core.weapon_profile`.
    """
    wanted = name.lower().strip().strip('"')
    scored = ((_likeness(wanted, candidate.lower()), candidate) for candidate in known)
    found = sorted((-score, candidate) for score, candidate in scored if score >= 60)
    return [candidate for _, candidate in found[:limit]]


def _likeness(wanted: str, candidate: str) -> float:
    """0 to 100; a last part that holds the wanted one, or the other way round, counts as 75 at least."""
    last, other = wanted.rsplit(".", 1)[-1], candidate.rsplit(".", 1)[-1]
    score = max(fuzz.ratio(wanted, candidate), fuzz.ratio(last, other))
    stem = last.removesuffix("s")
    return max(score, 75) if len(stem) >= 4 and (stem in other or other in last) else score


def _table_row(table: Table, count: int | None) -> dict[str, Any]:
    return {
        "table_name": table.full_name,
        "grain": table.sentence,
        "key_columns": list(table.key),
        "sources": list(table.sources),
        "warnings": list(table.warnings),
        "is_view": table.is_view,
        "row_count": count,
    }

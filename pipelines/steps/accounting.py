"""Checks across the tables of a build that no single table can hold: every line accounted for, nothing shrunk away.

Belongs here: sentences about what is wrong, or None. Does not belong here: constraints of one table (the dictionary)
and SQL checks of the assembled database (`warehouse/sql/checks`).
"""

import pandas as pd

from pipelines.steps import read
from pipelines.steps.workspace import Workspace


def every_line_accounted_for(workspace: Workspace) -> str | None:
    """Each line of each text file has one disposition: lines claimed are the lines in the file."""
    lines = workspace.read("raw.line")
    claimed = lines.groupby("file_id")["line_no"].agg(["count", "min", "max"]) if len(lines) else pd.DataFrame()
    for source in read.load_sources(workspace):
        if source.file.kind not in ("text_dump", "munitorum_text"):
            continue
        expected = len(source.result.lines)
        if expected == 0:
            if source.result.tables:
                return f"{source.file.path}: rows but no line is accounted for"
            continue
        found = claimed.loc[source.file.file_id]
        if (found["count"], found["min"], found["max"]) != (expected, 1, expected):
            return f"{source.file.path}: {found['count']} of {expected} lines accounted for"
    return None


def every_weapon_row_has_a_sheet(workspace: Workspace) -> str | None:
    """Each weapon, keyword, ability and price belongs to a datasheet of this build."""
    known = set(workspace.read("core.datasheet")["datasheet_id"])
    for table in ("core.weapon_profile", "core.keyword", "core.ability", "core.unit_cost", "core.model_profile"):
        strangers = set(workspace.read(table)["datasheet_id"]) - known
        if strangers:
            return f"{table}: {len(strangers)} rows name no datasheet, such as {sorted(strangers)[0]}"
    return None


def some_fact_was_read(workspace: Workspace) -> str | None:
    """At least one datasheet or price was read: an empty warehouse is never published over a full one."""
    if workspace.row_count("core.datasheet") or workspace.row_count("out.points_history"):
        return None
    return "no file gave a datasheet or a price; look at raw.quarantine for the reasons"

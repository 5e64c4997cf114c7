"""Checks across the tables of a build that no single table can hold: every line accounted for, nothing shrunk away.

Belongs here: sentences about what is wrong, or None. Does not belong here: constraints of one table (the dictionary)
and SQL checks of the assembled database (`warehouse/sql/checks`).
"""

from pipelines.steps.workspace import Workspace


def every_line_accounted_for(workspace: Workspace) -> str | None:
    """Each line of each text file has one disposition: lines claimed are the lines in the file."""
    lines = workspace.read("raw.line")
    claimed = lines.groupby("file_id")["line_no"].agg(["count", "nunique", "min", "max"])
    figures = {str(row[0]): tuple(row[1:]) for row in claimed.itertuples()}
    files = workspace.read("raw.file").drop_duplicates("file_id")
    for file in files[files["lines"].notna()].itertuples():
        found = figures.get(str(file.file_id), (0, 0, 0, 0))
        if found != (file.lines, file.lines, 1, file.lines):
            return f"{file.path}: {found[1]} of {file.lines} lines accounted for"
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

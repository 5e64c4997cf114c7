"""The published warehouse into the static site.

Belongs here: building the site aside and swapping it in. Does not belong here: pages and charts (`reports`).
"""

import shutil

from reports.site import write_site

from pipelines.steps.workspace import Workspace, code_hash, fingerprint
from warehouse.read import open_published
from warehouse.swap import swap_folder

STEP = "site"


def build_site(workspace: Workspace) -> int:
    """Write every page of the site, aside and then in one swap. Returns the number of pages."""
    with open_published(workspace.paths.database) as connection:
        build_id = str(connection.execute("SELECT build_id FROM meta.build").fetchone()[0])
        mark = fingerprint(build_id, code_hash("reports", "pipelines/steps/site.py"))
        if workspace.is_current(STEP, mark) and (workspace.paths.site / "index.html").exists():
            workspace.progress("site unchanged")
            return int(workspace.facts(STEP)["pages"])
        workspace.forget(STEP)
        aside = workspace.cache / "site"
        shutil.rmtree(aside, ignore_errors=True)
        pages = write_site(connection, aside, workspace.progress)
    swap_folder(aside, workspace.paths.site)
    workspace.finished(STEP, mark, (), pages=pages)
    return pages

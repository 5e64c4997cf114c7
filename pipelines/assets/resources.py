"""The one resource of the assets: where raw files are and where the build goes.

Belongs here: configuration of a run. Does not belong here: a database connection, since only the last step opens one.
"""

import os
from pathlib import Path

import dagster as dg

from pipelines.steps.workspace import Workspace
from warehouse.paths import Paths, raw_folders


class BuildResource(dg.ConfigurableResource):
    """Raw folders (joined like PATH; empty: HAMMERHOUSE_RAW or `raw/`) and output folder (empty: HAMMERHOUSE_OUT or the
    checkout)."""

    raw: str = ""
    out: str = ""

    def workspace(self, context: dg.AssetExecutionContext) -> Workspace:
        """The workspace of this run; its progress goes to the run's log."""
        named = [Path(part) for part in self.raw.split(os.pathsep) if part]
        out = Path(self.out) if self.out else None
        return Workspace(tuple(raw_folders(named)), Paths.resolve(out), context.log.info)

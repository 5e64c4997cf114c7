"""The job `publish` with a process for each step, in a module of its own so that those processes can load it.

Belongs here: the job alone. Folders come from HAMMERHOUSE_RAW and HAMMERHOUSE_OUT.
"""

import dagster as dg

from pipelines.assets.layers import assets
from pipelines.assets.resources import BuildResource


def publish_apart() -> dg.JobDefinition:
    """All assets, two steps at most at a time, forked from one process that has loaded the program."""
    fork = {"start_method": {"forkserver": {"preload_modules": ["pipelines.definitions"]}}, "max_concurrent": 2}
    job = dg.define_asset_job(
        "publish_apart",
        selection=dg.AssetSelection.all(),
        executor_def=dg.multiprocess_executor.configured(fork),
    )
    definitions = dg.Definitions(assets=list(assets()), jobs=[job], resources={"build": BuildResource()})
    return definitions.resolve_job_def("publish_apart")

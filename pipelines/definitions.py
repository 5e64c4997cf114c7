"""Dagster assembly: assets, job, schedule, sensor, resource. `dagster dev` in the checkout shows it with no setup.

Belongs here: putting together. Does not belong here: anything else.
"""

from collections.abc import Mapping
from typing import Any

import dagster as dg

from pipelines.assets.layers import assets
from pipelines.assets.resources import BuildResource
from pipelines.assets.sensors import raw_folder_sensor

publish = dg.define_asset_job(
    "publish",
    selection=dg.AssetSelection.all(),
    description="The main job: raw files to a published warehouse and site.",
    # One process: assets exchange files, but starting a process for each costs more than the work in it.
    executor_def=dg.in_process_executor,
)

daily = dg.ScheduleDefinition(
    name="daily",
    job=publish,
    cron_schedule="15 4 * * *",
    execution_timezone="UTC",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Every night; a run with nothing changed only looks at hashes.",
)


def build_defs(
    resources: Mapping[str, Any] | None = None, loggers: Mapping[str, dg.LoggerDefinition] | None = None
) -> dg.Definitions:
    """All definitions; tests and the command line pass their own resources and loggers instead of patching."""
    return dg.Definitions(
        assets=list(assets()),
        jobs=[publish],
        schedules=[daily],
        sensors=[raw_folder_sensor(publish)],
        resources=dict(resources or {"build": BuildResource()}),
        executor=dg.in_process_executor,
        loggers=dict(loggers) if loggers else None,
    )


defs = build_defs()

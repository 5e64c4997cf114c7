"""The sensor that starts a build when the raw folder has changed.

Belongs here: when a run is asked for. Does not belong here: what it does. It looks at names, sizes and times only;
hashes are the run's own business.
"""

import hashlib
import os
from pathlib import Path
from typing import Any

import dagster as dg

from warehouse.paths import raw_folders


def _state() -> str:
    """A hash of names, sizes and times below the raw folders."""
    digest = hashlib.sha256()
    for folder in raw_folders():
        for parent, folders, files in os.walk(folder):
            folders.sort()
            for name in sorted(files):
                path = Path(parent, name)
                try:
                    stat = path.lstat()
                except OSError:
                    continue
                digest.update(f"{path}|{stat.st_size}|{stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def raw_folder_sensor(job: Any) -> dg.SensorDefinition:
    """A sensor that asks for one run of `job` per state of the raw folders."""

    @dg.sensor(
        name="raw_folder_changed",
        job=job,
        minimum_interval_seconds=60,
        default_status=dg.DefaultSensorStatus.STOPPED,
        description="Starts a build when a raw file is added, changed or removed. Off until it is switched on.",
    )
    def sensor(context: dg.SensorEvaluationContext) -> dg.RunRequest | dg.SkipReason:
        state = _state()
        if state == context.cursor:
            return dg.SkipReason("the raw folders are as they were")
        context.update_cursor(state)
        return dg.RunRequest(run_key=state)

    return sensor

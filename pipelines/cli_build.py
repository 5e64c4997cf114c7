"""`hammerhouse build`: the job `publish` in this process, with progress and one table at the end.

Belongs here: running the job, what the user sees of it, exit codes. Does not belong here: the job
(`pipelines.definitions`).
"""

import logging
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table as RichTable

from pipelines.steps import effects
from pipelines.steps.workspace import Workspace
from warehouse.paths import Paths, raw_folders
from warehouse.read import open_published
from warehouse.swap import AlreadyBuilding, OutputError, build_lock

console = Console(stderr=True)

# Errors of the user's input, not of the program: shown as they are, without a traceback.
_USAGE_ERRORS = {"RawFolderError"}
_OWN_ERRORS = {"CorrectionError", "ContractError", "CheckFailed", "AlreadyBuilding"}
_STOPPED = {"DagsterExecutionInterruptedError", "KeyboardInterrupt"}


class _Progress(logging.Handler):
    """Shows the steps' own messages and keeps errors for the end."""

    def __init__(self, progress: Progress) -> None:
        super().__init__(logging.INFO)
        self._progress = progress
        self._task = progress.add_task("starting", total=None)

    def emit(self, record: logging.LogRecord) -> None:
        message = getattr(record, "dagster_meta", {}).get("orig_message") or record.getMessage()
        if record.levelno == logging.INFO:
            self._progress.update(self._task, description=message)
            if not self._progress.console.is_terminal:
                self._progress.console.print(f"  {message}", markup=False, highlight=False)


def run_build(raw: Sequence[Path], out: Path | None) -> int:
    """Run the main job. Returns the exit code: 0 published, 1 a check failed, 2 wrong usage."""
    started = time.monotonic()
    paths = Paths.resolve(out)
    folders = raw_folders(raw)
    for folder in folders:
        if not folder.is_dir():
            console.print("[red]error:[/] ", end="")
            console.print(
                f"the raw folder {folder} does not exist; give --raw a folder with dumps",
                markup=False,
                highlight=False,
                soft_wrap=True,
            )
            return 2
    try:
        with build_lock(paths):
            failure = _run_job(folders, paths, out)
    except AlreadyBuilding as error:
        console.print("[red]error:[/] ", end="")
        console.print(str(error), markup=False, highlight=False, soft_wrap=True)
        return 1
    except OutputError as error:
        console.print("[red]error:[/] ", end="")
        console.print(str(error), markup=False, highlight=False, soft_wrap=True)
        return 2
    if failure:
        kind, message = failure
        console.print("[red]error:[/] ", end="")
        console.print(message, markup=False, highlight=False, soft_wrap=True)
        if kind in _USAGE_ERRORS:
            return 2
        console.print("Nothing was published: the last published warehouse and site are as they were.")
        return 1
    _summary(Workspace(tuple(folders), paths), time.monotonic() - started)
    return 0


def _run_job(folders: Sequence[Path], paths: Paths, out: Path | None) -> tuple[str, str] | None:
    """Run the job `publish`; the kind and message of its failure, or None."""
    os.environ.setdefault("DAGSTER_DISABLE_TELEMETRY", "1")
    import dagster as dg

    from pipelines.assets.resources import BuildResource
    from pipelines.definitions import build_defs

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        handler = _Progress(progress)

        @dg.logger(description="The steps' own messages on the terminal")
        def console_logger(_: dg.InitLoggerContext) -> logging.Logger:
            logger = logging.Logger("hammerhouse", logging.INFO)
            logger.addHandler(handler)
            return logger

        resource = BuildResource(
            raw=os.pathsep.join(str(folder) for folder in folders), out=str(out.absolute()) if out else ""
        )
        definitions = build_defs({"build": resource}, {"console": console_logger})
        job = definitions.resolve_job_def("publish")
        with dg.DagsterInstance.ephemeral() as instance:
            result = job.execute_in_process(
                instance=instance, raise_on_error=False, run_config={"loggers": {"console": {}}}
            )
    return None if result.success else _failure(result)


def _failure(result: Any) -> tuple[str, str]:
    """The first cause of a failed run: a failed check with its sentence, or the error that was raised."""
    for check in result.get_asset_check_evaluations():
        if not check.passed:
            table = ".".join(check.asset_key.path)
            return "CheckFailed", f"check {check.check_name} of {table} failed: {check.description}"
    for event in result.all_events:
        if event.is_step_failure and event.step_failure_data.error:
            error = event.step_failure_data.error
            # What Dagster wraps is unwrapped; what lies behind an error of ours says less than the error itself.
            while error.cause is not None and error.cls_name not in _OWN_ERRORS | _USAGE_ERRORS:
                error = error.cause
            return str(error.cls_name), _message(event.step_key, error.cls_name, error.message)
    return "Failure", "the job failed; run `dagster dev` and look at the run"


def _message(step: str, kind: str, message: str) -> str:
    """What a user should read of an error: ours as they are, others with their kind and place."""
    said = message.split(": ", 1)[-1].strip()
    if kind in _STOPPED:
        return f"stopped from outside during {step}; what was done so far is kept for the next build"
    if kind in _USAGE_ERRORS or kind in _OWN_ERRORS:
        return said
    return f"{step} failed with {kind}: {said} (run `dagster dev` for the whole trace)"


def _summary(workspace: Workspace, seconds: float) -> None:
    """One table at the end: what was read, what was made, what to look at."""
    table = RichTable(title="hammerhouse build", show_header=False, title_justify="left")
    table.add_column(style="bold")
    table.add_column()
    for name, value in _figures(workspace):
        table.add_row(name, value)
    table.add_row("seconds", f"{seconds:.1f}")
    table.add_row("warehouse", str(workspace.paths.database))
    table.add_row("site", str(workspace.paths.site / "index.html"))
    Console().print(table)


def _figures(workspace: Workspace) -> list[tuple[str, str]]:
    statuses: dict[str, int] = workspace.facts(effects.STEP)["statuses"]
    files = workspace.read("raw.file")
    kinds = files.drop_duplicates("file_id")["kind"].value_counts().sort_index()
    quarantine = workspace.read("raw.quarantine")
    with open_published(workspace.paths.database) as connection:
        pairs = connection.execute("SELECT count(*) FROM out.weapon_matchup").fetchone()
        counts = connection.execute(
            "SELECT count(*) FILTER (passed), count(*) FILTER (NOT passed) FROM meta.check"
        ).fetchone()
    assert pairs is not None and counts is not None
    figures = [
        ("sources", f"{len(files)} ({', '.join(f'{n} {kind}' for kind, n in kinds.items())})"),
        ("datasheets", f"{workspace.row_count('core.datasheet'):,}"),
        ("weapons", f"{workspace.row_count('core.weapon_profile'):,}"),
        ("targets", f"{workspace.row_count('out.target'):,}"),
        ("pairs", f"{pairs[0]:,} (scenario x weapon x target)"),
        ("rule texts", ", ".join(f"{statuses.get(k, 0):,} {k.replace('_', ' ')}" for k in _STATUSES)),
        (
            "quarantined",
            f"{len(quarantine):,} pieces" + (' (hammerhouse query "from raw.quarantine")' if len(quarantine) else ""),
        ),
        ("conflicts", f"{workspace.row_count('core.conflict'):,}"),
        ("checks", f"{counts[0]} passed, {counts[1]} warnings"),
    ]
    return figures


_STATUSES = ("read", "not_attack", "not_understood")

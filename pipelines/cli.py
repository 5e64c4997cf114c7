"""The `hammerhouse` program.

Belongs here: commands, their options, messages and exit codes. Does not belong here: any work. Exit codes: 0 done,
1 a blocking check failed or a query failed, 2 wrong usage or a raw folder that holds nothing to read.
"""

import os
from pathlib import Path
from typing import Annotated

import typer

from pipelines.cli_matchup import matchup_command, resolve_command
from pipelines.cli_queries import describe, diff, doctor, query, serve

app = typer.Typer(
    name="hammerhouse",
    help="Datasheet dumps in; a DuckDB warehouse, exact matchups and a static site out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
    rich_markup_mode="rich",
)


@app.command(
    epilog="Examples:  hammerhouse build   |   hammerhouse build --raw dumps --raw raw/profiles --out /tmp/game"
)
def build(
    raw: Annotated[
        list[Path] | None,
        typer.Option(
            "--raw",
            help="Folder with raw files, searched recursively; may be given more than once. "
            "Default: HAMMERHOUSE_RAW, or raw/ of this checkout.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="Folder for the database, Parquet and site; default: HAMMERHOUSE_OUT, or this checkout.",
        ),
    ] = None,
) -> None:
    """Read every raw file, build and check the warehouse, publish it and the site."""
    # Readers, grammar and Dagster cost seconds to load, which no other command should wait for.
    from pipelines.cli_build import run_build

    raise typer.Exit(run_build(raw or [], out))


app.command("query")(query)
app.command("matchup")(matchup_command)
app.command("resolve")(resolve_command)
app.command("diff")(diff)
app.command("describe")(describe)
app.command("doctor")(doctor)
app.command("serve")(serve)


def main() -> None:
    """Entry point of the program."""
    # Dagster keeps files of its runs in a home of its own; a build needs none.
    os.environ.setdefault("DAGSTER_DISABLE_TELEMETRY", "1")
    app()


if __name__ == "__main__":
    main()

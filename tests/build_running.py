"""The program as a user runs it, and looks at what it published.

Belongs here: starting `hammerhouse` in a process of its own, hashes and rows of a finished build. Does not belong here:
fixtures, and what a build must hold.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from warehouse.read import open_published

Row = tuple[object, ...]
ROOT = Path(__file__).parents[1]
PROGRAM = Path(sys.executable).with_name("hammerhouse")


def start(*args: object, env: Mapping[str, str] | None = None) -> "subprocess.Popen[str]":
    """Start the installed program; its standard output and error are kept apart."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("HAMMERHOUSE_", "DAGSTER_"))}
    return subprocess.Popen(
        [str(PROGRAM), *map(str, args)],
        cwd=ROOT,
        env=inherited | {"COLUMNS": "160"} | dict(env or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


@dataclass(frozen=True)
class Built:
    """A finished build: where it is and what the program said."""

    raw: Path
    out: Path
    code: int
    stdout: str
    stderr: str

    @property
    def database(self) -> Path:
        return self.out / "hammerhouse.duckdb"


def published_files(out: Path) -> dict[str, str]:
    """Hash of every published file below an output folder, by its path."""
    places = [out / "hammerhouse.duckdb", *sorted((out / "parquet").rglob("*")), *sorted((out / "site").rglob("*"))]
    return {
        path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in places
        if path.is_file()
    }


def rows(database: Path, sql: str, *values: object) -> list[Row]:
    """All rows of a query on a published database."""
    with open_published(database) as connection:
        return connection.execute(sql, list(values)).fetchall()


def value(database: Path, sql: str, *values: object) -> object:
    """The first value of a query's first row."""
    return rows(database, sql, *values)[0][0]

"""The commands query, describe, diff, doctor and serve, run as a user runs them, on a published sample."""

import contextlib
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
import typer
from typer.testing import CliRunner, Result
from warehouse_sample import WARDEN, sample, write_sample

from pipelines.cli_queries import describe, diff, doctor, query, serve
from warehouse.paths import Paths
from warehouse.publish import publish
from warehouse.storage import write_table
from warehouse.swap import build_lock

ROOT = Path(__file__).parents[2]
PROGRAM = (
    "import typer; from pipelines.cli_queries import *; import pipelines.cli_queries as c; app = typer.Typer(); "
    "[app.command(n)(getattr(c, n)) for n in ('query', 'describe', 'diff', 'doctor', 'serve')]; app()"
)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An output folder in which two builds were published: the sample, and one in which a price fell."""
    root = tmp_path_factory.mktemp("commands")
    paths = Paths.resolve(root / "out")
    folder = write_sample(root / "tables")
    publish(folder, paths)
    costs = sample()["core.unit_cost"]
    costs[0]["points"] = 90
    write_table(folder, "core.unit_cost", pd.DataFrame(costs))
    site = root / "site"
    site.mkdir()
    (site / "index.html").write_text("<h1>home</h1>")
    publish(folder, paths, site=site)
    return root / "out"


def hammerhouse(*args: object, out: Path | None = None, stdin: str | None = None) -> Result:
    """Run a command in this process."""
    app = typer.Typer()
    for command in (query, describe, diff, doctor, serve):
        app.command(command.__name__)(command)
    environ = {"HAMMERHOUSE_OUT": str(out) if out else "", "COLUMNS": "200"}
    return CliRunner().invoke(app, [str(arg) for arg in args], input=stdin, env=environ)


def program(*args: object, out: Path, **options: object) -> subprocess.Popen[str]:
    """Start a command as a process of its own."""
    environ = {**os.environ, "HAMMERHOUSE_OUT": str(out), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-c", PROGRAM, *map(str, args)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=ROOT, env=environ, **{**pipes, **options})  # type: ignore[call-overload]


# --- query


def test_query_in_every_format(out: Path, tmp_path: Path) -> None:
    sql = "SELECT name, is_legends, role FROM core.datasheet ORDER BY datasheet_id LIMIT 1"
    assert json.loads(hammerhouse("query", sql, "--format", "json", out=out).stdout) == [
        {"name": "Moss Brute", "is_legends": False, "role": None}
    ]
    assert hammerhouse("query", sql, "--format", "csv", out=out).stdout == "name,is_legends,role\nMoss Brute,false,\n"
    assert (
        hammerhouse("query", sql, "--format", "markdown", out=out).stdout.splitlines()[-1]
        == "| Moss Brute | false |  |"
    )
    assert hammerhouse("query", sql, out=out).stdout.splitlines()[2] == "Moss Brute  false"
    target = tmp_path / "rows.parquet"
    result = hammerhouse("query", sql, "--format", "parquet", "--output", target, out=out)
    assert (result.exit_code, result.output) == (0, "")
    assert pq.read_table(target).to_pylist() == [{"name": "Moss Brute", "is_legends": False, "role": None}]


def test_query_reads_sql_from_the_standard_input_and_writes_a_file(out: Path, tmp_path: Path) -> None:
    target = tmp_path / "rows.csv"
    result = hammerhouse("query", "-", "-f", "csv", "-o", target, out=out, stdin="SELECT 1 AS a,\n  NULL AS b;\n")
    assert (result.exit_code, target.read_text()) == (0, "a,b\n1,\n")
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]


def test_out_may_be_named_instead(out: Path) -> None:
    assert hammerhouse("query", "SELECT 1 AS a", "--out", out, "-f", "csv").stdout == "a\n1\n"


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("SELECT * FROM core.datashet",), 1, "Nearest names: core.datasheet"),
        (("SELEC 1",), 1, "syntax error"),
        (("SELECT (1000 - i)::UTINYINT FROM range(3000) r(i)", "-f", "csv"), 1, "out of range"),
        (("DROP TABLE core.datasheet",), 1, "read-only"),
        (("SELECT 1; SELECT 2",), 1, "one SELECT at a time"),
        (("SELECT 1", "--format", "xml"), 2, "'xml' is not one of"),
        (("SELECT 1", "--format", "parquet"), 2, "--output"),
        (("  ",), 2, "no SQL given"),
        ((), 2, "Missing argument"),
        (("SELECT 1", "-o", "/no/such/folder/file.csv"), 1, "cannot write"),
    ],
)
def test_query_exit_codes(out: Path, args: tuple[str, ...], code: int, words: str) -> None:
    result = hammerhouse("query", *args, out=out)
    assert result.exit_code == code
    assert words in result.stderr
    assert "Traceback" not in result.output


def test_a_query_that_fails_half_way_leaves_no_file(out: Path, tmp_path: Path) -> None:
    sql = "SELECT (200000 - i)::UTINYINT AS a FROM range(200000) r(i)"
    for kind in ("csv", "parquet"):
        assert hammerhouse("query", sql, "-f", kind, "-o", tmp_path / f"rows.{kind}", out=out).exit_code == 1
    assert list(tmp_path.iterdir()) == []


def test_query_without_a_warehouse(tmp_path: Path) -> None:
    result = hammerhouse("query", "SELECT 1", out=tmp_path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "run `hammerhouse build` first" in result.stderr


def test_query_works_while_a_build_holds_the_output(out: Path) -> None:
    with build_lock(Paths.resolve(out)):
        assert hammerhouse("query", "SELECT count(*) AS n FROM core.datasheet", "-f", "csv", out=out).stdout == "n\n3\n"


def test_a_large_result_is_streamed(out: Path) -> None:
    """The first rows of a result that would fill the memory come at once, and a reader may leave early."""
    sql = "SELECT i, repeat('x', 200) AS s FROM range(2000000000) r(i)"
    with program("query", sql, "-f", "csv", out=out) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == "i,s\n"
        rows = [process.stdout.readline() for _ in range(20_000)]
        assert rows[-1].startswith("19999,")
        status = Path(f"/proc/{process.pid}/status").read_text()
        peak = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert peak is not None and int(peak[1]) < 500_000
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()
    assert process.returncode == 0


# --- describe


def test_describe_lists_all_tables() -> None:
    rows = json.loads(hammerhouse("describe", "--format", "json").stdout)
    assert {row["table"] for row in rows} >= {"core.datasheet", "out.unit_matchup", "meta.column"}
    assert all(row["grain"].startswith("One row per") for row in rows)


def test_describe_one_table() -> None:
    text = hammerhouse("describe", "core.weapon_profile").stdout
    assert "One row per weapon profile of a datasheet." in text
    assert re.search(r"^range_in +BIGINT +inches", text, re.MULTILINE)
    assert hammerhouse("describe", "WEAPON_PROFILE").stdout == text
    rows = list(csv.DictReader(io.StringIO(hammerhouse("describe", "out.unit_matchup", "-f", "csv").stdout)))
    assert [row["column"] for row in rows if row["key"] == "true"] == [
        "scenario",
        "loadout_id",
        "attack_type",
        "target_id",
    ]


def test_describe_searches_words() -> None:
    rows = json.loads(hammerhouse("describe", "--search", "overkill", "-f", "json").stdout)
    assert {"overkill_share", "expected_wounds_lost"} <= {row["column"] for row in rows}


def test_describe_an_unknown_table() -> None:
    result = hammerhouse("describe", "core.wepon_profile")
    assert result.exit_code == 2
    assert "did you mean core.weapon_profile" in result.stderr
    assert "lists them" in hammerhouse("describe", "zzzz").stderr


# --- diff


def test_diff_compares_the_build_before_with_the_current_one(out: Path) -> None:
    result = hammerhouse("diff", "--section", "points", "-f", "json", out=out)
    assert json.loads(result.stdout) == [
        {"section": "points", "what": "changed", "entity": f"{WARDEN} | 5 | -", "attribute": "points", "old": "100",
         "new": "90", "change": -10.0}
    ]  # fmt: skip
    assert "changes: points 1" in result.stderr
    assert "| points | changed |" in hammerhouse("diff", "-f", "markdown", out=out).stdout


def test_diff_of_two_named_ones(out: Path, tmp_path: Path) -> None:
    copy = tmp_path / "hammerhouse.duckdb"
    shutil.copy(Paths.resolve(out).database, copy)
    for named in (copy, tmp_path):  # a file, or the folder of a build
        assert "changes: none" in hammerhouse("diff", named, Paths.resolve(out).database).stderr


def test_diff_refusals(out: Path, tmp_path: Path) -> None:
    assert "did you mean points" in hammerhouse("diff", "--section", "pionts", out=out).stderr
    assert hammerhouse("diff", "--section", "pionts", out=out).exit_code == 2
    assert hammerhouse("diff", tmp_path / "gone.duckdb", out=out).exit_code == 1
    shutil.copy(Paths.resolve(out).database, tmp_path / "hammerhouse.duckdb")
    assert "only one build has been published" in hammerhouse("diff", out=tmp_path).stderr
    assert hammerhouse("diff", out=tmp_path).exit_code == 1


# --- doctor and serve


def test_doctor(out: Path, tmp_path: Path) -> None:
    text = hammerhouse("doctor", "--raw", tmp_path / "gone", out=out)
    assert text.exit_code == 1 and "PROBLEM raw" in text.stdout
    assert re.search(r"^ok +published +build [0-9a-f]{16}", text.stdout, re.MULTILINE)
    (tmp_path / "note.txt").write_text("neither a dump nor anything else")
    assert "Traceback" not in hammerhouse("doctor", "--raw", tmp_path, out=out).output


@contextlib.contextmanager
def _served(out: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with program("serve", "--port", 0, out=out) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().split()[0]
        finally:
            process.terminate()


def test_serve(out: Path) -> None:
    with _served(out) as (_, address):
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=10) as answer:
            assert answer.read() == b"<h1>home</h1>"
        taken = hammerhouse("serve", "--port", address.rstrip("/").rsplit(":", 1)[1], out=out)
        assert taken.exit_code == 1 and "is taken; try `hammerhouse serve --port" in taken.stderr


def test_serve_without_a_site(tmp_path: Path) -> None:
    result = hammerhouse("serve", out=tmp_path)
    assert result.exit_code == 1 and "run `hammerhouse build` first" in result.stderr
    assert hammerhouse("serve", "--port", "99999", out=tmp_path).exit_code == 2

"""Results as table, CSV, JSON, Markdown and Parquet."""

import csv
import io
import json
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from warehouse.formats import WRITERS, Listed, Result, write, write_parquet
from warehouse.read import run_arrow

MIXED = """
SELECT * FROM (VALUES
    (1, 'plain', 0.1::FLOAT, 0.1::DOUBLE, true, '{"b": [1, 2]}'::JSON, [0.5, 0.25]::FLOAT[], DATE '2026-01-02', 1.50::DECIMAL(5, 2)),
    (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (3, 'a|b "c", d' || chr(10) || 'é', 1e10::FLOAT, 1/0, false, '[]'::JSON, []::FLOAT[], DATE '1999-12-31', 2.00::DECIMAL(5, 2))
) AS t(i, s, f, d, b, j, l, day, n)
"""


def text(kind: str, sql: str) -> str:
    with duckdb.connect(":memory:") as connection:
        out = io.StringIO()
        write(Result(connection.execute(sql)), kind, out)
        return out.getvalue()


def test_csv_reads_back_and_null_is_empty() -> None:
    rows = list(csv.reader(io.StringIO(text("csv", MIXED))))
    assert rows == [
        ["i", "s", "f", "d", "b", "j", "l", "day", "n"],
        ["1", "plain", "0.1", "0.1", "true", '{"b": [1, 2]}', "[0.5, 0.25]", "2026-01-02", "1.50"],
        [""] * 9,
        ["3", 'a|b "c", d\né', "1e+10", "inf", "false", "[]", "[]", "1999-12-31", "2.00"],
    ]


def test_json_is_json_with_nested_columns_and_no_infinity() -> None:
    parsed = json.loads(text("json", MIXED), parse_constant=lambda name: pytest.fail(name))
    assert parsed[0] == {
        "i": 1, "s": "plain", "f": 0.1, "d": 0.1, "b": True, "j": {"b": [1, 2]}, "l": [0.5, 0.25], "day": "2026-01-02",
        "n": 1.5,
    }  # fmt: skip
    assert set(parsed[1].values()) == {None}
    assert (parsed[2]["d"], parsed[2]["n"], parsed[2]["j"]) == (None, 2, [])


def test_markdown_keeps_one_line_a_row() -> None:
    lines = text("markdown", MIXED).splitlines()
    assert lines[1] == "| ---: | --- | ---: | ---: | --- | --- | --- | --- | ---: |"
    assert len(lines) == 5
    assert lines[4].startswith('| 3 | a\\|b "c", d<br>é | 1e+10 |')
    assert lines[3] == "|" + "  |" * 9


def test_table_aligns_and_counts() -> None:
    lines = text("table", "SELECT * FROM (VALUES (1, 'x'), (1000, NULL)) AS t(number, word)").splitlines()
    assert lines == ["number  word", "------  ----", "     1  x", "  1000", "(2 rows)"]
    assert text("table", "SELECT 1 AS a").endswith("(1 row)\n")


def test_a_long_table_is_whole_though_its_widths_come_from_the_first_rows() -> None:
    lines = text(
        "table", "SELECT i, CASE WHEN i = 2999 THEN 'longer than before' ELSE 'x' END AS s FROM range(3000) r(i)"
    )
    assert len(lines.splitlines()) == 3003
    assert "2999  longer than before" in lines


@pytest.mark.parametrize("kind", sorted(WRITERS))
def test_no_rows(kind: str) -> None:
    expected = {"csv": "a\n", "json": "[]\n", "markdown": "| a |\n| ---: |\n", "table": "a\n-\n(0 rows)\n"}
    assert text(kind, "SELECT 1 AS a WHERE false") == expected[kind]


@pytest.mark.parametrize("kind", ["csv", "json", "markdown", "table"])
def test_every_row_of_a_large_result_arrives(kind: str) -> None:
    with duckdb.connect(":memory:") as connection:
        out = io.StringIO()
        assert write(Result(connection.execute("SELECT i FROM range(12345) r(i)")), kind, out) == 12345
    assert "12344" in out.getvalue()


def test_parquet_keeps_types(tmp_path: Path) -> None:
    with duckdb.connect(":memory:") as connection:
        path = tmp_path / "rows.parquet"
        assert write_parquet(run_arrow(connection, MIXED), path) == 3
        assert (
            write_parquet(run_arrow(connection, "SELECT i FROM range(200000) r(i)"), tmp_path / "many.parquet")
            == 200_000
        )
    assert str(pq.read_schema(path).field("f").type) == "float"
    assert pq.read_table(path).column("i").to_pylist() == [1, None, 3]
    assert pq.read_metadata(tmp_path / "many.parquet").num_rows == 200_000


def test_rows_at_hand_right_align_numbers() -> None:
    out = io.StringIO()
    write(Listed(["name", "n"], [("a", 5), ("b", None)]), "table", out)
    assert out.getvalue() == "name  n\n----  -\na     5\nb\n(2 rows)\n"

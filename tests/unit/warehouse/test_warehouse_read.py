"""Reading what is published: nothing else is in reach, nothing can be changed, and errors say what to do."""

import struct
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from warehouse_sample import BRUTE, PATROL, WARDEN

from warehouse.paths import Paths
from warehouse.read import PublishedError, QueryError, explain, open_published, run, run_arrow


@pytest.fixture
def connection(published: Paths):
    with open_published(published.database) as opened:
        yield opened


READING = [
    "SELECT count(*) FROM core.datasheet",
    "FROM core.datasheet SELECT count(*);",
    "WITH a AS (SELECT 1) SELECT * FROM a -- a remark",
    "VALUES (1)",
    "DESCRIBE core.datasheet",
    "SHOW ALL TABLES",
    "SUMMARIZE core.unit_cost",
    "EXPLAIN SELECT * FROM out.unit_matchup",
    "PIVOT core.unit_cost ON models USING sum(points) GROUP BY datasheet_id",
    "SELECT * FROM duckdb_columns() WHERE comment IS NOT NULL",
]
WRITING = [
    "CREATE TABLE core.mine (a INT)",
    "CREATE TABLE memory.main.mine (a INT)",
    "INSERT INTO core.leader SELECT * FROM core.leader",
    "UPDATE core.datasheet SET name = 'x'",
    "DELETE FROM core.datasheet",
    "DROP TABLE core.datasheet",
    "ALTER TABLE core.datasheet ADD COLUMN a INT",
    "COMMENT ON TABLE core.datasheet IS 'x'",
    "COPY core.datasheet TO 'out.csv'",
    "EXPORT DATABASE 'folder'",
    "ATTACH 'other.duckdb'",
    "DETACH hammerhouse",
    "SET enable_external_access = true",
    "RESET lock_configuration",
    "INSTALL httpfs",
    "LOAD httpfs",
    "BEGIN",
    "CHECKPOINT",
    "PRAGMA force_checkpoint",
    "CALL pragma_version()",
    "VACUUM",
    "USE memory",
]
OUTSIDE = [
    "SELECT * FROM read_text('{file}')",
    "SELECT * FROM read_csv('{file}')",
    "SELECT * FROM '{file}'",
    "SELECT * FROM glob('{folder}/*')",
]


@pytest.mark.parametrize("sql", READING)
def test_reading_is_allowed(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    assert run(connection, sql).fetchall()


@pytest.mark.parametrize("sql", WRITING)
def test_writing_is_refused_by_name(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    with pytest.raises(QueryError, match=r"read-only: \w+ is not allowed"):
        run(connection, sql)
    with pytest.raises(QueryError, match=r"read-only: \w+ is not allowed"):
        run_arrow(connection, sql)


@pytest.mark.parametrize(
    "sql", ["PRAGMA enable_external_access = true", "CREATE TABLE core.mine (a INT)", "DELETE FROM core.datasheet",
            "SET enable_external_access = true", "COPY core.datasheet TO 'out.csv'", "ATTACH 'other.duckdb'"],
)  # fmt: skip
def test_the_connection_itself_refuses_too(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """The list of statements is a courtesy; the locks do not hang on it."""
    with pytest.raises(duckdb.Error):
        connection.execute(sql)


@pytest.mark.parametrize("sql", OUTSIDE)
def test_other_files_are_out_of_reach(connection: duckdb.DuckDBPyConnection, tmp_path: Path, sql: str) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\n1,2\n")
    with pytest.raises(QueryError, match="disabled by configuration"):
        run(connection, sql.format(file=secret, folder=tmp_path)).fetchall()


def test_one_statement_at_a_time(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(QueryError, match="2 statements given"):
        run(connection, "SELECT 1; SELECT 2")
    with pytest.raises(QueryError, match="no statement given"):
        run(connection, "-- nothing")


@pytest.mark.parametrize(
    ("sql", "near"),
    [
        ("SELECT * FROM core.datasheets", "core.datasheet"),
        ("SELECT * FROM core.wepon_profile", "core.weapon_profile"),
        ("SELECT * FROM cor.datasheet", "core.datasheet"),
        ("SELECT * FROM unit_matchup", "out.unit_matchup"),
        ("SELECT datasheet_name, toughnes FROM core.model_profile", "datasheet_id"),
        ("SELECT p.toughnes FROM core.model_profile AS p", "toughness"),
        ("SELECT expected_wound_lost FROM out.unit_matchup", "expected_wounds_lost"),
    ],
)
def test_unknown_names_get_the_nearest_and_their_place(
    connection: duckdb.DuckDBPyConnection, sql: str, near: str
) -> None:
    with pytest.raises(QueryError) as caught:
        run(connection, sql)
    message = str(caught.value)
    assert "LINE 1" in message and "^" in message
    names = message.rsplit("Nearest names: ", 1)[1].split(", ")
    assert near == names[0]


def test_a_slip_of_syntax_shows_its_place(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(QueryError, match=r"(?s)syntax error.*LINE 2.*\^"):
        run(connection, "SELECT 1\nFORM core.datasheet")


def test_a_message_without_names_is_left_alone() -> None:
    assert explain("Out of Range Error: x\n\n\ny") == "Out of Range Error: x\ny"


def test_nothing_published_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(PublishedError, match="run `hammerhouse build` first"):
        open_published(tmp_path / "hammerhouse.duckdb")


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "hammerhouse.duckdb"
    path.write_bytes(b"not a database at all" * 1000)
    with pytest.raises(PublishedError, match=r"cannot be opened: .*hammerhouse build"):
        open_published(path)


def test_a_file_of_another_version(published: Paths, tmp_path: Path) -> None:
    path = tmp_path / "hammerhouse.duckdb"
    data = bytearray(published.database.read_bytes())
    assert data[8:12] == b"DUCK"
    data[12:20] = (9999).to_bytes(
        8, "little"
    )  # the storage version, in the header of 4 KiB that begins with a checksum
    checksum = 5381
    for word in struct.unpack("<511Q", data[8:4096]):
        checksum ^= (word * 0xBF58476D1CE4E5B9) % 2**64
    data[:8] = checksum.to_bytes(8, "little")
    path.write_bytes(data)
    with pytest.raises(PublishedError, match=r"another version of DuckDB than .*Parquet"):
        open_published(path)


def test_a_file_that_another_program_writes_to(published: Paths, tmp_path: Path) -> None:
    path = tmp_path / "hammerhouse.duckdb"
    path.write_bytes(published.database.read_bytes())
    hold = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None and other.stdin is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(PublishedError, match="open for writing in another program"):
            open_published(path)
        other.stdin.close()
    with open_published(path) as opened:
        assert opened.execute("SELECT count(*) FROM core.datasheet").fetchall() == [(3,)]


# --- the cookbook

EXAMPLES = sorted((Path(__file__).parents[3] / "warehouse" / "sql" / "examples").glob("*.sql"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_answers(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    assert path.read_text().startswith("--")
    assert run(connection, path.read_text()).fetchall()


def _example(connection: duckdb.DuckDBPyConnection, name: str) -> list[dict]:
    result = run(connection, next(path for path in EXAMPLES if path.stem == name).read_text())
    names = [column[0] for column in result.description or []]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def test_the_most_efficient_weapons_are_against_the_exact_line(connection: duckdb.DuckDBPyConnection) -> None:
    found = _example(connection, "efficient_weapons")
    assert {(row["target"], row["toughness"], row["save"], row["wounds"]) for row in found} == {
        ("Moss Brute", 10, 3, 12)
    }
    # 0.25 wounds for 20 points are 1.25 for 100; one wound for 150 points is two thirds.
    assert [(row["rank"], row["weapon"], round(row["wounds_per_100_points"], 4)) for row in found] == [
        (1, "Bolt lance", 1.25),
        (2, "Root maul", 0.6667),
    ]


def test_without_the_exact_line_the_nearest_answers(loaded: duckdb.DuckDBPyConnection) -> None:
    loaded.execute("BEGIN")
    try:
        loaded.execute(f"DELETE FROM out.target WHERE datasheet_id IN ('{BRUTE}', '{PATROL}')")
        found = _example(loaded, "efficient_weapons")
    finally:
        loaded.execute("ROLLBACK")
    assert {(row["target"], row["wounds"]) for row in found} == {("Battle tank", 11)}


def test_provenance_leads_to_file_and_line(connection: duckdb.DuckDBPyConnection) -> None:
    found = {row["weapon_id"]: row for row in _example(connection, "provenance")}
    lance = found[f"{WARDEN}/bolt-lance"]
    assert (lance["path"], lance["line_no"], lance["dated"]) == ("pages/tin.txt", 2, "2025-11-14")
    assert found[f"{BRUTE}/root-maul"]["locator"] == "/datasheets/0"


def test_unread_rules_are_named_with_the_clause(connection: duckdb.DuckDBPyConnection) -> None:
    assert [(r["datasheet"], r["rule"], r["why"], r["clause"]) for r in _example(connection, "unread_rules")] == [
        ("Tin Warden", "Odd Hum", "not understood", "Hums oddly")
    ]


def test_a_result_larger_than_the_memory_may_spill(published: Paths) -> None:
    """Locked settings must not take away the folder for spilling."""
    with open_published(published.database) as opened:
        ((folder,),) = opened.execute("SELECT value FROM duckdb_settings() WHERE name = 'temp_directory'").fetchall()
    assert Path(folder).name.startswith("hammerhouse-spill-") and not Path(folder).exists()

"""From Parquet to a published warehouse: what a reader finds, and what keeps a build from being published."""

from pathlib import Path

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from warehouse_sample import BRUTE, DUMP_ID, PATROL, STARTED, WARDEN, given_tables, sample

from warehouse.checks import CheckFailed, CheckResult, check_coverage, check_database, check_files
from warehouse.dictionary import TABLES, ddl
from warehouse.paths import Paths
from warehouse.publish import MADE_HERE, assemble, build_id, input_hash, publish, put_in_place
from warehouse.read import open_published
from warehouse.storage import arrow_schema, table_path, write_table
from warehouse.swap import wal


def rows(paths: Paths, sql: str) -> list[tuple]:
    """All rows of a query on what is published."""
    with open_published(paths.database) as connection:
        return connection.execute(sql).fetchall()


def bytes_of(paths: Paths) -> dict[str, bytes]:
    """Every published file."""
    root = paths.database.parent
    published = [paths.database, *paths.parquet.rglob("*"), *paths.site.rglob("*")]
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in published if p.is_file()}


def rewrite(folder: Path, name: str, select: str) -> None:
    """Replace a table's file by a SELECT from `t`, as a step that goes wrong would: past the dictionary's own refusal."""
    path = table_path(folder, name)
    with duckdb.connect(":memory:") as connection:
        connection.register("t", pq.read_table(path))
        data = connection.sql(select).to_arrow_table()
    pq.write_table(data.cast(pa.schema(list(arrow_schema(TABLES[name])))), path)


def test_every_table_and_view_is_there_with_its_comments(published: Paths) -> None:
    tables = rows(published, "SELECT schema_name || '.' || table_name, comment FROM duckdb_tables()")
    views = rows(published, "SELECT schema_name || '.' || view_name, comment FROM duckdb_views() WHERE NOT internal")
    assert dict(tables + views) == {name: ddl.table_comment(table) for name, table in TABLES.items()}
    columns = rows(
        published,
        "SELECT schema_name || '.' || table_name, column_name, comment FROM duckdb_columns() "
        "WHERE database_name = 'hammerhouse' AND NOT internal",
    )
    expected = {(n, f.name): ddl.column_comment(f) for n, t in TABLES.items() for f in t.fields}
    assert {(table, column): comment for table, column, comment in columns} == expected


def test_constraints_survive(published: Paths) -> None:
    found = rows(
        published,
        "SELECT schema_name || '.' || table_name, count(*) FROM duckdb_constraints() "
        "WHERE constraint_type = 'PRIMARY KEY' GROUP BY ALL",
    )
    assert {name for name, _ in found} == {name for name, table in TABLES.items() if table.has_primary_key}
    kinds = dict(rows(published, "SELECT constraint_type, count(*) FROM duckdb_constraints() GROUP BY ALL"))
    assert kinds["NOT NULL"] > 150 and kinds["CHECK"] > 100


def test_rows_are_those_of_the_files(published: Paths) -> None:
    for name, expected in sample().items():
        assert rows(published, f"SELECT count(*) FROM {ddl.quoted(name)}") == [(len(expected),)]
    counted = dict(rows(published, "SELECT table_name, row_count FROM meta.table"))
    for name, table in TABLES.items():
        if table.in_parquet:
            assert rows(published, f"SELECT count(*) FROM {ddl.quoted(name)}") == [(counted[name],)], name
            assert pq.read_metadata(table_path(published.parquet, name)).num_rows == counted[name], name


def test_json_columns_can_be_asked(published: Paths) -> None:
    assert rows(published, "SELECT params->>'$.roll' FROM core.effect WHERE params IS NOT NULL") == [("hit",)]


def test_parquet_holds_the_dictionary_and_nothing_else(published: Paths) -> None:
    found = {f"{p.parent.name}.{p.stem}" for p in published.parquet.rglob("*") if p.is_file()}
    assert found == {name for name, table in TABLES.items() if table.in_parquet}
    assert "meta.timing" not in found and "out.weapon_matchup" not in found


def test_checks_are_rows_and_all_passed(published: Paths) -> None:
    names = {name for (name,) in rows(published, "SELECT DISTINCT check_name FROM meta.check")}
    assert names == {
        "columns", "not_null", "allowed_values", "finite", "reason", "unique_key", "reference", "every_line_claimed",
        "distribution", "within_target",
    }  # fmt: skip
    assert rows(published, "SELECT * FROM meta.check WHERE NOT passed") == []


def test_the_clock_is_kept_apart(published: Paths) -> None:
    ((started, seconds),) = rows(published, "SELECT started_at, seconds FROM meta.timing")
    assert started == STARTED.isoformat() and seconds > 0


def test_two_builds_give_the_same_parquet(published: Paths, parquet: Path, tmp_path: Path) -> None:
    again = Paths.resolve(tmp_path / "again")
    for _ in range(2):  # the second time there is an earlier build to compare with
        publish(parquet, again)
    one, two = bytes_of(published), bytes_of(again)
    assert one.keys() == two.keys()
    assert {name for name in one if one[name] != two[name]} == {"hammerhouse.duckdb"}


def test_the_build_id_hangs_on_input_program_and_libraries_alone() -> None:
    read = input_hash([("a", "1"), ("b", "2")])
    assert read == input_hash([("b", "2"), ("a", "1")]) != input_hash([("a", "2"), ("b", "1")])
    assert build_id(read, "1", {"x": "1"}) == build_id(read, "1", {"x": "1"})
    assert len({build_id(read, "1"), build_id(read, "2"), build_id("other", "1"), build_id(read, "1", {"x": "1"})}) == 4


# --- what stops a build. Each row: table, what becomes of it, the check, and words of its message

BROKEN_FILES = [
    ("core.leader", "SELECT * FROM t UNION ALL SELECT * FROM t", "unique_key", "is there 2 times"),
    ("core.keyword", "SELECT * FROM t UNION ALL SELECT * FROM t", "unique_key", "INFANTRY | False | None is there 2 times"),
    ("core.datasheet", "SELECT * REPLACE (NULL AS name) FROM t", "not_null", "name: 3 rows"),
    ("core.model_profile", "SELECT * REPLACE (77 AS save) FROM t", "allowed_values", "save: 2 rows"),
    ("core.weapon_profile", "SELECT * REPLACE (1 AS armour_penetration) FROM t", "allowed_values", "armour_penetration"),
    ("core.weapon_profile", "SELECT * REPLACE ('both' AS attack_type) FROM t", "allowed_values", "attack_type: 3 rows"),
    ("core.datasheet", "SELECT * REPLACE ('No Slug' AS datasheet_id) FROM t LIMIT 1", "allowed_values", "datasheet_id"),
    ("out.signature_matchup", "SELECT * REPLACE ('inf'::FLOAT AS expected_damage) FROM t", "finite", "expected_damage"),
    ("out.rule_lift", "SELECT * REPLACE ('nan'::DOUBLE AS lift_abs) FROM t", "finite", "lift_abs: 1 rows"),
    ("out.rule_lift", "SELECT * REPLACE (NULL AS lift_per_cp) FROM t", "reason", "lift_per_cp: 1 rows"),
    ("out.signature_matchup", "SELECT * REPLACE (1.5 AS p_destroyed) FROM t", "allowed_values", "p_destroyed: 6 rows"),
]  # fmt: skip
BROKEN_TOGETHER = [
    ("core.ability", "SELECT * REPLACE ('a/b' AS datasheet_id) FROM t", "reference", "core.datasheet has no a/b"),
    ("core.leader", "SELECT * REPLACE ('a/b' AS bodyguard_id) FROM t", "reference", "core.datasheet has no a/b"),
    ("out.target", "SELECT * REPLACE (target_sig + 1 AS target_sig) FROM t", "reference", "out.target_signature has no 3"),
    ("raw.line", "SELECT * FROM t WHERE line_no <> 2", "every_line_claimed", "3 lines claimed (1 to 4) of 4"),
    ("raw.line", "SELECT * FROM t WHERE false", "every_line_claimed", "0 lines claimed (None to None) of 4"),
    ("raw.line", "SELECT * REPLACE (line_no + 1 AS line_no) FROM t", "every_line_claimed", "(2 to 5) of 4"),
    ("raw.file", "SELECT * REPLACE (NULL AS lines) FROM t", "every_line_claimed", "of None"),
    ("out.loadout_matchup", "SELECT * REPLACE ([0.5, 0.25]::FLOAT[] AS models_slain_pmf) FROM t", "distribution", "sum 0.75"),
    ("out.loadout_matchup", "SELECT * REPLACE ([1.5, -0.5]::FLOAT[] AS models_slain_pmf) FROM t", "distribution", "sum 1.0"),
    ("out.loadout_matchup", "SELECT * REPLACE ([1, 0, 0]::FLOAT[] AS models_slain_pmf) FROM t", "distribution", "sum 1.0"),
    ("out.loadout_matchup", "SELECT * REPLACE ([]::FLOAT[] AS models_slain_pmf) FROM t", "distribution", "sum None"),
    ("out.loadout_matchup", "SELECT * REPLACE (99 AS expected_models_slain) FROM t", "within_target", "18 rows"),
    ("out.signature_matchup", "SELECT * REPLACE (expected_damage * 2 AS expected_wounds_lost) FROM t", "within_target", "rows"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "select", "check", "words"), BROKEN_FILES)
def test_a_file_that_breaks_the_dictionary_fails_its_check(
    parquet: Path, table: str, select: str, check: str, words: str
) -> None:
    assert all(result.passed for result in check_files(parquet, [TABLES[table]]))
    rewrite(parquet, table, select)
    failed = [result for result in check_files(parquet, [TABLES[table]]) if not result.passed]
    assert [result.check_name for result in failed] == [check]
    assert words in str(failed[0].message) and failed[0].severity == "blocking"


@pytest.mark.parametrize(("table", "select", "check", "words"), BROKEN_TOGETHER)
def test_tables_that_do_not_fit_together_fail_their_check(
    loaded: duckdb.DuckDBPyConnection, table: str, select: str, check: str, words: str
) -> None:
    name = ddl.quoted(table)
    loaded.execute("BEGIN")
    try:
        loaded.execute(f"CREATE TEMP TABLE t AS FROM {name}")
        loaded.execute(f"CREATE TEMP TABLE wrong AS {select}")
        loaded.execute(f"DELETE FROM {name}")
        loaded.execute(f"INSERT INTO {name} FROM wrong")
        failed = [result for result in check_database(loaded) if not result.passed]
    finally:
        loaded.execute("ROLLBACK")
    assert check in {result.check_name for result in failed}
    assert any(
        words in str(r.message or r.observed) and r.severity == "blocking" for r in failed if r.check_name == check
    )
    assert all(result.passed for result in check_database(loaded))


def test_tables_that_do_not_fit_together_are_not_published(published: Paths, parquet: Path, tmp_path: Path) -> None:
    rewrite(parquet, "core.leader", "SELECT * REPLACE ('a/b' AS bodyguard_id) FROM t")
    with pytest.raises(CheckFailed, match="nothing was published") as caught:
        assemble(parquet, tmp_path / "aside.duckdb", published=published.database)
    assert "reference | core.leader.bodyguard_id | core.datasheet has no a/b" in str(caught.value)
    assert not (tmp_path / "aside.duckdb").exists() and not wal(tmp_path / "aside.duckdb").exists()


def test_tables_that_no_step_wrote_stop_the_build(parquet: Path, tmp_path: Path) -> None:
    for name in given_tables():
        table_path(parquet, name).unlink()
    with pytest.raises(CheckFailed) as caught:
        assemble(parquet, tmp_path / "aside.duckdb")
    assert [result.table_name for result in caught.value.failures] == given_tables()
    assert {result.message for result in caught.value.failures} == {"no step wrote this table"}


def test_a_file_of_another_shape_or_no_parquet_at_all_stops_the_build(parquet: Path, tmp_path: Path) -> None:
    path = table_path(parquet, "core.leader")
    data = pq.read_table(path)
    pq.write_table(data.drop_columns(["locator"]), path)
    table_path(parquet, "core.rule").write_text("no parquet")
    with pytest.raises(CheckFailed) as caught:
        assemble(parquet, tmp_path / "aside.duckdb")
    assert {r.table_name: r.message for r in caught.value.failures}.keys() == {"core.leader", "core.rule"}
    assert "locator string" in str(caught.value)


def test_all_failures_are_told_at_once(parquet: Path, tmp_path: Path) -> None:
    rewrite(parquet, "core.leader", "SELECT * FROM t UNION ALL SELECT * FROM t")
    rewrite(parquet, "core.datasheet", "SELECT * REPLACE (NULL AS name) FROM t")
    with pytest.raises(CheckFailed, match="2 blocking checks failed"):
        assemble(parquet, tmp_path / "aside.duckdb")


def test_a_failed_build_leaves_what_is_published_untouched(parquet: Path, tmp_path: Path) -> None:
    paths = Paths.resolve(tmp_path / "out")
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("first")
    publish(parquet, paths, site=site)
    before = bytes_of(paths)
    rewrite(parquet, "out.signature_matchup", "SELECT * REPLACE ('inf'::FLOAT AS expected_damage) FROM t")
    site.mkdir()
    (site / "index.html").write_text("second")
    with pytest.raises(CheckFailed):
        publish(parquet, paths, site=site)
    assert bytes_of(paths) == before
    assert sorted(p.name for p in paths.database.parent.iterdir() if "build" not in p.name) == [
        "hammerhouse.duckdb", "parquet", "site",
    ]  # fmt: skip


def test_an_earlier_blocking_failure_counts_and_a_warning_is_published(parquet: Path, tmp_path: Path) -> None:
    odd = CheckResult("odd", "core.leader", False, "warning", observed="1", expected="2")
    assembled = assemble(parquet, tmp_path / "aside.duckdb", earlier=[odd])
    paths = Paths.resolve(tmp_path / "out")
    put_in_place(paths, assembled)
    assert rows(paths, "SELECT check_name, severity FROM meta.check WHERE NOT passed") == [("odd", "warning")]
    with pytest.raises(CheckFailed, match="odd"):
        assemble(parquet, tmp_path / "aside.duckdb", earlier=[CheckResult("odd", "core.leader", False)])


def test_the_build_folder_stays_for_the_next_build(parquet: Path, tmp_path: Path) -> None:
    paths = Paths.resolve(tmp_path / "out")
    (parquet / "core" / "stale.parquet").write_bytes(b"x")
    publish(parquet, paths)
    assert table_path(parquet, "core.leader").exists()
    assert not (paths.parquet / "core" / "stale.parquet").exists()
    published = table_path(paths.parquet, "core.leader").read_bytes()
    more = [*sample()["core.leader"], {"leader_id": BRUTE, "bodyguard_id": PATROL, "file_id": DUMP_ID}]
    write_table(parquet, "core.leader", pd.DataFrame(more))  # the next build writes; the published file is another one
    assert table_path(paths.parquet, "core.leader").read_bytes() == published


def test_the_build_before_is_kept(parquet: Path, tmp_path: Path) -> None:
    paths = Paths.resolve(tmp_path / "out")
    publish(parquet, paths)
    more = [*sample()["core.leader"], {"leader_id": BRUTE, "bodyguard_id": PATROL, "file_id": DUMP_ID}]
    write_table(parquet, "core.leader", pd.DataFrame(more))
    publish(parquet, paths)
    with open_published(paths.previous) as connection:
        assert connection.execute("SELECT count(*) FROM core.leader").fetchall() == [(1,)]
    assert rows(paths, "SELECT count(*) FROM core.leader") == [(2,)]


def test_shrinking_is_a_warning(parquet: Path, tmp_path: Path) -> None:
    paths = Paths.resolve(tmp_path / "out")
    publish(parquet, paths)
    rewrite(parquet, "core.unit_cost", "SELECT * FROM t LIMIT 2")
    assembled = publish(parquet, paths)
    assert [r.table_name for r in assembled.checks if not r.passed] == ["core.unit_cost"]
    assert rows(paths, "SELECT table_name, observed FROM meta.coverage WHERE NOT passed") == [
        ("core.unit_cost", "2 rows")
    ]


def test_coverage_compares_what_both_have() -> None:
    results = check_coverage({"core.leader": 9, "core.rule": 90}, {"core.leader": 10, "core.rule": 101, "core.gone": 5})
    assert [(r.table_name, r.passed, r.severity) for r in results] == [
        ("core.leader", True, "warning"),
        ("core.rule", False, "warning"),
    ]


def test_a_broken_published_database_does_not_stop_the_next_build(parquet: Path, tmp_path: Path) -> None:
    paths = Paths.resolve(tmp_path / "out")
    paths.database.parent.mkdir()
    paths.database.write_text("no database")
    publish(parquet, paths)
    assert rows(paths, "SELECT count(*) FROM core.datasheet") == [(3,)]


def test_a_crash_while_assembling_leaves_nothing(
    published: Paths, parquet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("warehouse.checks.check_database", crash)
    with pytest.raises(KeyboardInterrupt):
        assemble(parquet, tmp_path / "aside" / "a.duckdb")
    assert list((tmp_path / "aside").iterdir()) == []


# --- views: measures and their reasons


def test_weapon_measures(published: Paths) -> None:
    found = rows(
        published,
        "SELECT weapon_id, points_per_bearer, points_per_expected_wound, wounds_per_100_points, overkill_share "
        "FROM out.weapon_matchup WHERE scenario = 'standard' AND target_id = 'meq' ORDER BY ALL",
    )
    # A warden costs 100 / 5 points and takes 0.5 wounds; the brute costs 150 and takes 2.
    assert [(w, p, round(e, 6), round(n, 6)) for w, p, e, n, _ in found if p is not None] == [
        (f"{BRUTE}/root-maul", 150.0, 75.0, round(200 / 150, 6)),
        (f"{WARDEN}/bolt-lance", 20.0, 40.0, 2.5),
    ]
    assert all(abs(share - 0.2) < 1e-6 for *_, share in found)


def test_weapon_reasons(published: Paths) -> None:
    patrol = rows(
        published,
        "SELECT points_per_bearer_reason, points_per_expected_wound_reason, wounds_per_100_points_reason, "
        f"overkill_share_reason FROM out.weapon_matchup WHERE scenario = 'cover' AND target_id = 'meq' "
        f"AND datasheet_id = '{PATROL}'",
    )
    assert patrol == [("no_points", "no_points", "no_points", None)]
    harmless = rows(
        published,
        "SELECT points_per_expected_wound, points_per_expected_wound_reason, wounds_per_100_points, overkill_share, "
        "overkill_share_reason FROM out.weapon_matchup WHERE scenario = 'cover' AND target_id = 'medium_vehicle' "
        f"AND datasheet_id = '{WARDEN}'",
    )
    assert harmless == [(None, "zero_damage", 0.0, None, "zero_damage")]


def test_unit_measures_follow_their_formulae(published: Paths) -> None:
    (row,) = rows(
        published,
        "SELECT points_per_expected_wound, wounds_per_100_points, points_destroyed, points_return, points_worn, worn_return, "
        "overkill_share, models_slain_pmf FROM out.unit_matchup WHERE scenario = 'standard' AND target_id = 'meq' "
        f"AND datasheet_id = '{WARDEN}'",
    )
    # C = 100, E[L] = 1.5, E[K] = 0.5; the target: V = 80, N = 5, H = 10.
    expected = [100 / 1.5, 1.5, 80 / 5 * 0.5, 80 / 5 * 0.5 / 100, 80 * 1.5 / 10, 80 * 1.5 / 10 / 100, 0.2]
    assert list(row[:7]) == pytest.approx(expected, abs=1e-9)
    assert row[7] == [0.5, 0.5, 0, 0, 0, 0]


def test_unit_reasons(published: Paths) -> None:
    names = (
        "points_per_expected_wound", "wounds_per_100_points", "points_destroyed", "points_return", "points_worn",
        "worn_return", "overkill_share",
    )  # fmt: skip
    reasons = ", ".join(f"{name}_reason" for name in names)
    found = {
        (loadout, target): tuple(values)
        for loadout, target, *values in rows(
            published, f"SELECT loadout_id, target_id, {reasons} FROM out.unit_matchup WHERE scenario = 'standard'"
        )
    }
    warden, patrol = f"{WARDEN}/5/default", f"{PATROL}/1/default"
    none = (None,) * 7
    assert found[warden, "meq"] == none
    assert found[warden, PATROL] == (None, None, *["no_target_points"] * 4, None)
    assert found[patrol, "meq"] == ("no_points", "no_points", None, "no_points", None, "no_points", None)
    assert found["lascannon", "meq"] == ("zero_damage", None, None, None, None, None, "zero_damage")


def test_distributions_are_for_archetypes(published: Paths) -> None:
    found = rows(published, "SELECT DISTINCT is_archetype, models_slain_pmf IS NULL FROM out.unit_matchup ORDER BY ALL")
    assert found == [(False, True), (True, False)]


def test_an_archetype_attacker_has_no_datasheet_and_is_there(published: Paths) -> None:
    found = rows(published, "SELECT DISTINCT datasheet_id, datasheet FROM out.unit_matchup WHERE is_attacker_archetype")
    assert found == [(None, "Anti-tank")]


def test_the_price_of_a_bearer_is_that_of_the_smallest_plain_size(parquet: Path, tmp_path: Path) -> None:
    costs = sample()["core.unit_cost"]
    costs.append({**costs[0], "models": 3, "points": 30, "condition": "in Tin Host"})
    costs.append({**costs[0], "models": 4, "points": 0})
    write_table(parquet, "core.unit_cost", pd.DataFrame(costs))
    paths = Paths.resolve(tmp_path / "out")
    publish(parquet, paths)
    found = rows(
        paths,
        "SELECT DISTINCT points_per_bearer, wounds_per_100_points, wounds_per_100_points_reason, "
        f"points_per_expected_wound FROM out.weapon_matchup WHERE datasheet_id = '{WARDEN}' AND target_id = 'meq'",
    )
    assert found == [(0.0, None, "free", 0.0)]


def test_tables_made_here_are_no_business_of_the_steps() -> None:
    assert set(MADE_HERE) | set(given_tables()) == {name for name, table in TABLES.items() if not table.is_view}
    assert set(sample()) <= set(given_tables())


def test_links_or_copies_make_no_difference(
    parquet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, published: Paths
) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise OSError("this disk has no links")

    monkeypatch.setattr("os.link", no_links)
    paths = Paths.resolve(tmp_path / "out")
    publish(parquet, paths)
    publish(parquet, paths)
    assert {n: b for n, b in bytes_of(paths).items() if n.startswith("parquet")} == {
        n: b for n, b in bytes_of(published).items() if n.startswith("parquet")
    }
    assert paths.previous.exists()

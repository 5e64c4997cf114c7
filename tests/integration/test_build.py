"""`hammerhouse build` from files to what is published: everything there, nothing lost, nothing half done."""

import os
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from build_running import Built, published_files, rows, start, value
from build_sample import PIKE, PIKE_PROFILE, bad_files, page, profiles, ranged, write_raw
from contract_tables import CONTRACT
from typer.testing import Result

from pipelines.sources.text import name_key
from warehouse.dictionary import TABLES
from warehouse.paths import Paths
from warehouse.swap import build_lock

Invoke = Callable[..., Result]


# --- the build of raw/ -------------------------------------------------------------------------------------------


def test_ends_with_one_table(built: Built) -> None:
    assert built.code == 0, built.stderr
    for label in (
        "sources", "datasheets", "weapons", "targets", "pairs", "rule texts", "quarantined", "conflicts", "checks",
        "seconds", "warehouse", "site",
    ):  # fmt: skip
        assert re.search(rf"│ {label} +│ \S", built.stdout), label
    assert "Traceback" not in built.stderr
    assert (built.out / "site" / "index.html").is_file()


def test_table_tells_what_is_published(built: Built) -> None:
    shown = {
        line.split("│")[1].strip(): line.split("│")[2].strip() for line in built.stdout.splitlines() if "│" in line
    }
    for label, table in (
        ("datasheets", "core.datasheet"),
        ("weapons", "core.weapon_profile"),
        ("targets", "out.target"),
    ):
        assert int(shown[label].replace(",", "")) == value(built.database, f"SELECT count(*) FROM {table}")
    assert int(shown["sources"].split()[0]) == value(built.database, "SELECT count(*) FROM raw.file")
    assert int(shown["pairs"].split()[0].replace(",", "")) == value(
        built.database, "SELECT count(*) FROM out.weapon_matchup"
    )
    texts = {name.strip().split(" ", 1)[1]: int(name.strip().split()[0]) for name in shown["rule texts"].split(",")}
    assert texts.keys() == {"read", "not attack", "not understood"}
    assert texts["read"] > 0
    assert str(built.out) in shown["warehouse"]


@pytest.mark.parametrize("table", sorted(CONTRACT))
def test_contract_tables_and_columns(built: Built, table: str) -> None:
    schema, name = table.split(".")
    found = {row[0] for row in rows(
        built.database,
        "SELECT column_name FROM duckdb_columns() WHERE database_name = 'hammerhouse' AND schema_name = ? AND table_name = ?",
        schema,
        name,
    )}  # fmt: skip
    assert CONTRACT[table] <= found
    assert value(built.database, f"SELECT count(*) FROM {table}") > 0 or table == "raw.quarantine"  # type: ignore[operator]


def test_parquet_holds_every_table_and_no_view(built: Built) -> None:
    views = {f"{s}.{v}" for s, v in rows(
        built.database,
        "SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = 'hammerhouse' AND NOT internal",
    )}  # fmt: skip
    assert {"out.weapon_matchup", "out.unit_matchup"} <= views
    files = {f"{p.parent.name}.{p.stem}": p for p in (built.out / "parquet").rglob("*.parquet")}
    assert files.keys() == {name for name, table in TABLES.items() if table.in_parquet and not table.is_view}
    assert not files.keys() & views
    for table, path in files.items():
        assert pq.read_metadata(path).num_rows == value(built.database, f"SELECT count(*) FROM {table}"), table
        assert set(CONTRACT.get(table, ())) <= set(pq.read_schema(path).names), table


def test_everything_has_a_comment(built: Built) -> None:
    for of, what in (
        ("duckdb_tables()", "table_name"),
        ("duckdb_columns()", "table_name || '.' || column_name"),
        ("duckdb_views()", "view_name"),
    ):
        bare = rows(
            built.database,
            f"SELECT {what} FROM {of} WHERE database_name = 'hammerhouse' AND NOT internal AND coalesce(comment, '') = ''",
        )
        assert bare == [], of


def test_every_raw_file_is_listed(built: Built) -> None:
    listed = dict(rows(built.database, "SELECT kind, count(*) FROM raw.file GROUP BY kind"))
    pages = list((built.raw / "pages").glob("*.txt"))
    assert listed["text_dump"] == len(pages)
    assert listed["munitorum_text"] == len(list((built.raw / "munitorum").glob("*.txt")))
    assert listed["munitorum_pdf"] + listed["datasheet_pdf"] == len(list((built.raw / "pdf").glob("*.pdf")))
    assert listed["wahapedia_csv"] == 1
    assert listed["game_datacards"] == len(list((built.raw / "game_datacards").glob("*.json")))
    assert listed["saved_page"] == len(list((built.raw / "saved_pages").glob("*.html")))
    assert "unrecognised" not in listed


def test_every_line_has_one_disposition(built: Built) -> None:
    """The lines of every text file, counted here from the file itself."""
    claimed = rows(
        built.database,
        "SELECT f.path, count(*), count(DISTINCT l.line_no), min(l.line_no), max(l.line_no) FROM raw.line AS l "
        "JOIN raw.file AS f USING (file_id) WHERE f.kind IN ('text_dump', 'munitorum_text') GROUP BY f.path",
    )
    expected = {}
    for path in [*(built.raw / "pages").glob("*.txt"), *(built.raw / "munitorum").glob("*.txt")]:
        count = path.read_text(encoding="utf-8").count("\n") + 1
        expected[path.relative_to(built.raw).as_posix()] = (count, count, 1, count)
    assert {path: tuple(figures) for path, *figures in claimed} == expected
    assert {row[0] for row in rows(built.database, "SELECT DISTINCT disposition FROM raw.line")} <= {
        "parsed", "repeat", "reference", "decoration", "quarantined",
    }  # fmt: skip


def test_every_printed_weapon_row_is_in_core(built: Built) -> None:
    """Weapon rows counted in the pages themselves are lines that gave, or repeat, a weapon profile."""
    printed = re.compile(r'^\| .+ \| (?:Melee|\d+") \|')
    fates = {(path, line): (disposition, table) for path, line, disposition, table in rows(
        built.database,
        "SELECT f.path, l.line_no, l.disposition, l.table_name FROM raw.line AS l JOIN raw.file AS f USING (file_id)",
    )}  # fmt: skip
    seen = 0
    for path in (built.raw / "pages").glob("*.txt"):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
            if printed.match(line):
                seen += 1
                assert fates[path.relative_to(built.raw).as_posix(), number] in {
                    ("parsed", "core.weapon_profile"), ("repeat", "core.weapon_profile"),
                }, line  # fmt: skip
    assert seen > 50


def test_a_value_leads_back_to_its_line(built: Built) -> None:
    """The query of the README, then the line itself: it holds the value."""
    readme = (built.raw.parent / "README.md").read_text(encoding="utf-8")
    sql = re.search(r"Where does a value come from\?.*?```sql\n(.*?)```", readme, re.DOTALL)
    assert sql is not None
    found = rows(built.database, sql[1])
    assert len(found) == 1
    weapon, damage, path, line_no, _ = found[0]
    line = (built.raw / str(path)).read_text(encoding="utf-8").split("\n")[int(str(line_no)) - 1]
    assert str(weapon) in line
    assert f"| {damage} |" in line
    # The same for every weapon that came from a page.
    everything = re.sub(r"WHERE .*", "WHERE f.kind = 'text_dump'", sql[1], flags=re.DOTALL)
    checked = rows(built.database, everything)
    assert len(checked) > 50
    for weapon, damage, path, line_no, _ in checked:
        text = (built.raw / str(path)).read_text(encoding="utf-8").split("\n")
        line = text[int(str(line_no)) - 1]
        assert name_key(str(weapon)) in name_key(line), (weapon, line)
        assert f"| {damage} |" in line, (weapon, line)


def test_matchups_are_complete(built: Built) -> None:
    """Every weapon can attack in the standard scenario, so it has a row for every target; nothing is counted twice."""
    weapons = value(built.database, "SELECT count(*) FROM core.weapon_profile")
    attackers = value(built.database, "SELECT count(DISTINCT weapon_id) FROM out.weapon_matchup")
    targets = value(built.database, "SELECT count(*) FROM out.target")
    assert attackers == weapons
    per_scenario = dict(rows(built.database, "SELECT scenario, count(*) FROM out.weapon_matchup GROUP BY scenario"))
    assert per_scenario["standard"] == int(str(weapons)) * int(str(targets))
    melee = value(built.database, "SELECT count(*) FROM core.weapon_profile WHERE attack_type = 'melee'")
    assert per_scenario["overwatch"] == (int(str(weapons)) - int(str(melee))) * int(str(targets))
    assert (
        value(
            built.database,
            "SELECT count(*) FROM (SELECT scenario, weapon_id, target_id FROM out.weapon_matchup GROUP BY ALL HAVING count(*) > 1)",
        )
        == 0
    )


def test_same_input_gives_the_same_bytes(both_builds: tuple[Built, Built]) -> None:
    one, two = both_builds
    assert (one.code, two.code) == (0, 0)
    first, second = (published_files(build.out) for build in both_builds)
    first.pop("hammerhouse.duckdb"), second.pop("hammerhouse.duckdb")  # its blocks are laid out anew each time
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []
    ids = {value(build.database, "SELECT build_id FROM meta.build") for build in both_builds}
    assert len(ids) == 1


def test_nothing_changed_nothing_done(both_builds: tuple[Built, Built]) -> None:
    """A second run leaves every published file and every table of the workspace as it is."""
    out = both_builds[1].out
    watched = [path for path in out.rglob("*") if path.is_file() and path.suffix != ".lock"]
    before = {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in watched}
    again = start("build", env={"HAMMERHOUSE_OUT": str(out), "HAMMERHOUSE_RAW": str(both_builds[1].raw)})
    stdout, stderr = again.communicate(timeout=600)
    assert again.returncode == 0, stderr
    assert "none changed" in stderr
    assert "reconciling" not in stderr
    assert re.search(r"│ pairs +│ \d", stdout)
    assert {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in watched} == before
    assert [path for path in out.rglob("*") if path.is_file() and path.suffix != ".lock" and path not in before] == []


# --- changes -----------------------------------------------------------------------------------------------------


def test_only_the_changed_file_is_read_again(small: Path, hammerhouse: Invoke) -> None:
    (small / "raw" / "pike_guard.txt").write_text(PIKE.replace("| 5 | -1 | 2 |", "| 6 | -1 | 2 |"), encoding="utf-8")
    done = hammerhouse("build", "--raw", small / "raw", "--out", small / "out")
    assert done.exit_code == 0, done.output
    assert re.findall(r"read \d+/\d+ (\S+)", done.stderr) == ["pike_guard.txt"]
    assert (
        value(
            small / "out" / "hammerhouse.duckdb", "SELECT strength FROM core.weapon_profile WHERE weapon = 'Ember pike'"
        )
        == 6
    )


def test_a_removed_file_is_gone(small: Path, hammerhouse: Invoke) -> None:
    (small / "raw" / "basalt_walker.txt").unlink()
    (small / "raw" / "profiles.csv").write_text(profiles(PIKE_PROFILE), encoding="utf-8")
    assert hammerhouse("build", "--raw", small / "raw", "--out", small / "out").exit_code == 0
    database = small / "out" / "hammerhouse.duckdb"
    assert rows(database, "SELECT datasheet_id FROM core.datasheet") == [("sable-wardens/pike-guard",)]
    assert value(database, "SELECT count(*) FROM raw.file") == 2
    assert not list((small / "out" / "site").rglob("*basalt*"))
    assert value(small / "out" / "hammerhouse.previous.duckdb", "SELECT count(*) FROM core.datasheet") == 2


def test_without_profiles_attackers_meet_the_archetypes(tmp_path: Path, hammerhouse: Invoke) -> None:
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "page.txt").write_text(PIKE, encoding="utf-8")
    done = hammerhouse("build", "--raw", tmp_path / "raw", "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    database = tmp_path / "out" / "hammerhouse.duckdb"
    assert value(database, "SELECT count(*) FROM core.model_profile") == 0
    assert value(database, "SELECT count(*) FROM out.target WHERE NOT is_archetype") == 0
    assert value(database, "SELECT count(*) FROM out.target WHERE is_archetype") == 12
    attackers = rows(
        database, "SELECT DISTINCT weapon_id FROM out.weapon_matchup WHERE scenario = 'standard' ORDER BY 1"
    )
    assert attackers == [
        ("sable-wardens/pike-guard/ranged/cinder-launcher",), ("sable-wardens/pike-guard/ranged/ember-pike",),
    ]  # fmt: skip


# --- wrong usage -------------------------------------------------------------------------------------------------


def test_missing_raw_folder(tmp_path: Path, hammerhouse: Invoke) -> None:
    done = hammerhouse("build", "--raw", tmp_path / "nowhere", "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert "does not exist" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "content", [None, b"", bytes(range(256)) * 4, b"nothing of interest"], ids=["no", "empty", "binary", "text"]
)
def test_raw_folder_with_nothing_to_read(small: Path, hammerhouse: Invoke, content: bytes | None) -> None:
    before = published_files(small / "out")
    (small / "other").mkdir()
    if content is not None:
        (small / "other" / "file.txt").write_bytes(content)
    done = hammerhouse("build", "--raw", small / "other", "--out", small / "out")
    assert done.exit_code == 2
    assert "can be read" in done.stderr
    assert "Traceback" not in done.output
    assert published_files(small / "out") == before


# --- bad files ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def with_bad_files(small_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One build of the tiny raw folder and every bad file beside it; it must publish all the same."""
    root = Path(shutil.copytree(small_template, tmp_path_factory.mktemp("bad") / "it"))
    for name, content in bad_files().items():
        (root / "raw" / name).write_bytes(content)
    process = start("build", "--raw", root / "raw", "--out", root / "out")
    stdout, stderr = process.communicate(timeout=600)
    assert process.returncode == 0, stderr
    assert "quarantined" in stdout
    yield root


@pytest.mark.parametrize(
    ("file", "line", "text", "reason"),
    [
        ("empty.txt", None, "", "empty"),
        ("binary.dat", None, "", "binary"),
        ("error_page.html", None, "", "error page.*404"),
        ("notes.txt", None, "", "no known kind"),
        ("truncated.txt", 6, "Torn blade", "3 values, expected 6"),
        ("missing_cell.txt", 6, "Thin saw", "5 values, expected 6"),
        ("open_dice.txt", 6, "D3+", "'D3\\+' is no dice"),
        ("positive_ap.txt", 6, "Bare saw", "'2' is no armour penetration"),
        ("copy_of_pike_guard.txt", None, "", "same content as .*pike_guard.txt"),
    ],
)  # fmt: skip
def test_bad_piece_is_quarantined(with_bad_files: Path, file: str, line: int | None, text: str, reason: str) -> None:
    found = rows(
        with_bad_files / "out" / "hammerhouse.duckdb",
        "SELECT q.line_no, q.text, q.reason FROM raw.quarantine AS q JOIN raw.file AS f USING (file_id) WHERE f.path = ?",
        file,
    )
    assert any(number == line and text in str(piece) and re.search(reason, str(why)) for number, piece, why in found), (
        found
    )


def test_unknown_keyword_is_named(with_bad_files: Path) -> None:
    """A word that no rule of ours knows stays with its weapon, marked, and takes no other keyword with it."""
    found = dict(rows(
        with_bad_files / "out" / "hammerhouse.duckdb",
        "SELECT keyword, is_known FROM core.weapon_keyword WHERE weapon_id LIKE '%weird-saw%'",
    ))  # fmt: skip
    assert found.get("rapid fire") is True
    assert found.get("blast") is True
    assert [word for word, known in found.items() if not known] == ["tidal surge 3"]


def test_good_rows_of_bad_files_stay(with_bad_files: Path) -> None:
    database = with_bad_files / "out" / "hammerhouse.duckdb"
    sheets = {
        row[0] for row in rows(database, "SELECT datasheet_id FROM core.weapon_profile WHERE weapon = 'Good saw'")
    }
    assert sheets == {
        f"sable-wardens/{name}"
        for name in ("lost-cell", "open-dice", "bare-piercing", "strange-word", "ecorcheurs-own")
    }
    assert (
        value(database, "SELECT name FROM core.datasheet WHERE datasheet_id LIKE '%ecorcheurs%'") == "Écorcheurs' Own"
    )
    refused = rows(
        database,
        "SELECT weapon FROM core.weapon_profile WHERE weapon IN ('Thin saw', 'Odd saw', 'Bare saw', 'Torn blade')",
    )
    assert refused == []


def test_files_that_disagree(with_bad_files: Path) -> None:
    database = with_bad_files / "out" / "hammerhouse.duckdb"
    found = rows(
        database,
        "SELECT kept_value, k.path, other_value, o.path FROM core.conflict AS c "
        "JOIN raw.file AS k ON k.file_id = c.kept_file_id JOIN raw.file AS o ON o.file_id = c.other_file_id "
        "WHERE entity_id = 'sable-wardens/pike-guard/ranged/ember-pike' AND attribute = 'armour_penetration'",
    )
    assert ("-1", "pike_guard.txt", "-2", "other_pike_guard.txt") in found
    assert value(database, "SELECT armour_penetration FROM core.weapon_profile WHERE weapon = 'Ember pike'") == -1


# --- refusals ----------------------------------------------------------------------------------------------------

CORRECTION = """
- table: weapon_profile
  match: {{datasheet_id: sable-wardens/pike-guard, weapon: Ember pike}}
  expect: {expect}
  action:
    set: {values}
  reason: a test
"""


@pytest.mark.parametrize(
    ("expect", "values", "message"),
    [
        ("{damage: '7'}", "{damage: '3'}", r"expects damage = '7' but found '2'"),
        ("{damage: '2'}", "{armour_penetration: 3}", r"core\.weapon_profile.*armour_penetration"),
        ("{damage: '2'}", "{datasheet_id: sable-wardens/nobody}", r"core\.weapon_profile.*nobody"),
    ],
    ids=["expectation", "range", "reference"],
)
def test_wrong_data_publishes_nothing(small: Path, hammerhouse: Invoke, expect: str, values: str, message: str) -> None:
    before = published_files(small / "out")
    (small / "raw" / "corrections.yml").write_text(CORRECTION.format(expect=expect, values=values), encoding="utf-8")
    done = hammerhouse("build", "--raw", small / "raw", "--out", small / "out")
    assert done.exit_code == 1
    assert re.search(message, done.stderr), done.stderr
    assert "Nothing was published" in done.stderr
    assert "Traceback" not in done.stderr
    assert published_files(small / "out") == before
    # With the cause gone the next build is as the one before.
    (small / "raw" / "corrections.yml").unlink()
    assert hammerhouse("build", "--raw", small / "raw", "--out", small / "out").exit_code == 0
    after = published_files(small / "out")
    assert {k: v for k, v in after.items() if not k.endswith(".duckdb")} == {
        k: v for k, v in before.items() if not k.endswith(".duckdb")
    }


def test_two_builds_do_not_mix(small: Path, hammerhouse: Invoke) -> None:
    before = published_files(small / "out")
    with build_lock(Paths.resolve(small / "out")):
        done = hammerhouse("build", "--raw", small / "raw", "--out", small / "out")
    assert done.exit_code == 1
    assert "another build is writing" in done.stderr
    assert published_files(small / "out") == before


def test_killed_in_the_middle(small: Path, hammerhouse: Invoke) -> None:
    """A build that dies leaves what is published whole, and the next one goes on."""
    before = published_files(small / "out")
    (small / "raw" / "another.txt").write_text(page("Ash Choir", ranged("Hymn lance")), encoding="utf-8")
    process = start("build", "--raw", small / "raw", "--out", small / "out")
    assert process.stderr is not None
    for line in process.stderr:
        if "assembling" in line:
            os.kill(process.pid, signal.SIGKILL)
            break
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert published_files(small / "out") == before
    assert value(small / "out" / "hammerhouse.duckdb", "SELECT count(*) FROM core.datasheet") == 2
    done = hammerhouse("build", "--raw", small / "raw", "--out", small / "out")
    assert done.exit_code == 0, done.output
    assert value(small / "out" / "hammerhouse.duckdb", "SELECT count(*) FROM core.datasheet") == 3


def test_raw_folders_are_joined(small: Path, hammerhouse: Invoke) -> None:
    """Files of one path and even one content in two folders are two files; a folder named twice is read once."""
    write_raw(small / "more")
    (small / "more" / "choir.txt").write_text(page("Ash Choir", ranged("Hymn lance")), encoding="utf-8")
    (small / "more" / "pike_guard.txt").write_text(PIKE + "\n", encoding="utf-8")
    folders = [small / "raw", small / "more", small / "raw" / ".." / "more"]
    options = [option for folder in folders for option in ("--raw", folder)]
    done = hammerhouse("build", *options, "--out", small / "out")
    assert done.exit_code == 0, done.output
    database = small / "out" / "hammerhouse.duckdb"
    assert value(database, "SELECT count(*) FROM core.datasheet") == 3
    assert [row[0] for row in rows(database, "SELECT path FROM raw.file ORDER BY path")] == [
        "choir.txt", "more/basalt_walker.txt", "more/pike_guard.txt", "more/profiles.csv",
        "raw/basalt_walker.txt", "raw/pike_guard.txt", "raw/profiles.csv",
    ]  # fmt: skip

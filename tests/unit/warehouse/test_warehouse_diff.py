"""What changed between two published warehouses."""

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from warehouse_sample import BRUTE, DUMP_ID, PATROL, WARDEN, expectations, sample, write_sample

from warehouse.diff import compare
from warehouse.paths import Paths
from warehouse.publish import assemble
from warehouse.read import PublishedError

Change = Callable[[dict], object]


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample with one change of every kind."""
    rows = sample()
    rows["core.unit_cost"][0]["points"] = 95
    del rows["core.unit_cost"][2]
    rows["core.model_profile"][0].update(save=4, invulnerable_save=5, invulnerable_versus="any")
    rows["core.weapon_profile"][0].update(attacks="3", attacks_mean=3.0)
    rows["core.weapon_keyword"].append(
        {"weapon_id": f"{WARDEN}/bolt-lance", "keyword": "anti", "value": "4+", "target_keyword": "MONSTER",
         "threshold": 4, "is_known": True}
    )  # fmt: skip
    rows["core.ability"][0]["text"] = "Now worded in another way."
    rows["core.stratagem"][0]["cp"] = 2
    rows["core.effect"][0]["params"] = {"roll": "wound", "which": "ones"}
    sheet = rows["core.datasheet"][0]
    rows["core.datasheet"].append({**sheet, "datasheet_id": "tin-legion/tin-herald", "name": "Tin Herald"})
    for row in rows["out.loadout_matchup"]:
        if (row["scenario"], row["loadout_id"], row["target_sig"]) == ("standard", f"{WARDEN}/5/default", 1):
            row.update(expectations(3.0, 0.5))
    folder = tmp_path_factory.mktemp("changed")
    return assemble(write_sample(folder / "tables", rows), folder / "hammerhouse.duckdb").database


def _rows(old: Path, new: Path) -> set[tuple]:
    rows = compare(old, new).rows
    return {
        (r.section, r.what, r.entity, r.attribute, None if r.old != r.old else r.old, None if r.new != r.new else r.new)
        for r in rows.itertuples()
        if not (r.section == "rules" and r.attribute == "text")
    }


def test_every_kind_of_change_is_told(published: Paths, changed: Path) -> None:
    unit = f"{WARDEN}/5/default | ranged | meq"
    reroll = 'read attacker reroll {{"roll":"{}","which":"ones"}} []'
    lance = f"{WARDEN}/bolt-lance"
    assert _rows(published.database, changed) == {
        ("datasheets", "added", "tin-legion/tin-herald", "name", None, "Tin Herald"),
        ("datasheets", "added", "tin-legion/tin-herald", "faction", None, "Tin Legion"),
        ("datasheets", "added", "tin-legion/tin-herald", "is_legends", None, "false"),
        ("points", "changed", f"{WARDEN} | 5 | -", "points", "100", "95"),
        ("points", "removed", f"{BRUTE} | 1 | -", "points", "150", None),
        ("characteristics", "changed", f"{WARDEN} | Tin Warden", "save", "3", "4"),
        ("characteristics", "changed", f"{WARDEN} | Tin Warden", "invulnerable_save", None, "5"),
        ("characteristics", "changed", f"{WARDEN} | Tin Warden", "invulnerable_versus", None, "any"),
        ("weapons", "changed", lance, "attacks", "2", "3"),
        ("weapons", "changed", lance, "keywords", "rapid fire 1", "anti MONSTER 4+, rapid fire 1"),
        ("rules", "changed", "tin-host/hold-fast | 1", "cp", "1", "2"),
        ("rules", "changed", f"ability:{WARDEN}/steady-aim", "effects", reroll.format("hit"), reroll.format("wound")),
        ("efficiency", "changed", unit, "expected_wounds_lost", "1.5", "3.0"),
        ("efficiency", "changed", unit, "wounds_per_100_points", "1.5", "3.0"),
    }


def test_rules_are_compared_by_hash_so_that_no_wording_is_shown(published: Paths, changed: Path) -> None:
    rows = compare(published.database, changed).rows
    (text,) = rows[(rows["section"] == "rules") & (rows["attribute"] == "text")].itertuples()
    assert text.entity == f"{WARDEN}/steady-aim" and text.what == "changed"
    assert text.old.startswith("text ") and len(text.old) == 17 and text.old != text.new


def test_differences_of_numbers(published: Paths, changed: Path) -> None:
    rows = compare(published.database, changed).rows.set_index(["section", "entity", "attribute"])
    assert rows.loc[("points", f"{WARDEN} | 5 | -", "points"), "change"] == -5
    assert rows.loc[("characteristics", f"{WARDEN} | Tin Warden", "save"), "change"] == 1


def test_backwards_is_the_mirror_image(published: Paths, changed: Path) -> None:
    mirror = {"added": "removed", "removed": "added", "changed": "changed"}
    there, back = _rows(published.database, changed), _rows(changed, published.database)
    assert {(s, mirror[w], e, a, new, old) for s, w, e, a, old, new in there} == back


def test_the_same_has_no_changes(published: Paths, tmp_path: Path) -> None:
    copy = Path(shutil.copy(published.database, tmp_path / "copy.duckdb"))
    assert compare(published.database, copy).rows.empty
    assert compare(published.database, published.previous if published.previous.exists() else copy).rows.empty


def test_a_warehouse_of_another_version_is_compared_in_what_both_have(published: Paths, tmp_path: Path) -> None:
    older = Path(shutil.copy(published.database, tmp_path / "older.duckdb"))
    with duckdb.connect(str(older)) as connection:
        connection.execute("DROP TABLE core.army_rule")
        connection.execute("CREATE OR REPLACE TABLE core.leader AS SELECT 1 AS a")
        connection.execute(
            "CREATE OR REPLACE TABLE core.rule AS SELECT rule_id, wording, 'Other.' AS text FROM core.rule"
        )
        connection.execute("CREATE OR REPLACE TABLE core.stratagem AS SELECT * EXCLUDE (cp) FROM core.stratagem")
    difference = compare(older, published.database)
    assert set(difference.skipped) >= {"old has no core.army_rule", "old has no core.stratagem.cp"}
    assert [(r.entity, r.attribute) for r in difference.rows.itertuples()] == [("hazardous | 1", "text")]


def test_a_missing_one_is_named(published: Paths, tmp_path: Path) -> None:
    with pytest.raises(PublishedError, match=r"no warehouse at .*gone\.duckdb"):
        compare(tmp_path / "gone.duckdb", published.database)


def test_names_that_are_shared_stay_apart(published: Paths, changed: Path) -> None:
    entities = {row[2] for row in _rows(published.database, changed)}
    assert not any(entity.startswith(PATROL) for entity in entities) and DUMP_ID not in entities

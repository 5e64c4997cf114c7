"""Dagster around the steps: the graph, the job, its checks, schedule and sensor, another executor, the web page."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from build_running import ROOT, published_files
from typer.testing import Result

from pipelines.assets.resources import BuildResource
from pipelines.definitions import build_defs, defs
from warehouse.dictionary import TABLES

SNAPSHOT = Path(__file__).with_name("asset_graph.json")
Invoke = Callable[..., Result]


def asset_graph(definitions: dg.Definitions) -> dict[str, Any]:
    """Assets with group, dependencies and checks; jobs, schedules and sensors with what they start."""
    graph = definitions.resolve_asset_graph()
    checks: dict[str, list[str]] = {}
    for key in graph.asset_check_keys:
        blocking = graph.get(key).blocking
        checks.setdefault(key.asset_key.to_user_string(), []).append(key.name + (" (blocking)" if blocking else ""))
    assets = {
        node.key.to_user_string(): {
            "group": node.group_name,
            "deps": sorted(parent.to_user_string() for parent in node.parent_keys),
            "checks": sorted(checks.get(node.key.to_user_string(), [])),
        }
        for node in graph.asset_nodes
    }
    repository = definitions.get_repository_def()
    return {
        "assets": dict(sorted(assets.items())),
        "jobs": sorted(name for name in repository.job_names if not name.startswith("__")),
        "schedules": {
            one.name: [one.job_name, str(one.cron_schedule), one.default_status.value]
            for one in repository.schedule_defs
        },
        "sensors": {one.name: [one.job_name, one.default_status.value] for one in repository.sensor_defs},
    }


def run_job(raw: Path, out: Path) -> dg.ExecuteInProcessResult:
    job = build_defs({"build": BuildResource(raw=str(raw), out=str(out))}).resolve_job_def("publish")
    with dg.DagsterInstance.ephemeral() as instance:
        return job.execute_in_process(instance=instance, raise_on_error=False)


def materialised(result: dg.ExecuteInProcessResult) -> set[str]:
    return {event.asset_key.to_user_string() for event in result.get_asset_materialization_events() if event.asset_key}


def test_asset_graph_has_not_changed_unnoticed() -> None:
    """To accept a change: `python tests/integration/test_dagster.py`, and look at the difference."""
    assert asset_graph(defs) == json.loads(SNAPSHOT.read_text(encoding="utf-8"))


def test_every_table_of_the_build_is_an_asset() -> None:
    graph = asset_graph(defs)["assets"]
    made = {name for name, table in TABLES.items() if not table.is_view and not name.startswith("meta.")}
    assert made == {name.replace("/", ".") for name in graph} - {"warehouse.database", "site.pages", "published"}
    for name in made:
        assert "contract (blocking)" in graph[name.replace(".", "/")]["checks"]


def test_publish_in_process(small: Path, tmp_path: Path) -> None:
    result = run_job(small / "raw", tmp_path / "elsewhere")
    assert result.success
    assert materialised(result) == set(asset_graph(defs)["assets"])
    evaluations = result.get_asset_check_evaluations()
    assert {check.passed for check in evaluations} == {True}
    assert len(evaluations) == sum(len(node["checks"]) for node in asset_graph(defs)["assets"].values())
    here, there = published_files(tmp_path / "elsewhere"), published_files(small / "out")
    assert {k: v for k, v in here.items() if k.startswith("parquet")} == {
        k: v for k, v in there.items() if k.startswith("parquet")
    }


def test_a_failed_check_blocks_what_comes_after(small: Path) -> None:
    before = published_files(small / "out")
    (small / "raw" / "corrections.yml").write_text(
        "- table: model_profile\n"
        "  match: {datasheet_id: sable-wardens/pike-guard}\n"
        "  expect: {toughness: 4}\n"
        "  action: {set: {toughness: -4}}\n"
        "  reason: a test\n",
        encoding="utf-8",
    )
    result = run_job(small / "raw", small / "out")
    assert not result.success
    failed = [check for check in result.get_asset_check_evaluations() if not check.passed]
    assert [(check.asset_key.to_user_string(), check.check_name) for check in failed] == [
        ("core/model_profile", "contract")
    ]
    assert failed[0].description is not None
    assert "toughness" in failed[0].description
    made = materialised(result)
    assert "raw/file" in made
    assert not made & {"out/target", "out/loadout_matchup", "warehouse/database", "site/pages", "published"}
    assert published_files(small / "out") == before


def test_sensor_asks_for_a_run_when_a_file_changes(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAMMERHOUSE_RAW", str(small / "raw"))
    sensor = defs.resolve_sensor_def("raw_folder_changed")
    context = dg.build_sensor_context()
    first = sensor.evaluate_tick(context)
    assert len(first.run_requests or ()) == 1
    again = sensor.evaluate_tick(dg.build_sensor_context(cursor=first.cursor))
    assert not again.run_requests
    assert again.skip_message == "the raw folders are as they were"
    (small / "raw" / "new.txt").write_text("a new file", encoding="utf-8")
    changed = sensor.evaluate_tick(dg.build_sensor_context(cursor=first.cursor))
    assert len(changed.run_requests or ()) == 1
    assert changed.cursor != first.cursor
    (small / "raw" / "new.txt").unlink()
    assert sensor.evaluate_tick(dg.build_sensor_context(cursor=changed.cursor)).cursor == first.cursor


def test_each_step_in_a_process_of_its_own(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Assets exchange files and nothing else, so an executor may give each a process."""
    monkeypatch.setenv("HAMMERHOUSE_RAW", str(small / "raw"))
    monkeypatch.setenv("HAMMERHOUSE_OUT", str(tmp_path / "apart"))
    job = dg.build_reconstructable_job(
        "multiprocess_job", "publish_apart", reconstructor_working_directory=str(ROOT / "tests")
    )
    (tmp_path / "home").mkdir()
    with (
        dg.DagsterInstance.local_temp(str(tmp_path / "home")) as instance,
        dg.execute_job(job, instance=instance) as result,
    ):
        assert result.success
    here, there = published_files(tmp_path / "apart"), published_files(small / "out")
    assert {k: v for k, v in here.items() if k.startswith("parquet")} == {
        k: v for k, v in there.items() if k.startswith("parquet")
    }


# --- dagster dev -------------------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def web_page(tmp_path: Path) -> Iterator[str]:
    """`dagster dev` in the checkout, with a home of its own; its GraphQL address."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "dagster", "dev", "--host", "127.0.0.1", "--port", str(port)],
        cwd=ROOT,
        env=os.environ | {"DAGSTER_HOME": str(tmp_path), "DAGSTER_DISABLE_TELEMETRY": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield f"http://127.0.0.1:{port}/graphql"
    finally:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(timeout=30)


def ask(address: str, query: str) -> dict[str, Any]:
    """One GraphQL query; waits until the page answers."""
    request = urllib.request.Request(
        address, json.dumps({"query": query}).encode(), {"Content-Type": "application/json"}
    )
    deadline = time.monotonic() + 240
    while True:
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                answer: dict[str, Any] = json.load(response)
                return answer
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)


def test_dagster_dev_shows_the_graph(web_page: str) -> None:
    answer = ask(web_page, "{ assetNodes { groupName assetKey { path } dependencyKeys { path } } }")
    nodes = {"/".join(node["assetKey"]["path"]): node for node in answer["data"]["assetNodes"]}
    snapshot = json.loads(SNAPSHOT.read_text(encoding="utf-8"))["assets"]
    assert nodes.keys() == snapshot.keys()
    for key, node in nodes.items():
        assert node["groupName"] == snapshot[key]["group"]
        assert sorted("/".join(dep["path"]) for dep in node["dependencyKeys"]) == snapshot[key]["deps"]
    running = ask(
        web_page,
        "{ repositoriesOrError { ... on RepositoryConnection { nodes { name "
        "schedules { name scheduleState { status } } sensors { name sensorState { status } } } } } }",
    )["data"]["repositoriesOrError"]["nodes"]
    assert [(one["name"], one["scheduleState"]["status"]) for one in running[0]["schedules"]] == [("daily", "RUNNING")]
    assert ("raw_folder_changed", "STOPPED") in [
        (one["name"], one["sensorState"]["status"]) for one in running[0]["sensors"]
    ]


if __name__ == "__main__":
    SNAPSHOT.write_text(json.dumps(asset_graph(defs), indent=1, sort_keys=True) + "\n", encoding="utf-8")

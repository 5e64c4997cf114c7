"""Readers while builds are being published: never an error, never a mixture, never a wait for the builder."""

import ast
import hashlib
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pandas as pd
import pytest
from warehouse_sample import sample, write_sample

from warehouse.paths import Paths
from warehouse.publish import Assembled, assemble, put_in_place
from warehouse.read import open_published
from warehouse.storage import write_table

ROOT = Path(__file__).parents[2]
SWAPS = 25

# Both numbers change with the build; a reader that saw halves of two builds would see them disagree.
ASK = "SELECT (SELECT count(*) FROM core.leader), (SELECT count(*) FROM core.unit_cost)"
ALLOWED = {(1, 3), (2, 2)}
READER = """
import sys
from pathlib import Path
from warehouse.read import open_published
print("ready", flush=True)
seen = {}
while not Path(sys.argv[2]).exists():
    with open_published(Path(sys.argv[1])) as connection:
        row = connection.execute(sys.argv[3]).fetchall()[0]
    seen[row] = seen.get(row, 0) + 1
print(seen)
"""


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> list[Assembled]:
    """Two checked builds that differ in two tables."""
    root = tmp_path_factory.mktemp("builds")
    first = write_sample(root / "first")
    second = Path(shutil.copytree(first, root / "second"))
    leaders = sample()["core.leader"]
    leaders.append({**leaders[0], "leader_id": leaders[0]["bodyguard_id"], "bodyguard_id": leaders[0]["leader_id"]})
    write_table(second, "core.leader", pd.DataFrame(leaders))
    write_table(second, "core.unit_cost", pd.DataFrame(sample()["core.unit_cost"][:2]))
    return [assemble(folder, root / f"{folder.name}.duckdb") for folder in (first, second)]


def _publish(paths: Paths, build: Assembled) -> None:
    """Publish a copy, so that the build can be published again."""
    paths.staging.mkdir(parents=True, exist_ok=True)
    copy = Path(shutil.copy(build.database, paths.staging / "new.duckdb"))
    put_in_place(paths, Assembled(copy, build.parquet, build.checks, build.counts))


def test_readers_see_one_build_or_the_other(builds: list[Assembled], tmp_path: Path) -> None:
    paths = Paths.resolve(tmp_path / "out")
    _publish(paths, builds[0])
    stop = tmp_path / "stop"
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", READER, str(paths.database), str(stop), ASK]
    seen: list[tuple[int, int]] = []
    failed: list[BaseException] = []

    def read() -> None:
        try:
            while not stop.exists():
                with open_published(paths.database) as connection:
                    seen.append(connection.execute(ASK).fetchall()[0])
        except BaseException as error:
            failed.append(error)

    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True, cwd=ROOT) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        thread = threading.Thread(target=read)
        thread.start()
        with open_published(paths.database) as long_lived:
            for number in range(1, SWAPS + 1):
                _publish(paths, builds[number % 2])
                with open_published(paths.database) as fresh:  # the swap is seen at once, whatever else is open
                    assert fresh.execute(ASK).fetchall() == [[(1, 3), (2, 2)][number % 2]]
            assert long_lived.execute(ASK).fetchall() == [(1, 3)]  # goes on with the build that it opened
        stop.touch()
        thread.join()
        counts = other.stdout.read().strip()
    assert failed == [] and other.returncode == 0
    assert set(seen) <= ALLOWED and seen
    assert set(ast.literal_eval(counts)) <= ALLOWED
    assert sorted(p.name for p in paths.database.parent.iterdir()) == [
        "hammerhouse.duckdb", "hammerhouse.duckdb.build", "hammerhouse.previous.duckdb", "parquet",
    ]  # fmt: skip


def test_another_process_makes_the_same_bytes(tmp_path: Path) -> None:
    """Neither the seed of hashes nor the folder nor the time zone reaches the files."""
    script = "import sys; from pathlib import Path; from warehouse_sample import write_sample; write_sample(Path(sys.argv[1]))"
    found = []
    for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo")):
        folder = tmp_path / f"folder {seed}"
        environ = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
        subprocess.run([sys.executable, "-c", script, str(folder)], check=True, env=environ, cwd=tmp_path)
        files = sorted(folder.rglob("*.parquet"))
        found.append({p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files})
    assert found[0] == found[1] and len(found[0]) > 30

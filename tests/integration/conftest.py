"""Builds that the integration tests share.

Belongs here: fixtures, above all one build of `raw/` for all tests that only read. Does
not belong here: what a build must hold.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from build_running import ROOT, Built, start
from build_sample import write_raw
from typer.testing import CliRunner, Result

from pipelines.cli import app


@pytest.fixture(scope="session")
def both_builds(tmp_path_factory: pytest.TempPathFactory) -> tuple[Built, Built]:
    """`raw/` built twice into two folders, by two processes that hash strings differently."""
    outs = [tmp_path_factory.mktemp("builds") / name for name in ("one", "two")]
    running = [start("build", "--out", out, env={"PYTHONHASHSEED": str(n)}) for n, out in enumerate(outs, start=1)]
    said = [process.communicate(timeout=900) for process in running]
    one, two = (
        Built(ROOT / "raw", out, process.returncode, *texts)
        for out, process, texts in zip(outs, running, said, strict=True)
    )
    return one, two


@pytest.fixture(scope="session")
def built(both_builds: tuple[Built, Built]) -> Built:
    """`raw/` built; only to be read."""
    return both_builds[0]


Invoke = Callable[..., Result]


@pytest.fixture
def hammerhouse() -> Invoke:
    """The program in this process: `hammerhouse("build", "--raw", folder)`; the answer has exit_code, stdout, stderr."""

    def invoke(*args: object, **options: object) -> Result:
        env = {"COLUMNS": "200", "HAMMERHOUSE_RAW": "", "HAMMERHOUSE_OUT": ""}
        return CliRunner().invoke(app, [str(arg) for arg in args], env=env, **options)  # type: ignore[arg-type]

    return invoke


@pytest.fixture(scope="session")
def small_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny raw folder, built once: `raw/` and `out/` below the folder returned."""
    root = tmp_path_factory.mktemp("small")
    write_raw(root / "raw")
    done = CliRunner().invoke(app, ["build", "--raw", str(root / "raw"), "--out", str(root / "out")])
    assert done.exit_code == 0, done.output
    return root


@pytest.fixture
def small(small_template: Path, tmp_path: Path) -> Path:
    """A copy of the tiny build, with what it remembers, for a test that changes something."""
    return Path(shutil.copytree(small_template, tmp_path / "small"))

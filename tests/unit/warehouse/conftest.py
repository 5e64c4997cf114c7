"""Fixtures for tests of the warehouse: the sample as Parquet, and published, each made once for the session."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from warehouse_sample import STARTED, write_sample

from warehouse.paths import Paths
from warehouse.publish import load, publish


@pytest.fixture(scope="session")
def sample_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Parquet of the sample; do not change it, `parquet` gives a copy."""
    return write_sample(tmp_path_factory.mktemp("sample") / "tables")


@pytest.fixture
def parquet(sample_folder: Path, tmp_path: Path) -> Path:
    """A copy of the sample's Parquet that a test may change."""
    return Path(shutil.copytree(sample_folder, tmp_path / "tables"))


@pytest.fixture(scope="session")
def published(sample_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Paths:
    """The sample, published once; read only."""
    root = tmp_path_factory.mktemp("published")
    paths = Paths.resolve(root / "out")
    folder = Path(shutil.copytree(sample_folder, root / "tables"))
    publish(folder, paths, started=STARTED)
    return paths


@pytest.fixture(scope="session")
def loaded(sample_folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The sample in a database in memory; a test that changes it rolls back."""
    with duckdb.connect(":memory:") as connection:
        load(connection, sample_folder)
        yield connection

"""Collection rules and fixtures that the whole test suite shares.

Belongs here: what decides which tests are collected, and session fixtures of general use. Fixtures of one area live
beside that area's tests.

Tests in ``tests/data/real`` compare the product with a folder of real data that is not part of the project. They are
collected only when the environment variable ``HAMMERHOUSE_REAL_DATA`` names an existing folder; without it they are not
there at all, so nothing is ever reported as skipped.
"""

import os
from pathlib import Path

import pytest

REAL_TESTS = Path(__file__).parent / "data" / "real"


def real_data_folder() -> Path | None:
    """The folder that ``HAMMERHOUSE_REAL_DATA`` names; None if the variable is unset or names no folder."""
    named = os.environ.get("HAMMERHOUSE_REAL_DATA", "").strip()
    return Path(named).resolve() if named and Path(named).is_dir() else None


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave the real-data tests out unless there is a folder to read."""
    inside = collection_path == REAL_TESTS or REAL_TESTS in collection_path.parents
    return True if inside and real_data_folder() is None else None


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The real-data folder (only tests in ``tests/data/real`` may ask for it)."""
    folder = real_data_folder()
    if folder is None:
        raise RuntimeError("HAMMERHOUSE_REAL_DATA names no folder: a test outside tests/data/real asked for real data")
    return folder

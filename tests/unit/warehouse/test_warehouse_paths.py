"""Where a build publishes, and where it reads."""

from pathlib import Path

from warehouse.paths import Paths, checkout, raw_folders


def test_the_checkout_spreads_the_three_over_its_folders() -> None:
    paths = Paths.resolve(None, {})
    root = checkout()
    assert (root / "pyproject.toml").is_file()
    assert paths.database == root / "warehouse" / "hammerhouse.duckdb"
    assert paths.parquet == root / "warehouse" / "parquet"
    assert paths.site == root / "reports" / "site"


def test_out_wins_over_the_variable() -> None:
    paths = Paths.resolve(Path("/x"), {"HAMMERHOUSE_OUT": "/y"})
    assert (paths.database, paths.parquet, paths.site) == (
        Path("/x/hammerhouse.duckdb"),
        Path("/x/parquet"),
        Path("/x/site"),
    )
    assert Paths.resolve(None, {"HAMMERHOUSE_OUT": "/y"}).database == Path("/y/hammerhouse.duckdb")
    assert Paths.resolve(None, {"HAMMERHOUSE_OUT": " "}) == Paths.resolve(None, {})
    assert len({paths.database, paths.previous, paths.lock, paths.staging}) == 4


def test_raw_folders() -> None:
    assert raw_folders([Path("/a")], {"HAMMERHOUSE_RAW": "/b"}) == [Path("/a")]
    assert raw_folders([], {"HAMMERHOUSE_RAW": "/b:/c"}) == [Path("/b"), Path("/c")]
    assert raw_folders([], {}) == [checkout() / "raw"]

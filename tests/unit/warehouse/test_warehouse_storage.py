"""Parquet files: the same rows give the same bytes, and come back as they went."""

import hashlib
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from warehouse_sample import sample, write_sample

from warehouse.dictionary import TABLES, ContractError, conform, empty_frame
from warehouse.storage import read_table, table_path, write_table


def hashes(folder: Path) -> dict[str, str]:
    """SHA-256 of every file below a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def test_same_rows_same_bytes_whatever_their_order(tmp_path: Path) -> None:
    backwards = {name: rows[::-1] for name, rows in sample().items()}
    one, other = write_sample(tmp_path / "one"), write_sample(tmp_path / "other", backwards)
    assert hashes(one) == hashes(other)


def test_a_row_more_gives_other_bytes(tmp_path: Path, sample_folder: Path) -> None:
    rows = sample()["core.leader"]
    changed = write_table(tmp_path, "core.leader", pd.DataFrame([*rows, {**rows[0], "bodyguard_id": "a/b"}]))
    assert changed.read_bytes() != table_path(sample_folder, "core.leader").read_bytes()


@pytest.mark.parametrize("name", sorted(sample()))
def test_rows_come_back(sample_folder: Path, name: str) -> None:
    wrote = conform(TABLES[name], pd.DataFrame(sample()[name]))
    read = read_table(sample_folder, name)
    assert list(read.dtypes) == list(wrote.dtypes)
    for column in wrote.columns:
        pairs = zip(read[column], wrote[column], strict=True)
        assert (
            all((pd.isna(a) and pd.isna(b)) if b is None or b is pd.NA else list(a) == list(b) for a, b in pairs)
            if (TABLES[name].by_name[column].type == "real32_list")
            else read[column].equals(wrote[column])
        )


def test_an_empty_table_keeps_its_types(tmp_path: Path) -> None:
    for name, table in TABLES.items():
        if not table.is_view:
            write_table(tmp_path, name, empty_frame(table))
            assert list(read_table(tmp_path, name).dtypes) == list(empty_frame(table).dtypes)


def test_the_file_says_what_it_is_and_nothing_of_the_machine(sample_folder: Path) -> None:
    schema = pq.read_schema(table_path(sample_folder, "core.weapon_profile"))
    assert schema.metadata == {
        b"table": b"core.weapon_profile",
        b"grain": b"One row per weapon profile of a datasheet.",
    }
    assert schema.field("range_in").metadata[b"description"].endswith(b"[inches]")


def test_a_refused_frame_leaves_the_file_as_it_was(parquet: Path) -> None:
    before = hashes(parquet)
    with pytest.raises(ContractError):
        write_table(parquet, "core.leader", pd.DataFrame([{"leader_id": None, "bodyguard_id": "a/b", "file_id": "x"}]))
    assert hashes(parquet) == before

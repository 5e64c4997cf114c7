"""Tables as Parquet files: `<folder>/<schema>/<table>.parquet`, the same bytes for the same rows.

Belongs here: writing a frame by the dictionary and reading it back. Does not belong here: what a table means
(`dictionary`), and the database (`publish`).

Bytes are the same from run to run because the order of rows (by key), of columns and of row groups is fixed, because
compression has one setting, and because no clock, path or library note of pandas goes into the file's metadata.
"""

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.dictionary import TABLES, Table, conform
from warehouse.dictionary.ddl import column_comment
from warehouse.dictionary.frames import DTYPES

ARROW_TYPES = {
    "text": pa.string(),
    "integer": pa.int64(),
    "real": pa.float64(),
    "real32": pa.float32(),
    "boolean": pa.bool_(),
    "json": pa.string(),
    "json_list": pa.string(),
    "real32_list": pa.list_(pa.float32()),
}
ROW_GROUP = 122_880  # DuckDB's own row group, so that it can read groups in parallel


def table_path(folder: Path, table_name: str) -> Path:
    """Where a table (`schema.table`) lies in a Parquet folder."""
    schema, name = table_name.split(".")
    return folder / schema / f"{name}.parquet"


def arrow_schema(table: Table) -> pa.Schema:
    """The table's schema with each column's description, and the grain as metadata of the file."""
    fields = [pa.field(f.name, ARROW_TYPES[f.type], metadata={"description": column_comment(f)}) for f in table.fields]
    return pa.schema(fields, metadata={"table": table.full_name, "grain": table.sentence})


def write_table(folder: Path, table_name: str, frame: pd.DataFrame) -> Path:
    """Conform a frame to the dictionary and write it whole or not at all; returns the file's path.

    Raises:
        KeyError: no such table.
        ContractError: the frame breaks the dictionary.
    """
    table = TABLES[table_name]
    return write_arrow(folder, table, to_arrow(table, conform(table, frame)))


def to_arrow(table: Table, frame: pd.DataFrame) -> pa.Table:
    """A conformed frame as an Arrow table; NaN becomes NULL."""
    schema = arrow_schema(table)
    arrays = [pa.array(frame[f.name], type=ARROW_TYPES[f.type], from_pandas=True) for f in table.fields]
    return pa.Table.from_arrays(arrays, schema=schema)


def write_arrow(folder: Path, table: Table, data: pa.Table) -> Path:
    """Write an Arrow table of the right schema, whole or not at all."""
    path = table_path(folder, table.full_name)
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(".parquet.part")
    pq.write_table(
        data, aside, compression="zstd", compression_level=3, row_group_size=ROW_GROUP, version="2.6", store_schema=True
    )
    aside.replace(path)
    return path


def read_table(folder: Path, table_name: str) -> pd.DataFrame:
    """A table's rows in the dictionary's types. Raises KeyError for an unknown table, FileNotFoundError for no file."""
    table = TABLES[table_name]
    data = pq.read_table(table_path(folder, table_name), columns=list(table.columns))
    frame = data.to_pandas(
        types_mapper={pa.string(): pd.StringDtype(), pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}.get
    )
    return frame.astype({f.name: DTYPES[f.type] for f in table.fields})[list(table.columns)]

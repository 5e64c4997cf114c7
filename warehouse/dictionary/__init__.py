"""The data dictionary: every table and column of the warehouse, defined once in the YAML of this folder.

Belongs here: the dictionary, and what is made from nothing but the dictionary (frames, DDL, descriptions). Does not
belong here: reading or writing of data.
"""

from warehouse.dictionary.describe import column_rows, nearest, table_rows
from warehouse.dictionary.frames import ContractError, conform, empty_frame, pandera_schema
from warehouse.dictionary.model import SCHEMAS, DictionaryError, Field, Table, load_tables

TABLES: dict[str, Table] = load_tables()
"""Every table and view, by `schema.table`."""

__all__ = [
    "SCHEMAS",
    "TABLES",
    "ContractError",
    "DictionaryError",
    "Field",
    "Table",
    "column_rows",
    "conform",
    "empty_frame",
    "load_tables",
    "nearest",
    "pandera_schema",
    "table_rows",
]

"""Data frames that keep the dictionary's promises.

Belongs here: an empty frame of a table, `conform` (order, types, sorting, refusal of what breaks the contract) and the
pandera schema that states the contract. Does not belong here: reading and writing of files.
"""

import json
import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from pandas.api.types import infer_dtype

from warehouse.dictionary.model import Field, Table

if TYPE_CHECKING:
    import pandera.pandas as pa

DTYPES: dict[str, Any] = {
    "text": pd.StringDtype(),
    "integer": pd.Int64Dtype(),
    "real": np.dtype("float64"),
    "real32": np.dtype("float32"),
    "boolean": pd.BooleanDtype(),
    "json": pd.StringDtype(),
    "json_list": pd.StringDtype(),
    "real32_list": np.dtype("object"),
}


class ContractError(ValueError):
    """A frame breaks the dictionary; the message names table, column and row."""


def empty_frame(table: Table) -> pd.DataFrame:
    """A frame with the table's columns and types and no row."""
    return pd.DataFrame({field.name: pd.Series([], dtype=DTYPES[field.type]) for field in table.fields})


def conform(table: Table, frame: pd.DataFrame) -> pd.DataFrame:
    """The frame in the table's column order and types, sorted by its key, with a fresh index.

    Columns that may be NULL may be left out; a column that the dictionary does not know is an error. JSON columns take
    lists, tuples, dicts or JSON text, and come out as JSON text with sorted keys. NaN in a real column is NULL.

    Raises:
        ContractError: unknown or missing column, wrong type, NULL or infinity where there must be none, value out of
            range, or two rows with one key. The message names table, column, row (from 0) and the row's key.
    """
    unknown = [str(column) for column in frame.columns if column not in table.by_name]
    if unknown:
        raise ContractError(f"{table.full_name} has no column {', '.join(unknown)}")
    missing = [f.name for f in table.fields if f.required and f.name not in frame.columns]
    if missing:
        raise ContractError(f"{table.full_name} lacks column {', '.join(missing)}")
    data = {field.name: _typed(table, field, frame) for field in table.fields}
    result = pd.DataFrame(data, columns=list(table.columns)).reset_index(drop=True)
    _validate(table, result)
    by = [name for name in table.key if table.by_name[name].type != "real32_list"]
    return result.sort_values(by, kind="stable", na_position="last", ignore_index=True)


@lru_cache
def pandera_schema(table_name: str) -> "pa.DataFrameSchema":
    """The contract of a table (`schema.table`) as a pandera schema: types, NULLs, ranges, patterns and the key."""
    import pandera.pandas as pa

    from warehouse.dictionary import TABLES

    table = TABLES[table_name]
    columns = {
        field.name: pa.Column(
            DTYPES[field.type], _checks(pa, field), nullable=not field.required, description=field.description
        )
        for field in table.fields
    }
    return pa.DataFrameSchema(
        columns, name=table.full_name, strict=True, ordered=True, unique=list(table.key), description=table.sentence
    )


def _checks(pa: Any, field: Field) -> list[Any]:
    checks = []
    if field.one_of:
        checks.append(pa.Check.isin(field.one_of))
    if field.pattern:
        checks.append(pa.Check.str_matches(f"^(?:{field.pattern})$"))
    if field.minimum is not None:
        checks.append(pa.Check.ge(field.minimum))
    if field.maximum is not None:
        checks.append(pa.Check.le(field.maximum))
    return checks


def _typed(table: Table, field: Field, frame: pd.DataFrame) -> pd.Series:
    if field.name not in frame.columns:
        return pd.Series([None] * len(frame), index=range(len(frame)), dtype=DTYPES[field.type])
    column = frame[field.name].reset_index(drop=True)
    convert = {
        "text": _text,
        "integer": _integer,
        "real": _real,
        "real32": _real,
        "boolean": _boolean,
        "json": _json,
        "json_list": _json,
        "real32_list": _real_list,
    }[field.type]
    return convert(table, field, column)


def _refuse(table: Table, field: Field, column: pd.Series, bad: "pd.Series[bool]", what: str) -> None:
    """Raise for the first marked row."""
    if bool(bad.any()):
        row = int(np.flatnonzero(bad.to_numpy(dtype=bool))[0])
        raise ContractError(f"{table.full_name}.{field.name}, row {row}: {column.iloc[row]!r} {what}")


def _text(table: Table, field: Field, column: pd.Series) -> pd.Series:
    if not isinstance(column.dtype, pd.StringDtype) and infer_dtype(column, skipna=True) not in ("string", "empty"):
        bad = pd.Series([not isinstance(v, str) and not _is_null(v) for v in column])
        _refuse(table, field, column, bad, "is no text")
    return column.astype(DTYPES["text"])


def _integer(table: Table, field: Field, column: pd.Series) -> pd.Series:
    if column.dtype == bool or isinstance(column.dtype, pd.BooleanDtype):
        _refuse(table, field, column, column.notna(), "is no whole number")
    if column.dtype == object or isinstance(column.dtype, pd.StringDtype):
        whole = (int, np.integer)
        good = [
            _is_null(v)
            or (isinstance(v, whole) and not isinstance(v, bool))
            or (isinstance(v, float) and v.is_integer())
            for v in column
        ]
        _refuse(table, field, column, ~pd.Series(good, dtype=bool), "is no whole number")
        column = pd.Series([pd.NA if _is_null(v) else int(v) for v in column], dtype=DTYPES["integer"])
    elif column.dtype.kind == "f":
        filled = column.fillna(0)
        _refuse(table, field, column, pd.Series(filled != np.floor(filled)) | np.isinf(filled), "is no whole number")
    return column.astype(DTYPES["integer"])


def _real(table: Table, field: Field, column: pd.Series) -> pd.Series:
    if column.dtype == object or isinstance(column.dtype, pd.StringDtype | pd.BooleanDtype) or column.dtype == bool:
        number = (int, float, np.integer, np.floating)
        bad = [not _is_null(v) and (isinstance(v, bool | np.bool_) or not isinstance(v, number)) for v in column]
        _refuse(table, field, column, pd.Series(bad, dtype=bool), "is no number")
        column = pd.Series([math.nan if _is_null(v) else float(v) for v in column], dtype="float64")
    values = column.to_numpy(dtype="float64", na_value=np.nan)
    if field.type == "real32":
        with np.errstate(over="ignore"):
            values = values.astype("float32")
    _refuse(table, field, column, pd.Series(np.isinf(values)), "is infinite")
    return pd.Series(values)


def _boolean(table: Table, field: Field, column: pd.Series) -> pd.Series:
    if column.dtype != bool and not isinstance(column.dtype, pd.BooleanDtype):
        bad = [not _is_null(v) and not isinstance(v, bool | np.bool_) for v in column]
        _refuse(table, field, column, pd.Series(bad, dtype=bool), "is neither true nor false")
        column = pd.Series([pd.NA if _is_null(v) else bool(v) for v in column], dtype=DTYPES["boolean"])
    return column.astype(DTYPES["boolean"])


def _json(table: Table, field: Field, column: pd.Series) -> pd.Series:
    expected: type = dict if field.type == "json" else list
    seen: dict[str, str] = {}
    values: list[Any] = []
    for row, value in enumerate(column):
        if _is_null(value):
            values.append(None)
            continue
        if isinstance(value, str) and value in seen:
            values.append(seen[value])
            continue
        try:
            parsed = json.loads(value) if isinstance(value, str) else value
            if isinstance(parsed, tuple):
                parsed = list(parsed)
            if not isinstance(parsed, expected):
                raise ValueError
            text = json.dumps(parsed, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        except (ValueError, TypeError):
            kind = "object" if expected is dict else "list"
            raise ContractError(f"{table.full_name}.{field.name}, row {row}: {value!r} is no JSON {kind}") from None
        if isinstance(value, str):
            seen[value] = text
        values.append(text)
    return pd.Series(values, dtype=DTYPES["json"])


def _real_list(table: Table, field: Field, column: pd.Series) -> pd.Series:
    values: list[Any] = []
    for row, value in enumerate(column):
        if _is_null(value):
            values.append(None)
            continue
        try:
            numbers = np.asarray(value, dtype="float32")
            if numbers.ndim != 1 or not np.isfinite(numbers).all():
                raise ValueError
        except (ValueError, TypeError):
            raise ContractError(
                f"{table.full_name}.{field.name}, row {row}: {value!r} is no list of finite numbers"
            ) from None
        values.append(numbers)
    result = pd.Series([None] * len(values), dtype=object)
    result[:] = np.array([*values, None], dtype=object)[:-1] if values else []
    return result


def _is_null(value: Any) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))


def _validate(table: Table, frame: pd.DataFrame) -> None:
    """Raise ContractError for the first thing that breaks the pandera schema."""
    from pandera.errors import SchemaErrors

    try:
        pandera_schema(table.full_name).validate(frame, lazy=True)
    except SchemaErrors as error:
        cases = error.failure_cases
        raise ContractError(_first_failure(table, frame, cases)) from None


def _first_failure(table: Table, frame: pd.DataFrame, cases: pd.DataFrame) -> str:
    case = cases.iloc[0]
    column = case["column"] if case["schema_context"] == "Column" else ", ".join(table.key)
    if pd.isna(case["index"]):
        return f"{table.full_name}.{column}: {case['check']}"
    row = int(case["index"])
    if case["schema_context"] != "Column":
        what = "appears more than once"
    elif case["check"] == "not_nullable":
        what = "is NULL, which the dictionary does not allow"
    else:
        what = f"is not allowed ({table.by_name[str(column)].allowed or case['check']})"
    value = "" if case["schema_context"] != "Column" else f"{case['failure_case']!r} "
    key = ", ".join(f"{name}={frame[name].iloc[row]}" for name in table.key)
    others = f" ({len(cases)} failures in all)" if len(cases) > 1 else ""
    return f"{table.full_name}.{column}, row {row} [{key}]: {value}{what}{others}"

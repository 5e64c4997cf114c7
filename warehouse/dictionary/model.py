"""The data dictionary in memory: what a field is, what a table is, and how the YAML beside this file is read.

Belongs here: the two types, the loader and its own checks (a table that names an unknown field, a field without a
description). Does not belong here: what is made from the dictionary (`frames`, `ddl`, `describe`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import resources
from typing import Any

import yaml

SCHEMAS = ("raw", "core", "out", "meta")
TYPES = ("text", "integer", "real", "real32", "boolean", "json", "json_list", "real32_list")
_NARROWED = {"description", "unit", "min", "max", "one_of", "pattern"}


class DictionaryError(ValueError):
    """The dictionary itself is wrong; the message names the file's table or field."""


@dataclass(frozen=True)
class Field:
    """A column: `type` is one of `TYPES`; `minimum` and `maximum` are inclusive; `pattern` must match in full."""

    name: str
    type: str
    description: str
    unit: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    one_of: tuple[str, ...] | None = None
    pattern: str | None = None
    required: bool = False

    @property
    def is_numeric(self) -> bool:
        """Whether the values are numbers that can be infinite or out of range."""
        return self.type in ("integer", "real", "real32")

    @property
    def allowed(self) -> str | None:
        """The constraint in words, None where any value goes."""
        if self.one_of:
            return "one of " + ", ".join(self.one_of)
        if self.pattern:
            return f"matches {self.pattern}"
        bounds = [f"at least {_number(self.minimum)}"] if self.minimum is not None else []
        bounds += [f"at most {_number(self.maximum)}"] if self.maximum is not None else []
        return " and ".join(bounds) or None


@dataclass(frozen=True)
class Table:
    """A table or view. `grain` completes the sentence `One row per ...`; `key` tells rows apart.

    `references` maps a column to the table whose one-column key it names. `is_large` tables carry no primary key in the
    database, because its index would outweigh the data; their key is checked all the same.
    """

    schema: str
    name: str
    grain: str
    key: tuple[str, ...]
    fields: tuple[Field, ...]
    sources: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    references: Mapping[str, str] | None = None
    is_view: bool = False
    is_large: bool = False
    in_parquet: bool = True

    @property
    def full_name(self) -> str:
        """`schema.table`."""
        return f"{self.schema}.{self.name}"

    @property
    def sentence(self) -> str:
        """The grain as a sentence."""
        return f"One row per {self.grain}."

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Column names in order."""
        return tuple(field.name for field in self.fields)

    @cached_property
    def by_name(self) -> dict[str, Field]:
        """Fields by column name."""
        return {field.name: field for field in self.fields}

    @property
    def has_primary_key(self) -> bool:
        """Whether the database holds the key as a constraint: no column of it may be NULL, and the index is small."""
        return not self.is_view and not self.is_large and all(self.by_name[name].required for name in self.key)


def load_tables() -> dict[str, Table]:
    """Read the dictionary that ships with the program, in schema order. Raises DictionaryError."""
    folder = resources.files(__package__)
    fields = yaml.safe_load(folder.joinpath("fields.yml").read_text(encoding="utf-8"))
    return parse_tables(
        fields, {s: yaml.safe_load(folder.joinpath(f"{s}.yml").read_text(encoding="utf-8")) for s in SCHEMAS}
    )


def parse_tables(fields: Mapping[str, Any], schemas: Mapping[str, Any]) -> dict[str, Table]:
    """The tables of parsed YAML: `fields` by name, and for each schema its tables by name. Raises DictionaryError."""
    known = {name: _field(name, spec) for name, spec in fields.items()}
    tables: dict[str, Table] = {}
    for schema, specs in schemas.items():
        for name, spec in specs.items():
            table = _table(schema, name, spec, known)
            tables[table.full_name] = table
    for table in tables.values():
        _check_references(table, tables)
    return tables


def _field(name: str, spec: Mapping[str, Any]) -> Field:
    unknown = spec.keys() - _NARROWED - {"type"}
    if unknown:
        raise DictionaryError(f"field {name} has an unknown entry {sorted(unknown)}")
    if spec.get("type") not in TYPES:
        raise DictionaryError(f"field {name} has type {spec.get('type')!r}; expected one of {', '.join(TYPES)}")
    if not str(spec.get("description") or "").strip():
        raise DictionaryError(f"field {name} has no description")
    return _narrow(Field(name, spec["type"], spec["description"]), spec)


def _narrow(field: Field, spec: Mapping[str, Any]) -> Field:
    """The field with the entries of `spec` in place of its own."""
    one_of = spec.get("one_of", field.one_of)
    return replace(
        field,
        description=spec.get("description", field.description),
        unit=spec.get("unit", field.unit),
        minimum=spec.get("min", field.minimum),
        maximum=spec.get("max", field.maximum),
        one_of=tuple(one_of) if one_of is not None else None,
        pattern=spec.get("pattern", field.pattern),
    )


def _table(schema: str, name: str, spec: Mapping[str, Any], known: Mapping[str, Field]) -> Table:
    where = f"{schema}.{name}"
    nullable_key = {column[:-1] for column in spec["key"] if column.endswith("~")}
    key = tuple(column.removesuffix("~") for column in spec["key"])
    renamed, narrowed = spec.get("fields", {}), spec.get("narrow", {})
    fields = []
    for entry in spec["columns"]:
        column = entry.removesuffix("!")
        source = known.get(renamed.get(column, column))
        if source is None:
            raise DictionaryError(f"{where} names column {column}, which fields.yml does not define")
        extra = narrowed.get(column, {})
        if extra.keys() - _NARROWED:
            raise DictionaryError(f"{where}.{column}: narrow may not change {sorted(extra.keys() - _NARROWED)}")
        required = entry.endswith("!") or (column in key and column not in nullable_key)
        fields.append(replace(_narrow(source, extra), name=column, required=required))
    table = Table(
        schema=schema,
        name=name,
        grain=spec["grain"],
        key=key,
        fields=tuple(fields),
        sources=tuple(spec.get("sources", ())),
        warnings=tuple(spec.get("warnings", ())),
        references=spec.get("references", {}),
        is_view=spec.get("is_view", False),
        is_large=spec.get("is_large", False),
        in_parquet=spec.get("in_parquet", True) and not spec.get("is_view", False),
    )
    _check_columns(table, {*key, *renamed, *narrowed, *(table.references or {})})
    return table


def _check_columns(table: Table, named: set[str]) -> None:
    folded = [column.lower() for column in table.columns]
    twice = {column for column in folded if folded.count(column) > 1}
    if twice:  # SQL ignores case, so two such columns would be one
        raise DictionaryError(f"{table.full_name} names {', '.join(sorted(twice))} twice")
    missing = named - set(table.columns)
    if missing:
        raise DictionaryError(f"{table.full_name} speaks of {', '.join(sorted(missing))}, which is no column of it")


def _check_references(table: Table, tables: Mapping[str, Table]) -> None:
    for column, other in (table.references or {}).items():
        if other not in tables:
            raise DictionaryError(f"{table.full_name}.{column} refers to {other}, which does not exist")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:g}"

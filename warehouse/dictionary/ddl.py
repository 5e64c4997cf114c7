"""SQL made from the dictionary: CREATE TABLE with constraints, and a comment for each table and column.

Belongs here: text of statements. Does not belong here: running them (`publish`), and the SQL of views
(`warehouse/sql`).
"""

from collections.abc import Iterator

from warehouse.dictionary.model import SCHEMAS, Field, Table

SQL_TYPES = {
    "text": "VARCHAR",
    "integer": "BIGINT",
    "real": "DOUBLE",
    "real32": "FLOAT",
    "boolean": "BOOLEAN",
    "json": "JSON",
    "json_list": "JSON",
    "real32_list": "FLOAT[]",
}


def quoted(name: str) -> str:
    """An identifier, or `schema.table`, in double quotes."""
    return ".".join('"' + part.replace('"', '""') + '"' for part in name.split("."))


def literal(text: str) -> str:
    """A string literal."""
    return "'" + text.replace("'", "''") + "'"


def create_schemas() -> list[str]:
    """One CREATE SCHEMA for each area."""
    return [f"CREATE SCHEMA {quoted(schema)}" for schema in SCHEMAS]


def create_table(table: Table) -> str:
    """CREATE TABLE with NOT NULL, CHECK and, where it is worth its index, PRIMARY KEY."""
    lines = [_column(field) for field in table.fields]
    if table.has_primary_key:
        lines.append(f"PRIMARY KEY ({', '.join(quoted(name) for name in table.key)})")
    return f"CREATE TABLE {quoted(table.full_name)} (\n  " + ",\n  ".join(lines) + "\n)"


def condition(field: Field) -> str | None:
    """The field's constraint as a SQL condition that NULL passes, None where any value goes."""
    name = quoted(field.name)
    if field.one_of:
        return f"{name} IN ({', '.join(literal(value) for value in field.one_of)})"
    if field.pattern:
        return f"regexp_full_match({name}, {literal(field.pattern)})"
    bounds = [f"{name} >= {field.minimum:g}"] if field.minimum is not None else []
    bounds += [f"{name} <= {field.maximum!r}"] if field.maximum is not None else []
    return " AND ".join(bounds) or None


def comments(table: Table) -> Iterator[str]:
    """COMMENT ON for the table (or view) and for each column."""
    what = "VIEW" if table.is_view else "TABLE"
    yield f"COMMENT ON {what} {quoted(table.full_name)} IS {literal(table_comment(table))}"
    for field in table.fields:
        yield f"COMMENT ON COLUMN {quoted(table.full_name)}.{quoted(field.name)} IS {literal(column_comment(field))}"


def table_comment(table: Table) -> str:
    """Grain sentence, key and warnings."""
    parts = [table.sentence, f"Key: {', '.join(table.key)}."]
    return " ".join([*parts, *(f"{warning}." for warning in table.warnings)])


def column_comment(field: Field) -> str:
    """Description, with the unit in brackets where there is one."""
    return field.description + (f" [{field.unit}]" if field.unit else "")


def _column(field: Field) -> str:
    text = f"{quoted(field.name)} {SQL_TYPES[field.type]}"
    if field.required:
        text += " NOT NULL"
    check = condition(field)
    return text + (f" CHECK ({check})" if check else "")

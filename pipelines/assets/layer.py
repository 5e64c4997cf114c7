"""How a step becomes assets: one asset per table of the dictionary, with its schema, its row count and its checks.

Belongs here: the making of a layer. Does not belong here: the layers themselves.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import dagster as dg

from pipelines.assets.resources import BuildResource
from pipelines.steps.workspace import Workspace
from warehouse.dictionary import TABLES, Table

Step = Callable[[Workspace], None]
Check = Callable[[Workspace], str | None]  # the problem in words, None where there is none


def asset_key(table: str) -> dg.AssetKey:
    """`core.datasheet` -> `core/datasheet`."""
    return dg.AssetKey(table.split("."))


def column_schema(table: Table) -> dg.TableSchema:
    """The dictionary's columns as Dagster shows them."""
    return dg.TableSchema(
        columns=[
            dg.TableColumn(
                name=field.name,
                type=field.type,
                description=field.description,
                constraints=dg.TableColumnConstraints(nullable=not field.required),
            )
            for field in table.fields
        ]
    )


def layer(
    name: str,
    step: Step,
    tables: Sequence[str],
    needs: Sequence[str],
    description: str,
    checks: Mapping[tuple[str, str], Check] | None = None,
) -> dg.AssetsDefinition:
    """A multi-asset that runs one step and checks each table that the step leaves.

    Every table has the blocking check `contract`: types, keys, ranges and NULLs of the dictionary. `checks` adds others
    by (table, name). A failed check keeps everything downstream from being made, so wrong data is never published.
    """
    more = dict(checks or {})
    specs = [
        dg.AssetSpec(
            asset_key(table),
            deps=[asset_key(needed) for needed in needs],
            group_name=name,
            description=TABLES[table].sentence,
            metadata={"dagster/column_schema": column_schema(TABLES[table])},
        )
        for table in tables
    ]
    check_specs = [
        dg.AssetCheckSpec(
            "contract", asset=asset_key(table), blocking=True, description="Types, keys, ranges and NULLs hold"
        )
        for table in tables
    ] + [
        dg.AssetCheckSpec(check, asset=asset_key(table), blocking=True, description=str(more[table, check].__doc__))
        for table, check in more
    ]

    @dg.multi_asset(name=f"{name}_layer", specs=specs, check_specs=check_specs, description=description)
    def run(context: dg.AssetExecutionContext, build: BuildResource) -> Iterator[dg.MaterializeResult]:
        workspace = build.workspace(context)
        step(workspace)
        for table in tables:
            results = [_result(table, "contract", workspace.problems.get(table))]
            results += [_result(table, check, more[of, check](workspace)) for of, check in more if of == table]
            yield dg.MaterializeResult(
                asset_key=asset_key(table),
                metadata={
                    "dagster/row_count": workspace.row_count(table),
                    "path": str(workspace.table_path(table)),
                },
                check_results=results,
            )

    return run


def _result(table: str, check: str, problem: str | None) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        asset_key=asset_key(table),
        passed=problem is None,
        check_name=check,
        description=problem,
        metadata={"problem": problem} if problem else {},
    )

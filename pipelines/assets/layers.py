"""The layers of the house: raw -> core -> effects -> matchups -> warehouse -> site.

Belongs here: which step makes which tables from which. Does not belong here: any work.
"""

from collections.abc import Iterator

import dagster as dg

from pipelines.assets.layer import asset_key, layer
from pipelines.assets.resources import BuildResource
from pipelines.steps import accounting, core, effects, matchups, publish, read

raw_layer = layer(
    "raw",
    read.read_raw,
    read.TABLES,
    (),
    "Reads every raw file through the reader of its kind; unchanged files come from the cache.",
)

core_layer = layer(
    "core",
    core.build_core,
    core.TABLES,
    read.TABLES,
    "Reconciles what the files say into one set of facts.",
    {
        ("raw.line", "every_line_accounted_for"): accounting.every_line_accounted_for,
        ("core.datasheet", "every_row_has_a_sheet"): accounting.every_weapon_row_has_a_sheet,
        ("core.datasheet", "some_fact_was_read"): accounting.some_fact_was_read,
    },
)

effects_layer = layer(
    "effects",
    effects.compile_effects,
    effects.TABLES,
    ("core.ability", "core.stratagem", "core.enhancement", "core.detachment_rule", "core.army_rule", "core.rule"),
    "Compiles rule texts into effects.",
)

matchups_layer = layer(
    "matchups",
    matchups.build_matchups,
    matchups.TABLES,
    (
        "core.datasheet",
        "core.model_profile",
        "core.weapon_profile",
        "core.weapon_keyword",
        "core.keyword",
        "core.composition",
        "core.equipment",
        "core.unit_cost",
        "core.effect",
    ),
    "Resolves every weapon and unit against every target.",
)

_DATABASE = dg.AssetKey(["warehouse", "database"])
_PAGES = dg.AssetKey(["site", "pages"])
_PUBLISHED = dg.AssetKey(["published"])


@dg.asset(
    key=_DATABASE,
    deps=[asset_key(table) for table in publish.TABLES],
    group_name="warehouse",
    description="The DuckDB file, made aside from the Parquet of all layers and checked.",
    check_specs=[
        dg.AssetCheckSpec(
            "sql_checks",
            asset=_DATABASE,
            blocking=True,
            description="Keys, references, ranges, finite numbers and totals hold in the assembled database",
        )
    ],
)
def database(context: dg.AssetExecutionContext, build: BuildResource) -> dg.MaterializeResult:
    """Assemble and check the warehouse aside; what is published stays as it is."""
    workspace = build.workspace(context)
    outcome = publish.assemble_warehouse(workspace)
    return dg.MaterializeResult(
        metadata={"build_id": outcome.build_id, "checks": outcome.checks},
        check_results=[
            dg.AssetCheckResult(
                passed=not outcome.failures,
                check_name="sql_checks",
                description="; ".join(outcome.failures[:5]) or None,
                metadata={"checks": outcome.checks, "failures": list(outcome.failures)},
            )
        ],
    )


@dg.asset(key=_PAGES, deps=[_DATABASE], group_name="site", description="The static HTML site, written aside.")
def pages(context: dg.AssetExecutionContext, build: BuildResource) -> dg.MaterializeResult:
    """Write every page."""
    return dg.MaterializeResult(metadata={"pages": publish.write_pages(build.workspace(context))})


@dg.asset(
    key=_PUBLISHED,
    deps=[_DATABASE, _PAGES],
    group_name="site",
    description="Database, Parquet and site swapped in together; readers never see half of a build.",
)
def published(context: dg.AssetExecutionContext, build: BuildResource) -> dg.MaterializeResult:
    """Put everything in place."""
    workspace = build.workspace(context)
    is_new = publish.put_all_in_place(workspace)
    return dg.MaterializeResult(
        metadata={
            "new": is_new,
            "database": str(workspace.paths.database),
            "parquet": str(workspace.paths.parquet),
            "site": str(workspace.paths.site),
        }
    )


def assets() -> Iterator[dg.AssetsDefinition]:
    """All assets in the order of the flow."""
    yield from (raw_layer, core_layer, effects_layer, matchups_layer, database, pages, published)

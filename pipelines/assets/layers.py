"""The layers of the house: raw -> core -> effects -> matchups -> warehouse -> site.

Belongs here: which step makes which tables from which. Does not belong here: any work.
"""

from collections.abc import Iterator

import dagster as dg

from pipelines.assets.layer import asset_key, layer
from pipelines.assets.resources import BuildResource
from pipelines.steps import accounting, core, effects, matchups, publish, read, site

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

_PUBLISHED = tuple(dict.fromkeys((*read.TABLES, *core.TABLES, *effects.TABLES, *matchups.TABLES)))


@dg.asset(
    key=dg.AssetKey(["warehouse", "database"]),
    deps=[asset_key(table) for table in _PUBLISHED],
    group_name="warehouse",
    description="The DuckDB file and its Parquet, built aside, checked and swapped in.",
    check_specs=[
        dg.AssetCheckSpec(
            "sql_checks",
            asset=dg.AssetKey(["warehouse", "database"]),
            blocking=True,
            description="Keys, references, ranges, finite numbers and totals hold in the assembled database",
        )
    ],
)
def database(context: dg.AssetExecutionContext, build: BuildResource) -> dg.MaterializeResult:
    """Assemble, check and publish the warehouse; on a failed blocking check the published one stays as it is."""
    workspace = build.workspace(context)
    outcome = publish.publish_warehouse(workspace)
    return dg.MaterializeResult(
        metadata={"path": str(workspace.paths.database), "build_id": outcome.build_id, "checks": outcome.checks},
        check_results=[
            dg.AssetCheckResult(
                passed=not outcome.failures,
                check_name="sql_checks",
                description="; ".join(outcome.failures[:5]) or None,
                metadata={"checks": outcome.checks, "failures": list(outcome.failures)},
            )
        ],
    )


@dg.asset(
    key=dg.AssetKey(["site", "pages"]),
    deps=[dg.AssetKey(["warehouse", "database"])],
    group_name="site",
    description="The static HTML site, made from the published warehouse and swapped in whole.",
)
def pages(context: dg.AssetExecutionContext, build: BuildResource) -> dg.MaterializeResult:
    """Write every page."""
    workspace = build.workspace(context)
    written = site.build_site(workspace)
    return dg.MaterializeResult(metadata={"path": str(workspace.paths.site), "pages": written})


def assets() -> Iterator[dg.AssetsDefinition]:
    """All assets in the order of the flow."""
    yield from (raw_layer, core_layer, effects_layer, matchups_layer, database, pages)

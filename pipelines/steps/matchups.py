"""Facts into matchups: targets, signatures, every weapon and every default loadout against every target.

Belongs here: turning core tables into the frames that the models take, and their answers into `out` tables. Does not
belong here: rules and maths (`models`), ratios (views of the warehouse).
"""

import pandas as pd

from models.archetypes import archetype_attackers
from models.loadout_matchups import loadout_matchups
from models.loadouts import Loadout
from models.matrix import Matrix, weapon_matchups
from models.scenarios import scenario_frame
from pipelines.steps import core, effects
from pipelines.steps.effects import records
from pipelines.steps.inputs import Inputs, group_frame
from pipelines.steps.lift import rule_lift
from pipelines.steps.workspace import Workspace, code_hash, fingerprint

STEP = "matchups"
TABLES = (
    "out.scenario",
    "out.target",
    "out.target_signature",
    "out.attack_signature",
    "out.weapon_signature",
    "out.signature_matchup",
    "out.loadout",
    "out.loadout_weapon",
    "out.loadout_matchup",
    "out.rule_lift",
)


def build_matchups(workspace: Workspace) -> None:
    """Resolve everything and leave the `out` tables."""
    mark = fingerprint(
        workspace.fingerprint_of(core.STEP),
        workspace.fingerprint_of(effects.STEP),
        code_hash("models", "pipelines/steps/matchups.py", "pipelines/steps/lift.py", "pipelines/steps/inputs.py"),
    )
    if workspace.is_current(STEP, mark):
        workspace.progress("matchups unchanged")
        return
    workspace.forget(STEP)
    inputs = Inputs(workspace)
    scenarios = scenario_frame()
    workspace.write("out.scenario", scenarios.assign(scenario_order=range(1, len(scenarios) + 1)))
    workspace.progress(f"resolving {len(inputs.weapons):,} weapon profiles against {len(inputs.targets):,} targets")
    matrix = weapon_matchups(inputs.weapons, inputs.weapon_keywords, inputs.targets, scenarios)
    _write_matrix(workspace, inputs, matrix)
    loadouts = inputs.loadouts()
    workspace.progress(f"resolving {len(loadouts):,} loadouts")
    _write_loadouts(workspace, inputs, loadouts, matrix, scenarios)
    workspace.write("out.rule_lift", rule_lift(workspace, inputs, loadouts))
    workspace.finished(
        STEP,
        mark,
        TABLES,
        unresolved_weapons=records(matrix.unresolved_weapons),
        unresolved_targets=records(matrix.unresolved_targets),
        unknown_keywords=records(matrix.unknown_keywords),
    )


def _write_matrix(workspace: Workspace, inputs: Inputs, matrix: Matrix) -> None:
    targets = inputs.targets.merge(matrix.target_map, on="target_id", how="inner")
    targets["keywords"] = targets["keywords"].map(list)
    workspace.write("out.target", targets)
    representative = targets.drop_duplicates("target_sig").set_index("target_sig")
    columns = ["models", "toughness", "save", "invulnerable_save", "invulnerable_versus", "wounds", "feel_no_pain"]
    signatures = matrix.target_signature[["target_sig", "keywords"]].merge(
        representative[columns], left_on="target_sig", right_index=True
    )
    workspace.write("out.target_signature", signatures)
    workspace.write("out.attack_signature", matrix.attack_signature.rename(columns={"strength": "strength_text"}))
    workspace.write("out.weapon_signature", matrix.weapon_signature)
    workspace.write("out.signature_matchup", matrix.pair)


def _write_loadouts(
    workspace: Workspace, inputs: Inputs, loadouts: list[Loadout], matrix: Matrix, scenarios: pd.DataFrame
) -> None:
    """`out.loadout`, `out.loadout_weapon` and `out.loadout_matchup`, archetype attackers included."""
    archetypes = archetype_attackers()
    rows = [
        {
            "loadout_id": loadout.loadout_id,
            "datasheet_id": loadout.datasheet_id,
            "name": loadout.name,
            "models": loadout.models,
            "points": loadout.points,
            "points_version": inputs.version(loadout.datasheet_id),
            "items": loadout.items,
            "is_default": loadout.is_default,
            "is_inferred": loadout.is_inferred,
            "is_attacker_archetype": False,
            "half_range": False,
        }
        for loadout in loadouts
    ]
    ours = archetypes.loadouts.drop(columns=["unit", "attack_type", "datasheet_id"])
    frame = pd.DataFrame([*rows, *records(ours.assign(is_attacker_archetype=True))])
    if "items" not in frame.columns:
        frame["items"] = None
    frame["items"] = frame["items"].map(lambda items: items if isinstance(items, list) else [])
    workspace.write("out.loadout", frame)
    groups = group_frame(loadouts)
    stored = pd.concat([groups, archetypes.groups], ignore_index=True)
    workspace.write(
        "out.loadout_weapon", stored[["loadout_id", "group_order", "weapon_id", "bearers", "alternative_group"]]
    )
    weapons = pd.concat([inputs.weapons, archetypes.weapons.astype({"strength": str})], ignore_index=True)
    keywords = pd.concat([inputs.weapon_keywords, archetypes.weapon_keywords], ignore_index=True)
    workspace.write(
        "out.loadout_matchup",
        loadout_matchups(stored, weapons, keywords, inputs.targets, matrix.target_map, scenarios),
    )

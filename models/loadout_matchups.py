"""Loadouts against targets: volleys of each attack type, told which weapons they used.

Belongs here: from weapon groups with alternatives to the engine's places and options, and its answers in the columns of
`out.loadout_matchup`. Does not belong here: rules and distributions (`models.volley`), prices (views).
"""

from collections.abc import Sequence

import pandas as pd

from models.volley import Volleys, volley_matchups

FIGURES = (
    "expected_attacks",
    "expected_hits",
    "expected_wounds",
    "expected_unsaved",
    "expected_damage",
    "expected_wounds_lost",
    "expected_models_slain",
    "p_destroyed",
)
COLUMNS = ("scenario", "loadout_id", "attack_type", "target_sig", *FIGURES, "models_slain_pmf", "weapons_used")
# Loadouts times targets above which units are resolved against units in the standard scenario only.
MANY_PAIRS = 100_000
_MARK = "|"  # no slug holds it


def places(groups: pd.DataFrame, attack_types: pd.Series) -> pd.DataFrame:
    """Weapon groups as the engine takes them: one loadout per attack type, alternatives as options of one place.

    Args:
        groups: loadout_id, group_order, weapon_id, bearers, alternative_group (None: fired in any case).
        attack_types: ranged or melee by weapon_id.

    Returns:
        loadout_id (`<loadout>|<attack type>`), group_order (the place), option, weapon_id, bearers.
    """
    frame = groups.sort_values(["loadout_id", "group_order"], kind="stable")
    frame = frame.assign(loadout_id=frame["loadout_id"] + _MARK + frame["weapon_id"].map(attack_types))
    order = frame.groupby("loadout_id").cumcount()
    alternative = frame["alternative_group"].fillna("").astype(str)
    keys = alternative.where(alternative != "", "#" + order.astype(str))
    frame = frame.assign(place=order, key=keys)
    frame["place"] = frame.groupby(["loadout_id", "key"])["place"].transform("min")
    frame["option"] = frame.groupby(["loadout_id", "place"]).cumcount()
    chosen = frame[["loadout_id", "place", "option", "weapon_id", "bearers"]]
    return chosen.rename(columns={"place": "group_order"}).reset_index(drop=True)


def loadout_matchups(
    groups: pd.DataFrame,
    weapons: pd.DataFrame,
    weapon_keywords: pd.DataFrame,
    targets: pd.DataFrame,
    target_map: pd.DataFrame,
    scenarios: pd.DataFrame,
) -> pd.DataFrame:
    """Every loadout against every target signature, in the columns of `out.loadout_matchup`.

    Archetype targets are resolved in every scenario and with their distributions; other units in every scenario where
    the pairs are few, else in the standard scenario.

    Args:
        groups: as for `places`.
        targets: target rows with `target_id` and `is_archetype`.
        target_map: target_id, target_sig: the signatures that the answer speaks of.
    """
    attack_types = weapons.set_index("weapon_id")["attack_type"]
    placed = places(groups, attack_types)
    is_archetype = targets["is_archetype"].astype(bool)
    parts = [_resolved(placed, weapons, weapon_keywords, targets[is_archetype], target_map, scenarios, True)]
    seen = set(parts[0]["target_sig"])
    signatures = target_map.set_index("target_id")["target_sig"]
    others = targets[~is_archetype & ~targets["target_id"].map(signatures).isin(seen)]
    if len(others):
        many = placed["loadout_id"].nunique() * len(others) > MANY_PAIRS
        chosen = scenarios[scenarios["scenario"] == "standard"] if many else scenarios
        parts.append(_resolved(placed, weapons, weapon_keywords, others, target_map, chosen, False))
    return pd.concat(parts, ignore_index=True)


def _resolved(
    placed: pd.DataFrame,
    weapons: pd.DataFrame,
    weapon_keywords: pd.DataFrame,
    targets: pd.DataFrame,
    target_map: pd.DataFrame,
    scenarios: pd.DataFrame,
    with_pmf: bool,
) -> pd.DataFrame:
    """One run of the engine, its own target signatures translated to those of `target_map`."""
    signatures = target_map.set_index("target_id")["target_sig"]
    representatives = targets.assign(target_sig=targets["target_id"].map(signatures))
    representatives = representatives.drop_duplicates("target_sig")
    volleys = volley_matchups(
        placed,
        weapons,
        weapon_keywords,
        representatives.drop(columns=["target_sig"]),
        scenarios,
        with_pmf=with_pmf,
    )
    used = _weapons_used(volleys)
    rows = volleys.volley_signature.merge(volleys.pair, on="volley_sig")
    rows = rows.merge(used, on=["scenario", "loadout_id", "volley_sig", "target_sig"])
    names = volleys.target_map.rename(columns={"target_sig": "own_sig"})
    names["target_sig"] = names["target_id"].map(signatures)
    rows = rows.rename(columns={"target_sig": "own_sig"}).merge(names[["own_sig", "target_sig"]], on="own_sig")
    split = rows["loadout_id"].str.rsplit(_MARK, n=1, expand=True)
    rows = rows.assign(loadout_id=split[0], attack_type=split[1])
    if not with_pmf:
        rows["models_slain_pmf"] = None
    return rows[list(COLUMNS)]


def _weapons_used(volleys: Volleys) -> pd.DataFrame:
    """scenario, loadout_id, volley_sig, target_sig, weapons_used: the weapon ids in firing order.

    Most volleys have no choice, so their list holds for every target.
    """
    options = volleys.option
    keys = ["scenario", "loadout_id", "volley_sig"]
    targets = volleys.target_signature[["target_sig"]]
    choice = volleys.choice[["volley_sig", "place"]].drop_duplicates()
    marked = options.merge(choice.assign(is_choice=True), on=["volley_sig", "place"], how="left")
    is_choice = marked["is_choice"].notna()
    open_volleys = set(choice["volley_sig"])
    fixed = marked[~marked["volley_sig"].isin(open_volleys)].sort_values([*keys, "place"], kind="stable")
    plain = _lists(fixed, keys).merge(targets, how="cross")
    if not open_volleys:
        return plain
    chosen = marked[is_choice].merge(volleys.choice, on=["volley_sig", "place", "operation"])
    chosen = chosen.drop_duplicates([*keys, "target_sig", "place"])
    constant = marked[~is_choice & marked["volley_sig"].isin(open_volleys)].merge(targets, how="cross")
    both = pd.concat([chosen, constant], ignore_index=True)
    both = both.drop_duplicates([*keys, "target_sig", "place", "weapon_id"]).sort_values(
        [*keys, "target_sig", "place"], kind="stable"
    )
    return pd.concat([plain, _lists(both, [*keys, "target_sig"])], ignore_index=True)


def _lists(rows: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    grouped = rows.groupby(list(keys), sort=False)["weapon_id"].agg(list)
    return grouped.rename("weapons_used").reset_index()

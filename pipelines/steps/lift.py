"""What each rule adds: `out.rule_lift`, from the effects of rules and the default loadouts.

Belongs here: which rules a unit may use, which of their rows are in force, gains against the archetype targets. Does not
belong here: resolving (`models.volley`), reading rules (`pipelines.rules_text`).

A rule's row that the scenario decides (charging, half range, a keyword of the target) is decided by the engine; any
other condition is taken to hold and named in `assumed`, so that nobody mistakes a best case for the rule.
"""

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from multiprocessing import get_context
from typing import Any

import pandas as pd

from models.effects import NOT_MODELLED, read_effects
from models.loadout_matchups import places
from models.loadouts import Loadout
from models.scenarios import scenario_frame
from models.units import CaseError
from models.volley import volley_matchups
from pipelines.sources.records import Row
from pipelines.sources.text import slug
from pipelines.steps.effects import records
from pipelines.steps.inputs import Inputs, group_frame
from pipelines.steps.workspace import Workspace

SCENARIOS = ("standard", "close", "cover")
# Conditions that scenario and target decide; every other one is taken to hold and said so.
DECIDED = (
    "charging",
    "stationary",
    "within_half_range",
    "target_farther_than",
    "target_keyword",
    "target_keyword_any",
    "target_not_keyword_any",
    "attacker_keyword",
    "strength_greater_than_toughness",
    "critical_wound",
    "critical_hit",
)
_FIELDS = ("side", "phase", "attack_type", "kind", "weapon_filter", "scope")
# Pairs of rule and unit above which the gains are worked out in the standard scenario only, and in several processes.
MANY_PAIRS = 3_000


@dataclass(frozen=True)
class Rule:
    """A rule, or one option of it, with the rows that touch the owner's attacks."""

    origin: str
    origin_id: str
    name: str
    option: str | None
    rows: tuple[Row, ...]
    cp: int | None = None
    points: int | None = None

    @property
    def key(self) -> str:
        return f"{self.origin}:{self.origin_id}:{self.option or ''}"

    @property
    def assumed(self) -> list[str]:
        """Conditions that are taken to hold."""
        tokens = {token for row in self.rows for token in row["condition"] if token.split(":")[0] not in DECIDED}
        return sorted(tokens)


Pair = tuple[Loadout, Rule]


def rule_lift(workspace: Workspace, inputs: Inputs, loadouts: list[Loadout]) -> pd.DataFrame:
    """Gains of every rule for every unit that may use it, at its smallest size, against the archetype targets."""
    smallest = _smallest(loadouts)
    usable = _usable_rules(workspace, inputs, smallest)
    pairs = [(loadout, rule) for loadout in smallest for rule in usable.get(loadout.datasheet_id, ())]
    if not pairs:
        return pd.DataFrame()
    workspace.progress(f"gains of {len(pairs):,} pairs of rule and unit")
    archetypes = inputs.targets[inputs.targets["is_archetype"].astype(bool)]
    scenarios = scenario_frame()
    scenarios = scenarios[scenarios["scenario"].isin(SCENARIOS if len(pairs) <= MANY_PAIRS else SCENARIOS[:1])]
    parts = [_Part(inputs, some, archetypes, scenarios) for some in _split(pairs)]
    if len(parts) > 1:
        with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
            gains = list(pool.map(_gains, parts))
    else:
        gains = [_gains(part) for part in parts]
    both = pd.concat(gains, ignore_index=True)
    return _rows(both, {rule.key: rule for _, rule in pairs}, smallest, archetypes)


def _split(pairs: Sequence[Pair]) -> list[list[Pair]]:
    """The pairs in parts of about `MANY_PAIRS`, each with whole units: what bounds the memory and feeds the cores."""
    parts: list[list[Pair]] = [[]]
    for _, unit in groupby(pairs, key=lambda pair: pair[0].loadout_id):
        if len(parts[-1]) >= MANY_PAIRS:
            parts.append([])
        parts[-1].extend(unit)
    return parts


class _Part:
    """Some pairs with the weapons that they need, small enough to be sent to another process."""

    def __init__(
        self, inputs: Inputs, pairs: Sequence[Pair], archetypes: pd.DataFrame, scenarios: pd.DataFrame
    ) -> None:
        self.pairs, self.archetypes, self.scenarios = list(pairs), archetypes, scenarios
        used = {carried.weapon_id for loadout, _ in pairs for carried in loadout.carried}
        self.weapons = inputs.weapons[inputs.weapons["weapon_id"].isin(used)]
        self.weapon_keywords = inputs.weapon_keywords[inputs.weapon_keywords["weapon_id"].isin(used)]


def _gains(part: _Part) -> pd.DataFrame:
    """Wounds lost with and without each rule, where that makes a difference."""
    loadouts = {loadout.loadout_id: loadout for loadout, _ in part.pairs}.values()
    plain = _resolve(part, [(loadout, None) for loadout in loadouts])
    lifted = _resolve(part, part.pairs)
    keys = ["scenario", "loadout", "attack_type", "target_id"]
    both = lifted.merge(plain[[*keys, "lost"]], on=keys, suffixes=("_with", "_without"))
    return both[(both["lost_with"] - both["lost_without"]).abs() > 1e-9]


def _smallest(loadouts: Iterable[Loadout]) -> list[Loadout]:
    first: dict[str, Loadout] = {}
    for loadout in loadouts:
        known = first.get(loadout.datasheet_id)
        if loadout.carried and (known is None or loadout.models < known.models):
            first[loadout.datasheet_id] = loadout
    return [first[datasheet_id] for datasheet_id in sorted(first)]


# --- which rules a unit may use --------------------------------------------------------------------------------------


def _usable_rules(workspace: Workspace, inputs: Inputs, smallest: list[Loadout]) -> dict[str, list[Rule]]:
    """Rules by datasheet: its own abilities, the stratagems and detachment rules it lists, its faction's rules."""
    rules = _rules(workspace)
    by_id: dict[tuple[str, str], list[Rule]] = defaultdict(list)
    below: dict[str, list[Rule]] = defaultdict(list)
    by_faction: dict[str, list[Rule]] = defaultdict(list)
    own: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        by_id[rule.origin, rule.origin_id].append(rule)
        if rule.origin == "detachment_rule":
            for parent in _parents(rule.origin_id):
                below[parent].append(rule)
        if rule.origin == "ability":
            own[rule.rows[0]["datasheet_id"]].append(rule)
        elif rule.origin == "army_rule" and rule.rows[0]["faction"]:
            by_faction[slug(rule.rows[0]["faction"])].append(rule)
    listed: dict[str, list[Rule]] = defaultdict(list)
    for table, column, origin in (
        ("core.datasheet_stratagem", "stratagem_id", "stratagem"),
        ("core.datasheet_detachment_rule", "detachment_rule_id", "detachment_rule"),
        ("core.datasheet_enhancement", "enhancement_id", "enhancement"),
    ):
        frame = workspace.read(table)
        for datasheet_id, rule_id in zip(frame["datasheet_id"], frame[column], strict=True):
            listed[datasheet_id] += by_id.get((origin, rule_id), [])
            listed[datasheet_id] += below[rule_id] if origin == "detachment_rule" else []
    found: dict[str, list[Rule]] = {}
    for loadout in smallest:
        datasheet_id = loadout.datasheet_id
        words = inputs.keywords_of(datasheet_id)
        faction = inputs.faction_of(datasheet_id)
        mine = own[datasheet_id] + listed[datasheet_id] + (by_faction.get(slug(faction), []) if faction else [])
        kept = {rule.key: rule for rule in mine if _may_use(rule, words)}
        found[datasheet_id] = [kept[key] for key in sorted(kept)]
    return found


def _parents(rule_id: str) -> list[str]:
    """Options and granted abilities of a detachment rule have ids below that of their parent."""
    parts = rule_id.split("/")
    return ["/".join(parts[:length]) for length in range(1, len(parts))]


def _may_use(rule: Rule, keywords: set[str]) -> bool:
    """Whether the unit meets what the rule requires of its owner, as far as keywords tell."""
    for row in rule.rows:
        for token in row["requires"]:
            name, _, value = token.partition(":")
            words = set(value.upper().split("|"))
            if name == "unit_keyword" and not words <= keywords:
                return False
            if name == "unit_keyword_any" and not words & keywords:
                return False
            if name in ("unit_not_keyword", "unit_not_keyword_any") and words & keywords:
                return False
    return True


def _rules(workspace: Workspace) -> list[Rule]:
    """Every rule with modelled rows on its owner's attacks; options and alternatives stay apart."""
    frame = workspace.read("core.effect")
    frame = frame[(frame["status"] == "read") & (frame["side"] == "attacker")]
    frame = frame[frame["wording"].fillna(1) == 1]
    costs = _costs(workspace)
    grouped: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in records(frame):
        if row["scope"] == "target" or str(row["scope"]).startswith("aura"):
            continue
        for name in ("params", "condition", "requires"):
            row[name] = json.loads(row[name] or ("{}" if name == "params" else "[]"))
        option = row["source_name"] or _alternative(row)
        grouped[row["origin"], row["origin_id"], option or ""].append(row)
    rules = []
    for (origin, origin_id, option), rows in sorted(grouped.items()):
        if any(row["kind"] in NOT_MODELLED for row in rows) or not _readable(rows):
            continue
        cp, points = costs.get((origin, origin_id), (None, None))
        rules.append(Rule(origin, origin_id, rows[0]["origin_name"], option or None, tuple(rows), cp, points))
    return rules


def _alternative(row: Row) -> str | None:
    """Rows of one choice are alternatives, so each is a rule of its own."""
    options = [
        token for token in row["condition"] if token.startswith(("option_selected:", "stance_active:", "order_active:"))
    ]
    if options:
        return options[0].partition(":")[2]
    return f"{row['choice_group']} {row['effect_id'].rsplit('#', 1)[-1]}" if row["choice_group"] else None


def _readable(rows: list[Row]) -> bool:
    """Whether the engine takes the rows; what it does not know is no gain of ours to state."""
    try:
        read_effects(_engine_rows(rows))
    except CaseError:
        return False
    return True


def _engine_rows(rows: Sequence[Row]) -> list[Row]:
    """The rows of one rule as the engine takes them, so that rules that do the same are equal.

    What is chosen has been chosen and who may use the rule has been asked, so alternatives, requirements and names are
    left out, and of the conditions only those that scenario and target decide. `instead_of` counts these rows from 1.
    """
    numbers = {int(row["effect_id"].rsplit("#", 1)[-1]): place for place, row in enumerate(rows, start=1)}
    made = []
    for place, row in enumerate(rows, start=1):
        engine: Row = {name: row[name] for name in _FIELDS}
        engine |= {"params": row["params"], "effect_index": place}
        engine["condition"] = [token for token in row["condition"] if token.split(":")[0] in DECIDED]
        engine["instead_of"] = numbers.get(int(row["instead_of"])) if row["instead_of"] is not None else None
        made.append(engine)
    return made


def _costs(workspace: Workspace) -> dict[tuple[str, str], tuple[int | None, int | None]]:
    found: dict[tuple[str, str], tuple[int | None, int | None]] = {}
    for row in records(workspace.read("core.stratagem")):
        if row["wording"] == 1:
            found["stratagem", row["stratagem_id"]] = (row["cp"], None)
    for row in records(workspace.read("core.enhancement")):
        if row["wording"] == 1:
            found["enhancement", row["enhancement_id"]] = (None, row["points"])
    return found


# --- resolving -------------------------------------------------------------------------------------------------------


def _resolve(part: _Part, pairs: Sequence[tuple[Loadout, Rule | None]]) -> pd.DataFrame:
    """Expected wounds lost by scenario, loadout, rule, attack type and target."""
    base = group_frame(list({loadout.loadout_id: loadout for loadout, _ in pairs}.values()))
    placed = places(base, part.weapons.set_index("weapon_id")["attack_type"])
    by_loadout = dict(iter(placed.groupby(placed["loadout_id"].str.rsplit("|", n=1).str[0])))
    groups: list[pd.DataFrame] = []
    effects: list[Row] = []
    # Rules that do the same to a loadout are resolved once.
    numbers: dict[tuple[str, str], int] = {}
    rules: dict[int, list[str]] = defaultdict(list)
    for loadout, rule in pairs:
        rows = by_loadout.get(loadout.loadout_id)
        if rows is None:
            continue
        engine_rows = _engine_rows(rule.rows) if rule else []
        same = (loadout.loadout_id, json.dumps(engine_rows, sort_keys=True))
        number = numbers.setdefault(same, len(numbers))
        rules[number].append(rule.key if rule else "")
        if len(rules[number]) > 1:
            continue
        names = rows["loadout_id"] + f"|{number}"
        groups.append(rows.assign(loadout_id=names))
        effects += [row | {"loadout_id": name} for name in names.unique() for row in engine_rows]
    volleys = volley_matchups(
        pd.concat(groups, ignore_index=True),
        part.weapons,
        part.weapon_keywords,
        part.archetypes,
        part.scenarios,
        pd.DataFrame(effects) if effects else None,
    )
    rows = volleys.expanded()
    split = rows["loadout_id"].str.rsplit("|", n=2, expand=True)
    resolved = pd.DataFrame(
        {
            "scenario": rows["scenario"],
            "loadout": split[0],
            "attack_type": split[1],
            "number": split[2].astype(int),
            "target_id": rows["target_id"],
            "lost": rows["expected_wounds_lost"],
        }
    )
    owners = pd.DataFrame([(number, key) for number, keys in rules.items() for key in keys], columns=["number", "rule"])
    return resolved.merge(owners, on="number").drop(columns="number")


def _rows(
    both: pd.DataFrame, rules: dict[str, Rule], smallest: list[Loadout], archetypes: pd.DataFrame
) -> pd.DataFrame:
    """`out.rule_lift` with its measures and the reasons where one is undefined."""
    datasheets = {loadout.loadout_id: loadout.datasheet_id for loadout in smallest}
    worth = {row["target_id"]: row["points"] / (row["models"] * row["wounds"]) for row in archetypes.to_dict("records")}
    made: list[dict[str, Any]] = []
    for row in both.to_dict("records"):
        rule = rules[row["rule"]]
        without, lifted = float(row["lost_without"]), float(row["lost_with"])
        gain = lifted - without
        worn = gain * worth[row["target_id"]]
        made.append(
            {
                "origin": rule.origin,
                "origin_id": rule.origin_id,
                "origin_name": rule.name,
                "option": rule.option,
                "datasheet_id": datasheets[row["loadout"]],
                "loadout_id": row["loadout"],
                "attack_type": row["attack_type"],
                "scenario": row["scenario"],
                "target_id": row["target_id"],
                "cp": rule.cp,
                "points": rule.points,
                "assumed": rule.assumed,
                "wounds_lost_without": without,
                "wounds_lost_with": lifted,
                "lift_abs": gain,
                "lift": lifted / without - 1 if without > 0 else None,
                "lift_reason": None if without > 0 else "from_zero",
                "lift_per_cp": worn / rule.cp if rule.cp else None,
                "lift_per_cp_reason": None if rule.cp else "free",
                "lift_per_point": 100 * worn / rule.points if rule.points else None,
                "lift_per_point_reason": None if rule.points else ("free" if rule.points == 0 else "not_applicable"),
            }
        )
    return pd.DataFrame(made)

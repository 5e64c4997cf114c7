"""The circumstances of an attack: flags that a player can see on the table, and the eight named sets of them."""

from dataclasses import dataclass, fields
from typing import Any

import pandas as pd

RANGED, MELEE = "ranged", "melee"


@dataclass(frozen=True)
class Scenario:
    """Circumstances of one unit's attacks. Flags not named are false; `use_precision` is the attacker's choice.

    `hidden`: no model of the target is visible to the attacking unit. `engaged`: the attacking unit is within
    Engagement Range of an enemy. `twin_linked_policy`: which Wound rolls Twin-linked re-rolls (failed, non_critical).
    """

    half_range: bool = False
    stationary: bool = False
    charging: bool = False
    cover: bool = False
    overwatch: bool = False
    hidden: bool = False
    beyond_12: bool = False
    engaged: bool = False
    use_precision: bool = True
    twin_linked_policy: str = "failed"


FLAGS: tuple[str, ...] = tuple(field.name for field in fields(Scenario) if field.type in (bool, "bool"))
PUBLISHED_FLAGS: tuple[str, ...] = tuple(name for name in FLAGS if name != "use_precision")


@dataclass(frozen=True)
class NamedScenario:
    name: str
    description: str
    flags: Scenario


_NAMED = (
    NamedScenario(
        "standard", "The attacker moved; the target is in the open, beyond 12 inches.", Scenario(beyond_12=True)
    ),
    NamedScenario(
        "cover", "As standard, and the target has the Benefit of Cover.", Scenario(beyond_12=True, cover=True)
    ),
    NamedScenario(
        "stationary", "As standard, and the attacker did not move.", Scenario(beyond_12=True, stationary=True)
    ),
    NamedScenario(
        "stationary_cover",
        "The attacker did not move; the target is in cover, beyond 12 inches.",
        Scenario(beyond_12=True, stationary=True, cover=True),
    ),
    NamedScenario(
        "close",
        "Within half range or fighting after a charge; ranged weapons count as not moved.",
        Scenario(half_range=True, stationary=True, charging=True),
    ),
    NamedScenario(
        "close_cover",
        "As close, and the target has the Benefit of Cover.",
        Scenario(half_range=True, stationary=True, charging=True, cover=True),
    ),
    NamedScenario("overwatch", "Ranged weapons in Fire Overwatch: unmodified 6s hit.", Scenario(overwatch=True)),
    NamedScenario(
        "hidden",
        "No line of sight, beyond 12 inches: weapons with Indirect Fire alone.",
        Scenario(beyond_12=True, hidden=True),
    ),
)

SCENARIOS: dict[str, NamedScenario] = {scenario.name: scenario for scenario in _NAMED}


def scenario_frame() -> pd.DataFrame:
    """The eight named scenarios: scenario, description and one boolean column for each published flag."""
    rows = [
        {"scenario": named.name, "description": named.description}
        | {flag: getattr(named.flags, flag) for flag in PUBLISHED_FLAGS}
        for named in _NAMED
    ]
    return pd.DataFrame(rows)


def read_scenarios(frame: pd.DataFrame) -> dict[str, Scenario]:
    """Scenarios of a frame by name; flags that have no column are as by default."""
    columns = [name for name in FLAGS if name in frame.columns]
    found: dict[str, Scenario] = {}
    for row in frame.to_dict("records"):
        flags: dict[str, Any] = {name: bool(row[name]) for name in columns}
        found[str(row["scenario"])] = Scenario(**flags)
    return found

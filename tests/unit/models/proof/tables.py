"""Small weapons and targets as the tables that the vectorised engine takes.

Belongs here: a list of weapons, a list of targets, the eight scenarios, and their frames. The scenarios are written out
once more, so that a slip in the product's own list cannot hide. Does not belong here: expected values.
"""

from collections.abc import Mapping

import pandas as pd

from .grid import Row, attack, effect, models, modify

COLUMNS = (
    "expected_attacks",
    "expected_hits",
    "expected_wounds",
    "expected_unsaved",
    "expected_damage",
    "expected_wounds_lost",
    "expected_models_slain",
    "p_destroyed",
)

SCENARIOS: Mapping[str, dict[str, bool]] = {
    "standard": {"beyond_12": True},
    "cover": {"beyond_12": True, "cover": True},
    "stationary": {"beyond_12": True, "stationary": True},
    "stationary_cover": {"beyond_12": True, "stationary": True, "cover": True},
    "close": {"half_range": True, "stationary": True, "charging": True},
    "close_cover": {"half_range": True, "stationary": True, "charging": True, "cover": True},
    "overwatch": {"overwatch": True},
    "hidden": {"beyond_12": True, "hidden": True},
}

WEAPONS: list[Row] = [
    attack("2", 3),
    attack("1", 4, keywords=["rapid fire 1", "lethal hits"], armour_penetration=-1),
    attack("D3", 3, keywords=["blast", "indirect fire"], damage="2"),
    attack("D6", None, keywords=["torrent", "ignores cover"], strength=5, range_in=12),
    attack("1", 3, keywords=["melta 2", "heavy"], strength=9, armour_penetration=-4, damage="D6", range_in=12),
    attack("2", 4, keywords=["sustained hits 1", "heavy"], strength=5, damage="2"),
    attack("1", 3, keywords=["devastating wounds", "anti-vehicle 4+"], damage="D3", armour_penetration=-1),
    attack("2", 5, keywords=["twin-linked", "devastating wounds"], strength=8, damage="3"),
    attack("2", 3, keywords=["sustained hits d3", "lethal hits", "devastating wounds"], strength=3),
    attack(
        "1", 4, keywords=["conversion", "sustained hits 2"], strength=16, armour_penetration=-2, damage="4", range_in=36
    ),
    attack("1", 3, keywords=["precision", "psychic", "devastating wounds", "anti-infantry 3+"], damage="2"),
    attack(
        "D3+1", 3, keywords=["hazardous", "pistol", "rapid fire d3"], strength=8, armour_penetration=-3, damage="D3+1"
    ),
    attack("3", 3, attack_type="melee", keywords=["lance"], strength=6, damage="2"),
    attack("2", 2, attack_type="melee", keywords=["extra attacks", "twin-linked", "anti-infantry 2+"], strength=3),
    attack("D3", 4, attack_type="melee", keywords=["lance", "devastating wounds"], strength=10, damage="D6+1"),
    attack("2", 3, keywords=["indirect fire", "heavy", "sustained hits 1"], strength=4, damage="D3"),
    attack("1", 3, keywords=["devastating wounds", "anti-infantry 3+"]),
]
TARGETS: list[tuple[Row, tuple[str, ...], list[Row]]] = [
    (models(4, toughness=3, save=5), ("INFANTRY",), []),
    (models(10, toughness=3, save=6), ("INFANTRY",), []),
    (models(2, toughness=4, save=3, wounds=2), ("INFANTRY",), []),
    (models(2, toughness=5, save=2, wounds=3, invulnerable_save=4, feel_no_pain=5), ("INFANTRY",), []),
    (models(1, toughness=9, save=3, wounds=5), ("VEHICLE",), []),
    (
        models(1, toughness=10, save=3, wounds=7, invulnerable_save=[{"threshold": 5, "versus": "ranged"}]),
        ("VEHICLE",),
        [],
    ),
    (models(2, wounds=3, feel_no_pain=[{"threshold": 4, "versus": "mortal"}]), ("MONSTER",), []),
    (models(1, wounds=4, save=7, feel_no_pain=[{"threshold": 5, "versus": "psychic"}]), (), []),
    (models(3, save=3, wounds=2), ("INFANTRY",), [effect("stealth", "defender"), modify("D", -1, "defender")]),
    (
        models(1, toughness=8, save=3, wounds=6),
        ("VEHICLE",),
        [
            effect("halve", "defender", stat="D"),
            modify("wound_roll", -1, "defender", ["strength_greater_than_toughness"]),
            effect("feel_no_pain", "defender", threshold=5, versus=["mortal"]),
        ],
    ),
]


def keyword_parts(text: str) -> Row:
    """A weapon keyword as ``keyword``, ``value``, ``target_keyword`` and ``threshold`` of a table."""
    if text.startswith("anti-"):
        name, threshold = text.removeprefix("anti-").rsplit(" ", 1)
        return {"keyword": "anti", "value": None, "target_keyword": name.upper(), "threshold": int(threshold[0])}
    name, _, value = text.rpartition(" ")
    if name in ("rapid fire", "sustained hits", "melta"):
        return {"keyword": name, "value": value.upper(), "target_keyword": None, "threshold": None}
    return {"keyword": text, "value": None, "target_keyword": None, "threshold": None}


def weapon_frames() -> tuple[pd.DataFrame, pd.DataFrame]:
    weapons = pd.DataFrame(
        [
            {"weapon_id": f"w{place}"}
            | {name: value for name, value in row.items() if name not in ("keywords", "bearers")}
            for place, row in enumerate(WEAPONS)
        ]
    ).astype({"skill": "Int64", "range_in": "Int64"})
    keywords = pd.DataFrame(
        [
            {"weapon_id": f"w{place}"} | keyword_parts(text)
            for place, row in enumerate(WEAPONS)
            for text in row["keywords"]
        ]
    ).astype({"threshold": "Int64"})
    return weapons, keywords


def target_frame() -> pd.DataFrame:
    rows = []
    for place, (row, keywords, rules) in enumerate(TARGETS):
        invulnerable = row["invulnerable_save"]
        listed = isinstance(invulnerable, list)
        rows.append(
            {
                "target_id": f"t{place}",
                "models": row["count"],
                "toughness": row["toughness"],
                "save": row["save"],
                "invulnerable_save": invulnerable[0]["threshold"] if listed else invulnerable,
                "invulnerable_versus": invulnerable[0]["versus"] if listed else "any" if invulnerable else None,
                "wounds": row["wounds"],
                "feel_no_pain": row["feel_no_pain"],
                "keywords": keywords,
                "effects": rules,
            }
        )
    return pd.DataFrame(rows).astype({"invulnerable_save": "Int64"})


def scenario_frame() -> pd.DataFrame:
    names = sorted({flag for flags in SCENARIOS.values() for flag in flags})
    rows = [{"scenario": name} | {flag: flag in flags for flag in names} for name, flags in SCENARIOS.items()]
    return pd.DataFrame(rows)

"""Small cases for the tests of the engine; invented units."""

from typing import Any

Case = dict[str, Any]


def attack(**fields: Any) -> Case:
    plain = {
        "name": "test rifle",
        "attack_type": "ranged",
        "bearers": 1,
        "range_in": 24,
        "attacks": "6",
        "skill": 3,
        "strength": 4,
        "armour_penetration": 0,
        "damage": "1",
        "keywords": [],
    }
    return plain | fields


def models(**fields: Any) -> Case:
    return {"name": "dummy", "count": 5, "toughness": 4, "save": 7, "wounds": 1} | fields


def case(
    *attacks: Case, target: list[Case] | None = None, keywords: tuple[str, ...] = (), effects: Any = (), **flags: Any
) -> Case:
    return {
        "id": "test",
        "attacks": list(attacks) or [attack()],
        "target": {"keywords": list(keywords), "models": target or [models()]},
        "scenario": flags,
        "effects": list(effects),
    }


def effect(kind: str, side: str = "attacker", **fields: Any) -> Case:
    outside = {"condition", "requires", "weapon_filter", "choice_group", "instead_of", "phase", "attack_type"}
    row: Case = {name: value for name, value in fields.items() if name in outside}
    params = {name: value for name, value in fields.items() if name not in outside}
    return {"side": side, "kind": kind, "params": params} | row

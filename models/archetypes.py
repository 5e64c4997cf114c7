"""The yardsticks: twelve archetype targets and eight archetype attackers, as data.

Here belong the facts of those twenty archetypes and their conversion to the frames that the engine takes. Each is a
real unit's characteristics, size and price and nothing else: archetypes carry **no abilities**, so that a figure
measured against them says something about the unit measured and not about a rule of the yardstick. What does not
belong here: any dice maths (`dice`, `matrix`, `volley`), ratios (`efficiency`), and reading or writing of files.

Prices are those of one price list (November 2025), because a price without its date means nothing.
"""

from dataclasses import dataclass

import pandas as pd

PRICES_DATED = "2025-11-14"
"""Date of the one price list that every archetype's points come from."""


@dataclass(frozen=True, slots=True)
class ArchetypeTarget:
    """A unit to shoot at: identical models, no abilities.

    `save` is the number needed on the die; `invulnerable_versus` is `any`, `ranged` or `melee`, and None exactly where
    there is no invulnerable save. `points` is the price of the whole unit.
    """

    target_id: str
    name: str
    unit: str
    models: int
    points: int
    toughness: int
    save: int
    invulnerable_save: int | None
    invulnerable_versus: str | None
    wounds: int
    keywords: tuple[str, ...]
    feel_no_pain: int | None = None


@dataclass(frozen=True, slots=True)
class ArchetypeAttacker:
    """A unit of one weapon: `bearers` models of it use `weapon` and the others nothing.

    `skill` is None where the weapon hits automatically; `range_in` is in inches and None for a melee weapon;
    `keywords` are pairs of the keyword in lower case and its value, None where it takes none. `half_range` marks the
    attacker whose yardstick volley is fired within half range.
    """

    loadout_id: str
    name: str
    unit: str
    models: int
    points: int
    bearers: int
    weapon: str
    attack_type: str
    range_in: int | None
    attacks: str
    skill: int | None
    strength: int
    armour_penetration: int
    damage: str
    keywords: tuple[tuple[str, str | None], ...] = ()
    profile: str | None = None
    half_range: bool = False

    @property
    def weapon_id(self) -> str:
        """Key of the attacker's only weapon profile."""
        parts = [self.weapon.lower().replace(" ", "-"), *([self.profile] if self.profile else [])]
        return f"{self.loadout_id}/{'/'.join(parts)}"


def _target(
    target_id: str,
    name: str,
    unit: str,
    size: tuple[int, int],
    profile: tuple[int, int, int],
    invulnerable: tuple[int, str] | None,
    *keywords: str,
) -> ArchetypeTarget:
    """Build a target from (models, points), (toughness, save, wounds) and (invulnerable save, versus)."""
    threshold, versus = invulnerable or (None, None)
    models, points = size
    toughness, save, wounds = profile
    return ArchetypeTarget(target_id, name, unit, models, points, toughness, save, threshold, versus, wounds, keywords)


TARGETS: tuple[ArchetypeTarget, ...] = (
    _target("geq", "GEQ, guard", "Cadian Shock Troops", (10, 65), (3, 5, 1), None, "INFANTRY"),
    _target("leq", "Light armoured", "Strike Team", (10, 75), (3, 4, 1), None, "INFANTRY"),
    _target("horde", "Tough horde", "Boyz", (20, 170), (5, 5, 1), None, "INFANTRY"),
    _target("meq", "MEQ, marine", "Intercessor Squad", (5, 80), (4, 3, 2), None, "INFANTRY"),
    _target("gravis", "Heavy infantry", "Heavy Intercessor Squad", (5, 100), (6, 3, 3), None, "INFANTRY"),
    _target("teq", "TEQ, terminator", "Terminator Squad", (5, 170), (5, 2, 3), (4, "any"), "INFANTRY"),
    _target("custodes", "Elite of elites", "Custodian Guard", (4, 160), (6, 2, 3), (4, "any"), "INFANTRY"),
    _target("light_vehicle", "Transport", "Rhino", (1, 75), (9, 3, 10), None, "VEHICLE"),
    _target("medium_vehicle", "Battle tank", "Predator Destructor", (1, 140), (10, 3, 11), None, "VEHICLE"),
    _target("heavy_vehicle", "Heavy tank", "Land Raider", (1, 220), (12, 2, 16), None, "VEHICLE"),
    _target("monster", "Great monster", "Norn Emissary", (1, 260), (11, 2, 16), (4, "any"), "MONSTER"),
    # The only invulnerable save of the twelve that holds against one attack type alone.
    _target("knight", "Knight", "Knight Paladin", (1, 375), (11, 3, 26), (5, "ranged"), "VEHICLE", "TITANIC"),
)
"""The twelve targets, soft to hard."""

ATTACKERS: tuple[ArchetypeAttacker, ...] = (
    ArchetypeAttacker(
        loadout_id="small_arms",
        name="Small arms",
        unit="Intercessor Squad",
        models=5,
        points=80,
        bearers=5,
        weapon="Bolt rifle",
        attack_type="ranged",
        range_in=24,
        attacks="2",
        skill=3,
        strength=4,
        armour_penetration=-1,
        damage="1",
    ),
    ArchetypeAttacker(
        loadout_id="medium_fire",
        name="Medium fire",
        unit="Devastator Squad",
        models=5,
        points=120,
        bearers=4,
        weapon="Heavy bolter",
        attack_type="ranged",
        range_in=36,
        attacks="3",
        skill=4,
        strength=5,
        armour_penetration=-1,
        damage="2",
        keywords=(("sustained hits", "1"), ("heavy", None)),
    ),
    ArchetypeAttacker(
        loadout_id="flame",
        name="Flame",
        unit="Infernus Squad",
        models=5,
        points=90,
        bearers=5,
        weapon="Pyreblaster",
        attack_type="ranged",
        range_in=12,
        attacks="D6",
        skill=None,
        strength=5,
        armour_penetration=-1,
        damage="1",
        keywords=(("torrent", None), ("ignores cover", None)),
    ),
    ArchetypeAttacker(
        loadout_id="plasma",
        name="Plasma",
        unit="Hellblaster Squad",
        models=5,
        points=110,
        bearers=5,
        weapon="Plasma incinerator",
        profile="supercharge",
        attack_type="ranged",
        range_in=24,
        attacks="2",
        skill=3,
        strength=8,
        armour_penetration=-3,
        damage="2",
        keywords=(("hazardous", None), ("heavy", None)),
    ),
    ArchetypeAttacker(
        loadout_id="melta",
        name="Melta",
        unit="Eradicator Squad",
        models=3,
        points=100,
        bearers=3,
        weapon="Melta rifle",
        attack_type="ranged",
        range_in=18,
        attacks="1",
        skill=3,
        strength=9,
        armour_penetration=-4,
        damage="D6",
        keywords=(("melta", "2"), ("heavy", None)),
        half_range=True,
    ),
    ArchetypeAttacker(
        loadout_id="lascannon",
        name="Anti-tank",
        unit="Devastator Squad",
        models=5,
        points=120,
        bearers=4,
        weapon="Lascannon",
        attack_type="ranged",
        range_in=48,
        attacks="1",
        skill=4,
        strength=12,
        armour_penetration=-3,
        damage="D6+1",
        keywords=(("heavy", None),),
    ),
    ArchetypeAttacker(
        loadout_id="blades",
        name="Light blades",
        unit="Assault Intercessor Squad",
        models=5,
        points=75,
        bearers=5,
        weapon="Astartes chainsword",
        attack_type="melee",
        range_in=None,
        attacks="4",
        skill=3,
        strength=4,
        armour_penetration=-1,
        damage="1",
    ),
    ArchetypeAttacker(
        loadout_id="hammers",
        name="Heavy blades",
        unit="Terminator Assault Squad",
        models=5,
        points=180,
        bearers=5,
        weapon="Thunder hammer",
        attack_type="melee",
        range_in=None,
        attacks="3",
        skill=4,
        strength=8,
        armour_penetration=-2,
        damage="2",
        keywords=(("devastating wounds", None),),
    ),
)
"""The eight attackers, all Space Marines, so that one price list prices them; every sergeant is armed like the rest."""


@dataclass(frozen=True)
class AttackerFrames:
    """The attackers in the engine's columns.

    - `loadouts`: one row per attacker: `loadout_id`, `datasheet_id` (null: no datasheet of a book), `name`, `unit`,
      `models`, `points`, `attack_type`, `half_range`, `is_default`, `is_inferred`;
    - `groups`: one row per weapon group of a loadout: `loadout_id`, `group_order` (from 1), `weapon_id`, `bearers`;
    - `weapons`: one row per weapon profile: `weapon_id`, `weapon`, `profile`, `attack_type`, `range_in`, `attacks`,
      `skill`, `strength`, `armour_penetration`, `damage`;
    - `weapon_keywords`: one row per keyword of a profile: `weapon_id`, `keyword`, `value`, `target_keyword`,
      `threshold`.
    """

    loadouts: pd.DataFrame
    groups: pd.DataFrame
    weapons: pd.DataFrame
    weapon_keywords: pd.DataFrame


def archetype_targets() -> pd.DataFrame:
    """Return the twelve targets, one row each, soft to hard.

    Columns: `target_id`, `name`, `unit`, `models`, `points`, `toughness`, `save`, `invulnerable_save` (Int64, null:
    none), `invulnerable_versus`, `wounds`, `feel_no_pain` (Int64, null throughout), `keywords` (tuple of capitals).
    """
    frame = pd.DataFrame(
        {
            "target_id": [t.target_id for t in TARGETS],
            "name": [t.name for t in TARGETS],
            "unit": [t.unit for t in TARGETS],
            "models": [t.models for t in TARGETS],
            "points": [t.points for t in TARGETS],
            "toughness": [t.toughness for t in TARGETS],
            "save": [t.save for t in TARGETS],
            "invulnerable_save": pd.array([t.invulnerable_save for t in TARGETS], dtype="Int64"),
            "invulnerable_versus": [t.invulnerable_versus for t in TARGETS],
            "wounds": [t.wounds for t in TARGETS],
            "feel_no_pain": pd.array([t.feel_no_pain for t in TARGETS], dtype="Int64"),
        }
    )
    return frame.assign(keywords=pd.Series([t.keywords for t in TARGETS], dtype=object))


def archetype_attackers() -> AttackerFrames:
    """Return the eight attackers as the frames that the engine takes (see `AttackerFrames`)."""
    loadouts = pd.DataFrame(
        {
            "loadout_id": [a.loadout_id for a in ATTACKERS],
            "datasheet_id": pd.Series([None] * len(ATTACKERS), dtype="str"),
            "name": [a.name for a in ATTACKERS],
            "unit": [a.unit for a in ATTACKERS],
            "models": [a.models for a in ATTACKERS],
            "points": [a.points for a in ATTACKERS],
            "attack_type": [a.attack_type for a in ATTACKERS],
            "half_range": [a.half_range for a in ATTACKERS],
            "is_default": True,
            "is_inferred": False,
        }
    )
    groups = pd.DataFrame(
        {
            "loadout_id": [a.loadout_id for a in ATTACKERS],
            "group_order": 1,
            "weapon_id": [a.weapon_id for a in ATTACKERS],
            "bearers": [a.bearers for a in ATTACKERS],
        }
    )
    return AttackerFrames(loadouts, groups, _weapons(), _weapon_keywords())


def _weapons() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "weapon_id": [a.weapon_id for a in ATTACKERS],
            "weapon": [a.weapon for a in ATTACKERS],
            "profile": [a.profile for a in ATTACKERS],
            "attack_type": [a.attack_type for a in ATTACKERS],
            "range_in": pd.array([a.range_in for a in ATTACKERS], dtype="Int64"),
            "attacks": [a.attacks for a in ATTACKERS],
            "skill": pd.array([a.skill for a in ATTACKERS], dtype="Int64"),
            "strength": [a.strength for a in ATTACKERS],
            "armour_penetration": [a.armour_penetration for a in ATTACKERS],
            "damage": [a.damage for a in ATTACKERS],
        }
    )


def _weapon_keywords() -> pd.DataFrame:
    pairs = [(a.weapon_id, keyword, value) for a in ATTACKERS for keyword, value in a.keywords]
    frame = pd.DataFrame(pairs, columns=["weapon_id", "keyword", "value"])
    return frame.assign(
        # No archetype has Anti-X, the only keyword that names a target and a threshold.
        target_keyword=pd.Series([None] * len(frame), dtype="str"),
        threshold=pd.array([None] * len(frame), dtype="Int64"),
    )

"""A matchup of the command line as resolve cases, built from the published warehouse.

Belongs here: names to datasheets, loadouts, targets and rules; which rows of a rule apply. Does not belong here: showing
(`pipelines.cli_matchup`), resolving (`models.resolve`).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import duckdb
from rapidfuzz import fuzz, process

from models.archetypes import archetype_attackers
from models.resolve import resolve_case
from models.scenarios import SCENARIOS
from pipelines.sources.text import name_key
from reports.words import condition_words, effect_words, target_facts

Row = dict[str, Any]
# Conditions that a scenario decides by itself: no switch of the user.
_DECIDED = (
    "charging",
    "stationary",
    "within_half_range",
    "target_farther_than",
    "target_within",
    "target_keyword",
    "target_not_keyword",
    "attacker_keyword",
    "strength_greater_than_toughness",
    "critical_wound",
    "critical_hit",
)


class MatchupError(ValueError):
    """A name or option that does not fit; the message says what does."""


@dataclass(frozen=True)
class Request:
    """What the user asked."""

    attacker: str
    target: str
    weapon: str | None
    models: int | None
    scenario: str
    flags: tuple[str, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """One case with what to say about it."""

    case: dict[str, Any]
    attacker: str
    target: str
    attack_type: str
    scenario: str
    lines: tuple[str, ...]
    rules: tuple[tuple[str, str], ...] = ()
    switches: tuple[str, ...] = ()


def build_cases(connection: duckdb.DuckDBPyConnection, request: Request) -> list[Found]:
    """One case for the shooting phase and one for the fight phase, as far as the attacker has weapons for them.

    Raises MatchupError for an unknown or ambiguous name (with the nearest ones), or weapons that cannot attack here.
    """
    if request.scenario not in SCENARIOS:
        raise MatchupError(f"no scenario '{request.scenario}'; there are {', '.join(SCENARIOS)}")
    attacker = _attacker(connection, request)
    target = _target(connection, request.target)
    scenario = {
        name: bool(getattr(SCENARIOS[request.scenario].flags, name)) or name in request.flags
        for name in ("half_range", "stationary", "charging", "cover", "overwatch", "hidden", "beyond_12", "engaged")
    }
    rules = _rules(connection, request.rules, attacker, target)
    cases = []
    for attack_type in ("ranged", "melee"):
        groups = [
            group
            for group in attacker.groups
            if group.weapon["attack_type"] == attack_type and _can_attack(group, scenario, rules)
        ]
        if groups:
            cases.append(_case(request, attacker, target, attack_type, groups, scenario, rules))
    if not cases:
        raise MatchupError(f"{attacker.name} has no weapon that can attack in this scenario")
    return cases


def _can_attack(group: "Group", scenario: Mapping[str, bool], rules: Sequence["SwitchedOn"]) -> bool:
    """Overwatch is shooting; at a target out of sight only Indirect Fire weapons shoot, printed or granted."""
    if group.weapon["attack_type"] == "melee":
        return not (scenario["overwatch"] or scenario["hidden"])
    granted = [str(row["params"]) for rule in rules for row in rule.rows if row["kind"] == "grant_keyword"]
    return not scenario["hidden"] or any("indirect fire" in text for text in (*group.weapon["keywords"], *granted))


# --- the attacker ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """Bearers of one weapon profile; groups with one `choice` are alternatives."""

    weapon: Row
    bearers: int
    choice: str | None


@dataclass(frozen=True)
class Attacker:
    """The attacking unit with its weapon groups."""

    name: str
    datasheet_id: str | None
    faction: str | None
    models: int
    keywords: tuple[str, ...]
    groups: tuple[Group, ...]
    half_range: bool = False


def _rows(connection: duckdb.DuckDBPyConnection, sql: str, *values: Any) -> list[Row]:
    cursor = connection.execute(sql, list(values))
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _nearest(name: str, choices: Sequence[str]) -> str:
    hits = process.extract(
        name_key(name), {choice: name_key(choice) for choice in choices}, scorer=fuzz.WRatio, limit=5
    )
    return ", ".join(str(key) for _, score, key in hits if score >= 50) or "none is near"


def _datasheet(connection: duckdb.DuckDBPyConnection, name: str, what: str) -> Row:
    sheets = _rows(
        connection,
        "SELECT datasheet_id, name, faction, is_legends, is_combat_patrol FROM core.datasheet ORDER BY datasheet_id",
    )
    exact = [sheet for sheet in sheets if sheet["datasheet_id"] == name.strip().lower()]
    if exact:
        return exact[0]
    found = [sheet for sheet in sheets if name_key(sheet["name"]) == name_key(name)]
    plain = [sheet for sheet in found if not sheet["is_legends"] and not sheet["is_combat_patrol"]]
    found = plain or found
    if len(found) == 1:
        return found[0]
    if found:
        raise MatchupError(
            f"several datasheets are named '{name}'; give one id: {', '.join(s['datasheet_id'] for s in found)}"
        )
    raise MatchupError(f"no {what} '{name}'; nearest: {_nearest(name, [s['name'] for s in sheets])}")


def _attacker(connection: duckdb.DuckDBPyConnection, request: Request) -> Attacker:
    archetype = _archetype_attacker(request.attacker)
    attacker = archetype or _unit_attacker(connection, request)
    if request.weapon is None:
        return attacker
    wanted = name_key(request.weapon)
    named = [g for g in attacker.groups if wanted in (name_key(g.weapon["weapon"]), name_key(_title(g.weapon)))]
    if not named and attacker.datasheet_id:
        every = _weapons(connection, attacker.datasheet_id)
        named = [
            Group(w, request.models or 1, None) for w in every if wanted in (name_key(w["weapon"]), name_key(_title(w)))
        ]
        if not named:
            raise MatchupError(
                f"{attacker.name} has no weapon '{request.weapon}'; it has {', '.join(dict.fromkeys(_title(w) for w in every))}"
            )
    profiles = {
        (g.weapon["attack_type"]): [h for h in named if h.weapon["attack_type"] == g.weapon["attack_type"]]
        for g in named
    }
    groups = []
    for same in profiles.values():
        choice = "profile" if len({_title(g.weapon) for g in same}) > 1 else None
        bearers = request.models or sum({g.weapon["weapon_id"]: g.bearers for g in same}.values()) // len(
            {g.weapon["weapon_id"] for g in same}
        )
        groups += [Group(w, bearers, choice) for w in {g.weapon["weapon_id"]: g.weapon for g in same}.values()]
    return replace(attacker, groups=tuple(groups))


def _archetype_attacker(name: str) -> Attacker | None:
    frames = archetype_attackers()
    for loadout in frames.loadouts.to_dict("records"):
        if name.strip().lower() not in (loadout["loadout_id"], str(loadout["name"]).lower()):
            continue
        groups = frames.groups[frames.groups["loadout_id"] == loadout["loadout_id"]]
        weapons = {
            row["weapon_id"]: row
            for row in frames.weapons.astype(object).where(frames.weapons.notna(), None).to_dict("records")
        }
        keywords = frames.weapon_keywords
        made = []
        for group in groups.to_dict("records"):
            weapon: Row = {str(k): v for k, v in weapons[group["weapon_id"]].items()}
            mine = keywords[keywords["weapon_id"] == group["weapon_id"]]
            weapon["keywords"] = [
                f"{k} {v}" if isinstance(v, str) else str(k)
                for k, v in zip(mine["keyword"], mine["value"], strict=True)
            ]
            made.append(Group(weapon, int(group["bearers"]), None))
        return Attacker(
            f"{loadout['name']} ({loadout['unit']})",
            None,
            "Space Marines",
            int(loadout["models"]),
            (),
            tuple(made),
            bool(loadout["half_range"]),
        )
    return None


def _title(weapon: Row) -> str:
    return f"{weapon['weapon']} - {weapon['profile']}" if weapon["profile"] else str(weapon["weapon"])


def _weapons(connection: duckdb.DuckDBPyConnection, datasheet_id: str) -> list[Row]:
    weapons = _rows(
        connection,
        "SELECT weapon_id, weapon, profile, attack_type, range_in, attacks, skill, strength_text AS strength, armour_penetration, damage "
        "FROM core.weapon_profile WHERE datasheet_id = ? ORDER BY weapon_id",
        datasheet_id,
    )
    keywords = _rows(
        connection,
        "SELECT k.* FROM core.weapon_keyword AS k JOIN core.weapon_profile AS w USING (weapon_id) WHERE w.datasheet_id = ? "
        "AND k.is_known ORDER BY k.weapon_id, k.keyword, k.value",
        datasheet_id,
    )
    for weapon in weapons:
        weapon["keywords"] = [_printed(k) for k in keywords if k["weapon_id"] == weapon["weapon_id"]]
    return weapons


def _printed(keyword: Row) -> str:
    if keyword["keyword"] == "anti":
        return f"anti-{str(keyword['target_keyword']).lower()} {keyword['value']}"
    return f"{keyword['keyword']} {keyword['value']}" if keyword["value"] else str(keyword["keyword"])


def _unit_attacker(connection: duckdb.DuckDBPyConnection, request: Request) -> Attacker:
    names = [str(row["name"]) for row in archetype_attackers().loadouts.to_dict("records")]
    try:
        sheet = _datasheet(connection, request.attacker, "attacker")
    except MatchupError as error:
        raise MatchupError(f"{error} (archetype attackers: {', '.join(names)})") from error
    datasheet_id = sheet["datasheet_id"]
    loadouts = _rows(
        connection, "SELECT * FROM out.loadout WHERE datasheet_id = ? AND is_default ORDER BY models", datasheet_id
    )
    weapons = {weapon["weapon_id"]: weapon for weapon in _weapons(connection, datasheet_id)}
    if not loadouts or not weapons:
        raise MatchupError(
            f"no source states a weapon of {sheet['name']} ({sheet['datasheet_id']}): it can only be a target here"
        )
    wanted = request.models if request.weapon is None else None
    loadout = next((row for row in loadouts if row["models"] == wanted), None) if wanted else loadouts[0]
    scale = 1.0
    if loadout is None:
        loadout = loadouts[0]
        scale = (wanted or 1) / loadout["models"]
    carried = _rows(
        connection, "SELECT * FROM out.loadout_weapon WHERE loadout_id = ? ORDER BY group_order", loadout["loadout_id"]
    )
    if scale != 1.0 and len({row["bearers"] for row in carried}) > 1:
        sizes = ", ".join(str(row["models"]) for row in loadouts)
        raise MatchupError(
            f"{sheet['name']} carries unlike weapons, so only its sizes {sizes} are known; or name a --weapon"
        )
    keywords = _rows(
        connection, "SELECT keyword FROM core.keyword WHERE datasheet_id = ? ORDER BY keyword", datasheet_id
    )
    groups = tuple(
        Group(weapons[row["weapon_id"]], round(row["bearers"] * scale), row["alternative_group"]) for row in carried
    )
    models = wanted or int(loadout["models"])
    return Attacker(
        str(sheet["name"]), datasheet_id, sheet["faction"], models, tuple(row["keyword"] for row in keywords), groups
    )


# --- the target ------------------------------------------------------------------------------------------------------


def _target(connection: duckdb.DuckDBPyConnection, name: str) -> Row:
    targets = _rows(connection, "SELECT * FROM out.target ORDER BY is_archetype DESC, target_order, target_id")
    for target in targets:
        if target["is_archetype"] and name_key(name) in (name_key(target["target_id"]), name_key(target["name"])):
            return target
    archetypes = ", ".join(target["target_id"] for target in targets if target["is_archetype"])
    try:
        sheet = _datasheet(connection, name, "target")
    except MatchupError as error:
        raise MatchupError(f"{error} (archetypes: {archetypes})") from error
    found = next((target for target in targets if target["target_id"] == sheet["datasheet_id"]), None)
    if found is None:
        raise MatchupError(f"no source states the characteristics of {sheet['name']}, so it cannot be a target")
    return found


def _target_case(target: Row) -> Row:
    invulnerable: Any = target["invulnerable_save"]
    if invulnerable is not None and target["invulnerable_versus"] not in (None, "any"):
        invulnerable = [{"threshold": invulnerable, "versus": target["invulnerable_versus"]}]
    return {
        "keywords": json.loads(target["keywords"]) if isinstance(target["keywords"], str) else list(target["keywords"]),
        "models": [
            {
                "name": target["name"],
                "count": target["models"],
                "toughness": target["toughness"],
                "save": target["save"],
                "invulnerable_save": invulnerable,
                "wounds": target["wounds"],
                "feel_no_pain": target["feel_no_pain"],
            }
        ],
    }


# --- rules -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SwitchedOn:
    """A rule by name with its rows, seen from this attack."""

    name: str
    rows: tuple[Row, ...]


def _rules(
    connection: duckdb.DuckDBPyConnection, names: Sequence[str], attacker: Attacker, target: Row
) -> list[SwitchedOn]:
    if not names:
        return []
    sql = """
        SELECT e.*, coalesce(s.is_listed, FALSE) AS is_listed FROM core.effect AS e
        LEFT JOIN (SELECT DISTINCT stratagem_id, TRUE AS is_listed FROM core.datasheet_stratagem WHERE datasheet_id IN (?, ?)) AS s
          ON e.origin = 'stratagem' AND s.stratagem_id = e.origin_id
        WHERE coalesce(e.wording, 1) = 1
          AND (e.datasheet_id IS NULL OR e.datasheet_id IN (?, ?))
        ORDER BY e.effect_id
    """
    ids = (attacker.datasheet_id, target["datasheet_id"])
    rows = _rows(connection, sql, *ids, *ids)
    return [_rule(name, rows, attacker, target) for name in names]


def _rule(name: str, rows: list[Row], attacker: Attacker, target: Row) -> SwitchedOn:
    wanted = name_key(name)
    named = [row for row in rows if wanted in (name_key(row["origin_name"]), name_key(row["source_name"] or ""))]
    if not named:
        known = sorted({str(row["origin_name"]) for row in rows if row["status"] == "read"})
        raise MatchupError(f"no rule '{name}'; nearest: {_nearest(name, known)}")
    best = min(named, key=lambda row: _fit(row, attacker, target))
    mine = [row for row in named if (row["origin"], row["origin_id"]) == (best["origin"], best["origin_id"])]
    parts = [row for row in mine if name_key(row["source_name"] or "") == wanted] or mine
    if best["status"] == "not_understood":
        raise MatchupError(
            f"'{best['origin_name']}' was not understood (stopped at: {best['stopped_at']}), so it is in no figure"
        )
    side = (
        "defender"
        if target["datasheet_id"] and best["datasheet_id"] == target["datasheet_id"] != attacker.datasheet_id
        else None
    )
    usable = [
        row
        for row in parts
        if row["kind"] not in (None, "none")
        and (side is None or row["side"] == side)
        and "self_inflicted" not in (row["condition"] or "")
    ]
    if not usable:
        raise MatchupError(f"'{best['origin_name']}' changes no attack ({best['category'] or 'no effect'})")
    return SwitchedOn(str(best["origin_name"]), tuple(usable))


def _fit(row: Row, attacker: Attacker, target: Row) -> tuple[int, str]:
    """Own abilities first, then listed stratagems, then rules of the factions, then the rest."""
    factions = (attacker.faction, target["faction"])
    if attacker.datasheet_id and row["datasheet_id"] == attacker.datasheet_id:
        return 0, row["effect_id"]
    if target["datasheet_id"] and row["datasheet_id"] == target["datasheet_id"]:
        return 1, row["effect_id"]
    if row["is_listed"]:
        return 2, row["effect_id"]
    return (3 if row["faction"] and row["faction"] in factions else 4), row["effect_id"]


def effect_case(row: Row) -> Row:
    """A row of `core.effect` as `resolve` takes it."""
    case = {
        name: row[name]
        for name in ("side", "phase", "attack_type", "kind", "weapon_filter", "choice_group", "instead_of", "scope")
    }
    case["params"] = json.loads(row["params"] or "{}")
    case["condition"] = json.loads(row["condition"] or "[]")
    case["requires"] = json.loads(row["requires"] or "[]")
    case["effect_id"] = row["effect_id"]
    case["effect_index"] = int(str(row["effect_id"]).rsplit("#", 1)[-1])
    case |= {name: row[name] for name in ("origin", "origin_id", "origin_name")}
    return case


# --- the case --------------------------------------------------------------------------------------------------------


def _attack(group: Group) -> Row:
    weapon = group.weapon
    return {
        "name": _title(weapon),
        "attack_type": weapon["attack_type"],
        "bearers": group.bearers,
        "range_in": weapon["range_in"],
        "attacks": str(weapon["attacks"]),
        "skill": weapon["skill"],
        "strength": int(weapon["strength"]) if str(weapon["strength"]).isdigit() else weapon["strength"],
        "armour_penetration": weapon["armour_penetration"],
        "damage": str(weapon["damage"]),
        "keywords": list(weapon["keywords"]),
    }


def _case(
    request: Request,
    attacker: Attacker,
    target: Row,
    attack_type: str,
    groups: Sequence[Group],
    scenario: dict[str, bool],
    rules: Sequence[SwitchedOn],
) -> Found:
    flags = dict(scenario)
    if attacker.half_range:
        flags["half_range"] = True
    effects = [effect_case(row) for rule in rules for row in rule.rows]
    attacker_part = {"keywords": list(attacker.keywords)} if attacker.keywords else None
    base = {
        "id": f"{attacker.name} v {target['name']}",
        "target": _target_case(target),
        "scenario": flags,
        "effects": effects,
    }
    if attacker_part:
        base["attacker"] = attacker_part
    chosen = _choose(base, groups)
    lines = [
        f"{group.bearers} x {_title(group.weapon)}: A{group.weapon['attacks']} "
        f"{'automatic hits' if group.weapon['skill'] is None else str(group.weapon['skill']) + '+'} S{group.weapon['strength']} "
        f"AP{group.weapon['armour_penetration']} D{group.weapon['damage']}"
        + (f" [{', '.join(group.weapon['keywords'])}]" if group.weapon["keywords"] else "")
        for group in chosen
    ]
    lines.append(f"target: {target_facts(target)}")
    switches = sorted(
        {
            condition_words(token)
            for effect in effects
            for token in effect["condition"]
            if not token.startswith(_DECIDED)
        }
    )
    words = tuple((rule.name, "; ".join(effect_words(row) for row in rule.rows)) for rule in rules)
    title = f"{attacker.name} ({attacker.models})" if request.weapon is None else attacker.name
    return Found(
        base | {"attacks": [_attack(group) for group in chosen]},
        title,
        str(target["name"]),
        attack_type,
        request.scenario + "".join(f" + {flag}" for flag in request.flags),
        tuple(lines),
        words,
        tuple(switches),
    )


def _choose(base: Row, groups: Sequence[Group]) -> list[Group]:
    """Of alternatives the one that takes most wounds off this target, judged alone."""
    chosen = [group for group in groups if not group.choice]
    for choice in dict.fromkeys(group.choice for group in groups if group.choice):
        options = [group for group in groups if group.choice == choice]
        answers = [resolve_case(base | {"attacks": [_attack(group)]}) for group in options]
        scores = [answer.get("expected_wounds_lost", -1.0) for answer in answers]
        chosen.append(options[max(range(len(options)), key=lambda i: (scores[i], -i))])
    return chosen

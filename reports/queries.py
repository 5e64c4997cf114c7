"""What the pages ask the published warehouse: one ordered query per table, grouped in Python.

Belongs here: SQL. Does not belong here: words, rounding, HTML.
"""

from typing import Any

import duckdb

SHEETS = """
    SELECT datasheet_id, name, coalesce(faction, 'No faction') AS faction, book, is_combat_patrol, is_legends, role,
           role_group, name_is_inferred, has_lost_text
    FROM core.datasheet ORDER BY faction, name, datasheet_id
"""
TARGETS = """
    SELECT * FROM out.target WHERE is_archetype ORDER BY target_order
"""
UNIT_TARGETS = """
    SELECT * FROM out.target WHERE NOT is_archetype ORDER BY target_id
"""
PROFILES = "SELECT * FROM core.model_profile ORDER BY datasheet_id, profile"
KEYWORDS = (
    "SELECT datasheet_id, keyword, is_faction, file_id FROM core.keyword ORDER BY datasheet_id, is_faction, keyword"
)
WEAPONS = (
    "SELECT * FROM core.weapon_profile ORDER BY datasheet_id, attack_type DESC, weapon, profile NULLS FIRST, weapon_id"
)
WEAPON_KEYWORDS = """
    SELECT weapon_id, string_agg(
        CASE WHEN keyword = 'anti' THEN 'anti-' || lower(target_keyword) || ' ' || value
             WHEN value IS NULL THEN keyword ELSE keyword || ' ' || value END, ', ' ORDER BY keyword, value) AS keywords
    FROM core.weapon_keyword GROUP BY weapon_id ORDER BY weapon_id
"""
LOADOUTS = "SELECT * FROM out.loadout ORDER BY datasheet_id, models, loadout_id"
COSTS = "SELECT * FROM core.unit_cost ORDER BY datasheet_id, models, condition NULLS FIRST"
HISTORY = "SELECT * FROM out.points_history ORDER BY datasheet_id, models, condition NULLS FIRST"
SCENARIO_ROWS = "SELECT * FROM out.scenario ORDER BY scenario_order"
FILES = "SELECT * FROM raw.file ORDER BY path"
QUARANTINE = """
    SELECT f.path, q.locator, q.text, q.reason FROM raw.quarantine AS q
    LEFT JOIN (SELECT file_id, min(path) AS path FROM raw.file GROUP BY file_id) AS f ON f.file_id = q.file_id
    ORDER BY f.path, q.locator, q.text
"""
NOTICES = """
    SELECT f.path, n.text FROM raw.notice AS n
    LEFT JOIN (SELECT file_id, min(path) AS path FROM raw.file GROUP BY file_id) AS f ON f.file_id = n.file_id
    ORDER BY f.path NULLS LAST, n.text
"""
LINES = """
    SELECT f.path, l.disposition, count(*) AS lines
    FROM raw.line AS l JOIN (SELECT file_id, min(path) AS path FROM raw.file GROUP BY file_id) AS f ON f.file_id = l.file_id
    GROUP BY f.path, l.disposition ORDER BY f.path, l.disposition
"""
CONFLICT_KINDS = """
    SELECT regexp_replace(attribute, '\\[.*', '') AS attribute, reason, count(*) AS conflicts, min(entity_id) AS example
    FROM core.conflict GROUP BY 1, 2 ORDER BY conflicts DESC, attribute, reason
"""
SHEET_CONFLICTS = """
    SELECT c.*, k.path AS kept_path, o.path AS other_path
    FROM core.conflict AS c
    LEFT JOIN (SELECT file_id, min(path) AS path FROM raw.file GROUP BY file_id) AS k ON k.file_id = c.kept_file_id
    LEFT JOIN (SELECT file_id, min(path) AS path FROM raw.file GROUP BY file_id) AS o ON o.file_id = c.other_file_id
    ORDER BY c.entity_id, c.attribute, o.path, c.other_value
"""
CHECKS = "SELECT * FROM meta.check ORDER BY passed, severity, check_name, table_name, column_name"
EFFECTS = """
    SELECT origin, origin_id, origin_name, datasheet_id, detachment, faction, status, category, stopped_at, side, phase,
           attack_type, kind, params, condition, scope, source_name, effect_id
    FROM core.effect ORDER BY origin, origin_id, effect_id
"""
STATUSES = """
    WITH texts AS (SELECT DISTINCT origin, origin_id, wording, status FROM core.effect)
    SELECT origin, status, count(*) AS texts FROM texts GROUP BY origin, status ORDER BY origin, status
"""
UNREAD = """
    SELECT stopped_at, count(*) AS texts, min(origin_name) AS example, min(origin) AS origin
    FROM (SELECT DISTINCT origin, origin_id, origin_name, wording, stopped_at FROM core.effect WHERE status = 'not_understood')
    GROUP BY stopped_at ORDER BY texts DESC, stopped_at LIMIT 200
"""
SHEET_STRATAGEMS = """
    SELECT ds.datasheet_id, ds.stratagem_id, any_value(s.name) AS name, any_value(s.detachment) AS detachment,
           any_value(s.cp) AS cp, any_value(s.type) AS type
    FROM core.datasheet_stratagem AS ds JOIN core.stratagem AS s ON s.stratagem_id = ds.stratagem_id AND s.wording = 1
    GROUP BY ALL ORDER BY ds.datasheet_id, ds.stratagem_id
"""
UNIT_MATCHUPS = """
    SELECT scenario, datasheet_id, loadout_id, models, points, attack_type, target_id, expected_attacks, expected_hits,
           expected_wounds, expected_unsaved, expected_damage, expected_wounds_lost, expected_models_slain, p_destroyed,
           models_slain_pmf, points_per_expected_wound, points_per_expected_wound_reason, wounds_per_100_points,
           wounds_per_100_points_reason, points_return, points_return_reason, worn_return, worn_return_reason,
           overkill_share, overkill_share_reason
    FROM out.unit_matchup
    WHERE is_default AND is_archetype AND NOT is_attacker_archetype AND scenario IN ('standard', 'close', 'cover')
    ORDER BY datasheet_id, models, loadout_id, scenario, attack_type DESC, target_id
"""
WEAPON_MATCHUPS = """
    SELECT m.weapon_id, m.target_id, m.expected_wounds_lost, m.points_per_expected_wound,
           m.points_per_expected_wound_reason, m.wounds_per_100_points, m.wounds_per_100_points_reason,
           m.expected_wounds_lost / (t.models * t.wounds) AS share_of_target,
           CASE WHEN m.points_per_bearer > 0
                THEN t.points * m.expected_wounds_lost / (t.models * t.wounds) / m.points_per_bearer END AS worn_return
    FROM out.weapon_matchup AS m JOIN out.target AS t ON t.target_id = m.target_id
    WHERE m.is_archetype AND m.scenario = 'standard'
    ORDER BY m.weapon_id, t.target_order
"""
DURABILITY = """
    SELECT loadout_id, loadout, attack_type, attacker_points, target_id, expected_wounds_lost, expected_models_slain,
           p_destroyed, wounds_lost_per_100, wounds_lost_per_100_reason, points_lost_per_100, points_lost_per_100_reason
    FROM out.durability WHERE scenario = 'standard' OR (scenario = 'close' AND loadout_id = 'melta')
    ORDER BY target_id, loadout_id, scenario
"""
RULE_LIFT = """
    SELECT r.*, l.name AS loadout FROM out.rule_lift AS r LEFT JOIN out.loadout AS l ON l.loadout_id = r.loadout_id
    WHERE r.scenario = 'standard' AND r.lift_abs <> 0
    QUALIFY row_number() OVER (
        PARTITION BY r.datasheet_id, r.origin_id, r.attack_type ORDER BY r.lift_abs DESC, r.target_id, r.loadout_id) = 1
    ORDER BY r.datasheet_id, r.lift_abs DESC, r.origin_id, r.target_id
"""
BUILD = "SELECT * FROM meta.build"


def records(connection: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    """A query's rows as dicts with None for NULL."""
    cursor = connection.execute(sql)
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

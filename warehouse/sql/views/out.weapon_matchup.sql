-- Every scenario, weapon profile and target, one bearer. A bearer costs an equal share of the smallest size of its unit.
WITH bearer AS (
    SELECT datasheet_id, CAST(points AS DOUBLE) / models AS points
    FROM core.unit_cost
    WHERE condition IS NULL AND models > 0
    QUALIFY row_number() OVER (PARTITION BY datasheet_id ORDER BY models) = 1
)
SELECT
    s.scenario,
    s.weapon_id,
    t.target_id,
    w.weapon,
    w.profile,
    w.attack_type,
    w.datasheet_id,
    d.name AS datasheet,
    d.faction,
    d.is_legends,
    d.is_combat_patrol,
    t.name AS target,
    t.is_archetype,
    t.models AS target_models,
    t.points AS target_points,
    m.expected_attacks,
    m.expected_hits,
    m.expected_wounds,
    m.expected_unsaved,
    m.expected_damage,
    m.expected_wounds_lost,
    m.expected_models_slain,
    m.p_destroyed,
    b.points AS points_per_bearer,
    CASE WHEN b.points IS NULL THEN 'no_points' END AS points_per_bearer_reason,
    b.points / nullif(CAST(m.expected_wounds_lost AS DOUBLE), 0) AS points_per_expected_wound,
    CASE WHEN b.points IS NULL THEN 'no_points' WHEN m.expected_wounds_lost = 0 THEN 'zero_damage' END
        AS points_per_expected_wound_reason,
    100 * CAST(m.expected_wounds_lost AS DOUBLE) / nullif(b.points, 0) AS wounds_per_100_points,
    CASE WHEN b.points IS NULL THEN 'no_points' WHEN b.points = 0 THEN 'free' END AS wounds_per_100_points_reason,
    CASE WHEN m.expected_damage > 0 THEN greatest(0, 1 - CAST(m.expected_wounds_lost AS DOUBLE) / m.expected_damage) END
        AS overkill_share,
    CASE WHEN m.expected_damage = 0 THEN 'zero_damage' END AS overkill_share_reason
FROM out.weapon_signature AS s
JOIN out.signature_matchup AS m ON m.attack_sig = s.attack_sig
JOIN out.target AS t ON t.target_sig = m.target_sig
JOIN core.weapon_profile AS w ON w.weapon_id = s.weapon_id
JOIN core.datasheet AS d ON d.datasheet_id = w.datasheet_id
LEFT JOIN bearer AS b ON b.datasheet_id = w.datasheet_id

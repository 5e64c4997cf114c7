-- Every scenario, loadout and target. C is the attacker's price, V the target's, H the target's wounds, N its models.
WITH pair AS (
    SELECT
        m.* EXCLUDE (models_slain_pmf),
        CASE WHEN t.is_archetype THEN m.models_slain_pmf END AS models_slain_pmf,
        l.datasheet_id, l.models, l.points, l.name AS loadout, l.is_default, l.is_attacker_archetype,
        t.target_id, t.name AS target, t.is_archetype, t.models AS target_models, t.points AS target_points,
        CAST(m.expected_wounds_lost AS DOUBLE) AS lost,
        CAST(m.expected_damage AS DOUBLE) AS dealt,
        CAST(t.points AS DOUBLE) / t.models * m.expected_models_slain AS slain_points,
        CAST(t.points AS DOUBLE) * m.expected_wounds_lost / (t.models * t.wounds) AS lost_points
    FROM out.loadout_matchup AS m
    JOIN out.loadout AS l ON l.loadout_id = m.loadout_id
    JOIN out.target AS t ON t.target_sig = m.target_sig
)
SELECT
    p.scenario,
    p.datasheet_id,
    p.loadout_id,
    p.models,
    p.points,
    p.attack_type,
    p.target_id,
    coalesce(d.name, p.loadout) AS datasheet,
    p.loadout,
    d.faction,
    p.is_default,
    p.is_attacker_archetype,
    d.is_legends,
    d.is_combat_patrol,
    p.target,
    p.is_archetype,
    p.target_models,
    p.target_points,
    p.expected_attacks,
    p.expected_hits,
    p.expected_wounds,
    p.expected_unsaved,
    p.expected_damage,
    p.expected_wounds_lost,
    p.expected_models_slain,
    p.p_destroyed,
    p.models_slain_pmf,
    p.weapons_used,
    p.points / nullif(p.lost, 0) AS points_per_expected_wound,
    CASE WHEN p.points IS NULL THEN 'no_points' WHEN p.lost = 0 THEN 'zero_damage' END AS points_per_expected_wound_reason,
    100 * p.lost / nullif(p.points, 0) AS wounds_per_100_points,
    CASE WHEN p.points IS NULL THEN 'no_points' WHEN p.points = 0 THEN 'free' END AS wounds_per_100_points_reason,
    p.slain_points AS points_destroyed,
    CASE WHEN p.target_points IS NULL THEN 'no_target_points' END AS points_destroyed_reason,
    p.slain_points / nullif(p.points, 0) AS points_return,
    CASE WHEN p.points IS NULL THEN 'no_points' WHEN p.target_points IS NULL THEN 'no_target_points' WHEN p.points = 0 THEN 'free' END
        AS points_return_reason,
    p.lost_points AS points_worn,
    CASE WHEN p.target_points IS NULL THEN 'no_target_points' END AS points_worn_reason,
    p.lost_points / nullif(p.points, 0) AS worn_return,
    CASE WHEN p.points IS NULL THEN 'no_points' WHEN p.target_points IS NULL THEN 'no_target_points' WHEN p.points = 0 THEN 'free' END
        AS worn_return_reason,
    CASE WHEN p.dealt > 0 THEN greatest(0, 1 - p.lost / p.dealt) END AS overkill_share,
    CASE WHEN p.dealt = 0 THEN 'zero_damage' END AS overkill_share_reason
FROM pair AS p
LEFT JOIN core.datasheet AS d ON d.datasheet_id = p.datasheet_id

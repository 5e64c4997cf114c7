-- What 100 points of each archetype attacker take off a unit. One real volley, scaled; NULL prices leave wounds only.
SELECT
    u.scenario,
    u.loadout_id,
    u.loadout,
    u.attack_type,
    u.points AS attacker_points,
    u.target_id,
    u.target,
    t.datasheet_id,
    t.faction,
    u.target_models,
    u.target_points,
    u.expected_wounds_lost,
    u.expected_models_slain,
    u.p_destroyed,
    u.wounds_per_100_points AS wounds_lost_per_100,
    u.wounds_per_100_points_reason AS wounds_lost_per_100_reason,
    100 * u.worn_return AS points_lost_per_100,
    u.worn_return_reason AS points_lost_per_100_reason
FROM out.unit_matchup AS u
JOIN out.target AS t ON t.target_id = u.target_id
WHERE u.is_attacker_archetype AND NOT t.is_archetype

-- The units that lose fewest points to 100 points of each archetype attacker.
SELECT loadout AS attacker, target AS unit, faction, target_models AS models, target_points AS points,
    points_lost_per_100, expected_wounds_lost, p_destroyed
FROM out.durability
WHERE scenario = 'standard' AND points_lost_per_100 IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY loadout_id, attack_type ORDER BY points_lost_per_100, target_id) <= 10
ORDER BY loadout, points_lost_per_100, target

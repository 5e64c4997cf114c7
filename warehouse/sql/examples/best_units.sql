-- The units that take most wounds for their points off each archetype: default equipment, no Legends, one row for each
-- attack type.
SELECT
    target, attack_type, datasheet, faction, models, points,
    wounds_per_100_points, points_per_expected_wound, worn_return, points_return
FROM out.unit_matchup
WHERE scenario = 'standard' AND is_archetype AND is_default AND NOT is_attacker_archetype AND NOT is_legends
    AND wounds_per_100_points IS NOT NULL
QUALIFY row_number() OVER (
    PARTITION BY target_id, attack_type ORDER BY wounds_per_100_points DESC, loadout_id) = 1
ORDER BY target, attack_type

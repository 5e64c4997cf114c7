-- The ten weapons that take most wounds for their points off a target of T10, 3+ and 12 wounds.
-- The nearest target is taken where none has exactly this line (see target, toughness, save, wounds in the answer).
WITH wanted AS (
    SELECT target_id, toughness, save, wounds
    FROM out.target
    WHERE models = 1 AND NOT is_mixed
    ORDER BY
        abs(toughness - 10) * 3 + abs(save - 3) * 3 + abs(wounds - 12),
        invulnerable_save IS NOT NULL, feel_no_pain IS NOT NULL, is_archetype DESC, target_id
    LIMIT 1
)
SELECT
    rank() OVER (ORDER BY m.wounds_per_100_points DESC) AS rank,
    m.weapon, m.profile, m.datasheet, m.faction,
    round(m.points_per_bearer, 1) AS points_per_bearer,
    m.expected_wounds_lost,
    m.wounds_per_100_points,
    m.points_per_expected_wound,
    m.target, t.toughness, t.save, t.wounds
FROM out.weapon_matchup AS m
JOIN wanted AS t ON t.target_id = m.target_id
WHERE m.scenario = 'standard' AND m.wounds_per_100_points > 0 AND NOT m.is_legends
ORDER BY m.wounds_per_100_points DESC, m.weapon_id
LIMIT 10

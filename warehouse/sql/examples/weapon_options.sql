-- Which weapon to take: the profiles of each datasheet side by side, one bearer, and what each takes off three targets.
-- Look for the row with the highest figure in the column of what you expect to meet; core.wargear_option says what
-- replaces what.
SELECT
    datasheet, faction, attack_type, weapon, profile,
    round(max(expected_wounds_lost) FILTER (target_id = 'meq'), 2) AS marine,
    round(max(expected_wounds_lost) FILTER (target_id = 'teq'), 2) AS terminator,
    round(max(expected_wounds_lost) FILTER (target_id = 'heavy_vehicle'), 2) AS heavy_tank
FROM out.weapon_matchup
WHERE scenario = 'standard' AND is_archetype AND NOT is_legends
GROUP BY datasheet_id, datasheet, faction, attack_type, weapon_id, weapon, profile
ORDER BY faction NULLS LAST, datasheet, datasheet_id, attack_type DESC, marine DESC, weapon_id

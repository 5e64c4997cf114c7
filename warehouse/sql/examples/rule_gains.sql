-- What a stratagem buys: the five uses of a command point that wear most points off each archetype, default equipment.
-- `assumed` lists what must hold for the gain; a gain of 5 means 5 points of the target for 1 CP.
SELECT
    g.target_id AS target, g.origin_name AS stratagem, g.option, d.name AS datasheet, l.models, g.attack_type, g.cp,
    round(g.wounds_lost_without, 2) AS wounds_without, round(g.wounds_lost_with, 2) AS wounds_with,
    round(g.lift_per_cp, 1) AS points_worn_per_cp, g.assumed
FROM out.rule_lift AS g
JOIN out.loadout AS l ON l.loadout_id = g.loadout_id
JOIN core.datasheet AS d ON d.datasheet_id = g.datasheet_id
WHERE g.origin = 'stratagem' AND g.scenario = 'standard' AND NOT d.is_legends AND NOT d.is_combat_patrol
QUALIFY row_number() OVER (
    PARTITION BY g.target_id ORDER BY g.lift_per_cp DESC NULLS LAST, g.origin_id, g.loadout_id, g.attack_type) <= 5
ORDER BY g.target_id, g.lift_per_cp DESC NULLS LAST, stratagem, datasheet

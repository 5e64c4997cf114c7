-- Where each weapon profile was read: file, place in it, and the date the file states. The other core tables work alike.
SELECT
    w.weapon_id, w.attacks, w.skill, w.strength_text AS strength, w.armour_penetration, w.damage,
    f.path, w.line_no, w.locator, f.kind, f.version, f.dated
FROM core.weapon_profile AS w
JOIN (SELECT file_id, min_by(COLUMNS(* EXCLUDE (file_id)), path) FROM raw.file GROUP BY file_id) AS f
    ON f.file_id = w.file_id
ORDER BY w.weapon_id

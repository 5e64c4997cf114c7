-- What the figures leave out, sheet by sheet: rules that could not be read, and attack rules outside the vocabulary.
SELECT
    d.name AS datasheet, d.faction, e.origin_name AS rule, e.origin,
    CASE WHEN e.status = 'not_understood' THEN 'not understood' ELSE 'not modelled' END AS why,
    coalesce(e.stopped_at, json_extract_string(e.params, '$.summary')) AS clause
FROM core.effect AS e
JOIN core.datasheet AS d ON d.datasheet_id = e.datasheet_id
WHERE e.status = 'not_understood' OR e.kind = 'other_attack'
ORDER BY d.faction NULLS LAST, d.name, d.datasheet_id, e.effect_id

-- Every change of a price, newest first.
SELECT d.name AS datasheet, d.faction, h.models, h.condition, h.version, h.dated, h.points - h.change AS before, h.points, h.change
FROM out.points_history AS h
JOIN core.datasheet AS d ON d.datasheet_id = h.datasheet_id
WHERE h.change <> 0
ORDER BY h.dated DESC NULLS LAST, abs(h.change) DESC, h.datasheet_id, h.models

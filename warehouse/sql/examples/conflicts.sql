-- Facts on which sources disagree, with the files that state them.
SELECT c.entity_id, c.attribute, c.kept_value, k.path AS kept_from, c.other_value, o.path AS other_from, c.reason
FROM core.conflict AS c
JOIN raw.file AS k ON k.file_id = c.kept_file_id
JOIN raw.file AS o ON o.file_id = c.other_file_id
ORDER BY c.entity_id, c.attribute, other_from

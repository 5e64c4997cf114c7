-- What became of the lines of each text file.
SELECT
    f.path, count(*) AS lines,
    count(*) FILTER (WHERE l.disposition = 'parsed') AS parsed,
    count(*) FILTER (WHERE l.disposition = 'repeat') AS repeated,
    count(*) FILTER (WHERE l.disposition = 'reference') AS reference,
    count(*) FILTER (WHERE l.disposition = 'decoration') AS decoration,
    count(*) FILTER (WHERE l.disposition = 'quarantined') AS quarantined
FROM raw.line AS l
JOIN raw.file AS f ON f.file_id = l.file_id
GROUP BY f.path
ORDER BY quarantined DESC, f.path

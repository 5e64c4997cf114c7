"""Reader of points lists kept as text (`munitorum_text`): bytes in, prices and line claims out.

Belongs here: lines with their numbers, handed to the grammar of `points_list`. Does not belong here: that grammar.
"""

from pipelines.sources.points_list import PointsLine, read_points
from pipelines.sources.recognise import decode_text
from pipelines.sources.records import RawFile, ReadResult


def read(data: bytes, file: RawFile) -> ReadResult:
    """Prices of units and enhancements of a text copy. One claim for each line, blank ones included. Never raises."""
    result = ReadResult()
    text = decode_text(data)
    if text is None:
        result.reject("binary data where a points list was expected")
        return result
    if not text.strip():
        result.reject("the file is empty")
    lines = [PointsLine(line, number, f"line {number}") for number, line in enumerate(text.split("\n"), 1)]
    result.lines = read_points(lines, result, name_hint=file.path)
    return result

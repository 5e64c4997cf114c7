"""Reader of the full-game CSV export: a folder of tables with bars between cells and HTML inside them.

Belongs here: what the export's tables say of datasheets, weapons, abilities, prices and rules, and which rows they
repeat or lose. Does not belong here: which source is right. `read_folder` is the only way in; it never raises on any
bytes.
"""

from collections.abc import Mapping

from pipelines.sources.records import RawFile, ReadResult
from pipelines.sources.wahapedia_csv import datasheets, rules, weapons
from pipelines.sources.wahapedia_csv.export import Export
from pipelines.sources.wahapedia_csv.tables import load


def read_folder(files: Mapping[str, bytes], file: RawFile) -> ReadResult:
    """Read an export. `files` holds its tables by file name, `file` describes the folder.

    Rows carry the locator `<table>.csv:<line>` and the export's own id as `sheet` or `source_key`. Notices state how
    many rows of each table were loaded, merged (they repeat another row) and quarantined.
    """
    result = ReadResult(title="Full-game CSV export")
    export = Export(load(files, result), result)
    export.read_dates()
    export.read_books()
    datasheets.read_sheets(export)
    weapons.read_weapons(export)
    datasheets.read_details(export)
    rules.read_rules(export)
    rules.read_links(export)
    export.say_counts()
    return result

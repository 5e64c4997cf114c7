"""The page dump reader: datasheet pages, Combat Patrol books and faction pages saved as plain text.

Belongs here: the grammar of such pages, one module per kind of block. `reader.read` turns bytes into rows, the fate of
each line and rejects. Does not belong here: other kinds of files, which source is right, what a rule does.
"""

from pipelines.sources.text_dump.reader import read

__all__ = ["read"]

"""Readers: one per kind of raw file, bytes in, rows and rejects out.

A reader is a pure function `read(data: bytes, file: RawFile) -> ReadResult` (see `records`). Belongs here: what a file
of one kind says. Does not belong here: which source is right (`pipelines.reconcile`), Dagster, DuckDB, the file system.
"""

"""The steps of a build: files in, files out, one module per layer.

Belongs here: the I/O around the pure parts (readers, reconciliation, compiler, models): what is read, what is written,
what may be skipped because nothing it depends on has changed. Does not belong here: Dagster (`pipelines.assets` wraps
these steps), rules, maths. Steps exchange Parquet files in a workspace, so they can run in any process.
"""

"""From what sources say to one set of facts: identity, precedence, merging, wordings, corrections.

Belongs here: pure functions on source rows. Does not belong here: reading files, Parquet, Dagster.
`pipelines.reconcile` is the front door.
"""

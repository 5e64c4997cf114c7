"""Dagster assets, one module per layer, thin around `pipelines.steps`.

Belongs here: which table is an asset of which step, what it depends on, its checks and metadata. Does not belong here:
any work.
"""

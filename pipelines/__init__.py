"""How data moves: readers, the rules compiler, reconciliation, the steps of a build, Dagster assets, the command line.

Belongs here: anything that turns files into rows and rows into tables. Does not belong here: the maths of an attack
(`models`), SQL and the dictionary (`warehouse`), pages and charts (`reports`). Only `definitions.py` and `assets/`
import Dagster.
"""

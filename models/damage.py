"""Damage of one attack, and Feel No Pain.

Readings. Order of changes: replace, divide, add (Melta too), subtract, round up; below 1 never, unless a rule sets
Damage to 0 and nothing is added. Each rolled result is changed, not the mean. Feel No Pain rolls one die for each
point of damage; a model uses one, the best that applies.
"""

from functools import lru_cache

import numpy as np

from models.dice import Pmf, Rolled, changed_pmf

NO_FEEL_NO_PAIN = 7


def chance_ignored(threshold: int) -> float:
    """Probability that one point of damage is ignored; 7 stands for having no Feel No Pain."""
    return max(0, min(7 - threshold, 6)) / 6


def thinned(pmf: Pmf, kept: float) -> Pmf:
    """Distribution of the points that remain when each remains with the probability `kept`."""
    if kept >= 1.0:
        return pmf
    result = np.zeros_like(pmf)
    row = np.ones(1)  # binomial probabilities for `points`, built one die at a time
    for points, chance in enumerate(pmf):
        if points:
            row = np.convolve(row, [1.0 - kept, kept])
        result[: points + 1] += chance * row
    return result


@lru_cache(maxsize=65536)
def loss_pmf(damage: Rolled, feel_no_pain: int) -> Pmf:
    """Points that one unsaved attack takes after Feel No Pain, before what exceeds the model's wounds is lost."""
    pmf = thinned(changed_pmf(damage), 1.0 - chance_ignored(feel_no_pain)).copy()
    pmf.setflags(write=False)
    return pmf

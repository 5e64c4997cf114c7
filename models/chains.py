"""Units of equal models, for many pairs at once: what a number of equal packets does to them.

Belongs here: the same allocation as in `models.allocation` (its transition of one model is used) for units whose models
are all alike, on arrays with many pairs. Does not belong here: how many packets come.

States of a unit: an array (..., models slain from 0, wounds left of the current model - 1); what is missing to 1 is the
probability that the unit is destroyed.
"""

from functools import lru_cache

import numpy as np

from models.allocation import Array, model_transition
from models.damage import loss_pmf
from models.dice import Rolled


@lru_cache(maxsize=65536)
def transition(damage: Rolled, feel_no_pain: int, wounds: int) -> tuple[Array, Array]:
    """Change of a model of `wounds` wounds by one packet: see `model_transition`."""
    return model_transition(loss_pmf(damage, feel_no_pain), wounds)


def whole_unit(models: int, wounds: int) -> Array:
    """A unit that nothing happened to."""
    states = np.zeros((models, wounds))
    states[0, wounds - 1] = 1.0
    return states


def struck(states: Array, stay: Array, slain: Array) -> Array:
    """States after one packet each; the last model's death leaves the array.

    `stay` and `slain` are one model's transition, or one for each pair with axes that broadcast against the states.
    """
    after = states @ stay
    if states.shape[-2] > 1:
        after[..., 1:, -1] += (states[..., :-1, :] @ slain[..., None])[..., 0]
    return after


class PacketTable:
    """Results of 0, 1, 2 ... equal packets on units of equal models, for any number of models.

    The unit of M models is a row of models without end that is looked at up to its M-th model, so one walk serves all
    sizes. `slain[n, M]`, `lost[n, M]`, `destroyed[n, M]` are expectations after n packets, M from 0.
    """

    def __init__(self, damage: Rolled, feel_no_pain: int, wounds: int, most_models: int, packets: int) -> None:
        stay, slain = transition(damage, feel_no_pain, wounds)
        states = whole_unit(most_models, wounds)
        chances = np.zeros((packets + 1, most_models))
        partial = np.zeros((packets + 1, most_models))
        taken = np.arange(wounds - 1, -1, -1.0)
        for count in range(packets + 1):
            if count:
                states = struck(states, stay, slain)
            chances[count] = states.sum(axis=1)
            partial[count] = states @ taken
        number = np.arange(most_models, dtype=float)
        zero = np.zeros((packets + 1, 1))
        alive = np.concatenate([zero, np.cumsum(chances, axis=1)], axis=1)
        size = np.arange(most_models + 1, dtype=float)
        self.destroyed = np.clip(1.0 - alive, 0.0, 1.0)
        self.slain = np.concatenate([zero, np.cumsum(chances * number, axis=1)], axis=1) + size * self.destroyed
        below = np.cumsum(chances * number * wounds + partial, axis=1)
        self.lost = np.concatenate([zero, below], axis=1) + size * wounds * self.destroyed

    def results(self, models: int) -> Array:
        """Array (packets from 0, [wounds lost, models slain, destroyed]) for a unit of this many models."""
        return np.stack([self.lost[:, models], self.slain[:, models], self.destroyed[:, models]], axis=1)

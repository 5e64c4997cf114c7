"""Allocation: what packets of damage do to the models of a unit.

Belongs here: the order of models, the states of a unit, and the exact change of their probabilities by a packet or by
mortal wounds. Does not belong here: how many packets come.

Readings. A packet goes to one model, a wounded one first, and what exceeds that model's wounds is lost. In a unit of
unlike models the order given stands. An Attached unit loses its bodyguard first, then the leaders; nothing carries from
one to the other, but single mortal wounds of an attack do go on. Precision goes to the leader while there is one.

States. A chain is a row of segments of equal models; its state is the number of models left in the current segment and
the wounds of the current model. The states of a segment are ordered from whole to gone, one more state stands for the
end of the chain. A unit is a pair of chains (bodyguards, leaders): probabilities have these as the last two axes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from models.dice import Pmf
from models.units import LEADER, TargetUnit

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Segment:
    """`count` equal models of `width` wounds each; `group` is their place in the target's groups."""

    count: int
    width: int
    group: int


def model_transition(loss: Pmf, width: int) -> tuple[Array, Array]:
    """Change of one model's wounds by one packet.

    Returns (`stay`, `slain`): stay[w - 1, v - 1] is the probability to go from w to v wounds left, slain[w - 1] to die.
    What exceeds the wounds left is lost.
    """
    stay = np.zeros((width, width))
    slain = np.zeros(width)
    total = float(loss.sum())
    for wounds in range(1, width + 1):
        reach = min(wounds, len(loss))
        stay[wounds - 1, wounds - reach : wounds] = loss[:reach][::-1]
        slain[wounds - 1] = max(total - float(loss[:reach].sum()), 0.0) if len(loss) > wounds else 0.0
    return stay, slain


class Chain:
    """A row of segments, and the matrices that change the probabilities of its states (row vectors)."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.segments = tuple(segments)
        self.states = sum(segment.count * segment.width for segment in segments) + 1

    @cached_property
    def lost(self) -> NDArray[np.int64]:
        """Wounds lost in each state."""
        return np.arange(self.states)

    @cached_property
    def slain(self) -> NDArray[np.int64]:
        """Models slain in each state."""
        counts: list[int] = []
        done = 0
        for segment in self.segments:
            for _ in range(segment.count):
                counts += [done] * segment.width
                done += 1
        return np.array([*counts, done])

    def matrix(self, losses: Sequence[Pmf]) -> Array:
        """Transition of one packet; `losses[g]` is the loss distribution for a model of group `g`, saves included."""
        result = np.zeros((self.states, self.states))
        result[-1, -1] = 1.0
        start = 0
        for segment in self.segments:
            stay, slain = model_transition(losses[segment.group], segment.width)
            # States run from whole to gone: w wounds left stand at width - w.
            block, gone = stay[::-1, ::-1], slain[::-1]
            for _ in range(segment.count):
                end = start + segment.width
                result[start:end, start:end] = block
                result[start:end, end] = gone
                start = end
        return result


@dataclass(frozen=True)
class UnitStates:
    """The two chains of a unit; without leaders the second one has nothing but its end."""

    guards: Chain
    leaders: Chain

    @classmethod
    def of(cls, target: TargetUnit) -> "UnitStates":
        return cls(Chain(_segments(target, leaders=False)), Chain(_segments(target, leaders=True)))

    @property
    def shape(self) -> tuple[int, int]:
        return self.guards.states, self.leaders.states

    def start(self) -> Array:
        probabilities = np.zeros(self.shape)
        probabilities[0, 0] = 1.0
        return probabilities

    def packet(self, losses: Sequence[Pmf], precision: bool) -> Callable[[Array], Array]:
        """The change by one packet, on arrays whose last two axes are the states of the unit."""
        guards, leaders = self.guards.matrix(losses), self.leaders.matrix(losses)
        return self._leaders_first(guards, leaders) if precision else self._guards_first(guards, leaders)

    def mortal_wound(self, losses: Sequence[Pmf], precision: bool, carries: bool) -> Callable[[Array, int], Array]:
        """The change by a number of single mortal wounds. `carries`: on from the last bodyguard to the leader too."""
        guards, leaders = self.guards.matrix(losses), self.leaders.matrix(losses)
        one = self._leaders_first(guards, leaders) if precision else self._guards_first(guards, leaders)

        def apply(states: Array, number: int) -> Array:
            for _ in range(number):
                states = one(states)
            return states

        def apply_stopping(states: Array, number: int) -> Array:
            guarded, alone = states.copy(), np.zeros_like(states)
            alone[..., -1, :] = states[..., -1, :]
            guarded[..., -1, :] = 0.0
            for _ in range(number):
                guarded = _along_guards(guarded, guards)
                alone = alone @ leaders
            return guarded + alone

        return apply if carries else apply_stopping

    def _guards_first(self, guards: Array, leaders: Array) -> Callable[[Array], Array]:
        last = self.guards.states - 1

        def change(states: Array) -> Array:
            guarded = states.copy()
            guarded[..., last, :] = 0.0
            result = _along_guards(guarded, guards)
            result[..., last, :] += states[..., last, :] @ leaders
            return result

        return change

    def _leaders_first(self, guards: Array, leaders: Array) -> Callable[[Array], Array]:
        last = self.leaders.states - 1

        def change(states: Array) -> Array:
            led = states.copy()
            led[..., last] = 0.0
            result = led @ leaders
            result[..., last] += states[..., last] @ guards
            return result

        return change

    @cached_property
    def lost(self) -> NDArray[np.int64]:
        """Wounds lost in each pair of states."""
        return self.guards.lost[:, None] + self.leaders.lost[None, :]

    @cached_property
    def slain(self) -> NDArray[np.int64]:
        """Models slain in each pair of states."""
        return self.guards.slain[:, None] + self.leaders.slain[None, :]


def _along_guards(states: Array, matrix: Array) -> Array:
    return np.swapaxes(np.swapaxes(states, -1, -2) @ matrix, -1, -2)


def _segments(target: TargetUnit, leaders: bool) -> list[Segment]:
    """Groups of one chain in order, a wounded model before all others."""
    wounded, whole = [], []
    for place, group in enumerate(target.groups):
        if (target.is_attached and group.role == LEADER) != leaders:
            continue
        count = group.count
        if group.wounds_lost:
            wounded.append(Segment(1, group.wounds - group.wounds_lost, place))
            count -= 1
        if count:
            whole.append(Segment(count, group.wounds, place))
    return wounded + whole

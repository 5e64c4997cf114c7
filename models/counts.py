"""How many packets an attack signature sends, for many pairs at once.

Belongs here: distributions of the number of packets of one weapon group, from the probabilities of one attack. Does not
belong here: where those probabilities come from, and what packets do.

One attack sends a number of packets with the generating function

    G(z) = miss + plain hit * P(z) + critical hit * C(z) * S(P(z)),

P and C for the packet of a plain and of the critical hit itself, S for the extra hits of Sustained Hits; the number of
attacks has a generating function F, and the packets have F(G(z)). Values at the roots of unity are turned back into
probabilities by a Fourier transform, which is exact but for rounding (about 1e-15).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.dice import Pmf

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True)
class Number:
    """Number of attacks: `bearers` times an independent number with the distribution `each`."""

    each: Pmf
    bearers: int

    @property
    def most(self) -> int:
        return (len(self.each) - 1) * self.bearers

    def generating(self, at: Complex) -> Complex:
        """Value of the generating function at each number."""
        first = int(np.flatnonzero(self.each)[0])
        value = np.full(at.shape, complex(self.each[-1]))
        for chance in self.each[-2 : first - 1 if first else None : -1] if len(self.each) - 1 > first else ():
            value = value * at + chance
        return whole_power(value * whole_power(at, first), self.bearers)


def whole_power(base: Complex, exponent: int) -> Complex:
    """A whole power by squaring, which rounds less than the general one."""
    result = np.ones_like(base)
    while exponent:
        if exponent & 1:
            result = result * base
        exponent >>= 1
        if exponent:
            base = base * base
    return result


@dataclass(frozen=True)
class Rates:
    """Probabilities of one attack for many pairs, arrays of one length.

    `plain`, `critical`: a hit of that kind. `plain_packet`, `critical_packet`: such a hit sends an ordinary packet.
    `plain_late`, `critical_late`: such a hit sends a packet that waits (Devastating Wounds).
    """

    plain: Array
    critical: Array
    plain_packet: Array
    critical_packet: Array
    plain_late: Array
    critical_late: Array

    def together(self) -> "Rates":
        """All packets as one kind, where those that wait do the same as the others."""
        none = np.zeros_like(self.plain)
        return Rates(
            self.plain,
            self.critical,
            self.plain_packet + self.plain_late,
            self.critical_packet + self.critical_late,
            none,
            none,
        )

    def take(self, rows: NDArray[np.int64]) -> "Rates":
        return Rates(
            self.plain[rows],
            self.critical[rows],
            self.plain_packet[rows],
            self.critical_packet[rows],
            self.plain_late[rows],
            self.critical_late[rows],
        )


def most_packets(number: Number, sustained: Pmf) -> int:
    """Packets that all attacks together can send."""
    return number.most * len(sustained)


def packet_counts(number: Number, sustained: Pmf, rates: Rates) -> Array:
    """Distribution of the number of packets, all of one kind: an array (pairs, packets from 0)."""
    length = most_packets(number, sustained) + 1
    roots = np.exp(-2j * np.pi * np.arange(length // 2 + 1) / length)[None, :]
    value = number.generating(_one_attack(rates, sustained, roots, None))
    return _cleaned(np.fft.irfft(value, n=length, axis=1))


def split_counts(number: Number, sustained: Pmf, rates: Rates) -> Array:
    """Joint distribution of ordinary packets and those that wait: an array (pairs, ordinary, waiting)."""
    length = most_packets(number, sustained) + 1
    ordinary = np.exp(-2j * np.pi * np.arange(length) / length)[None, :, None]
    waiting = np.exp(-2j * np.pi * np.arange(length // 2 + 1) / length)[None, None, :]
    value = number.generating(_one_attack(rates, sustained, ordinary, waiting))
    return _cleaned(np.fft.irfft2(value, s=(length, length), axes=(1, 2)))


def _one_attack(rates: Rates, sustained: Pmf, ordinary: Complex, waiting: Complex | None) -> Complex:
    """G at the roots of unity; one more axis where some packets wait."""
    shape = (-1, *(1,) * (ordinary.ndim - 1))

    def hit(packet: Array, late: Array) -> Complex:
        value: Complex = 1.0 + packet.reshape(shape) * (ordinary - 1.0)
        return value if waiting is None else value + late.reshape(shape) * (waiting - 1.0)

    plain = hit(rates.plain_packet, rates.plain_late)
    critical = hit(rates.critical_packet, rates.critical_late)
    extra = np.full(plain.shape, complex(sustained[-1]))
    for chance in sustained[-2::-1]:
        extra = extra * plain + chance
    p, c = rates.plain.reshape(shape), rates.critical.reshape(shape)
    return (1.0 - p - c) + p * plain + c * critical * extra


def _cleaned(counts: Array) -> Array:
    """Rounding of the transform leaves tiny numbers, also below zero, where nothing can be."""
    counts[counts < 1e-17] = 0.0
    return counts


def trimmed(counts: Array, axis: int) -> Array:
    """Without the far end of an axis where no pair has a probability above 1e-16."""
    others = tuple(place for place in range(counts.ndim) if place != axis)
    seen = np.flatnonzero(counts.max(axis=others) > 1e-16)
    last = int(seen[-1]) + 1 if len(seen) else 1
    return np.take(counts, np.arange(last), axis=axis)


def saturated_axis(counts: Array, axis: int, enough: int) -> Array:
    """Counts beyond `enough` on an axis are counted as enough."""
    if counts.shape[axis] <= enough + 1:
        return counts
    head = np.take(counts, np.arange(enough + 1), axis=axis)
    tail = np.take(counts, np.arange(enough + 1, counts.shape[axis]), axis=axis).sum(axis=axis)
    index: list[slice | int] = [slice(None)] * counts.ndim
    index[axis] = enough
    head[tuple(index)] += tail
    return head

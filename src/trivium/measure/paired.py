"""Shares of few examples, alone and before and after: score intervals, which hold where nothing was seen to happen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from trivium.measure.bootstrap import Interval, interval
from trivium.measure.metrics import Bools, Floats

TWO_SIDED = NormalDist().inv_cdf(0.975)
ONE_SIDED = NormalDist().inv_cdf(0.95)
_NEARLY_ALL = 1 - 1e-9
_MOST = 1 << 40
_FEW = 10


def share_interval(right: Bools) -> Interval:
    """The share of examples that are right with its 95 % interval (Wilson, 1927): of 15 of 15, from 0.80 on."""
    from scipy.stats import binomtest  # as below: slow to import, and seldom asked for

    found = binomtest(int(right.sum()), len(right))
    limits = found.proportion_ci(method="wilson")
    return Interval(float(found.statistic), float(limits.low), float(limits.high))


def resampled_share(found: Floats, right: Bools, groups: int) -> Interval:
    """The share of examples that are right with its interval by resamples of so many groups of them.

    Where all are right, or none is, or there are few groups, resamples say little of what others would have given: the
    interval is then as wide as Wilson's, or wider.
    """
    limits = interval(found)
    if 0 < found[0] < 1 and groups >= _FEW:
        return limits
    exact = share_interval(right)
    return Interval(exact.value, min(limits.low, exact.low), max(limits.high, exact.high))


@dataclass(frozen=True)
class Flips:
    """Of ``number`` examples, how many were right before and are wrong after (``lost``), and the reverse (``won``).

    The counts need not be whole: shares at another number of examples are asked about too.
    """

    lost: float
    won: float
    number: float

    @classmethod
    def of(cls, before: Bools, after: Bools) -> Flips:
        """The flips between two rounds of answers to the same examples."""
        return cls(int((before & ~after).sum()), int((~before & after).sum()), len(before))

    @property
    def reversed(self) -> Flips:
        """What was lost as won."""
        return Flips(self.won, self.lost, self.number)

    @property
    def value(self) -> float:
        """The loss: (lost − won) / number."""
        return (self.lost - self.won) / self.number

    def upper(self, z: float = ONE_SIDED) -> float:
        """The upper confidence limit of the loss by Tango's score method, by default of 95 % on one side.

        It is the δ above the loss at which :meth:`score` is −z. With no flips at all that is z² / (n + z²); with none
        won, Wilson's limit of the share that is lost.
        """
        from scipy.optimize import brentq

        if self.lost >= self.number:
            return 1.0
        return float(brentq(lambda loss: self.score(loss) + z, self.value, _NEARLY_ALL, xtol=1e-12))

    def loss(self) -> Interval:
        """The loss with its two-sided 95 % interval (Tango, 1998)."""
        return Interval(self.value, -self.reversed.upper(TWO_SIDED), self.upper(TWO_SIDED))

    def gain(self) -> Interval:
        """The same with the other sign."""
        return self.reversed.loss()

    def score(self, loss: float) -> float:
        """How many standard errors the loss is above ``loss`` (Tango, 1998).

        (b − c − nδ) / √(n (2q + δ(1 − δ))), with q the likeliest probability to be won if δ is that of being lost minus
        that of being won: the larger root of 2n q² + (−b − c + (2n − b + c) δ) q − c δ (1 − δ) = 0.
        """
        number = self.number
        linear = -self.lost - self.won + (2 * number - self.lost + self.won) * loss
        constant = -self.won * loss * (1 - loss)
        root = math.sqrt(max(0.0, linear**2 - 8 * number * constant))
        won = (root - linear) / (4 * number)
        above = self.lost - self.won - number * loss
        variance = number * (2 * won + loss * (1 - loss))
        if variance <= 0:
            return 0.0 if above == 0 else math.copysign(math.inf, above)
        return above / math.sqrt(variance)


def needed_without_flips(most: float) -> int | None:
    """How many examples show that no more than a share ``most`` is lost if none flips; None if no number does."""
    return needed(Flips(0, 0, 1), most)


def needed(flips: Flips, most: float) -> int | None:
    """How many examples would show that no more than ``most`` is lost, with as large a share of flips as these have.

    None if no number would: the loss itself is not below ``most``.
    """
    if flips.value >= most:
        return None

    def shows(number: int) -> bool:
        scale = number / flips.number
        return Flips(flips.lost * scale, flips.won * scale, number).upper() <= most

    high = 1
    while not shows(high):
        high *= 2
        if high > _MOST:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if shows(middle) else (middle, high)
    return high

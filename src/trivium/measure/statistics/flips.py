"""The change of a model's accuracy on the same examples, with Tango's score interval (1998), for small samples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from trivium.measure.metrics import Bools
from trivium.measure.statistics.intervals import Interval

TWO_SIDED = NormalDist().inv_cdf(0.975)
ONE_SIDED = NormalDist().inv_cdf(0.95)
_ALMOST_ONE = 1 - 1e-9
_MAX_EXAMPLES = 1 << 40


@dataclass(frozen=True)
class Flips:
    """How many of ``number`` examples became incorrect (``lost``) and how many became correct (``won``).

    The counts may be fractional, to extrapolate their rates to another number of examples.
    """

    lost: float
    won: float
    number: float

    @classmethod
    def of(cls, before: Bools, after: Bools) -> Flips:
        """Count the flips between two sets of predictions, given which examples are correct in each."""
        return cls(int((before & ~after).sum()), int((~before & after).sum()), len(before))

    @property
    def reversed(self) -> Flips:
        """The flips in the opposite direction, with ``lost`` and ``won`` exchanged."""
        return Flips(self.won, self.lost, self.number)

    @property
    def value(self) -> float:
        """The loss of accuracy: (lost − won) / number."""
        return (self.lost - self.won) / self.number

    def upper(self, z: float = ONE_SIDED) -> float:
        """Return the upper confidence limit of the loss by Tango's score method, by default one-sided at 95 %.

        It is the δ above the observed loss at which :meth:`score` is −z. Without any flips it equals z² / (n + z²);
        without ``won`` examples, it equals Wilson's limit for the fraction that is lost.
        """
        from scipy.optimize import brentq

        if self.lost >= self.number:
            return 1.0
        return float(brentq(lambda loss: self.score(loss) + z, self.value, _ALMOST_ONE, xtol=1e-12))

    def loss(self) -> Interval:
        """Return the loss with its two-sided 95 % interval (Tango, 1998)."""
        return Interval(self.value, -self.reversed.upper(TWO_SIDED), self.upper(TWO_SIDED))

    def gain(self) -> Interval:
        """Return the gain (minus the loss) with its two-sided 95 % interval."""
        return self.reversed.loss()

    def score(self, loss: float) -> float:
        """Return how many standard errors the observed loss is above a hypothetical ``loss`` (Tango, 1998).

        With b examples lost, c won, n in total and a hypothetical loss of δ, the score is
        (b − c − nδ) / √(n (2q + δ(1 − δ))). Here q is the maximum-likelihood estimate of the probability that an
        example is won, given δ: the larger root of 2n q² + (−b − c + (2n − b + c) δ) q − c δ (1 − δ) = 0.
        """
        number = self.number
        linear = -self.lost - self.won + (2 * number - self.lost + self.won) * loss
        constant = -self.won * loss * (1 - loss)
        root = math.sqrt(max(0.0, linear**2 - 8 * number * constant))
        won = (root - linear) / (4 * number)
        excess = self.lost - self.won - number * loss
        variance = number * (2 * won + loss * (1 - loss))
        if variance <= 0:
            return 0.0 if excess == 0 else math.copysign(math.inf, excess)
        return excess / math.sqrt(variance)


def examples_needed_without_flips(limit: float) -> int | None:
    """Return how many examples show that the loss is at most ``limit`` if none flips; None if no number does."""
    return examples_needed(Flips(0, 0, 1), limit)


def examples_needed(flips: Flips, limit: float) -> int | None:
    """Return how many examples would show that the loss is at most ``limit``, at the rate of the given flips.

    Return None if no number would, because the observed loss is not below ``limit``.
    """
    if flips.value >= limit:
        return None

    def suffices(number: int) -> bool:
        scale = number / flips.number
        return Flips(flips.lost * scale, flips.won * scale, number).upper() <= limit

    high = 1
    while not suffices(high):
        high *= 2
        if high > _MAX_EXAMPLES:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return high

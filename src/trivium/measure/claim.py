"""Claims: checkable sentences of a paper, with the measured values that support or contradict them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np

from trivium.measure.bootstrap import Interval, interval
from trivium.measure.metrics import Floats
from trivium.measure.paired import share_interval


class Verdict(Enum):
    """Whether a claim holds, given the interval of its quantity."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNDECIDED = "undecided"
    NOT_RUN = "not run"


@dataclass(frozen=True)
class Claim:
    """The claim that a quantity is above zero, with the published value and the measured interval.

    ``needs`` says what must be run to decide the claim.
    """

    group: str
    text: str
    quantity: str
    published: float | None
    measured: Interval | None
    needs: str = ""

    @property
    def verdict(self) -> Verdict:
        """Return HOLDS if the whole interval is above zero, FAILS if none of it is, and UNDECIDED otherwise.

        An interval of exactly zero is UNDECIDED too: both sides gave the same answer to every example.
        """
        if self.measured is None:
            return Verdict.NOT_RUN
        if self.measured.low == self.measured.high == 0:
            return Verdict.UNDECIDED
        if self.measured.low > 0:
            return Verdict.HOLDS
        return Verdict.FAILS if self.measured.high <= 0 else Verdict.UNDECIDED


def claim(group: str, text: str, quantity: str, published: float | None, measured: Floats | None) -> Claim:
    """Return a claim about a bootstrapped quantity. Fractions are converted to percentage points."""
    limits = None if measured is None else interval(100 * measured)
    return Claim(group, text, quantity, published, limits)


def share_claim(
    group: str, text: str, is_true: Mapping[str, bool], bound: float, plural: str, published: float | None
) -> Claim:
    """Return the claim that a statement is true of more than a fraction ``bound`` of items.

    ``is_true`` says for each item whether the statement is true of it, ``plural`` names the items (such as
    "phenomena"), and ``published`` is the published percentage. The interval is Wilson's (1927), with the items as the
    sample.
    """
    quantity = f"share of {len(is_true)} {plural} − {100 * bound:.0f}"
    published_excess = None if published is None else round(published - 100 * bound, 1)
    if not is_true:
        return Claim(group, text, quantity, published_excess, None)
    share = share_interval(np.array(list(is_true.values()), dtype=bool))
    excess = (100 * (value - bound) for value in (share.value, share.low, share.high))
    return Claim(group, text, quantity, published_excess, Interval(*excess))

"""Claims: sentences of a paper that can be checked, and what our figures say about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np

from trivium.measure.bootstrap import Interval, interval
from trivium.measure.metrics import Floats
from trivium.measure.paired import share_interval


class Verdict(Enum):
    """What the interval of a quantity says about a claim that it is positive."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNDECIDED = "undecided"
    NOT_RUN = "not run"


@dataclass(frozen=True)
class Claim:
    """A claim that a quantity is above zero: the published figure, ours with its interval, the verdict.

    ``needs`` is what must be run to decide it.
    """

    group: str
    text: str
    quantity: str
    published: float | None
    measured: Interval | None
    needs: str = ""

    @property
    def verdict(self) -> Verdict:
        """Holds if the whole interval is above zero, does not hold if none of it is, else undecided.

        Undecided too if no example tells the two sides apart: both know nothing, or both know everything.
        """
        if self.measured is None:
            return Verdict.NOT_RUN
        if self.measured.low == self.measured.high == 0:
            return Verdict.UNDECIDED
        if self.measured.low > 0:
            return Verdict.HOLDS
        return Verdict.FAILS if self.measured.high <= 0 else Verdict.UNDECIDED


def claim(group: str, text: str, quantity: str, published: float | None, measured: Floats | None) -> Claim:
    """A claim about a bootstrapped quantity in shares; the claim shows points of a percent."""
    found = None if measured is None else interval(100 * measured)
    return Claim(group, text, quantity, published, found)


def share_claim(
    group: str, text: str, true: Mapping[str, bool], bound: float, kind: str, published: float | None
) -> Claim:
    """A claim that something is true of more than a share of things of a ``kind``, such as phenomena.

    Its interval is Wilson's (1927), as of a sample of such things. ``published`` is the share in percent.
    """
    quantity = f"share of {len(true)} {kind} − {100 * bound:.0f}"
    theirs = None if published is None else round(published - 100 * bound, 1)
    if not true:
        return Claim(group, text, quantity, theirs, None)
    found = share_interval(np.array(list(true.values()), dtype=bool))
    values = (100 * (share - bound) for share in (found.value, found.low, found.high))
    return Claim(group, text, quantity, theirs, Interval(*values))

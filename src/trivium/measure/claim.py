"""Claims: checkable sentences of a paper, with the measured values that support or contradict them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from trivium.measure.metrics import format_rounded
from trivium.measure.statistics.estimate import Estimate
from trivium.measure.statistics.intervals import (
    Interval,
    interval,
    p_of,
    p_value,
    population_share,
    probability_above,
    share_interval,
    t_quantile,
)
from trivium.measure.statistics.multiple import holm
from trivium.measure.statistics.variance import variance_of

MIN_TRAININGS = 3
"""The number of trainings of each method below which a claim about methods is not decided."""
_ALPHA = 0.05
_MAX_SEEDS = 1000
_NUMBERS = {1: "one training", 2: "two trainings"}


class Verdict(Enum):
    """Whether a claim holds, given the interval of its quantity."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNDECIDED = "undecided"
    NOT_DECIDABLE = "not decidable"
    NOT_RUN = "not run"


@dataclass(frozen=True)
class Evidence:
    """What a verdict rests on.

    Attributes:
        p: The two-sided p-value of the hypothesis that the quantity is zero, corrected by :func:`corrected`; None if
            it is that of the interval.
        seeds: The number of trainings of each method in each fold; 0 if the claim is not about trainings.
        folds: The number of folds; 0 if the claim has none.
        baselines: The best baseline of each accuracy that the claim compares, in percent.
        obstacle: Why no verdict can be given; empty if one can.
        more_seeds: How many more seeds would decide the claim at the observed variance; None if no number would.
    """

    p: float | None = None
    seeds: int = 0
    folds: int = 0
    baselines: tuple[float, ...] = ()
    obstacle: str = ""
    more_seeds: int | None = None


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
    evidence: Evidence = Evidence()

    @property
    def verdict(self) -> Verdict:
        """Return HOLDS or FAILS if the quantity differs significantly from zero, and otherwise UNDECIDED.

        NOT_DECIDABLE means that the run cannot decide it, whatever the figures: see ``evidence.obstacle``.
        """
        if self.measured is None:
            return Verdict.NOT_RUN
        if self.evidence.obstacle:
            return Verdict.NOT_DECIDABLE
        if not self.p < _ALPHA:
            return Verdict.UNDECIDED
        return Verdict.HOLDS if self.measured.value > 0 else Verdict.FAILS

    @property
    def p(self) -> float:
        """The p-value of the hypothesis that the quantity is zero; 1 if it was not run."""
        if self.evidence.p is not None:
            return self.evidence.p
        return 1.0 if self.measured is None else p_of(self.measured)

    @property
    def is_decided(self) -> bool:
        """Whether the claim holds or does not hold."""
        return self.verdict in (Verdict.HOLDS, Verdict.FAILS)

    @property
    def reason(self) -> str:
        """Why the claim is not decided; empty if it is."""
        verdict = self.verdict
        if verdict is Verdict.NOT_RUN:
            return f"Not run: needs {self.needs}." if self.needs else "Not run."
        if verdict is Verdict.NOT_DECIDABLE:
            return f"Not decidable: {self.evidence.obstacle}."
        if verdict is not Verdict.UNDECIDED or self.measured is None:
            return ""
        contains = self.measured.low <= 0 <= self.measured.high
        first = "the interval contains zero" if contains else "not significant after correction for several claims"
        more = self.evidence.more_seeds
        if not self.evidence.seeds:
            return f"Undecided: {first}."
        if more is None:
            return f"Undecided: {first}; more test examples are needed, or folds, rather than seeds."
        return f"Undecided: {first}; about {more} more seed{'' if more == 1 else 's'} would decide it."


def claim(
    group: str, text: str, quantity: str, published: float | None, measured: Estimate | None, scale: float = 100
) -> Claim:
    """Return a claim about an estimate. Fractions are converted to percentage points by ``scale``."""
    if measured is None:
        return Claim(group, text, quantity, published, None)
    limits = scale * interval(measured)
    return Claim(group, text, quantity, published, limits, evidence=evidence_of(measured))


def evidence_of(estimate: Estimate) -> Evidence:
    """Return what a verdict about an estimate rests on."""
    baselines = tuple(dict.fromkeys(100 * side.baseline for side in estimate.shares() if side.baseline is not None))
    return Evidence(
        p=p_value(estimate),
        seeds=estimate.seeds,
        folds=estimate.strata_run,
        baselines=baselines,
        obstacle=_obstacle(estimate),
        more_seeds=seeds_needed(estimate),
    )


def _obstacle(estimate: Estimate) -> str:
    """Return why no claim about an estimate can be decided; empty if one can."""
    if 0 < estimate.seeds < MIN_TRAININGS:
        return f"{_NUMBERS[estimate.seeds]}; {MIN_TRAININGS} are needed"
    sides = [side for side in estimate.shares() if side.baseline is not None]
    if sides and all(side.is_constant for side in estimate.shares()):
        return "constant answers: all examples get the same label"
    if sides and not any(has_learned(side) for side in sides):
        best = max(sides, key=lambda side: side.value - (side.baseline or 0))
        figures = (format_rounded(100 * value) for value in (best.value, best.baseline or 0))
        return f"{lack_of(best)}: {{}} % against {{}} % of the best baseline".format(*figures)
    return ""


def lack_of(accuracy: Estimate) -> str:
    """Return what to say about an accuracy that is not significantly above the best baseline; nothing if it is."""
    if has_learned(accuracy):
        return ""
    return "learned nothing" if accuracy.value <= (accuracy.baseline or 0) else "not shown to be above the baseline"


def has_learned(accuracy: Estimate) -> bool:
    """Return whether an accuracy is significantly above that of the best baseline.

    A baseline that is always right, on a test with one label, says nothing about learning, and does not count.
    """
    baseline = accuracy.baseline
    return baseline is None or baseline == 1 or interval(accuracy).low > baseline


def seeds_needed(estimate: Estimate) -> int | None:
    """Return how many more seeds would make an estimate differ from zero, if nothing else changed.

    Return 0 if it does already, and None if no number would or if a single seed does not show the variance.
    """
    variance, seeds = variance_of(estimate), estimate.seeds
    if p_value(estimate) < _ALPHA:
        return 0
    if seeds < 2:
        return None
    fixed = max(0.0, variance.total - variance.trainings.variance)
    for number in range(seeds + 1, _MAX_SEEDS):
        total = fixed + variance.trainings.variance * seeds / number
        freedom = variance.trainings.freedom * (number - 1) / (seeds - 1)
        if abs(estimate.value) > t_quantile(freedom) * math.sqrt(total):
            return number - seeds
    return None


def share_claim(
    group: str,
    text: str,
    estimates: Mapping[str, Estimate],
    bound: float,
    plural: str,
    published: float | None,
    population: int,
) -> Claim:
    """Return the claim that more than a fraction ``bound`` of items have an estimate above zero.

    ``plural`` names the items (such as "phenomena"), ``population`` is their number. If all of them were measured, the
    interval is that of a finite population; if some were picked, the claim is not decidable.
    """
    number = len(estimates)
    quantity = f"share of {number} {plural} − {100 * bound:.0f}"
    excess = None if published is None else round(published - 100 * bound, 1)
    if not estimates:
        return Claim(group, text, quantity, excess, None)
    share = population_share([probability_above(estimate) for estimate in estimates.values()])
    if number < population:
        share = Interval(share.value, share.value, share.value)
    limits = 100 * (share - bound)
    obstacle = f"{number} of {population} {plural} were picked" if number < population else ""
    seeds = min(estimate.seeds for estimate in estimates.values())
    if 0 < seeds < MIN_TRAININGS and not obstacle:
        obstacle = f"{_NUMBERS[seeds]}; {MIN_TRAININGS} are needed"
    return Claim(group, text, quantity, excess, limits, evidence=Evidence(p_of(limits), seeds, obstacle=obstacle))


def sample_claim(
    group: str, text: str, is_true: Sequence[bool], bound: float, plural: str, published: float | None
) -> Claim:
    """Return the claim that a statement is true of more than a fraction ``bound`` of a sample, by Wilson's interval."""
    import numpy as np

    quantity = f"share of {len(is_true)} {plural} − {100 * bound:.0f}"
    excess = None if published is None else round(published - 100 * bound, 1)
    if not is_true:
        return Claim(group, text, quantity, excess, None)
    limits = 100 * (share_interval(np.array(is_true, dtype=bool)) - bound)
    return Claim(group, text, quantity, excess, limits, evidence=Evidence(p_of(limits)))


def corrected(claims: Iterable[Claim]) -> list[Claim]:
    """Return claims with p-values corrected by Holm's method within each group, the table that they stand in."""
    every = list(claims)
    groups: dict[str, list[int]] = {}
    for index, item in enumerate(every):
        if item.measured is not None and not item.evidence.obstacle:
            groups.setdefault(item.group, []).append(index)
    for indices in groups.values():
        for index, p in zip(indices, holm([every[index].p for index in indices]), strict=True):
            every[index] = replace(every[index], evidence=replace(every[index].evidence, p=p))
    return every

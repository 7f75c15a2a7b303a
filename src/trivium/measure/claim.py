"""Claims: checkable sentences of a paper, with the measured values that support or contradict them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

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
from trivium.measure.statistics.variance import MIN_TRAININGS, Variance, components_of

_ALPHA = 0.05
_MAX_SEEDS = 1000
_TRAININGS = {1: "one training", 2: "two trainings"}


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
        estimate: What the claim is about; None if it is not an estimate.
    """

    p: float | None = None
    seeds: int = 0
    folds: int = 0
    baselines: tuple[float, ...] = ()
    obstacle: str = ""
    estimate: Estimate | None = None

    @property
    def population(self) -> int | None:
        """The number of folds that exist, if some of them were run."""
        return None if self.estimate is None else self.estimate.folds

    @cached_property
    def more_seeds(self) -> int | None:
        """How many more seeds would decide the claim at the observed variance; None if no number would."""
        return None if self.estimate is None else seeds_needed(self.estimate, self._level)

    @cached_property
    def more_folds(self) -> int | None:
        """How many more folds would decide the claim at the observed variance; None if no number would."""
        return None if self.estimate is None else folds_needed(self.estimate, self._level)

    @property
    def _level(self) -> float:
        """The level of the test, divided by the factor of the correction."""
        p = 1.0 if self.estimate is None else p_value(self.estimate)
        return _ALPHA * min(1.0, p / self.p) if self.p else _ALPHA


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

    @cached_property
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
        return f"Undecided: {first}{_remedy(self.evidence)}."


def _remedy(evidence: Evidence) -> str:
    """Return what would decide a claim that a run leaves undecided."""
    if not evidence.seeds:
        return ""
    numbers = {"seed": evidence.more_seeds, "fold": evidence.more_folds}
    shown = " or ".join(
        f"{number} more {name}{'' if number == 1 else 's'}" for name, number in numbers.items() if number
    )
    if shown:
        return f"; about {shown} would decide it"
    if evidence.seeds == 1:
        return "; more seeds are needed: one does not show how many"
    if evidence.folds < (evidence.population or 0):
        return "; too close to zero for more seeds, or more folds, alone"
    return "; too close to zero for more seeds: only a larger test could decide it"


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
        estimate=estimate,
    )


def too_few(estimate: Estimate) -> str:
    """Return what is missing if there are too few trainings, or folds, to decide about methods; empty if nothing is."""
    seeds, folds, population = estimate.seeds, estimate.strata_run, estimate.folds
    needed = f"{MIN_TRAININGS} are needed"
    if not seeds or (seeds if population is None else folds) >= min(MIN_TRAININGS, population or MIN_TRAININGS):
        return ""
    if population is None:
        return f"{_TRAININGS[seeds]}; {needed}"
    if seeds * folds < MIN_TRAININGS:
        return f"{_TRAININGS[seeds * folds]}; {needed}, in as many folds"
    return f"{'one' if folds == 1 else 'two'} of {population} folds; {needed}"


def _obstacle(estimate: Estimate) -> str:
    """Return why no claim about an estimate can be decided; empty if one can."""
    missing = too_few(estimate)
    if missing:
        return missing
    sides = [side for side in estimate.shares() if side.baseline is not None]
    if sides and all(side.is_constant for side in estimate.shares()):
        return "constant answers: all examples get the same label"
    if sides and not any(has_learned(side) for side in sides):
        best = max(sides, key=lambda side: side.value - (side.baseline or 0))
        figures = (format_rounded(100 * value) for value in (best.value, best.baseline or 0))
        return f"{lack_of(best)}: {{}} % against {{}} % of the best baseline".format(*figures)
    if len(sides) > 1 and all(side.value == 1 for side in sides):
        return "every compared model is right on all examples: a harder test is needed"
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


def seeds_needed(estimate: Estimate, level: float = _ALPHA) -> int | None:
    """Return how many more seeds would make an estimate differ from zero, if nothing else changed.

    Return 0 if it does already, and None if no number would or if a single seed does not show the variance.
    """
    seeds, parts = estimate.seeds, components_of(estimate)
    numbers = (seeds, *range(seeds + 1, _MAX_SEEDS if seeds > 1 else 0))
    found = (number for number in numbers if _differs(estimate.value, parts.variance(seeds=number), level))
    return next((number - seeds for number in found), None)


def folds_needed(estimate: Estimate, level: float = _ALPHA) -> int | None:
    """Return how many more of the folds that exist would make an estimate differ from zero, with as many seeds each.

    Return 0 if it does already, and None if no number would or if it is not a mean over a sample of folds.
    """
    parts = components_of(estimate)
    numbers = range(parts.folds, parts.population + 1)
    found = (number for number in numbers if _differs(estimate.value, parts.variance(folds=number), level))
    return next((number - parts.folds for number in found), None)


def _differs(value: float, variance: Variance, level: float) -> bool:
    return abs(value) > t_quantile(variance.freedom, 1 - level) * math.sqrt(variance.total)


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
    fewest = min(estimates.values(), key=lambda estimate: estimate.seeds)
    seeds, obstacle = fewest.seeds, obstacle or too_few(fewest)
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

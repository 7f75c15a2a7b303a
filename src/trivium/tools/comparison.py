"""Compare two runs, or two strategies of one run: paired over folds, seeds and test examples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from trivium.benchmarks.outcomes import Outcome
from trivium.errors import UserError, unknown_name
from trivium.measure.claim import folds_needed, seeds_needed, too_few
from trivium.measure.statistics.estimate import Estimate, Training, mean_of, over_folds
from trivium.measure.statistics.intervals import Interval, interval, p_value
from trivium.measure.statistics.multiple import holm

_REPLICATES = ("fold", "seed", "number")
"""Fields that distinguish repeated trainings of a model, over which results are averaged."""
_ALPHA = 0.05
_STRIDE = 100_000  # numbers of support sets or orders are below


_Pairs: TypeAlias = dict[tuple[str, str], dict[tuple[int, ...], tuple[Outcome, Outcome]]]


class ComparedMetric(NamedTuple):
    """The accuracies of both sides on one test, or what they forgot, and the difference second − first.

    ``p`` is corrected for the number of comparisons. ``trainings`` is the number of trainings of each side.
    ``obstacle`` says if they are too few to decide, and ``more_seeds`` and ``more_folds`` how many more would show the
    difference.
    """

    group: str
    metric: str
    first: float
    second: float
    difference: Interval
    p: float
    trainings: int
    obstacle: str = ""
    more_seeds: int | None = None
    more_folds: int | None = None
    less_is_better: bool = False

    @property
    def verdict(self) -> str:
        """Which side is better, corrected for the number of comparisons."""
        if self.obstacle:
            return f"{self.obstacle.partition(';')[0]}: not decidable"
        if self.p >= _ALPHA:
            return "no difference shown"
        return "second is better" if (self.difference.value > 0) != self.less_is_better else "first is better"


@dataclass(frozen=True)
class ComparisonFigures:
    """Two sides by name, and their difference on each test."""

    first: str
    second: str
    metrics: tuple[ComparedMetric, ...]
    identical: bool = False


def compare_strategies(
    outcomes: Iterable[Outcome],
    first: str,
    second: str,
    forgetting: Mapping[tuple[str, str], Estimate] | None = None,
    folds: int | None = None,
) -> ComparisonFigures:
    """Compare two strategies of one run.

    ``forgetting`` is what each forgot, by (setting, strategy); ``folds`` is the number of folds that exist.
    """
    all_outcomes = list(outcomes)
    known = sorted({str(outcome.fields["strategy"]) for outcome in all_outcomes if outcome.fields.get("strategy")})
    if not known:
        raise UserError("this run has no strategies to compare")
    for name in (first, second):
        if name not in known:
            raise unknown_name("strategy of this run", name, known)
    sides = [[o for o in all_outcomes if o.fields.get("strategy") == name] for name in (first, second)]
    pairs = _pairs(sides, ignored=("strategy",))
    forgotten = forgetting or {}
    derived = {
        (setting, "Forget"): (quantity, forgotten[setting, second])
        for (setting, name), quantity in forgotten.items()
        if name == first and (setting, second) in forgotten
    }
    return ComparisonFigures(first, second, _compare(pairs, derived, folds), _is_identical(pairs))


def compare_runs(
    first: Iterable[Outcome], second: Iterable[Outcome], names: Sequence[str], folds: int | None = None
) -> ComparisonFigures:
    """Compare two runs on the predictions that both have: same fold, seed, strategy, stage and test."""
    pairs = _pairs([list(first), list(second)], ignored=())
    return ComparisonFigures(names[0], names[1], _compare(pairs, {}, folds), _is_identical(pairs))


def _is_identical(paired: _Pairs) -> bool:
    """Return whether both sides are right and wrong on the same examples in all trainings."""
    both = (pair for pairs in paired.values() for pair in pairs.values())
    return all(np.array_equal(first.correct, second.correct) for first, second in both)


def _pairs(sides: Sequence[Sequence[Outcome]], ignored: Sequence[str]) -> _Pairs:
    """Return the outcomes that both sides have, by test and metric, then by repetition."""
    paired: _Pairs = {}
    theirs = {_identity(outcome, ignored): outcome for outcome in sides[1]}
    for outcome in sides[0]:
        other = theirs.get(_identity(outcome, ignored))
        if other is not None and other.split == outcome.split:
            replicate = tuple(int(outcome.fields.get(name) or 0) for name in _REPLICATES)
            paired.setdefault((_group(outcome.fields, ignored), outcome.metric), {})[replicate] = (outcome, other)
    if not paired:
        raise UserError(
            "nothing to compare: the two have no predictions in common: choose runs with the same folds, seeds, "
            "settings, stages and test examples"
        )
    return paired


def _compare(
    paired: _Pairs, derived: Mapping[tuple[str, str], tuple[Estimate, Estimate]], folds: int | None
) -> tuple[ComparedMetric, ...]:
    """Compare both sides on each test, and in quantities derived from several tests, of which less is better."""
    sides = {key: _sides(pairs, folds) for key, pairs in paired.items()} | dict(derived)
    gaps = {key: second - first for key, (first, second) in sides.items()}
    corrected = holm([p_value(gap) for gap in gaps.values()])
    return tuple(
        ComparedMetric(
            group=key[0],
            metric=key[1],
            first=sides[key][0].value,
            second=sides[key][1].value,
            difference=interval(gap),
            p=p,
            trainings=len(gap.trainings),
            obstacle=too_few(gap),
            more_seeds=seeds_needed(gap),
            more_folds=folds_needed(gap),
            less_is_better=key in derived,
        )
        for (key, gap), p in zip(gaps.items(), corrected, strict=True)
    )


def _sides(pairs: Mapping[tuple[int, ...], tuple[Outcome, Outcome]], folds: int | None) -> tuple[Estimate, Estimate]:
    """Return the mean accuracy of both sides over folds and seeds."""
    means = []
    for side in (0, 1):
        accuracies = [
            pair[side].accuracy(Training(fold, seed * _STRIDE + number))
            for (fold, seed, number), pair in sorted(pairs.items())
        ]
        means.append(mean_of(accuracies) if folds is None else over_folds(accuracies, folds))
    first, second = means
    assert first is not None
    assert second is not None
    return first, second


def _identity(outcome: Outcome, ignored: Sequence[str]) -> tuple[Any, ...]:
    fields = tuple((name, value) for name, value in sorted(outcome.fields.items()) if name not in ignored)
    return (*fields, outcome.metric)


def _group(fields: Mapping[str, Any], ignored: Sequence[str]) -> str:
    shown = {name: value for name, value in fields.items() if name not in (*_REPLICATES, *ignored) and value != ""}
    return ", ".join(f"{name} {value}" if isinstance(value, int) else str(value) for name, value in shown.items())

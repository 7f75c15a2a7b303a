"""Compare two runs, or two strategies of one run: paired over folds, seeds and test examples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from trivium.benchmarks.outcomes import Outcome
from trivium.errors import UserError, unknown_name
from trivium.measure.bootstrap import Bootstrap, Interval, interval
from trivium.measure.metrics import Floats
from trivium.measure.significance import bootstrap_p, holm

_REPLICATES = ("fold", "seed", "number")
"""Fields that distinguish repeated trainings of a model, over which results are averaged."""
_ALPHA = 0.05
_RESAMPLES = 10_000


_Pairs: TypeAlias = dict[tuple[str, str], dict[tuple[int, ...], tuple[Outcome, Outcome]]]


class ComparedMetric(NamedTuple):
    """The accuracies of both sides on one test, or what they forgot, and the difference second − first.

    ``p`` is corrected for the number of comparisons. ``trainings`` is the number of trainings of each side.
    """

    group: str
    metric: str
    first: float
    second: float
    difference: Interval
    p: float
    trainings: int
    less_is_better: bool = False

    @property
    def verdict(self) -> str:
        """Which side is better, corrected for the number of comparisons."""
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
    outcomes: Iterable[Outcome], first: str, second: str, forgetting: Mapping[tuple[str, str], Floats] | None = None
) -> ComparisonFigures:
    """Compare two strategies of one run; ``forgetting`` is what each forgot, by (setting, strategy)."""
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
    return ComparisonFigures(first, second, _compare(pairs, derived), _is_identical(pairs))


def compare_runs(first: Iterable[Outcome], second: Iterable[Outcome], names: Sequence[str]) -> ComparisonFigures:
    """Compare two runs on the predictions that both have: same fold, seed, strategy, stage and test."""
    pairs = _pairs([list(first), list(second)], ignored=())
    return ComparisonFigures(names[0], names[1], _compare(pairs, {}), _is_identical(pairs))


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


def _compare(paired: _Pairs, derived: Mapping[tuple[str, str], tuple[Floats, Floats]]) -> tuple[ComparedMetric, ...]:
    """Compare both sides on each test, and in quantities derived from several tests, of which less is better.

    A derived quantity has as many trainings as the test with the most.
    """
    bootstrap = Bootstrap(_RESAMPLES)
    gaps = {key: _difference(pairs, bootstrap) for key, pairs in paired.items()}
    gaps |= {key: second - first for key, (first, second) in derived.items()}
    means = {
        key: [float(np.mean([pair[side].correct.mean() for pair in pairs.values()])) for side in (0, 1)]
        for key, pairs in paired.items()
    }
    means |= {key: [float(side[0]) for side in both] for key, both in derived.items()}
    trainings = {key: len(pairs) for key, pairs in paired.items()}
    corrected = holm([bootstrap_p(gap) for gap in gaps.values()])
    return tuple(
        ComparedMetric(
            group=key[0],
            metric=key[1],
            first=means[key][0],
            second=means[key][1],
            difference=interval(gap),
            p=p,
            trainings=trainings.get(key, max(trainings.values())),
            less_is_better=key in derived,
        )
        for (key, gap), p in zip(gaps.items(), corrected, strict=True)
    )


def _difference(pairs: Mapping[tuple[int, ...], tuple[Outcome, Outcome]], bootstrap: Bootstrap) -> Any:
    """Return second − first with resamples: the mean over folds within each seed, then over seeds."""
    by_seed: dict[int, list[Any]] = {}
    for (_, seed, _), (first, second) in sorted(pairs.items()):
        gap = second.correct.astype(np.float64) - first.correct
        by_seed.setdefault(seed, []).append(bootstrap.mean(gap, first.split, first.clusters))
    return bootstrap.over_seeds({seed: np.mean(values, axis=0) for seed, values in by_seed.items()})


def _identity(outcome: Outcome, ignored: Sequence[str]) -> tuple[Any, ...]:
    fields = tuple((name, value) for name, value in sorted(outcome.fields.items()) if name not in ignored)
    return (*fields, outcome.metric)


def _group(fields: Mapping[str, Any], ignored: Sequence[str]) -> str:
    shown = {name: value for name, value in fields.items() if name not in (*_REPLICATES, *ignored) and value != ""}
    return ", ".join(f"{name} {value}" if isinstance(value, int) else str(value) for name, value in shown.items())

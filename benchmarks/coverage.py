"""How often a nominal 95 % interval contains the true value: simulated trainings, folds and test examples.

Writes the tables of ``docs/statistics.md``, each between two comments in that file:
``python benchmarks/coverage.py --repetitions 2000 --out docs/statistics.md``, and the same with ``--new``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from trivium.measure.statistics.estimate import Estimate, Training, mean, mean_of, over_folds
from trivium.measure.statistics.intervals import interval

_RESAMPLES = 400
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(60)
_NORMAL = (_NODES, _WEIGHTS / _WEIGHTS.sum())


@dataclass(frozen=True)
class World:
    """Simulated trainings. Effects are standard deviations on the logit scale.

    With ``paired``, two methods with the same mean share the examples, and the value is their difference. ``seed`` is
    the effect of one training, ``shared`` that of a seed in all folds, ``cluster`` that of a sentence, on which
    ``size`` examples depend. Of ``of`` folds, ``folds`` are run.
    """

    name: str
    seeds: int
    centre: float = 0.8
    seed: float = 0.25
    shared: float = 0.0
    cluster: float = 1.0
    fold: float = 0.0
    clusters: int = 150
    size: int = 2
    folds: int = 1
    of: int = 1
    paired: bool = False


def worlds() -> Iterator[World]:
    """Yield the simulated situations."""
    for seeds in (1, 2, 3, 5, 10):
        plain = World("accuracy", seeds)
        in_folds = replace(plain, name="all 9 folds", fold=0.5, folds=9, of=9)
        yield in_folds
        yield replace(in_folds, name="all 9 folds, difference", paired=True)
        yield replace(in_folds, name="all 9 folds, a seed has one effect in all", shared=0.3)
        yield replace(in_folds, name="3 of 9 folds", folds=3)
        yield replace(in_folds, name="3 of 9 folds, difference", folds=3, paired=True)
        yield replace(in_folds, name="2 of 9 folds, difference", folds=2, paired=True)
        if seeds == 1:
            continue
        yield plain
        yield replace(plain, name="accuracy, seeds vary little", seed=0.05)
        yield replace(plain, name="accuracy, seeds vary much", seed=0.8)
        yield replace(plain, name="difference of two methods", paired=True)
        yield replace(plain, name="rare successes (2 %)", centre=0.02, clusters=100, size=1)
        yield replace(plain, name="few examples (20)", clusters=20, size=1)


def new_worlds() -> Iterator[World]:
    """Yield other situations, which the method was not adjusted to."""
    for seeds in (3, 4, 7):
        plain = World("accuracy of 60 %, 80 sentences", seeds, centre=0.6, seed=0.4, cluster=0.7, clusters=80, size=3)
        yield plain
        yield replace(plain, name="difference at 60 %", paired=True)
        yield replace(plain, name="95 %, every example apart", centre=0.95, clusters=300, size=1)
        yield replace(plain, name="rare successes (5 %)", centre=0.05, clusters=200, size=1)
        yield replace(plain, name="few sentences (30) with 8 examples", clusters=30, size=8)
        yield replace(plain, name="4 of 9 folds", fold=0.8, folds=4, of=9)
        yield replace(plain, name="6 of 9 folds, difference", fold=0.3, folds=6, of=9, paired=True)


def _logit(share: float) -> float:
    return float(np.log(share / (1 - share)))


def _sigmoid(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-values))


@dataclass(frozen=True)
class Sample:
    """Simulated outcomes: fold × seed × cluster × example, of two methods, and the true value."""

    outcomes: NDArray[np.float64]
    truth: float


def draw(world: World, rng: np.random.Generator) -> Sample:
    """Draw the outcomes of one study. The folds that exist are fixed; trainings and examples are drawn."""
    folds = rng.normal(0, world.fold, (2, world.of))
    nodes, weights = _NORMAL
    effects = np.sqrt(world.seed**2 + world.shared**2 + world.cluster**2) * nodes
    means = (_sigmoid(_logit(world.centre) + folds[..., None] + effects) @ weights).mean(axis=1)
    truth = float(means[1] - means[0]) if world.paired else float(means[0])
    chosen = rng.permutation(world.of)[: world.folds]
    sentences = rng.normal(0, world.cluster, world.clusters)
    shared = rng.normal(0, world.shared, (2, 1, world.seeds)) if world.shared else np.zeros((2, 1, world.seeds))
    seeds = rng.normal(0, world.seed, (2, world.folds, world.seeds)) + shared
    logits = _logit(world.centre) + folds[:, chosen][:, :, None, None] + seeds[..., None] + sentences
    shape = (*logits.shape, world.size)
    return Sample((rng.random(shape) < _sigmoid(logits)[..., None]).astype(np.float64), truth)


def estimate(world: World, sample: Sample) -> Estimate:
    """Return the estimate of a study, as the benchmarks compute it."""
    names = np.repeat(np.arange(world.clusters), world.size).tolist()

    def of_method(method: int) -> Estimate:
        by_fold = []
        for fold in range(world.folds):
            outcomes = sample.outcomes[method, fold].reshape(world.seeds, -1) > 0.5
            by_fold.append(mean_of(mean(row, names, Training(fold, s)) for s, row in enumerate(outcomes)))
        result = over_folds(by_fold, world.of)
        assert result is not None
        return result

    return of_method(1) - of_method(0) if world.paired else of_method(0)


def bootstrap_limits(world: World, sample: Sample, rng: np.random.Generator) -> tuple[float, float]:
    """Return the limits of the percentile bootstrap over sentences, then over seeds, that was used before."""
    by_cluster = sample.outcomes.mean(axis=-1)
    values = by_cluster[1] - by_cluster[0] if world.paired else by_cluster[0]
    values = values.mean(axis=0)  # over folds
    drawn = rng.integers(world.clusters, size=(_RESAMPLES, world.clusters))
    resampled = values[:, drawn].mean(axis=2)  # seeds × resamples
    seeds = rng.integers(world.seeds, size=(world.seeds, _RESAMPLES))
    low, high = np.percentile(np.take_along_axis(resampled, seeds, axis=0).mean(axis=0), [2.5, 97.5])
    return float(low), float(high)


@dataclass(frozen=True)
class Coverage:
    """The share of intervals that contain the true value, before and after, and their mean widths in points."""

    world: World
    before: float
    after: float
    width_before: float
    width_after: float


def simulate(world: World, repetitions: int, seed: int = 0, with_before: bool = True) -> Coverage:
    """Return the coverage of both kinds of intervals in a simulated situation."""
    rng = np.random.default_rng([seed, world.seeds, world.folds, len(world.name)])
    hits, widths = np.zeros((repetitions, 2)), np.zeros((repetitions, 2))
    for index in range(repetitions):
        sample = draw(world, rng)
        limits = interval(estimate(world, sample))
        both = [(limits.low, limits.high)]
        both.insert(0, bootstrap_limits(world, sample, rng) if with_before else (0.0, 0.0))
        hits[index] = [low <= sample.truth <= high for low, high in both]
        widths[index] = [high - low for low, high in both]
    before, after = 100 * hits.mean(axis=0)
    return Coverage(world, before, after, *100 * np.median(widths, axis=0))


def table(results: list[Coverage], repetitions: int) -> str:
    """Return the results as Markdown."""
    lines = [
        f"Nominal 95 %, {repetitions:,} simulated studies for each row; widths are medians in percentage points.",
        "",
        "| situation | seeds | covered before | covered now | width before | width now |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for item in results:
        figures = (f"{item.before:.1f} %", f"{item.after:.1f} %", f"{item.width_before:.1f}", f"{item.width_after:.1f}")
        lines.append(f"| {item.world.name} | {item.world.seeds} | {' | '.join(figures)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=2000)
    parser.add_argument("--new", action="store_true", help="the situations that the method was not adjusted to")
    parser.add_argument("--out", type=Path, help="a Markdown file with the two comments; printed if not given")
    options = parser.parse_args()
    chosen = sorted(new_worlds() if options.new else worlds(), key=lambda world: world.name)
    results = [simulate(world, options.repetitions) for world in chosen]
    text = table(results, options.repetitions)
    if options.out is None:
        print(text)
        return
    begin, end = (
        f"<!-- coverage{' in new situations' if options.new else ''}: {edge} -->" for edge in ("begin", "end")
    )
    before, _, rest = options.out.read_text(encoding="utf-8").partition(begin)
    _, _, after = rest.partition(end)
    options.out.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()

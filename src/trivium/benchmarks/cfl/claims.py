"""The claims of CFL's sections 5 and 6 and of its appendix E, each as a quantity that should be above zero."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from trivium.benchmarks.cfl import published
from trivium.benchmarks.cfl.feature_matching import Support
from trivium.benchmarks.cfl.protocol import (
    CONTINUAL,
    CROSS_ENTROPY,
    FEW_SHOT,
    NEIGHBOURS,
    PROTOTYPES,
    PROTOTYPICAL,
    ZERO_SHOT,
)
from trivium.benchmarks.cfl.published import Figure
from trivium.benchmarks.cfl.results import AVERAGE, Results
from trivium.benchmarks.cfl.settings import Loss
from trivium.benchmarks.cfl.space import wider
from trivium.benchmarks.cfl.tables import DOMAINS, NAMES
from trivium.measure.bootstrap import interval
from trivium.measure.claim import Claim, claim, share_claim
from trivium.measure.metrics import Floats, difference, mean_of

FINE_TUNING = "finetune"
TRAINED = (FINE_TUNING, "scl", "mas")
# The text says "maintains", "equal", "similar": so many points apart, at most.
SAME = 0.01


def claims(results: Results) -> list[Claim]:
    """Every claim with the published figure, ours, and the verdict."""
    found: list[Claim] = []
    for suite in results.protocol.parts:
        made = [*_few_shot(results, suite), *_continual(results, suite), *_prototypes(results, suite)]
        title = results.part(suite).suite.title
        found += [replace(one, group=f"{one.group}, {title}") for one in made]
    needs = "the setups, strategies and losses of the claim (run.setups, run.strategies, run.losses)"
    return [replace(one, needs=one.needs or needs) for one in found]


def _few_shot(results: Results, suite: str) -> Iterator[Claim]:
    group, gap = "5.1 Few-shot", _Gap(results, suite, FEW_SHOT)
    for method in (*TRAINED, PROTOTYPES, NEIGHBOURS):
        if (suite, method) == ("imdb", NEIGHBOURS):
            continue  # the exception that the text makes
        yield gap.claim(group, f"{NAMES[method]}: a few examples help on the categories", method, ZERO_SHOT)
    for method in TRAINED:
        lost = gap.between(ZERO_SHOT, method, gap.base)
        text = f"{NAMES[method]} keeps what the base knew (within {100 * SAME:.0f} point)"
        yield claim(group, text, f"{100 * SAME:.0f} − (before − after), {gap.base}", None, _within(lost))
    for method in (PROTOTYPES, NEIGHBOURS):
        if (suite, method) != ("imdb", NEIGHBOURS):
            text = f"{NAMES[method]}: better than all methods that train"
            yield gap.best_claim(group, text, method, TRAINED)
    spreads = {
        name: (
            results.accuracy(suite, FEW_SHOT, PROTOTYPES, name),
            results.accuracy(suite, FEW_SHOT, FINE_TUNING, name),
        )
        for name in results.categories(suite)
    }
    wide = {
        name: left.spread > right.spread
        for name, (left, right) in spreads.items()
        if left is not None and right is not None and left.spread is not None and right.spread is not None
    }
    if suite != "imdb":
        text = "prototypes vary more over support sets than fine-tuning"
        yield share_claim(group, text, wide, 0.5, "categories", 100.0)


def _continual(results: Results, suite: str) -> Iterator[Claim]:
    group, gap = "5.2 Continual", _Gap(results, suite, CONTINUAL)
    for method in (*TRAINED, PROTOTYPES, NEIGHBOURS):
        yield gap.claim(group, f"{NAMES[method]} is better than zero-shot on the categories", method, ZERO_SHOT)
    yield gap.claim(group, "fine-tuning is better than MAS on the categories", FINE_TUNING, "mas")
    yield gap.best_claim(
        group, "prototypes are worst on the base test", PROTOTYPES, (*TRAINED, NEIGHBOURS), gap.base, -1
    )
    if suite != "anli":
        yield gap.claim(group, "prototypes are better on the categories than fine-tuning", PROTOTYPES, FINE_TUNING)
    yield gap.claim(group, "k-NN is worse on the categories than fine-tuning", FINE_TUNING, NEIGHBOURS)
    alone = results.accuracy(suite, FEW_SHOT, FINE_TUNING, AVERAGE)
    turn = results.accuracy(suite, CONTINUAL, FINE_TUNING, AVERAGE)
    found = difference(None if turn is None else turn.quantity, None if alone is None else alone.quantity)
    given = [figures.get(suite, {}).get(FINE_TUNING, {}).get(AVERAGE)
             for figures in (published.CONTINUAL, published.FEW_SHOT)]  # fmt: skip
    yield claim(group, "fine-tuning gains more in turn than alone", "in turn − alone, average", _minus(*given), found)
    if suite == "anli":
        yield gap.claim("E.2 In turn", "fine-tuning loses on the base test", ZERO_SHOT, FINE_TUNING, gap.base)
        yield from _domains(results, suite)


def _prototypes(results: Results, suite: str) -> Iterator[Claim]:
    group, base = "6 Prototypes", next(iter(results.part(suite).suite.tests))
    support = _Supports(results, suite)
    head = results.accuracy(suite, FEW_SHOT, ZERO_SHOT, base)
    own = None if head is None else head.quantity
    gap = difference(own, support.of(CROSS_ENTROPY, "original", base))
    apart = None if gap is None else np.abs(gap)
    text = f"prototypes of the base's data are as good as its head (within {100 * SAME:.0f} point)"
    yield claim(group, text, f"{100 * SAME:.0f} − |head − prototypes|, {base}", None, _within(apart))
    lost = difference(own, support.of(PROTOTYPICAL, "original", base))
    text = f"the prototypical loss is as good on the base test (within {100 * SAME:.0f} point)"
    yield claim(group, text, f"{100 * SAME:.0f} − (cross-entropy − prototypical), {base}", None, _within(lost))
    zero = results.accuracy(suite, FEW_SHOT, ZERO_SHOT, AVERAGE)
    better = difference(support.average(PROTOTYPICAL, "original"), None if zero is None else zero.quantity)
    if suite == "anli":
        text, better = "the prototypical loss is worse on the categories", None if better is None else -better
    else:
        text = "the prototypical loss is better on the categories"
    yield claim(group, text, "the better loss − the other, average", None, better)
    for one, other, text in (
        ("categories", "both", "prototypes of a category alone are better there than with the base's"),
        ("both", "original", "prototypes of both are better on the categories than the base's alone"),
    ):
        found = difference(support.average(CROSS_ENTROPY, one), support.average(CROSS_ENTROPY, other))  # type: ignore[arg-type]
        yield claim(group, text, f"{one} − {other}, average", None, found)
    gap = difference(support.of(CROSS_ENTROPY, "original", base), support.of(CROSS_ENTROPY, "categories", base))
    yield claim(
        group, "with a category's prototypes the base test is lost", f"original − categories, {base}", None, gap
    )
    farther = wider(results, suite)
    text = "after the prototypical loss examples lie farther from the middle of their label"
    yield Claim(group, text, f"distance, prototypical − cross-entropy, {base}", None,
                None if farther is None else interval(farther))  # fmt: skip


def _domains(results: Results, suite: str) -> Iterator[Claim]:
    for method in (FINE_TUNING, PROTOTYPES):
        means = {}
        for domain, genre in DOMAINS.items():
            found = [results.by_domain(suite, method, name, genre) for name in results.categories(suite)]
            means[domain] = mean_of(one.quantity for one in found if one is not None)
        others = mean_of(mean for domain, mean in means.items() if domain != "Legal")
        text = f"{NAMES[method]} is better on the legal domain than on others"
        yield claim("E.1 Domains", text, "legal − mean of others", None, difference(means["Legal"], others))


class _Gap:
    """Differences between methods of a setup, ours and the published ones."""

    def __init__(self, results: Results, suite: str, setup: str) -> None:
        self.results, self.suite, self.setup = results, suite, setup
        self.base = next(iter(results.part(suite).suite.tests))
        self._given = (published.FEW_SHOT if setup == FEW_SHOT else published.CONTINUAL).get(suite, {})

    def of(self, method: str, test: str) -> Floats | None:
        if method not in self.results.methods(self.setup) or not self.results.categories(self.suite, self.setup):
            return None
        found = self.results.accuracy(self.suite, self.setup, method, test)
        return None if found is None else found.quantity

    def between(self, left: str, right: str, test: str) -> Floats | None:
        return difference(self.of(left, test), self.of(right, test))

    def claim(self, group: str, text: str, left: str, right: str, test: str = AVERAGE) -> Claim:
        """A claim that one method is better than another."""
        given = _minus(*(self._given.get(method, {}).get(test) for method in (left, right)))
        quantity = f"{NAMES[left]} − {NAMES[right]}, {test.lower() if test == AVERAGE else test}"
        return claim(group, text, quantity, given, self.between(left, right, test))

    def best_claim(
        self, group: str, text: str, method: str, others: Sequence[str], test: str = AVERAGE, sign: int = 1
    ) -> Claim:
        """A claim that a method is better than all others, or with the sign −1 worse."""
        mine, theirs = self.of(method, test), [self.of(other, test) for other in others]
        there = [one for one in theirs if one is not None]
        found = None
        if mine is not None and len(there) == len(theirs):
            found = np.asarray(np.min([sign * (mine - one) for one in there], axis=0))
        given = [
            _minus(self._given.get(method, {}).get(test), self._given.get(other, {}).get(test)) for other in others
        ]
        least = min((sign * one for one in given if one is not None), default=None)
        near = "the best other" if sign == 1 else "the worst other"
        quantity = f"{NAMES[method]} − {near}" if sign == 1 else f"{near} − {NAMES[method]}"
        return claim(group, text, f"{quantity}, {test.lower() if test == AVERAGE else test}", least, found)


class _Supports:
    """Accuracies of prototypes by loss and support set."""

    def __init__(self, results: Results, suite: str) -> None:
        self._results, self._suite = results, suite

    def of(self, loss: Loss, support: Support, test: str) -> Floats | None:
        found = self._results.by_support(self._suite, loss, support, test)
        return None if found is None else found.quantity

    def average(self, loss: Loss, support: Support) -> Floats | None:
        return mean_of(self.of(loss, support, name) for name in self._results.categories(self._suite))


def _within(gap: Floats | None) -> Floats | None:
    """How much less than allowed a gap is."""
    return None if gap is None else np.asarray(SAME - gap)


def _minus(left: Figure | None, right: Figure | None) -> float | None:
    return None if left is None or right is None else round(left.value - right.value, 1)

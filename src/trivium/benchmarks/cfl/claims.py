"""The claims of CFL's sections 5 and 6 and of its appendix E, each as a quantity that should be above zero."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from trivium.benchmarks.cfl import published
from trivium.benchmarks.cfl.design import (
    CONTINUAL,
    CROSS_ENTROPY,
    FEW_SHOT,
    NEIGHBOURS,
    PROTOTYPES,
    PROTOTYPICAL,
    ZERO_SHOT,
)
from trivium.benchmarks.cfl.feature_matching import Support
from trivium.benchmarks.cfl.published import Figure
from trivium.benchmarks.cfl.results import AVERAGE, Results
from trivium.benchmarks.cfl.settings import Loss
from trivium.benchmarks.cfl.space import wider
from trivium.benchmarks.cfl.tables import DOMAINS, method_title
from trivium.measure.bootstrap import interval
from trivium.measure.claim import Claim, claim, share_claim
from trivium.measure.metrics import Floats, difference, mean_of

FINE_TUNING = "finetune"
TRAINED = (FINE_TUNING, "scl", "mas")
# The text says "maintains", "equal", "similar": so many points apart, at most.
SAME = 0.01
_STEADY = "Reasoning"
_DOMAINS = ("Legal", "Procedural", "Wikipedia", "RTE")  # those of Table 13


def claims(results: Results) -> list[Claim]:
    """Every claim with the published figure, ours, and the verdict."""
    found: list[Claim] = []
    for suite in results.design.parts:
        made = [*_few_shot(results, suite), *_continual(results, suite), *_prototypes(results, suite)]
        title = results.part(suite).suite.title
        found += [replace(one, group=f"{one.group}, {title}") for one in made]
    needs = "the setups, strategies and losses of the claim (run.setups, run.strategies, run.losses)"
    return [replace(one, needs=one.needs or needs) for one in found]


def _few_shot(results: Results, suite: str) -> Iterator[Claim]:
    group, gap = "5.1 Few-shot", _Gap(results, suite, FEW_SHOT)
    for method in (*TRAINED, PROTOTYPES, NEIGHBOURS):
        if (suite, method) != ("imdb", NEIGHBOURS):  # the exception that the text makes
            yield from gap.helps(group, method)
    for method in TRAINED:
        lost = gap.between(ZERO_SHOT, method, gap.base)
        text = f"{method_title(method)} keeps what the base knew (within {100 * SAME:.0f} point)"
        given = _allowed(gap.given(ZERO_SHOT, method, gap.base))
        yield claim(group, text, f"{100 * SAME:.0f} − (before − after), {gap.base}", given, _within(lost))
    for method in (PROTOTYPES, NEIGHBOURS):
        if (suite, method) != ("imdb", NEIGHBOURS):
            text = f"{method_title(method)}: better than all methods that train"
            yield gap.best_claim(group, text, method, TRAINED)
    if suite != "imdb":
        for method in (PROTOTYPES, NEIGHBOURS):
            yield _varies(results, suite, group, method)


def _varies(results: Results, suite: str, group: str, method: str) -> Claim:
    """The claim that a method depends more on its support set than fine-tuning does."""
    wide = {}
    for name in results.categories(suite):
        mine, other = (results.accuracy(suite, FEW_SHOT, one, name) for one in (method, FINE_TUNING))
        if mine is not None and other is not None and mine.spread is not None and other.spread is not None:
            wide[name] = mine.spread > other.spread
    given = published.FEW_SHOT.get(suite)
    theirs = None
    if given is not None:
        names = [name for name in given[method] if given[method][name].spread is not None and name != AVERAGE]
        wider_there = [(given[method][name].spread or 0) > (given[FINE_TUNING][name].spread or 0) for name in names]
        theirs = 100 * float(np.mean(wider_there))
    text = f"{method_title(method)}: varies more over support sets than fine-tuning"
    return share_claim(group, text, wide, 0.5, "categories", theirs)


def _continual(results: Results, suite: str) -> Iterator[Claim]:
    group, gap = "5.2 Continual", _Gap(results, suite, CONTINUAL)
    for method in (*TRAINED, PROTOTYPES, NEIGHBOURS):
        yield from gap.helps(group, method)
    lost = gap.between(ZERO_SHOT, NEIGHBOURS, gap.base)
    text = f"k-NN keeps what the base knew (within {100 * SAME:.0f} point)"
    given = _allowed(gap.given(ZERO_SHOT, NEIGHBOURS, gap.base))
    yield claim(group, text, f"{100 * SAME:.0f} − (before − after), {gap.base}", given, _within(lost))
    yield gap.claim(group, "fine-tuning is better than MAS on the categories", FINE_TUNING, "mas")
    yield gap.best_claim(
        group, "prototypes are worst on the base test", PROTOTYPES, (*TRAINED, NEIGHBOURS), gap.base, -1
    )
    if suite != "anli":
        yield gap.claim(group, "prototypes are better on the categories than fine-tuning", PROTOTYPES, FINE_TUNING)
    yield gap.claim(group, "k-NN is worse on the categories than fine-tuning", FINE_TUNING, NEIGHBOURS)
    alone = _Gap(results, suite, FEW_SHOT)
    for method in (FINE_TUNING, "scl"):
        gains = [one.between(method, ZERO_SHOT, AVERAGE) for one in (gap, alone)]
        theirs = [one.given(method, ZERO_SHOT, AVERAGE) for one in (gap, alone)]
        more = None if theirs[0] is None or theirs[1] is None else round(theirs[0] - theirs[1], 1)
        text = f"{method_title(method)} gains more in turn than alone"
        yield claim(group, text, "gain in turn − gain alone, average", more, difference(*gains))
    if suite == "anli":
        yield gap.claim("E.2 In turn", "fine-tuning loses on the base test", ZERO_SHOT, FINE_TUNING, gap.base)
        yield from _each_category(results, suite, gap)
        yield from _domains(results, suite)


def _each_category(results: Results, suite: str, gap: _Gap) -> Iterator[Claim]:
    """What E.2 says about each category: it is better at the end, and the order matters more than for Reasoning."""
    names = list(results.categories(suite, CONTINUAL))
    for name in names:
        yield gap.claim("E.2 In turn", f"{name} is better after all categories", FINE_TUNING, ZERO_SHOT, name)
    spreads = {name: found.spread for name in names if (found := results.over_orders(suite, name)) is not None}
    reference = spreads.pop(_STEADY, None)
    more = {name: one > reference for name, one in spreads.items() if one is not None and reference is not None}
    text = f"other categories are more sensitive to the order than {_STEADY}"
    yield share_claim("E.2 In turn", text, more, 0.5, "categories", 100.0)


def _prototypes(results: Results, suite: str) -> Iterator[Claim]:
    group, base = "6 Prototypes", next(iter(results.part(suite).suite.tests))
    support = _Supports(results, suite)
    head = results.accuracy(suite, FEW_SHOT, ZERO_SHOT, base)
    own = None if head is None else head.quantity
    gap = difference(own, support.of(CROSS_ENTROPY, "original", base))
    apart = None if gap is None else np.abs(gap)
    text = f"prototypes of the base's data are as good as its head (within {100 * SAME:.0f} point)"
    theirs = support.given("head", f"{CROSS_ENTROPY} original", base)
    given = _allowed(None if theirs is None else abs(theirs))
    yield claim(group, text, f"{100 * SAME:.0f} − |head − prototypes|, {base}", given, _within(apart))
    lost = difference(own, support.of(PROTOTYPICAL, "original", base))
    text = f"the prototypical loss is as good on the base test (within {100 * SAME:.0f} point)"
    given = _allowed(support.given("head", f"{PROTOTYPICAL} original", base))
    yield claim(group, text, f"{100 * SAME:.0f} − (cross-entropy − prototypical), {base}", given, _within(lost))
    zero = results.accuracy(suite, FEW_SHOT, ZERO_SHOT, AVERAGE)
    better = difference(support.average(PROTOTYPICAL, "original"), None if zero is None else zero.quantity)
    given = support.given(f"{PROTOTYPICAL} original", "head")
    text = "the prototypical loss is better on the categories"
    if suite == "anli":
        text, better = "the prototypical loss is worse on the categories", None if better is None else -better
        given = None if given is None else -given
    yield claim(group, text, "the better loss − the other, average", given, better)
    for one, other, text in (
        ("categories", "both", "prototypes of a category alone are better there than with the base's"),
        ("both", "original", "prototypes of both are better on the categories than the base's alone"),
    ):
        found = difference(support.average(CROSS_ENTROPY, one), support.average(CROSS_ENTROPY, other))  # type: ignore[arg-type]
        given = support.given(f"{CROSS_ENTROPY} {one}", f"{CROSS_ENTROPY} {other}")
        yield claim(group, text, f"{one} − {other}, average", given, found)
    gap = difference(support.of(CROSS_ENTROPY, "original", base), support.of(CROSS_ENTROPY, "categories", base))
    given = support.given(f"{CROSS_ENTROPY} original", f"{CROSS_ENTROPY} categories", base)
    text = "with a category's prototypes the base test is lost"
    yield claim(group, text, f"original − categories, {base}", given, gap)
    farther = wider(results, suite)
    text = "after the prototypical loss examples lie farther from the middle of their label"
    yield Claim(group, text, f"distance, prototypical − cross-entropy, {base}", None,
                None if farther is None else interval(farther))  # fmt: skip


def _domains(results: Results, suite: str) -> Iterator[Claim]:
    for method in (FINE_TUNING, PROTOTYPES):
        means = {}
        for domain in _DOMAINS:
            found = [results.by_domain(suite, method, name, DOMAINS[domain]) for name in results.categories(suite)]
            means[domain] = mean_of(one.quantity for one in found if one is not None)
        others = mean_of(mean for domain, mean in means.items() if domain != "Legal")
        text = f"{method_title(method)} is better on the legal domain than on others"
        yield claim("E.1 Domains", text, "legal − mean of others", None, difference(means["Legal"], others))
        sign, word = (-1, "worse") if method == FINE_TUNING else (1, "better")
        others = mean_of(mean for domain, mean in means.items() if domain != "RTE")
        gap = difference(means["RTE"], others)
        text = f"{method_title(method)} is relatively {word} on the RTE domain"
        quantity = "RTE − mean of others" if sign == 1 else "mean of others − RTE"
        yield claim("E.1 Domains", text, quantity, None, None if gap is None else sign * gap)


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

    def given(self, left: str, right: str, test: str) -> float | None:
        """The published difference."""
        return _minus(*(self._given.get(method, {}).get(test) for method in (left, right)))

    def helps(self, group: str, method: str) -> Iterator[Claim]:
        """The claim that examples help; where only errors of the base are asked, more than guessing does.

        There the base is wrong by selection, and anything is better. With two labels nothing is better than a guess.
        """
        suite = self.results.part(self.suite).suite
        if not suite.errors_only:
            yield self.claim(group, f"{method_title(method)}: a few examples help on the categories", method, ZERO_SHOT)
        elif len(suite.labels) > 2:
            chance, mine = 1 / (len(suite.labels) - 1), self.of(method, AVERAGE)
            figure = self._given.get(method, {}).get(AVERAGE)
            given = None if figure is None else round(figure.value - 100 * chance, 1)
            text = f"{method_title(method)}: better than guessing a label that the base did not give"
            found = None if mine is None else mine - chance
            yield claim(group, text, f"{method_title(method)} − {100 * chance:.0f}, average", given, found)

    def claim(self, group: str, text: str, left: str, right: str, test: str = AVERAGE) -> Claim:
        """A claim that one method is better than another."""
        quantity = f"{method_title(left)} − {method_title(right)}, {test.lower() if test == AVERAGE else test}"
        return claim(group, text, quantity, self.given(left, right, test), self.between(left, right, test))

    def best_claim(
        self, group: str, text: str, method: str, others: Sequence[str], test: str = AVERAGE, sign: int = 1
    ) -> Claim:
        """A claim that a method is better than all others, or with the sign −1 worse."""
        mine, theirs = self.of(method, test), [self.of(other, test) for other in others]
        there = [one for one in theirs if one is not None]
        found = None
        if mine is not None and len(there) == len(theirs):
            found = np.asarray(np.min([sign * (mine - one) for one in there], axis=0))
        given = [self.given(method, other, test) for other in others]
        least = min((sign * one for one in given if one is not None), default=None)
        near = "the best other" if sign == 1 else "the worst other"
        quantity = f"{method_title(method)} − {near}" if sign == 1 else f"{near} − {method_title(method)}"
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

    def given(self, left: str, right: str, test: str = "") -> float | None:
        """The published difference of two rows of Tables 10 and 11 on a test, or on average over the categories."""
        rows = published.SUPPORTS.get(self._suite)
        if rows is None:
            return None
        base = next(iter(self._results.part(self._suite).suite.tests))
        names = [test] if test else [name for name in rows[left] if name != base]
        return round(float(np.mean([rows[left][name].value - rows[right][name].value for name in names])), 1)


def _within(gap: Floats | None) -> Floats | None:
    """How much less than allowed a gap is."""
    return None if gap is None else np.asarray(SAME - gap)


def _allowed(gap: float | None) -> float | None:
    """The same of a published gap in points."""
    return None if gap is None else round(100 * SAME - gap, 1)


def _minus(left: Figure | None, right: Figure | None) -> float | None:
    return None if left is None or right is None else round(left.value - right.value, 1)

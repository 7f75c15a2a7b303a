"""The claims of CFL's sections 5, 6 and E. Each states a quantity that is above zero if the claim is true."""

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
from trivium.benchmarks.cfl.results import AVERAGE, Results
from trivium.benchmarks.cfl.settings import Loss
from trivium.benchmarks.cfl.space import distance_increase
from trivium.benchmarks.cfl.tables import DOMAINS, method_title
from trivium.benchmarks.published import Figure
from trivium.measure.claim import Claim, claim, corrected, sample_claim
from trivium.measure.statistics.estimate import Estimate, difference, least, mean_of

FINE_TUNING = "finetune"
TRAINED = (FINE_TUNING, "scl", "mas")
TOLERANCE = 0.01  # the largest difference that counts as the paper's "maintains", "equal" or "similar"
_POINT = f"{100 * TOLERANCE:.0f} point"
_STABLE = "Reasoning"  # the category that the paper finds least sensitive to the order
_DOMAINS = ("Legal", "Procedural", "Wikipedia", "RTE")  # those of Table 13
_NEEDS = "the setups, strategies and losses of the claim (run.setups, run.strategies, run.losses)"


def claims(results: Results) -> list[Claim]:
    """Return all claims, with published and measured values."""
    all_claims: list[Claim] = []
    for suite, plan in results.design.suites.items():
        suite_claims = [*_few_shot(results, suite), *_continual(results, suite), *_prototypes(results, suite)]
        all_claims += [replace(claim, group=f"{claim.group}, {plan.suite.title}") for claim in suite_claims]
    return corrected(replace(claim, needs=claim.needs or _NEEDS) for claim in all_claims)


def _few_shot(results: Results, suite: str) -> Iterator[Claim]:
    group, compare = "5.1 Few-shot", _Comparison(results, suite, FEW_SHOT)
    # The paper's text excludes k-NN on IMDB.
    matching = [method for method in (PROTOTYPES, NEIGHBOURS) if (suite, method) != ("imdb", NEIGHBOURS)]
    for method in (*TRAINED, *matching):
        yield from compare.improvement(group, method)
    for method in TRAINED:
        yield compare.retention(group, method)
    for method in matching:
        text = f"{method_title(method)}: better than all methods that train"
        yield compare.best_claim(group, text, method, TRAINED)
    if suite != "imdb":
        for method in (PROTOTYPES, NEIGHBOURS):
            yield _support_sensitivity(results, suite, group, method)


def _support_sensitivity(results: Results, suite: str, group: str, method: str) -> Claim:
    """Return the claim that a method depends more on its support set than fine-tuning does."""
    is_wider = {}
    for name in results.categories(suite):
        ours, other = (results.accuracy(suite, FEW_SHOT, compared, name) for compared in (method, FINE_TUNING))
        spreads = [None if side is None else side.spread() for side in (ours, other)]
        if spreads[0] is not None and spreads[1] is not None:
            is_wider[name] = spreads[0] > spreads[1]
    figures = published.FEW_SHOT.get(suite)
    share = None
    if figures is not None:
        pairs = [
            (figure.spread, figures[FINE_TUNING][name].spread or 0)
            for name, figure in figures[method].items()
            if figure.spread is not None and name != AVERAGE
        ]
        share = 100 * float(np.mean([spread > reference for spread, reference in pairs]))
    text = f"{method_title(method)}: varies more over support sets than fine-tuning"
    return sample_claim(group, text, list(is_wider.values()), 0.5, "categories", share)


def _continual(results: Results, suite: str) -> Iterator[Claim]:
    group, compare = "5.2 Continual", _Comparison(results, suite, CONTINUAL)
    for method in (*TRAINED, PROTOTYPES, NEIGHBOURS):
        yield from compare.improvement(group, method)
    yield compare.retention(group, NEIGHBOURS)
    yield compare.claim(group, "fine-tuning is better than MAS on the categories", FINE_TUNING, "mas")
    text, others = "prototypes are worst on the base test", (*TRAINED, NEIGHBOURS)
    yield compare.best_claim(group, text, PROTOTYPES, others, compare.base_test, -1)
    if suite != "anli":
        text = "prototypes are better on the categories than fine-tuning"
        yield compare.claim(group, text, PROTOTYPES, FINE_TUNING)
    yield compare.claim(group, "k-NN is worse on the categories than fine-tuning", FINE_TUNING, NEIGHBOURS)
    few_shot = _Comparison(results, suite, FEW_SHOT)
    for method in (FINE_TUNING, "scl"):
        gains = [setup.difference(method, ZERO_SHOT, AVERAGE) for setup in (compare, few_shot)]
        figures = [setup.published(method, ZERO_SHOT, AVERAGE) for setup in (compare, few_shot)]
        figure = None if figures[0] is None or figures[1] is None else round(figures[0] - figures[1], 1)
        text = f"{method_title(method)} gains more in the continual than in the few-shot setup"
        yield claim(group, text, "continual gain − few-shot gain, average", figure, difference(*gains))
    if suite == "anli":
        text = "fine-tuning loses accuracy on the base test"
        yield compare.claim("E.2 Sequence", text, ZERO_SHOT, FINE_TUNING, compare.base_test)
        yield from _each_category(results, suite, compare)
        yield from _domains(results, suite)


def _each_category(results: Results, suite: str, compare: _Comparison) -> Iterator[Claim]:
    """Yield the claims of E.2: each category improves, and all but Reasoning are sensitive to the order."""
    group, names = "E.2 Sequence", list(results.categories(suite, CONTINUAL))
    for name in names:
        yield compare.claim(group, f"accuracy on {name} is higher after all categories", FINE_TUNING, ZERO_SHOT, name)
    spreads = {name: measured.spread() for name in names if (measured := results.over_orders(suite, name)) is not None}
    reference = spreads.pop(_STABLE, None)
    is_wider = {
        name: spread > reference for name, spread in spreads.items() if spread is not None and reference is not None
    }
    text = f"other categories are more sensitive to the order than {_STABLE}"
    yield sample_claim(group, text, list(is_wider.values()), 0.5, "categories", 100.0)


def _prototypes(results: Results, suite: str) -> Iterator[Claim]:
    yield from _prototypes_of_the_base(results, suite)
    group, base_test = "6 Prototypes", results.base_test(suite)
    prototypes = _Prototypes(results, suite)
    comparisons: tuple[tuple[Support, Support, str], ...] = (
        ("categories", "both", "on a category, its own prototypes are better alone than with those of the base"),
        ("both", "original", "on the categories, prototypes of both are better than those of the base alone"),
    )
    for left, right, text in comparisons:
        gap = difference(prototypes.average(CROSS_ENTROPY, left), prototypes.average(CROSS_ENTROPY, right))
        figure = prototypes.published(f"{CROSS_ENTROPY} {left}", f"{CROSS_ENTROPY} {right}")
        yield claim(group, text, f"{left} − {right}, average", figure, gap)
    original, categories = (
        prototypes.accuracy(CROSS_ENTROPY, "original", base_test),
        prototypes.accuracy(CROSS_ENTROPY, "categories", base_test),
    )
    figure = prototypes.published(f"{CROSS_ENTROPY} original", f"{CROSS_ENTROPY} categories", base_test)
    text = "prototypes of a category lose accuracy on the base test"
    yield claim(group, text, f"original − categories, {base_test}", figure, difference(original, categories))
    increase = distance_increase(results, suite)
    text = "with the prototypical loss, examples are farther from the centre of their label"
    quantity = f"distance, prototypical − cross-entropy, {base_test}"
    yield claim(group, text, quantity, None, increase, scale=1)


def _prototypes_of_the_base(results: Results, suite: str) -> Iterator[Claim]:
    """Yield the claims that compare prototypes of the base's training data with its classification head."""
    group, base_test = "6 Prototypes", results.base_test(suite)
    prototypes = _Prototypes(results, suite)
    measured = results.accuracy(suite, FEW_SHOT, ZERO_SHOT, base_test)
    gap = difference(measured, prototypes.accuracy(CROSS_ENTROPY, "original", base_test))
    figure = prototypes.published("head", f"{CROSS_ENTROPY} original", base_test)
    text = f"prototypes of the base's training data are as good as its head (within {_POINT})"
    quantity = f"{100 * TOLERANCE:.0f} − |head − prototypes|, {base_test}"
    margin = _margin(None if gap is None else abs(gap))
    yield claim(group, text, quantity, _published_margin(None if figure is None else abs(figure)), margin)
    loss = difference(measured, prototypes.accuracy(PROTOTYPICAL, "original", base_test))
    figure = prototypes.published("head", f"{PROTOTYPICAL} original", base_test)
    text = f"the prototypical loss is as good on the base test (within {_POINT})"
    quantity = f"{100 * TOLERANCE:.0f} − (cross-entropy − prototypical), {base_test}"
    yield claim(group, text, quantity, _published_margin(figure), _margin(loss))
    zero_shot = results.accuracy(suite, FEW_SHOT, ZERO_SHOT, AVERAGE)
    average = prototypes.average(PROTOTYPICAL, "original")
    gain = difference(average, zero_shot)
    figure = prototypes.published(f"{PROTOTYPICAL} original", "head")
    if suite == "anli":
        text, quantity = "the prototypical loss is worse on the categories", "cross-entropy − prototypical, average"
        gain, figure = None if gain is None else -gain, None if figure is None else -figure
    else:
        text, quantity = "the prototypical loss is better on the categories", "prototypical − cross-entropy, average"
    yield claim(group, text, quantity, figure, gain)


def _domains(results: Results, suite: str) -> Iterator[Claim]:
    group = "E.1 Domains"
    for method in (FINE_TUNING, PROTOTYPES):
        means = {}
        for domain in _DOMAINS:
            cells = [results.by_domain(suite, method, name, DOMAINS[domain]) for name in results.categories(suite)]
            means[domain] = mean_of(measured for measured in cells if measured is not None)
        others = mean_of(mean for domain, mean in means.items() if domain != "Legal")
        text = f"{method_title(method)} is better on the legal domain than on others"
        yield claim(group, text, "legal − mean of others", None, difference(means["Legal"], others))
        others = mean_of(mean for domain, mean in means.items() if domain != "RTE")
        if method == FINE_TUNING:
            text, quantity = f"{method_title(method)} is relatively worse on the RTE domain", "mean of others − RTE"
            gap = difference(others, means["RTE"])
        else:
            text, quantity = f"{method_title(method)} is relatively better on the RTE domain", "RTE − mean of others"
            gap = difference(means["RTE"], others)
        yield claim(group, text, quantity, None, gap)


class _Comparison:
    """Differences between the methods of a setup on a suite, ours and the published ones."""

    def __init__(self, results: Results, suite: str, setup: str) -> None:
        self._results, self._suite, self._setup = results, suite, setup
        self.base_test = results.base_test(suite)
        self._figures = published.methods(setup).get(suite, {})

    def accuracy(self, method: str, test: str) -> Estimate | None:
        """Return the accuracy of a method; None if it was not run."""
        results = self._results
        if method not in results.methods(self._setup) or not results.categories(self._suite, self._setup):
            return None
        return results.accuracy(self._suite, self._setup, method, test)

    def difference(self, left: str, right: str, test: str) -> Estimate | None:
        """Return the accuracy of ``left`` minus that of ``right``."""
        return difference(self.accuracy(left, test), self.accuracy(right, test))

    def published(self, left: str, right: str, test: str) -> float | None:
        """Return the published difference, in points."""
        return _minus(*(self._figures.get(method, {}).get(test) for method in (left, right)))

    def improvement(self, group: str, method: str) -> Iterator[Claim]:
        """Yield the claim that a few examples help on the categories.

        Where only errors of the base are tested, the base is wrong by selection and any method is better. There the
        claim is that a method is better than guessing among the other labels. With two labels there is no such claim,
        because the guess is always correct.
        """
        suite = self._results.plan(self._suite).suite
        if not suite.errors_only:
            yield self.claim(group, f"{method_title(method)}: a few examples help on the categories", method, ZERO_SHOT)
        elif len(suite.labels) > 2:
            chance, accuracy = 1 / (len(suite.labels) - 1), self.accuracy(method, AVERAGE)
            figure = self._figures.get(method, {}).get(AVERAGE)
            margin = None if figure is None else round(figure.value - 100 * chance, 1)
            text = f"{method_title(method)}: better than guessing among the labels that the base did not predict"
            quantity = f"{method_title(method)} − {100 * chance:.0f}, average"
            yield claim(group, text, quantity, margin, None if accuracy is None else accuracy - chance)

    def retention(self, group: str, method: str) -> Claim:
        """Return the claim that a method keeps the accuracy of the base on the base test."""
        text = f"{method_title(method)} keeps the accuracy on the base test (within {_POINT})"
        quantity = f"{100 * TOLERANCE:.0f} − (before − after), {self.base_test}"
        figure = _published_margin(self.published(ZERO_SHOT, method, self.base_test))
        return claim(group, text, quantity, figure, _margin(self.difference(ZERO_SHOT, method, self.base_test)))

    def claim(self, group: str, text: str, left: str, right: str, test: str = AVERAGE) -> Claim:
        """Return the claim that one method is better than another."""
        quantity = f"{method_title(left)} − {method_title(right)}, {test.lower() if test == AVERAGE else test}"
        return claim(group, text, quantity, self.published(left, right, test), self.difference(left, right, test))

    def best_claim(
        self, group: str, text: str, method: str, others: Sequence[str], test: str = AVERAGE, sign: int = 1
    ) -> Claim:
        """Return the claim that a method is better than all others or, with the sign −1, worse than all others."""
        gaps = [self.difference(method, other, test) for other in others]
        smallest = least(None if gap is None else sign * gap for gap in gaps)
        figures = [figure for other in others if (figure := self.published(method, other, test)) is not None]
        figure = min((sign * figure for figure in figures), default=None)
        rival = "the best other" if sign == 1 else "the worst other"
        quantity = f"{method_title(method)} − {rival}" if sign == 1 else f"{rival} − {method_title(method)}"
        return claim(group, text, f"{quantity}, {test.lower() if test == AVERAGE else test}", figure, smallest)


class _Prototypes:
    """Accuracies of prototypes on a suite by loss and support, ours and the published ones."""

    def __init__(self, results: Results, suite: str) -> None:
        self._results, self._suite = results, suite

    def accuracy(self, loss: Loss, support: Support, test: str) -> Estimate | None:
        """Return the accuracy on a test; None if it was not run."""
        return self._results.by_support(self._suite, loss, support, test)

    def average(self, loss: Loss, support: Support) -> Estimate | None:
        """Return the mean accuracy over the categories; None if one was not run."""
        return mean_of(self.accuracy(loss, support, name) for name in self._results.categories(self._suite))

    def published(self, left: str, right: str, test: str = "") -> float | None:
        """Return the difference of two rows of Table 10 or 11, on a test or on average over the categories."""
        rows = published.SUPPORTS.get(self._suite)
        if rows is None:
            return None
        base_test = self._results.base_test(self._suite)
        names = [test] if test else [name for name in rows[left] if name != base_test]
        return round(float(np.mean([rows[left][name].value - rows[right][name].value for name in names])), 1)


def _margin(loss: Estimate | None) -> Estimate | None:
    """Return by how much a loss is below the tolerance."""
    return None if loss is None else TOLERANCE - loss


def _published_margin(loss: float | None) -> float | None:
    """Return by how much a published loss is below the tolerance, in points."""
    return None if loss is None else round(100 * TOLERANCE - loss, 1)


def _minus(left: Figure | None, right: Figure | None) -> float | None:
    return None if left is None or right is None else round(left.value - right.value, 1)

"""The claims of CURRICULUM's sections 5 and 6, each as a quantity that should be above zero.

Most are about the share of the phenomena of which something is true. Whether it is true of one phenomenon is decided by
its value, or by its 95 % interval where the paper says "significant"; the interval of a share is over the phenomena.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from trivium.benchmarks.curriculum import published
from trivium.benchmarks.curriculum.protocol import HYPOTHESIS, INOCULATION, SEQUENTIAL, ZERO_SHOT
from trivium.benchmarks.curriculum.results import Results
from trivium.measure.bootstrap import interval
from trivium.measure.claim import Claim, claim
from trivium.measure.metrics import Floats, difference, mean_of

# The text gives bounds in words; these are the numbers that they are read as.
HIGH, STRONG, LOW, MOST, MANY = 0.75, 0.5, 0.2, 0.5, 0.1
_HIGH, _MOST, _MANY = (f"{100 * bound:.0f}" for bound in (HIGH, MOST, MANY))
_COMPLEX = ("logi", "analytic")


def claims(results: Results) -> list[Claim]:
    """Every claim with the published figure, ours, and the verdict."""
    made = [*_zero_shot(results), *_inoculation(results), *_hypothesis(results), *_across(results), *_later(results)]
    needs = {
        "5.1 Zero-shot": "zero-shot and difficulty (run.tests)",
        "5.2 Inoculation": "zero-shot, difficulty and inoculation (run.tests)",
        "5.3 Hypothesis only": "inoculation and hypothesis-only (run.tests)",
        "5.4 Generalization": "difficulty and generalization (run.tests)",
        "6 Sequential training": "sequential (run.tests), with these strategies (sequential.sources, .selections)",
    }
    return [replace(one, needs=needs[one.group]) for one in made]


def _zero_shot(results: Results) -> Iterator[Claim]:
    group = "5.1 Zero-shot"
    found = {name: results.correlation(ZERO_SHOT, name) for name in results.protocol.chosen}
    positive = _true_of(found, lambda one: one[0] > 0)
    yield _share(results, group, "correlation is above 0 on most phenomena", positive, MOST, published.POSITIVE)
    strong = _true_of(found, lambda one: one[0] > STRONG)
    text = f"correlation is above {STRONG} on more than a few phenomena"
    yield _share(results, group, text, strong, MANY, published.STRONG)
    text = "what is captured (correlation above 0) is easier than what is not, in bits"
    yield _scaled(group, text, "V-information, captured − not", _easier(results, positive))
    for name in _COMPLEX:
        one = found.get(name)
        low = None if one is None else np.asarray(LOW - one)
        yield _scaled(group, f"{name}: correlation is low (below {LOW})", f"{LOW} − correlation", low)


def _inoculation(results: Results) -> Iterator[Claim]:
    group = "5.2 Inoculation"
    after = {name: _inoculated(results, name) for name in results.protocol.chosen}
    high = _true_of(after, lambda one: one[0] >= HIGH)
    text = f"after inoculation accuracy is high (at least {_HIGH} %) on most phenomena"
    yield _share(results, group, text, high, MOST, published.RECOVERED)
    gains = {name: difference(one, results.accuracy(ZERO_SHOT, name)) for name, one in after.items()}
    same = _true_of(gains, lambda one: interval(one).low <= 0)
    text = "on more than a few phenomena accuracy does not improve significantly"
    yield _share(results, group, text, same, MANY, published.NOT_IMPROVED)
    text = "what is high after inoculation is easier than what is not, in bits"
    yield _scaled(group, text, "V-information, high − not", _easier(results, high))


def _hypothesis(results: Results) -> Iterator[Claim]:
    group = "5.3 Hypothesis only"
    alone = {name: results.accuracy(HYPOTHESIS, name) for name in results.protocol.chosen}
    whole = {name: _inoculated(results, name) for name in results.protocol.chosen}
    low = _true_of(alone, lambda one: one[0] < HIGH)
    yield _share(results, group, f"the hypothesis alone is below {_HIGH} % on most phenomena", low, MOST, None)
    high, gains = _true_of(whole, lambda one: one[0] >= HIGH), {n: difference(whole[n], alone[n]) for n in alone}
    same = _true_of(gains, lambda one: interval(one).low <= 0)
    learned = None if high is None or low is None else {name: high[name] and low[name] for name in high}
    biased = None if high is None or low is None else {name: high[name] and not low[name] for name in high}
    for text, true, given in (
        ("accuracy is high with the premise and not without it", learned, published.LEARNED),
        ("the premise gives no significant gain", same, published.NO_GAIN),
        ("accuracy is high with the premise and without it", biased, published.BIASED),
    ):
        yield _share(results, group, f"on more than a few phenomena {text}", true, MANY, given)


def _across(results: Results) -> Iterator[Claim]:
    group = "5.4 Generalization"
    gaps = {name: _gap(results, name) for name in results.protocol.chosen}
    lost = _true_of(gaps, lambda one: interval(one).low > 0)
    text = "on most phenomena accuracy falls significantly from one half to the other"
    yield _share(results, group, text, lost, MOST, published.NOT_GENERAL)
    halves = {name: _least(results, name) for name in results.protocol.chosen}
    few = _true_of(halves, lambda one: one[0] < HIGH)
    text = f"only on some phenomena all four accuracies are at least {_HIGH} %: on most they are not"
    yield _share(results, group, text, few, MOST, 100 - published.GENERAL)
    theirs = published.ACROSS_KG_REL
    within = (theirs["simple", "simple"] + theirs["hard", "hard"]) / 2
    between = (theirs["simple", "hard"] + theirs["hard", "simple"]) / 2
    text = "kg-rel: accuracy falls from one half to the other"
    yield claim(group, text, "same half − other half", within - between, gaps.get("kg-rel"))


def _later(results: Results) -> Iterator[Claim]:
    chosen = results.protocol.settings.sequential

    def mean(strategy: str) -> Floats | None:
        return mean_of(
            results.accuracy(SEQUENTIAL, strategy, size, round) for round in chosen.rounds for size in chosen.sizes
        )

    for selection in ("ling", "ling+"):
        for other in ("direct", "mnli", "snli"):
            text = f"on ANLI with few examples, {selection} is better than {other}"
            found = difference(mean(selection), mean(other))
            yield claim("6 Sequential training", text, f"{selection} − {other}, mean of rounds and sizes", None, found)


def _inoculated(results: Results, name: str) -> Floats | None:
    """The accuracy after the largest inoculation for which there are examples."""
    sizes = results.protocol.sizes(name)
    return results.accuracy(INOCULATION, name, max(sizes)) if sizes else None


def _gap(results: Results, name: str) -> Floats | None:
    """How much better the half is that was trained than the other one, mean of both ways."""
    same = mean_of(results.across(name, half, half) for half in ("simple", "hard"))
    other = mean_of((results.across(name, "simple", "hard"), results.across(name, "hard", "simple")))
    return difference(same, other)


def _least(results: Results, name: str) -> Floats | None:
    found = [results.across(name, trained, tested) for trained in ("simple", "hard") for tested in ("simple", "hard")]
    there = [one for one in found if one is not None]
    return np.asarray(np.min(there, axis=0)) if len(there) == len(found) else None


def _easier(results: Results, true: dict[str, bool] | None) -> Floats | None:
    """The mean V-information of the phenomena of which something is true, less that of the others."""
    if true is None:
        return None
    groups = [[results.information(name) for name, mine in true.items() if mine == which] for which in (True, False)]
    return difference(mean_of(groups[0]), mean_of(groups[1]))


def _true_of(found: dict[str, Floats | None], test: Callable[[Floats], bool]) -> dict[str, bool] | None:
    """Of each phenomenon whether something is true; None if one of them was not run."""
    if any(one is None for one in found.values()):
        return None
    return {name: bool(test(one)) for name, one in found.items() if one is not None}


def _share(
    results: Results, group: str, text: str, true: dict[str, bool] | None, bound: float, given: float | None
) -> Claim:
    """A claim that something is true of more than a share of the phenomena."""
    found = None
    if true is not None:
        found = results.bootstrap.mean(np.array(list(true.values())), "phenomena") - bound
    theirs = None if given is None else given - 100 * bound
    return claim(group, text, f"share of phenomena − {100 * bound:.0f}", theirs, found)


def _scaled(group: str, text: str, quantity: str, found: Floats | None) -> Claim:
    """A claim about a quantity that is not in percent."""
    return Claim(group, text, quantity, None, None if found is None else interval(found))

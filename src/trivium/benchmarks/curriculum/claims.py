"""The claims of CURRICULUM's sections 5 and 6, each as a quantity that should be above zero.

Most are about the share of the phenomena of which something is true, by their values; the interval of a share is
Wilson's (1927), as of a sample of phenomena. Phenomena without a result do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from trivium.benchmarks.curriculum import published
from trivium.benchmarks.curriculum.design import HALVES, HYPOTHESIS, INOCULATION, SEQUENTIAL, ZERO_SHOT
from trivium.benchmarks.curriculum.results import Results
from trivium.measure.bootstrap import interval
from trivium.measure.claim import Claim, claim, share_claim
from trivium.measure.metrics import Floats, difference, mean_of
from trivium.seeds import stream

# The text gives bounds in words; these are the numbers that they are read as.
HIGH, STRONG, LOW, MOST, MANY, LITTLE = 0.75, 0.5, 0.2, 0.5, 0.1, 0.05
_HIGH, _LITTLE = f"{100 * HIGH:.0f}", f"{100 * LITTLE:.0f}"
_FEWEST = 3  # phenomena on each side, to compare two groups of them
_COMPLEX = ("logi", "analytic")
Quantities = Mapping[str, Floats]


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
    return [replace(one, needs=one.needs or f"{needs[one.group]}, of these phenomena") for one in made]


def _zero_shot(results: Results) -> Iterator[Claim]:
    group = "5.1 Zero-shot"
    found = _known(results, lambda name: results.correlation(ZERO_SHOT, name))
    positive = {name: bool(one[0] > 0) for name, one in found.items()}
    yield share_claim(
        group, "correlation is above 0 on most phenomena", positive, MOST, "phenomena", published.POSITIVE
    )
    strong = {name: bool(one[0] > STRONG) for name, one in found.items()}
    yield share_claim(
        group, f"correlation is above {STRONG} on more than a few", strong, MANY, "phenomena", published.STRONG
    )
    yield _easier(results, group, "what is captured (correlation above 0) is easier than what is not", positive)
    for name in _COMPLEX:
        low = np.asarray(LOW - found[name]) if name in found else None
        yield _scaled(group, f"{name}: correlation is low (below {LOW})", f"{LOW} − correlation", low)


def _inoculation(results: Results) -> Iterator[Claim]:
    group = "5.2 Inoculation"
    after = _known(results, lambda name: _inoculated(results, name))
    high = {name: bool(one[0] >= HIGH) for name, one in after.items()}
    text = f"after inoculation accuracy is high (at least {_HIGH} %) on most phenomena"
    yield share_claim(group, text, high, MOST, "phenomena", published.RECOVERED)
    gains = _known(results, lambda name: difference(after.get(name), results.accuracy(ZERO_SHOT, name)))
    same = {name: bool(one[0] < LITTLE) for name, one in gains.items()}
    text = f"on more than a few accuracy hardly improves (by less than {_LITTLE} points)"
    yield share_claim(group, text, same, MANY, "phenomena", published.NOT_IMPROVED)
    yield _easier(results, group, "what is high after inoculation is easier than what is not", high)
    yield claim(group, "cosmo: hard, and yet accuracy improves", "after − before", None, gains.get("cosmo"))
    for name in ("monot", "logi"):
        yield _little(group, f"{name}: accuracy hardly improves", "after − before", gains.get(name))


def _hypothesis(results: Results) -> Iterator[Claim]:
    group = "5.3 Hypothesis only"
    alone = _known(results, lambda name: results.accuracy(HYPOTHESIS, name))
    whole = _known(results, lambda name: _inoculated(results, name))
    low = {name: bool(one[0] < HIGH) for name, one in alone.items()}
    yield share_claim(group, f"the hypothesis alone is below {_HIGH} % on most phenomena", low, MOST, "phenomena", None)
    gains = _known(results, lambda name: difference(whole.get(name), alone.get(name)))
    high = {name: bool(whole[name][0] >= HIGH) for name in gains}
    same = {name: bool(one[0] < LITTLE) for name, one in gains.items()}
    learned = {name: high[name] and low[name] for name in gains}
    biased = {name: high[name] and not low[name] for name in gains}
    for text, true, given in (
        ("accuracy is high with the premise and not without it", learned, published.LEARNED),
        (f"the premise hardly helps (by less than {_LITTLE} points)", same, published.NO_GAIN),
        ("accuracy is high with the premise and without it", biased, published.BIASED),
    ):
        yield share_claim(group, f"on more than a few {text}", true, MANY, "phenomena", given)
    for name in _COMPLEX:
        yield _little(group, f"{name}: the premise hardly helps", "with − without premise", gains.get(name))


def _across(results: Results) -> Iterator[Claim]:
    group = "5.4 Generalization"
    ways = {
        name: {(one, other): results.across(name, one, other) for one in HALVES for other in HALVES}
        for name in results.design.chosen
    }
    there = {n: {way: one for way, one in mine.items() if one is not None} for n, mine in ways.items()}
    there = {name: mine for name, mine in there.items() if len(mine) == len(HALVES) ** 2}
    gaps = {name: _gap(mine) for name, mine in there.items()}
    lost = {name: bool(interval(one).low > 0) for name, one in gaps.items()}
    text = "on most phenomena accuracy falls significantly from one half to the other"
    yield share_claim(group, text, lost, MOST, "phenomena", published.NOT_GENERAL)
    some = {name: min(one[0] for one in mine.values()) < HIGH for name, mine in there.items()}
    text = f"skills carry over (all four at least {_HIGH} %) only on some: on most they do not"
    yield share_claim(group, text, some, MOST, "phenomena", 100 - published.GENERAL)
    one_way = {
        name: bool(mine["hard", "simple"][0] < HIGH <= mine["simple", "hard"][0]) for name, mine in there.items()
    }
    text = "on more than a few skills carry over from simple to hard and not back"
    yield share_claim(group, text, one_way, MANY, "phenomena", published.HARD_TO_SIMPLE)
    theirs = _gap({way: np.array([value]) for way, value in published.ACROSS_KG_REL.items()})
    text = "kg-rel: accuracy falls from one half to the other"
    yield claim(group, text, "same half − other half", float(theirs[0]), gaps.get("kg-rel"))


def _later(results: Results) -> Iterator[Claim]:
    chosen, group = results.design.settings.sequential, "6 Sequential training"

    def mean(strategy: str, *rounds: str) -> Floats | None:
        return mean_of(
            results.accuracy(SEQUENTIAL, strategy, size, round)
            for round in rounds or chosen.rounds
            for size in chosen.sizes
        )

    for selection in ("ling", "ling+"):
        for other in ("direct", "mnli", "snli"):
            text = f"on ANLI with few examples, {selection} is better than {other}"
            found = difference(mean(selection), mean(other))
            yield claim(group, text, f"{selection} − {other}, mean of rounds and sizes", None, found)
    for other in ("mnli", "snli"):
        gain = difference(mean(other), mean("direct"))
        yield _little(group, f"{other} is hardly better than direct", f"{other} − direct", gain)
    if set(chosen.rounds) > {"R1"}:
        others = [round for round in chosen.rounds if round != "R1"]
        gains = [difference(mean("ling", *rounds), mean("direct", *rounds)) for rounds in (["R1"], others)]
        text = "ling helps more on R1 than on the other rounds"
        yield claim(group, text, "ling − direct, on R1 − on others", None, difference(gains[0], gains[1]))


def _known(results: Results, read: Callable[[str], Floats | None]) -> dict[str, Floats]:
    """A quantity of each phenomenon that has it."""
    found = {name: read(name) for name in results.design.chosen}
    return {name: one for name, one in found.items() if one is not None}


def _inoculated(results: Results, name: str) -> Floats | None:
    """The accuracy after the largest inoculation for which there are examples."""
    sizes = results.design.sizes(name)
    return results.accuracy(INOCULATION, name, max(sizes)) if sizes else None


def _gap(ways: Mapping[tuple[str, str], Floats]) -> Floats:
    """How much better the half is that was trained than the other one, mean of both ways."""
    same = [one for (trained, tested), one in ways.items() if trained == tested]
    other = [one for (trained, tested), one in ways.items() if trained != tested]
    return np.asarray(np.mean(same, axis=0) - np.mean(other, axis=0))


def _easier(results: Results, group: str, text: str, true: Mapping[str, bool]) -> Claim:
    """A claim that phenomena of which something is true have more V-information; resamples are of phenomena."""
    known = _known(results, results.information)
    bits = np.array([known[name][0] for name in true if name in known])
    mine = np.array([true[name] for name in true if name in known], dtype=np.bool_)
    quantity, needs = "mean V-information, bits: the former − the latter", ""
    found = None
    if min(np.count_nonzero(mine), np.count_nonzero(~mine)) >= _FEWEST:
        rng = stream(0, "bootstrap", "phenomena", text)
        drawn = [rng.integers(len(bits), size=len(bits)) for _ in range(results.bootstrap.resamples)]
        drawn = [one for one in drawn if mine[one].any() and not mine[one].all()]
        resampled = [bits[one][mine[one]].mean() - bits[one][~mine[one]].mean() for one in drawn]
        found = np.array([bits[mine].mean() - bits[~mine].mean(), *resampled])
    elif len(bits):
        needs = f"at least {_FEWEST} phenomena of each kind, of which the difficulty is known"
    return replace(_scaled(group, text, quantity, found), needs=needs)


def _little(group: str, text: str, quantity: str, gain: Floats | None) -> Claim:
    """A claim that a gain is small."""
    found = None if gain is None else np.asarray(LITTLE - gain)
    return claim(group, f"{text} (by less than {_LITTLE} points)", f"{_LITTLE} − ({quantity})", None, found)


def _scaled(group: str, text: str, quantity: str, found: Floats | None) -> Claim:
    """A claim about a quantity that is not in percent."""
    return Claim(group, text, quantity, None, None if found is None else interval(found))

"""The claims of CURRICULUM's sections 5 and 6. Each states a quantity that is above zero if the claim is true.

Most are about the share of phenomena for which a statement is true, judged by point estimates. The interval of such a
share is Wilson's (1927), with the phenomena as the sample. Phenomena without a result are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from trivium.benchmarks.curriculum.design import HALVES, HYPOTHESIS, INOCULATION, SEQUENTIAL, ZERO_SHOT
from trivium.benchmarks.curriculum.published import SHARES, TRANSFER_KG_REL
from trivium.benchmarks.curriculum.results import Results
from trivium.measure.bootstrap import interval
from trivium.measure.claim import Claim, claim, share_claim
from trivium.measure.metrics import Floats, difference, mean_of
from trivium.seeds import stream

# The paper states these bounds in words; the numbers are our interpretation.
HIGH, STRONG, LOW, MOST, MANY, LITTLE = 0.75, 0.5, 0.2, 0.5, 0.1, 0.05
_HIGH, _LITTLE = f"{100 * HIGH:.0f}", f"{100 * LITTLE:.0f}"
_MIN_GROUP = 3  # phenomena in each of two groups that are compared
_COMPLEX = ("logi", "analytic")


def claims(results: Results) -> list[Claim]:
    """Return all claims, with published and measured values."""
    all_claims = [
        *_zero_shot(results),
        *_inoculation(results),
        *_hypothesis_only(results),
        *_transfer(results),
        *_sequential(results),
    ]
    needs = {
        "5.1 Zero-shot": "zero-shot and difficulty (run.tests)",
        "5.2 Inoculation": "zero-shot, difficulty and inoculation (run.tests)",
        "5.3 Hypothesis only": "inoculation and hypothesis-only (run.tests)",
        "5.4 Generalization": "difficulty and generalization (run.tests)",
        "6 Sequential training": "sequential (run.tests), with these strategies (sequential.sources, .selections)",
    }
    return [
        replace(claim_, needs=claim_.needs or f"{needs[claim_.group]}, for these phenomena") for claim_ in all_claims
    ]


def _zero_shot(results: Results) -> Iterator[Claim]:
    group = "5.1 Zero-shot"
    correlations = _available(results, lambda name: results.correlation(ZERO_SHOT, name))
    positive = {name: bool(correlation[0] > 0) for name, correlation in correlations.items()}
    text = "correlation is above 0 on most phenomena"
    yield share_claim(group, text, positive, MOST, "phenomena", SHARES.zero_shot_above_0)
    strong = {name: bool(correlation[0] > STRONG) for name, correlation in correlations.items()}
    text = f"correlation is above {STRONG} on more than a few phenomena"
    yield share_claim(group, text, strong, MANY, "phenomena", SHARES.zero_shot_above_half)
    text = "phenomena that are captured (correlation above 0) are easier than those that are not"
    resamples = "what is captured (correlation above 0) is easier than what is not"
    yield _easier_claim(results, group, text, positive, resamples)
    for name in _COMPLEX:
        margin = np.asarray(LOW - correlations[name]) if name in correlations else None
        yield _unscaled_claim(group, f"{name}: correlation is low (below {LOW})", f"{LOW} − correlation", margin)


def _inoculation(results: Results) -> Iterator[Claim]:
    group = "5.2 Inoculation"
    after = _available(results, lambda name: _after_inoculation(results, name))
    high = {name: bool(accuracy[0] >= HIGH) for name, accuracy in after.items()}
    text = f"after inoculation accuracy is high (at least {_HIGH} %) on most phenomena"
    yield share_claim(group, text, high, MOST, "phenomena", SHARES.recovered)
    gains = _available(results, lambda name: difference(after.get(name), results.accuracy(ZERO_SHOT, name)))
    not_improved = {name: bool(gain[0] < LITTLE) for name, gain in gains.items()}
    text = f"on more than a few phenomena accuracy hardly improves (by less than {_LITTLE} points)"
    yield share_claim(group, text, not_improved, MANY, "phenomena", SHARES.not_improved)
    text = "phenomena with high accuracy after inoculation are easier than the others"
    resamples = "what is high after inoculation is easier than what is not"
    yield _easier_claim(results, group, text, high, resamples)
    yield claim(group, "cosmo: accuracy improves although it is hard", "after − before", None, gains.get("cosmo"))
    for name in ("monot", "logi"):
        yield _small_gain_claim(group, f"{name}: accuracy hardly improves", "after − before", gains.get(name))


def _hypothesis_only(results: Results) -> Iterator[Claim]:
    group = "5.3 Hypothesis only"
    without = _available(results, lambda name: results.accuracy(HYPOTHESIS, name))
    with_premise = _available(results, lambda name: _after_inoculation(results, name))
    low = {name: bool(accuracy[0] < HIGH) for name, accuracy in without.items()}
    text = f"with the hypothesis only, accuracy is below {_HIGH} % on most phenomena"
    yield share_claim(group, text, low, MOST, "phenomena", None)
    gains = _available(results, lambda name: difference(with_premise.get(name), without.get(name)))
    high = {name: bool(with_premise[name][0] >= HIGH) for name in gains}
    no_gain = {name: bool(gain[0] < LITTLE) for name, gain in gains.items()}
    learned = {name: high[name] and low[name] for name in gains}
    biased = {name: high[name] and not low[name] for name in gains}
    for text, is_true, share in (
        ("accuracy is high with the premise but not without it", learned, SHARES.learned),
        (f"the premise hardly helps (by less than {_LITTLE} points)", no_gain, SHARES.no_gain),
        ("accuracy is high both with and without the premise", biased, SHARES.biased),
    ):
        yield share_claim(group, f"on more than a few phenomena {text}", is_true, MANY, "phenomena", share)
    for name in _COMPLEX:
        yield _small_gain_claim(group, f"{name}: the premise hardly helps", "with − without premise", gains.get(name))


def _transfer(results: Results) -> Iterator[Claim]:
    group = "5.4 Generalization"
    accuracies: dict[str, dict[tuple[str, str], Floats]] = {}
    for name in results.design.examples:
        pairs = {
            (trained, tested): accuracy
            for trained in HALVES
            for tested in HALVES
            if (accuracy := results.transfer(name, trained, tested)) is not None
        }
        if len(pairs) == len(HALVES) ** 2:
            accuracies[name] = pairs
    gaps = {name: _gap(pairs) for name, pairs in accuracies.items()}
    not_general = {name: bool(interval(gap).low > 0) for name, gap in gaps.items()}
    text = "on most phenomena accuracy is significantly lower on the half that was not trained on"
    yield share_claim(group, text, not_general, MOST, "phenomena", SHARES.not_general)
    some_low = {name: min(accuracy[0] for accuracy in pairs.values()) < HIGH for name, pairs in accuracies.items()}
    text = f"on most phenomena skills do not transfer (one of the four accuracies is below {_HIGH} %)"
    yield share_claim(group, text, some_low, MOST, "phenomena", 100 - SHARES.general)
    one_way = {
        name: bool(pairs["hard", "simple"][0] < HIGH <= pairs["simple", "hard"][0])
        for name, pairs in accuracies.items()
    }
    text = "on more than a few phenomena skills transfer from simple to hard but not back"
    yield share_claim(group, text, one_way, MANY, "phenomena", SHARES.only_simple_to_hard)
    published_gap = _gap({halves: np.array([value]) for halves, value in TRANSFER_KG_REL.items()})
    text = "kg-rel: accuracy is lower on the half that was not trained on"
    yield claim(group, text, "same half − other half", float(published_gap[0]), gaps.get("kg-rel"))


def _sequential(results: Results) -> Iterator[Claim]:
    sequential, group = results.design.settings.sequential, "6 Sequential training"

    def mean(strategy: str, *rounds: str) -> Floats | None:
        return mean_of(
            results.accuracy(SEQUENTIAL, strategy, size, round)
            for round in rounds or sequential.rounds
            for size in sequential.sizes
        )

    for selection in ("ling", "ling+"):
        for other in ("direct", "mnli", "snli"):
            text = f"on ANLI with few examples, {selection} is better than {other}"
            quantity = f"{selection} − {other}, mean of rounds and sizes"
            yield claim(group, text, quantity, None, difference(mean(selection), mean(other)))
    for other in ("mnli", "snli"):
        gain = difference(mean(other), mean("direct"))
        yield _small_gain_claim(group, f"{other} is hardly better than direct", f"{other} − direct", gain)
    if set(sequential.rounds) > {"R1"}:
        others = [round for round in sequential.rounds if round != "R1"]
        gains = [difference(mean("ling", *rounds), mean("direct", *rounds)) for rounds in (["R1"], others)]
        text = "ling helps more on R1 than on the other rounds"
        yield claim(group, text, "ling − direct, on R1 − on others", None, difference(gains[0], gains[1]))


def _available(results: Results, read: Callable[[str], Floats | None]) -> dict[str, Floats]:
    """Return a quantity for each phenomenon for which it is available."""
    quantities = {name: read(name) for name in results.design.examples}
    return {name: quantity for name, quantity in quantities.items() if quantity is not None}


def _after_inoculation(results: Results, name: str) -> Floats | None:
    """Return the accuracy after inoculation with the largest size for which there are enough examples."""
    sizes = results.design.sizes(name)
    return results.accuracy(INOCULATION, name, max(sizes)) if sizes else None


def _gap(accuracies: Mapping[tuple[str, str], Floats]) -> Floats:
    """Return the mean accuracy on the half that was trained on, minus that on the other half."""
    same = [accuracy for (trained, tested), accuracy in accuracies.items() if trained == tested]
    other = [accuracy for (trained, tested), accuracy in accuracies.items() if trained != tested]
    return np.asarray(np.mean(same, axis=0) - np.mean(other, axis=0))


def _easier_claim(results: Results, group: str, text: str, is_true: Mapping[str, bool], resamples: str) -> Claim:
    """Return a claim that the phenomena for which a statement is true have more V-information than the others.

    Phenomena are resampled; ``resamples`` names the random stream, and changing it changes the interval.
    """
    information = _available(results, results.information)
    bits = np.array([information[name][0] for name in is_true if name in information])
    mask = np.array([is_true[name] for name in is_true if name in information], dtype=np.bool_)
    quantity, needs = "mean V-information, bits: the former − the latter", ""
    measured = None
    if min(np.count_nonzero(mask), np.count_nonzero(~mask)) >= _MIN_GROUP:
        rng = stream(0, "bootstrap", "phenomena", resamples)
        samples = [rng.integers(len(bits), size=len(bits)) for _ in range(results.bootstrap.resamples)]
        samples = [sample for sample in samples if mask[sample].any() and not mask[sample].all()]
        resampled = [bits[sample][mask[sample]].mean() - bits[sample][~mask[sample]].mean() for sample in samples]
        measured = np.array([bits[mask].mean() - bits[~mask].mean(), *resampled])
    elif len(bits):
        needs = f"at least {_MIN_GROUP} phenomena in each group, with their difficulty"
    return replace(_unscaled_claim(group, text, quantity, measured), needs=needs)


def _small_gain_claim(group: str, text: str, quantity: str, gain: Floats | None) -> Claim:
    """Return a claim that a gain is small."""
    margin = None if gain is None else np.asarray(LITTLE - gain)
    return claim(group, f"{text} (by less than {_LITTLE} points)", f"{_LITTLE} − ({quantity})", None, margin)


def _unscaled_claim(group: str, text: str, quantity: str, measured: Floats | None) -> Claim:
    """Return a claim about a quantity that is not in percent."""
    return Claim(group, text, quantity, None, None if measured is None else interval(measured))

"""The claims of CURRICULUM's sections 5 and 6. Each states a quantity that is above zero if the claim is true.

Most are about the share of phenomena for which a statement is true. If all phenomena were run, they are a finite
population, and the interval covers errors of measurement; if some were picked, such a claim is not decidable. Shares
that the paper prints are compared as printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from trivium.benchmarks.curriculum.design import HALVES, HYPOTHESIS, INOCULATION, SEQUENTIAL, ZERO_SHOT
from trivium.benchmarks.curriculum.published import SHARES, TRANSFER_KG_REL
from trivium.benchmarks.curriculum.results import Results
from trivium.data.phenomena import PHENOMENA
from trivium.measure.claim import Claim, claim, corrected, share_claim
from trivium.measure.statistics.estimate import Estimate, difference, least, mean_of

# The paper states these bounds in words; the numbers are our interpretation.
HIGH, STRONG, LOW, MOST, LITTLE = 0.75, 0.5, 0.2, 0.5, 0.05
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
    return corrected(
        replace(claim_, needs=claim_.needs or f"{needs[claim_.group]}, for these phenomena") for claim_ in all_claims
    )


def _zero_shot(results: Results) -> Iterator[Claim]:
    group = "5.1 Zero-shot"
    correlations = _available(results, lambda name: results.correlation(ZERO_SHOT, name))
    yield _most(group, "correlation is above 0 on most phenomena", correlations, SHARES.zero_shot_above_0)
    strong = {name: correlation - STRONG for name, correlation in correlations.items()}
    yield _as_published(group, f"correlation is above {STRONG}", strong, SHARES.zero_shot_above_half)
    text = "phenomena that are captured (correlation above 0) are easier than those that are not"
    yield _easier_claim(results, group, text, correlations)
    for name in _COMPLEX:
        margin = LOW - correlations[name] if name in correlations else None
        text = f"{name}: correlation is low (below {LOW})"
        yield claim(group, text, f"{LOW} − correlation", None, margin, scale=1)


def _inoculation(results: Results) -> Iterator[Claim]:
    group = "5.2 Inoculation"
    after = _available(results, lambda name: _after_inoculation(results, name))
    high = {name: accuracy - HIGH for name, accuracy in after.items()}
    text = f"after inoculation accuracy is high (at least {_HIGH} %) on most phenomena"
    yield _most(group, text, high, SHARES.recovered)
    gains = _available(results, lambda name: difference(after.get(name), results.accuracy(ZERO_SHOT, name)))
    not_improved = {name: LITTLE - gain for name, gain in gains.items()}
    text = f"accuracy hardly improves (by less than {_LITTLE} points)"
    yield _as_published(group, text, not_improved, SHARES.not_improved)
    text = "phenomena with high accuracy after inoculation are easier than the others"
    yield _easier_claim(results, group, text, high)
    yield claim(group, "cosmo: accuracy improves although it is hard", "after − before", None, gains.get("cosmo"))
    for name in ("monot", "logi"):
        yield _small_gain_claim(group, f"{name}: accuracy hardly improves", "after − before", gains.get(name))


def _hypothesis_only(results: Results) -> Iterator[Claim]:
    group = "5.3 Hypothesis only"
    without = _available(results, lambda name: results.accuracy(HYPOTHESIS, name))
    with_premise = _available(results, lambda name: _after_inoculation(results, name))
    low = {name: HIGH - accuracy for name, accuracy in without.items()}
    yield _most(group, f"with the hypothesis only, accuracy is below {_HIGH} % on most phenomena", low, None)
    gains = _available(results, lambda name: difference(with_premise.get(name), without.get(name)))
    high = {name: with_premise[name] - HIGH for name in gains}
    no_gain = {name: LITTLE - gain for name, gain in gains.items()}
    learned = {name: _smaller(high[name], low[name]) for name in gains}
    biased = {name: _smaller(high[name], -low[name]) for name in gains}
    for text, is_true, share in (
        ("accuracy is high with the premise but not without it", learned, SHARES.learned),
        (f"the premise hardly helps (by less than {_LITTLE} points)", no_gain, SHARES.no_gain),
        ("accuracy is high both with and without the premise", biased, SHARES.biased),
    ):
        yield _as_published(group, text, is_true, share)
    for name in _COMPLEX:
        yield _small_gain_claim(group, f"{name}: the premise hardly helps", "with − without premise", gains.get(name))


def _transfer(results: Results) -> Iterator[Claim]:
    group = "5.4 Generalization"
    accuracies: dict[str, dict[tuple[str, str], Estimate]] = {}
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
    text = "on most phenomena accuracy is lower on the half that was not trained on"
    yield _most(group, text, gaps, SHARES.not_general)
    some_low = {name: HIGH - min(pairs.values(), key=lambda each: each.value) for name, pairs in accuracies.items()}
    text = f"on most phenomena skills do not transfer (one of the four accuracies is below {_HIGH} %)"
    yield _most(group, text, some_low, 100 - SHARES.general)
    one_way = {
        name: _smaller(HIGH - pairs["hard", "simple"], pairs["simple", "hard"] - HIGH)
        for name, pairs in accuracies.items()
    }
    text = "skills transfer from simple to hard but not back"
    yield _as_published(group, text, one_way, SHARES.only_simple_to_hard)
    same, other = (
        sum(value for (trained, tested), value in TRANSFER_KG_REL.items() if (trained == tested) == is_same) / 2
        for is_same in (True, False)
    )
    text = "kg-rel: accuracy is lower on the half that was not trained on"
    yield claim(group, text, "same half − other half", same - other, gaps.get("kg-rel"))


def _sequential(results: Results) -> Iterator[Claim]:
    sequential, group = results.design.settings.sequential, "6 Sequential training"

    def mean(strategy: str, *rounds: str) -> Estimate | None:
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


def _available(results: Results, read: Callable[[str], Estimate | None]) -> dict[str, Estimate]:
    """Return an estimate for each phenomenon for which it is available."""
    quantities = {name: read(name) for name in results.design.examples}
    return {name: quantity for name, quantity in quantities.items() if quantity is not None}


def _after_inoculation(results: Results, name: str) -> Estimate | None:
    """Return the accuracy after inoculation with the largest size for which there are enough examples."""
    sizes = results.design.sizes(name)
    return results.accuracy(INOCULATION, name, max(sizes)) if sizes else None


def _gap(accuracies: Mapping[tuple[str, str], Estimate]) -> Estimate:
    """Return the mean accuracy on the half that was trained on, minus that on the other half."""
    same = [accuracy for (trained, tested), accuracy in accuracies.items() if trained == tested]
    other = [accuracy for (trained, tested), accuracy in accuracies.items() if trained != tested]
    gap = difference(mean_of(same), mean_of(other))
    assert gap is not None
    return gap


def _smaller(first: Estimate, second: Estimate) -> Estimate:
    smaller = least((first, second))
    assert smaller is not None
    return smaller


def _most(group: str, text: str, margins: Mapping[str, Estimate], published: float | None) -> Claim:
    """Return the claim that a margin is above zero on most phenomena."""
    return share_claim(group, text, margins, MOST, "phenomena", published, len(PHENOMENA))


def _as_published(group: str, text: str, margins: Mapping[str, Estimate], published: float) -> Claim:
    """Return the claim that a margin is above zero on at least the published share of phenomena."""
    text = f"on at least {published:g} % of the phenomena {text}"
    return share_claim(group, text, margins, published / 100, "phenomena", published, len(PHENOMENA))


def _easier_claim(results: Results, group: str, text: str, margins: Mapping[str, Estimate]) -> Claim:
    """Return a claim that the phenomena with a margin above zero have more V-information than the others."""
    information = _available(results, results.information)
    groups = [
        [information[name] for name, margin in margins.items() if name in information and (margin.value > 0) == is_true]
        for is_true in (True, False)
    ]
    quantity = "mean V-information, bits: the former − the latter"
    if min(map(len, groups)) < _MIN_GROUP:
        needs = f"at least {_MIN_GROUP} phenomena in each group, with their difficulty" if any(groups) else ""
        return replace(claim(group, text, quantity, None, None), needs=needs)
    result = claim(group, text, quantity, None, difference(*map(mean_of, groups)), scale=1)
    number = sum(map(len, groups))
    if number == len(PHENOMENA):
        return result
    obstacle = f"{number} of {len(PHENOMENA)} phenomena were picked"
    return replace(result, evidence=replace(result.evidence, obstacle=obstacle))


def _small_gain_claim(group: str, text: str, quantity: str, gain: Estimate | None) -> Claim:
    """Return a claim that a gain is small."""
    margin = None if gain is None else LITTLE - gain
    return claim(group, f"{text} (by less than {_LITTLE} points)", f"{_LITTLE} − ({quantity})", None, margin)

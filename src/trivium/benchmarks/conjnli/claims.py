"""The claims of ConjNLI's section 5. Each states a quantity that is above zero if the claim is true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trivium.benchmarks.conjnli import published
from trivium.benchmarks.conjnli.design import AFT, BASE, IAFT, IAFT_FRAGMENT, PA, PA_IAFT
from trivium.benchmarks.conjnli.results import Results, Subset
from trivium.benchmarks.conjnli.tables import NAMES, accuracy_by_amount, amounts, published_score
from trivium.build.conjuncts.flip import ENTAILMENT
from trivium.build.conjuncts.material import CONJ, FRAGMENT, MNLI, SNLI, TITLES
from trivium.build.conjuncts.traits import BALANCED
from trivium.measure.claim import Claim, Evidence, claim, corrected, sample_claim
from trivium.measure.statistics.estimate import Estimate, difference, least, mean_of
from trivium.measure.statistics.intervals import Interval, interval, p_of

TOLERANCE = 0.01  # the largest difference that counts as the paper's "retaining" or "do not improve further"
HALF = 0.5  # the share that counts as the paper's "most" or "mostly" if exceeded
_POINTS = f"{100 * TOLERANCE:.0f}"
_MNLI = TITLES[MNLI]
_NAMES = {**NAMES, IAFT_FRAGMENT: "IAFT with the fragment"}
_NEEDS = "the methods of the claim (run.methods, run.bases), and for PA a role encoder (run.roles)"


def claims(results: Results) -> list[Claim]:
    """Return all claims, with published and measured values."""
    all_claims = [
        *_baselines(results),
        *_overlap(results),
        *_adversarial(results),
        *_predicates(results),
        *_amounts(results),
        *_stability(results),
        *_conjunctions(results),
        *_boolean(results),
    ]
    return corrected(replace(claim, needs=claim.needs or _NEEDS) for claim in all_claims)


def _baselines(results: Results) -> Iterator[Claim]:
    group = "5.1 Baselines"
    mnli_base, snli_base = (results.accuracy(BASE, base=base) for base in (MNLI, SNLI))
    text = "training on MNLI is better for ConjNLI than training on SNLI"
    yield claim(group, text, "MNLI base − SNLI base, ConjNLI", None, difference(mnli_base, snli_base))
    gap = difference(results.accuracy(BASE, _MNLI), mnli_base)
    scores = published.SCOREBOARD[BASE]
    figure = round(scores.matched - scores.dev, 2)
    yield claim(group, "the base is worse on ConjNLI than on MNLI", "MNLI − ConjNLI, base", figure, gap)


def _overlap(results: Results) -> Iterator[Claim]:
    group = "5.1 Overlap"
    before = results.accuracy(BASE, subset=results.flippable)
    yield majority_claim(group, "the base is correct on most “and” pairs", "correct − 50", None, before)
    after = complement(results.accuracy_after_flip(BASE))
    text = "the base is wrong on most pairs flipped to “either … or”"
    yield majority_claim(group, text, "50 − correct", None, after)
    unchanged = complement(results.changed_by_flip(BASE))
    text, figure = "the flip mostly does not change the prediction", 100 * HALF - published.FLIPS_CHANGED
    yield majority_claim(group, text, "50 − changed predictions", figure, unchanged)
    share = results.label_share(BASE, ENTAILMENT, results.covered(exclude=ENTAILMENT))
    text = "if the hypothesis has only words of the premise, entailment is mostly predicted even where it is wrong"
    yield majority_claim(group, text, "predicts entailment − 50", None, share)
    entailed = results.accuracy(BASE, subset=results.covered(ENTAILMENT))
    labels = [label for label in results.tests[CONJ].labels.names if label != ENTAILMENT]
    subsets = [subset for label in labels if len(subset := results.covered(label))]
    others = mean_of(results.accuracy(BASE, subset=subset) for subset in subsets)
    text = "pairs whose hypothesis has only words of the premise are easier if entailment is correct"
    yield claim(group, text, "entailment − mean of the other labels", None, difference(entailed, others))


def _adversarial(results: Results) -> Iterator[Claim]:
    group, compare = "5.2 IAFT", _Comparison(results)
    yield compare.claim(group, "IAFT is better on ConjNLI than the base", IAFT, BASE)
    yield compare.retention(group, "IAFT keeps the accuracy on MNLI", IAFT)
    yield compare.claim(group, "AFT loses accuracy on MNLI", BASE, AFT, _MNLI)
    means = {method: results.average(method, (CONJ, _MNLI)) for method in (IAFT, BASE, AFT)}
    gaps = [difference(means[IAFT], means[other]) for other in (BASE, AFT)]
    text = "IAFT has the best average accuracy on ConjNLI and MNLI"
    yield claim(group, text, "IAFT − the best other, average of both", None, least(gaps))
    if results.design.material.fragment is not None:
        figure = published.FRAGMENT[IAFT_FRAGMENT] - published.FRAGMENT[BASE]
        text = f"IAFT with pairs of the {FRAGMENT} is better on it than the base"
        yield compare.claim(group, text, IAFT_FRAGMENT, BASE, FRAGMENT, figure=figure)
        text = f"IAFT with pairs of the {FRAGMENT} keeps the accuracy on MNLI"
        yield compare.retention(group, text, IAFT_FRAGMENT)


def _predicates(results: Results) -> Iterator[Claim]:
    group, compare = "5.3 PA", _Comparison(results)
    for test in (CONJ, _MNLI):
        yield compare.claim(group, f"PA is better on {test} than the base", PA, BASE, test)
    yield compare.claim(group, "IAFT gains more on ConjNLI than PA", IAFT, PA)
    gain = compare.difference(PA_IAFT, IAFT)
    text = f"PA+IAFT is no better on ConjNLI than IAFT (within {_POINTS} point)"
    yield claim(group, text, f"{_POINTS} − (PA+IAFT − IAFT)", None, _margin(gain))
    for method in (PA, PA_IAFT):
        yield compare.retention(group, f"{NAMES[method]} keeps the accuracy on MNLI", method)


def _amounts(results: Results) -> Iterator[Claim]:
    group = "5.4 Amount"
    total = amounts(results)[-1]
    early = [amount for amount in amounts(results) if 0 < amount <= published.AMOUNT_SHARE * total]
    without, with_all = (accuracy_by_amount(results, amount) for amount in (0, total))
    with_early = accuracy_by_amount(results, early[-1]) if early else None
    name = f"{early[-1]:,}" if early else "some"
    text = "the first adversarial pairs (in the paper: the first four fifths) improve accuracy on ConjNLI"
    gain = difference(with_early, without)
    yield claim(group, text, f"{name} pairs − none", published.AMOUNT_GAIN, gain)
    text = f"the remaining adversarial pairs improve it little (by less than {_POINTS} point)"
    rest = difference(with_all, with_early)
    yield claim(group, text, f"{_POINTS} − gain of the remaining", None, _margin(rest))


def _stability(results: Results) -> Iterator[Claim]:
    instability = results.instability()
    text = f"the base's accuracy on ConjNLI is stable over seeds (total sd below {_POINTS} point)"
    measured = None
    if instability is not None:
        values = (instability.total, instability.interval.high, instability.interval.low)
        measured = Interval(*(100 * (TOLERANCE - value) for value in values))
    figure = round(100 * TOLERANCE - published.TOTAL, 2)
    needs = "several seeds (run.seeds, run.more_seeds)"
    evidence = Evidence() if measured is None or instability is None else Evidence(p_of(measured), instability.seeds)
    yield Claim("5.5 Stability", text, f"{_POINTS} − total sd", figure, measured, needs, evidence)


def _conjunctions(results: Results) -> Iterator[Claim]:
    group, compare = "5.6 Conjunctions", _Comparison(results)
    subsets = {name: results.with_conjunction(name) for name in ("and", "or", "but", "multiple")}
    for method in (BASE, IAFT, PA, PA_IAFT):
        means = {name: results.accuracy(method, subset=subset) for name, subset in subsets.items()}
        if method == BASE:
            gaps = [difference(means[name], means["or"]) for name in subsets if name != "or"]
            yield claim(group, "“or” is hardest for the base", "the next hardest − or", None, least(gaps))
        gaps = [difference(means["but"], means[name]) for name in subsets if name != "but"]
        text = f"{NAMES[method]}: “but” is easiest"
        yield claim(group, text, "but − the next easiest", None, least(gaps))
    for name in ("and", "or", "multiple"):
        yield compare.claim(group, f"PA is better than the base on “{name}”", PA, BASE, subset=subsets[name])
    gains = {name: compare.difference(IAFT, BASE, subset=subset) for name, subset in subsets.items()}
    for name in BALANCED:
        yield compare.claim(group, f"IAFT is better than the base on “{name}”", IAFT, BASE, subset=subsets[name])
    single = mean_of(gains[name] for name in BALANCED)
    text = "IAFT gains less with multiple conjunctions than with one"
    yield claim(group, text, "mean gain with one − gain with multiple", None, difference(single, gains["multiple"]))


def _boolean(results: Results) -> Iterator[Claim]:
    annotated = results.design.annotated
    group, compare = f"5.7 Boolean, {'annotated' if annotated else 'by rules'}", _Comparison(results)
    boolean, other = (results.boolean(is_boolean, bool(annotated)) for is_boolean in (True, False))
    for method in (BASE, IAFT, PA):
        figures = published.BOOLEAN[method]
        accuracies = [results.accuracy(method, subset=subset) for subset in (boolean, other)]
        text = f"{NAMES[method]}: Boolean pairs are easier"
        yield claim(group, text, "Boolean − non-Boolean", figures[0] - figures[1], difference(*accuracies))
    for index, (name, subset) in enumerate((("Boolean", boolean), ("non-Boolean", other))):
        figure = published.BOOLEAN[IAFT][index] - published.BOOLEAN[BASE][index]
        yield compare.claim(group, f"IAFT is better on {name} pairs", IAFT, BASE, subset=subset, figure=figure)
    figure = published.BOOLEAN[PA][0] - published.BOOLEAN[BASE][0]
    yield compare.claim(group, "PA is better on Boolean pairs", PA, BASE, subset=boolean, figure=figure)
    text = f"PA is no better on non-Boolean pairs (within {_POINTS} point)"
    gain = compare.difference(PA, BASE, subset=other)
    yield claim(group, text, f"{_POINTS} − (PA − Base)", 100 * TOLERANCE, _margin(gain))
    if annotated:
        is_non_boolean = [not is_boolean for is_boolean in annotated.values()]
        text = "a quarter of the pairs or more are not Boolean"
        yield sample_claim(group, text, is_non_boolean, 0.25, "pairs", published.NON_BOOLEAN_SHARE)


class _Comparison:
    """Differences between methods, on a test or a subset of ConjNLI."""

    def __init__(self, results: Results) -> None:
        self._results = results

    def difference(self, left: str, right: str, test: str = CONJ, subset: Subset | None = None) -> Estimate | None:
        """Return the accuracy of ``left`` minus that of ``right``."""
        return difference(*(self._results.accuracy(method, test, subset) for method in (left, right)))

    def claim(
        self, group: str, text: str, left: str, right: str, test: str = CONJ, subset: Subset | None = None,
        figure: float | None = None,
    ) -> Claim:  # fmt: skip
        """Return the claim that one method is better than another."""
        on = test if subset is None else subset.name
        gap = self.difference(left, right, test, subset)
        if figure is None and subset is None:
            figure = _published_gap(left, right, test)
        return claim(group, text, f"{_NAMES[left]} − {_NAMES[right]}, {on}", figure, gap)

    def retention(self, group: str, text: str, method: str) -> Claim:
        """Return the claim that a method is no worse on MNLI than the base."""
        loss = self.difference(BASE, method, _MNLI)
        difference_text = f"{_POINTS} − (Base − {_NAMES[method]}), {_MNLI}"
        gap = _published_gap(BASE, method, _MNLI)
        figure = None if gap is None else round(100 * TOLERANCE - gap, 2)
        return claim(group, f"{text} (within {_POINTS} point)", difference_text, figure, _margin(loss))


def _published_gap(left: str, right: str, test: str) -> float | None:
    """Return the published difference between two methods on a test, in points; None if one has no figure."""
    scores = [published_score(method, test) for method in (left, right)]
    return None if scores[0] is None or scores[1] is None else round(scores[0] - scores[1], 2)


def _margin(loss: Estimate | None) -> Estimate | None:
    """Return by how much a loss or gain is below the tolerance."""
    return None if loss is None else TOLERANCE - loss


def majority_claim(group: str, text: str, quantity: str, figure: float | None, share: Estimate | None) -> Claim:
    """Return the claim that a share is above one half."""
    result = claim(group, text, quantity, figure, None if share is None else share - HALF)
    return result if share is None else replace(result, measured=100 * (interval(share) - HALF))


def complement(share: Estimate | None) -> Estimate | None:
    """Return one minus a share; None if not run."""
    return None if share is None else 1.0 - share

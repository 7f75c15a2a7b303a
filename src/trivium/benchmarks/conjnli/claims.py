"""The claims of ConjNLI's section 5, each as a quantity that should be above zero."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from trivium.benchmarks.conjnli import published
from trivium.benchmarks.conjnli.design import AFT, BASE, IAFT, IAFT_FRAGMENT, PA, PA_IAFT
from trivium.benchmarks.conjnli.results import Measured, Part, Results
from trivium.benchmarks.conjnli.tables import NAMES, amounts, by_amount
from trivium.build.conjuncts.flip import ENTAILMENT
from trivium.build.conjuncts.material import CONJ, FRAGMENT, MNLI, SNLI, TITLES
from trivium.build.conjuncts.traits import BALANCED
from trivium.measure.bootstrap import Interval, interval
from trivium.measure.claim import Claim, claim, share_claim
from trivium.measure.metrics import Floats, difference, mean_of

# The text says "retaining", "maintain", "do not improve further": so many points apart, at most.
SAME = 0.01
HALF = 0.5  # the text says "most", "mostly"
_MNLI = TITLES[MNLI]
_NEEDS = "the methods of the claim (run.methods, run.bases), and for PA a role encoder (run.roles)"


def claims(results: Results) -> list[Claim]:
    """Every claim with the published figure, ours, and the verdict."""
    found = [
        *_baselines(results),
        *_overlap(results),
        *_adversarial(results),
        *_predicates(results),
        *_amounts(results),
        *_stability(results),
        *_conjunctions(results),
        *_boolean(results),
    ]
    return [replace(one, needs=one.needs or _NEEDS) for one in found]


def _baselines(results: Results) -> Iterator[Claim]:
    group = "5.1 Baselines"
    of_mnli, of_snli = (of(results.accuracy(BASE, base=base)) for base in (MNLI, SNLI))
    text = "training on MNLI is better for ConjNLI than training on SNLI"
    yield claim(group, text, "MNLI base − SNLI base, ConjNLI", None, difference(of_mnli, of_snli))
    gap = difference(of(results.accuracy(BASE, _MNLI)), of_mnli)
    yield claim(group, "the base is worse on ConjNLI than on MNLI", "MNLI − ConjNLI, base", None, gap)


def _overlap(results: Results) -> Iterator[Claim]:
    group = "5.1 Overlap"
    before = results.accuracy(BASE, part=results.flippable)
    yield most(group, "the base gets most “and” pairs right", "right − 50", None, before)
    after = others_of(results.flipped(BASE))
    yield most(group, "most pairs flipped to “either … or” are wrong", "50 − right", None, after)
    kept = others_of(results.changed(BASE))
    text, theirs = "the flip mostly does not change what is said", 100 * HALF - published.FLIPS_CHANGED
    yield most(group, text, "50 − answers that change", theirs, kept)
    said = results.says(BASE, ENTAILMENT, results.covered(but=ENTAILMENT))
    text = "mostly entailment is said where it is wrong, if the hypothesis has no other words than the premise"
    yield most(group, text, "says entailment − 50", None, said)
    covered = of(results.accuracy(BASE, part=results.covered(ENTAILMENT)))
    others = [part for label in results.tests[CONJ].labels.names if label != ENTAILMENT
              if len(part := results.covered(label))]  # fmt: skip
    wrong = mean_of(of(results.accuracy(BASE, part=part)) for part in others)
    text = "such pairs are easier where entailment is right"
    yield claim(group, text, "entailment − mean of the other labels", None, difference(covered, wrong))


def _adversarial(results: Results) -> Iterator[Claim]:
    group, gap = "5.2 IAFT", _Gap(results)
    yield gap.claim(group, "IAFT is better on ConjNLI than the base", IAFT, BASE)
    yield gap.kept(group, "IAFT keeps MNLI", IAFT)
    yield gap.claim(group, "AFT loses on MNLI", BASE, AFT, _MNLI)
    means = {method: of(results.average(method, (CONJ, _MNLI))) for method in (IAFT, BASE, AFT)}
    rivals = [difference(means[IAFT], means[other]) for other in (BASE, AFT)]
    text = "IAFT has the best average of ConjNLI and MNLI"
    yield claim(group, text, "IAFT − the best other, average of two", None, _least(rivals))
    if results.design.material.fragment is not None:
        given = published.FRAGMENT[IAFT_FRAGMENT] - published.FRAGMENT[BASE]
        text = f"IAFT with pairs of the {FRAGMENT} is better on it than the base"
        yield gap.claim(group, text, IAFT_FRAGMENT, BASE, FRAGMENT, given=given)
        yield gap.kept(group, f"IAFT with pairs of the {FRAGMENT} keeps MNLI", IAFT_FRAGMENT)


def _predicates(results: Results) -> Iterator[Claim]:
    group, gap = "5.3 PA", _Gap(results)
    for test in (CONJ, _MNLI):
        yield gap.claim(group, f"PA is better on {test} than the base", PA, BASE, test)
    yield gap.claim(group, "adversarial data gains more on ConjNLI than predicates", IAFT, PA)
    more = gap.between(PA_IAFT, IAFT)
    text = f"both together are no better on ConjNLI than IAFT (within {100 * SAME:.0f} point)"
    yield claim(group, text, f"{100 * SAME:.0f} − (PA+IAFT − IAFT)", None, _within(more))
    for method in (PA, PA_IAFT):
        yield gap.kept(group, f"{NAMES[method]} keeps MNLI", method)


def _amounts(results: Results) -> Iterator[Claim]:
    group = "5.4 Amount"
    every = amounts(results)
    most = every[-1]
    early = [amount for amount in every if 0 < amount <= published.AMOUNT_SHARE * most]
    base, whole = (of(by_amount(results, amount)) for amount in (0, most))
    part = of(by_amount(results, early[-1])) if early else None
    name = f"{early[-1]:,}" if early else "a part"
    text = "the first adversarial pairs (four fifths, in the paper) gain on ConjNLI"
    first = difference(part, base)
    yield claim(group, text, f"{name} pairs − none", published.AMOUNT_GAIN, first)
    text = f"the rest of them gains little (within {100 * SAME:.0f} point)"
    rest = difference(whole, part)
    yield claim(group, text, f"{100 * SAME:.0f} − gain of the rest", None, _within(rest))


def _stability(results: Results) -> Iterator[Claim]:
    found = results.instability()
    text = f"the base's accuracy on ConjNLI is stable over seeds (a total sd below {100 * SAME:.0f} point)"
    measured = None
    if found is not None:
        values = (found.total, found.interval.high, found.interval.low)
        measured = Interval(*(100 * (SAME - value) for value in values))
    given = round(100 * SAME - published.TOTAL, 2)
    needs = "several seeds (run.seeds, run.more_seeds)"
    yield Claim("5.5 Stability", text, f"{100 * SAME:.0f} − total sd", given, measured, needs)


def _conjunctions(results: Results) -> Iterator[Claim]:
    group, gap = "5.6 Conjunctions", _Gap(results)
    kinds = ("and", "or", "but", "multiple")
    parts = {kind: results.kind(kind) for kind in kinds}
    for method in (BASE, IAFT, PA, PA_IAFT):
        means = {kind: of(results.accuracy(method, part=part)) for kind, part in parts.items()}
        if method == BASE:
            rest = [difference(means[kind], means["or"]) for kind in kinds if kind != "or"]
            yield claim(group, "“or” is hardest for the base", "the next hardest − or", None, _least(rest))
        best = [difference(means["but"], means[kind]) for kind in kinds if kind != "but"]
        text = f"{NAMES[method]}: “but” is easiest"
        yield claim(group, text, "but − the next easiest", None, _least(best))
    for kind in ("and", "or", "multiple"):
        yield gap.claim(group, f"PA is better than the base on “{kind}”", PA, BASE, part=parts[kind])
    gains = {kind: gap.between(IAFT, BASE, part=part) for kind, part in parts.items()}
    for kind in BALANCED:
        yield gap.claim(group, f"IAFT is better than the base on “{kind}”", IAFT, BASE, part=parts[kind])
    single = mean_of(gains[kind] for kind in BALANCED)
    text = "IAFT gains less with multiple conjunctions than with one"
    yield claim(group, text, "mean gain with one − gain with multiple", None, difference(single, gains["multiple"]))


def _boolean(results: Results) -> Iterator[Claim]:
    annotated = bool(results.design.annotated)
    group, gap = f"5.7 Boolean, {'annotated' if annotated else 'by rules'}", _Gap(results)
    yes, no = (results.boolean(wanted, annotated) for wanted in (True, False))
    for method in (BASE, IAFT, PA):
        theirs = published.BOOLEAN[method]
        found = difference(of(results.accuracy(method, part=yes)), of(results.accuracy(method, part=no)))
        text = f"{NAMES[method]}: Boolean pairs are easier"
        yield claim(group, text, "Boolean − non-Boolean", theirs[0] - theirs[1], found)
    for part, place in ((yes, 0), (no, 1)):
        given = published.BOOLEAN[IAFT][place] - published.BOOLEAN[BASE][place]
        name = "Boolean" if place == 0 else "non-Boolean"
        yield gap.claim(group, f"IAFT is better on {name} pairs", IAFT, BASE, part=part, given=given)
    given = published.BOOLEAN[PA][0] - published.BOOLEAN[BASE][0]
    yield gap.claim(group, "PA is better on Boolean pairs", PA, BASE, part=yes, given=given)
    text = f"PA is no better on non-Boolean pairs (within {100 * SAME:.0f} point)"
    more = gap.between(PA, BASE, part=no)
    yield claim(group, text, f"{100 * SAME:.0f} − (PA − Base)", 100 * SAME, _within(more))
    if annotated:
        known = results.design.annotated
        shares = {name: not is_boolean for name, is_boolean in known.items()}
        text = "a quarter of the pairs or more are not Boolean"
        yield share_claim(group, text, shares, 0.25, "pairs", published.NON_BOOLEAN_SHARE)


_NAMES = {**NAMES, IAFT_FRAGMENT: "IAFT with the fragment"}


class _Gap:
    """Differences between methods."""

    def __init__(self, results: Results) -> None:
        self._results = results

    def between(self, left: str, right: str, test: str = CONJ, part: Part | None = None) -> Floats | None:
        """How much better one method is than another."""
        return difference(*(of(self._results.accuracy(method, test, part)) for method in (left, right)))

    def claim(
        self, group: str, text: str, left: str, right: str, test: str = CONJ, part: Part | None = None,
        given: float | None = None,
    ) -> Claim:  # fmt: skip
        """A claim that one method is better than another."""
        where = test if part is None else part.name
        quantity = f"{_NAMES[left]} − {_NAMES[right]}, {where}"
        return claim(group, text, quantity, given, self.between(left, right, test, part))

    def kept(self, group: str, text: str, method: str) -> Claim:
        """A claim that a method is no worse on MNLI than the base."""
        lost = self.between(BASE, method, _MNLI)
        quantity = f"{100 * SAME:.0f} − (Base − {_NAMES[method]}), {_MNLI}"
        return claim(group, f"{text} (within {100 * SAME:.0f} point)", quantity, None, _within(lost))


def of(found: Measured | None) -> Floats | None:
    """The quantity of what was measured."""
    return None if found is None else found.quantity


def _least(found: Sequence[Floats | None]) -> Floats | None:
    there = [one for one in found if one is not None]
    return np.asarray(np.min(there, axis=0)) if there and len(there) == len(found) else None


def _within(gap: Floats | None) -> Floats | None:
    return None if gap is None else np.asarray(SAME - gap)


def most(group: str, text: str, quantity: str, given: float | None, share: Measured | None) -> Claim:
    """A claim that a share is above one half, by its own limits where resamples tell nothing."""
    if share is None:
        return Claim(group, text, quantity, given, None)
    limits = share.limits or interval(share.quantity)
    ends = (100 * (one - HALF) for one in (limits.value, limits.low, limits.high))
    return Claim(group, text, quantity, given, Interval(*ends))


def others_of(share: Measured | None) -> Measured | None:
    """The share of all others."""
    if share is None:
        return None
    limits = share.limits and Interval(1 - share.limits.value, 1 - share.limits.high, 1 - share.limits.low)
    return Measured(np.asarray(1 - share.quantity), share.spread, limits)

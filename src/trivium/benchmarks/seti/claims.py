"""The claims of SETI's section 5. Each states a quantity that is above zero if the claim is true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trivium.benchmarks.seti.design import COMPOSITIONAL, IN_DISTRIBUTION
from trivium.benchmarks.seti.published import MISSING_RULES
from trivium.benchmarks.seti.results import Results
from trivium.build.splits.systematicity import SETTINGS
from trivium.measure.claim import Claim, claim, corrected
from trivium.measure.statistics.estimate import Estimate, difference, least, mean_of

_TITLES = {setting.name: setting.title for setting in SETTINGS}
# The paper states these bounds in words; the numbers are our interpretation.
HIGH, NEAR, SOLVED, HALF, LIFT = 0.80, 0.10, 0.90, 0.10, 0.10
_HIGH, _NEAR, _LIFT = (f"{100 * bound:.0f}" for bound in (HIGH, NEAR, LIFT))
ACROSS = "5 Across models"
_LEARNED = f"held-out − {_HIGH}"


def claims(results: Results) -> list[Claim]:
    """Return all claims, with measured values; the paper prints no figures.

    Where a model that has learned nothing could meet a bound, the claim also requires high accuracy on held-out
    training data: the quantity is the smaller of the two margins.
    """
    all_claims = [*_in_distribution(results), *_trivial(results), *_non_trivial(results), *_shots(results)]
    all_claims += _across_models(results) if len(results.models) > 1 else []
    needs = {
        "5.1 In distribution": "the setting in distribution (run.settings, run.configurations)",
        "5.1 Trivial settings": "the setting in both configurations (run.settings, run.configurations)",
        "5.1 Non-trivial settings": "the setting in both configurations (run.settings, run.configurations)",
        ACROSS: "these settings for several models (run.models, run.settings, run.shots)",
        "5.2 Shots": "the setting with one shot per missing rule, and with one shot fewer (run.settings, run.shots)",
    }
    return corrected(replace(claim_, needs=needs[claim_.group]) for claim_ in all_claims)


def _in_distribution(results: Results) -> Iterator[Claim]:
    for name, title in _TITLES.items():
        majority = results.majority(name, IN_DISTRIBUTION)
        bound = HIGH if majority is None else max(HIGH, majority)
        text = f"{title}: in-distribution accuracy is at least {_HIGH} % and above the majority baseline"
        margin = _minus(results.accuracy(name, IN_DISTRIBUTION), bound)
        yield claim("5.1 In distribution", text, f"accuracy − {100 * bound:.1f}", None, margin)


def _trivial(results: Results) -> Iterator[Claim]:
    for name in ("task2-trivial", "task3-trivial"):
        gap, majority = _gap(results, name), results.majority(name, IN_DISTRIBUTION)
        learned = None if majority is None else _minus(results.accuracy(name, IN_DISTRIBUTION), majority)
        text = (
            f"{_TITLES[name]}: within {_NEAR} points of in-distribution accuracy, which is above the majority baseline"
        )
        near = None if gap is None else NEAR - gap
        quantity = f"min({_NEAR} − loss, in distribution − majority)"
        yield claim("5.1 Trivial settings", text, quantity, None, least((near, learned)))


def _non_trivial(results: Results) -> Iterator[Claim]:
    group, learned = "5.1 Non-trivial settings", "although the training data was learned"
    for name in ("task1-nontrivial", "task2-nontrivial", "task3-nontrivial-nat"):
        text = f"{_TITLES[name]}: accuracy is below in-distribution accuracy, {learned}"
        quantity = f"min(in distribution − compositional, {_LEARNED})"
        yield claim(group, text, quantity, None, least((_gap(results, name), _learned_margin(results, name))))
    names = ("task2-nontrivial", "task3-nontrivial-ver", "task3-nontrivial-nat")
    half, solved, unsolved = (results.accuracy(name, COMPOSITIONAL) for name in names)
    near_half = None if half is None else HALF - abs(half - 0.5)
    below_half = None if unsolved is None else 0.5 - unsolved
    for name, text, quantity, margin in zip(
        names,
        (f"within {100 * HALF:.0f} points of 50 %", f"solved (above {100 * SOLVED:.0f} %)", "not solved (below 50 %)"),
        (f"{100 * HALF:.0f} − distance to 50", f"accuracy − {100 * SOLVED:.0f}", "50 − accuracy"),
        (near_half, _minus(solved, SOLVED), below_half),
        strict=True,
    ):
        measured = least((margin, _learned_margin(results, name)))
        yield claim(group, f"{_TITLES[name]}: {text}, {learned}", f"min({quantity}, {_LEARNED})", None, measured)
    probe = results.accuracy("task3-nontrivial-ver", COMPOSITIONAL, part="probe")
    text = "Task 3, non-trivial, R_ver: solved by a shortcut (below 50 % on rule ②, where the verb alone misleads)"
    below = None if probe is None else 0.5 - probe
    measured = least((below, _learned_margin(results, "task3-nontrivial-ver")))
    yield claim(group, text, f"min(50 − accuracy on rule ②, {_LEARNED})", None, measured)


def _shots(results: Results) -> Iterator[Claim]:
    for name, number in MISSING_RULES.items():
        none, fewer, enough = (results.accuracy(name, COMPOSITIONAL, shots) for shots in (0, number - 1, number))
        held_out = [results.accuracy(name, COMPOSITIONAL, shots, part="dev") for shots in (0, number)]
        cost = difference(held_out[0], held_out[1])
        shots = f"{number} shot{'s' if number > 1 else ''}"
        effect = f"accuracy rises by {_LIFT} points, and falls by at most {_LIFT} on held-out training data"
        text = f"{_TITLES[name]}: with {shots}, one for each missing rule, {effect}"
        gain = _minus(difference(enough, none), LIFT)
        quantity = f"min(after {shots} − before − {_LIFT}, {_LIFT} − loss on held-out training data)"
        yield claim("5.2 Shots", text, quantity, None, least((gain, None if cost is None else LIFT - cost)))
        if number > 1:
            text = f"{_TITLES[name]}: {shots} are better than {number - 1}"
            yield claim("5.2 Shots", text, f"after {shots} − after {number - 1}", None, difference(enough, fewer))


def _across_models(results: Results) -> Iterator[Claim]:
    """Yield claims about all models of a run, or about the best of them."""
    models = results.models

    def each(name: str, shots: int = 0, part: str = "test", within: str = COMPOSITIONAL) -> list[Estimate | None]:
        return [results.accuracy(name, within, shots, part=part, model=model) for model in models]

    bounds = [_minus(accuracy, HIGH) for name in _TITLES for accuracy in each(name, within=IN_DISTRIBUTION)]
    text = f"in distribution, every model reaches at least {_HIGH} % in every setting"
    yield claim(ACROSS, text, f"least accuracy − {_HIGH}", None, least(bounds))
    name = "task2-nontrivial"
    near = [None if accuracy is None else HALF - abs(accuracy - 0.5) for accuracy in each(name)]
    learned = [_minus(accuracy, HIGH) for accuracy in each(name, part="dev")]
    text = f"{_TITLES[name]}: every model is within {100 * HALF:.0f} points of 50 %, although the training was learned"
    quantity = f"min({100 * HALF:.0f} − distance to 50, {_LEARNED}), least of all models"
    yield claim(ACROSS, text, quantity, None, least([*near, *learned]))
    for name in ("task2-nontrivial", "task3-nontrivial-nat"):
        margins = [None if accuracy is None else SOLVED - accuracy for accuracy in each(name)]
        text = f"{_TITLES[name]}: no model solves it (above {100 * SOLVED:.0f} %)"
        yield claim(ACROSS, text, f"{100 * SOLVED:.0f} − best accuracy", None, least(margins))
    for name in ("task1-trivial", "task1-nontrivial"):
        accuracies = each(name)
        best = max((a for a in accuracies if a is not None), key=lambda a: a.value, default=None)
        others = mean_of(a for a in accuracies if a is not best)
        text = f"{_TITLES[name]}: one model is far above the others (by {_LIFT} points)"
        margin = _minus(difference(best, others), LIFT) if None not in accuracies else None
        yield claim(ACROSS, text, f"best − mean of the others − {_LIFT}", None, margin)
    for name, number in MISSING_RULES.items():
        gains = [difference(after, before) for after, before in zip(each(name, number), each(name), strict=True)]
        text = f"{_TITLES[name]}: every model gains from one shot for each missing rule"
        yield claim(ACROSS, text, "after − before, least of all models", None, least(gains))


def _gap(results: Results, name: str) -> Estimate | None:
    return difference(*(results.accuracy(name, configuration) for configuration in (IN_DISTRIBUTION, COMPOSITIONAL)))


def _learned_margin(results: Results, name: str) -> Estimate | None:
    """Return by how much the accuracy on held-out training data exceeds the bound for high accuracy."""
    return _minus(results.accuracy(name, COMPOSITIONAL, part="dev"), HIGH)


def _minus(quantity: Estimate | None, bound: float) -> Estimate | None:
    return None if quantity is None else quantity - bound

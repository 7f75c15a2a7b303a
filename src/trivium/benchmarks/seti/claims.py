"""The claims of SETI's section 5, each as a quantity that should be above zero."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from trivium.benchmarks.seti.published import MISSING_RULES
from trivium.benchmarks.seti.results import COMPOSITIONAL, IN_DISTRIBUTION, Results
from trivium.build.systematicity import SETTINGS
from trivium.measure.claim import Claim, claim
from trivium.measure.metrics import Floats

_TITLES = {setting.name: setting.title for setting in SETTINGS}
# The text gives bounds in words; these are the numbers that they are read as.
HIGH, NEAR, SOLVED, HALF, LIFT = 0.80, 0.10, 0.90, 0.10, 0.10


def claims(results: Results) -> list[Claim]:
    """Every claim with ours and the verdict; the paper's figures are drawn, not printed."""
    made = [*_in_distribution(results), *_trivial(results), *_non_trivial(results), *_shots(results)]
    needs = {
        "5.1 In distribution": "the setting in distribution (run.settings, run.configurations)",
        "5.1 Trivial settings": "the setting in both configurations (run.settings, run.configurations)",
        "5.1 Non-trivial settings": "the setting in both configurations (run.settings, run.configurations)",
        "5.2 Shots": "the setting with as many shots as it lacks rules (run.settings, run.shots)",
    }
    return [replace(one, needs=needs[one.group]) for one in made]


def _in_distribution(results: Results) -> Iterator[Claim]:
    for name, title in _TITLES.items():
        found = results.accuracy(name, IN_DISTRIBUTION)
        text = f"{title}: in distribution accuracy is at least {100 * HIGH:.0f} %"
        yield claim("5.1 In distribution", text, f"accuracy − {100 * HIGH:.0f}", None, _minus(found, HIGH))


def _trivial(results: Results) -> Iterator[Claim]:
    for name in ("task2-trivial", "task3-trivial"):
        gap = _gap(results, name)
        text = f"{_TITLES[name]}: compositional generalization is within {100 * NEAR:.0f} points of in distribution"
        near = None if gap is None else NEAR - gap
        yield claim("5.1 Trivial settings", text, f"{100 * NEAR:.0f} − what is lost", None, near)


def _non_trivial(results: Results) -> Iterator[Claim]:
    group = "5.1 Non-trivial settings"
    for name in ("task1-nontrivial", "task2-nontrivial", "task3-nontrivial-nat"):
        yield claim(
            group, f"{_TITLES[name]}: accuracy falls", "in distribution − compositional", None, _gap(results, name)
        )
    half = results.accuracy("task2-nontrivial", COMPOSITIONAL)
    text = f"Task 2, non-trivial: accuracy is within {100 * HALF:.0f} points of 50 %"
    distance = None if half is None else HALF - np.abs(half - 0.5)
    yield claim(group, text, f"{100 * HALF:.0f} − distance to 50", None, distance)
    solved = results.accuracy("task3-nontrivial-ver", COMPOSITIONAL)
    text = f"Task 3, non-trivial, R_ver: solved by a shortcut (above {100 * SOLVED:.0f} %)"
    yield claim(group, text, f"accuracy − {100 * SOLVED:.0f}", None, _minus(solved, SOLVED))
    unsolved = results.accuracy("task3-nontrivial-nat", COMPOSITIONAL)
    text = "Task 3, non-trivial, R_nat: not solved (below 50 %)"
    yield claim(group, text, "50 − accuracy", None, None if unsolved is None else 0.5 - unsolved)


def _shots(results: Results) -> Iterator[Claim]:
    for name, number in MISSING_RULES.items():
        before, after = (results.accuracy(name, COMPOSITIONAL, shots) for shots in (0, number))
        gained = None if before is None or after is None else after - before - LIFT
        shots = f"{number} shot{'s' if number > 1 else ''}"
        text = f"{_TITLES[name]}: {shots}, as many as rules are missing, lift it by {100 * LIFT:.0f} points"
        yield claim("5.2 Shots", text, f"after {shots} − before − {100 * LIFT:.0f}", None, gained)


def _gap(results: Results, name: str) -> Floats | None:
    inside, outside = (results.accuracy(name, configuration) for configuration in (IN_DISTRIBUTION, COMPOSITIONAL))
    return None if inside is None or outside is None else inside - outside


def _minus(quantity: Floats | None, bound: float) -> Floats | None:
    return None if quantity is None else quantity - bound

"""The sweeps of C²Gen's section 5.4: learning rate and memory size."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from trivium.benchmarks.c2gen.design import CGEN
from trivium.benchmarks.c2gen.published import LEARNING_RATE_GAPS
from trivium.benchmarks.c2gen.results import Results
from trivium.benchmarks.c2gen.settings import C2GenSettings
from trivium.benchmarks.c2gen.tables import ORDER_NAMES, STRATEGY_NAMES
from trivium.benchmarks.sweep import Found, Headline, Sweep
from trivium.errors import UserError
from trivium.learn.strategy import find_strategies
from trivium.measure.claim import Claim, claim
from trivium.measure.metrics import Floats, difference

_MEASURES = {"V+N": "Task_P (V+N)", "CI": "Task_CI"}
_GAP, _WITH = "CGen − C²Gen", "with a strategy"
_PAPERS = f"{_GAP}, ver → nat"  # the paper does not name the order; by its Table 5 it is this one


def headlines(results: Results) -> list[Headline]:
    """The gap between CGen and C²Gen in both tasks, and what each strategy reaches."""
    run = results.design.settings.run
    gaps, reached = [], []
    for order in run.orders:
        for measure, task in _MEASURES.items():
            together = results.accuracy(measure, CGEN, "finetune", 1)
            apart = results.accuracy(measure, order, "finetune", 2)
            gaps.append(Headline(f"{_GAP}, {ORDER_NAMES[order]}", task, difference(together, apart)))
        for name in (name for name in run.strategies if name != "finetune"):
            for measure, task in _MEASURES.items():
                title = f"{STRATEGY_NAMES.get(name, name)}, {task}"
                quantity = results.accuracy(measure, order, name, 2)
                reached.append(Headline(f"{_WITH}, {ORDER_NAMES[order]}", title, quantity))
    return [*gaps, *reached]


def _learning_rate(settings: C2GenSettings, value: str) -> list[str]:
    return [f"train.learning_rate={value}", 'run.strategies=["finetune"]']


def _memory_size(settings: C2GenSettings, value: str) -> list[str]:
    if not value.isdecimal() or int(value) < 1:
        raise UserError(f"a memory of {value!r} holds nothing: its size is a number of examples from 1 on")
    known = find_strategies()
    names = [
        name
        for name in settings.run.strategies
        if name in known and "memory_size" in {field.name for field in dataclasses.fields(known[name])}
    ]
    if not names:
        raise UserError("none of the strategies of this run has a memory: name one with --set run.strategies=…")
    return [f"strategy.{name}.memory_size={value}" for name in names]


def _gap_rises(found: Found) -> list[Claim]:
    """The gap grows from the lowest learning rate to the highest (section 5.4)."""
    values = sorted(found, key=float)
    made = []
    for place, line in enumerate(found[values[0]]):
        if line.panel.startswith(_GAP) and len(values) > 1:
            low, high = line.quantity, found[values[-1]][place].quantity
            gaps = LEARNING_RATE_GAPS[line.name]
            made.append(
                claim(
                    "5.4 Hyperparameters",
                    f"{line.panel.removeprefix(_GAP + ', ')}: the gap in {line.name} grows from the lowest learning "
                    "rate to the highest",
                    f"gap at {values[-1]} − gap at {values[0]}",
                    gaps["3e-5"] - gaps["1e-5"] if line.panel == _PAPERS else None,
                    difference(high, low),
                )
            )
    return made


def _hundred_is_best(found: Found) -> list[Claim]:
    """A memory of 100 does better than every other (section 5.4: a single peak at 100)."""
    if "100" not in found or len(found) < 2:
        return []
    made = []
    for place, line in enumerate(found["100"]):
        others = [lines[place].quantity for value, lines in found.items() if value != "100"]
        if line.panel.startswith(_WITH):
            made.append(
                claim(
                    "5.4 Hyperparameters",
                    f"{line.panel.removeprefix(_WITH + ', ')}: {line.name} is best with a memory of 100",
                    "at 100 − the best of the others",
                    None,
                    _above(line.quantity, others),
                )
            )
    return made


def _above(value: Floats | None, others: Sequence[Floats | None]) -> Floats | None:
    there = [other for other in others if other is not None]
    return None if value is None or len(there) < len(others) else np.asarray(value - np.max(there, axis=0))


SWEEPS = {
    "learning-rate": Sweep(
        "learning rate",
        ("1e-5", "2e-5", "3e-5"),
        _learning_rate,
        {(rate, _PAPERS, task): gap for task, gaps in LEARNING_RATE_GAPS.items() for rate, gap in gaps.items()},
        _gap_rises,
    ),
    "memory-size": Sweep("memory size", ("50", "100", "150", "200"), _memory_size, claims=_hundred_is_best),
}  # fmt: skip

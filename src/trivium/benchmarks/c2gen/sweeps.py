"""The sweeps of C²Gen's section 5.4, over the learning rate and the memory size."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from trivium.benchmarks.c2gen.design import CGEN
from trivium.benchmarks.c2gen.published import LEARNING_RATE_GAPS
from trivium.benchmarks.c2gen.results import Results
from trivium.benchmarks.c2gen.settings import C2GenSettings
from trivium.benchmarks.c2gen.tables import ORDER_NAMES
from trivium.benchmarks.steps import strategy_title
from trivium.benchmarks.sweep import Headline, Headlines, Sweep
from trivium.errors import UserError
from trivium.learn.strategy import find_strategies
from trivium.measure.claim import Claim, claim
from trivium.measure.statistics.estimate import Estimate, difference, least

_MEASURES = {"V+N": "Task_P (V+N)", "CI": "Task_CI"}
_GAP, _WITH = "CGen − C²Gen", "with a strategy"
_PUBLISHED_PANEL = f"{_GAP}, ver → nat"  # the paper does not name the order; its Table 5 implies this one


def headlines(results: Results) -> list[Headline]:
    """Return the gap between CGen and C²Gen in both tasks, and the accuracy of each strategy."""
    run = results.design.settings.run
    gaps, accuracies = [], []
    for order in run.orders:
        for measure, task in _MEASURES.items():
            cgen = results.accuracy(measure, CGEN, "finetune", 1)
            continual = results.accuracy(measure, order, "finetune", 2)
            gaps.append(Headline(f"{_GAP}, {ORDER_NAMES[order]}", task, difference(cgen, continual)))
        for name in (name for name in run.strategies if name != "finetune"):
            for measure, task in _MEASURES.items():
                title = f"{strategy_title(name)}, {task}"
                quantity = results.accuracy(measure, order, name, 2)
                accuracies.append(Headline(f"{_WITH}, {ORDER_NAMES[order]}", title, quantity))
    return [*gaps, *accuracies]


def _learning_rate(settings: C2GenSettings, value: str) -> list[str]:
    return [f"train.learning_rate={value}", 'run.strategies=["finetune"]']


def _memory_size(settings: C2GenSettings, value: str) -> list[str]:
    if not value.isdecimal() or int(value) < 1:
        raise UserError(f"memory size {value!r}: must be a whole number of examples, at least 1")
    known = find_strategies()
    names = [
        name
        for name in settings.run.strategies
        if name in known and "memory_size" in {field.name for field in dataclasses.fields(known[name])}
    ]
    if not names:
        raise UserError("no strategy of this run has a memory: add one, such as 'er-res', to run.strategies")
    return [f"strategy.{name}.memory_size={value}" for name in names]


def _gap_claims(headlines: Headlines) -> list[Claim]:
    """Return the claims that the gap grows from the lowest learning rate to the highest (section 5.4)."""
    values = sorted(headlines, key=float)
    claims = []
    for index, headline in enumerate(headlines[values[0]]):
        if headline.panel.startswith(_GAP) and len(values) > 1:
            low, high = headline.quantity, headlines[values[-1]][index].quantity
            gaps = LEARNING_RATE_GAPS[headline.name]
            claims.append(
                claim(
                    "5.4 Hyperparameters",
                    f"{headline.panel.removeprefix(_GAP + ', ')}: the gap in {headline.name} grows from the lowest "
                    "learning rate to the highest",
                    f"gap at {values[-1]} − gap at {values[0]}",
                    gaps["3e-5"] - gaps["1e-5"] if headline.panel == _PUBLISHED_PANEL else None,
                    difference(high, low),
                )
            )
    return claims


def _memory_claims(headlines: Headlines) -> list[Claim]:
    """Return the claims that a memory of 100 is better than every other size (section 5.4)."""
    if "100" not in headlines or len(headlines) < 2:
        return []
    claims = []
    for index, headline in enumerate(headlines["100"]):
        others = [at_value[index].quantity for value, at_value in headlines.items() if value != "100"]
        if headline.panel.startswith(_WITH):
            claims.append(
                claim(
                    "5.4 Hyperparameters",
                    f"{headline.panel.removeprefix(_WITH + ', ')}: {headline.name} is best with a memory of 100",
                    "at 100 − the best of the others",
                    None,
                    _minus_best(headline.quantity, others),
                )
            )
    return claims


def _minus_best(quantity: Estimate | None, others: Sequence[Estimate | None]) -> Estimate | None:
    available = [other for other in others if other is not None]
    if quantity is None or len(available) < len(others):
        return None
    return least(quantity - other for other in available)


SWEEPS = {
    "learning-rate": Sweep(
        "learning rate",
        ("1e-5", "2e-5", "3e-5"),
        _learning_rate,
        {
            (rate, _PUBLISHED_PANEL, task): gap
            for task, gaps in LEARNING_RATE_GAPS.items()
            for rate, gap in gaps.items()
        },
        _gap_claims,
    ),
    "memory-size": Sweep("memory size", ("50", "100", "150", "200"), _memory_size, claims=_memory_claims),
}  # fmt: skip

"""The main findings of a run of C²Gen, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from trivium.benchmarks.c2gen.design import CGEN
from trivium.benchmarks.c2gen.results import Results
from trivium.benchmarks.c2gen.tables import FIRST_PRIMITIVE, ORDER_NAMES
from trivium.benchmarks.steps import strategy_title
from trivium.measure.metrics import format_rounded

_PRIMITIVES = {"V": "veridical inference", "N": "natural inference"}


def summarize(results: Results) -> list[str]:
    """Return a sentence for each order on forgetting and on the strategies, and one on composition."""
    orders = results.design.settings.run.orders
    return [*(sentence for order in orders for sentence in _forgetting(results, order)), *_composition(results)]


def _forgetting(results: Results, order: str) -> Iterator[str]:
    measure = FIRST_PRIMITIVE[order]
    before = _percent(results, measure, order, "finetune", 1)
    plain = _percent(results, measure, order, "finetune", 2)
    if before is None or plain is None:
        return
    with_strategy = []
    for name in results.design.settings.run.strategies:
        after = _percent(results, measure, order, name, 2)
        if name != "finetune" and after is not None:
            with_strategy.append(f"{strategy_title(name)} {format_rounded(after)} %")
    strategies = f" With a strategy: {', '.join(with_strategy)}." if with_strategy else ""
    yield (
        f"{ORDER_NAMES[order]}: accuracy on unseen {_PRIMITIVES[measure]} is {format_rounded(before)} % after the "
        f"first stage and {format_rounded(plain)} % after the second.{strategies}"
    )


def _composition(results: Results) -> Iterator[str]:
    cgen = _percent(results, "CI", CGEN, "finetune", 1)
    by_order = {
        ORDER_NAMES[order]: _percent(results, "CI", order, "finetune", 2)
        for order in results.design.settings.run.orders
    }
    if cgen is not None and all(value is not None for value in by_order.values()):
        continual = "".join(f", {format_rounded(value or 0.0)} % in {order}" for order, value in by_order.items())
        at_once = f"{format_rounded(cgen)} % when everything is trained at once"
        yield f"Accuracy on unseen compositions: {at_once}{continual}."


def _percent(results: Results, measure: str, setting: str, strategy: str, stage: int) -> float | None:
    quantity = results.accuracy(measure, setting, strategy, stage)
    return None if quantity is None else 100 * quantity.value

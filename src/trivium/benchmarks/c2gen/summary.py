"""What the figures of C²Gen say, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from trivium.benchmarks.c2gen.design import CGEN
from trivium.benchmarks.c2gen.results import Results
from trivium.benchmarks.c2gen.tables import FIRST_PRIMITIVE, ORDER_NAMES, STRATEGY_NAMES
from trivium.measure.metrics import rounded

_PRIMITIVES = {"V": "veridical inference", "N": "natural inference"}


def story(results: Results) -> list[str]:
    """A sentence for each order on what was forgotten and what helped, and one on composition."""
    orders = results.design.settings.run.orders
    return [*(line for order in orders for line in _forgetting(results, order)), *_composition(results)]


def _forgetting(results: Results, order: str) -> Iterator[str]:
    measure = FIRST_PRIMITIVE[order]
    before = _percent(results, measure, order, "finetune", 1)
    plain = _percent(results, measure, order, "finetune", 2)
    if before is None or plain is None:
        return
    helped = []
    for name in results.design.settings.run.strategies:
        after = _percent(results, measure, order, name, 2)
        if name != "finetune" and after is not None:
            helped.append(f"{STRATEGY_NAMES.get(name, name)} {rounded(after)}")
    strategies = f" With a strategy it ends at: {', '.join(helped)}." if helped else ""
    yield (
        f"{ORDER_NAMES[order]}: after the first stage the model gets {rounded(before)} % of unseen "
        f"{_PRIMITIVES[measure]} right, after the second stage {rounded(plain)} %.{strategies}"
    )


def _composition(results: Results) -> Iterator[str]:
    together = _percent(results, "CI", CGEN, "finetune", 1)
    apart = {
        ORDER_NAMES[order]: _percent(results, "CI", order, "finetune", 2)
        for order in results.design.settings.run.orders
    }
    if together is not None and all(value is not None for value in apart.values()):
        shown = "".join(f", {rounded(value or 0.0)} % in {order}" for order, value in apart.items())
        yield f"Unseen compositions: {rounded(together)} % when everything is trained at once{shown}."


def _percent(results: Results, measure: str, setting: str, strategy: str, stage: int) -> float | None:
    quantity = results.accuracy(measure, setting, strategy, stage)
    return None if quantity is None else 100 * float(quantity[0])

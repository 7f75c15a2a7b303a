"""The main findings of a run of C²Gen, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from trivium.benchmarks.c2gen.composers import of_composer, row_name
from trivium.benchmarks.c2gen.design import CGEN
from trivium.benchmarks.c2gen.results import Results
from trivium.benchmarks.c2gen.tables import FIRST_PRIMITIVE, ORDER_NAMES, final_models
from trivium.benchmarks.steps import strategy_title
from trivium.measure.metrics import format_rounded
from trivium.models.composer import composer_title

_PRIMITIVES = {"V": "veridical inference", "N": "natural inference"}


def summarize(results: Results) -> list[str]:
    """Return sentences on forgetting and the strategies in each order, on composition, and on the composers."""
    orders = results.design.settings.run.orders
    return [
        *(sentence for order in orders for sentence in _forgetting(results, order)),
        *_composition(results),
        *_composers(results),
    ]


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


def _composers(results: Results) -> Iterator[str]:
    """Yield what each composer makes of the primitives, if there are several."""
    if len(results.design.composers) < 2:
        return
    for model in final_models(results):
        parts = []
        for composer in results.design.composers:
            mine = of_composer(results, composer)
            composed, both = (
                _percent(mine, measure, model.setting, model.strategy, model.stage)
                for measure in ("CI", "V+N of compositions")
            )
            if composed is not None and both is not None:
                figures = f"{format_rounded(composed)} % (both primitives: {format_rounded(both)} %)"
                parts.append(f"{composer_title(composer)} {figures}")
        if parts:
            yield f"Unseen compositions by composer, {row_name(model)}: {', '.join(parts)}."


def _percent(results: Results, measure: str, setting: str, strategy: str, stage: int) -> float | None:
    quantity = results.accuracy(measure, setting, strategy, stage)
    return None if quantity is None else 100 * quantity.value

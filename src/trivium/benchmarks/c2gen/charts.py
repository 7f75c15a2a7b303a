"""C²Gen's charts: accuracy by stage, by strategy and by composition type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trivium.benchmarks.c2gen.functions import heat_map
from trivium.benchmarks.c2gen.published import TABLE_5, TABLE_6
from trivium.benchmarks.c2gen.results import MEASURES, Results
from trivium.benchmarks.c2gen.tables import FIRST_PRIMITIVE, ORDER_NAMES, forgotten
from trivium.benchmarks.steps import strategy_title
from trivium.measure.chart import Chart, Point
from trivium.measure.statistics.intervals import interval

_MOST_PANELS = 8


def charts(results: Results) -> list[Chart]:
    """Return the charts that have at least one prediction to show."""
    all_charts = (_stages, _strategies_composition, _strategies_first, _forgetting, heat_map)
    return [chart for chart in (make(results) for make in all_charts) if chart.points]


def _first_strategies(names: Sequence[str], number: int) -> list[str]:
    """Return up to ``number`` strategies in their order: fine-tuning, those that the paper does not have, ER-Res, …."""
    published = {strategy for _, strategy in TABLE_6}
    ranked = sorted(names, key=lambda name: (name != "finetune", name in published, name != "er-res"))[:number]
    return [name for name in names if name in ranked]


def _stages(results: Results) -> Chart:
    points: list[Point] = []
    run = results.design.settings.run
    shown = _first_strategies(run.strategies, _MOST_PANELS // max(1, len(run.orders)))
    for order in run.orders:
        for measure in ("V", "N"):
            series = {"V": "veridical (V)", "N": "natural (N)"}[measure]
            for name in shown:
                for stage in (1, 2):
                    quantity = results.accuracy(measure, order, name if stage == 2 else "finetune", stage)
                    if quantity is None:
                        continue
                    figure = TABLE_5[order, stage][list(MEASURES).index(measure)] if name == "finetune" else None
                    panel = f"{ORDER_NAMES[order]}, {strategy_title(name)}"
                    published = figure.value if figure else None
                    points.append(Point(panel, series, f"S{stage}", 100 * interval(quantity), published))
    return Chart(
        "stages",
        "Accuracy on each primitive by stage",
        "Accuracy on unseen primitive inferences after the first and after the second stage.",
        "lines",
        "accuracy, %",
        tuple(points),
    )


def _strategies_composition(results: Results) -> Chart:
    return Chart(
        "strategies-ci",
        "Composition by strategy",
        "Accuracy on unseen compositions (Task_CI) after both stages.",
        "dots",
        "accuracy, %",
        tuple(_strategy_points(results, dict.fromkeys(ORDER_NAMES, "CI"))),
    )


def _strategies_first(results: Results) -> Chart:
    return Chart(
        "strategies-first",
        "Retention of the first primitive by strategy",
        "Accuracy on the primitive that was learned first, after both stages: V in ver → nat, N in nat → ver.",
        "dots",
        "accuracy, %",
        tuple(_strategy_points(results, FIRST_PRIMITIVE)),
    )


def _forgetting(results: Results) -> Chart:
    points = []
    run = results.design.settings.run
    for order in run.orders:
        for name in run.strategies:
            quantity = forgotten(results, order, name)
            if quantity is None:
                continue
            row = TABLE_6.get((order, name))
            published = row.forget.value if row else None
            points.append(
                Point(
                    ORDER_NAMES[order], strategy_title(name), strategy_title(name), 100 * interval(quantity), published
                )
            )
    return Chart(
        "forgetting",
        "Forgetting of the first primitive by strategy",
        "Share of the accuracy on the primitive learned first that is lost in the second stage: V in ver → nat, N in "
        "nat → ver. Below zero, the second stage helped. Intervals below −100 % are cut off.",
        "dots",
        "forgotten, %",
        tuple(points),
    )


def _strategy_points(results: Results, measures: dict[str, str]) -> Iterator[Point]:
    run = results.design.settings.run
    for order in run.orders:
        for name in run.strategies:
            quantity = results.accuracy(measures[order], order, name, 2)
            if quantity is None:
                continue
            row = TABLE_6.get((order, name))
            figures = {"V": row.v, "N": row.n, "CI": row.ci} if row else {}
            published = figures[measures[order]].value if figures else None
            title = strategy_title(name)
            yield Point(ORDER_NAMES[order], title, title, 100 * interval(quantity), published)

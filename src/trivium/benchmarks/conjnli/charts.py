"""ConjNLI's figures: accuracy by the amount of adversarial data (Figure 3), and by conjunction."""

from __future__ import annotations

from trivium.benchmarks.conjnli.design import BASE
from trivium.benchmarks.conjnli.results import Results
from trivium.benchmarks.conjnli.tables import NAMES, amounts, by_amount
from trivium.build.conjuncts.material import CONJ
from trivium.build.conjuncts.traits import KINDS
from trivium.measure.bootstrap import interval
from trivium.measure.chart import Chart, Point


def charts(results: Results) -> list[Chart]:
    """Figure 3, and Table 9 as a figure."""
    return [chart for chart in (_amounts(results), _kinds(results)) if len(chart.points) > 1]


def _amounts(results: Results) -> Chart:
    points = []
    for amount in amounts(results):
        found = by_amount(results, amount)
        if found is not None:
            points.append(Point("", "IAFT", f"{amount:,}", interval(100 * found.quantity)))
    caption = f"Accuracy of IAFT on {CONJ} by the number of adversarial pairs; with none it is the base."
    return Chart("Figure 3", "Amount of adversarial data", caption, "lines", "accuracy, %", tuple(points))


def _kinds(results: Results) -> Chart:
    points = []
    methods = [method for method in NAMES if method in {BASE, *results.design.settings.run.methods}]
    for method in methods:
        for kind in KINDS:
            found = results.accuracy(method, part=results.kind(kind))
            if found is not None:
                points.append(Point("", NAMES[method], kind, interval(100 * found.quantity)))
    caption = f"Accuracy on {CONJ} by the conjunction of a pair (Table 9)."
    return Chart("Table 9", "By conjunction", caption, "dots", "accuracy, %", tuple(points))

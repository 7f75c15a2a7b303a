"""ConjNLI's charts: accuracy by the amount of adversarial data (Figure 3), and by conjunction (Table 9)."""

from __future__ import annotations

from trivium.benchmarks.conjnli.results import Results
from trivium.benchmarks.conjnli.tables import NAMES, accuracy_by_amount, amounts, methods_of
from trivium.build.conjuncts.material import CONJ
from trivium.build.conjuncts.traits import KINDS
from trivium.measure.chart import Chart, Point
from trivium.measure.statistics.intervals import interval


def charts(results: Results) -> list[Chart]:
    """Return Figure 3, and Table 9 as a chart."""
    return [chart for chart in (_amounts(results), _conjunctions(results)) if len(chart.points) > 1]


def _amounts(results: Results) -> Chart:
    points = []
    for amount in amounts(results):
        accuracy = accuracy_by_amount(results, amount)
        if accuracy is not None:
            points.append(Point("", "IAFT", f"{amount:,}", 100 * interval(accuracy)))
    caption = f"Accuracy of IAFT on {CONJ} by the number of adversarial pairs; 0 is the base."
    return Chart("Figure 3", "Amount of adversarial data", caption, "lines", "accuracy, %", tuple(points))


def _conjunctions(results: Results) -> Chart:
    points = []
    for method in methods_of(results):
        for conjunction in KINDS:
            accuracy = results.accuracy(method, subset=results.with_conjunction(conjunction))
            if accuracy is not None:
                points.append(Point("", NAMES[method], conjunction, 100 * interval(accuracy)))
    caption = f"Accuracy on {CONJ} by the conjunction of a pair (Table 9)."
    return Chart("Table 9", "By conjunction", caption, "dots", "accuracy, %", tuple(points))

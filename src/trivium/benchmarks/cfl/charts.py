"""CFL's charts: gains and losses of each method, and accuracy after each category."""

from __future__ import annotations

from trivium.benchmarks.cfl import published
from trivium.benchmarks.cfl.design import CONTINUAL, FEW_SHOT
from trivium.benchmarks.cfl.results import AVERAGE, Results
from trivium.benchmarks.cfl.tables import method_title
from trivium.measure.chart import Chart, Point
from trivium.measure.statistics.intervals import interval


def charts(results: Results) -> list[Chart]:
    """Return a chart of Tables 4 to 6, one of Tables 7 to 9, and one of Table 12 for each suite and strategy."""
    candidates = [_methods_chart(results, setup) for setup in (FEW_SHOT, CONTINUAL)]
    candidates += [
        _after_category_chart(results, suite, strategy)
        for suite in results.design.suites
        for strategy in results.design.settings.run.followed
    ]
    return [chart for chart in candidates if chart.points]


def _methods_chart(results: Results, setup: str) -> Chart:
    """Return the accuracy of each method on the categories and on the base test."""
    points = []
    for suite, plan in results.design.suites.items():
        if not results.categories(suite, setup):
            continue
        figures = published.methods(setup).get(suite, {})
        base_test = results.base_test(suite)
        for method in results.methods(setup):
            for test, series in ((AVERAGE, "categories"), (base_test, "base test")):
                accuracy = results.accuracy(suite, setup, method, test)
                if accuracy is not None:
                    figure = figures.get(method, {}).get(test)
                    name = method_title(method)
                    value = None if figure is None else figure.value
                    points.append(Point(plan.suite.title, series, name, 100 * interval(accuracy), value))
    if setup == FEW_SHOT:
        name, title, learned = "Tables 4 to 6", "Few-shot: gains and losses of each method", "each learned separately"
    else:
        name, title, learned = "Tables 7 to 9", "Continual: gains and losses of each method", "learned in sequence"
    caption = f"Accuracy on the categories, {learned}, and on the test of the base's own task."
    return Chart(name, title, caption, "dots", "accuracy, %", tuple(points))


def _after_category_chart(results: Results, suite: str, strategy: str) -> Chart:
    """Return the accuracy on each category and on the base test as categories are learned in sequence."""
    points = []
    tests = [name for name in results.columns(suite, CONTINUAL) if name != AVERAGE]
    for category in ["", *results.categories(suite, CONTINUAL)]:
        for test in tests:
            accuracy = results.after_category(suite, strategy, category, test)
            if accuracy is not None:
                points.append(Point("", test, category or "before", 100 * interval(accuracy)))
    title = f"{results.plan(suite).suite.title}: {method_title(strategy)} after each category"
    caption = "Accuracy on each test after each category in sequence (Table 12)."
    return Chart(f"Table 12, {suite}", title, caption, "lines", "accuracy, %", tuple(points))

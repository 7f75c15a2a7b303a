"""CFL's figures: its tables along the categories."""

from __future__ import annotations

from trivium.benchmarks.cfl import published
from trivium.benchmarks.cfl.design import CONTINUAL, FEW_SHOT
from trivium.benchmarks.cfl.results import AVERAGE, Results
from trivium.benchmarks.cfl.tables import method_title
from trivium.measure.bootstrap import interval
from trivium.measure.chart import Chart, Point


def charts(results: Results) -> list[Chart]:
    """What each method gains and what it loses, and a strategy after each category."""
    found = [_costs(results, setup) for setup in (FEW_SHOT, CONTINUAL)]
    found += [
        _in_turn(results, suite, strategy)
        for suite in results.design.parts
        for strategy in results.design.settings.run.followed
    ]
    return [chart for chart in found if chart.points]


def _costs(results: Results, setup: str) -> Chart:
    """Each method on the categories and on the base test."""
    points = []
    for suite, part in results.design.parts.items():
        if not results.categories(suite, setup):
            continue
        given = (published.FEW_SHOT if setup == FEW_SHOT else published.CONTINUAL).get(suite, {})
        base = next(iter(part.suite.tests))
        for method in results.methods(setup):
            for test, series in ((AVERAGE, "categories"), (base, "base test")):
                found = results.accuracy(suite, setup, method, test)
                if found is not None:
                    theirs = given.get(method, {}).get(test)
                    name = method_title(method)
                    value = None if theirs is None else theirs.value
                    points.append(Point(part.suite.title, series, name, interval(100 * found.quantity), value))
    about = "alone" if setup == FEW_SHOT else "in turn"
    tables = "Tables 4 to 6" if setup == FEW_SHOT else "Tables 7 to 9"
    caption = f"Accuracy on the categories, learned {about}, and on what the base was trained for."
    return Chart(tables, f"What {about} is gained and lost", caption, "dots", "accuracy, %", tuple(points))


def _in_turn(results: Results, suite: str, strategy: str) -> Chart:
    """Accuracy on each category and on the base test while categories are learned in turn."""
    points = []
    columns = [name for name in results.columns(suite, CONTINUAL) if name != AVERAGE]
    for category in ["", *results.categories(suite, CONTINUAL)]:
        for test in columns:
            found = results.after(suite, strategy, category, test)
            if found is not None:
                place = category or "before"
                points.append(Point("", test, place, interval(100 * found.quantity)))
    title = f"{results.part(suite).suite.title}: {method_title(strategy)} in turn"
    caption = "Accuracy on each test after each category (Table 12)."
    return Chart(f"Table 12, {suite}", title, caption, "lines", "accuracy, %", tuple(points))

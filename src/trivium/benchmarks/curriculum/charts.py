"""CURRICULUM's charts: Figures 2 to 5."""

from __future__ import annotations

from collections.abc import Iterator

from trivium.benchmarks.curriculum.design import HALVES, HYPOTHESIS, INOCULATION, SEQUENTIAL, ZERO_SHOT
from trivium.benchmarks.curriculum.results import Results
from trivium.data.phenomena import PHENOMENA
from trivium.measure.chart import Chart, Point
from trivium.measure.statistics.intervals import interval


def charts(results: Results) -> list[Chart]:
    """Return the charts that have at least one prediction to show."""
    all_charts = (
        _figure_2(results),
        *_figure_3(results),
        _hypothesis_only(results),
        _figure_4(results),
        _figure_5(results),
    )
    return [chart for chart in all_charts if chart.points]


def _figure_2(results: Results) -> Chart:
    points = []
    models = results.design.settings.run.models
    titles = {"": results.design.settings.model.name.rpartition("/")[2] if models else "zero-shot"}
    titles |= {name: name.rpartition("/")[2] for name in models}
    for name in results.design.examples:
        for model, title in titles.items():
            correlation = results.correlation(ZERO_SHOT, name, model=model)
            if correlation is not None:
                points.append(Point(PHENOMENA[name].category, title, name, interval(correlation)))
    caption = "Before any training on examples of the phenomenon. 0: no better than chance."
    return Chart("figure-2", "Zero-shot (Figure 2)", caption, "rows", "Matthews' correlation", tuple(points))


def _figure_3(results: Results) -> Iterator[Chart]:
    """Yield a chart for each category, since one chart would have too many lines."""
    for category in dict.fromkeys(PHENOMENA[name].category for name in results.design.examples):
        points = []
        for name in results.design.examples:
            if PHENOMENA[name].category != category:
                continue
            for size in (0, *results.design.settings.run.sizes):
                accuracy = results.accuracy(INOCULATION, name, size) if size else results.accuracy(ZERO_SHOT, name)
                if accuracy is not None:
                    points.append(Point(category, name, str(size), 100 * interval(accuracy)))
        caption = "By the number of training examples per label."
        title = f"Inoculation, {category} (Figure 3)"
        if any(point.x != "0" for point in points):
            yield Chart(f"figure-3-{category}", title, caption, "lines", "accuracy, %", tuple(points))


def _hypothesis_only(results: Results) -> Chart:
    points = []
    largest = max(results.design.settings.run.sizes)
    for name in results.design.examples:
        size = max(results.design.sizes(name), default=largest)
        with_premise, without = results.accuracy(INOCULATION, name, size), results.accuracy(HYPOTHESIS, name)
        if with_premise is None or without is None:
            continue
        category = PHENOMENA[name].category
        points.append(Point(category, "premise and hypothesis", name, 100 * interval(with_premise)))
        points.append(Point(category, "hypothesis only", name, 100 * interval(without)))
    caption = "After training on the largest number of examples. Where both are equal, the premise was not needed."
    return Chart("hypothesis-only", "Hypothesis only (Figure 3)", caption, "rows", "accuracy, %", tuple(points))


def _figure_4(results: Results) -> Chart:
    points = []
    for name in results.design.examples:
        for trained in HALVES:
            for tested in HALVES:
                accuracy = results.transfer(name, trained, tested)
                if accuracy is not None:
                    points.append(Point("trained → tested", name, f"{trained} → {tested}", 100 * interval(accuracy)))
    caption = "Each phenomenon is halved by pointwise V-information within each label."
    title = "Transfer between simple and hard (Figure 4)"
    return Chart("figure-4", title, caption, "grid", "accuracy, %", tuple(points))


def _figure_5(results: Results) -> Chart:
    points = []
    sequential = results.design.settings.sequential
    for round in sequential.rounds:
        for strategy in results.strategies:
            for size in sequential.sizes:
                accuracy = results.accuracy(SEQUENTIAL, strategy, size, round)
                if accuracy is not None:
                    points.append(Point(f"ANLI {round}", strategy, str(size), 100 * interval(accuracy)))
    caption = "By the number of training examples of the round per label, after an intermediate stage."
    return Chart("figure-5", "Sequential training (Figure 5)", caption, "lines", "accuracy, %", tuple(points))

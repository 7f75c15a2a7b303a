"""CURRICULUM's figures."""

from __future__ import annotations

from collections.abc import Iterator

from trivium.benchmarks.curriculum.design import HALVES, HYPOTHESIS, INOCULATION, SEQUENTIAL, ZERO_SHOT
from trivium.benchmarks.curriculum.results import Results
from trivium.data.phenomena import PHENOMENA
from trivium.measure.bootstrap import interval
from trivium.measure.chart import Chart, Point


def charts(results: Results) -> list[Chart]:
    """The charts for which there are predictions."""
    made = (_figure_2(results), *_figure_3(results), _alone(results), _figure_4(results), _figure_5(results))
    return [chart for chart in made if chart.points]


def _figure_2(results: Results) -> Chart:
    points = []
    for name in results.design.chosen:
        found = results.correlation(ZERO_SHOT, name)
        if found is not None:
            points.append(Point(PHENOMENA[name].category, "zero-shot", name, interval(found)))
    caption = "Before the model has seen any example of a phenomenon. 0: no better than chance."
    return Chart("figure-2", "Zero-shot (Figure 2)", caption, "rows", "Matthews' correlation", tuple(points))


def _figure_3(results: Results) -> Iterator[Chart]:
    """A chart for each category: with one for all, no line could be followed."""
    for category in dict.fromkeys(PHENOMENA[name].category for name in results.design.chosen):
        points = []
        for name in results.design.chosen:
            if PHENOMENA[name].category != category:
                continue
            for size in (0, *results.design.settings.run.sizes):
                found = results.accuracy(INOCULATION, name, size) if size else results.accuracy(ZERO_SHOT, name)
                if found is not None:
                    points.append(Point(category, name, str(size), interval(100 * found)))
        caption = "By the number of examples of each label that the model is trained on."
        title = f"Inoculation, {category} (Figure 3)"
        if any(point.x != "0" for point in points):
            yield Chart(f"figure-3-{category}", title, caption, "lines", "accuracy, %", tuple(points))


def _alone(results: Results) -> Chart:
    points = []
    largest = max(results.design.settings.run.sizes)
    for name in results.design.chosen:
        size = max(results.design.sizes(name), default=largest)
        whole, alone = results.accuracy(INOCULATION, name, size), results.accuracy(HYPOTHESIS, name)
        if whole is None or alone is None:
            continue
        category = PHENOMENA[name].category
        points.append(Point(category, "premise and hypothesis", name, interval(100 * whole)))
        points.append(Point(category, "hypothesis only", name, interval(100 * alone)))
    caption = "After training on the largest number of examples. Where both are as good, the premise was not needed."
    return Chart(
        "hypothesis-only", "What the hypothesis tells alone (Figure 3)", caption, "rows", "accuracy, %", tuple(points)
    )


def _figure_4(results: Results) -> Chart:
    points = []
    for name in results.design.chosen:
        for trained in HALVES:
            for tested in HALVES:
                found = results.across(name, trained, tested)
                if found is not None:
                    way = f"{trained} → {tested}"
                    points.append(Point("trained → tested", name, way, interval(100 * found)))
    caption = "Halves by pointwise V-information within each label."
    return Chart("figure-4", "Between simple and hard (Figure 4)", caption, "grid", "accuracy, %", tuple(points))


def _figure_5(results: Results) -> Chart:
    points = []
    chosen = results.design.settings.sequential
    for round in chosen.rounds:
        for strategy in results.strategies:
            for size in chosen.sizes:
                found = results.accuracy(SEQUENTIAL, strategy, size, round)
                if found is not None:
                    points.append(Point(f"ANLI {round}", strategy, str(size), interval(100 * found)))
    caption = "By the number of examples of each label of the round, after an intermediate stage."
    return Chart("figure-5", "Sequential training (Figure 5)", caption, "lines", "accuracy, %", tuple(points))

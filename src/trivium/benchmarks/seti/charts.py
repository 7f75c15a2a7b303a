"""SETI's Figures 1 and 2, and accuracy by depth."""

from __future__ import annotations

from trivium.benchmarks.seti.design import COMPOSITIONAL, DEEP, IN_DISTRIBUTION, PredictionKey, chosen_settings
from trivium.benchmarks.seti.results import Results
from trivium.measure.bootstrap import interval
from trivium.measure.chart import Chart, Point


def charts(results: Results) -> list[Chart]:
    """The charts for which there are predictions."""
    return [chart for chart in (_figure_1(results), _figure_2(results), _by_depth(results)) if chart.points]


def _figure_1(results: Results) -> Chart:
    points = []
    for setting in chosen_settings(results.design.settings):
        for configuration in (COMPOSITIONAL, IN_DISTRIBUTION):
            for seed in results.design.settings.run.seeds:
                found = results.of(PredictionKey(setting.name, configuration, seed))
                if found is not None:
                    points.append(Point(setting.title, configuration, f"{seed}", interval(100 * found)))
    caption = "Each dot is a seed, with the interval over its test examples."
    return Chart("figure-1", "Compositional generalization and in distribution (Figure 1)", caption, "dots",
                 "accuracy, %", tuple(points))  # fmt: skip


def _figure_2(results: Results) -> Chart:
    points = []
    for part, panel in (("test", "on the test"), ("dev", "on what is like the training")):
        for setting in chosen_settings(results.design.settings):
            for shots in (0, *results.design.settings.run.shots) if setting.shots else ():
                found = results.accuracy(setting.name, COMPOSITIONAL, shots, part=part)
                if found is not None:
                    points.append(Point(panel, setting.title, str(shots), interval(100 * found)))
    caption = "After training, the model sees a few compositions that need the missing rules."
    return Chart("figure-2", "What a few shots recover (Figure 2)", caption, "lines", "accuracy, %", tuple(points))


def _by_depth(results: Results) -> Chart:
    points = []
    for depth in results.design.settings.run.depths:
        found = results.accuracy(DEEP, IN_DISTRIBUTION, depth=depth)
        if found is not None:
            points.append(Point("chains of verbs", "trained on one verb", str(depth), interval(100 * found)))
    caption = "Compositions of several verbs, by a model that was trained on one verb at a time."
    return Chart("depth", "Accuracy by the number of verbs", caption, "lines", "accuracy, %", tuple(points))

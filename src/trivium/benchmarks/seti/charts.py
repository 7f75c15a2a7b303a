"""SETI's charts: Figures 1 and 2, and accuracy by depth."""

from __future__ import annotations

from trivium.benchmarks.seti.design import COMPOSITIONAL, DEEP, IN_DISTRIBUTION, PredictionKey, chosen_settings
from trivium.benchmarks.seti.results import Results
from trivium.benchmarks.seti.tables import PARTS
from trivium.measure.chart import Chart, Point
from trivium.measure.statistics.intervals import interval


def charts(results: Results) -> list[Chart]:
    """Return the charts that have at least one prediction to show."""
    all_charts = (_figure_1(results), _by_model(results), _figure_2(results), _by_depth(results))
    return [chart for chart in all_charts if chart.points]


def _figure_1(results: Results) -> Chart:
    points = []
    for setting in chosen_settings(results.design.settings):
        for configuration in (COMPOSITIONAL, IN_DISTRIBUTION):
            for seed in results.design.settings.run.seeds:
                accuracy = results.prediction_accuracy(PredictionKey(setting.name, configuration, seed))
                if accuracy is not None:
                    points.append(Point(setting.title, configuration, f"{seed}", 100 * interval(accuracy)))
    caption = "Each dot is a seed, with the interval over its test examples."
    return Chart("figure-1", "Compositional and in-distribution accuracy (Figure 1)", caption, "dots",
                 "accuracy, %", tuple(points))  # fmt: skip


def _by_model(results: Results) -> Chart:
    """Return Figure 1 with a line for each model; without points if there is only one."""
    design, points = results.design, []
    for configuration in design.settings.run.configurations if design.settings.run.models else ():
        for model in design.models:
            for setting in chosen_settings(design.settings):
                accuracy = results.accuracy(setting.name, configuration, model=model)
                if accuracy is not None:
                    title = design.model_title(model)
                    points.append(Point(configuration, title, setting.title, 100 * interval(accuracy)))
    caption = "Mean over seeds, with its interval."
    return Chart("figure-1-models", "Accuracy by model (Figure 1)", caption, "lines", "accuracy, %", tuple(points))


def _figure_2(results: Results) -> Chart:
    points = []
    for part, panel in PARTS.items():
        for setting in chosen_settings(results.design.settings):
            for shots in (0, *results.design.settings.run.shots) if setting.shots else ():
                accuracy = results.accuracy(setting.name, COMPOSITIONAL, shots, part=part)
                if accuracy is not None:
                    points.append(Point(panel, setting.title, str(shots), 100 * interval(accuracy)))
    caption = "After its training, the model is trained on a few compositions (shots) that need the missing rules."
    title = "Accuracy by the number of shots (Figure 2)"
    return Chart("figure-2", title, caption, "lines", "accuracy, %", tuple(points))


def _by_depth(results: Results) -> Chart:
    points = []
    for depth in results.design.settings.run.depths:
        accuracy = results.accuracy(DEEP, IN_DISTRIBUTION, depth=depth)
        if accuracy is not None:
            points.append(Point("chains of verbs", "trained on one verb", str(depth), 100 * interval(accuracy)))
    caption = "Compositions of several verbs, predicted by a model that was trained on compositions of one verb."
    return Chart("depth", "Accuracy by the number of verbs", caption, "lines", "accuracy, %", tuple(points))

"""Distances and t-SNE plots of the vectors of base and category examples (CFL, Figure 1 and section 6)."""

from __future__ import annotations

from trivium.benchmarks.cfl.design import CROSS_ENTROPY, PROTOTYPICAL
from trivium.benchmarks.cfl.results import Results
from trivium.benchmarks.cfl.settings import Loss
from trivium.measure.chart import Dot, Scatter
from trivium.measure.clusters import Distances, distances, project_tsne
from trivium.measure.statistics.estimate import Estimate, difference
from trivium.measure.statistics.intervals import interval
from trivium.measure.table import SCORE, Cell, Row, Table

LOSSES: tuple[Loss, ...] = (CROSS_ENTROPY, PROTOTYPICAL)
_MAX_PLOTTED = 150  # examples of the base test, and of each category


def scatter_plots(results: Results, suite: str) -> list[Scatter]:
    """Return Figure 1: for each loss, a t-SNE plot of examples of the first base test and of each category."""
    plan = results.plan(suite)
    base_test = results.base_test(suite)
    plots = []
    for loss in LOSSES:
        matching = results.matching(suite, loss)
        if matching is None or not plan.categories:
            continue
        dots = []
        for name, category in plan.categories.items():
            base = plan.suite.tests[base_test][:_MAX_PLOTTED]
            examples = [*base, *category.test.examples[:_MAX_PLOTTED]]
            points = project_tsne(matching.vectors[[matching.indices[example] for example in examples]])
            for index, (example, (x, y)) in enumerate(zip(examples, points, strict=True)):
                series = str(example.label) if index < len(base) else f"{example.label}, category"
                dots.append(Dot(name, series, float(x), float(y)))
        caption = f"Examples of {base_test} and of each category, after training with the {loss} loss (t-SNE)."
        plots.append(Scatter(f"Figure 1, {loss}", f"{plan.suite.title}: the vector space", caption, tuple(dots)))
    return plots


def within_label_distances(results: Results, suite: str, loss: Loss) -> Distances | None:
    """Return the distances within the labels of the first base test; None if its vectors are not in the store."""
    matching = results.matching(suite, loss)
    if matching is None:
        return None
    tests = results.plan(suite).suite.tests
    indices = [matching.indices[example] for example in tests[results.base_test(suite)]]
    return distances(matching.vectors[indices], matching.gold[indices])


def distance_increase(results: Results, suite: str) -> Estimate | None:
    """Return by how much the prototypical loss increases the mean distance of examples to the centre of their label."""
    test = results.tested(suite, "", results.base_test(suite))
    means = []
    for loss in LOSSES:
        measured = within_label_distances(results, suite, loss)
        means.append(None if measured is None else results.mean(measured.to_centre, test))
    return difference(means[1], means[0])


def distances_table(results: Results) -> Table:
    """Return the distances that section 6 compares."""
    rows = []
    for suite, plan in results.design.suites.items():
        test = results.tested(suite, "", results.base_test(suite))
        for loss in LOSSES:
            measured = within_label_distances(results, suite, loss)
            if measured is None:
                continue
            centre = interval(results.mean(measured.to_centre, test))
            cells = (
                Cell(centre),
                Cell.without_interval(measured.mean_pairwise),
                Cell.without_interval(measured.variance_pairwise),
            )
            rows.append(Row(f"{plan.suite.title}, {loss}", cells))
    columns = ("to the centre of the label", "between examples of a label", "variance between examples")
    note = (
        "Examples of the first base test. The paper gives no figures; it states that all three are higher with the "
        "prototypical loss."
    )
    return Table("Section 6", "Distances between vectors", columns, tuple(rows), SCORE, (note,))

"""How the examples of base and categories lie in the space of vectors (CFL, Figure 1 and its text)."""

from __future__ import annotations

from trivium.benchmarks.cfl.design import CROSS_ENTROPY, PROTOTYPICAL
from trivium.benchmarks.cfl.results import Results
from trivium.benchmarks.cfl.settings import Loss
from trivium.measure.bootstrap import Interval, interval
from trivium.measure.chart import Dot, Scatter
from trivium.measure.clusters import Distances, distances, flattened
from trivium.measure.metrics import Floats, difference
from trivium.measure.table import SCORE, Cell, Row, Table

LOSSES: tuple[Loss, ...] = (CROSS_ENTROPY, PROTOTYPICAL)
_SHOWN = 150  # examples of each kind in a picture


def pictures(results: Results, suite: str) -> list[Scatter]:
    """Figure 1: examples of the first base test and of each category in two dimensions, a picture for each loss."""
    part = results.part(suite)
    first = next(iter(part.suite.tests))
    found = []
    for loss in LOSSES:
        matching = results.matching(suite, loss)
        if matching is None or not part.categories:
            continue
        dots = []
        for name, category in part.categories.items():
            base = part.suite.tests[first][:_SHOWN]
            examples = [*base, *category.test.examples[:_SHOWN]]
            flat = flattened(matching.vectors[[matching.places[example] for example in examples]])
            for place, (example, (x, y)) in enumerate(zip(examples, flat, strict=True)):
                kind = str(example.label) if place < len(base) else f"{example.label}, category"
                dots.append(Dot(name, kind, float(x), float(y)))
        caption = f"Examples of {first} and of each category, after training with the {loss} loss (t-SNE)."
        found.append(Scatter(f"Figure 1, {loss}", f"{part.suite.title}: the space of vectors", caption, tuple(dots)))
    return found


def distances_of(results: Results, suite: str, loss: Loss) -> Distances | None:
    """Distances within the labels of the first base test; None if it was not embedded."""
    part = results.part(suite)
    matching = results.matching(suite, loss)
    if matching is None:
        return None
    places = [matching.places[example] for example in next(iter(part.suite.tests.values()))]
    return distances(matching.vectors[places], matching.gold[places])


def wider(results: Results, suite: str) -> Floats | None:
    """How much farther from the middle of their label examples lie after the prototypical loss, with resamples."""
    test = results.tested(suite, "", next(iter(results.part(suite).suite.tests)))
    means = []
    for loss in LOSSES:
        found = distances_of(results, suite, loss)
        means.append(None if found is None else results.mean(found.to_centre, test))
    return difference(means[1], means[0])


def distances_table(results: Results) -> Table:
    """The distances that the text of section 6 compares."""
    rows = []
    for suite in results.design.parts:
        test = results.tested(suite, "", next(iter(results.part(suite).suite.tests)))
        for loss in LOSSES:
            found = distances_of(results, suite, loss)
            if found is None:
                continue
            centre = interval(results.mean(found.to_centre, test))
            exact = [Interval(value, value, value) for value in (found.apart, found.variance)]
            cells = (Cell(centre), *(Cell(value, exact=True) for value in exact))
            rows.append(Row(f"{results.part(suite).suite.title}, {loss}", cells))
    columns = ("to the middle of the label", "between two of a label", "variance of that")
    note = (
        "Examples of the first base test. The paper gives no figures, but says that all three are higher after PN loss."
    )
    return Table("Section 6", "Distances between vectors", columns, tuple(rows), SCORE, (note,))

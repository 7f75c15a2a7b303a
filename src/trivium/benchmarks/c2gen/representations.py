"""Figure 3: what becomes of the first primitive's vectors in the second stage (C²Gen, section 7.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from trivium.benchmarks.c2gen.design import VECTORS, PredictionKey
from trivium.benchmarks.c2gen.results import Results
from trivium.benchmarks.c2gen.tables import FIRST_PRIMITIVE, ORDER_NAMES
from trivium.measure.bootstrap import interval
from trivium.measure.chart import Dot, Scatter
from trivium.measure.claim import Claim, claim
from trivium.measure.clusters import Vectors, are_classes, flattened, silhouettes, spreads
from trivium.measure.metrics import Floats, difference
from trivium.measure.table import SCORE, Cell, Row, Table

_MODELS = {(1, "finetune"): "S1", (2, "finetune"): "S2 without strategy", (2, "er-res"): "S2 with ER-Res"}
_TASKS = {"V": "veridical", "N": "natural"}
_MEASURES: dict[str, Callable[[Vectors, list[str]], Floats]] = {"silhouette": silhouettes, "spread": spreads}


def table_of_clusters(results: Results) -> Table:
    """Silhouette and spread of the first primitive's classes after each stage."""
    rows = []
    for order in results.design.settings.run.representations:
        for (stage, strategy), name in _MODELS.items():
            found = [_density(results, measure, order, strategy, stage) for measure in _MEASURES]
            cells = tuple(Cell(None if quantity is None else interval(quantity)) for quantity in found)
            rows.append(Row(name, cells, f"{ORDER_NAMES[order]}: {_TASKS[FIRST_PRIMITIVE[order]]}"))
    notes = (
        "Vectors of unseen examples of the primitive that was learned first, classes by their right labels. "
        "Silhouette: 1 is dense and apart, 0 a border. Spread: distance to the own centre over that between centres. "
        "Intervals are over examples, with the others as they are.",
    )
    columns = tuple(_MEASURES)
    return Table("Figure 3, numbers", "How densely the classes lie", columns, tuple(rows), SCORE, notes)


def figure_3(results: Results) -> list[Scatter]:
    """The vectors of the first fold and seed in two dimensions, a picture for each order."""
    run = results.design.settings.run
    made = []
    for order in run.representations:
        dots: list[Dot] = []
        for (stage, strategy), name in _MODELS.items():
            reading = PredictionKey(run.folds[0], run.seeds[0], order, strategy, stage, VECTORS)
            there = results.vectors(reading, _TASKS[FIRST_PRIMITIVE[order]])
            if there is not None and are_classes(there[1]):
                places = flattened(there[0])
                dots += [Dot(name, label, float(x), float(y)) for label, (x, y) in zip(there[1], places, strict=True)]
        if dots:
            primitive = _TASKS[FIRST_PRIMITIVE[order]]
            caption = (
                f"t-SNE of the vectors of unseen {primitive} inferences, learned first; fold {run.folds[0]}, seed "
                f"{run.seeds[0]}. Distances between panels mean nothing; the numbers are in the table."
            )
            title = f"Representations of {primitive} inference, {ORDER_NAMES[order]}"
            made.append(Scatter(f"representations-{order}", title, caption, tuple(dots)))
    return made


def density_claims(results: Results) -> Iterator[Claim]:
    """Classes get looser in the second stage, denser with a strategy, and are denser in ver → nat."""
    group = "7.1 Representations"
    for order in ("ver-nat", "nat-ver"):
        first, plain, helped = (_density(results, "silhouette", order, name, stage) for stage, name in _MODELS)
        name = ORDER_NAMES[order]
        yield _claim(group, f"{name}: classes are looser after S2 without a strategy", "S1 − S2", first, plain)
        yield _claim(group, f"{name}: classes are denser with ER-Res", "S2: with − without", helped, plain)
    for (stage, strategy), name in _MODELS.items():
        one, other = (_density(results, "silhouette", order, strategy, stage) for order in ("ver-nat", "nat-ver"))
        text = f"{name}: classes are denser in ver → nat than in nat → ver"
        yield _claim(group, text, "ver → nat − nat → ver", one, other)


def _claim(group: str, text: str, quantity: str, left: Floats | None, right: Floats | None) -> Claim:
    return claim(group, text, f"silhouette ×100, {quantity}", None, difference(left, right))


def _density(results: Results, measure: str, order: str, strategy: str, stage: int) -> Floats | None:
    """A measure of density: the mean over examples, folds and seeds, with resamples."""
    run = results.design.settings.run
    if order not in run.representations:
        return None
    by_seed = {}
    for seed in run.seeds:
        folds = []
        for fold in run.folds:
            reading = PredictionKey(fold, seed, order, strategy, stage, VECTORS)
            there = results.vectors(reading, _TASKS[FIRST_PRIMITIVE[order]])
            if there is None or not are_classes(there[1]):
                return None
            folds.append(results.bootstrap.mean(_MEASURES[measure](*there), (fold, VECTORS)))
        by_seed[seed] = np.mean(folds, axis=0)
    return results.bootstrap.over_seeds(by_seed)

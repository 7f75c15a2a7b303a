"""Figure 3: how the second stage changes the representations of the first primitive (C²Gen, section 7.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trivium.benchmarks.c2gen.design import VECTORS, PredictionKey
from trivium.benchmarks.c2gen.results import Results
from trivium.benchmarks.c2gen.tables import FIRST_PRIMITIVE, ORDER_NAMES
from trivium.build.veridicality.composition import TYPES
from trivium.measure.chart import Dot, Scatter
from trivium.measure.claim import Claim, claim
from trivium.measure.clusters import Vectors, has_clusters, project_tsne, silhouettes, spreads
from trivium.measure.metrics import Floats
from trivium.measure.statistics.estimate import Estimate, Training, difference, mean, mean_of, over_folds
from trivium.measure.statistics.intervals import interval
from trivium.measure.table import SCORE, Cell, Row, Table

_MODELS = {(1, "finetune"): "S1", (2, "finetune"): "S2 without strategy", (2, "er-res"): "S2 with ER-Res"}
_TASKS = {"V": "veridical", "N": "natural"}
_MEASURES: dict[str, Callable[[Vectors, list[str]], Floats]] = {"silhouette": silhouettes, "spread": spreads}


def table_of_clusters(results: Results) -> Table:
    """Return the silhouette and the spread of the first primitive's classes after each stage."""
    rows = []
    for order in results.design.settings.run.representations:
        for (stage, strategy), name in _MODELS.items():
            quantities = [_density(results, measure, order, strategy, stage) for measure in _MEASURES]
            cells = tuple(Cell(None if quantity is None else interval(quantity)) for quantity in quantities)
            rows.append(Row(name, cells, f"{ORDER_NAMES[order]}: {_TASKS[FIRST_PRIMITIVE[order]]}"))
    notes = (
        "Vectors of unseen examples of the primitive learned first; the classes are their gold labels. "
        "Silhouette: 1 for dense, well separated classes, 0 on the border between two. Spread: the distance to the "
        "centre of the example's class, divided by the distance between the centres. The intervals do not "
        "account for the uncertainty of the classes themselves.",
    )
    columns = tuple(_MEASURES)
    return Table("Figure 3, numbers", "Density of the classes", columns, tuple(rows), SCORE, notes)


def figure_3(results: Results) -> list[Scatter]:
    """Return a two-dimensional plot of the vectors of the first fold and seed, for each order."""
    run = results.design.settings.run
    scatters = []
    for order in run.representations:
        primitive = _TASKS[FIRST_PRIMITIVE[order]]
        dots: list[Dot] = []
        for (stage, strategy), name in _MODELS.items():
            stored = results.vectors(
                PredictionKey(run.folds[0], run.seeds[0], order, strategy, stage, VECTORS), primitive
            )
            if stored is not None and has_clusters(stored.labels):
                points = zip(stored.labels, project_tsne(stored.vectors), strict=True)
                dots += [Dot(name, label, float(x), float(y)) for label, (x, y) in points]
        if dots:
            caption = (
                f"t-SNE of the vectors of unseen {primitive} inferences, the primitive learned first; fold "
                f"{run.folds[0]}, seed {run.seeds[0]}. Distances are not comparable between panels; see the table."
            )
            title = f"Representations of {primitive} inference, {ORDER_NAMES[order]}"
            scatters.append(Scatter(f"representations-{order}", title, caption, tuple(dots)))
    return scatters


def density_claims(results: Results) -> Iterator[Claim]:
    """Yield the claims that classes are looser after the second stage, and denser with ER-Res and in ver → nat."""
    group = "7.1 Representations"
    for order in ("ver-nat", "nat-ver"):
        first, plain, replay = (_density(results, "silhouette", order, name, stage) for stage, name in _MODELS)
        name = ORDER_NAMES[order]
        yield _claim(group, f"{name}: classes are looser after S2 without a strategy", "S1 − S2", first, plain)
        yield _claim(group, f"{name}: classes are denser with ER-Res", "S2: with − without", replay, plain)
    for (stage, strategy), name in _MODELS.items():
        ver_nat, nat_ver = (_density(results, "silhouette", order, strategy, stage) for order in ("ver-nat", "nat-ver"))
        text = f"{name}: classes are denser in ver → nat than in nat → ver"
        yield _claim(group, text, "ver → nat − nat → ver", ver_nat, nat_ver)


def _claim(group: str, text: str, quantity: str, left: Estimate | None, right: Estimate | None) -> Claim:
    return claim(group, text, f"silhouette ×100, {quantity}", None, difference(left, right))


def _density(results: Results, measure: str, order: str, strategy: str, stage: int) -> Estimate | None:
    """Return a measure of density: the mean over examples, folds and seeds."""
    run = results.design.settings.run
    if order not in run.representations:
        return None

    def of_training(fold: int, seed: int) -> Estimate | None:
        key = PredictionKey(fold, seed, order, strategy, stage, VECTORS)
        stored = results.vectors(key, _TASKS[FIRST_PRIMITIVE[order]])
        if stored is None or not has_clusters(stored.labels):
            return None
        values = _MEASURES[measure](stored.vectors, stored.labels)
        return mean(values, [f"{fold}/{index}" for index in range(len(values))], Training(fold, seed))

    by_fold = [mean_of(of_training(fold, seed) for seed in run.seeds) for fold in run.folds]
    return over_folds(by_fold, len(TYPES))

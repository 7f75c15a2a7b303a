"""Composition by composer: CI beside what the primitives allow, and what was learned of Table 2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from trivium.benchmarks.c2gen.design import PredictionKey
from trivium.benchmarks.c2gen.results import GOLD_PARTS, Results
from trivium.benchmarks.c2gen.tables import FIRST_PRIMITIVE, ORDER_NAMES, ModelRow, figure_cell, final_models
from trivium.benchmarks.steps import strategy_title
from trivium.build.splits.harder import TITLES
from trivium.build.veridicality.composition import TYPES
from trivium.data.labels import NLI3
from trivium.measure.chart import Chart, Point
from trivium.measure.statistics.intervals import interval
from trivium.measure.table import Cell, Row, Table
from trivium.models.composer import HEAD, composer_title


def of_composer(results: Results, composer: str) -> Results:
    """Return the results of one composer."""
    return replace(results, design=results.design.of_composer(composer), _correct={}, _means={})


def table_of_composers(results: Results) -> Table:
    """Return, for each composer, V+N and CI on the same compositions, and CI with gold parts."""
    rows = []
    for composer in results.design.composers:
        mine = of_composer(results, composer)
        for model in final_models(mine):
            quantities = [
                mine.accuracy(measure, model.setting, model.strategy, model.stage)
                for measure in ("V+N of compositions", "CI", GOLD_PARTS)
            ]
            cells = [figure_cell(quantity) for quantity in quantities]
            if composer == HEAD:
                cells[2] = Cell.empty()
            rows.append(Row(row_name(model), (*cells, _fallback(mine, model)), composer_title(composer)))
    notes = (
        "V+N: both primitives of the same compositions are right. A composer finds the parts of a composition itself; "
        "“gold parts”: it is given them. “Head answered”: no parts were found.",
    )
    columns = ("V+N", "CI", "CI, gold parts", "head answered")
    return Table("Composers", "Unseen compositions by composer", columns, tuple(rows), notes=notes)


def table_of_functions(results: Results) -> Table:
    """Return how much of Table 2 each composer had learned, over all folds and seeds."""
    rows = []
    for composer in results.design.composers:
        mine = of_composer(results, composer)
        for model in final_models(mine):
            if learned := [np.array(cells) for _, cells in learned_cells(mine, model)]:
                tested = [cells[fold - 1] for (fold, _), cells in learned_cells(mine, model)]
                counts = (
                    np.mean([cells.sum() for cells in learned]),
                    sum(cells.all() for cells in learned),
                    sum(tested),
                )
                cells = (*map(Cell.without_interval, map(float, counts)), Cell.without_interval(len(learned)))
                rows.append(Row(row_name(model), cells, composer_title(composer)))
    columns = ("cells right, of 9", "all right", "unseen cell right", "trainings")
    return Table("Learned rules", "Table 2 as it was learned", columns, tuple(rows), "count")


def tables_by_fold(results: Results) -> list[Table]:
    """Return CI in each fold by composer, and how many trainings had learned the unseen rule of Table 2."""
    run = results.design.settings.run
    composed, learned = [], []
    for composer in results.design.composers:
        mine, title = of_composer(results, composer), composer_title(composer)
        for model in final_models(mine):
            quantities = [mine.in_fold(fold, "CI", model.setting, model.strategy, model.stage) for fold in run.folds]
            composed.append(Row(row_name(model), tuple(map(figure_cell, quantities)), title))
            cells = [(fold, right[fold - 1]) for (fold, _), right in learned_cells(mine, model)]
            if cells:
                counts = [sum(is_right for number, is_right in cells if number == fold) for fold in run.folds]
                shown = (*counts, sum(counts), len(cells))
                learned.append(Row(row_name(model), tuple(map(Cell.without_interval, map(float, shown))), title))
    folds = tuple(f"{fold} {TYPES[fold - 1].code}" for fold in run.folds)
    return [
        Table("CI by fold and composer", "Unseen compositions by tested type", folds, tuple(composed)),
        Table(
            "Unseen rules",
            "Trainings that had learned the rule of the unseen type",
            (*folds, "all folds", "trainings"),
            tuple(learned),
            "count",
        ),
    ]


def chart_of_composers(results: Results) -> Chart:
    """Return the first primitive, both primitives of unseen compositions, and the compositions, by composer."""
    run, points = results.design.settings.run, []
    for order in run.orders:
        first = FIRST_PRIMITIVE[order]
        panels = {first: f"{first}, learned first", "V+N of compositions": "V+N of unseen compositions", "CI": "CI"}
        for measure, title in panels.items():
            for composer in results.design.composers:
                mine = of_composer(results, composer)
                for name, stage in (("finetune", 1), *((name, 2) for name in run.strategies)):
                    quantity = mine.accuracy(measure, order, name, stage)
                    if quantity is None:
                        continue
                    x = strategy_title(name) if stage == 2 else "first stage"
                    panel = f"{ORDER_NAMES[order]}: {title}"
                    points.append(Point(panel, composer_title(composer), x, 100 * interval(quantity)))
    return Chart(
        "composers",
        "What is forgotten, what is kept, and what is composed",
        "The primitive that was learned first, after the first stage and after the second with each strategy; both "
        "primitives of unseen compositions; and the unseen compositions themselves (CI).",
        "dots",
        "accuracy, %",
        tuple(points),
    )


def table_of_harder(results: Results) -> Table:
    """Return the accuracy on the harder tests by composer, beside the share of the most frequent label."""
    names, rows = results.design.settings.run.harder, []
    for composer in results.design.composers:
        mine = of_composer(results, composer)
        for model in final_models(mine):
            quantities = [mine.harder(name, model.setting, model.strategy, model.stage) for name in names]
            cells = tuple(figure_cell(quantity) for quantity in quantities)
            rows.append(Row(row_name(model), cells, composer_title(composer)))
    tests = results.design.data.harder
    shares = [[max(s.counts().values()) / len(s) for s in (fold[name] for fold in tests.values())] for name in names]
    rows.append(Row("most frequent label", tuple(Cell.without_interval(100 * float(np.mean(s))) for s in shares)))
    columns = tuple(TITLES[name] for name in names)
    return Table("Harder tests", "Compositions of the unseen type that differ in more", columns, tuple(rows))


def learned_cells(results: Results, model: ModelRow) -> Iterator[tuple[tuple[int, int], tuple[bool, ...]]]:
    """Yield for each fold and seed which of the nine cells of Table 2 a composer had learned."""
    run = results.design.settings.run
    for fold in run.folds:
        for seed in run.seeds:
            key = PredictionKey(fold, seed, model.setting, model.strategy, model.stage, "composed")
            composition = results.composition(key)
            if composition is not None:
                best = composition["table"].argmax(-1)
                cells = ((NLI3.index(t.veridical), NLI3.index(t.natural), NLI3.index(t.label)) for t in TYPES)
                yield (fold, seed), tuple(bool(best[v, n] == label) for v, n, label in cells)


def row_name(model: ModelRow) -> str:
    """Return the name of a model in a table without groups of orders."""
    return f"{model.group}, {model.name}" if model.group else model.name


def _fallback(results: Results, model: ModelRow) -> Cell:
    run = results.design.settings.run
    keys = [
        PredictionKey(fold, seed, model.setting, model.strategy, model.stage, "composed")
        for fold in run.folds
        for seed in run.seeds
    ]
    found = [composition["fallback"] for key in keys if (composition := results.composition(key)) is not None]
    return Cell.without_interval(100 * float(np.concatenate(found).mean())) if found else Cell.empty()

"""Tables 4, 5, 6 and 12 of the C²Gen paper with our figures, and composition by fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from trivium.benchmarks.c2gen.design import CGEN, C2GenDesign
from trivium.benchmarks.c2gen.published import TABLE_4, TABLE_5, TABLE_6, TABLE_12, Figure
from trivium.benchmarks.c2gen.results import MEASURES, Results
from trivium.benchmarks.names import STRATEGIES
from trivium.build.splits.stages import NaturalPool
from trivium.build.veridicality.composition import TYPES
from trivium.build.veridicality.verbs import INFINITIVE_VERBS
from trivium.measure.bootstrap import interval
from trivium.measure.metrics import Floats, forget
from trivium.measure.table import Cell, Row, Table

ORDER_NAMES = {"ver-nat": "ver → nat", "nat-ver": "nat → ver"}
STRATEGY_NAMES = {**STRATEGIES, "finetune": "C²Gen (S2)"}
FIRST_PRIMITIVE = {"ver-nat": "V", "nat-ver": "N"}


class Shown(NamedTuple):
    """A model that a table shows: where its predictions are, and what its row is called."""

    setting: str
    strategy: str
    stage: int
    name: str
    group: str


def final_models(results: Results) -> list[Shown]:
    """CGen, and in each order the model of each strategy after both stages."""
    run = results.design.settings.run
    return [
        Shown(CGEN, "finetune", 1, "CGen", ""),
        *(
            Shown(order, name, 2, STRATEGY_NAMES.get(name, name), ORDER_NAMES[order])
            for order in run.orders
            for name in run.strategies
        ),
    ]


def table_4(pool: NaturalPool) -> Table:
    """How many compositions there are of each type: pairs times verbs."""
    rows = []
    for kind in TYPES:
        verbs = sum(verb.label == kind.veridical for verb in INFINITIVE_VERBS)
        pairs = len(pool.composing[kind.natural])
        cells = (Cell.exactly(pairs * verbs, TABLE_4[kind.number]), Cell.exactly(pairs), Cell.exactly(verbs))
        rows.append(Row(f"{kind.number} {kind.code}", cells))
    total = sum(row.cells[0].measured.value for row in rows if row.cells[0].measured)
    all_pairs = sum(len(pairs) for pairs in pool.composing.values())
    whole = Cell.exactly(total, sum(TABLE_4.values()))
    rows.append(Row("all", (whole, Cell.exactly(all_pairs), Cell.exactly(len(INFINITIVE_VERBS)))))
    return Table("Table 4", "Compositions by type", ("compositions", "natural pairs", "verbs"), tuple(rows), "count")


def table_5(results: Results) -> Table:
    """Both primitives, both together, and composition: all at once, and after each stage."""
    rows = _rows_5(results, TABLE_5)
    title = "Task_P and Task_CI in the training settings"
    return Table("Table 5", title, tuple(MEASURES), tuple(rows), notes=_notes(results))


def table_12(results: Results) -> Table:
    """The same for a large model with an adapter, beside the paper's."""
    title = "Task_P and Task_CI with a large model"
    published = "Published: Llama-2-7b with LoRA."
    return Table("Table 12", title, tuple(MEASURES), tuple(_rows_5(results, TABLE_12)), notes=(published,))


def table_6(results: Results) -> Table:
    """The strategies in both orders."""
    run = results.design.settings.run
    rows = []
    for order in run.orders:
        for name in run.strategies:
            v, n, both, lost, ci = TABLE_6.get((order, name), (None,) * 5)
            cells = (
                _cell(results, "V", order, name, 2, v),
                _cell(results, "N", order, name, 2, n),
                _cell(results, "V+N", order, name, 2, both),
                _forget_cell(results, order, name, lost),
                _cell(results, "CI", order, name, 2, ci),
            )
            rows.append(Row(STRATEGY_NAMES.get(name, name), cells, ORDER_NAMES[order]))
    columns = ("V", "N", "V+N", "Forget", "CI")
    notes = ("Forget is that of the primitive learned first: V in ver → nat, N in nat → ver.", *_notes(results))
    return Table("Table 6", "Strategies against forgetting", columns, tuple(rows), notes=notes)


def table_of_folds(results: Results) -> Table:
    """Composition in each fold: the folds differ widely, and a mean over them hides that."""
    run = results.design.settings.run
    rows = []
    for setting, strategy, stage, name, group in final_models(results):
        quantities = [results.in_fold(fold, "CI", setting, strategy, stage) for fold in run.folds]
        rows.append(Row(name, tuple(filled(quantity, None, None) for quantity in quantities), group))
    columns = tuple(f"{fold} {TYPES[fold - 1].code}" for fold in run.folds)
    return Table("CI by fold", "Unseen compositions, by the type that is tested", columns, tuple(rows))


def forgotten(results: Results, order: str, strategy: str) -> Floats | None:
    """How much of the first primitive the second stage destroys, with resamples."""
    measure = FIRST_PRIMITIVE[order]
    before = results.accuracy(measure, order, "finetune", 1)
    after = results.accuracy(measure, order, strategy, 2)
    return None if before is None or after is None else forget(before, after)


def stage_table(design: C2GenDesign) -> Table:
    """What each stage and test of each fold is made of."""
    rows = []
    for number, splits in design.folds.items():
        for name in ("ver", "nat", "composed", "primitive"):
            split = getattr(splits, name)
            kinds = dict.fromkeys(str(example.fact("type")) for example in split)
            verbs = {example.fact("verb") for example in split}
            pairs = {example.parts[1].id for example in split}
            counts = (len(split), len(kinds), len(verbs), len(pairs), *split.counts().values())
            title = {"ver": "stage ver", "nat": "stage nat", "composed": "test CI", "primitive": "test P"}[name]
            if name in ("ver", "nat"):
                title += f" ({' '.join(kinds)})"
            rows.append(Row(title, tuple(Cell.exactly(c) for c in counts), f"fold {number}"))
    columns = ("examples", "types", "verbs", "natural pairs", "e", "n", "c")
    return Table("Stages", "What the stages and tests are made of", columns, tuple(rows), "count")


def _rows_5(results: Results, published: Mapping[tuple[str, int], tuple[Figure | None, ...]]) -> list[Row]:
    settings = [(CGEN, 1, "CGen", "")]
    for order in results.design.settings.run.orders:
        settings += [(order, stage, f"C²Gen (S{stage})", ORDER_NAMES[order]) for stage in (1, 2)]
    rows = []
    for setting, stage, name, group in settings:
        figures = zip(MEASURES, published[setting, stage], strict=True)
        cells = [_cell(results, measure, setting, "finetune", stage, figure) for measure, figure in figures]
        rows.append(Row(name, tuple(cells), group))
    return rows


def _cell(results: Results, measure: str, setting: str, strategy: str, stage: int, published: Figure | None) -> Cell:
    quantity = results.accuracy(measure, setting, strategy, stage)
    return filled(quantity, results.spread(measure, setting, strategy, stage), published)


def _forget_cell(results: Results, order: str, strategy: str, published: Figure | None) -> Cell:
    measure = FIRST_PRIMITIVE[order]
    before = results.by_seed(measure, order, "finetune", 1)
    after = results.by_seed(measure, order, strategy, 2)
    spread = None
    if before and after and len(before) > 1:
        spread = _spread([forget(float(before[s][0]), float(after[s][0])) for s in before])
    return filled(forgotten(results, order, strategy), spread, published)


def filled(quantity: Floats | None, spread: float | None, published: Figure | None) -> Cell:
    """A cell with a quantity in shares as percents, its standard deviation over seeds, and the published figure."""
    return Cell(
        None if quantity is None else interval(100 * quantity),
        None if spread is None else 100 * spread,
        published.value if published else None,
        published.spread if published else None,
    )


def _spread(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1))


def _notes(results: Results) -> tuple[str, ...]:
    run = results.design.settings.run
    folds = f"fold{'s' if len(run.folds) > 1 else ''} {', '.join(map(str, run.folds))}"
    seeds = f"{len(run.seeds)} seed{'s' if len(run.seeds) > 1 else ''}"
    model = results.design.settings.model.name
    return (
        f"Ours: {model} on {results.design.source}, mean over {folds} and {seeds}; "
        "95 % intervals by bootstrap over test pairs"
        + (" and seeds." if len(run.seeds) > 1 else "; one seed, so no standard deviation."),
        "Published: RoBERTa-large, mean over nine folds and three seeds, with standard deviation.",
    )

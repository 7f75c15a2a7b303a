"""Tables 4, 5, 6 and 12 of the C²Gen paper with our figures, and composition by fold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from trivium.benchmarks.c2gen.design import CGEN, C2GenDesign
from trivium.benchmarks.c2gen.published import TABLE_4, TABLE_5, TABLE_6, TABLE_12
from trivium.benchmarks.c2gen.results import MEASURES, Results
from trivium.benchmarks.published import Figure
from trivium.benchmarks.steps import strategy_title
from trivium.build.splits.stages import NaturalPool
from trivium.build.veridicality.composition import TYPES
from trivium.build.veridicality.verbs import INFINITIVE_VERBS
from trivium.measure.metrics import forget
from trivium.measure.statistics.estimate import Estimate, transform
from trivium.measure.table import Cell, Row, Table, percent_cell

ORDER_NAMES = {"ver-nat": "ver → nat", "nat-ver": "nat → ver"}
FIRST_PRIMITIVE = {"ver-nat": "V", "nat-ver": "N"}


class ModelRow(NamedTuple):
    """A model in a table: the setting, strategy and stage of its predictions, and the name and group of its row."""

    setting: str
    strategy: str
    stage: int
    name: str
    group: str


def final_models(results: Results) -> list[ModelRow]:
    """Return the rows of CGen, and of each strategy after both stages in each order."""
    run = results.design.settings.run
    return [
        ModelRow(CGEN, "finetune", 1, "CGen", ""),
        *(
            ModelRow(order, name, 2, strategy_title(name), ORDER_NAMES[order])
            for order in run.orders
            for name in run.strategies
        ),
    ]


def table_4(pool: NaturalPool) -> Table:
    """Return the number of compositions of each type: natural pairs times verbs."""
    rows = []
    for type_ in TYPES:
        verbs = sum(verb.label == type_.veridical for verb in INFINITIVE_VERBS)
        pairs = len(pool.composing[type_.natural])
        cells = (
            Cell.without_interval(pairs * verbs, TABLE_4[type_.number]),
            Cell.without_interval(pairs),
            Cell.without_interval(verbs),
        )
        rows.append(Row(f"{type_.number} {type_.code}", cells))
    compositions = sum(row.cells[0].measured.value for row in rows if row.cells[0].measured)
    all_pairs = sum(len(pairs) for pairs in pool.composing.values())
    total = Cell.without_interval(compositions, sum(TABLE_4.values()))
    rows.append(Row("all", (total, Cell.without_interval(all_pairs), Cell.without_interval(len(INFINITIVE_VERBS)))))
    return Table("Table 4", "Compositions by type", ("compositions", "natural pairs", "verbs"), tuple(rows), "count")


def table_5(results: Results) -> Table:
    """Return V, N, V+N and CI of CGen, and of C²Gen after each stage."""
    rows = _stage_rows(results, TABLE_5)
    title = "Task_P and Task_CI in the training settings"
    return Table("Table 5", title, tuple(MEASURES), tuple(rows), notes=_notes(results))


def table_12(results: Results) -> Table:
    """Return the measures of Table 5 for a large model with an adapter."""
    title = "Task_P and Task_CI with a large model"
    published = "Published: Llama-2-7b with LoRA."
    return Table("Table 12", title, tuple(MEASURES), tuple(_stage_rows(results, TABLE_12)), notes=(published,))


def table_6(results: Results) -> Table:
    """Return the accuracy and the forgetting of each strategy in each order."""
    run = results.design.settings.run
    rows = []
    for order in run.orders:
        for name in run.strategies:
            v, n, both, forget_, ci = TABLE_6.get((order, name), (None,) * 5)
            cells = (
                _cell(results, "V", order, name, 2, v),
                _cell(results, "N", order, name, 2, n),
                _cell(results, "V+N", order, name, 2, both),
                _forget_cell(results, order, name, forget_),
                _cell(results, "CI", order, name, 2, ci),
            )
            rows.append(Row(strategy_title(name), cells, ORDER_NAMES[order]))
    columns = ("V", "N", "V+N", "Forget", "CI")
    notes = ("Forget: of the primitive learned first, which is V in ver → nat and N in nat → ver.", *_notes(results))
    return Table("Table 6", "Strategies against forgetting", columns, tuple(rows), notes=notes)


def table_of_folds(results: Results) -> Table:
    """Return CI in each fold. Folds differ widely, which their mean hides."""
    run = results.design.settings.run
    rows = []
    for setting, strategy, stage, name, group in final_models(results):
        quantities = [results.in_fold(fold, "CI", setting, strategy, stage) for fold in run.folds]
        rows.append(Row(name, tuple(figure_cell(quantity) for quantity in quantities), group))
    columns = tuple(f"{fold} {TYPES[fold - 1].code}" for fold in run.folds)
    return Table("CI by fold", "Unseen compositions by tested type", columns, tuple(rows))


def forgotten(results: Results, order: str, strategy: str) -> Estimate | None:
    """Return the forgetting of the first primitive in the second stage."""
    measure = FIRST_PRIMITIVE[order]
    before = results.accuracy(measure, order, "finetune", 1)
    after = results.accuracy(measure, order, strategy, 2)
    return None if before is None or after is None else transform(forget, before, after)


def stage_table(design: C2GenDesign) -> Table:
    """Return the number of examples, types, verbs, natural pairs and labels in the stages and tests of each fold."""
    titles = {"ver": "stage ver", "nat": "stage nat", "composed": "test CI", "primitive": "test P"}
    rows = []
    for number, splits in design.folds.items():
        for name, title in titles.items():
            split = getattr(splits, name)
            types = dict.fromkeys(str(example.fact("type")) for example in split)
            verbs = {example.fact("verb") for example in split}
            pairs = {example.parts[1].id for example in split}
            counts = (len(split), len(types), len(verbs), len(pairs), *split.counts().values())
            row_name = f"{title} ({' '.join(types)})" if name in ("ver", "nat") else title
            rows.append(Row(row_name, tuple(map(Cell.without_interval, counts)), f"fold {number}"))
    columns = ("examples", "types", "verbs", "natural pairs", "e", "n", "c")
    return Table("Stages", "Composition of the stages and tests", columns, tuple(rows), "count")


def _stage_rows(results: Results, published: Mapping[tuple[str, int], tuple[Figure | None, ...]]) -> list[Row]:
    models = [(CGEN, 1, "CGen", "")]
    for order in results.design.settings.run.orders:
        models += [(order, stage, f"C²Gen (S{stage})", ORDER_NAMES[order]) for stage in (1, 2)]
    rows = []
    for setting, stage, name, group in models:
        figures = zip(MEASURES, published[setting, stage], strict=True)
        cells = [_cell(results, measure, setting, "finetune", stage, figure) for measure, figure in figures]
        rows.append(Row(name, tuple(cells), group))
    return rows


def _cell(results: Results, measure: str, setting: str, strategy: str, stage: int, published: Figure | None) -> Cell:
    return figure_cell(results.accuracy(measure, setting, strategy, stage), published)


def _forget_cell(results: Results, order: str, strategy: str, published: Figure | None) -> Cell:
    return figure_cell(forgotten(results, order, strategy), published)


def figure_cell(estimate: Estimate | None, published: Figure | None = None) -> Cell:
    """Return a cell in percent for an estimate, beside the published figure."""
    return percent_cell(estimate, *(published or (None, None)))


def _notes(results: Results) -> tuple[str, ...]:
    run = results.design.settings.run
    folds = f"fold{'s' if len(run.folds) > 1 else ''} {', '.join(map(str, run.folds))}"
    seeds = f"{len(run.seeds)} seed{'s' if len(run.seeds) > 1 else ''}"
    model = results.design.settings.model.name
    varied = ["test pairs", *(name for name in ("seeds", "folds") if len(getattr(run, name)) > 1)]
    return (
        f"Ours: {model} on {results.design.source}, mean over {folds} and {seeds}; "
        f"95 % intervals over {', '.join(varied[:-1])}{' and ' if varied[1:] else ''}{varied[-1]}"
        + ("." if len(run.seeds) > 1 else "; no standard deviation, since there is one seed."),
        "Published: RoBERTa-large, mean over nine folds and three seeds, with standard deviation.",
    )

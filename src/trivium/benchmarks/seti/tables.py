"""SETI's tables: the sizes of the data (Table 5), and the numbers behind Figures 1 and 2."""

from __future__ import annotations

from collections import Counter

from trivium.benchmarks.seti.design import COMPOSITIONAL, DEEP, IN_DISTRIBUTION, SetiDesign, chosen_settings
from trivium.benchmarks.seti.published import LEXICAL_PAIRS, STRUCTURAL_PAIRS, TABLE_5, TABLE_5_BY_KIND
from trivium.benchmarks.seti.results import Results
from trivium.build.splits.systematicity import LEXICAL, NO, STRUCTURAL, YES
from trivium.measure.statistics.estimate import difference
from trivium.measure.table import COUNT, Cell, Row, Table, percent_cell

_KINDS = {"veridical": "PI_ver", "natural": "PI_nat", "composed": "CI"}
PARTS = {"test": "on the test", "dev": "on held-out training data"}


def pairs_table(design: SetiDesign) -> Table:
    """Return the number of natural pairs of each type and label."""
    published = {LEXICAL: LEXICAL_PAIRS, STRUCTURAL: STRUCTURAL_PAIRS}
    rows = []
    for type_, published_count in published.items():
        counts = [len(design.data.inferences.of(type_, label=label)) for label in (YES, NO)]
        rows.append(Row(type_, tuple(Cell.without_interval(count, published_count) for count in counts)))
    note = "The published numbers are inferred from Table 5; the paper does not print them."
    return Table("Natural pairs", "Pairs by type and label", ("entailed", "not entailed"), tuple(rows), COUNT, (note,))


def table_5(design: SetiDesign) -> Table:
    """Return the sizes of the training data and tests, which are the same in both configurations."""
    rows = []
    for setting in chosen_settings(design.settings):
        splits, published = design.data.splits[setting.name][COMPOSITIONAL], TABLE_5[setting.name]
        cells = (
            Cell.without_interval(len(splits.train), published.train),
            Cell.without_interval(len(splits.dev), published.dev),
            Cell.without_interval(len(splits.test), published.test),
            Cell.without_interval(len(splits.few)),
        )
        rows.append(Row(setting.title, cells))
    columns = ("train", "dev", "test", "shots")
    return Table("Table 5", "Sizes, the same in both configurations", columns, tuple(rows), COUNT)


def table_5_by_kind(design: SetiDesign) -> Table:
    """Return how many of the training and dev examples are veridical, natural and composed inferences."""
    rows = []
    for setting in chosen_settings(design.settings):
        splits = design.data.splits[setting.name][COMPOSITIONAL]
        counts = [Counter(str(example.fact("kind")) for example in part) for part in (splits.train, splits.dev)]
        for kind, published in TABLE_5_BY_KIND[setting.name].items():
            cells = [Cell.without_interval(count[kind], size) for count, size in zip(counts, published, strict=True)]
            rows.append(Row(f"{setting.title}: {_KINDS[kind]}", tuple(cells)))
    return Table("Table 5, by kind", "Training data by kind of inference", ("train", "dev"), tuple(rows), COUNT)


def models_table(results: Results) -> Table:
    """Return the accuracies of Figure 1 by model."""
    design, rows = results.design, []
    for configuration in design.settings.run.configurations:
        for setting in chosen_settings(design.settings):
            accuracies = [results.accuracy(setting.name, configuration, model=model) for model in design.models]
            cells = map(percent_cell, accuracies)
            rows.append(Row(setting.title, tuple(cells), configuration))
    columns = tuple(map(design.model_title, design.models))
    return Table("Figure 1, models", "Accuracy by model", columns, tuple(rows))


def figure_1_table(results: Results) -> Table:
    """Return the accuracies of Figure 1, beside the share of the most frequent label."""
    rows = []
    for setting in chosen_settings(results.design.settings):
        accuracies = {name: results.accuracy(setting.name, name) for name in (COMPOSITIONAL, IN_DISTRIBUTION)}
        cells = []
        for name, accuracy in accuracies.items():
            cells += [
                percent_cell(accuracy),
                _share(results.majority(setting.name, name)),
            ]
        held_out = results.accuracy(setting.name, COMPOSITIONAL, part="dev")
        loss = difference(accuracies[IN_DISTRIBUTION], accuracies[COMPOSITIONAL])
        rows.append(Row(setting.title, (*cells, percent_cell(loss), percent_cell(held_out))))
    columns = ("compositional", "majority", "in distribution", "majority", "loss", "held-out training")
    note = "Held-out training: examples like those of the compositional training data, but not trained on."
    return Table("Figure 1, numbers", "Accuracy in both configurations", columns, tuple(rows), notes=(note,))


def figure_2_table(results: Results) -> Table:
    """Return the accuracies of Figure 2 by the number of shots, on the test and on held-out training data."""
    run = results.design.settings.run
    rows = []
    for setting in chosen_settings(results.design.settings):
        for part, group in PARTS.items() if setting.shots and COMPOSITIONAL in run.configurations else ():
            model = (setting.name, COMPOSITIONAL)
            cells = [percent_cell(results.accuracy(*model, shots, part=part)) for shots in (0, *run.shots)]
            rows.append(Row(setting.title, tuple(cells), group))
    rows.sort(key=lambda row: list(PARTS.values()).index(row.group))
    note = (
        "In Tasks 2 and 3 no test example is entailed. A model that learns from the shots to always predict “not "
        "entailed” loses accuracy on held-out training data."
    )
    columns = tuple(map(str, (0, *run.shots)))
    return Table("Figure 2, numbers", "Accuracy by the number of shots", columns, tuple(rows), notes=(note,))


def rule_table(results: Results) -> Table:
    """Return the accuracy by composition rule on the test of each setting, and on the probe with rule ②."""
    rows = []
    for setting in chosen_settings(results.design.settings):
        cells = [percent_cell(results.by_rule(setting.name, rule)) for rule in ("1", "2", "3", "4")]
        rows.append(Row(setting.title, tuple(Cell.empty() if cell.measured is None else cell for cell in cells)))
    note = (
        "Compositional configuration. The test of R_ver has no examples of rule ②. They are added as a probe: a model "
        "that decides by the verb alone gets them wrong."
    )
    shown = rows if COMPOSITIONAL in results.design.settings.run.configurations else []
    return Table("By rule", "Accuracy by composition rule", ("①", "②", "③", "④"), tuple(shown), notes=(note,))


def depth_table(results: Results) -> Table:
    """Return the accuracy by the number of verbs in a chain, of a model that was trained on one verb at a time."""
    run = results.design.settings.run
    cells = [percent_cell(results.accuracy(DEEP, IN_DISTRIBUTION, depth=depth)) for depth in run.depths]
    rows = [Row("Task 2, trivial, in distribution", tuple(cells))] if cells and DEEP in run.settings else []
    note = "Half of the chains are entailed. A chain is veridical if all its verbs are. The training data has one verb."
    return Table("Depth", "Accuracy by the number of verbs", tuple(map(str, run.depths)), tuple(rows), notes=(note,))


def _share(value: float | None) -> Cell:
    return Cell() if value is None else Cell.without_interval(100 * value)

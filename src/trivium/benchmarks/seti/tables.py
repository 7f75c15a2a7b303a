"""SETI's tables: what is built (Table 5), and the figures behind its Figures 1 and 2."""

from __future__ import annotations

from trivium.benchmarks.seti.design import COMPOSITIONAL, DEEP, IN_DISTRIBUTION, SetiDesign, chosen_settings
from trivium.benchmarks.seti.published import LEXICAL_PAIRS, STRUCTURAL_PAIRS, TABLE_5
from trivium.benchmarks.seti.results import Results
from trivium.build.splits.systematicity import LEXICAL, NO, STRUCTURAL, YES
from trivium.measure.bootstrap import interval
from trivium.measure.metrics import Floats, difference
from trivium.measure.table import COUNT, Cell, Row, Table

_PARTS = {"test": "on the test", "dev": "on what is like the training"}


def pairs_table(design: SetiDesign) -> Table:
    """How many natural pairs there are."""
    published = {LEXICAL: LEXICAL_PAIRS, STRUCTURAL: STRUCTURAL_PAIRS}
    rows = []
    for kind, theirs in published.items():
        numbers = [len(design.data.inferences.of(kind, label=label)) for label in (YES, NO)]
        rows.append(Row(kind, tuple(_count(number, theirs) for number in numbers)))
    note = "The paper does not print these; 754 and 300 of each label are the numbers that give all of its Table 5."
    return Table("Natural pairs", "Pairs by kind and label", ("entailed", "not entailed"), tuple(rows), COUNT, (note,))


def table_5(design: SetiDesign) -> Table:
    """The sizes of what is trained and tested; both configurations have the same."""
    rows = []
    for setting in chosen_settings(design.settings):
        parts, theirs = design.data.splits[setting.name][COMPOSITIONAL], TABLE_5[setting.name]
        cells = [_count(len(parts.train), theirs.train), _count(len(parts.dev), theirs.dev)]
        rows.append(Row(setting.title, (*cells, _count(len(parts.test), theirs.test), _count(len(parts.few)))))
    columns = ("train", "dev", "test", "shots")
    return Table("Table 5", "Sizes, the same in both configurations", columns, tuple(rows), COUNT)


def figure_1_table(results: Results) -> Table:
    """The accuracies of Figure 1, beside what always giving the most frequent label would reach."""
    rows = []
    for setting in chosen_settings(results.design.settings):
        found = {name: results.accuracy(setting.name, name) for name in (COMPOSITIONAL, IN_DISTRIBUTION)}
        cells = []
        for name, quantity in found.items():
            cells += [_cell(quantity, results.spread(setting.name, name)), _share(results.majority(setting.name, name))]
        like = results.accuracy(setting.name, COMPOSITIONAL, part="dev")
        lost = difference(found[IN_DISTRIBUTION], found[COMPOSITIONAL])
        rows.append(Row(setting.title, (*cells, _cell(lost), _cell(like))))
    columns = ("compositional", "majority", "in distribution", "majority", "lost", "like the training")
    note = "Like the training: what was held out of the compositional training, before the test."
    return Table("Figure 1, numbers", "Accuracy in both configurations", columns, tuple(rows), notes=(note,))


def figure_2_table(results: Results) -> Table:
    """The accuracies of Figure 2: by the number of shots, on the test and on what is like the training."""
    run = results.design.settings.run
    rows = []
    for setting in chosen_settings(results.design.settings):
        for part, group in _PARTS.items() if setting.shots and COMPOSITIONAL in run.configurations else ():
            name = (setting.name, COMPOSITIONAL)
            cells = [
                _cell(results.accuracy(*name, shots, part=part), results.spread(*name, shots, part=part))
                for shots in (0, *run.shots)
            ]
            rows.append(Row(setting.title, tuple(cells), group))
    rows.sort(key=lambda row: list(_PARTS.values()).index(row.group))
    note = (
        "All that is tested here in Task 2 and 3 is not entailed: who says so of everything after a shot loses below."
    )
    columns = tuple(map(str, (0, *run.shots)))
    return Table("Figure 2, numbers", "Accuracy by the number of shots", columns, tuple(rows), notes=(note,))


def rule_table(results: Results) -> Table:
    """Accuracy by composition rule, of each setting's test; R_ver is also asked about rule ②."""
    rows = []
    for setting in chosen_settings(results.design.settings):
        cells = [_cell(results.by_rule(setting.name, rule)) for rule in ("1", "2", "3", "4")]
        rows.append(Row(setting.title, tuple(Cell.empty() if cell.measured is None else cell for cell in cells)))
    note = "Compositional generalization. Rule ② of R_ver is not its test: who decides by the verb alone gets it wrong."
    shown = rows if COMPOSITIONAL in results.design.settings.run.configurations else []
    return Table("By rule", "Accuracy by composition rule", ("①", "②", "③", "④"), tuple(shown), notes=(note,))


def depth_table(results: Results) -> Table:
    """Accuracy by the number of verbs in a chain, of a model that has seen one verb at a time."""
    run = results.design.settings.run
    cells = [
        _cell(results.accuracy(DEEP, IN_DISTRIBUTION, depth=d), results.spread(DEEP, IN_DISTRIBUTION, depth=d))
        for d in run.depths
    ]
    rows = [Row("Task 2, trivial, in distribution", tuple(cells))] if cells and DEEP in run.settings else []
    note = (
        "Half of the chains are entailed. A chain is veridical if all its verbs are; training has chains of one verb."
    )
    return Table("Depth", "Accuracy by the number of verbs", tuple(map(str, run.depths)), tuple(rows), notes=(note,))


def _count(value: int, published: int | None = None) -> Cell:
    return Cell.exactly(value, published)


def _cell(quantity: Floats | None, spread: float | None = None) -> Cell:
    return Cell(None if quantity is None else interval(100 * quantity), None if spread is None else 100 * spread)


def _share(value: float | None) -> Cell:
    return Cell() if value is None else Cell.exactly(100 * value)

"""CURRICULUM's tables, and the numbers behind its figures."""

from __future__ import annotations

from collections.abc import Callable

from trivium.benchmarks.curriculum import published
from trivium.benchmarks.curriculum.design import (
    HALVES,
    HYPOTHESIS,
    INOCULATION,
    SEQUENTIAL,
    ZERO_SHOT,
    CurriculumDesign,
)
from trivium.benchmarks.curriculum.results import Results
from trivium.data.phenomena import PHENOMENA, Phenomenon
from trivium.measure.bootstrap import interval
from trivium.measure.metrics import Floats
from trivium.measure.table import COUNT, SCORE, Cell, Row, Table


def examples_table(design: CurriculumDesign) -> Table:
    """What there is of each phenomenon, what is used, and what was left out (Table 5)."""
    rows = []
    for name, chosen in design.chosen.items():
        train, dev = published.SIZES.get(name, (None, None))
        if chosen.source != "curriculum":
            train = dev = None
        counts = (
            _count(chosen.there[0], train), _count(chosen.there[1], dev), _count(chosen.repeated),
            _count(chosen.known_before), _count(len(chosen.train)), _count(len(chosen.validation)),
        )  # fmt: skip
        rows.append(_row(PHENOMENA[name], counts))
    notes = (
        "Repeated: training pairs that are validated too. Known: validated pairs that the model was trained on before. "
        "Both are left out.",
        "Trainable: different pairs, as many of each label. Measured: drawn from those to validate with.",
    )
    columns = ("to train", "to validate", "repeated", "known", "trainable", "measured")
    return Table("Table 5", "Examples of each phenomenon", columns, tuple(rows), COUNT, notes)


def zero_shot_table(results: Results) -> Table:
    """The numbers behind Figure 2."""

    def cells(name: str) -> tuple[Cell, ...]:
        return (_score(results.correlation(ZERO_SHOT, name)),)

    note = "A three-way model says that a pair of a two-way task is entailed if it gives entailment more than half."
    return Table("Figure 2, numbers", "Zero-shot", ("Matthews' correlation",), _rows(results, cells), SCORE, (note,))


def difficulty_table(results: Results) -> Table:
    """Table 2."""

    def cells(name: str) -> tuple[Cell, ...]:
        given = published.INFORMATION.get(name) if results.design.chosen[name].source == "curriculum" else None
        return (_score(results.information(name), given),)

    note = (
        "Bits that the input adds, all labels weighing the same; below zero it misleads. Measured on examples that "
        "neither model was trained on. The paper's values come from another model and were computed otherwise."
    )
    return Table("Table 2", "V-information, in bits", ("ours",), _rows(results, cells), SCORE, (note,))


def inoculation_table(results: Results) -> Table:
    """The numbers behind Figure 3: accuracy before and after inoculation, and by the hypothesis alone."""
    sizes = results.design.settings.run.sizes

    def cells(name: str) -> tuple[Cell, ...]:
        before = _percent(results.accuracy(ZERO_SHOT, name), results.spread(ZERO_SHOT, name))
        after = [
            _percent(results.accuracy(INOCULATION, name, size), results.spread(INOCULATION, name, size))
            for size in sizes
        ]
        alone = _percent(results.accuracy(HYPOTHESIS, name), results.spread(HYPOTHESIS, name))
        return before, *after, alone, Cell.exactly(100 * results.majority(name))

    columns = ("zero-shot", *(f"{size} a label" for size in sizes), "hypothesis only", "majority")
    note = (
        "Hypothesis only: trained and tested without premises, on as many examples as the largest size that there is."
    )
    return Table("Figure 3, numbers", "Inoculation", columns, _rows(results, cells), "%", (note,))


def generalization_table(results: Results) -> Table:
    """The numbers behind Figure 4."""
    ways = [(trained, tested) for trained in HALVES for tested in HALVES]

    def cells(name: str) -> tuple[Cell, ...]:
        given = published.ACROSS_KG_REL if name == "kg-rel" else {}
        return tuple(_percent(results.across(name, *way), None, given.get(way)) for way in ways)

    columns = tuple(f"{trained} → {tested}" for trained, tested in ways)
    note = "Trained → tested, each half of what there is, by pointwise V-information within each label."
    return Table("Figure 4, numbers", "Between simple and hard", columns, _rows(results, cells), "%", (note,))


def sequential_table(results: Results) -> Table:
    """The numbers behind Figure 5."""
    chosen = results.design.settings.sequential
    places = [(round, size) for round in chosen.rounds for size in chosen.sizes]
    rows = []
    for strategy in results.strategies:
        found = [
            _percent(
                results.accuracy(SEQUENTIAL, strategy, size, round), results.spread(SEQUENTIAL, strategy, size, round)
            )
            for round, size in places
        ]
        if any(cell.measured is not None for cell in found):
            rows.append(Row(strategy, tuple(found)))
    columns = tuple(f"{round}, {size} a label" for round, size in places)
    note = "Few examples are drawn from a round's dev part, since its training part is not in public repositories."
    return Table("Figure 5, numbers", "ANLI after an intermediate stage", columns, tuple(rows), "%", (note,))


def _rows(results: Results, cells: Callable[[str], tuple[Cell, ...]]) -> tuple[Row, ...]:
    made = [_row(PHENOMENA[name], cells(name)) for name in results.design.chosen]
    return tuple(row for row in made if any(cell.measured for cell in row.cells[: max(1, len(row.cells) - 1)]))


def _row(phenomenon: Phenomenon, cells: tuple[Cell, ...]) -> Row:
    return Row(f"{phenomenon.title} ({phenomenon.name})", cells, phenomenon.category)


def _percent(found: Floats | None, spread: float | None, given: float | None = None) -> Cell:
    if found is None:
        return Cell(published=given)
    return Cell(interval(100 * found), None if spread is None else 100 * spread, given)


def _score(found: Floats | None, given: float | None = None) -> Cell:
    return Cell(None if found is None else interval(found), None, given)


def _count(value: int, given: int | None = None) -> Cell:
    return Cell.exactly(value, given)

"""CURRICULUM's tables, and the numbers behind its figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from trivium.benchmarks.curriculum.design import (
    HALVES,
    HYPOTHESIS,
    INOCULATION,
    SEQUENTIAL,
    ZERO_SHOT,
    CurriculumDesign,
)
from trivium.benchmarks.curriculum.published import INFORMATION, SIZES, TRANSFER_KG_REL, author_runs
from trivium.benchmarks.curriculum.results import Results
from trivium.data.curriculum_runs import MODELS
from trivium.data.phenomena import PHENOMENA, Phenomenon
from trivium.measure.outputs import Decision
from trivium.measure.statistics.estimate import Estimate
from trivium.measure.statistics.intervals import interval
from trivium.measure.table import COUNT, SCORE, Cell, Row, Table, percent_cell

DECISIONS: Final[Mapping[Decision, str]] = MappingProxyType({"half": "P > ½", "argmax": "argmax"})
"""The two ways to answer a two-way task with a three-way model, and their titles."""
_DECISION_NOTE = (
    "On two-way tasks, a three-way model predicts “entailed” if its probability of entailment is above one half "
    "(P > ½), or if entailment is its most likely label (argmax)."
)


def examples_table(design: CurriculumDesign) -> Table:
    """Return the number of available, used and excluded examples of each phenomenon (Table 5)."""
    rows = []
    for name, selection in design.examples.items():
        train, dev = SIZES.get(name, (None, None))
        if selection.source != "curriculum":
            train = dev = None
        available = zip(selection.available, (train, dev), strict=True)
        others = (selection.duplicates, selection.known_pairs, len(selection.train), len(selection.validation))
        cells = [Cell.without_interval(*both) for both in available] + list(map(Cell.without_interval, others))
        rows.append(_row(PHENOMENA[name], tuple(cells)))
    notes = (
        "Duplicate: training pairs that are also in the validation part. Known: validation pairs that the model was "
        "trained on before. Both are excluded.",
        "Trainable: distinct training pairs, with the same number for each label. Measured: a sample of the validation "
        "pairs.",
    )
    columns = ("train", "validation", "duplicate", "known", "trainable", "measured")
    return Table("Table 5", "Examples of each phenomenon", columns, tuple(rows), COUNT, notes)


def zero_shot_table(results: Results) -> Table:
    """Return the numbers behind Figure 2: zero-shot correlation."""

    def cells(name: str) -> tuple[Cell, ...]:
        return tuple(_score(results.correlation(ZERO_SHOT, name, decision=decision)) for decision in DECISIONS)

    columns = tuple(f"Matthews' correlation, {title}" for title in DECISIONS.values())
    return Table("Figure 2, numbers", "Zero-shot", columns, _rows(results, cells), SCORE, (_DECISION_NOTE,))


def models_table(results: Results) -> Table:
    """Return the numbers behind Figure 2 for all models of a run, beside those of the authors' models."""
    settings, authors = results.design.settings, author_runs()
    ours = {settings.model.name: "", **{name: name for name in settings.run.models}}

    def cells(name: str) -> tuple[Cell, ...]:
        measured = [
            _score(results.correlation(ZERO_SHOT, name, model=model, decision=decision))
            for model in ours.values()
            for decision in DECISIONS
        ]
        theirs = [authors[model].get(name) for model in authors]
        return (*measured, *(Cell.empty() if each is None else Cell.given(each.correlation) for each in theirs))

    columns = [f"{name.rpartition('/')[2]}, {title}" for name in ours for title in DECISIONS.values()]
    columns += [f"{MODELS[name]} (authors)" for name in authors]
    notes = [_DECISION_NOTE]
    if authors:
        notes.append("Authors: as their repository has it, on all validation pairs, by argmax.")
    return Table("Figure 2, models", "Zero-shot, by model", tuple(columns), _rows(results, cells), SCORE, tuple(notes))


def difficulty_table(results: Results) -> Table:
    """Return Table 2: V-information."""

    def cells(name: str) -> tuple[Cell, ...]:
        published = INFORMATION.get(name) if results.design.examples[name].source == "curriculum" else None
        by_label, by_example = (results.information(name, weight) for weight in ("labels", "examples"))
        return _score(by_label), _score(by_example, published)

    note = (
        "Bits of information in the input, with equal weight for all labels, or for all examples as in the paper. "
        "Below zero, the input misleads the model. Measured on examples that neither model was trained on. The paper "
        "uses another model."
    )
    columns = ("labels weighted equally", "examples weighted equally")
    return Table("Table 2", "V-information, in bits", columns, _rows(results, cells), SCORE, (note,))


def inoculation_table(results: Results) -> Table:
    """Return the numbers behind Figure 3: accuracy before and after inoculation, and with the hypothesis only."""
    sizes = results.design.settings.run.sizes

    def cells(name: str) -> tuple[Cell, ...]:
        before = percent_cell(results.accuracy(ZERO_SHOT, name))
        after = [percent_cell(results.accuracy(INOCULATION, name, size)) for size in sizes]
        hypothesis_only = percent_cell(results.accuracy(HYPOTHESIS, name))
        return before, *after, hypothesis_only, Cell.without_interval(100 * results.majority(name))

    columns = ("zero-shot", *(f"{size} per label" for size in sizes), "hypothesis only", "majority")
    note = "Hypothesis only: trained and tested without premises, with the largest size that has enough examples."
    return Table("Figure 3, numbers", "Inoculation", columns, _rows(results, cells), "%", (note,))


def generalization_table(results: Results) -> Table:
    """Return the numbers behind Figure 4: transfer between simple and hard examples."""
    pairs = [(trained, tested) for trained in HALVES for tested in HALVES]

    def cells(name: str) -> tuple[Cell, ...]:
        published = TRANSFER_KG_REL if name == "kg-rel" else {}
        return tuple(percent_cell(results.transfer(name, *pair), published.get(pair)) for pair in pairs)

    columns = tuple(f"{trained} → {tested}" for trained, tested in pairs)
    note = "Trained → tested. Each phenomenon is halved by pointwise V-information within each label."
    return Table("Figure 4, numbers", "Transfer between simple and hard", columns, _rows(results, cells), "%", (note,))


def sequential_table(results: Results) -> Table:
    """Return the numbers behind Figure 5: sequential training."""
    sequential = results.design.settings.sequential
    pairs = [(round, size) for round in sequential.rounds for size in sequential.sizes]
    rows = []
    for strategy in results.strategies:
        cells = [percent_cell(results.accuracy(SEQUENTIAL, strategy, size, round)) for round, size in pairs]
        if any(cell.measured is not None for cell in cells):
            rows.append(Row(strategy, tuple(cells)))
    columns = tuple(f"{round}, {size} per label" for round, size in pairs)
    note = "Training examples come from a round's dev part, since its training part is not publicly available."
    return Table("Figure 5, numbers", "ANLI after an intermediate stage", columns, tuple(rows), "%", (note,))


def _rows(results: Results, cells: Callable[[str], tuple[Cell, ...]]) -> tuple[Row, ...]:
    rows = [_row(PHENOMENA[name], cells(name)) for name in results.design.examples]
    return tuple(row for row in rows if any(cell.measured for cell in row.cells[: max(1, len(row.cells) - 1)]))


def _row(phenomenon: Phenomenon, cells: tuple[Cell, ...]) -> Row:
    return Row(f"{phenomenon.title} ({phenomenon.name})", cells, phenomenon.category)


def _score(quantity: Estimate | None, published: float | None = None) -> Cell:
    return Cell(None if quantity is None else interval(quantity), None, published)

"""Table 7: does composition depend on knowing the primitives? (C²Gen, section 7.2)"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from trivium.benchmarks.c2gen.design import CGEN, PredictionKey
from trivium.benchmarks.c2gen.published import TABLE_7
from trivium.benchmarks.c2gen.results import QUADRANTS, Results
from trivium.benchmarks.c2gen.tables import figure_cell, final_models
from trivium.benchmarks.published import Figure
from trivium.data.example import Example
from trivium.measure.error_examples import ErrorExample, ErrorExamples, ErrorGroup
from trivium.measure.statistics.estimate import Estimate, difference
from trivium.measure.table import Cell, Row, Table
from trivium.seeds import stream

_MAX_SHOWN = 12
_QUESTIONS = {"composed": "composed", "veridical": "veridical part", "natural": "natural part"}


def tables_7(results: Results) -> list[Table]:
    """Return the shares of the four groups of test instances in each setting, and their differences from CGen."""
    shares, gaps = [], []
    for setting, strategy, stage, name, group in final_models(results):
        published = TABLE_7.get((setting, strategy), (None,) * 4)
        quantities = [results.accuracy(quadrant, setting, strategy, stage) for quadrant in QUADRANTS]
        shares.append(Row(name, tuple(figure_cell(q, p) for q, p in zip(quantities, published, strict=True)), group))
        if setting != CGEN:
            gaps.append(Row(name, tuple(_gaps(results, quantities, published)), group))
    columns = tuple(QUADRANTS)
    notes = ("P: the labels of both primitives of the unseen composition are correct. CI: its own label is correct.",)
    return [
        Table("Table 7", "Test instances by primitives (P) and composition (CI)", columns, tuple(shares), notes=notes),
        Table("Table 7, Δ", "Differences from CGen", columns, tuple(gaps), "points"),
    ]


def quadrant_examples(results: Results) -> list[ErrorExamples]:
    """Return a sample of each group's instances for each setting, from the first fold and seed."""
    run = results.design.settings.run
    error_examples = []
    for setting, strategy, stage, name, group in final_models(results):
        key = PredictionKey(run.folds[0], run.seeds[0], setting, strategy, stage, "composed")
        if results.correct(key, ("composed",)) is None:
            continue
        title = f"{group}, {name}" if group else name
        caption = f"Fold {key.fold}, seed {key.seed}: up to {_MAX_SHOWN} instances of each group, drawn at random."
        error_examples.append(ErrorExamples(title, caption, tuple(_groups(results, key))))
    return error_examples


def _groups(results: Results, key: PredictionKey) -> Iterator[ErrorGroup]:
    split = results.design.folds[key.fold].composed
    predicted = results.predicted(key)
    for quadrant in QUADRANTS:
        indices = np.flatnonzero(np.asarray(results.meets(quadrant, key)))
        drawn = stream(0, "gallery", str(key), quadrant).permutation(indices)[:_MAX_SHOWN]
        examples = tuple(
            _error_example(split.examples[index], {head: labels[index] for head, labels in predicted.items()})
            for index in drawn
        )
        yield ErrorGroup(quadrant, len(indices), examples)


def _error_example(example: Example, predicted: dict[str, str]) -> ErrorExample:
    rows = {row.task: row for row in example.rows()}
    answers = tuple((name, str(rows[task].label), predicted[task]) for task, name in _QUESTIONS.items())
    return ErrorExample(example.premise, str(example.hypothesis), answers)


def _gaps(
    results: Results, quantities: Sequence[Estimate | None], published: Sequence[Figure | None]
) -> Iterator[Cell]:
    columns = zip(QUADRANTS, quantities, published, TABLE_7[CGEN, "finetune"], strict=True)
    for quadrant, ours, theirs, published_cgen in columns:
        cgen = results.accuracy(quadrant, CGEN, "finetune", 1)
        yield figure_cell(difference(ours, cgen), Figure(theirs.value - published_cgen.value) if theirs else None)

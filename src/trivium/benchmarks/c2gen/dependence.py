"""Table 7: does composing depend on knowing the primitives? (C²Gen, section 7.2)"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from trivium.benchmarks.c2gen.design import CGEN, PredictionKey
from trivium.benchmarks.c2gen.published import TABLE_7, Figure
from trivium.benchmarks.c2gen.results import QUADRANTS, Results
from trivium.benchmarks.c2gen.tables import filled, final_models
from trivium.data.example import Example
from trivium.measure.error_examples import Case, ErrorExamples, ErrorGroup
from trivium.measure.metrics import Floats, difference
from trivium.measure.table import Cell, Row, Table
from trivium.seeds import stream

_SHOWN = 12
_ASKED = {"composed": "composed", "veridical": "veridical part", "natural": "natural part"}


def tables_7(results: Results) -> list[Table]:
    """The four groups of test instances in each setting, and the differences to CGen."""
    shares, gaps = [], []
    for setting, strategy, stage, name, group in final_models(results):
        published = TABLE_7.get((setting, strategy), (None,) * 4)
        quantities = [results.accuracy(kind, setting, strategy, stage) for kind in QUADRANTS]
        shares.append(Row(name, tuple(filled(q, None, p) for q, p in zip(quantities, published, strict=True)), group))
        if setting != CGEN:
            gaps.append(Row(name, tuple(_gaps(results, quantities, published)), group))
    columns = tuple(QUADRANTS)
    notes = ("P: both primitives of the unseen composition are recognized. CI: its label is right.",)
    return [
        Table("Table 7", "Test instances by primitives (P) and composition (CI)", columns, tuple(shares), notes=notes),
        Table("Table 7, Δ", "Differences to CGen", columns, tuple(gaps), "points"),
    ]


def quadrant_examples(results: Results) -> list[ErrorExamples]:
    """Instances of each group to read, for each setting of the first fold and seed that were run."""
    run = results.design.settings.run
    error_examples = []
    for setting, strategy, stage, name, group in final_models(results):
        reading = PredictionKey(run.folds[0], run.seeds[0], setting, strategy, stage, "composed")
        if results.right(reading, ("composed",)) is None:
            continue
        title = f"{group}, {name}" if group else name
        caption = f"Fold {reading.fold}, seed {reading.seed}: up to {_SHOWN} instances of each group, drawn at random."
        error_examples.append(ErrorExamples(title, caption, tuple(_shelves(results, reading))))
    return error_examples


def _shelves(results: Results, reading: PredictionKey) -> Iterator[ErrorGroup]:
    split = results.design.folds[reading.fold].composed
    said = results.said(reading)
    for kind in QUADRANTS:
        places = np.flatnonzero(np.asarray(results.meets(kind, reading)))
        drawn = stream(0, "gallery", str(reading), kind).permutation(places)[:_SHOWN]
        cases = tuple(_case(split.examples[place], {h: labels[place] for h, labels in said.items()}) for place in drawn)
        yield ErrorGroup(kind, len(places), cases)


def _case(example: Example, said: dict[str, str]) -> Case:
    rows = {row.task: row for row in example.rows()}
    answers = tuple((name, str(rows[task].label), said[task]) for task, name in _ASKED.items())
    return Case(example.premise, str(example.hypothesis), answers)


def _gaps(results: Results, quantities: Sequence[Floats | None], published: Sequence[Figure | None]) -> Iterator[Cell]:
    for kind, ours, theirs, base in zip(QUADRANTS, quantities, published, TABLE_7[CGEN, "finetune"], strict=True):
        together = results.accuracy(kind, CGEN, "finetune", 1)
        yield filled(difference(ours, together), None, Figure(theirs.value - base.value) if theirs else None)

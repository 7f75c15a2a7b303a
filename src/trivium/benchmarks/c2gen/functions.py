"""Table 8: which composition functions are hard? (C²Gen, section 7.3)"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trivium.benchmarks.c2gen.design import CGEN
from trivium.benchmarks.c2gen.published import TABLE_8
from trivium.benchmarks.c2gen.results import Results
from trivium.benchmarks.c2gen.tables import figure_cell
from trivium.benchmarks.published import Figure
from trivium.build.veridicality.composition import TYPES, CompositionType
from trivium.data.labels import NLI3
from trivium.measure.chart import Chart, Point
from trivium.measure.statistics.estimate import Estimate, mean_of
from trivium.measure.statistics.intervals import Interval, interval
from trivium.measure.table import Row, Table

FUNCTIONS = {
    "entailment": "f_ve(v, X) = X",
    "neutral": "f_vn(v, X) = n",
    "contradiction": "f_vc(v, X) = ¬X",
}
"""Composition functions by the verb's label: keep the label of the natural inference, make it neutral or negate it."""


def table_8(results: Results) -> Table:
    """Return CI of CGen as a grid of veridical and natural labels, with averages where all types were run."""
    rows = []
    for veridical in NLI3.names:
        types = [type_ for type_ in TYPES if type_.veridical == veridical]
        cells = [figure_cell(_ci(results, type_), TABLE_8[type_.number]) for type_ in types]
        cells.append(figure_cell(average(results, types), published_average(types)))
        rows.append(Row(f"V_{veridical[0]}   {FUNCTIONS[veridical]}", tuple(cells)))
    columns = [[type_ for type_ in TYPES if type_.natural == natural] for natural in NLI3.names]
    cells = [figure_cell(average(results, types), published_average(types)) for types in (*columns, TYPES)]
    rows.append(Row("average", tuple(cells)))
    names = (*(f"N_{natural[0]}" for natural in NLI3.names), "average")
    notes = ("Rows: the composition functions of section 7.3. An average is shown only if all its types were run.",)
    return Table("Table 8", "Composition in CGen by inference type", names, tuple(rows), notes=notes)


def heat_map(results: Results) -> Chart:
    """Return Table 8 as a heat map, beside the published one."""
    points: list[Point] = []
    for type_ in TYPES:
        quantity = _ci(results, type_)
        if quantity is not None:
            points.append(_point("ours", type_, 100 * interval(quantity)))
    if points:
        points += [_point("published", type_, Interval(*[TABLE_8[type_.number].value] * 3)) for type_ in TYPES]
    caption = (
        "Accuracy of CGen on unseen compositions, by the veridical label of the verb and the label of the natural "
        "inference. Types that were not run are left empty."
    )
    return Chart("functions", "Composition by type", caption, "grid", "accuracy, %", tuple(points))


def average(results: Results, types: Sequence[CompositionType]) -> Estimate | None:
    """Return the mean CI of CGen over types; None if one of them was not run."""
    return mean_of(_ci(results, type_) for type_ in types)


def published_average(types: Sequence[CompositionType]) -> Figure:
    """Return the mean over types of the published CI of CGen."""
    return Figure(float(np.mean([TABLE_8[type_.number].value for type_ in types])))


def _ci(results: Results, type_: CompositionType) -> Estimate | None:
    if type_.number not in results.design.settings.run.folds:
        return None
    return results.in_fold(type_.number, "CI", CGEN, "finetune", 1)


def _point(panel: str, type_: CompositionType, value: Interval) -> Point:
    return Point(panel, f"V_{type_.veridical[0]}", f"N_{type_.natural[0]}", value)

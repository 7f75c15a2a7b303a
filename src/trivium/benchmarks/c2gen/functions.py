"""Table 8: which functions of composition are hard? (C²Gen, section 7.3)"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trivium.benchmarks.c2gen.design import CGEN
from trivium.benchmarks.c2gen.published import TABLE_8, Figure
from trivium.benchmarks.c2gen.results import Results
from trivium.benchmarks.c2gen.tables import filled
from trivium.build.veridicality.composition import TYPES, CompositionType
from trivium.data.labels import NLI3
from trivium.measure.bootstrap import Interval, interval
from trivium.measure.chart import Chart, Point
from trivium.measure.metrics import Floats, mean_of
from trivium.measure.table import Row, Table

FUNCTIONS = {
    "entailment": "f_ve(v, X) = X",
    "neutral": "f_vn(v, X) = n",
    "contradiction": "f_vc(v, X) = ¬X",
}
"""By the label of the verb: it keeps the label of the natural inference, makes it neutral, or turns it around."""


def table_8(results: Results) -> Table:
    """CI in CGen by type as a grid of veridical and natural labels, with averages where all their types were run."""
    rows = []
    for veridical in NLI3.names:
        kinds = [kind for kind in TYPES if kind.veridical == veridical]
        cells = [filled(_composed(results, kind), None, TABLE_8[kind.number]) for kind in kinds]
        cells.append(filled(average(results, kinds), None, published_average(kinds)))
        rows.append(Row(f"V_{veridical[0]}   {FUNCTIONS[veridical]}", tuple(cells)))
    columns = [[kind for kind in TYPES if kind.natural == natural] for natural in NLI3.names]
    cells = [filled(average(results, kinds), None, published_average(kinds)) for kinds in (*columns, TYPES)]
    rows.append(Row("average", tuple(cells)))
    names = (*(f"N_{natural[0]}" for natural in NLI3.names), "average")
    notes = ("An average is shown if all its types were run; the functions of section 7.3 are the rows.",)
    return Table("Table 8", "Composition in CGen by inference type", names, tuple(rows), notes=notes)


def heat_map(results: Results) -> Chart:
    """Table 8 as a picture, beside the published one."""
    points: list[Point] = []
    for kind in TYPES:
        quantity = _composed(results, kind)
        if quantity is not None:
            points.append(_point("ours", kind, interval(100 * quantity)))
    if points:
        points += [_point("published", kind, Interval(*[TABLE_8[kind.number].value] * 3)) for kind in TYPES]
    caption = (
        "Accuracy on unseen compositions when everything is trained at once, by the label of the verb and of the "
        "natural inference. A type that was not run is left empty."
    )
    return Chart("functions", "Composition by type", caption, "grid", "accuracy, %", tuple(points))


def average(results: Results, kinds: Sequence[CompositionType]) -> Floats | None:
    """The mean over types of CI in CGen; None if one of them was not run."""
    return mean_of(_composed(results, kind) for kind in kinds)


def _composed(results: Results, kind: CompositionType) -> Floats | None:
    if kind.number not in results.design.settings.run.folds:
        return None
    return results.in_fold(kind.number, "CI", CGEN, "finetune", 1)


def published_average(kinds: Sequence[CompositionType]) -> Figure:
    """The mean over types of the paper's CI in CGen."""
    return Figure(float(np.mean([TABLE_8[kind.number].value for kind in kinds])))


def _point(panel: str, kind: CompositionType, value: Interval) -> Point:
    return Point(panel, f"V_{kind.veridical[0]}", f"N_{kind.natural[0]}", value)

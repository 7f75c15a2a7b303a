"""SETI's accuracies by composer."""

from __future__ import annotations

from dataclasses import replace

from trivium.benchmarks.seti.design import COMPOSITIONAL, DEEP, IN_DISTRIBUTION, PROBED, chosen_settings
from trivium.benchmarks.seti.results import Results
from trivium.measure.table import Cell, Row, Table, percent_cell
from trivium.models.composer import composer_title


def table_of_composers(results: Results) -> Table:
    """Return the accuracy on unseen compositions by composer, with the probe for the verb shortcut, and on chains."""
    design = results.design
    by_composer = [replace(results, design=design.of_composer(name), _means={}) for name in design.composers]
    tests: list[tuple[str, str, dict[str, int | str]]] = []
    for setting in chosen_settings(design.settings):
        if COMPOSITIONAL in design.settings.run.configurations:
            tests.append((setting.title, setting.name, {}))
            if setting.name == PROBED:
                tests.append((f"{setting.title}, rule ②", setting.name, {"part": "probe"}))
    rows = [
        Row(title, tuple(percent_cell(mine.accuracy(name, COMPOSITIONAL, **options)) for mine in by_composer))  # type: ignore[arg-type]
        for title, name, options in tests
    ]
    for depth in design.settings.run.depths:
        cells = [percent_cell(mine.accuracy(DEEP, IN_DISTRIBUTION, depth=depth)) for mine in by_composer]
        rows.append(Row(f"chains of {depth}", tuple(cells)))
    majority = [_majority(results, name, options) for _, name, options in tests]
    majority += [Cell.empty()] * (len(rows) - len(majority))
    shown = tuple(replace(row, cells=(*row.cells, cell)) for row, cell in zip(rows, majority, strict=True))
    columns = (*map(composer_title, design.composers), "majority")
    return Table("Composers", "Unseen compositions by composer", columns, shown)


def _majority(results: Results, setting: str, options: dict[str, int | str]) -> Cell:
    share = None if options else results.majority(setting, COMPOSITIONAL)
    return Cell.empty() if share is None else Cell.without_interval(100 * share)

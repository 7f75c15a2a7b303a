"""Tables of a diagnosis for the terminal, with one row for each phenomenon."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from trivium.data.phenomena import PHENOMENA
from trivium.measure.baselines import BASELINES
from trivium.measure.statistics.intervals import Interval
from trivium.report.formatting import figure
from trivium.tools.diagnosis import ComparedPhenomenon, Diagnosis, Finding

_WIDE = 110  # minimum width of a terminal that shows the titles of phenomena beside their names
_STYLES = {"mastered": "green", "in part": "yellow", "undecided": "dim", "missing": "red", "reversed": "magenta"}


def model_view(diagnosis: Diagnosis, width: int) -> Table:
    """Return a table of the phenomena of one model by category, for a terminal of this width."""
    inoculated = any(finding.inoculated_accuracy is not None for finding in diagnosis.findings)
    view = Table(box=None, pad_edge=False, header_style="bold")
    view.add_column("phenomenon", overflow="fold")
    for heading in ("corr.", "95 %", "acc.", "maj.", "neg.", "hyp."):
        view.add_column(heading, justify="right", no_wrap=True)
    if inoculated:
        view.add_column(f"after {diagnosis.design.settings.run.sizes[0]}", justify="right", no_wrap=True)
    view.add_column("state", no_wrap=True)
    category = ""
    for finding in diagnosis.findings:
        if finding.phenomenon.category != category:
            category = finding.phenomenon.category
            view.add_row(Text(category, style="bold"))
        cells = [_score(finding.correlation.value), _bounds(finding.correlation), _percent(finding.accuracy.value)]
        cells += [_percent(finding.baselines[name]) if name in finding.baselines else "" for name in BASELINES]
        if inoculated:
            cells.append("" if finding.inoculated_accuracy is None else _percent(finding.inoculated_accuracy.value))
        view.add_row(f"  {_name(finding, width)}", *cells, Text(finding.state, style=_STYLES[finding.state]))
    return view


def comparison_view(diagnoses: Sequence[Diagnosis], compared: Sequence[ComparedPhenomenon], width: int) -> Table:
    """Return a table of the correlations of two models, and the difference of their accuracies with corrected p."""
    view = Table(box=None, pad_edge=False, header_style="bold")
    view.add_column("phenomenon", overflow="fold")
    names = [Path(diagnosis.model).name for diagnosis in diagnoses]
    for number, name in enumerate(names, 1):
        view.add_column(f"corr. {name if len(set(names)) == 2 else number}", justify="right")
    view.add_column("accuracy difference, points", justify="right")
    for heading in ("95 %", "p"):
        view.add_column(heading, justify="right", no_wrap=True)
    by_model = [{finding.phenomenon.name: finding for finding in diagnosis.findings} for diagnosis in diagnoses]
    differences = {difference.phenomenon.name: difference for difference in compared}
    category = ""
    for name, finding in by_model[0].items():
        if PHENOMENA[name].category != category:
            category = PHENOMENA[name].category
            view.add_row(Text(category, style="bold"))
        values = [_score(findings[name].correlation.value) if name in findings else "" for findings in by_model]
        view.add_row(f"  {_name(finding, width)}", *values, *_difference(differences.get(name)))
    return view


def _difference(compared: ComparedPhenomenon | None) -> list[str | Text]:
    if compared is None:
        return ["", "", ""]
    value = 100 * compared.difference.value
    style = "" if not compared.is_significant else "green" if value > 0 else "red"
    bounds = f"[{100 * compared.difference.low:+.1f}, {100 * compared.difference.high:+.1f}]"
    star = "*" if compared.is_significant else " "
    return [Text(f"{value:+.1f}", style=style), bounds, f"{compared.p:.3f}{star}"]


def _name(finding: Finding, width: int) -> str:
    name = finding.phenomenon.name
    return name if width < _WIDE else f"{finding.phenomenon.title} ({name})"


def _score(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _percent(share: float) -> str:
    return figure(100 * share)


def _bounds(interval: Interval) -> str:
    return f"[{interval.low:.2f}, {interval.high:.2f}]".replace("-", "−")

"""A diagnosis in a terminal: a line for each phenomenon."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from trivium.data.phenomena import PHENOMENA
from trivium.measure.bootstrap import Interval
from trivium.report.formatting import figure
from trivium.tools.diagnosis import Compared, Diagnosis, Finding

_WIDE = 110
_STYLES = {"mastered": "green", "in part": "yellow", "undecided": "dim", "missing": "red", "reversed": "magenta"}


def one_view(found: Diagnosis, width: int) -> Table:
    """The phenomena of one model by category, the best first; ``width`` is that of the terminal."""
    taught = any(one.recovered is not None for one in found.findings)
    view = Table(box=None, pad_edge=False, header_style="bold")
    view.add_column("phenomenon", overflow="fold")
    for heading in ("corr.", "95 %", "acc.", "maj.", "hyp. only"):
        view.add_column(heading, justify="right", no_wrap=True)
    if taught:
        view.add_column(f"after {found.design.settings.run.sizes[0]}", justify="right", no_wrap=True)
    view.add_column("state", no_wrap=True)
    category = ""
    for one in found.findings:
        if one.phenomenon.category != category:
            category = one.phenomenon.category
            view.add_row(Text(category, style="bold"))
        cells = [_score(one.correlation.value), _between(one.correlation), _percent(one.accuracy.value)]
        cells += [_percent(one.majority), _percent(one.alone)]
        if taught:
            cells.append("" if one.recovered is None else _percent(one.recovered.value))
        view.add_row(f"  {_name(one, width)}", *cells, Text(one.state, style=_STYLES[one.state]))
    return view


def two_view(found: Sequence[Diagnosis], compared: Sequence[Compared], width: int) -> Table:
    """The correlations of two models, and the difference of their accuracies with its corrected p."""
    view = Table(box=None, pad_edge=False, header_style="bold")
    view.add_column("phenomenon", overflow="fold")
    names = [Path(one.model).name for one in found]
    for place, name in enumerate(names):
        view.add_column(f"corr. {name if len(set(names)) == 2 else place + 1}", justify="right")
    for heading in ("difference", "95 %", "p"):
        view.add_column(heading, justify="right", no_wrap=True)
    known = [{one.phenomenon.name: one for one in each.findings} for each in found]
    differences = {one.phenomenon.name: one for one in compared}
    category = ""
    for name, finding in known[0].items():
        if PHENOMENA[name].category != category:
            category = PHENOMENA[name].category
            view.add_row(Text(category, style="bold"))
        values = [_score(each[name].correlation.value) if name in each else "" for each in known]
        view.add_row(f"  {_name(finding, width)}", *values, *_difference(differences.get(name)))
    return view


def _difference(compared: Compared | None) -> list[str | Text]:
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


def _between(found: Interval) -> str:
    return f"[{found.low:.2f}, {found.high:.2f}]".replace("-", "−")

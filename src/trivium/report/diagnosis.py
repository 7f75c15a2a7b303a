"""A diagnosis as a page: phenomena by category, with intervals, baselines, and the worst examples to read."""

from __future__ import annotations

from collections.abc import Sequence

from trivium.benchmarks.curriculum.design import INOCULATION
from trivium.benchmarks.curriculum.limits import about_length, about_sources
from trivium.measure.bootstrap import Interval
from trivium.measure.chart import Chart, Point
from trivium.measure.table import SCORE, Cell, Row, Table
from trivium.report.document import Document
from trivium.report.formatting import prefixed_by_model
from trivium.settings import to_toml
from trivium.tools.diagnosis import STATES, Compared, Diagnosis, Finding

_RULE = (
    "By the 95 % interval of the correlation. Mastered: at least 0.5, and surely right more often than the most "
    "frequent label and the hypothesis alone. In part: above 0. Missing: below 0.2. Reversed: below 0. Undecided: more "
    "examples would tell. Of 36 phenomena that a model knows nothing of, about one looks better by chance."
)


def diagnosis_document(found: Sequence[Diagnosis], compared: Sequence[Compared], command: str) -> Document:
    """The page of one model, or of two that are compared."""
    prefixed = prefixed_by_model(found)
    keys = [step.key for one in found for step in one.design.predictions.values()]
    return Document(
        title="Diagnosis of " + " and ".join(one.model for one in found),
        lead=(*(line for one, prefix in prefixed for line in summary(one, prefix)), *comparison(found, compared)),
        caveats=tuple(line for one, prefix in prefixed for line in caveats(one, prefix)),
        tables=(
            *([comparison_table(found, compared)] if compared else []),
            *(table for one in found for table in diagnosis_tables(one)),
        ),
        charts=(_correlations(found), *map(_accuracies, found)),
        error_examples=tuple(gallery for one, prefix in prefixed for gallery in one.worst(prefix=prefix)),
        settings="\n".join(to_toml(one.design.settings) for one in found),
        commands=(command,),
        environment=tuple(sorted(found[0].results.store.environment(keys).items())),
    )


def summary(found: Diagnosis, prefix: str = "") -> list[str]:
    """How many phenomena are in which state, and which."""
    lines = []
    for state in STATES:
        mine = found.of(state)
        names = ", ".join(f"{one.phenomenon.name} {one.correlation.value:.2f}" for one in mine).replace("-0.", "−0.")
        if mine or state not in ("undecided", "reversed"):
            lines.append(f"{state.capitalize()} ({len(mine)}): {names or 'none'}.")
    taught = [one for one in found.findings if one.taught is not None and one.taught.low > 0]
    if INOCULATION in found.design.settings.run.tests:
        points = ", ".join(f"{one.phenomenon.name} {100 * one.taught.value:+.0f}" for one in taught if one.taught)
        size = found.design.settings.run.sizes[0]
        lines.append(f"Significantly better after {size} examples a label ({len(taught)}): {points or 'none'}.")
    return [prefix + line for line in lines]


def caveats(found: Diagnosis, prefix: str = "") -> list[str]:
    """What limits a diagnosis."""
    lines = [*about_sources(found.design), *about_length(found.results, "--max-length")]
    if INOCULATION in found.design.settings.run.tests:
        short = [one.phenomenon.name for one in found.findings if one.recovered is None]
        if short:
            lines.append(f"Not inoculated, for want of so many examples: {', '.join(short)}.")
    if len(found.results.asked_labels) == 2:
        lines.append("The model knows two labels: neutral and contradiction count as not entailed everywhere.")
    return [prefix + line for line in lines]


def diagnosis_tables(found: Diagnosis) -> list[Table]:
    """Correlation with its interval, and accuracy beside the baselines."""
    rows = [Row(_name(one), (Cell(one.correlation),), one.phenomenon.category) for one in found.findings]
    correlation = Table(found.model, "Matthews' correlation, zero-shot", ("correlation",), tuple(rows), SCORE, (_RULE,))
    taught = INOCULATION in found.design.settings.run.tests
    after = (f"after {found.design.settings.run.sizes[0]} a label",) if taught else ()
    columns = ("accuracy", "majority", "hypothesis only", *after)
    rows = [Row(_name(one), _accuracy_cells(one, taught), one.phenomenon.category) for one in found.findings]
    note = "Hypothesis only: a linear model of words and pairs of words, which sees no premise."
    return [correlation, Table(found.model, "Accuracy, zero-shot", columns, tuple(rows), "%", (note,))]


def comparison(found: Sequence[Diagnosis], compared: Sequence[Compared]) -> list[str]:
    """Which differences between two models are significant."""
    if not compared:
        return []
    lines = []
    for better, model in ((True, found[1].model), (False, found[0].model)):
        mine = [one for one in compared if one.is_significant and (one.difference.value > 0) == better]
        names = ", ".join(f"{one.phenomenon.name} {100 * abs(one.difference.value):+.1f}" for one in mine)
        lines.append(f"{model} is significantly better on {len(mine)} of {len(compared)} phenomena: {names or 'none'}.")
    return lines


def comparison_table(found: Sequence[Diagnosis], compared: Sequence[Compared]) -> Table:
    """The difference of the accuracies of two models on each phenomenon."""
    rows = [
        Row(
            f"{one.phenomenon.title} ({one.phenomenon.name}): p {one.p:.3f}{_star(one)}",
            (Cell(_percent(one.difference)),),
            one.phenomenon.category,
        )
        for one in compared
    ]
    note = "Paired bootstrap over examples; p is corrected for the number of phenomena (Holm)."
    title = f"Accuracy, {found[1].model} − {found[0].model}"
    return Table("Compared", title, ("difference, points",), tuple(rows), "%", (note,))


def _correlations(found: Sequence[Diagnosis]) -> Chart:
    points = [
        Point(one.phenomenon.category, diagnosis.model, one.phenomenon.name, one.correlation)
        for diagnosis in found
        for one in diagnosis.findings
    ]
    caption = "0: no better than chance; with 95 % intervals."
    return Chart("correlation", "Which phenomena are captured", caption, "rows", "Matthews' correlation", tuple(points))


def _accuracies(found: Diagnosis) -> Chart:
    points = []
    for one in found.findings:
        place = one.phenomenon.category, one.phenomenon.name
        points.append(Point(place[0], found.model, place[1], _percent(one.accuracy)))
        points.append(Point(place[0], "hypothesis only", place[1], _exactly(one.alone)))
        points.append(Point(place[0], "majority", place[1], _exactly(one.majority)))
        if one.recovered is not None:
            points.append(Point(place[0], "after inoculation", place[1], _percent(one.recovered)))
    caption = "Accuracy before any teaching, beside what needs no understanding."
    return Chart("accuracy", f"Accuracy of {found.model}, and baselines", caption, "rows", "accuracy, %", tuple(points))


def _accuracy_cells(finding: Finding, taught: bool) -> tuple[Cell, ...]:
    shares = (Cell.exactly(100 * share) for share in (finding.majority, finding.alone))
    cells = (Cell(_percent(finding.accuracy)), *shares)
    if not taught:
        return cells
    return *cells, Cell(None if finding.recovered is None else _percent(finding.recovered))


def _star(compared: Compared) -> str:
    return ", significant" if compared.is_significant else ""


def _name(finding: Finding) -> str:
    return f"{finding.phenomenon.title} ({finding.phenomenon.name}): {finding.state}"


def _percent(found: Interval) -> Interval:
    return Interval(100 * found.value, 100 * found.low, 100 * found.high)


def _exactly(share: float) -> Interval:
    return Interval(100 * share, 100 * share, 100 * share)

"""The report of a diagnosis: phenomena by category with intervals and baselines, and the worst errors."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from trivium.benchmarks.curriculum.design import INOCULATION
from trivium.benchmarks.curriculum.limits import length_caveats, source_caveats
from trivium.errors import option
from trivium.measure.baselines import BASELINES
from trivium.measure.chart import Chart, Point
from trivium.measure.statistics.intervals import Interval
from trivium.measure.table import COUNT, SCORE, Cell, Row, Table
from trivium.report.document import Document
from trivium.report.formatting import percent, prefixed_by_model
from trivium.settings import to_toml
from trivium.tools.diagnosis import STATES, ComparedPhenomenon, Diagnosis, Finding, State

_MAX_NAMED = 6

_MEANINGS: dict[State, str] = {
    "mastered": "The interval of the correlation is at or above 0.5, and the model is significantly more accurate than "
    "the best of three baselines: the most frequent label, a negation, and a linear model of the hypothesis.",
    "in part": "The interval is above 0: better than chance, but not mastered.",
    "undecided": "The interval allows several states: more examples are needed.",
    "missing": "The interval is below 0.2: no more than a trace of the skill.",
    "reversed": "The interval is below 0: the answers are systematically wrong, as if labels were swapped.",
}
_RULE = "Of 36 phenomena that a model has not learned, about one looks better than it is by chance."


def diagnosis_document(
    diagnoses: Sequence[Diagnosis], compared: Sequence[ComparedPhenomenon], command: str
) -> Document:
    """Return the report of one model, or of the comparison of two."""
    prefixed = prefixed_by_model(diagnoses)
    keys = [step.key for diagnosis in diagnoses for step in diagnosis.design.predictions.values()]
    accuracies = [_accuracies_chart(diagnosis, diagnoses[0].findings) for diagnosis in diagnoses]
    summaries = [line for diagnosis, prefix in prefixed for line in summary(diagnosis, prefix)]
    return Document(
        title="Diagnosis of " + " and ".join(diagnosis.model for diagnosis in diagnoses),
        lead=(*summaries, *comparison(diagnoses, compared)),
        caveats=tuple(line for diagnosis, prefix in prefixed for line in caveats(diagnosis, prefix)),
        tables=(
            states_table(diagnoses),
            *([comparison_table(diagnoses, compared)] if compared else []),
            *(table for diagnosis in diagnoses for table in diagnosis_tables(diagnosis)),
        ),
        charts=(_correlations_chart(diagnoses), *accuracies),
        error_examples=tuple(group for diagnosis, prefix in prefixed for group in diagnosis.worst(prefix=prefix)),
        settings="\n".join(to_toml(diagnosis.design.settings, _applied(diagnosis)) for diagnosis in diagnoses),
        commands=(command,),
        next_steps=tuple(next_steps(diagnoses[-1])),
        environment=tuple(sorted(diagnoses[0].results.store.environment(keys).items())),
    )


def states_table(diagnoses: Sequence[Diagnosis]) -> Table:
    """Return what the states mean, and the number of phenomena in each."""
    rows = tuple(
        Row(
            state.capitalize(),
            tuple(Cell.without_interval(len(diagnosis.with_state(state))) for diagnosis in diagnoses),
            about=_MEANINGS[state],
        )
        for state in STATES
    )
    columns = tuple(diagnosis.model for diagnosis in diagnoses) if len(diagnoses) > 1 else ("phenomena",)
    note = "By the 95 % interval of Matthews' correlation: 1 is perfect, 0 no better than chance, −1 always wrong."
    return Table("States", "What they mean, and the number of phenomena in each", columns, rows, COUNT, (note, _RULE))


def next_steps(diagnosis: Diagnosis) -> Iterator[tuple[str, str]]:
    """Yield what to do next, with commands for this model."""
    model = shlex.quote(diagnosis.model)
    undecided, lacking = diagnosis.with_state("undecided"), diagnosis.with_state("missing")
    if undecided:
        only = " ".join(f"--only {finding.phenomenon.name}" for finding in undecided[:_MAX_NAMED])
        sample = 5 * diagnosis.design.settings.data.validation
        yield "Decide what is undecided, with more examples:", f"trivium diagnose {model} {only} --sample {sample}"
    if lacking and INOCULATION not in diagnosis.design.settings.run.tests:
        only = " ".join(f"--only {finding.phenomenon.name}" for finding in lacking[:_MAX_NAMED])
        yield "See whether a few examples teach what is missing:", f"trivium diagnose {model} {only} --inoculate 100"
    yield (
        "Correct it from examples of your own, and see what the correction costs elsewhere:",
        f"trivium correct {model} --examples corrections.csv",
    )
    yield "Compare it with another model:", f"trivium diagnose {model} OTHER-MODEL --report compared.html"


def summary(diagnosis: Diagnosis, prefix: str = "") -> list[str]:
    """Return the phenomena in each state, and those that improve significantly after inoculation."""
    lines = []
    for state in STATES:
        findings = diagnosis.with_state(state)
        names = ", ".join(f"{finding.phenomenon.title} {finding.correlation.value:.2f}" for finding in findings)
        if findings or state not in ("undecided", "reversed"):
            lines.append(f"{state.capitalize()} ({len(findings)}): {names.replace('-0.', '−0.') or 'none'}.")
    if INOCULATION in diagnosis.design.settings.run.tests:
        gains = {
            finding.phenomenon.title: finding.inoculation_gain
            for finding in diagnosis.findings
            if finding.inoculation_gain is not None and finding.inoculation_gain.low > 0
        }
        points = ", ".join(f"{name} {100 * gain.value:+.0f}" for name, gain in gains.items())
        size = diagnosis.design.settings.run.sizes[0]
        lines.append(f"Significantly better after {size} examples per label ({len(gains)}): {points or 'none'}.")
    return [prefix + line for line in lines]


def caveats(diagnosis: Diagnosis, prefix: str = "") -> list[str]:
    """Return the limitations to report with a diagnosis."""
    run = diagnosis.design.settings.run
    lines = [*source_caveats(diagnosis.design), *length_caveats(diagnosis.results, option("max_length"))]
    if INOCULATION in run.tests:
        skipped = [finding.phenomenon.title for finding in diagnosis.findings if finding.inoculated_accuracy is None]
        if skipped:
            lines.append(f"Skipped inoculation (fewer than {run.sizes[0]} examples per label): {', '.join(skipped)}.")
    constant = [
        f"{finding.phenomenon.title} ({finding.constant})" for finding in diagnosis.findings if finding.constant
    ]
    if constant:
        lines.append(f"Constant answers, the same label for every example: {', '.join(constant)}.")
    doubtful = [finding.phenomenon.title for finding in diagnosis.findings if finding.doubt]
    if doubtful:
        lines.append(f"Suspect gold labels: {', '.join(doubtful)}. A low figure says little about the model.")
    if len(diagnosis.results.model_labels) == 2:
        lines.append("The model has two labels: neutral and contradiction count as not entailed everywhere.")
    return [prefix + line for line in lines]


def diagnosis_tables(diagnosis: Diagnosis) -> list[Table]:
    """Return the correlations, and the accuracies beside the baselines."""
    run = diagnosis.design.settings.run
    rows = [
        Row(_name(finding), (Cell(finding.correlation),), finding.phenomenon.category, _about(finding))
        for finding in diagnosis.findings
    ]
    title = "Matthews' correlation, zero-shot"
    correlations = Table(diagnosis.model, title, ("correlation",), tuple(rows), SCORE)
    inoculated = INOCULATION in run.tests
    after = (f"after {run.sizes[0]} per label",) if inoculated else ()
    columns = ("accuracy", *BASELINES, *after)
    rows = [
        Row(_name(finding), _accuracy_cells(finding, inoculated), finding.phenomenon.category)
        for finding in diagnosis.findings
    ]
    note = (
        "Negation: one label if exactly one of the two sentences has a negation, another one if not. Hypothesis only: "
        "a linear model of unigrams and bigrams of the hypothesis, which does not see the premise."
    )
    return [correlations, Table(diagnosis.model, "Accuracy, zero-shot", columns, tuple(rows), "%", (note,))]


def comparison(diagnoses: Sequence[Diagnosis], compared: Sequence[ComparedPhenomenon]) -> list[str]:
    """Return the significant differences between two models, one line for each model."""
    if not compared:
        return []
    lines = []
    for is_positive, model in ((True, diagnoses[1].model), (False, diagnoses[0].model)):
        better = [each for each in compared if each.is_significant and (each.difference.value > 0) == is_positive]
        names = ", ".join(f"{each.phenomenon.title} {100 * abs(each.difference.value):+.1f} points" for each in better)
        lines.append(
            f"{model} is significantly better on {len(better)} of {len(compared)} phenomena: {names or 'none'}."
        )
    return lines


def comparison_table(diagnoses: Sequence[Diagnosis], compared: Sequence[ComparedPhenomenon]) -> Table:
    """Return the difference in accuracy of two models on each phenomenon."""
    rows = [
        Row(
            f"{each.phenomenon.title}: p {each.p:.3f}{_significance(each)}",
            (Cell(percent(each.difference)),),
            each.phenomenon.category,
        )
        for each in compared
    ]
    note = "Differences in percentage points, paired by example; p is corrected for the number of phenomena (Holm)."
    title = f"Accuracy, {diagnoses[1].model} − {diagnoses[0].model}"
    return Table("Compared", title, ("difference",), tuple(rows), "points", (note,))


def _correlations_chart(diagnoses: Sequence[Diagnosis]) -> Chart:
    points = [
        Point(finding.phenomenon.category, diagnosis.model, finding.phenomenon.title, finding.correlation)
        for diagnosis in diagnoses
        for finding in diagnosis.findings
    ]
    caption = "With 95 % intervals; 0 is no better than chance."
    title = "Correlation by phenomenon"
    return Chart("correlation", title, caption, "rows", "Matthews' correlation", tuple(points))


def _accuracies_chart(diagnosis: Diagnosis, order: Sequence[Finding]) -> Chart:
    """Return the accuracies of a model, in the order of the findings of the first one."""
    names = [finding.phenomenon.name for finding in order]
    points = []
    for finding in sorted(diagnosis.findings, key=lambda each: names.index(each.phenomenon.name)):
        category, name = finding.phenomenon.category, finding.phenomenon.title
        points.append(Point(category, diagnosis.model, name, percent(finding.accuracy)))
        for baseline, share in list(finding.baselines.items())[::-1]:
            points.append(Point(category, baseline, name, _without_interval(share)))
        if finding.inoculated_accuracy is not None:
            points.append(Point(category, "after inoculation", name, percent(finding.inoculated_accuracy)))
    caption = "Zero-shot accuracy beside baselines that need no understanding."
    title = f"Accuracy of {diagnosis.model}, and baselines"
    return Chart("accuracy", title, caption, "rows", "accuracy, %", tuple(points))


def _accuracy_cells(finding: Finding, inoculated: bool) -> tuple[Cell, ...]:
    shares = (finding.baselines.get(name) for name in BASELINES)
    baselines = (Cell() if share is None else Cell.without_interval(100 * share) for share in shares)
    cells = (Cell(percent(finding.accuracy)), *baselines)
    if not inoculated:
        return cells
    return *cells, Cell(None if finding.inoculated_accuracy is None else percent(finding.inoculated_accuracy))


def _significance(compared: ComparedPhenomenon) -> str:
    return ", significant" if compared.is_significant else ""


def _name(finding: Finding) -> str:
    return f"{finding.phenomenon.title}: {finding.state}"


def _about(finding: Finding) -> str:
    """Return what a phenomenon tests, whether all answers are the same, and whether its labels are suspect."""
    parts = [finding.phenomenon.sentence]
    if finding.constant:
        parts.append(f"The model always answers {finding.constant}.")
    if finding.doubt:
        parts.append(f"Suspect gold labels. {finding.doubt}")
    return " ".join(parts)


def _applied(diagnosis: Diagnosis) -> dict[str, Any]:
    """Return the names of the settings that a diagnosis uses: a given model is not trained on a base."""
    names = {"source": True, "data_seed": True, "data": {"validation"}, "model": True}
    inoculated = INOCULATION in diagnosis.design.settings.run.tests
    run = {"phenomena", "tests", *(("sizes", "seeds") if inoculated else ())}
    return {**names, "run": run, **({"inoculate": True} if inoculated else {})}


def _without_interval(share: float) -> Interval:
    return Interval(100 * share, 100 * share, 100 * share)

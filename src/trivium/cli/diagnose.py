"""``trivium diagnose``: which phenomena a classifier masters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from trivium.cli.console import out, resumable, say
from trivium.cli.options import (
    STORE,
    Composer,
    Device,
    JsonFile,
    LearningRate,
    MaxLength,
    Plugins,
    Precision,
    ReportFile,
    StoreFolder,
    Workers,
    check_files,
    command_line,
    open_session,
    write_files,
)
from trivium.cli.stress import show_stress

if TYPE_CHECKING:
    from trivium.tools.diagnosis import ComparedPhenomenon, Diagnosis
    from trivium.tools.stress import Stress


def diagnose(
    models: Annotated[
        list[str],
        typer.Argument(metavar="MODEL [MODEL]", help="A classifier: a folder, or a name on a hub. Two are compared."),
    ],
    only: Annotated[
        list[str] | None, typer.Option("--only", help="A phenomenon or a category; repeatable. Default: all.")
    ] = None,
    source: Annotated[
        str,
        typer.Option(
            "--source",
            help="The examples: curriculum (released), builtin (generated), or auto (released if available).",
        ),
    ] = "auto",
    sample: Annotated[
        int, typer.Option("--sample", min=10, help="The maximum number of examples of each phenomenon.")
    ] = 200,
    inoculate: Annotated[
        int,
        typer.Option("--inoculate", min=0, help="Also train on this many examples of each label, and measure again."),
    ] = 0,
    stress: Annotated[
        list[str] | None,
        typer.Option("--stress", help="Also test pairs with conjunctions: conjnli, or a set of your own; repeatable."),
    ] = None,
    rate: LearningRate = 5e-5,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often --inoculate shows each example.")] = 3,
    length: MaxLength = 512,
    device: Device = "cpu",
    precision: Precision = "fp32",
    report: ReportFile = None,
    figures: JsonFile = None,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    composer: Composer = "head",
    plugin: Plugins = None,
) -> None:
    """Find out which linguistic phenomena a classifier masters, and which it lacks."""
    check_files(report, figures)
    session = open_session(store, workers, plugin)
    with resumable():
        result = session.diagnose(
            models,
            only=only or (),
            source=source,
            sample=sample,
            inoculate=inoculate,
            stress=stress or (),
            learning_rate=rate,
            epochs=epochs,
            max_length=length,
            device=device,
            composer=composer,
            precision=precision,
        )
    _show(result.diagnoses, result.compared, result.stress)
    for line in write_files(replace(result, command=command_line()), report, figures):
        say(line)


def _show(
    diagnoses: Sequence[Diagnosis], compared: Sequence[ComparedPhenomenon], stress_tests: Sequence[Stress]
) -> None:
    """Print the table of phenomena, the summary and limitations, and the stress tests."""
    from trivium.cli.diagnosis_view import comparison_view, model_view
    from trivium.report.diagnosis import caveats, comparison, summary
    from trivium.report.formatting import prefixed_by_model

    prefixed = prefixed_by_model(diagnoses)
    is_comparison = len(diagnoses) == 2
    out.print(comparison_view(diagnoses, compared, out.width) if is_comparison else model_view(diagnoses[0], out.width))
    lines = [line for diagnosis, prefix in prefixed for line in summary(diagnosis, prefix)]
    lines += comparison(diagnoses, compared)
    lines += [line for diagnosis, prefix in prefixed for line in caveats(diagnosis, prefix)]
    for line in lines:
        out.print(line, markup=False)
    for stress, prefix in prefixed_by_model(stress_tests):
        show_stress(stress, prefix)

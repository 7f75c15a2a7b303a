"""Options that several commands share, so that a name has the same meaning everywhere."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trivium.cli.console import say
from trivium.errors import UserError

if TYPE_CHECKING:
    from trivium.results.base import Result
    from trivium.session import Session

STORE = ".trivium"


def _rate(value: float | None) -> float | None:
    if value is not None and not 0 < value < 1:
        raise UserError(f"--learning-rate {value:g}: must be between 0 and 1")
    return value


def _device(value: str) -> str:
    if value not in ("cpu", "cuda"):
        raise UserError(f"--device {value}: must be 'cpu' or 'cuda'")
    return value


BenchmarkName = Annotated[str, typer.Argument(metavar="BENCHMARK", help="The benchmark; see trivium list benchmarks.")]
RunName = Annotated[
    str, typer.Argument(metavar="RUN", help="The name of a run (see trivium status), or a benchmark with --preset.")
]
Preset = Annotated[str, typer.Option("--preset", help="A preset by name, or a TOML file of your own.")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Override a setting, such as train.epochs=2; repeatable."),
]
Strategies = Annotated[
    str | None,
    typer.Option("--strategies", metavar="A,B,…", help="The strategies to run: short for --set run.strategies=A,B,…."),
]
StoreFolder = Annotated[
    str,
    typer.Option("--store", envvar="TRIVIUM_STORE", help="Where finished steps are kept: a folder, or s3://…, gs://…."),
]
Workers = Annotated[
    int, typer.Option("--workers", min=0, help="Worker processes; 0: as many as the cores allow, or one for each GPU.")
]
On = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="EXECUTOR",
        envvar="TRIVIUM_EXECUTOR",
        help="Where steps run: local, inline, ray, ray://HOST:PORT, or a plugin's.",
    ),
]
Processor = Annotated[
    str,
    typer.Option(
        "--processor",
        help="Run steps only on this type of processor, for identical bytes on a mixed cluster; 'this': the local one.",
    ),
]
KeepModels = Annotated[
    str,
    typer.Option(
        "--keep-models",
        help="Which trained models stay in the store: 'needed' (none after the run), 'shared' (those that later stages "
        "start from, so that a new strategy needs no new first stages) or 'all'.",
    ),
]
Plugins = Annotated[
    list[Path] | None,
    typer.Option(
        "--plugin", help="A Python file with strategies, sources, phenomena or benchmarks of your own; repeatable."
    ),
]
Track = Annotated[
    list[str] | None,
    typer.Option("--track", metavar="TRACKER", help="tensorboard:DIR, mlflow:URI, or a plugin's; repeatable."),
]
ReportFile = Annotated[Path | None, typer.Option("--report", help="Also write a report: .html or .md.")]
JsonFile = Annotated[Path | None, typer.Option("--json", help="Also write all figures: .json, or .csv for a table.")]
ModelName = Annotated[str, typer.Argument(metavar="MODEL", help="A classifier: a folder, or a name on a hub.")]
Premise = Annotated[str | None, typer.Option("--premise", metavar="COLUMN", help="The column of the premises.")]
Hypothesis = Annotated[str | None, typer.Option("--hypothesis", metavar="COLUMN", help="The column of the hypotheses.")]
Label = Annotated[str | None, typer.Option("--label", metavar="COLUMN", help="The column of the labels.")]
LabelNames = Annotated[
    str | None,
    typer.Option("--labels", help="The names of the labels 0, 1, …, such as entailment,neutral,contradiction."),
]
MaxLength = Annotated[
    int,
    typer.Option("--max-length", min=16, max=8192, help="The maximum number of tokens; longer texts are truncated."),
]
LearningRate = Annotated[float, typer.Option("--learning-rate", callback=_rate, help="The learning rate.")]
AnyLearningRate = Annotated[
    float | None, typer.Option("--learning-rate", callback=_rate, help="The learning rate of all methods.")
]
Device = Annotated[str, typer.Option("--device", callback=_device, help="Where to compute: cpu or cuda.")]
Precision = Annotated[
    str, typer.Option("--precision", help="How to compute predictions: fp32, bf16, or int8 (faster on a CPU, inexact).")
]
Seed = Annotated[int, typer.Option("--seed", help="The seed of all random choices.")]
Composer = Annotated[
    str,
    typer.Option(
        "--composer", help="How pairs whose premise embeds a clause are answered; see trivium list composers."
    ),
]


def open_session(
    store: str = STORE,
    workers: int = 0,
    plugin: Sequence[Path] | None = None,
    keep_models: str = "needed",
    track: Sequence[str] | None = None,
    on: str | None = None,
    processor: str = "",
) -> Session:
    """Return a session that prints what it plans and shows progress in the terminal."""
    from trivium.engine.progress import ConsoleProgress
    from trivium.session import Session

    checked_by_session: Any = keep_models
    return Session(
        store,
        on,
        progress=ConsoleProgress(say),
        workers=workers,
        keep_models=checked_by_session,
        plugins=plugin or (),
        track=track or (),
        processor=processor,
    )


def check_files(report: Path | None, figures: Path | None = None, predictions: Path | None = None) -> None:
    """Raise, before any work is done, if a report, a file of figures or one of predictions cannot be written."""
    from trivium.results.base import check_report
    from trivium.saving import check_writable_file
    from trivium.tools.prediction_files import check_predictions_path

    if report is not None:
        check_report(report)
    if figures is not None:
        check_writable_file(figures)
    if predictions is not None:
        check_predictions_path(predictions)


def write_files(result: Result, report: Path | None, figures: Path | None = None) -> list[str]:
    """Write the report and the figures, if requested, and return a line about each file."""
    from trivium.results.base import write_rows
    from trivium.saving import write_text

    lines = []
    if figures is not None:
        if figures.suffix.lower() == ".csv":
            write_rows(result.figure_rows(), figures, "csv")
        else:
            write_text(figures, json.dumps(result.to_json(), indent=1, ensure_ascii=False) + "\n")
        lines.append(f"Wrote all figures to {figures}")
    if report is not None:
        result.report(report)
        lines.append(f"Wrote the report to {report}")
    return lines


def command_line() -> str:
    """Return the command as it was typed, for reports."""
    return shlex.join(["trivium", *sys.argv[1:]])

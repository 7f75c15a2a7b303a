"""``trivium evaluate`` and ``trivium predict``: apply a classifier to a file of pairs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from trivium.cli.console import out, resumable, say
from trivium.cli.options import (
    STORE,
    Device,
    Hypothesis,
    JsonFile,
    Label,
    LabelNames,
    MaxLength,
    ModelName,
    Precision,
    Premise,
    ReportFile,
    StoreFolder,
    Workers,
    check_files,
    command_line,
    open_session,
    write_files,
)

Data = Annotated[Path, typer.Argument(metavar="FILE", help="Pairs: .jsonl, .csv, .tsv or .parquet.")]


def evaluate(
    model: ModelName,
    data: Data,
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="COLUMN", help="Also score each value of a metadata column; repeatable."),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--out", help="Also write the predictions: .csv, .tsv, .jsonl or .parquet.")
    ] = None,
    premise: Premise = None,
    hypothesis: Hypothesis = None,
    label: Label = None,
    labels: LabelNames = None,
    length: MaxLength = 512,
    device: Device = "cpu",
    precision: Precision = "fp32",
    report: ReportFile = None,
    figures: JsonFile = None,
    store: StoreFolder = STORE,
    workers: Workers = 0,
) -> None:
    """Score a classifier on your own pairs: accuracy, MCC, F1 and confusion, overall and by metadata column."""
    from trivium.report.terminal import table_view

    check_files(report, figures, file)
    session = open_session(store, workers)
    with resumable():
        result = session.evaluate(
            str(model),
            data,
            by=by,
            premise=premise,
            hypothesis=hypothesis,
            label=label,
            labels=labels,
            max_length=length,
            device=device,
            precision=precision,
        )
    document = result.document()
    for table in document.tables:
        out.print(table_view(table))
    for line in (*document.lead, *document.caveats):
        say(line)
    if file is not None:
        say(f"Wrote the predictions to {result.write_predictions(file)}")
    for line in write_files(replace(result, command=command_line()), report, figures):
        say(line)


def predict(
    model: ModelName,
    data: Data,
    file: Annotated[
        Path | None, typer.Option("--out", help="The file to write: .csv, .tsv, .jsonl or .parquet.")
    ] = None,
    premise: Premise = None,
    hypothesis: Hypothesis = None,
    length: MaxLength = 512,
    device: Device = "cpu",
    store: StoreFolder = STORE,
    workers: Workers = 0,
) -> None:
    """Predict a label for each pair of a file; labels in the file are not needed."""
    check_files(None, None, file)
    session = open_session(store, workers)
    with resumable():
        result = session.predict(
            str(model), data, premise=premise, hypothesis=hypothesis, max_length=length, device=device
        )
    if file is not None:
        say(f"Wrote {len(result.rows()):,} predictions to {result.write_predictions(file)}")
        return
    for row in result.rows():
        say(f"{row['predicted']}\t{row['probability']:.3f}\t{row['premise']} → {row['hypothesis']}")

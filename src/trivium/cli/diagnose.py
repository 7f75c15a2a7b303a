"""``trivium diagnose``: which phenomena a model masters."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trivium.cli.benchmarks import STORE, StoreFolder, Workers, check_report, open_store, run_steps
from trivium.cli.console import out
from trivium.cli.listing import Plugins
from trivium.cli.stress import show_stress
from trivium.cli.train import Device, LearningRate
from trivium.errors import UserError
from trivium.plugins import load_plugins
from trivium.saving import check_file, write_text

if TYPE_CHECKING:
    from trivium.tools.diagnosis import Compared, Diagnosis
    from trivium.tools.stress import Stress

_RESAMPLES = 1000
_RESAMPLES_TO_COMPARE = 20_000  # the p of 36 comparisons, corrected, cannot be below 72 / this


def diagnose(
    models: Annotated[
        list[str],
        typer.Argument(metavar="MODEL [MODEL]", help="A classifier: a folder, or a name on a hub. Two are compared."),
    ],
    only: Annotated[
        list[str] | None, typer.Option("--only", help="A phenomenon or a category; may be repeated. Default: all.")
    ] = None,
    source: Annotated[
        str,
        typer.Option("--source", help="curriculum (released), builtin (made), or auto: released if they are there."),
    ] = "auto",
    sample: Annotated[int, typer.Option("--sample", min=10, help="At most so many examples of each.")] = 200,
    inoculate: Annotated[
        int, typer.Option("--inoculate", min=0, help="Also teach so many examples of each label, and measure again.")
    ] = 0,
    under: Annotated[
        list[str] | None,
        typer.Option(
            "--stress",
            help="Also ask about pairs with conjunctions: conjnli, or a set of your own as trivium build makes them "
            "(.jsonl, .parquet); may be repeated.",
        ),
    ] = None,
    rate: LearningRate = 5e-5,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often --inoculate shows each example.")] = 3,
    length: Annotated[int, typer.Option("--max-length", min=16, max=8192, help="Tokens that are read.")] = 256,
    device: Device = "cpu",
    page: Annotated[Path | None, typer.Option("--out", help="Also write a page: .html or .md.")] = None,
    machine: Annotated[Path | None, typer.Option("--json", help="Also write all figures as JSON.")] = None,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    plugin: Plugins = None,
) -> None:
    """Find out which linguistic phenomena a model masters, and which it lacks."""
    from trivium.engine.plan import make_plan
    from trivium.learn.config import TrainConfig
    from trivium.tools.diagnosis import compare, diagnosis_settings, prepare_diagnosis
    from trivium.tools.stress import prepare_stress, stress_sets

    _check(models, page, machine)
    load_plugins(plugin or ())
    sets = stress_sets(under or ())
    place = open_store(store)
    train = TrainConfig.model_validate(
        {"learning_rate": rate, "batch_size": 16, "epochs": epochs, "warmup": 0.1, "device": device}
    )
    resamples = _RESAMPLES if len(models) == 1 else _RESAMPLES_TO_COMPARE
    found = []
    for model in models:
        settings = diagnosis_settings(model, only or (), source, sample, inoculate, train, length)
        found.append(prepare_diagnosis(settings, place, resamples))
    stressed = [prepare_stress(model, sets, place, length, device) for model in models] if sets else []
    runs = [run for one in found for run in one.design.runs()] + [run for one in stressed for run in one.runs()]
    about = ", ".join([_phenomena(len(found[0].design.chosen)), *sets])
    run_steps(make_plan(runs, place), place, workers, plugin or (), f"Diagnosis of {' and '.join(models)} on {about}")
    compared = compare(*found) if len(found) == 2 else []
    _show(found, compared, stressed)
    if machine is not None:
        write_text(machine, json.dumps(_figures(found, compared, stressed), indent=1, ensure_ascii=False) + "\n")
        out.print(f"All figures are in {machine}", markup=False)
    if page is not None:
        _write_page(page, found, compared, stressed)


def _phenomena(number: int) -> str:
    return "1 phenomenon" if number == 1 else f"{number} phenomena"


def _check(models: Sequence[str], page: Path | None, machine: Path | None) -> None:
    if len(models) > 2:
        raise UserError(f"{len(models)} models are named: diagnose one, or compare two")
    if len({model.rstrip("/") for model in models}) < len(models):
        raise UserError(f"{models[0]} is named twice: compare two different models")
    if page is not None:
        check_report(page)
    if machine is not None:
        check_file(machine)


def _figures(found: Sequence[Diagnosis], compared: Sequence[Compared], stressed: Sequence[Stress]) -> dict[str, object]:
    """All figures, for machines."""
    plain: list[dict[str, object]] = [one.to_json() for one in found]
    for of_model, one in zip(plain, stressed, strict=False):  # of no model, if no stress was asked for
        of_model["stress"] = one.to_json()["sets"]
    return plain[0] if len(plain) == 1 else {"models": plain, "compared": [one.to_json() for one in compared]}


def _show(found: Sequence[Diagnosis], compared: Sequence[Compared], stressed: Sequence[Stress]) -> None:
    """A line for each phenomenon, then what it comes to and what limits it, then the stress tests."""
    from trivium.cli.diagnosis_view import one_view, two_view
    from trivium.report.diagnosis import caveats, comparison, summary
    from trivium.report.formatting import prefixed_by_model

    prefixed = prefixed_by_model(found)
    out.print(two_view(found, compared, out.width) if len(found) == 2 else one_view(found[0], out.width))
    lines = [line for one, prefix in prefixed for line in summary(one, prefix)]
    lines += comparison(found, compared)
    lines += [line for one, prefix in prefixed for line in caveats(one, prefix)]
    for line in lines:
        out.print(line, markup=False)
    for stress, prefix in prefixed_by_model(stressed):
        show_stress(stress, prefix)


def _write_page(
    page: Path, found: Sequence[Diagnosis], compared: Sequence[Compared], stressed: Sequence[Stress]
) -> None:
    from trivium.report.diagnosis import diagnosis_document
    from trivium.report.formatting import prefixed_by_model
    from trivium.report.stress import stress_document
    from trivium.report.write import write_document

    command = shlex.join(["trivium", *sys.argv[1:]])
    document = diagnosis_document(found, compared, command)
    for one, prefix in prefixed_by_model(stressed):
        document = document.followed_by(stress_document(one, command, prefix))
    write_document(document, page)
    out.print(f"The page is in {page}", markup=False)

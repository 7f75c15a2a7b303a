"""``trivium correct``: teach a classifier a few corrections."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trivium.cli.console import out, resumable, say
from trivium.cli.options import (
    STORE,
    Device,
    JsonFile,
    LearningRate,
    ModelName,
    Plugins,
    ReportFile,
    Seed,
    StoreFolder,
    Workers,
    check_files,
    command_line,
    open_session,
    write_files,
)
from trivium.errors import UserError

if TYPE_CHECKING:
    from trivium.tools.correction import Correction

_SHOWN_LOST = 5


def correct(
    context: typer.Context,
    model: ModelName,
    examples: Annotated[
        Path | None,
        typer.Option("--examples", help="5 to 50 corrections with premise, hypothesis, label (JSONL, CSV, TSV, …)."),
    ] = None,
    guard: Annotated[
        Path | None,
        typer.Option("--guard", help="A file of what must not be forgotten. Default: SNLI, SICK, or built-in."),
    ] = None,
    method: Annotated[
        str,
        typer.Option("--method", help="A strategy (trivium list strategies), pn, knn, or auto: the best of them."),
    ] = "auto",
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out", help="The folder for the corrected model; if it is MODEL, the old model is kept beside it."
        ),
    ] = None,
    allow: Annotated[
        float, typer.Option("--allow", min=0, max=100, help="The loss on the guard, in points, to be ruled out.")
    ] = 0.5,
    report: ReportFile = None,
    figures: JsonFile = None,
    seed: Seed = 0,
    device: Device = "cpu",
    rate: LearningRate = 5e-5,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often each correction is seen.")] = 10,
    undo: Annotated[bool, typer.Option("--undo", help="Restore the model from before the last correction.")] = False,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    plugin: Plugins = None,
) -> None:
    """Correct a classifier with a few examples: show what it gains, and prove how little it forgets."""
    if undo:
        _undo(model, context)
        return
    if examples is None:
        raise UserError("give the corrections with --examples FILE, or undo the last ones with --undo")
    check_files(report, figures)
    from trivium.tools.history import check_place, usual_place
    from trivium.tools.methods import CORRECTING

    place = folder or usual_place(model)
    check_place(model, place)
    session = open_session(store, workers, plugin)
    train = CORRECTING.model_copy(update={"learning_rate": rate, "epochs": epochs, "device": device})
    with resumable():
        result = session.correct(model, examples, guard=guard, method=method, allow=allow, seed=seed, train=train)
    _show(result.correction)
    for line in write_files(replace(result, command=command_line()), report, figures):
        say(line)
    result.save(place)
    say(f"Wrote the corrected model to {place}")


def _undo(model: str, context: typer.Context) -> None:
    from trivium.tools.history import undo

    others = [
        option.opts[0]
        for option in context.command.params
        if option.name not in ("model", "undo") and _is_given(context, str(option.name))
    ]
    if others:
        raise UserError(
            f"--undo takes back the last correction, and nothing else at a time: leave out {', '.join(others)}"
        )
    gone = undo(model)
    number = len(gone.examples)
    out.print(f"{model} is as it was before its last correction ({gone.method}, {number} examples).", markup=False)


def _is_given(context: typer.Context, option: str) -> bool:
    source = context.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


def _show(found: Correction) -> None:
    """What went in, the tables, what it comes to, what was forgotten, and what limits it."""
    from trivium.report.correction import beginning, caveats, correction_tables, summary
    from trivium.report.terminal import table_view

    for line in beginning(found):
        out.print(line, markup=False)
    for table in correction_tables(found):
        out.print()
        out.print(table_view(table))
    out.print()
    if found.taken is not None:
        for line in summary(found):
            out.print(line, markup=False, style="bold")
        _show_lost(found, "guard", "forgotten")
        _show_lost(found, "earlier", "lost of earlier corrections")
    for line in caveats(found):
        out.print(line, markup=False, style="dim")


def _show_lost(found: Correction, part: str, name: str) -> None:
    assert found.taken is not None
    lost = found.lost(part, found.taken)
    for place in lost[:_SHOWN_LOST]:
        example = found.task.part(part)[place]
        said = found.labels.names[getattr(found.taken, part)[place]]
        text = example.premise if example.hypothesis is None else f"{example.premise} → {example.hypothesis}"
        out.print(f"  {name}: {text}  [{example.label}, now {said}]", markup=False, soft_wrap=True)
    if len(lost) > _SHOWN_LOST:
        out.print(f"  … and {len(lost) - _SHOWN_LOST} more: --report shows them.", markup=False)

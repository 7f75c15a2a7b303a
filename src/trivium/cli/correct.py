"""``trivium correct``: correct a classifier with a few examples, and undo corrections."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trivium.cli.console import out, resumable, say
from trivium.cli.options import (
    STORE,
    AnyLearningRate,
    Device,
    Hypothesis,
    JsonFile,
    Label,
    LabelNames,
    ModelName,
    Plugins,
    Premise,
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
    from trivium.data.example import Example
    from trivium.learn.config import TrainConfig
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
        typer.Option(
            "--guard",
            help="A file of examples that must not be forgotten; by default SNLI, SICK or built-in pairs, the first "
            "that is available.",
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            help="lesson, lesson-kd, a strategy (see trivium list strategies), pn, knn, or auto to select the best.",
        ),
    ] = "auto",
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="The folder for the corrected model; by default MODEL-corrected. If it is MODEL itself, the old "
            "model is kept beside it.",
        ),
    ] = None,
    allow: Annotated[
        float,
        typer.Option(
            "--allow",
            min=0,
            max=100,
            help="The largest acceptable loss on the guard and on generated phenomena, in points. No model is written "
            "unless a larger loss is ruled out with 95 % confidence.",
        ),
    ] = 1.5,
    about: Annotated[
        str | None,
        typer.Option(
            "--about", help="The kind of the mistakes, such as negation or hedges, instead of recognizing it."
        ),
    ] = None,
    text: Annotated[
        Path | None, typer.Option("--text", help="A file of sentences, whose words are used in the pairs of a lesson.")
    ] = None,
    replay: Annotated[
        Path | None,
        typer.Option("--replay", help="A file of pairs that lessons replay, best the training data of the model."),
    ] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(
            "--pairs",
            help="Write the generated pairs to this .jsonl file, to edit them; if it exists, its pairs are taught.",
        ),
    ] = None,
    runtime: Annotated[
        str,
        typer.Option("--runtime", help="What loads the model: transformers, or trivium, which also allows pn and knn."),
    ] = "transformers",
    premise: Premise = None,
    hypothesis: Hypothesis = None,
    label: Label = None,
    labels: LabelNames = None,
    report: ReportFile = None,
    figures: JsonFile = None,
    seed: Seed = 0,
    device: Device = "cpu",
    rate: AnyLearningRate = None,
    epochs: Annotated[
        int | None, typer.Option("--epochs", min=1, help="How often each correction and pair is seen.")
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Undo the last correction of MODEL.")] = False,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    plugin: Plugins = None,
) -> None:
    """Correct a classifier with a few examples, and measure what it gains and how much it forgets."""
    if undo:
        _undo(model, context)
        return
    if examples is None:
        raise UserError("give the corrections with --examples FILE, or undo the last ones with --undo")
    check_files(report, figures)
    session = open_session(store, workers, plugin)
    session.note("Reading the corrections and the guard …")
    from trivium.tools.history import check_destination, default_folder

    target = folder or default_folder(model)
    check_destination(model, target)
    is_written = pairs is not None and not pairs.exists()
    with resumable():
        result = session.correct(
            model,
            examples,
            guard=guard,
            method=method,
            allow=allow,
            about=about,
            text=text,
            replay=replay,
            pairs=pairs,
            runtime=runtime,
            premise=premise,
            hypothesis=hypothesis,
            label=label,
            labels=labels,
            seed=seed,
            train=_training("CORRECTING", rate, epochs, device),
            lesson=_training("LESSON", rate, epochs, device),
        )
    _show(result.correction)
    if pairs is not None and is_written:
        say(
            f"Wrote {len(result.pairs()):,} generated pairs to {result.write_pairs(pairs)}: edit them, and run it again"
        )
    with resumable():
        saved = result.save(target) if result.method is not None else None
    for line in write_files(replace(result, command=command_line(), saved=saved), report, figures):
        say(line)
    if saved is None:
        result.save(target)  # raises, and says why
    say(f"Wrote the corrected model to {target}; undo with trivium correct {shlex.quote(str(target))} --undo")


def _training(name: str, rate: float | None, epochs: int | None, device: str) -> TrainConfig:
    """Return how corrections or lessons are trained, with the options that are given."""
    from trivium.tools import methods

    default: TrainConfig = getattr(methods, name)
    given = {"learning_rate": rate, "epochs": epochs, "device": device}
    return default.model_copy(update={name: value for name, value in given.items() if value is not None})


def history(model: ModelName) -> None:
    """List the corrections of a model: when, by which method, how many examples, the gain and the loss."""
    from rich.table import Table

    from trivium.tools.history import correction_dates, read_history

    records = read_history(model)
    if not records:
        say(f"{model} was never corrected.")
        return
    table = Table("date", "method", "examples", "guard", box=None, pad_edge=False)
    for heading in ("gain, held out, points", "loss on the guard, points"):
        table.add_column(heading, justify="right")
    for day, record in zip(correction_dates(model), records, strict=True):
        gain, loss = (100 * record.figures[name]["value"] for name in ("held_out_gain", "guard_loss"))
        number = str(len(record.examples))
        table.add_row(day, record.method, number, record.guard, f"{gain:+.1f}", f"{loss:.2f}")
    out.print(table)
    say(f"Undo the last one with trivium correct {shlex.quote(model)} --undo")


def _undo(model: str, context: typer.Context) -> None:
    from trivium.tools.history import undo

    others = [
        option.opts[0]
        for option in context.command.params
        if option.name not in ("model", "undo") and _is_given(context, str(option.name))
    ]
    if others:
        raise UserError(f"--undo cannot be combined with other options: leave out {', '.join(others)}")
    record, kept = undo(model)
    number = len(record.examples)
    say(f"Restored {model} from before its last correction ({record.method}, {number} examples).")
    say(f"The corrected model is kept in {kept}; remove that folder if you do not need it.")


def _is_given(context: typer.Context, option: str) -> bool:
    source = context.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


def _show(correction: Correction) -> None:
    """Print the data, the tables, the summary, forgotten examples and limitations."""
    from trivium.report.correction import correction_tables
    from trivium.report.correction_text import caveats, describe_inputs, summary
    from trivium.report.terminal import table_view

    for line in describe_inputs(correction):
        out.print(line, markup=False)
    for table in correction_tables(correction):
        out.print()
        out.print(table_view(table))
    out.print()
    if correction.selected is not None:
        for line in summary(correction):
            out.print(line, markup=False, style="bold")
        _show_lost(correction, "guard", "forgotten")
        _show_lost(correction, "earlier", "lost earlier correction")
    elif correction.ranked:
        _show_became_wrong(correction)
    for line in caveats(correction):
        out.print(line, markup=False, style="dim")


def _show_became_wrong(correction: Correction) -> None:
    """Print the corrections that the best method gets wrong when they are held out, and that were right before."""
    best = correction.ranked[0]
    assert best.predicted is not None
    for index in correction.became_wrong(best)[:_SHOWN_LOST]:
        example, now = correction.task.corrections.examples[index], correction.labels.names[best.predicted[index]]
        say(f"  wrong when held out, by {best.method}: {_text(example)}  [{example.label}, now {now}]")
    say("  --report lists each correction with the prediction of each method.")


def _text(example: Example) -> str:
    return example.premise if example.hypothesis is None else f"{example.premise} → {example.hypothesis}"


def _show_lost(correction: Correction, part: str, heading: str) -> None:
    """Print some examples of a part of the data that were correct before the correction and are wrong now."""
    assert correction.selected is not None
    lost = correction.lost(part, correction.selected)
    for index in lost[:_SHOWN_LOST]:
        example = correction.task.part(part)[index]
        predicted = correction.labels.names[getattr(correction.selected, part)[index]]
        say(f"  {heading}: {_text(example)}  [{example.label}, now {predicted}]")
    if len(lost) > _SHOWN_LOST:
        say(f"  … and {len(lost) - _SHOWN_LOST} more; --report shows them.")

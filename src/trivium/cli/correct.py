"""``trivium correct``: teach a model a few corrections, and prove that it did not forget."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trivium.cli.benchmarks import check_report
from trivium.cli.console import StoppedError, counting, out
from trivium.cli.train import Device, LearningRate
from trivium.errors import UserError
from trivium.saving import check_file, write_text

if TYPE_CHECKING:
    from trivium.tools.correction import Correction, CorrectionSettings

_SHOWN_LOST = 5


def correct(
    context: typer.Context,
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A classifier: a folder, or a name on a hub.")],
    examples: Annotated[
        Path | None, typer.Option("--examples", help="5 to 50 corrections: premise, hypothesis, label a line (.jsonl).")
    ] = None,
    guard: Annotated[
        Path | None,
        typer.Option("--guard", help="A split file of what must not be forgotten. Default: SNLI, SICK, or built-in."),
    ] = None,
    method: Annotated[
        str,
        typer.Option("--method", help="finetune, scl, mas, er-res, agem, kd, pn, knn, or auto: the best of them."),
    ] = "auto",
    to: Annotated[
        Path | None,
        typer.Option("--out", help="The folder for the corrected model; MODEL itself keeps what was there beside it."),
    ] = None,
    allow: Annotated[
        float, typer.Option("--allow", min=0, max=100, help="The loss on the guard, in points, to be ruled out.")
    ] = 0.5,
    page: Annotated[Path | None, typer.Option("--report", help="Also write a page: .html or .md.")] = None,
    machine: Annotated[Path | None, typer.Option("--json", help="Also write all figures as JSON.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Another number draws and trains otherwise.")] = 0,
    device: Device = "cpu",
    rate: LearningRate = 5e-5,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often each correction is seen.")] = 10,
    undo: Annotated[bool, typer.Option("--undo", help="Put back the model from before the last correction.")] = False,
) -> None:
    """Correct a model by a few examples: what it gains, what it forgets, and a proof that this is little."""
    # Before torch is loaded: threads that wait by spinning take minutes from each other on a machine with other work.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    from trivium.tools.correction import CorrectionSettings
    from trivium.tools.methods import CORRECTING

    if undo:
        _undo(model, context)
        return
    if examples is None:
        raise UserError("name the corrections with --examples FILE, or take back the last ones with --undo")
    if page is not None:
        check_report(page)
    if machine is not None:
        check_file(machine)
    train = CORRECTING.model_copy(update={"learning_rate": rate, "epochs": epochs, "device": device})
    settings = CorrectionSettings(method=method, allow=allow, seed=seed, train=train)
    found, folder = _corrected(model, examples, guard, to, settings)
    written = _write(found, page, machine)
    if found.taken is None:
        raise _refused(found, written)
    for line in (*written, f"the corrected model is in {folder}"):
        out.print(line[0].upper() + line[1:], markup=False)


def _corrected(
    model: str, examples: Path, guard: Path | None, to: Path | None, settings: CorrectionSettings
) -> tuple[Correction, Path]:
    """Correct the model, show what came of it, and save it if it was good enough; and where."""
    from trivium.tools.correction import correct, prepare, save
    from trivium.tools.history import check_place, usual_place

    folder = to or usual_place(model)
    check_place(model, folder)
    try:
        task, loaded = prepare(model, examples, guard, settings)
        with counting("correcting") as progress:
            found = correct(task, loaded, progress)
        _show(found)
        if found.taken is not None:
            save(found, folder)
    except KeyboardInterrupt:
        raise StoppedError("nothing is written") from None
    return found, folder


def _refused(found: Correction, written: Sequence[str]) -> UserError:
    from trivium.report.correction import refusal

    return UserError("; ".join((refusal(found), "no model is written", *written)))


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


def _write(found: Correction, page: Path | None, machine: Path | None) -> list[str]:
    """Write the page and the figures that were asked for, and say where they are."""
    from trivium.report.correction import correction_document, correction_json
    from trivium.report.write import write_document

    lines = []
    if machine is not None:
        write_text(machine, json.dumps(correction_json(found), indent=1, ensure_ascii=False) + "\n")
        lines.append(f"the figures are in {machine}")
    if page is not None:
        write_document(correction_document(found, shlex.join(["trivium", *sys.argv[1:]])), page)
        lines.append(f"the page is in {page}")
    return lines

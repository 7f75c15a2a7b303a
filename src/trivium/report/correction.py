"""The report of a correction: its gains and costs, the methods that were tried, and forgotten examples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from trivium.data.example import Example
from trivium.engine.execute import environment
from trivium.measure.baselines import baselines
from trivium.measure.chart import Chart, Point
from trivium.measure.statistics.flips import Flips
from trivium.measure.statistics.intervals import Interval, bounds, share_interval
from trivium.measure.table import COUNT, Cell, Row, Table
from trivium.report.correction_examples import correction_examples
from trivium.report.correction_text import caveats, describe_inputs, on_all_phenomena, summary, verdict
from trivium.report.document import Document
from trivium.report.formatting import BEST_BASELINE, percent
from trivium.settings import to_toml
from trivium.tools.correction import FOLDS, Correction, Final, Trial, figures_of
from trivium.tools.methods import LESSONS


def correction_document(correction: Correction, command: str, saved: Path | None = None) -> Document:
    """Return the report of a correction; ``saved`` is the folder of the corrected model."""
    about = summary(correction) if correction.selected is not None else []
    return Document(
        title=f"Correction of {correction.task.model}",
        lead=(f"{verdict(correction, saved)}.", *about, *describe_inputs(correction)),
        caveats=tuple(caveats(correction)),
        tables=(*correction_tables(correction), *map(phenomena_table, correction.finals[-1:])),
        charts=(_gains_chart(correction),),
        error_examples=tuple(correction_examples(correction)),
        settings=to_toml(correction.task.settings),
        commands=(command,),
        environment=tuple(sorted(environment(correction.task.settings.train.device).items())),
    )


def correction_json(correction: Correction, saved: Path | None = None) -> dict[str, Any]:
    """Return all figures, and the predictions for each correction, in a form that can be written as JSON."""
    task, final = correction.task, correction.shown
    guard, kind = task.guard, task.lessons.kind
    return {
        "model": task.model,
        "taken": None if correction.selected is None else correction.selected.method,
        "verdict": verdict(correction, saved),
        "settings": task.settings.model_dump(mode="json"),
        "corrections": {"file": str(task.corrections.file), "number": len(task.corrections.examples)},
        "earlier_corrections": len(task.earlier_examples),
        "guard": {"name": guard.name, "remembered": len(guard.remembered), "measured": len(guard.measured)},
        "kind": None if kind is None else {"name": kind.name, "confidence": kind.confidence, "cues": list(kind.cues)},
        "replay": {"name": task.replay.name, "number": len(task.replay.examples)},
        "groups": len(set(task.groups)),
        "nested_gain": bounds(correction.nested.gain()) if correction.ranked else None,
        "trials": [_trial_json(correction, trial) for trial in correction.trials],
        "finals": [figures_of(correction, each) for each in correction.finals],
        "flips": [] if final is None else [flip._asdict() for flip in _flips(correction, final)],
        "forgotten": [] if final is None else _lost_json(correction, "guard", final),
        "lost_earlier": [] if final is None else _lost_json(correction, "earlier", final),
        "cut_texts": correction.truncated,
        "examples": [_correction_json(correction, index) for index in range(len(task.corrections.examples))],
    }


def _correction_json(correction: Correction, index: int) -> dict[str, Any]:
    """Return a correction with the prediction before, and the held-out prediction of each method."""
    example, names = correction.task.corrections.examples[index], correction.labels.names
    trials = {trial.method: trial for trial in correction.ranked}
    return {
        "premise": example.premise,
        "hypothesis": example.hypothesis,
        "label": example.label,
        "before": names[correction.before.corrections[index]],
        "held_out": {
            name: names[trial.predicted[index]] for name, trial in trials.items() if trial.predicted is not None
        },
        "became_wrong": [name for name, trial in trials.items() if index in correction.became_wrong(trial)],
    }


def correction_tables(correction: Correction) -> list[Table]:
    """Return the accuracies before and after, the comparison of methods, and the flips on the guard."""
    final = correction.shown
    if final is None:
        return [_methods_table(correction)]
    return [_accuracies_table(correction, final), _methods_table(correction), _flips_table(correction, final)]


def phenomena_table(final: Final) -> Table:
    """Return the change on each generated phenomenon, the largest loss first."""
    ordered = sorted((*final.phenomena, *final.suites), key=lambda change: -change.flips.value)
    rows = [
        Row(
            f"{change.title} ({change.flips.number:g}){': lost' if change.is_loss else ''}",
            (Cell(percent(change.flips.gain())), Cell.without_interval(change.p)),
        )
        for change in ordered
    ]
    note = "p: of such a loss by chance (McNemar's exact test, one-sided, Holm-corrected). Lost: below 0.05."
    return Table(
        "Phenomena", f"{final.method}, on generated pairs", ("gain, points", "p of a loss"), tuple(rows), "%", (note,)
    )


def _accuracies_table(correction: Correction, final: Final) -> Table:
    trial = correction.trial_of(final)
    assert trial.predicted is not None
    sides = (correction.before.corrections, trial.predicted)
    held_out = [share_interval(predicted == correction.gold.corrections) for predicted in sides]
    examples = correction.task.corrections.examples
    rows = [_row("corrections, held out", held_out, correction.held_out(trial), examples)]
    rows.append(_part_row(correction, "corrections", "corrections, all trained on", final))
    if correction.task.earlier_examples:
        rows.append(_part_row(correction, "earlier", "earlier corrections", final))
    rows.append(_part_row(correction, "guard", "guard", final))
    held = f"{len(correction.folds) or FOLDS}-fold cross-validation over the corrections, by cue and template"
    if final.method in LESSONS:
        held = "a lesson without any of the corrections, or, if its pairs are made from them only, cross-validation"
    note = f"Held out: {held}. Intervals are Wilson's; those of differences Tango's."
    title = "accuracy before and after" + ("" if correction.selected else " (not selected)")
    columns = ("before", "after", "difference, points", "best baseline")
    return Table(final.method, title, columns, tuple(rows), "%", (note, BEST_BASELINE))


def _part_row(correction: Correction, part: str, name: str, final: Final) -> Row:
    gold = getattr(correction.gold, part)
    correct = [getattr(predicted, part) == gold for predicted in (correction.before, final)]
    return _row(name, correction.before_and_after(part, final), Flips.of(*correct), correction.task.part(part))


def _row(name: str, sides: Sequence[Interval], flips: Flips, examples: Sequence[Example]) -> Row:
    cells = (Cell(percent(interval)) for interval in (*sides, flips.gain()))
    baseline = Cell.without_interval(100 * baselines(examples).best())
    return Row(f"{name} ({flips.number:g})", (*cells, baseline))


def _methods_table(correction: Correction) -> Table:
    finals = {final.method: final for final in correction.finals}
    rows = [_method_row(correction, trial, finals.get(trial.method)) for trial in correction.ranked]
    rows += [Row(f"{trial.method}: failed", (Cell(),) * 4) for trial in correction.trials if trial.predicted is None]
    notes = (
        "In points. At most: the one-sided 95 % upper limit of the loss, on the guard or on phenomena (Tango, 1998). "
        "In this order methods whose gain is shown are trained on all corrections and measured, until one passes.",
    )
    columns = ("gain, held out", "gain, trained on", "loss on the guard", "loss on phenomena")
    title = f"gain and cost of each; a loss of {correction.task.settings.allow:g} is allowed"
    return Table("Methods", title, columns, tuple(rows), "%", notes)


def _method_row(correction: Correction, trial: Trial, final: Final | None) -> Row:
    held_out = Cell(percent(correction.held_out(trial).gain()))
    if final is None:
        return Row(trial.method + (": failed" if trial.failed else ""), (held_out, *[Cell.empty()] * 3))
    flips = correction.on_guard(final)
    state = ", selected" if final is correction.selected else "" if correction.gains(final) else ", no gain"
    change = on_all_phenomena(final)
    cells = (
        held_out,
        Cell(percent(correction.on_corrections(final).gain())),
        Cell(percent(flips.loss())),
        Cell.empty() if change is None else Cell(percent(change.flips.loss())),
    )
    bound = math.ceil(1e4 * correction.bound(final)) / 100
    return Row(f"{trial.method}: at most {bound:.2f}{state}", cells)


class _Flip(NamedTuple):
    """Guard examples whose prediction changes from one label to another: how many become correct, wrong, or neither."""

    before: str
    after: str
    fixed: int
    broken: int
    otherwise: int


def _flips(correction: Correction, final: Final) -> list[_Flip]:
    names = correction.labels.names
    golds: dict[tuple[int, int], list[int]] = {}
    for gold, old, new in zip(correction.gold.guard, correction.before.guard, final.guard, strict=True):
        if old != new:
            golds.setdefault((int(old), int(new)), []).append(int(gold))
    return [
        _Flip(names[old], names[new], gold.count(new), gold.count(old), len(gold) - gold.count(new) - gold.count(old))
        for (old, new), gold in sorted(golds.items())
    ]


def _flips_table(correction: Correction, final: Final) -> Table:
    counts = {
        f"{flip.before} → {flip.after}": (flip.fixed, flip.broken, flip.otherwise) for flip in _flips(correction, final)
    }
    totals = [sum(column) for column in zip(*counts.values(), strict=True)] or [0, 0, 0]
    rows = [
        Row(name, tuple(map(Cell.without_interval, numbers))) for name, numbers in (*counts.items(), ("all", totals))
    ]
    note = "Fixed: wrong before, correct now. Broken: correct before, wrong now. Still wrong: wrong before and now."
    columns = ("fixed", "broken", "still wrong")
    return Table("Flips", f"{final.method}, on the guard", columns, tuple(rows), COUNT, (note,))


def _gains_chart(correction: Correction) -> Chart:
    points = [
        Point("", "held out", trial.method, percent(correction.held_out(trial).gain())) for trial in correction.ranked
    ]
    for final in correction.finals:
        points.append(Point("", "guard", final.method, percent(correction.on_guard(final).gain())))
        if (change := on_all_phenomena(final)) is not None:
            points.append(Point("", "phenomena", final.method, percent(change.flips.gain())))
    caption = (
        "Difference in accuracy from the model before the correction, with 95 % intervals. Only methods whose gain is "
        "shown are measured on the guard and on phenomena."
    )
    return Chart("gains", "Gain on corrections, and change on the guard", caption, "rows", "points", tuple(points))


def _lost_json(correction: Correction, part: str, final: Final) -> list[dict[str, Any]]:
    lost = [(index, correction.task.part(part)[index]) for index in correction.lost(part, final)]
    return [
        {
            "premise": example.premise,
            "hypothesis": example.hypothesis,
            "label": example.label,
            "said": correction.labels.names[getattr(final, part)[index]],
        }
        for index, example in lost
    ]


def _trial_json(correction: Correction, trial: Trial) -> dict[str, Any]:
    plain: dict[str, Any] = {"method": trial.method}
    if trial.predicted is not None:
        gain = correction.held_out(trial).gain()
        plain["held_out_gain"] = {"value": gain.value, "low": gain.low, "high": gain.high}
    return plain | ({"failed": trial.failed} if trial.failed else {})

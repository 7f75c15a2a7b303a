"""The report of a correction: its gains and costs, the methods that were tried, and forgotten examples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

from trivium.engine.execute import environment
from trivium.errors import option
from trivium.measure.chart import Chart, Point
from trivium.measure.statistics.flips import Flips, examples_needed, examples_needed_without_flips
from trivium.measure.statistics.intervals import Interval, share_interval
from trivium.measure.table import COUNT, Cell, Row, Table
from trivium.models.classifiers import SUPPORT
from trivium.report.correction_examples import correction_examples
from trivium.report.document import Document
from trivium.report.formatting import percent, signed, signed_bounds
from trivium.settings import to_toml
from trivium.tools.corrected import SUPPORTS
from trivium.tools.correction import FOLDS, Correction, Final, Trial, figures_of
from trivium.tools.correction_data import Guard, guard_size


def correction_document(correction: Correction, command: str, saved: Path | None = None) -> Document:
    """Return the report of a correction; ``saved`` is the folder of the corrected model."""
    about = summary(correction) if correction.selected is not None else []
    return Document(
        title=f"Correction of {correction.task.model}",
        lead=(f"{verdict(correction, saved)}.", *about, *describe_inputs(correction)),
        caveats=tuple(caveats(correction)),
        tables=tuple(correction_tables(correction)),
        charts=(_gains_chart(correction),),
        error_examples=tuple(correction_examples(correction)),
        settings=to_toml(correction.task.settings),
        commands=(command,),
        environment=tuple(sorted(environment(correction.task.settings.train.device).items())),
    )


def correction_json(correction: Correction, saved: Path | None = None) -> dict[str, Any]:
    """Return all figures, and the predictions for each correction, in a form that can be written as JSON."""
    task, final = correction.task, correction.shown
    guard = task.guard
    return {
        "model": task.model,
        "taken": None if correction.selected is None else correction.selected.method,
        "verdict": verdict(correction, saved),
        "settings": task.settings.model_dump(mode="json"),
        "corrections": {"file": str(task.corrections.file), "number": len(task.corrections.examples)},
        "earlier_corrections": len(task.earlier_examples),
        "guard": {"name": guard.name, "remembered": len(guard.remembered), "measured": len(guard.measured)},
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


def verdict(correction: Correction, saved: Path | None = None) -> str:
    """Return whether the correction was accepted, and where the model is, or why not; without a full stop."""
    if correction.selected is None:
        return f"Refused: no model was written, because {refusal(correction)}"
    if saved is None:
        return f"Accepted: {correction.selected.method}; the model has not been written yet"
    return (
        f"Accepted: {correction.selected.method}, written to {saved}; undo with trivium correct {quote(str(saved))} "
        "--undo"
    )


def describe_inputs(correction: Correction) -> list[str]:
    """Return a description of the inputs: the corrections and the guard."""
    task = correction.task
    number, guard = len(task.corrections.examples), task.guard
    line = f"{number} corrections from {task.corrections.file}"
    if task.corrections.repeated:
        line += f" (without {task.corrections.repeated} repeated)"
    correct = int((correction.before.corrections == correction.gold.corrections).sum())
    lines = [f"{line}, of which the model gets {correct} right."]
    if task.earlier_examples:
        lines[0] += f" {len(task.earlier_examples)} earlier corrections are replayed and measured again."
    lines.append(
        f"Guard: {guard.name}. Methods may replay {len(guard.remembered)} of its examples; the other "
        f"{len(guard.measured):,} measure the loss.{_left_out(guard)}"
    )
    return lines


def _left_out(guard: Guard) -> str:
    reasons = (
        (guard.also_corrections, "also a correction"),
        (guard.contradicting, "with two labels"),
        (guard.repeated, "repeated"),
    )
    counts = [f"{number} {reason}" for number, reason in reasons if number]
    return f" Left out: {', '.join(counts)}." if counts else ""


def summary(correction: Correction) -> list[str]:
    """Return which method was selected, its gain, and its cost; or why none was selected."""
    final = correction.selected
    if final is None:
        return [refusal(correction)]
    gain, number = correction.held_out(correction.trial_of(final)).gain(), len(correction.gold.corrections)
    after = int((final.corrections == correction.gold.corrections).sum())
    flips = correction.on_guard(final)
    how = "with all of them in its support set" if final.method in SUPPORTS else "after the final training"
    lines = [
        f"Selected: {final.method}. It gains {_points(gain)} points on held-out corrections; {after} of all {number} "
        f"corrections are correct {how}.",
        f"On the guard: {_points(flips.gain())} points, {_counts(flips)}. The loss is at most {_at_most(flips)} points "
        f"(95 %, one-sided); {correction.task.settings.allow:g} are allowed.",
    ]
    if correction.task.earlier_examples:
        before, now = (int((each.earlier == correction.gold.earlier).sum()) for each in (correction.before, final))
        lines.append(
            f"Earlier corrections: {now} of {len(correction.task.earlier_examples)} are correct ({before} before)."
        )
    if gain.value <= 0:
        lines.append(
            "No method gains on held-out corrections: the model has learned these examples, and probably nothing more."
        )
    return lines


def refusal(correction: Correction) -> str:
    """Return why no method was selected, and what to do."""
    if not correction.finals:
        return _all_lose(correction)
    gaining = [final for final in correction.finals if correction.gains(final)]
    if not gaining:
        return _none_gains(correction)
    best, allow = gaining[0], correction.task.settings.allow
    flips = correction.on_guard(best)
    lowest = min(gaining, key=lambda final: correction.on_guard(final).upper())
    least = correction.on_guard(lowest)
    others = "" if lowest is best else f"; the lowest bound is that of {lowest.method}, {_at_most(least)}"
    unmeasured = len(correction.ranked) - len(correction.finals)
    if unmeasured:
        others += (
            f"; {unmeasured} of {len(correction.ranked)} methods did worse on held-out corrections, and were not "
            "measured on the guard"
        )
    gain = signed(100 * correction.held_out(correction.trial_of(best)).gain().value)
    return (
        f"no method is within {allow:g} points of loss on the guard with 95 % confidence: the best, {best.method}, "
        f"gains {gain} points on held-out corrections, but may lose up to {_at_most(flips)} ({_counts(flips)})"
        f"{others}: allow more with {option('allow')}, use a larger {option('guard')} "
        f"({_larger_guard(least, allow / 100)}), or add corrections of the same kind"
    )


def _all_lose(correction: Correction) -> str:
    best = correction.ranked[0]
    gain = signed(100 * correction.held_out(best).gain().value)
    problem = f"every method loses on held-out corrections (the best, {best.method}, {gain} points)"
    advice = "check their labels, or add more of each kind"
    if len(correction.trials) == 1:
        problem = f"{best.method} loses on held-out corrections ({gain} points)"
        advice += f", or try other methods ({option('method', 'auto')})"
    return f"{problem}: learning some of them makes others wrong: {advice}"


def _none_gains(correction: Correction) -> str:
    trains = any(trial.method not in SUPPORTS for trial in correction.trials)
    advice = f"try a method that trains ({option('method', 'auto')})"
    if trains:
        advice = f"try more {option('epochs')} or a higher {option('learning_rate')}"
    return (
        f"no method gets more of the {len(correction.gold.corrections)} corrections right than before "
        f"({', '.join(final.method for final in correction.finals)}): {advice}"
    )


def caveats(correction: Correction) -> list[str]:
    """Return the limitations to report with a correction."""
    number, measured = len(correction.gold.corrections), len(correction.finals)
    lines = [
        f"{number} corrections are few: one of them is {100 / number:.1f} points, and intervals are wide.",
        "A correct answer to a correction that was trained on may be memorised: trust the held-out figures.",
    ]
    if len(correction.trials) > 1:
        lines.append(f"The best of {len(correction.trials)} methods looks better on held-out corrections than it is.")
    if measured > 1 and correction.selected is not None:
        lines.append(
            f"{measured} methods were measured on the guard in turn: the probability that an accepted bound "
            f"is wrong is up to {measured} × 5 %."
        )
    lines.append("The guard represents texts like its own: forgetting on other texts goes unnoticed.")
    if correction.truncated:
        lines.append(
            f"{correction.truncated:,} of {len(correction.task.texts):,} texts are longer than "
            f"{correction.max_length} tokens and are truncated."
        )
    if correction.task.history:
        lines.append("The loss is relative to the model before this correction: losses of several corrections add up.")
    if correction.selected is not None and correction.selected.method in SUPPORTS:
        lines.append(
            f"The model predicts from {SUPPORT}: load it with trivium.tools.corrected.load_corrected. Transformers "
            "ignores that file and gives the old predictions."
        )
    lines += [f"{trial.method} was not completed: {trial.failed}" for trial in correction.trials if trial.failed]
    return lines


def correction_tables(correction: Correction) -> list[Table]:
    """Return the accuracies before and after, the comparison of methods, and the flips on the guard."""
    final = correction.shown
    if final is None:
        return [_methods_table(correction)]
    return [_accuracies_table(correction, final), _methods_table(correction), _flips_table(correction, final)]


def _accuracies_table(correction: Correction, final: Final) -> Table:
    trial = correction.trial_of(final)
    assert trial.predicted is not None
    sides = (correction.before.corrections, trial.predicted)
    held_out = [share_interval(predicted == correction.gold.corrections) for predicted in sides]
    rows = [_row("corrections, held out", held_out, correction.held_out(trial))]
    rows.append(_part_row(correction, "corrections", "corrections, all trained on", final))
    if correction.task.earlier_examples:
        rows.append(_part_row(correction, "earlier", "earlier corrections", final))
    rows.append(_part_row(correction, "guard", "guard", final))
    note = (
        f"Held out: {FOLDS}-fold cross-validation over the corrections. Intervals are Wilson's; those of differences "
        "Tango's."
    )
    title = "accuracy before and after" + ("" if correction.selected else " (not selected)")
    return Table(final.method, title, ("before", "after", "difference, points"), tuple(rows), "%", (note,))


def _part_row(correction: Correction, part: str, name: str, final: Final) -> Row:
    gold = getattr(correction.gold, part)
    correct = [getattr(predicted, part) == gold for predicted in (correction.before, final)]
    return _row(name, correction.before_and_after(part, final), Flips.of(*correct))


def _row(name: str, sides: Sequence[Interval], flips: Flips) -> Row:
    return Row(f"{name} ({flips.number:g})", tuple(Cell(percent(interval)) for interval in (*sides, flips.gain())))


def _methods_table(correction: Correction) -> Table:
    finals = {final.method: final for final in correction.finals}
    rows = [_method_row(correction, trial, finals.get(trial.method)) for trial in correction.ranked]
    rows += [Row(f"{trial.method}: failed", (Cell(),) * 3) for trial in correction.trials if trial.predicted is None]
    notes = (
        "In points. At most: the one-sided 95 % upper limit of the loss on the guard (Tango, 1998). In this order "
        "methods are trained on all corrections and measured on the guard, until one is within the allowed loss.",
    )
    columns = ("gain, held out", "gain, trained on", "loss on the guard")
    title = f"gain and cost of each; a loss of {correction.task.settings.allow:g} is allowed"
    return Table("Methods", title, columns, tuple(rows), "%", notes)


def _method_row(correction: Correction, trial: Trial, final: Final | None) -> Row:
    held_out = Cell(percent(correction.held_out(trial).gain()))
    if final is None:
        return Row(trial.method + (": failed" if trial.failed else ""), (held_out, Cell.empty(), Cell.empty()))
    flips = correction.on_guard(final)
    state = ", selected" if final is correction.selected else "" if correction.gains(final) else ", no gain"
    cells = (held_out, Cell(percent(correction.on_corrections(final).gain())), Cell(percent(flips.loss())))
    return Row(f"{trial.method}: at most {_at_most(flips)}{state}", cells)


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
    points += [
        Point("", "guard", final.method, percent(correction.on_guard(final).gain())) for final in correction.finals
    ]
    caption = (
        "Difference in accuracy from the model before the correction, with 95 % intervals. Only some methods are "
        "measured on the guard."
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


def _larger_guard(flips: Flips, allowed: float) -> str:
    """Return the size of a guard that would show that the loss is within ``allowed``, a share."""
    without_flips = examples_needed_without_flips(allowed)
    if without_flips is None:
        return "no size is enough if nothing flips: with 0 allowed, the model must get better on the guard"
    line = f"{guard_size(without_flips):,} examples are enough if nothing flips"
    with_flips = examples_needed(flips, allowed)
    if with_flips is None:
        return f"{line}, but no size is enough if as many flip as now: the loss itself is {100 * flips.value:.2f}"
    return f"{line}, and about {guard_size(with_flips):,} if as many flip as now"


def _points(difference: Interval) -> str:
    points = percent(difference)
    return f"{signed(points.value)} {signed_bounds(points)}"


def _counts(flips: Flips) -> str:
    return f"{flips.lost:g} forgotten and {flips.won:g} newly correct of {flips.number:g}"


def _at_most(flips: Flips) -> str:
    """Return the upper limit of a loss in points, rounded up so that it still is a limit."""
    return f"{math.ceil(1e4 * flips.upper()) / 100:.2f}"

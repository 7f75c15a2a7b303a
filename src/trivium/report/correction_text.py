"""The text of the report of a correction: the verdict, the summary, what would help, and limitations."""

from __future__ import annotations

import math
from pathlib import Path
from shlex import quote

from trivium.errors import option
from trivium.measure.statistics.flips import Flips, examples_needed, examples_needed_without_flips
from trivium.measure.statistics.intervals import Interval
from trivium.models.classifiers import SUPPORT
from trivium.report.formatting import percent, signed, signed_bounds
from trivium.tools.corrected import SUPPORTS
from trivium.tools.correction import TOGETHER, Correction, Final, describe_kind
from trivium.tools.correction_data import Guard, guard_size
from trivium.tools.proof import Change, is_shown, more_corrections, smallest_allow


def verdict(correction: Correction, saved: Path | None = None) -> str:
    """Return whether the correction was accepted, and where the model is, or why not; without a full stop."""
    if correction.selected is None:
        return f"Refused: no model was written: {' '.join(refusal(correction)).removesuffix('.')}"
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
    lines.append(describe_kind(task.lessons))
    lines.append(
        f"Guard: {guard.name}. Methods may replay {len(guard.remembered)} of its examples; the other "
        f"{len(guard.measured):,} measure the loss.{_left_out(guard)}"
    )
    if task.replay.examples and correction.has_lessons:
        lines.append(f"Lessons replay {len(task.replay.examples):,} pairs: {task.replay.name}.")
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
        return list(refusal(correction))
    gain, number = correction.held_out(correction.trial_of(final)).gain(), len(correction.gold.corrections)
    after = int((final.corrections == correction.gold.corrections).sum())
    flips = correction.on_guard(final)
    how = "with all of them in its support set" if final.method in SUPPORTS else "after the final training"
    lines = [
        f"Selected: {final.method}{_kept_share(final)}. It gains {_points(gain)} points on held-out corrections; "
        f"{after} of all {number} corrections are correct {how}.",
        f"On the guard: {_points(flips.gain())} points, {_counts(flips)}. The loss is at most {at_most(flips)} points "
        f"(95 %, one-sided); {correction.task.settings.allow:g} are allowed.",
    ]
    if (change := on_all_phenomena(final)) is not None:
        lines.append(
            f"On {len(final.phenomena) - 1} generated phenomena together: {_points(change.flips.gain())} points, a "
            f"loss of at most {at_most(change.flips)}. None of them is shown to be lost."
        )
    if correction.task.earlier_examples:
        before, now = (int((each.earlier == correction.gold.earlier).sum()) for each in (correction.before, final))
        lines.append(
            f"Earlier corrections: {now} of {len(correction.task.earlier_examples)} are correct ({before} before)."
        )
    lines += [f"{change.name.capitalize()}: {_points(change.flips.gain())} points." for change in final.suites]
    return lines


def _kept_share(final: Final) -> str:
    return "" if final.share == 1 else f", with {final.share:.0%} of its change of the weights"


def refusal(correction: Correction) -> tuple[str, str]:
    """Return two lines: why no model is written and which ``allow`` would pass, and what would decide it."""
    if not correction.finals:
        return _no_gain(correction)
    final = correction.finals[0]
    trial = correction.trial_of(final)
    gain = f"{final.method} gains {_points(correction.held_out(trial).gain())} points on held-out corrections"
    passing = [final for final in correction.finals if not _other_objections(correction, final)]
    if not passing:
        objections = "; ".join(f"{final.method} {_other_objections(correction, final)}" for final in correction.finals)
        advice = f"give more to replay with {option('replay')}, or other pairs with {option('pairs')}"
        return f"{objections}: no {option('allow')} would pass.", f"The gain is shown ({gain}): {advice}."
    best = min(passing, key=correction.bound)
    flips = correction.on_guard(best)
    return (
        f"{best.method} may lose up to {at_most(flips)} points on the guard ({_counts(flips)})"
        f"{_bound_on_phenomena(best)}, and {correction.task.settings.allow:g} are allowed: "
        f"{option('allow')} of {smallest_allow(correction.bound(best)):g} would pass.",
        f"The gain is shown ({gain}): instead of more corrections, a larger {option('guard')} may decide it "
        f"({_larger_guard(flips, correction.task.settings.allow / 100)}).",
    )


def _no_gain(correction: Correction) -> tuple[str, str]:
    best = correction.ranked[0]
    flips = correction.held_out(best)
    if is_shown(flips) and not is_shown(correction.nested):
        flips = correction.nested
    kind = correction.task.lessons.kind
    of_kind = f"corrections of the kind {kind.name}" if kind else "corrections of one kind"
    number, right = len(correction.gold.corrections), correction.held_out_correct(best)
    more = more_corrections(flips, right, len(correction.labels))
    first = (
        f"no gain is shown on held-out corrections (the best, {best.method}: {_points(flips.gain())} points): "
        f"no {option('allow')} would pass."
    )
    if is_shown(flips) and not correction.beats_guessing(best):
        first = (
            f"{best.method} gets {right} of {number} held-out corrections right, no more than by guessing (1 in "
            f"{len(correction.labels)}): no {option('allow')} would pass."
        )
    if more is None:
        advice = f"check their labels, or name another kind with {option('about')}"
        return first, f"More {of_kind} would not show one at this rate: {advice}."
    return first, f"About {more} more {of_kind} would show it, if they are learned like these."


def _other_objections(correction: Correction, final: Final) -> str:
    """Return what speaks against a model besides the bounds of its loss; empty if nothing does."""
    if not correction.gains(final):
        return f"gets no more of the {len(correction.gold.corrections)} corrections right than before"
    if lost := correction.shown_losses(final):
        worst = sorted(lost, key=lambda change: -change.flips.value)
        shown = ", ".join(f"{change.title} {signed(-100 * change.flips.value)}" for change in worst[:3])
        return f"loses {shown} points"
    return "" if correction.keeps_earlier(final) else "loses earlier corrections"


def _bound_on_phenomena(final: Final) -> str:
    change = on_all_phenomena(final)
    return f" and {at_most(change.flips)} on {TOGETHER}" if change else ""


def caveats(correction: Correction) -> list[str]:
    """Return the limitations to report with a correction."""
    number, measured = len(correction.gold.corrections), len(correction.finals)
    lines = [
        f"{number} corrections are few: one of them is {100 / number:.1f} points, and intervals are wide.",
        "A correct answer to a correction that was trained on may be memorised: trust the held-out figures.",
    ]
    if len(correction.trials) > 1:
        lines.append(
            f"The best of {len(correction.trials)} methods looks better on held-out corrections than it is: if the "
            f"method is chosen without them too, the gain is {_points(correction.nested.gain())} points."
        )
    if len(set(correction.task.groups)) < number:
        lines.append(
            f"The corrections have {len(set(correction.task.groups))} cues or templates; those that share one are held "
            "out together, but count singly in intervals."
        )
    if measured > 1 and correction.selected is not None:
        lines.append(
            f"{measured} methods were measured on the guard in turn: the probability that an accepted bound "
            f"is wrong is up to {measured} × 5 %."
        )
    if correction.selected is not None and correction.selected.phenomena:
        lines.append(
            "Lessons replay other pairs of the generated phenomena: phenomena that have no grammar may lose more."
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


def on_all_phenomena(final: Final) -> Change | None:
    """Return the change on all phenomena together, if they were measured."""
    return next((change for change in final.phenomena if change.name == TOGETHER), None)


def _points(difference: Interval) -> str:
    points = percent(difference)
    return f"{signed(points.value)} {signed_bounds(points)}"


def _counts(flips: Flips) -> str:
    return f"{flips.lost:g} forgotten and {flips.won:g} newly correct of {flips.number:g}"


def at_most(flips: Flips) -> str:
    """Return the upper limit of a loss in points, rounded up so that it still is a limit."""
    return f"{math.ceil(1e4 * flips.upper()) / 100:.2f}".replace("-", "−")

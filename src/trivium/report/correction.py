"""A correction as a page: what it gained and cost, each method that was tried, and what was forgotten, to read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from trivium.data.example import Example
from trivium.engine.execute import environment
from trivium.measure.bootstrap import Interval
from trivium.measure.chart import Chart, Point
from trivium.measure.error_examples import Case, ErrorExamples, ErrorGroup
from trivium.measure.paired import Flips, needed, needed_without_flips, share_interval
from trivium.measure.table import COUNT, Cell, Row, Table
from trivium.models.classifiers import SUPPORT
from trivium.report.document import Document
from trivium.report.formatting import between_signed, signed
from trivium.settings import to_toml
from trivium.tools.corrected import SUPPORTS
from trivium.tools.correction import FOLDS, Correction, Final, Trial, figures_of
from trivium.tools.correction_data import Guard, guard_size

_SHOWN = 50


def correction_document(found: Correction, command: str) -> Document:
    """The page of a correction."""
    return Document(
        title=f"Correction of {found.task.model}",
        lead=(*beginning(found), *summary(found)),
        caveats=tuple(caveats(found)),
        tables=tuple(correction_tables(found)),
        charts=(_gains(found),),
        error_examples=tuple(_galleries(found)),
        settings=to_toml(found.task.settings),
        commands=(command,),
        environment=tuple(sorted(environment(found.task.settings.train.device).items())),
    )


def correction_json(found: Correction) -> dict[str, Any]:
    """All figures, for machines."""
    guard, final = found.task.guard, found.shown
    return {
        "model": found.task.model,
        "taken": None if found.taken is None else found.taken.method,
        "settings": found.task.settings.model_dump(mode="json"),
        "corrections": {"file": str(found.task.corrections.file), "number": len(found.task.corrections.examples)},
        "earlier_corrections": len(found.task.known),
        "guard": {"name": guard.name, "remembered": len(guard.remembered), "measured": len(guard.measured)},
        "trials": [_trial_json(found, trial) for trial in found.trials],
        "finals": [figures_of(found, final) for final in found.finals],
        "flips": [] if final is None else [flip._asdict() for flip in _flips(found, final)],
        "forgotten": [] if final is None else _lost_json(found, "guard", final),
        "lost_earlier": [] if final is None else _lost_json(found, "earlier", final),
        "cut_texts": found.cut,
    }


def beginning(found: Correction) -> list[str]:
    """What goes in: the corrections, and the guard."""
    task = found.task
    number, guard = len(task.corrections.examples), task.guard
    line = f"{number} corrections from {task.corrections.file}"
    if task.corrections.repeated:
        line += f" ({_lines(task.corrections.repeated)} that said the same again not counted)"
    right = int((found.before.corrections == found.gold.corrections).sum())
    lines = [f"{line}, of which the model gets {right} right."]
    if task.known:
        lines[0] += f" It was taught {len(task.known)} others before, which are remembered and checked again."
    lines.append(
        f"Guard: {guard.name}. {len(guard.remembered)} of its examples may be remembered by methods, the other "
        f"{len(guard.measured):,} measure.{_left_out(guard)}"
    )
    return lines


def _left_out(guard: Guard) -> str:
    kinds = (
        (guard.taken_out, "that are corrections too"),
        (guard.contradicting, "with two labels"),
        (guard.repeated, "that said the same again"),
    )
    named = [f"{number} {what}" for number, what in kinds if number]
    return f" Left out: {', '.join(named)}." if named else ""


def summary(found: Correction) -> list[str]:
    """What was taken, what it gained, and what it cost."""
    final = found.taken
    if final is None:
        return [refusal(found)]
    trial = found.trial_of(final)
    gain, number = found.held_out(trial).gain(), len(found.gold.corrections)
    after = int((final.corrections == found.gold.corrections).sum())
    flips = found.on_guard(final)
    how = "with all of them among its vectors" if final.method in SUPPORTS else "after the final training"
    lines = [
        f"Taken: {final.method}. On corrections that it was not taught it gains {_points(gain)} points; of all "
        f"{number}, {after} are right {how}.",
        f"On the guard: {_points(flips.gain())} points, {_counts(flips)}. The loss is at most {_at_most(flips)} points "
        f"(95 %, one-sided), and {found.task.settings.allow:g} are allowed.",
    ]
    if found.task.known:
        before, now = (int((one.earlier == found.gold.earlier).sum()) for one in (found.before, final))
        total = len(found.task.known)
        lines.append(f"Earlier corrections: {now} of {total} are right, {before} were before.")
    if gain.value <= 0:
        lines.append(
            "No method gains on held-out corrections: what was learned are these examples, and probably nothing beyond."
        )
    return lines


def refusal(found: Correction) -> str:
    """Why nothing was taken, and what to do."""
    if not found.finals:
        return _all_lose(found)
    gaining = [final for final in found.finals if found.gains(final)]
    if not gaining:
        trains = any(trial.method not in SUPPORTS for trial in found.trials)
        advice = (
            "try more --epochs or a higher --learning-rate" if trains else "try a method that trains (--method auto)"
        )
        return (
            f"no method makes more of the {len(found.gold.corrections)} corrections right than were right before "
            f"({', '.join(final.method for final in found.finals)}): {advice}"
        )
    best, allow = gaining[0], found.task.settings.allow
    flips = found.on_guard(best)
    lowest = min(gaining, key=lambda final: found.on_guard(final).upper())
    least = found.on_guard(lowest)
    other = "" if lowest is best else f"; the lowest bound is that of {lowest.method}, {_at_most(least)}"
    passed = len(found.ranked) - len(found.finals)
    if passed:
        other += f"; {passed} of {len(found.ranked)} methods did worse on them, and were not measured on the guard"
    gain = signed(100 * found.held_out(found.trial_of(best)).gain().value)
    return (
        f"no method is surely within {allow:g} points of loss on the guard: the best, {best.method}, gains {gain} "
        f"points on held-out corrections, but its loss may be {_at_most(flips)} ({_counts(flips)}){other}: allow "
        f"more with --allow, give a larger --guard ({_larger(least, allow / 100)}), or write more corrections of the "
        "same kind"
    )


def _all_lose(found: Correction) -> str:
    best = found.ranked[0]
    gain = signed(100 * found.held_out(best).gain().value)
    which = f"every method loses on held-out corrections (the best, {best.method}, {gain} points)"
    what = "look at their labels, or write more of each kind"
    if len(found.trials) == 1:
        which = f"{best.method} loses on held-out corrections ({gain} points)"
        what += ", or try other methods (--method auto)"
    return f"{which}: what some of them teach makes others wrong: {what}"


def caveats(found: Correction) -> list[str]:
    """What limits a correction."""
    number, tried = len(found.gold.corrections), len(found.finals)
    lines = [
        f"{number} corrections are few: one of them is {100 / number:.1f} points, and intervals are wide.",
        "Right answers on corrections that were taught may be learned by heart: go by those that were held out.",
    ]
    if len(found.trials) > 1:
        lines.append(f"The best of {len(found.trials)} methods looks better on held-out corrections than it is.")
    if tried > 1 and found.taken is not None:
        lines.append(
            f"{tried} methods were measured on the guard one after another: the chance that a bound which was accepted "
            f"is wrong is up to {tried} × 5 %."
        )
    lines.append("The guard speaks for texts like its own: what is not in it may be forgotten unseen.")
    if found.cut:
        lines.append(
            f"{found.cut:,} of {len(found.task.texts):,} texts are longer than {found.max_length} tokens and are cut."
        )
    if found.task.history:
        lines.append("The loss counts from the model before this correction: those of several corrections add up.")
    if found.taken is not None and found.taken.method in SUPPORTS:
        lines.append(
            f"The model answers by {SUPPORT}: load it with trivium.tools.corrected.load_corrected. Transformers alone "
            "passes over that file and gives the old answers."
        )
    lines += [f"{trial.method} was not tried to the end: {trial.failed}" for trial in found.trials if trial.failed]
    return lines


def correction_tables(found: Correction) -> list[Table]:
    """Before and after; the methods; the flips on the guard."""
    tables = [_before_and_after(found, found.shown)] if found.shown else []
    tables.append(_methods(found))
    if found.shown is not None:
        tables.append(_flip_table(found, found.shown))
    return tables


def _before_and_after(found: Correction, final: Final) -> Table:
    trial = found.trial_of(final)
    assert trial.said is not None
    held_out = [share_interval(one == found.gold.corrections) for one in (found.before.corrections, trial.said)]
    rows = [_row("corrections, held out", held_out, found.held_out(trial))]
    rows.append(_part(found, "corrections", "corrections, all taught", final))
    if found.task.known:
        rows.append(_part(found, "earlier", "earlier corrections", final))
    rows.append(_part(found, "guard", "guard", final))
    note = f"Held out: by the method taught the other folds of {FOLDS}. Intervals: Wilson's, of differences Tango's."
    title = "right answers before and after" + ("" if found.taken else " (not taken)")
    return Table(final.method, title, ("before", "after", "difference, points"), tuple(rows), "%", (note,))


def _part(found: Correction, part: str, name: str, final: Final) -> Row:
    gold = getattr(found.gold, part)
    right = [getattr(one, part) == gold for one in (found.before, final)]
    return _row(name, found.before_and_after(part, final), Flips.of(*right))


def _row(name: str, sides: Sequence[Interval], flips: Flips) -> Row:
    return Row(f"{name} ({flips.number:g})", tuple(Cell(_percent(one)) for one in (*sides, flips.gain())))


def _methods(found: Correction) -> Table:
    finals = {final.method: final for final in found.finals}
    rows = [_method(found, trial, finals.get(trial.method)) for trial in found.ranked]
    rows += [Row(f"{trial.method}: failed", (Cell(),) * 3) for trial in found.trials if trial.said is None]
    notes = (
        "In points. At most: the one-sided 95 % upper limit of the loss on the guard (Tango, 1998). In this order "
        "methods are taught all corrections and measured on the guard, until one is surely within what is allowed.",
    )
    columns = ("gain, held out", "gain, taught", "loss on the guard")
    title = f"what each gains and costs; a loss of {found.task.settings.allow:g} is allowed"
    return Table("Methods", title, columns, tuple(rows), "%", notes)


def _method(found: Correction, trial: Trial, final: Final | None) -> Row:
    held_out = Cell(_percent(found.held_out(trial).gain()))
    if final is None:
        return Row(trial.method + (": failed" if trial.failed else ""), (held_out, Cell.empty(), Cell.empty()))
    flips = found.on_guard(final)
    state = ", taken" if final is found.taken else "" if found.gains(final) else ", no gain"
    cells = (held_out, Cell(_percent(found.on_corrections(final).gain())), Cell(_percent(flips.loss())))
    return Row(f"{trial.method}: at most {_at_most(flips)}{state}", cells)


class _Flip(NamedTuple):
    """How many guard examples one label became another for: right now, right before, or neither."""

    before: str
    after: str
    fixed: int
    broken: int
    otherwise: int


def _flips(found: Correction, final: Final) -> list[_Flip]:
    names = found.labels.names
    changed: dict[tuple[int, int], list[int]] = {}
    for gold, old, new in zip(found.gold.guard, found.before.guard, final.guard, strict=True):
        if old != new:
            changed.setdefault((int(old), int(new)), []).append(int(gold))
    return [
        _Flip(names[old], names[new], gold.count(new), gold.count(old), len(gold) - gold.count(new) - gold.count(old))
        for (old, new), gold in sorted(changed.items())
    ]


def _flip_table(found: Correction, final: Final) -> Table:
    flips = _flips(found, final)
    fixed, broken = sum(flip.fixed for flip in flips), sum(flip.broken for flip in flips)
    total = _Flip("all", "", fixed, broken, sum(flip.otherwise for flip in flips))
    rows = [*(_flip_row(f"{flip.before} → {flip.after}", flip) for flip in flips), _flip_row("all", total)]
    note = "Fixed: wrong before, right now. Broken: right before, wrong now. Otherwise: wrong before and now."
    return Table("Flips", f"{final.method}, on the guard", _Flip._fields[2:], tuple(rows), COUNT, (note,))


def _flip_row(name: str, flip: _Flip) -> Row:
    return Row(name, tuple(Cell.exactly(number) for number in (flip.fixed, flip.broken, flip.otherwise)))


def _gains(found: Correction) -> Chart:
    points = [Point("", "held out", t.method, _percent(found.held_out(t).gain())) for t in found.ranked]
    points += [Point("", "guard", final.method, _percent(found.on_guard(final).gain())) for final in found.finals]
    caption = (
        "Differences of accuracy to the model before, with 95 % intervals; on the guard only where it was measured."
    )
    return Chart("gains", "Gain on corrections, and change on the guard", caption, "rows", "points", tuple(points))


def _galleries(found: Correction) -> list[ErrorExamples]:
    final = found.shown
    if final is None:
        return []
    wrong = [place for place, said in enumerate(final.corrections) if said != found.gold.corrections[place]]
    error_examples = [
        ErrorExamples(f"Forgotten by {final.method}", "Guard examples that were right before and are wrong now.",
                (_shelf(found, "forgotten", "guard", final, found.lost("guard", final)),)),
        ErrorExamples("Corrections that were not learned", "Still wrong, though they were taught.",
                (_shelf(found, "wrong", "corrections", final, wrong),)),
    ]  # fmt: skip
    if found.task.known:
        shelf = _shelf(found, "lost", "earlier", final, found.lost("earlier", final))
        error_examples.append(
            ErrorExamples(
                "Earlier corrections that were lost", "Right before this correction, and wrong now.", (shelf,)
            )
        )
    return error_examples


def _shelf(found: Correction, name: str, part: str, final: Final, places: Sequence[int]) -> ErrorGroup:
    examples = found.task.part(part)
    cases = [_case(found, part, final, place, examples[place]) for place in places[:_SHOWN]]
    return ErrorGroup(name, len(places), tuple(cases))


def _case(found: Correction, part: str, final: Final, place: int, example: Example) -> Case:
    names = found.labels.names
    gold = names[getattr(found.gold, part)[place]]
    answers = [
        (name, gold, names[getattr(one, part)[place]]) for name, one in (("before", found.before), ("after", final))
    ]
    return Case(example.premise, example.hypothesis or "", tuple(answers))


def _lost_json(found: Correction, part: str, final: Final) -> list[dict[str, Any]]:
    asked = [(place, found.task.part(part)[place]) for place in found.lost(part, final)]
    return [
        {"premise": example.premise, "hypothesis": example.hypothesis, "label": example.label,
         "said": found.labels.names[getattr(final, part)[place]]}
        for place, example in asked
    ]  # fmt: skip


def _trial_json(found: Correction, trial: Trial) -> dict[str, Any]:
    plain: dict[str, Any] = {"method": trial.method}
    if trial.said is not None:
        gain = found.held_out(trial).gain()
        plain["held_out_gain"] = {"value": gain.value, "low": gain.low, "high": gain.high}
    return plain | ({"failed": trial.failed} if trial.failed else {})


def _larger(flips: Flips, most: float) -> str:
    """How large a guard would have to be."""
    still = needed_without_flips(most)
    if still is None:
        return "none shows it if nothing flips: with 0 allowed, the model must surely get better"
    line = f"{guard_size(still):,} examples show it if nothing flips"
    flipping = needed(flips, most)
    if flipping is None:
        return f"{line}, but none if as much flips as now: the loss itself is {100 * flips.value:.2f}"
    return f"{line}, and about {guard_size(flipping):,} if as much flips as now"


def _points(found: Interval) -> str:
    each = _percent(found)
    return f"{signed(each.value)} {between_signed(each)}"


def _counts(flips: Flips) -> str:
    return f"{flips.lost:g} forgotten and {flips.won:g} won of {flips.number:g}"


def _at_most(flips: Flips) -> str:
    """The bound of a loss in points; rounded upwards, so that it holds as it is written."""
    return f"{math.ceil(1e4 * flips.upper()) / 100:.2f}"


def _percent(found: Interval) -> Interval:
    return Interval(100 * found.value, 100 * found.low, 100 * found.high)


def _lines(number: int) -> str:
    return f"{number} line{'' if number == 1 else 's'}"

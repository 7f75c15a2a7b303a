"""Correcting a classifier from a few examples, so that what it knew is kept, and proved to be kept (CFL).

Each method is tried by cross-validation over the corrections. The one that gains most on corrections that it has not
seen is taught all of them; it is taken if its loss on the guard is surely within what is allowed, else the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from trivium.data.example import Example, key_of
from trivium.data.labels import Labels
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.measure.bootstrap import Interval
from trivium.measure.metrics import Bools
from trivium.measure.paired import Flips, share_interval
from trivium.models.classifiers import Classifier, head_labels
from trivium.settings import Settings
from trivium.tools.corrected import SUPPORTS, Corrected, Said, load_corrected
from trivium.tools.correction_data import (
    Corrections,
    Guard,
    choose_guard,
    folds_of,
    numbers_of,
    read_corrections,
)
from trivium.tools.history import Record, copy_model, placing, read_history, write_history
from trivium.tools.methods import AUTO, CORRECTING, Tutor, chosen_methods, use_threads

FOLDS = 3
PARTS = ("corrections", "earlier", "guard")
Progress = Callable[[int, int], None]


class CorrectionSettings(Settings):
    """What may be set about a correction; ``allow`` is the loss on the guard, in points, that must be ruled out."""

    method: str = AUTO
    allow: Annotated[float, Field(ge=0, le=100)] = 0.5
    seed: int = 0
    train: TrainConfig = CORRECTING


@dataclass(frozen=True)
class Task:
    """What is to be done: to which model, with which corrections, guarded by what.

    ``earlier`` are the corrections that the model was taught before, round by round, each once, without those that are
    corrected anew.
    """

    model: str
    corrections: Corrections
    guard: Guard
    history: tuple[Record, ...]
    earlier: tuple[tuple[Example, ...], ...]
    settings: CorrectionSettings

    @property
    def known(self) -> tuple[Example, ...]:
        """All earlier corrections."""
        return tuple(example for one in self.earlier for example in one)

    @property
    def parts(self) -> tuple[tuple[Example, ...], ...]:
        """All that a model is asked about: the corrections, the earlier ones, and what measures of the guard."""
        return self.corrections.examples, self.known, self.guard.measured

    def part(self, name: str) -> tuple[Example, ...]:
        """One of them by its name."""
        return self.parts[PARTS.index(name)]

    @property
    def texts(self) -> tuple[Example, ...]:
        """All that is read: what a model is asked about, and what methods may remember."""
        return (*(example for part in self.parts for example in part), *self.guard.remembered)


@dataclass(frozen=True, eq=False)
class Trial:
    """A method tried by cross-validation: what it says of each correction, having been taught the other folds.

    ``failed`` says why there is nothing, or why it could not be taught all corrections.
    """

    method: str
    said: Said | None
    failed: str = ""


@dataclass(frozen=True, eq=False)
class Final:
    """A method that was taught all corrections: what it says then of them, of earlier ones, and of the guard."""

    method: str
    corrections: Said
    earlier: Said
    guard: Said


@dataclass(frozen=True, eq=False)
class Correction:
    """What came of a correction: the answers before, all that was tried, and what was taken, if anything was.

    ``cut`` counts texts that are longer than the model reads.
    """

    task: Task
    labels: Labels
    before: Final
    corrected: Corrected
    trials: tuple[Trial, ...] = ()
    finals: tuple[Final, ...] = ()
    taken: Final | None = None
    cut: int = 0

    @cached_property
    def gold(self) -> Final:
        """The right answers."""
        return Final("gold", *(numbers_of(part, self.labels) for part in self.task.parts))

    @property
    def ranked(self) -> list[Trial]:
        """The trials, the largest gain on held-out corrections first; of as large ones, the method named first."""
        there = [trial for trial in self.trials if trial.said is not None]
        return sorted(there, key=lambda trial: -self.held_out(trial).gain().value)

    @property
    def shown(self) -> Final | None:
        """The final model that the report is about: the one that was taken, else the best that was tried."""
        return self.taken or (self.finals[0] if self.finals else None)

    def trial_of(self, final: Final) -> Trial:
        """The trial of a method."""
        return next(trial for trial in self.trials if trial.method == final.method)

    def held_out(self, trial: Trial) -> Flips:
        """What changed on corrections that were held out."""
        assert trial.said is not None
        return Flips.of(self.before.corrections == self.gold.corrections, trial.said == self.gold.corrections)

    def on_corrections(self, final: Final) -> Flips:
        """What changed on the corrections, all of which were taught."""
        return Flips.of(*self._right("corrections", final))

    def on_guard(self, final: Final) -> Flips:
        """What changed on the guard."""
        return Flips.of(*self._right("guard", final))

    def within(self, final: Final) -> bool:
        """Whether the loss on the guard is surely what is allowed at most."""
        return 100 * self.on_guard(final).upper() <= self.task.settings.allow

    def gains(self, final: Final) -> bool:
        """Whether more corrections are right than before."""
        return self.on_corrections(final).value < 0

    def lost(self, part: str, final: Final) -> list[int]:
        """The places of examples of a part (guard, earlier) that were right before and are wrong."""
        before, after = self._right(part, final)
        return [int(place) for place in np.flatnonzero(before & ~after)]

    def before_and_after(self, part: str, final: Final) -> tuple[Interval, Interval]:
        """The share of right answers on a part, before and after."""
        before, after = self._right(part, final)
        return share_interval(before), share_interval(after)

    def _right(self, part: str, final: Final) -> tuple[Bools, Bools]:
        gold = getattr(self.gold, part)
        return np.asarray(getattr(self.before, part) == gold), np.asarray(getattr(final, part) == gold)


def prepare(model: str, examples: Path, guard: Path | None, settings: CorrectionSettings) -> tuple[Task, Corrected]:
    """Read the corrections and the guard, and load the model; all is checked before any work is done."""
    chosen_methods(settings.method)
    labels = head_labels(model)
    history = read_history(model)
    corrections = read_corrections(examples, labels)
    earlier = _latest([record.taught() for record in history], corrections.examples)
    known = [example for one in earlier for example in one]
    watched = choose_guard(guard, labels, [*corrections.examples, *known], settings.seed)
    use_threads(settings.train)
    loaded = load_corrected(model, settings.train, settings.seed)
    return Task(model, corrections, watched, history, earlier, settings), loaded


def correct(task: Task, model: Corrected, progress: Progress = lambda done, of: None) -> Correction:
    """Try the methods, and teach the best one whose loss on the guard is surely within what is allowed.

    Methods that gain nothing on held-out corrections are passed over, unless none gains: then each that loses nothing
    on them may be taken if it is right about more of the corrections themselves.
    """
    corrections, methods = task.corrections.examples, chosen_methods(task.settings.method)
    total = 1 + len(methods) * (FOLDS + 1)
    tutor = Tutor(model, (task.guard.remembered, *task.earlier), (*corrections, *task.guard.measured))
    found = Correction(task, model.labels, Final("before", *map(tutor.before, task.parts)), model)
    if (found.before.corrections == found.gold.corrections).all():
        raise UserError(f"{task.corrections.file}: the model is right about all of them: there is nothing to correct")
    progress(1, total)
    for number, method in enumerate(methods, 1):
        found = replace(found, trials=(*found.trials, _tried(tutor, method, corrections, task.settings.seed)))
        progress(1 + number * FOLDS, total)
    candidates = _candidates(found)
    for number, trial in enumerate(candidates, 1):
        found = _taught(found, tutor, trial)
        progress(1 + len(methods) * FOLDS + number, total)
        if found.taken is not None:
            break
    if candidates and not found.finals:
        raise _nothing_learned(found)
    return replace(found, cut=sum(not model.learner.fits(example) for example in task.texts))


def save(found: Correction, out: Path) -> None:
    """Write the corrected model, whole or not at all."""
    assert found.taken is not None
    with placing(found.task.model, out) as (folder, previous):
        if found.taken.method in SUPPORTS:
            assert found.corrected.support is not None
            copy_model(found.task.model, folder)
            found.corrected.support.write(folder)
        else:
            assert isinstance(found.corrected.learner.network, Classifier)
            found.corrected.learner.network.save(folder)
        record = Record(
            method=found.taken.method,
            examples=tuple(example.to_json() for example in found.task.corrections.examples),
            guard=found.task.guard.name,
            settings=found.task.settings.model_dump(mode="json"),
            figures=figures_of(found, found.taken),
            previous=previous,
        )
        write_history(folder, (*found.task.history, record))


def figures_of(found: Correction, final: Final) -> dict[str, Any]:
    """What a method did, for machines: shares from 0 to 1, a loss in points where it says so."""
    flips = found.on_guard(final)
    plain: dict[str, Any] = {"method": final.method}
    plain["held_out_gain"] = _bounds(found.held_out(found.trial_of(final)).gain())
    for part in PARTS:
        if len(getattr(final, part)):
            sides = found.before_and_after(part, final)
            plain[part] = {"before": _bounds(sides[0]), "after": _bounds(sides[1])}
    plain["gain_on_corrections"] = _bounds(found.on_corrections(final).gain())
    plain["guard_lost"], plain["guard_won"], plain["guard_examples"] = flips.lost, flips.won, flips.number
    plain["guard_loss"] = _bounds(flips.loss())
    plain["guard_loss_bound_points"] = 100 * flips.upper()
    return plain


def _tried(tutor: Tutor, method: str, corrections: Sequence[Example], seed: int) -> Trial:
    said = np.zeros(len(corrections), dtype=np.intp)
    try:
        for held_out in folds_of(corrections, FOLDS, seed):
            learned = [example for place, example in enumerate(corrections) if place not in held_out]
            taught = tutor.taught(method, learned)
            said[held_out] = tutor.answers(taught, [corrections[place] for place in held_out])
    except UserError as error:  # a strategy that diverges is no reason to give up the others
        return Trial(method, None, str(error))
    return Trial(method, said)


def _taught(found: Correction, tutor: Tutor, trial: Trial) -> Correction:
    """Teach all corrections by a method, ask about everything, and take it if it is good enough."""
    try:
        taught = tutor.taught(trial.method, found.task.corrections.examples)
    except UserError as error:
        failed = replace(trial, failed=str(error))
        return replace(found, trials=tuple(failed if one is trial else one for one in found.trials))
    final = Final(trial.method, *(tutor.answers(taught, part) for part in found.task.parts))
    is_taken = found.gains(final) and found.within(final)
    return replace(found, finals=(*found.finals, final), taken=final if is_taken else None, corrected=taught)


def _candidates(found: Correction) -> list[Trial]:
    """The trials to go on with, the best first: those that gain, or if none does, those that lose nothing."""
    if not found.ranked:
        raise _nothing_learned(found)
    gaining = [trial for trial in found.ranked if found.held_out(trial).value < 0]
    return gaining or [trial for trial in found.ranked if found.held_out(trial).value == 0]


def _nothing_learned(found: Correction) -> UserError:
    """An error for corrections that no method learned to the end, by the first that failed."""
    failed = next(trial for trial in found.trials if trial.failed)
    return UserError(f"no method learned the corrections to the end: {failed.method}: {failed.failed}")


def _latest(rounds: Sequence[Sequence[Example]], now: Sequence[Example]) -> tuple[tuple[Example, ...], ...]:
    """Rounds of corrections, each example only in the last round that it is in, and not if it is corrected now."""
    seen = {key_of(example) for example in now}
    kept: list[tuple[Example, ...]] = []
    for one in reversed(rounds):
        kept.append(tuple(example for example in one if key_of(example) not in seen))
        seen |= {key_of(example) for example in one}
    return tuple(one for one in reversed(kept) if one)


def _bounds(found: Interval) -> Mapping[str, float]:
    return {"value": found.value, "low": found.low, "high": found.high}

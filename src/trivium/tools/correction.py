"""Correcting a classifier from a few examples, so that what it knew is kept, and proved to be kept (CFL).

Each method is tried by cross-validation over the corrections. The one that gains most on corrections that it has not
seen is taught all of them; it is taken if its loss on the guard is surely within what is allowed, else the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from trivium.data.example import Example, key_of
from trivium.data.labels import Labels
from trivium.engine.execute import trained_classifier
from trivium.engine.runner import StepRunner
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.measure.bootstrap import Interval
from trivium.measure.classification import bounds
from trivium.measure.metrics import Bools
from trivium.measure.paired import Flips, share_interval
from trivium.models.classifiers import head_labels
from trivium.settings import Settings
from trivium.tools.corrected import Said, load_corrected
from trivium.tools.correction_data import (
    Corrections,
    Guard,
    choose_guard,
    folds_of,
    numbers_of,
    read_corrections,
)
from trivium.tools.history import Record, copy_model, read_history, saving_model, write_history
from trivium.tools.methods import AUTO, CORRECTING, Lesson, Predicted, Teacher, chosen_methods

FOLDS = 3
PARTS = ("corrections", "earlier", "guard")


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
    labels: Labels
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
    """The result of a correction: the answers before, everything that was tried, and what was taken, if anything.

    ``lesson`` is the model that was taught last, which is the one that was taken. ``cut`` is the number of texts that
    are longer than ``max_length`` tokens, which the model does not read whole.
    """

    task: Task
    before: Final
    max_length: int
    trials: tuple[Trial, ...] = ()
    finals: tuple[Final, ...] = ()
    taken: Final | None = None
    lesson: Lesson | None = None
    cut: int = 0

    @property
    def labels(self) -> Labels:
        """The scheme of the model's labels."""
        return self.task.labels

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


def prepare(model: str, examples: Path, guard: Path | None, settings: CorrectionSettings) -> Task:
    """Read the corrections and the guard, and check everything before any work is done."""
    chosen_methods(settings.method)
    labels = head_labels(model)
    history = read_history(model)
    corrections = read_corrections(examples, labels)
    earlier = _latest([record.corrections() for record in history], corrections.examples)
    known = [example for examples in earlier for example in examples]
    guarded = choose_guard(guard, labels, [*corrections.examples, *known], settings.seed)
    return Task(model, labels, corrections, guarded, history, earlier, settings)


def correct(task: Task, runner: StepRunner) -> Correction:
    """Try the methods, and teach the best one whose loss on the guard is shown to be within what is allowed.

    Methods that gain nothing on held-out corrections are passed over, unless none gains: then each that loses nothing
    on them may be taken if it answers more of the corrections themselves correctly.
    """
    corrections, settings = task.corrections.examples, task.settings
    model = load_corrected(task.model, settings.train, settings.seed)
    sets = (task.guard.remembered, *task.earlier)
    queries = (*corrections, *task.guard.measured)
    teacher = Teacher(task.model, task.labels, settings.train, settings.seed, runner, sets, queries)
    before = _final(
        "before", teacher, task, model.answers(teacher.every.examples).said if model.support else teacher.before
    )
    found = Correction(task, before, model.max_length)
    if (found.before.corrections == found.gold.corrections).all():
        raise UserError(f"{task.corrections.file}: the model answers all of them correctly: nothing to correct")
    folds = folds_of(corrections, FOLDS, settings.seed)
    tried = teacher.try_out(chosen_methods(settings.method), corrections, folds)
    found = replace(found, trials=tuple(_trial(method, answers) for method, answers in tried.items()))
    candidates = _candidates(found)
    for trial in candidates:
        found = _taught(found, teacher, trial)
        if found.taken is not None:
            break
    if candidates and not found.finals:
        raise _nothing_learned(found)
    return replace(found, cut=sum(not model.learner.fits(example) for example in task.texts))


def save(found: Correction, store: Store, out: Path) -> None:
    """Write the corrected model, whole or not at all."""
    assert found.taken is not None
    assert found.lesson is not None
    with saving_model(found.task.model, out) as (folder, previous):
        if found.lesson.support is not None:
            copy_model(found.task.model, folder)
            found.lesson.support.write(folder)
        else:
            assert found.lesson.step is not None
            trained_classifier(found.lesson.step, store).save(folder)
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
    plain["held_out_gain"] = bounds(found.held_out(found.trial_of(final)).gain())
    for part in PARTS:
        if len(getattr(final, part)):
            sides = found.before_and_after(part, final)
            plain[part] = {"before": bounds(sides[0]), "after": bounds(sides[1])}
    plain["gain_on_corrections"] = bounds(found.on_corrections(final).gain())
    plain["guard_lost"], plain["guard_won"], plain["guard_examples"] = flips.lost, flips.won, flips.number
    plain["guard_loss"] = bounds(flips.loss())
    plain["guard_loss_bound_points"] = 100 * flips.upper()
    return plain


def _trial(method: str, answers: Predicted | str) -> Trial:
    return Trial(method, None, answers) if isinstance(answers, str) else Trial(method, answers)


def _taught(found: Correction, teacher: Teacher, trial: Trial) -> Correction:
    """Teach all corrections by a method, and take it if it is good enough."""
    try:
        lesson, answers = teacher.teach(trial.method, found.task.corrections.examples)
    except UserError as error:
        failed = replace(trial, failed=str(error))
        return replace(found, trials=tuple(failed if each is trial else each for each in found.trials))
    final = _final(trial.method, teacher, found.task, answers)
    is_taken = found.gains(final) and found.within(final)
    return replace(found, finals=(*found.finals, final), taken=final if is_taken else None, lesson=lesson)


def _final(method: str, teacher: Teacher, task: Task, answers: Predicted) -> Final:
    """Return the answers to each part of a task, out of those to every example."""
    return Final(method, *(answers[teacher.positions(part)] for part in task.parts))


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

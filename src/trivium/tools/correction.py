"""Correct a classifier from a few examples, and prove that it keeps what it knew (CFL).

Each method is tried by cross-validation over the corrections. The method with the largest gain on held-out corrections
is taught all of them. It is selected if the upper confidence limit of its loss on the guard is within the allowed loss;
otherwise the next method is taught.
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
from trivium.data.tables import LABELLED, Data, ReadOptions
from trivium.engine.execute import trained_classifier
from trivium.engine.runner import StepRunner
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.measure.metrics import Bools
from trivium.measure.statistics.flips import Flips
from trivium.measure.statistics.intervals import Interval, bounds, share_interval
from trivium.models.classifiers import labels_of
from trivium.settings import Settings
from trivium.tools.corrected import Predicted, load_corrected
from trivium.tools.correction_data import (
    Corrections,
    Guard,
    choose_guard,
    folds_of,
    label_indices,
    read_corrections,
)
from trivium.tools.history import Record, copy_model, read_history, saving_model, write_history
from trivium.tools.methods import AUTO, CORRECTING, Lesson, Teacher, chosen_methods

FOLDS = 3
PARTS = ("corrections", "earlier", "guard")
"""The parts of a task that a model is evaluated on; see :attr:`Task.parts`."""


class CorrectionSettings(Settings):
    """The settings of a correction; ``allow`` is the largest acceptable loss on the guard, in percentage points."""

    method: str = AUTO
    allow: Annotated[float, Field(ge=0, le=100)] = 0.5
    seed: int = 0
    train: TrainConfig = CORRECTING


@dataclass(frozen=True)
class Task:
    """A correction to be done: the model, the corrections, and the guard.

    ``earlier`` are the corrections that the model was taught before, by round. Each example is only in its last round,
    and those that are corrected again now are left out.
    """

    model: str
    labels: Labels
    corrections: Corrections
    guard: Guard
    history: tuple[Record, ...]
    earlier: tuple[tuple[Example, ...], ...]
    settings: CorrectionSettings

    @property
    def earlier_examples(self) -> tuple[Example, ...]:
        """The earlier corrections of all rounds."""
        return tuple(example for examples in self.earlier for example in examples)

    @property
    def parts(self) -> tuple[tuple[Example, ...], ...]:
        """The examples of each of :data:`PARTS`: the corrections, the earlier ones, and the measured guard."""
        return self.corrections.examples, self.earlier_examples, self.guard.measured

    def part(self, name: str) -> tuple[Example, ...]:
        """Return the examples of one of :data:`PARTS`."""
        return self.parts[PARTS.index(name)]

    @property
    def texts(self) -> tuple[Example, ...]:
        """All examples: those of the parts, and those of the guard that methods may replay."""
        return (*(example for part in self.parts for example in part), *self.guard.remembered)


@dataclass(frozen=True, eq=False)
class Trial:
    """A method tried by cross-validation.

    Attributes:
        predicted: The label predicted for each correction by the model that was taught the other folds; None if it
            failed.
        failed: Why the trial, or later the training on all corrections, failed.
    """

    method: str
    predicted: Predicted | None
    failed: str = ""


@dataclass(frozen=True, eq=False)
class Final:
    """The predictions of a model that was taught all corrections, on each of :data:`PARTS`."""

    method: str
    corrections: Predicted
    earlier: Predicted
    guard: Predicted


@dataclass(frozen=True, eq=False)
class Correction:
    """The result of a correction.

    Attributes:
        before: The predictions of the model before the correction.
        trials: The methods tried by cross-validation.
        finals: The methods that were taught all corrections.
        selected: The selected one of ``finals``, if any.
        lesson: The model that was taught last, which is the selected one if there is one.
        truncated: The number of texts that are longer than ``max_length`` tokens and are truncated.
    """

    task: Task
    before: Final
    max_length: int
    trials: tuple[Trial, ...] = ()
    finals: tuple[Final, ...] = ()
    selected: Final | None = None
    lesson: Lesson | None = None
    truncated: int = 0

    @property
    def labels(self) -> Labels:
        """The label scheme of the model."""
        return self.task.labels

    @cached_property
    def gold(self) -> Final:
        """The gold labels."""
        return Final("gold", *(label_indices(part, self.labels) for part in self.task.parts))

    @property
    def ranked(self) -> list[Trial]:
        """The completed trials, the largest gain on held-out corrections first; ties keep the order of methods."""
        completed = [trial for trial in self.trials if trial.predicted is not None]
        return sorted(completed, key=lambda trial: -self.held_out(trial).gain().value)

    @property
    def shown(self) -> Final | None:
        """The final model that the report is about: the selected one, else the best one that was taught."""
        return self.selected or (self.finals[0] if self.finals else None)

    def trial_of(self, final: Final) -> Trial:
        """Return the trial of the method of a final model."""
        return next(trial for trial in self.trials if trial.method == final.method)

    def held_out(self, trial: Trial) -> Flips:
        """Return the flips on held-out corrections."""
        assert trial.predicted is not None
        return Flips.of(self.before.corrections == self.gold.corrections, trial.predicted == self.gold.corrections)

    def became_wrong(self, trial: Trial) -> list[int]:
        """Return the indices of held-out corrections that were correct before and are incorrect now."""
        was_correct, gold = self.before.corrections == self.gold.corrections, self.gold.corrections
        return [int(index) for index in np.flatnonzero(was_correct & (trial.predicted != gold))]

    def on_corrections(self, final: Final) -> Flips:
        """Return the flips on the corrections, all of which were taught."""
        return Flips.of(*self._correct("corrections", final))

    def on_guard(self, final: Final) -> Flips:
        """Return the flips on the guard."""
        return Flips.of(*self._correct("guard", final))

    def is_within_allowed_loss(self, final: Final) -> bool:
        """Return whether the upper confidence limit of the loss on the guard is within the allowed loss."""
        return 100 * self.on_guard(final).upper() <= self.task.settings.allow

    def gains(self, final: Final) -> bool:
        """Return whether more corrections are predicted correctly than before."""
        return self.on_corrections(final).value < 0

    def lost(self, part: str, final: Final) -> list[int]:
        """Return the indices of the examples of a part that were correct before and are incorrect now."""
        before, after = self._correct(part, final)
        return [int(index) for index in np.flatnonzero(before & ~after)]

    def before_and_after(self, part: str, final: Final) -> tuple[Interval, Interval]:
        """Return the accuracy on a part, before and after."""
        before, after = self._correct(part, final)
        return share_interval(before), share_interval(after)

    def _correct(self, part: str, final: Final) -> tuple[Bools, Bools]:
        """Return whether each prediction for a part is correct, before and after."""
        gold = getattr(self.gold, part)
        return np.asarray(getattr(self.before, part) == gold), np.asarray(getattr(final, part) == gold)


def prepare(
    model: str,
    examples: Data,
    guard: Data | None,
    settings: CorrectionSettings,
    columns: ReadOptions = LABELLED,
) -> Task:
    """Read the corrections and the guard. Raise, before any work is done, if anything is wrong."""
    chosen_methods(settings.method)
    labels = labels_of(model)
    history = read_history(model)
    corrections = read_corrections(examples, labels, columns)
    earlier = _latest([record.corrections() for record in history], corrections.examples)
    corrected = [*corrections.examples, *(example for examples in earlier for example in examples)]
    chosen_guard = choose_guard(guard, labels, corrected, settings.seed, columns)
    return Task(model, labels, corrections, chosen_guard, history, earlier, settings)


def correct(task: Task, runner: StepRunner) -> Correction:
    """Try the methods, and select the best one whose loss on the guard is shown to be within the allowed loss.

    Only methods that gain on held-out corrections are taught. If there is none, those that lose nothing on them are
    taught, and selected if they predict more of the corrections themselves correctly.
    """
    corrections, settings = task.corrections.examples, task.settings
    model = load_corrected(task.model, settings.train, settings.seed)
    sets = (task.guard.remembered, *task.earlier)
    queries = (*corrections, *task.guard.measured)
    teacher = Teacher(task.model, task.labels, settings.train, settings.seed, runner, sets, queries)
    predicted = model.answers(teacher.all_examples.examples).predicted if model.support else teacher.before
    before = _final("before", teacher, task, predicted)
    result = Correction(task, before, model.max_length)
    if (before.corrections == result.gold.corrections).all():
        raise UserError(f"{task.corrections.file}: nothing to correct: the model predicts all of them correctly")
    folds = folds_of(corrections, FOLDS, settings.seed)
    tried = teacher.try_out(chosen_methods(settings.method), corrections, folds)
    result = replace(result, trials=tuple(_trial(method, outcome) for method, outcome in tried.items()))
    candidates = _candidates(result)
    for trial in candidates:
        result = _teach(result, teacher, trial)
        if result.selected is not None:
            break
    if candidates and not result.finals:
        raise _all_failed(result)
    return replace(result, truncated=sum(not model.learner.reads_whole(example) for example in task.texts))


def save(correction: Correction, store: Store, out: Path) -> None:
    """Write the corrected model to a folder, atomically."""
    task, final, lesson = correction.task, correction.selected, correction.lesson
    assert final is not None
    assert lesson is not None
    with saving_model(task.model, out) as (folder, previous):
        if lesson.support is not None:
            copy_model(task.model, folder)
            lesson.support.write(folder)
        else:
            assert lesson.step is not None
            trained_classifier(lesson.step, store).save(folder)
        record = Record(
            method=final.method,
            examples=tuple(example.to_json() for example in task.corrections.examples),
            guard=task.guard.name,
            settings=task.settings.model_dump(mode="json"),
            figures=figures_of(correction, final),
            previous=previous,
        )
        write_history(folder, (*task.history, record))


def figures_of(correction: Correction, final: Final) -> dict[str, Any]:
    """Return the figures of a final model as plain values: shares from 0 to 1, ``…_points`` in percentage points."""
    flips = correction.on_guard(final)
    plain: dict[str, Any] = {"method": final.method}
    plain["held_out_gain"] = bounds(correction.held_out(correction.trial_of(final)).gain())
    for part in PARTS:
        if len(getattr(final, part)):
            before, after = correction.before_and_after(part, final)
            plain[part] = {"before": bounds(before), "after": bounds(after)}
    plain["gain_on_corrections"] = bounds(correction.on_corrections(final).gain())
    plain["guard_lost"], plain["guard_won"], plain["guard_examples"] = flips.lost, flips.won, flips.number
    plain["guard_loss"] = bounds(flips.loss())
    plain["guard_loss_bound_points"] = 100 * flips.upper()
    return plain


def _trial(method: str, outcome: Predicted | str) -> Trial:
    """Return a trial with its predictions, or with the reason why it failed."""
    return Trial(method, None, outcome) if isinstance(outcome, str) else Trial(method, outcome)


def _teach(result: Correction, teacher: Teacher, trial: Trial) -> Correction:
    """Teach all corrections by the method of a trial, and select it if it gains and its loss is within limits."""
    try:
        lesson, predicted = teacher.teach(trial.method, result.task.corrections.examples)
    except UserError as error:
        failed = replace(trial, failed=str(error))
        return replace(result, trials=tuple(failed if each is trial else each for each in result.trials))
    final = _final(trial.method, teacher, result.task, predicted)
    is_selected = result.gains(final) and result.is_within_allowed_loss(final)
    return replace(result, finals=(*result.finals, final), selected=final if is_selected else None, lesson=lesson)


def _final(method: str, teacher: Teacher, task: Task, predicted: Predicted) -> Final:
    """Return the predictions for each part of a task, out of those for every example of the teacher."""
    return Final(method, *(predicted[teacher.positions(part)] for part in task.parts))


def _candidates(result: Correction) -> list[Trial]:
    """Return the trials to teach, the best first: those that gain, or if none does, those that lose nothing."""
    if not result.ranked:
        raise _all_failed(result)
    gaining = [trial for trial in result.ranked if result.held_out(trial).value < 0]
    return gaining or [trial for trial in result.ranked if result.held_out(trial).value == 0]


def _all_failed(result: Correction) -> UserError:
    """Return the error for a correction for which every method failed; it quotes the first failure."""
    failed = next(trial for trial in result.trials if trial.failed)
    return UserError(f"no method could be trained on the corrections: {failed.method}: {failed.failed}")


def _latest(rounds: Sequence[Sequence[Example]], new: Sequence[Example]) -> tuple[tuple[Example, ...], ...]:
    """Return rounds of corrections with each example only in its last round, and without the new corrections."""
    seen = {key_of(example) for example in new}
    latest: list[tuple[Example, ...]] = []
    for examples in reversed(rounds):
        latest.append(tuple(example for example in examples if key_of(example) not in seen))
        seen |= {key_of(example) for example in examples}
    return tuple(examples for examples in reversed(latest) if examples)

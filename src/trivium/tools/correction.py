"""Correct a classifier from a few examples, and prove that it keeps what it knew (CFL).

Each method is tried by cross-validation over the corrections; those that share a cue or a template are held out
together. The method with the largest gain is taught all of them, if its gain is shown. It is selected if the upper
confidence limits of its loss on the guard and on generated phenomena are within the allowed loss, no phenomenon is
shown to be lost, and earlier corrections are kept; otherwise the next method is taught.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trivium.data.example import Example
from trivium.data.labels import Labels
from trivium.engine.execute import trained_classifier
from trivium.engine.runner import StepRunner
from trivium.engine.store import Store
from trivium.errors import UserError, option
from trivium.learn.config import TrainConfig
from trivium.measure.metrics import Bools
from trivium.measure.statistics.flips import Flips
from trivium.measure.statistics.intervals import Interval, bounds, share_interval
from trivium.tools.corrected import Predicted, load_corrected
from trivium.tools.correction_data import folds_of, label_indices
from trivium.tools.correction_task import PARTS, Task, available_methods
from trivium.tools.history import Record, copy_model, saving_model, write_history
from trivium.tools.lessons import LessonSource
from trivium.tools.methods import LESSONS, TaughtModel, Teacher, in_turn, lesson_config
from trivium.tools.proof import Change, anchors, beats_guessing, changes, is_shown, phenomenon_correct

FOLDS = 3
TOGETHER = "all phenomena"
Logits = NDArray[np.float32]


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
    """The predictions of a model that was taught all corrections, on each of :data:`PARTS`.

    ``phenomena`` are the changes on generated phenomena, the last of them on all together, and ``suites`` those on what
    earlier lessons held out. ``share`` is how much of the change of the weights is kept.
    """

    method: str
    corrections: Predicted
    earlier: Predicted
    guard: Predicted
    phenomena: tuple[Change, ...] = ()
    suites: tuple[Change, ...] = ()
    share: float = 1.0


@dataclass(frozen=True, eq=False)
class Correction:
    """The result of a correction.

    Attributes:
        before: The predictions of the model before the correction.
        trials: The methods tried by cross-validation.
        folds: The indices of the corrections that were held out together.
        finals: The methods that were taught all corrections.
        selected: The selected one of ``finals``, if any.
        taught: The model that was taught last, which is the selected one if there is one.
        truncated: The number of texts that are longer than ``max_length`` tokens and are truncated.
    """

    task: Task
    before: Final
    max_length: int
    trials: tuple[Trial, ...] = ()
    folds: tuple[tuple[int, ...], ...] = ()
    finals: tuple[Final, ...] = ()
    selected: Final | None = None
    taught: TaughtModel | None = None
    truncated: int = 0

    @property
    def labels(self) -> Labels:
        """The label scheme of the model."""
        return self.task.labels

    @cached_property
    def gold(self) -> Final:
        """The gold labels."""
        corrections, earlier, guard = (label_indices(part, self.labels) for part in self.task.parts)
        return Final("gold", corrections, earlier, guard)

    @property
    def ranked(self) -> list[Trial]:
        """The completed trials, the largest gain on held-out corrections first; ties keep the order of methods."""
        completed = [trial for trial in self.trials if trial.predicted is not None]
        return sorted(completed, key=lambda trial: -self.held_out(trial).gain().value)

    @property
    def shown(self) -> Final | None:
        """The final model that the report is about: the selected one, else the best one that was taught."""
        return self.selected or (self.finals[0] if self.finals else None)

    @property
    def has_lessons(self) -> bool:
        """Whether lessons were among the methods."""
        return any(trial.method in LESSONS for trial in self.trials)

    def has_taught_in_vain(self, methods: Sequence[str]) -> bool:
        """Return whether methods are lessons, and another lesson with the same pairs has shown no gain."""
        lessons = [trial for trial in self.ranked if trial.method in LESSONS]
        return set(methods) <= {*LESSONS} and any(not self.is_gain_shown(trial) for trial in lessons)

    def trial_of(self, final: Final) -> Trial:
        """Return the trial of the method of a final model."""
        return next(trial for trial in self.trials if trial.method == final.method)

    def held_out(self, trial: Trial) -> Flips:
        """Return the flips on held-out corrections."""
        assert trial.predicted is not None
        return Flips.of(self.before.corrections == self.gold.corrections, trial.predicted == self.gold.corrections)

    @cached_property
    def nested(self) -> Flips:
        """The flips on held-out corrections if the method, too, is chosen without them.

        For each fold, the method is the one that gains most on the other folds.
        """
        predicted = np.array(self.before.corrections)
        for fold in self.folds or (tuple(range(len(predicted))),):
            others = [index for index in range(len(predicted)) if index not in fold] or list(fold)
            gold = self.gold.corrections
            best = max(self.ranked, key=lambda trial: int((_predicted(trial) == gold)[others].sum()))
            predicted[list(fold)] = _predicted(best)[list(fold)]
        return Flips.of(self.before.corrections == self.gold.corrections, predicted == self.gold.corrections)

    def is_gain_shown(self, trial: Trial) -> bool:
        """Return whether the gain of a method is shown.

        Its interval is above zero, also if the choice of the method is nested, and it is better than guessing.
        """
        return is_shown(self.held_out(trial)) and is_shown(self.nested) and self.beats_guessing(trial)

    def beats_guessing(self, trial: Trial) -> bool:
        """Return whether more held-out corrections are correct than one would guess."""
        return beats_guessing(self.held_out_correct(trial), len(self.gold.corrections), len(self.labels))

    def held_out_correct(self, trial: Trial) -> int:
        """Return how many held-out corrections are correct after the correction."""
        return int((_predicted(trial) == self.gold.corrections).sum())

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

    def bound(self, final: Final) -> float:
        """Return the upper confidence limit of the loss: on the guard, or on all phenomena if it is larger."""
        together = [change.flips.upper() for change in final.phenomena if change.name == TOGETHER]
        return max([self.on_guard(final).upper(), *together])

    def is_within_allowed_loss(self, final: Final) -> bool:
        """Return whether the upper confidence limit of the loss is within the allowed loss."""
        return 100 * self.bound(final) <= self.task.settings.allow

    def shown_losses(self, final: Final) -> list[Change]:
        """Return the phenomena and earlier lessons on which a loss is shown."""
        return [change for change in (*final.phenomena, *final.suites) if change.is_loss]

    def keeps_earlier(self, final: Final) -> bool:
        """Return whether as many earlier corrections are correct as before."""
        gold = self.gold.earlier
        return bool((final.earlier == gold).sum() >= (self.before.earlier == gold).sum())

    def is_proved(self, final: Final) -> bool:
        """Return whether a model may be written."""
        is_safe = self.is_within_allowed_loss(final) and not self.shown_losses(final) and self.keeps_earlier(final)
        return is_safe and self.gains(final)

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


def correct(task: Task, runner: StepRunner) -> Correction:
    """Try the methods in turn, and select the best one that proves its gain and the absence of loss.

    Only methods whose gain on held-out corrections is shown are taught all corrections.
    """
    corrections, settings = task.corrections.examples, task.settings
    model = load_corrected(task.model, settings.train, settings.seed)
    task = replace(task, lessons=task.lessons.with_kind(corrections, model.predict(corrections)))
    runner.note(describe_kind(task.lessons))
    teacher = _teacher(task, runner, lesson_config(settings.lesson, model.learner.network.model))
    predicted = model.answers(teacher.all_examples.examples).predicted if model.support else teacher.before
    before = _final("before", teacher, task, predicted)
    result = Correction(task, before, model.max_length)
    if (before.corrections == result.gold.corrections).all():
        raise UserError(f"{task.corrections.file}: nothing to correct: the model predicts all of them correctly")
    folds = folds_of(task.groups, [str(example.label) for example in corrections], FOLDS, settings.seed)
    result = replace(result, folds=tuple(map(tuple, folds)))
    for methods in in_turn(available_methods(task)):
        if result.selected is None and not result.has_taught_in_vain(methods):
            result = _choose(result, teacher, methods)
    if not result.finals and any(trial.failed for trial in result.trials):
        raise _all_failed(result)
    return replace(result, truncated=sum(not model.learner.reads_whole(example) for example in task.texts))


def _choose(result: Correction, teacher: Teacher, methods: Sequence[str]) -> Correction:
    """Try methods, and select the best of those that prove their gain and the absence of loss, if any."""
    tried = teacher.try_out(methods, result.task.corrections.examples, result.folds)
    trials = [_trial(method, outcome) for method, outcome in tried.items()]
    result = replace(result, trials=(*result.trials, *trials))
    for trial in [each for each in result.ranked if each in trials and result.is_gain_shown(each)]:
        result = _teach(result, teacher, trial)
        if result.selected is not None:
            break
    return result


def describe_kind(lessons: LessonSource) -> str:
    """Return of which kind the mistakes are, and with what confidence."""
    kind, own = lessons.kind, "pairs of your own" if lessons.edited else ""
    if kind is None:
        likely = "".join(f" (perhaps {other.name}, {other.confidence:.0%})" for other in lessons.others[:1])
        advice = own or f"name it with {option('about')} to teach more pairs of that kind"
        return f"Kind of mistakes: not recognized{likely}: {advice}."
    cues = f"; cues: {', '.join(kind.cues)}" if kind.cues else ""
    return f"Kind of mistakes: {kind.name}, confidence {kind.confidence:.0%}{cues}{f'; {own}' if own else ''}."


def _teacher(task: Task, runner: StepRunner, lesson_train: TrainConfig) -> Teacher:
    settings = task.settings
    sets = (task.guard.remembered, *task.earlier)
    pairs = tuple(_unlabelled(pair) for each in task.phenomena.values() for pair in each)
    suites = (pair for suite in task.suites.values() for pair in suite)
    return Teacher(
        model=task.model,
        labels=task.labels,
        train=settings.train,
        seed=settings.seed,
        runner=runner,
        sets=sets,
        queries=(*task.corrections.examples, *suites),
        measured=(task.guard.measured, pairs),
        lessons=task.lessons,
        replay=task.replay.examples,
        anchors=anchors(task.labels, task.lessons.kind) if task.phenomena else (),
        lesson_train=lesson_train,
        allow=settings.allow / 100,
    )


def _unlabelled(pair: Example) -> Example:
    """Return the pair of a phenomenon without its label, which may be of another scheme than the model's."""
    return replace(pair, label=None)


def save(correction: Correction, store: Store, out: Path) -> None:
    """Write the corrected model to a folder, atomically."""
    task, final, taught = correction.task, correction.selected, correction.taught
    assert final is not None
    assert taught is not None
    with saving_model(task.model, out) as (folder, previous):
        if taught.support is not None:
            copy_model(task.model, folder)
            taught.support.write(folder)
        else:
            assert taught.step is not None
            trained_classifier(taught.step, store, taught.share).save(folder)
        record = Record(
            method=final.method,
            examples=tuple(example.to_json() for example in task.corrections.examples),
            guard=task.guard.name,
            settings=task.settings.model_dump(mode="json"),
            figures=figures_of(correction, final),
            previous=previous,
            kind=task.lessons.kind.name if task.lessons.kind else "",
            pairs=tuple(example.to_json() for example in taught.pairs),
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
    plain["loss_bound_points"] = 100 * correction.bound(final)
    plain["share"] = final.share
    plain["phenomena"] = [change.to_json() for change in final.phenomena]
    plain["earlier_lessons"] = [change.to_json() for change in final.suites]
    return plain


def _trial(method: str, outcome: Predicted | str) -> Trial:
    """Return a trial with its predictions, or with the reason why it failed."""
    return Trial(method, None, outcome) if isinstance(outcome, str) else Trial(method, outcome)


def _predicted(trial: Trial) -> Predicted:
    assert trial.predicted is not None
    return trial.predicted


def _teach(result: Correction, teacher: Teacher, trial: Trial) -> Correction:
    """Teach all corrections by the method of a trial, and select it if it proves to gain and not to lose."""
    task = result.task
    try:
        taught, logits = teacher.teach(trial.method, task.corrections.examples)
    except UserError as error:
        failed = replace(trial, failed=str(error))
        return replace(result, trials=tuple(failed if each is trial else each for each in result.trials))
    final = _final(trial.method, teacher, task, logits.argmax(axis=1))
    phenomena, suites = _phenomena(teacher, task, logits), _suites(teacher, task, logits)
    final = replace(final, share=taught.share, phenomena=phenomena, suites=suites)
    selected = final if result.is_proved(final) else None
    return replace(result, finals=(*result.finals, final), selected=selected, taught=taught)


def _final(method: str, teacher: Teacher, task: Task, predicted: Predicted) -> Final:
    """Return the predictions for each part of a task, out of those for every example of the teacher."""
    corrections, earlier, guard = (predicted[teacher.positions(part)] for part in task.parts)
    return Final(method, corrections, earlier, guard)


def _phenomena(teacher: Teacher, task: Task, logits: Logits) -> tuple[Change, ...]:
    sides = {}
    for name, pairs in task.phenomena.items():
        rows = teacher.positions([_unlabelled(pair) for pair in pairs])
        before, after = (
            phenomenon_correct(name, pairs, side[rows], task.labels) for side in (teacher.logits_before, logits)
        )
        sides[name] = (before, after)
    return changes(sides, TOGETHER)


def _suites(teacher: Teacher, task: Task, logits: Logits) -> tuple[Change, ...]:
    sides = {}
    for name, pairs in task.suites.items():
        rows, gold = teacher.positions(pairs), label_indices(pairs, task.labels)
        sides[name] = (teacher.before[rows] == gold, logits[rows].argmax(axis=1) == gold)
    return changes(sides)


def _all_failed(result: Correction) -> UserError:
    """Return the error for a correction for which every method failed; it quotes the first failure."""
    failed = next(trial for trial in result.trials if trial.failed)
    return UserError(f"no method could be trained on the corrections: {failed.method}: {failed.failed}")

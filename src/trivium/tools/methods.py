"""The methods of correcting a model: strategies that train it, lessons, and support sets that compare vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import StepMaker, strategy_specs
from trivium.data.example import Example
from trivium.data.labels import Labels
from trivium.data.split import Split
from trivium.engine.runner import StepRunner
from trivium.engine.steps import PredictStep, TrainStep
from trivium.errors import UserError, option, unknown_name
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.strategy import find_strategies
from trivium.measure.clusters import Vectors
from trivium.models.classifiers import HEAD
from trivium.models.packed import FAMILIES
from trivium.tools.corrected import MAX_LENGTH, SUPPORTS, Predicted, Support
from trivium.tools.correction_data import label_indices
from trivium.tools.lessons import LessonSource

AUTO: Final = "auto"
Runtime = Literal["transformers", "trivium"]
"""What loads the corrected model: transformers, or Trivium, which also reads a support set."""
RUNTIMES: tuple[Runtime, ...] = get_args(Runtime)
CORRECTING = TrainConfig(learning_rate=5e-5, batch_size=8, epochs=10, warmup=0.1, frozen="embeddings", threads=1)
"""How corrections are trained by default."""
LESSON = TrainConfig(learning_rate=3e-4, batch_size=8, epochs=4, warmup=0.1, frozen="embeddings", threads=1)
"""How lessons are trained by default; see also :func:`lesson_config`."""
LESSONS: Final[Mapping[str, str]] = {"lesson": "er-res", "lesson-kd": "kd"}
"""Methods that train on generated pairs too and keep only a share of what changes, and the strategy of each."""
SHARES = (0.5, 0.75, 1.0)
"""The shares of a lesson's change that are tried (WiSE-FT)."""
_REPEATS = 3  # how often each correction is among the pairs of a lesson


def methods(runtime: Runtime = "transformers") -> tuple[str, ...]:
    """Return all methods in the order of preference among equal gains: lessons, then the cheapest first."""
    strategies = {name: cls for name, cls in find_strategies().items() if cls.for_corrections}
    supports = SUPPORTS if runtime == "trivium" else ()
    return (*LESSONS, *sorted(strategies, key=lambda name: (strategies[name].cost, name)), *supports)


def chosen_methods(name: str, runtime: Runtime = "transformers") -> tuple[str, ...]:
    """Return all methods for ``auto``, else the named method. Raise if it is unknown, or needs another runtime."""
    if name == AUTO:
        return methods(runtime)
    known = (*LESSONS, *SUPPORTS, *find_strategies())
    if name not in known:
        raise unknown_name("method", name, (AUTO, *known))
    if name in SUPPORTS and runtime != "trivium":
        raise UserError(
            f"{option('method', name)} predicts from vectors that transformers ignores: add "
            f"{option('runtime', 'trivium')}, or choose a method that trains"
        )
    return (name,)


def in_turn(methods: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield methods that are tried together: each lesson, then all others."""
    for method in LESSONS:
        if method in methods:
            yield (method,)
    if others := tuple(method for method in methods if method not in LESSONS):
        yield others


def lesson_config(train: TrainConfig, model: Any) -> TrainConfig:
    """Return how a lesson trains a model of transformers: its upper half, if the lower one can be frozen.

    The output of frozen layers is computed once for all methods and folds. Another setting of ``frozen`` than the
    default is kept.
    """
    layers = getattr(model.config, "num_hidden_layers", 0)
    if train.frozen != LESSON.frozen or model.config.model_type not in FAMILIES or layers < 2:
        return train
    return train.model_copy(update={"frozen": f"lower:{layers // 2}"})


@dataclass(frozen=True)
class TaughtModel:
    """A model taught by a method: the step that trains it, or the support set that replaces its head.

    ``share`` is how much of the change of its weights is kept, ``pairs`` what a lesson has held out.
    """

    method: str
    step: TrainStep | None = None
    support: Support | None = None
    share: float = 1.0
    pairs: tuple[Example, ...] = ()


class Training(NamedTuple):
    """A training on corrections, and the generated pairs that it holds out."""

    step: TrainStep
    checked: tuple[Example, ...] = ()


class _Candidate(NamedTuple):
    """The predictions of a training with one share of its change."""

    share: float
    step: PredictStep


class _Fold(NamedTuple):
    """Corrections that are held out together, by their indices, and what is trained and predicted without them."""

    indices: list[int]
    taught: list[Example]
    held_out: list[Example]
    training: Training | None = None
    candidates: Sequence[_Candidate] = ()


@dataclass(frozen=True)
class Teacher:
    """Teaches corrections by any method, always starting from the same model, through the steps of a store.

    ``sets`` are the examples that methods may remember: a share of the guard, then each earlier round of corrections.
    ``queries`` are the other examples for which predictions are needed; ``measured`` are sets that measure a loss,
    whose predictions are kept apart, because they are the same for all corrections of a model. ``lessons`` makes the
    pairs of a lesson. It replays ``replay``, and ``anchors`` with the labels that the model gives them now, and is
    trained by ``lesson_train``; ``allow`` is the loss, as a share, that it may cost.
    """

    model: str
    labels: Labels
    train: TrainConfig
    seed: int
    runner: StepRunner
    sets: tuple[tuple[Example, ...], ...]
    queries: tuple[Example, ...]
    lessons: LessonSource
    measured: tuple[tuple[Example, ...], ...] = ()
    replay: tuple[Example, ...] = ()
    anchors: tuple[Example, ...] = ()
    lesson_train: TrainConfig = LESSON
    allow: float = 0.0

    @cached_property
    def before(self) -> Predicted:
        """The predictions for :attr:`all_examples` before the correction; see :meth:`positions`."""
        return np.asarray(self.logits_before.argmax(axis=1), dtype=np.intp)

    @cached_property
    def logits_before(self) -> NDArray[np.float32]:
        """The logits for :attr:`all_examples` before the correction."""
        steps = [self._maker.predict(self._base, part) for part in self._parts if len(part)]
        self.runner.run_steps([steps], f"Predictions of {self.model} before the correction")
        return self._joined_logits(steps)

    def positions(self, examples: Sequence[Example]) -> NDArray[np.intp]:
        """Return the positions of examples in :attr:`all_examples`."""
        return np.array([self._index[example] for example in examples], dtype=np.intp)

    def try_out(
        self, methods: Sequence[str], corrections: Sequence[Example], folds: Sequence[Sequence[int]]
    ) -> dict[str, Predicted | str]:
        """Return the cross-validated predictions of each method for the corrections, or why it failed.

        A lesson is tried without any of the corrections, if pairs of their kind can be generated without them.
        """
        trials = {method: self._folds(method, corrections, folds) for method in methods}
        failures = self._run_folds(trials)
        return {method: self._outcome(method, trial, failures) for method, trial in trials.items()}

    def _folds(self, method: str, corrections: Sequence[Example], folds: Sequence[Sequence[int]]) -> list[_Fold]:
        """Return the folds of a method: a single one for a lesson whose pairs need no corrections."""
        if method in LESSONS and self.lessons.lesson((), corrections).taught:
            folds = [range(len(corrections))]
        return [self._fold(method, corrections, indices) for indices in folds]

    def _fold(self, method: str, corrections: Sequence[Example], indices: Sequence[int]) -> _Fold:
        taught = [example for index, example in enumerate(corrections) if index not in indices]
        held_out = [corrections[index] for index in indices]
        if method in SUPPORTS:
            return _Fold(list(indices), taught, held_out)
        training = self._training(method, taught, held_out)
        return _Fold(list(indices), taught, held_out, training, self._candidates(method, training, held_out))

    def _run_folds(self, trials: Mapping[str, Sequence[_Fold]]) -> Mapping[str, str]:
        """Run the steps of all folds, and return the message of each failed step by its key."""
        labels = {
            key: f"{method}, fold {number} of {len(folds)}" if len(folds) > 1 else f"{method}, without the corrections"
            for method, folds in trials.items()
            for number, fold in enumerate(folds, 1)
            for candidate in fold.candidates
            for key in (candidate.step.key, candidate.step.training.key)
        }
        runs = [[candidate.step for candidate in fold.candidates] for folds in trials.values() for fold in folds]
        return self.runner.run_steps(runs, f"Trying {', '.join(trials)}", labels=labels, continue_on_error=True)

    def _outcome(self, method: str, folds: Sequence[_Fold], failures: Mapping[str, str]) -> Predicted | str:
        """Return the predictions for all corrections, or why the method failed."""
        predicted = np.zeros(sum(len(fold.indices) for fold in folds), dtype=np.intp)
        for fold in folds:
            if fold.training is None:
                support, vectors = self._support(method, fold.taught), self._vectors_of(fold.held_out)
                predicted[fold.indices] = support.predict(vectors, len(self.labels))
            elif fold.training.step.key in failures:
                return failures[fold.training.step.key]
            else:
                best = self._best_share(fold.candidates, fold.training, fold.held_out)
                predicted[fold.indices] = self._logits(best.step)[: len(fold.held_out)].argmax(axis=1)
        return predicted

    def teach(self, method: str, corrections: Sequence[Example]) -> tuple[TaughtModel, NDArray[np.float32]]:
        """Teach all corrections by a method. Return the taught model and its logits for :attr:`all_examples`.

        What is only replayed has none. A support set has no logits; it returns 1 for the label that it predicts and 0
        for the others.
        """
        if method in SUPPORTS:
            support = self._support(method, corrections)
            predicted = support.predict(self._vectors, len(self.labels))
            return TaughtModel(method, support=support), np.eye(len(self.labels), dtype=np.float32)[predicted]
        training = self._training(method, corrections)
        share = 1.0
        if method in LESSONS:
            candidates = self._candidates(method, training)
            self._run(method, training, [candidate.step for candidate in candidates])
            share = self._best_share(candidates, training).share
        parts = [part for part in self._parts[:-1] if len(part)]
        steps = [self._maker.predict(training.step, part, share=share) for part in parts]
        self._run(method, training, steps)
        return TaughtModel(method, training.step, share=share, pairs=training.checked), self._joined_logits(steps)

    def _run(self, method: str, training: Training, steps: Sequence[PredictStep]) -> None:
        """Run predictions of a model and keep the model. Raise if its training fails."""
        labels = dict.fromkeys((training.step.key, *(step.key for step in steps)), f"{method}, all corrections")
        failures = self.runner.run_steps(
            [steps], f"Teaching by {method}", labels=labels, models=(training.step,), continue_on_error=True
        )
        if failures:
            raise UserError(next(iter(failures.values())))

    def _candidates(self, method: str, training: Training, held_out: Sequence[Example] = ()) -> list[_Candidate]:
        """Return the predictions for held-out corrections and what chooses a share, with each share of the change."""
        if method not in LESSONS:
            return [_Candidate(1.0, self._maker.predict(training.step, self._split("held out", held_out)))]
        split = self._split("held out", (*held_out, *training.checked, *self.sets[0]))
        return [_Candidate(share, self._maker.predict(training.step, split, share=share)) for share in SHARES]

    def _best_share(
        self, candidates: Sequence[_Candidate], training: Training, held_out: Sequence[Example] = ()
    ) -> _Candidate:
        """Return the share with the highest accuracy on held-out pairs, if it loses no more than allowed.

        The loss is measured on the remembered part of the guard, which lessons do not train on. If all lose more, the
        share is taken that loses least.
        """
        if len(candidates) == 1:
            return candidates[0]
        start, end = len(held_out), len(held_out) + len(training.checked)
        known = np.mean(self.before[self.positions(self.sets[0])] == label_indices(self.sets[0], self.labels))
        gold = label_indices((*training.checked, *self.sets[0]), self.labels)
        scores = []
        for candidate in candidates:
            correct = self._logits(candidate.step)[start:].argmax(axis=1) == gold
            loss = float(known - correct[end - start :].mean())
            learned = float(correct[: end - start].mean()) if training.checked else 0.0
            scores.append((min(0.0, self.allow - loss), learned, -candidate.share))
        return candidates[max(range(len(candidates)), key=scores.__getitem__)]

    def _split(self, name: str, examples: Sequence[Example]) -> Split:
        return Split(name, tuple(examples), self.labels)

    @cached_property
    def _maker(self) -> StepMaker:
        config = ModelConfig(name=self.model, head="own", max_length=MAX_LENGTH)
        resolved = resolve_model(config, self.runner.store)
        return StepMaker(resolved.model, resolved.fingerprint, (HEAD,), self.runner.store)

    @cached_property
    def _base(self) -> TrainStep:
        return self._maker.train(self._split("base", ()), self.lesson_train, self.seed)

    @cached_property
    def _parts(self) -> tuple[Split, ...]:
        """All examples for which predictions are needed, without duplicates; the last part is only replayed."""
        own = (*self.queries, *(example for examples in self.sets[1:] for example in examples))
        replayed = (*self.sets[0], *self.anchors)
        seen: set[Example] = set()
        parts = []
        for examples in (own, *self.measured, replayed):
            new = [example for example in dict.fromkeys(examples) if example not in seen]
            seen.update(new)
            parts.append(self._split("queries", new))
        return tuple(parts)

    @cached_property
    def all_examples(self) -> Split:
        """All examples for which predictions are needed, without duplicates."""
        return self._split("every", tuple(example for part in self._parts for example in part))

    @cached_property
    def _index(self) -> Mapping[Example, int]:
        return {example: index for index, example in enumerate(self.all_examples)}

    @cached_property
    def _replayed(self) -> tuple[Example, ...]:
        """What a lesson replays."""
        answers = self.before[self.positions(self.anchors)] if self.anchors else ()
        labelled = (
            replace(anchor, label=self.labels.names[answer])
            for anchor, answer in zip(self.anchors, answers, strict=True)
        )
        return (*self.replay, *labelled)

    @cached_property
    def _vectors(self) -> Vectors:
        """The vectors of all examples. Methods with a support set train nothing, so vectors do not change."""
        step = self._maker.predict(self._base, self.all_examples, "vectors")
        self.runner.run_steps([[step]], f"Vectors of {self.model}")
        return self.runner.store.vectors(step.key)[HEAD]

    def _vectors_of(self, examples: Sequence[Example]) -> Vectors:
        return np.asarray(self._vectors[self.positions(examples)])

    def _training(self, method: str, corrections: Sequence[Example], held_out: Sequence[Example] = ()) -> Training:
        """Return the training on corrections, and for a lesson on pairs like them, none of which is like ``held_out``.

        A lesson replays the examples for replay instead of the remembered part of the guard, which it needs to choose
        the share of its change.
        """
        train, past, stage = self.train, list(self.sets), list(corrections)
        checked: tuple[Example, ...] = ()
        if method in LESSONS:
            lesson = self.lessons.lesson(corrections, held_out)
            train, past, checked = self.lesson_train, [self._replayed, *self.sets[1:]], lesson.checked
            repeated = [replace(e, id=f"{e.id}-{number}") for number in range(2, _REPEATS + 1) for e in corrections]
            stage = [*corrections, *repeated, *lesson.taught]
        name = LESSONS.get(method, method)
        step = self._maker.train(
            self._split("corrections", stage),
            train,
            self.seed,
            strategy=strategy_specs({}, (name,))[name],
            past=[self._split("past", examples) for examples in past if examples],
        )
        return Training(step, checked)

    def _support(self, method: str, corrections: Sequence[Example]) -> Support:
        sets = [*(examples for examples in self.sets if examples), corrections]
        return Support.of(method, [(self._vectors_of(each), label_indices(each, self.labels)) for each in sets])

    def _joined_logits(self, steps: Sequence[PredictStep]) -> NDArray[np.float32]:
        return np.concatenate([self._logits(step) for step in steps])

    def _logits(self, step: PredictStep) -> NDArray[np.float32]:
        return self.runner.store.logits(step.key)[HEAD]

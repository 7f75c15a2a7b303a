"""The task of a correction: its settings, the corrections, the guard, and what lessons are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field

from trivium.data.example import Example, key_of
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.data.tables import LABELLED, Data, ReadOptions
from trivium.errors import UserError, option
from trivium.learn.config import TrainConfig
from trivium.models.classifiers import labels_of
from trivium.settings import Settings
from trivium.tools.correction_data import (
    Corrections,
    Guard,
    ReplayPool,
    choose_guard,
    choose_replay,
    read_corrections,
)
from trivium.tools.history import Record, read_history
from trivium.tools.lessons import LessonSource, lesson_source
from trivium.tools.methods import AUTO, CORRECTING, LESSON, LESSONS, Runtime, chosen_methods
from trivium.tools.proof import PAIRS, Phenomena, phenomenon_pairs

PARTS = ("corrections", "earlier", "guard")
"""The parts of a task that a model is evaluated on; see :attr:`Task.parts`."""
ALLOWED = 1.5
"""The loss that is allowed by default, in percentage points."""


class CorrectionSettings(Settings):
    """The settings of a correction.

    ``allow`` is the largest acceptable loss on the guard and on all phenomena together, in percentage points;
    ``phenomenon_pairs`` is the number of pairs of each phenomenon, or 0 for none. Lessons are trained by ``lesson``,
    corrections alone by ``train``.
    """

    method: str = AUTO
    allow: Annotated[float, Field(ge=0, le=100)] = ALLOWED
    runtime: Runtime = "transformers"
    seed: int = 0
    phenomenon_pairs: Annotated[int, Field(ge=0)] = PAIRS
    train: TrainConfig = CORRECTING
    lesson: TrainConfig = LESSON


class LessonOptions(NamedTuple):
    """What a user says about lessons: the kind, a text, edited pairs or a file to write them to, and what to replay."""

    about: str | None = None
    text: str | Path | None = None
    pairs: Data | None = None
    replay: Data | None = None


@dataclass(frozen=True)
class Task:
    """A correction to be done: the model, the corrections, the guard, and what lessons are made of.

    ``earlier`` are the corrections that the model was taught before, by round. Each example is only in its last round,
    and those that are corrected again now are left out. ``suites`` are the pairs that each earlier lesson held out, by
    title: they must not be lost. ``groups`` says which corrections are held out together.
    """

    model: str
    labels: Labels
    corrections: Corrections
    guard: Guard
    history: tuple[Record, ...]
    earlier: tuple[tuple[Example, ...], ...]
    settings: CorrectionSettings
    lessons: LessonSource
    replay: ReplayPool = field(default_factory=ReplayPool)
    suites: Mapping[str, tuple[Example, ...]] = field(default_factory=dict)
    groups: tuple[str, ...] = ()

    @property
    def phenomena(self) -> Phenomena:
        """The generated pairs of each phenomenon, on which nothing must be lost."""
        number = self.settings.phenomenon_pairs
        return phenomenon_pairs(self.labels, number) if number else {}

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


def prepare(
    model: str,
    examples: Data,
    guard: Data | None,
    settings: CorrectionSettings,
    columns: ReadOptions = LABELLED,
    options: LessonOptions = LessonOptions(),  # noqa: B008
) -> Task:
    """Read the corrections and the guard. Raise, before any work is done, if anything is wrong."""
    chosen_methods(settings.method, settings.runtime)
    labels = labels_of(model)
    lessons = lesson_source(labels, options.about, options.text, options.pairs, settings.seed)
    history = read_history(model)
    corrections = read_corrections(examples, labels, columns)
    earlier = _latest([record.corrections() for record in history], corrections.examples)
    corrected = [*corrections.examples, *(example for examples in earlier for example in examples)]
    chosen_guard = choose_guard(guard, labels, corrected, settings.seed, columns)
    tested = (*corrected, *chosen_guard.remembered, *chosen_guard.measured)
    replay = choose_replay(options.replay, labels, tested, settings.seed, columns)
    lessons = replace(lessons, known=replay.examples)
    suites = {
        f"pairs of correction {number}": tuple(record.suite())
        for number, record in enumerate(history, 1)
        if record.pairs
    }
    groups = _groups(corrections.examples, labels)
    return Task(model, labels, corrections, chosen_guard, history, earlier, settings, lessons, replay, suites, groups)


def available_methods(task: Task) -> tuple[str, ...]:
    """Return the methods to try: lessons only if there are pairs to teach and examples to replay."""
    chosen = chosen_methods(task.settings.method, task.settings.runtime)
    if task.lessons.is_possible and task.replay.examples:
        return chosen
    if task.settings.method in LESSONS:
        missing = "about" if task.replay.examples else "replay"
        raise UserError(
            f"{option('method', task.settings.method)} has nothing to teach or to replay: add {option(missing)}"
        )
    return tuple(method for method in chosen if method not in LESSONS)


def _groups(corrections: Sequence[Example], labels: Labels) -> tuple[str, ...]:
    """Return the group of each correction. If all would be in one, each is a group of its own."""
    alone = tuple(str(index) for index in range(len(corrections)))
    if labels not in (NLI3, NLI2):
        return alone
    from trivium.build.lessons import groups

    found = tuple(groups(corrections))
    return found if len(set(found)) > 1 else alone


def _latest(rounds: Sequence[Sequence[Example]], new: Sequence[Example]) -> tuple[tuple[Example, ...], ...]:
    """Return rounds of corrections with each example only in its last round, and without the new corrections."""
    seen = {key_of(example) for example in new}
    latest: list[tuple[Example, ...]] = []
    for examples in reversed(rounds):
        latest.append(tuple(example for example in examples if key_of(example) not in seen))
        seen |= {key_of(example) for example in examples}
    return tuple(examples for examples in reversed(latest) if examples)

"""A persona: a list of facts that grows, and a model that knows what follows from them (C²Gen, section 9).

What the model gets wrong about facts is taught in lessons. A lesson is a stage of continual learning, after which all
earlier facts and lessons are checked again. A persona is a folder::

    persona.json       the facts, and how each lesson was taught
    lessons/N.jsonl    the examples of lesson N, those held out to check it included; lesson 0 is prior knowledge
    model-N/           the model after lesson N, a folder that transformers loads; earlier models are removed
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import torch
from pydantic import Field

from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import StepMaker, strategy_specs
from trivium.build.denial import pairs_from_fact
from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.data.split import Split
from trivium.engine.execute import trained_classifier
from trivium.engine.runner import StepRunner
from trivium.engine.steps import PredictStep, TrainStep
from trivium.engine.store import Store
from trivium.errors import UserError, describe, shown, shown_value
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.learner import Learner
from trivium.measure.metrics import Bools, correct
from trivium.models.classifiers import HEAD, Classifier, load_classifier
from trivium.saving import check_empty_folder, write_text
from trivium.seeds import stream
from trivium.settings import Settings
from trivium.tools.proof import Change, changes

_FORMAT = 1
_MAX_LENGTH = 256  # enough for all facts together as one premise
_HELD_OUT = 3  # one in three examples of a lesson is held out
_MAX_NEUTRAL = 4  # neutral pairs with other facts in a lesson about a fact
TEACHING = TrainConfig(learning_rate=1e-4, batch_size=8, epochs=3, warmup=0.1, frozen="embeddings", threads=2)
"""How a lesson is trained by default."""


class LessonRecord(Settings):
    """How a lesson was taught, and its accuracy on its own checks afterwards (``right`` in the file)."""

    name: str
    strategy: str = "er-buff"
    settings: Mapping[str, Any] = {}
    train: TrainConfig = TEACHING
    accuracy: Annotated[float | None, Field(alias="right")] = None


class _File(Settings):
    """The content of ``persona.json``."""

    format: int = _FORMAT
    facts: tuple[str, ...] = ()
    lessons: tuple[LessonRecord, ...] = ()
    knew: bool = False


class Lesson(NamedTuple):
    """The examples of a lesson: those that are taught, and those that are held out to check it."""

    taught: tuple[Example, ...]
    held_out: tuple[Example, ...] = ()

    @property
    def checked(self) -> tuple[Example, ...]:
        """The examples that check the lesson: the held-out ones, and for labels without any, the taught ones."""
        labels = {example.label for example in self.held_out}
        return (*self.held_out, *(example for example in self.taught if example.label not in labels))


class LessonCheck(NamedTuple):
    """The check of a lesson: whether the model is correct on each example, before and after a new lesson."""

    name: str
    examples: tuple[Example, ...]
    before: Bools
    after: Bools

    @property
    def lost(self) -> list[Example]:
        """The examples that were correct before and are incorrect now."""
        return [example for example, is_lost in zip(self.examples, self.before & ~self.after, strict=True) if is_lost]

    @property
    def loss(self) -> float:
        """By how many percentage points the accuracy fell; negative if it rose."""
        return 100 * (int(self.before.sum()) - int(self.after.sum())) / len(self.examples)


class Teaching(NamedTuple):
    """The effect of a new lesson: the checks of all earlier ones and its own, and whether it was saved."""

    earlier: tuple[LessonCheck, ...]
    new: LessonCheck
    saved: bool

    @property
    def shown_losses(self) -> list[Change]:
        """The earlier checks, and all of them together, on which a loss is shown, as for a correction."""
        sides = {checked.name: (checked.before, checked.after) for checked in self.earlier}
        return [change for change in changes(sides, "everything earlier") if change.is_loss]

    @property
    def worst(self) -> LessonCheck | None:
        """The earlier check with the largest loss."""
        return max(self.earlier, key=lambda checked: checked.loss, default=None)


@dataclass(frozen=True)
class Persona:
    """A persona in its folder. ``has_prior_knowledge`` is whether it has examples of what the model knew before."""

    folder: Path
    facts: tuple[str, ...]
    lessons: tuple[LessonRecord, ...]
    has_prior_knowledge: bool = False

    @classmethod
    def create(cls, folder: Path, model: Classifier, facts: Sequence[str], known: Sequence[Example] = ()) -> Persona:
        """Create a persona; ``known`` are examples of what the model can do already and should not forget."""
        check_empty_folder(folder)
        if model.labels != NLI3:
            raise UserError(
                "a persona needs a model with the labels entailment, neutral and contradiction, but this one has "
                f"{', '.join(model.labels.names)}"
            )
        persona = cls(folder, clean_facts(facts), (), bool(known))
        model.save(persona._model)
        if known:
            persona._write_lesson(0, split_lesson(known, 0))
        persona._write()
        return persona

    @classmethod
    def open(cls, folder: Path) -> Persona:
        """Return the persona in a folder."""
        file = folder / "persona.json"
        try:
            plain = json.loads(file.read_text(encoding="utf-8"))
            if isinstance(plain, dict) and plain.get("format") not in (None, _FORMAT):
                raise UserError(
                    f"{file} has format {shown_value(plain['format'])}, but this version of Trivium reads format "
                    f"{_FORMAT}: use the version that wrote it"
                )
            content = _File.model_validate(plain)
        except (FileNotFoundError, NotADirectoryError):
            raise UserError(f"no persona in {folder}: create one with trivium persona new {folder}") from None
        except (ValueError, OSError, RecursionError) as error:
            raise UserError(f"{file} is damaged: {shown(describe(error))}") from None
        persona = cls(folder, content.facts, content.lessons, content.knew)
        if not persona._model.is_dir():
            raise UserError(f"{folder} is damaged: its model {persona._model.name} is missing: restore it from a copy")
        return persona

    def with_facts(self, facts: Sequence[str]) -> Persona:
        """Save the persona with more facts and return it. A fact that it already has is not added again."""
        grown = replace(self, facts=clean_facts((*self.facts, *facts)))
        grown._write()
        return grown

    def learner(self, train: TrainConfig = TEACHING) -> Learner:
        """Return the current model, ready to predict and to be trained."""
        torch.set_num_threads(train.threads)
        return Learner.from_classifier(load_classifier(str(self._model.resolve())), train, 0, _MAX_LENGTH)

    def lessons_by_name(self) -> dict[str, Lesson]:
        """Return all lessons by title, prior knowledge first."""
        names = {0: "what it knew before"} if self.has_prior_knowledge else {}
        names |= {number: f"lesson {number}: {record.name}" for number, record in enumerate(self.lessons, 1)}
        return {name: self._lesson(number) for number, name in names.items()}

    def checks(self) -> dict[str, Lesson]:
        """Return everything to check, by title: all lessons, and the facts that no lesson teaches.

        Such a fact is checked by two pairs: it entails itself and contradicts its denial.
        """
        lessons = self.lessons_by_name()
        taught = {example.premise for lesson in lessons.values() for example in lesson.taught}
        untaught = [fact for fact in self.facts if fact not in taught]
        pairs = [
            pair for number, fact in enumerate(untaught, 1) for pair in pairs_from_fact(fact, (), f"alone-{number}")
        ]
        return {"facts without a lesson": Lesson(tuple(pairs)), **lessons} if pairs else lessons

    def lesson_about(self, facts: Sequence[str]) -> Lesson:
        """Return a lesson built from facts: each with itself, its denial, and a few other facts that are neutral to it.

        Only other facts that the model too predicts to be neutral are used, because nobody has labelled these pairs.
        """
        new = clean_facts(facts)
        learner = self.learner()
        number = len(self.lessons) + 1
        examples: list[Example] = []
        for position, fact in enumerate(new, 1):
            others = [other for other in clean_facts((*self.facts, *new)) if not same_fact(other, fact)]
            pairs = pairs_from_fact(fact, others, f"fact-{number}-{position}")
            neutral = [pair for pair in pairs if pair.label == "neutral"]
            neutral = [pair for pair, agrees in zip(neutral, is_correct(learner, neutral), strict=True) if agrees]
            chosen = stream(0, "lesson", number, position).permutation(len(neutral))[:_MAX_NEUTRAL]
            examples += [pair for pair in pairs if pair.label != "neutral"] + [neutral[i] for i in sorted(chosen)]
        return Lesson(tuple(examples))

    def teach(
        self,
        new: Lesson,
        facts: Sequence[str],
        record: LessonRecord,
        runner: StepRunner,
        most_lost: float | None = None,
    ) -> Teaching:
        """Teach a lesson about facts, and check it and everything earlier, before and after.

        ``record`` names the lesson and the strategy. Nothing is saved if a loss on an earlier check is shown, or with
        ``most_lost`` if one loses more than so many percentage points.
        """
        facts = clean_facts(facts)
        number = len(self.lessons) + 1
        checks = {**self.checks(), f"lesson {number}: {record.name}": new}
        checked = Split("checks", tuple(example for lesson in checks.values() for example in lesson.checked))
        base, training = self._steps(new, record, runner.store)
        before, after = (PredictStep(step, runner.store.put_split(checked), len(checked)) for step in (base, training))
        labels = dict.fromkeys((training.key, after.key), f"lesson {number} with {record.strategy}")
        description = f"Lesson {number} of {self.folder}: {record.name}"
        runner.run_steps([[before, after]], description, labels=labels, models=(training,))
        sides = [iter(_correct(runner.store, step, checked.examples)) for step in (before, after)]
        results = [
            LessonCheck(title, lesson.checked, *(_take(side, len(lesson.checked)) for side in sides))
            for title, lesson in checks.items()
        ]
        result = Teaching(tuple(results[:-1]), results[-1], saved=False)
        if most_lost is None and result.shown_losses:
            return result
        if most_lost is not None and result.worst is not None and result.worst.loss > most_lost:
            return result
        taught = record.model_copy(update={"accuracy": round(float(results[-1].after.mean()), 4)})
        self._save(new, facts, taught, training, runner.store)
        return result._replace(saved=True)

    def _steps(self, new: Lesson, record: LessonRecord, store: Store) -> tuple[TrainStep, TrainStep]:
        """Return two steps: the model as it is, and the model after a lesson."""
        config = ModelConfig(name=str(self._model.resolve()), head="own", max_length=_MAX_LENGTH)
        resolved = resolve_model(config, store)
        maker = StepMaker(resolved.model, resolved.fingerprint, (HEAD,), store)
        training = maker.train(
            Split("lesson", new.taught),
            record.train,
            0,
            strategy=strategy_specs({record.strategy: record.settings}, (record.strategy,))[record.strategy],
            past=[Split("past", lesson.taught) for lesson in self.lessons_by_name().values()],
            recall="sampled",
            first_stage=len(self.lessons) + 2,
        )
        return maker.train(Split("base", ()), record.train, 0), training

    def _save(self, new: Lesson, facts: Sequence[str], record: LessonRecord, training: TrainStep, store: Store) -> None:
        current = Persona.open(self.folder)
        if current.lessons != self.lessons:
            raise UserError(f"{self.folder}: not saved, because another lesson was taught meanwhile: teach it again")
        grown = replace(current, facts=clean_facts((*current.facts, *facts)), lessons=(*current.lessons, record))
        grown._write_lesson(len(grown.lessons), new)
        trained_classifier(training, store).save(grown._model)
        grown._write()  # an interruption before this line leaves the old persona and its model intact
        shutil.rmtree(self._model, ignore_errors=True)

    @property
    def _model(self) -> Path:
        return self.folder / f"model-{len(self.lessons)}"

    def _lesson(self, number: int) -> Lesson:
        examples = Split.read(self.folder / "lessons" / f"{number}.jsonl").examples
        held_out = tuple(example for example in examples if example.fact("held_out") == "yes")
        return Lesson(tuple(example for example in examples if example.fact("held_out") != "yes"), held_out)

    def _write_lesson(self, number: int, lesson: Lesson) -> None:
        examples = (*lesson.taught, *lesson.held_out)
        Split(str(number), examples).write(self.folder / "lessons" / f"{number}.jsonl")

    def _write(self) -> None:
        plain = _File(facts=self.facts, lessons=self.lessons, knew=self.has_prior_knowledge).model_dump(
            mode="json", by_alias=True
        )
        write_text(self.folder / "persona.json", json.dumps(plain, indent=1, ensure_ascii=False) + "\n")


def split_lesson(examples: Sequence[Example], number: int) -> Lesson:
    """Return a lesson with a random third of the examples of each label held out: none of a label with fewer than 3."""
    rng = stream(0, "lesson", number)
    chosen: set[int] = set()
    for label in NLI3.names:
        indices = [index for index, example in enumerate(examples) if example.label == label]
        chosen |= {indices[i] for i in rng.permutation(len(indices))[: len(indices) // _HELD_OUT]}
    examples = [_with_held_out(example, index in chosen) for index, example in enumerate(examples)]
    held_out = tuple(example for example in examples if example.fact("held_out") == "yes")
    return Lesson(tuple(example for example in examples if example.fact("held_out") == "no"), held_out)


def is_correct(learner: Learner, examples: Sequence[Example]) -> Bools:
    """Return whether the model is correct on each example."""
    if not examples:
        return np.zeros(0, dtype=np.bool_)
    gold = np.array([NLI3.index(str(example.label)) for example in examples], dtype=np.intp)
    return correct(learner.logits(examples)["nli"], gold)


def _correct(store: Store, step: PredictStep, examples: Sequence[Example]) -> Bools:
    gold = np.array([NLI3.index(str(example.label)) for example in examples], dtype=np.intp)
    return correct(store.logits(step.key)[HEAD], gold)


def _take(values: Iterator[np.bool_], number: int) -> Bools:
    return np.array(list(islice(values, number)), dtype=np.bool_)


def clean_facts(facts: Sequence[str]) -> tuple[str, ...]:
    """Return the facts without duplicates and extra spaces. Raise if one is empty."""
    stripped = [" ".join(fact.split()) for fact in facts]
    if "" in stripped:
        raise UserError("a fact must not be empty")
    return tuple(dict.fromkeys(stripped))


def same_fact(first: str, second: str) -> bool:
    """Return whether two facts are equal except for case and final punctuation."""
    return first.lower().rstrip(" .!") == second.lower().rstrip(" .!")


def _with_held_out(example: Example, held_out: bool) -> Example:
    """Return the example with the fact whether it is held out."""
    facts = {**dict(example.facts), "held_out": "yes" if held_out else "no"}
    return replace(example, facts=tuple(sorted(facts.items())))

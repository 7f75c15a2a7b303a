"""A persona: a list of facts that grows, and a model that knows what follows from them (C²Gen, section 9).

An utterance is checked against the facts. What the model gets wrong, or does not know yet, is taught as a lesson: a
stage of continual learning, after which all earlier lessons are checked again. A persona is a folder::

    persona.json       its facts, and how each lesson was taught
    lessons/N.jsonl    what was taught in lesson N, and what was held out to check it; 0 is what the model knew before
    model-N/           the model after lesson N, an ordinary folder of transformers; earlier ones are removed
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from pydantic import ValidationError

from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategy import Strategy, make_strategy
from trivium.measure.metrics import Bools, Floats, correct
from trivium.models.classifiers import Classifier, load_classifier
from trivium.saving import write_text
from trivium.seeds import stream
from trivium.settings import Settings

_FORMAT = 1
_MAX_LENGTH = 256  # all facts together are one premise
_HELD_OUT = 3  # one of so many is held out of a lesson
TEACHING = TrainConfig(learning_rate=1e-4, batch_size=8, epochs=3, warmup=0.1, frozen="embeddings", threads=2)
"""How a lesson is taught, unless somebody says otherwise."""


class Taught(Settings):
    """How a lesson was taught."""

    name: str
    strategy: str = "er-res"
    settings: Mapping[str, Any] = {}
    train: TrainConfig = TEACHING


class _File(Settings):
    """What ``persona.json`` holds."""

    format: int = _FORMAT
    facts: tuple[str, ...] = ()
    lessons: tuple[Taught, ...] = ()
    knew: bool = False


class Verdict(NamedTuple):
    """What the facts say about an utterance.

    ``shares`` are the probabilities of the labels, a line for each fact and, if there are several, one for all of them
    together. ``reason`` is the line that decided; a neutral verdict has none.
    """

    utterance: str
    label: str
    reason: int | None
    shares: Floats


class Checked(NamedTuple):
    """How an earlier lesson, or the new one, fared: whether each of its examples was right before and is now."""

    name: str
    examples: tuple[Example, ...]
    before: Bools
    after: Bools

    @property
    def lost(self) -> list[Example]:
        """What was right before and is wrong now."""
        return [example for example, gone in zip(self.examples, self.before & ~self.after, strict=True) if gone]


@dataclass(frozen=True)
class Persona:
    """A persona in its folder."""

    folder: Path
    facts: tuple[str, ...]
    lessons: tuple[Taught, ...]
    knew: bool = False

    @classmethod
    def create(cls, folder: Path, model: Classifier, facts: Sequence[str], known: Sequence[Example] = ()) -> Persona:
        """A new persona; ``known`` are examples of what the model can do already, and should not forget."""
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UserError(f"{folder}: there is something already: choose another folder")
        if model.labels != NLI3:
            raise UserError("a persona needs a model with the labels entailment, neutral and contradiction")
        made = cls(folder, _clean(facts), (), bool(known))
        model.save(made._model)
        if known:
            made._write_lesson(0, held_apart(known, 0))
        made._write()
        return made

    @classmethod
    def open(cls, folder: Path) -> Persona:
        """The persona in a folder."""
        file = folder / "persona.json"
        if not file.is_file():
            raise UserError(f"there is no persona in {folder}: make one with trivium persona new {folder}")
        try:
            found = _File.model_validate_json(file.read_text(encoding="utf-8"))
        except (ValidationError, ValueError, OSError) as error:
            raise UserError(f"{file} is damaged: {str(error).splitlines()[0]}") from None
        if found.format != _FORMAT:
            raise UserError(f"{file} has the format {found.format}, this version writes {_FORMAT}")
        return cls(folder, found.facts, found.lessons, found.knew)

    def with_facts(self, facts: Sequence[str]) -> Persona:
        """The persona with more facts, saved; one that it has already is not added again."""
        grown = replace(self, facts=_clean((*self.facts, *facts)))
        grown._write()
        return grown

    def learner(self, train: TrainConfig = TEACHING, seed: int = 0) -> Learner:
        """The model as it is now, ready to answer and to be taught."""
        torch.set_num_threads(train.threads)
        return Learner.of_classifier(load_classifier(str(self._model)), train, seed, _MAX_LENGTH)

    def lesson(self, number: int) -> Lesson:
        """What lesson ``number`` taught and held out."""
        examples = Split.read(self.folder / "lessons" / f"{number}.jsonl").examples
        taught, held_out = (
            tuple(e for e in examples if (e.fact("held_out") == "yes") is held) for held in (False, True)
        )
        return Lesson(taught, held_out)

    def named_lessons(self) -> dict[str, Lesson]:
        """All lessons by name, what the model knew before among them."""
        names = {0: "what it knew before"} if self.knew else {}
        names |= {number: f"lesson {number}: {taught.name}" for number, taught in enumerate(self.lessons, 1)}
        return {name: self.lesson(number) for number, name in names.items()}

    def teach(
        self,
        new: Lesson,
        facts: Sequence[str],
        how: Taught,
        most_lost: float = 1.0,
        progress: Callable[[int, int], None] = lambda done, of: None,
    ) -> Teaching:
        """Teach a lesson about some facts with a strategy, and check it and all earlier ones before and after.

        If the earlier lessons together lose more than ``most_lost`` (a share from 0 to 1), nothing is saved.
        """
        strategy = make_strategy(how.strategy, how.settings)
        learner = self.learner(how.train)
        number = len(self.lessons) + 1
        checks = {**self.named_lessons(), f"lesson {number}: {how.name}": new}
        before = {title: holds(learner, lesson.checked) for title, lesson in checks.items()}
        memory = self._memory(strategy, learner)
        learner.train(new.taught, strategy, memory, number + 1, progress)
        found = [
            Checked(title, lesson.checked, before[title], holds(learner, lesson.checked))
            for title, lesson in checks.items()
        ]
        result = Teaching(tuple(found[:-1]), found[-1])
        if result.loss > most_lost:
            return result._replace(saved=False)
        grown = replace(self, facts=_clean((*self.facts, *facts)), lessons=(*self.lessons, how))
        grown._write_lesson(number, new)
        classifier = learner.network
        assert isinstance(classifier, Classifier)
        classifier.save(grown._model)
        grown._write()  # from here on the new model is the persona's
        shutil.rmtree(self._model, ignore_errors=True)
        return result

    @property
    def _model(self) -> Path:
        return self.folder / f"model-{len(self.lessons)}"

    def _memory(self, strategy: Strategy, learner: Learner) -> Memory:
        """What a strategy would remember had it been there from the first lesson on: any may take over at any time."""
        memory = Memory()
        for number, lesson in enumerate(self.named_lessons().values(), 1):
            learner.rng = stream(0, "memory", number)
            memory = strategy.end_stage(learner, lesson.taught, memory)
        return memory

    def _write_lesson(self, number: int, lesson: Lesson) -> None:
        examples = (*lesson.taught, *lesson.held_out)
        Split(str(number), examples).write(self.folder / "lessons" / f"{number}.jsonl")

    def _write(self) -> None:
        plain = _File(facts=self.facts, lessons=self.lessons, knew=self.knew).model_dump(mode="json")
        write_text(self.folder / "persona.json", json.dumps(plain, indent=1, ensure_ascii=False) + "\n")


class Lesson(NamedTuple):
    """The examples of a lesson: those that are taught, and those that only check it."""

    taught: tuple[Example, ...]
    held_out: tuple[Example, ...]

    @property
    def checked(self) -> tuple[Example, ...]:
        """What the lesson is checked by: what was held out, or all if nothing was."""
        return self.held_out or self.taught


class Teaching(NamedTuple):
    """What a lesson did to the earlier ones, and to itself."""

    earlier: tuple[Checked, ...]
    new: Checked
    saved: bool = True

    @property
    def loss(self) -> float:
        """The share of the earlier lessons' examples by which their accuracy fell; below 0 if it rose."""
        if not self.earlier:
            return 0.0
        before, after = (np.concatenate([getattr(one, side) for one in self.earlier]) for side in ("before", "after"))
        return float(before.mean() - after.mean())


def held_apart(examples: Sequence[Example], number: int) -> Lesson:
    """A lesson of which a random third of each label's examples is held out; of fewer than three, none."""
    rng = stream(0, "lesson", number)
    out: set[int] = set()
    for label in NLI3.names:
        places = [place for place, example in enumerate(examples) if example.label == label]
        out |= {places[i] for i in rng.permutation(len(places))[: len(places) // _HELD_OUT]}
    marked = [_marked(example, place in out) for place, example in enumerate(examples)]
    held = tuple(example for example in marked if example.fact("held_out") == "yes")
    return Lesson(tuple(example for example in marked if example.fact("held_out") == "no"), held)


def holds(learner: Learner, examples: Sequence[Example]) -> Bools:
    """Whether the model is right about each example."""
    gold = np.array([NLI3.index(str(example.label)) for example in examples], dtype=np.intp)
    return correct(learner.predict(examples)["nli"], gold)


def check(learner: Learner, facts: Sequence[str], utterances: Sequence[str]) -> list[Verdict]:
    """What the facts say about each utterance.

    It is contradicted if any fact contradicts it; else it follows if it follows from a fact, or from all together; else
    it is neutral. The facts together are asked for what none of them says alone.
    """
    if not facts:
        raise UserError("the persona has no facts yet: trivium persona add")
    premises = [*facts, " ".join(facts)] if len(facts) > 1 else list(facts)
    asked = [Example.make("asked", premise, utterance, None) for utterance in utterances for premise in premises]
    logits = learner.predict(asked)["nli"].astype(np.float64)
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares = (shares / shares.sum(axis=1, keepdims=True)).reshape(len(utterances), len(premises), len(NLI3))
    return [_verdict(utterance, lines, len(facts)) for utterance, lines in zip(utterances, shares, strict=True)]


def _verdict(utterance: str, shares: Floats, facts: int) -> Verdict:
    winners = shares.argmax(axis=1)
    for label, lines in (("contradiction", range(facts)), ("entailment", range(len(shares)))):
        number = NLI3.index(label)
        saying = [line for line in lines if winners[line] == number]
        if saying:
            return Verdict(utterance, label, max(saying, key=lambda line: shares[line, number]), shares)
    return Verdict(utterance, "neutral", None, shares)


def _marked(example: Example, held_out: bool) -> Example:
    facts = {**dict(example.facts), "held_out": "yes" if held_out else "no"}
    return replace(example, facts=tuple(sorted(facts.items())))


def _clean(facts: Sequence[str]) -> tuple[str, ...]:
    stripped = [" ".join(fact.split()) for fact in facts]
    if "" in stripped:
        raise UserError("a fact must not be empty")
    return tuple(dict.fromkeys(stripped))

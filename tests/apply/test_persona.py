"""A persona grows, is taught lessons by any strategy, and says what it forgot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from trivium.apply.persona import TEACHING, Lesson, Persona, Taught, check, held_apart, holds
from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.learn.learner import Learner
from trivium.learn.strategy import find_strategies
from trivium.models.classifiers import new_classifier

QUICK = TrainConfig(learning_rate=1e-3, batch_size=4, epochs=1, frozen="embeddings", threads=1)
ANIMALS, FOODS = ("dog", "cat", "horse", "parrot"), ("soup", "bread", "rice", "cake")


def lesson(things: tuple[str, ...], verb: str, kind: str) -> list[Example]:
    found = []
    for thing in things:
        fact = f"I {verb} {thing}."
        found += [(fact, f"I {verb} {kind}.", "entailment"), (fact, f"I never {verb} {kind}.", "contradiction")]
        found.append((fact, "I live in a small house.", "neutral"))
    return [Example.make(f"{kind}-{number}", *row) for number, row in enumerate(found)]


def a_lesson(things: tuple[str, ...], verb: str, kind: str) -> tuple[Lesson, list[str]]:
    examples = lesson(things, verb, kind)
    return held_apart(examples, 1), [example.premise for example in examples]


@pytest.fixture
def persona(tmp_path: Path) -> Persona:
    known = lesson(("guitar", "drums", "flute"), "play", "music")
    return Persona.create(tmp_path / "p", new_classifier("tiny", seed=0), ["I play guitar."], known)


def quick(strategy: str = "finetune", name: str = "animals") -> Taught:
    return Taught(name=name, strategy=strategy, train=QUICK)


def test_facts_grow_and_are_there_when_the_folder_is_opened_again(persona: Persona) -> None:
    grown = persona.with_facts(["I own a  boat.", "I play guitar."])
    assert grown.facts == ("I play guitar.", "I own a boat.")
    assert Persona.open(persona.folder) == grown


@pytest.mark.parametrize("strategy", sorted(find_strategies()))
def test_any_strategy_teaches_and_all_earlier_lessons_are_checked(persona: Persona, strategy: str) -> None:
    persona.teach(*a_lesson(ANIMALS, "own", "animals"), quick(strategy))
    found = Persona.open(persona.folder).teach(*a_lesson(FOODS, "eat", "food"), quick(strategy, "food"))
    assert [checked.name for checked in found.earlier] == ["what it knew before", "lesson 1: animals"]
    assert found.new.name == "lesson 2: food"
    again = Persona.open(persona.folder)
    assert [taught.strategy for taught in again.lessons] == [strategy, strategy]
    learner = again.learner(QUICK)
    for checked, kept in zip((*found.earlier, found.new), again.named_lessons().values(), strict=True):
        assert checked.examples == kept.checked
        assert np.array_equal(checked.after, holds(learner, kept.checked))
    assert sorted(file.name for file in persona.folder.iterdir()) == ["lessons", "model-2", "persona.json"]


def test_a_strategy_that_was_not_there_before_remembers_the_lessons_before(
    persona: Persona, monkeypatch: pytest.MonkeyPatch
) -> None:
    persona.teach(*a_lesson(ANIMALS, "own", "animals"), quick())
    seen: list[int] = []
    train = Learner.train

    def spy(self: Learner, examples: object, strategy: object, memory: object, *more: object) -> object:
        seen.append(len(memory))  # type: ignore[arg-type]
        return train(self, examples, strategy, memory, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Learner, "train", spy)
    taught = Persona.open(persona.folder)
    taught.teach(*a_lesson(FOODS, "eat", "food"), quick("er-res", "food"))
    assert seen == [len(taught.lesson(0).taught) + len(taught.lesson(1).taught)]


def test_a_lesson_adds_its_facts(persona: Persona) -> None:
    persona.teach(*a_lesson(ANIMALS, "own", "animals"), quick())
    assert Persona.open(persona.folder).facts == ("I play guitar.", *(f"I own {animal}." for animal in ANIMALS))


def test_teaching_is_the_same_every_time(tmp_path: Path) -> None:
    after = []
    for place in ("a", "b"):
        made = Persona.create(tmp_path / place, new_classifier("tiny", seed=0), ["I play guitar."])
        made.teach(*a_lesson(ANIMALS, "own", "animals"), quick("er-res"))
        after.append((tmp_path / place / "model-1" / "model.safetensors").read_bytes())
    assert after[0] == after[1]


def test_nothing_is_saved_if_too_much_would_be_lost(persona: Persona, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {file: file.read_bytes() for file in persona.folder.rglob("*") if file.is_file()}
    answers = iter([True, True, False, True])  # the earlier lesson and the new one, before and after
    monkeypatch.setattr("trivium.apply.persona.holds", lambda learner, examples: np.full(len(examples), next(answers)))
    found = persona.teach(*a_lesson(ANIMALS, "own", "animals"), quick(), most_lost=0.5)
    assert (found.loss, found.saved) == (1.0, False)
    assert len(found.earlier[0].lost) == len(found.earlier[0].examples)
    assert {file: file.read_bytes() for file in persona.folder.rglob("*") if file.is_file()} == before


def test_a_third_of_each_label_is_held_out_and_nothing_of_too_few() -> None:
    given = lesson(ANIMALS, "own", "animals")
    found = held_apart(given, 1)
    assert sorted(str(example.label) for example in found.held_out) == ["contradiction", "entailment", "neutral"]
    assert {e.id for e in found.taught} | {e.id for e in found.held_out} == {e.id for e in given}
    assert held_apart(given[:2], 1).checked == held_apart(given[:2], 1).taught


class Oracle:
    """Not a model: says about a pair what it was told."""

    def __init__(self, says: Callable[[str, str], str]) -> None:
        self._says = says

    def predict(self, examples: list[Example]) -> dict[str, np.ndarray]:
        labels = [NLI3.index(self._says(example.premise, str(example.hypothesis))) for example in examples]
        return {"nli": np.eye(3, dtype=np.float32)[labels]}


FACTS = ("I have a computer.", "My favorite color is blue.")


@pytest.mark.parametrize(
    ("says", "label", "reason"),
    [
        (lambda fact, said: "neutral", "neutral", None),
        (lambda fact, said: "entailment" if fact == " ".join(FACTS) else "neutral", "entailment", 2),
        (lambda fact, said: "entailment" if fact == FACTS[1] else "neutral", "entailment", 1),
        (lambda fact, said: "contradiction" if fact == FACTS[1] else "entailment", "contradiction", 1),
        (lambda fact, said: "contradiction" if fact == " ".join(FACTS) else "neutral", "neutral", None),
    ],
)
def test_a_contradiction_of_one_fact_outweighs_and_facts_together_may_entail_what_none_does(
    says: Callable[[str, str], str], label: str, reason: int | None
) -> None:
    (found,) = check(Oracle(says), FACTS, ["I have a blue computer."])  # type: ignore[arg-type]
    assert (found.label, found.reason) == (label, reason)
    assert np.allclose(found.shares.sum(axis=1), 1)
    assert len(found.shares) == 3


def test_one_fact_is_asked_once() -> None:
    (found,) = check(Oracle(lambda fact, said: "entailment"), FACTS[:1], ["Yes."])  # type: ignore[arg-type]
    assert len(found.shares) == 1


def test_mistakes_are_one_line(persona: Persona, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is something already"):
        Persona.create(persona.folder, new_classifier("tiny", seed=0), [])
    with pytest.raises(UserError, match="there is no persona in"):
        Persona.open(tmp_path / "nobody")
    with pytest.raises(UserError, match="must not be empty"):
        persona.with_facts([" "])
    with pytest.raises(UserError, match="no facts yet"):
        check(Oracle(lambda fact, said: "neutral"), (), ["Hello."])  # type: ignore[arg-type]
    with pytest.raises(UserError, match="entailment, neutral and contradiction"):
        Persona.create(tmp_path / "two", new_classifier("tiny", 0, NLI2), [])
    with pytest.raises(UserError, match="unknown strategy 'er-rez': did you mean 'er-res'"):
        persona.teach(*a_lesson(ANIMALS, "own", "animals"), quick("er-rez"))
    (persona.folder / "persona.json").write_text(json.dumps({"format": 2}))
    with pytest.raises(UserError, match="has the format 2"):
        Persona.open(persona.folder)
    (persona.folder / "persona.json").write_text("{")
    with pytest.raises(UserError, match="is damaged"):
        Persona.open(persona.folder)


def test_teaching_has_sensible_defaults() -> None:
    assert Taught(name="x").strategy == "er-res"
    assert Taught(name="x").train == TEACHING

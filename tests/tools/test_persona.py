"""A persona grows, is taught lessons by any strategy, and says what it forgot."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3
from trivium.engine.runner import StepRunner
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.learn.learner import Learner
from trivium.learn.strategy import find_strategies
from trivium.models.classifiers import new_classifier
from trivium.tools.persona import Checked, Lesson, LessonRecord, Persona, divided_lesson, holds
from trivium.tools.utterances import judge

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
    return divided_lesson(examples, 1), [example.premise for example in examples]


@pytest.fixture
def persona(tmp_path: Path) -> Persona:
    known = lesson(("guitar", "drums", "flute"), "play", "music")
    return Persona.create(tmp_path / "p", new_classifier("tiny", seed=0), ["I play guitar."], known)


FOLDER: list[Path] = []


@pytest.fixture(autouse=True)
def _store(tmp_path: Path) -> None:
    FOLDER[:] = [tmp_path / "store"]


class Interrupted(StepRunner):
    """Does something else when its steps have run."""

    def __init__(self, then: Callable[[], None]) -> None:
        super().__init__(FOLDER[0], "inline", progress=False)
        self._then = then

    def run_steps(self, *arguments: Any, **options: Any) -> Mapping[str, str]:
        failures = super().run_steps(*arguments, **options)
        self._then()
        return failures


def runner(then: Callable[[], None] = lambda: None) -> StepRunner:
    return Interrupted(then)


def quick(strategy: str = "finetune", name: str = "animals") -> LessonRecord:
    return LessonRecord(name=name, strategy=strategy, train=QUICK)


def test_facts_grow_and_are_there_when_the_folder_is_opened_again(persona: Persona) -> None:
    grown = persona.with_facts(["I own a  boat.", "I play guitar."])
    assert grown.facts == ("I play guitar.", "I own a boat.")
    assert Persona.open(persona.folder) == grown


@pytest.mark.parametrize("strategy", sorted(find_strategies()))
def test_any_strategy_teaches_and_all_earlier_lessons_are_checked(persona: Persona, strategy: str) -> None:
    persona.teach(*a_lesson(ANIMALS, "own", "animals"), quick(strategy), runner())
    found = Persona.open(persona.folder).teach(*a_lesson(FOODS, "eat", "food"), quick(strategy, "food"), runner())
    assert [checked.name for checked in found.earlier] == ["what it knew before", "lesson 1: animals"]
    assert found.new.name == "lesson 2: food"
    again = Persona.open(persona.folder)
    assert [taught.strategy for taught in again.lessons] == [strategy, strategy]
    learner = again.learner(QUICK)
    for checked, kept in zip((*found.earlier, found.new), again.checks().values(), strict=True):
        assert checked.examples == kept.checked
        assert np.array_equal(checked.after, holds(learner, kept.checked))
    assert sorted(file.name for file in persona.folder.iterdir()) == ["lessons", "model-2", "persona.json"]


def test_a_strategy_that_was_not_there_before_remembers_the_lessons_before(
    persona: Persona, monkeypatch: pytest.MonkeyPatch
) -> None:
    persona.teach(*a_lesson(ANIMALS, "own", "animals"), quick(), runner())
    seen: list[int] = []
    train = Learner.train

    def spy(self: Learner, examples: object, strategy: object, memory: object, *more: object) -> object:
        seen.append(len(memory))  # type: ignore[arg-type]
        return train(self, examples, strategy, memory, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Learner, "train", spy)
    taught = Persona.open(persona.folder)
    lessons = list(taught.lessons_by_name().values())
    taught.teach(*a_lesson(FOODS, "eat", "food"), quick("er-res", "food"), runner())
    assert [number for number in seen if number] == [len(lessons[0].taught) + len(lessons[1].taught)]


def test_a_lesson_adds_its_facts(persona: Persona) -> None:
    persona.teach(*a_lesson(ANIMALS, "own", "animals"), quick(), runner())
    assert Persona.open(persona.folder).facts == ("I play guitar.", *(f"I own {animal}." for animal in ANIMALS))


def test_teaching_is_the_same_every_time(tmp_path: Path) -> None:
    after = []
    for place in ("a", "b"):
        made = Persona.create(tmp_path / place, new_classifier("tiny", seed=0), ["I play guitar."])
        made.teach(*a_lesson(ANIMALS, "own", "animals"), quick("er-res"), runner())
        after.append((tmp_path / place / "model-1" / "model.safetensors").read_bytes())
    assert after[0] == after[1]


def forgetting(monkeypatch: pytest.MonkeyPatch, known: int) -> None:
    """Let a model answer everything before a lesson, and nothing of what it knew after it."""
    sides = iter((np.ones, np.zeros))

    def answers(store: object, step: object, examples: Sequence[Example]) -> np.ndarray:
        return np.concatenate([next(sides)(known, dtype=bool), np.ones(len(examples) - known, dtype=bool)])

    monkeypatch.setattr("trivium.tools.persona._correct", answers)


def test_nothing_is_saved_if_anything_would_lose_too_much(persona: Persona, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {file: file.read_bytes() for file in persona.folder.rglob("*") if file.is_file()}
    forgetting(monkeypatch, len(persona.checks()["what it knew before"].checked))
    found = persona.teach(*a_lesson(ANIMALS, "own", "animals"), quick(), runner(), most_lost=99)
    assert not found.saved
    assert found.worst is not None
    assert (found.worst.name, found.worst.loss) == ("what it knew before", 100)
    assert len(found.worst.lost) == len(found.worst.examples)
    assert {file: file.read_bytes() for file in persona.folder.rglob("*") if file.is_file()} == before


def test_a_loss_of_exactly_what_is_allowed_is_allowed(persona: Persona, monkeypatch: pytest.MonkeyPatch) -> None:
    forgetting(monkeypatch, len(persona.checks()["what it knew before"].checked))
    assert persona.teach(*a_lesson(ANIMALS, "own", "animals"), quick(), runner(), most_lost=100).saved
    examples = tuple(lesson(ANIMALS, "own", "animals") * 5)[:20]
    right = np.ones(20, dtype=bool)
    assert Checked("x", examples, right, np.arange(20) > 0).loss == 5


def test_facts_without_a_lesson_are_checked_too(tmp_path: Path) -> None:
    made = Persona.create(tmp_path / "p", new_classifier("tiny", seed=0), ["I sing."])
    found = made.teach(*a_lesson(ANIMALS, "own", "animals"), quick(), runner())
    assert [checked.name for checked in found.earlier] == ["facts without a lesson"]
    assert [example.hypothesis for example in found.earlier[0].examples][:2] == ["I sing.", "I do not sing."]
    assert list(Persona.open(made.folder).checks()) == ["facts without a lesson", "lesson 1: animals"]


def test_a_lesson_about_a_fact_leaves_open_only_what_the_model_leaves_open(
    persona: Persona, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown = persona.with_facts(["I have a pet.", "I SING", *(f"I own {number} boats." for number in range(9))])
    monkeypatch.setattr(
        "trivium.tools.persona.holds",
        lambda learner, examples: np.array([example.hypothesis != "I have a pet." for example in examples]),
    )
    found = grown.lesson_about(["I  sing."]).taught
    neutral = [str(example.hypothesis) for example in found if example.label == "neutral"]
    assert len(neutral) == 4
    assert not {"I have a pet.", "I SING"} & set(neutral)
    assert [example.premise for example in found][:2] == ["I sing.", "I sing."]


def test_facts_that_were_added_meanwhile_stay(persona: Persona) -> None:
    def add() -> None:
        Persona.open(persona.folder).with_facts(["I row."])

    persona.teach(*a_lesson(ANIMALS, "own", "animals"), quick(), runner(add))
    assert Persona.open(persona.folder).facts == ("I play guitar.", "I row.", *(f"I own {a}." for a in ANIMALS))


def test_a_lesson_that_was_taught_meanwhile_is_not_overwritten(persona: Persona) -> None:
    def teach() -> None:
        Persona.open(persona.folder).teach(*a_lesson(FOODS, "eat", "food"), quick(name="food"), runner())

    with pytest.raises(UserError, match="taught something else meanwhile"):
        persona.teach(*a_lesson(ANIMALS, "own", "animals"), quick(), runner(teach))
    assert [record.name for record in Persona.open(persona.folder).lessons] == ["food"]


def test_a_third_of_each_label_is_held_out_and_labels_with_too_few_are_checked_by_what_was_taught() -> None:
    given = lesson(ANIMALS, "own", "animals")
    found = divided_lesson(given, 1)
    assert sorted(str(example.label) for example in found.held_out) == ["contradiction", "entailment", "neutral"]
    assert {e.id for e in found.taught} | {e.id for e in found.held_out} == {e.id for e in given}
    assert found.checked == found.held_out
    few = divided_lesson([*given[:2], *(e for e in given if e.label == "neutral")], 1)
    assert sorted(str(example.label) for example in few.checked) == ["contradiction", "entailment", "neutral"]
    assert [example.label for example in few.held_out] == ["neutral"]


class Oracle:
    """Not a model: says about a pair what it was told."""

    def __init__(self, says: Callable[[str, str], str]) -> None:
        self._says = says

    def fits(self, example: Example) -> bool:
        return len(example.premise) < 200

    def logits(self, examples: list[Example]) -> dict[str, np.ndarray]:
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
    (found,) = judge(Oracle(says), FACTS, ["I have a blue computer."])  # type: ignore[arg-type]
    assert (found.label, found.reason) == (label, reason)
    assert np.allclose(found.shares.sum(axis=1), 1)
    assert len(found.shares) == 3


def test_one_fact_is_asked_once() -> None:
    (found,) = judge(Oracle(lambda fact, said: "entailment"), FACTS[:1], ["Yes."])  # type: ignore[arg-type]
    assert len(found.shares) == 1


def test_facts_too_many_to_be_read_at_once_are_asked_one_by_one() -> None:
    many = [f"I have a boat with the number {number}" for number in range(9)]
    (found,) = judge(Oracle(lambda fact, said: "neutral"), many, ["Yes."])  # type: ignore[arg-type]
    assert len(found.shares) == 9


def test_mistakes_are_one_line(persona: Persona, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="already exists"):
        Persona.create(persona.folder, new_classifier("tiny", seed=0), [])
    with pytest.raises(UserError, match="there is no persona in"):
        Persona.open(tmp_path / "nobody")
    with pytest.raises(UserError, match="must not be empty"):
        persona.with_facts([" "])
    with pytest.raises(UserError, match="no facts yet"):
        judge(Oracle(lambda fact, said: "neutral"), (), ["Hello."])  # type: ignore[arg-type]
    with pytest.raises(UserError, match="entailment, neutral and contradiction"):
        Persona.create(tmp_path / "two", new_classifier("tiny", 0, NLI2), [])
    with pytest.raises(UserError, match="unknown strategy 'er-rez': did you mean 'er-res'"):
        persona.teach(*a_lesson(ANIMALS, "own", "animals"), quick("er-rez"), runner())
    with pytest.raises(UserError, match="must not be empty"):
        persona.teach(a_lesson(ANIMALS, "own", "animals")[0], [" "], quick(), runner())
    (persona.folder / "persona.json").write_text(json.dumps({"format": 2, "moods": []}))
    with pytest.raises(UserError, match="has the format 2"):
        Persona.open(persona.folder)
    (persona.folder / "persona.json").write_text("{")
    with pytest.raises(UserError, match="is damaged"):
        Persona.open(persona.folder)
    (persona.folder / "persona.json").write_text(json.dumps({"lessons": [{"name": "x"}]}))
    with pytest.raises(UserError, match="model-1 is not there"):
        Persona.open(persona.folder)

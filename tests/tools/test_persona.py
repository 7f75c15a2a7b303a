"""A persona gains facts, is taught lessons by any strategy, and reports what it forgot."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.tools.in_process import InProcessRunner

from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.learn.learner import Learner
from trivium.learn.strategy import find_strategies
from trivium.models.classifiers import new_classifier
from trivium.tools.persona import Lesson, LessonCheck, LessonRecord, Persona, is_correct, split_lesson
from trivium.tools.utterances import judge

QUICK = TrainConfig(learning_rate=1e-3, batch_size=4, epochs=1, frozen="embeddings", threads=1)
ANIMALS, FOODS = ("dog", "cat", "horse", "parrot"), ("soup", "bread", "rice", "cake")


def pairs_about(things: tuple[str, ...], verb: str, category: str) -> list[Example]:
    """Return an entailment, a contradiction and a neutral pair about each thing."""
    rows = []
    for thing in things:
        fact = f"I {verb} {thing}."
        rows += [(fact, f"I {verb} {category}.", "entailment"), (fact, f"I never {verb} {category}.", "contradiction")]
        rows.append((fact, "I live in a small house.", "neutral"))
    return [Example.make(f"{category}-{number}", *row) for number, row in enumerate(rows)]


def lesson_with_facts(things: tuple[str, ...], verb: str, category: str) -> tuple[Lesson, list[str]]:
    examples = pairs_about(things, verb, category)
    return split_lesson(examples, 1), [example.premise for example in examples]


@pytest.fixture
def runner(tmp_path: Path) -> InProcessRunner:
    return InProcessRunner(tmp_path / "store")


@pytest.fixture
def persona(tmp_path: Path) -> Persona:
    known = pairs_about(("guitar", "drums", "flute"), "play", "music")
    return Persona.create(tmp_path / "p", new_classifier("tiny", seed=0), ["I play guitar."], known)


def quick(strategy: str = "finetune", name: str = "animals") -> LessonRecord:
    return LessonRecord(name=name, strategy=strategy, train=QUICK)


def test_added_facts_are_saved(persona: Persona) -> None:
    grown = persona.with_facts(["I own a  boat.", "I play guitar."])
    assert grown.facts == ("I play guitar.", "I own a boat.")
    assert Persona.open(persona.folder) == grown


@pytest.mark.parametrize("strategy", sorted(find_strategies()))
def test_any_strategy_teaches_and_all_earlier_lessons_are_checked(
    persona: Persona, runner: InProcessRunner, strategy: str
) -> None:
    persona.teach(*lesson_with_facts(ANIMALS, "own", "animals"), quick(strategy), runner)
    second = lesson_with_facts(FOODS, "eat", "food")
    result = Persona.open(persona.folder).teach(*second, quick(strategy, "food"), runner)
    assert [checked.name for checked in result.earlier] == ["what it knew before", "lesson 1: animals"]
    assert result.new.name == "lesson 2: food"
    reopened = Persona.open(persona.folder)
    assert [record.strategy for record in reopened.lessons] == [strategy, strategy]
    learner = reopened.learner(QUICK)
    for checked, saved in zip((*result.earlier, result.new), reopened.checks().values(), strict=True):
        assert checked.examples == saved.checked
        assert np.array_equal(checked.after, is_correct(learner, saved.checked))
    assert sorted(file.name for file in persona.folder.iterdir()) == ["lessons", "model-2", "persona.json"]


def test_a_strategy_remembers_lessons_that_another_strategy_taught(
    persona: Persona, runner: InProcessRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    persona.teach(*lesson_with_facts(ANIMALS, "own", "animals"), quick(), runner)
    seen: list[int] = []
    train = Learner.train

    def spy(self: Learner, examples: Sequence[Example], strategy: object, memory: object, *more: object) -> object:
        if examples:  # the model before the lesson is a stage without examples
            seen.append(len(memory))  # type: ignore[arg-type]
        return train(self, examples, strategy, memory, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Learner, "train", spy)
    taught = Persona.open(persona.folder)
    lessons = list(taught.lessons_by_name().values())
    taught.teach(*lesson_with_facts(FOODS, "eat", "food"), quick("er-res", "food"), runner)
    assert seen == [len(lessons[0].taught) + len(lessons[1].taught)]


def test_a_lesson_adds_its_facts(persona: Persona, runner: InProcessRunner) -> None:
    persona.teach(*lesson_with_facts(ANIMALS, "own", "animals"), quick(), runner)
    assert Persona.open(persona.folder).facts == ("I play guitar.", *(f"I own {animal}." for animal in ANIMALS))


def test_teaching_is_deterministic(tmp_path: Path) -> None:
    weights = []
    for name in ("a", "b"):
        persona = Persona.create(tmp_path / name, new_classifier("tiny", seed=0), ["I play guitar."])
        runner = InProcessRunner(tmp_path / f"store-{name}")
        persona.teach(*lesson_with_facts(ANIMALS, "own", "animals"), quick("er-res"), runner)
        weights.append((tmp_path / name / "model-1" / "model.safetensors").read_bytes())
    assert weights[0] == weights[1]


@pytest.fixture
def forgetting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a lesson the model is correct on everything; after it, only on the new lesson."""
    calls: list[object] = []

    def correct(store: object, step: object, examples: Sequence[Example]) -> np.ndarray:
        calls.append(step)
        is_new = np.array([example.premise.startswith("I own") for example in examples])
        return np.ones(len(examples), dtype=bool) if len(calls) == 1 else is_new

    monkeypatch.setattr("trivium.tools.persona._correct", correct)


@pytest.mark.usefixtures("forgetting")
def test_nothing_is_saved_if_an_earlier_check_loses_too_much(persona: Persona, runner: InProcessRunner) -> None:
    before = {file: file.read_bytes() for file in persona.folder.rglob("*") if file.is_file()}
    result = persona.teach(*lesson_with_facts(ANIMALS, "own", "animals"), quick(), runner, most_lost=99)
    assert not result.saved
    assert result.worst is not None
    assert (result.worst.name, result.worst.loss) == ("what it knew before", 100)
    assert len(result.worst.lost) == len(result.worst.examples)
    assert result.new.loss == 0
    assert {file: file.read_bytes() for file in persona.folder.rglob("*") if file.is_file()} == before


@pytest.mark.usefixtures("forgetting")
def test_a_loss_equal_to_the_allowed_loss_is_saved(persona: Persona, runner: InProcessRunner) -> None:
    assert persona.teach(*lesson_with_facts(ANIMALS, "own", "animals"), quick(), runner, most_lost=100).saved


def test_the_loss_is_in_percentage_points() -> None:
    examples = tuple(pairs_about(ANIMALS, "own", "animals") * 5)[:20]
    assert LessonCheck("x", examples, np.ones(20, dtype=bool), np.arange(20) > 0).loss == 5


def test_facts_without_a_lesson_are_checked_too(tmp_path: Path, runner: InProcessRunner) -> None:
    persona = Persona.create(tmp_path / "p", new_classifier("tiny", seed=0), ["I sing."])
    result = persona.teach(*lesson_with_facts(ANIMALS, "own", "animals"), quick(), runner)
    assert [checked.name for checked in result.earlier] == ["facts without a lesson"]
    assert [example.hypothesis for example in result.earlier[0].examples][:2] == ["I sing.", "I do not sing."]
    assert list(Persona.open(persona.folder).checks()) == ["facts without a lesson", "lesson 1: animals"]


def test_a_lesson_about_a_fact_uses_only_pairs_that_the_model_too_predicts_as_neutral(
    persona: Persona, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown = persona.with_facts(["I have a pet.", "I SING", *(f"I own {number} boats." for number in range(9))])
    monkeypatch.setattr(
        "trivium.tools.persona.is_correct",
        lambda learner, examples: np.array([example.hypothesis != "I have a pet." for example in examples]),
    )
    taught = grown.lesson_about(["I  sing."]).taught
    neutral = [str(example.hypothesis) for example in taught if example.label == "neutral"]
    assert len(neutral) == 4
    assert not {"I have a pet.", "I SING"} & set(neutral)
    assert [example.premise for example in taught][:2] == ["I sing.", "I sing."]


def test_facts_added_during_a_lesson_are_kept(persona: Persona, tmp_path: Path) -> None:
    runner = InProcessRunner(tmp_path / "store", after_run=lambda: Persona.open(persona.folder).with_facts(["I row."]))
    persona.teach(*lesson_with_facts(ANIMALS, "own", "animals"), quick(), runner)
    assert Persona.open(persona.folder).facts == ("I play guitar.", "I row.", *(f"I own {a}." for a in ANIMALS))


def test_a_lesson_taught_during_another_is_not_overwritten(
    persona: Persona, runner: InProcessRunner, tmp_path: Path
) -> None:
    def teach() -> None:
        Persona.open(persona.folder).teach(*lesson_with_facts(FOODS, "eat", "food"), quick(name="food"), runner)

    interrupted = InProcessRunner(tmp_path / "other-store", after_run=teach)
    with pytest.raises(UserError, match="another lesson was taught meanwhile"):
        persona.teach(*lesson_with_facts(ANIMALS, "own", "animals"), quick(), interrupted)
    assert [record.name for record in Persona.open(persona.folder).lessons] == ["food"]


def test_a_third_of_each_label_is_held_out_and_labels_with_too_few_are_checked_by_taught_examples() -> None:
    examples = pairs_about(ANIMALS, "own", "animals")
    lesson = split_lesson(examples, 1)
    assert sorted(str(example.label) for example in lesson.held_out) == ["contradiction", "entailment", "neutral"]
    assert {e.id for e in lesson.taught} | {e.id for e in lesson.held_out} == {e.id for e in examples}
    assert lesson.checked == lesson.held_out
    few = split_lesson([*examples[:2], *(e for e in examples if e.label == "neutral")], 1)
    assert sorted(str(example.label) for example in few.checked) == ["contradiction", "entailment", "neutral"]
    assert [example.label for example in few.held_out] == ["neutral"]


class Oracle:
    """A stand-in for a learner that predicts the label a function returns for premise and hypothesis."""

    def __init__(self, label_of: Callable[[str, str], str]) -> None:
        self._label_of = label_of

    def reads_whole(self, example: Example) -> bool:
        return len(example.premise) < 200

    def logits(self, examples: list[Example]) -> dict[str, np.ndarray]:
        labels = [NLI3.index(self._label_of(example.premise, str(example.hypothesis))) for example in examples]
        return {"nli": np.eye(3, dtype=np.float32)[labels]}


FACTS = ("I have a computer.", "My favorite color is blue.")


@pytest.mark.parametrize(
    ("label_of", "label", "reason"),
    [
        (lambda fact, utterance: "neutral", "neutral", None),
        (lambda fact, utterance: "entailment" if fact == " ".join(FACTS) else "neutral", "entailment", 2),
        (lambda fact, utterance: "entailment" if fact == FACTS[1] else "neutral", "entailment", 1),
        (lambda fact, utterance: "contradiction" if fact == FACTS[1] else "entailment", "contradiction", 1),
        (lambda fact, utterance: "contradiction" if fact == " ".join(FACTS) else "neutral", "neutral", None),
    ],
)
def test_a_contradiction_by_one_fact_decides_and_facts_together_may_entail_what_no_single_one_does(
    label_of: Callable[[str, str], str], label: str, reason: int | None
) -> None:
    (judgement,) = judge(Oracle(label_of), FACTS, ["I have a blue computer."])  # type: ignore[arg-type]
    assert (judgement.label, judgement.reason) == (label, reason)
    assert np.allclose(judgement.probabilities.sum(axis=1), 1)
    assert len(judgement.probabilities) == 3


def test_a_single_fact_is_used_once() -> None:
    (judgement,) = judge(Oracle(lambda fact, utterance: "entailment"), FACTS[:1], ["Yes."])  # type: ignore[arg-type]
    assert len(judgement.probabilities) == 1


def test_facts_too_long_for_one_input_are_only_used_one_by_one() -> None:
    many = [f"I have a boat with the number {number}" for number in range(9)]
    (judgement,) = judge(Oracle(lambda fact, utterance: "neutral"), many, ["Yes."])  # type: ignore[arg-type]
    assert len(judgement.probabilities) == 9


def test_errors_name_the_problem(persona: Persona, runner: InProcessRunner, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="already exists"):
        Persona.create(persona.folder, new_classifier("tiny", seed=0), [])
    with pytest.raises(UserError, match="no persona in"):
        Persona.open(tmp_path / "nobody")
    with pytest.raises(UserError, match="must not be empty"):
        persona.with_facts([" "])
    with pytest.raises(UserError, match="no facts yet"):
        judge(Oracle(lambda fact, utterance: "neutral"), (), ["Hello."])  # type: ignore[arg-type]
    with pytest.raises(UserError, match="entailment, neutral and contradiction"):
        Persona.create(tmp_path / "two", new_classifier("tiny", 0, NLI2), [])
    with pytest.raises(UserError, match="unknown strategy 'er-rez': did you mean 'er-res'"):
        persona.teach(*lesson_with_facts(ANIMALS, "own", "animals"), quick("er-rez"), runner)
    with pytest.raises(UserError, match="must not be empty"):
        persona.teach(lesson_with_facts(ANIMALS, "own", "animals")[0], [" "], quick(), runner)
    (persona.folder / "persona.json").write_text(json.dumps({"format": 2, "moods": []}))
    with pytest.raises(UserError, match="has format 2"):
        Persona.open(persona.folder)
    (persona.folder / "persona.json").write_text("{")
    with pytest.raises(UserError, match="is damaged"):
        Persona.open(persona.folder)
    (persona.folder / "persona.json").write_text(json.dumps({"lessons": [{"name": "x"}]}))
    with pytest.raises(UserError, match="model-1 is missing"):
        Persona.open(persona.folder)


@pytest.mark.parametrize("content", ["[" * 100_000, '{"lessons": ' + "[" * 5000, "9" * 5000, '{"facts": ["\\ud800"]}'])
def test_a_persona_that_cannot_be_parsed_is_an_error_in_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "persona.json").write_text(content)
    with pytest.raises(UserError) as raised:
        Persona.open(tmp_path)
    assert "is damaged" in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1

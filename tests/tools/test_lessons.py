"""Lessons: generated pairs are taught with the corrections, and held-out ones choose how much of the change is kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tools.correcting import FAST, PAIRS, corrected, write
from tests.tools.in_process import InProcessRunner
from transformers import pipeline

from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.errors import UserError
from trivium.tools.corrected import load_corrected
from trivium.tools.correction import _teacher, save
from trivium.tools.correction_task import CorrectionSettings, LessonOptions, prepare
from trivium.tools.history import read_history
from trivium.tools.lessons import LessonSource, lesson_source, write_pairs
from trivium.tools.methods import SHARES, Teacher, Training, chosen_methods, methods

HEDGES = [
    Example.make(str(number), f"The {who} {cue} {what}.", f"The {who} {what}.", label)
    for number, (who, cue, what, label) in enumerate(
        [
            ("mayor", "certainly", "lied", "entailment"),
            ("clerk", "definitely", "left", "entailment"),
            ("guard", "undoubtedly", "slept", "entailment"),
            ("cook", "clearly", "cheated", "entailment"),
            ("pilot", "surely", "drank", "entailment"),
            ("judge", "supposedly", "resigned", "neutral"),
        ]
    )
]


@pytest.fixture(autouse=True)
def few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trivium.tools.lessons.NUMBER", 480)


@pytest.fixture(scope="module")
def hedges(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("hedges") / "hedges.jsonl", HEDGES)


@pytest.fixture
def replayed(tmp_path: Path) -> LessonOptions:
    return LessonOptions(replay=write(tmp_path / "replay.jsonl", PAIRS[60:90]))


def test_pairs_are_of_the_recognized_kind_and_never_a_correction() -> None:
    source = LessonSource(NLI3).with_kind(HEDGES, ["contradiction"] * 6)
    assert source.kind is not None
    assert source.kind.name == "hedges"
    lesson = source.lesson(HEDGES[:4], HEDGES[4:])
    texts = {(pair.premise, pair.hypothesis) for pair in (*lesson.taught, *lesson.checked)}
    assert len(texts) == len(lesson.taught) + len(lesson.checked)
    assert len(lesson.checked) == len(texts) // 8
    assert not texts & {(example.premise, example.hypothesis) for example in HEDGES}
    assert source.lesson(HEDGES[:4], HEDGES[4:]) == lesson


def test_edited_pairs_that_are_like_a_held_out_correction_are_left_out_of_its_fold(tmp_path: Path) -> None:
    like = Example.make("like", "It is certain that the mayor lied.", "The mayor lied.", "entailment")
    others = [Example.make(str(n), f"Perhaps {n} boats sank.", f"{n} boats sank.", "neutral") for n in range(9)]
    write_pairs([like, *others], NLI3, tmp_path / "pairs.jsonl")
    source = lesson_source(NLI3, None, None, tmp_path / "pairs.jsonl", 0)
    assert len(source.pairs(HEDGES)) == 10
    assert [pair.id for pair in source.pairs(HEDGES[1:], HEDGES[:1])] == [pair.id for pair in others]
    assert lesson_source(NLI3, None, None, tmp_path / "new.jsonl", 0).edited is None
    with pytest.raises(UserError, match=r"\.jsonl"):
        lesson_source(NLI3, None, None, tmp_path / "new.csv", 0)


def test_methods_that_transformers_cannot_load_need_another_runtime() -> None:
    assert not {"pn", "knn"} & {*methods()}
    assert {"pn", "knn"} <= {*methods("trivium")}
    with pytest.raises(UserError, match="runtime='trivium'"):
        chosen_methods("pn")
    assert chosen_methods("pn", "trivium") == ("pn",)


@pytest.mark.usefixtures("gaining")
def test_a_lesson_is_loaded_by_transformers_with_the_same_answers(
    runner: InProcessRunner, model: Path, hedges: Path, guard: Path, tmp_path: Path, replayed: LessonOptions
) -> None:
    result = corrected(runner, model, hedges, guard, "lesson", phenomenon_pairs=0, options=replayed)
    assert result.finals
    assert result.finals[0].share in SHARES
    assert result.selected is not None
    save(result, runner.store, tmp_path / "out")
    pairs = result.task.guard.measured
    own = load_corrected(tmp_path / "out").predict(pairs)
    assert own == [NLI3.names[index] for index in result.selected.guard]
    classify = pipeline("text-classification", model=str(tmp_path / "out"))
    answers = [classify({"text": pair.premise, "text_pair": pair.hypothesis}) for pair in pairs]
    assert [answer["label"].lower() for answer in answers] == own
    (record,) = read_history(tmp_path / "out")
    assert record.kind == "hedges"
    assert record.suite()


def test_a_lesson_is_tried_without_any_of_the_corrections_and_lesson_kd_not_in_vain(
    runner: InProcessRunner, model: Path, hedges: Path, guard: Path, replayed: LessonOptions,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    taught: list[tuple[str, list[Example]]] = []
    training = Teacher._training

    def watched(teacher: Teacher, method: str, corrections: Sequence[Example], *others: Any) -> Training:
        taught.append((method, list(corrections)))
        return training(teacher, method, corrections, *others)

    monkeypatch.setattr(Teacher, "_training", watched)
    result = corrected(runner, model, hedges, guard, "auto", options=replayed)
    assert taught[0] == ("lesson", [])
    assert all(0 < len(corrections) < 6 for method, corrections in taught if method == "finetune")
    shown = result.is_gain_shown(next(trial for trial in result.trials if trial.method == "lesson"))
    assert shown == ("lesson-kd" in [method for method, _ in taught])


def test_what_measures_a_loss_is_a_part_of_its_own_for_all_corrections(
    runner: InProcessRunner, model: Path, hedges: Path, few: Path, guard: Path
) -> None:
    settings = CorrectionSettings(phenomenon_pairs=0)
    tasks = [prepare(str(model), file, guard, settings) for file in (hedges, few)]
    first, second = (_teacher(task, runner, FAST)._parts for task in tasks)
    assert first[0].identity != second[0].identity
    assert first[1].identity == second[1].identity
    assert first[1].examples == tasks[0].guard.measured


def test_without_a_shown_gain_nothing_is_taught(
    runner: InProcessRunner, model: Path, hedges: Path, guard: Path, replayed: LessonOptions,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(
        "trivium.tools.methods.Teacher.try_out",
        lambda teacher, names, corrections, folds: {name: np.zeros(len(corrections), np.intp) for name in names},
    )
    result = corrected(runner, model, hedges, guard, "lesson", options=replayed)
    assert result.finals == ()
    assert result.selected is None

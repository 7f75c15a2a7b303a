"""A correction is selected by its gain on held-out corrections and its bounded loss on the guard."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binom
from tests.tools.correcting import PAIRS, corrected, write
from tests.tools.in_process import InProcessRunner
from transformers import AutoModelForSequenceClassification

from trivium.data.example import Example, key_of
from trivium.data.labels import NLI2, NLI3, SENTIMENT, Labels
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.measure.statistics.flips import Flips
from trivium.models.classifiers import SUPPORT, load_classifier, new_classifier, read_outputs
from trivium.report.correction import correction_json
from trivium.report.correction_text import caveats, refusal
from trivium.tools import correction
from trivium.tools.corrected import Support, load_corrected
from trivium.tools.correction import TOGETHER, Correction, Final, Trial, save
from trivium.tools.correction_data import (
    Corrections,
    Guard,
    folds_of,
    guard_size,
    read_corrections,
)
from trivium.tools.correction_task import CorrectionSettings, Task
from trivium.tools.history import HISTORY, fingerprint, read_history
from trivium.tools.lessons import LessonSource
from trivium.tools.methods import LESSONS, TaughtModel, Teacher, methods
from trivium.tools.proof import beats_guessing, changes, is_shown, more_corrections, smallest_allow


def correction_with(
    trials: dict[str, list[int]], finals: dict[str, tuple[list[int], list[int]]], allow: float
) -> Correction:
    """Return a correction with these predictions. Before it, all corrections are incorrect and the guard is correct."""
    task = Task(
        model="m",
        labels=NLI3,
        corrections=Corrections(Path("few.jsonl"), tuple(replace(e, label="neutral") for e in PAIRS[:6])),
        guard=Guard("g", (), tuple(replace(PAIRS[9], id=str(index), label="entailment") for index in range(1000))),
        history=(),
        earlier=(),
        settings=CorrectionSettings(allow=allow),
        lessons=LessonSource(NLI3),
    )
    nothing = np.zeros(0, dtype=np.intp)
    before = Final("before", np.zeros(6, dtype=np.intp), nothing, np.zeros(1000, dtype=np.intp))
    taught = [Final(name, np.array(few), nothing, np.array(on_guard)) for name, (few, on_guard) in finals.items()]
    tried = tuple(Trial(name, np.array(predicted)) for name, predicted in trials.items())
    folds = ((0, 3), (1, 4), (2, 5))
    return Correction(task, before, 512, tried, folds, tuple(taught))


def test_methods_are_ranked_by_held_out_gain_and_ties_by_their_order() -> None:
    result = correction_with(
        {"finetune": [0] * 6, "mas": [1, 1, 0, 0, 0, 0], "er-res": [1, 1, 1, 0, 0, 0], "pn": [1, 0] * 3}, {}, 1
    )
    assert [trial.method for trial in result.ranked] == ["er-res", "pn", "mas", "finetune"]


def test_a_gain_that_is_not_shown_is_refused_with_the_number_of_corrections_that_would_show_it() -> None:
    result = correction_with({"mas": [1, 1, 1, 0, 0, 0], "kd": [1] * 6}, {}, 1)
    mas, kd = result.trials
    assert [result.is_gain_shown(trial) for trial in (mas, kd)] == [False, True]
    first, second = refusal(replace(result, trials=(mas,)))
    assert first.startswith("no gain is shown on held-out corrections (the best, mas: +50.0 [")
    assert first.endswith("no allow= would pass.")
    needed = more_corrections(result.held_out(mas), 3, 3)
    assert second == f"About {needed} more corrections of one kind would show it, if they are learned like these."
    assert needed is not None

    def are_enough(number: int) -> bool:
        return is_shown(Flips(0, number / 2, number)) and beats_guessing(number // 2, number, 3)

    assert are_enough(6 + needed)
    assert not any(map(are_enough, range(6, 6 + needed)))
    assert "would not show one at this rate" in refusal(correction_with({"kd": [0] * 6}, {}, 1))[1]


@pytest.mark.parametrize("labels", [NLI2, NLI3])
@pytest.mark.parametrize("number", [12, 20, 50])
def test_answers_at_random_to_mistakes_rarely_look_like_a_gain(labels: Labels, number: int) -> None:
    """All corrections are mistakes, so that none can become wrong: an interval above zero alone would prove nothing."""
    shown = [is_shown(Flips(0, correct, number)) for correct in range(number + 1)]
    proved = [shown[correct] and beats_guessing(correct, number, len(labels)) for correct in range(number + 1)]
    at_random = binom(number, 1 / len(labels)).pmf(range(number + 1))
    assert at_random[proved].sum() <= 0.025
    assert proved[-1]
    assert at_random[shown].sum() > 0.4


def test_what_is_no_better_than_guessing_is_refused() -> None:
    result = correction_with({"kd": [1, 1, 1, 1, 0, 0]}, {}, 1)
    (kd,) = result.trials
    assert is_shown(result.held_out(kd))
    assert not result.is_gain_shown(kd)
    assert refusal(result)[0] == (
        "kd gets 4 of 6 held-out corrections right, no more than by guessing (1 in 3): no allow= would pass."
    )


def test_the_choice_of_the_method_is_nested() -> None:
    """Either method looks perfect on one half; chosen on the other folds, each is wrong where it counts."""
    result = correction_with({"kd": [1, 1, 0, 1, 1, 0], "mas": [0, 0, 1, 0, 0, 1]}, {}, 1)
    assert result.held_out(result.ranked[0]).won == 4
    assert result.nested.won == 4  # kd gains more on the other folds of each fold
    result = correction_with({"kd": [1, 0, 0, 1, 0, 0], "mas": [0, 1, 0, 0, 1, 0]}, {}, 1)
    assert result.nested.won == 0
    one = correction_with({"kd": [1, 0, 0, 1, 0, 0]}, {}, 1)
    assert one.nested == one.held_out(one.trials[0])


@pytest.mark.usefixtures("gaining")
def test_a_method_that_fails_on_all_corrections_is_skipped(
    runner: InProcessRunner, model: Path, few: Path, guard: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach, failing = Teacher.teach, ["pn"]

    def diverging(
        self: Teacher, method: str, corrections: Sequence[Example]
    ) -> tuple[TaughtModel, NDArray[np.float32]]:
        if method in failing:
            raise UserError("training diverged")
        return teach(self, method, corrections)

    monkeypatch.setattr(Teacher, "teach", diverging)
    monkeypatch.setattr(correction, "available_methods", lambda task: ("pn", "knn"))
    result = corrected(runner, model, few, guard, "auto")
    assert result.selected is not None
    assert result.selected.method == "knn"
    assert [trial.failed for trial in result.trials] == ["training diverged", ""]
    assert "pn was not completed: training diverged" in caveats(result)
    assert correction_json(result)["trials"][0]["failed"] == "training diverged"
    failing.append("knn")
    with pytest.raises(UserError, match="no method could be trained on the corrections: pn: training diverged"):
        corrected(runner, model, few, guard, "auto")


def test_texts_that_are_too_long_are_counted(
    runner: InProcessRunner, model: Path, few: Path, guard: Path, tmp_path: Path
) -> None:
    examples = list(Split.read(few).examples)
    assert corrected(runner, model, few, guard, "pn").truncated == 0
    longest = load_corrected(model).max_length
    assert longest <= 512
    examples[0] = replace(examples[0], premise=f"{examples[0].premise} and" * 600)
    result = corrected(runner, model, write(tmp_path / "long.jsonl", examples), guard, "pn")
    assert f"1 of 72 texts are longer than {longest} tokens and are truncated." in caveats(result)


def test_a_refusal_says_in_two_lines_what_would_pass() -> None:
    nine_lost = [1] * 9 + [0] * 991
    trials = {"mas": [1] * 6, "kd": [1, 1, 1, 1, 1, 0]}
    result = correction_with(trials, {"mas": ([1] * 6, nine_lost), "kd": ([1] * 6, [1, 1, *[0] * 998])}, 0.5)
    assert not any(result.is_proved(final) for final in result.finals)
    upper = Flips(2, 0, 1000).upper()
    first, second = refusal(result)
    assert f"kd may lose up to {math.ceil(1e4 * upper) / 100} points on the guard (2 forgotten and 0 newly" in first
    assert first.endswith(f"and 0.5 are allowed: allow= of {smallest_allow(upper):g} would pass.")
    assert 100 * upper <= smallest_allow(upper) < 100 * upper + 0.1
    assert "a larger guard= may decide it" in second
    assert f"({guard_size(539)} examples are enough if nothing flips, and about 1,696 if as many flip" in second
    result = correction_with(trials, {"mas": ([0] * 6, [0] * 1000)}, 0.5)
    assert "mas gets no more of the 6 corrections right than before: no allow= would pass." in refusal(result)[0]


def test_a_phenomenon_that_is_shown_to_be_lost_refuses_a_method_whatever_is_allowed() -> None:
    result = correction_with({"mas": [1] * 6}, {"mas": ([1] * 6, [0] * 1000)}, 100)
    (final,) = result.finals
    rng = np.random.default_rng(0)
    before = rng.random(200) < 0.7
    kept, lost = before.copy(), before & (rng.random(200) > 0.12)
    final = replace(final, phenomena=changes({"comp": (before, lost), "negat": (before, kept)}, TOGETHER))
    result = replace(result, finals=(final,))
    assert [change.name for change in result.shown_losses(final)] == ["comp", TOGETHER]
    assert not result.is_proved(final)
    assert "mas loses Comparative −" in refusal(result)[0]
    final = replace(final, phenomena=changes({"comp": (before, kept), "negat": (before, kept)}, TOGETHER))
    assert result.is_proved(final)
    tight = replace(result.task, settings=CorrectionSettings(allow=0.5))
    assert not replace(result, task=tight).is_proved(final)  # 400 pairs cannot show a loss of less than 0.5 points


def test_losses_are_tested_exactly_and_corrected_by_holm() -> None:
    before, after = np.array([True] * 6 + [False] * 4), np.array([False] * 5 + [True] * 2 + [False] * 3)
    first, second = changes({"a": (before, after), "b": (before, before)})
    assert (first.flips.lost, first.flips.won) == (5, 1)
    assert first.p == pytest.approx(2 * 7 / 64)  # P(5 or 6 of 6), times two sets
    assert second.p == 1
    assert changes({}, TOGETHER) == ()


def test_a_thousand_examples_without_a_flip_bound_the_loss_to_half_a_point() -> None:
    result = correction_with({"mas": [1] * 6}, {"mas": ([1] * 6, [0] * 1000)}, 0.5)
    assert result.is_within_allowed_loss(result.finals[0])
    assert result.gains(result.finals[0])


@given(st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from(NLI3.names)), min_size=2, max_size=50))
def test_folds_hold_each_correction_out_once_with_its_group(rows: list[tuple[str, str]]) -> None:
    groups, labels = [group for group, _ in rows], [label for _, label in rows]
    folds = folds_of(groups, labels, 3, seed=1)
    assert sorted(index for fold in folds for index in fold) == list(range(len(rows)))
    assert len(folds) == min(3, len(set(groups)))
    for fold in folds:
        assert fold
        assert not {groups[index] for index in fold} & {groups[i] for i in range(len(rows)) if i not in fold}


def test_single_corrections_are_spread_evenly_over_folds_by_label() -> None:
    labels = [str(pair.label) for pair in PAIRS[:15]]
    folds = folds_of([str(index) for index in range(15)], labels, 3, seed=1)
    assert [len(fold) for fold in folds] == [5, 5, 5]
    for fold in folds:
        assert {[labels[index] for index in fold].count(name) for name in NLI3.names} <= {1, 2}


@pytest.mark.usefixtures("gaining")
def test_a_trained_correction_is_deterministic_and_predicts_what_was_measured(
    model: Path, few: Path, guard: Path, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        runner = InProcessRunner(tmp_path / f"store-{name}")
        result = corrected(runner, model, few, guard, "er-res")
        save(result, runner.store, tmp_path / name)
    assert result.selected is not None
    assert fingerprint(str(tmp_path / "first")) == fingerprint(str(tmp_path / "second"))
    assert (tmp_path / "first" / HISTORY).read_bytes() == (tmp_path / "second" / HISTORY).read_bytes()
    AutoModelForSequenceClassification.from_pretrained(tmp_path / "first")
    again = load_corrected(tmp_path / "first").answers(result.task.guard.measured)
    assert (again.predicted == result.selected.guard).all()
    (record,) = read_history(tmp_path / "first")
    assert record.method == "er-res"
    assert record.corrections() == list(result.task.corrections.examples)
    assert record.previous.fingerprint == fingerprint(str(model))


@pytest.mark.usefixtures("gaining")
@pytest.mark.parametrize("method", ["pn", "knn"])
def test_a_correction_by_a_support_set_is_a_copy_of_the_model_that_predicts_from_it(
    method: str, runner: InProcessRunner, model: Path, few: Path, guard: Path, tmp_path: Path
) -> None:
    result = corrected(runner, model, few, guard, method)
    assert result.selected is not None
    save(result, runner.store, tmp_path / "out")
    assert (tmp_path / "out" / "model.safetensors").read_bytes() == (model / "model.safetensors").read_bytes()
    loaded = load_corrected(tmp_path / "out")
    assert loaded.predict(result.task.guard.measured) == [NLI3.names[index] for index in result.selected.guard]
    with pytest.raises(UserError, match=SUPPORT):
        load_classifier(str(tmp_path / "out"))
    (tmp_path / "out" / SUPPORT).write_bytes(b"nothing")
    with pytest.raises(UserError, match="damaged"):
        load_corrected(tmp_path / "out")


def test_few_corrections_weigh_as_much_as_many_examples_among_prototypes() -> None:
    many = (np.array([[0.0, 0.0]] * 50 + [[4.0, 0.0]] * 50, dtype=np.float32), np.array([0] * 50 + [1] * 50))
    few = (np.array([[9.0, 0.0]], dtype=np.float32), np.array([0]))
    vectors = np.array([[8.0, 0.0], [1.0, 0.0], [4.5, 0.0]], dtype=np.float32)
    assert Support.of("pn", [many, few]).predict(vectors, 3).tolist() == [0, 0, 1]
    assert Support.of("knn", [many, few]).predict(vectors, 3).tolist() == [1, 0, 1]


@pytest.mark.usefixtures("gaining")
def test_a_sentiment_model_is_corrected_with_single_texts(runner: InProcessRunner, tmp_path: Path) -> None:
    words = {
        "negative": ["dull", "awful", "a bore", "flat", "bad"],
        "positive": ["lovely", "superb", "a joy", "deep", "fine"],
    }
    examples = [
        Example(f"{label}-{thing}-{word}", f"This {thing} was {word}.", None, label, task="sentiment")
        for thing in ("film", "story", "cast", "score", "plot")
        for label in words
        for word in words[label]
    ]
    assert read_outputs({0: "POSITIVE", 1: "NEGATIVE"}, "m") == (SENTIMENT, [1, 0])
    new_classifier("tiny", 0, SENTIMENT).save(tmp_path / "model")
    few = write(tmp_path / "few.jsonl", examples[40:], SENTIMENT)
    guard = write(tmp_path / "guard.jsonl", examples[:40], SENTIMENT)
    result = corrected(runner, tmp_path / "model", few, guard, "auto")
    assert {trial.method for trial in result.trials} == {*methods("trivium")} - {*LESSONS}
    assert result.selected is not None
    with pytest.raises(UserError, match="'hypothesis' must be null"):
        read_corrections(write(tmp_path / "pairs.jsonl", [replace(examples[0], hypothesis="x")], SENTIMENT), SENTIMENT)


@pytest.mark.usefixtures("gaining")
def test_splits_examples_and_data_frames_correct_as_their_files_do(
    runner: InProcessRunner, model: Path, few: Path, guard: Path
) -> None:
    files = corrected(runner, model, few, guard, "knn")
    examples, kept = Split.read(few), Split.read(guard)
    for data in (examples, list(examples), pd.DataFrame([example.to_json() for example in examples])):
        result = corrected(runner, model, data, kept.examples, "knn")
        assert key_list(result.task.corrections.examples) == key_list(files.task.corrections.examples)
        assert result.task.guard.measured == files.task.guard.measured
        assert result.task.guard.name == "guard"
    assert result.task.corrections.file == "examples"
    assert corrected(runner, model, examples, kept, "knn").task.corrections.file == "few"


def key_list(examples: Sequence[Example]) -> list[tuple[str, str, str | None]]:
    return [(*key_of(example), example.label) for example in examples]


def test_mistakes_in_given_examples_name_the_row(few: Path) -> None:
    first, *others = Split.read(few).examples
    other = "neutral" if first.label != "neutral" else "entailment"
    with pytest.raises(
        UserError, match=rf"examples: the same pair has two labels in row 1 \({first.label}\) and row 2"
    ):
        read_corrections([first, replace(first, label=other), *others], NLI3)
    with pytest.raises(UserError, match="examples:row 2: the label is missing"):
        read_corrections([first, replace(first, label=None)], NLI3)
    with pytest.raises(UserError, match="examples: contains 1 different corrections, but must contain 5 to 50"):
        read_corrections([first], NLI3)

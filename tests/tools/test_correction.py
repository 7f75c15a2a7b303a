"""A correction is selected by its gain on held-out corrections and its bounded loss on the guard, and can be undone."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.tools.in_process import InProcessRunner
from transformers import AutoModelForSequenceClassification

from trivium.cli import correct as cli_correct
from trivium.data.example import Example, key_of
from trivium.data.labels import NLI2, NLI3, SENTIMENT, Labels
from trivium.data.sources import load_source
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.measure.paired import Flips
from trivium.models.classifiers import SUPPORT, load_classifier, new_classifier, read_outputs
from trivium.report.correction import caveats, correction_document, correction_json, describe_inputs, refusal, summary
from trivium.tools import correction
from trivium.tools.corrected import Predicted, Support, load_corrected
from trivium.tools.correction import Correction, CorrectionSettings, Final, Task, Trial, correct, prepare, save
from trivium.tools.correction_data import (
    Corrections,
    Guard,
    choose_guard,
    folds_of,
    guard_size,
    label_indices,
    read_corrections,
)
from trivium.tools.history import HISTORY, fingerprint, read_history, undo
from trivium.tools.methods import CORRECTING, Lesson, Teacher, methods

FAST = CORRECTING.model_copy(update={"learning_rate": 1e-3, "epochs": 3, "threads": 1})
PAIRS = [replace(example, facts=()) for example in load_source("builtin").examples[:100]]


def write(file: Path, examples: list[Example], labels: Labels = NLI3) -> Path:
    Split("some", tuple(examples), labels).write(file)
    return file


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    new_classifier("tiny", 0).save(folder)
    return folder


@pytest.fixture(scope="module")
def guard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("guard") / "guard.jsonl", PAIRS[:60])


@pytest.fixture(scope="module")
def few(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six pairs of each of two labels, nearly all of which the model predicts incorrectly."""
    predicted = load_corrected(model).predict(PAIRS[:1])[0]
    others = [label for label in NLI3.names if label != predicted]
    chosen = [example for label in others for example in [e for e in PAIRS[60:] if e.label == label][:6]]
    return write(tmp_path_factory.mktemp("few") / "few.jsonl", chosen)


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> InProcessRunner:
    return InProcessRunner(tmp_path_factory.mktemp("stores") / "store")


@pytest.fixture
def gaining(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every method predicts all held-out corrections correctly."""

    def try_out(
        teacher: Teacher, methods: Sequence[str], corrections: Sequence[Example], folds: Sequence[Sequence[int]]
    ) -> dict[str, Predicted | str]:
        return {method: label_indices(corrections, NLI3) for method in methods}

    monkeypatch.setattr(Teacher, "try_out", try_out)


def corrected(
    runner: InProcessRunner, model: Path, few: Path, guard: Path, method: str, allow: float = 100.0, seed: int = 0
) -> Correction:
    settings = CorrectionSettings(method=method, allow=allow, seed=seed, train=FAST)
    return correct(prepare(str(model), few, guard, settings), runner)


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
    )
    nothing = np.zeros(0, dtype=np.intp)
    before = Final("before", np.zeros(6, dtype=np.intp), nothing, np.zeros(1000, dtype=np.intp))
    taught = [Final(name, np.array(few), nothing, np.array(on_guard)) for name, (few, on_guard) in finals.items()]
    tried = tuple(Trial(name, np.array(predicted)) for name, predicted in trials.items())
    return Correction(task, before, 512, tried, tuple(taught))


def test_methods_are_ranked_by_held_out_gain_and_ties_by_their_order() -> None:
    result = correction_with(
        {"finetune": [0] * 6, "mas": [1, 1, 0, 0, 0, 0], "er-res": [1, 1, 1, 0, 0, 0], "pn": [1, 0] * 3}, {}, 1
    )
    assert [trial.method for trial in result.ranked] == ["er-res", "pn", "mas", "finetune"]
    assert [trial.method for trial in correction._candidates(result)] == ["er-res", "pn", "mas"]
    result = correction_with({"scl": [0] * 6, "finetune": [0] * 6}, {}, 1)
    assert [trial.method for trial in correction._candidates(result)] == ["scl", "finetune"]


def test_a_method_that_loses_on_held_out_corrections_is_never_taught() -> None:
    result = correction_with({"scl": [0] * 6, "finetune": [0] * 6, "kd": [0, 1, 0, 0, 0, 0]}, {}, 1)
    result = replace(result, before=replace(result.before, corrections=np.array([1, 0, 0, 0, 0, 0])))
    assert [trial.method for trial in correction._candidates(result)] == ["kd"]
    result = replace(result, trials=result.trials[:2])
    assert correction._candidates(result) == []
    assert "every method loses on held-out corrections (the best, scl, −16.7 points)" in refusal(result)
    assert "scl loses on held-out corrections (−16.7 points)" in refusal(replace(result, trials=result.trials[:1]))


def test_the_summary_of_a_method_selected_without_a_held_out_gain_says_so() -> None:
    result = correction_with({"kd": [0] * 6}, {"kd": ([1] * 6, [0] * 1000)}, 0.5)
    text = " ".join(summary(replace(result, selected=result.finals[0])))
    assert "No method gains on held-out corrections" in text
    assert "6 of all 6 corrections are correct after the final training" in text
    result = correction_with({"pn": [1] * 6}, {"pn": ([1] * 6, [0] * 1000)}, 0.5)
    text = " ".join(summary(replace(result, selected=result.finals[0])))
    assert "No method gains" not in text
    assert "final training" not in text


def test_more_epochs_are_not_advised_for_methods_that_train_nothing() -> None:
    assert "--epochs" in refusal(correction_with({"kd": [0] * 6}, {"kd": ([0] * 6, [0] * 1000)}, 0.5))
    text = refusal(correction_with({"pn": [0] * 6}, {"pn": ([0] * 6, [0] * 1000)}, 0.5))
    assert "--epochs" not in text
    assert "--method auto" in text


@pytest.mark.usefixtures("gaining")
def test_a_method_that_fails_on_all_corrections_is_skipped(
    runner: InProcessRunner, model: Path, few: Path, guard: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach, failing = Teacher.teach, ["pn"]

    def diverging(self: Teacher, method: str, corrections: Sequence[Example]) -> tuple[Lesson, Predicted]:
        if method in failing:
            raise UserError("training diverged")
        return teach(self, method, corrections)

    monkeypatch.setattr(Teacher, "teach", diverging)
    monkeypatch.setattr(correction, "chosen_methods", lambda name: ("pn", "knn"))
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


def test_the_description_counts_what_is_left_out_of_a_guard(
    runner: InProcessRunner, model: Path, few: Path, tmp_path: Path
) -> None:
    other = "neutral" if PAIRS[0].label != "neutral" else "entailment"
    lines = [
        *PAIRS[:40],
        replace(PAIRS[0], id="x", label=other),
        replace(PAIRS[1], id="y"),
        Split.read(few).examples[0],
    ]
    result = corrected(runner, model, few, write(tmp_path / "guard.jsonl", lines), "pn")
    assert describe_inputs(result)[1].endswith("Left out: 1 also a correction, 1 with two labels, 1 repeated.")


@pytest.mark.usefixtures("gaining")
def test_earlier_corrections_that_were_lost_are_shown(
    runner: InProcessRunner,
    model: Path,
    few: Path,
    guard: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    save(corrected(runner, model, few, guard, "knn"), runner.store, tmp_path / "mine")
    result = corrected(runner, tmp_path / "mine", write(tmp_path / "other.jsonl", PAIRS[90:]), guard, "pn")
    final = replace(result.finals[0], earlier=(result.gold.earlier + 1) % 3)
    before = replace(result.before, earlier=result.gold.earlier)
    result = replace(result, before=before, finals=(final,), selected=final)
    lost = correction_json(result)["lost_earlier"]
    assert [row["premise"] for row in lost] == [example.premise for example in result.task.earlier_examples]
    assert all(row["said"] != row["label"] for row in lost)
    error_examples = correction_document(result, "trivium correct").error_examples[-1]
    assert error_examples.title == "Earlier corrections that were lost"
    assert error_examples.groups[0].total == len(lost) > 0
    cli_correct._show(result)
    assert capsys.readouterr().out.count("lost of earlier corrections: ") == 5


def test_a_refusal_names_the_best_method_its_gain_its_bound_and_what_to_do() -> None:
    nine_lost = [1] * 9 + [0] * 991
    trials = {"mas": [1, 1, 1, 0, 0, 0], "kd": [1, 0, 0, 0, 0, 0]}
    result = correction_with(trials, {"mas": ([1] * 6, nine_lost), "kd": ([1] * 6, [1, 1, *[0] * 998])}, 0.5)
    assert not any(result.is_within_allowed_loss(final) for final in result.finals)
    text = refusal(result)
    bounds = [math.ceil(1e4 * Flips(lost, 0, 1000).upper()) / 100 for lost in (9, 2)]
    assert f"the best, mas, gains +50.0 points on held-out corrections, but may lose up to {bounds[0]}" in text
    assert "9 forgotten and 0 newly correct of 1000" in text
    assert f"the lowest bound is that of kd, {bounds[1]}" in text
    assert f"--guard ({guard_size(539)} examples are enough if nothing flips, and about 1,696 if as many flip" in text
    assert "\n" not in text
    result = correction_with(trials, {"mas": ([0] * 6, [0] * 1000)}, 0.5)
    assert "no method gets more of the 6 corrections right" in refusal(result)


def test_a_thousand_examples_without_a_flip_bound_the_loss_to_half_a_point() -> None:
    result = correction_with({"mas": [1] * 6}, {"mas": ([1] * 6, [0] * 1000)}, 0.5)
    assert result.is_within_allowed_loss(result.finals[0])
    assert result.gains(result.finals[0])


def test_folds_hold_each_correction_out_once_and_are_stratified_by_label() -> None:
    folds = folds_of(PAIRS[:15], 3, seed=1)
    assert sorted(index for fold in folds for index in fold) == list(range(15))
    for fold in folds:
        labels = [PAIRS[index].label for index in fold]
        assert {labels.count(name) for name in NLI3.names} <= {1, 2}
    assert sorted(map(len, folds_of(PAIRS[:5], 3, seed=0))) == [1, 2, 2]


def test_the_guard_is_divided_by_the_seed_and_corrections_are_taken_out_of_it(guard: Path, tmp_path: Path) -> None:
    whole = choose_guard(guard, NLI3, [], 0)
    assert (len(whole.remembered), len(whole.measured), whole.also_corrections) == (20, 40, 0)
    same_pair = [replace(PAIRS[3], premise=f"  {PAIRS[3].premise.upper()} ", id="x")]
    reduced = choose_guard(guard, NLI3, same_pair, 0)
    assert reduced.also_corrections == 1
    assert {*whole.measured} - {*reduced.measured} | {*whole.remembered} - {*reduced.remembered} == {
        example for example in (*whole.measured, *whole.remembered) if key_of(example) == key_of(PAIRS[3])
    }
    assert choose_guard(guard, NLI3, [], 1) != whole
    assert {example.label for example in choose_guard(guard, NLI2, [], 0).measured} == set(NLI2.names)
    with pytest.raises(UserError, match="contains 9 different examples, but a guard must have at least 30"):
        choose_guard(write(tmp_path / "small.jsonl", PAIRS[:9]), NLI3, [], 0)


def test_examples_with_two_labels_are_left_out_of_a_guard(tmp_path: Path) -> None:
    other = {"entailment": "neutral", "neutral": "contradiction", "contradiction": "entailment"}
    clashing = [replace(e, id=f"x{index}", label=other[str(e.label)]) for index, e in enumerate(PAIRS[:2])]
    lines = [*PAIRS[:40], *clashing, replace(PAIRS[3], id="y", premise=PAIRS[3].premise.upper())]
    chosen = choose_guard(write(tmp_path / "guard.jsonl", lines), NLI3, [], 0)
    assert (chosen.contradicting, chosen.repeated) == (2, 1)
    kept = {key_of(example) for example in (*chosen.remembered, *chosen.measured)}
    assert kept == {key_of(example) for example in PAIRS[2:40]}
    with pytest.raises(UserError, match=r"29 different examples \(2 with two labels are left out\)"):
        choose_guard(write(tmp_path / "small.jsonl", [*PAIRS[:31], *clashing]), NLI3, [], 0)


def test_without_public_data_the_guard_is_the_grammar(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TRIVIUM_DATA", raising=False)
    monkeypatch.setenv("TRIVIUM_CACHE", str(tmp_path))
    chosen = choose_guard(None, NLI3, [], 0)
    assert chosen.name == "the built-in grammar"
    assert (len(chosen.remembered), len(chosen.measured)) == (200, 800)
    with pytest.raises(UserError, match="--guard"):
        choose_guard(None, SENTIMENT, [], 0)


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


def test_the_second_correction_remembers_the_first_and_undo_goes_back_step_by_step(
    runner: InProcessRunner, model: Path, few: Path, guard: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    first = corrected(runner, model, few, guard, "pn")
    save(first, runner.store, folder)
    first_fingerprint = fingerprint(str(folder))
    other = write(tmp_path / "other.jsonl", [*PAIRS[90:], replace(Split.read(few).examples[0], label="neutral")])
    second = corrected(runner, folder, other, guard, "finetune")
    assert len(second.task.earlier_examples) == len(first.task.corrections.examples) - 1
    assert first.selected is not None
    assert (second.before.guard == first.selected.guard).all()
    save(second, runner.store, folder)
    assert [record.method for record in read_history(folder)] == ["pn", "finetune"]
    assert not (folder / SUPPORT).exists()
    assert fingerprint(str(tmp_path / "mine.before-1")) == first_fingerprint
    assert undo(str(folder)).method == "finetune"
    assert fingerprint(str(folder)) == first_fingerprint
    assert not (tmp_path / "mine.before-1").exists()
    assert undo(str(folder)).method == "pn"
    assert fingerprint(str(folder)) == fingerprint(str(model))
    with pytest.raises(UserError, match="nothing to undo"):
        undo(str(folder))


@pytest.mark.usefixtures("gaining")
def test_models_that_are_moved_together_can_be_undone(
    runner: InProcessRunner, model: Path, few: Path, guard: Path, tmp_path: Path
) -> None:
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    shutil.copytree(model, here / "mine")
    other = write(tmp_path / "other.jsonl", PAIRS[90:])
    save(corrected(runner, here / "mine", few, guard, "pn"), runner.store, here / "mine")
    save(corrected(runner, here / "mine", other, guard, "knn"), runner.store, elsewhere / "copy")
    assert [Path(record.previous.where).parent for record in read_history(elsewhere / "copy")] == [here, here]
    moved = here.rename(tmp_path / "moved")
    assert undo(str(moved / "mine")).method == "pn"
    assert fingerprint(str(moved / "mine")) == fingerprint(str(model))


@pytest.mark.usefixtures("gaining")
def test_a_copy_elsewhere_can_be_undone_to_the_first_model(
    runner: InProcessRunner, model: Path, few: Path, guard: Path, tmp_path: Path
) -> None:
    here, copy = tmp_path / "here", tmp_path / "elsewhere" / "copy"
    shutil.copytree(model, here / "mine")
    save(corrected(runner, here / "mine", few, guard, "pn"), runner.store, here / "mine")
    other = write(tmp_path / "other.jsonl", PAIRS[90:])
    save(corrected(runner, here / "mine", other, guard, "knn"), runner.store, copy)
    assert undo(str(copy)).method == "knn"
    assert undo(str(copy)).method == "pn"
    assert fingerprint(str(copy)) == fingerprint(str(model))


def test_a_history_with_absolute_paths_is_read_and_one_of_another_format_is_an_error(
    runner: InProcessRunner, model: Path, few: Path, guard: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    save(corrected(runner, model, few, guard, "knn"), runner.store, folder)
    plain = json.loads((folder / HISTORY).read_text())
    plain[0]["previous"]["where"] = str(model)
    (folder / HISTORY).write_text(json.dumps(plain))
    assert read_history(folder)[0].previous.where == str(model)
    for newer in ([{**plain[0], "format": 2, "news": 1}], {"format": 2}):
        (folder / HISTORY).write_text(json.dumps(newer))
        with pytest.raises(UserError, match="written by another version"):
            read_history(folder)
    (folder / HISTORY).write_text(json.dumps(plain))
    undo(str(folder))
    assert fingerprint(str(folder)) == fingerprint(str(model))


def test_undo_raises_if_the_previous_model_is_gone_or_has_changed(
    runner: InProcessRunner, model: Path, few: Path, guard: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    save(corrected(runner, model, few, guard, "knn"), runner.store, folder)
    plain = json.loads((folder / HISTORY).read_text())
    plain[0]["previous"]["fingerprint"] = "0" * 64
    (folder / HISTORY).write_text(json.dumps(plain))
    before = fingerprint(str(folder))
    with pytest.raises(UserError, match="its weights differ"):
        undo(str(folder))
    plain[0]["previous"]["where"] = str(tmp_path / "gone")
    (folder / HISTORY).write_text(json.dumps(plain))
    with pytest.raises(UserError, match="is gone"):
        undo(str(folder))
    assert fingerprint(str(folder)) == before
    (folder / HISTORY).write_text("{}")
    with pytest.raises(UserError, match="damaged"):
        undo(str(folder))


@pytest.mark.usefixtures("gaining")
@pytest.mark.parametrize("in_place", ["in folder", "beside"])
def test_an_interrupted_save_changes_nothing(
    in_place: str,
    runner: InProcessRunner,
    model: Path,
    few: Path,
    guard: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "mine"
    save(corrected(runner, model, few, guard, "knn"), runner.store, folder)
    result = corrected(runner, folder, write(tmp_path / "other.jsonl", PAIRS[85:]), guard, "pn")
    out = folder if in_place == "in folder" else tmp_path / "out"
    before = fingerprint(str(folder)), sorted(tmp_path.iterdir())

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(correction, "write_history", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(result, runner.store, out)
    assert (fingerprint(str(folder)), sorted(tmp_path.iterdir())) == before


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
    assert {trial.method for trial in result.trials} == set(methods())
    assert result.selected is not None
    with pytest.raises(UserError, match="'hypothesis' must be null"):
        read_corrections(write(tmp_path / "pairs.jsonl", [replace(examples[0], hypothesis="x")], SENTIMENT), SENTIMENT)

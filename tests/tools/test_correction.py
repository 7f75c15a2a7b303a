"""A correction is chosen by what it gains unseen and surely does not cost, and is kept so that it can be undone."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from transformers import AutoModelForSequenceClassification

from trivium.cli import correct as cli_correct
from trivium.data.example import Example, key_of
from trivium.data.labels import NLI2, NLI3, SENTIMENT, Labels
from trivium.data.sources import load_source
from trivium.data.split import Split
from trivium.engine.runner import StepRunner
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.measure.paired import Flips
from trivium.models.classifiers import SUPPORT, load_classifier, new_classifier, read_outputs
from trivium.report.correction import beginning, caveats, correction_document, correction_json, refusal, summary
from trivium.tools import correction
from trivium.tools.corrected import Support, load_corrected
from trivium.tools.correction import Correction, CorrectionSettings, Final, Task, Trial, correct, prepare
from trivium.tools.correction import save as save_correction
from trivium.tools.correction_data import (
    Corrections,
    Guard,
    choose_guard,
    folds_of,
    guard_size,
    numbers_of,
    read_corrections,
)
from trivium.tools.history import HISTORY, fingerprint, read_history, undo
from trivium.tools.methods import CORRECTING, Lesson, Predicted, Teacher, methods

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
    """Six pairs of each of two labels, nearly all of which the model gets wrong."""
    said = load_corrected(model).predict(PAIRS[:1])[0]
    others = [label for label in NLI3.names if label != said]
    chosen = [one for label in others for one in [e for e in PAIRS[60:] if e.label == label][:6]]
    return write(tmp_path_factory.mktemp("few") / "few.jsonl", chosen)


@pytest.fixture
def gaining(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every method is right about all corrections that it was not taught."""

    monkeypatch.setattr(Teacher, "try_out", always_correct)


def always_correct(
    self: Teacher, methods: Sequence[str], corrections: Sequence[Example], folds: object
) -> dict[str, Predicted | str]:
    return {method: numbers_of(corrections, NLI3) for method in methods}


STORE: list[Store] = []


@pytest.fixture(autouse=True, scope="module")
def _store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One store for all tests of this file: what one has computed, the others need not."""
    STORE.append(Store(tmp_path_factory.mktemp("store")).open())
    yield
    STORE.clear()


def corrected(model: Path, few: Path, guard: Path, method: str, allow: float = 100.0, seed: int = 0) -> Correction:
    settings = CorrectionSettings(method=method, allow=allow, seed=seed, train=FAST)
    return correct(prepare(str(model), few, guard, settings), StepRunner(STORE[0], "inline", progress=False))


def save(found: Correction, out: Path) -> None:
    save_correction(found, STORE[0], out)


def made_up(trials: dict[str, list[int]], finals: dict[str, tuple[list[int], list[int]]], allow: float) -> Correction:
    """A correction of six examples, all wrong before, and a guard of 1,000, all right, whose answers are given."""
    task = Task(
        model="m",
        labels=NLI3,
        corrections=Corrections(Path("few.jsonl"), tuple(replace(e, label="neutral") for e in PAIRS[:6])),
        guard=Guard("g", (), tuple(replace(PAIRS[9], id=str(place), label="entailment") for place in range(1000))),
        history=(),
        earlier=(),
        settings=CorrectionSettings(allow=allow),
    )
    nothing, right = np.zeros(0, dtype=np.intp), np.zeros(1000, dtype=np.intp)
    before = Final("before", np.zeros(6, dtype=np.intp), nothing, right)
    found = [Final(name, np.array(said), nothing, np.array(on_guard)) for name, (said, on_guard) in finals.items()]
    tried = tuple(Trial(name, np.array(said)) for name, said in trials.items())
    return Correction(task, before, 512, tried, tuple(found))


def test_methods_go_by_held_out_gain_and_ties_by_their_order() -> None:
    found = made_up(
        {"finetune": [0] * 6, "mas": [1, 1, 0, 0, 0, 0], "er-res": [1, 1, 1, 0, 0, 0], "pn": [1, 0] * 3}, {}, 1
    )
    assert [trial.method for trial in found.ranked] == ["er-res", "pn", "mas", "finetune"]
    assert [trial.method for trial in correction._candidates(found)] == ["er-res", "pn", "mas"]
    found = made_up({"scl": [0] * 6, "finetune": [0] * 6}, {}, 1)
    assert [trial.method for trial in correction._candidates(found)] == ["scl", "finetune"]


def test_a_method_that_loses_on_held_out_corrections_is_never_taught() -> None:
    found = made_up({"scl": [0] * 6, "finetune": [0] * 6, "kd": [0, 1, 0, 0, 0, 0]}, {}, 1)
    right_before = replace(found.before, corrections=np.array([1, 0, 0, 0, 0, 0]))
    found = replace(found, before=right_before)
    assert [trial.method for trial in correction._candidates(found)] == ["kd"]
    found = replace(found, trials=found.trials[:2])
    assert correction._candidates(found) == []
    assert "every method loses on held-out corrections (the best, scl, −16.7 points)" in refusal(found)
    assert "scl loses on held-out corrections (−16.7 points)" in refusal(replace(found, trials=found.trials[:1]))


def test_a_method_that_was_taken_without_a_gain_on_held_out_corrections_says_so_first() -> None:
    found = made_up({"kd": [0] * 6}, {"kd": ([1] * 6, [0] * 1000)}, 0.5)
    said = " ".join(summary(replace(found, taken=found.finals[0])))
    assert "No method gains on held-out corrections" in said
    assert "6 of all 6 corrections are correct after the final training" in said
    found = made_up({"pn": [1] * 6}, {"pn": ([1] * 6, [0] * 1000)}, 0.5)
    said = " ".join(summary(replace(found, taken=found.finals[0])))
    assert "No method gains" not in said
    assert "final training" not in said


def test_more_training_is_not_advised_where_nothing_trains() -> None:
    assert "--epochs" in refusal(made_up({"kd": [0] * 6}, {"kd": ([0] * 6, [0] * 1000)}, 0.5))
    said = refusal(made_up({"pn": [0] * 6}, {"pn": ([0] * 6, [0] * 1000)}, 0.5))
    assert "--epochs" not in said
    assert "--method auto" in said


@pytest.mark.usefixtures("gaining")
def test_a_method_that_fails_in_the_end_is_passed_over(
    model: Path, few: Path, guard: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach, failing = Teacher.teach, ["pn"]

    def diverging(self: Teacher, method: str, corrections: Sequence[Example]) -> tuple[Lesson, Predicted]:
        if method in failing:
            raise UserError("training diverged")
        return teach(self, method, corrections)

    monkeypatch.setattr(Teacher, "teach", diverging)
    monkeypatch.setattr(correction, "chosen_methods", lambda name: ("pn", "knn"))
    found = corrected(model, few, guard, "auto")
    assert found.taken is not None
    assert found.taken.method == "knn"
    assert [trial.failed for trial in found.trials] == ["training diverged", ""]
    assert "pn was not completed: training diverged" in caveats(found)
    assert correction_json(found)["trials"][0]["failed"] == "training diverged"
    failing.append("knn")
    with pytest.raises(UserError, match="no method learned the corrections to the end: pn: training diverged"):
        corrected(model, few, guard, "auto")


def test_texts_that_are_too_long_are_counted(model: Path, few: Path, guard: Path, tmp_path: Path) -> None:
    examples = list(Split.read(few).examples)
    assert corrected(model, few, guard, "pn").cut == 0
    longest = load_corrected(model).max_length
    assert longest <= 512
    examples[0] = replace(examples[0], premise=f"{examples[0].premise} and" * 600)
    found = corrected(model, write(tmp_path / "long.jsonl", examples), guard, "pn")
    assert f"1 of 72 texts are longer than {longest} tokens and are truncated." in caveats(found)


def test_what_is_left_out_of_a_guard_is_told(model: Path, few: Path, tmp_path: Path) -> None:
    other = "neutral" if PAIRS[0].label != "neutral" else "entailment"
    lines = [
        *PAIRS[:40],
        replace(PAIRS[0], id="x", label=other),
        replace(PAIRS[1], id="y"),
        Split.read(few).examples[0],
    ]
    found = corrected(model, few, write(tmp_path / "guard.jsonl", lines), "pn")
    assert beginning(found)[1].endswith("Left out: 1 also a correction, 1 with two labels, 1 repeated.")


@pytest.mark.usefixtures("gaining")
def test_earlier_corrections_that_were_lost_are_shown(
    model: Path, few: Path, guard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(corrected(model, few, guard, "knn"), tmp_path / "mine")
    found = corrected(tmp_path / "mine", write(tmp_path / "other.jsonl", PAIRS[90:]), guard, "pn")
    final = found.finals[0]
    wrong = replace(final, earlier=(found.gold.earlier + 1) % 3)
    found = replace(found, before=replace(found.before, earlier=found.gold.earlier), finals=(wrong,), taken=wrong)
    lost = correction_json(found)["lost_earlier"]
    assert [one["premise"] for one in lost] == [example.premise for example in found.task.known]
    assert all(one["said"] != one["label"] for one in lost)
    gallery = correction_document(found, "trivium correct").error_examples[-1]
    assert gallery.title == "Earlier corrections that were lost"
    assert gallery.groups[0].total == len(lost) > 0
    cli_correct._show(found)
    assert capsys.readouterr().out.count("lost of earlier corrections: ") == 5


def test_a_refusal_names_the_best_method_its_gain_its_bound_and_what_to_do() -> None:
    worse = [1] * 9 + [0] * 991
    tried = {"mas": [1, 1, 1, 0, 0, 0], "kd": [1, 0, 0, 0, 0, 0]}
    found = made_up(tried, {"mas": ([1] * 6, worse), "kd": ([1] * 6, [1, 1, *[0] * 998])}, 0.5)
    assert not any(found.within(final) for final in found.finals)
    said = refusal(found)
    bounds = [math.ceil(1e4 * Flips(lost, 0, 1000).upper()) / 100 for lost in (9, 2)]
    assert f"the best, mas, gains +50.0 points on held-out corrections, but may lose up to {bounds[0]}" in said
    assert "9 forgotten and 0 newly correct of 1000" in said
    assert f"the lowest bound is that of kd, {bounds[1]}" in said
    assert f"--guard ({guard_size(539)} examples are enough if nothing flips, and about 1,696 if as many flip" in said
    assert "\n" not in said
    found = made_up(tried, {"mas": ([0] * 6, [0] * 1000)}, 0.5)
    assert "no method gets more of the 6 corrections right" in refusal(found)


def test_a_thousand_without_a_flip_are_within_half_a_point() -> None:
    found = made_up({"mas": [1] * 6}, {"mas": ([1] * 6, [0] * 1000)}, 0.5)
    assert found.within(found.finals[0])
    assert found.gains(found.finals[0])


def test_folds_hold_each_correction_out_once_and_spread_the_labels() -> None:
    folds = folds_of(PAIRS[:15], 3, seed=1)
    assert sorted(place for fold in folds for place in fold) == list(range(15))
    for fold in folds:
        labels = [PAIRS[place].label for place in fold]
        assert {labels.count(name) for name in NLI3.names} <= {1, 2}
    assert sorted(map(len, folds_of(PAIRS[:5], 3, seed=0))) == [1, 2, 2]


def test_the_guard_is_divided_by_the_seed_and_corrections_are_taken_out_of_it(guard: Path, tmp_path: Path) -> None:
    whole = choose_guard(guard, NLI3, [], 0)
    assert (len(whole.remembered), len(whole.measured), whole.taken_out) == (20, 40, 0)
    loud = [replace(PAIRS[3], premise=f"  {PAIRS[3].premise.upper()} ", id="x")]
    less = choose_guard(guard, NLI3, loud, 0)
    assert less.taken_out == 1
    assert {*whole.measured} - {*less.measured} | {*whole.remembered} - {*less.remembered} == {
        one for one in (*whole.measured, *whole.remembered) if key_of(one) == key_of(PAIRS[3])
    }
    assert choose_guard(guard, NLI3, [], 1) != whole
    assert {one.label for one in choose_guard(guard, NLI2, [], 0).measured} == set(NLI2.names)
    with pytest.raises(UserError, match="a guard has at least 30"):
        choose_guard(write(tmp_path / "small.jsonl", PAIRS[:9]), NLI3, [], 0)


def test_a_guard_is_left_without_examples_that_have_two_labels(tmp_path: Path) -> None:
    other = {"entailment": "neutral", "neutral": "contradiction", "contradiction": "entailment"}
    clashing = [replace(one, id=f"x{place}", label=other[str(one.label)]) for place, one in enumerate(PAIRS[:2])]
    lines = [*PAIRS[:40], *clashing, replace(PAIRS[3], id="y", premise=PAIRS[3].premise.upper())]
    found = choose_guard(write(tmp_path / "guard.jsonl", lines), NLI3, [], 0)
    assert (found.contradicting, found.repeated) == (2, 1)
    kept = {key_of(example) for example in (*found.remembered, *found.measured)}
    assert kept == {key_of(example) for example in PAIRS[2:40]}
    with pytest.raises(UserError, match=r"29 different examples \(2 with two labels are left out\)"):
        choose_guard(write(tmp_path / "small.jsonl", [*PAIRS[:31], *clashing]), NLI3, [], 0)


def test_without_public_data_the_guard_is_the_grammar(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TRIVIUM_DATA", raising=False)
    monkeypatch.setenv("TRIVIUM_CACHE", str(tmp_path))
    found = choose_guard(None, NLI3, [], 0)
    assert found.name == "the built-in grammar"
    assert (len(found.remembered), len(found.measured)) == (200, 800)
    with pytest.raises(UserError, match="--guard"):
        choose_guard(None, SENTIMENT, [], 0)


def test_a_trained_correction_is_an_ordinary_folder_that_says_what_was_measured(
    model: Path, few: Path, guard: Path, tmp_path: Path
) -> None:
    found = corrected(model, few, guard, "er-res")
    assert found.taken is not None
    for name in ("one", "two"):
        save(corrected(model, few, guard, "er-res"), tmp_path / name)
    assert fingerprint(str(tmp_path / "one")) == fingerprint(str(tmp_path / "two"))
    assert (tmp_path / "one" / HISTORY).read_bytes() == (tmp_path / "two" / HISTORY).read_bytes()
    AutoModelForSequenceClassification.from_pretrained(tmp_path / "one")
    again = load_corrected(tmp_path / "one").answers(found.task.guard.measured)
    assert (again.said == found.taken.guard).all()
    (record,) = read_history(tmp_path / "one")
    assert record.method == "er-res"
    assert record.taught() == list(found.task.corrections.examples)
    assert record.previous.fingerprint == fingerprint(str(model))


@pytest.mark.parametrize("method", ["pn", "knn"])
def test_a_correction_by_vectors_is_a_copy_that_answers_by_them(
    method: str, model: Path, few: Path, guard: Path, tmp_path: Path
) -> None:
    found = corrected(model, few, guard, method)
    assert found.taken is not None
    save(found, tmp_path / "out")
    assert (tmp_path / "out" / "model.safetensors").read_bytes() == (model / "model.safetensors").read_bytes()
    loaded = load_corrected(tmp_path / "out")
    assert loaded.predict(found.task.guard.measured) == [NLI3.names[place] for place in found.taken.guard]
    with pytest.raises(UserError, match=SUPPORT):
        load_classifier(str(tmp_path / "out"))
    (tmp_path / "out" / SUPPORT).write_bytes(b"nothing")
    with pytest.raises(UserError, match="damaged"):
        load_corrected(tmp_path / "out")


def test_few_corrections_weigh_as_much_as_many_examples_among_prototypes() -> None:
    many = (np.array([[0.0, 0.0]] * 50 + [[4.0, 0.0]] * 50, dtype=np.float32), np.array([0] * 50 + [1] * 50))
    few = (np.array([[9.0, 0.0]], dtype=np.float32), np.array([0]))
    asked = np.array([[8.0, 0.0], [1.0, 0.0], [4.5, 0.0]], dtype=np.float32)
    assert Support.of("pn", [many, few]).said(asked, 3).tolist() == [0, 0, 1]
    assert Support.of("knn", [many, few]).said(asked, 3).tolist() == [1, 0, 1]


def test_the_second_correction_remembers_the_first_and_undo_goes_back_step_by_step(
    model: Path, few: Path, guard: Path, tmp_path: Path
) -> None:
    place = tmp_path / "mine"
    start = corrected(model, few, guard, "pn")
    save(start, place)
    first = fingerprint(str(place))
    other = write(tmp_path / "other.jsonl", [*PAIRS[90:], replace(Split.read(few).examples[0], label="neutral")])
    found = corrected(place, other, guard, "finetune")
    assert len(found.task.known) == len(start.task.corrections.examples) - 1
    assert start.taken is not None
    assert (found.before.guard == start.taken.guard).all()
    save(found, place)
    assert [record.method for record in read_history(place)] == ["pn", "finetune"]
    assert not (place / SUPPORT).exists()
    assert fingerprint(str(tmp_path / "mine.before-1")) == first
    assert undo(str(place)).method == "finetune"
    assert fingerprint(str(place)) == first
    assert not (tmp_path / "mine.before-1").exists()
    assert undo(str(place)).method == "pn"
    assert fingerprint(str(place)) == fingerprint(str(model))
    with pytest.raises(UserError, match="nothing to undo"):
        undo(str(place))


@pytest.mark.usefixtures("gaining")
def test_models_that_are_moved_together_can_be_undone(model: Path, few: Path, guard: Path, tmp_path: Path) -> None:
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    shutil.copytree(model, here / "mine")
    other = write(tmp_path / "other.jsonl", PAIRS[90:])
    save(corrected(here / "mine", few, guard, "pn"), here / "mine")
    save(corrected(here / "mine", other, guard, "knn"), elsewhere / "copy")
    assert [Path(record.previous.where).parent for record in read_history(elsewhere / "copy")] == [here, here]
    here.rename(tmp_path / "there")
    assert undo(str(tmp_path / "there" / "mine")).method == "pn"
    assert fingerprint(str(tmp_path / "there" / "mine")) == fingerprint(str(model))


@pytest.mark.usefixtures("gaining")
def test_a_copy_elsewhere_is_undone_to_the_first_model(model: Path, few: Path, guard: Path, tmp_path: Path) -> None:
    here, copy = tmp_path / "here", tmp_path / "elsewhere" / "copy"
    shutil.copytree(model, here / "mine")
    save(corrected(here / "mine", few, guard, "pn"), here / "mine")
    other = write(tmp_path / "other.jsonl", PAIRS[90:])
    save(corrected(here / "mine", other, guard, "knn"), copy)
    assert undo(str(copy)).method == "knn"
    assert undo(str(copy)).method == "pn"
    assert fingerprint(str(copy)) == fingerprint(str(model))


def test_a_history_with_whole_paths_or_of_another_format_is_told_apart(
    model: Path, few: Path, guard: Path, tmp_path: Path
) -> None:
    place = tmp_path / "mine"
    save(corrected(model, few, guard, "knn"), place)
    plain = json.loads((place / HISTORY).read_text())
    plain[0]["previous"]["where"] = str(model)
    (place / HISTORY).write_text(json.dumps(plain))
    assert read_history(place)[0].previous.where == str(model)
    for newer in ([{**plain[0], "format": 2, "news": 1}], {"format": 2}):
        (place / HISTORY).write_text(json.dumps(newer))
        with pytest.raises(UserError, match="written by another version"):
            read_history(place)
    (place / HISTORY).write_text(json.dumps(plain))
    undo(str(place))
    assert fingerprint(str(place)) == fingerprint(str(model))


def test_undo_refuses_a_model_that_is_gone_or_another(model: Path, few: Path, guard: Path, tmp_path: Path) -> None:
    place = tmp_path / "mine"
    save(corrected(model, few, guard, "knn"), place)
    plain = json.loads((place / HISTORY).read_text())
    plain[0]["previous"]["fingerprint"] = "0" * 64
    (place / HISTORY).write_text(json.dumps(plain))
    before = fingerprint(str(place))
    with pytest.raises(UserError, match="its weights differ"):
        undo(str(place))
    plain[0]["previous"]["where"] = str(tmp_path / "gone")
    (place / HISTORY).write_text(json.dumps(plain))
    with pytest.raises(UserError, match="is gone"):
        undo(str(place))
    assert fingerprint(str(place)) == before
    (place / HISTORY).write_text("{}")
    with pytest.raises(UserError, match="damaged"):
        undo(str(place))


@pytest.mark.usefixtures("gaining")
@pytest.mark.parametrize("in_place", ["in place", "beside"])
def test_what_stops_the_writing_leaves_everything_as_it_was(
    in_place: str, model: Path, few: Path, guard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "mine"
    save(corrected(model, few, guard, "knn"), place)
    found = corrected(place, write(tmp_path / "other.jsonl", PAIRS[85:]), guard, "pn")
    out = place if in_place == "in place" else tmp_path / "out"
    before = fingerprint(str(place)), sorted(tmp_path.iterdir())

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(correction, "write_history", stopped)
    with pytest.raises(KeyboardInterrupt):
        save(found, out)
    assert (fingerprint(str(place)), sorted(tmp_path.iterdir())) == before


def test_a_sentiment_model_reads_one_text(tmp_path: Path) -> None:
    words = {
        "negative": ["dull", "awful", "a bore", "flat", "bad"],
        "positive": ["lovely", "superb", "a joy", "deep", "fine"],
    }
    every = [
        Example(f"{label}-{thing}-{word}", f"This {thing} was {word}.", None, label, task="sentiment")
        for thing in ("film", "story", "cast", "score", "plot")
        for label in words
        for word in words[label]
    ]
    assert read_outputs({0: "POSITIVE", 1: "NEGATIVE"}, "m") == (SENTIMENT, [1, 0])
    new_classifier("tiny", 0, SENTIMENT).save(tmp_path / "model")
    few = write(tmp_path / "few.jsonl", every[40:], SENTIMENT)
    found = corrected(tmp_path / "model", few, write(tmp_path / "guard.jsonl", every[:40], SENTIMENT), "auto")
    assert {trial.method for trial in found.trials} == set(methods())
    assert found.taken is not None
    with pytest.raises(UserError, match="'hypothesis' must be null"):
        read_corrections(write(tmp_path / "pairs.jsonl", [replace(every[0], hypothesis="x")], SENTIMENT), SENTIMENT)

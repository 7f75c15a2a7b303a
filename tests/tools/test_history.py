"""Corrections are remembered by later ones, and undone step by step."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.tools.correcting import PAIRS, corrected, write
from tests.tools.in_process import InProcessRunner

from trivium.cli import correct as cli_correct
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.measure.baselines import baselines
from trivium.models.classifiers import SUPPORT
from trivium.report.correction import correction_document, correction_json
from trivium.tools import correction
from trivium.tools.correction import save
from trivium.tools.history import HISTORY, fingerprint, read_history, undo


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
    document = correction_document(result, "trivium correct")
    accuracies = document.tables[0]
    assert accuracies.columns[-1] == "best baseline"
    guard = accuracies.rows[-1].cells[-1].measured
    assert guard is not None
    assert guard.value == pytest.approx(100 * baselines(result.task.guard.measured).best())
    error_examples = document.error_examples[-1]
    assert error_examples.title == "Earlier corrections that were lost"
    assert error_examples.groups[0].total == len(lost) > 0
    cli_correct._show(result)
    assert capsys.readouterr().out.count("lost earlier correction: ") == 5


@pytest.mark.usefixtures("gaining")
def test_the_second_correction_remembers_the_first_and_undo_goes_back_step_by_step(
    runner: InProcessRunner, model: Path, few: Path, guard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So few epochs forget what the memory of the first correction held.
    monkeypatch.setattr(correction.Correction, "keeps_earlier", lambda *_: True)
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
    assert undo(str(folder)).record.method == "finetune"
    assert fingerprint(str(folder)) == first_fingerprint
    assert not (tmp_path / "mine.before-1").exists()
    assert undo(str(folder)).record.method == "pn"
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
    assert undo(str(moved / "mine")).record.method == "pn"
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
    assert undo(str(copy)).record.method == "knn"
    assert undo(str(copy)).record.method == "pn"
    assert fingerprint(str(copy)) == fingerprint(str(model))


@pytest.mark.usefixtures("gaining")
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


@pytest.mark.usefixtures("gaining")
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


@pytest.mark.parametrize(
    "content",
    ["[" * 100_000, '[{"figures": ' + '{"a": ' * 5000, "9" * 5000, '"\\ud800"', "[1]", '[{"examples": [{"id": 1}]}]'],
)
def test_a_history_that_cannot_be_parsed_is_an_error_in_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / HISTORY).write_text(content)
    with pytest.raises(UserError) as raised:
        read_history(tmp_path)
    assert "is damaged" in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1

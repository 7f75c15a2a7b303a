"""``train`` and ``correct`` may be killed at any moment; started again they continue, with the same bytes."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from trivium.data.labels import NLI3
from trivium.data.sources import load_source
from trivium.data.split import Split
from trivium.learn.learner import Learner
from trivium.models.classifiers import new_classifier

Trivium = Callable[..., "subprocess.CompletedProcess[str]"]
PAIRS = [replace(example, facts=(), task="nli") for example in load_source("builtin").examples[:120]]


def kill_after(
    program: Sequence[str], environment: dict[str, str], arguments: Sequence[object], store: Path, steps: int
) -> None:
    """Start a command, and kill it and its workers with SIGKILL when this many steps are stored."""
    command = [*program, *map(str, arguments), "--store", str(store)]
    running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(6000):
        if running.poll() is not None or len(list((store / "costs").glob("*.json"))) >= steps:
            break
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.wait(30)


def test_train_continues_after_sigkill_with_identical_bytes(
    program: list[str], environment: dict[str, str], trivium: Trivium, tmp_path: Path
) -> None:
    options = ["--data", "builtin", "--model", "tiny", "--limit", 300, "--threads", 1, "--learning-rate", "1e-3"]
    whole = trivium("train", "nli", *options, "--out", tmp_path / "whole", "--store", tmp_path / "whole-store")
    assert whole.returncode == 0, whole.stderr
    for steps in (0, 1):
        arguments = ["train", "nli", *options, "--out", tmp_path / "killed"]
        kill_after(program, environment, arguments, tmp_path / "store", steps)
    done = trivium("train", "nli", *options, "--out", tmp_path / "killed", "--store", tmp_path / "store")
    assert done.returncode == 0, done.stderr
    assert "1 done, 1 to do" in done.stdout or "2 done, 0 to do" in done.stdout
    files = [tmp_path / name / "model.safetensors" for name in ("whole", "killed")]
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.fixture(scope="module")
def mistakes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a classifier, a guard, and corrections as CSV."""
    folder = tmp_path_factory.mktemp("mistakes")
    new_classifier("tiny", 0).save(folder / "nli")
    Split("guard", tuple(PAIRS[:60])).write(folder / "guard.jsonl")
    # Corrections of one label that the model never predicts: any method learns it, so that a model is written.
    predicted = set(Learner.from_pretrained(folder / "nli").predict(PAIRS))
    label = next(name for name in NLI3.names if name not in predicted)
    wrong = [e for e in PAIRS[60:] if e.label == label and "," not in f"{e.premise}{e.hypothesis}"]
    lines = [f"{e.premise},{e.hypothesis},{e.label}" for e in wrong]
    (folder / "corrections.csv").write_text("\n".join(["premise,hypothesis,label", *lines]) + "\n", encoding="utf-8")
    return folder


def test_correct_continues_after_sigkill_and_another_bound_costs_no_training(
    program: list[str], environment: dict[str, str], trivium: Trivium, mistakes: Path, tmp_path: Path
) -> None:
    command = [
        "correct", mistakes / "nli", "--examples", mistakes / "corrections.csv", "--guard", mistakes / "guard.jsonl",
        "--method", "kd", "--learning-rate", "1e-3", "--epochs", 4,
    ]  # fmt: skip
    loose = ["--allow", 100]

    def correct(store: str, *options: object) -> subprocess.CompletedProcess[str]:
        return trivium(*command, *options, "--store", tmp_path / store)

    whole = correct("whole", *loose, "--out", tmp_path / "a", "--json", tmp_path / "a.json")
    for steps in (1, 4):
        kill_after(program, environment, [*command, *loose, "--out", tmp_path / "b"], tmp_path / "store", steps)
    again = correct("store", *loose, "--out", tmp_path / "b", "--json", tmp_path / "b.json")
    assert whole.returncode == again.returncode == 0, again.stderr
    figures = [json.loads((tmp_path / f"{name}.json").read_text()) for name in ("a", "b")]
    for each in figures:
        assert each.pop("verdict").startswith("Accepted")  # it names the folder
    assert figures[0] == figures[1]
    files = [folder / "model.safetensors" for folder in (mistakes / "nli", tmp_path / "a", tmp_path / "b")]
    assert files[1].read_bytes() == files[2].read_bytes() != files[0].read_bytes()
    strict = correct("store", "--allow", 0, "--out", tmp_path / "c")
    assert re.findall(r"(\d+) to do", strict.stdout)
    assert {int(number) for number in re.findall(r"(\d+) to do", strict.stdout)} == {0}

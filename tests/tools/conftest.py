"""A small model to correct."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.tools.correcting import PAIRS, write
from tests.tools.in_process import InProcessRunner

from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.models.classifiers import new_classifier
from trivium.tools.corrected import Predicted, load_corrected
from trivium.tools.correction_data import label_indices
from trivium.tools.methods import Teacher


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
        return {method: label_indices(corrections, teacher.labels) for method in methods}

    monkeypatch.setattr(Teacher, "try_out", try_out)

"""A small correction: pairs, settings that train fast, and functions to write files and correct a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.tools.in_process import InProcessRunner

from trivium.data.example import Example
from trivium.data.labels import NLI3, Labels
from trivium.data.sources import load_source
from trivium.data.split import Split
from trivium.data.tables import Data
from trivium.tools.correction import Correction, correct
from trivium.tools.correction_task import CorrectionSettings, LessonOptions, prepare
from trivium.tools.methods import CORRECTING

FAST = CORRECTING.model_copy(update={"learning_rate": 1e-3, "epochs": 3, "threads": 1})
PAIRS = [replace(example, facts=()) for example in load_source("builtin").examples[:100]]


def write(file: Path, examples: Sequence[Example], labels: Labels = NLI3) -> Path:
    """Write a split file."""
    Split("some", tuple(examples), labels).write(file)
    return file


def corrected(
    runner: InProcessRunner,
    model: Path,
    few: Data,
    guard: Data,
    method: str,
    allow: float = 100.0,
    seed: int = 0,
    phenomenon_pairs: int = 0,
    options: LessonOptions = LessonOptions(),  # noqa: B008
) -> Correction:
    """Correct a model, by default without measuring phenomena. All methods are allowed."""
    settings = CorrectionSettings(
        method=method,
        allow=allow,
        seed=seed,
        train=FAST,
        lesson=FAST,
        runtime="trivium",
        phenomenon_pairs=phenomenon_pairs,
    )
    return correct(prepare(str(model), few, guard, settings, options=options), runner)

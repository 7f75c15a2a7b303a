"""Made-up predictions of C²Gen: correct where a test wants them to be."""

from __future__ import annotations

import numpy as np
from safetensors.numpy import save_file

from trivium.benchmarks.c2gen.design import HEADS, C2GenDesign, PredictionKey
from trivium.engine.store import Store


def gold_labels(design: C2GenDesign, key: PredictionKey) -> dict[str, list[int]]:
    """Return the index of the gold label of each row, by head."""
    split = getattr(design.folds[key.fold], key.test)
    return {
        head: [split.labels.index(row.label) for e in split for row in e.rows() if row.task == head] for head in HEADS
    }


def logits_for(gold: list[int], correct: np.ndarray) -> np.ndarray:
    """Return logits that are right where ``correct`` says so."""
    predicted = [label if is_correct else (label + 1) % 3 for label, is_correct in zip(gold, correct, strict=True)]
    return np.eye(3, dtype=np.float32)[predicted]


def save_logits(store: Store, key: str, logits: dict[str, np.ndarray]) -> None:
    """Store a prediction."""
    with store.writing(key, {}) as folder:
        save_file(logits, folder / "logits.safetensors")

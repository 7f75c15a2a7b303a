"""What a model's outputs say in the labels of a task, where the two are of different schemes.

A three-way model on a two-way task: *not entailed* has the probability of *neutral* and *contradiction* together, so
that a pair counts as entailed if the model gives entailment more than half. A two-way model on a three-way task is
asked in two ways: neutral and contradiction are both *not entailed*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trivium.data.example import Example
from trivium.data.labels import Labels


class Asked(NamedTuple):
    """Logits and gold labels in one scheme."""

    logits: NDArray[np.float64]
    gold: NDArray[np.intp]
    labels: Labels

    @property
    def said(self) -> NDArray[np.intp]:
        """The label that each example is given."""
        return np.asarray(self.logits.argmax(axis=1))


def asked_in(examples: Sequence[Example], logits: NDArray[np.float32], model: Labels, task: Labels) -> Asked:
    """The logits of a model and the labels of a task in the scheme of the two that has fewer labels."""
    if len(logits) != len(examples):
        raise ValueError(f"{len(logits)} predictions for {len(examples)} examples")
    labels = task if len(task) < len(model) else model
    groups = [[place for place in range(len(model)) if _is(model.names[place], name, labels)] for name in labels.names]
    wide = logits.astype(np.float64)
    found = np.stack([np.logaddexp.reduce(wide[:, group], axis=1) for group in groups], axis=1)
    gold = [labels.places(str(example.label))[0] for example in examples]
    return Asked(found, np.array(gold, dtype=np.intp), labels)


def _is(fine: str, coarse: str, labels: Labels) -> bool:
    return labels.names[labels.places(fine)[0]] == coarse

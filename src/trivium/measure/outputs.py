"""Alignment of a model's outputs with the labels of a task that uses a different label scheme.

For a three-way model on a two-way task, the probability of *not entailed* is the sum of those of *neutral* and
*contradiction*, so that a pair is predicted as entailed if the probability of entailment is above one half. With the
decision ``argmax`` it is predicted as entailed if entailment is the most likely of the three. For a two-way model on a
three-way task, the gold labels *neutral* and *contradiction* both become *not entailed*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trivium.data.example import Example
from trivium.data.labels import Labels

Decision = Literal["half", "argmax"]
"""How a three-way model answers a two-way task: by the probability of entailment, or by its most likely label."""


class AlignedOutputs(NamedTuple):
    """Logits and gold labels in one label scheme."""

    logits: NDArray[np.float64]
    gold: NDArray[np.intp]
    labels: Labels

    @property
    def predicted(self) -> NDArray[np.intp]:
        """The predicted label of each example."""
        return np.asarray(self.logits.argmax(axis=1))


def align_outputs(
    examples: Sequence[Example],
    logits: NDArray[np.float32],
    model: Labels,
    task: Labels,
    decision: Decision = "half",
) -> AlignedOutputs:
    """Convert logits and gold labels to the scheme of the model or of the task, whichever has fewer labels."""
    if len(logits) != len(examples):
        raise ValueError(f"{len(logits)} predictions for {len(examples)} examples")
    labels = task if len(task) < len(model) else model
    groups = [
        [index for index, fine in enumerate(model.names) if _maps_to(fine, coarse, labels)] for coarse in labels.names
    ]
    logits64 = logits.astype(np.float64)
    merge = np.logaddexp.reduce if decision == "half" else np.max
    merged = np.stack([merge(logits64[:, group], axis=1) for group in groups], axis=1)
    gold = [labels.indices(str(example.label))[0] for example in examples]
    return AlignedOutputs(merged, np.array(gold, dtype=np.intp), labels)


def _maps_to(fine: str, coarse: str, labels: Labels) -> bool:
    return labels.names[labels.indices(fine)[0]] == coarse

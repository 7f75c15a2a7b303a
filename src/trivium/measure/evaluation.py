"""The accuracy of a model on labelled examples, overall and by label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from trivium.data.labels import NLI2, NLI3, SENTIMENT, Labels
from trivium.errors import UserError
from trivium.measure.outputs import AlignedOutputs


class LabelAccuracy(NamedTuple):
    """The number of examples with a gold label, and the fraction of them predicted correctly (the label's recall)."""

    examples: int
    accuracy: float


@dataclass(frozen=True)
class Evaluation:
    """The accuracy of a model on labelled examples, as fractions.

    ``majority`` is the accuracy of always predicting the most frequent label. ``by_label`` leaves out labels that no
    example has.
    """

    examples: int
    accuracy: float
    majority: float
    by_label: Mapping[str, LabelAccuracy]


def evaluate(outputs: AlignedOutputs) -> Evaluation:
    """Return the accuracy of outputs, which must not be empty."""
    hits = outputs.logits.argmax(axis=1) == outputs.gold
    counts = np.bincount(outputs.gold, minlength=len(outputs.labels))
    by_label = {
        name: LabelAccuracy(int(counts[index]), float(hits[outputs.gold == index].mean()))
        for index, name in enumerate(outputs.labels.names)
        if counts[index]
    }
    return Evaluation(len(hits), float(hits.mean()), float(counts.max() / len(hits)), by_label)


def scheme_of(labels: Iterable[str], model: Labels) -> Labels:
    """Return the first scheme that contains all labels: the model's own, three-way, two-way or sentiment."""
    names = set(labels)
    for scheme in (model, NLI3, NLI2, SENTIMENT):
        if names <= set(scheme.names):
            return scheme
    raise UserError(
        f"no label scheme contains all of {', '.join(sorted(names))}: evaluate the examples of each scheme separately"
    )

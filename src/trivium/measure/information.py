"""Usable information: how much a model can learn about a label from its input, in bits (Ethayarajh et al., 2022)."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from trivium.measure.metrics import Bools, Floats

Threshold = Literal["median", "middle", "authors"]


def pointwise_information(informed: NDArray[np.floating], null: NDArray[np.floating], gold: NDArray[np.intp]) -> Floats:
    """Return PVI(x → y) = −log₂ g[∅](y) + log₂ g′[x](y) of each example (CURRICULUM, section 3.5).

    ``informed`` holds the logits of g′, which was trained on inputs and labels and reads the input. ``null`` holds
    those of g, which was trained on the same labels with empty inputs and reads an empty input. A higher value means an
    easier example; below zero, the input misleads the model. The mean over examples that neither model was trained on
    is the V-information, I_V(X → Y).
    """
    return _log2_probability(informed, gold) - _log2_probability(null, gold)


def select_simple(bits: Floats, gold: NDArray[np.intp], at: Threshold = "median") -> Bools:
    """Return for each example whether its information is above the median, or the middle of the range, of its label.

    ``median`` divides each label in half, regardless of outliers. Ties at the median are resolved in order of
    occurrence, so that exactly half (rounded up) is selected. ``middle`` is (min + max) / 2. ``authors`` is min +
    (|max| + |min|) / 2, as in the code of the paper's authors: the same if the values of a label have both signs.
    """
    selected = np.zeros(len(bits), dtype=np.bool_)
    for label in np.unique(gold):
        indices = np.flatnonzero(gold == label)
        label_bits = bits[indices]
        lowest, highest = label_bits.min(), label_bits.max()
        if at == "middle":
            selected[indices] = label_bits > (lowest + highest) / 2
        elif at == "authors":
            selected[indices] = label_bits > lowest + (abs(highest) + abs(lowest)) / 2
        else:
            selected[indices[np.argsort(-label_bits, kind="stable")[: (len(label_bits) + 1) // 2]]] = True
    return selected


def _log2_probability(logits: NDArray[np.floating], gold: NDArray[np.intp]) -> Floats:
    logits64 = logits.astype(np.float64)
    gold_logits = logits64[np.arange(len(gold)), gold]
    return np.asarray((gold_logits - np.logaddexp.reduce(logits64, axis=1)) / np.log(2))

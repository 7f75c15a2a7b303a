"""Usable information: how much a model can learn about a label from its input (Ethayarajh et al., 2022), in bits."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from trivium.measure.metrics import Bools, Floats

At = Literal["median", "middle"]


def pointwise_information(informed: NDArray[np.floating], null: NDArray[np.floating], gold: NDArray[np.intp]) -> Floats:
    """PVI(x → y) = −log₂ g[∅](y) + log₂ g′[x](y) of each example (CURRICULUM, section 3.5).

    ``informed`` are the logits of g′, which was trained on inputs and labels and reads the input; ``null`` those of g,
    which was trained on the same labels with empty inputs and reads nothing. The higher, the easier; below zero, the
    input misleads. Their mean over examples that neither was trained on is V-information, I_V(X → Y).
    """
    return _log2_probability(informed, gold) - _log2_probability(null, gold)


def simple(bits: Floats, gold: NDArray[np.intp], at: At = "median") -> Bools:
    """Which examples are the simple ones of their label: above the median, or above the middle of the range.

    The median halves each label, which outliers cannot prevent; ``middle``, (min + max) / 2, is what the paper's
    authors took. Of examples with the same bits as the median, the first ones are simple until there is a half.
    """
    found = np.zeros(len(bits), dtype=np.bool_)
    for label in np.unique(gold):
        places = np.flatnonzero(gold == label)
        own = bits[places]
        if at == "middle":
            found[places] = own > (own.min() + own.max()) / 2
        else:
            found[places[np.argsort(-own, kind="stable")[: (len(own) + 1) // 2]]] = True
    return found


def _log2_probability(logits: NDArray[np.floating], gold: NDArray[np.intp]) -> Floats:
    wide = logits.astype(np.float64)
    own = wide[np.arange(len(gold)), gold]
    return np.asarray((own - np.logaddexp.reduce(wide, axis=1)) / np.log(2))

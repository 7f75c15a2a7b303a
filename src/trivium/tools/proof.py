"""What a correction must prove: a gain on held-out corrections, and no loss elsewhere.

Elsewhere are the guard, the phenomena of ``trivium diagnose`` that can be generated without downloads, and what the
model was taught by earlier corrections.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from trivium.build.phenomena import generate_parts, load_makers
from trivium.data.example import Example, key_of
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.data.phenomena import PHENOMENA
from trivium.measure.metrics import Bools
from trivium.measure.outputs import align_outputs
from trivium.measure.statistics.flips import Flips
from trivium.measure.statistics.intervals import bounds
from trivium.measure.statistics.multiple import holm
from trivium.tools.correction_data import adapted

if TYPE_CHECKING:
    from trivium.build.lessons import Kind

_ALPHA = 0.05
_SEED, _ANCHOR_SEED = 1, 2  # other ones than that of diagnose, whose pairs people look at
_ANCHORS, _DRAWN = 20, 60  # pairs of each phenomenon, and those from which they are: some grammars have few pairs
_MAX_CORRECTIONS = 1000
PAIRS = 200
"""The number of pairs of each phenomenon."""
Phenomena = Mapping[str, tuple[Example, ...]]


@dataclass(frozen=True)
class Change:
    """The change of accuracy on a set of pairs, and the probability of such a loss by chance, Holm-corrected."""

    name: str
    flips: Flips
    p: float = 1.0

    @property
    def title(self) -> str:
        """The name of the set; a phenomenon by its title."""
        return PHENOMENA[self.name].title if self.name in PHENOMENA else self.name

    @property
    def is_loss(self) -> bool:
        """Whether a loss is shown, corrected for the number of sets."""
        return self.p < _ALPHA

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        return {"name": self.name, "gain": bounds(self.flips.gain()), "p_loss": self.p, "lost": self.is_loss}


@cache
def phenomenon_pairs(labels: Labels, number: int = PAIRS) -> Phenomena:
    """Return pairs of each phenomenon that can be generated; none if the model is not one of NLI."""
    if labels not in (NLI3, NLI2):
        return {}
    parts = {name: generate_parts(name, 0, number, _SEED)[1] for name in load_makers()}
    return {name: tuple(map(adapted, split.examples)) for name, split in parts.items()}


def anchors(labels: Labels, kind: Kind | None) -> tuple[Example, ...]:
    """Return pairs of the phenomena, without labels, on which a lesson is to leave a model as it is.

    They are other pairs than those that measure a loss. The phenomenon that the lesson is about is left out.
    """
    if labels not in (NLI3, NLI2):
        return ()
    names = [name for name in load_makers() if kind is None or name != kind.phenomenon]
    measured = {key_of(pair) for name in names for pair in phenomenon_pairs(labels)[name]}
    pairs = [pair for name in names for pair in generate_parts(name, _DRAWN, 0, _ANCHOR_SEED)[0].examples[:_ANCHORS]]
    return tuple(replace(adapted(pair), label=None) for pair in pairs if key_of(pair) not in measured)


def phenomenon_correct(name: str, examples: Sequence[Example], logits: NDArray[np.float32], labels: Labels) -> Bools:
    """Return whether a model is correct on each pair of a phenomenon, which may have other labels than the model."""
    outputs = align_outputs(examples, logits, labels, PHENOMENA[name].labels)
    return np.asarray(outputs.predicted == outputs.gold)


def changes(sides: Mapping[str, tuple[Bools, Bools]], together: str = "") -> tuple[Change, ...]:
    """Return the change on each set, given which predictions are correct before and after.

    ``together`` is the name of a further set with the pairs of all others. The p-values are those of McNemar's exact
    one-sided test, corrected by Holm's method.
    """
    counted = {name: Flips.of(*pair) for name, pair in sides.items()}
    if together and sides:
        counted[together] = Flips.of(*(np.concatenate(side) for side in zip(*sides.values(), strict=True)))
    found = [Change(name, flips, _p_of_loss(flips)) for name, flips in counted.items()]
    corrected = holm([change.p for change in found])
    return tuple(replace(change, p=p) for change, p in zip(found, corrected, strict=True))


def _p_of_loss(flips: Flips) -> float:
    lost, total = int(flips.lost), int(flips.lost + flips.won)
    return float(binomtest(lost, total, alternative="greater").pvalue) if total else 1.0


def is_shown(flips: Flips) -> bool:
    """Return whether the interval of a gain is above zero."""
    return flips.gain().low > 0


def beats_guessing(correct: int, number: int, labels: int) -> bool:
    """Return whether more held-out corrections are correct than one would guess, by an exact one-sided test at 2.5 %.

    Corrections are mistakes of a model: whatever changes its answers at random gets some of them right, and none wrong.
    """
    return float(binomtest(correct, number, 1 / labels, alternative="greater").pvalue) < _ALPHA / 2


def more_corrections(flips: Flips, correct: int, labels: int) -> int | None:
    """Return how many more corrections would show the gain at its present rate; None if no number would.

    ``correct`` is how many of the present ones are correct after the correction.
    """
    if flips.value >= 0:
        return None
    number = int(flips.number)
    for total in range(number, _MAX_CORRECTIONS):
        scale = total / number
        if is_shown(Flips(flips.lost * scale, flips.won * scale, total)) and beats_guessing(
            math.floor(correct * scale + 1e-9), total, labels
        ):
            return total - number
    return None


def smallest_allow(upper: float) -> float:
    """Return the smallest allowed loss, in points with one decimal, that an upper limit of a loss is within."""
    return math.ceil(max(0.0, upper) * 1000 - 1e-9) / 10

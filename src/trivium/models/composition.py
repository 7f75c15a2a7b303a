"""The trained part of a composer, as a module of the network, and the arithmetic of composition."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from trivium.data.labels import Labels
from trivium.errors import UserError
from trivium.models.composer import Composer, find_composers

FILE: Final = "trivium-composer.json"
"""The file in a model folder with what a composer learned. Transformers itself ignores it."""
# The learned values have a gradient of this size only. Adam divides gradients by their size plus 1e-8, so that a step
# of the composer is large where the gradient is, and not where next to nothing leaks from other veridical classes.
_SCALE = 1e-7


class Composition(nn.Module):
    """A composer with its learned values. ``learning_rate`` is that of the optimizer."""

    def __init__(
        self, composer: Composer, labels: Labels, learning_rate: float, values: NDArray[np.float32] | None
    ) -> None:
        super().__init__()
        self.composer = composer
        self.labels = labels
        self._gain = composer.rate / learning_rate
        self.learned = None if values is None else nn.Parameter(torch.from_numpy(values / np.float32(self._gain)))

    def values(self) -> Tensor | None:
        """Return the learned values, which change by up to the composer's rate in a step of the optimizer."""
        if self.learned is None:
            return None
        scaled = self.learned * _SCALE
        return scaled + (self.learned * self._gain - scaled).detach()

    def table(self) -> Tensor:
        """Return the probabilities of the whole's label by veridical label, natural label and label of the whole."""
        table = self.composer.table(self.values(), self.labels)
        return table if self.learned is None else table.to(self.learned.device)

    def describe(self) -> list[str]:
        """Return lines that show what was learned."""
        return self.composer.describe(self.values(), self.labels)


def new_composition(name: str, labels: Labels, learning_rate: float) -> Composition | None:
    """Return the composition of the named composer before training, or None for one that answers with the head."""
    composer = find_composers()[name]()
    return Composition(composer, labels, learning_rate, composer.start(labels)) if composer.decomposes else None


def classifier_composition(
    name: str, labels: Labels, learning_rate: float, folder: Path | None = None
) -> Composition | None:
    """Return the composition of a classifier: what a composer learned with it, if its folder has that, or a prior."""
    composer = find_composers()[name]()
    if not composer.decomposes:
        return None
    values = None if folder is None else _read_values(folder / FILE, name, labels)
    return Composition(composer, labels, learning_rate, composer.prior(labels) if values is None else values)


def save_composition(composition: Composition, name: str, folder: Path) -> None:
    """Write what a composer learned into the folder of a model, as JSON."""
    values = composition.values()
    plain = {
        "composer": name,
        "labels": composition.labels.names,
        "learned": None if values is None else values.detach().cpu().numpy().round(5).tolist(),
        "table": composition.describe(),
    }
    (folder / FILE).write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")


def _read_values(path: Path, name: str, labels: Labels) -> NDArray[np.float32] | None:
    """Return the values that a composer learned, or None if there are none, or those of another composer."""
    if not path.is_file():
        return None
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        if plain["composer"] != name or tuple(plain["labels"]) != labels.names or plain["learned"] is None:
            return None
        values = np.array(plain["learned"], dtype=np.float32)
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{path}: not a composer's table: remove it, or train the model again") from None
    expected = find_composers()[name]().start(labels)
    if expected is None or values.shape != expected.shape or not np.isfinite(values).all():
        raise UserError(f"{path}: not a table of the composer {name!r}: remove it, or train the model again")
    return values


def compose(table: Tensor, veridical: Sequence[Tensor], natural: Tensor) -> Tensor:
    """Return the log-probabilities of the whole, from the logits of its parts: a sum over all labels of the parts.

    ``veridical`` has the logits of each layer, the outermost first; the innermost verb is applied first.
    """
    return _compose(veridical, natural, lambda layer, inner: torch.einsum("bv,bn,vnc->bc", layer, inner, table))


def compose_best(table: Tensor, veridical: Sequence[Tensor], natural: Tensor) -> Tensor:
    """Return scores of the labels of the whole: the log-probability of the most likely derivation of each.

    If every part is labelled correctly and the table is that of the rules, so is the whole. That does not hold for
    :func:`compose`, in which two uncertain parts make the whole neutral.
    """

    def best(layer: Tensor, inner: Tensor) -> Tensor:
        return (layer[:, :, None, None] * inner[:, None, :, None] * table).amax((1, 2))

    return _compose(veridical, natural, best)


def _compose(veridical: Sequence[Tensor], natural: Tensor, combine: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    probabilities = natural.float().softmax(-1)
    for layer in reversed(veridical):
        probabilities = combine(layer.float().softmax(-1), probabilities)
    return probabilities.clamp_min(1e-6).log()

"""A model that was corrected, or any other classifier: loaded from its folder, and asked.

``load_corrected("model-corrected").predict(examples)`` gives a label for each example. A model that was corrected by
training is an ordinary folder, which transformers loads as well. One that was corrected by prototypes or neighbours
(``pn``, ``knn``) answers by vectors in a file of its own, which transformers would pass over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load_file, save_file

from trivium.data.example import Example
from trivium.data.labels import Labels
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.learn.learner import Learner
from trivium.measure.clusters import Vectors
from trivium.measure.neighbours import Neighbours
from trivium.measure.prototypes import Prototypes
from trivium.models.classifiers import HEAD, SUPPORT, load_head
from trivium.models.encoders import longest_input

MAX_LENGTH = 512
NEAREST = 3
SUPPORTS = ("pn", "knn")
"""Methods that train nothing."""
Said = NDArray[np.intp]
_AT_ONCE = 96


class Answers(NamedTuple):
    """What a model says about examples: the number of a label for each, and the vectors that it says it by."""

    said: Said
    vectors: Vectors


@dataclass(frozen=True, eq=False)
class Support:
    """Vectors with labels (their numbers) that decide instead of a head.

    With ``pn`` they are means, and the nearest decides; with ``knn`` single examples, and the three nearest vote.
    """

    method: str
    vectors: Vectors
    labels: Said

    @classmethod
    def of(cls, method: str, sets: Sequence[tuple[Vectors, Said]]) -> Support:
        """The support of several sets of vectors with labels.

        The means of each set stand side by side and weigh the same, so that few corrections are not lost among many
        examples (CFL, note 7, and ★ in its Table 10).
        """
        if method == "pn":
            pooled = Prototypes.pooled(Prototypes.of(*one) for one in sets)
            return cls(method, pooled.means.astype(np.float32), pooled.labels)
        return cls(method, np.concatenate([one for one, _ in sets]), np.concatenate([labels for _, labels in sets]))

    def said(self, asked: Vectors, number: int) -> Said:
        """The label that each vector is given, of ``number`` labels."""
        if self.method == "pn":
            found = Prototypes(self.vectors.astype(np.float64), self.labels).logits(asked, number)
        else:
            found = Neighbours(self.vectors, self.labels).votes(asked, NEAREST, number)
        return np.asarray(found.argmax(axis=1), dtype=np.intp)

    def write(self, folder: Path) -> None:
        """Write into the folder of a model."""
        vectors = np.ascontiguousarray(self.vectors, dtype=np.float32)
        tensors: dict[str, NDArray[Any]] = {"vectors": vectors, "labels": self.labels.astype(np.int64)}
        save_file(tensors, folder / SUPPORT, metadata={"method": self.method})

    @classmethod
    def read(cls, folder: Path, width: int, number: int) -> Support:
        """Read from the folder of a model whose vectors have ``width`` values, and which knows ``number`` labels."""
        file = folder / SUPPORT
        try:
            with safe_open(file, framework="np") as opened:
                method = (opened.metadata() or {}).get("method")
            tensors = load_file(file)
            vectors, labels = tensors["vectors"], tensors["labels"]
        except (SafetensorError, OSError, KeyError, TypeError) as error:
            raise UserError(f"{file} is damaged: {error}") from None
        if method not in SUPPORTS:
            raise UserError(f"{file} is damaged: it names no method that answers by vectors")
        fits = vectors.ndim == 2 and vectors.shape[1] == width and labels.shape == (len(vectors),) and len(labels)
        if not fits or not (0 <= labels.min() <= labels.max() < number):
            raise UserError(f"{file} is damaged: its vectors and labels are not those of this model")
        return cls(method, vectors.astype(np.float32), labels.astype(np.intp))


@dataclass(frozen=True, eq=False)
class Corrected:
    """A classifier that answers by its head or, where there is one, by a support."""

    learner: Learner
    support: Support | None = None

    @property
    def labels(self) -> Labels:
        """The scheme of its labels."""
        return self.learner.labels

    @property
    def max_length(self) -> int:
        """How many tokens it reads; what is longer is cut."""
        return min(MAX_LENGTH, longest_input(self.learner.network.model) or MAX_LENGTH)  # type: ignore[arg-type]

    def predict(self, examples: Sequence[Example]) -> list[str]:
        """The label of each example."""
        return [self.labels.names[place] for place in self.answers(examples).said]

    def answers(self, examples: Sequence[Example]) -> Answers:
        """The label of each example by its number, and the vectors, read once."""
        if not examples:
            return Answers(np.zeros(0, dtype=np.intp), np.zeros((0, self.width), dtype=np.float32))
        asked = [replace(example, task=HEAD, parts=()) for example in examples]
        order = sorted(range(len(asked)), key=lambda place: len(asked[place].premise + (asked[place].hypothesis or "")))
        logits: list[NDArray[np.float32]] = []
        vectors: list[NDArray[np.float32]] = []
        for start in range(0, len(order), _AT_ONCE):
            with self.learner.exactly(), torch.no_grad():
                (answer,) = self.learner.answers([asked[place] for place in order[start : start + _AT_ONCE]])
            logits.append(answer.logits.float().cpu().numpy())
            vectors.append(answer.vectors.float().cpu().numpy())
        back = np.argsort(order)
        found = np.concatenate(vectors)[back]
        return Answers(self._said(np.concatenate(logits)[back], found), found)

    def _said(self, logits: NDArray[np.float32], vectors: Vectors) -> Said:
        if self.support is not None:
            return self.support.said(vectors, len(self.labels))
        return np.asarray(logits.argmax(axis=1), dtype=np.intp)

    @property
    def width(self) -> int:
        """How many values a vector has."""
        return int(self.learner.network.model.config.hidden_size)  # type: ignore[union-attr, arg-type]


def load_corrected(folder: str | Path, train: TrainConfig | None = None, seed: int = 0) -> Corrected:
    """The classifier in a folder, corrected or not, or with a name on a hub; ``train`` says how it learns and where."""
    learner = Learner.of_classifier(load_head(str(folder)), train or TrainConfig(), seed, MAX_LENGTH)
    made = Corrected(learner)
    if not (Path(folder) / SUPPORT).is_file():
        return made
    return replace(made, support=Support.read(Path(folder), made.width, len(made.labels)))

"""Load a corrected model, or any other classifier, and predict with it.

``load_corrected("model-corrected").predict(examples)`` returns a label for each example. Transformers can load a model
that was corrected by training, but not one that was corrected by prototypes or neighbours (``pn``, ``knn``): that
predicts from vectors in a file of its own, which transformers would ignore.
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
"""Methods that train nothing and predict by comparing vectors."""
Predicted = NDArray[np.intp]
"""The index of the predicted label of each example."""
_BATCH = 96


class Answers(NamedTuple):
    """The index of the predicted label of each example, and the vector that it was predicted from."""

    predicted: Predicted
    vectors: Vectors


@dataclass(frozen=True, eq=False)
class Support:
    """A support set: vectors with label indices, from which labels are predicted instead of by a head.

    With ``pn`` the vectors are means of classes, and the nearest one decides. With ``knn`` they are those of single
    examples, and the three nearest vote.
    """

    method: str
    vectors: Vectors
    labels: Predicted

    @classmethod
    def of(cls, method: str, sets: Sequence[tuple[Vectors, Predicted]]) -> Support:
        """Return the support set of several sets of vectors with labels.

        With ``pn``, each set has means of its own, which all have the same weight, so that few corrections count as
        much as many examples (CFL, note 7, and ★ in its Table 10).
        """
        if method == "pn":
            pooled = Prototypes.pooled(Prototypes.from_vectors(vectors, labels) for vectors, labels in sets)
            return cls(method, pooled.means.astype(np.float32), pooled.labels)
        return cls(
            method, np.concatenate([vectors for vectors, _ in sets]), np.concatenate([labels for _, labels in sets])
        )

    def predict(self, vectors: Vectors, number: int) -> Predicted:
        """Return the index of the label, out of ``number`` labels, predicted for each vector."""
        if self.method == "pn":
            scores = Prototypes(self.vectors.astype(np.float64), self.labels).logits(vectors, number)
        else:
            scores = Neighbours(self.vectors, self.labels).votes(vectors, NEAREST, number)
        return np.asarray(scores.argmax(axis=1), dtype=np.intp)

    def write(self, folder: Path) -> None:
        """Write the support set into the folder of a model."""
        vectors = np.ascontiguousarray(self.vectors, dtype=np.float32)
        tensors: dict[str, NDArray[Any]] = {"vectors": vectors, "labels": self.labels.astype(np.int64)}
        save_file(tensors, folder / SUPPORT, metadata={"method": self.method})

    @classmethod
    def read(cls, folder: Path, width: int, number: int) -> Support:
        """Read the support set of a model from its folder. Raise if it does not fit the model.

        ``width`` is the size of the model's vectors, and ``number`` that of its label scheme.
        """
        file = folder / SUPPORT
        try:
            with safe_open(file, framework="np") as opened:
                method = (opened.metadata() or {}).get("method")
            tensors = load_file(file)
            vectors, labels = tensors["vectors"], tensors["labels"]
        except (SafetensorError, OSError, KeyError, TypeError) as error:
            raise UserError(f"{file} is damaged: {error}") from None
        if method not in SUPPORTS:
            raise UserError(f"{file} is damaged: its method is {method!r}, but must be {' or '.join(SUPPORTS)}")
        fits = vectors.ndim == 2 and vectors.shape[1] == width and labels.shape == (len(vectors),) and len(labels)
        if not fits or not (0 <= labels.min() <= labels.max() < number) or not np.isfinite(vectors).all():
            raise UserError(f"{file} is damaged: its vectors or labels do not fit the model in {folder}")
        return cls(method, vectors.astype(np.float32), labels.astype(np.intp))


@dataclass(frozen=True, eq=False)
class Corrected:
    """A classifier that predicts by its support set or, without one, by its head."""

    learner: Learner
    support: Support | None = None

    @property
    def labels(self) -> Labels:
        """The label scheme of the model."""
        return self.learner.labels

    @property
    def max_length(self) -> int:
        """The maximum number of tokens of an input; longer inputs are truncated."""
        return min(MAX_LENGTH, longest_input(self.learner.network.model) or MAX_LENGTH)  # type: ignore[arg-type]

    def predict(self, examples: Sequence[Example]) -> list[str]:
        """Return the predicted label of each example."""
        return [self.labels.names[index] for index in self.answers(examples).predicted]

    def answers(self, examples: Sequence[Example]) -> Answers:
        """Return the index of the predicted label and the vector of each example."""
        if not examples:
            return Answers(np.zeros(0, dtype=np.intp), np.zeros((0, self.width), dtype=np.float32))
        queries = [replace(example, task=HEAD, parts=()) for example in examples]
        lengths = [len(query.premise + (query.hypothesis or "")) for query in queries]
        order = sorted(range(len(queries)), key=lengths.__getitem__)  # batches of similar length need little padding
        batches: list[tuple[NDArray[np.float32], NDArray[np.float32]]] = []
        for start in range(0, len(order), _BATCH):
            with self.learner.evaluation_mode(), torch.no_grad():
                (answer,) = self.learner.answers([queries[index] for index in order[start : start + _BATCH]])
            batches.append((answer.logits.float().cpu().numpy(), answer.vectors.float().cpu().numpy()))
        original = np.argsort(order)
        logits, vectors = (np.concatenate(parts)[original] for parts in zip(*batches, strict=True))
        return Answers(self._predicted(logits, vectors), vectors)

    def _predicted(self, logits: NDArray[np.float32], vectors: Vectors) -> Predicted:
        if self.support is not None:
            return self.support.predict(vectors, len(self.labels))
        return np.asarray(logits.argmax(axis=1), dtype=np.intp)

    @property
    def width(self) -> int:
        """The size of a vector."""
        return int(self.learner.network.model.config.hidden_size)  # type: ignore[union-attr, arg-type]


def load_corrected(folder: str | Path, train: TrainConfig | None = None, seed: int = 0) -> Corrected:
    """Return the classifier in a folder, corrected or not, or with a name on a hub.

    ``train`` configures its device and any further training.
    """
    learner = Learner.from_classifier(load_head(str(folder)), train or TrainConfig(), seed, MAX_LENGTH)
    model = Corrected(learner)
    if not (Path(folder) / SUPPORT).is_file():
        return model
    return replace(model, support=Support.read(Path(folder), model.width, len(model.labels)))

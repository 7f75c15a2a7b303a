"""How densely the classes lie in a space of vectors, and a picture of it in two dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trivium.measure.metrics import Floats

Vectors = NDArray[np.float32]


def are_classes(labels: Sequence[str]) -> bool:
    """Whether there are at least two classes, and one with more than one member: without that nothing is dense."""
    return 1 < len(set(labels)) < len(labels)


def silhouettes(vectors: Vectors, labels: Sequence[str]) -> Floats:
    """For each vector (b − a) / max(a, b), a its mean distance to its class, b to the nearest other (Rousseeuw, 1987).

    1 is a dense class far from the others, 0 is a border, −1 a vector among strangers.
    """
    from sklearn.metrics import silhouette_samples  # as below: slow to import, and seldom asked for

    return np.asarray(silhouette_samples(vectors, np.asarray(labels)), dtype=np.float64)


def spreads(vectors: Vectors, labels: Sequence[str]) -> Floats:
    """For each vector the distance to the centre of its class, as a share of the mean distance between centres."""
    names = sorted(set(labels))
    kinds = np.asarray(labels)
    centres = {name: vectors[kinds == name].mean(axis=0) for name in names}
    apart = [np.linalg.norm(centres[a] - centres[b]) for i, a in enumerate(names) for b in names[i + 1 :]]
    own = np.stack([centres[label] for label in labels])
    return np.asarray(np.linalg.norm(vectors - own, axis=1) / np.mean(apart), dtype=np.float64)


class Distances(NamedTuple):
    """Distances of each vector to the middle of its class; between two of one class their mean and their variance."""

    to_centre: Floats
    apart: float
    variance: float


def distances(vectors: Vectors, classes: NDArray[np.intp]) -> Distances:
    """Euclidean distances within classes."""
    from scipy.spatial.distance import pdist

    centred = np.zeros(len(vectors))
    between = []
    for name in np.unique(classes):
        mine = vectors[classes == name].astype(np.float64)
        centred[classes == name] = np.linalg.norm(mine - mine.mean(axis=0), axis=1)
        between.append(pdist(mine))
    every = np.concatenate(between)
    return Distances(centred, float(every.mean()), float(every.var()))


def flattened(vectors: Vectors, seed: int = 0) -> NDArray[np.float64]:
    """The vectors in two dimensions by t-SNE (van der Maaten and Hinton, 2008): neighbours stay neighbours."""
    from sklearn.manifold import TSNE

    perplexity = min(30.0, (len(vectors) - 1) / 3)
    made = TSNE(perplexity=perplexity, init="pca", random_state=seed).fit_transform(vectors)
    return np.asarray(made, dtype=np.float64)

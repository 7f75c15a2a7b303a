"""Density of classes of vectors, and projection to two dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trivium.measure.metrics import Floats

Vectors = NDArray[np.float32]


def has_clusters(labels: Sequence[str]) -> bool:
    """Return whether density can be measured: there are two or more classes, and one has two or more members."""
    return 1 < len(set(labels)) < len(labels)


def silhouettes(vectors: Vectors, labels: Sequence[str]) -> Floats:
    """Return the silhouette coefficient of each vector (Rousseeuw, 1987).

    It is (b − a) / max(a, b), where a is the mean distance to the other vectors of the same class and b is the mean
    distance to those of the nearest other class. It is near 1 in a dense class far from the others, near 0 on the
    border between two classes, and near −1 for a vector among those of another class.
    """
    from sklearn.metrics import silhouette_samples  # imported here because it is slow to import and rarely needed

    return np.asarray(silhouette_samples(vectors, np.asarray(labels)), dtype=np.float64)


def spreads(vectors: Vectors, labels: Sequence[str]) -> Floats:
    """Return the distance of each vector to its class centre, divided by the mean distance between class centres."""
    names = sorted(set(labels))
    classes = np.asarray(labels)
    centres = {name: vectors[classes == name].mean(axis=0) for name in names}
    between = [np.linalg.norm(centres[a] - centres[b]) for i, a in enumerate(names) for b in names[i + 1 :]]
    own_centres = np.stack([centres[label] for label in labels])
    return np.asarray(np.linalg.norm(vectors - own_centres, axis=1) / np.mean(between), dtype=np.float64)


class Distances(NamedTuple):
    """Euclidean distances within classes.

    ``to_centre`` holds the distance of each vector to the centre of its class; ``mean_pairwise`` and
    ``variance_pairwise`` are the mean and the variance of the distance between two vectors of one class.
    """

    to_centre: Floats
    mean_pairwise: float
    variance_pairwise: float


def distances(vectors: Vectors, classes: NDArray[np.intp]) -> Distances:
    """Return the Euclidean distances within classes."""
    from scipy.spatial.distance import pdist

    to_centre = np.zeros(len(vectors))
    pairwise = []
    for name in np.unique(classes):
        members = vectors[classes == name].astype(np.float64)
        to_centre[classes == name] = np.linalg.norm(members - members.mean(axis=0), axis=1)
        pairwise.append(pdist(members))
    all_pairs = np.concatenate(pairwise)
    return Distances(to_centre, float(all_pairs.mean()), float(all_pairs.var()))


def project_tsne(vectors: Vectors, seed: int = 0) -> NDArray[np.float64]:
    """Project vectors to two dimensions by t-SNE (van der Maaten and Hinton, 2008), which preserves neighbourhoods."""
    from sklearn.manifold import TSNE

    perplexity = min(30.0, (len(vectors) - 1) / 3)
    projected = TSNE(perplexity=perplexity, init="pca", random_state=seed).fit_transform(vectors)
    return np.asarray(projected, dtype=np.float64)

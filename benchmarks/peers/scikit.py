"""scikit-learn's brute-force nearest neighbours and nearest centroids. ``MODE`` is ``knn`` or ``prototypes``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from serving import serve
from sklearn.neighbors import NearestCentroid, NearestNeighbors


def set_up(work: dict[str, Any]) -> Callable[[int], Callable[[], Any]]:
    data = np.load(work["vectors"])
    vectors, labels, queries = data["vectors"], data["labels"], data["queries"]

    def knn() -> list[list[int]]:
        search = NearestNeighbors(n_neighbors=work["nearest"], algorithm="brute", n_jobs=1).fit(vectors)
        return [sorted(row) for row in search.kneighbors(queries, return_distance=False).tolist()]

    def prototypes() -> list[int]:
        return NearestCentroid().fit(vectors, labels).predict(vectors).tolist()

    return lambda _: knn if sys.argv[1] == "knn" else prototypes


if __name__ == "__main__":
    serve(set_up)

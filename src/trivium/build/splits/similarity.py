"""How much of their words two texts share."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # slow to import, and only asked for when something is built
    from scipy.sparse import csr_matrix


def similarity(texts: Sequence[Set[str]], others: Sequence[Set[str]]) -> NDArray[np.float64]:
    """For each set of words the largest share that it has in common with one of the others: |A ∩ B| / |A ∪ B|.

    Two empty sets share nothing.
    """
    if not texts or not others:
        return np.zeros(len(texts))
    places = {word: place for place, word in enumerate(sorted(set().union(*texts, *others)))}
    left, right = _counted(texts, places), _counted(others, places)
    common = (left @ right.T).toarray()
    sizes = [np.array([len(words) for words in each]) for each in (texts, others)]
    both = sizes[0][:, None] + sizes[1][None, :] - common
    return np.asarray((common / np.maximum(both, 1)).max(axis=1))


def _counted(texts: Sequence[Set[str]], places: dict[str, int]) -> csr_matrix:
    from scipy.sparse import csr_matrix

    ends = np.cumsum([0, *map(len, texts)])
    columns = np.fromiter((places[word] for words in texts for word in sorted(words)), dtype=np.int64, count=ends[-1])
    return csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(texts), len(places)))

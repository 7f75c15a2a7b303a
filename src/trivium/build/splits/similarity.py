"""Word overlap between texts."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # slow to import, and only needed while data is built
    from scipy.sparse import csr_matrix


def similarity(texts: Sequence[Set[str]], others: Sequence[Set[str]]) -> NDArray[np.float64]:
    """Return the largest Jaccard similarity |A ∩ B| / |A ∪ B| of each set of words to any of the others.

    The similarity of two empty sets is 0.
    """
    if not texts or not others:
        return np.zeros(len(texts))
    columns = {word: column for column, word in enumerate(sorted(set().union(*texts, *others)))}
    left, right = _indicators(texts, columns), _indicators(others, columns)
    common = (left @ right.T).toarray()
    sizes, other_sizes = (np.array([len(words) for words in sets]) for sets in (texts, others))
    union = sizes[:, None] + other_sizes[None, :] - common
    return np.asarray((common / np.maximum(union, 1)).max(axis=1))


def _indicators(texts: Sequence[Set[str]], columns: dict[str, int]) -> csr_matrix:
    """Return a matrix with a row for each text and a column for each word: 1 if the text contains the word, else 0."""
    from scipy.sparse import csr_matrix

    ends = np.cumsum([0, *map(len, texts)])
    indices = np.fromiter((columns[word] for words in texts for word in sorted(words)), dtype=np.int64, count=ends[-1])
    return csr_matrix((np.ones(len(indices)), indices, ends), shape=(len(texts), len(columns)))

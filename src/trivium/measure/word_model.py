"""A linear model of words and word pairs: logistic regression on tf-idf.

The features and the optimum are those of scikit-learn, which takes a second to import: too long for a report on results
that are already there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from trivium.measure.metrics import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_WORD = re.compile(r"\w+")
_STRENGTH = 3.0  # of the data against the penalty of weights
_STEPS = 300


class WordModel:
    """Predicts the label of a text from its words and pairs of neighbouring words."""

    def __init__(self, texts: Sequence[str], labels: Sequence[str]) -> None:
        counted = [_terms(text) for text in texts]
        frequency = Counter(term for terms in counted for term in terms)
        self._columns = {term: column for column, term in enumerate(sorted(frequency))}
        occurrences = np.array([frequency[term] for term in self._columns])
        self._rarity = np.log((1 + len(texts)) / (1 + occurrences)) + 1
        self._labels = sorted(set(labels))
        gold = np.array([self._labels.index(label) for label in labels])
        self._weights = _fit(self._features(counted), gold, len(self._labels))

    def predict(self, texts: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
        """Return the most probable label of each text."""
        scores = _scores(self._features([_terms(text) for text in texts]), self._weights)
        return np.asarray(np.array(self._labels)[scores.argmax(axis=1)])

    def _features(self, counted: Sequence[Counter[str]]) -> csr_matrix:
        from scipy.sparse import csr_matrix  # imported here because not every command needs it

        known = [[(self._columns[term], n) for term, n in terms.items() if term in self._columns] for terms in counted]
        starts = np.cumsum([0, *map(len, known)])
        columns = np.array([column for terms in known for column, _ in terms], dtype=np.intp)
        numbers = np.array([number for terms in known for _, number in terms], dtype=np.float64)
        values = (1 + np.log(numbers)) * self._rarity[columns]
        rows = np.repeat(np.arange(len(known)), np.diff(starts))
        lengths = np.sqrt(np.bincount(rows, values**2, len(known)))
        return csr_matrix((values / lengths[rows], columns, starts), shape=(len(known), len(self._columns)))


def _terms(text: str) -> Counter[str]:
    words = _WORD.findall(text.lower())
    return Counter([*words, *map(" ".join, pairwise(words))])


def _scores(features: csr_matrix, weights: Floats) -> Floats:
    """Return a score for each label; with two labels, that of the first is zero."""
    scores = np.asarray(features @ weights[:, :-1].T) + weights[:, -1]
    return np.concatenate([np.zeros((len(scores), 1)), scores], axis=1) if len(weights) == 1 else scores


def _fit(features: csr_matrix, gold: np.ndarray[tuple[int], np.dtype[np.intp]], labels: int) -> Floats:
    """Return a line of weights for each label (with two labels, for the second), with the constant at the end."""
    from scipy.optimize import minimize

    shape = (1 if labels == 2 else labels, features.shape[1] + 1)
    is_gold = np.eye(labels)[gold]

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        scores = _scores(features, weights)
        logs = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
        away = (np.exp(logs) - is_gold)[:, labels - len(weights) :]
        gradient = _STRENGTH * np.concatenate([np.asarray((features.T @ away).T), away.sum(0)[:, None]], axis=1)
        gradient[:, :-1] += weights[:, :-1]
        return 0.5 * float((weights[:, :-1] ** 2).sum()) - _STRENGTH * float(logs[is_gold > 0].sum()), gradient.ravel()

    found = minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    return np.asarray(found.x.reshape(shape))

"""Baselines that know nothing of the inference: the most frequent label, a negation, the hypothesis alone."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from trivium.data.example import Example
from trivium.measure.metrics import Bools
from trivium.seeds import stream

_NEGATION = re.compile(r"(?i)\b(no|not|never|nobody|nothing|none|nowhere|neither|nor|without|cannot)\b|n't\b|n’t\b")
_MAX_TRAINING = 3000


class Baselines(NamedTuple):
    """Which test examples each baseline gets right.

    ``majority`` always gives the same answer: the most frequent label of the training data or, if it is better and the
    test has several labels, of the test. ``cue`` gives one answer if exactly one of the two sentences has a negation,
    and another one if not. ``hypothesis`` is a linear model of the words of the hypothesis; None without training data.
    """

    majority: Bools
    cue: Bools
    hypothesis: Bools | None

    def best(self, mask: Bools | None = None) -> float:
        """Return the accuracy of the best baseline, on all examples or on those of a mask."""
        return max(self.accuracies(mask).values())

    def accuracies(self, mask: Bools | None = None) -> dict[str, float]:
        """Return the accuracy of each baseline by name."""
        rows = {"majority": self.majority, "cue": self.cue, "hypothesis only": self.hypothesis}
        return {
            name: float((row if mask is None else row[mask]).mean()) for name, row in rows.items() if row is not None
        }


def baselines(test: Sequence[Example], training: Sequence[Example] = ()) -> Baselines:
    """Return the baselines on a test, of which every example must have a label.

    They learn from the training data; without any, from the labels of the test.
    """
    usable = _sample([example for example in training if example.label is not None]) or list(test)
    gold, known = (np.array([str(example.label) for example in part]) for part in (test, usable))
    candidates = [_most_frequent(known)]
    if len(np.unique(gold)) > 1:
        candidates.append(_most_frequent(gold))
    majority = max((gold == label for label in candidates), key=np.mean)
    negated, known_negated = (np.array([has_negation_cue(example) for example in part]) for part in (test, usable))
    answers = np.full(len(gold), candidates[0], dtype=object)
    for is_negated in (True, False):
        if (known_negated == is_negated).any():
            answers[negated == is_negated] = _most_frequent(known[known_negated == is_negated])
    hypothesis = None
    if training and len(np.unique(known)) > 1:
        hypothesis = np.asarray(hypothesis_model(usable, known.tolist(), test) == gold)
    return Baselines(np.asarray(majority), np.asarray(answers == gold, dtype=np.bool_), hypothesis)


def _sample(examples: list[Example]) -> list[Example]:
    if len(examples) <= _MAX_TRAINING:
        return examples
    drawn = stream(0, "baseline", len(examples)).permutation(len(examples))[:_MAX_TRAINING]
    return [examples[index] for index in sorted(drawn)]


def has_negation_cue(example: Example) -> bool:
    """Return whether exactly one of premise and hypothesis has a negation."""
    return bool(_NEGATION.search(example.premise)) != bool(_NEGATION.search(example.hypothesis or ""))


def _most_frequent(labels: np.ndarray[tuple[int], np.dtype[np.str_]]) -> str:
    names, counts = np.unique(labels, return_counts=True)
    return str(names[counts.argmax()])


def hypothesis_model(
    training: Sequence[Example], labels: Sequence[str], test: Sequence[Example]
) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
    """Return the labels that a linear model of the unigrams and bigrams of the hypothesis predicts."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # imported here because it is slow to import
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"(?u)\b\w+\b"),
        LogisticRegression(max_iter=300, C=3.0),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a baseline that has not fully converged is good enough
        model.fit([example.hypothesis or example.premise for example in training], labels)
    return np.asarray(model.predict([example.hypothesis or example.premise for example in test]))

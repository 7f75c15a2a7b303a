"""Baselines that know nothing of the inference: the most frequent label, a negation, the hypothesis alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from trivium.data.example import Example
from trivium.measure.metrics import Bools
from trivium.measure.word_model import WordModel
from trivium.seeds import stream

_NEGATION = re.compile(r"(?i)\b(no|not|never|nobody|nothing|none|nowhere|neither|nor|without|cannot)\b|n't\b|n’t\b")
BASELINES = {
    "majority": "most frequent label",
    "negation": "negation in one of the sentences",
    "hypothesis only": "hypothesis alone",
}
"""What each baseline knows, by its name."""
_MAX_TRAINING = 3000
_MIN_TEST = 60  # examples without which no model of the hypothesis is learned from a test


class Baselines(NamedTuple):
    """Which test examples each baseline gets right.

    ``majority`` always gives the same answer: the most frequent label of the training data or, if it is better and the
    test has several labels, of the test. ``cue`` gives one answer if exactly one of the two sentences has a negation,
    and another one if not. ``hypothesis`` is a linear model of the words of the hypothesis; None if there are too few
    examples to learn from.
    """

    majority: Bools
    cue: Bools
    hypothesis: Bools | None

    def best(self, mask: Bools | None = None) -> float:
        """Return the accuracy of the best baseline, on all examples or on those of a mask."""
        return max(self.accuracies(mask).values())

    def accuracies(self, mask: Bools | None = None) -> dict[str, float]:
        """Return the accuracy of each baseline by name."""
        rows = dict(zip(BASELINES, self, strict=True))
        return {
            name: float((row if mask is None else row[mask]).mean()) for name, row in rows.items() if row is not None
        }


def baselines(test: Sequence[Example], training: Sequence[Example] = ()) -> Baselines:
    """Return the baselines on a test, of which every example must have a label.

    They learn from the training data. Without any, they learn from the labels of the test; the model of the hypothesis
    then learns from one half what it predicts for the other, and no hypothesis is in both.
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
    elif not training:
        hypothesis = _cross_validated(test, gold)
    return Baselines(np.asarray(majority), np.asarray(answers == gold, dtype=np.bool_), hypothesis)


def _cross_validated(test: Sequence[Example], gold: np.ndarray[tuple[int], np.dtype[np.str_]]) -> Bools | None:
    """Return which examples a model of the hypothesis gets right that is trained on the other half of the test."""
    if len(test) < _MIN_TEST:
        return None
    hypotheses = sorted({example.hypothesis or example.premise for example in test})
    drawn = stream(0, "baseline halves", len(hypotheses)).permutation(len(hypotheses))
    first = {hypotheses[index] for index in drawn[: len(drawn) // 2]}
    is_first = np.array([(example.hypothesis or example.premise) in first for example in test])
    correct = np.zeros(len(test), dtype=np.bool_)
    for half in (is_first, ~is_first):
        training = _sample([example for example, is_tested in zip(test, half, strict=True) if not is_tested])
        labels = [str(example.label) for example in training]
        if len(set(labels)) < 2:
            return None
        tested = [example for example, is_tested in zip(test, half, strict=True) if is_tested]
        correct[half] = hypothesis_model(training, labels, tested) == gold[half]
    return correct


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


def one_sided(test: Sequence[Example], training: Sequence[Example]) -> tuple[float, float]:
    """Return the accuracies of linear models that see only the premise, and only the hypothesis."""
    gold, known = ([str(example.label) for example in part] for part in (test, training))
    premises = WordModel([example.premise for example in training], known).predict([e.premise for e in test])
    hypotheses = hypothesis_model(training, known, test)
    return float(np.mean(premises == gold)), float(np.mean(hypotheses == gold))


def hypothesis_model(
    training: Sequence[Example], labels: Sequence[str], test: Sequence[Example]
) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
    """Return the labels that a linear model of the unigrams and bigrams of the hypothesis predicts."""
    model = WordModel([example.hypothesis or example.premise for example in training], labels)
    return model.predict([example.hypothesis or example.premise for example in test])

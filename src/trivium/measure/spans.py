"""Labelled spans encoded as IOB2 tags: decoding, counting and F1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trivium.measure.metrics import Floats


class Span(NamedTuple):
    """A span of words with a role, from index ``first`` up to but not including ``end``."""

    role: str
    first: int
    end: int


class Counts(NamedTuple):
    """Numbers of spans: predicted correctly, predicted, and in the gold annotation."""

    correct: int
    predicted: int
    gold: int

    @property
    def precision(self) -> float:
        """The fraction of predicted spans that are correct; 0 if none is predicted."""
        return self.correct / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """The fraction of gold spans that are predicted; 0 if there are no gold spans."""
        return self.correct / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 if there are neither predicted nor gold spans."""
        return float(f1(np.array([self], dtype=np.float64))[0])


def f1(counts: Floats) -> Floats:
    """Return 2 · correct / (predicted + gold) for rows of (correct, predicted, gold); 0 if the denominator is 0."""
    denominator = counts[:, 1] + counts[:, 2]
    return np.asarray(np.divide(2 * counts[:, 0], denominator, out=np.zeros_like(denominator), where=denominator > 0))


def spans_of(tags: Sequence[str]) -> list[Span]:
    """Return the spans of a sequence of IOB2 tags, in order. An I- tag that continues no span begins one."""
    spans: list[Span] = []
    for index, tag in enumerate(tags):
        role = tag[2:]
        if not role:
            continue
        continues = tag.startswith("I-") and spans and spans[-1].role == role and spans[-1].end == index
        if continues:
            spans[-1] = spans[-1]._replace(end=index + 1)
        else:
            spans.append(Span(role, index, index + 1))
    return spans


def count_spans(gold: Sequence[str], predicted: Sequence[str], exclude: Iterable[str] = ()) -> dict[str, Counts]:
    """Return the span counts of each role in a sequence of tags, except for the roles ``exclude``.

    A predicted span is correct if its role, its beginning and its end are those of a gold span.
    """
    if len(gold) != len(predicted):
        raise ValueError(f"{len(predicted)} predicted tags for {len(gold)} gold tags")
    excluded = set(exclude)
    gold_spans, predicted_spans = (
        [span for span in spans_of(tags) if span.role not in excluded] for tags in (gold, predicted)
    )
    correct_spans = set(gold_spans) & set(predicted_spans)
    return {
        role: Counts(
            *(sum(span.role == role for span in spans) for spans in (correct_spans, predicted_spans, gold_spans))
        )
        for role in sorted({span.role for span in (*gold_spans, *predicted_spans)})
    }


def sum_counts(rows: Iterable[Mapping[str, Counts]]) -> dict[str, Counts]:
    """Return the sum of the counts of each role over several sequences."""
    total: dict[str, Counts] = {}
    for row in rows:
        for role, counts in row.items():
            subtotal = total.get(role, Counts(0, 0, 0))
            total[role] = Counts(*(a + b for a, b in zip(subtotal, counts, strict=True)))
    return dict(sorted(total.items()))


def overall(counts: Mapping[str, Counts]) -> Counts:
    """Return the sum of the counts over all roles, for micro-averaged scores."""
    return Counts(*(sum(role_counts[field] for role_counts in counts.values()) for field in range(3)))


def best_tags(scores: NDArray[np.float32], tags: Sequence[str]) -> list[str]:
    """Return the valid sequence of IOB2 tags with the highest total score (Viterbi, 1967).

    ``scores`` has a row for each word and a column for each tag. A sequence is valid if I-X occurs only after B-X or
    I-X. Scores may be log-probabilities or logits: adding a constant to a row does not change the result.
    """
    if not len(scores):
        return []
    forbidden = _forbidden_transitions(tags)
    cannot_start = np.array([tag.startswith("I-") for tag in tags])
    best = np.where(cannot_start, -np.inf, scores[0].astype(np.float64))
    back = []
    for row in scores[1:].astype(np.float64):
        reached = np.where(forbidden, -np.inf, best[:, None])
        back.append(reached.argmax(axis=0))
        best = reached.max(axis=0) + row
    path = [int(best.argmax())]
    for pointers in reversed(back):
        path.append(int(pointers[path[-1]]))
    return [tags[index] for index in reversed(path)]


def _forbidden_transitions(tags: Sequence[str]) -> NDArray[np.bool_]:
    """Return a matrix that is true where the tag of the column must not follow the tag of the row."""
    return np.array([[after.startswith("I-") and before[2:] != after[2:] for after in tags] for before in tags])

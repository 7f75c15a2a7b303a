"""Spans of words by IOB2 tags: finding the best legal row of tags, and the F1 of spans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trivium.measure.metrics import Floats


class Span(NamedTuple):
    """A role, and its words from ``first`` up to, and without, ``end``."""

    role: str
    first: int
    end: int


class Counts(NamedTuple):
    """How many spans were found rightly, how many were found, and how many there are."""

    right: int
    said: int
    gold: int

    @property
    def precision(self) -> float:
        """The share of what was found that is right; 0 if nothing was found."""
        return self.right / self.said if self.said else 0.0

    @property
    def recall(self) -> float:
        """The share of what there is that was found; 0 if there is nothing."""
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """2 · right / (said + gold), the harmonic mean of both; 0 if there is nothing."""
        return float(f1(np.array([self], dtype=np.float64))[0])


def f1(counts: Floats) -> Floats:
    """2 · right / (said + gold) of lines of (right, said, gold); 0 where there is nothing."""
    both = counts[:, 1] + counts[:, 2]
    return np.asarray(np.divide(2 * counts[:, 0], both, out=np.zeros_like(both), where=both > 0))


def spans_of(tags: Sequence[str]) -> list[Span]:
    """The spans of a row of IOB2 tags, in order; an I- that continues nothing begins a span."""
    found: list[Span] = []
    for place, tag in enumerate(tags):
        role = tag[2:]
        if not role:
            continue
        continues = tag.startswith("I-") and found and found[-1].role == role and found[-1].end == place
        if continues:
            found[-1] = found[-1]._replace(end=place + 1)
        else:
            found.append(Span(role, place, place + 1))
    return found


def count_spans(gold: Sequence[str], said: Sequence[str], apart: Iterable[str] = ()) -> dict[str, Counts]:
    """The counts of each role of a row but those ``apart``; a span is right if its role and both its ends are."""
    if len(gold) != len(said):
        raise ValueError(f"{len(said)} tags said for {len(gold)}")
    passed = set(apart)
    wanted, found = (
        [span for span in spans_of(tags) if span.role not in passed] for tags in (gold, said)
    )  # fmt: skip
    right = set(wanted) & set(found)
    return {
        role: Counts(*(sum(span.role == role for span in spans) for spans in (right, found, wanted)))
        for role in sorted({span.role for span in (*wanted, *found)})
    }


def added(rows: Iterable[Mapping[str, Counts]]) -> dict[str, Counts]:
    """The counts of each role over rows."""
    total: dict[str, Counts] = {}
    for row in rows:
        for role, counts in row.items():
            before = total.get(role, Counts(0, 0, 0))
            total[role] = Counts(*(a + b for a, b in zip(before, counts, strict=True)))
    return dict(sorted(total.items()))


def overall(counts: Mapping[str, Counts]) -> Counts:
    """The counts of all roles together (micro average)."""
    return Counts(*(sum(each[place] for each in counts.values()) for place in range(3)))


def best_tags(scores: NDArray[np.float32], tags: Sequence[str]) -> list[str]:
    """The legal row of IOB2 tags with the highest sum of scores: a line of scores for each word (Viterbi, 1967).

    Legal is a row in which I-X stands only after B-X or I-X. Scores are log-probabilities, or logits: a constant
    added to a line changes nothing.
    """
    if not len(scores):
        return []
    barred = _barred(tags)
    first = np.array([tag.startswith("I-") for tag in tags])
    best = np.where(first, -np.inf, scores[0].astype(np.float64))
    back = []
    for line in scores[1:].astype(np.float64):
        reached = np.where(barred, -np.inf, best[:, None])
        back.append(reached.argmax(axis=0))
        best = reached.max(axis=0) + line
    path = [int(best.argmax())]
    for pointers in reversed(back):
        path.append(int(pointers[path[-1]]))
    return [tags[place] for place in reversed(path)]


def _barred(tags: Sequence[str]) -> NDArray[np.bool_]:
    """Whether the tag of a column may not follow the tag of a line."""
    return np.array([[after.startswith("I-") and before[2:] != after[2:] for after in tags] for before in tags])

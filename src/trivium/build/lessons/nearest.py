"""Find the phenomena whose generated pairs are most like corrections: naive Bayes over edits and function words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from trivium.build.edits.reading import CONTENT, read_spans, read_words
from trivium.build.phenomena import generate_parts, load_makers
from trivium.data.example import Example
from trivium.language.difference import difference, words

_TRAIN = 80  # pairs of each phenomenon from which its features are counted
_SMOOTHING = 0.5
_MAX_WORDS = 60  # of a text; longer ones are cut, so that a long premise does not decide


def nearest_phenomena(corrections: Sequence[Example]) -> list[tuple[str, float]]:
    """Return the phenomena that have a grammar with their probabilities for the corrections, the most likely first.

    Every correction has the same weight, however long it is: the mean over corrections is of the probabilities.
    """
    names = list(load_makers())
    if not corrections or not names:
        return []
    scores = np.array([[_score(name, example) for name in names] for example in corrections])
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares = (odds / odds.sum(axis=1, keepdims=True)).mean(axis=0)
    return sorted(((name, float(share)) for name, share in zip(names, shares, strict=True)), key=lambda pair: -pair[1])


def _score(name: str, example: Example) -> float:
    """Return the log-probability that a pair of a phenomenon has the features of a pair."""
    counts, total = _counted(name)
    return float(sum(np.log((counts[each] + _SMOOTHING) / (total + 1)) for each in set(features_of(example))))


@cache
def _counted(name: str) -> tuple[Counter[str], int]:
    """Return in how many pairs of a phenomenon each feature is, and the number of pairs."""
    train, validation = generate_parts(name, _TRAIN, _TRAIN // 4)
    counts = Counter(feature for example in (*train, *validation) for feature in set(features_of(example)))
    return counts, len(train) + len(validation)


def features_of(example: Example) -> Iterator[str]:
    """Yield the function words of both sides, and what was lost and gained from premise to hypothesis."""
    sides = [" ".join(words(text)[:_MAX_WORDS]) for text in (example.premise, example.hypothesis or "")]
    for side, text in zip(("premise", "hypothesis"), sides, strict=True):
        yield from (
            f"{side}: {word.text}" for word in read_words(words(text)) if word.pos not in CONTENT - {"negation"}
        )
    for span in read_spans(difference(*sides)):
        yield from (f"lost {word.pos}" for word in span.lost)
        yield from (f"gained {word.pos}" for word in span.gained)
        if not span.inserted:
            yield f"removed {min(len(span.removed), 4)}"

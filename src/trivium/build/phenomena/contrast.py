"""Pairs drawn from squares of premises and hypotheses, so that neither side alone gives away the label.

In a square, every premise has every label with exactly one hypothesis, and every hypothesis with exactly one premise.
With two labels:

                         Ben was praised.    Anna was praised.
    Anna praised Ben.    entailed            not-entailed
    Ben praised Anna.    not-entailed        entailed

The premise is drawn before the label is looked at, and a uniform choice of the premise makes that of the hypothesis
uniform as well. Both sides are thus distributed in the same way under each label, and a model that sees only one of
them cannot do better than chance.

Where there are no squares, the premise has a part for every label, about different people, and the hypothesis asks the
same about those of one part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from typing import TYPE_CHECKING, TypeVar

from trivium.build.phenomena import Pair
from trivium.build.phenomena.words import pick, sentence, sentences, shuffled
from trivium.data.labels import NLI2, NLI3, Labels

if TYPE_CHECKING:
    import numpy as np

P = TypeVar("P")
H = TypeVar("H")


def pick_from_square(
    label: str,
    rng: np.random.Generator,
    premises: Sequence[P],
    hypotheses: Sequence[H],
    label_of: Callable[[P, H], str | None],
    labels: Labels = NLI2,
) -> tuple[P, H] | None:
    """Return a pair with the label from a square of the given premises and hypotheses; None if there is no square.

    ``label_of`` returns the label of a premise and a hypothesis, or None if they must not be in a square together.
    """
    names = labels.names
    for rows in combinations(premises, len(names)):
        columns: dict[tuple[str | None, ...], list[H]] = defaultdict(list)
        for hypothesis in hypotheses:
            columns[tuple(label_of(premise, hypothesis) for premise in rows)].append(hypothesis)
        for rest in permutations(names[1:]):
            first = (names[0], *rest)
            square = [(*first[shift:], *first[:shift]) for shift in range(len(first))]
            if all(column in columns for column in square):
                row = int(rng.random() * len(rows))
                choices = [pick(rng, columns[column]) for column in square]
                return rows[row], next(h for column, h in zip(square, choices, strict=True) if column[row] == label)
    return None


def pick_match(label: str, rng: np.random.Generator, first: tuple[P, H], second: tuple[P, H]) -> tuple[P, H]:
    """Return the premise of one of two entailed pairs, with its own hypothesis or (not entailed) that of the other."""
    pairs = (first, second)
    row = int(rng.random() * 2)
    return pairs[row][0], pairs[row if label == NLI2.names[0] else 1 - row][1]


def join_parts(
    label: str,
    rng: np.random.Generator,
    draw: Callable[[str, int], tuple[Sequence[str], str]],
    labels: Labels = NLI3,
) -> Pair:
    """Return the premises of a part for every label, and the hypothesis of the part that has the label.

    ``draw`` takes a label and the number of the part, and returns premises and a hypothesis. Hypotheses must have the
    same form in all parts, and be about different things.
    """
    numbers = shuffled(rng, range(len(labels)))
    parts = {name: draw(name, number) for name, number in zip(labels.names, numbers, strict=True)}
    premises = [text for name in shuffled(rng, labels.names) for text in parts[name][0]]
    return Pair(sentences(premises), sentence(parts[label][1]))

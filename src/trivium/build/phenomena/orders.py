"""Chains of comparisons that determine the order of two things, or leave it open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations, product
from typing import TYPE_CHECKING, NamedTuple

from trivium.build.phenomena.words import pick, shuffled
from trivium.data.labels import Labels

if TYPE_CHECKING:
    import numpy as np

MORE, SAME, LESS, OPEN = "more", "same", "less", "open"
"""The relation of one thing to another: after it in the order, equal to it, before it, or undetermined."""

_SIGNS = {MORE: 1, SAME: 0, LESS: -1}


class Comparison(NamedTuple):
    """A statement that ``left`` is more than, the same as, or less than ``right``."""

    left: str
    relation: str
    right: str


def _path_signs(rng: np.random.Generator, order: str, length: int, ties: float) -> list[int]:
    """Draw signs of the comparisons along a path that together imply ``order`` between its ends."""
    if order == SAME:
        return [0] * length
    while True:
        signs = [0 if rng.random() < ties else 1 for _ in range(length)]
        if order == OPEN:
            signs = [sign if rng.random() < 0.5 else -sign for sign in signs]
            if 1 in signs and -1 in signs:
                return signs
        elif any(signs):
            return [sign * _SIGNS[order] for sign in signs]


def chain(rng: np.random.Generator, names: Sequence[str], order: str, ties: float = 0.25) -> list[Comparison]:
    """Return shuffled comparisons that imply the relation ``order`` between the first two names.

    A path leads from the first name to the second through one or two other names. Each remaining name is compared with
    a random name on the path. ``ties`` is the fraction of comparisons in which both things are equal.
    """
    inner = 1 + int(rng.random() * min(2, len(names) - 2))
    path = [names[0], *names[2 : 2 + inner], names[1]]
    signs = _path_signs(rng, order, len(path) - 1, ties)
    signed = [(left, sign, right) for left, right, sign in zip(path, path[1:], signs, strict=False)]
    for extra in names[2 + inner :]:
        sign = 0 if rng.random() < ties else (1 if rng.random() < 0.5 else -1)
        signed.append((extra, sign, pick(rng, path)))
    oriented = [(b, -sign, a) if rng.random() < 0.5 else (a, sign, b) for a, sign, b in signed]
    return [Comparison(a, {1: MORE, 0: SAME, -1: LESS}[sign], b) for a, sign, b in shuffled(rng, oriented)]


def pick_chain(
    rng: np.random.Generator,
    names: Sequence[str],
    label: str,
    label_of: Callable[[str], str],
    labels: Labels,
    ties: float = 0.25,
) -> tuple[list[Comparison], str, str]:
    """Return shuffled comparisons, and two of the names whose order has the label.

    ``label_of`` returns the label of an order. The comparisons are drawn before the label is looked at, and leave some
    two names for each label; neither they nor the names alone thus give away the label.
    """
    while True:
        comparisons = chain(rng, shuffled(rng, names), pick(rng, (MORE, OPEN)), ties)
        found: dict[str, list[tuple[str, str]]] = {name: [] for name in labels.names}
        for pair, order in _orders(names, comparisons).items():
            found[label_of(order)].append(pair)
        if all(found.values()):
            return comparisons, *pick(rng, found[label])


def _orders(names: Sequence[str], comparisons: Sequence[Comparison]) -> dict[tuple[str, str], str]:
    """Return the order of each two names that are not compared directly."""
    above = {(c.left, c.right): c.relation == MORE for c in comparisons if c.relation != LESS}
    above |= {(c.right, c.left): c.relation == LESS for c in comparisons if c.relation != MORE}
    direct = set(above) | {(right, left) for left, right in above}
    # The path from one name to another: whether it only goes down, and whether strictly.
    for middle, left, right in product(names, repeat=3):
        if left != right and (left, middle) in above and (middle, right) in above:
            strict = above[left, middle] or above[middle, right]
            above[left, right] = strict or above.get((left, right), False)
    return {
        (left, right): OPEN if not {(left, right), (right, left)} & set(above)
        else MORE if above.get((left, right)) else LESS if above.get((right, left)) else SAME
        for left, right in permutations(names, 2)
        if (left, right) not in direct
    }  # fmt: skip

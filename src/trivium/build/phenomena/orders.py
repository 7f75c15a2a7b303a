"""Chains of comparisons that determine the order of two things, or leave it open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from trivium.build.phenomena.words import pick, shuffled

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

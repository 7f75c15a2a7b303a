"""Chains of comparisons between things, of which the order of two things follows or does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from trivium.build.phenomena.words import pick, shuffled

MORE, SAME, LESS, OPEN = "more", "same", "less", "open"
"""How one thing stands to another: further along the order, level with it, before it, or nothing follows."""

_SIGNS = {MORE: 1, SAME: 0, LESS: -1}


class Step(NamedTuple):
    """One comparison: ``left`` is ``relation`` (more, same or less) compared with ``right``."""

    left: str
    relation: str
    right: str


def _path_signs(rng: np.random.Generator, order: str, length: int, level: float) -> list[int]:
    """The signs of the steps from one end of a path to the other, which together give the order of the ends."""
    if order == SAME:
        return [0] * length
    while True:
        signs = [0 if rng.random() < level else 1 for _ in range(length)]
        if order == OPEN:
            signs = [sign if rng.random() < 0.5 else -sign for sign in signs]
            if 1 in signs and -1 in signs:
                return signs
        elif any(signs):
            return [sign * _SIGNS[order] for sign in signs]


def chain(rng: np.random.Generator, names: Sequence[str], order: str, level: float = 0.25) -> list[Step]:
    """Comparisons between the names, in a random order, of which ``order`` follows for the first two.

    A path leads from the first name to the second over one or two of the others; the rest hang on it somewhere.
    ``level`` is the share of steps that say that two things are level.
    """
    inner = 1 + int(rng.random() * min(2, len(names) - 2))
    path = [names[0], *names[2 : 2 + inner], names[1]]
    signs = _path_signs(rng, order, len(path) - 1, level)
    steps = [(left, sign, right) for left, right, sign in zip(path, path[1:], signs, strict=False)]
    for extra in names[2 + inner :]:
        sign = 0 if rng.random() < level else (1 if rng.random() < 0.5 else -1)
        steps.append((extra, sign, pick(rng, path)))
    turned = [(b, -sign, a) if rng.random() < 0.5 else (a, sign, b) for a, sign, b in steps]
    return [Step(a, {1: MORE, 0: SAME, -1: LESS}[sign], b) for a, sign, b in shuffled(rng, turned)]

"""Examples of the phenomena that rules govern, made by grammars of Trivium's own: one file for a few related ones.

A maker gets a label and a generator of random numbers, and gives one pair of that label:

    @maker("negat")
    def negation(label: str, rng: np.random.Generator) -> Pair: ...
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from trivium.data.example import Example
from trivium.data.labels import NLI2, Labels
from trivium.data.phenomena import PHENOMENA, Phenomenon
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.registry import Registry
from trivium.seeds import stream

_TRIES = 200
_FEWEST = 40


class Pair(NamedTuple):
    """A premise and a hypothesis."""

    premise: str
    hypothesis: str


Maker = Callable[[str, np.random.Generator], Pair]
MAKERS: Registry[Maker] = Registry("phenomenon that can be made")
maker = MAKERS.register


def find_makers() -> Registry[Maker]:
    """The registry with every maker that ships with Trivium in it."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return MAKERS


@lru_cache(maxsize=64)
def make_parts(name: str, train: int, validation: int, seed: int = 0) -> tuple[Split, Split]:
    """So many examples of a phenomenon to train on and to validate with, the labels in turn, no pair twice.

    A maker that has fewer gives what it has, a fifth of it to validate with.
    """
    phenomenon = PHENOMENA[name]
    labels = phenomenon.labels
    made = _different(find_makers()[name], labels, train + validation, stream(seed, "data", "phenomenon", name))
    if len(made) < _FEWEST:
        raise UserError(f"{name}: its maker gives {len(made)} different examples, and at least {_FEWEST} are needed")
    if len(made) < train + validation:
        validation = len(made) // 5
    examples = [
        Example.make(f"{name}-{number}", pair.premise, pair.hypothesis, label, phenomenon=name)
        for number, (pair, label) in enumerate(made.items(), 1)
    ]
    return (
        Split("train", tuple(examples[validation:]), labels),
        Split("validation", tuple(examples[:validation]), labels),
    )


def _different(make: Maker, labels: Labels, number: int, rng: np.random.Generator) -> dict[Pair, str]:
    """Different pairs with their labels; fewer, if no new one of a label can be found."""
    made: dict[Pair, str] = {}
    while len(made) < number:
        label = labels.names[len(made) % len(labels)]
        tries = (make(label, rng) for _ in range(_TRIES))
        found = next((pair for pair in tries if pair not in made), None)
        if found is None:
            break
        made[found] = label
    return made


def phenomenon(name: str, *, title: str, category: str, about: str, labels: Labels = NLI2) -> Callable[[Maker], Maker]:
    """Register a phenomenon of your own together with the function that makes its pairs.

    ``category`` is one of :data:`trivium.data.phenomena.CATEGORIES`; ``about`` says in a few words what is asked.
    """

    def register(make: Maker) -> Maker:
        PHENOMENA.register(name)(Phenomenon(name, title, category, about, labels=labels))
        return maker(name)(make)

    return register

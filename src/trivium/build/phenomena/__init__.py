"""Generate examples of rule-governed phenomena. Each file has the makers of related phenomena.

A maker takes a label and a random generator, and returns a pair with that label:

    @maker("negat")
    def negation(label: str, rng: np.random.Generator) -> Pair: ...
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from trivium.data.example import Example
from trivium.data.labels import NLI2, Labels
from trivium.data.phenomena import PHENOMENA, Phenomenon
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.registry import Registry, import_modules
from trivium.seeds import stream

if TYPE_CHECKING:
    import numpy as np

_MAX_TRIES = 200
_MIN_EXAMPLES = 40


class Pair(NamedTuple):
    """A premise and a hypothesis."""

    premise: str
    hypothesis: str


Maker = Callable[[str, "np.random.Generator"], Pair]
MAKERS: Registry[Maker] = Registry("phenomenon maker")
maker = MAKERS.register


@cache
def load_makers() -> Registry[Maker]:
    """Import every maker that ships with Trivium and return the registry."""
    import_modules(__name__)
    return MAKERS


@lru_cache(maxsize=64)
def generate_parts(name: str, train: int, validation: int, seed: int = 0) -> tuple[Split, Split]:
    """Generate distinct training and validation examples of a phenomenon, with alternating labels.

    ``train`` and ``validation`` are the requested numbers. If the maker cannot produce enough different pairs, a fifth
    of those it produces becomes the validation split.
    """
    phenomenon = PHENOMENA[name]
    labels = phenomenon.labels
    pairs = _distinct_pairs(load_makers()[name], labels, train + validation, stream(seed, "data", "phenomenon", name))
    if len(pairs) < _MIN_EXAMPLES:
        raise UserError(
            f"phenomenon {name!r}: its maker produces only {len(pairs)} different pairs, but at least {_MIN_EXAMPLES} "
            "are needed: add words to choose from"
        )
    if len(pairs) < train + validation:
        validation = len(pairs) // 5
    examples = [
        Example.make(f"{name}-{number}", pair.premise, pair.hypothesis, label, phenomenon=name)
        for number, (pair, label) in enumerate(pairs.items(), 1)
    ]
    return (
        Split("train", tuple(examples[validation:]), labels),
        Split("validation", tuple(examples[:validation]), labels),
    )


def _distinct_pairs(make: Maker, labels: Labels, number: int, rng: np.random.Generator) -> dict[Pair, str]:
    """Return up to ``number`` different pairs with their labels; fewer if the maker finds no new ones."""
    pairs: dict[Pair, str] = {}
    while len(pairs) < number:
        label = labels.names[len(pairs) % len(labels)]
        candidates = (make(label, rng) for _ in range(_MAX_TRIES))
        new = next((pair for pair in candidates if pair not in pairs), None)
        if new is None:
            break
        pairs[new] = label
    return pairs


def phenomenon(name: str, *, title: str, category: str, about: str, labels: Labels = NLI2) -> Callable[[Maker], Maker]:
    """Register a new phenomenon together with its maker, the decorated function.

    ``category`` is one of :data:`trivium.data.phenomena.CATEGORIES`; ``about`` describes it in a few words.
    """

    def register(make: Maker) -> Maker:
        PHENOMENA.register(name)(Phenomenon(name, title, category, about, labels=labels))
        return maker(name)(make)

    return register

"""Pairs of the grammars of the phenomena that test a kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trivium.build.lessons.generation import Request, generator
from trivium.build.lessons.kinds import phenomena_of
from trivium.build.lessons.scenes import Draft
from trivium.build.phenomena import load_makers
from trivium.build.phenomena.words import pick
from trivium.data.labels import NLI2, NLI3
from trivium.data.phenomena import PHENOMENA

if TYPE_CHECKING:
    import numpy as np


@generator("grammars", about="pairs of the grammars of the phenomena that test the kind")
def grammars(request: Request, rng: np.random.Generator) -> Iterator[Draft]:
    """Yield pairs with the labels of the phenomena; two-way labels only for a model that has them."""
    makers = load_makers()
    usable = (NLI3,) if request.labels == NLI3 else (NLI2, NLI3)
    names = [name for name in phenomena_of(request.kind) if name in makers and PHENOMENA[name].labels in usable]
    while names:
        name = pick(rng, names)
        for label in PHENOMENA[name].labels.names:
            pair = makers[name](label, rng)
            yield Draft(pair.premise, pair.hypothesis, label, f"grammar of {name}")

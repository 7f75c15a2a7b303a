"""The source that is always there: pairs in the style of SICK, made by a grammar of Trivium's own.

Each premise is a plain sentence on a person or an animal that does something, and occurs once with each label.
``words`` knows which words mean the same or exclude each other, ``kinds`` and ``activities`` what can be said
together; ``grammar`` draws a scene, ``edits`` change it, ``scene`` puts it into sentences; ``entailment``, ``neutral``
and ``contradiction`` are the rules that make pairs of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.data.sources import source
from trivium.data.sources.builtin import contradiction, entailment, neutral
from trivium.data.sources.builtin.grammar import choose, draw
from trivium.data.sources.builtin.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, Pair, Rule
from trivium.data.sources.builtin.scene import Scene, affirmed
from trivium.data.split import Split
from trivium.errors import UserError

RULES: dict[str, tuple[Rule, ...]] = {
    ENTAILMENT: entailment.RULES,
    NEUTRAL: neutral.RULES,
    CONTRADICTION: contradiction.RULES,
}
"""The rules by the label of the pairs that they make."""

_MOST = 100_000


@source("builtin")
@dataclass(frozen=True)
class Builtin:
    """Natural pairs made by a grammar: ``pairs`` of them, all different, as many of each label as can be."""

    pairs: int = 3000
    seed: int = 0
    about: ClassVar[str] = "natural NLI pairs in the style of SICK, made by Trivium's own grammar; nothing to download"

    def is_there(self) -> bool:
        """Always: it needs no files."""
        return True

    def load(self) -> Split:
        """The pairs for the seed, in the order in which they are made."""
        if not 1 <= self.pairs <= _MOST:
            raise UserError(f"builtin: pairs must be from 1 to {_MOST}, not {self.pairs}")
        rng = np.random.default_rng([self.seed, *b"builtin"])
        width = max(4, len(str(self.pairs)))
        examples = []
        for number, pair in zip(range(1, self.pairs + 1), _made(rng), strict=False):
            examples.append(_example(f"builtin-{number:0{width}}", pair))
        return Split("builtin", tuple(examples), NLI3)


def _made(rng: np.random.Generator) -> Iterator[Pair]:
    """Pairs without end: for each new scene one of each label, so that a premise alone tells nothing."""
    premises: set[str] = set()
    while True:
        scene = draw(rng)
        if affirmed(scene) in premises:
            continue
        pairs = [_pair(rng, scene, rules) for rules in RULES.values()]
        found = [pair for pair in pairs if pair is not None]
        if len(found) == len(pairs):
            premises.add(affirmed(scene))
            yield from found


def _pair(rng: np.random.Generator, scene: Scene, rules: tuple[Rule, ...]) -> Pair | None:
    """A pair of the first rule that can use the scene; rules of more weight tend to be asked earlier."""
    weights = np.array([rule.weight for rule in rules])
    order: list[int] = np.argsort(rng.exponential(size=len(rules)) / weights).tolist()
    for index in order:
        pairs = [pair for pair in rules[index].make(scene) if pair.hypothesis != pair.premise]
        if pairs:
            slot = choose(rng, list(dict.fromkeys(pair.slot for pair in pairs)))
            return choose(rng, [pair for pair in pairs if pair.slot == slot])
    return None


def _example(id: str, pair: Pair) -> Example:
    return Example.make(
        id,
        pair.premise,
        pair.hypothesis,
        pair.label,
        task="natural",
        relation=pair.relation,
        slot=pair.slot,
        words=pair.words,
        complement="yes" if pair.complement else "no",
    )

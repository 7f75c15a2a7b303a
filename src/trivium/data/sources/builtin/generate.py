"""Generate pairs: draw a scene, and build one pair of each label from it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import cache
from itertools import islice

import numpy as np

from trivium.data.sources.builtin import contradiction, entailment, neutral
from trivium.data.sources.builtin.grammar import choose, draw_scene
from trivium.data.sources.builtin.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, Pair, Rule
from trivium.data.sources.builtin.recorded import FILE, PAIRS, SEED, generated_pairs
from trivium.data.sources.builtin.scene import Scene, affirmed

RULES: dict[str, tuple[Rule, ...]] = {
    ENTAILMENT: entailment.RULES,
    NEUTRAL: neutral.RULES,
    CONTRADICTION: contradiction.RULES,
}
"""The rules by the label of the pairs that they build."""


def generate_pairs(rng: np.random.Generator) -> Iterator[Pair]:
    """Yield pairs forever. Each premise occurs once with each label, so that it does not predict the label."""
    premises: set[str] = set()
    while True:
        scene = draw_scene(rng)
        if affirmed(scene) in premises:
            continue
        candidates = [_pair(rng, scene, rules) for rules in RULES.values()]
        pairs = [pair for pair in candidates if pair is not None]
        if len(pairs) == len(RULES):
            premises.add(affirmed(scene))
            yield from pairs


def _pair(rng: np.random.Generator, scene: Scene, rules: tuple[Rule, ...]) -> Pair | None:
    """Return a pair by a random rule that applies to the scene, or None. Rules with more weight are more likely."""
    order: list[int] = np.argsort(rng.exponential(size=len(rules)) / _weights(rules)).tolist()
    for index in order:
        pairs = [pair for pair in rules[index].make(scene) if pair.hypothesis != pair.premise]
        if pairs:
            slot = choose(rng, list(dict.fromkeys(pair.slot for pair in pairs)))
            return choose(rng, [pair for pair in pairs if pair.slot == slot])
    return None


@cache
def _weights(rules: tuple[Rule, ...]) -> np.ndarray:
    return np.array([rule.weight for rule in rules])


def record() -> None:
    """Write the file of recorded pairs."""
    pairs = islice(generated_pairs(SEED), PAIRS)
    lines = ("\t".join((*texts, "yes" if complement else "no")) + "\n" for *texts, complement in pairs)
    FILE.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    record()

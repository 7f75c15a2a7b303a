"""The episodic memory: a few examples of earlier stages, and how they are selected."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from trivium.data.example import Example

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Memory:
    """Examples kept from earlier stages.

    ``stages`` has the number of each example's stage, counted from 1. ``passed`` is the number of finished stages, and
    ``seen`` the number of their examples.
    """

    examples: tuple[Example, ...] = ()
    stages: tuple[int, ...] = ()
    passed: int = 0
    seen: int = 0

    def __len__(self) -> int:
        return len(self.examples)

    @classmethod
    def of(cls, stages: Sequence[Sequence[Example]]) -> Memory:
        """Return a memory with all examples of earlier stages."""
        kept = [(example, number) for number, stage in enumerate(stages, 1) for example in stage]
        return _memory(kept, len(stages), len(kept))

    def with_stage(self, stage: Sequence[Example], kept: Sequence[Example]) -> Memory:
        """Return the memory after a stage: what it held before, and the examples ``kept`` of the stage.

        >>> stage = [Example.make(str(number), "A dog barks.", "An animal barks.", "entailment") for number in range(9)]
        >>> memory = Memory().with_stage(stage, stage[:2])
        >>> len(memory), memory.passed, memory.seen
        (2, 1, 9)
        """
        number = self.passed + 1
        return Memory((*self.examples, *kept), (*self.stages, *(number for _ in kept)), number, self.seen + len(stage))

    def draw(self, number: int, rng: np.random.Generator) -> list[Example]:
        """Return up to ``number`` different examples, drawn at random."""
        chosen = rng.choice(len(self.examples), size=min(number, len(self.examples)), replace=False)
        return [self.examples[i] for i in chosen]

    def write(self, path: Path) -> None:
        """Write a JSON file."""
        plain = {
            "examples": [example.to_json() for example in self.examples],
            "stages": self.stages,
            "passed": self.passed,
            "seen": self.seen,
        }
        path.write_text(json.dumps(plain, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Memory:
        """Read a file that :meth:`write` wrote."""
        plain = json.loads(path.read_text(encoding="utf-8"))
        examples = tuple(Example.from_json(example) for example in plain["examples"])
        return cls(examples, tuple(plain["stages"]), plain["passed"], plain["seen"])


def reservoir(memory: Memory, stage: Sequence[Example], size: int, rng: np.random.Generator) -> Memory:
    """Return the memory after a stage by reservoir sampling (Vitter, 1985).

    Every example seen so far is in it with the same probability: the n-th enters with probability size/n and replaces
    a random one.

    >>> import numpy as np
    >>> stage = [Example.make(str(number), "A dog barks.", "An animal barks.", "entailment") for number in range(9)]
    >>> memory = reservoir(Memory(), stage, 4, np.random.default_rng(0))
    >>> len(memory), memory.seen
    (4, 9)
    """
    number = memory.passed + 1
    kept = list(zip(memory.examples, memory.stages, strict=True))
    seen = memory.seen
    for example in stage:
        seen += 1
        if len(kept) < size:
            kept.append((example, number))
        elif (index := int(rng.integers(seen))) < size:
            kept[index] = (example, number)
    return _memory(kept, number, seen)


def equal_shares(memory: Memory, stage: Sequence[Example], size: int, rng: np.random.Generator) -> Memory:
    """Return the memory after a stage with an equal share, drawn at random, for every stage so far.

    If the size is not divisible by the number of stages, the earlier stages hold one example more.
    """
    number = memory.passed + 1
    kept: list[tuple[Example, int]] = []
    for earlier in range(1, number + 1):
        share = size // number + (earlier <= size % number)
        if earlier == number:
            held = [(example, number) for example in stage]
        else:
            held = [(e, s) for e, s in zip(memory.examples, memory.stages, strict=True) if s == earlier]
        order = rng.permutation(len(held))[:share]
        kept += [held[i] for i in sorted(order)]
    return _memory(kept, number, memory.seen + len(stage))


def _memory(kept: Sequence[tuple[Example, int]], passed: int, seen: int) -> Memory:
    return Memory(tuple(example for example, _ in kept), tuple(stage for _, stage in kept), passed, seen)

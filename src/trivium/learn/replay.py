"""What strategies with a reservoir share: it is filled after each stage, or batch by batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from trivium.data.example import Example
from trivium.learn.memory import Memory, reservoir
from trivium.learn.strategy import Positive, Strategy, later

if TYPE_CHECKING:
    import numpy as np
    from torch import Tensor

    from trivium.learn.learner import Learner


class OnlineMemory:
    """A reservoir that the examples of a stage enter batch by batch, so that it soon holds some of the stage itself.

    An example counts as often as it is trained on. ``memory`` is the reservoir before the stage.
    """

    def __init__(self, memory: Memory, stage: Sequence[Example], size: int) -> None:
        self._before = memory
        self._known = (*memory.examples, *stage)
        self._index = {example: len(memory) + number for number, example in enumerate(stage)}
        self._slots = list(range(len(memory)))
        self._seen = memory.seen
        self._size = size

    def __len__(self) -> int:
        return len(self._slots)

    def current(self) -> Memory:
        """Return what is remembered now."""
        before, number = self._before, self._before.passed + 1
        stages = tuple(before.stages[slot] if slot < len(before) else number for slot in self._slots)
        return Memory(tuple(self._known[slot] for slot in self._slots), stages, number, self._seen)

    def draw(self, number: int, rng: np.random.Generator) -> list[Example]:
        """Return up to ``number`` different examples, drawn at random."""
        return self.current().draw(number, rng)

    def add(self, batch: Sequence[Example], rng: np.random.Generator) -> None:
        """Let a batch enter: the n-th example of all stages does with probability size/n, and replaces a random one."""
        for example in batch:
            self._seen += 1
            if len(self._slots) < self._size:
                self._slots.append(self._index[example])
            elif (slot := int(rng.integers(self._seen))) < self._size:
                self._slots[slot] = self._index[example]

    def state_dict(self) -> dict[str, Tensor]:
        """Return the state as tensors, for a checkpoint."""
        import torch

        return {"slots": torch.tensor(self._slots, dtype=torch.long), "seen": torch.tensor(self._seen)}

    def load_state_dict(self, state: Mapping[str, Tensor]) -> None:
        """Continue from a state."""
        self._slots, self._seen = state["slots"].tolist(), int(state["seen"])


@dataclass(frozen=True)
class Replay(Strategy):
    """Remember a reservoir of ``memory_size`` examples, which keeps every earlier example with the same probability.

    With ``memory = "stage"`` a stage enters it when it is finished; with ``"online"`` every batch does as soon as it is
    trained on, as in the code of C²Gen's authors.
    """

    resumable = True
    given_examples_only = True
    memory_size: Positive = 100
    memory: Literal["stage", "online"] = later("stage")

    def begin_stage(self, learner: Learner, memory: Memory) -> Any:
        """Return the memory to draw from."""
        if self.memory == "stage":
            return memory
        learner.online = OnlineMemory(memory, learner.stage, self.memory_size)
        return learner.online

    def end_stage(self, learner: Learner, stage: Sequence[Example], memory: Memory) -> Memory:
        """Add the stage to the reservoir, unless its batches have entered already."""
        if isinstance(learner.online, OnlineMemory):
            return learner.online.current()
        passes = learner.train_config.epochs if self.memory == "online" else 1
        return reservoir(memory, [example for _ in range(passes) for example in stage], self.memory_size, learner.rng)


def remember(memory: Memory | OnlineMemory, batch: Sequence[Example], rng: np.random.Generator) -> None:
    """Let a batch that was trained on enter the memory, if that is filled online."""
    if isinstance(memory, OnlineMemory):
        memory.add(batch, rng)

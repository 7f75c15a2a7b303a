"""Early stopping: train until the accuracy on held-out examples no longer grows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from trivium.data.example import Example
from trivium.errors import UserError

if TYPE_CHECKING:
    from trivium.learn.learner import Learner


def hold_out(
    examples: Sequence[Example], share: float, rng: np.random.Generator
) -> tuple[list[Example], list[Example]]:
    """Return the examples to train on, and about ``share`` of them to decide when to stop.

    Examples with the same hypothesis, such as one pair under several verbs, are on the same side.
    """
    groups: dict[str, list[int]] = {}
    for index, example in enumerate(examples):
        groups.setdefault(example.hypothesis or example.premise, []).append(index)
    names = sorted(groups)
    held: set[int] = set()
    for number in rng.permutation(len(names)):
        if len(held) >= share * len(examples):
            break
        held.update(groups[names[number]])
    if not 0 < len(held) < len(examples):
        raise UserError(
            f"train.patience needs examples with different hypotheses to hold out: {len(examples)} examples of a stage "
            f"have {len(groups)}: set train.patience=0"
        )
    trained = [example for index, example in enumerate(examples) if index not in held]
    return trained, [examples[index] for index in sorted(held)]


def with_early_stopping(
    learner: Learner, examples: Sequence[Example], rng: np.random.Generator, dev: Sequence[Example] = ()
) -> tuple[Sequence[Example], EarlyStopping | None]:
    """Return the examples to train on, and what decides when to stop, if ``train.patience`` asks for it.

    With ``dev`` examples, none are held out, and the best of all epochs is taken even without patience.
    """
    config = learner.train_config
    if not examples or not (config.patience or dev):
        return examples, None
    trained, held_out = (examples, dev) if dev else hold_out(examples, config.held_out, rng)

    def score() -> float:
        accuracy = _accuracy(learner, held_out)
        learner.network.train()
        return accuracy

    return trained, EarlyStopping(learner.network, score, config.patience or config.epochs)


def _accuracy(learner: Learner, examples: Sequence[Example]) -> float:
    """Return the share of correct answers, averaged over the heads."""
    rows = [row for example in examples for row in example.rows()]
    shares = []
    for task, logits in learner.logits(examples).items():
        gold = [learner.labels.index(str(row.label)) for row in rows if row.task == task]
        shares.append(float((logits.argmax(axis=1) == np.array(gold)).mean()))
    return float(np.mean(shares))


@dataclass
class EarlyStopping:
    """Scores a network after each epoch, and keeps the weights of the best one.

    ``score`` returns the accuracy on held-out examples. ``patience`` is how many epochs may pass without a better one.
    """

    network: nn.Module
    score: Callable[[], float]
    patience: int
    history: list[float] = field(default_factory=list)
    best: dict[str, Tensor] = field(default_factory=dict)

    def is_over(self) -> bool:
        """Score the network at the end of an epoch, and return whether training has gone on for long enough."""
        self.history.append(self.score())
        best = int(np.argmax(self.history))  # the first of equal ones
        if best == len(self.history) - 1:
            self.best = {name: parameter.detach().clone() for name, parameter in self._parameters()}
        return len(self.history) - 1 - best >= self.patience

    def restore_best(self) -> None:
        """Give the network the weights of its best epoch."""
        with torch.no_grad():
            for name, parameter in self._parameters():
                parameter.copy_(self.best[name])

    def state_dict(self) -> dict[str, Tensor]:
        """Return the state as tensors, for a checkpoint."""
        return {"history": torch.tensor(self.history, dtype=torch.float64)} | {
            f"best.{name}": tensor for name, tensor in self.best.items()
        }

    def load_state_dict(self, state: dict[str, Tensor]) -> None:
        """Continue from a state."""
        self.history = state["history"].tolist()
        self.best = {name.removeprefix("best."): t for name, t in state.items() if name.startswith("best.")}

    def _parameters(self) -> list[tuple[str, nn.Parameter]]:
        return [(name, parameter) for name, parameter in self.network.named_parameters() if parameter.requires_grad]

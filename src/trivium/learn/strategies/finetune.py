"""Plain fine-tuning: one stage after another, without a memory."""

from __future__ import annotations

from dataclasses import dataclass

from trivium.learn.strategy import Strategy, strategy


@strategy("finetune")
@dataclass(frozen=True)
class FineTune(Strategy):
    """Train each stage on its own data: the baseline that forgets."""

    for_corrections = True
    title = "Fine-tuning"

"""A fine-tuning step of ``transformers.Trainer`` with dynamic padding, on given batches."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any

import operators  # noqa: F401 - before transformers
import torch
from serving import serve
from torch.utils.data import SequentialSampler
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    DataCollatorWithPadding,
    Trainer,
    TrainerCallback,
    TrainingArguments,
)


class InOrder(Trainer):
    """A trainer that takes the examples as they come."""

    def _get_train_sampler(self, *_: Any) -> SequentialSampler:
        return SequentialSampler(self.train_dataset)


class Losses(TrainerCallback):
    """Keeps the loss of every step."""

    def __init__(self) -> None:
        self.values: list[float] = []

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, float], **_: Any) -> None:
        if "loss" in logs:
            self.values.append(float(logs["loss"]))


def set_up(work: dict[str, Any]) -> Callable[[int], Callable[[], Any]]:
    torch.set_num_threads(1)
    tokenizer = AutoTokenizer.from_pretrained(work["model"])
    model = AutoModelForSequenceClassification.from_pretrained(work["model"])
    folder = tempfile.mkdtemp()
    settings = TrainingArguments(
        folder,
        per_device_train_batch_size=work["batch"],
        num_train_epochs=1,
        learning_rate=work["rate"],
        lr_scheduler_type="constant",
        weight_decay=0.0,
        max_grad_norm=1.0,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
    )

    def prepare(round_: int) -> Callable[[], Any]:
        losses = Losses()

        def run() -> list[float]:
            # Tokenizing is part of the work, as it is on the other side.
            data = [
                {**tokenizer(premise, hypothesis, truncation=True, max_length=128), "labels": label}
                for premise, hypothesis, label in work["rounds"][round_]
            ]
            trainer.train_dataset = data
            trainer.train()
            return losses.values

        trainer = InOrder(
            model,
            settings,
            train_dataset=[{"input_ids": [0], "labels": 0}],
            data_collator=DataCollatorWithPadding(tokenizer),
            callbacks=[losses],
        )
        return run

    return prepare


if __name__ == "__main__":
    serve(set_up)

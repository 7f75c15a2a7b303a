"""C²Gen the way it is published, in plain torch: the reference for a training step and for predicting.

The composed pair and its two primitives pass through the encoder one after another, each padded to 128 tokens, and the
optimizer is AdamW as torch makes it by default. ``MODE`` is ``train`` or ``predict``. Predicting pads to the batch and
sorts by length as Trivium does, but computes every row, also those that are equal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import torch
from serving import serve
from torch import nn
from torch.nn.functional import cross_entropy
from transformers import AutoModel, AutoTokenizer

LABELS = ("entailment", "neutral", "contradiction")
TASKS = ("composed", "veridical", "natural")
LENGTH, CLIP, PREDICT_BATCH = 128, 1.0, 64


class Network(nn.Module):
    """An encoder with a linear head for each task."""

    def __init__(self, folder: str, heads: dict[str, Any]) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(folder, add_pooling_layer=False)
        self.heads = nn.ModuleDict({task: nn.Linear(self.encoder.config.hidden_size, len(LABELS)) for task in TASKS})
        for task, values in heads.items():
            self.heads[task].load_state_dict({name: torch.tensor(value) for name, value in values.items()})

    def forward(self, task: str, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return the logits of a task for a batch."""
        return self.heads[task](self.encoder(**inputs).last_hidden_state[:, 0])


def rows_of(example: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for task in TASKS for row in (example, *example.get("parts", ())) if row.get("task") == task]


def set_up(work: dict[str, Any]) -> Callable[[int], Callable[[], Any]]:
    torch.set_num_threads(1)
    tokenizer = AutoTokenizer.from_pretrained(work["model"])
    network = Network(work["model"], work["heads"])
    if sys.argv[1] == "predict":
        return lambda round_: lambda: predict_stages(network.eval(), tokenizer, work["rounds"][round_], work["stages"])
    return lambda round_: lambda: train(network.train(), tokenizer, work["rounds"][round_], work)


def train(network: Network, tokenizer: Any, examples: list[dict[str, Any]], work: dict[str, Any]) -> list[float]:
    """Return the loss of each step of an epoch."""
    optimizer = torch.optim.AdamW(network.parameters(), lr=work["rate"], weight_decay=0.0)
    losses = []
    for start in range(0, len(examples), work["batch"]):
        rows = [row for example in examples[start : start + work["batch"]] for row in rows_of(example)]
        optimizer.zero_grad()
        loss = torch.zeros(())
        for task in TASKS:
            batch = [row for row in rows if row["task"] == task]
            texts = [row["premise"] for row in batch], [row["hypothesis"] for row in batch]
            inputs = tokenizer(*texts, padding="max_length", truncation=True, max_length=LENGTH, return_tensors="pt")
            gold = torch.tensor([LABELS.index(row["label"]) for row in batch])
            loss = loss + cross_entropy(network(task, dict(inputs)), gold)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), CLIP)
        optimizer.step()
        losses.append(loss.item())
    return losses


def predict_stages(network: Network, tokenizer: Any, examples: list[dict[str, Any]], stages: int) -> list[float]:
    """Return the sums of the logits after each stage. A stage changes the last layer, as if it had trained it."""
    totals = []
    for _ in range(stages):
        with torch.no_grad():
            network.encoder.encoder.layer[-1].output.dense.weight.mul_(1.01)
        totals += predict(network, tokenizer, examples)
    return totals


def predict(network: Network, tokenizer: Any, examples: list[dict[str, Any]]) -> list[float]:
    """Return the sum of the logits of each task, after computing those of every row."""
    totals = []
    for task in TASKS:
        rows = [row for example in examples for row in rows_of(example) if row["task"] == task]
        encoded = [tokenizer(row["premise"], row["hypothesis"], truncation=True, max_length=LENGTH) for row in rows]
        encoded.sort(key=lambda row: len(row["input_ids"]))
        total = 0.0
        for start in range(0, len(encoded), PREDICT_BATCH):
            batch = tokenizer.pad(encoded[start : start + PREDICT_BATCH], return_tensors="pt")
            with torch.no_grad():
                total += float(network(task, dict(batch)).abs().sum())
        totals.append(total)
    return totals


if __name__ == "__main__":
    serve(set_up)

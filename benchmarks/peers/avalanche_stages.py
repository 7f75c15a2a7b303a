"""A stage trained with a strategy of Avalanche 0.6. The first round trains the stage that fills the memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import operators  # noqa: F401 - before Avalanche
import torch
from avalanche.benchmarks import benchmark_from_datasets
from avalanche.benchmarks.utils import AvalancheDataset, DataAttribute
from avalanche.training.plugins import AGEMPlugin, EvaluationPlugin, MASPlugin, MIRPlugin, ReplayPlugin
from avalanche.training.supervised import DER, Naive
from serving import serve
from transformers import AutoModelForSequenceClassification, AutoTokenizer


class Network(torch.nn.Module):
    """A classifier whose input is one tensor: token ids, mask and types, of which it reads the longest row's length."""

    def __init__(self, folder: str) -> None:
        super().__init__()
        self.model = AutoModelForSequenceClassification.from_pretrained(folder)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return the logits."""
        length = int(inputs[:, 1].sum(1).max())
        ids, mask, types = inputs[:, :, :length].unbind(1)
        return self.model(input_ids=ids, attention_mask=mask, token_type_ids=types).logits


def plugins(name: str, batch: int, memory: int, candidates: int) -> list[Any]:
    return {
        "er-res": lambda: [ReplayPlugin(mem_size=memory, batch_size_mem=batch)],
        "agem": lambda: [AGEMPlugin(patterns_per_experience=memory, sample_size=batch)],
        "er-mir": lambda: [MIRPlugin(batch_size_mem=batch, mem_size=memory, subsample=candidates * batch)],
        "kd": list,
        "mas": lambda: [MASPlugin()],
    }[name]()


def set_up(work: dict[str, Any]) -> Callable[[int], Callable[[], Any]]:
    torch.set_num_threads(1)
    tokenizer = AutoTokenizer.from_pretrained(work["model"])
    length = max(len(tokenizer(*pair[:2])["input_ids"]) for pairs in work["rounds"] for pair in pairs)
    stages = benchmark_from_datasets(train=[dataset(tokenizer, pairs, length) for pairs in work["rounds"]])
    network = Network(work["model"])
    batch, name = work["batch"], work["strategy"]
    options: dict[str, Any] = {
        "model": network,
        "optimizer": torch.optim.AdamW(network.parameters(), lr=work["rate"], weight_decay=0.0),
        "train_mb_size": batch,
        "evaluator": EvaluationPlugin(),
    }
    if name == "kd":
        strategy = DER(mem_size=work["memory"], batch_size_mem=batch, alpha=1.0, beta=0.0, **options)
    else:
        strategy = Naive(plugins=plugins(name, batch, work["memory"], work["candidates"]), **options)

    def prepare(round_: int) -> Callable[[], Any]:
        experience = stages.train_stream[round_]
        return lambda: strategy.train(experience, shuffle=False) and None

    return prepare


def dataset(tokenizer: Any, pairs: list[list[Any]], length: int) -> Any:
    texts = [premise for premise, _, _ in pairs], [hypothesis for _, hypothesis, _ in pairs]
    tokens = tokenizer(*texts, padding="max_length", truncation=True, max_length=length, return_tensors="pt")
    inputs = torch.stack([tokens["input_ids"], tokens["attention_mask"], tokens["token_type_ids"]], dim=1)
    labels = [label for _, _, label in pairs]
    rows = torch.utils.data.TensorDataset(inputs, torch.tensor(labels))
    attributes = [DataAttribute(labels, "targets"), DataAttribute([0] * len(labels), "targets_task_labels", True)]
    return AvalancheDataset([rows], data_attributes=attributes)


if __name__ == "__main__":
    serve(set_up)

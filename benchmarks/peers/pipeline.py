"""Predictions of ``transformers.pipeline`` with batches of 64: the logits of every pair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import operators  # noqa: F401 - before transformers
import torch
from serving import serve
from transformers import pipeline


def set_up(work: dict[str, Any]) -> Callable[[int], Callable[[], Any]]:
    torch.set_num_threads(1)
    classify = pipeline("text-classification", model=work["model"], device="cpu")
    order = [classify.model.config.id2label[index] for index in range(3)]

    def run(pairs: list[list[str]]) -> list[list[float]]:
        texts = [{"text": premise, "text_pair": hypothesis} for premise, hypothesis, _ in pairs]
        outputs = classify(texts, batch_size=64, top_k=None, function_to_apply="none", truncation=True, max_length=128)
        scores = [{output["label"]: output["score"] for output in each} for each in outputs]
        return [[each[label] for label in order] for each in scores]

    return lambda round_: lambda: run(work["rounds"][round_])


if __name__ == "__main__":
    serve(set_up)

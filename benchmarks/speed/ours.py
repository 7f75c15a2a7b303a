"""Trivium's side of the comparisons, run as a process: ``python ours.py MODE WORK``.

Uses the public API alone, so that it also runs with an earlier commit on the path.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from serving import serve  # benchmarks/peers is on the path

Run = Callable[[], Any]
LABELS = ("entailment", "neutral", "contradiction")
TASKS = ("composed", "veridical", "natural")


def main() -> None:
    modes: dict[str, Callable[[dict[str, Any]], Callable[[int], Run]]] = {
        "c2gen-step": c2gen_step,
        "predict-fold": predict_fold,
        "finetune-step": finetune_step,
        "stage": stage,
        "predict": lambda work: predict(work, None),
        "predict-bf16": lambda work: predict(work, "bf16"),
        "predict-int8": lambda work: predict(work, "int8"),
        "compose": compose,
        "knn": knn,
        "prototypes": prototypes,
    }
    serve(modes[sys.argv[1]])


def shuffled_back(items: list[Any], number: int) -> list[Any]:
    """Return the items in an order that the shuffling of the stage with this number turns into the given one."""
    from trivium.seeds import stream

    placed = [None] * len(items)
    for item, index in zip(items, stream(0, "train", number).permutation(len(items)), strict=True):
        placed[index] = item
    return placed


def pair_examples(pairs: list[list[Any]]) -> list[Any]:
    from trivium.data.example import Example

    return [Example(str(n), premise, hypothesis, LABELS[label]) for n, (premise, hypothesis, label) in enumerate(pairs)]


def train_config(work: dict[str, Any]) -> Any:
    from trivium.learn.config import TrainConfig

    rate, batch = work["rate"], work["batch"]
    return TrainConfig(learning_rate=rate, batch_size=batch, epochs=1, threads=1, frozen=work.get("frozen", "nothing"))


def c2gen_learner(work: dict[str, Any]) -> Any:
    import torch

    from trivium.learn.config import ModelConfig
    from trivium.learn.learner import Learner

    torch.set_num_threads(1)
    learner = Learner(ModelConfig(name=work["model"], dropout=0.0), tasks=TASKS, train=train_config(work))
    heads: Any = learner.network.heads
    for task, values in work["heads"].items():
        heads[task].load_state_dict({name: torch.tensor(value) for name, value in values.items()})
    return learner


def c2gen_step(work: dict[str, Any]) -> Callable[[int], Run]:
    from trivium.data.example import Example

    learner = c2gen_learner(work)

    def prepare(round_: int) -> Run:
        examples = [Example.from_json(plain) for plain in work["rounds"][round_]]
        placed = shuffled_back(examples, learner.stages_fitted + 1)
        return lambda: learner.fit(placed).loss_history.tolist()

    return prepare


def predict_fold(work: dict[str, Any]) -> Callable[[int], Run]:
    import torch

    from trivium.data.example import Example

    learner = c2gen_learner(work)

    def prepare(round_: int) -> Run:
        examples = [Example.from_json(plain) for plain in work["rounds"][round_]]

        def run() -> list[float]:
            totals = []
            for _ in range(work["stages"]):
                with torch.no_grad():
                    learner.network.reader.encoder.layer[-1].output.dense.weight.mul_(1.01)
                logits = learner.logits(examples)
                totals += [float(abs(logits[task]).sum()) for task in TASKS]
            return totals

        return run

    return prepare


def finetune_step(work: dict[str, Any]) -> Callable[[int], Run]:
    from trivium.learn.learner import Learner

    learner = Learner.from_pretrained(work["model"], train=train_config(work))

    def prepare(round_: int) -> Run:
        placed = shuffled_back(pair_examples(work["rounds"][round_]), learner.stages_fitted + 1)
        return lambda: learner.fit(placed).loss_history.tolist()

    return prepare


def stage(work: dict[str, Any]) -> Callable[[int], Run]:
    from trivium.learn.learner import Learner

    learner = Learner.from_pretrained(work["model"], train=train_config(work))
    settings = {
        "er-mir": {"memory_size": work["memory"], "candidates": work["candidates"]},
        "mas": {"measured_on": "memory"},
    }.get(work["strategy"], {"memory_size": work["memory"]})

    def prepare(round_: int) -> Run:
        placed = shuffled_back(pair_examples(work["rounds"][round_]), learner.stages_fitted + 1)
        return lambda: learner.fit(placed, work["strategy"], settings=settings) and None

    return prepare


def predict(work: dict[str, Any], precision: str | None) -> Callable[[int], Run]:
    import torch

    from trivium.learn.config import TrainConfig
    from trivium.learn.learner import Learner

    torch.set_num_threads(1)
    learner = Learner.from_pretrained(work["model"], train=precision and TrainConfig(precision=precision))

    def prepare(round_: int) -> Run:
        examples = pair_examples(work["rounds"][round_])
        return lambda: learner.logits(examples)["nli"].tolist()

    return prepare


def compose(work: dict[str, Any]) -> Callable[[int], Run]:
    from trivium.build.veridicality.composition import compose as compose_one
    from trivium.build.veridicality.natural import choose_natural
    from trivium.build.veridicality.verbs import INFINITIVE_VERBS
    from trivium.data.sources import load_source
    from trivium.data.split import Split

    pairs = choose_natural(load_source("builtin").examples)[: work["pairs"]]
    identities: list[str] = []

    def run() -> str:
        examples = tuple([compose_one(verb, pair) for pair in pairs for verb in INFINITIVE_VERBS])
        return identities[0] if identities else Split("composed", examples).identity

    def prepare(round_: int) -> Run:
        if not identities:
            identities.append(run())
        return run

    return prepare


def knn(work: dict[str, Any]) -> Callable[[int], Run]:
    import numpy as np

    from trivium.measure.neighbours import Neighbours

    data = np.load(work["vectors"])
    vectors, labels, queries = data["vectors"], data["labels"], data["queries"]

    def run() -> list[list[int]]:
        return [sorted(row) for row in Neighbours(vectors, labels).indices(queries, work["nearest"]).tolist()]

    return lambda _: run


def prototypes(work: dict[str, Any]) -> Callable[[int], Run]:
    import numpy as np

    from trivium.measure.prototypes import Prototypes

    data = np.load(work["vectors"])
    vectors, labels = data["vectors"], data["labels"]
    return lambda _: lambda: Prototypes.from_vectors(vectors, labels).logits(vectors, 3).argmax(axis=1).tolist()


if __name__ == "__main__":
    main()

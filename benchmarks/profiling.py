"""Print where the time of a training step and of a prediction goes: ``make profile``.

Usage::

    python benchmarks/profiling.py              # `tiny` and `minilm`
    python benchmarks/profiling.py minilm 16    # one encoder, 16 training steps

A step is one of C²Gen: eight compositions with their two primitives, three heads. Times are wall time in one thread;
*batching, rest* is drawing batches, tokenizing, padding and the loop itself. The limit is the rate at which the machine
multiplies large matrices in fp32.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function

from trivium.build.veridicality.composition import compose
from trivium.build.veridicality.natural import choose_natural
from trivium.build.veridicality.verbs import INFINITIVE_VERBS
from trivium.data.example import Example
from trivium.data.sources import load_source
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.learner import Learner

TASKS = ("composed", "veridical", "natural")
BATCH, STEPS, PREDICTED = 8, 8, 32
MODULES = {
    "Embeddings": "embeddings",
    "Attention": "attention",
    "Intermediate": "feed-forward",
    "Output": "feed-forward",
}
"""How the class names of the parts of an encoder end, and the group of each."""
FUNCTIONS = {
    "backward": (torch.autograd, "backward"),
    "backward (grad)": (torch.autograd, "grad"),
    "clipping": (nn.utils, "clip_grad_norm_"),
    "loss": (nn.functional, "cross_entropy"),
}
OPERATORS = 8


def group_of(module: nn.Module, name: str) -> str | None:
    """Return the group of a module; None for one that only contains others."""
    if name.split(".")[0] in ("heads", "classifier"):
        return "heads" if isinstance(module, nn.Linear) else None
    return next((group for ending, group in MODULES.items() if type(module).__name__.endswith(ending)), None)


@contextmanager
def labelled(network: nn.Module) -> Iterator[None]:
    """Label what the parts of a network and the functions of a step do, within the block."""
    handles: list[Any] = []
    inside: list[tuple[nn.Module, Any]] = []

    def enter(module: nn.Module, group: str) -> None:
        if not inside:  # only the outermost: the output layer of attention is attention
            inside.append((module, record_function(f"group:{group}").__enter__()))

    def leave(module: nn.Module) -> None:
        if inside and inside[-1][0] is module:
            inside.pop()[1].__exit__(None, None, None)

    for name, module in network.named_modules():
        if (group := group_of(module, name)) is not None:
            handles.append(module.register_forward_pre_hook(lambda m, _, group=group: enter(m, group)))
            handles.append(module.register_forward_hook(lambda m, _, __: leave(m)))
    patches = [patch.object(*place, _labelled(group, getattr(*place))) for group, place in FUNCTIONS.items()]
    try:
        for each in patches:
            each.start()
        yield
    finally:
        for each in patches:
            each.stop()
        for handle in handles:
            handle.remove()


def _labelled(group: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        with record_function(f"group:{group}"):
            return function(*arguments, **options)

    return call


def measure(title: str, network: nn.Module, work: Callable[[], object], units: int, limit: float) -> None:
    """Print the groups and the slowest operators of some work."""
    work()  # warm
    with labelled(network), profile(activities=[ProfilerActivity.CPU], with_flops=True) as profiler:
        started = time.perf_counter()
        work()
        total = time.perf_counter() - started
    events = profiler.key_averages()
    groups: dict[str, float] = {}
    for event in events:
        name = "optimizer" if event.key.startswith("Optimizer.step") else event.key.removeprefix("group:")
        if event.key.startswith(("group:", "Optimizer.step")):
            name = "backward" if name.startswith("backward") else name
            groups[name] = groups.get(name, 0.0) + event.cpu_time_total / 1e6
    groups["batching, rest"] = total - sum(groups.values())
    rate = sum(event.flops or 0 for event in events) / total
    print(f"\n{title}: {1e3 * total / units:.2f} ms, {rate / 1e9:.0f} GFLOP/s in matrix products")
    for name, seconds in sorted(groups.items(), key=lambda item: -item[1]):
        print(f"  {name:<14} {1e3 * seconds / units:9.3f} ms {seconds / total:6.1%}")
    slowest = sorted((e for e in events if e.key.startswith("aten::")), key=lambda e: -e.self_cpu_time_total)
    print(
        "  operators: "
        + ", ".join(f"{e.key[6:]} {e.self_cpu_time_total / 1e6 / total:.0%}" for e in slowest[:OPERATORS])
    )
    print(f"  the limit: {limit / 1e9:.0f} GFLOP/s")


def matrix_rate() -> float:
    """Return the floating-point operations a second of a large matrix product."""
    a, b = torch.randn(1024, 1024), torch.randn(1024, 1024)
    times = []
    for _ in range(8):
        started = time.perf_counter()
        a @ b
        times.append(time.perf_counter() - started)
    return 2 * 1024**3 / min(times)


def compositions(number: int) -> list[Example]:
    pairs = choose_natural(load_source("builtin").examples)
    return [compose(INFINITIVE_VERBS[n % len(INFINITIVE_VERBS)], pairs[n]) for n in range(number)]


def main(encoders: list[str], steps: int) -> None:
    torch.set_num_threads(1)
    limit = matrix_rate()
    for encoder in encoders:
        profile_training(encoder, steps, limit)
        profile_prediction(encoder, limit)


def new_learner(encoder: str) -> Learner:
    return Learner(ModelConfig(name=encoder), tasks=TASKS, train=TrainConfig(batch_size=BATCH, epochs=1))


def profile_training(encoder: str, steps: int, limit: float) -> None:
    learner, examples = new_learner(encoder), compositions(BATCH * steps)
    measure(f"{encoder}, training step", learner.network, lambda: learner.fit(examples), steps, limit)


def profile_prediction(encoder: str, limit: float) -> None:
    learner, examples = new_learner(encoder), compositions(BATCH * PREDICTED)
    rows = len(TASKS) * len(examples)
    measure(f"{encoder}, prediction of a row", learner.network, lambda: learner.logits(examples), rows, limit)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(given[:1] or ["tiny", "minilm"], int(given[1]) if len(given) > 1 else STEPS)

"""Doing one step: what a worker process runs."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path

import torch
from safetensors.numpy import save_file

from trivium.data.example import Example
from trivium.data.labels import Labels, answered
from trivium.data.split import Split
from trivium.engine.plan import work_of
from trivium.engine.steps import DivideStep, PredictStep, Step, StrategySpec, TrainStep
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.learn.learner import Learner, open_device
from trivium.learn.memory import Memory
from trivium.learn.strategy import Strategy, make_strategy
from trivium.measure.information import pointwise_information, simple
from trivium.measure.outputs import asked_in
from trivium.models.classifiers import HEAD, load_classifier, own_labels

Progress = Callable[[int, int], None]


def execute(step: Step, store: Store, progress: Progress = lambda done, of: None) -> float:
    """Do a step and put its result into the store; the seconds it took."""
    began = time.perf_counter()
    open_device(step.training.train.device)
    torch.set_num_threads(step.training.train.threads)
    with store.writing(step.key, step.inputs() | {"environment": environment(step.training.train.device)}) as folder:
        if isinstance(step, TrainStep):
            _train(step, store, folder, progress)
        elif isinstance(step, PredictStep):
            _predict(step, store, folder, progress)
        else:
            _divide(step, store, folder)
    seconds = time.perf_counter() - began
    cost = {"kind": step.kind, "model": step.training.model.name, "device": step.training.train.device}
    store.note_cost(step.key, cost | {"work": work_of(step), "seconds": round(seconds, 3)})
    return seconds


def use_device(step: Step, worker: int) -> None:
    """Let the workers of a machine with several GPUs use one each."""
    if step.training.train.device == "cuda" and torch.cuda.is_available():
        torch.cuda.set_device(worker % torch.cuda.device_count())


@cache
def environment(device: str) -> dict[str, str]:
    """What identical bytes depend on besides the inputs: versions, and the kind of processor."""
    packages = {name: version(name) for name in ("torch", "transformers", "tokenizers", "numpy")}
    processor = torch.cuda.get_device_name() if device == "cuda" else _processor()
    return {"python": platform.python_version(), "machine": platform.machine(), "processor": processor, **packages}


def _train(step: TrainStep, store: Store, folder: Path, progress: Progress) -> None:
    learner = _learner(step, store)
    strategy = make_strategy(step.strategy.name, dict(step.strategy.settings))
    memory = Memory()
    if step.parent is not None:
        learner.load(store.path(step.parent.key) / "weights.safetensors")
        memory = _memory_after(step.parent, step.strategy, strategy, learner, store)
    memory = learner.train(_stage(step, store), strategy, memory, step.stage, progress)
    learner.save(folder / "weights.safetensors")
    memory.write(folder / "memory.json")


def _memory_after(parent: TrainStep, spec: StrategySpec, strategy: Strategy, learner: Learner, store: Store) -> Memory:
    """What the strategy remembers when its stage begins.

    The first stage is trained once for all strategies; each looks back at it here.
    """
    if parent.strategy == spec:
        return Memory.read(store.path(parent.key) / "memory.json")
    return strategy.end_stage(learner, _stage(parent, store), Memory())


def _predict(step: PredictStep, store: Store, folder: Path, progress: Progress) -> None:
    learner = _learner(step.training, store)
    learner.load(store.path(step.training.key) / "weights.safetensors")
    compute = learner.logits if step.output == "logits" else learner.represent
    found = compute(_examples(store, step.split), progress)
    save_file(dict(found), folder / f"{step.output}.safetensors")


def _divide(step: DivideStep, store: Store, folder: Path) -> None:
    split = _split(store, step.informed.split)
    model = _labels(step.training, store)
    logits = [store.logits(prediction.key)[HEAD] for prediction in (step.informed, step.null)]
    asked = [asked_in(split.examples, one, model, split.labels) for one in logits]
    bits = pointwise_information(asked[0].logits, asked[1].logits, asked[0].gold)
    chosen = simple(bits, asked[0].gold, step.at) == (step.half == "simple")
    examples = tuple(example for example, mine in zip(split, chosen, strict=True) if mine)
    if not examples:
        raise UserError(f"the {step.half} half of {len(split)} examples is empty: divide at the median (run.at)")
    Split(step.half, examples, split.labels).write(folder / "split.jsonl")


def _stage(step: TrainStep, store: Store) -> tuple[Example, ...]:
    """What a step trains on: a split, or the half of one that another step found."""
    if step.divided is None:
        return _examples(store, step.split)
    return Split.read(store.path(step.divided.key) / "split.jsonl").examples


def _learner(step: TrainStep, store: Store) -> Learner:
    if step.model.head == "own":
        classifier = load_classifier(step.model.name, step.model.revision)
        return Learner.of_classifier(classifier, step.train, step.seed, step.model.max_length)
    return Learner(step.model, labels=_labels(step, store), tasks=step.heads, train=step.train, seed=step.seed)


def _labels(step: TrainStep, store: Store) -> Labels:
    """What the outputs of a step's model mean: the labels that its first stage was trained on, or its own."""
    if step.model.head == "own":
        return own_labels(step.model.name, step.model.revision)
    return answered(_split(store, step.root.split).labels)


def _examples(store: Store, identity: str) -> tuple[Example, ...]:
    return _split(store, identity).examples


@cache
def _split(store: Store, identity: str) -> Split:
    return store.split(identity)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")

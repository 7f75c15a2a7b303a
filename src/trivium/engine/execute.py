"""Execute one step in a worker process."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file
from safetensors.torch import load_file

from trivium.data.example import Example
from trivium.data.labels import Labels, output_labels
from trivium.data.split import Split
from trivium.engine.checkpoints import StepCheckpoints
from trivium.engine.kept import KeptLearner
from trivium.engine.machine import processor
from trivium.engine.parallel import start_group
from trivium.engine.plan import work_of
from trivium.engine.steps import DivideStep, PredictStep, RoleStep, Step, StrategySpec, TrainStep
from trivium.engine.store import COMPOSITION, Store
from trivium.errors import UserError, option
from trivium.learn.checkpoint import Checkpoints
from trivium.learn.composing import composition_record
from trivium.learn.interpolation import interpolate, interpolated, weights_of
from trivium.learn.learner import Learner, select_device
from trivium.learn.memory import Memory
from trivium.learn.parallel import Group
from trivium.learn.predicting import reading
from trivium.learn.strategy import Strategy, make_strategy
from trivium.learn.tagging import ROLES, fit_tagger, from_example, open_tagger
from trivium.learn.training import no_progress
from trivium.learn.weights import load_moments, save_moments, save_weights
from trivium.measure.information import pointwise_information, select_simple
from trivium.measure.outputs import align_outputs
from trivium.models.classifiers import HEAD, Classifier, labels_of, load_head, new_classifier
from trivium.models.composition import classifier_composition
from trivium.models.tagger import Tagger
from trivium.seeds import stream

Progress = Callable[[int, int], None]
_LEARNERS = KeptLearner()
_MOMENTS = "optimizer.safetensors"


def execute(step: Step, store: Store, progress: Progress = lambda done, of: None) -> float:
    """Execute a step, put its result into the store, and return the seconds it took."""
    started = time.perf_counter()
    prepare(step)
    env = environment(step.training.train.device)
    with store.writing(step.key, step.inputs() | {"environment": env}) as folder:
        if isinstance(step, TrainStep):
            _train(step, store, folder, progress, StepCheckpoints(store, step.key, env))
        elif isinstance(step, PredictStep):
            _predict(step, store, folder, progress)
        else:
            _divide(step, store, folder)
    if isinstance(step, TrainStep):
        store.remove_checkpoint(step.key)
    seconds = time.perf_counter() - started
    cost = {"kind": step.kind, "model": step.training.model.name, "device": step.training.train.device}
    store.note_cost(step.key, cost | {"work": work_of(step), "seconds": round(seconds, 3)})
    return seconds


def prepare(step: Step) -> None:
    """Configure torch for a step: its device and its number of threads."""
    select_device(step.training.train.device)
    torch.set_num_threads(step.training.train.threads)


def use_device(step: Step, worker: int) -> None:
    """Assign one of the machine's GPUs to a worker, if the step runs on a GPU."""
    if step.training.train.device == "cuda" and torch.cuda.is_available():
        torch.cuda.set_device(worker % torch.cuda.device_count())


def check_processor(required: str) -> None:
    """Raise a UserError if this machine does not have the required processor."""
    if required and required != processor():
        raise UserError(
            f"this run requires the processor {required!r}, but a worker has {processor()!r}: run it elsewhere, or "
            f"leave out {option('processor')}"
        )


@cache
def environment(device: str) -> dict[str, str]:
    """Return what a result depends on, bit for bit, besides the inputs: versions, and the model of the processor."""
    packages = {name: version(name) for name in ("torch", "transformers", "tokenizers", "numpy")}
    model = torch.cuda.get_device_name() if device == "cuda" else processor()
    return {"python": platform.python_version(), "machine": platform.machine(), "processor": model, **packages}


def _train(step: TrainStep, store: Store, folder: Path, progress: Progress, checkpoints: StepCheckpoints) -> None:
    if isinstance(step, RoleStep):
        if step.train.processes > 1:
            raise UserError(
                f"train.processes is {step.train.processes}, but a role tagger trains in one process: leave it out"
            )
        tagger = _tagger(step)
        queries = [from_example(example) for example in _examples(store, step.split)]
        store.put_losses(step.key, fit_tagger(tagger, queries, step.train, step.seed, progress, checkpoints))
        save_weights(tagger.model, folder / "weights.safetensors")
        return
    with _LEARNERS.lend(step, step.parent, store, _learner) as learner:
        with start_group(step, store, checkpoints) as learner.group:
            memory = train_model(step, store, learner, progress, checkpoints)
        learner.save(folder / "weights.safetensors")
        memory.write(folder / "memory.json")
        if learner.optimizer is not None:
            save_moments(learner.network, learner.optimizer, folder / _MOMENTS)
        if len(learner.loss_history):
            store.put_losses(step.key, learner.loss_history, learner.held_out_history)


def train_together(step: TrainStep, store: Store, group: Group, checkpoints: Checkpoints) -> None:
    """Train the model of a step together with the process that stores it."""
    with _LEARNERS.lend(step, step.parent, store, _learner) as learner:
        learner.group = group
        train_model(step, store, learner, no_progress, checkpoints)


def train_model(
    step: TrainStep, store: Store, learner: Learner, progress: Progress, checkpoints: Checkpoints
) -> Memory:
    """Train the stage of a step, given a learner with the weights of its parent; return the memory after the stage."""
    strategy = make_strategy(step.strategy.name, dict(step.strategy.settings))
    if step.parent is not None and step.train.optimizer == "kept":
        moments = store.path(step.parent.key) / _MOMENTS
        learner.optimizer = load_moments(learner.network, moments) if moments.is_file() else None
    if step.base is not None:
        learner.base = load_file(store.path(step.base.key) / "weights.safetensors")
    if step.parent is not None:
        memory = _memory_after(step.parent, step.strategy, strategy, learner, store)
    else:
        memory = _memory_of([_examples(store, split) for split in step.past], step, strategy, learner)
    dev = _examples(store, step.dev) if step.dev else ()
    return learner.train(_stage(step, store), strategy, memory, step.stage, progress, checkpoints, dev)


def _memory_of(stages: Sequence[Sequence[Example]], step: TrainStep, strategy: Strategy, learner: Learner) -> Memory:
    """Return the memory of stages that were trained elsewhere: all examples, or those that the strategy keeps."""
    if step.recall == "whole":
        return Memory.of(stages)
    memory = Memory()
    for number, examples in enumerate(stages, 1):
        learner.rng = stream(step.seed, "memory", number)
        memory = strategy.end_stage(learner, examples, memory)
    return memory


def _memory_after(parent: TrainStep, spec: StrategySpec, strategy: Strategy, learner: Learner, store: Store) -> Memory:
    """Return the memory of a strategy at the beginning of its stage.

    The first stage is trained once for all strategies; each strategy selects what to keep of it here.
    """
    if parent.strategy == spec:
        return Memory.read(store.path(parent.key) / "memory.json")
    return strategy.end_stage(learner, _stage(parent, store), Memory())


def _predict(step: PredictStep, store: Store, folder: Path, progress: Progress) -> None:
    if isinstance(step.training, RoleStep):
        queries = [from_example(example).query for example in _examples(store, step.split)]
        scores = trained_tagger(step.training, store).scores(queries)
        save_file({ROLES: np.concatenate(scores)}, folder / "logits.safetensors")
        return
    examples = _examples(store, step.split)
    with _LEARNERS.lend(step.training, step.training, store, _learner) as learner:
        compute = learner.logits if step.output == "logits" else learner.vectors
        with reading(learner, step.max_length), _interpolated(step, store, learner):
            outputs = compute(examples, progress)
        save_file(dict(outputs), folder / f"{step.output}.safetensors")
        if (composition := learner.network.composition) is not None:
            save_file(composition_record(composition, examples, learner.tasks), folder / COMPOSITION)


def _interpolated(step: PredictStep, store: Store, learner: Learner) -> AbstractContextManager[None]:
    """Return a block in which the learner has only a share of what the training changed in its weights."""
    if step.share == 1:
        return nullcontext()
    before = step.training.parent
    if before is None:
        start = dict(_learner(step.training, store).network.state_dict())
    else:
        start = load_file(store.path(before.key) / "weights.safetensors")
    return interpolated(learner.network, start, step.share)


def _divide(step: DivideStep, store: Store, folder: Path) -> None:
    split = _split(store, step.informed.split)
    model = _labels(step.training, store)
    logits = [store.logits(prediction.key)[HEAD] for prediction in (step.informed, step.null)]
    outputs = [align_outputs(split.examples, values, model, split.labels) for values in logits]
    bits = pointwise_information(outputs[0].logits, outputs[1].logits, outputs[0].gold)
    chosen = select_simple(bits, outputs[0].gold, step.at) == (step.half == "simple")
    examples = tuple(example for example, is_chosen in zip(split, chosen, strict=True) if is_chosen)
    if not examples:
        raise UserError(f"the {step.half} half of {len(split)} examples is empty: set run.at = 'median'")
    Split(step.half, examples, split.labels).write(folder / "split.jsonl")


def _stage(step: TrainStep, store: Store) -> tuple[Example, ...]:
    """Return the examples that a step trains on: a split, or the half that a divide step selected."""
    if step.divided is None:
        return _examples(store, step.split)
    return Split.read(store.path(step.divided.key) / "split.jsonl").examples


def _learner(step: TrainStep, store: Store) -> Learner:
    if step.model.head in ("own", "new"):
        return Learner.from_classifier(
            classifier_of(step, _labels(step, store)), step.train, step.seed, step.model.max_length
        )
    return Learner(step.model, labels=_labels(step, store), tasks=step.heads, train=step.train, seed=step.seed)


def classifier_of(step: TrainStep, labels: Labels) -> Classifier:
    """Return the classifier that a step starts from: an existing one, or an encoder with a new head."""
    if step.model.head == "own":
        classifier, folder = load_head(step.model.name, step.model.revision), Path(step.model.name)
    else:
        classifier, folder = new_classifier(step.model.name, step.seed, labels, step.model.revision), None
    rate = step.train.learning_rate
    classifier.composition = classifier_composition(step.model.composer, classifier.labels, rate, folder)
    return classifier


def trained_classifier(step: TrainStep, store: Store, share: float = 1.0) -> Classifier:
    """Return the classifier that a finished step trained, with a ``share`` of the change of its weights."""
    classifier = classifier_of(step, _labels(step, store))
    learner = Learner.from_classifier(classifier, step.train, step.seed, step.model.max_length)
    start = weights_of(learner.network) if share != 1 else {}
    learner.load(store.path(step.key) / "weights.safetensors")
    if share != 1:
        interpolate(learner.network, start, share)
    return classifier


def trained_tagger(step: RoleStep, store: Store) -> Tagger:
    """Return the tagger that a finished step trained."""
    return _tagger(step, store.path(step.key) / "weights.safetensors")


def _tagger(step: RoleStep, weights: Path | None = None) -> Tagger:
    return open_tagger(step.model.name, step.heads, step.seed, step.model.revision, step.train.device, weights)


def _labels(step: TrainStep, store: Store) -> Labels:
    """Return the label scheme of a model's outputs: its own, or that of its first stage."""
    if step.model.head == "own":
        return labels_of(step.model.name, step.model.revision)
    return output_labels(_split(store, step.root.split).labels)


def _examples(store: Store, identity: str) -> tuple[Example, ...]:
    return _split(store, identity).examples


@cache
def _split(store: Store, identity: str) -> Split:
    return store.split(identity)

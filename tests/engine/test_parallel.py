"""Several processes that train one step: the same result as one up to rounding, and none of them outlives the step."""

from __future__ import annotations

import builtins
import json
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from trivium.data import Example, Split
from trivium.data.sources import load_source
from trivium.engine.checkpoints import SECONDS_VARIABLE
from trivium.engine.execute import execute
from trivium.engine.executors import ExecutorConfig
from trivium.engine.executors.local import start_local
from trivium.engine.machine import memory_of
from trivium.engine.steps import PredictStep, RoleStep, StrategySpec, TrainStep
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.models.encoders import load_encoder, save_pretrained

pytest.importorskip("accelerate", reason="needs the extra 'parallel'")
MakeTrain = Callable[..., TrainStep]
MakeStep = Callable[..., TrainStep]
STRATEGIES = ("finetune", "er-res", "agem", "kd", "mas")
TASKS = ("natural", "other")


def pairs() -> list[Example]:
    """Pairs of two tasks, so that a share of a batch may have no row of a head."""
    examples = load_source("builtin").examples[:40]
    return [replace(example, task=TASKS[number % 5 == 0]) for number, example in enumerate(examples)]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder without dropout."""
    folder = tmp_path_factory.mktemp("model") / "tiny"
    encoder = load_encoder("tiny", 0)
    save_pretrained(encoder.model, encoder.tokenizer, folder)
    config = json.loads((folder / "config.json").read_text())
    config |= {name: 0.0 for name in config if "dropout" in name and isinstance(config[name], float)}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store").open()


@pytest.fixture
def make_step(store: Store, model: Path) -> MakeStep:
    """A second stage of 21 pairs in batches of 5: the last batch has one pair, so that one process has none."""
    examples = pairs()
    stage, past = (store.put_split(Split(name, tuple(e))) for name, e in (("a", examples[:21]), ("b", examples[21:])))
    config = ModelConfig(name=str(model), dropout=0.0)

    def make(processes: int, strategy: str = "finetune", **changes: Any) -> TrainStep:
        train = TrainConfig(learning_rate=1e-3, batch_size=5, epochs=2, processes=processes, **changes)
        return TrainStep(config, "f", TASKS, train, 0, stage, 21, StrategySpec(strategy), past=(past,))

    return make


def weights(store: Store, step: TrainStep) -> dict[str, np.ndarray]:
    return load_file(store.path(step.key) / "weights.safetensors")


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_two_processes_train_what_one_trains(store: Store, make_step: MakeStep, strategy: str) -> None:
    one, two = make_step(1, strategy), make_step(2, strategy)
    for step in (one, two):
        execute(step, store)
    assert one.key != two.key
    assert store.losses(two.key) == pytest.approx(store.losses(one.key), rel=1e-4)
    before, alone, together = (
        load_file(str(Path(one.model.name) / "model.safetensors")),
        *(weights(store, step) for step in (one, two)),
    )
    moved = [alone[f"encoder.{name}"] - value for name, value in before.items() if f"encoder.{name}" in alone]
    assert max(np.abs(change).max() for change in moved) > 1e-3
    apart = np.sqrt(sum(np.square(alone[name] - together[name]).sum() for name in alone))
    assert apart <= 1e-5 * np.sqrt(sum(np.square(values).sum() for values in alone.values()))
    memories = [(store.path(step.key) / "memory.json").read_bytes() for step in (one, two)]
    assert memories[0] == memories[1]


def test_two_processes_continue_from_a_checkpoint_with_the_same_bytes(
    store: Store, tmp_path: Path, make_step: MakeStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = replace(make_step(2, "er-res"), model=ModelConfig(name="tiny"))  # with dropout
    whole = Store(tmp_path / "whole").open()
    for identity in (step.split, *step.past):
        whole.put_split(store.split(identity))
    execute(step, whole)
    monkeypatch.setenv(SECONDS_VARIABLE, "0")
    done: list[int] = []

    def interrupt(number: int, total: int) -> None:
        if number == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        execute(step, store, interrupt)
    execute(step, store, lambda number, total: done.append(number))
    assert done == list(range(5, 11))
    files = [each.path(step.key) / "weights.safetensors" for each in (whole, store)]
    assert files[0].read_bytes() == files[1].read_bytes()


def helpers_of(pid: int) -> list[int]:
    """The processes that a process has started to train along."""
    file = Path(f"/proc/{pid}/task/{pid}/children")
    children = [int(child) for child in file.read_text().split()] if file.exists() else []
    return [child for child in children if b"help_training" in Path(f"/proc/{child}/cmdline").read_bytes()]


def test_helpers_end_with_a_worker_that_is_killed(store: Store, make_step: MakeStep) -> None:
    step = make_step(2)
    long = replace(step, train=step.train.model_copy(update={"epochs": 100_000}))
    with start_local(ExecutorConfig("", 1, 1, store.url, store.id)) as executor:
        executor.submit(long)
        assert any(report.done for report in executor.reports())  # it trains
        pid = executor.workers[0].process.pid
        helpers = helpers_of(pid)
        assert helpers, "this test reads /proc"
        os.kill(pid, signal.SIGKILL)
        for _ in range(200):
            if not any(Path(f"/proc/{helper}").exists() for helper in helpers):
                return
            time.sleep(0.1)
    pytest.fail("a helper outlived its worker")


def test_a_helper_that_dies_is_named_and_the_worker_lives_on(store: Store, make_step: MakeStep) -> None:
    def kill(done: int, total: int) -> None:
        for helper in helpers_of(os.getpid()):
            os.kill(helper, signal.SIGKILL)

    with pytest.raises(UserError, match=r"was killed by SIGKILL.* lower train.processes"):
        execute(make_step(2), store, kill)
    assert make_step(2).key not in store


def test_a_strategy_that_computes_the_gradient_of_a_share_by_itself_is_an_error(
    store: Store, make_step: MakeStep, tmp_path: Path
) -> None:
    from trivium.plugins import load_plugins

    plugin = tmp_path / "own_gradient.py"
    plugin.write_text(
        "import trivium as tv\n\n\n"
        "@tv.strategy('own-gradient')\n"
        "class OwnGradient(tv.Strategy):\n"
        "    def step(self, learner, batch, memory):\n"
        "        learner.loss(batch).backward()\n"
    )
    load_plugins([plugin])
    with pytest.raises(UserError, match=r"learner.backward\(loss\) or learner.gradients\(loss\)"):
        execute(make_step(2, "own-gradient"), store)


def test_without_accelerate_the_extra_is_named(
    store: Store, make_step: MakeStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def fail(name: str, *arguments: Any) -> Any:
        if name == "accelerate":
            raise ImportError
        return real(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", fail)
    with pytest.raises(UserError, match=r"pip install 'trivium-nli\[parallel\]'"):
        execute(make_step(2), store)


def test_a_training_takes_the_place_of_as_many_steps_as_it_has_processes(store: Store, train: MakeTrain) -> None:
    single, double, large = train("a"), train("b", processes=2), train("c", processes=5)
    assert double.processes == 2
    assert PredictStep(double, "t", 5).processes == 1
    assert replace(double, size=0).processes == 1
    assert memory_of(double) > 1.9 * memory_of(single)
    with start_local(ExecutorConfig("", 3, 1, store.url, store.id)) as executor:
        assert executor.accepts(large)  # alone
        executor.workers[0].step = single
        assert executor.accepts(double)
        assert not executor.accepts(large)
        assert executor._free(double) == 1
        executor.workers[1].step = double
        assert not executor.accepts(single)


def test_one_process_is_no_part_of_a_key(train: MakeTrain) -> None:
    assert "processes" not in train().inputs()["train"]
    assert train(processes=1).key == train().key != train(processes=2).key


def test_a_role_tagger_trains_in_one_process(store: Store, train: MakeTrain) -> None:
    step = train(processes=2)
    roles = RoleStep(step.model, "f", ("O",), step.train, 0, "a", 10)
    with pytest.raises(UserError, match="a role tagger trains in one process"):
        execute(roles, store)

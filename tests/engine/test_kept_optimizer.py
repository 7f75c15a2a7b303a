"""With ``train.optimizer = "kept"`` a stage continues with the moments that its parent stored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from safetensors.torch import load_file

from trivium.data import Example, Split
from trivium.engine import execute as module
from trivium.engine.execute import execute
from trivium.engine.kept import KeptLearner
from trivium.engine.steps import TrainStep
from trivium.engine.store import Store
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.learner import Learner

MakeTrain = Callable[..., TrainStep]
EXAMPLES = [Example.make(str(n), f"A {n} runs", f"B {n}", "neutral", task="composed") for n in range(24)]


def two_stages(store: Store, train: MakeTrain, optimizer: str) -> list[TrainStep]:
    one, two = (store.put_split(Split(name, tuple(EXAMPLES[i::2]))) for i, name in enumerate("ab"))
    first = train(one, optimizer=optimizer)
    return [first, train(two, parent=first, optimizer=optimizer)]


@pytest.mark.parametrize("is_kept_in_memory", [True, False])
def test_stages_in_a_store_are_those_of_one_learner(
    tmp_path: Path, train: MakeTrain, monkeypatch: pytest.MonkeyPatch, is_kept_in_memory: bool
) -> None:
    store = Store(tmp_path / "store").open()
    for step in (steps := two_stages(store, train, "kept")):
        if not is_kept_in_memory:
            monkeypatch.setattr(module, "_LEARNERS", KeptLearner())
        execute(step, store)
    config = TrainConfig(optimizer="kept")
    learner = Learner(ModelConfig(name="tiny"), tasks=("composed",), train=config, seed=0)
    learner.fit(EXAMPLES[0::2]).fit(EXAMPLES[1::2])
    learner.save(tmp_path / "weights.safetensors")
    stored = store.path(steps[1].key)
    assert (tmp_path / "weights.safetensors").read_bytes() == (stored / "weights.safetensors").read_bytes()
    assert load_file(stored / "optimizer.safetensors")["step.heads.composed.weight"] == 2 * 6


def test_a_new_optimizer_in_each_stage_stores_no_moments_and_has_other_keys(tmp_path: Path, train: MakeTrain) -> None:
    store = Store(tmp_path / "store").open()
    new, kept = (two_stages(store, train, optimizer) for optimizer in ("new", "kept"))
    execute(new[0], store)
    assert not (store.path(new[0].key) / "optimizer.safetensors").exists()
    assert {step.key for step in new}.isdisjoint(step.key for step in kept)

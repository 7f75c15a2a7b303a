"""A predicate-aware model trains, is saved, resumes and predicts like any other, with every strategy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from trivium.data.example import Example
from trivium.errors import UserError
from trivium.learn.config import AdapterConfig, ModelConfig, TrainConfig
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategy import Strategy, find_strategies, make_strategy

HEADS = ("composed",)
AWARE = ModelConfig(name="tiny", roles="tiny", roles_width=4)
TRAIN = TrainConfig(learning_rate=1e-3, batch_size=4)


def learner_of(model: ModelConfig = AWARE, seed: int = 0, epochs: int = 1) -> Learner:
    return Learner(model, tasks=HEADS, train=TRAIN.model_copy(update={"epochs": epochs}), seed=seed)


@pytest.fixture(scope="module")
def bare(examples: list[Example]) -> list[Example]:
    return [replace(example, parts=()) for example in examples[:8]]


def test_it_learns(bare: list[Example]) -> None:
    learner = learner_of(epochs=12)
    with torch.no_grad():
        before = float(learner.loss(bare))
    learner.train(bare, Strategy(), Memory(), 1)
    learner.network.eval()
    with torch.no_grad():
        assert float(learner.loss(bare)) < 0.5 * before


def test_the_same_inputs_give_the_same_bytes_also_when_resumed(bare: list[Example], tmp_path: Path) -> None:
    for name in ("one", "two"):
        learner = learner_of()
        learner.train(bare, Strategy(), Memory(), 1)
        learner.save(tmp_path / f"{name}-1")
        if name == "two":  # resume in another learner
            learner = learner_of()
            learner.load(tmp_path / "two-1")
        learner.train(bare[::-1], Strategy(), Memory(), 2)
        learner.save(tmp_path / f"{name}-2")
    for stage in (1, 2):
        assert (tmp_path / f"one-{stage}").read_bytes() == (tmp_path / f"two-{stage}").read_bytes()
    again = learner_of(seed=5)
    again.load(tmp_path / "one-2")
    assert np.array_equal(again.logits(bare)["composed"], learner.logits(bare)["composed"])


def test_the_weights_of_the_role_encoder_are_not_saved(bare: list[Example], tmp_path: Path) -> None:
    plain, aware = learner_of(ModelConfig(name="tiny")), learner_of()
    plain.save(tmp_path / "plain")
    aware.save(tmp_path / "aware")
    extra = set(load_file(tmp_path / "aware")) - set(load_file(tmp_path / "plain"))
    assert extra == {f"fusion.{layer}.{part}" for layer in ("project", "dense") for part in ("weight", "bias")}
    with pytest.raises(UserError, match="not the weights of this model"):
        aware.load(tmp_path / "plain")


def test_the_vector_of_a_row_is_what_its_head_sees(bare: list[Example]) -> None:
    learner = learner_of()
    vectors, logits = learner.vectors(bare)["composed"], learner.logits(bare)["composed"]
    head = learner.network.heads["composed"]
    assert np.allclose(vectors @ head.weight.detach().numpy().T + head.bias.detach().numpy(), logits, atol=1e-5)
    assert bool((np.abs(vectors) <= 1).all())


@pytest.mark.parametrize("name", sorted(find_strategies()))
def test_every_strategy_works_with_it(name: str, bare: list[Example]) -> None:
    learner = learner_of()
    strategy = make_strategy(name, {})
    memory = learner.train(bare[:4], strategy, Memory(), 1)
    fusion = learner.network.fusion
    before = fusion.project.weight.detach().clone()
    learner.train(bare[4:], strategy, memory, 2)
    assert not torch.equal(fusion.project.weight, before)
    assert np.isfinite(learner.logits(bare)["composed"]).all()


def test_it_works_with_an_adapter_and_frozen_embeddings(bare: list[Example], tmp_path: Path) -> None:
    pytest.importorskip("peft")
    model = AWARE.model_copy(update={"adapter": AdapterConfig(rank=2)})
    frozen = TRAIN.model_copy(update={"epochs": 1, "frozen": "embeddings"})
    learner = Learner(model, tasks=HEADS, train=frozen)
    learner.train(bare, Strategy(), Memory(), 1)
    learner.save(tmp_path / "weights")
    stored = set(load_file(tmp_path / "weights"))
    assert {"fusion.project.weight", "fusion.dense.weight"} <= stored
    assert all(name.startswith(("fusion.", "heads.")) or "lora_" in name for name in stored)


def test_roles_cannot_be_combined_with_a_models_own_head() -> None:
    with pytest.raises(ValueError, match="cannot be combined"):
        ModelConfig(name="x", head="own", roles="y")


def test_a_missing_role_encoder_is_an_error_before_training() -> None:
    with pytest.raises(UserError, match=r"model\.roles is 'nowhere'"):
        learner_of(ModelConfig(name="tiny", roles="nowhere"))

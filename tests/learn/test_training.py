"""The training loop: its batches, what it passes to a strategy, and how it changes the weights."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from trivium.data.example import Example
from trivium.errors import UserError
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategies.finetune import FineTune
from trivium.learn.strategies.reservoir import ReservoirReplay
from trivium.learn.strategy import Strategy

Make = Callable[..., Learner]
LABELS = ("entailment", "neutral", "contradiction")


@dataclass(frozen=True)
class Watch(Strategy):
    """Records what the loop does, and trains nothing."""

    batches: list[list[Example]] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    states: list[Any] = field(default_factory=list)
    modes: list[bool] = field(default_factory=list)

    def begin_stage(self, learner: Learner, memory: Memory) -> Any:
        return ("made of", memory)

    def step(self, learner: Learner, batch: Sequence[Example], state: Any) -> float:
        self.batches.append(list(batch))
        self.rates.append(learner.learning_rate)
        self.states.append(state)
        self.modes.append(learner.network.training)
        for parameter in learner.network.parameters():
            parameter.grad = torch.zeros_like(parameter)
        return 0.0

    def end_stage(self, learner: Learner, stage: Sequence[Example], memory: Memory) -> Memory:
        return Memory(tuple(stage), (1,) * len(stage), passed=memory.passed + 1, seen=len(stage))


@dataclass(frozen=True)
class Forgetful(Strategy):
    """Computes the loss, but leaves no gradient."""

    def step(self, learner: Learner, batch: Sequence[Example], state: Any) -> float:
        return float(learner.loss(batch).detach())


def weights(learner: Learner) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in learner.network.state_dict().items()}


def same_bits(first: dict[str, Tensor], second: dict[str, Tensor]) -> bool:
    assert first.keys() == second.keys()
    return all(torch.equal(first[name], second[name]) for name in first)


def test_the_same_seed_gives_the_same_weights_to_the_bit_and_another_seed_others(
    make_learner: Make, examples: list[Example], remember
) -> None:
    memory = remember(examples[12:18])

    def trained(seed: int, stage: int, around: int) -> dict[str, Tensor]:
        with torch.random.fork_rng():
            torch.manual_seed(around)
            learner = make_learner(seed=seed, dropout=0.1)
            learner.train(examples[:8], ReservoirReplay(), memory, stage)
        return weights(learner)

    first = trained(0, 2, around=5)
    assert same_bits(trained(0, 2, around=6), first)
    assert not same_bits(trained(1, 2, around=5), first)
    assert not same_bits(trained(0, 3, around=5), first)


def test_a_loaded_learner_trains_like_one_that_was_never_saved(
    make_learner: Make, examples: list[Example], tmp_path: Path
) -> None:
    whole, resumed = make_learner(dropout=0.1), make_learner(dropout=0.1)
    whole.train(examples[:8], FineTune(), Memory(), 1)
    whole.save(tmp_path / "weights.safetensors")
    resumed.load(tmp_path / "weights.safetensors")
    for learner in (whole, resumed):
        learner.train(examples[8:16], FineTune(), Memory(), 2)
    assert same_bits(weights(whole), weights(resumed))


def test_building_training_and_predicting_leave_the_global_random_states_alone(
    make_learner: Make, examples: list[Example], remember
) -> None:
    before, numpy_before = torch.random.get_rng_state(), np.random.get_state()[1].copy()
    learner = make_learner(dropout=0.1)
    memory = learner.train(examples[:8], ReservoirReplay(), remember(examples[8:12]), 2)
    learner.logits(examples[:4])
    assert len(memory) == 12
    assert torch.equal(torch.random.get_rng_state(), before)
    assert np.array_equal(np.random.get_state()[1], numpy_before)


@pytest.mark.parametrize(("number", "size"), [(8, 4), (10, 4), (3, 8), (5, 1)])
def test_every_epoch_is_another_permutation_of_the_stage(
    make_learner: Make, examples: list[Example], number: int, size: int
) -> None:
    watch = Watch()
    make_learner(batch_size=size, epochs=4).train(examples[:number], watch, Memory(), 1)
    steps = math.ceil(number / size)
    assert len(watch.batches) == 4 * steps
    trained = [example for batch in watch.batches for example in batch]
    epochs = [trained[start : start + number] for start in range(0, 4 * number, number)]
    for epoch in epochs:
        assert sorted(example.id for example in epoch) == sorted(example.id for example in examples[:number])
    sizes = [size] * (steps - 1) + [number - size * (steps - 1)]
    assert [len(batch) for batch in watch.batches] == 4 * sizes
    assert len({tuple(example.id for example in epoch) for epoch in epochs}) > 1


def test_another_stage_and_another_seed_have_other_batches(make_learner: Make, examples: list[Example]) -> None:
    seen = []
    for seed, stage in ((0, 1), (0, 2), (1, 1), (0, 1)):
        watch = Watch()
        make_learner(seed=seed).train(examples, watch, Memory(), stage)
        seen.append([example.id for batch in watch.batches for example in batch])
    assert seen[0] == seen[3]
    assert seen[0] != seen[1]
    assert seen[0] != seen[2]


@pytest.mark.parametrize(
    ("warmup", "factors"),
    [
        (0.0, [1, 1, 1, 1, 1, 1, 1, 1]),
        (0.1, [1, 1, 1, 1, 1, 1, 1, 1]),
        (0.5, [1 / 4, 2 / 4, 3 / 4, 1, 1, 1, 1, 1]),
        (1.0, [1 / 8, 2 / 8, 3 / 8, 4 / 8, 5 / 8, 6 / 8, 7 / 8, 1]),
    ],
)
def test_the_learning_rate_rises_linearly_over_the_warmup(
    make_learner: Make, examples: list[Example], warmup: float, factors: list[float]
) -> None:
    watch = Watch()
    make_learner(learning_rate=0.01, warmup=warmup, epochs=2).train(examples[:16], watch, Memory(), 1)
    assert watch.rates == pytest.approx([0.01 * factor for factor in factors])


def test_the_warmup_may_be_a_number_of_steps(make_learner: Make, examples: list[Example]) -> None:
    watch = Watch()
    make_learner(learning_rate=0.01, warmup_steps=5, epochs=2).train(examples[:16], watch, Memory(), 1)
    assert watch.rates == pytest.approx([0.002, 0.004, 0.006, 0.008, 0.01, 0.01, 0.01, 0.01])
    with pytest.raises(ValueError, match="two ways to say the same"):
        make_learner(warmup=0.1, warmup_steps=5)


def test_the_loop_passes_the_state_to_each_step_and_returns_the_memory(
    make_learner: Make, examples: list[Example], remember
) -> None:
    watch, memory, seen = Watch(), remember(examples[:2]), []
    learner = make_learner(epochs=2)
    learner.network.eval()
    after = learner.train(examples[2:9], watch, memory, 2, lambda done, of: seen.append((done, of)))
    assert watch.states == [("made of", memory)] * 4
    assert watch.modes == [True] * 4
    assert after.examples == tuple(examples[2:9])
    assert after.passed == 2
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_the_loss_history_has_the_loss_of_every_optimizer_step(
    make_learner: Make, by_hand, examples: list[Example]
) -> None:
    watch, learner = Watch(), make_learner(epochs=2)
    assert learner.loss_history.shape == (0,)
    learner.train(examples[:6], watch, Memory(), 1)
    assert learner.loss_history.tolist() == [0.0] * 4
    expected = float(by_hand.loss(learner.network, watch.batches[0]).detach())
    learner.train(examples[:6], FineTune(), Memory(), 1)
    assert learner.loss_history.dtype == np.float32
    assert learner.loss_history.shape == (4,)
    assert learner.loss_history[0] == pytest.approx(expected, rel=1e-5)
    assert learner.loss_history[-1] < learner.loss_history[0]


def test_a_step_that_returns_no_loss_counts_as_nan_in_the_loss_history(
    make_learner: Make, examples: list[Example]
) -> None:
    @dataclass(frozen=True)
    class ReturnsNothing(Strategy):
        def step(self, learner: Learner, batch: Sequence[Example], state: Any) -> Any:
            learner.backward(learner.loss(batch))

    learner = make_learner()
    with pytest.warns(UserWarning, match=r"ReturnsNothing\.step returned None"):
        learner.train(examples[:4], ReturnsNothing(), Memory(), 1)
    assert np.isnan(learner.loss_history).tolist() == [True]


def test_a_stage_begins_as_the_previous_one_left_the_model(make_learner: Make, examples: list[Example]) -> None:
    """A strategy that looks back, as distillation does, must see the model before any training step."""
    learner = make_learner()
    before = weights(learner)

    @dataclass(frozen=True)
    class LooksBack(Strategy):
        seen: list[bool] = field(default_factory=list)

        def begin_stage(self, learner: Learner, memory: Memory) -> None:
            self.seen.append(same_bits(weights(learner), before))

    strategy = LooksBack()
    learner.train(examples[:4], strategy, Memory(), 2)
    assert strategy.seen == [True]
    assert not same_bits(weights(learner), before)


@pytest.mark.parametrize("settings", [{"warmup": 0.5, "clip": 0.3}, {"clip": 1e6}], ids=["clipped and warmed", "plain"])
def test_fine_tuning_is_a_plain_loop_of_adamw_over_the_batches(
    make_learner: Make, by_hand, examples: list[Example], settings: dict[str, float]
) -> None:
    stage, watch = examples[4:12], Watch()
    settings = {"learning_rate": 1e-3, **settings}
    make_learner(**settings, epochs=2).train(stage, watch, Memory(), 1)
    network = make_learner().network.train()
    optimizer = torch.optim.AdamW(
        network.parameters(), lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, foreach=False
    )
    rising = settings.get("warmup", 0) * len(watch.batches)
    for number, batch in enumerate(watch.batches, start=1):
        optimizer.param_groups[0]["lr"] = 1e-3 * (min(1.0, number / rising) if rising else 1.0)
        optimizer.zero_grad()
        by_hand.loss(network, batch).backward()
        norm = math.sqrt(sum(float(parameter.grad.pow(2).sum()) for parameter in network.parameters()))
        for parameter in network.parameters():
            parameter.grad.mul_(min(1.0, settings["clip"] / norm))
        optimizer.step()
    learner = make_learner(**settings, epochs=2)
    start = weights(learner)
    learner.train(stage, FineTune(), Memory(), 1)
    actual = learner.logits(stage)
    with torch.no_grad():
        for head in actual:
            rows = [row for example in stage for row in example.rows() if row.task == head]
            logits = torch.stack([by_hand.logits(network, row) for row in rows])
            assert np.allclose(actual[head], logits.numpy(), atol=2e-3)
    moved, apart = (
        math.sqrt(sum(float((weights(learner)[name] - other[name]).pow(2).sum()) for name in start))
        for other in (start, network.state_dict())
    )
    assert apart < 0.02 * moved


def test_a_step_that_leaves_no_gradient_is_an_error_that_says_what_is_missing(
    make_learner: Make, examples: list[Example]
) -> None:
    with pytest.raises(UserError, match=r"strategy Forgetful left no gradient: .* learner\.backward\(loss\)"):
        make_learner().train(examples[:8], Forgetful(), Memory(), 1)


def test_a_memory_that_is_not_returned_is_an_error(make_learner: Make, examples: list[Example]) -> None:
    class Absent(FineTune):
        def end_stage(self, *_: object) -> None:  # type: ignore[override]
            pass

    with pytest.raises(UserError, match=r"^Absent\.end_stage must return a Memory, returned None$"):
        make_learner().train(examples[:8], Absent(), Memory(), 1)


def test_a_step_may_return_the_loss_as_a_tensor(make_learner: Make, examples: list[Example]) -> None:
    class Tensors(FineTune):
        def step(self, learner, batch, state):  # type: ignore[no-untyped-def]
            loss = learner.loss(batch)
            learner.backward(loss)
            return loss

    learner = make_learner()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner.train(examples[:8], Tensors(), Memory(), 1)
    assert np.isfinite(learner.loss_history).all()


def test_training_lowers_the_loss_on_what_is_trained(make_learner: Make, by_hand, examples: list[Example]) -> None:
    learner = make_learner(epochs=4)
    before = float(by_hand.losses(learner.network, examples[:8]).mean())
    learner.train(examples[:8], FineTune(), Memory(), 1)
    assert float(by_hand.losses(learner.network.eval(), examples[:8]).mean()) < before - 0.3


@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
def test_training_that_diverges_is_an_error_that_says_where_and_what_to_do(
    make_learner: Make, examples: list[Example], wrong: float
) -> None:
    @dataclass(frozen=True)
    class Diverges(Watch):
        def step(self, learner: Learner, batch: Sequence[Example], state: Any) -> float:
            super().step(learner, batch, state)
            for parameter in learner.network.parameters():
                parameter.grad = torch.full_like(parameter, wrong if len(self.batches) == 2 else 0.0)
            return 0.0

    learner = make_learner()
    before = weights(learner)
    with pytest.raises(UserError, match=r"diverged at step 2 of 3 .*: lower the learning rate"):
        learner.train(examples[:12], Diverges(), Memory(), 1)
    assert same_bits(weights(learner), before)


def test_frozen_embeddings_do_not_move_and_everything_else_does(make_learner: Make, examples: list[Example]) -> None:
    learner = make_learner(frozen="embeddings", epochs=2)
    before = weights(learner)
    learner.train(examples[:8], FineTune(), Memory(), 1)
    still = {name for name, tensor in weights(learner).items() if torch.equal(tensor, before[name])}
    assert still == {"encoder.embeddings.word_embeddings.weight"}


def test_a_weight_that_no_example_touches_does_not_move(make_learner: Make, examples: list[Example]) -> None:
    learner = make_learner(epochs=2)
    words = learner.network.encoder.get_input_embeddings().weight
    before = words.detach().clone()
    learner.train(examples[:4], FineTune(), Memory(), 1)
    moved = (words != before).any(dim=1)
    assert 10 < int(moved.sum()) < 40


def test_nothing_is_frozen_by_default(make_learner: Make, examples: list[Example]) -> None:
    learner = make_learner(epochs=2)
    before = weights(learner)
    learner.train(examples[:8], FineTune(), Memory(), 1)
    assert not any(torch.equal(tensor, before[name]) for name, tensor in weights(learner).items())

"""The learner's loss, batches, steps and predictions are those of the formulas, and depend on the seed alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional

from trivium.data.example import Example
from trivium.data.labels import NLI2
from trivium.errors import UserError
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategies.finetune import FineTune
from trivium.learn.strategies.reservoir import ReservoirReplay
from trivium.learn.strategy import Strategy
from trivium.models.tokens import Row

Make = Callable[..., Learner]
LABELS = ("entailment", "neutral", "contradiction")


@dataclass(frozen=True)
class Watch(Strategy):
    """Sees what the loop does, and trains nothing."""

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
    """Knows the loss, and does not say so."""

    def step(self, learner: Learner, batch: Sequence[Example], state: Any) -> float:
        return float(learner.loss(batch).detach())


def weights(learner: Learner) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in learner.network.state_dict().items()}


def same_bits(first: dict[str, Tensor], second: dict[str, Tensor]) -> bool:
    assert first.keys() == second.keys()
    return all(torch.equal(first[name], second[name]) for name in first)


def rows_of(examples: Sequence[Example], head: str) -> Iterator[Example]:
    for example in examples:
        yield from (row for row in (example, *example.parts) if row.task == head)


def test_the_loss_is_the_sum_over_the_heads_of_their_mean_cross_entropy(
    learner: Learner, by_hand, examples: list[Example]
) -> None:
    asked = [*examples[:4], replace(examples[9], parts=()), replace(examples[15], parts=examples[15].parts[:1])]
    means = []
    for head in ("composed", "natural", "veridical"):
        rows = list(rows_of(asked, head))
        logits = torch.stack([by_hand.logits(learner.network, row) for row in rows])
        means.append(functional.cross_entropy(logits, torch.tensor([LABELS.index(row.label) for row in rows])))
    assert float(learner.loss(asked).detach()) == pytest.approx(float(sum(means).detach()), rel=1e-5)
    assert float(learner.loss(asked).detach()) == pytest.approx(
        float(by_hand.loss(learner.network, asked).detach()), rel=1e-5
    )


def test_the_losses_of_an_example_are_the_sum_over_its_rows_and_carry_no_gradient(
    learner: Learner, by_hand, examples: list[Example]
) -> None:
    asked = [*examples[6:12], replace(examples[0], parts=())]
    found = learner.losses(asked)
    assert torch.allclose(found, by_hand.losses(learner.network, asked), rtol=0, atol=1e-5)
    assert not found.requires_grad


def test_a_row_whose_head_the_model_has_not_is_not_asked(make_learner: Make, by_hand, examples: list[Example]) -> None:
    learner = make_learner(heads=("composed",))
    bare = [replace(example, parts=()) for example in examples[:4]]
    assert float(learner.loss(examples[:4]).detach()) == pytest.approx(
        float(by_hand.loss(learner.network, bare).detach()), rel=1e-5
    )
    assert set(learner.predict(examples[:4])) == {"composed"}


def test_a_label_of_another_scheme_is_an_error_that_names_it(examples: list[Example]) -> None:
    learner = Learner(ModelConfig(name="tiny"), ("composed",), TrainConfig(), 0, labels=NLI2)
    assert learner.predict(examples[:2])["composed"].shape == (2, 2)
    with pytest.raises(UserError, match="'entailment' is not of the scheme nli2"):
        learner.loss(examples[:1])


def test_backward_leaves_the_gradient_and_gives_the_value(
    learner: Learner, by_hand, examples: list[Example], gradient_at_hand, same_gradient
) -> None:
    value = learner.backward(learner.loss(examples[:4]))
    loss = by_hand.loss(learner.network, examples[:4])
    assert value == pytest.approx(float(loss.detach()), rel=1e-5)
    assert same_gradient(gradient_at_hand(learner), by_hand.gradient(learner.network, examples[:4]))


def test_predictions_are_those_of_each_row_alone_in_the_order_of_the_examples(
    learner: Learner, by_hand, examples: list[Example]
) -> None:
    asked = [examples[i] for i in np.random.default_rng(1).permutation(len(examples))]
    found = learner.predict(asked)
    lengths = [len(row.premise.split()) + len(row.hypothesis.split()) for row in rows_of(asked, "composed")]
    assert sorted(lengths) != lengths
    assert sum(len(logits) for logits in found.values()) > 64
    with torch.no_grad():
        for head in ("composed", "natural", "veridical"):
            alone = torch.stack([by_hand.logits(learner.network, row) for row in rows_of(asked, head)])
            assert found[head].dtype == np.float32
            assert np.allclose(found[head], alone.numpy(), rtol=0, atol=1e-5)


def test_predicting_is_without_dropout_and_reports_its_progress(make_learner: Make, examples: list[Example]) -> None:
    learner = make_learner(dropout=0.4)
    learner.network.train()
    seen: list[tuple[int, int]] = []
    first = learner.predict(examples, lambda done, of: seen.append((done, of)))
    second = learner.predict(examples)
    assert all(np.array_equal(first[head], second[head]) for head in first)
    assert seen == [(64, 72), (72, 72)]


def test_predicting_nothing_gives_nothing(learner: Learner) -> None:
    assert learner.predict([]) == {}


def test_weights_that_were_saved_give_identical_logits_when_they_are_loaded(
    make_learner: Make, examples: list[Example], tmp_path: Path
) -> None:
    trained, other = make_learner(seed=0), make_learner(seed=1)
    trained.train(examples[:8], FineTune(), Memory(), 1)
    trained.save(tmp_path / "weights.safetensors")
    expected = trained.predict(examples[:8])
    assert not np.allclose(other.predict(examples[:8])["composed"], expected["composed"], atol=1e-3)
    other.load(tmp_path / "weights.safetensors")
    found = other.predict(examples[:8])
    assert all(np.array_equal(found[head], expected[head]) for head in expected)
    assert same_bits(weights(other), weights(trained))


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


def test_a_learner_that_goes_on_and_one_that_was_loaded_train_alike(
    make_learner: Make, examples: list[Example], tmp_path: Path
) -> None:
    whole, resumed = make_learner(dropout=0.1), make_learner(dropout=0.1)
    whole.train(examples[:8], FineTune(), Memory(), 1)
    whole.save(tmp_path / "weights.safetensors")
    resumed.load(tmp_path / "weights.safetensors")
    for learner in (whole, resumed):
        learner.train(examples[8:16], FineTune(), Memory(), 2)
    assert same_bits(weights(whole), weights(resumed))


def test_making_training_and_predicting_leave_the_global_random_states_alone(
    make_learner: Make, examples: list[Example], remember
) -> None:
    before, numpy_before = torch.random.get_rng_state(), np.random.get_state()[1].copy()
    learner = make_learner(dropout=0.1)
    memory = learner.train(examples[:8], ReservoirReplay(), remember(examples[8:12]), 2)
    learner.predict(examples[:4])
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
def test_the_learning_rate_rises_in_a_line_over_the_first_share_of_the_steps(
    make_learner: Make, examples: list[Example], warmup: float, factors: list[float]
) -> None:
    watch = Watch()
    make_learner(learning_rate=0.01, warmup=warmup, epochs=2).train(examples[:16], watch, Memory(), 1)
    assert watch.rates == pytest.approx([0.01 * factor for factor in factors])


def test_the_loop_gives_each_step_what_the_strategy_made_and_gives_back_what_it_remembers(
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


def test_a_stage_begins_as_the_previous_one_left_the_model(make_learner: Make, examples: list[Example]) -> None:
    """A strategy that looks back, as distillation does, must see the old model and not one in the making."""
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
    found = learner.predict(stage)
    with torch.no_grad():
        for head in found:
            logits = torch.stack([by_hand.logits(network, row) for row in rows_of(stage, head)])
            assert np.allclose(found[head], logits.numpy(), atol=2e-3)
    moved, apart = (
        math.sqrt(sum(float((weights(learner)[name] - other[name]).pow(2).sum()) for name in start))
        for other in (start, network.state_dict())
    )
    assert apart < 0.02 * moved


def test_a_step_that_leaves_no_gradient_is_an_error_that_says_what_is_missing(
    make_learner: Make, examples: list[Example]
) -> None:
    with pytest.raises(UserError, match=r"strategy Forgetful left no gradient behind: .* learner\.backward\(loss\)"):
        make_learner().train(examples[:8], Forgetful(), Memory(), 1)


def test_a_device_that_is_not_there_is_an_error_that_says_what_to_set(make_learner: Make) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device here")
    with pytest.raises(UserError, match=r"train\.device is 'cuda', .* --set train\.device=cpu"):
        make_learner(device="cuda")


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
    with pytest.raises(UserError, match=r"diverged at step 2 of 3 .*: lower train\.learning_rate"):
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


def test_nothing_is_frozen_unless_it_is_asked_for(make_learner: Make, examples: list[Example]) -> None:
    learner = make_learner(epochs=2)
    before = weights(learner)
    learner.train(examples[:8], FineTune(), Memory(), 1)
    assert not any(torch.equal(tensor, before[name]) for name, tensor in weights(learner).items())


@pytest.fixture
def precisions(learner: Learner, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """In what the learner now asks its network to compute. (Not every processor can: nothing is computed here.)"""

    def answer(rows: Sequence[Row]) -> dict[str, Tensor]:
        kind = learner.device.type
        seen.append(str(torch.get_autocast_dtype(kind)) if torch.is_autocast_enabled(kind) else "full")
        return {"composed": torch.zeros(len(rows), 3)}

    def asked() -> str:
        learner.losses([bare])
        return seen.pop()

    bare = Example("1", "A man is playing", "A man is singing", "neutral", task="composed")
    seen: list[str] = []
    monkeypatch.setattr(learner.network, "logits", answer)
    return asked


@pytest.mark.parametrize("training", [True, False])
def test_exactly_is_without_dropout_and_in_full_precision_and_then_all_is_as_before(
    learner: Learner, precisions: Callable[[], str], monkeypatch: pytest.MonkeyPatch, training: bool
) -> None:
    monkeypatch.setattr(learner, "_precision", "bf16")
    learner.network.train(training)
    assert precisions() == "torch.bfloat16"
    with learner.exactly():
        assert not learner.network.training
        assert precisions() == "full"
    assert learner.network.training is training
    assert precisions() == "torch.bfloat16"


@pytest.mark.parametrize("training", [True, False])
def test_after_a_mistake_within_exactly_all_is_as_before(
    learner: Learner, precisions: Callable[[], str], monkeypatch: pytest.MonkeyPatch, training: bool
) -> None:
    monkeypatch.setattr(learner, "_precision", "bf16")
    learner.network.train(training)
    with suppress(KeyError), learner.exactly():
        raise KeyError
    assert learner.network.training is training
    assert precisions() == "torch.bfloat16"


def test_full_precision_is_the_default(learner: Learner, precisions: Callable[[], str]) -> None:
    assert precisions() == "full"


def test_more_tokens_than_the_encoder_can_read_are_refused() -> None:
    with pytest.raises(UserError, match=r"model\.max_length is 512, but 'tiny' reads at most 128 tokens"):
        Learner(ModelConfig(name="tiny", max_length=512), ("natural",), TrainConfig(), 0)


def test_the_vector_of_a_row_is_what_its_head_sees(make_learner: Make, examples: list[Example]) -> None:
    learner = make_learner()
    vectors, logits = learner.represent(examples), learner.predict(examples)
    assert set(vectors) == set(logits)
    for head, found in vectors.items():
        layer = learner.network.heads[head]
        expected = found @ layer.weight.detach().numpy().T + layer.bias.detach().numpy()
        assert found.shape == (len(logits[head]), 128)
        assert np.allclose(expected, logits[head], atol=1e-5)

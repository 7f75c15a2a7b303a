"""MAS: changes of a parameter are penalised, the more the output depends on it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

import numpy as np
import pytest
import torch
from torch import Tensor

from trivium.data.example import Example
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategies.finetune import FineTune
from trivium.learn.strategies.mas import MemoryAwareSynapses, importance
from trivium.models.network import Network

Make = Callable[..., Learner]


def trained(network: Network) -> list[Tensor]:
    return [parameter for parameter in network.parameters() if parameter.requires_grad]


def slopes(by_hand, network: Network, example: Example) -> list[Tensor]:
    """∂‖f(x)‖²/∂θ of one example: of all logits of its rows, one row at a time."""
    squares = sum((by_hand.logits(network, row) ** 2).sum() for row in (example, *example.parts))
    actual = torch.autograd.grad(squares, trained(network), allow_unused=True)
    return [torch.zeros_like(p) if slope is None else slope for p, slope in zip(trained(network), actual, strict=True)]


def importance_by_hand(by_hand, network: Network, examples: Sequence[Example]) -> list[Tensor]:
    """Ω: the mean over examples of the absolute gradients."""
    each = [slopes(by_hand, network, example) for example in examples]
    return [sum(torch.abs(slope) for slope in of_one) / len(examples) for of_one in zip(*each, strict=True)]


def distance_by_hand(network: Network, old: Network, weights: Sequence[Tensor]) -> Tensor:
    """Σ Ω (θ − θ*)²."""
    three = zip(trained(network), trained(old), weights, strict=True)
    return sum((weight * (now - then.detach()) ** 2).sum() for now, then, weight in three)


def move(network: Network) -> None:
    """Change all weights, as steps of training would."""
    source = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.02 * torch.randn(parameter.shape, generator=source))


def same_weights(first: Learner, second: Learner) -> bool:
    both = zip(first.network.parameters(), second.network.parameters(), strict=True)
    return all(torch.equal(one, other) for one, other in both)


def test_importance_is_the_mean_absolute_gradient_of_single_examples(
    learner: Learner, by_hand, examples: list[Example], same_gradient
) -> None:
    queries = examples[4:7]
    actual = importance(learner, trained(learner.network), queries)
    assert same_gradient(actual, importance_by_hand(by_hand, learner.network, queries))
    each = [slopes(by_hand, learner.network, example) for example in queries]
    of_the_batch = [torch.abs(sum(of_one)) / len(queries) for of_one in zip(*each, strict=True)]
    assert not same_gradient(actual, of_the_batch)


def test_importance_of_a_head_is_twice_its_logits_times_its_inputs(learner: Learner, examples: list[Example]) -> None:
    outputs, vectors = learner.logits(examples[:6]), learner.vectors(examples[:6])
    for head in ("composed", "natural", "veridical"):
        layer = learner.network.heads[head]
        weight, bias = importance(learner, [layer.weight, layer.bias], examples[:6])
        outer = 2 * np.abs(outputs[head])[:, :, None] * np.abs(vectors[head])[:, None, :]
        assert np.allclose(bias, 2 * np.abs(outputs[head]).mean(0), rtol=1e-4, atol=1e-6)
        assert np.allclose(weight, outer.mean(0), rtol=1e-3, atol=1e-5)


def test_a_parameter_that_no_example_uses_has_no_importance(learner: Learner, examples: list[Example]) -> None:
    queries = [example.parts[0] for example in examples[:2]]
    (unused,) = {"natural", "veridical"} - {row.task for row in queries}
    assert not importance(learner, [learner.network.heads[unused].weight], queries)[0].any()
    assert importance(learner, [learner.network.heads[queries[0].task].weight], queries)[0].any()


@pytest.mark.parametrize("training", [True, False])
def test_dropout_does_not_affect_the_importance(make_learner: Make, examples: list[Example], training: bool) -> None:
    dropping, plain = make_learner(dropout=0.4), make_learner()
    dropping.network.train(training)
    actual = importance(dropping, trained(dropping.network), examples[:2])
    expected = importance(plain, trained(plain.network), examples[:2])
    assert all(torch.equal(one, other) for one, other in zip(actual, expected, strict=True))
    assert dropping.network.training is training


def test_a_step_leaves_the_gradient_of_the_loss_and_the_weighted_distance_to_the_weights_before(
    learner: Learner, by_hand, examples: list[Example], gradient_at_hand, same_gradient
) -> None:
    batch, learner.stage = examples[:3], examples[4:7]
    strategy, old = MemoryAwareSynapses(weight=3.0), copy.deepcopy(learner.network)
    anchor = strategy.begin_stage(learner, Memory())
    move(learner.network)
    weights = importance_by_hand(by_hand, old, learner.stage)
    loss = by_hand.loss(learner.network, batch) + 3.0 * distance_by_hand(learner.network, old, weights)
    expected = torch.autograd.grad(loss, trained(learner.network))
    plain = by_hand.gradient(learner.network, batch)
    actual = strategy.step(learner, batch, anchor)
    assert same_gradient(gradient_at_hand(learner), expected)
    assert not same_gradient(gradient_at_hand(learner), plain)
    assert actual == pytest.approx(float(loss.detach()), rel=1e-5)


def test_unchanged_parameters_have_no_penalty(
    learner: Learner, make_learner: Make, examples: list[Example], gradient_at_hand
) -> None:
    plain = make_learner()
    plain.network.train()
    expected = plain.backward(plain.loss(examples[:3]))
    learner.stage = examples[4:8]
    strategy = MemoryAwareSynapses(weight=1000.0)
    assert strategy.step(learner, examples[:3], strategy.begin_stage(learner, Memory())) == expected
    both = zip(gradient_at_hand(learner), gradient_at_hand(plain), strict=True)
    assert all(torch.equal(ours, theirs) for ours, theirs in both)


def test_importance_is_measured_on_the_given_number_of_examples(
    learner: Learner, by_hand, examples: list[Example], remember, same_gradient
) -> None:
    learner.stage, learner.rng = examples[:6], np.random.default_rng(5)
    anchor = MemoryAwareSynapses(examples=2).begin_stage(learner, remember(examples[12:15]))
    chosen = [examples[index] for index in np.random.default_rng(5).permutation(6)[:2]]
    assert same_gradient(anchor.importance, importance_by_hand(by_hand, learner.network, chosen))


def test_importance_can_be_measured_on_the_memory(
    learner: Learner, by_hand, examples: list[Example], remember, same_gradient
) -> None:
    learner.stage = examples[:2]
    anchor = MemoryAwareSynapses(measured_on="memory").begin_stage(learner, remember(examples[12:14]))
    assert same_gradient(anchor.importance, importance_by_hand(by_hand, learner.network, examples[12:14]))
    assert not same_gradient(anchor.importance, importance_by_hand(by_hand, learner.network, examples[:2]))


def test_without_a_memory_to_measure_on_training_is_plain(make_learner: Make, examples: list[Example]) -> None:
    plain, ours = make_learner(dropout=0.1), make_learner(dropout=0.1)
    plain.train(examples[:8], FineTune(), Memory(), 2)
    ours.train(examples[:8], MemoryAwareSynapses(weight=50.0, measured_on="memory"), Memory(), 2)
    assert same_weights(plain, ours)


def test_measuring_importance_changes_nothing(make_learner: Make, examples: list[Example]) -> None:
    plain, weightless = make_learner(dropout=0.1), make_learner(dropout=0.1)
    plain.train(examples[:8], FineTune(), Memory(), 2)
    weightless.train(examples[:8], MemoryAwareSynapses(weight=0.0), Memory(), 2)
    assert same_weights(plain, weightless)


def test_frozen_parameters_are_neither_measured_nor_changed(make_learner: Make, examples: list[Example]) -> None:
    learner = make_learner(frozen="embeddings")
    frozen = learner.network.encoder.get_input_embeddings().weight
    before = frozen.detach().clone()
    learner.stage = examples[:2]
    anchor = MemoryAwareSynapses().begin_stage(learner, Memory())
    assert not any(parameter is frozen for parameter in anchor.parameters)
    assert len(anchor.parameters) == len(list(learner.network.parameters())) - 1
    learner.train(examples[:8], MemoryAwareSynapses(weight=10.0), Memory(), 2)
    assert torch.equal(frozen, before)
    assert frozen.grad is None


def test_a_larger_weight_holds_important_parameters_more_than_others(
    make_learner: Make, by_hand, contrary: list[Example]
) -> None:
    stage, important, all_alike = contrary[6:12], [], []
    weights = importance_by_hand(by_hand, make_learner().network, stage)
    for weight in (0.0, 200.0):
        learner = make_learner(epochs=2)
        old = copy.deepcopy(learner.network)
        learner.train(stage, MemoryAwareSynapses(weight=weight), Memory(), 2)
        with torch.no_grad():
            important.append(float(distance_by_hand(learner.network, old, weights)))
            all_alike.append(float(distance_by_hand(learner.network, old, [torch.ones_like(w) for w in weights])))
    assert important[1] < 0.2 * important[0]
    assert important[1] / important[0] < 0.5 * all_alike[1] / all_alike[0]


def test_the_stage_is_added_to_a_reservoir_of_the_given_size(learner: Learner, examples: list[Example]) -> None:
    memory = MemoryAwareSynapses(examples=5).end_stage(learner, examples, Memory())
    assert len(memory) == 5
    assert memory.seen == len(examples)


def test_the_anchor_is_the_start_of_the_stage_or_what_the_first_stage_learned(
    make_learner: Make, by_hand, examples: list[Example], same_gradient
) -> None:
    for anchor in ("stage", "base"):
        learner = make_learner()
        base = copy.deepcopy(learner.network)
        learner.base = {name: parameter.detach().clone() for name, parameter in base.named_parameters()}
        move(learner.network)
        start = copy.deepcopy(learner.network)
        learner.stage = examples[:4]
        actual = MemoryAwareSynapses(anchor=anchor).begin_stage(learner, Memory())
        assert actual is not None
        expected = base if anchor == "base" else start
        assert all(torch.equal(a, b) for a, b in zip(actual.values, trained(expected), strict=True))
        assert same_gradient(actual.importance, importance_by_hand(by_hand, expected, examples[:4]))
        assert all(torch.equal(a, b) for a, b in zip(trained(learner.network), trained(start), strict=True))


def test_a_learner_holds_to_what_it_knew_before_the_first_correction(
    make_learner: Make, examples: list[Example]
) -> None:
    learner = make_learner()
    learner.fit(examples[:8])
    known = {name: parameter.detach().clone() for name, parameter in learner.network.named_parameters()}
    strategy = MemoryAwareSynapses(anchor="base")
    learner.fit(examples[8:12], strategy).fit(examples[12:16], strategy)
    assert learner.base is not None
    assert all(torch.equal(learner.base[name], value) for name, value in known.items())

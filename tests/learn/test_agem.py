"""A-GEM: a gradient that conflicts with that of the memory is projected."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch import Tensor

from trivium.data.example import Example
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategies.agem import AveragedGradientMemory, project

SHAPES = ((2,), (2, 2), (1,))
WIDTH = sum(int(np.prod(shape)) for shape in SHAPES)

# Squares of values below 1e-3, scaled by 1e-4, would underflow in single precision.
values = st.floats(-100, 100, width=32).map(lambda value: value if abs(value) > 1e-3 else 0.0)
vectors = st.lists(values, min_size=WIDTH, max_size=WIDTH).map(np.array)
absent = st.sets(st.integers(0, len(SHAPES) - 1), max_size=len(SHAPES))


def pieces(vector: np.ndarray, left_out: set[int]) -> list[Tensor | None]:
    """A vector cut into tensors of several shapes; those left out are None."""
    ends = np.cumsum([int(np.prod(shape)) for shape in SHAPES])
    actual: list[Tensor | None] = []
    for number, (shape, end) in enumerate(zip(SHAPES, ends, strict=True)):
        piece = vector[end - int(np.prod(shape)) : end].reshape(shape)
        actual.append(None if number in left_out else torch.tensor(piece, dtype=torch.float32))
    return actual


def flat(tensors: Sequence[Tensor | None], like: Sequence[Tensor]) -> np.ndarray:
    """All tensors in one vector; None is 0."""
    whole = [
        np.zeros(some.numel()) if tensor is None else tensor.detach().double().numpy().ravel()
        for tensor, some in zip(tensors, like, strict=True)
    ]
    return np.concatenate(whole)


def projected(g: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Chaudhry et al. (2019a), equation 11."""
    return g if g @ r >= 0 else g - (g @ r) / (r @ r) * r


def parameters_with(gradients: Sequence[Tensor | None]) -> list[Tensor]:
    built = [torch.zeros(shape, requires_grad=True) for shape in SHAPES]
    for parameter, gradient in zip(built, gradients, strict=True):
        parameter.grad = None if gradient is None else gradient.clone()
    return built


@given(vectors, vectors, absent, absent, st.sampled_from([1.0, 1e-2, 1e-4]))
@settings(deadline=None, max_examples=200)
def test_projection_is_that_of_the_formula_on_one_long_vector(
    first: np.ndarray, second: np.ndarray, no_gradient: set[int], no_reference: set[int], scale: float
) -> None:
    gradients, reference = pieces(scale * first, no_gradient), pieces(scale * second, no_reference)
    parameters = parameters_with(gradients)
    g, r = flat(gradients, parameters), flat(reference, parameters)
    assume(g @ r >= 0 or -(g @ r) > 1e-6 * np.linalg.norm(g) * np.linalg.norm(r))
    project(parameters, reference)
    actual = flat([parameter.grad for parameter in parameters], parameters)
    size = np.linalg.norm(g)
    assert np.allclose(actual, projected(g, r), rtol=0, atol=1e-5 * size)
    assert actual @ r >= -1e-5 * size * np.linalg.norm(r)


@given(vectors, vectors)
@settings(deadline=None)
def test_a_gradient_that_agrees_with_the_memory_is_left_as_it_is_to_the_bit(
    first: np.ndarray, second: np.ndarray
) -> None:
    agreeing = second if first @ second >= 0 else -second
    gradients = pieces(first, set())
    parameters = parameters_with(gradients)
    project(parameters, pieces(agreeing, set()))
    assert all(torch.equal(p.grad, g) for p, g in zip(parameters, gradients, strict=True))


def test_projection_of_an_opposite_gradient_leaves_nothing() -> None:
    gradients = pieces(np.linspace(-1, 2, WIDTH), set())
    parameters = parameters_with(gradients)
    project(parameters, [-2 * g for g in gradients if g is not None])
    assert np.allclose(flat([p.grad for p in parameters], parameters), 0, atol=1e-6)


def test_a_reference_whose_square_underflows_leaves_the_gradient_as_it_is() -> None:
    gradients = pieces(np.ones(WIDTH), set())
    parameters = parameters_with(gradients)
    project(parameters, [torch.full_like(g, -1e-30) for g in gradients if g is not None])
    assert all(torch.equal(p.grad, g) for p, g in zip(parameters, gradients, strict=True))


def test_a_parameter_that_neither_batch_used_keeps_no_gradient() -> None:
    parameters = parameters_with(pieces(np.ones(WIDTH), {2}))
    project(parameters, pieces(-np.ones(WIDTH), {2}))
    assert parameters[2].grad is None


def step_by_hand(
    learner: Learner, by_hand, batch: Sequence[Example], memory: Memory, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return g on the batch and r on the examples drawn from the memory, computed on a copy of the network."""
    network = copy.deepcopy(learner.network)
    parameters = list(network.parameters())
    drawn = np.random.default_rng(seed).choice(len(memory), size=min(len(batch), len(memory)), replace=False)
    remembered = [memory.examples[i] for i in drawn]
    g = flat(by_hand.gradient(network, batch), parameters)
    return g, flat(by_hand.gradient(network, remembered), parameters)


def gradient_after_step(learner: Learner, batch: Sequence[Example], memory: Memory, seed: int) -> np.ndarray:
    learner.rng = np.random.default_rng(seed)
    AveragedGradientMemory().step(learner, batch, memory)
    parameters = list(learner.network.parameters())
    return flat([parameter.grad for parameter in parameters], parameters)


@pytest.mark.parametrize("remembered", [9, 2], ids=["memory larger than the batch", "memory smaller than the batch"])
def test_a_step_against_the_memory_leaves_the_projected_gradient(
    learner: Learner, by_hand, examples: list[Example], contrary: list[Example], remember, remembered: int
) -> None:
    batch, memory = examples[:3], remember(contrary[:remembered])
    g, r = step_by_hand(learner, by_hand, batch, memory, seed=5)
    assert g @ r < -0.1 * np.linalg.norm(g) * np.linalg.norm(r)
    actual = gradient_after_step(learner, batch, memory, seed=5)
    assert np.linalg.norm(actual - projected(g, r)) < 1e-4 * np.linalg.norm(g)
    assert abs(actual @ r) < 1e-4 * np.linalg.norm(g) * np.linalg.norm(r)


def test_a_step_is_projected_even_if_only_the_memory_uses_a_head(
    learner: Learner, by_hand, examples: list[Example], contrary: list[Example], remember
) -> None:
    batch, memory = [replace(example, parts=()) for example in examples[12:15]], remember(contrary[12:15])
    g, r = step_by_hand(learner, by_hand, batch, memory, seed=5)
    assert g @ r < -0.1 * np.linalg.norm(g) * np.linalg.norm(r)
    actual = gradient_after_step(learner, batch, memory, seed=5)
    assert np.linalg.norm(actual - projected(g, r)) < 1e-4 * np.linalg.norm(g)


def test_a_step_that_agrees_with_the_memory_is_the_plain_one_to_the_bit(
    learner: Learner, make_learner: Callable[..., Learner], examples: list[Example], remember
) -> None:
    batch = examples[:3]
    plain = make_learner()
    plain.network.train()
    plain.backward(plain.loss(batch))
    AveragedGradientMemory().step(learner, batch, remember(batch))
    both = zip(learner.network.parameters(), plain.network.parameters(), strict=True)
    assert all(torch.equal(ours.grad, theirs.grad) for ours, theirs in both)


def test_a_step_returns_the_loss_on_the_batch_alone(
    learner: Learner, by_hand, examples: list[Example], contrary: list[Example], remember
) -> None:
    expected = float(by_hand.loss(learner.network, examples[:3]).detach())
    assert AveragedGradientMemory().step(learner, examples[:3], remember(contrary[3:9])) == pytest.approx(
        expected, 1e-5
    )


def test_a_small_step_along_the_projected_gradient_does_not_raise_the_loss_on_the_memory(
    learner: Learner, by_hand, examples: list[Example], contrary: list[Example], remember
) -> None:
    batch, memory = examples[:3], remember(contrary[:3])

    def loss_after(gradient: Sequence[Tensor | None]) -> float:
        moved = copy.deepcopy(learner.network)
        with torch.no_grad():
            for parameter, direction in zip(moved.parameters(), gradient, strict=True):
                parameter.sub_(1e-4 * direction)
            return float(by_hand.loss(moved, memory.examples))

    before = float(by_hand.loss(learner.network, memory.examples).detach())
    plain = by_hand.gradient(learner.network, batch)
    AveragedGradientMemory().step(learner, batch, memory)
    harm = loss_after(plain) - before
    assert harm > 1e-3
    assert loss_after([parameter.grad for parameter in learner.network.parameters()]) - before < 0.05 * harm


def test_the_stage_is_added_to_a_reservoir_of_the_given_size(learner: Learner, examples: list[Example]) -> None:
    memory = AveragedGradientMemory(memory_size=5).end_stage(learner, examples, Memory())
    assert len(memory) == 5
    assert memory.seen == len(examples)

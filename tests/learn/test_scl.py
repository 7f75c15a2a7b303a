"""SCL: vectors of the same label attract each other, others repel (CFL, equations 5 to 7)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from trivium.data.example import Example
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategies.finetune import FineTune
from trivium.learn.strategies.scl import SupervisedContrast, contrast
from trivium.models.network import Network

Make = Callable[..., Learner]


class Batch(NamedTuple):
    vectors: Tensor
    labels: list[str]
    temperature: float


@st.composite
def batches(draw: st.DrawFn, names: str = "abc", least: int = 1) -> Batch:
    """A few vectors that are not zero, with labels."""
    number, width = draw(st.integers(least, 7)), draw(st.integers(1, 4))
    value = st.integers(-20, 20).map(lambda tenths: tenths / 10)
    line = st.lists(value, min_size=width, max_size=width).filter(any)
    lines = draw(st.lists(line, min_size=number, max_size=number))
    labels = draw(st.lists(st.sampled_from(names), min_size=number, max_size=number))
    return Batch(torch.tensor(lines, dtype=torch.float64), labels, draw(st.sampled_from([0.1, 0.3, 1.0, 2.0])))


def by_loops(vectors: Sequence[Tensor], labels: Sequence[str], temperature: float) -> Tensor:
    """Equations 6 and 7, term by term. As in Gunel et al., j ≠ i, so there are N_y − 1 of them."""
    unit = [vector / torch.sqrt(sum(value * value for value in vector)) for vector in vectors]

    def g(i: int, j: int) -> Tensor:
        return torch.exp(sum(a * b for a, b in zip(unit[i], unit[j], strict=True)) / temperature)

    total, every = torch.zeros((), dtype=vectors[0].dtype), range(len(labels))
    for i in every:
        same = [j for j in every if labels[j] == labels[i] and j != i]
        below = sum(g(i, k) for k in every if k != i)
        for j in same:
            total = total - torch.log(g(i, j) / below) / len(same)
    return total


@given(batches())
@settings(deadline=None, max_examples=60)
def test_contrast_and_its_gradient_are_those_of_the_equations(batch: Batch) -> None:
    ours, theirs = (batch.vectors.clone().requires_grad_() for _ in range(2))
    actual, expected = contrast(ours, *batch[1:]), by_loops(list(theirs), *batch[1:])
    assert float(actual.detach()) == pytest.approx(float(expected.detach()), rel=1e-9, abs=1e-9)
    actual.backward()
    (slope,) = torch.autograd.grad(expected, theirs) if expected.requires_grad else (torch.zeros_like(theirs),)
    assert torch.allclose(ours.grad, slope, rtol=1e-7, atol=1e-9)


def test_contrast_of_four_vectors_is_what_a_calculation_by_hand_gives() -> None:
    vectors = torch.tensor([[2.0, 0.0], [0.0, 1.0], [0.0, 3.0], [-5.0, 0.0]], dtype=torch.float64)
    # a is orthogonal to b and b', which are equal, and opposite to c; with a temperature of 1:
    e = torch.exp(torch.tensor(1.0, dtype=torch.float64))
    each = torch.log((e + 2) / e)
    assert float(contrast(vectors, ["a", "b", "b", "c"], 1.0)) == pytest.approx(float(2 * each), rel=1e-12)


@given(batches(names="ab"), st.data())
@settings(deadline=None, max_examples=30)
def test_a_label_that_occurs_once_adds_nothing_of_its_own(batch: Batch, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(batch.labels) - 1))
    labels = [*batch.labels[:index], "alone", *batch.labels[index + 1 :]]
    others = [i for i in range(len(labels)) if i != index]
    unit = batch.vectors / batch.vectors.norm(dim=1, keepdim=True)
    expected = 0.0
    for i in others:
        logs = torch.log_softmax(unit[i] @ unit[[k for k in range(len(labels)) if k != i]].T / batch.temperature, 0)
        same = [labels[k] == labels[i] for k in range(len(labels)) if k != i]
        expected -= float(logs[torch.tensor(same)].mean()) if any(same) else 0.0
    assert float(contrast(batch.vectors, labels, batch.temperature)) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("number", [1, 2, 5])
def test_labels_that_all_differ_give_zero_and_a_gradient_of_zero(number: int) -> None:
    vectors = torch.randn(number, 3, generator=torch.Generator().manual_seed(0)).requires_grad_()
    actual = contrast(vectors, list("abcde")[:number], 0.3)
    actual.backward()
    assert float(actual.detach()) == 0
    assert torch.equal(vectors.grad, torch.zeros(number, 3))


@given(batches(), st.data())
@settings(deadline=None, max_examples=30)
def test_neither_the_length_of_vectors_nor_their_order_matters(batch: Batch, data: st.DataObject) -> None:
    vectors, labels, temperature = batch
    expected = pytest.approx(float(contrast(vectors, labels, temperature)), rel=1e-9, abs=1e-9)
    lengths = torch.tensor([data.draw(st.sampled_from([0.01, 1.0, 300.0])) for _ in labels], dtype=torch.float64)
    assert float(contrast(lengths[:, None] * vectors, labels, temperature)) == expected
    order = data.draw(st.permutations(range(len(labels))))
    assert float(contrast(vectors[order], [labels[index] for index in order], temperature)) == expected


@pytest.mark.parametrize("temperature", [1e-6, 1e-3, 0.3])
def test_identical_vectors_and_a_tiny_temperature_stay_finite(temperature: float) -> None:
    source = torch.Generator().manual_seed(0)
    for vectors in (torch.ones(4, 3), torch.randn(4, 3, generator=source), torch.zeros(4, 3)):
        vectors.requires_grad_()
        actual = contrast(vectors, list("aabb"), temperature)
        actual.backward()
        assert torch.isfinite(actual)
        assert torch.isfinite(vectors.grad).all()


def test_identical_vectors_are_as_near_to_one_as_to_another() -> None:
    actual = contrast(torch.ones(4, 3, dtype=torch.float64), list("aabb"), 0.3)
    assert float(actual) == pytest.approx(4 * math.log(3), rel=1e-9)


def vector_by_hand(by_hand, network: Network, row: Example) -> Tensor:
    """The vector that the row's head sees, computed for the row alone and without padding."""
    state = network.encoder(**by_hand._tokenizer(row.premise, row.hypothesis, return_tensors="pt"))
    return state.last_hidden_state[0, 0].double()


def scatter(network: Network) -> None:
    """Change all weights so that vectors differ, which they hardly do in a new network."""
    source = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.05 * torch.randn(parameter.shape, generator=source))


def contrast_by_hand(by_hand, network: Network, batch: Sequence[Example], temperature: float) -> Tensor:
    """Σ over heads of the contrast between their rows."""
    rows_of: dict[str, list[Example]] = {}
    for example in batch:
        for row in (example, *example.parts):
            rows_of.setdefault(row.task, []).append(row)
    return sum(
        by_loops([vector_by_hand(by_hand, network, row) for row in rows], [row.label for row in rows], temperature)
        for rows in rows_of.values()
    )


@pytest.mark.parametrize(("share", "temperature"), [(0.25, 1.0), (1.0, 0.3)])
def test_a_step_leaves_the_gradient_of_both_losses_in_their_shares(
    learner: Learner,
    by_hand,
    examples: list[Example],
    gradient_at_hand,
    same_gradient,
    share: float,
    temperature: float,
) -> None:
    scatter(learner.network)
    batch = [*examples[:3], *examples[20:22]]
    parts = by_hand.loss(learner.network, batch), contrast_by_hand(by_hand, learner.network, batch, temperature)
    loss = (1 - share) * parts[0] + share * parts[1]
    expected = torch.autograd.grad(loss, list(learner.network.parameters()), allow_unused=True)
    actual = SupervisedContrast(share=share, temperature=temperature).step(learner, batch, Memory())
    assert same_gradient(gradient_at_hand(learner), expected)
    assert not same_gradient(gradient_at_hand(learner), by_hand.gradient(learner.network, batch))
    assert actual == pytest.approx(float(loss.detach()), rel=1e-5)


@pytest.mark.parametrize(("share", "plain"), [(0.0, True), (0.1, False)])
def test_without_a_share_training_is_fine_tuning(
    make_learner: Make, examples: list[Example], share: float, plain: bool
) -> None:
    first, second = make_learner(dropout=0.1), make_learner(dropout=0.1)
    first.train(examples[:10], FineTune(), Memory(), 2)
    second.train(examples[:10], SupervisedContrast(share=share), Memory(), 2)
    both = zip(first.network.parameters(), second.network.parameters(), strict=True)
    assert all(torch.equal(one, other) for one, other in both) is plain

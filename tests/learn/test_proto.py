"""The prototypical loss: vectors near the mean of their label's vectors in a support set (CFL, equation 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pytest
import torch
from hypothesis import example as like
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from trivium.data.example import Example
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategies.proto import PrototypicalLoss, prototypical
from trivium.models.network import Network

Make = Callable[..., Learner]
SEED = 5  # draws a support set whose means are not vectors of the batch


class Vectors(NamedTuple):
    vectors: Tensor
    labels: list[str]
    known: Tensor


@st.composite
def some_vectors(draw: st.DrawFn) -> Vectors:
    """Support for a and b; queries for a, b and, without support, c; in any order."""
    drawn_rows = [("a", True), ("b", True), ("a", False)]
    more = st.sampled_from([("a", True), ("b", True), ("a", False), ("b", False), ("c", False)])
    drawn_rows = draw(st.permutations(drawn_rows + draw(st.lists(more, max_size=6))))
    width = draw(st.integers(1, 4))
    value = st.integers(-30, 30).map(lambda tenths: tenths / 10)
    number = len(drawn_rows)
    lines = st.lists(st.lists(value, min_size=width, max_size=width), min_size=number, max_size=number)
    vectors = torch.tensor(draw(lines), dtype=torch.float64)
    return Vectors(vectors, [label for label, _ in drawn_rows], torch.tensor([known for _, known in drawn_rows]))


def by_loops(vectors: Sequence[Tensor], labels: Sequence[str], known: Sequence[bool]) -> Tensor:
    """The mean of −log p(y | x) by equation 4, over the queries whose label has support."""
    rows = list(zip(vectors, labels, known, strict=True))
    means = {}
    for name in sorted({label for _, label, is_known in rows if is_known}):
        support = [vector for vector, label, is_known in rows if is_known and label == name]
        means[name] = sum(support) / len(support)
    losses = []
    for vector, label, is_known in rows:
        if not is_known and label in means:
            odds = {name: torch.exp(-torch.sqrt(sum((vector - mean) ** 2))) for name, mean in means.items()}
            losses.append(-torch.log(odds[label] / sum(odds.values())))
    return sum(losses) / len(losses)


def nearest_mean(some: Vectors) -> float:
    """The smallest distance of a query to the mean of a label's support."""
    labels = np.array(some.labels)
    means = [some.vectors[some.known & torch.tensor(labels == name)].mean(0) for name in ("a", "b")]
    queries = some.vectors[~some.known & torch.tensor(labels != "c")]
    return float(torch.cdist(queries, torch.stack(means)).min())


@given(some_vectors())
@like(Vectors(torch.tensor([[0.1], [0.0], [0.4], [0.7], [0.0]], dtype=torch.float64), list("abaab"),
                 torch.tensor([True, True, False, True, True])))  # fmt: skip
@settings(deadline=None, max_examples=60)
def test_the_loss_is_the_cross_entropy_of_equation_4(some: Vectors) -> None:
    ours, theirs = (some.vectors.clone().requires_grad_() for _ in range(2))
    actual, expected = prototypical(ours, *some[1:]), by_loops(list(theirs), some.labels, some.known.tolist())
    assert float(actual.detach()) == pytest.approx(float(expected.detach()), rel=1e-5, abs=2e-6)
    actual.backward()
    assert torch.isfinite(ours.grad).all()
    if nearest_mean(some) > 1e-6:  # the formula has no gradient at a mean, and next to it only rounding errors
        (slope,) = torch.autograd.grad(expected, theirs)
        assert torch.allclose(ours.grad, slope, rtol=1e-6, atol=1e-6)


def test_a_vector_at_its_mean_has_a_finite_gradient() -> None:
    vectors = torch.tensor([[1.0, 2.0], [4.0, 6.0], [1.0, 2.0]], requires_grad=True)
    loss = prototypical(vectors, ["a", "b", "a"], torch.tensor([True, True, False]))
    loss.backward()
    assert float(loss.detach()) == pytest.approx(float(np.log1p(np.exp(-5))), rel=1e-3)
    assert torch.isfinite(vectors.grad).all()
    assert vectors.grad[1].any()


@given(some_vectors(), st.lists(st.integers(-3, 3), min_size=1, max_size=3))
@settings(deadline=None, max_examples=30)
def test_labels_without_support_are_ignored(some: Vectors, extra: list[int]) -> None:
    width = some.vectors.shape[1]
    more = torch.cat([some.vectors, *(torch.full((1, width), float(value)) for value in extra)]).requires_grad_()
    known = torch.cat([some.known, torch.zeros(len(extra), dtype=torch.bool)])
    actual = prototypical(more, [*some.labels, *("?" for _ in extra)], known)
    actual.backward()
    assert float(actual.detach()) == pytest.approx(float(prototypical(*some)), rel=1e-12)
    assert not more.grad[len(some.labels) :].any()


def support_by_hand(stage: Sequence[Example], number: int, seed: int) -> list[Example]:
    """Up to ``number`` examples of each label, labels in the order in which they occur."""
    rng, drawn = np.random.default_rng(seed), []
    for label in dict.fromkeys(example.label for example in stage):
        mine = [example for example in stage if example.label == label]
        drawn += [mine[i] for i in rng.choice(len(mine), size=min(number, len(mine)), replace=False)]
    return drawn


def loss_by_hand(by_hand, network: Network, support: Sequence[Example], batch: Sequence[Example]) -> Tensor:
    """Σ over heads of the loss of their rows, each row alone and unpadded."""
    of_head: dict[str, tuple[list[Tensor], list[str], list[bool]]] = {}
    for place, example in enumerate([*support, *batch]):
        for row in (example, *example.parts):
            state = network.encoder(**by_hand._tokenizer(row.premise, row.hypothesis, return_tensors="pt"))
            mine = of_head.setdefault(row.task, ([], [], []))
            mine[0].append(state.last_hidden_state[0, 0])
            mine[1].append(row.label)
            mine[2].append(place < len(support))
    return sum(by_loops(*mine) for mine in of_head.values())


@pytest.mark.parametrize("support", [2, 4])
def test_a_step_leaves_the_gradient_of_the_loss_by_a_support_set_drawn_from_the_stage(
    learner: Learner, by_hand, examples: list[Example], gradient_at_hand, same_gradient, support: int
) -> None:
    learner.stage, batch, strategy = examples, examples[2:23:7], PrototypicalLoss(support=support)
    drawn = support_by_hand(learner.stage, support, seed=SEED)
    loss = loss_by_hand(by_hand, learner.network, drawn, batch)
    expected = torch.autograd.grad(loss, list(learner.network.parameters()), allow_unused=True)
    assert all(slope is None or torch.isfinite(slope).all() for slope in expected)
    state = strategy.begin_stage(learner, Memory())
    learner.rng = np.random.default_rng(SEED)
    actual = strategy.step(learner, batch, state)
    assert same_gradient(gradient_at_hand(learner), expected)
    assert actual == pytest.approx(float(loss.detach()), rel=1e-5)
    assert all(parameter.grad is None for parameter in learner.network.heads.parameters())


def stage_loss(learner: Learner, stage: Sequence[Example]) -> float:
    """The mean of −log p of a stage's vectors, given the means of their labels, for a single head."""
    (vectors,) = learner.vectors(stage).values()
    labels = np.array([example.label for example in stage])
    names = sorted(set(labels))
    means = np.stack([vectors[labels == name].mean(0) for name in names])
    odds = np.exp(-np.linalg.norm(vectors[:, None] - means, axis=2))
    own = odds[np.arange(len(stage)), [names.index(label) for label in labels]]
    return float(-np.log(own / odds.sum(1)).mean())


def spread(learner: Learner, stage: Sequence[Example]) -> float:
    """The distance between the means of labels, relative to that of vectors from their own mean."""
    (vectors,) = learner.vectors(stage).values()
    labels = np.array([example.label for example in stage])
    means = {name: vectors[labels == name].mean(0) for name in set(labels)}
    apart = [np.linalg.norm(means[a] - means[b]) for a in means for b in means if a < b]
    return float(np.mean(apart) / np.mean([np.linalg.norm(v - means[n]) for v, n in zip(vectors, labels, strict=True)]))


@pytest.fixture(scope="module")
def stage(examples: list[Example]) -> list[Example]:
    """Examples of one head."""
    return [Example(e.id, e.premise, e.hypothesis, e.label, e.task) for e in examples]


def test_training_brings_the_means_of_the_labels_apart_and_leaves_the_heads_alone(
    make_learner: Make, stage: list[Example]
) -> None:
    learner = make_learner(heads=("composed",), epochs=6, batch_size=8)
    head = learner.network.heads["composed"].weight.detach().clone()
    loss, apart = stage_loss(learner, stage), spread(learner, stage)
    learner.train(stage, PrototypicalLoss(), Memory(), 2)
    assert stage_loss(learner, stage) < 0.5 * loss
    assert spread(learner, stage) > 2 * apart
    assert torch.equal(learner.network.heads["composed"].weight, head)


def test_training_is_the_same_with_the_same_seed_and_not_with_another(make_learner: Make, stage: list[Example]) -> None:
    first, again, other = (make_learner(heads=("composed",), dropout=0.1) for _ in range(3))
    other._seed = 1
    for learner in (first, again, other):
        learner.train(stage[:12], PrototypicalLoss(support=2), Memory(), 2)
    weights = [list(learner.network.parameters()) for learner in (first, again, other)]
    assert all(torch.equal(a, b) for a, b in zip(weights[0], weights[1], strict=True))
    assert not all(torch.equal(a, b) for a, b in zip(weights[0], weights[2], strict=True))


def test_each_batch_has_a_support_set_of_its_own(
    learner: Learner, examples: list[Example], monkeypatch: pytest.MonkeyPatch
) -> None:
    queries: list[list[str]] = []
    answers = learner.answers

    def watched(given: Sequence[Example]) -> list:
        queries.append([example.id for example in given])
        return answers(given)

    monkeypatch.setattr(learner, "answers", watched)
    learner.stage, strategy = examples, PrototypicalLoss(support=2)
    state = strategy.begin_stage(learner, Memory())
    for _ in range(3):
        strategy.step(learner, examples[:2], state)
    labels = {example.id: example.label for example in examples}
    for ids in queries:
        assert ids[-2:] == [example.id for example in examples[:2]]
        drawn = ids[:-2]
        assert len(set(drawn)) == len(drawn)
        assert sorted(labels[id] for id in drawn) == sorted(2 * list(set(labels.values())))
    assert len({tuple(ids) for ids in queries}) > 1


def test_without_queries_the_loss_is_zero_and_training_continues(make_learner, examples) -> None:
    for known in ([True, False], [False, False]):
        vectors = torch.ones(2, 3, requires_grad=True)
        loss = prototypical(vectors, ["a", "b"], torch.tensor(known))
        loss.backward()
        assert float(loss.detach()) == 0
        assert torch.equal(vectors.grad, torch.zeros(2, 3))
    learner = make_learner(batch_size=2)
    learner.stage = examples
    strategy = PrototypicalLoss(support=1)
    state = strategy.begin_stage(learner, Memory())
    assert all(np.isfinite(strategy.step(learner, examples[place : place + 2], state)) for place in range(0, 12, 2))

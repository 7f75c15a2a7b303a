"""The vectors of an answer are those that the head sees, and gradients flow through them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor

from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.learn.config import TrainConfig
from trivium.learn.learner import Answer, Learner
from trivium.models.classifiers import new_classifier

Make = Callable[..., Learner]


@pytest.fixture(params=["network", "three outputs", "two outputs"])
def learner(request: pytest.FixtureRequest, make_learner: Make) -> Learner:
    """A network with several heads, and classifiers with one; they have dropout and are in evaluation mode."""
    if request.param == "network":
        built = make_learner(dropout=0.3)
        built.network.dropout.p = 0.3
    else:
        labels: Labels = NLI3 if request.param == "three outputs" else NLI2
        built = Learner.from_classifier(new_classifier("tiny", seed=0, labels=labels), TrainConfig(), 0)
    built.network.eval()
    return built


@pytest.fixture
def queries(learner: Learner, examples: list[Example]) -> list[Example]:
    """Rows of many lengths, in no order, more than one batch of the encoder."""
    if learner.network.has_head("composed"):
        return [examples[index] for index in np.random.default_rng(0).permutation(len(examples))[:8]]
    return [Example(e.id, e.premise, e.hypothesis, None) for e in examples]


def encoder_of(learner: Learner) -> torch.nn.Module:
    return learner.network.encoder if hasattr(learner.network, "encoder") else learner.network.model.base_model


def vector_by_hand(by_hand, learner: Learner, row: Example) -> Tensor:
    """The last layer's vector of the first token, computed for the row alone and without padding."""
    tokens = by_hand._tokenizer(row.premise, row.hypothesis, return_tensors="pt")
    return encoder_of(learner)(**tokens).last_hidden_state[0, 0]


def by_head(answers: list[Answer]) -> dict[str, np.ndarray]:
    return {answer.head: answer.vectors.detach().numpy() for answer in answers}


def test_vectors_of_answers_are_those_of_the_learner(learner: Learner, queries: list[Example]) -> None:
    actual, expected = by_head(learner.answers(queries)), learner.vectors(queries)
    assert set(actual) == set(expected)
    for head, vectors in actual.items():
        assert vectors.shape == (len(queries), 128)
        assert np.allclose(vectors, expected[head], atol=1e-5)


def test_each_row_has_its_own_vector(learner: Learner, by_hand, queries: list[Example]) -> None:
    for answer in learner.answers(queries):
        for row, vector in zip(answer.rows, answer.vectors, strict=True):
            assert torch.allclose(vector, vector_by_hand(by_hand, learner, row), atol=1e-5)
        apart = torch.pdist(answer.vectors.detach())
        assert apart.max() > 1e-2


def test_logits_of_answers_are_those_of_logits(learner: Learner, queries: list[Example]) -> None:
    expected = learner.logits(queries)
    for answer in learner.answers(queries):
        assert answer.logits.shape == (len(queries), len(learner.labels))
        assert np.allclose(answer.logits.detach().numpy(), expected[answer.head], atol=1e-5)


def test_gradients_flow_through_the_vectors_into_the_encoder_alone(
    learner: Learner, by_hand, queries: list[Example], same_gradient
) -> None:
    parameters = list(encoder_of(learner).parameters())
    answers = learner.answers(queries[:2])
    aim = torch.linspace(-1, 1, 128)
    expected = sum((vector_by_hand(by_hand, learner, row) * aim).sum() for a in answers for row in a.rows)
    sum((answer.vectors * aim).sum() for answer in answers).backward()
    slopes = torch.autograd.grad(expected, parameters, allow_unused=True)
    assert any(slope is not None and slope.any() for slope in slopes)
    assert same_gradient([parameter.grad for parameter in parameters], slopes)
    own = {id(parameter) for parameter in parameters}
    others = [parameter for parameter in learner.network.parameters() if id(parameter) not in own]
    assert others
    assert all(parameter.grad is None or not parameter.grad.any() for parameter in others)


def test_the_dropout_of_the_heads_leaves_the_vectors_whole(make_learner: Make, examples: list[Example]) -> None:
    learner = make_learner()
    learner.network.dropout.p = 0.5
    expected = learner.vectors(examples[:4])
    learner.network.train()
    for answer in learner.answers(examples[:4]):
        assert np.allclose(answer.vectors.detach().numpy(), expected[answer.head], atol=1e-5)
        layer = learner.network.heads[answer.head]
        assert not torch.allclose(answer.logits, layer(answer.vectors), atol=1e-3)

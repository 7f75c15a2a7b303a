"""Reading rows without padding changes no number."""

from __future__ import annotations

from collections.abc import Callable
from unittest import mock

import pytest
import torch

from trivium.data.example import Example
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.learner import Learner
from trivium.models import network as network_module
from trivium.models.classifiers import new_classifier
from trivium.models.packed import packed

PAIRS = [
    Example.make(str(n), "A man " + "slowly " * n + "eats.", "A man eats.", "entailment", task="nli") for n in range(5)
]
PADDED = mock.patch.object(network_module, "can_pack", return_value=False)


def network(pooling: str) -> Learner:
    return Learner(ModelConfig(name="tiny", dropout=0.0, pooling=pooling))  # type: ignore[arg-type]


def classifier() -> Learner:
    return Learner.from_classifier(new_classifier("tiny", seed=0), TrainConfig(), 0)


def gradients(one: Learner) -> dict[str, torch.Tensor]:
    one.network.eval()  # no dropout
    one.network.zero_grad()
    one.loss(PAIRS).backward()  # type: ignore[no-untyped-call]
    return {name: p.grad.clone() for name, p in one.network.named_parameters() if p.grad is not None}


@pytest.mark.parametrize("make", [lambda: network("first"), lambda: network("mean"), classifier])
def test_logits_and_gradients_are_those_of_padded_rows(make: Callable[[], Learner]) -> None:
    one = make()
    logits, found = one.logits(PAIRS)["nli"], gradients(one)
    with PADDED:
        expected, whole = one.logits(PAIRS)["nli"], gradients(one)
    torch.testing.assert_close(torch.tensor(logits), torch.tensor(expected), rtol=1e-5, atol=1e-6)
    assert set(found) == set(whole)
    for name, gradient in found.items():
        torch.testing.assert_close(gradient, whole[name], rtol=1e-4, atol=1e-6)


def test_the_encoder_reads_padded_batches_again_afterwards() -> None:
    one = network("first")
    encoder, rows = one.network.reader.encoder, one.rows.rows(PAIRS[:2])
    states = torch.randn(2, max(len(row.ids) for row in rows), 128)
    with packed(one.network.reader, rows, first_only=True):
        assert encoder(states, attention_mask=None).last_hidden_state.shape == (2, 1, 128)
    assert encoder(states, attention_mask=None).last_hidden_state.shape == states.shape


def test_vectors_are_those_of_padded_rows() -> None:
    one = classifier()
    vectors = one.vectors(PAIRS)["nli"]
    with PADDED:
        expected = one.vectors(PAIRS)["nli"]
    torch.testing.assert_close(torch.tensor(vectors), torch.tensor(expected), rtol=1e-5, atol=1e-6)

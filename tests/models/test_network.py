"""A row's vector depends on the row alone: not on the other rows, their order, or the padding side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from transformers import AutoModel

from trivium.data.example import Example
from trivium.models.network import Network
from trivium.models.tokens import Row, RowMaker

HEADS = {"natural": 3, "composed": 3, "sentiment": 2}
POSITIONS_FROM_TOKENS = ("roberta", "mpnet", "deberta", "deberta-v2", "modernbert")
"""Families whose positions do not count the padding before a token."""


class Sums(nn.Module):
    """A fake encoder: the state of a token is its id and the id squared. It counts its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.config = SimpleNamespace(hidden_size=2)
        self.scale = nn.Parameter(torch.ones(()))
        self.blocks: list[tuple[int, int]] = []

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Any:
        self.blocks.append(tuple(input_ids.shape))
        numbers = input_ids.float() * self.scale
        return SimpleNamespace(last_hidden_state=torch.stack([numbers, numbers**2], dim=-1))


def row(*ids: int, head: str = "natural") -> Row:
    return Row(head, ids, (), 7, False)


@pytest.fixture(scope="module")
def encoders(config_of: Callable[[str], Any]) -> Callable[[str], nn.Module]:
    """A small encoder of a family, with weights large enough for every input to matter."""

    def make(family: str) -> nn.Module:
        with torch.random.fork_rng():
            torch.manual_seed(1)
            encoder = AutoModel.from_config(config_of(family))
            with torch.no_grad():
                for parameter in encoder.parameters():
                    parameter.add_(0.3 * torch.randn_like(parameter))
        return encoder.eval()

    return make


@pytest.fixture(scope="module")
def rows_of(tokenizer_of: Callable[..., Any], pairs: list[Example]) -> Callable[[str], list[Row]]:
    return lambda family: RowMaker(tokenizer_of(family), 40).rows(pairs)


def vectors(network: Network, rows: Sequence[Row]) -> Tensor:
    with torch.no_grad():
        return network.vectors(rows)


@pytest.mark.parametrize("pooling", ["first", "mean"])
@pytest.mark.parametrize("family", ["bert", "roberta", "deberta-v2"])
def test_a_vector_is_the_first_state_or_the_mean_of_the_states_of_the_row_alone(
    encoders: Callable[[str], nn.Module], rows_of: Callable[[str], list[Row]], family: str, pooling: Any
) -> None:
    encoder, rows = encoders(family), rows_of(family)
    actual = vectors(Network(encoder, HEADS, pooling, 0.0, 0), rows)
    for vector, one in zip(actual, rows, strict=True):
        types = {"token_type_ids": torch.tensor([one.types])} if one.types else {}
        with torch.no_grad():
            states = encoder(input_ids=torch.tensor([one.ids]), **types).last_hidden_state[0]
        expected = states[0] if pooling == "first" else sum(states) / len(states)
        assert torch.allclose(vector, expected, rtol=0, atol=1e-5)
    assert (actual[0] - actual[1]).abs().max() > 0.1


@pytest.mark.parametrize("pooling", ["first", "mean"])
def test_a_vector_does_not_depend_on_the_other_rows_or_their_order(
    encoders: Callable[[str], nn.Module], rows_of: Callable[[str], list[Row]], pooling: Any
) -> None:
    network, rows = Network(encoders("bert"), HEADS, pooling, 0.0, 0), rows_of("bert")
    expected = torch.cat([vectors(network, [one]) for one in rows])
    for seed in range(4):
        indices = np.random.default_rng(seed).integers(len(rows), size=30)
        actual = vectors(network, [rows[index] for index in indices])
        assert torch.allclose(actual, expected[indices], rtol=0, atol=1e-5)


@given(st.lists(st.lists(st.integers(1, 20), min_size=1, max_size=12), min_size=1, max_size=60))
@settings(deadline=None)
def test_vectors_come_back_in_the_order_of_the_rows_however_many_there_are(numbers: list[list[int]]) -> None:
    network = Network(Sums(), HEADS, "mean", 0.0, 0)
    actual = vectors(network, [row(*ids) for ids in numbers])
    expected = [[np.mean(ids), np.mean(np.square(ids))] for ids in numbers]
    assert np.allclose(actual.numpy(), expected, rtol=1e-5)


def test_rows_of_similar_length_are_batched_so_that_little_is_padded() -> None:
    encoder = Sums()
    short, long = ([row(*range(n, n + length)) for n in range(1, 13)] for length in (3, 59))
    vectors(Network(encoder, HEADS, "first", 0.0, 0), [one for both in zip(short, long, strict=True) for one in both])
    assert encoder.blocks == [(12, 3), (12, 59)]


def test_equal_inputs_are_encoded_once_to_predict_and_each_for_itself_to_train() -> None:
    encoder = Sums()
    network = Network(encoder, HEADS, "mean", 0.0, 0)
    rows = [row(1, 2), row(3), row(1, 2, head="composed"), row(1, 2), row(3, head="composed")]
    alone = {head: output.logits for head, output in network.outputs(rows).items()}
    assert encoder.blocks == [(5, 2)]
    assert torch.equal(vectors(network, rows), torch.tensor([[1.5, 2.5], [3, 9], [1.5, 2.5], [1.5, 2.5], [3, 9]]))
    shared = network.logits(rows)
    assert encoder.blocks[1:] == [(2, 2), (2, 2)]
    assert shared.keys() == alone.keys()
    assert all(torch.equal(shared[head], alone[head]) for head in alone)


@pytest.mark.parametrize("family", POSITIONS_FROM_TOKENS)
def test_the_mean_does_not_depend_on_the_side_that_is_padded(
    encoders: Callable[[str], nn.Module], rows_of: Callable[[str], list[Row]], family: str
) -> None:
    network, rows = Network(encoders(family), HEADS, "mean", 0.0, 0), rows_of(family)
    left = vectors(network, [replace(one, pad_left=True) for one in rows])
    assert torch.allclose(left, vectors(network, rows), rtol=0, atol=1e-5)


@given(st.lists(st.lists(st.integers(1, 20), min_size=1, max_size=12), min_size=1, max_size=20), st.booleans())
@settings(deadline=None)
def test_padding_on_either_side_does_not_count_in_the_mean(numbers: list[list[int]], left: bool) -> None:
    network = Network(Sums(), HEADS, "mean", 0.0, 0)
    actual = vectors(network, [replace(row(*ids), pad_left=left) for ids in numbers])
    assert np.allclose(actual[:, 0].numpy(), [np.mean(ids) for ids in numbers], rtol=1e-5)


def test_each_head_answers_the_rows_that_name_it_in_order() -> None:
    network = Network(Sums(), HEADS, "mean", 0.0, 3).eval()
    heads = ["composed", "natural", "composed", "sentiment", "natural"]
    rows = [row(*range(1, 3 + n), head=head) for n, head in enumerate(heads)]
    actual = network.logits(rows)
    assert list(actual) == ["composed", "natural", "sentiment"]
    for head, logits in actual.items():
        weight, bias = (tensor.detach().double().numpy() for tensor in network.heads[head].parameters())
        mine = [one.ids for one in rows if one.head == head]
        expected = [weight @ [np.mean(ids), np.mean(np.square(ids))] + bias for ids in mine]
        assert np.allclose(logits.detach().numpy(), expected, rtol=1e-4)
    assert actual["sentiment"].shape == (1, 2)


def test_a_head_that_no_row_names_does_not_answer_and_has_no_gradient() -> None:
    network = Network(Sums(), HEADS, "mean", 0.0, 3)
    actual = network.logits([row(1, 2), row(3)])
    assert set(actual) == {"natural"}
    actual["natural"].sum().backward()
    assert network.heads["natural"].weight.grad is not None
    assert network.heads["composed"].weight.grad is None
    assert network.encoder.scale.grad is not None


def test_the_heads_come_from_the_seed_and_not_from_the_global_random_state() -> None:
    def heads(seed: int, around: int) -> list[Tensor]:
        with torch.random.fork_rng():
            torch.manual_seed(around)
            before = torch.random.get_rng_state()
            built = Network(Sums(), HEADS, "first", 0.0, seed)
            assert torch.equal(torch.random.get_rng_state(), before)
        return list(built.heads.parameters())

    first = heads(0, around=1)
    assert all(torch.equal(a, b) for a, b in zip(first, heads(0, around=2), strict=True))
    assert not any(torch.equal(a, b) for a, b in zip(first, heads(1, around=1), strict=True))


def test_dropout_is_applied_between_vector_and_head_only_in_training() -> None:
    network = Network(Sums(), {"natural": 2}, "mean", 0.5, 0)
    rows = [row(3)] * 400
    with torch.no_grad(), torch.random.fork_rng():
        torch.manual_seed(0)
        network.heads["natural"].weight.copy_(torch.eye(2))
        network.heads["natural"].bias.zero_()
        actual = network.train().logits(rows)["natural"]
        assert set(actual[:, 0].tolist()) == {0.0, 6.0}
        assert 140 < int((actual[:, 0] == 0).sum()) < 260
        assert network.eval().logits(rows)["natural"].tolist() == [[3.0, 9.0]] * 400

"""Rows hold the tokens of an example and no padding; tensors are padded to the longest row and masked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.data.example import Example
from trivium.models.tokens import Row, RowMaker, pad_rows

BERT = "[PAD] [UNK] [CLS] [SEP] [MASK]".split()
ROBERTA = "<s> <pad> </s> <unk> <mask>".split()
WORDS = "a man is playing guitar an instrument the dog runs . , quickly through park woman not eating".split()


def ids(text: str, special: list[str]) -> tuple[int, ...]:
    """The ids of words that are separated by spaces."""
    words = [*special, *WORDS]
    return tuple(words.index(word) for word in text.split())


def example(premise: str, hypothesis: str | None, **more: Any) -> Example:
    return Example.make("1", premise, hypothesis, "neutral", **more)


class Counting:
    """A tokenizer that records its calls."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tokenizer, name)

    def __call__(self, *texts: list[str], **options: Any) -> Any:
        self.asked += texts[0]
        return self._tokenizer(*texts, **options)


def test_a_pair_is_one_row_between_markers_with_the_types_of_its_texts(tokenizer_of: Callable[..., Any]) -> None:
    (row,) = RowMaker(tokenizer_of("bert"), 32).rows([example("a man is playing", "the dog runs .", task="natural")])
    assert row.ids == ids("[CLS] a man is playing [SEP] the dog runs . [SEP]", BERT)
    assert row.types == (0,) * 6 + (1,) * 5
    assert (row.head, row.pad, row.pad_left) == ("natural", 0, False)


def test_a_pair_for_roberta_has_two_markers_between_and_no_types(tokenizer_of: Callable[..., Any]) -> None:
    (row,) = RowMaker(tokenizer_of("roberta"), 32).rows([example("A man", "the dog whistles")])
    assert row.ids == ids("<s> a man </s> </s> the dog <unk> </s>", ROBERTA)
    assert (row.types, row.pad) == ((), 1)


def test_a_single_text_among_pairs_is_a_row_of_its_own(tokenizer_of: Callable[..., Any]) -> None:
    queries = [example("a dog", "the dog"), example("the man runs", None), example("a park", "")]
    actual = RowMaker(tokenizer_of("bert"), 32).rows(queries)
    assert [row.ids for row in actual] == [
        ids("[CLS] a dog [SEP] the dog [SEP]", BERT),
        ids("[CLS] the man runs [SEP]", BERT),
        ids("[CLS] a park [SEP] [SEP]", BERT),
    ]
    assert actual[1].types == (0,) * 5


@pytest.mark.parametrize("length", [8, 11, 40])
def test_a_row_is_truncated_to_the_maximum_length_and_keeps_its_markers(
    tokenizer_of: Callable[..., Any], length: int
) -> None:
    (row,) = RowMaker(tokenizer_of("bert"), length).rows([example("the dog runs " * 9, "a woman is eating " * 7)])
    assert len(row.ids) == len(row.types) == length
    assert row.ids[0] == BERT.index("[CLS]")
    assert [number for number in row.ids if number == BERT.index("[SEP]")] == [BERT.index("[SEP]")] * 2


def test_rows_are_cached(tokenizer_of: Callable[..., Any]) -> None:
    counting = Counting(tokenizer_of("bert"))
    maker = RowMaker(counting, 32)
    first, second = example("a dog", "a man"), example("the park", "a man")
    maker.rows([first, first])
    actual = maker.rows([second, first, second])
    assert counting.asked == ["a dog", "the park"]
    assert [row.ids[1:3] for row in actual] == [ids(text, BERT) for text in ("the park", "a dog", "the park")]


def test_examples_that_differ_only_in_their_task_are_two_rows(tokenizer_of: Callable[..., Any]) -> None:
    queries = [example("a dog", "a man", task=task) for task in ("natural", "composed", "natural")]
    assert [row.head for row in RowMaker(tokenizer_of("bert"), 32).rows(queries)] == ["natural", "composed", "natural"]


def test_the_parts_of_an_example_are_not_in_its_row(tokenizer_of: Callable[..., Any]) -> None:
    whole = example("a dog", "a man", parts=(example("the park", "a woman", task="natural"),))
    (row,) = RowMaker(tokenizer_of("bert"), 32).rows([whole])
    assert row.ids == ids("[CLS] a dog [SEP] a man [SEP]", BERT)


def test_a_tokenizer_that_pads_on_the_left_gives_rows_padded_on_the_left(tokenizer_of: Callable[..., Any]) -> None:
    (row,) = RowMaker(tokenizer_of("roberta", padding_side="left"), 32).rows([example("a dog", "a man")])
    assert row.pad_left


def test_rows_are_not_padded_even_if_the_tokenizer_file_asks_for_it(tokenizer_of: Callable[..., Any]) -> None:
    tokenizer = tokenizer_of("bert")
    tokenizer.backend_tokenizer.enable_padding(length=20)
    (row,) = RowMaker(tokenizer, 32).rows([example("a dog", "a man")])
    assert row.ids == ids("[CLS] a dog [SEP] a man [SEP]", BERT)


@given(
    st.lists(st.lists(st.integers(5, 99), min_size=1, max_size=9), min_size=1, max_size=6),
    st.booleans(),
    st.booleans(),
    st.integers(0, 3),
)
@settings(deadline=None)
def test_rows_are_padded_to_the_longest_and_masked(numbers: list[list[int]], left: bool, typed: bool, pad: int) -> None:
    rows = [Row("nli", tuple(row), tuple(n % 2 for n in row) if typed else (), pad, left) for row in numbers]
    longest = max(map(len, numbers))

    def filled(row: list[int], value: int) -> list[int]:
        rest = [value] * (longest - len(row))
        return rest + row if left else row + rest

    expected = {
        "input_ids": [filled(row, pad) for row in numbers],
        "attention_mask": [filled([1] * len(row), 0) for row in numbers],
    }
    if typed:
        expected["token_type_ids"] = [filled([n % 2 for n in row], 0) for row in numbers]
    actual = pad_rows(rows)
    assert {name: tensor.tolist() for name, tensor in actual.items()} == expected
    assert {tensor.dtype for tensor in actual.values()} == {torch.int64}

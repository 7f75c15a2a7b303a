"""Turn examples into rows of token ids, and rows into padded tensors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from trivium.data.example import Example
from trivium.models.usable import check_known

if TYPE_CHECKING:  # see encoders.py
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True, slots=True)
class Row:
    """One input of the encoder: the head that answers it, its token ids and types, and the texts it comes from."""

    head: str
    ids: tuple[int, ...]
    types: tuple[int, ...]
    pad: int
    pad_left: bool
    texts: tuple[str, ...] = ()

    @property
    def input(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[str, ...]]:
        """What a model reads of the row: rows that differ in their heads alone have the same."""
        return self.ids, self.types, self.texts


_MAX_ROWS = 100_000
_Key = tuple[str, str, str | None]


def _key_of(example: Example) -> _Key:
    return example.task, example.premise, example.hypothesis


class RowMaker:
    """Turns examples into rows, and caches them: examples with the same task and texts share a row.

    If the model does not read pairs, premise and hypothesis are joined into one text with ``between``. If the tokenizer
    knows almost no token of the first examples, a UserError is raised.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, max_length: int, between: str | None = None) -> None:
        self._tokenizer = tokenizer
        self._max_length = max_length
        self._between = between
        self._cache: dict[_Key, Row] = {}
        self._checked = False

    def with_length(self, max_length: int) -> RowMaker:
        """Return a maker of rows that reads another number of tokens."""
        return RowMaker(self._tokenizer, max_length, self._between)

    def rows(self, examples: Sequence[Example]) -> list[Row]:
        """Return a row for each of the given examples, but not for their parts."""
        keys = [_key_of(example) for example in examples]
        new = {key: example for key, example in zip(keys, examples, strict=True) if key not in self._cache}
        if new:
            self._tokenize(list(new.values()))
        return [self._cache[key] for key in keys]

    def forget(self) -> None:
        """Empty the cache, to limit memory."""
        self._cache.clear()

    def limit(self) -> None:
        """Empty the cache if it is large."""
        if len(self._cache) > _MAX_ROWS:
            self.forget()

    def fits(self, example: Example) -> bool:
        """Return whether an example is read without truncation."""
        texts = [example.premise] if example.hypothesis is None else [example.premise, example.hypothesis]
        if self._between is not None:
            texts = [self._between.join(texts)]
        return len(self._tokenizer(*texts)["input_ids"]) <= self._max_length

    def _tokenize(self, examples: Sequence[Example]) -> None:
        pairs = examples[0].hypothesis is not None
        if any((example.hypothesis is not None) != pairs for example in examples):
            for example in examples:
                self._tokenize([example])
            return
        texts = [[example.premise for example in examples]]
        if pairs and self._between is not None:
            texts = [[f"{example.premise}{self._between}{example.hypothesis}" for example in examples]]
        elif pairs:
            texts.append([example.hypothesis or "" for example in examples])
        encoded = self._tokenizer(*texts, truncation=True, max_length=self._max_length)
        if not self._checked:
            check_known(self._tokenizer, encoded["input_ids"])
            self._checked = True
        types = None if self._between is not None else encoded.get("token_type_ids")
        types = types or [[] for _ in examples]
        pad = self._tokenizer.pad_token_id or 0
        left = self._tokenizer.padding_side == "left"
        for example, ids, row_types in zip(examples, encoded["input_ids"], types, strict=True):
            pair = (example.premise,) if example.hypothesis is None else (example.premise, example.hypothesis)
            self._cache[_key_of(example)] = Row(example.task, tuple(ids), tuple(row_types), pad, left, pair)


def pad_rows(rows: Sequence[Row]) -> dict[str, Tensor]:
    """Return the inputs of the encoder, padded to the longest of these rows."""
    lengths = np.array([len(row.ids) for row in rows])
    indices = np.arange(lengths.max())
    # Padding is on the left or on the right of all rows; "is real" fills an array row by row.
    first = lengths.max() - lengths if rows[0].pad_left else np.zeros_like(lengths)
    is_real = (indices >= first[:, None]) & (indices < (first + lengths)[:, None])
    ids = _fill(is_real, (row.ids for row in rows), rows[0].pad)
    inputs = {"input_ids": ids, "attention_mask": torch.from_numpy(is_real.astype(np.int64))}
    if rows[0].types:
        inputs["token_type_ids"] = _fill(is_real, (row.types for row in rows), 0)
    return inputs


def _fill(is_real: NDArray[np.bool_], values: Iterable[tuple[int, ...]], padding: int) -> Tensor:
    filled = np.full(is_real.shape, padding, dtype=np.int64)
    filled[is_real] = np.fromiter(chain.from_iterable(values), dtype=np.int64, count=int(is_real.sum()))
    return torch.from_numpy(filled)

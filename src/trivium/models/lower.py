"""Frozen lower layers: their output is computed once for each row, and kept in memory while a model is trained."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from trivium.errors import UserError
from trivium.models.packed import FAMILIES
from trivium.models.tokens import Row, pad_rows

_CACHE_BYTES = 1 << 29


class LowerLayers:
    """The embeddings and the first layers of a model, which are not trained.

    They compute without dropout and in full precision, one row at a time, so that the output for a row depends on the
    row alone. Within :meth:`kept`, outputs are kept up to ``cache_bytes``; further ones are computed whenever they are
    needed.
    """

    def __init__(self, model: Any, layers: int, cache_bytes: int = _CACHE_BYTES) -> None:
        self._base = model.base_model
        kind = str(model.config.model_type)
        if kind not in FAMILIES:
            raise UserError(
                f"train.frozen is 'lower:{layers}', but the model is of the type {kind!r}: "
                f"available for {', '.join(FAMILIES)}"
            )
        self._layers: nn.ModuleList = self._base.encoder.layer
        if layers >= len(self._layers):
            raise UserError(
                f"train.frozen is 'lower:{layers}', but the model has {len(self._layers)} layers: "
                f"lower it to at most 'lower:{len(self._layers) - 1}'"
            )
        self._lower, self._upper = self._layers[:layers], self._layers[layers:]
        self._embeddings: nn.Module = self._base.embeddings
        for module in (self._embeddings, self._lower):
            module.requires_grad_(False)
        self._capacity = cache_bytes
        self._cache: dict[object, Tensor] = {}
        self._bytes = 0
        self._weights = ""
        self._is_kept = False

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Use kept outputs within the block. They are dropped if the weights have changed since they were computed."""
        weights = hashlib.sha256()
        for tensor in (*self._embeddings.state_dict().values(), *self._lower.state_dict().values()):
            weights.update(tensor.cpu().numpy().tobytes())
        if weights.hexdigest() != self._weights:
            self._weights = weights.hexdigest()
            self._cache.clear()
            self._bytes = 0
        self._is_kept = True
        try:
            yield
        finally:
            self._is_kept = False

    @contextmanager
    def skipped(self, rows: Sequence[Row]) -> Iterator[None]:
        """Let the model start, within the block, from the kept outputs for these rows."""
        if not self._is_kept:
            yield
            return
        self._base.embeddings = _Given(self._states(rows))
        self._base.encoder.layer = self._upper
        try:
            yield
        finally:
            self._base.embeddings = self._embeddings
            self._base.encoder.layer = self._layers

    def _states(self, rows: Sequence[Row]) -> Tensor:
        """Return the states of each row's tokens, padded with zeros."""
        states = [self._state(row) for row in rows]
        return nn.utils.rnn.pad_sequence(states, batch_first=True, padding_side="left" if rows[0].pad_left else "right")

    def _state(self, row: Row) -> Tensor:
        if (kept := self._cache.get(row.input)) is not None:
            return kept
        state = self._compute(row)
        if self._bytes + state.nbytes <= self._capacity:
            self._cache[row.input] = state
            self._bytes += state.nbytes
        return state

    def _compute(self, row: Row) -> Tensor:
        device = next(self._embeddings.parameters()).device
        self._embeddings.eval()
        self._lower.eval()
        self._base.encoder.layer = self._lower
        try:
            with torch.no_grad(), torch.autocast(device.type, enabled=False):
                inputs = {name: tensor.to(device) for name, tensor in pad_rows([row]).items()}
                states: Tensor = self._base(**inputs)[0]
        finally:
            self._base.encoder.layer = self._layers
        return states[0].clone()


class _Given(nn.Module):
    """Stands for the embeddings and the lower layers: returns states that are already computed."""

    def __init__(self, states: Tensor) -> None:
        super().__init__()
        self._states = states

    def forward(self, *_: Any, **__: Any) -> Tensor:
        """Return the states, whatever the inputs."""
        return self._states

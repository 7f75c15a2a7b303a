"""Frozen lower layers: their output is computed once for each row, and kept in memory for all models that have them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from trivium.errors import UserError
from trivium.models.packed import FAMILIES
from trivium.models.tokens import Row, pad_rows

_CACHE_BYTES = 1 << 30


@dataclass
class _Kept:
    """Outputs by input, of the lower layers with this identity; the least recently used first."""

    identity: str
    states: dict[object, Tensor] = field(default_factory=dict)
    bytes: int = 0
    recent: set[object] = field(default_factory=set)
    """The inputs that were read since the latest training or prediction began."""

    def get(self, key: object) -> Tensor | None:
        """Return what is kept for an input."""
        if (state := self.states.pop(key, None)) is not None:
            self.states[key] = state
            self.recent.add(key)
        return state

    def add(self, key: object, state: Tensor, capacity: int) -> None:
        """Keep an output in place of outputs that were not read recently. If that makes no room, do not keep it."""
        if state.nbytes > capacity:
            return
        while self.bytes + state.nbytes > capacity:
            oldest = next(iter(self.states), None)
            if oldest is None or oldest in self.recent:
                return
            self.bytes -= self.states.pop(oldest).nbytes
        self.states[key] = state
        self.bytes += state.nbytes
        self.recent.add(key)


_latest = _Kept("")


def _kept_outputs(identity: str) -> _Kept:
    """Return the outputs that are kept for these layers. Only those of the latest layers are."""
    global _latest
    if _latest.identity != identity:
        _latest = _Kept(identity)
    return _latest


class LowerLayers:
    """The embeddings and the first layers of a model, which are not trained.

    They compute without dropout and in full precision, one row at a time, so that the output for a row depends on the
    row alone. Within :meth:`kept`, outputs are kept up to ``cache_bytes``, for other models with the same lower layers
    too. Those of earlier blocks make room for those of this block; what has no room is computed whenever it is needed.
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
        self._kept: _Kept | None = None

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Use kept outputs within the block. They are dropped when other lower layers are used."""
        before = self._kept
        if before is None:
            self._kept = _kept_outputs(self._identity())
            self._kept.recent.clear()
        try:
            yield
        finally:
            self._kept = before

    def _identity(self) -> str:
        """Return the hash of everything that the output for a row depends on."""
        config = self._base.config.to_diff_dict() | {"device": str(next(self._embeddings.parameters()).device)}
        identity = hashlib.sha256(repr(sorted(config.items())).encode())
        for tensor in (*self._embeddings.state_dict().values(), *self._lower.state_dict().values()):
            identity.update(tensor.cpu().numpy().tobytes())
        return identity.hexdigest()

    @contextmanager
    def skipped(self, rows: Sequence[Row]) -> Iterator[None]:
        """Let the model start, within the block, from the kept outputs for these rows."""
        if self._kept is None:
            yield
            return
        self._base.embeddings = _Given(self._states(rows, self._kept))
        self._base.encoder.layer = self._upper
        try:
            yield
        finally:
            self._base.embeddings = self._embeddings
            self._base.encoder.layer = self._layers

    def _states(self, rows: Sequence[Row], kept: _Kept) -> Tensor:
        """Return the states of each row's tokens, padded with zeros."""
        states = [self._state(row, kept) for row in rows]
        return nn.utils.rnn.pad_sequence(states, batch_first=True, padding_side="left" if rows[0].pad_left else "right")

    def _state(self, row: Row, kept: _Kept) -> Tensor:
        if (state := kept.get(row.input)) is None:
            state = self._compute(row)
            kept.add(row.input, state, self._capacity)
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

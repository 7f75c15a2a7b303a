"""Encoders like BERT without padding: all layers compute the real tokens alone, the last one what the heads see.

Only attention needs the tokens of a row side by side. Everything else, which is most of the work, is computed for the
tokens of all rows in one matrix without gaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import MethodType
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from trivium.models.tokens import Row

FAMILIES = ("bert", "roberta", "xlm-roberta", "camembert")
"""The model types whose layers have the parts of BERT."""


def can_pack(model: Any) -> bool:
    """Return whether an encoder, or a classifier on top of one, can read rows without padding."""
    return getattr(model.config, "model_type", None) in FAMILIES and not model.config.is_decoder


class Packing:
    """Where the tokens of some rows are in a padded batch."""

    def __init__(self, rows: Sequence[Row]) -> None:
        lengths = torch.tensor([len(row.ids) for row in rows])
        places = torch.arange(int(lengths.max()))
        self.is_real = places < lengths[:, None]
        if rows[0].pad_left:
            self.is_real = self.is_real.flip(1)
        self.tokens = self.is_real.flatten().nonzero().squeeze(1)
        self.firsts = lengths.cumsum(0) - lengths
        self.states: Tensor | None = None
        """The states of the last layer, once the encoder has read the rows: those of all tokens, or of the first."""

    def to(self, device: torch.device) -> None:
        """Move the indices to a device."""
        self.is_real, self.tokens, self.firsts = (t.to(device) for t in (self.is_real, self.tokens, self.firsts))

    @property
    def mask(self) -> Tensor | None:
        """Which tokens a token may attend to; None if no row is padded."""
        return None if len(self.tokens) == self.is_real.numel() else self.is_real[:, None, None, :]

    def pack(self, padded: Tensor) -> Tensor:
        """Return the states of the real tokens."""
        return cast(Tensor, _Pack.apply(padded.flatten(0, 1), self.tokens))  # type: ignore[no-untyped-call]

    def unpack(self, packed: Tensor) -> Tensor:
        """Return the states of all rows, with zeros for padding."""
        padded: Tensor = _Unpack.apply(packed, self.tokens, self.is_real.numel())  # type: ignore[no-untyped-call]
        return padded.view(*self.is_real.shape, -1)


class _Pack(torch.autograd.Function):
    """Select lines that are all different. Torch's own gradient would add them up one by one."""

    @staticmethod
    def forward(ctx: Any, padded: Tensor, lines: Tensor) -> Tensor:
        ctx.lines, ctx.number = lines, len(padded)
        return padded.index_select(0, lines)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return gradient.new_zeros(ctx.number, gradient.shape[1]).index_copy_(0, ctx.lines, gradient), None


class _Unpack(torch.autograd.Function):
    """Put lines to different places among zeros."""

    @staticmethod
    def forward(ctx: Any, packed: Tensor, lines: Tensor, number: int) -> Tensor:
        ctx.lines = lines
        return packed.new_zeros(number, packed.shape[1]).index_copy_(0, lines, packed)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        return gradient.index_select(0, ctx.lines), None, None


@contextmanager
def packed(model: Any, rows: Sequence[Row], first_only: bool) -> Iterator[Packing]:
    """Let a model read rows without padding within the block.

    With ``first_only`` its last layer returns the state of each row's first token alone.
    """
    encoder, packing = model.base_model.encoder, Packing(rows)

    def forward(encoder: Any, states: Tensor, **_: Any) -> Any:
        from transformers.modeling_outputs import BaseModelOutputWithPastAndCrossAttentions as Output

        packing.to(states.device)
        packing.states = _encode(encoder.layer, states, packing, first_only)
        return Output(last_hidden_state=cast(Any, packing.states))

    encoder.forward = MethodType(forward, encoder)
    try:
        yield packing
    finally:
        del encoder.forward


def _encode(layers: nn.ModuleList, padded: Tensor, packing: Packing, first_only: bool) -> Tensor:
    states = packing.pack(padded)
    for layer in layers[:-1] if first_only else layers:
        states = _layer(layer, states, states, packing)
    if not first_only:
        return packing.unpack(states)
    return _layer(layers[-1], states[packing.firsts], states, packing).unsqueeze(1)


def _layer(layer: Any, read: Tensor, states: Tensor, packing: Packing) -> Tensor:
    """Return the next states of the tokens that are ``read``: all of them, or the first of each row."""
    own, is_whole = layer.attention.self, read is states

    def by_head(tensor: Tensor) -> Tensor:
        return tensor.view(*tensor.shape[:2], -1, own.attention_head_size).transpose(1, 2)

    if is_whole:
        parts = packing.unpack(torch.cat([own.query(read), own.key(states), own.value(states)], dim=1))
        query, key, value = map(by_head, parts.chunk(3, dim=-1))
    else:
        parts = packing.unpack(torch.cat([own.key(states), own.value(states)], dim=1))
        key, value = map(by_head, parts.chunk(2, dim=-1))
        query = by_head(own.query(read).unsqueeze(1))
    dropout = own.dropout.p if layer.training else 0.0
    attended = scaled_dot_product_attention(query, key, value, packing.mask, dropout_p=dropout, scale=own.scaling)
    attended = attended.transpose(1, 2).flatten(2)
    state = layer.attention.output(packing.pack(attended) if is_whole else attended.squeeze(1), read)
    return layer.output(layer.intermediate(state), state)  # type: ignore[no-any-return]

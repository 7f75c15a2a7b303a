"""Interpolate the weights of a network between two states (WiSE-FT, Wortsman et al., 2022)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn


def weights_of(network: nn.Module) -> dict[str, Tensor]:
    """Return a copy of the weights of a network."""
    return {name: tensor.detach().clone() for name, tensor in network.state_dict().items()}


def interpolate(network: nn.Module, start: Mapping[str, Tensor], share: float) -> None:
    """Move the weights of a network back towards ``start``: (1 − share) · start + share · own.

    A weight that is the same in both stays the same to the bit. Those that ``start`` lacks were not trained.
    """
    moved: set[int] = set()
    for name, tensor in network.state_dict().items():
        if name in start and tensor.is_floating_point() and tensor.data_ptr() not in moved:  # tied weights move once
            tensor.copy_(torch.lerp(start[name].to(tensor), tensor, share))
            moved.add(tensor.data_ptr())


@contextmanager
def interpolated(network: nn.Module, start: Mapping[str, Tensor], share: float) -> Iterator[None]:
    """Interpolate the weights within the block, and restore them afterwards."""
    own = weights_of(network)
    interpolate(network, start, share)
    try:
        yield
    finally:
        network.load_state_dict(own)

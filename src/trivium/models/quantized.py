"""Networks in int8 for predicting: weights are rounded once, inputs batch by batch."""

from __future__ import annotations

import warnings
from copy import deepcopy
from typing import TypeVar

import torch
from torch import nn

from trivium.errors import UserError

N = TypeVar("N", bound=nn.Module)


def quantized(network: N) -> N:
    """Return a copy of a network whose linear layers multiply in int8. It predicts, but cannot be trained.

    Weights have a scale for each output, inputs one for each batch. Raise a UserError where this is not supported.
    """
    from torch.ao.quantization import per_channel_dynamic_qconfig, quantize_dynamic

    advice = "use precision fp32"
    if any(parameter.device.type != "cpu" for parameter in network.parameters()):
        raise UserError(f"precision int8 is for the cpu: {advice} on other devices")
    if torch.backends.quantized.engine in (None, "none"):
        raise UserError(f"precision int8 is not supported by this build of torch: {advice}")
    if not any(type(module) is nn.Linear for module in _encoder(network).modules()):
        raise UserError(f"precision int8 is not supported for this model, whose encoder has no linear layers: {advice}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch announces that this will move to another package
        return quantize_dynamic(  # type: ignore[no-any-return, no-untyped-call]
            deepcopy(network).eval(), {nn.Linear: per_channel_dynamic_qconfig}, dtype=torch.qint8
        )


def _encoder(network: nn.Module) -> nn.Module:
    """Return the encoder of a network, without its heads: those are small, and linear in every model."""
    model = getattr(network, "model", network)
    encoder = getattr(model, "base_model", None) or getattr(network, "encoder", network)
    assert isinstance(encoder, nn.Module)
    return encoder

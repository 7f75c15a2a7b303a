"""Networks in int8 for predicting: weights are rounded once, the inputs of each batch row by row."""

from __future__ import annotations

import ctypes
import sys
import warnings
from copy import deepcopy
from typing import Final, TypeVar

import torch
from torch import Tensor, nn

from trivium.errors import UserError

N = TypeVar("N", bound=nn.Module)
EXACT: Final = 0.04
"""Share of the input columns of a layer that stay in fp32, those with the largest values of a batch (LLM.int8)."""

_TINY: Final = torch.finfo(torch.float32).tiny
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of mallopt


def quantized(network: N) -> N:
    """Return a copy of a network whose encoder multiplies in int8. It predicts, but cannot be trained.

    The first of several blocks stays in fp32, since its errors pass through all the others. From then on, the process
    keeps the memory that it frees. Raise a UserError where int8 is not supported.
    """
    advice = "use precision fp32"
    if any(parameter.device.type != "cpu" for parameter in network.parameters()):
        raise UserError(f"precision int8 is for the cpu: {advice} on other devices")
    if torch.backends.quantized.engine in (None, "none"):
        raise UserError(f"precision int8 is not supported by this build of torch: {advice}")
    rounded = deepcopy(network).eval()
    encoder = _encoder(rounded)
    exact = {*_first_block(encoder).modules()}
    layers = [
        (module, name, child)
        for module in encoder.modules()
        for name, child in module.named_children()
        if type(child) is nn.Linear and child not in exact
    ]
    if not layers:
        raise UserError(f"precision int8 is not supported for this model, whose encoder has no linear layers: {advice}")
    for module, name, layer in layers:
        setattr(module, name, Int8Linear(layer))
    if sys.platform == "linux":
        _keep_freed_memory()
    return rounded


class Int8Linear(nn.Module):
    """A linear layer whose weights have a scale for each output, and whose inputs one for each row.

    The columns of a batch with the largest inputs are multiplied in fp32, since the other inputs of a row would be
    rounded coarsely beside them. So the outputs for a row depend, within rounding, on the batch.
    """

    weight: Tensor
    bias: Tensor

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        weight = layer.weight.detach()
        self.register_buffer("weight", weight)
        self.register_buffer("bias", torch.zeros(len(weight)) if layer.bias is None else layer.bias.detach())
        scales = (weight.abs().amax(1) / 127).clamp_min(_TINY)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch announces that this will move to another package
            zeros = torch.zeros(len(weight), dtype=torch.long)
            rounded = torch.quantize_per_channel(weight, scales, zeros, 0, torch.qint8)
        self._packed = torch.ops.quantized.linear_prepack(rounded, None)
        self._exact = max(1, round(EXACT * layer.in_features))
        # Without VNNI, sums of two products of bytes overflow unless inputs have seven bits.
        self._reduced = not torch.cpu._is_vnni_supported()

    def forward(self, inputs: Tensor) -> Tensor:
        """Return the outputs of the layer for the rows of a batch."""
        if not inputs.numel():
            return nn.functional.linear(inputs, self.weight, self.bias)
        rows = inputs.reshape(-1, inputs.shape[-1])
        sizes = rows.abs()
        columns = sizes.amax(0).topk(self._exact).indices
        exact = torch.addmm(self.bias, rows.index_select(1, columns), self.weight.index_select(1, columns).T)
        scales = sizes.index_fill_(1, columns, 0.0).amax(1, keepdim=True).clamp_min_(_TINY)
        scaled = (rows / scales).index_fill_(1, columns, 0.0)
        outputs: Tensor = torch.ops.quantized.linear_dynamic(scaled, self._packed, self._reduced)
        return outputs.mul_(scales).add_(exact).reshape(*inputs.shape[:-1], -1)


def _keep_freed_memory() -> None:
    """Let glibc keep what is freed: outputs are computed so fast that getting their memory anew takes as long."""
    if hasattr(libc := ctypes.CDLL(None), "mallopt") and libc.mallopt(_MMAP_THRESHOLD, 1 << 25):
        libc.mallopt(_TRIM_THRESHOLD, 1 << 29)


def _first_block(encoder: nn.Module) -> nn.Module:
    """Return the first of the encoder's blocks, or nothing if it has fewer than two."""
    lists = [module for module in encoder.modules() if isinstance(module, nn.ModuleList) and len(module) > 1]
    return max(lists, key=len)[0] if lists else nn.Module()


def _encoder(network: nn.Module) -> nn.Module:
    """Return the encoder of a network, without its heads: those are small, and linear in every model."""
    model = getattr(network, "model", network)
    encoder = getattr(model, "base_model", None) or getattr(network, "encoder", network)
    assert isinstance(encoder, nn.Module)
    return encoder

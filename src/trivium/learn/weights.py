"""Save the weights of a network, and load them into a network of the same architecture."""

from __future__ import annotations

from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from trivium.errors import UserError
from trivium.learn.optimizer import AdamW
from trivium.models.adapters import has_adapter


def save_weights(network: nn.Module, path: Path) -> None:
    """Write the weights of a network as safetensors; with an adapter, only those of adapter and heads."""
    save_file({name: tensor.contiguous().cpu() for name, tensor in _saved(network).items()}, path)


def load_weights(network: nn.Module, path: Path) -> None:
    """Read the weights that :func:`save_weights` wrote for a network of the same architecture."""
    if not path.is_file():
        raise UserError(f"{path}: no such file")
    try:
        weights = load_file(path)
    except SafetensorError as error:
        raise UserError(f"{path}: not a readable safetensors file ({error})") from None
    if set(weights) != set(_saved(network)):
        raise UserError(f"{path}: not the weights of this model: load them with the same model and tasks")
    network.load_state_dict(weights, strict=False)


def save_moments(network: nn.Module, optimizer: AdamW, path: Path) -> None:
    """Write the moments of an optimizer as safetensors."""
    moments = optimizer.named_state(dict(network.named_parameters()))
    save_file({name: tensor.contiguous().cpu() for name, tensor in moments.items()}, path)


def load_moments(network: nn.Module, path: Path) -> AdamW:
    """Return an optimizer with the moments that :func:`save_moments` wrote for a network of the same architecture."""
    optimizer = AdamW([parameter for parameter in network.parameters() if parameter.requires_grad])
    optimizer.load_named_state(dict(network.named_parameters()), load_file(path))
    return optimizer


def _saved(network: nn.Module) -> dict[str, Tensor]:
    state, seen = {}, set()
    for name, tensor in network.state_dict().items():
        if tensor.data_ptr() not in seen:  # embeddings that encoder and decoder share are saved once
            state[name] = tensor
            seen.add(tensor.data_ptr())
    if not has_adapter(network):
        return state
    trained = {name for name, parameter in network.named_parameters() if parameter.requires_grad}
    return {name: tensor for name, tensor in state.items() if name in trained}

"""Checkpoints: the state of a training between two optimizer steps, from which it continues with identical results."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from trivium.errors import UserError
from trivium.learn.optimizer import AdamW
from trivium.learn.stopping import EarlyStopping
from trivium.learn.strategy import Strategy, declares

_TENSORS = "tensors.safetensors"
_PLAIN = "state.json"
_FORMAT = 1


class Checkpoints(Protocol):
    """Where the checkpoints of one training are kept, and how often they are written."""

    def load(self) -> Path | None:
        """Return the folder of the last checkpoint, or None."""

    def is_due(self) -> bool:
        """Return whether it is time for another checkpoint."""

    def writing(self) -> AbstractContextManager[Path]:
        """Return a context with a new folder to write a checkpoint into; it replaces the last one at the end."""


@dataclass
class TrainingState:
    """Everything that changes from one optimizer step to the next.

    ``losses`` has the loss of each finished step. ``rng`` is the generator that a strategy draws from. ``extra`` is the
    state of a strategy: if it has ``state_dict`` and ``load_state_dict``, like a module of torch, its tensors are saved
    too; otherwise it must not change during a stage. ``stopping`` decides when the training ends.
    """

    network: nn.Module
    optimizer: AdamW
    rng: np.random.Generator | None = None
    extra: Any = None
    stopping: EarlyStopping | None = None
    losses: list[float] = field(default_factory=list)

    def save(self, folder: Path) -> None:
        """Write the state into a folder, as safetensors and JSON."""
        parameters = self._parameters()
        tensors = {f"weights.{name}": parameter for name, parameter in parameters.items()}
        tensors |= {f"optimizer.{key}": value for key, value in self.optimizer.named_state(parameters).items()}
        tensors |= {f"extra.{name}": value for name, value in self._extra().items()}
        if self.stopping is not None:
            tensors |= {f"stopping.{name}": value for name, value in self.stopping.state_dict().items()}
        tensors |= {f"random.{name}": get() for name, (get, _) in _random_states(self._device).items()}
        tensors["losses"] = torch.tensor(self.losses, dtype=torch.float64)
        save_file({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}, folder / _TENSORS)
        plain = {"format": _FORMAT, "rng": None if self.rng is None else self.rng.bit_generator.state}
        (folder / _PLAIN).write_text(json.dumps(plain), encoding="utf-8")

    def restore(self, folder: Path) -> bool:
        """Read what :meth:`save` wrote; return False, and change nothing, if it is from another version or model."""
        plain = json.loads((folder / _PLAIN).read_text(encoding="utf-8"))
        if plain.get("format") != _FORMAT:
            return False
        tensors = load_file(folder / _TENSORS)
        parameters = self._parameters()
        shapes = {name.removeprefix("weights."): t.shape for name, t in tensors.items() if name.startswith("weights.")}
        if shapes != {name: parameter.shape for name, parameter in parameters.items()}:
            return False
        with torch.no_grad():
            for name, parameter in parameters.items():
                parameter.copy_(tensors[f"weights.{name}"])
        self.optimizer.load_named_state(parameters, _below("optimizer.", tensors))
        if _has_state_dict(self.extra):
            self.extra.load_state_dict(_below("extra.", tensors))
        if self.stopping is not None:
            self.stopping.load_state_dict(_below("stopping.", tensors))
        for name, (_, set_) in _random_states(self._device).items():
            set_(tensors[f"random.{name}"])
        if self.rng is not None:
            self.rng.bit_generator.state = plain["rng"]
        self.losses[:] = tensors["losses"].tolist()
        return True

    def _parameters(self) -> dict[str, Tensor]:
        return {name: parameter for name, parameter in self.network.named_parameters() if parameter.requires_grad}

    def _extra(self) -> Mapping[str, Tensor]:
        """Return the tensors of the strategy's state that may change."""
        state = self.extra.state_dict() if _has_state_dict(self.extra) else {}
        for name, value in state.items():
            if not isinstance(value, Tensor):
                raise UserError(
                    f"the state of a strategy ({type(self.extra).__name__}) has {name!r}, which is not a tensor: "
                    "return only tensors from its state_dict()"
                )
        return {name: value.clone() for name, value in state.items()}  # it may share memory with the network

    @property
    def _device(self) -> torch.device:
        return next(self.network.parameters()).device


def is_resumable(strategy: Strategy) -> bool:
    """Return whether training with this strategy may continue from a checkpoint.

    An overridden ``begin_stage`` may return a state that changes, so its class, or a subclass, must declare
    ``resumable = True``.
    """
    return declares(strategy, "resumable", ["begin_stage"])


def _below(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def _has_state_dict(state: Any) -> bool:
    return hasattr(state, "state_dict") and hasattr(state, "load_state_dict")


def _random_states(device: torch.device) -> dict[str, tuple[Callable[[], Tensor], Callable[[Tensor], None]]]:
    """Return functions that get and set the state of each of torch's random generators that a device uses."""
    states: dict[str, tuple[Callable[[], Tensor], Callable[[Tensor], None]]]
    states = {"cpu": (torch.get_rng_state, torch.set_rng_state)}
    if device.type == "cuda":
        states["cuda"] = (partial(torch.cuda.get_rng_state, device), partial(torch.cuda.set_rng_state, device=device))
    return states

"""AdamW and gradient clipping, with as few passes over the parameters as possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

_BETAS = (0.9, 0.999)
_EPSILON = 1e-8


class AdamW:
    """AdamW without weight decay, as ``torch.optim.AdamW(fused=True)`` computes it, to the bit.

    It calls torch's fused kernel directly, without the bookkeeping around it. ``state`` has the moments of each
    parameter that has had a gradient, under torch's names.
    """

    def __init__(self, parameters: Sequence[Tensor]) -> None:
        self.parameters = list(parameters)
        self.state: dict[Tensor, dict[str, Tensor]] = {}

    def zero_grad(self) -> None:
        """Remove the gradients."""
        for parameter in self.parameters:
            parameter.grad = None

    @torch.no_grad()
    def step(self, rate: float) -> None:
        """Update every parameter that has a gradient."""
        trained = [parameter for parameter in self.parameters if parameter.grad is not None]
        if not trained:
            return
        for parameter in trained:
            if parameter not in self.state:
                self.state[parameter] = _no_moments(parameter)
        gradients = [parameter.grad for parameter in trained if parameter.grad is not None]
        _update(trained, gradients, [self.state[parameter] for parameter in trained], rate)

    @torch.no_grad()
    def lookahead(self, parameters: Sequence[Tensor], rate: float, scale: float) -> list[Tensor]:
        """Return what a step would make of parameters whose gradients are multiplied by ``scale``; change nothing."""
        states = [self.state.get(parameter) or _no_moments(parameter) for parameter in parameters]
        copies = [{part: value.clone() for part, value in state.items()} for state in states]
        moved = [parameter.detach().clone() for parameter in parameters]
        gradients = torch._foreach_mul([p.grad for p in parameters if p.grad is not None], scale)
        _update(moved, list(gradients), copies, rate)
        return moved

    def named_state(self, parameters: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the moments of parameters by name, such as ``exp_avg.heads.nli.weight``."""
        return {
            f"{part}.{name}": value
            for name, parameter in parameters.items()
            for part, value in self.state.get(parameter, {}).items()
        }

    def load_named_state(self, parameters: Mapping[str, Tensor], tensors: Mapping[str, Tensor]) -> None:
        """Take the moments that :meth:`named_state` returned for parameters of the same names."""
        for key, tensor in tensors.items():
            part, name = key.split(".", 1)
            parameter = parameters[name]
            # Moments have the memory layout of their parameter.
            like = tensor if part == "step" else parameter
            moments = self.state.setdefault(parameter, {})
            moments[part] = torch.empty_like(like, device=parameter.device).copy_(tensor)


def _update(
    parameters: list[Tensor], gradients: list[Tensor], states: Sequence[dict[str, Tensor]], rate: float
) -> None:
    steps = [state["step"] for state in states]
    torch._foreach_add_(steps, 1)
    torch._fused_adamw_(
        parameters,
        gradients,
        [state["exp_avg"] for state in states],
        [state["exp_avg_sq"] for state in states],
        [],
        steps,
        lr=rate,
        beta1=_BETAS[0],
        beta2=_BETAS[1],
        weight_decay=0.0,
        eps=_EPSILON,
        amsgrad=False,
        maximize=False,
    )


def _no_moments(parameter: Tensor) -> dict[str, Tensor]:
    step = torch.zeros((), dtype=torch.float32, device=parameter.device)
    return {"step": step, "exp_avg": torch.zeros_like(parameter), "exp_avg_sq": torch.zeros_like(parameter)}


@torch.no_grad()
def clip_gradients(parameters: Sequence[Tensor], limit: float) -> float:
    """Scale the gradients down so that their norm is at most ``limit``, and return the norm they had.

    The result is that of ``torch.nn.utils.clip_grad_norm_``, to the bit; gradients within the limit are not touched.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    if not gradients:
        return 0.0
    norm = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(gradients)))
    factor = limit / (norm + 1e-6)
    if factor < 1:
        torch._foreach_mul_(gradients, factor)
    return float(norm)

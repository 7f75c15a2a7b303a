"""Low-rank adapters (LoRA; Hu et al., 2022): the encoder is frozen, and small matrices beside it are trained."""

from __future__ import annotations

import torch
from torch import nn

from trivium.errors import UserError
from trivium.seeds import stream_seed


def add_lora(model: nn.Module, rank: int, alpha: int, dropout: float, targets: tuple[str, ...], seed: int) -> None:
    """Add LoRA matrices to the layers whose names end in one of ``targets``, and train only these matrices.

    Without targets, they are added to the layers that the ``peft`` library uses for the model type.
    """
    try:
        from peft import LoraConfig, inject_adapter_in_model
    except ImportError:
        raise UserError("model.adapter needs the package peft: pip install 'trivium-nli[llm]'") from None
    config = LoraConfig(
        r=rank, lora_alpha=alpha, lora_dropout=dropout, target_modules=list(targets) or None, bias="none"
    )
    if not targets:
        config.target_modules = _default_targets(model)
    with torch.random.fork_rng():
        torch.manual_seed(stream_seed(seed, "init", "adapter"))
        try:
            inject_adapter_in_model(config, model)
        except ValueError as error:
            raise UserError(f"model.adapter: {str(error).splitlines()[0]}") from None
    for name, parameter in model.named_parameters():
        parameter.requires_grad_("lora_" in name)


def has_adapter(model: nn.Module) -> bool:
    """Return whether :func:`add_lora` was called on a model."""
    return any("lora_" in name for name, _ in model.named_parameters())


def _default_targets(model: nn.Module) -> list[str]:
    from peft.utils import TRANSFORMERS_MODELS_TO_LORA_TARGET_MODULES_MAPPING as DEFAULTS

    model_type = str(model.config.model_type)  # type: ignore[union-attr]
    if model_type not in DEFAULTS:
        raise UserError(f"model.adapter: no default layers for a {model_type!r} model: set model.adapter.targets")
    return list(DEFAULTS[model_type])

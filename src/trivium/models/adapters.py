"""Low-rank adapters (LoRA; Hu et al., 2022): the encoder stays as it is, small matrices beside it are trained."""

from __future__ import annotations

import torch
from torch import nn

from trivium.errors import UserError
from trivium.seeds import stream_seed


def add_lora(model: nn.Module, rank: int, alpha: int, dropout: float, targets: tuple[str, ...], seed: int) -> None:
    """Put LoRA beside the layers whose names end in one of ``targets``; only these matrices are then trained.

    Without targets the ``peft`` library chooses those that are usual for the family.
    """
    try:
        from peft import LoraConfig, inject_adapter_in_model
    except ImportError:
        raise UserError("model.adapter needs the package peft: pip install 'trivium-nli[llm]'") from None
    config = LoraConfig(
        r=rank, lora_alpha=alpha, lora_dropout=dropout, target_modules=list(targets) or None, bias="none"
    )
    if not targets:
        config.target_modules = _usual_targets(model)
    with torch.random.fork_rng():
        torch.manual_seed(stream_seed(seed, "init", "adapter"))
        try:
            inject_adapter_in_model(config, model)
        except ValueError as error:
            raise UserError(f"model.adapter: {str(error).splitlines()[0]}") from None
    for name, parameter in model.named_parameters():
        parameter.requires_grad_("lora_" in name)


def has_adapter(model: nn.Module) -> bool:
    """Whether :func:`add_lora` was called on a model."""
    return any("lora_" in name for name, _ in model.named_parameters())


def _usual_targets(model: nn.Module) -> list[str]:
    from peft.utils import TRANSFORMERS_MODELS_TO_LORA_TARGET_MODULES_MAPPING as USUAL

    family = str(model.config.model_type)  # type: ignore[union-attr]
    if family not in USUAL:
        raise UserError(f"model.adapter: name the layers of a {family!r} model with model.adapter.targets")
    return list(USUAL[family])

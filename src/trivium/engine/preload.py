"""Import what every worker needs, once: workers are forked from a process that has imported this module."""

from __future__ import annotations

try:
    import torch._dynamo  # noqa: F401  imported by the first optimizer step
    from transformers.models.auto import modeling_auto, tokenization_auto  # noqa: F401
    from transformers.models.bert import modeling_bert  # noqa: F401

    import trivium.engine.execute  # noqa: F401
except MemoryError:
    raise ImportError("not enough memory") from None  # workers import what they need, and say what is wrong

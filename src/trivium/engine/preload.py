"""What every worker imports. Workers are forked from a process that has imported it once."""

from __future__ import annotations

import torch._dynamo  # noqa: F401  an optimizer imports it with its first step
from transformers.models.auto import modeling_auto, tokenization_auto  # noqa: F401
from transformers.models.bert import modeling_bert  # noqa: F401

import trivium.engine.execute  # noqa: F401

"""Define the operators of torchvision that are missing where its build does not fit that of torch.

Avalanche brings torchvision along. Without them, importing Avalanche fails, and so do ``Trainer`` and ``pipeline`` of
transformers. Import this module before any of them.
"""

from __future__ import annotations

import torch

LIBRARY = torch.library.Library("torchvision", "DEF")
for name in ("nms", "qnms"):
    try:
        LIBRARY.define(f"{name}(Tensor boxes, Tensor scores, float threshold) -> Tensor")
    except RuntimeError:  # torchvision works here
        continue

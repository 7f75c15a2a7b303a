"""What tables call the strategies, whichever benchmark runs them."""

from __future__ import annotations

from typing import Final

STRATEGIES: Final = {
    "finetune": "Fine-tuning",
    "er-res": "ER-Res",
    "er-buff": "ER-Buff",
    "er-mir": "ER-Mir",
    "agem": "A-GEM",
    "kd": "KD",
    "mas": "MAS",
    "scl": "SCL",
}

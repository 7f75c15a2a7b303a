"""The rules of composition, given: C²Gen's Table 2, or SETI's Table 3 for two labels. An upper control."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.data.labels import NLI2, NLI3, Labels
from trivium.errors import UserError
from trivium.models.composer import Composer, composer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor


@composer("rules")
@dataclass(frozen=True)
class RulesComposer(Composer):
    """Compose the answers about the parts by the given rules of composition. Nothing is learned."""

    title = "Rules"
    decomposes = True

    def table(self, learned: Tensor | None, labels: Labels) -> Tensor:
        """Return the rules as probabilities of 0 and 1."""
        import torch

        return torch.from_numpy(rules_table(labels))


def rules_table(labels: Labels) -> NDArray[np.float32]:
    """Return the rules of composition for a label scheme: 1 for the label of the whole, by the labels of its parts."""
    import numpy as np

    from trivium.build.veridicality.composition import BOOLEAN_RULES, NINE_RULES

    rules = {NLI3: NINE_RULES, NLI2: BOOLEAN_RULES}.get(labels)
    if rules is None:
        raise UserError(f"compositions have NLI labels, not {', '.join(labels.names)}: use the composer 'head'")
    table = np.zeros((len(labels),) * 3, dtype=np.float32)
    for (veridical, natural), label in rules.items():
        table[labels.index(veridical), labels.index(natural), labels.index(label)] = 1.0
    return table

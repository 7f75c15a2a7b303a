"""A free table: each cell is learned by itself, so that one that was never trained is not known. A lower control."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.data.labels import Labels
from trivium.models.composer import PRIOR, Composer, composer
from trivium.models.composers.rules import rules_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor


@composer("table")
@dataclass(frozen=True)
class TableComposer(Composer):
    """Learn a free table: the label of the whole for each pair of labels of the parts."""

    title = "Table"
    decomposes = True

    def start(self, labels: Labels) -> NDArray[np.float32]:
        """Return zeros: at first, all labels are equally likely in every cell."""
        import numpy as np

        return np.zeros((len(labels),) * 3, dtype=np.float32)

    def prior(self, labels: Labels) -> NDArray[np.float32]:
        """Return values by which the rules of composition are likely."""
        return PRIOR * rules_table(labels)

    def table(self, learned: Tensor | None, labels: Labels) -> Tensor:
        """Return the learned probabilities of each cell."""
        assert learned is not None
        return learned.softmax(-1)

"""Anchored composition: typed, with the functions that agree with what a veridical label means.

The veridical label of *x VERB S* is its relation to S itself. S entails S, so that the function of a veridical class
turns entailment into this very label. Of the functions that do, the one that is not constant is preferred until the
data speak. With two labels there is no negation: what is not entailed need not be contradicted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trivium.data.labels import Labels
from trivium.models.composer import composer
from trivium.models.composers.typed import TypedComposer, functions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_EXCLUDED, _PREFERRED = -30.0, 3.0


@composer("anchored")
@dataclass(frozen=True)
class AnchoredComposer(TypedComposer):
    """Learn, for each veridical class, a soft choice among the functions that turn entailment into its label."""

    title = "Anchored"

    def start(self, labels: Labels) -> NDArray[np.float32]:
        """Return values by which excluded functions stay unlikely, and those that are not constant are preferred."""
        import numpy as np

        results = np.stack([matrix.argmax(axis=1) for matrix in functions(labels).values()])  # of each natural label
        is_anchored = results[:, 0] == np.arange(len(labels))[:, None]
        if len(labels) == 2:
            is_anchored[:, list(functions(labels)).index("negation")] = False
        is_constant = (results == results[:, :1]).all(axis=1)
        return np.where(is_anchored, np.where(is_constant, 0.0, _PREFERRED), _EXCLUDED).astype(np.float32)

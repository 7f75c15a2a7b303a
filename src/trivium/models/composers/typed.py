"""Typed composition: for each veridical class, one of a few functions from the natural label to that of the whole.

A function that fits two of the three natural labels is the only one that does, so that the third follows.
"""

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


@composer("typed")
@dataclass(frozen=True)
class TypedComposer(Composer):
    """Learn, for each veridical class, a soft choice among identity, negation and the constant functions."""

    title = "Typed"
    decomposes = True

    def start(self, labels: Labels) -> NDArray[np.float32]:
        """Return zeros: at first, all functions are equally likely for every class."""
        import numpy as np

        return np.zeros((len(labels), len(functions(labels))), dtype=np.float32)

    def prior(self, labels: Labels) -> NDArray[np.float32]:
        """Return values by which the functions of the rules of composition are likely."""
        import numpy as np

        agreement = np.einsum("vnc,fnc->vf", rules_table(labels), np.stack(list(functions(labels).values())))
        return np.where(agreement == len(labels), PRIOR, 0.0).astype(np.float32)

    def table(self, learned: Tensor | None, labels: Labels) -> Tensor:
        """Return the mean of the functions, weighted by their probabilities."""
        import numpy as np
        import torch

        assert learned is not None
        matrices = torch.from_numpy(np.stack(list(functions(labels).values()))).to(learned.device, learned.dtype)
        return torch.einsum("vf,fnc->vnc", learned.softmax(-1), matrices)

    def describe(self, learned: Tensor | None, labels: Labels) -> list[str]:
        """Return the most likely function of each veridical class, with its probability."""
        assert learned is not None
        names, lines = list(functions(labels)), []
        for veridical, row in zip(labels.names, learned.detach().float().softmax(-1).cpu().numpy(), strict=True):
            best = int(row.argmax())
            lines.append(f"{veridical}: {names[best]} ({100 * row[best]:.0f} %)")
        return lines


def functions(labels: Labels) -> dict[str, NDArray[np.float32]]:
    """Return the functions by name: a matrix that has, for each natural label, a 1 in the column of the result.

    >>> from trivium.data.labels import NLI3
    >>> list(functions(NLI3))
    ['identity', 'negation', 'always entailment', 'always neutral', 'always contradiction']
    """
    import numpy as np

    size = len(labels)
    identity = np.eye(size, dtype=np.float32)
    # Labels are ordered from entailed to contradicted, so that negation reverses them.
    matrices = {"identity": identity, "negation": np.ascontiguousarray(identity[::-1])}
    for index, name in enumerate(labels.names):
        matrices[f"always {name}"] = np.tile(identity[index], (size, 1))
    return matrices

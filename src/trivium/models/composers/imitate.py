"""Imitation: the head learns, on recombined parts without labels, to answer as typed composition does.

The verb of one example and the pair of another give a composition of a type that may never have been labelled. At test
time the head answers alone, so that nothing has to be decomposed.
"""

from __future__ import annotations

from dataclasses import dataclass

from trivium.models.composer import composer
from trivium.models.composers.typed import TypedComposer


@composer("imitate")
@dataclass(frozen=True)
class ImitatingComposer(TypedComposer):
    """Train the head to answer recombined compositions as typed composition does; it then answers alone."""

    title = "Imitation"
    imitates = True

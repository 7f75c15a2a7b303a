"""The composed head (C²Gen, Figure 2): a composition is classified as it is, without its parts."""

from __future__ import annotations

from dataclasses import dataclass

from trivium.models.composer import HEAD, Composer, composer


@composer(HEAD)
@dataclass(frozen=True)
class HeadComposer(Composer):
    """Classify a composition as a whole, with a head of its own: the default, and the paper's way."""

    title = "Head"

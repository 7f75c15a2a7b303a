"""Composition by signatures: what a known verb implies is looked up, and only the rest is asked of the model."""

from __future__ import annotations

from dataclasses import dataclass

from trivium.models.composer import composer
from trivium.models.composers.rules import RulesComposer


@composer("signed")
@dataclass(frozen=True)
class SignedComposer(RulesComposer):
    """Compose by the given rules, with the signatures of known verbs instead of the model's answers about them."""

    title = "Signatures"
    uses_signatures = True

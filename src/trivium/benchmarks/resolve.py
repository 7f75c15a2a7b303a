"""Resolve the model of a run to a commit and a fingerprint."""

from __future__ import annotations

from typing import NamedTuple

from trivium.engine.store import Store
from trivium.learn.config import ModelConfig
from trivium.models.composer import find_composers
from trivium.models.fingerprint import identify_encoder, identify_roles


class ResolvedModel(NamedTuple):
    """A model whose revision is a commit, and the fingerprint of its weights."""

    model: ModelConfig
    fingerprint: str


def resolve_model(model: ModelConfig, store: Store | None) -> ResolvedModel:
    """Return the model with its revision fixed to a commit, since a branch on a hub may move.

    Without a store nothing can be run, so the model is returned unchanged and no hub is contacted.
    """
    find_composers()[model.composer]  # raises if there is no such composer
    if store is None:
        return ResolvedModel(model, "")
    encoder = identify_encoder(model.name, model.revision)
    fingerprint = encoder.fingerprint
    if model.roles is not None:
        fingerprint = f"{fingerprint} roles:{identify_roles(model.roles)}"
    return ResolvedModel(model.model_copy(update={"revision": encoder.commit}), fingerprint)

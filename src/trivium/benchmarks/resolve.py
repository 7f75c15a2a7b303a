"""Which model a run is of: the one that a name means now."""

from __future__ import annotations

from typing import NamedTuple

from trivium.engine.store import Store
from trivium.learn.config import ModelConfig
from trivium.models.fingerprint import identify_encoder, identify_roles


class ResolvedModel(NamedTuple):
    """A model at the commit that it is now, and what tells it from all others."""

    model: ModelConfig
    fingerprint: str


def resolve_model(model: ModelConfig, store: Store | None) -> ResolvedModel:
    """The model that is planned, run and reported: a branch of a hub moves.

    Without a store nothing can be run, and the model, which may be on a hub out of reach, is not looked for.
    """
    if store is None:
        return ResolvedModel(model, "")
    encoder = identify_encoder(model.name, model.revision)
    fingerprint = encoder.fingerprint
    if model.roles is not None:
        fingerprint = f"{fingerprint} roles:{identify_roles(model.roles)}"
    return ResolvedModel(model.model_copy(update={"revision": encoder.commit}), fingerprint)

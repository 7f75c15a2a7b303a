"""Build the network that a learner trains: an encoder with a new head for each task."""

from __future__ import annotations

from collections.abc import Sequence

from trivium.data.labels import Labels
from trivium.errors import UserError
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.training import select_device
from trivium.models.adapters import add_lora
from trivium.models.composer import find_composers
from trivium.models.composition import new_composition
from trivium.models.encoders import Encoder, is_causal, load_encoder, longest_input, poolings
from trivium.models.network import Answering, Network
from trivium.models.roles import Dense, Fusion, load_roles
from trivium.models.tokens import RowMaker


def build_network(
    model: ModelConfig, tasks: Sequence[str], labels: Labels, train: TrainConfig, seed: int
) -> tuple[Network, RowMaker]:
    """Return an encoder with a new head for each task, and the maker of its input rows."""
    if model.head == "own":
        raise UserError(
            f"model.head is 'own', but this learner adds new heads to {model.name!r}: "
            f"load it with its own head: Learner.from_pretrained({model.name!r})"
        )
    encoder = load_encoder(model.name, seed, model.revision)
    _check_encoder(model, encoder)
    if (adapter := model.adapter) is not None:
        add_lora(encoder.model, adapter.rank, adapter.alpha, adapter.dropout, adapter.targets, seed)
    outputs = {task: len(labels) for task in tasks}
    fusion = _build_fusion(model, encoder, train, seed)
    network = Network(encoder.model, outputs, model.pooling, model.dropout, seed, fusion)
    if train.processes > 1 and find_composers()[model.composer].imitates:
        raise UserError(f"the composer {model.composer!r} trains in one process: set train.processes to 1")
    network.composition = new_composition(model.composer, labels, train.learning_rate)
    between = "\n" if is_causal(encoder.model) else None
    return network, RowMaker(encoder.tokenizer, model.max_length, between)


def _check_encoder(model: ModelConfig, encoder: Encoder) -> None:
    limit = longest_input(encoder.model)
    if limit is not None and model.max_length > limit:
        raise UserError(
            f"model.max_length is {model.max_length}, but {model.name!r} reads at most {limit} tokens: lower it"
        )
    if model.pooling not in (allowed := poolings(encoder.model)):
        raise UserError(f"model.pooling is {model.pooling!r}, but for {model.name!r} it must be {' or '.join(allowed)}")


def _build_fusion(model: ModelConfig, encoder: Encoder, train: TrainConfig, seed: int) -> Fusion | Dense | None:
    width = int(encoder.model.config.hidden_size)  # type: ignore[union-attr, arg-type]
    if model.roles is None:
        return Dense(width, seed, model.dense_dropout) if model.head == "dense" else None
    roles = load_roles(model.roles, model.max_length, select_device(train.device))
    return Fusion(roles, width, model.roles_width, seed, model.dense_dropout)


def freeze(network: Answering, train: TrainConfig) -> None:
    """Exclude the parameters from training that ``train.frozen`` names."""
    if train.frozen == "embeddings":
        network.freeze_embeddings()
    if train.frozen_layers:
        network.freeze_lower(train.frozen_layers)

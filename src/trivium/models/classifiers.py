"""Classifiers as transformers keeps them: an encoder with a head of its own, in a folder or on a hub."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from trivium.data.labels import NLI2, NLI3, SENTIMENT, Labels
from trivium.errors import UserError
from trivium.models.encoders import (
    UnfitWeightsError,
    load_config,
    load_encoder,
    load_pretrained,
    poolings,
    reads_on,
    save_pretrained,
)
from trivium.models.fingerprint import EMBEDDED
from trivium.models.network import Answering, Output, by_length
from trivium.models.tokens import Row, pad_rows
from trivium.seeds import stream_seed

if TYPE_CHECKING:  # see encoders
    from transformers import PreTrainedTokenizerBase

HEAD = "nli"
SUPPORT = "trivium-support.safetensors"
"""Beside a model: vectors by which it answers instead of by its head, which transformers alone would pass over."""
_HEADS = ("classifier", "score", "pre_classifier", "head.", "classification_head")


class Classifier(Answering):
    """A sequence-classification model whose outputs are in the order of a label scheme.

    ``outputs`` are the places of the scheme's labels among the model's own outputs.
    """

    def __init__(
        self, model: nn.Module, tokenizer: PreTrainedTokenizerBase, labels: Labels, outputs: Sequence[int]
    ) -> None:
        super().__init__()
        self.model: Any = model
        self.tokenizer = tokenizer
        self.labels = labels
        self._outputs = list(outputs)
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token
        # Models that read on find their last token by it.
        self.model.config.pad_token_id = tokenizer.pad_token_id  # type: ignore[union-attr]

    @property
    def tasks(self) -> tuple[str, ...]:
        """The one task that the classifier answers."""
        return (HEAD,)

    def outputs(self, rows: Sequence[Row]) -> dict[str, Output]:
        """What the one head says of all rows."""
        both = by_length(rows, self._answer_and_represent)
        return {HEAD: Output(both[:, : len(self.labels)], both[:, len(self.labels) :])}

    def logits(self, rows: Sequence[Row]) -> dict[str, Tensor]:
        """The logits of all rows, which the one head answers."""
        return {HEAD: by_length(rows, self._answer)}

    def vectors(self, rows: Sequence[Row]) -> Tensor:
        """The last layer's vector of each row: of its first token, or of its last if the model reads on or decodes."""
        return by_length(rows, self._represent)

    def freeze_embeddings(self) -> None:
        """Do not train the embeddings of tokens."""
        self.model.get_input_embeddings().requires_grad_(False)

    def save(self, folder: Path) -> None:
        """Write a folder that transformers loads, whole or not at all; what was there is replaced."""
        save_pretrained(self.model, self.tokenizer, folder)

    def _answer(self, rows: Sequence[Row]) -> Tensor:
        return self.model(**self._inputs(rows)).logits[:, self._outputs].float()  # type: ignore[no-any-return]

    def _represent(self, rows: Sequence[Row]) -> Tensor:
        return self._answer_and_represent(rows)[:, len(self.labels) :]

    def _answer_and_represent(self, rows: Sequence[Row]) -> Tensor:
        """The logits of each row, and behind them its vector."""
        inputs = self._inputs(rows)
        found = self.model(**inputs, output_hidden_states=True)
        logits: Tensor = found.logits[:, self._outputs].float()
        return torch.cat([logits, self._vectors(found, inputs).float()], dim=1)

    def _vectors(self, found: Any, inputs: Mapping[str, Tensor]) -> Tensor:
        decodes = poolings(self.model) == ("end",)
        states: Tensor = (found.decoder_hidden_states if decodes else found.hidden_states)[-1]
        if not decodes and not reads_on(self.model):
            return states[:, 0]
        return states[torch.arange(len(states), device=states.device), inputs["attention_mask"].sum(1) - 1]

    def _inputs(self, rows: Sequence[Row]) -> dict[str, Tensor]:
        return {name: tensor.to(self.model.device) for name, tensor in pad_rows(rows).items()}


def load_classifier(name: str, commit: str | None = None) -> Classifier:
    """The classifier in a folder, or with a name on a hub; what its outputs mean is what its config says."""
    _refuse_support(name)
    return load_head(name, commit)


def load_head(name: str, commit: str | None = None) -> Classifier:
    """The same, also where the folder has vectors by which the model is to answer instead of by its head."""
    _refuse_encoders(name)
    try:
        loaded = load_pretrained(name, "AutoModelForSequenceClassification", commit)
    except UnfitWeightsError as error:
        if any(key.startswith(_HEADS) for key in error.keys):
            raise UserError(
                f"model {name!r} has no head for classification: make one with trivium train nli --model {name}"
            ) from None
        raise
    labels, outputs = read_outputs(loaded.model.config.id2label, name)  # type: ignore[union-attr, arg-type]
    return Classifier(loaded.model, loaded.tokenizer, labels, outputs)


@cache
def own_labels(name: str, commit: str | None = None) -> Labels:
    """The label scheme of an NLI classifier's outputs, by its config alone."""
    _refuse_support(name)
    labels = head_labels(name, commit)
    if labels == SENTIMENT:
        raise _not_nli(labels.names, name)
    return labels


def head_labels(name: str, commit: str | None = None) -> Labels:
    """The label scheme of any classifier's outputs, also where vectors answer instead of its head."""
    _refuse_encoders(name)
    return read_outputs(load_config(name, commit).config.id2label, name)[0]


def _refuse_encoders(name: str) -> None:
    if name in EMBEDDED:
        raise UserError(f"{name!r} is an encoder without a classifier: make one of it with trivium train nli")


def _refuse_support(name: str) -> None:
    if (Path(name) / SUPPORT).is_file():
        raise UserError(
            f"model {name!r} answers by {SUPPORT} and not by its head, which trivium correct put there: ask it with "
            "trivium.tools.corrected.load_corrected, or correct it anew with another --method"
        )


def new_classifier(name: str, seed: int, labels: Labels = NLI3, commit: str | None = None) -> Classifier:
    """An encoder with a new head, which knows nothing yet."""
    from transformers import AutoModelForSequenceClassification

    encoder = load_encoder(name, seed, commit)
    config = deepcopy(encoder.model.config)
    config.num_labels = len(labels)  # type: ignore[union-attr]
    config.id2label = dict(enumerate(labels.names))  # type: ignore[union-attr]
    config.label2id = {label: place for place, label in enumerate(labels.names)}  # type: ignore[union-attr]
    with torch.random.fork_rng():
        torch.manual_seed(stream_seed(seed, "init", "heads"))
        model = AutoModelForSequenceClassification.from_config(config)  # type: ignore[no-untyped-call]
    left = model.base_model.load_state_dict(encoder.model.state_dict(), strict=False)
    if left.unexpected_keys or any("pooler" not in key for key in left.missing_keys):
        raise UserError(f"model {name!r} cannot be given a head: its weights are not those of its family's classifiers")
    return Classifier(model, encoder.tokenizer, labels, range(len(labels)))


def read_outputs(id2label: Mapping[int, str], name: str) -> tuple[Labels, list[int]]:
    """The label scheme that a model's outputs are of, and at which output each of its labels is."""
    if not all(isinstance(label, str) for label in id2label.values()):
        raise _not_nli(id2label.values(), name)
    if sorted(map(int, id2label)) != list(range(len(id2label))):
        raise UserError(
            f"model {name!r} counts its outputs {', '.join(map(str, id2label))} in id2label of its config.json: "
            "they are counted from 0"
        )
    for labels in (NLI3, NLI2, SENTIMENT):
        found: dict[str, int] = {}
        for place, label in id2label.items():
            word = label.strip().lower()
            found[word if word in labels.names else labels.spellings.get(word, "")] = int(place)
        if set(found) == set(labels.names) and len(id2label) == len(labels):
            return labels, [found[label] for label in labels.names]
    raise _not_nli(id2label.values(), name)


def _not_nli(names: Iterable[object], model: str) -> UserError:
    named = ", ".join(map(repr, names)) or "nothing"
    return UserError(
        f"model {model!r} calls its outputs {named}, which are not the labels of NLI: write id2label in config.json, "
        "for instance {'0': 'entailment', '1': 'neutral', '2': 'contradiction'}"
    )

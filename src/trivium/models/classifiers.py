"""Sequence classifiers of transformers: encoders with their own heads, in a folder or on a hub."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from trivium.data.labels import NLI2, NLI3, SENTIMENT, Labels
from trivium.errors import UserError, option
from trivium.models.encoders import (
    UnfitWeightsError,
    is_causal,
    load_config,
    load_encoder,
    load_pretrained,
    poolings,
    save_pretrained,
)
from trivium.models.fingerprint import EMBEDDED
from trivium.models.network import Answering, Output, once
from trivium.models.tokens import Row, pad_rows
from trivium.seeds import stream_seed

if TYPE_CHECKING:  # see encoders.py
    from transformers import PreTrainedTokenizerBase

HEAD = "nli"
SUPPORT = "trivium-support.safetensors"
"""The file in a model folder with vectors that replace the head. Transformers itself ignores it."""
_HEADS = ("classifier", "score", "pre_classifier", "head.", "classification_head")


class Classifier(Answering):
    """A sequence-classification model with its outputs in the order of a label scheme.

    ``outputs`` has, for each label of the scheme, its index among the model's own outputs.
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
        # Models that read from left to right need it to find the last token.
        self.model.config.pad_token_id = tokenizer.pad_token_id  # type: ignore[union-attr]

    @property
    def tasks(self) -> tuple[str, ...]:
        """The task that the classifier answers."""
        return (HEAD,)

    def outputs(self, rows: Sequence[Row]) -> dict[str, Output]:
        """Return the logits and vectors of all rows."""
        joined = self.by_length(rows, self._logits_and_vectors)
        return {HEAD: Output(joined[:, : len(self.labels)], joined[:, len(self.labels) :])}

    def logits(self, rows: Sequence[Row]) -> dict[str, Tensor]:
        """Return the logits of all rows; equal inputs are encoded once."""
        return {HEAD: once(rows, lambda distinct: self.by_length(distinct, self._logits))}

    def vectors(self, rows: Sequence[Row]) -> Tensor:
        """Return the last layer's vector of each row, at its first or its last token (see ``poolings``)."""
        return once(rows, lambda distinct: self.by_length(distinct, self._logits_and_vectors))[:, len(self.labels) :]

    @property
    def sees_first_token(self) -> bool:
        """True: models like BERT classify by their first token."""
        return True

    @property
    def reader(self) -> Any:
        """The model."""
        return self.model

    def save(self, folder: Path) -> None:
        """Write a folder that transformers loads, whole or not at all. An existing folder is replaced."""
        save_pretrained(self.model, self.tokenizer, folder)

    def _logits(self, rows: Sequence[Row]) -> Tensor:
        with self.reading(rows):
            return self.model(**self._inputs(rows)).logits[:, self._outputs].float()  # type: ignore[no-any-return]

    def _logits_and_vectors(self, rows: Sequence[Row]) -> Tensor:
        """Return one line for each row: its logits, followed by its vector."""
        inputs = self._inputs(rows)
        with self.reading(rows) as packing:
            result = self.model(**inputs, output_hidden_states=packing is None)
        logits: Tensor = result.logits[:, self._outputs].float()
        if packing is not None and packing.states is not None:
            return torch.cat([logits, packing.states[:, 0].float()], dim=1)
        return torch.cat([logits, self._vectors(result, inputs).float()], dim=1)

    def _vectors(self, result: Any, inputs: Mapping[str, Tensor]) -> Tensor:
        has_decoder = poolings(self.model) == ("end",)
        states: Tensor = (result.decoder_hidden_states if has_decoder else result.hidden_states)[-1]
        if self._reads_last:
            return states[:, -1]
        if not has_decoder and not is_causal(self.model):
            return states[:, 0]
        return states[torch.arange(len(states), device=states.device), inputs["attention_mask"].sum(1) - 1]

    @property
    def _reads_last(self) -> bool:
        return "last" in poolings(self.model) and not is_causal(self.model)

    def _inputs(self, rows: Sequence[Row]) -> dict[str, Tensor]:
        if self._reads_last:
            rows = [replace(row, pad_left=True) for row in rows]  # the head reads the last token of a batch
        return {name: tensor.to(self.model.device) for name, tensor in pad_rows(rows).items()}


def load_classifier(name: str, commit: str | None = None) -> Classifier:
    """Load a classifier from a folder, or by its name on a hub. The labels of its outputs are read from its config."""
    _refuse_support(name)
    return load_head(name, commit)


def load_head(name: str, commit: str | None = None) -> Classifier:
    """Load a classifier as :func:`load_classifier` does, even if its folder has vectors that replace the head."""
    _refuse_encoders(name)
    try:
        loaded = load_pretrained(name, "AutoModelForSequenceClassification", commit)
    except UnfitWeightsError as error:
        if any(key.startswith(_HEADS) for key in error.keys):
            raise UserError(
                f"model {name!r} has no classification head: train one with trivium train nli --model {name}"
            ) from None
        raise
    labels, outputs = read_outputs(loaded.model.config.id2label, name)  # type: ignore[union-attr, arg-type]
    return Classifier(loaded.model, loaded.tokenizer, labels, outputs)


@cache
def nli_labels(name: str, commit: str | None = None) -> Labels:
    """Return the label scheme of an NLI classifier, from its config alone."""
    _refuse_support(name)
    labels = labels_of(name, commit)
    if labels == SENTIMENT:
        raise _not_nli(labels.names, name)
    return labels


def labels_of(name: str, commit: str | None = None) -> Labels:
    """Return the label scheme of any classifier, even if its folder has vectors that replace the head."""
    _refuse_encoders(name)
    return read_outputs(load_config(name, commit).id2label, name)[0]


def _refuse_encoders(name: str) -> None:
    if name in EMBEDDED:
        raise UserError(f"{name!r} is an encoder without a classifier: train one with trivium train nli --model {name}")


def _refuse_support(name: str) -> None:
    if (Path(name) / SUPPORT).is_file():
        raise UserError(
            f"model {name!r} answers with the vectors that trivium correct wrote to {SUPPORT}, not with its head: "
            f"load it with trivium.tools.corrected.load_corrected, or correct it again with another {option('method')}"
        )


def new_classifier(name: str, seed: int, labels: Labels = NLI3, commit: str | None = None) -> Classifier:
    """Return an encoder with a new, untrained head."""
    from transformers import AutoModelForSequenceClassification

    encoder = load_encoder(name, seed, commit)
    config = deepcopy(encoder.model.config)
    config.num_labels = len(labels)  # type: ignore[union-attr]
    config.id2label = dict(enumerate(labels.names))  # type: ignore[union-attr]
    config.label2id = {label: index for index, label in enumerate(labels.names)}  # type: ignore[union-attr]
    with torch.random.fork_rng():
        torch.manual_seed(stream_seed(seed, "init", "heads"))
        model = AutoModelForSequenceClassification.from_config(config)  # type: ignore[no-untyped-call]
    mismatch = model.base_model.load_state_dict(encoder.model.state_dict(), strict=False)
    if mismatch.unexpected_keys or any("pooler" not in key for key in mismatch.missing_keys):
        raise UserError(f"model {name!r} cannot be given a head: the weights do not match the classifiers of its type")
    return Classifier(model, encoder.tokenizer, labels, range(len(labels)))


def read_outputs(id2label: Mapping[int, str], name: str) -> tuple[Labels, list[int]]:
    """Return the label scheme of a model's outputs, and the index of the output for each label."""
    if not all(isinstance(label, str) for label in id2label.values()):
        raise _not_nli(id2label.values(), name)
    if sorted(map(int, id2label)) != list(range(len(id2label))):
        raise UserError(
            f"model {name!r}: id2label in config.json numbers the outputs {', '.join(map(str, id2label))}: "
            "they must be numbered from 0"
        )
    for labels in (NLI3, NLI2, SENTIMENT):
        outputs: dict[str, int] = {}
        for index, label in id2label.items():
            word = label.strip().lower()
            outputs[word if word in labels.names else labels.spellings.get(word, "")] = int(index)
        if set(outputs) == set(labels.names) and len(id2label) == len(labels):
            return labels, [outputs[label] for label in labels.names]
    raise _not_nli(id2label.values(), name)


def _not_nli(names: Iterable[object], model: str) -> UserError:
    listed = ", ".join(map(repr, names)) or "nothing"
    return UserError(
        f"model {model!r} has the outputs {listed}, which are not NLI labels: set id2label in config.json, "
        "for instance to {'0': 'entailment', '1': 'neutral', '2': 'contradiction'}"
    )

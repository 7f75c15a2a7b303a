"""A tagger of semantic roles: a token classifier of transformers."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from trivium.data.roles import OUTSIDE
from trivium.errors import UserError
from trivium.measure.spans import best_tags
from trivium.models.encoders import load_encoder, load_pretrained, longest_input, poolings, save_pretrained
from trivium.models.tokens import Row, pad_rows
from trivium.models.usable import check_known
from trivium.seeds import stream_seed

if TYPE_CHECKING:  # see encoders.py
    from transformers import PreTrainedTokenizerBase

_BATCH_SIZE = 32
_IMPOSSIBLE = -1e4
"""The score of every role for a word that has no token or was truncated."""


class TaggingQuery(NamedTuple):
    """A sentence as words, and the index of the predicate whose roles are to be found."""

    words: tuple[str, ...]
    predicate: int


class Tagger:
    """Tags the words of a sentence with their roles for a predicate.

    The input is ``sentence [SEP] predicate`` (Shi and Lin, 2019). If the model has segment types, the predicate within
    the sentence gets the second type (as in AllenNLP's BERT), which distinguishes it from other occurrences of the same
    word. The tag of a word is predicted at its first token.
    """

    def __init__(
        self, model: nn.Module, tokenizer: PreTrainedTokenizerBase, tags: Sequence[str], max_length: int = 128
    ) -> None:
        self.model: Any = model
        self.tokenizer = tokenizer
        self.tags = tuple(tags)
        self._max_length = min(max_length, longest_input(model) or max_length)
        self._indices = {tag: index for index, tag in enumerate(self.tags)}
        self._checked = False

    def loss(self, queries: Sequence[TaggingQuery], gold: Sequence[Sequence[str]]) -> Tensor:
        """Return the mean cross-entropy of the tags of all words."""
        rows = self._rows(queries)
        logits = self._logits([row for row, _ in rows])
        row_indices, token_indices, targets = [], [], []
        for row_index, ((_, first_tokens), tags) in enumerate(zip(rows, gold, strict=True)):
            for token, tag in zip(first_tokens, tags, strict=True):
                if token is not None:
                    row_indices.append(row_index)
                    token_indices.append(token)
                    targets.append(self._indices[tag])
        chosen = logits[row_indices, token_indices]
        return functional.cross_entropy(chosen, torch.tensor(targets, device=logits.device))

    def scores(self, queries: Sequence[TaggingQuery]) -> list[NDArray[np.float32]]:
        """Return for each query the scores of all tags (columns) for each word (rows)."""
        rows = self._rows(queries)
        order = sorted(range(len(rows)), key=lambda index: len(rows[index][0].ids))
        scores: dict[int, NDArray[np.float32]] = {}
        self.model.eval()
        for start in range(0, len(order), _BATCH_SIZE):
            batch = order[start : start + _BATCH_SIZE]
            with torch.no_grad():
                logits = self._logits([rows[index][0] for index in batch]).cpu().numpy()
            for index, of_row in zip(batch, logits, strict=True):
                scores[index] = self._at_words(of_row, rows[index][1])
        return [scores[index] for index in range(len(rows))]

    def predict(self, queries: Sequence[TaggingQuery]) -> list[list[str]]:
        """Return the best valid sequence of IOB2 tags for each query."""
        return [best_tags(scores, self.tags) for scores in self.scores(queries)]

    def save(self, folder: Path) -> None:
        """Write a folder that transformers loads, whole or not at all. An existing folder is replaced."""
        save_pretrained(self.model, self.tokenizer, folder)

    def _at_words(self, logits: NDArray[np.float32], first_tokens: Sequence[int | None]) -> NDArray[np.float32]:
        scores = np.full((len(first_tokens), len(self.tags)), _IMPOSSIBLE, dtype=np.float32)
        scores[:, self._indices[OUTSIDE]] = 0.0
        for word, token in enumerate(first_tokens):
            if token is not None:
                scores[word] = logits[token]
        return scores

    def _logits(self, rows: Sequence[Row]) -> Tensor:
        inputs = {name: tensor.to(self.model.device) for name, tensor in pad_rows(rows).items()}
        return self.model(**inputs).logits.float()  # type: ignore[no-any-return]

    def _rows(self, queries: Sequence[TaggingQuery]) -> list[tuple[Row, list[int | None]]]:
        rows = [self._row(query) for query in queries]
        if not self._checked:
            check_known(self.tokenizer, [row.ids for row, _ in rows])
            self._checked = True
        return rows

    def _row(self, query: TaggingQuery) -> tuple[Row, list[int | None]]:
        """Return the model's input, and the index of each word's first token; None for a word without a token."""
        starts = np.cumsum([0, *(len(word) + 1 for word in query.words)])
        text, predicate = " ".join(query.words), query.words[query.predicate]
        truncation = {"truncation": "only_first", "max_length": self._max_length}
        encoded = self.tokenizer(text, predicate[: self._max_length // 4], return_offsets_mapping=True, **truncation)
        types = list(encoded.get("token_type_ids") or ())
        first_tokens: list[int | None] = [None] * len(query.words)
        for token, (segment, (start, end)) in enumerate(
            zip(encoded.sequence_ids(), encoded["offset_mapping"], strict=True)
        ):
            if segment != 0 or end <= start:
                continue
            # Look up the last character, because some tokenizers include the space before a word.
            word = int(np.searchsorted(starts, end - 1, side="right")) - 1
            if first_tokens[word] is None:
                first_tokens[word] = token
            if word == query.predicate and types and self._has_segment_types():
                types[token] = 1
        pad = self.tokenizer.pad_token_id or 0
        return Row("roles", tuple(encoded["input_ids"]), tuple(types), pad, False), first_tokens

    def _has_segment_types(self) -> bool:
        return int(getattr(self.model.config, "type_vocab_size", 0) or 0) > 1


def tags_of(roles: Sequence[str]) -> tuple[str, ...]:
    """Return the IOB2 tags for these roles: O, and B- and I- for each role."""
    return (OUTSIDE, *(f"{part}-{role}" for role in sorted(set(roles)) for part in "BI"))


def new_tagger(name: str, tags: Sequence[str], seed: int, commit: str | None = None) -> Tagger:
    """Return an encoder with a new, untrained token classifier."""
    from transformers import AutoModelForTokenClassification

    encoder = load_encoder(name, seed, commit)
    if "first" not in poolings(encoder.model):
        raise UserError(
            f"model {name!r} reads from left to right or has a decoder: role tagging needs a bidirectional encoder"
        )
    if not encoder.tokenizer.is_fast:
        raise UserError(
            f"model {name!r}: the tokenizer does not give character offsets: save a fast one (tokenizer.json)"
        )
    config = deepcopy(encoder.model.config)
    config.num_labels = len(tags)  # type: ignore[union-attr]
    config.id2label = dict(enumerate(tags))  # type: ignore[union-attr]
    config.label2id = {tag: index for index, tag in enumerate(tags)}  # type: ignore[union-attr]
    with torch.random.fork_rng():
        torch.manual_seed(stream_seed(seed, "init", "tagger"))
        model = AutoModelForTokenClassification.from_config(config)  # type: ignore[no-untyped-call]
    mismatch = model.base_model.load_state_dict(encoder.model.state_dict(), strict=False)
    if mismatch.unexpected_keys or mismatch.missing_keys:
        raise UserError(
            f"model {name!r} cannot be given a token classifier: the weights do not match those of its model type"
        )
    return Tagger(model, encoder.tokenizer, tags)


def load_tagger(name: str, commit: str | None = None) -> Tagger:
    """Load a tagger from a folder, or by its name on a hub. The tags of its outputs are read from its config."""
    loaded = load_pretrained(name, "AutoModelForTokenClassification", commit)
    names: Any = loaded.model.config.id2label  # type: ignore[union-attr]
    tags = [str(names[index]) for index in sorted(names)]
    if OUTSIDE not in tags or not any(tag.startswith("B-") for tag in tags):
        raise UserError(f"model {name!r} has the outputs {', '.join(tags[:5])}: they must be O, B-… and I-…")
    return Tagger(loaded.model, loaded.tokenizer, tags)

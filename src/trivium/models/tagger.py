"""A tagger of semantic roles: an encoder with a linear layer over tokens, as transformers keeps it in a folder."""

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
from trivium.seeds import stream_seed

if TYPE_CHECKING:  # see encoders
    from transformers import PreTrainedTokenizerBase

_AT_ONCE = 32
_NEVER = -1e4
"""The score of every role for a word that the tokenizer makes nothing of, or that was cut off."""


class Asked(NamedTuple):
    """The words of a sentence, and the place of the predicate whose roles are asked for."""

    words: tuple[str, ...]
    predicate: int


class Tagger:
    """Says the roles of words for a predicate.

    It reads ``sentence [SEP] predicate`` (Shi and Lin, 2019); where the model tells two segments apart, the predicate
    within the sentence is marked as of the second (as the BERT of AllenNLP has it), so that of two equal words the
    right one is meant. A word's tag is read at its first token.
    """

    def __init__(
        self, model: nn.Module, tokenizer: PreTrainedTokenizerBase, tags: Sequence[str], max_length: int = 128
    ) -> None:
        self.model: Any = model
        self.tokenizer = tokenizer
        self.tags = tuple(tags)
        self._max_length = min(max_length, longest_input(model) or max_length)
        self._numbers = {tag: number for number, tag in enumerate(self.tags)}

    def loss(self, asked: Sequence[Asked], gold: Sequence[Sequence[str]]) -> Tensor:
        """The mean cross-entropy of the tags of all words."""
        rows = [self._row(one) for one in asked]
        logits = self._logits([row for row, _ in rows])
        lines, tokens, wanted = [], [], []
        for line, ((_, places), tags) in enumerate(zip(rows, gold, strict=True)):
            for place, tag in zip(places, tags, strict=True):
                if place is not None:
                    lines.append(line)
                    tokens.append(place)
                    wanted.append(self._numbers[tag])
        return functional.cross_entropy(logits[lines, tokens], torch.tensor(wanted, device=logits.device))

    def scores(self, asked: Sequence[Asked]) -> list[NDArray[np.float32]]:
        """For each question a line of scores, one for each tag, for each word."""
        rows = [self._row(one) for one in asked]
        order = sorted(range(len(rows)), key=lambda number: len(rows[number][0].ids))
        found: dict[int, NDArray[np.float32]] = {}
        self.model.eval()
        for start in range(0, len(order), _AT_ONCE):
            numbers = order[start : start + _AT_ONCE]
            with torch.no_grad():
                logits = self._logits([rows[number][0] for number in numbers]).cpu().numpy()
            for line, number in enumerate(numbers):
                found[number] = self._at_words(logits[line], rows[number][1])
        return [found[number] for number in range(len(rows))]

    def said(self, asked: Sequence[Asked]) -> list[list[str]]:
        """The best legal row of IOB2 tags for each question."""
        return [best_tags(scores, self.tags) for scores in self.scores(asked)]

    def save(self, folder: Path) -> None:
        """Write a folder that transformers loads, whole or not at all; what was there is replaced."""
        save_pretrained(self.model, self.tokenizer, folder)

    def _at_words(self, logits: NDArray[np.float32], places: Sequence[int | None]) -> NDArray[np.float32]:
        found = np.full((len(places), len(self.tags)), _NEVER, dtype=np.float32)
        found[:, self._numbers[OUTSIDE]] = 0.0
        for word, place in enumerate(places):
            if place is not None:
                found[word] = logits[place]
        return found

    def _logits(self, rows: Sequence[Row]) -> Tensor:
        inputs = {name: tensor.to(self.model.device) for name, tensor in pad_rows(rows).items()}
        return self.model(**inputs).logits.float()  # type: ignore[no-any-return]

    def _row(self, asked: Asked) -> tuple[Row, list[int | None]]:
        """What the model reads, and at which token each word begins; None for a word without a token."""
        starts = np.cumsum([0, *(len(word) + 1 for word in asked.words)])
        text, predicate = " ".join(asked.words), asked.words[asked.predicate]
        cut = {"truncation": "only_first", "max_length": self._max_length}
        encoded = self.tokenizer(text, predicate[: self._max_length // 4], return_offsets_mapping=True, **cut)
        types = list(encoded.get("token_type_ids") or ())
        places: list[int | None] = [None] * len(asked.words)
        for token, (segment, (first, end)) in enumerate(
            zip(encoded.sequence_ids(), encoded["offset_mapping"], strict=True)
        ):
            if segment != 0 or end <= first:
                continue
            # Its last character: some tokenizers count the space before a word to it.
            word = int(np.searchsorted(starts, end - 1, side="right")) - 1
            if places[word] is None:
                places[word] = token
            if word == asked.predicate and types and self._tells_segments_apart():
                types[token] = 1
        pad = self.tokenizer.pad_token_id or 0
        return Row("roles", tuple(encoded["input_ids"]), tuple(types), pad, False), places

    def _tells_segments_apart(self) -> bool:
        return int(getattr(self.model.config, "type_vocab_size", 0) or 0) > 1


def tags_of(roles: Sequence[str]) -> tuple[str, ...]:
    """The tags that a tagger of these roles knows: O, and of each role B- and I-."""
    return (OUTSIDE, *(f"{part}-{role}" for role in sorted(set(roles)) for part in "BI"))


def new_tagger(name: str, tags: Sequence[str], seed: int, commit: str | None = None) -> Tagger:
    """An encoder with a new layer over tokens, which knows nothing yet."""
    from transformers import AutoModelForTokenClassification

    encoder = load_encoder(name, seed, commit)
    if "first" not in poolings(encoder.model):
        raise UserError(
            f"model {name!r} reads from left to right or decodes: roles need an encoder that sees both ways"
        )
    if not encoder.tokenizer.is_fast:
        raise UserError(f"model {name!r}: its tokenizer cannot tell which characters a token is of (no tokenizer.json)")
    config = deepcopy(encoder.model.config)
    config.num_labels = len(tags)  # type: ignore[union-attr]
    config.id2label = dict(enumerate(tags))  # type: ignore[union-attr]
    config.label2id = {tag: number for number, tag in enumerate(tags)}  # type: ignore[union-attr]
    with torch.random.fork_rng():
        torch.manual_seed(stream_seed(seed, "init", "tagger"))
        model = AutoModelForTokenClassification.from_config(config)  # type: ignore[no-untyped-call]
    left = model.base_model.load_state_dict(encoder.model.state_dict(), strict=False)
    if left.unexpected_keys or left.missing_keys:
        raise UserError(f"model {name!r} cannot be given a layer over tokens: its weights are not those of its family")
    return Tagger(model, encoder.tokenizer, tags)


def load_tagger(name: str, commit: str | None = None) -> Tagger:
    """The tagger in a folder, or with a name on a hub; what its outputs mean is what its config says."""
    loaded = load_pretrained(name, "AutoModelForTokenClassification", commit)
    names: Any = loaded.model.config.id2label  # type: ignore[union-attr]
    tags = [str(names[number]) for number in sorted(names)]
    if OUTSIDE not in tags or not any(tag.startswith("B-") for tag in tags):
        raise UserError(f"model {name!r} calls its outputs {', '.join(tags[:5])}: they must be O, B-… and I-…")
    return Tagger(loaded.model, loaded.tokenizer, tags)

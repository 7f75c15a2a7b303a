"""Predicate-aware late fusion (ConjNLI, section 4.2): vectors of a frozen role encoder beside that of the pair."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache

import torch
from torch import Tensor, nn

from trivium.errors import UserError
from trivium.models.encoders import Encoder, load_encoder, longest_input, poolings
from trivium.models.fingerprint import identify_roles
from trivium.models.tokens import Row
from trivium.seeds import stream_seed

_KEPT_BYTES = 1 << 28


class RoleEncoder:
    """The [CLS] vector of a sentence alone, by an encoder that is not trained.

    It is no part of the network, so that its weights are neither trained nor stored. Vectors are kept, up to
    ``kept_bytes``; what has not been asked for the longest goes first. Each sentence is read by itself: its vector
    depends on nothing else, so that what is kept changes no result.
    """

    def __init__(self, encoder: Encoder, max_length: int, device: torch.device, kept_bytes: int = _KEPT_BYTES) -> None:
        self._model = encoder.model.to(device).eval().requires_grad_(False)
        self._tokenizer = encoder.tokenizer
        self._device = device
        limit = longest_input(encoder.model)
        self._max_length = min(max_length, limit or max_length)
        self.width = int(encoder.model.config.hidden_size)  # type: ignore[union-attr, arg-type]
        self._most = max(1, kept_bytes // (4 * self.width))
        self._kept: OrderedDict[str, Tensor] = OrderedDict()

    def vectors(self, sentences: Sequence[str]) -> Tensor:
        """A vector for each sentence; that of an empty text is zero, as is that of a hypothesis that there is not."""
        return torch.stack([self._vector(sentence) for sentence in sentences]).to(self._device)

    def _vector(self, sentence: str) -> Tensor:
        if sentence in self._kept:
            self._kept.move_to_end(sentence)
            return self._kept[sentence]
        made = self._encode(sentence) if sentence else torch.zeros(self.width)
        self._kept[sentence] = made
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return made

    def _encode(self, sentence: str) -> Tensor:
        inputs = self._tokenizer(sentence, truncation=True, max_length=self._max_length, return_tensors="pt")
        with torch.no_grad(), torch.autocast(self._device.type, enabled=False):
            states: Tensor = self._model(**inputs.to(self._device)).last_hidden_state
        return states[0, 0].float().cpu()


class Dense(nn.Module):
    """tanh(W c + b): a layer between the vector of a pair and the heads, which sees nothing else."""

    def __init__(self, pair_width: int, seed: int) -> None:
        super().__init__()
        with torch.random.fork_rng():
            torch.manual_seed(stream_seed(seed, "init", "fusion"))
            self.dense = nn.Linear(pair_width, pair_width)

    def forward(self, vectors: Tensor, rows: Sequence[Row]) -> Tensor:
        """The vector of each row that the heads see, given the encoder's."""
        return torch.tanh(self.dense(vectors))


class Fusion(nn.Module):
    """tanh(W [c; R p; R h] + b): c of the pair, p and h of premise and hypothesis by their roles, R and W trained.

    R is one layer for both, to ``width`` values each; the result is as long as c, and goes where c went before.
    """

    def __init__(self, roles: RoleEncoder, pair_width: int, width: int, seed: int) -> None:
        super().__init__()
        self.roles = roles
        with torch.random.fork_rng():
            torch.manual_seed(stream_seed(seed, "init", "fusion"))
            self.project = nn.Linear(roles.width, width)
            self.dense = nn.Linear(pair_width + 2 * width, pair_width)

    def forward(self, vectors: Tensor, rows: Sequence[Row]) -> Tensor:
        """The fused vector of each row, given the encoder's."""
        sides = [[(*row.texts, "", "")[side] for row in rows] for side in (0, 1)]
        projected = [self.project(self.roles.vectors(texts)) for texts in sides]
        return torch.tanh(self.dense(torch.cat([vectors, *projected], dim=1)))


def load_roles(name: str, max_length: int, device: torch.device) -> RoleEncoder:
    """The frozen role encoder in a folder: any encoder or token classifier of transformers.

    The steps that a process does one after the other share it with the vectors that it keeps, which depend on the
    number of threads too.
    """
    return _shared(name, identify_roles(name), max_length, device, torch.get_num_threads())


@lru_cache(maxsize=1)
def _shared(name: str, fingerprint: str, max_length: int, device: torch.device, threads: int) -> RoleEncoder:
    encoder = load_encoder(name, 0)
    if "first" not in poolings(encoder.model):
        raise UserError(
            f"model.roles is {name!r}, which reads from left to right, or decodes: it must be an encoder with a first "
            "token that stands for the sentence, such as one that trivium train srl made"
        )
    return RoleEncoder(encoder, max_length, device)

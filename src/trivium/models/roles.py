"""Predicate-aware late fusion (ConjNLI, section 4.2): role vectors are fused with the pair's vector."""

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

_CACHE_BYTES = 1 << 28


class RoleEncoder:
    """A frozen encoder that returns the [CLS] vectors of single sentences.

    It is not part of the network, so its weights are neither trained nor saved. The most recently used vectors are
    cached, up to ``cache_bytes``. Sentences are encoded one at a time, so that a vector depends on its sentence alone
    and the cache changes no result.
    """

    def __init__(
        self, encoder: Encoder, max_length: int, device: torch.device, cache_bytes: int = _CACHE_BYTES
    ) -> None:
        self._model = encoder.model.to(device).eval().requires_grad_(False)
        self._tokenizer = encoder.tokenizer
        self._device = device
        limit = longest_input(encoder.model)
        self._max_length = min(max_length, limit or max_length)
        self.width = int(encoder.model.config.hidden_size)  # type: ignore[union-attr, arg-type]
        self._capacity = max(1, cache_bytes // (4 * self.width))
        self._cache: OrderedDict[str, Tensor] = OrderedDict()

    def vectors(self, sentences: Sequence[str]) -> Tensor:
        """Return a vector for each sentence. An empty text, such as a missing hypothesis, has the zero vector."""
        return torch.stack([self._vector(sentence) for sentence in sentences]).to(self._device)

    def _vector(self, sentence: str) -> Tensor:
        if sentence in self._cache:
            self._cache.move_to_end(sentence)
            return self._cache[sentence]
        vector = self._encode(sentence) if sentence else torch.zeros(self.width)
        self._cache[sentence] = vector
        if len(self._cache) > self._capacity:
            self._cache.popitem(last=False)
        return vector

    def _encode(self, sentence: str) -> Tensor:
        inputs = self._tokenizer(sentence, truncation=True, max_length=self._max_length, return_tensors="pt")
        with torch.no_grad(), torch.autocast(self._device.type, enabled=False):
            states: Tensor = self._model(**inputs.to(self._device)).last_hidden_state
        return states[0, 0].float().cpu()


class Dense(nn.Module):
    """tanh(W c + b): a layer between the vector c of a pair and the heads, with ``dropout`` on c."""

    def __init__(self, pair_width: int, seed: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        with torch.random.fork_rng():
            torch.manual_seed(stream_seed(seed, "init", "fusion"))
            self.dense = nn.Linear(pair_width, pair_width)

    def forward(self, vectors: Tensor, rows: Sequence[Row]) -> Tensor:
        """Return the vectors that the heads see, given those of the encoder."""
        return torch.tanh(self.dense(self.dropout(vectors)))


class Fusion(nn.Module):
    """tanh(W [c; R p; R h] + b), with c the vector of the pair, p and h the role vectors of premise and hypothesis.

    R, shared by premise and hypothesis, projects a role vector to ``width`` values. R, W and b are trained. The result
    is as long as c and replaces it. ``dropout`` is on what W sees.
    """

    def __init__(self, roles: RoleEncoder, pair_width: int, width: int, seed: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.roles = roles
        self.dropout = nn.Dropout(dropout)
        with torch.random.fork_rng():
            torch.manual_seed(stream_seed(seed, "init", "fusion"))
            self.project = nn.Linear(roles.width, width)
            self.dense = nn.Linear(pair_width + 2 * width, pair_width)

    def forward(self, vectors: Tensor, rows: Sequence[Row]) -> Tensor:
        """Return the fused vectors, given those of the encoder."""
        sides = [[(*row.texts, "", "")[side] for row in rows] for side in (0, 1)]
        projected = [self.project(self.roles.vectors(texts)) for texts in sides]
        return torch.tanh(self.dense(self.dropout(torch.cat([vectors, *projected], dim=1))))


def load_roles(name: str, max_length: int, device: torch.device) -> RoleEncoder:
    """Return the frozen role encoder in a folder: any encoder or token classifier of transformers.

    Successive steps of a process share the encoder and its cache, if they use the same number of threads, on which
    vectors depend.
    """
    return _shared(name, identify_roles(name), max_length, device, torch.get_num_threads())


@lru_cache(maxsize=1)
def _shared(name: str, fingerprint: str, max_length: int, device: torch.device, threads: int) -> RoleEncoder:
    encoder = load_encoder(name, 0)
    if "first" not in poolings(encoder.model):
        raise UserError(
            f"model.roles is {name!r}, which reads from left to right or has a decoder: it must be an encoder whose "
            "first token represents the sentence, such as one from trivium train srl"
        )
    return RoleEncoder(encoder, max_length, device)

"""One encoder with named heads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal, NamedTuple, cast

import torch
from torch import Tensor, nn

from trivium.errors import UserError
from trivium.models.roles import Dense, Fusion
from trivium.models.tokens import Row, pad_rows
from trivium.seeds import stream_seed

Pooling = Literal["first", "mean", "last", "end"]
_ROWS_AT_ONCE = 12


class Output(NamedTuple):
    """What a head says of some rows: its logits, and the vectors that it says it by, without dropout of its own."""

    logits: Tensor
    vectors: Tensor


class Answering(nn.Module, ABC):
    """What a learner trains: something that answers rows, each by the head that the row names."""

    @property
    @abstractmethod
    def tasks(self) -> tuple[str, ...]:
        """The tasks that have a head, in the order of the heads."""

    def has_head(self, task: str) -> bool:
        """Return whether a task has a head."""
        return task in self.tasks

    @abstractmethod
    def outputs(self, rows: Sequence[Row]) -> dict[str, Output]:
        """What each head says of the rows that name it, in order."""

    def logits(self, rows: Sequence[Row]) -> dict[str, Tensor]:
        """The logits of each head for the rows that name it, in order."""
        return {head: output.logits for head, output in self.outputs(rows).items()}

    @abstractmethod
    def vectors(self, rows: Sequence[Row]) -> Tensor:
        """A vector for each row, in order."""

    @abstractmethod
    def freeze_embeddings(self) -> None:
        """Do not train the embeddings of tokens."""


class Network(Answering):
    """An encoder whose vector of a row goes to one of several linear heads (C²Gen, Figure 2).

    With a fusion, what the heads see is the encoder's vector through a layer, fused with those of the sentences' roles
    if there are any.
    """

    def __init__(
        self,
        encoder: nn.Module,
        heads: Mapping[str, int],
        pooling: Pooling,
        dropout: float,
        seed: int,
        fusion: Fusion | Dense | None = None,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.fusion = fusion
        self.pooling = pooling
        self.dropout = nn.Dropout(dropout)
        width = int(encoder.config.hidden_size)  # type: ignore[union-attr, arg-type]
        with torch.random.fork_rng():
            torch.manual_seed(stream_seed(seed, "init", "heads"))
            self.heads = nn.ModuleDict({name: nn.Linear(width, size) for name, size in heads.items()})

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that have a head, in the order of the heads."""
        return tuple(self.heads)

    def vectors(self, rows: Sequence[Row]) -> Tensor:
        """The vector for each row that a head sees, in order."""
        vectors = by_length(rows, self._encode)
        return vectors if self.fusion is None else self.fusion(vectors, rows)

    def outputs(self, rows: Sequence[Row]) -> dict[str, Output]:
        """What each head says of the rows that name it, in order."""
        vectors = self.vectors(rows)
        dropped = self.dropout(vectors)
        places: dict[str, list[int]] = {}
        for place, row in enumerate(rows):
            places.setdefault(row.head, []).append(place)
        return {
            head: Output(self.heads[head](dropped[at]).float(), vectors[at].float())
            for head, at in sorted(places.items())
        }

    def freeze_embeddings(self) -> None:
        """Do not train the embeddings of tokens."""
        self.encoder.get_input_embeddings().requires_grad_(False)  # type: ignore[operator]

    def _encode(self, rows: Sequence[Row]) -> Tensor:
        device = next(self.parameters()).device
        if self.pooling == "end":
            rows = [replace(row, pad_left=False) for row in rows]  # these count positions from the first token on
        inputs = {name: tensor.to(device) for name, tensor in pad_rows(rows).items()}
        if self.pooling == "end":
            inputs = self._with_decoder(inputs)
        if self.pooling == "last":
            # Positions that do not count the padding, wherever it stands.
            inputs["position_ids"] = (inputs["attention_mask"].cumsum(1) - 1).clamp(min=0)
        states: Tensor = self.encoder(**inputs).last_hidden_state
        if self.pooling == "first":
            return states[:, 0]
        if self.pooling in ("last", "end"):
            real = inputs["attention_mask"]
            last = real.shape[1] - 1 - real.flip(1).argmax(dim=1)
            return states[torch.arange(len(rows), device=device), last]
        mask = inputs["attention_mask"].unsqueeze(-1).to(states.dtype)
        return (states * mask).sum(1) / mask.sum(1)

    def _with_decoder(self, inputs: dict[str, Tensor]) -> dict[str, Tensor]:
        """What an encoder–decoder reads: the decoder is given the input again, one place later.

        Its state at the last token then stands for the whole (as in BartForSequenceClassification).
        """
        ids, config = inputs["input_ids"], cast(Any, self.encoder.config)
        if config.decoder_start_token_id is None:
            raise UserError("the model's config.json has no decoder_start_token_id: it must say how the decoder begins")
        start = torch.full_like(ids[:, :1], int(config.decoder_start_token_id))
        given = {"input_ids": ids, "attention_mask": inputs["attention_mask"]}
        return given | {"decoder_input_ids": torch.cat([start, ids[:, :-1]], dim=1)}


def by_length(rows: Sequence[Row], encode: Callable[[Sequence[Row]], Tensor]) -> Tensor:
    """What ``encode`` gives for each row, in order.

    Rows of similar length go through the encoder together, so that little of the work is padding. What a row gives
    does not depend on its company.
    """
    order = sorted(range(len(rows)), key=lambda place: len(rows[place].ids))
    pieces = max(1, round(len(rows) / _ROWS_AT_ONCE))
    bounds = [len(rows) * piece // pieces for piece in range(pieces + 1)]
    found = [encode([rows[place] for place in order[start:end]]) for start, end in pairwise(bounds)]
    back = torch.empty(len(rows), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(rows))
    return torch.cat(found)[back.to(found[0].device)]

"""The networks that a learner trains: an encoder with a head for each task."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal, NamedTuple, cast

import torch
from torch import Tensor, nn

from trivium.errors import UserError
from trivium.models.composition import Composition
from trivium.models.encoders import LAST
from trivium.models.lower import LowerLayers
from trivium.models.packed import Packing, can_pack, packed
from trivium.models.roles import Dense, Fusion
from trivium.models.tokens import Row, pad_rows
from trivium.seeds import stream_seed

Pooling = Literal["first", "mean", "last", "end"]
_PADDED_ROWS, _PACKED_ROWS = 12, 32  # read at once: few where they are padded to the longest


class Output(NamedTuple):
    """The logits of a head for some rows, and the vectors they are computed from, before dropout."""

    logits: Tensor
    vectors: Tensor


class Answering(nn.Module, ABC):
    """The interface of the networks that a learner trains: each row is answered by the head that it names.

    ``composition`` is the trained part of a composer, or None if compositions are answered by a head.
    """

    def __init__(self) -> None:
        super().__init__()
        self.composition: Composition | None = None

    @property
    @abstractmethod
    def tasks(self) -> tuple[str, ...]:
        """The tasks that have a head, in the order of the heads."""

    def has_head(self, task: str) -> bool:
        """Return whether a task has a head."""
        return task in self.tasks

    lower: LowerLayers | None = None
    """The layers that are not trained, if the first ones are frozen."""

    @abstractmethod
    def outputs(self, rows: Sequence[Row]) -> dict[str, Output]:
        """Return the output of each head for the rows that name it, in order."""

    @abstractmethod
    def logits(self, rows: Sequence[Row]) -> dict[str, Tensor]:
        """Return the logits of each head for the rows that name it, in order; equal inputs are encoded once."""

    @abstractmethod
    def vectors(self, rows: Sequence[Row]) -> Tensor:
        """Return a vector for each row, in order; equal inputs are encoded once."""

    @property
    @abstractmethod
    def reader(self) -> Any:
        """The model of transformers that reads the rows."""

    def freeze_embeddings(self) -> None:
        """Exclude the token embeddings from training."""
        self.reader.get_input_embeddings().requires_grad_(False)

    def freeze_lower(self, layers: int) -> None:
        """Exclude the embeddings and the first layers from training."""
        self.lower = LowerLayers(self.reader, layers)

    def keeping(self) -> AbstractContextManager[None]:
        """Keep the output of frozen lower layers for the rows that are read within the block."""
        return nullcontext() if self.lower is None else self.lower.kept()

    @property
    @abstractmethod
    def sees_first_token(self) -> bool:
        """Whether the heads see nothing but the first token's state, in models like BERT."""

    @contextmanager
    def reading(self, rows: Sequence[Row]) -> Iterator[Packing | None]:
        """Let the reader compute, within the block, only what is needed for these rows.

        It starts from the kept outputs of frozen layers. Models like BERT compute no padding, and their last layer only
        what the heads see; for those, yield where the states will be.
        """
        with ExitStack() as stack:
            if self.lower is not None:
                stack.enter_context(self.lower.skipped(rows))
            is_packed = can_pack(self.reader)
            yield stack.enter_context(packed(self.reader, rows, self.sees_first_token)) if is_packed else None

    def by_length(self, rows: Sequence[Row], encode: Callable[[Sequence[Row]], Tensor]) -> Tensor:
        """Return what ``encode`` computes for each row, in order.

        Rows of similar length are encoded together, to limit padding. The result for a row does not depend on the
        other rows, except for rounding.
        """
        order = sorted(range(len(rows)), key=lambda index: len(rows[index].ids))
        batches = max(1, round(len(rows) / (_PACKED_ROWS if can_pack(self.reader) else _PADDED_ROWS)))
        bounds = [len(rows) * batch // batches for batch in range(batches + 1)]
        encoded = [encode([rows[index] for index in order[start:end]]) for start, end in pairwise(bounds)]
        inverse = torch.empty(len(rows), dtype=torch.long)
        inverse[torch.tensor(order)] = torch.arange(len(rows))
        return torch.cat(encoded)[inverse.to(encoded[0].device)]


class Network(Answering):
    """An encoder with several linear heads, one of which answers each row (C²Gen, Figure 2).

    With a ``fusion``, the encoder's vectors pass through that layer before the heads see them.
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
        """Return the vector of each row that the heads see, in order; equal inputs are encoded once."""
        return once(rows, self._vectors)

    def logits(self, rows: Sequence[Row]) -> dict[str, Tensor]:
        """Return the logits of each head for the rows that name it, in order; equal inputs are encoded once."""
        return {head: output.logits for head, output in self._answer(rows, self.vectors(rows)).items()}

    def outputs(self, rows: Sequence[Row]) -> dict[str, Output]:
        """Return the output of each head for the rows that name it, in order; each row has its own dropout."""
        return self._answer(rows, self._vectors(rows))

    def _vectors(self, rows: Sequence[Row]) -> Tensor:
        vectors = self.by_length(rows, self._encode)
        return vectors if self.fusion is None else self.fusion(vectors, rows)

    def _answer(self, rows: Sequence[Row], vectors: Tensor) -> dict[str, Output]:
        dropped = self.dropout(vectors)
        by_head: dict[str, list[int]] = {}
        for index, row in enumerate(rows):
            by_head.setdefault(row.head, []).append(index)
        return {
            head: Output(self.heads[head](dropped[indices]).float(), vectors[indices].float())
            for head, indices in sorted(by_head.items())
        }

    @property
    def sees_first_token(self) -> bool:
        """Whether the vector of a row is that of its first token."""
        return self.pooling == "first"

    @property
    def reader(self) -> Any:
        """The encoder."""
        return self.encoder

    def _encode(self, rows: Sequence[Row]) -> Tensor:
        device = next(self.parameters()).device
        if self.pooling == "end":
            rows = [replace(row, pad_left=False) for row in rows]  # positions count from the first token
        inputs = {name: tensor.to(device) for name, tensor in pad_rows(rows).items()}
        if self.pooling == "end":
            inputs = self._with_decoder(inputs)
        if self.pooling == "last" and getattr(self.encoder.config, "model_type", "") not in LAST:
            # Padding, on either side, has no position.
            inputs["position_ids"] = (inputs["attention_mask"].cumsum(1) - 1).clamp(min=0)
        with self.reading(rows):
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
        """Return the inputs of an encoder–decoder: the decoder reads the same tokens, shifted by one.

        Its state at the last token then represents the whole input (as in BartForSequenceClassification).
        """
        ids, config = inputs["input_ids"], cast(Any, self.encoder.config)
        if config.decoder_start_token_id is None:
            raise UserError("the model's config.json has no decoder_start_token_id: add it")
        start = torch.full_like(ids[:, :1], int(config.decoder_start_token_id))
        shifted = torch.cat([start, ids[:, :-1]], dim=1)
        return {"input_ids": ids, "attention_mask": inputs["attention_mask"], "decoder_input_ids": shifted}


def once(rows: Sequence[Row], encode: Callable[[Sequence[Row]], Tensor]) -> Tensor:
    """Return what ``encode`` computes for each row, in order; rows with the same input, of any head, are encoded once.

    This is for predictions: in training, dropout differs from row to row.
    """
    first: dict[tuple[object, ...], int] = {}
    indices = [first.setdefault(row.input, len(first)) for row in rows]
    if len(first) == len(rows):
        return encode(rows)
    distinct = dict(zip(reversed(indices), reversed(rows), strict=True))
    encoded = encode([distinct[index] for index in range(len(first))])
    return encoded[torch.tensor(indices, device=encoded.device)]

"""Train only the token embeddings that occur: the rest of the table leaves the training, and no result changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from trivium.errors import UserError

_LANES = 16  # of the widest vectors: with whole vectors in every row, leaving out rows of zeros changes no rounding


class OccurringEmbeddings(nn.Module):
    """Some rows of an embedding table, which are looked up by the same token ids.

    A row without gradients is not changed by AdamW (there is no weight decay), and adds nothing to a norm. The rows
    that occur are kept in their order, so that sums over them round as before.
    """

    def __init__(self, table: nn.Embedding, tokens: Tensor) -> None:
        super().__init__()
        self.weight = nn.Parameter(table.weight.detach()[tokens])
        index = torch.full((table.num_embeddings,), -1)
        index[tokens] = torch.arange(len(tokens))
        self._index = index
        self._padding = None if table.padding_idx is None else int(index[table.padding_idx])

    def forward(self, ids: Tensor) -> Tensor:
        """Return the embedding of each token."""
        indices = self._index[ids]
        if indices.min() < 0:
            raise UserError(
                "the strategy declares given_examples_only, but uses examples that are neither in the stage nor in "
                "the memory: set given_examples_only = False"
            )
        return functional.embedding(indices, self.weight, self._padding)


@contextmanager
def occurring_embeddings(model: Any, ids: Iterable[Iterable[int]]) -> Iterator[None]:
    """Replace the token embeddings of a model, within the block, by those of the tokens in ``ids``.

    Embeddings that are frozen, shared, or of another type than torch's stay as they are.
    """
    table = model.get_input_embeddings()
    if not _is_plain(model, table):
        yield
        return
    padding = [] if table.padding_idx is None else [table.padding_idx]
    tokens = torch.tensor(sorted(set(padding).union(*ids)))
    occurring = OccurringEmbeddings(table, tokens)
    model.set_input_embeddings(occurring)
    try:
        yield
    finally:
        model.set_input_embeddings(table)
        with torch.no_grad():
            table.weight[tokens] = occurring.weight


def _is_plain(model: nn.Module, table: object) -> bool:
    if type(table) is not nn.Embedding or table.max_norm is not None or table.scale_grad_by_freq or table.sparse:
        return False
    uses = sum(weight is table.weight for _, weight in model.named_parameters(remove_duplicate=False))
    is_trained = table.weight.requires_grad and table.weight.device.type == "cpu"
    return is_trained and uses == 1 and table.embedding_dim % _LANES == 0

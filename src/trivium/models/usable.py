"""Check that a loaded model can be used: its size, weights and tokenizer, and its output for a pair of texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from trivium.errors import UserError

if TYPE_CHECKING:  # see encoders.py
    from transformers import PreTrainedTokenizerBase

_SLACK = 1 << 24  # parameters that may be missing from the weights, such as those of a head
_MAX_BUFFERS = 1 << 28
_MAX_GROWTH = 64
_MAX_SPECIAL_TOKENS = 64
_PROBE = ("A man is playing the guitar.", "A woman is eating.")
_PROBE_TOKENS = 16
_MIN_WORDS = 10
_MAX_TEXTS = 200
_MAX_UNKNOWN = 0.9


@contextmanager
def refusing(problem: str) -> Iterator[None]:
    """Raise a UserError that begins with ``problem`` instead of any other exception within the block.

    Libraries raise exceptions of any type; panics of Rust libraries are not even subclasses of Exception.
    """
    try:
        yield
    except (UserError, KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError):
        raise
    except BaseException as error:
        raise UserError(f"{problem}: {first_line(error)}") from None


def first_line(error: BaseException) -> str:
    """Return the first line of an exception's message, or its type if the message is empty."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def check_size(name: str, model: nn.Module, stored: int) -> None:
    """Raise a UserError if a model, built on the meta device, has far more parameters than its files."""
    declared = sum(parameter.numel() for parameter in model.parameters())
    if declared > 2 * stored + _SLACK:
        raise UserError(
            f"model {name!r}: the weights do not match config.json: it declares {declared:,} parameters, and the "
            f".safetensors files hold {stored:,}"
        )
    buffers = sum(buffer.numel() for buffer in model.buffers())
    if buffers > _MAX_BUFFERS:
        raise UserError(
            f"model {name!r}: config.json declares tables of {buffers:,} values: lower max_position_embeddings"
        )


def check_weights(name: str, model: nn.Module) -> None:
    """Raise a UserError if a weight is not a finite number."""
    for key, tensor in model.state_dict().items():
        # A finite sum, which takes less time and memory, proves that all values are finite.
        if not tensor.is_floating_point() or bool(torch.isfinite(tensor.sum())):
            continue
        if not bool(torch.isfinite(tensor).all()):
            raise UserError(f"model {name!r}: the weights contain NaN or infinite values, for instance in {key}")


def check_tokenizer(name: str, tokenizer: PreTrainedTokenizerBase) -> None:
    """Raise a UserError if a tokenizer splits words at random, or lengthens texts excessively."""
    backend: Any = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        return
    if getattr(backend.model, "dropout", None):
        raise UserError(f"model {name!r}: the tokenizer splits words at random: remove dropout from tokenizer.json")
    with refusing(f"model {name!r}: the tokenizer cannot be used"):
        state = json.loads(backend.normalizer.__getstate__()) if backend.normalizer is not None else {}
        growth, special = _growth(state), tokenizer.num_special_tokens_to_add(pair=True)
    if growth > _MAX_GROWTH:
        raise UserError(f"model {name!r}: the normalizer in tokenizer.json can make texts {growth:,.0f} times as long")
    if special > _MAX_SPECIAL_TOKENS:
        raise UserError(f"model {name!r}: the tokenizer adds {special:,} special tokens to each pair of texts")


def check_vocabulary(name: str, model: Any, tokenizer: PreTrainedTokenizerBase) -> None:
    """Raise a UserError if the tokenizer has tokens for which the model has no embedding."""
    with refusing(f"model {name!r}: the tokenizer cannot be used"):
        largest = max(tokenizer.get_vocab().values(), default=-1)
    rows = int(model.get_input_embeddings().weight.shape[0])
    if largest < 0:
        raise UserError(f"model {name!r}: the tokenizer has an empty vocabulary")
    if largest >= rows:
        raise UserError(
            f"model {name!r}: the tokenizer has token ids up to {largest:,}, but the model has {rows:,} embeddings: "
            "save the tokenizer that belongs to the model, or call model.resize_token_embeddings"
        )


def check_answer(name: str, model: Any, tokenizer: PreTrainedTokenizerBase, longest: int, **options: Any) -> None:
    """Raise a UserError if a model cannot read a short pair of texts, or returns NaN or infinite values."""
    with refusing(f"model {name!r} cannot read a text"):
        length = min(longest, _PROBE_TOKENS)
        inputs = dict(tokenizer(*_PROBE, truncation=True, max_length=length, return_tensors="pt"))
        if options.pop("with_decoder", False):
            inputs["decoder_input_ids"] = inputs["input_ids"]
        with torch.no_grad():
            result = model(**inputs, **options)
        answer: Tensor = result.logits if hasattr(result, "logits") else result.last_hidden_state
        finite = bool(torch.isfinite(answer).all())
    if not finite:
        raise UserError(f"model {name!r} returns NaN or infinite values for a short text: its weights are unusable")


def check_known(tokenizer: PreTrainedTokenizerBase, ids: Sequence[Sequence[int]]) -> None:
    """Raise a UserError if a tokenizer knows almost no token of the given texts."""
    unknown = tokenizer.unk_token_id
    if unknown is None:
        return
    special = {*tokenizer.all_special_ids} - {unknown}
    tokens = [token for row in ids[:_MAX_TEXTS] for token in row if token not in special]
    count = tokens.count(unknown)
    if len(tokens) >= _MIN_WORDS and count > _MAX_UNKNOWN * len(tokens):
        raise UserError(
            f"model {tokenizer.name_or_path!r}: the tokenizer does not know {count} of {len(tokens)} tokens of the "
            f"data (it reads them as {tokenizer.unk_token}): save the tokenizer that belongs to the model"
        )


def _growth(normalizer: dict[str, Any]) -> float:
    """Return the largest factor by which a normalizer can lengthen a text."""
    growth = 1.0
    for part in normalizer.get("normalizers") or ():
        growth *= _growth(part)
    if normalizer.get("type") == "Replace":
        pattern = normalizer.get("pattern") or {}
        # A regular expression can match between any two characters.
        growth *= max(1.0, len(normalizer["content"]) / max(1, len(pattern.get("String", " "))))
    if normalizer.get("type") == "Prepend":
        growth *= max(1.0, len(normalizer["prepend"]) / 16)
    return growth

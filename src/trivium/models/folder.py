"""Check what a model folder contains and declares before a model is built from it. Imports no torch."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from trivium.errors import UserError

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
TOKENIZER_FILES = (
    "tokenizer.json",
    "vocab.txt",
    "vocab.json",
    "spiece.model",
    "spm.model",
    "sentencepiece.bpe.model",
)
_SUFFIX = ".safetensors"
_MAX_CONFIG_BYTES = 4 << 20
_MAX_INDEX_BYTES = 64 << 20
_MAX_TOKENIZER_BYTES = 100 << 20
_MAX_HEADER_BYTES = 100 << 20  # as the safetensors library
_TOKENIZER_SUFFIXES = (".json", ".txt", ".model", ".codes", ".tiktoken")

_LAYERS, _WIDTH, _TOKENS, _POSITIONS, _OUTPUTS = 1_000, 1 << 20, 4_000_000, 1 << 24, 10_000
_LIMITS = {
    **dict.fromkeys("num_hidden_layers num_layers n_layer n_layers num_decoder_layers".split(), _LAYERS),
    **dict.fromkeys("encoder_layers decoder_layers num_hidden_groups inner_group_num".split(), _LAYERS),
    **dict.fromkeys("hidden_size d_model dim n_embd embedding_size head_dim d_kv".split(), _WIDTH),
    **dict.fromkeys("intermediate_size hidden_dim d_ff n_inner encoder_ffn_dim decoder_ffn_dim".split(), _WIDTH),
    **dict.fromkeys("num_attention_heads n_head n_heads num_heads num_key_value_heads".split(), _WIDTH),
    **dict.fromkeys("encoder_attention_heads decoder_attention_heads".split(), _WIDTH),
    **dict.fromkeys("vocab_size type_vocab_size".split(), _TOKENS),
    **dict.fromkeys("max_position_embeddings n_positions n_ctx".split(), _POSITIONS),
    "num_labels": _OUTPUTS,
}
"""The maximum of each setting in config.json that determines the size of a model."""

_IGNORED = (
    "auto_map",  # names code in the folder
    "custom_pipelines",
    "attn_implementation",  # may name a kernel on a hub
    "_attn_implementation",
    "_attn_implementation_internal",
    "_experts_implementation",
    "_experts_implementation_internal",
)
_REFUSED = {
    "quantization_config": "quantized weights are not supported: save the model with full-precision weights",
    "transformers_weights": f"the weights must be in {WEIGHTS}: rename their file",
    "configuration_files": f"the configuration must be in {CONFIG} alone",
}


def check_folder(folder: Path) -> None:
    """Raise a UserError if a folder lacks something that a model needs, or names weights that are not safetensors."""
    if not (folder / CONFIG).is_file():
        raise UserError(f"model folder {folder}: {CONFIG} is missing: save the model there with model.save_pretrained")
    check_tokenizer_files(str(folder), folder)
    weight_files(str(folder), folder)


def read_config(name: str, folder: Path) -> dict[str, Any]:
    """Return what config.json declares, without settings that name code.

    Raise a UserError if it is invalid, or declares a model that is too large to build.
    """
    config = _read_json(name, folder / CONFIG, _MAX_CONFIG_BYTES)
    for key, advice in _REFUSED.items():
        if config.get(key) is not None:
            raise UserError(f"model {name!r}: {CONFIG} has {key}: {advice}")
    if not isinstance(config.get("model_type"), str):
        raise UserError(f"model {name!r}: {CONFIG} has no model_type: save the model again with model.save_pretrained")
    _check_limits(name, config)
    labels = config.get("id2label")
    if labels is not None and (not isinstance(labels, dict) or len(labels) > _OUTPUTS):
        raise UserError(f"model {name!r}: id2label in {CONFIG} must map at most {_OUTPUTS:,} numbers to labels")
    return {key: value for key, value in config.items() if key not in _IGNORED}


def weight_files(name: str, folder: Path) -> list[Path]:
    """Return the safetensors files with the weights of a model: one file, or all that its index names."""
    if (folder / "adapter_config.json").exists():
        raise UserError(
            f"model {name!r} has an adapter (adapter_config.json), which is not read: merge it into the model with "
            "merge_and_unload, and save the result with model.save_pretrained"
        )
    if (folder / WEIGHTS).is_file():
        return [folder / WEIGHTS]
    if not (folder / INDEX).is_file():
        raise UserError(
            f"model folder {folder}: no .safetensors weights (other formats can run code and are not read): {WEIGHTS} "
            "is missing: save the model again with model.save_pretrained"
        )
    weight_map = _read_json(name, folder / INDEX, _MAX_INDEX_BYTES).get("weight_map")
    if (
        not isinstance(weight_map, dict)
        or not weight_map
        or not all(isinstance(file, str) for file in weight_map.values())
    ):
        raise UserError(f"model {name!r}: {INDEX} is invalid: weight_map must map weights to files")
    files = sorted(set(weight_map.values()))
    for file in files:
        if not file.endswith(_SUFFIX) or file != Path(file).name or "\\" in file or "\0" in file:
            raise UserError(
                f"model {name!r}: {INDEX} names {file[:100]!r}, but may only name .safetensors files in the same "
                "folder (other formats can run code): save the model again with model.save_pretrained"
            )
        if not (folder / file).is_file():
            raise UserError(f"model {name!r}: {file} is missing, but {INDEX} names it: add the file")
    return [folder / file for file in files]


def stored_parameters(name: str, files: list[Path]) -> int:
    """Return the number of parameters in safetensors files, according to their headers."""
    total = 0
    for file in files:
        for entry in _header(name, file).values():
            count = 1
            for size in entry.get("shape", ()):
                count *= size
            total += count
    return total


def check_tokenizer_files(name: str, folder: Path) -> None:
    """Raise a UserError if there is no tokenizer, or if its files are too large or name other files."""
    if not any((folder / file).is_file() for file in TOKENIZER_FILES):
        raise UserError(
            f"model folder {folder}: no tokenizer (tokenizer.json is missing): "
            "save it there with tokenizer.save_pretrained"
        )
    for file in folder.iterdir():
        if file.suffix in _TOKENIZER_SUFFIXES and file.name != INDEX and file.is_file():
            _check_size(name, file, _MAX_TOKENIZER_BYTES)
    file = folder / "tokenizer_config.json"
    if file.is_file() and "fast_tokenizer_files" in _read_json(name, file, _MAX_TOKENIZER_BYTES):
        raise UserError(
            f"model {name!r}: {file.name} has fast_tokenizer_files: remove the entry, and use tokenizer.json"
        )


def _read_json(name: str, file: Path, limit: int) -> dict[str, Any]:
    _check_size(name, file, limit)
    try:
        plain = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        reason = "too deeply nested" if isinstance(error, RecursionError) else error
        raise UserError(f"model {name!r} cannot be loaded: {file.name} is not valid JSON: {reason}") from None
    if not isinstance(plain, dict):
        raise UserError(f"model {name!r} cannot be loaded: {file.name} must be a JSON object")
    return plain


def _check_size(name: str, file: Path, limit: int) -> None:
    if (size := file.stat().st_size) > limit:
        raise UserError(f"model {name!r}: {file.name} has {size:,} bytes: at most {limit:,} are read")


def _check_limits(name: str, config: Mapping[str, Any]) -> None:
    for key, value in _settings(config):
        limit = _LIMITS.get(key)
        if limit is None or value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= limit:
            raise UserError(
                f"model {name!r}: {CONFIG} has {key} = {json.dumps(value)[:50]}: must be an integer up to {limit:,}"
            )


def _settings(config: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield all settings, including those of nested configurations such as ``text_config``."""
    pending = [config]
    while pending:
        for key, value in pending.pop().items():
            yield key, value
            if isinstance(value, dict) and key not in ("id2label", "label2id"):
                pending.append(value)


def _header(name: str, file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as stream:
            (length,) = struct.unpack("<Q", stream.read(8))
            if length > min(_MAX_HEADER_BYTES, file.stat().st_size):
                raise ValueError("the header is longer than the file")
            header = json.loads(stream.read(length))
        entries = {key: entry for key, entry in header.items() if key != "__metadata__"}
        if not all(isinstance(size, int) and size >= 0 for entry in entries.values() for size in entry["shape"]):
            raise ValueError("a shape is not a list of numbers")
        return entries
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError, struct.error) as error:
        raise UserError(f"model {name!r}: the weights cannot be loaded: {file.name} is damaged: {error}") from None

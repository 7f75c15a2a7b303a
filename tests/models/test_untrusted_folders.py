"""A model folder from somebody else runs no code, declares no more than it holds, and is refused if it is unusable."""

from __future__ import annotations

import json
import pickle
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForSequenceClassification, AutoModelForTokenClassification, PreTrainedTokenizerFast

from trivium.data.example import Example
from trivium.errors import UserError
from trivium.models.classifiers import labels_of, load_classifier
from trivium.models.encoders import load_encoder, load_tokenizer
from trivium.models.fingerprint import identify_encoder, is_folder
from trivium.models.tagger import Tagger, TaggingQuery
from trivium.models.tokens import RowMaker

Save = Callable[..., Path]
INDEX = "model.safetensors.index.json"


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    identify_encoder.cache_clear()
    yield
    identify_encoder.cache_clear()


@pytest.fixture(autouse=True)
def _no_pickle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if anything is unpickled by torch."""

    def load(*_: object, **__: object) -> None:
        pytest.fail("torch.load was called")

    monkeypatch.setattr(torch, "load", load)


def change(file: Path, **values: Any) -> None:
    file.write_text(json.dumps({**(json.loads(file.read_text()) if file.exists() else {}), **values}))


def refused(folder: Path, *messages: str) -> None:
    with pytest.raises(UserError) as caught:
        load_encoder(str(folder), 0)
    assert "\n" not in str(caught.value)
    assert folder.name in str(caught.value)
    for message in messages:
        assert message in str(caught.value)


def shard(folder: Path) -> tuple[Path, Path]:
    """Split the weights of a model into two files with an index."""
    weights = load_file(folder / "model.safetensors")
    names = sorted(weights)
    files = folder / "model-00001-of-00002.safetensors", folder / "model-00002-of-00002.safetensors"
    for file, part in zip(files, (names[::2], names[1::2]), strict=True):
        save_file({name: weights[name] for name in part}, file, metadata={"format": "pt"})
    places = {name: files[index % 2].name for index, name in enumerate(names)}
    (folder / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": places}))
    (folder / "model.safetensors").unlink()
    return files


class Trap:
    """Leave a file behind when it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.trace,)


def test_weights_in_several_files_are_those_of_one_file(save_model: Save) -> None:
    folder = save_model()
    expected = load_encoder(str(folder), 0).model.state_dict()
    shard(folder)
    actual = load_encoder(str(folder), 0).model.state_dict()
    assert all(torch.equal(actual[name], expected[name]) for name in expected)


@pytest.mark.parametrize(
    "named",
    ["weights.bin", "pytorch_model.pt", "../other/model.safetensors", "/model.safetensors", "sub/model.safetensors",
     "..\\\\model.safetensors", "..", "", ".safetensors/x.bin"],
)  # fmt: skip
def test_an_index_may_only_name_safetensors_in_the_folder(save_model: Save, tmp_path: Path, named: str) -> None:
    folder, trace = save_model(), tmp_path / "was run"
    shutil.copytree(folder, tmp_path / "other")
    shard(folder)
    for file in ("weights.bin", "pytorch_model.pt"):
        (folder / file).write_bytes(pickle.dumps(Trap(trace)))
    index = json.loads((folder / INDEX).read_text())
    index["weight_map"][next(iter(index["weight_map"]))] = named
    (folder / INDEX).write_text(json.dumps(index))
    refused(folder, "may only name .safetensors files in the same folder")
    with pytest.raises(UserError):  # already when a run is planned
        is_folder(str(folder))
    assert not trace.exists()


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"weight_map": []}', '{"weight_map": {"a": 1}}'])
def test_an_index_that_cannot_be_read_is_refused(save_model: Save, content: str) -> None:
    folder = save_model()
    shard(folder)
    (folder / INDEX).write_text(content)
    refused(folder, INDEX)


def test_a_missing_part_of_the_weights_is_refused(save_model: Save) -> None:
    folder = save_model()
    _, second = shard(folder)
    second.unlink()
    refused(folder, f"{second.name} is missing")


def test_weights_that_are_in_two_files_are_refused(save_model: Save) -> None:
    folder = save_model()
    first, second = shard(folder)
    save_file(load_file(first) | load_file(second), second, metadata={"format": "pt"})
    refused(folder, "two .safetensors files contain")


@pytest.mark.parametrize("file", ["pytorch_model.bin", "adapter_model.bin", "vocab.pkl", ".metadata", "__0_0.distcp"])
def test_pickles_beside_the_weights_are_not_read(save_model: Save, tmp_path: Path, file: str) -> None:
    folder, trace = save_model(), tmp_path / "was run"
    (folder / file).write_bytes(pickle.dumps(Trap(trace)))
    load_encoder(str(folder), 0)
    assert not trace.exists()


@pytest.mark.parametrize("file", ["pytorch_model.bin", "bpe.codes", "vocab", "own.tiktoken"])
def test_a_fingerprint_changes_with_files_of_any_format(save_model: Save, file: str) -> None:
    folder = save_model()
    (folder / file).write_bytes(b"1")
    before = identify_encoder(str(folder)).fingerprint
    (folder / file).write_bytes(b"2")
    identify_encoder.cache_clear()
    assert identify_encoder(str(folder)).fingerprint != before


def test_an_adapter_is_refused(save_model: Save) -> None:
    folder = save_model()
    change(folder / "adapter_config.json", peft_type="LORA", base_model_name_or_path="owner/model")
    refused(folder, "adapter_config.json", "merge_and_unload")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("transformers_weights", "adapter_model.bin"),
        ("quantization_config", {"quant_method": "hqq"}),
        ("configuration_files", ["config.4.0.0.json"]),
    ],
)
def test_settings_that_name_other_files_or_formats_are_refused(save_model: Save, key: str, value: object) -> None:
    folder = save_model()
    change(folder / "config.json", **{key: value})
    refused(folder, f"config.json has {key}")


@pytest.mark.parametrize("file", ["config.json", "tokenizer_config.json"])
@pytest.mark.parametrize("owner", ["", "owner/model--"])
def test_code_that_a_folder_names_is_not_run(save_model: Save, tmp_path: Path, file: str, owner: str) -> None:
    folder, trace = save_model(), tmp_path / "was run"
    (folder / "own.py").write_text(f"open({str(trace)!r}, 'w')\nclass Own: pass\n")
    (folder / "custom_generate").mkdir()
    shutil.copy(folder / "own.py", folder / "custom_generate" / "generate.py")
    names = ("AutoConfig", "AutoModel", "AutoModelForSequenceClassification")
    auto_map = {**dict.fromkeys(names, f"{owner}own.Own"), "AutoTokenizer": [f"{owner}own.Own", f"{owner}own.Own"]}
    change(folder / file, auto_map=auto_map, _attn_implementation="owner/kernel", attn_implementation="owner/kernel")
    encoder = load_encoder(str(folder), 0)
    assert encoder.model.config._attn_implementation in ("sdpa", "eager")
    assert not trace.exists()


def test_a_tokenizer_that_exists_only_as_code_in_the_folder_is_not_run(save_model: Save, tmp_path: Path) -> None:
    folder, trace = save_model(), tmp_path / "was run"
    (folder / "own.py").write_text(f"open({str(trace)!r}, 'w')\nclass Own: pass\n")
    change(folder / "tokenizer_config.json", tokenizer_class="Own", auto_map={"AutoTokenizer": ["own.Own", None]})
    with suppress(UserError):  # depending on its version, transformers uses a class of its own instead
        load_encoder(str(folder), 0)
    assert not trace.exists()


def test_a_tokenizer_cannot_be_read_from_elsewhere(save_model: Save, tmp_path: Path) -> None:
    folder = save_model()
    shutil.copy(folder / "tokenizer.json", tmp_path / "tokenizer.4.0.0.json")
    change(folder / "tokenizer_config.json", fast_tokenizer_files=["../tokenizer.4.0.0.json"])
    refused(folder, "fast_tokenizer_files")


def test_a_model_on_a_hub_is_checked_like_a_folder(
    save_model: Save, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    commit, cached = "1" * 40, tmp_path / "hub" / "models--owner--model"
    (cached / "refs").mkdir(parents=True)
    (cached / "refs" / "main").write_text(commit)
    shutil.copytree(save_model(), cached / "snapshots" / commit)
    assert load_encoder("owner/model", 0).model.config.model_type == "bert"
    assert len(load_tokenizer("owner/model")) > 5
    shard(cached / "snapshots" / commit)
    assert load_encoder("owner/model", 0, commit).model.config.model_type == "bert"
    change(cached / "snapshots" / commit / INDEX, weight_map={"a": "weights.bin"})
    with pytest.raises(UserError, match="may only name"):
        load_encoder("owner/model", 0)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_weights_that_are_not_finite_are_refused(save_model: Save, value: float) -> None:
    folder = save_model()
    weights = load_file(folder / "model.safetensors")
    weights["encoder.layer.1.output.dense.weight"][0, 0] = value
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    refused(folder, "NaN or infinite values", "encoder.layer.1.output.dense.weight")


def test_weights_that_give_no_finite_answer_are_refused(save_model: Save) -> None:
    folder = save_model()
    weights = load_file(folder / "model.safetensors")
    weights["encoder.layer.0.output.LayerNorm.weight"][:] = 3e38
    weights["encoder.layer.1.output.LayerNorm.weight"][:] = 3e38
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    refused(folder, "returns NaN or infinite values")


def unknown_examples() -> list[Example]:
    animals = ("hunde", "pferde", "esel")
    return [Example.make(name, f"zwei kleine {name} rennen", "drei katzen schlafen", "neutral") for name in animals]


def test_a_tokenizer_that_knows_no_word_of_the_data_is_refused(
    tokenizer_of: Callable[..., PreTrainedTokenizerFast], pairs: list[Example]
) -> None:
    for family in ("bert", "roberta"):
        with pytest.raises(UserError, match="does not know 21 of 21 tokens"):
            RowMaker(tokenizer_of(family), 40).rows(unknown_examples())
        assert RowMaker(tokenizer_of(family), 40).rows([*pairs, *unknown_examples()])


def test_a_tagger_that_knows_no_word_of_the_data_is_refused(save_model: Save) -> None:
    folder = save_model(auto_class=AutoModelForTokenClassification)
    encoder = load_encoder(str(folder), 0)
    tagger = Tagger(encoder.model, encoder.tokenizer, ("O", "B-A"))
    with pytest.raises(UserError, match="does not know"):
        tagger.scores([TaggingQuery(tuple("zwei kleine hunde rennen".split()), 3)] * 3)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("num_hidden_layers", 1_000_000),
        ("num_hidden_layers", -2),
        ("num_hidden_layers", "two"),
        ("num_hidden_layers", 2.5),
        ("num_hidden_layers", True),
        ("num_hidden_layers", [2]),
        ("hidden_size", 10**9),
        ("intermediate_size", 10**12),
        ("vocab_size", 10**8),
        ("vocab_size", -1),
        ("max_position_embeddings", 10**15),
        ("num_labels", 10**9),
    ],
)
def test_a_configuration_beyond_the_limits_is_refused_at_once(save_model: Save, key: str, value: object) -> None:
    folder = save_model()
    change(folder / "config.json", **{key: value})
    start = time.monotonic()
    refused(folder, f"config.json has {key} = {json.dumps(value)}: must be an integer up to")
    with pytest.raises(UserError):
        labels_of(str(folder))
    assert time.monotonic() - start < 2


@pytest.mark.parametrize(
    ("family", "values"),
    [
        ("bert", {"hidden_size": 8192, "num_hidden_layers": 48, "intermediate_size": 32768}),
        ("bert", {"vocab_size": 3_000_000, "hidden_size": 1024}),
        ("bert", {"max_position_embeddings": 1 << 24}),
        ("deberta-v2", {"position_buckets": 10**10, "max_relative_positions": 10**10}),
    ],
)
def test_a_configuration_that_declares_more_than_the_weights_hold_is_refused_without_memory(
    save_model: Save, family: str, values: dict[str, int]
) -> None:
    folder = save_model(family)
    change(folder / "config.json", **values)
    refused(folder, "the weights do not match config.json: it declares", "parameters")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hidden_act", "no-such-function"),
        ("hidden_act", 7),
        ("layer_norm_eps", "small"),
        ("num_attention_heads", 0),
        ("num_attention_heads", 3),
        ("id2label", 3),
        ("id2label", {"a": "b"}),
        ("id2label", {"0": {}}),
        ("pad_token_id", "pad"),
        ("pad_token_id", 10**6),
        ("return_dict", False),
        ("to_dict", 3),
        ("architectures", 3),
        ("dtype", "no-such-type"),
        ("rope_scaling", {"type": 3}),
        ("text_config", {"num_hidden_layers": -1}),
        ("is_decoder", "yes"),
        ("type_vocab_size", 0),
        ("hidden_dropout_prob", 7),
    ],
)
def test_an_odd_configuration_is_loaded_or_an_error_for_the_user(save_model: Save, key: str, value: object) -> None:
    folder = save_model(auto_class=AutoModelForSequenceClassification)
    change(folder / "config.json", **{key: value})
    with suppress(UserError):
        load_encoder(str(folder), 0)
    with suppress(UserError):
        load_classifier(str(folder))


def test_token_ids_beyond_the_embeddings_are_refused(save_model: Save) -> None:
    folder = save_model()
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["model"]["vocab"]["guitar"] = 32
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    refused(folder, "token ids up to 32, but the model has 32 embeddings", "resize_token_embeddings")


def test_a_tokenizer_without_words_is_refused(save_model: Save) -> None:
    folder = save_model()
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["model"]["vocab"] = {}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(UserError):
        RowMaker(load_encoder(str(folder), 0).tokenizer, 40).rows(unknown_examples())


@pytest.mark.parametrize("file", ["tokenizer.json", "vocab.txt", "config.json", "special_tokens_map.json"])
def test_a_file_that_is_too_large_is_refused_at_once(save_model: Save, file: str) -> None:
    folder = save_model()
    with (folder / file).open("ab") as stream:
        stream.truncate(101 << 20)
    refused(folder, f"{file} has 105,906,176 bytes")


def test_a_tokenizer_that_makes_texts_long_is_refused(save_model: Save) -> None:
    folder = save_model("roberta")
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    step = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 10}
    tokenizer["normalizer"] = {"type": "Sequence", "normalizers": [step] * 12}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    refused(folder, "times as long")


def test_a_tokenizer_that_adds_many_tokens_is_refused(save_model: Save) -> None:
    folder = save_model("roberta")
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    special = {"SpecialToken": {"id": "</s>", "type_id": 0}}
    tokenizer["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [special, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [special] * 5000 + [{"Sequence": {"id": side, "type_id": 0}} for side in "AB"],
        "special_tokens": {"</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}},
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    refused(folder, "adds 5,000 special tokens")


def test_a_tokenizer_that_splits_at_random_is_refused(save_model: Save) -> None:
    folder = save_model("roberta")
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    vocabulary = {**tokenizer["model"]["vocab"], "d": 23, "o": 24, "do": 25}
    tokenizer["model"] = {"type": "BPE", "vocab": vocabulary, "merges": [["d", "o"]], "dropout": 0.5}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    refused(folder, "splits words at random")

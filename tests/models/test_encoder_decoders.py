"""BART and T5: the decoder's state at the end of the input represents the whole, whichever side is padded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModel, AutoModelForSequenceClassification, BartConfig, PreTrainedConfig, T5Config

from trivium.data.example import Example
from trivium.data.labels import NLI2
from trivium.errors import UserError
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategy import Strategy, find_strategies, make_strategy
from trivium.models.classifiers import load_classifier, new_classifier
from trivium.models.network import Network
from trivium.models.tokens import RowMaker

CONFIGS: dict[str, PreTrainedConfig] = {
    "bart": BartConfig(vocab_size=32, d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2,
                       decoder_attention_heads=2, encoder_ffn_dim=32, decoder_ffn_dim=32, max_position_embeddings=40,
                       pad_token_id=1, bos_token_id=0, eos_token_id=2, decoder_start_token_id=2),
    "t5": T5Config(vocab_size=32, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2, pad_token_id=1,
                   eos_token_id=2, decoder_start_token_id=1),
}  # fmt: skip


def examples() -> list[Example]:
    texts = ["a man is playing guitar", "the dog runs quickly through the park .", "a woman is not eating"]
    return [
        Example.make(f"{i}-{j}", one, other, NLI2.names[(i + j) % 2])
        for i, one in enumerate(texts)
        for j, other in enumerate(reversed(texts))
    ]


@pytest.fixture(params=list(CONFIGS))
def folder(request: pytest.FixtureRequest, tmp_path: Path, tokenizer_of: Callable[..., Any]) -> Path:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = AutoModel.from_config(CONFIGS[request.param])
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.add_(0.2 * torch.randn_like(parameter))
    model.save_pretrained(tmp_path / "model")
    tokenizer_of("roberta").save_pretrained(tmp_path / "model")
    return tmp_path / "model"


def learner(folder: Path, **model: Any) -> Learner:
    config = ModelConfig(name=str(folder), max_length=32, dropout=0.0, **{"pooling": "end", **model})
    train = TrainConfig(learning_rate=1e-2, batch_size=3, epochs=2)
    return Learner(config, labels=NLI2, train=train)


def test_the_vector_is_the_decoders_last_state_of_the_row_alone(folder: Path, tokenizer_of: Callable[..., Any]) -> None:
    encoder = AutoModel.from_pretrained(folder).eval()
    network = Network(encoder, {"nli": 2}, "end", 0.0, 0).eval()
    rows = RowMaker(tokenizer_of("roberta"), 32).rows(examples())
    with torch.no_grad():
        actual = network.vectors(rows)
        left = network.vectors([replace(row, pad_left=True) for row in rows])
        for vector, row in zip(actual, rows, strict=True):
            ids = torch.tensor([row.ids])
            shifted = torch.tensor([[encoder.config.decoder_start_token_id, *row.ids[:-1]]])
            expected = encoder(input_ids=ids, decoder_input_ids=shifted).last_hidden_state[0, -1]
            assert torch.allclose(vector, expected, rtol=0, atol=1e-5)
    assert torch.equal(actual, left)
    assert (actual[0] - actual[1]).abs().max() > 0.01


def loss(built: Learner) -> float:
    with built.evaluation_mode():
        return float(built.losses(examples()).mean())


def test_it_learns_and_its_weights_can_be_saved_and_loaded(folder: Path, tmp_path: Path) -> None:
    one = learner(folder)
    before = loss(one)
    one.train(examples(), Strategy(), Memory(), 1)
    assert loss(one) < before
    one.save(tmp_path / "weights.safetensors")
    other = learner(folder)
    other.load(tmp_path / "weights.safetensors")
    assert (one.logits(examples())["nli"] == other.logits(examples())["nli"]).all()


def test_every_strategy_runs(folder: Path) -> None:
    for name in find_strategies():
        built = learner(folder)
        strategy = make_strategy(name, {})
        memory = built.train(examples()[:5], Strategy(), Memory(), 1)
        memory = strategy.end_stage(built, examples()[:5], memory)
        built.train(examples()[5:], strategy, memory, 2)


def test_as_a_classifier_it_answers_as_transformers_would(folder: Path, tmp_path: Path) -> None:
    built = new_classifier(str(folder), seed=0, labels=NLI2)
    built.save(tmp_path / "out")
    model = AutoModelForSequenceClassification.from_pretrained(tmp_path / "out").eval()
    classifier = load_classifier(str(tmp_path / "out")).eval()
    rows = RowMaker(classifier.tokenizer, 32).rows(examples())
    with torch.no_grad():
        logits, vectors = classifier.logits(rows)["nli"], classifier.vectors(rows)
        for index, row in enumerate(rows):
            actual = model(input_ids=torch.tensor([row.ids]), output_hidden_states=True)
            assert torch.allclose(logits[index], actual.logits[0], atol=1e-5)
            assert torch.allclose(vectors[index], actual.decoder_hidden_states[-1][0, -1], atol=1e-5)


def test_an_encoder_decoder_without_a_head_is_not_a_classifier(folder: Path) -> None:
    with pytest.raises(UserError, match="trivium train nli"):
        load_classifier(str(folder))


def test_another_pooling_is_refused(folder: Path) -> None:
    with pytest.raises(UserError, match=r"model.pooling is 'first', but for .* it must be end"):
        learner(folder, pooling="first")

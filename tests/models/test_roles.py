"""Predicate-aware fusion: its formula, what it trains, and the cache of the frozen encoder's vectors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from transformers import AutoModelForTokenClassification

from trivium.data.example import Example
from trivium.errors import UserError
from trivium.models.encoders import load_encoder
from trivium.models.network import Network
from trivium.models.roles import Dense, Fusion, RoleEncoder, load_roles
from trivium.models.tokens import Row, RowMaker

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def roles() -> RoleEncoder:
    return RoleEncoder(load_encoder("tiny", 7), 64, CPU)


@pytest.fixture
def rows(pairs: list[Example]) -> list[Row]:
    return RowMaker(load_encoder("tiny", 0).tokenizer, 64).rows(pairs)


def network_with(roles: RoleEncoder | None, width: int = 5) -> Network:
    encoder = load_encoder("tiny", 0).model.eval()
    fusion = None if roles is None else Fusion(roles, 128, width, 0)
    return Network(encoder, {"nli": 3}, "first", 0.0, 0, fusion)


def test_the_fused_vector_is_that_of_the_formula(roles: RoleEncoder, rows: list[Row]) -> None:
    network = network_with(roles)
    weights = {name: value.detach().numpy().astype(np.float64) for name, value in network.state_dict().items()}
    plain, theirs = network_with(None), load_encoder("tiny", 7)
    with torch.no_grad():
        pair = plain.vectors(rows).numpy().astype(np.float64)
        alone = [
            [
                theirs.model.eval()(**theirs.tokenizer(text, return_tensors="pt")).last_hidden_state[0, 0].numpy()
                for text in row.texts
            ]
            for row in rows
        ]
        output = network.outputs(rows)["nli"]
    project, bias = weights["fusion.project.weight"], weights["fusion.project.bias"]
    assert project.shape == (5, 128)
    assert weights["fusion.dense.weight"].shape == (128, 128 + 2 * 5)
    for index, (premise, hypothesis) in enumerate(alone):
        joined = np.concatenate([pair[index], project @ premise + bias, project @ hypothesis + bias])
        fused = np.tanh(weights["fusion.dense.weight"] @ joined + weights["fusion.dense.bias"])
        logits = weights["heads.nli.weight"] @ fused + weights["heads.nli.bias"]
        assert np.allclose(output.vectors[index].numpy(), fused, atol=1e-5)
        assert np.allclose(output.logits[index].numpy(), logits, atol=1e-5)


def test_a_fusion_adds_weights_and_leaves_the_others_unchanged(roles: RoleEncoder) -> None:
    plain, aware = network_with(None), network_with(roles)
    assert not [name for name in plain.state_dict() if "fusion" in name]
    for name, value in plain.state_dict().items():
        assert torch.equal(value, aware.state_dict()[name])


def test_a_dense_layer_is_a_fusion_without_roles(rows: list[Row]) -> None:
    encoder, plain = load_encoder("tiny", 0).model.eval(), network_with(None)
    network = Network(encoder, {"nli": 3}, "first", 0.0, 0, Dense(128, 0))
    weights = {name: value.detach() for name, value in network.state_dict().items()}
    assert set(weights) - set(plain.state_dict()) == {"fusion.dense.weight", "fusion.dense.bias"}
    with torch.no_grad():
        expected = torch.tanh(plain.vectors(rows) @ weights["fusion.dense.weight"].T + weights["fusion.dense.bias"])
        assert torch.allclose(network.vectors(rows), expected, atol=1e-6)


def test_dropout_before_the_fusion_is_on_all_that_it_sees(roles: RoleEncoder, rows: list[Row]) -> None:
    """Dropout, dense layer, tanh: with the same masks, the result is that of the formula."""
    fusion = Fusion(roles, 128, 8, 0, dropout=0.5)
    vectors = torch.randn(len(rows), 128, generator=torch.Generator().manual_seed(0))
    sides = [fusion.project(roles.vectors([row.texts[side] for row in rows])) for side in (0, 1)]
    torch.manual_seed(3)
    dropped = nn.functional.dropout(torch.cat([vectors, *sides], dim=1), 0.5)
    torch.manual_seed(3)
    fused = fusion.train()(vectors, rows)
    assert torch.allclose(fused, torch.tanh(fusion.dense(dropped)))
    assert int((dropped[:, 128:] == 0).sum()) > 0  # roles too
    without = Fusion(roles, 128, 8, 0)
    assert torch.equal(fusion.eval()(vectors, rows), without.train()(vectors, rows))


def test_the_gradient_reaches_the_fusion_but_not_the_role_encoder(roles: RoleEncoder, rows: list[Row]) -> None:
    network = network_with(roles)
    before = {name: value.clone() for name, value in roles._model.state_dict().items()}
    network.train()
    network.outputs(rows)["nli"].logits.sum().backward()
    assert network.fusion is not None
    for parameter in (*network.fusion.parameters(), *network.heads.parameters()):
        assert parameter.grad is not None
        assert bool(parameter.grad.abs().sum() > 0)
    assert all(value.grad is None and not value.requires_grad for value in roles._model.parameters())
    mine = {id(value) for value in network.parameters()}
    assert not mine & {id(value) for value in roles._model.parameters()}
    assert not roles._model.training
    assert all(torch.equal(value, before[name]) for name, value in roles._model.state_dict().items())


def test_the_role_encoder_is_not_among_the_weights(roles: RoleEncoder) -> None:
    extra = set(network_with(roles).state_dict()) - set(network_with(None).state_dict())
    assert extra == {f"fusion.{layer}.{part}" for layer in ("project", "dense") for part in ("weight", "bias")}


def test_the_cache_changes_no_vector_and_each_sentence_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"the dog number {number % 4} runs" for number in range(12)]
    read: list[str] = []
    plain = RoleEncoder._encode

    def counted(self: RoleEncoder, sentence: str) -> Tensor:
        read.append(sentence)
        return plain(self, sentence)

    monkeypatch.setattr(RoleEncoder, "_encode", counted)
    keeping = RoleEncoder(load_encoder("tiny", 7), 64, CPU)
    forgetting = RoleEncoder(load_encoder("tiny", 7), 64, CPU, cache_bytes=1)
    first = keeping.vectors(texts)
    assert len(read) == 4
    assert torch.equal(keeping.vectors(list(reversed(texts))).flip(0), first)
    assert len(read) == 4
    assert torch.equal(forgetting.vectors(texts), first)
    assert len(read) == 4 + 12
    assert len(forgetting._cache) == 1


def test_the_cache_is_bounded_and_drops_the_least_recently_used() -> None:
    roles = RoleEncoder(load_encoder("tiny", 7), 64, CPU, cache_bytes=2 * 128 * 4)
    roles.vectors(["a", "b", "a", "c"])
    assert list(roles._cache) == ["a", "c"]


def test_a_missing_text_has_the_zero_vector(roles: RoleEncoder, rows: list[Row]) -> None:
    assert not roles.vectors([""]).any()
    network = network_with(roles)
    one = RowMaker(load_encoder("tiny", 0).tokenizer, 64).rows([Example("1", "a dog runs", None, "neutral")])
    with torch.no_grad():
        assert network.outputs(one)["nli"].logits.shape == (1, 3)
        assert network.outputs([*one, *rows])["nli"].logits.shape == (1 + len(rows), 3)


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert", "modernbert"])
def test_a_token_classifier_of_another_width_can_be_plugged_in(
    save_model: Callable[..., Path], rows: list[Row], family: str
) -> None:
    roles = load_roles(str(save_model(family, auto_class=AutoModelForTokenClassification)), 128, CPU)
    assert roles.width == 16
    with torch.no_grad():
        assert network_with(roles).outputs(rows)["nli"].logits.shape == (len(rows), 3)


def test_the_same_folder_is_loaded_once_and_a_changed_setting_anew(save_model: Callable[..., Path]) -> None:
    folder = str(save_model("bert"))
    assert load_roles(folder, 32, CPU) is load_roles(folder, 32, CPU)
    assert load_roles(folder, 32, CPU) is not load_roles(folder, 16, CPU)


def test_an_unusable_role_encoder_is_a_one_line_error(tmp_path: Path) -> None:
    from transformers import AutoModel, GPT2Config

    with pytest.raises(UserError, match=r"model\.roles is 'nowhere': no such folder: .*train srl") as caught:
        load_roles("nowhere", 32, CPU)
    assert "\n" not in str(caught.value)
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match=r"config\.json is missing"):
        load_roles(str(tmp_path / "empty"), 32, CPU)
    small = GPT2Config(vocab_size=40_000, n_embd=8, n_layer=1, n_head=1, n_positions=16)
    AutoModel.from_config(small).save_pretrained(tmp_path / "gpt")
    load_encoder("tiny", 0).tokenizer.save_pretrained(tmp_path / "gpt")
    with pytest.raises(UserError, match=r"model\.roles is '.*gpt', which reads from left to right"):
        load_roles(str(tmp_path / "gpt"), 32, CPU)

"""Predictions in int8: close to those in fp32, from a copy of the network, refused where they are not supported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn
from torch.ao.quantization import per_channel_dynamic_qconfig, quantize_dynamic

from trivium.data.sources import load_source
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.learn.learner import Learner
from trivium.models.classifiers import new_classifier
from trivium.models.quantized import Int8Linear, quantized
from trivium.session import Session

EXAMPLES = load_source("builtin").examples[:48]


def learner(precision: str) -> Learner:
    train = TrainConfig.model_validate({"precision": precision, "epochs": 2, "learning_rate": 1e-3})
    return Learner("tiny", tasks=("natural",), train=train)


def test_training_is_in_fp32_and_predictions_are_close_to_those_in_fp32() -> None:
    exact, rounded = (learner(precision).fit(EXAMPLES) for precision in ("fp32", "int8"))
    assert np.array_equal(exact.loss_history, rounded.loss_history)
    expected, result = (each.logits(EXAMPLES)["natural"] for each in (exact, rounded))
    assert 0 < np.abs(result - expected).max() < 0.05 * np.ptp(expected)
    assert np.array_equal(rounded.fit(EXAMPLES).loss_history, exact.fit(EXAMPLES).loss_history)


def test_the_same_batch_gives_the_same_bytes() -> None:
    rounded = learner("int8")
    first, second = (rounded.logits(EXAMPLES)["natural"] for _ in range(2))
    assert np.array_equal(first, second)


def test_a_classifier_with_its_own_head_is_quantized() -> None:
    classifier = new_classifier("tiny", 0)
    rounded = [name for name, module in quantized(classifier).named_modules() if isinstance(module, Int8Linear)]
    assert any("layer.1." in name for name in rounded), "the second of two blocks"
    assert not any("layer.0." in name or "classifier" in name for name in rounded)
    assert not any(isinstance(module, Int8Linear) for module in classifier.modules())


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("has_vnni", sorted({False, torch.cpu._is_vnni_supported()}))
def test_a_layer_is_close_to_that_in_fp32_although_one_column_is_much_larger(
    has_vnni: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "_is_vnni_supported", lambda: has_vnni)
    generator = torch.manual_seed(0)
    layer = nn.Linear(64, 32)
    coarse = quantize_dynamic(nn.Sequential(layer), {nn.Linear: per_channel_dynamic_qconfig})
    rows = torch.randn(2, 40, 64, generator=generator) * torch.rand(2, 40, 1, generator=generator)
    rows[..., 7] *= 100  # with one scale for the batch, steps would be as large as the other columns
    rows[0, 0] = 0.0
    with torch.no_grad():
        expected, result = layer(rows), Int8Linear(layer)(rows)
        error, coarse_error = ((values - expected).abs().max() for values in (result, coarse(rows)))
    assert result.shape == expected.shape
    assert 0 < float(error) < float(coarse_error) / 10
    assert torch.equal(result[0, 0], layer.bias.detach())
    assert Int8Linear(layer)(torch.zeros(0, 64)).shape == (0, 32)


def test_a_trained_model_gives_nearly_the_same_answers() -> None:
    examples = load_source("builtin").examples[::4]
    train = TrainConfig(epochs=4, batch_size=16, learning_rate=1e-3)
    exact = Learner("tiny", tasks=("natural",), train=train).fit(examples)
    rounded = Learner("tiny", tasks=("natural",), train=train.model_copy(update={"precision": "int8"}))
    rounded.network.load_state_dict(exact.network.state_dict())
    expected, result = (each.logits(examples)["natural"].argmax(1) for each in (exact, rounded))
    assert len(set(expected)) == 3
    assert (expected == result).mean() >= 0.99


def test_a_model_without_linear_layers_is_refused() -> None:
    network = nn.Module()
    network.encoder = nn.Embedding(3, 4)
    network.head = nn.Linear(4, 3)
    with pytest.raises(UserError, match="no linear layers: use precision fp32"):
        quantized(network)


def test_other_devices_are_refused() -> None:
    with pytest.raises(UserError, match="int8 is for the cpu"):
        quantized(nn.Linear(2, 2, device=torch.device("meta")))
    with pytest.raises(ValueError, match="precision int8 is for the cpu"):
        TrainConfig.model_validate({"precision": "int8", "device": "cuda"})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"precision": "int16"}, "precision='int16': must be one of fp32, bf16, int8"),
        ({"precision": "int8", "device": "cuda"}, "precision='int8' is for the cpu"),
    ],
)
def test_tools_refuse_a_precision_before_reading_anything(
    options: dict[str, str], message: str, tmp_path: Path
) -> None:
    session = Session(tmp_path, progress=False)
    for call in (session.evaluate, session.diagnose, session.stress):
        with pytest.raises(UserError, match=message):
            call("no-such-model", *(["no-such-file"] if call == session.evaluate else []), **options)

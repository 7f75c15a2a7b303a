"""Frozen lower layers are not trained, compute each row once, and otherwise change nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
import torch
from pydantic import ValidationError

from trivium.data.example import Example
from trivium.errors import UserError
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategies.finetune import FineTune
from trivium.models import lower
from trivium.models.classifiers import new_classifier
from trivium.models.lower import LowerLayers

Make = Callable[..., Learner]
LOWER = ("encoder.embeddings.", "encoder.encoder.layer.0.")


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lower, "_latest", lower._Kept(""))


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The inputs of the rows that lower layers have computed."""
    compute, inputs = LowerLayers._compute, []
    monkeypatch.setattr(LowerLayers, "_compute", lambda self, row: (inputs.append(row.input), compute(self, row))[1])
    return inputs


def test_losses_and_gradients_are_those_of_the_whole_model_for_what_is_trained(
    make_learner: Make, examples: list[Example], gradient_at_hand: Any, same_gradient: Any
) -> None:
    learner = make_learner(frozen="lower:1")
    learner.network.train()
    gradients = []
    for context in (nullcontext(), learner.network.lower.kept()):
        learner.network.zero_grad()
        with context:
            learner.backward(learner.loss(examples[:8]))
        gradients.append(gradient_at_hand(learner))
    assert same_gradient(*gradients)
    trained = {name for name, parameter in learner.network.named_parameters() if parameter.requires_grad}
    assert trained == {name for name, _ in learner.network.named_parameters() if not name.startswith(LOWER)}
    assert any("layer.1." in name for name in trained)


@pytest.mark.parametrize("capacity", [0, 1 << 29])
def test_a_row_is_computed_once_for_all_epochs_and_what_is_kept_changes_no_bit(
    make_learner: Make, examples: list[Example], monkeypatch: pytest.MonkeyPatch, computed: list[object], capacity: int
) -> None:
    def trained(capacity: int) -> Learner:
        learner = make_learner(dropout=0.1, frozen="lower:1", epochs=3)
        monkeypatch.setattr(learner.network.lower, "_capacity", capacity)
        learner.train(examples[:6], FineTune(), Memory(), 1)
        return learner

    first, before = trained(capacity).network.state_dict(), make_learner().network.state_dict()
    rows = [row for example in examples[:6] for row in example.rows()]
    assert len(computed) == (3 * len(rows) if capacity == 0 else len({(r.premise, r.hypothesis) for r in rows}))
    second = trained(1 << 29).network.state_dict()
    assert first.keys() == second.keys() == before.keys()
    for name, values in first.items():
        assert torch.equal(values, second[name])
    unchanged = {name for name, values in first.items() if torch.equal(values, before[name])}
    assert unchanged >= {name for name in first if name.startswith(LOWER)}
    assert not any("dense.weight" in name for name in unchanged if not name.startswith(LOWER))


def test_kept_outputs_are_dropped_when_the_weights_change(make_learner: Make, examples: list[Example]) -> None:
    learner = make_learner(frozen="lower:1")
    with learner.network.lower.kept():
        before = learner.loss(examples[:2]).detach()
    with learner.network.lower.kept():
        assert torch.equal(learner.loss(examples[:2]).detach(), before)
    with torch.no_grad():
        learner.network.encoder.encoder.layer[0].output.dense.weight.mul_(2)
    expected = learner.loss(examples[:2]).detach()
    with learner.network.lower.kept():
        actual = learner.loss(examples[:2]).detach()
    assert not torch.allclose(actual, before)
    assert torch.allclose(actual, expected)


def test_training_and_predictions_of_all_models_with_these_layers_share_what_is_kept(
    make_learner: Make, examples: list[Example], computed: list[object]
) -> None:
    first = make_learner(frozen="lower:1", epochs=2, patience=1)
    first.train(examples, FineTune(), Memory(), 1)
    first.logits(examples)
    assert len(computed) == len(set(computed)), "early stopping and predictions use what the training kept"
    number = len(computed)
    logits = make_learner(frozen="lower:1").logits(examples)
    assert len(computed) == number
    plain = make_learner().logits(examples)
    for task, values in logits.items():
        assert abs(values - plain[task]).max() < 1e-5


def test_what_earlier_stages_left_makes_room_for_the_rows_of_this_one(
    make_learner: Make, examples: list[Example], monkeypatch: pytest.MonkeyPatch, computed: list[object]
) -> None:
    learner = make_learner(frozen="lower:1", epochs=3)
    learner.train(examples[:6], FineTune(), Memory(), 1)
    number, kept = len(computed), lower._latest
    monkeypatch.setattr(learner.network.lower, "_capacity", kept.bytes)
    learner.train(examples[6:10], FineTune(), Memory(), 2)
    new = computed[number:]
    assert len(new) == len(set(new)), "computed once, not in every epoch"
    assert kept.bytes == sum(state.nbytes for state in kept.states.values()) <= learner.network.lower._capacity
    number = len(computed)
    learner.train(examples[:10], FineTune(), Memory(), 3)
    assert kept.bytes <= learner.network.lower._capacity
    repeated = {row for row, times in Counter(computed[number:]).items() if times > 1}
    assert repeated, "not all rows of this stage have room"
    assert repeated.isdisjoint(kept.recent), "those that are kept stay"


def test_a_classifier_with_its_own_head_answers_the_same(examples: list[Example]) -> None:
    pairs = [Example(e.id, e.premise, e.hypothesis, e.label) for e in examples[:5]]
    learner = Learner.from_classifier(new_classifier("tiny", 0), TrainConfig(frozen="lower:1"), 0)
    with learner.evaluation_mode(), torch.no_grad():
        (expected,) = learner.answers(pairs)
        with learner.network.lower.kept():
            (actual,) = learner.answers(pairs)
    assert torch.allclose(actual.logits, expected.logits, atol=1e-6)
    assert torch.allclose(actual.vectors, expected.vectors, atol=1e-5)


def test_mistakes_are_errors_that_say_what_is_possible() -> None:
    for wrong in ("lower", "lower:0", "lower:x", "upper:1"):
        with pytest.raises(ValidationError, match="must be 'nothing', 'embeddings' or 'lower:K'"):
            TrainConfig(frozen=wrong)
    with pytest.raises(UserError, match="has 2 layers: lower it to at most 'lower:1'"):
        Learner(ModelConfig(name="tiny"), train=TrainConfig(frozen="lower:2"))

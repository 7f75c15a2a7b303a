"""The learner's loss, gradients, predictions and vectors are those of the formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional

from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3
from trivium.errors import UserError
from trivium.learn.config import ModelConfig
from trivium.learn.learner import Learner
from trivium.learn.memory import Memory
from trivium.learn.strategies.finetune import FineTune
from trivium.models.network import Output
from trivium.models.tokens import Row

Make = Callable[..., Learner]
LABELS = ("entailment", "neutral", "contradiction")


def rows_of(examples: Sequence[Example], head: str) -> Iterator[Example]:
    for example in examples:
        yield from (row for row in (example, *example.parts) if row.task == head)


def test_the_loss_is_the_sum_over_the_heads_of_their_mean_cross_entropy(
    learner: Learner, by_hand, examples: list[Example]
) -> None:
    queries = [*examples[:4], replace(examples[9], parts=()), replace(examples[15], parts=examples[15].parts[:1])]
    means = []
    for head in ("composed", "natural", "veridical"):
        rows = list(rows_of(queries, head))
        logits = torch.stack([by_hand.logits(learner.network, row) for row in rows])
        means.append(functional.cross_entropy(logits, torch.tensor([LABELS.index(row.label) for row in rows])))
    assert float(learner.loss(queries).detach()) == pytest.approx(float(sum(means).detach()), rel=1e-5)
    assert float(learner.loss(queries).detach()) == pytest.approx(
        float(by_hand.loss(learner.network, queries).detach()), rel=1e-5
    )


def test_the_losses_of_an_example_are_the_sum_over_its_rows_and_carry_no_gradient(
    learner: Learner, by_hand, examples: list[Example]
) -> None:
    queries = [*examples[6:12], replace(examples[0], parts=())]
    actual = learner.losses(queries)
    assert torch.allclose(actual, by_hand.losses(learner.network, queries), rtol=0, atol=1e-5)
    assert not actual.requires_grad


def test_rows_without_a_head_are_ignored(make_learner: Make, by_hand, examples: list[Example]) -> None:
    learner = make_learner(heads=("composed",))
    bare = [replace(example, parts=()) for example in examples[:4]]
    assert float(learner.loss(examples[:4]).detach()) == pytest.approx(
        float(by_hand.loss(learner.network, bare).detach()), rel=1e-5
    )
    assert set(learner.logits(examples[:4])) == {"composed"}


def test_a_label_of_another_scheme_is_an_error_that_names_it(examples: list[Example]) -> None:
    learner = Learner("tiny", tasks=("composed",), labels=NLI2)
    assert learner.logits(examples[:2])["composed"].shape == (2, 2)
    with pytest.raises(UserError, match="unknown label 'positive' for the scheme nli2"):
        learner.loss([replace(examples[0], label="positive")])


def test_a_label_that_stands_for_several_outputs_has_the_sum_of_their_probabilities(
    learner: Learner, by_hand, examples: list[Example]
) -> None:
    queries = [replace(example, parts=()) for example in examples[:6]]
    coarse = [replace(example, label=NLI3.map_to(str(example.label), NLI2)) for example in queries]
    assert {example.label for example in coarse} == set(NLI2.names)
    expected = []
    for example in queries:
        share = torch.softmax(by_hand.logits(learner.network, example), 0)
        expected.append(-torch.log(share[0] if example.label == "entailment" else share[1] + share[2]))
    with torch.no_grad():
        assert learner.losses(coarse).tolist() == pytest.approx([float(one) for one in expected], rel=1e-4)
        assert float(learner.loss(coarse)) == pytest.approx(float(sum(expected)) / len(expected), rel=1e-4)
        mixed = [*queries[:3], *coarse[3:]]
        assert learner.losses(mixed)[:3].tolist() == pytest.approx(learner.losses(queries)[:3].tolist(), rel=1e-5)


def test_a_three_way_label_trains_a_two_way_head_as_the_label_it_maps_to(examples: list[Example]) -> None:
    learner = Learner(ModelConfig(name="tiny", dropout=0.0), tasks=("composed",), labels=NLI2)
    learner.network.eval()
    queries = [replace(example, parts=()) for example in examples[:6]]
    coarse = [replace(example, label=NLI3.map_to(str(example.label), NLI2)) for example in queries]
    with torch.no_grad():
        assert learner.losses(queries).tolist() == learner.losses(coarse).tolist()


def test_backward_leaves_the_gradient_and_returns_the_value(
    learner: Learner, by_hand, examples: list[Example], gradient_at_hand, same_gradient
) -> None:
    value = learner.backward(learner.loss(examples[:4]))
    loss = by_hand.loss(learner.network, examples[:4])
    assert value == pytest.approx(float(loss.detach()), rel=1e-5)
    assert same_gradient(gradient_at_hand(learner), by_hand.gradient(learner.network, examples[:4]))


def test_logits_are_those_of_each_row_alone_in_the_order_of_the_examples(
    learner: Learner, by_hand, examples: list[Example]
) -> None:
    queries = [examples[i] for i in np.random.default_rng(1).permutation(len(examples))]
    actual = learner.logits(queries)
    lengths = [len(row.premise.split()) + len(row.hypothesis.split()) for row in rows_of(queries, "composed")]
    assert sorted(lengths) != lengths
    assert sum(len(logits) for logits in actual.values()) > 64
    with torch.no_grad():
        for head in ("composed", "natural", "veridical"):
            alone = torch.stack([by_hand.logits(learner.network, row) for row in rows_of(queries, head)])
            assert actual[head].dtype == np.float32
            assert np.allclose(actual[head], alone.numpy(), rtol=0, atol=1e-5)


def test_logits_are_computed_without_dropout_and_report_progress(make_learner: Make, examples: list[Example]) -> None:
    learner = make_learner(dropout=0.4)
    learner.network.train()
    queries = [replace(examples[0], premise=f"{number} men are playing", parts=()) for number in range(70)]
    seen: list[tuple[int, int]] = []
    first = learner.logits(queries, lambda done, of: seen.append((done, of)))
    second = learner.logits(queries)
    assert all(np.array_equal(first[head], second[head]) for head in first)
    assert seen == [(64, 70), (70, 70)]


def test_no_examples_give_no_logits(learner: Learner) -> None:
    assert learner.logits([]) == {}


def test_weights_that_were_saved_give_identical_logits_when_they_are_loaded(
    make_learner: Make, examples: list[Example], tmp_path: Path
) -> None:
    trained, other = make_learner(seed=0), make_learner(seed=1)
    trained.train(examples[:8], FineTune(), Memory(), 1)
    trained.save(tmp_path / "weights.safetensors")
    expected = trained.logits(examples[:8])
    assert not np.allclose(other.logits(examples[:8])["composed"], expected["composed"], atol=1e-3)
    other.load(tmp_path / "weights.safetensors")
    actual = other.logits(examples[:8])
    assert all(np.array_equal(actual[head], expected[head]) for head in expected)
    assert all(torch.equal(t, trained.network.state_dict()[n]) for n, t in other.network.state_dict().items())


def test_a_missing_device_is_an_error_that_says_what_to_set(make_learner: Make) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device here")
    with pytest.raises(UserError, match=r"train\.device is 'cuda', .* set=\['train\.device=cpu'\]"):
        make_learner(device="cuda")


@pytest.fixture
def precisions(learner: Learner, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Return the precision in use; nothing is computed, because not every processor supports bfloat16."""

    def answer(rows: Sequence[Row]) -> dict[str, Output]:
        kind = learner.device.type
        seen.append(str(torch.get_autocast_dtype(kind)) if torch.is_autocast_enabled(kind) else "full")
        return {"composed": Output(torch.zeros(len(rows), 3), torch.zeros(len(rows), 4))}

    def queries() -> str:
        learner.losses([bare])
        return seen.pop()

    bare = Example("1", "A man is playing", "A man is singing", "neutral", task="composed")
    seen: list[str] = []
    monkeypatch.setattr(learner.network, "outputs", answer)
    return queries


@pytest.mark.parametrize("training", [True, False])
def test_exactly_turns_off_dropout_and_reduced_precision_and_restores_both(
    learner: Learner, precisions: Callable[[], str], monkeypatch: pytest.MonkeyPatch, training: bool
) -> None:
    monkeypatch.setattr(learner, "_precision", "bf16")
    learner.network.train(training)
    assert precisions() == "torch.bfloat16"
    with learner.evaluation_mode():
        assert not learner.network.training
        assert precisions() == "full"
    assert learner.network.training is training
    assert precisions() == "torch.bfloat16"


@pytest.mark.parametrize("training", [True, False])
def test_exactly_restores_the_mode_after_an_exception(
    learner: Learner, precisions: Callable[[], str], monkeypatch: pytest.MonkeyPatch, training: bool
) -> None:
    monkeypatch.setattr(learner, "_precision", "bf16")
    learner.network.train(training)
    with suppress(KeyError), learner.evaluation_mode():
        raise KeyError
    assert learner.network.training is training
    assert precisions() == "torch.bfloat16"


def test_full_precision_is_the_default(learner: Learner, precisions: Callable[[], str]) -> None:
    assert precisions() == "full"


def test_more_tokens_than_the_encoder_can_read_are_refused() -> None:
    with pytest.raises(UserError, match=r"model\.max_length is 512, but 'tiny' reads at most 128 tokens"):
        Learner(ModelConfig(name="tiny", max_length=512))


def test_the_vector_of_a_row_is_what_its_head_sees(make_learner: Make, examples: list[Example]) -> None:
    learner = make_learner()
    vectors, logits = learner.vectors(examples), learner.logits(examples)
    assert set(vectors) == set(logits)
    for head, actual in vectors.items():
        layer = learner.network.heads[head]
        expected = actual @ layer.weight.detach().numpy().T + layer.bias.detach().numpy()
        assert actual.shape == (len(logits[head]), 128)
        assert np.allclose(expected, logits[head], atol=1e-5)


def test_predictions_of_equal_rows_are_shared_and_equal_to_rounding_to_those_of_each_alone(
    make_learner: Make, examples: list[Example], monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = make_learner(dropout=0.1)
    alone = [learner.logits([example]) for example in examples]
    encode, encoded = learner.network._encode, []
    monkeypatch.setattr(learner.network, "_encode", lambda rows: (encoded.extend(rows), encode(rows))[1])
    together = learner.logits(examples)
    rows = [row for example in examples for row in example.rows()]
    assert len(encoded) == len({(row.premise, row.hypothesis) for row in rows}) < len(rows)
    for head, values in together.items():
        assert np.allclose(values, np.concatenate([each[head] for each in alone]), rtol=0, atol=1e-6)

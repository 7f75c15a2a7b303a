"""Aligning the outputs of a model with a task in another label scheme."""

from __future__ import annotations

import numpy as np
import pytest

from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.measure.outputs import align_outputs


def examples(*labels: str) -> list[Example]:
    return [Example.make(str(index), "p", "h", label) for index, label in enumerate(labels)]


def logits(*rows: tuple[float, ...]) -> np.ndarray:
    return np.log(np.array(rows, dtype=np.float32))


def test_a_three_way_model_adds_neutral_and_contradiction_on_a_two_way_task() -> None:
    result = align_outputs(examples("entailed", "not-entailed"), logits((0.4, 0.3, 0.3), (0.6, 0.3, 0.1)), NLI3, NLI2)
    assert result.labels == NLI2
    assert np.exp(result.logits) == pytest.approx(np.array([[0.4, 0.6], [0.6, 0.4]]), rel=1e-5)
    # In the first example entailment is the most probable of three labels, yet below one half.
    assert result.predicted.tolist() == [1, 0]
    assert result.gold.tolist() == [0, 1]


def test_by_argmax_a_three_way_model_answers_with_its_most_likely_label() -> None:
    pairs = examples("entailed", "not-entailed", "entailed")
    values = (0.4, 0.3, 0.3), (0.6, 0.3, 0.1), (0.3, 0.2, 0.5)
    assert align_outputs(pairs, logits(*values), NLI3, NLI2, "argmax").predicted.tolist() == [0, 0, 1]
    assert align_outputs(pairs, logits(*values), NLI3, NLI2).predicted.tolist() == [1, 0, 1]


def test_a_two_way_model_turns_a_three_way_task_into_a_two_way_one() -> None:
    result = align_outputs(examples("entailment", "neutral", "contradiction"), logits(*[(0.9, 0.1)] * 3), NLI2, NLI3)
    assert result.labels == NLI2
    assert result.gold.tolist() == [0, 1, 1]


def test_outputs_in_the_same_scheme_are_unchanged() -> None:
    result = align_outputs(examples("neutral"), logits((0.2, 0.5, 0.3)), NLI3, NLI3)
    assert np.exp(result.logits) == pytest.approx(np.array([[0.2, 0.5, 0.3]]), rel=1e-5)
    assert result.predicted.tolist() == result.gold.tolist() == [1]


def test_different_numbers_of_predictions_and_examples_are_an_error() -> None:
    with pytest.raises(ValueError, match="1 predictions for 2 examples"):
        align_outputs(examples("neutral", "neutral"), logits((0.2, 0.5, 0.3)), NLI3, NLI3)


@pytest.mark.parametrize(
    ("labels", "label", "indices"),
    [
        (NLI3, "not-entailed", (1, 2)),
        (NLI3, "entailed", (0,)),
        (NLI3, "neutral", (1,)),
        (NLI2, "neutral", (1,)),
        (NLI2, "contradiction", (1,)),
        (NLI2, "entailment", (0,)),
    ],
)
def test_outputs_that_correspond_to_a_label(labels: Labels, label: str, indices: tuple[int, ...]) -> None:
    assert labels.indices(label) == indices

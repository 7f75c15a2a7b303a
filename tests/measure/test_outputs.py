"""A model's answers in the labels of a task that has other ones."""

from __future__ import annotations

import numpy as np
import pytest

from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.measure.outputs import asked_in


def examples(*labels: str) -> list[Example]:
    return [Example.make(str(place), "p", "h", label) for place, label in enumerate(labels)]


def logits(*rows: tuple[float, ...]) -> np.ndarray:
    return np.log(np.array(rows, dtype=np.float32))


def test_of_three_labels_neutral_and_contradiction_together_are_not_entailed() -> None:
    found = asked_in(examples("entailed", "not-entailed"), logits((0.4, 0.3, 0.3), (0.6, 0.3, 0.1)), NLI3, NLI2)
    assert found.labels == NLI2
    assert np.exp(found.logits) == pytest.approx(np.array([[0.4, 0.6], [0.6, 0.4]]), rel=1e-5)
    # Entailment is the likeliest of three, and still less likely than not.
    assert found.said.tolist() == [1, 0]
    assert found.gold.tolist() == [0, 1]


def test_a_two_way_model_is_asked_three_way_tasks_in_two_ways() -> None:
    found = asked_in(examples("entailment", "neutral", "contradiction"), logits(*[(0.9, 0.1)] * 3), NLI2, NLI3)
    assert found.labels == NLI2
    assert found.gold.tolist() == [0, 1, 1]


def test_the_same_labels_are_left_as_they_are() -> None:
    found = asked_in(examples("neutral"), logits((0.2, 0.5, 0.3)), NLI3, NLI3)
    assert np.exp(found.logits) == pytest.approx(np.array([[0.2, 0.5, 0.3]]), rel=1e-5)
    assert found.said.tolist() == found.gold.tolist() == [1]


def test_as_many_answers_as_examples() -> None:
    with pytest.raises(ValueError, match="1 predictions for 2 examples"):
        asked_in(examples("neutral", "neutral"), logits((0.2, 0.5, 0.3)), NLI3, NLI3)


@pytest.mark.parametrize(
    ("labels", "label", "places"),
    [
        (NLI3, "not-entailed", (1, 2)),
        (NLI3, "entailed", (0,)),
        (NLI3, "neutral", (1,)),
        (NLI2, "neutral", (1,)),
        (NLI2, "contradiction", (1,)),
        (NLI2, "entailment", (0,)),
    ],
)
def test_the_outputs_that_a_label_may_be(labels: Labels, label: str, places: tuple[int, ...]) -> None:
    assert labels.places(label) == places

"""Accuracy overall and by label, with the majority baseline."""

from __future__ import annotations

import numpy as np
import pytest

from trivium.data.labels import NLI2, NLI3, SENTIMENT, Labels
from trivium.errors import UserError
from trivium.measure.evaluation import Evaluation, LabelAccuracy, evaluate, scheme_of
from trivium.measure.outputs import AlignedOutputs


def test_accuracy_is_the_share_of_highest_logits_at_the_gold_label() -> None:
    logits = np.eye(3)[[0, 0, 1, 2, 0]]
    assert evaluate(AlignedOutputs(logits, np.array([0, 1, 1, 0, 0]), NLI3)) == Evaluation(
        examples=5,
        accuracy=0.6,
        majority=0.6,
        by_label={"entailment": LabelAccuracy(3, 2 / 3), "neutral": LabelAccuracy(2, 0.5)},
    )


@pytest.mark.parametrize(
    ("names", "model", "scheme"),
    [
        (["neutral"], NLI3, NLI3),
        (["entailed"], NLI3, NLI2),
        (["neutral", "entailment"], NLI2, NLI3),
        (["positive"], SENTIMENT, SENTIMENT),
    ],
)
def test_the_scheme_of_labels_is_the_models_own_or_the_one_that_has_them_all(
    names: list[str], model: Labels, scheme: Labels
) -> None:
    assert scheme_of(names, model) == scheme


def test_labels_of_several_schemes_are_refused() -> None:
    with pytest.raises(UserError, match="no label scheme contains all of entailed, neutral"):
        scheme_of(["neutral", "entailed"], NLI3)

"""Predictions may read another number of tokens than training did."""

from __future__ import annotations

import numpy as np
import pytest

from trivium.data.example import Example
from trivium.errors import UserError
from trivium.learn.config import ModelConfig
from trivium.learn.learner import Learner
from trivium.learn.predicting import reading

LONG = [Example.make("long", "A dog barks " * 20, "An animal barks", "entailment")]


def test_within_the_block_a_learner_reads_as_one_with_that_length() -> None:
    short, long = (Learner(ModelConfig(name="tiny", max_length=length)) for length in (16, 64))
    assert not np.array_equal(short.logits(LONG)["nli"], long.logits(LONG)["nli"])
    before = short.logits(LONG)["nli"]
    with reading(short, 64):
        assert np.array_equal(short.logits(LONG)["nli"], long.logits(LONG)["nli"])
    assert np.array_equal(short.logits(LONG)["nli"], before)


def test_more_tokens_than_the_model_reads_are_a_user_error() -> None:
    learner = Learner(ModelConfig(name="tiny", max_length=16))
    with pytest.raises(UserError, match="read with 9999 tokens, but the model reads at most"), reading(learner, 9999):
        pass

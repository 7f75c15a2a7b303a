"""The linear model of words predicts what scikit-learn's does."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from trivium.data.sources.builtin import Builtin
from trivium.measure.word_model import WordModel


@pytest.mark.parametrize("labels", [2, 3])
def test_predictions_are_those_of_scikit_learn(labels: int) -> None:
    examples = [e for e in Builtin(pairs=900, seed=3).load() if labels == 3 or e.label != "neutral"]
    order = np.random.default_rng(0).permutation(len(examples))
    texts = [str(examples[index].hypothesis) for index in order]
    gold = [str(examples[index].label) for index in order]
    half = len(texts) // 2
    peer = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"(?u)\b\w+\b"),
        LogisticRegression(max_iter=2000, C=3.0),
    )
    expected = peer.fit(texts[:half], gold[:half]).predict(texts[half:])
    found = WordModel(texts[:half], gold[:half]).predict(texts[half:])
    assert np.mean(found == expected) > 0.99
    assert len(set(found)) == labels


def test_a_text_without_known_words_gets_a_label() -> None:
    model = WordModel(["a cat", "a dog", "a dog"], ["no", "yes", "yes"])
    assert model.predict(["", "zebra", "cat"]).tolist() == ["yes", "yes", "no"]

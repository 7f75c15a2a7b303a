"""Pairs of a sentence are judged together, and each as if it were alone."""

from __future__ import annotations

import pytest
from tests.build.conjuncts.marking import marked

from trivium.build.conjuncts.judging import _Judge, judged_pairs
from trivium.build.conjuncts.pairs import pairs
from trivium.build.conjuncts.parsers import make_parser
from trivium.build.conjuncts.replacement import WordReplacer, collect_names
from trivium.build.conjuncts.texts import read_texts


def test_a_pair_has_a_label_or_a_doubt() -> None:
    (trusted, *_) = judged_pairs(marked("He has [a pear] and [a plum]."))
    (doubted, *_) = judged_pairs(marked("It took/VERB [two/NUM] and [a half/NOUN] hours."))
    assert trusted.labelled is not None
    assert not trusted.doubt
    assert (doubted.labelled, doubted.doubt) == (None, "the conjuncts are one number")


@pytest.mark.usefixtures("real_data")
def test_what_is_asked_once_is_what_each_pair_would_be_told() -> None:
    sentences = list(make_parser("light").read(read_texts("conjnli")))
    replacer, asked = WordReplacer(collect_names(sentences), 0), 0
    for sentence in sentences:
        for judged in judged_pairs(sentence, replacer):
            assert judged == _Judge()(judged.pair)
            asked += 1
        backwards = _Judge()
        for pair in reversed(list(pairs(sentence, replacer))):
            assert backwards(pair) == _Judge()(pair)
    assert asked > 2000

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
    found = list(judged_pairs(marked("He has [two/NUM] and [a half/NOUN] pears [and] [plums].")))
    assert found
    assert all((judged.labelled is None) == bool(judged.doubt) for judged in found)


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

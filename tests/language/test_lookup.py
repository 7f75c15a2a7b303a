"""Words are looked up in lemminflect's tables without reading them whole, with the same result."""

from __future__ import annotations

import lemminflect
import pytest
from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec
from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec

from trivium.language.inflection import inflect
from trivium.language.lookup import SortedTable


def test_every_word_has_the_entry_of_the_librarys_own_reader() -> None:
    assert inflect("run", "VBG") == ("running",)
    lemmatizer, inflections = lemminflect.Lemmatizer(), lemminflect.Inflections()
    assert isinstance(lemmatizer.lemma_dict, SortedTable)
    tables = (
        (lemmatizer.lemma_dict, LemmaLUCodec.load(lemmatizer.lemma_lu_fn)),
        (inflections.infl_dict, InflectionLUCodec.load(inflections.infl_lu_fn)),
    )
    for table, expected in tables:
        assert all(list(table.get(word, {}).items()) == list(entry.items()) for word, entry in expected.items())


@pytest.mark.parametrize("word", ["", "aaaa", "zzzz", "run,verb", "ru"])
def test_unknown_words_have_the_default(word: str) -> None:
    inflect("run", "VBG")
    default = {"NN": ("nothing",)}
    assert lemminflect.Inflections().infl_dict.get(word, default) is default

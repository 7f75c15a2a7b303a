"""lemminflect is imported on first use, without spaCy."""

from __future__ import annotations

import subprocess
import sys

import pytest

from trivium.language.inflection import all_inflections, all_lemmas, inflect, lemmatize


def test_words_are_inflected_and_lemmatized() -> None:
    assert inflect("slice", "VBG") == ("slicing",)
    assert inflect("blorp", "VBG", inflect_oov=False) == ()
    assert lemmatize("mice", "NOUN") == ("mouse",)
    assert all_lemmas("mice", upos="NOUN") == {"NOUN": ("mouse",)}
    assert all_inflections("mouse", "NOUN")["NNS"] == ("mice",)


@pytest.mark.parametrize("first", ["", "import spacy"])
def test_lemminflect_is_imported_on_first_use_and_does_not_touch_spacy(first: str) -> None:
    if first:
        pytest.importorskip("spacy")
    code = f"""
import sys
{first}
from trivium.language.inflection import lemmatize
assert "lemminflect" not in sys.modules
lemmatize("mice", "NOUN")
assert "lemminflect" in sys.modules
assert ("spacy" in sys.modules) == {bool(first)}
if "spacy" in sys.modules:
    assert not spacy.tokens.Token.has_extension("inflect")
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)

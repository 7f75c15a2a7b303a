"""Benepar (Kitaev and Klein 2018) on top of spaCy: constituency trees, and the siblings around each conjunction.

It was written against Benepar's documented interface and could not be run where Trivium is developed: no Benepar model
is to be had there. What is tested is how a tree becomes coordinations, and what is said if the package is missing.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from trivium.build.conjuncts.brackets import bracket_coordinations, read_brackets
from trivium.build.conjuncts.parsers import parser
from trivium.build.conjuncts.parsers.light import LightParser
from trivium.build.conjuncts.parsers.spacy import LONGEST, model_name, readable, sentence_of
from trivium.build.conjuncts.sentence import Coordination, Sentence, Span
from trivium.errors import UserError

if TYPE_CHECKING:
    from spacy.tokens import Doc

MODEL: Final = "benepar_en3"


@parser("benepar")
class BeneparParser:
    """Constituency trees of Benepar, words and names of spaCy."""

    name = "benepar"
    about = "Benepar on top of spaCy: constituency trees (install benepar and its model benepar_en3)"

    def is_available(self) -> bool:
        """Whether Benepar, spaCy and an English model of it are installed; its own model may still be missing."""
        return importlib.util.find_spec("benepar") is not None and model_name() is not None

    def read(self, texts: Iterable[str]) -> Iterator[Sentence]:
        """The sentences in order; one that Benepar cannot parse is read as spaCy reads it."""
        light = LightParser()
        for doc, text in _language().pipe(map(readable, texts), as_tuples=True, batch_size=32):
            if len(text) > LONGEST:
                yield from light.read([text])
                continue
            read = sentence_of(doc, text)
            yield replace(read, coordinations=tuple(_coordinations(doc)) or read.coordinations)


def _coordinations(doc: Doc) -> Iterator[Coordination]:
    """The coordinations of each sentence of a document, with words of white space left out."""
    places = {token.i: place for place, token in enumerate(token for token in doc if not token.is_space)}
    for sentence in doc.sents:
        inside = [places[token.i] for token in sentence if token.i in places]
        tree = read_brackets(sentence._.parse_string) if inside else None
        if tree is None or len(tree.words) != len(inside):
            continue
        for one in bracket_coordinations(tree):
            yield _moved(one, inside[0])


def _moved(one: Coordination, by: int) -> Coordination:
    def moved(span: Span) -> Span:
        return Span(span.first + by, span.end + by)

    opener = None if one.opener is None else one.opener + by
    return Coordination(one.conjunction + by, moved(one.left), moved(one.right), opener, tuple(map(moved, one.others)))


@lru_cache(maxsize=1)
def _language() -> Any:
    """spaCy's model with Benepar behind it, loaded once."""
    name = model_name()
    if importlib.util.find_spec("benepar") is None or name is None:
        raise UserError(
            "the parser 'benepar' needs benepar, spaCy and an English model: pip install benepar 'trivium-nli[parse]', "
            "or choose the parser 'light'"
        )
    import benepar  # noqa: F401  (it registers itself with spaCy)
    import spacy

    language = spacy.load(name)
    try:
        language.add_pipe("benepar", config={"model": MODEL})
    except Exception as error:
        raise UserError(f"the parser 'benepar' cannot load {MODEL}: {error} (see benepar.download)") from error
    return language

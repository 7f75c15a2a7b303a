"""The light back end: words, tags and conjuncts by rules and a dictionary. It needs no model and no download."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trivium.build.conjuncts.parallel import parallels
from trivium.build.conjuncts.parsers import parser
from trivium.build.conjuncts.sentence import Name, Sentence, Span
from trivium.build.conjuncts.tokens import Tokens, words_of


@parser("light")
class LightParser:
    """Parallel structure, found by rules."""

    name = "light"
    about = "rules about parallel structure and a dictionary: fast, with no model"

    def is_available(self) -> bool:
        """Always."""
        return True

    def read(self, texts: Iterable[str]) -> Iterator[Sentence]:
        """The sentences in order, one at a time."""
        for text in texts:
            words, tokens = words_of(text)
            yield Sentence(text, words, parallels(tokens), tuple(_names(tokens)))


def _names(tokens: Tokens) -> Iterator[Name]:
    """Runs of words that are written like names; their kind is not known."""
    first: int | None = None
    for place, tag in enumerate((*tokens.tags, "")):
        if tag == "PROPN":
            first = place if first is None else first
        elif first is not None:
            yield Name(Span(first, place), "OTHER")
            first = None

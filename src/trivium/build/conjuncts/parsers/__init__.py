"""Parsers: what reads plain sentences and finds the conjuncts in them. One file for each back end, found by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from trivium.build.conjuncts.sentence import Sentence
from trivium.errors import unknown_name
from trivium.registry import Registry, import_modules


class Parser(Protocol):
    """What a back end is: its name, one line about it, and its reading. Made by calling its class with no arguments."""

    @property
    def name(self) -> str:
        """The name that it is registered under."""

    @property
    def about(self) -> str:
        """One line on how it reads."""

    def is_available(self) -> bool:
        """Whether all that it needs is installed."""

    def read(self, texts: Iterable[str]) -> Iterator[Sentence]:
        """The sentences in order, one for each text, read in batches as they are asked for."""


PARSERS: Registry[Callable[[], Parser]] = Registry("parser")
parser = PARSERS.register
AUTO = "auto"
"""The name of the best back end that is installed: spaCy, else the light one."""


def find_parsers() -> Registry[Callable[[], Parser]]:
    """The registry with every back end that ships with Trivium in it: ``find_parsers()["light"]().read(texts)``."""
    import_modules(__name__)
    return PARSERS


def make_parser(name: str = AUTO) -> Parser:
    """The back end of a name; ``auto`` is spaCy if it is installed, else the light one."""
    parsers = find_parsers()
    if name == AUTO:
        usual = parsers["spacy"]()
        return usual if usual.is_available() else parsers["light"]()
    if name not in parsers:
        raise unknown_name("parser", name, (AUTO, *parsers))
    return parsers[name]()

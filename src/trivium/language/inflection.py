"""Look up lemmas and inflected forms with lemminflect, imported on first use and without spaCy.

If spaCy is installed, lemminflect imports it (and so torch) to add attributes to its tokens. Trivium needs none.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.abc import MetaPathFinder
from types import ModuleType
from typing import Any

from trivium.language.lookup import use_sorted_tables


class _HidePackage(MetaPathFinder):
    """An import hook that makes a package seem not to be installed."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:
        """Raise ModuleNotFoundError for the hidden package, and leave all others to the next finder."""
        if fullname == self.name:
            raise ModuleNotFoundError(f"{fullname} is hidden while lemminflect is imported", name=fullname)


@contextmanager
def _hidden(package: str) -> Iterator[None]:
    """Hide a package from import statements, whether or not it is already imported."""
    finder = _HidePackage(package)
    imported = sys.modules.pop(package, None)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        if imported is not None:
            sys.modules[package] = imported


@cache
def _lemminflect() -> ModuleType:
    with _hidden("spacy"):
        package = importlib.import_module("lemminflect")
    use_sorted_tables(package)
    return package


# Parameters have the same names as in lemminflect.


def all_inflections(lemma: str, upos: str | None = None) -> dict[str, tuple[str, ...]]:
    """Return the known forms of a lemma by Penn tag."""
    forms: dict[str, tuple[str, ...]] = _lemminflect().getAllInflections(lemma, upos)
    return forms


def all_lemmas(word: str, upos: str | None = None) -> dict[str, tuple[str, ...]]:
    """Return the known lemmas of a word by universal part of speech."""
    lemmas: dict[str, tuple[str, ...]] = _lemminflect().getAllLemmas(word, upos)
    return lemmas


def inflect(lemma: str, tag: str, inflect_oov: bool = True) -> tuple[str, ...]:
    """Return the forms of a lemma with a Penn tag. Unknown words are inflected by rule if ``inflect_oov``."""
    forms: tuple[str, ...] = _lemminflect().getInflection(lemma, tag, inflect_oov)
    return forms


def lemmatize(word: str, upos: str, lemmatize_oov: bool = True) -> tuple[str, ...]:
    """Return the lemmas of a word with a part of speech. Unknown words are lemmatized by rule if ``lemmatize_oov``."""
    lemmas: tuple[str, ...] = _lemminflect().getLemma(word, upos, lemmatize_oov)
    return lemmas

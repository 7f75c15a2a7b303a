"""The dictionary of word forms: lemminflect, imported without the spaCy that it would bring along.

lemminflect imports spaCy wherever it is installed, only to add attributes to its tokens, and spaCy imports torch. Data
and building must not wait for either.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from typing import Any


class _Hidden(MetaPathFinder):
    """Says that a package is not there."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:
        """Raise for the hidden package, and leave all others to the next finder."""
        if fullname == self.name:
            raise ModuleNotFoundError(f"{fullname} is hidden while lemminflect is imported", name=fullname)


@contextmanager
def _without(name: str) -> Iterator[None]:
    finder = _Hidden(name)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


with _without("spacy"):
    _lemminflect = importlib.import_module("lemminflect")

getAllInflections = _lemminflect.getAllInflections  # noqa: N816  (the names that lemminflect gives them)
getAllLemmas = _lemminflect.getAllLemmas  # noqa: N816
getInflection = _lemminflect.getInflection  # noqa: N816
getLemma = _lemminflect.getLemma  # noqa: N816

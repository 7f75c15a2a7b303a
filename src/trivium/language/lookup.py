"""The tables of lemminflect, of which only the lines that are looked up are parsed.

Its own reader parses all 120,000 lines on first use, which takes longer than everything else that most commands do.
"""

from __future__ import annotations

import gzip
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

Forms = dict[str, tuple[str, ...]]
_VERSION = "0.2.3"  # of lemminflect, whose tables are sorted by word


def _word(line: str) -> str:
    return line.partition(",")[0]


class SortedTable:
    """A table with the interface that lemminflect needs: ``get``. ``exceptions`` replace what the file says."""

    def __init__(self, file: Path, parse: Callable[[str], Forms], exceptions: Mapping[str, Forms]) -> None:
        self._lines = gzip.decompress(file.read_bytes()).decode("utf-8").splitlines()
        self._parse, self._exceptions = parse, exceptions
        self._find = lru_cache(maxsize=1 << 14)(self._parse_lines)

    def get(self, word: str, default: Forms) -> Forms:
        """Return what is known of a word; callers copy it before they change it."""
        return self._find(word) or default

    def _parse_lines(self, word: str) -> Forms | None:
        if word in self._exceptions:
            return self._exceptions[word]
        start = bisect_left(self._lines, word, key=_word)
        end = bisect_right(self._lines, word, lo=start, key=_word)
        forms: Forms = {}
        for line in self._lines[start:end]:
            forms.update(self._parse(line))
        return forms or None


def use_sorted_tables(lemminflect: Any) -> None:
    """Let lemminflect look words up in its files instead of reading them whole; do nothing for another version."""
    if lemminflect.__version__ != _VERSION:
        return
    from lemminflect.codecs.InflectionLUCodec import InflectionLUCodec
    from lemminflect.codecs.LemmaLUCodec import LemmaLUCodec
    from lemminflect.core.LexicalUtils import categoryToUPos

    def parse_lemmas(line: str) -> Forms:
        _, category, lemmas = LemmaLUCodec.fromString(line)
        return {categoryToUPos(category): lemmas}

    def parse_inflections(line: str) -> Forms:
        forms: Forms = InflectionLUCodec.fromString(line)[2]
        return forms

    inflections, lemmatizer = lemminflect.Inflections(), lemminflect.Lemmatizer()
    auxiliaries = InflectionLUCodec.updateForAuxMod({})
    inflections.infl_dict = SortedTable(Path(inflections.infl_lu_fn), parse_inflections, auxiliaries)
    lemmatizer.lemma_dict = SortedTable(Path(lemmatizer.lemma_lu_fn), parse_lemmas, {})

"""The kinds of reasoning that examples of ANLI need, annotated by Williams et al. (2020, version 0.2)."""

from __future__ import annotations

from pathlib import Path

from trivium.data.locate import are_available, find_file
from trivium.data.tsv import read_quoted
from trivium.errors import UserError, did_you_mean

CATEGORIES = ("Numerical", "Basic", "Reference", "Tricky", "Reasoning", "Imperfections")
"""The top-level categories, in the order of CFL's tables."""

_NAMES = {"Imperfection": "Imperfections", "Quality": "Imperfections", "References": "Reference"}
_IGNORED = frozenset({"EventCoref"})  # a code that is written without a category


def annotation_file(round: str) -> str:
    """Return the path in the manifest of the annotations of a round's dev part."""
    return f"anli/anli_annot_v0.2/ANLI_analysis_{round.lower()}_dev.csv"


def is_annotated(round: str) -> bool:
    """Return whether the annotations of a round are on this machine."""
    return are_available(annotation_file(round))


def load_reasoning(round: str) -> dict[str, tuple[str, ...]]:
    """Return the categories of each annotated example of a round's dev part, by its ``uid``."""
    return read_reasoning(find_file(annotation_file(round)))


def read_reasoning(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the distinct categories of each example of a file, by its ``uid``, in the order of ``CATEGORIES``."""
    categories = {}
    for where, fields in read_quoted(path, ("uid", "A1Code")):
        names = {_category(code.strip(), where) for code in fields["A1Code"].split(",") if code.strip()}
        categories[fields["uid"]] = tuple(name for name in CATEGORIES if name in names)
    return categories


def _category(code: str, where: str) -> str | None:
    """Return the top-level category of a code such as ``Basic-Lexical-Dissimilar``, or None if it has none."""
    name = code.partition("-")[0].strip()
    name = _NAMES.get(name, name)
    if name in _IGNORED:
        return None
    if name not in CATEGORIES:
        raise UserError(f"{where}: unknown category in the code {code!r}: {did_you_mean(name, CATEGORIES)}")
    return name

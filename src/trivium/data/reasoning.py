"""Which reasoning an example of ANLI needs: the annotations of Williams et al. (2020, version 0.2)."""

from __future__ import annotations

from pathlib import Path

from trivium.data.locate import are_there, find_file
from trivium.data.tsv import read_quoted
from trivium.errors import UserError, did_you_mean

CATEGORIES = ("Numerical", "Basic", "Reference", "Tricky", "Reasoning", "Imperfections")
"""The top-level categories, in the order of CFL's tables."""

_NAMES = {"Imperfection": "Imperfections", "Quality": "Imperfections", "References": "Reference"}
_ALONE = frozenset({"EventCoref"})  # a code that stands without its category, and for none here


def annotation_file(round: str) -> str:
    """The path of the annotations of a round's dev part in the manifest."""
    return f"anli/anli_annot_v0.2/ANLI_analysis_{round.lower()}_dev.csv"


def is_annotated(round: str) -> bool:
    """Whether the annotations of a round are on this machine."""
    return are_there(annotation_file(round))


def load_reasoning(round: str) -> dict[str, tuple[str, ...]]:
    """The categories of each annotated example of a round's dev part, by its ``uid``."""
    return read_reasoning(find_file(annotation_file(round)))


def read_reasoning(path: Path) -> dict[str, tuple[str, ...]]:
    """The categories of each example of a file, each once, in their usual order."""
    found = {}
    for where, fields in read_quoted(path, ("uid", "A1Code")):
        named = {_category(code.strip(), where) for code in fields["A1Code"].split(",") if code.strip()}
        found[fields["uid"]] = tuple(name for name in CATEGORIES if name in named)
    return found


def _category(code: str, where: str) -> str | None:
    """The top-level category of a code such as ``Basic-Lexical-Dissimilar``."""
    name = code.partition("-")[0].strip()
    name = _NAMES.get(name, name)
    if name in _ALONE:
        return None
    if name not in CATEGORIES:
        raise UserError(f"{where}: unknown category in the code {code!r}: {did_you_mean(name, CATEGORIES)}")
    return name

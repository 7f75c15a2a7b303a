"""What a correction is made of: a few corrections that a person wrote, and a guard of what must not be forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from trivium.data.example import Example, Key, key_of
from trivium.data.jsonl import read_objects
from trivium.data.labels import NLI2, NLI3, SENTIMENT, Labels
from trivium.data.sources import find_sources, load_source
from trivium.data.split import Split
from trivium.data.tables import read_pairs
from trivium.errors import UserError
from trivium.models.classifiers import HEAD
from trivium.seeds import stream

FEWEST, MOST = 5, 50
_SMALLEST_GUARD = 30
_USUAL_GUARD = 1000
_MOST_REMEMBERED = 200
_REMEMBERED_SHARE = 3  # at most one of so many
_USUAL_GUARDS = ("snli", "sick-semeval")
_BUILTIN = "builtin"
_TABLES = (".csv", ".tsv")
_SHOWN = 5


@dataclass(frozen=True)
class Corrections:
    """The corrections of a file, each once, and how many lines said the same as an earlier one."""

    file: Path
    examples: tuple[Example, ...]
    repeated: int = 0


@dataclass(frozen=True)
class Guard:
    """What must not be forgotten: a share that methods may remember, and the rest, which only measures.

    Left out are ``taken_out`` examples that are corrections too, ``contradicting`` ones that had two labels, and
    ``repeated`` ones that said the same as an earlier one.
    """

    name: str
    remembered: tuple[Example, ...]
    measured: tuple[Example, ...]
    taken_out: int = 0
    repeated: int = 0
    contradicting: int = 0


class _Line(NamedTuple):
    where: str
    example: Example


def read_corrections(file: Path, labels: Labels) -> Corrections:
    """The corrections of a split file, in the labels of a model; an error names file and lines."""
    lines = _read_lines(file, labels)
    found: dict[Key, _Line] = {}
    clashes: list[str] = []
    for line in lines:
        known = found.setdefault(key_of(line.example), line)
        if known.example.label != line.example.label:
            clashes.append(f"{_number(known)} ({known.example.label}) and {_number(line)} ({line.example.label})")
    if clashes:
        more = f", and {len(clashes) - _SHOWN} more" if len(clashes) > _SHOWN else ""
        what = "text" if labels == SENTIMENT else "pair"
        raise UserError(
            f"{file}: the same {what} has two labels in lines {'; '.join(clashes[:_SHOWN])}{more}: keep one of them"
        )
    examples = tuple(line.example for line in found.values())
    if not FEWEST <= len(examples) <= MOST:
        raise UserError(
            f"{file}: there are {len(examples)} different corrections in it, and {FEWEST} to {MOST} are read"
        )
    return Corrections(file, examples, len(lines) - len(examples))


def choose_guard(file: Path | None, labels: Labels, corrected: Iterable[Example], seed: int) -> Guard:
    """The guard of a file, or the usual one, divided by the seed; what is corrected or has two labels is taken out.

    Of n examples the first min(200, n / 3) in a random order are remembered. The order does not depend on what is
    corrected, so that a later correction measures by the same examples.
    """
    name, every = _usual_guard(labels, seed) if file is None else (str(file), _guard_of(file, labels))
    first: dict[Key, Example] = {}
    clashing: set[Key] = set()
    for example in every:
        key = key_of(example)
        if first.setdefault(key, example).label != example.label:
            clashing.add(key)
    once = [example for key, example in first.items() if key not in clashing]
    if len(once) < _SMALLEST_GUARD:
        left_out = f" ({len(clashing)} with two labels are left out)" if clashing else ""
        raise UserError(
            f"{name}: there are {len(once)} different examples{left_out}, and a guard has at least {_SMALLEST_GUARD}"
        )
    order = stream(seed, "data", "guard").permutation(len(once))
    share = min(_MOST_REMEMBERED, len(once) // _REMEMBERED_SHARE)
    known = {key_of(example) for example in corrected}
    parts = [[once[place] for place in sorted(places)] for places in (order[:share], order[share:])]
    remembered, measured = ([one for one in part if key_of(one) not in known] for part in parts)
    gone = len(once) - len(remembered) - len(measured)
    if not remembered or not measured:
        raise UserError(f"{name}: nothing is left of the guard, for all of it is corrections too")
    repeated = sum(key_of(example) not in clashing for example in every) - len(once)
    return Guard(name, tuple(remembered), tuple(measured), gone, repeated, len(clashing))


def guard_size(measured: int) -> int:
    """How large a guard must be for so many of its examples to measure."""
    size = measured
    while size - min(_MOST_REMEMBERED, size // _REMEMBERED_SHARE) < measured:
        size += 1
    return size


def folds_of(examples: Sequence[Example], number: int, seed: int) -> list[list[int]]:
    """The places of examples in folds of about the same size, each label spread over them as far as it goes."""
    rng = stream(seed, "data", "folds")
    dealt: list[int] = []
    for label in sorted({str(example.label) for example in examples}):
        mine = [place for place, example in enumerate(examples) if example.label == label]
        dealt += [mine[place] for place in rng.permutation(len(mine))]
    return [sorted(dealt[first::number]) for first in range(number)]


def numbers_of(examples: Sequence[Example], labels: Labels) -> NDArray[np.intp]:
    """The number of each example's label."""
    return np.array([labels.index(str(example.label)) for example in examples], dtype=np.intp)


def _usual_guard(labels: Labels, seed: int) -> tuple[str, list[Example]]:
    if labels not in (NLI3, NLI2):
        raise UserError(
            f"a model with the labels {' and '.join(labels.names)} has no usual guard: name a split file of what it "
            "must not forget with --guard"
        )
    for name in _USUAL_GUARDS:
        if find_sources()[name]().is_there():
            found = [example for example in load_source(name) if example.fact("part") == "test"]
            title = f"{name}, test part"
            break
    else:
        found, title = list(load_source(_BUILTIN)), "the built-in grammar"
    chosen = stream(seed, "data", "usual guard").permutation(len(found))[:_USUAL_GUARD]
    drawn = [found[place] for place in sorted(chosen)]
    return title, [_fitted(example, NLI3, labels) for example in drawn if example.label is not None]


def _guard_of(file: Path, labels: Labels) -> list[Example]:
    return [line.example for line in _read_lines(file, labels)]


def _read_lines(file: Path, labels: Labels) -> list[_Line]:
    """The examples of a split file with the line of each, in the labels of a model; each must have one."""
    split = _read(file, labels)
    if split.labels not in (labels, NLI3) or (split.labels == NLI3 and labels not in (NLI3, NLI2)):
        raise UserError(
            f"{file}: its labels are {', '.join(split.labels.names)}, and the model knows {', '.join(labels.names)}"
        )
    found = []
    for number, example in zip(_numbers(file), split, strict=True):
        where = f"{file}:{number}"
        if example.label is None:
            raise UserError(f"{where}: the label is missing")
        _check_texts(example, labels, where)
        found.append(_Line(where, _fitted(example, split.labels, labels)))
    return found


def _read(file: Path, labels: Labels) -> Split:
    if file.suffix in _TABLES:
        return read_pairs(file, require_labels=True)
    try:
        return Split.read(file)
    except UserError as error:
        if labels == NLI3 or "for the scheme nli3" not in str(error):
            raise
        first = f'{{"labels": "{labels.name}"}}'
        raise UserError(
            f"{error} (the model knows {', '.join(labels.names)}: the file's first line is {first})"
        ) from None


def _numbers(file: Path) -> list[int]:
    """Return the line of each example; of a table, its row after the header."""
    if file.suffix in _TABLES:
        return list(range(2, len(read_pairs(file)) + 2))
    if file.suffix == ".parquet":
        return list(range(1, pq.read_metadata(file).num_rows + 1))
    return [number for number, row in read_objects(file) if not (number == 1 and set(row) == {"labels"})]


def _check_texts(example: Example, labels: Labels, where: str) -> None:
    if labels == SENTIMENT and example.hypothesis is not None:
        raise UserError(f"{where}: the model reads one text: 'hypothesis' must be null, not {example.hypothesis!r}")
    if labels != SENTIMENT and example.hypothesis is None:
        raise UserError(f"{where}: the model reads pairs: 'hypothesis' must be text, not null")
    if not example.premise.strip() or (example.hypothesis is not None and not example.hypothesis.strip()):
        raise UserError(f"{where}: a text is empty")


def _fitted(example: Example, scheme: Labels, labels: Labels) -> Example:
    """An example as a classifier is asked it: by its one head, in its labels."""
    return replace(example, task=HEAD, facts=(), parts=(), label=scheme.mapped(str(example.label), labels))


def _number(line: _Line) -> str:
    return line.where.rpartition(":")[2]

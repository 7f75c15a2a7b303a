"""The data of a correction: the corrections of a user, and the guard: examples that must not be forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trivium.data.example import Example, Key, key_of
from trivium.data.labels import NLI2, NLI3, SENTIMENT, Labels
from trivium.data.sources import find_sources, load_source
from trivium.data.table_rows import line_of
from trivium.data.tables import LABELLED, Data, ReadOptions, name_of, read_data
from trivium.errors import UserError, option
from trivium.models.classifiers import HEAD
from trivium.seeds import stream

_MIN_CORRECTIONS, _MAX_CORRECTIONS = 5, 50
_MIN_GUARD = 30
_MAX_REMEMBERED = 200
_REMEMBERED_SHARE = 3  # at most one in three examples of the guard is remembered
_DEFAULT_GUARDS = ("snli", "sick-semeval")  # the first that is available is used
_DEFAULT_GUARD_SIZE = 1000
_REPLAYED = 2000
_BUILTIN = "builtin"
_MAX_CLASHES = 5  # texts with two labels listed in an error


@dataclass(frozen=True)
class Corrections:
    """The corrections of a file or a named set without duplicates, and the number of duplicates (``repeated``).

    ``notes`` say how the file was read.
    """

    file: Path | str
    examples: tuple[Example, ...]
    repeated: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Guard:
    """Examples that must not be forgotten.

    Attributes:
        remembered: Examples that methods may replay.
        measured: The other examples, which only measure the loss.
        also_corrections: The number of examples left out because they are corrections too.
        repeated: The number of duplicates left out.
        contradicting: The number of examples left out because they occur with two labels.
        notes: How the file was read.
    """

    name: str
    remembered: tuple[Example, ...]
    measured: tuple[Example, ...]
    also_corrections: int = 0
    repeated: int = 0
    contradicting: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReplayPool:
    """Examples like those that a model was trained on, which a lesson replays, and where they come from."""

    name: str = ""
    examples: tuple[Example, ...] = ()
    notes: tuple[str, ...] = ()


class _Line(NamedTuple):
    where: str
    example: Example


def read_corrections(data: Data, labels: Labels, columns: ReadOptions = LABELLED) -> Corrections:
    """Return the corrections of a file, or of examples in another form, in the label scheme of a model.

    Raise, with the lines, if a text occurs with two labels, or if there are too few or too many corrections.
    """
    file = name_of(data, "examples")
    lines, notes = _read_lines(data, labels, "examples", columns)
    first: dict[Key, _Line] = {}
    clashes: list[str] = []
    for line in lines:
        earlier = first.setdefault(key_of(line.example), line)
        if earlier.example.label != line.example.label:
            both = (f"{line_of(each.where)} ({each.example.label})" for each in (earlier, line))
            clashes.append(" and ".join(both))
    if clashes:
        more = f", and {len(clashes) - _MAX_CLASHES} more" if len(clashes) > _MAX_CLASHES else ""
        unit = "text" if labels == SENTIMENT else "pair"
        raise UserError(
            f"{file}: the same {unit} has two labels in {'; '.join(clashes[:_MAX_CLASHES])}{more}: keep one of them"
        )
    examples = tuple(line.example for line in first.values())
    if not _MIN_CORRECTIONS <= len(examples) <= _MAX_CORRECTIONS:
        raise UserError(
            f"{file}: contains {len(examples)} different corrections, but must contain {_MIN_CORRECTIONS} to "
            f"{_MAX_CORRECTIONS}"
        )
    return Corrections(file, examples, len(lines) - len(examples), notes)


def choose_guard(
    data: Data | None,
    labels: Labels,
    corrected: Iterable[Example],
    seed: int,
    columns: ReadOptions = LABELLED,
) -> Guard:
    """Return the guard of a user, or the default guard, without corrected examples and those with two labels.

    Of n examples the first min(200, n / 3) in a random order are remembered. The order depends only on the seed, not
    on what is corrected, so that a later correction is measured on the same examples.
    """
    notes: tuple[str, ...] = ()
    if data is None:
        name, examples = _default_guard(labels, seed)
    else:
        lines, notes = _read_lines(data, labels, "guard", columns)
        name, examples = name_of(data, "guard"), [line.example for line in lines]
    first: dict[Key, Example] = {}
    clashing: set[Key] = set()
    for example in examples:
        key = key_of(example)
        if first.setdefault(key, example).label != example.label:
            clashing.add(key)
    unique = [example for key, example in first.items() if key not in clashing]
    if len(unique) < _MIN_GUARD:
        left_out = f" ({len(clashing)} with two labels are left out)" if clashing else ""
        raise UserError(
            f"{name}: contains {len(unique)} different examples{left_out}, but a guard must have at least {_MIN_GUARD}"
        )
    order = stream(seed, "data", "guard").permutation(len(unique))
    number = min(_MAX_REMEMBERED, len(unique) // _REMEMBERED_SHARE)
    excluded = {key_of(example) for example in corrected}
    parts = [[unique[index] for index in sorted(indices)] for indices in (order[:number], order[number:])]
    remembered, measured = ([example for example in part if key_of(example) not in excluded] for part in parts)
    also_corrections = len(unique) - len(remembered) - len(measured)
    if not remembered or not measured:
        raise UserError(
            f"{name}: too many examples of the guard are corrections too: choose another with {option('guard')}"
        )
    repeated = sum(key_of(example) not in clashing for example in examples) - len(unique)
    return Guard(name, tuple(remembered), tuple(measured), also_corrections, repeated, len(clashing), notes)


def guard_size(measured: int) -> int:
    """Return the size of a guard that has ``measured`` measured examples."""
    size = measured
    while size - min(_MAX_REMEMBERED, size // _REMEMBERED_SHARE) < measured:
        size += 1
    return size


def choose_replay(
    data: Data | None, labels: Labels, excluded: Iterable[Example], seed: int, columns: ReadOptions = LABELLED
) -> ReplayPool:
    """Return up to 2,000 examples to replay: of a user's file, or of the parts of public data that do not test.

    None of them is in ``excluded``. A model that is not of NLI has nothing to replay by default.
    """
    notes: tuple[str, ...] = ()
    if data is not None:
        lines, notes = _read_lines(data, labels, "replay", columns)
        name, examples = name_of(data, "replay"), [line.example for line in lines]
    elif labels in (NLI3, NLI2):
        name, pool = _public_pairs("dev", "trial")
        examples = [_adapted(example, NLI3, labels) for example in pool if example.label is not None]
    else:
        return ReplayPool()
    taken = {key_of(example) for example in excluded}
    unique = list({key_of(e): e for e in examples if key_of(e) not in taken}.values())
    chosen = stream(seed, "data", "replay").permutation(len(unique))[:_REPLAYED]
    return ReplayPool(name, tuple(unique[index] for index in sorted(chosen)), notes)


def folds_of(groups: Sequence[str], labels: Sequence[str], number: int, seed: int) -> list[list[int]]:
    """Return the indices of the examples of each fold, given the group and the label of each example.

    Groups are never divided. The largest are assigned first, each to the fold that has the fewest examples, and among
    these to the one with the fewest of the group's first label. There are fewer folds if there are fewer groups.
    """
    members: dict[str, list[int]] = {}
    for index, group in enumerate(groups):
        members.setdefault(group, []).append(index)
    names = list(members)
    order = [names[i] for i in stream(seed, "data", "folds").permutation(len(names))]
    order.sort(key=lambda name: (-len(members[name]), labels[members[name][0]]))
    folds: list[list[int]] = [[] for _ in range(min(number, len(order)))]
    for name in order:
        label = labels[members[name][0]]
        smallest = min(folds, key=lambda fold: (len(fold), sum(labels[index] == label for index in fold)))
        smallest += members[name]
    return [sorted(fold) for fold in folds]


def label_indices(examples: Sequence[Example], labels: Labels) -> NDArray[np.intp]:
    """Return the index of the label of each example."""
    return np.array([labels.index(str(example.label)) for example in examples], dtype=np.intp)


def _default_guard(labels: Labels, seed: int) -> tuple[str, list[Example]]:
    """Return a sample of the first available public data set, or of the built-in grammar, and its name."""
    if labels not in (NLI3, NLI2):
        raise UserError(
            f"no default guard for a model with the labels {' and '.join(labels.names)}: give a file of examples that "
            f"it must not forget with {option('guard')}"
        )
    title, examples = _public_pairs("test")
    chosen = stream(seed, "data", "usual guard").permutation(len(examples))[:_DEFAULT_GUARD_SIZE]
    sample = [examples[index] for index in sorted(chosen)]
    return title, [_adapted(example, NLI3, labels) for example in sample if example.label is not None]


def _public_pairs(*parts: str) -> tuple[str, list[Example]]:
    """Return the pairs of a part of the first available public data set, or of the built-in grammar, and their name.

    ``parts`` are the names that the data sets have for it.
    """
    for name in _DEFAULT_GUARDS:
        if find_sources()[name]().is_available():
            return f"{name}, {parts[0]} part", [pair for pair in load_source(name) if pair.fact("part") in parts]
    return "the built-in grammar", list(load_source(_BUILTIN))


def read_examples(data: Data, labels: Labels, parameter: str, columns: ReadOptions = LABELLED) -> list[Example]:
    """Return labelled examples of a user in the label scheme of a model."""
    return [line.example for line in _read_lines(data, labels, parameter, columns)[0]]


def _read_lines(
    data: Data, labels: Labels, parameter: str, columns: ReadOptions
) -> tuple[list[_Line], tuple[str, ...]]:
    """Return examples in the label scheme of a model, with their locations, and how they were read."""
    file = name_of(data, parameter)
    table = read_data(data, parameter, columns)
    split = table.split
    if split.labels not in (labels, NLI3) or (split.labels == NLI3 and labels not in (NLI3, NLI2)):
        raise UserError(
            f"{file}: its labels are {', '.join(split.labels.names)}, but those of the model are "
            f"{', '.join(labels.names)}"
        )
    lines = []
    for where, example in zip(table.where, split, strict=True):
        if example.label is None:
            raise UserError(f"{where}: the label is missing: add it, or remove the row")
        _check_texts(example, labels, where)
        lines.append(_Line(where, _adapted(example, split.labels, labels)))
    return lines, tuple(table.notes(file))


def _check_texts(example: Example, labels: Labels, where: str) -> None:
    if labels == SENTIMENT and example.hypothesis is not None:
        raise UserError(f"{where}: the model reads one text: 'hypothesis' must be null, not {example.hypothesis!r}")
    if labels != SENTIMENT and example.hypothesis is None:
        raise UserError(f"{where}: the model reads pairs: 'hypothesis' must be text, not null")
    if not example.premise.strip() or (example.hypothesis is not None and not example.hypothesis.strip()):
        raise UserError(f"{where}: the premise or the hypothesis is empty: fill it in, or remove the row")


def _adapted(example: Example, scheme: Labels, labels: Labels) -> Example:
    """Return an example as a classifier expects it: with the task of its only head, and in its label scheme."""
    return replace(adapted(example), label=scheme.map_to(str(example.label), labels))


def adapted(example: Example) -> Example:
    """Return an example with the task of a classifier's only head, and without facts and parts."""
    return replace(example, task=HEAD, facts=(), parts=())

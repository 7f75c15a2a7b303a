"""Verify data by hand: draw a sample, write answer sheets for annotators, and read them (C²Gen, section 5.1)."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from trivium.data.cells import guarded_row, without_guard
from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.data.locate import read_text
from trivium.errors import UserError, did_you_mean
from trivium.saving import write_text

if TYPE_CHECKING:
    import numpy as np

ANSWER, NOTE, CAUSE = "answer", "note", "cause"
CAUSES = ("ambiguity", "veridicality bias", "accumulated primitive error", "looseness", "phrasal verb", "slip")
"""The causes of disagreement listed by the authors of C²Gen, for the column ``cause``; other text is allowed too."""

_PAIR_COLUMNS = ("id", "inference", "premise", "hypothesis")


@dataclass(frozen=True)
class Item:
    """A pair to annotate: its type of inference, its sentences, and the label that it was built with."""

    inference: str
    premise: str
    hypothesis: str
    label: str

    @property
    def id(self) -> str:
        """A hash of what annotators see, which detects edited sentences and sheets of another sample.

        It starts with a letter, because a spreadsheet would read ids such as 0779529974 and 781e31 as numbers.
        """
        content = "\0".join((self.inference, self.premise, self.hypothesis))
        return f"p{hashlib.sha256(content.encode()).hexdigest()[:10]}"


def draw_items(examples: Iterable[Example], number: int, rng: np.random.Generator) -> list[Item]:
    """Return the pairs of ``number`` random examples and of all their parts, in random order and without duplicates.

    The sample is stratified: each combination of labels (for compositions, each of the nine types) has about equally
    many examples.
    """
    strata: dict[tuple[str | None, ...], dict[tuple[str, str], Example]] = {}
    for example in examples:
        if any(row.label is None or row.hypothesis is None for row in example.rows()):
            raise UserError(
                f"example {example.id!r} has no label or no hypothesis: only labelled pairs can be verified"
            )
        labels = tuple(row.label for row in example.rows())
        strata.setdefault(labels, {})[example.premise, str(example.hypothesis)] = example
    available = sum(map(len, strata.values()))
    if number > available:
        raise UserError(f"cannot draw a sample of {number} from {available} examples: choose a smaller sample")
    chosen = _draw_evenly([list(stratum.values()) for stratum in strata.values()], number, rng)
    rows = [row for example in chosen for row in example.rows()]
    items = {item.id: item for item in (_item(row) for row in rows)}
    order = rng.permutation(len(items))
    return [list(items.values())[index] for index in order]


def _draw_evenly(strata: Sequence[list[Example]], number: int, rng: np.random.Generator) -> list[Example]:
    shuffled = [[stratum[i] for i in rng.permutation(len(stratum))] for stratum in strata]
    order = rng.permutation(len(shuffled))
    chosen: list[Example] = []
    while len(chosen) < number:
        chosen += [shuffled[index].pop() for index in order if shuffled[index]]
    return chosen[:number]


def _item(row: Example) -> Item:
    return Item(row.task, row.premise, str(row.hypothesis), str(row.label))


def write_sheet(items: Iterable[Item], path: Path) -> None:
    """Write an answer sheet: the pairs without labels, with empty columns for answer and note."""
    rows = [(item.id, item.inference, item.premise, item.hypothesis, "", "") for item in items]
    write_csv(path, (*_PAIR_COLUMNS, ANSWER, NOTE), rows)


def write_key(items: Iterable[Item], path: Path) -> None:
    """Write the pairs of a sheet with the labels that they were built with."""
    rows = [(item.id, item.inference, item.premise, item.hypothesis, item.label) for item in items]
    write_csv(path, (*_PAIR_COLUMNS, "label"), rows)


def read_labels(path: Path) -> Labels:
    """Return the label scheme of a key: two-way if its first label is a two-way label, else three-way."""
    first = next((row["label"].strip().lower() for _, row in read_csv(path, ("label",))), "")
    return NLI2 if first in NLI2.names else NLI3


def read_key(path: Path, labels: Labels) -> dict[str, Item]:
    """Return the items of a key by id."""
    items = {}
    for where, row in read_csv(path, (*_PAIR_COLUMNS, "label")):
        item = Item(row["inference"], row["premise"], row["hypothesis"], labels.parse(row["label"], where))
        if item.id != row["id"]:
            raise UserError(f"{where}: the pair {row['id']!r} was changed after the sample was drawn: restore its text")
        items[item.id] = item
    return items


@dataclass(frozen=True)
class Sheet:
    """The answers and notes of one annotator by pair id; pairs without an answer are not in ``answers``."""

    path: Path
    answers: Mapping[str, str]
    notes: Mapping[str, str]


def read_sheet(path: Path, key: Mapping[str, Item], labels: Labels) -> Sheet:
    """Read an answer sheet and check that its pairs are those of a key, each once and unchanged."""
    answers: dict[str, str] = {}
    notes: dict[str, str] = {}
    lines: dict[str, str] = {}
    for where, row in read_csv(path, (*_PAIR_COLUMNS, ANSWER)):
        item = Item(row["inference"], row["premise"], row["hypothesis"], "")
        if row["id"] not in key:
            raise UserError(f"{where}: the pair {row['id']!r} is not in this sample: use the sheet of this sample")
        if item.id != row["id"]:
            raise UserError(f"{where}: the pair {row['id']!r} was changed after the sample was drawn: restore its text")
        if row["id"] in lines:
            raise UserError(f"{where}: duplicate pair {row['id']!r}, first at {lines[row['id']]}")
        lines[row["id"]] = where
        if row[ANSWER].strip():
            answers[row["id"]] = labels.parse(row[ANSWER], where)
        notes[row["id"]] = row.get(NOTE) or ""
    missing = [id for id in key if id not in lines]
    if missing:
        raise UserError(
            f"{path}: {len(missing)} of {len(key)} pairs of the sample are missing, such as {missing[0]}: restore them"
        )
    return Sheet(path, answers, notes)


def write_answers(sheet: Sheet, key: Mapping[str, Item]) -> None:
    """Write the answers and notes of a sheet to its file, in the order in which its pairs were read."""
    rows = [
        (id, item.inference, item.premise, item.hypothesis, sheet.answers.get(id, ""), sheet.notes.get(id, ""))
        for id, item in ((id, key[id]) for id in sheet.notes)
    ]
    write_csv(sheet.path, (*_PAIR_COLUMNS, ANSWER, NOTE), rows)


def read_causes(path: Path) -> dict[str, str]:
    """Return the causes noted in a list of disagreements by pair id; empty if the file does not exist."""
    if not path.exists():
        return {}
    return {row["id"]: row[CAUSE].strip() for _, row in read_csv(path, ("id", CAUSE))}


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a CSV file with a byte order mark, so that spreadsheets read it as UTF-8, and without formulas."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows(map(guarded_row, rows))
    write_text(path, "\ufeff" + text.getvalue())


def read_csv(path: Path, columns: Sequence[str]) -> Iterable[tuple[str, dict[str, str]]]:
    """Yield each row with its location (``file:line``). Fields may be separated by commas, semicolons or tabs."""
    text = read_text(path)
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restval="")
    try:
        names = list(reader.fieldnames or ())
    except csv.Error as error:
        raise UserError(f"{path}:1: invalid CSV ({error})") from None
    if missing := [column for column in columns if column not in names]:
        hint = did_you_mean(missing[0], names)
        raise UserError(f"{path}: missing column {', '.join(map(repr, missing))}: {hint}")
    try:
        for row in reader:
            if None in row:
                raise UserError(
                    f"{path}:{reader.line_num}: more fields than columns in the first line: add quotes around the text"
                )
            texts = {name: without_guard(value) for name, value in row.items()}
            if any(text.strip() for text in texts.values()):
                yield f"{path}:{reader.line_num}", texts
    except csv.Error as error:
        raise UserError(f"{path}:{reader.line_num}: invalid CSV ({error})") from None

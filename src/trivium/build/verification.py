"""Human verification: a random sample as answer sheets for people to fill in (C²Gen, section 5.1)."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.data.locate import read_text
from trivium.errors import UserError, did_you_mean
from trivium.saving import write_text

ANSWER, NOTE, CAUSE = "answer", "note", "cause"
CAUSES = ("ambiguity", "veridicality bias", "accumulated primitive error", "looseness", "phrasal verb", "slip")
"""What the authors of C²Gen found behind disagreements, for the column ``cause``; other words are taken too."""

_PAIR = ("id", "inference", "premise", "hypothesis")


@dataclass(frozen=True)
class Item:
    """A pair to judge: its kind of inference, its sentences, and the label that it was built with."""

    inference: str
    premise: str
    hypothesis: str
    label: str

    @property
    def id(self) -> str:
        """A hash of what a person sees: a sheet of another sample, or with an edited sentence, is noticed.

        It begins with a letter that makes it a word to a spreadsheet, which takes 0779529974 and 781e31 for numbers.
        """
        seen = "\0".join((self.inference, self.premise, self.hypothesis))
        return f"p{hashlib.sha256(seen.encode()).hexdigest()[:10]}"


def draw_items(examples: Iterable[Example], number: int, rng: np.random.Generator) -> list[Item]:
    """The pairs of ``number`` random examples with all their parts, in random order, each pair once.

    The examples are stratified: as equal a number as possible of each combination of labels (for compositions, of each
    of the nine types).
    """
    strata: dict[tuple[str | None, ...], dict[tuple[str, str], Example]] = {}
    for example in examples:
        if any(row.label is None or row.hypothesis is None for row in example.rows()):
            raise UserError(f"example {example.id!r} is no labelled pair: only such can be verified")
        labels = tuple(row.label for row in example.rows())
        strata.setdefault(labels, {})[example.premise, str(example.hypothesis)] = example
    available = sum(map(len, strata.values()))
    if number > available:
        raise UserError(f"a sample of {number} was asked for, but there are {available} examples: ask for fewer")
    chosen = _take_turns([list(found.values()) for found in strata.values()], number, rng)
    rows = [row for example in chosen for row in example.rows()]
    items = {item.id: item for item in (_item(row) for row in rows)}
    order = rng.permutation(len(items))
    return [list(items.values())[place] for place in order]


def _take_turns(strata: Sequence[list[Example]], number: int, rng: np.random.Generator) -> list[Example]:
    shuffled = [[found[i] for i in rng.permutation(len(found))] for found in strata]
    order = rng.permutation(len(shuffled))
    chosen: list[Example] = []
    while len(chosen) < number:
        chosen += [shuffled[place].pop() for place in order if shuffled[place]]
    return chosen[:number]


def _item(row: Example) -> Item:
    return Item(row.task, row.premise, str(row.hypothesis), str(row.label))


def write_sheet(items: Iterable[Item], path: Path) -> None:
    """An answer sheet: without the labels, with empty columns for answer and note."""
    rows = [(item.id, item.inference, item.premise, item.hypothesis, "", "") for item in items]
    write_csv(path, (*_PAIR, ANSWER, NOTE), rows)


def write_key(items: Iterable[Item], path: Path) -> None:
    """What the pairs of a sheet were built with."""
    rows = [(item.id, item.inference, item.premise, item.hypothesis, item.label) for item in items]
    write_csv(path, (*_PAIR, "label"), rows)


def read_labels(path: Path) -> Labels:
    """The label scheme of a key: two-way if its first label is, else three-way."""
    first = next((row["label"].strip().lower() for _, row in read_csv(path, ("label",))), "")
    return NLI2 if first in NLI2.names else NLI3


def read_key(path: Path, labels: Labels) -> dict[str, Item]:
    """The items of a key by their ids."""
    found = {}
    for where, row in read_csv(path, (*_PAIR, "label")):
        item = Item(row["inference"], row["premise"], row["hypothesis"], labels.parse(row["label"], where))
        if item.id != row["id"]:
            raise UserError(f"{where}: the pair was changed since the sample was drawn")
        found[item.id] = item
    return found


@dataclass(frozen=True)
class Sheet:
    """A person's answers and notes by the ids of pairs; what is not answered yet has no answer."""

    path: Path
    answers: Mapping[str, str]
    notes: Mapping[str, str]


def read_sheet(path: Path, key: Mapping[str, Item], labels: Labels) -> Sheet:
    """The answers of a sheet that belongs to a key; an error if a pair is missing, strange, or there twice."""
    answers: dict[str, str] = {}
    notes: dict[str, str] = {}
    places: dict[str, str] = {}
    for where, row in read_csv(path, (*_PAIR, ANSWER)):
        item = Item(row["inference"], row["premise"], row["hypothesis"], "")
        if row["id"] not in key:
            raise UserError(f"{where}: the pair {row['id']!r} is not of this sample: is the sheet of another one?")
        if item.id != row["id"]:
            raise UserError(f"{where}: the pair {row['id']!r} was changed since the sample was drawn")
        if row["id"] in places:
            raise UserError(f"{where}: the pair {row['id']!r} was already there at {places[row['id']]}")
        places[row["id"]] = where
        if row[ANSWER].strip():
            answers[row["id"]] = labels.parse(row[ANSWER], where)
        notes[row["id"]] = row.get(NOTE) or ""
    missing = [id for id in key if id not in places]
    if missing:
        raise UserError(f"{path}: {len(missing)} of {len(key)} pairs of the sample are missing, such as {missing[0]}")
    return Sheet(path, answers, notes)


def write_answers(sheet: Sheet, key: Mapping[str, Item]) -> None:
    """Write a sheet with what is answered by now, in the order of its file."""
    rows = [
        (id, item.inference, item.premise, item.hypothesis, sheet.answers.get(id, ""), sheet.notes.get(id, ""))
        for id, item in ((id, key[id]) for id in sheet.notes)
    ]
    write_csv(sheet.path, (*_PAIR, ANSWER, NOTE), rows)


def read_causes(path: Path) -> dict[str, str]:
    """The causes that somebody noted in a list of disagreements; none if there is no such file."""
    if not path.exists():
        return {}
    return {row["id"]: row[CAUSE].strip() for _, row in read_csv(path, ("id", CAUSE))}


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A CSV file that spreadsheets open as it is: with a byte order mark, so that they read it as UTF-8."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows(rows)
    write_text(path, "\ufeff" + text.getvalue())


def read_csv(path: Path, columns: Sequence[str]) -> Iterable[tuple[str, dict[str, str]]]:
    """Each row with its place (``file:line``), as a spreadsheet may have saved it: with commas, semicolons or tabs."""
    text = read_text(path)
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restval="")
    names = list(reader.fieldnames or ())
    if missing := [column for column in columns if column not in names]:
        hint = did_you_mean(missing[0], names)
        raise UserError(f"{path}: missing column {', '.join(map(repr, missing))}: {hint}")
    try:
        for row in reader:
            if None in row:
                raise UserError(f"{path}:{reader.line_num}: more fields than the first line names columns")
            if any(value.strip() for value in row.values()):
                yield f"{path}:{reader.line_num}", row
    except csv.Error as error:
        raise UserError(f"{path}:{reader.line_num}: not CSV that can be read ({error})") from None

"""Read the released tasks of CURRICULUM: one zip file for each phenomenon, with ``train.jsonl`` and ``val.jsonl``."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from trivium.data.archive import unpack
from trivium.data.example import Example
from trivium.data.jsonl import read_objects, text_fields
from trivium.data.labels import NLI3, Labels
from trivium.data.locate import are_available, find_file
from trivium.data.phenomena import PHENOMENA, Phenomenon
from trivium.data.split import Split
from trivium.errors import UserError

_FILES = {"train": "train.jsonl", "validation": "val.jsonl"}


class Parts(NamedTuple):
    """The training and validation examples of a phenomenon."""

    train: Split
    validation: Split


def has_released_task(name: str) -> bool:
    """Return whether the released task of a phenomenon is on this machine."""
    return bool(PHENOMENA[name].task) and are_available(_archive(PHENOMENA[name]))


@lru_cache(maxsize=4)
def read_released(name: str) -> Parts:
    """Return the released task of a phenomenon.

    The facts of an example are ``phenomenon``, ``index`` and, for syntactic alternations, ``verb_frame``.
    """
    phenomenon = PHENOMENA[name]
    archive = find_file(_archive(phenomenon))
    with tempfile.TemporaryDirectory() as folder:
        unpacked = Path(folder) / "task"
        unpack(archive, unpacked)
        return Parts(*(_read(unpacked, file, archive, phenomenon, part) for part, file in _FILES.items()))


def _archive(phenomenon: Phenomenon) -> str:
    return f"curriculum/{phenomenon.task}.zip"


def _read(folder: Path, file: str, archive: Path, phenomenon: Phenomenon, part: str) -> Split:
    paths = sorted(folder.rglob(file))
    if len(paths) != 1:
        raise UserError(f"{archive}: must contain one {file}, found {len(paths)}")
    examples = []
    for number, row in read_objects(paths[0]):
        where = f"{archive}: {file}:{number}"
        fields = text_fields(row, ("premise", "hypothesis", "gold_label"), where)
        facts = {"phenomenon": phenomenon.name, "index": str(row.get("idx", number - 1))}
        if "verb_frame" in row:
            facts["verb_frame"] = str(row["verb_frame"])
        label = _label(fields["gold_label"], phenomenon.labels, where)
        premise, hypothesis = _normalized(fields["premise"]), _normalized(fields["hypothesis"])
        id = f"{phenomenon.name}-{part}-{number}"
        examples.append(Example(id, premise, hypothesis, label, facts=tuple(sorted(facts.items()))))
    if not examples:
        raise UserError(f"{archive}: {file} contains no examples")
    return Split(part, tuple(examples), phenomenon.labels)


def _label(text: Any, labels: Labels, where: str) -> str:
    """Return the label of an example; a three-way label in the file of a two-way task is mapped to two-way labels."""
    word = str(text).strip().lower()
    if word in NLI3.names and word not in labels.names:
        return NLI3.map_to(word, labels)
    return labels.parse(word, where)


def _normalized(text: str) -> str:
    return " ".join(text.split())

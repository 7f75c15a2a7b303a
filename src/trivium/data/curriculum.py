"""The released tasks of CURRICULUM: a zip for each phenomenon with ``train.jsonl`` and ``val.jsonl``, as it is."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from trivium.data.archive import unpack
from trivium.data.example import Example
from trivium.data.jsonl import needed, read_objects
from trivium.data.labels import NLI3, Labels
from trivium.data.locate import are_there, find_file
from trivium.data.phenomena import PHENOMENA, Phenomenon
from trivium.data.split import Split
from trivium.errors import UserError

_FILES = {"train": "train.jsonl", "validation": "val.jsonl"}


class Parts(NamedTuple):
    """What a phenomenon is trained on and what it is measured with."""

    train: Split
    validation: Split


def released(name: str) -> bool:
    """Whether there is a released task of a phenomenon on this machine."""
    return bool(PHENOMENA[name].task) and are_there(_archive(PHENOMENA[name]))


@lru_cache(maxsize=4)
def read_released(name: str) -> Parts:
    """The released task of a phenomenon; facts ``phenomenon``, ``index`` and, for alternations, ``verb_frame``."""
    phenomenon = PHENOMENA[name]
    archive = find_file(_archive(phenomenon))
    with tempfile.TemporaryDirectory() as folder:
        unpacked = Path(folder) / "task"
        unpack(archive, unpacked)
        return Parts(*(_read(unpacked, file, archive, phenomenon, part) for part, file in _FILES.items()))


def _archive(phenomenon: Phenomenon) -> str:
    return f"curriculum/{phenomenon.task}.zip"


def _read(folder: Path, file: str, archive: Path, phenomenon: Phenomenon, part: str) -> Split:
    found = sorted(folder.rglob(file))
    if len(found) != 1:
        raise UserError(f"{archive}: it must hold one {file}, but it holds {len(found)}")
    examples = []
    for number, row in read_objects(found[0]):
        where = f"{archive}: {file}:{number}"
        fields = needed(row, ("premise", "hypothesis", "gold_label"), where)
        facts = {"phenomenon": phenomenon.name, "index": str(row.get("idx", number - 1))}
        if "verb_frame" in row:
            facts["verb_frame"] = str(row["verb_frame"])
        label = _label(fields["gold_label"], phenomenon.labels, where)
        premise, hypothesis = _spaced(fields["premise"]), _spaced(fields["hypothesis"])
        named = tuple(sorted(facts.items()))
        examples.append(Example(f"{phenomenon.name}-{part}-{number}", premise, hypothesis, label, facts=named))
    if not examples:
        raise UserError(f"{archive}: {file} holds no examples")
    return Split(part, tuple(examples), phenomenon.labels)


def _label(text: Any, labels: Labels, where: str) -> str:
    """A label; where a two-way task is written with the names of three labels, what they come to."""
    word = str(text).strip().lower()
    if word in NLI3.names and word not in labels.names:
        return NLI3.mapped(word, labels)
    return labels.parse(word, where)


def _spaced(text: str) -> str:
    return " ".join(text.split())

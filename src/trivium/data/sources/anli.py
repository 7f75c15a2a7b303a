"""Adversarial NLI (Nie et al. 2020): the dev and test parts of its three rounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from trivium.data.example import Example
from trivium.data.jsonl import read_objects, text_fields
from trivium.data.labels import NLI3
from trivium.data.locate import are_available, find_file
from trivium.data.sources import source
from trivium.data.split import Split

ROUNDS, PARTS = ("R1", "R2", "R3"), ("dev", "test")


def file_of(round: str, part: str) -> str:
    """Return the manifest path of a part of a round."""
    return f"anli/anli_v1.0/{round}/{part}.jsonl"


@source("anli")
class Anli:
    """ANLI, with the facts ``round`` (R1, R2, R3), ``part`` (dev, test), ``uid`` and ``genre``."""

    about = "ANLI: dev and test of three rounds, written to fool models (Nie et al. 2020)"

    def is_available(self) -> bool:
        """Return whether the six files are on this machine."""
        return are_available(*(file_of(round, part) for round in ROUNDS for part in PARTS))

    def load(self) -> Split:
        """Return the pairs of each round, dev before test, in the order of the files."""
        examples = [
            example
            for round in ROUNDS
            for part in PARTS
            for example in read_anli(find_file(file_of(round, part)), round, part)
        ]
        return Split("anli", tuple(examples), NLI3)


def read_anli(path: Path, round: str, part: str) -> Iterator[Example]:
    """Yield the pairs of a file, whose field ``context`` is the premise."""
    for number, row in read_objects(path):
        where = f"{path}:{number}"
        fields = text_fields(row, ("uid", "context", "hypothesis", "label", "genre"), where)
        label = NLI3.parse(fields["label"], where)
        yield Example.make(f"anli-{round}-{part}-{number}", fields["context"].strip(), fields["hypothesis"].strip(),
                           label, round=round, part=part, uid=fields["uid"], genre=fields["genre"])  # fmt: skip

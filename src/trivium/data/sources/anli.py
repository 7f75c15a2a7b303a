"""Adversarial NLI (Nie et al. 2020): dev and test of its three rounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from trivium.data.example import Example
from trivium.data.jsonl import needed, read_objects
from trivium.data.labels import NLI3
from trivium.data.locate import are_there, find_file
from trivium.data.sources import source
from trivium.data.split import Split

ROUNDS, PARTS = ("R1", "R2", "R3"), ("dev", "test")


def file_of(round: str, part: str) -> str:
    """The path of a part of a round in the manifest."""
    return f"anli/anli_v1.0/{round}/{part}.jsonl"


@source("anli")
class Anli:
    """ANLI; facts ``round`` (R1, R2, R3), ``part`` (dev, test), ``uid`` and ``genre``."""

    about = "ANLI: dev and test of three rounds, written to fool models (Nie et al. 2020)"

    def is_there(self) -> bool:
        """Whether the six files are on this machine."""
        return are_there(*(file_of(round, part) for round in ROUNDS for part in PARTS))

    def load(self) -> Split:
        """The pairs of each round, dev before test, in the order of the files."""
        examples = [
            e for round in ROUNDS for part in PARTS for e in read_anli(find_file(file_of(round, part)), round, part)
        ]
        return Split("anli", tuple(examples), NLI3)


def read_anli(path: Path, round: str, part: str) -> Iterator[Example]:
    """The pairs of a file; the premise is its field ``context``."""
    for number, row in read_objects(path):
        where = f"{path}:{number}"
        fields = needed(row, ("uid", "context", "hypothesis", "label", "genre"), where)
        label = NLI3.parse(fields["label"], where)
        yield Example.make(f"anli-{round}-{part}-{number}", fields["context"].strip(), fields["hypothesis"].strip(),
                           label, round=round, part=part, uid=fields["uid"], genre=fields["genre"])  # fmt: skip

"""SNLI 1.0 (Bowman et al. 2015): the dev and test parts, and the first pairs of the training part."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from trivium.data.example import Example
from trivium.data.jsonl import read_objects, text_fields
from trivium.data.labels import NLI3
from trivium.data.locate import are_available, find_file
from trivium.data.sources import source
from trivium.data.split import Split

FILES = {
    "train": "snli/train_head_1024.jsonl.gz",
    "dev": "snli/snli_1.0_dev.jsonl.gz",
    "test": "snli/snli_1.0_test.jsonl.gz",
}
UNDECIDED = "-"
"""The gold label of a pair for which the annotators had no majority label."""


@source("snli")
class Snli:
    """SNLI without pairs that have no majority label, with the facts ``part`` (train, dev, test) and ``caption``."""

    about = "SNLI: dev, test and 1024 training pairs on photographs (Bowman et al. 2015)"

    def is_available(self) -> bool:
        """Return whether the three files are on this machine."""
        return are_available(*FILES.values())

    def load(self) -> Split:
        """Return the pairs of train, dev and test, each in the order of its file."""
        examples = [example for part, file in FILES.items() for example in read_snli(find_file(file), part)]
        return Split("snli", tuple(examples), NLI3)


def read_snli(path: Path, part: str) -> Iterator[Example]:
    """Yield the labelled pairs of a file of the SNLI release."""
    for number, row in read_objects(path):
        where = f"{path}:{number}"
        fields = text_fields(row, ("sentence1", "sentence2", "gold_label", "pairID", "captionID"), where)
        if fields["gold_label"].strip() == UNDECIDED:
            continue
        label = NLI3.parse(fields["gold_label"], where)
        yield Example.make(f"snli-{part}-{number}", fields["sentence1"].strip(), fields["sentence2"].strip(), label,
                           part=part, caption=fields["captionID"])  # fmt: skip

"""MultiNLI (Williams et al. 2018): the pairs of dev-matched, and 3000 pairs of the training part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from trivium.data.example import Example
from trivium.data.jsonl import parse_json, read_objects, text_fields
from trivium.data.labels import NLI3
from trivium.data.locate import are_available, find_file, read_text
from trivium.data.sources import source
from trivium.data.sources.snli import UNDECIDED
from trivium.data.split import Split
from trivium.errors import UserError

TRAIN, DEV = "mnli/o_lora/train.json", "mnli/generative_nli/dev.jsonl"
_SENTENCES = re.compile(r"sentence 1: (?P<premise>.*?)\s*\nsentence 2: (?P<hypothesis>.*)", re.DOTALL)


@source("mnli")
class Mnli:
    """The pairs of MultiNLI that are in public repositories, with the fact ``part`` (train, dev)."""

    about = "MultiNLI: dev-matched and 3000 training pairs of several genres (Williams et al. 2018)"

    def is_available(self) -> bool:
        """Return whether both files are on this machine."""
        return are_available(TRAIN, DEV)

    def load(self) -> Split:
        """Return the pairs of train and dev, each in the order of its file."""
        return Split("mnli", (*read_train(find_file(TRAIN)), *read_dev(find_file(DEV))), NLI3)


def read_train(path: Path) -> Iterator[Example]:
    """Yield the pairs of a JSON list; each item has both sentences in one text."""
    rows = parse_json(read_text(path), str(path))
    if not isinstance(rows, list):
        raise UserError(f"{path}: must be a JSON list, not {type(rows).__name__}")
    for number, row in enumerate(rows, 1):
        where = f"{path}: item {number}"
        if not isinstance(row, dict):
            raise UserError(f"{where}: must be a JSON object, not {type(row).__name__}")
        fields = text_fields(row, ("sentence", "label"), where)
        match = _SENTENCES.fullmatch(fields["sentence"])
        if match is None:
            raise UserError(f"{where}: 'sentence' must be 'sentence 1: …', a line break and 'sentence 2: …'")
        label = NLI3.parse(fields["label"], where)
        yield Example.make(f"mnli-train-{number}", match["premise"].strip(), match["hypothesis"].strip(), label,
                           part="train")  # fmt: skip


def read_dev(path: Path) -> Iterator[Example]:
    """Yield the pairs of a JSON Lines file with the fields premise, hypothesis and label."""
    for number, row in read_objects(path):
        where = f"{path}:{number}"
        fields = text_fields(row, ("premise", "hypothesis", "label"), where)
        label = NLI3.parse(fields["label"], where)
        yield Example.make(f"mnli-dev-{number}", fields["premise"].strip(), fields["hypothesis"].strip(), label,
                           part="dev")  # fmt: skip


def read_release(path: Path, part: str) -> Iterator[Example]:
    """Yield the labelled pairs of a file of the MultiNLI release, such as ``multinli_1.0_dev_mismatched.jsonl``."""
    for number, row in read_objects(path):
        where = f"{path}:{number}"
        fields = text_fields(row, ("sentence1", "sentence2", "gold_label"), where)
        if fields["gold_label"].strip() == UNDECIDED:
            continue
        label = NLI3.parse(fields["gold_label"], where)
        yield Example.make(f"mnli-{part}-{number}", fields["sentence1"].strip(), fields["sentence2"].strip(), label,
                           part=part)  # fmt: skip

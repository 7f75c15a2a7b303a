"""The Boolean fragment of Richardson et al. (2020): who visited what, with long lists of names, made by a grammar."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.data.locate import are_there, find_file, read_text
from trivium.data.sources import source
from trivium.data.split import Split
from trivium.errors import UserError

FILES = {
    "train": "semantic_fragments/boolean/train/challenge_train.tsv",
    "dev": "semantic_fragments/boolean/train/challenge_dev.tsv",
    "test": "semantic_fragments/boolean/test/challenge_dev.tsv",
}
_FIELDS = 4


@source("boolean-fragment")
class BooleanFragment:
    """Pairs with a list of names joined by *and*; the fact ``part`` is train, dev or test."""

    about = "Semantic fragments: 5,000 pairs with a Boolean and, made by a grammar (Richardson et al. 2020)"

    def is_there(self) -> bool:
        """Whether the files are on this machine."""
        return are_there(*FILES.values())

    def load(self) -> Split:
        """The pairs of all parts, in the order of the files."""
        pairs = (pair for part, file in FILES.items() for pair in read_fragment(find_file(file), part))
        return Split("boolean-fragment", tuple(pairs), NLI3)


def read_fragment(path: Path, part: str) -> Iterator[Example]:
    """The pairs of a file without a header: a name, premise, hypothesis and label, with tabs between."""
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        fields = line.removesuffix("\r").split("\t")
        if len(fields) != _FIELDS:
            raise UserError(f"{path}:{number}: {len(fields)} fields where there are {_FIELDS}")
        label = NLI3.parse(fields[3].lower(), f"{path}:{number}")
        yield Example.make(f"boolean-fragment-{part}-{number}", fields[1].strip(), fields[2].strip(), label, part=part)

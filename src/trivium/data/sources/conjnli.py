"""ConjNLI (Saha et al. 2020): pairs of sentences that differ in a conjunct; the labels of test are withheld."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.data.locate import are_there, find_file
from trivium.data.sources import source
from trivium.data.split import Split
from trivium.data.tsv import read_tsv

FILES = {
    "dev": "conjnli/conj_dev.tsv",
    "test": "conjnli/conj_test.tsv",
    "adversarial": "conjnli/adversarial_train_15k.tsv",
}
MULTIPLE, NONE = "multiple", "none"
_KINDS = {"and": "and", "or": "or", "nor": "or", "but": "but"}
_WORD = re.compile(r"[^\W\d_]+")


@source("conjnli")
class ConjNli:
    """The pairs that experts labelled; facts ``part`` and ``conjunction`` (and, or, but, multiple, none)."""

    about = "ConjNLI: 623 pairs on conjunctions, labelled by experts: the dev part (Saha et al. 2020)"

    def is_there(self) -> bool:
        """Whether the file is on this machine."""
        return are_there(FILES["dev"])

    def load(self) -> Split:
        """The pairs of dev, in the order of the file."""
        return load_part("dev")


@source("conjnli-test")
class ConjNliTest:
    """The pairs whose labels the authors keep; facts as those of dev."""

    about = "ConjNLI: the 1,000 pairs of the test part, without labels (Saha et al. 2020)"

    def is_there(self) -> bool:
        """Whether the file is on this machine."""
        return are_there(FILES["test"])

    def load(self) -> Split:
        """The pairs of test, in the order of the file."""
        return load_part("test")


@source("conjnli-adversarial")
class ConjNliAdversarial:
    """The pairs that rules made and labelled, for training; facts as those of dev."""

    about = "ConjNLI: 15,000 pairs for training, made and labelled by rules (Saha et al. 2020)"

    def is_there(self) -> bool:
        """Whether the file is on this machine."""
        return are_there(FILES["adversarial"])

    def load(self) -> Split:
        """The adversarial pairs, in the order of the file."""
        return load_part("adversarial")


def load_part(part: str) -> Split:
    """The pairs of a part: ``dev``, ``test`` or ``adversarial``."""
    name = "conjnli" if part == "dev" else f"conjnli-{part}"
    return Split(name, tuple(read_pairs(find_file(FILES[part]), part)), NLI3)


def read_pairs(path: Path, part: str) -> Iterator[Example]:
    """The pairs of a file; the test part has no column of labels."""
    columns = ("Premise", "Hypothesis") if part == "test" else ("Premise", "Hypothesis", "Label")
    for number, (where, fields) in enumerate(read_tsv(path, columns), 1):
        premise, hypothesis = (" ".join(fields[name].split()) for name in ("Premise", "Hypothesis"))
        label = None if part == "test" else NLI3.parse(fields["Label"], where)
        kind = conjunction_kind(premise, hypothesis)
        yield Example.make(f"conjnli-{part}-{number}", premise, hypothesis, label, part=part, conjunction=kind)


def conjunction_kind(*sentences: str) -> str:
    """Which conjunction some sentences are about: and, or (also nor), but; multiple, or none.

    Multiple are two kinds, or one of them twice in a sentence: 23 % of ConjNLI, as its authors say.
    """
    found = [[_KINDS[word] for word in _WORD.findall(sentence.lower()) if word in _KINDS] for sentence in sentences]
    kinds = sorted({kind for each in found for kind in each})
    if not kinds:
        return NONE
    return MULTIPLE if len(kinds) > 1 or any(len(each) > 1 for each in found) else kinds[0]

"""ConjNLI (Saha et al. 2020): pairs of sentences that differ in a conjunct. The test labels are not public."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from trivium.data.example import Example
from trivium.data.labels import NLI3
from trivium.data.locate import are_available, find_file
from trivium.data.sources import source
from trivium.data.split import Split
from trivium.data.tsv import read_tsv

FILES = {
    "dev": "conjnli/conj_dev.tsv",
    "test": "conjnli/conj_test.tsv",
    "adversarial": "conjnli/adversarial_train_15k.tsv",
}
MULTIPLE, NONE = "multiple", "none"
_CONJUNCTIONS = {"and": "and", "or": "or", "nor": "or", "but": "but"}
_WORD = re.compile(r"[^\W\d_]+")


@source("conjnli")
class ConjNli:
    """The pairs labelled by experts, with the facts ``part`` and ``conjunction`` (and, or, but, multiple, none)."""

    about = "ConjNLI: 623 pairs on conjunctions, labelled by experts: the dev part (Saha et al. 2020)"

    def is_available(self) -> bool:
        """Return whether the file is on this machine."""
        return are_available(FILES["dev"])

    def load(self) -> Split:
        """Return the pairs of the dev part, in the order of the file."""
        return load_part("dev")


@source("conjnli-test")
class ConjNliTest:
    """The pairs without public labels, with the same facts as the dev part."""

    about = "ConjNLI: the 1,000 pairs of the test part, without labels (Saha et al. 2020)"

    def is_available(self) -> bool:
        """Return whether the file is on this machine."""
        return are_available(FILES["test"])

    def load(self) -> Split:
        """Return the pairs of the test part, in the order of the file."""
        return load_part("test")


@source("conjnli-adversarial")
class ConjNliAdversarial:
    """The training pairs built and labelled by rules, with the same facts as the dev part."""

    about = "ConjNLI: 15,000 training pairs, built and labelled by rules (Saha et al. 2020)"

    def is_available(self) -> bool:
        """Return whether the file is on this machine."""
        return are_available(FILES["adversarial"])

    def load(self) -> Split:
        """Return the adversarial pairs, in the order of the file."""
        return load_part("adversarial")


def load_part(part: str) -> Split:
    """Return the pairs of a part: ``dev``, ``test`` or ``adversarial``."""
    name = "conjnli" if part == "dev" else f"conjnli-{part}"
    return Split(name, tuple(read_pairs(find_file(FILES[part]), part)), NLI3)


def read_pairs(path: Path, part: str) -> Iterator[Example]:
    """Yield the pairs of a file; the test part has no label column."""
    columns = ("Premise", "Hypothesis") if part == "test" else ("Premise", "Hypothesis", "Label")
    for number, (where, fields) in enumerate(read_tsv(path, columns), 1):
        premise, hypothesis = (" ".join(fields[name].split()) for name in ("Premise", "Hypothesis"))
        label = None if part == "test" else NLI3.parse(fields["Label"], where)
        conjunction = conjunction_of(premise, hypothesis)
        yield Example.make(f"conjnli-{part}-{number}", premise, hypothesis, label, part=part, conjunction=conjunction)


def conjunction_of(*sentences: str) -> str:
    """Return the conjunction in the sentences: ``and``, ``or`` (also for *nor*), ``but``, ``multiple`` or ``none``.

    It is ``multiple`` if there are different conjunctions, or several in one sentence. This is so in 23 % of ConjNLI,
    the share that its authors report.
    """
    by_sentence = [
        [_CONJUNCTIONS[word] for word in _WORD.findall(sentence.lower()) if word in _CONJUNCTIONS]
        for sentence in sentences
    ]
    distinct = sorted({conjunction for conjunctions in by_sentence for conjunction in conjunctions})
    if not distinct:
        return NONE
    return MULTIPLE if len(distinct) > 1 or any(len(conjunctions) > 1 for conjunctions in by_sentence) else distinct[0]

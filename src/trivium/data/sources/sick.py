"""SICK (Marelli et al. 2014) with labels for both directions, and its SemEval 2014 release.

``SICK.txt`` has a label for each direction of a pair (``A_entails_B``, ``B_neutral_A``), and the label of the SemEval
task in its column ``entailment_label``. The corrected labels are those of Kalouli, Real and de Paiva.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from trivium.data.example import Example
from trivium.data.labels import NLI3, Labels
from trivium.data.locate import are_available, find_file
from trivium.data.sources import source
from trivium.data.split import Split
from trivium.data.tsv import Row, read_tsv
from trivium.errors import UserError, did_you_mean

PARTS = ("TRAIN", "TRIAL", "TEST")
SEMEVAL_FILES = {"train": "SICK_train.txt", "trial": "SICK_trial.txt", "test": "SICK_test_annotated.txt"}

_AB = Labels(
    "sick A to B",
    NLI3.names,
    {"a_entails_b": "entailment", "a_neutral_b": "neutral", "a_contradicts_b": "contradiction"},
)
_BA = Labels(
    "sick B to A",
    NLI3.names,
    {"b_entails_a": "entailment", "b_neutral_a": "neutral", "b_contradicts_a": "contradiction"},
)
_SICK_COLUMNS = (
    "pair_ID",
    "sentence_A",
    "sentence_B",
    "entailment_label",
    "entailment_AB",
    "entailment_BA",
    "SemEval_set",
)
_SEMEVAL_COLUMNS = ("pair_ID", "sentence_A", "sentence_B", "entailment_judgment")


@dataclass(frozen=True, slots=True)
class SickPair:
    """A row of ``SICK.txt``: two sentences, the label of the task, and the label of each direction."""

    pair: str
    sentence_a: str
    sentence_b: str
    label: str
    label_ab: str
    label_ba: str
    part: str


@dataclass(frozen=True, slots=True)
class SemevalPair:
    """A row of a SemEval 2014 file: two sentences and the label of the task."""

    pair: str
    sentence_a: str
    sentence_b: str
    label: str


def read_sick(path: Path) -> list[SickPair]:
    """Return the pairs of ``SICK.txt`` in the order of the file."""
    return [
        SickPair(
            pair=row.fields["pair_ID"],
            sentence_a=_sentence(row.fields["sentence_A"]),
            sentence_b=_sentence(row.fields["sentence_B"]),
            label=NLI3.parse(row.fields["entailment_label"], row.where),
            label_ab=_AB.parse(row.fields["entailment_AB"], row.where),
            label_ba=_BA.parse(row.fields["entailment_BA"], row.where),
            part=_part(row),
        )
        for row in _unique_pairs(path, _SICK_COLUMNS)
    ]


def read_semeval(path: Path) -> list[SemevalPair]:
    """Return the pairs of a file of the SemEval 2014 release in the order of the file."""
    return [
        SemevalPair(
            pair=row.fields["pair_ID"],
            sentence_a=_sentence(row.fields["sentence_A"]),
            sentence_b=_sentence(row.fields["sentence_B"]),
            label=NLI3.parse(row.fields["entailment_judgment"], row.where),
        )
        for row in _unique_pairs(path, _SEMEVAL_COLUMNS)
    ]


def read_corrected(path: Path) -> dict[str, str]:
    """Return the corrected label of each pair; the other columns of the file are damaged or in ``SICK.txt``."""
    rows = _unique_pairs(path, ("pair_ID", "entailment_label"))
    return {row.fields["pair_ID"]: NLI3.parse(row.fields["entailment_label"], row.where) for row in rows}


@source("sick")
class Sick:
    """SICK, with each pair as two examples: A to B and B to A.

    The facts are ``pair``, ``direction`` (ab, ba), ``part`` (TRAIN, TRIAL, TEST), ``label_ab`` and ``corrected``.
    ``label_ab`` is the label of the pair in the SemEval task: for 327 pairs it is neutral, although the direction A to
    B is annotated as a contradiction. ``corrected`` is this label after correction.
    """

    about = "SICK: 9840 pairs of everyday sentences, labelled in both directions (Marelli et al. 2014)"

    def is_available(self) -> bool:
        """Return whether SICK and its corrections are on this machine."""
        return are_available("sick/SICK.txt", "sick/corrected/SICK_whole_corpus_reannotated.csv")

    def load(self) -> Split:
        """Return two examples for each pair, A to B before B to A, in the order of the file."""
        corrections = find_file("sick/corrected/SICK_whole_corpus_reannotated.csv")
        corrected = read_corrected(corrections)
        examples: list[Example] = []
        for pair in read_sick(find_file("sick/SICK.txt")):
            if pair.pair not in corrected:
                raise UserError(
                    f"{corrections}: the pair_ID {pair.pair!r} of SICK.txt is missing: download the file again"
                )
            examples += _both_directions(pair, corrected[pair.pair])
        return Split("sick", tuple(examples), NLI3)


@source("sick-semeval")
class SickSemeval:
    """The SemEval 2014 release of SICK, with the facts ``pair`` and ``part`` (train, trial, test)."""

    about = "SICK as released for SemEval 2014: 9927 pairs with their official parts"

    def is_available(self) -> bool:
        """Return whether the three files are on this machine."""
        return are_available(*(f"sick/semeval2014/{name}" for name in SEMEVAL_FILES.values()))

    def load(self) -> Split:
        """Return the pairs of train, trial and test, each in the order of its file."""
        examples = (
            Example.make(
                f"sick-semeval-{pair.pair}",
                pair.sentence_a,
                pair.sentence_b,
                pair.label,
                task="natural",
                pair=pair.pair,
                part=part,
            )
            for part, name in SEMEVAL_FILES.items()
            for pair in read_semeval(find_file(f"sick/semeval2014/{name}"))
        )
        return Split("sick-semeval", tuple(examples), NLI3)


def _both_directions(pair: SickPair, corrected: str) -> Iterator[Example]:
    a, b = pair.sentence_a, pair.sentence_b
    for direction, premise, hypothesis, label in (("ab", a, b, pair.label_ab), ("ba", b, a, pair.label_ba)):
        yield Example.make(
            f"sick-{pair.pair}-{direction}",
            premise,
            hypothesis,
            label,
            task="natural",
            pair=pair.pair,
            direction=direction,
            part=pair.part,
            label_ab=pair.label,
            corrected=corrected,
        )


def _unique_pairs(path: Path, columns: tuple[str, ...]) -> Iterator[Row]:
    """Yield the rows of a file. Raise a UserError if a ``pair_ID`` occurs twice, or if there are no rows."""
    seen: dict[str, str] = {}
    for row in read_tsv(path, columns):
        pair = row.fields["pair_ID"]
        if pair in seen:
            raise UserError(f"{row.where}: duplicate pair_ID {pair!r}, first used at {seen[pair]}")
        seen[pair] = row.where
        yield row
    if not seen:
        raise UserError(f"{path}: the file has no pairs after its header")


def _sentence(text: str) -> str:
    """Return a sentence with single spaces and without a final full stop, as most sentences of SICK are written."""
    return " ".join(text.split()).removesuffix(".").rstrip()


def _part(row: Row) -> str:
    part = row.fields["SemEval_set"]
    if part not in PARTS:
        raise UserError(f"{row.where}: unknown SemEval_set {part!r}: {did_you_mean(part, PARTS)}")
    return part

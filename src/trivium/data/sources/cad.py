"""Counterfactually augmented SNLI and IMDB (Kaushik et al. 2020): examples and revisions with another label."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from trivium.data.example import Example
from trivium.data.labels import NLI3, SENTIMENT
from trivium.data.locate import are_available, find_file
from trivium.data.sources import source
from trivium.data.split import Split
from trivium.data.tsv import read_quoted
from trivium.errors import UserError

PARTS = ("train", "dev", "test")
ORIGINAL, PREMISE, HYPOTHESIS, TEXT = "original", "revised_premise", "revised_hypothesis", "revised_text"
SENTIMENT_TASK = "sentiment"


def nli_file(version: str, part: str) -> str:
    """Return the manifest path of the pairs of a version and part."""
    return f"cad/NLI/{version}/{part}.tsv"


def sentiment_file(part: str) -> str:
    """Return the manifest path of the reviews of a part and their revisions."""
    return f"cad/sentiment/combined/paired/{part}_paired.tsv"


@source("cad-snli")
class CadSnli:
    """Pairs of SNLI and their revisions.

    The facts are ``part``, ``version`` and, for a revision, the id of its ``original``.
    """

    about = "CAD: 2,266 pairs of SNLI, each with four revisions that have another label (Kaushik et al. 2020)"

    def is_available(self) -> bool:
        """Return whether the nine files are on this machine."""
        return are_available(
            *(nli_file(version, part) for version in (ORIGINAL, PREMISE, HYPOTHESIS) for part in PARTS)
        )

    def load(self) -> Split:
        """Return for each part the originals, then the revised premises, then the revised hypotheses."""
        examples = [
            example
            for part in PARTS
            for version in (ORIGINAL, PREMISE, HYPOTHESIS)
            for example in read_pairs(find_file(nli_file(version, part)), version, part)
        ]
        return Split("cad-snli", tuple(examples), NLI3)


@source("cad-imdb")
class CadImdb:
    """Film reviews and their revisions.

    The facts are ``part``, ``version`` and, for a revision, the id of its ``original``.
    """

    about = "CAD: 2,440 film reviews of IMDB, each with a revision of opposite sentiment (Kaushik et al. 2020)"

    def is_available(self) -> bool:
        """Return whether the three files are on this machine."""
        return are_available(*(sentiment_file(part) for part in PARTS))

    def load(self) -> Split:
        """Return each review followed by its revision, in the order of the files."""
        examples = [example for part in PARTS for example in read_reviews(find_file(sentiment_file(part)), part)]
        return Split("cad-imdb", tuple(examples), SENTIMENT)


def read_pairs(path: Path, version: str, part: str) -> Iterator[Example]:
    """Yield the pairs of a file. A file of revisions has two lines for each original, in the order of the originals."""
    for number, (where, fields) in enumerate(read_quoted(path, ("sentence1", "sentence2", "gold_label"), "\t")):
        facts = {"part": part, "version": version}
        if version != ORIGINAL:
            facts["original"] = f"cad-snli-{ORIGINAL}-{part}-{number // 2 + 1}"
        premise, hypothesis = (" ".join(fields[name].split()) for name in ("sentence1", "sentence2"))
        label = NLI3.parse(fields["gold_label"], where)
        name = f"cad-snli-{version}-{part}-{number + 1}"
        yield Example(name, premise, hypothesis, label, facts=tuple(sorted(facts.items())))


def read_reviews(path: Path, part: str) -> Iterator[Example]:
    """Yield the reviews of a file: each review is followed by its revision, which has the same ``batch_id``."""
    original: tuple[str, str] | None = None  # batch_id and name of a review whose revision comes next
    number = 0
    for where, fields in read_quoted(path, ("Sentiment", "Text", "batch_id"), "\t"):
        facts = {"part": part, "version": ORIGINAL if original is None else TEXT}
        if original is None:
            number += 1
        elif original[0] != fields["batch_id"]:
            raise UserError(
                f"{where}: expected the revision with batch_id {original[0]!r}, found batch_id {fields['batch_id']!r}: "
                "a review must be followed by its revision"
            )
        else:
            facts["original"] = original[1]
        name = f"cad-imdb-{facts['version']}-{part}-{number}"
        text = " ".join(fields["Text"].replace("<br />", " ").split())
        label = SENTIMENT.parse(fields["Sentiment"], where)
        yield Example(name, text, None, label, SENTIMENT_TASK, tuple(sorted(facts.items())))
        original = None if original is not None else (fields["batch_id"], name)
    if original is not None:
        raise UserError(f"{path}: the last review has no revision: add it, or remove the review")

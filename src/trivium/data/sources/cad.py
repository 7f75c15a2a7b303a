"""Counterfactually augmented SNLI and IMDB (Kaushik et al. 2020): examples, and edits of them that change the label."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from trivium.data.example import Example
from trivium.data.labels import NLI3, SENTIMENT
from trivium.data.locate import are_there, find_file
from trivium.data.sources import source
from trivium.data.split import Split
from trivium.data.tsv import read_quoted
from trivium.errors import UserError

PARTS = ("train", "dev", "test")
ORIGINAL, PREMISE, HYPOTHESIS, TEXT = "original", "revised_premise", "revised_hypothesis", "revised_text"
SENTIMENT_TASK = "sentiment"


def nli_file(version: str, part: str) -> str:
    """The path of the pairs of a version and part in the manifest."""
    return f"cad/NLI/{version}/{part}.tsv"


def sentiment_file(part: str) -> str:
    """The path of the reviews of a part, each before its revision, in the manifest."""
    return f"cad/sentiment/combined/paired/{part}_paired.tsv"


@source("cad-snli")
class CadSnli:
    """Pairs of SNLI and their revisions; facts ``part``, ``version`` and, of a revision, the id of its ``original``."""

    about = "CAD: 2,266 pairs of SNLI, each with four revisions of another label (Kaushik et al. 2020)"

    def is_there(self) -> bool:
        """Whether the nine files are on this machine."""
        return are_there(*(nli_file(version, part) for version in (ORIGINAL, PREMISE, HYPOTHESIS) for part in PARTS))

    def load(self) -> Split:
        """Of each part the originals, then revised premises, then revised hypotheses, in the order of the files."""
        found = [
            example
            for part in PARTS
            for version in (ORIGINAL, PREMISE, HYPOTHESIS)
            for example in read_pairs(find_file(nli_file(version, part)), version, part)
        ]
        return Split("cad-snli", tuple(found), NLI3)


@source("cad-imdb")
class CadImdb:
    """Film reviews and their revisions; facts ``part``, ``version`` and, of a revision, the id of its ``original``."""

    about = "CAD: 2,440 film reviews of IMDB, each with a revision of the other sentiment (Kaushik et al. 2020)"

    def is_there(self) -> bool:
        """Whether the three files are on this machine."""
        return are_there(*(sentiment_file(part) for part in PARTS))

    def load(self) -> Split:
        """Each review before its revision, in the order of the files."""
        found = [example for part in PARTS for example in read_reviews(find_file(sentiment_file(part)), part)]
        return Split("cad-imdb", tuple(found), SENTIMENT)


def read_pairs(path: Path, version: str, part: str) -> Iterator[Example]:
    """The pairs of a file; of a revised version, two lines belong to each original, in its order."""
    for number, (where, fields) in enumerate(read_quoted(path, ("sentence1", "sentence2", "gold_label"), "\t")):
        facts = {"part": part, "version": version}
        if version != ORIGINAL:
            facts["original"] = f"cad-snli-{ORIGINAL}-{part}-{number // 2 + 1}"
        premise, hypothesis = (" ".join(fields[name].split()) for name in ("sentence1", "sentence2"))
        label = NLI3.parse(fields["gold_label"], where)
        name = f"cad-snli-{version}-{part}-{number + 1}"
        yield Example(name, premise, hypothesis, label, facts=tuple(sorted(facts.items())))


def read_reviews(path: Path, part: str) -> Iterator[Example]:
    """The reviews of a file, in which a line and the next with the same ``batch_id`` are a review and its revision."""
    before: tuple[str, str] | None = None
    number = 0
    for where, fields in read_quoted(path, ("Sentiment", "Text", "batch_id"), "\t"):
        facts = {"part": part, "version": ORIGINAL if before is None else TEXT}
        if before is None:
            number += 1
        elif before[0] != fields["batch_id"]:
            raise UserError(f"{where}: batch_id {fields['batch_id']!r} where the revision of {before[0]!r} must stand")
        else:
            facts["original"] = before[1]
        name = f"cad-imdb-{facts['version']}-{part}-{number}"
        text = " ".join(fields["Text"].replace("<br />", " ").split())
        label = SENTIMENT.parse(fields["Sentiment"], where)
        yield Example(name, text, None, label, SENTIMENT_TASK, tuple(sorted(facts.items())))
        before = None if before is not None else (fields["batch_id"], name)
    if before is not None:
        raise UserError(f"{path}: the last review has no revision")

"""ConjNLI is read completely, and each pair has the fact of its conjunction."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from trivium.data.sources import load_source
from trivium.data.sources.conjnli import conjunction_of, read_pairs
from trivium.errors import UserError


@pytest.mark.usefixtures("real_data")
@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("conjnli", {"neutral": 281, "entailment": 204, "contradiction": 138}),
        ("conjnli-test", {None: 1000}),
        ("conjnli-adversarial", {"neutral": 6757, "entailment": 5820, "contradiction": 2423}),
    ],
)
def test_each_part_is_complete(name: str, labels: dict[str | None, int]) -> None:
    split = load_source(name)
    assert split.name == name
    assert Counter(example.label for example in split) == labels
    assert len({example.id for example in split}) == len(split)
    assert not any("\ufeff" in example.premise for example in split)


@pytest.mark.usefixtures("real_data")
def test_multiple_conjunctions_are_as_frequent_as_in_the_paper() -> None:
    counts = Counter(e.fact("conjunction") for name in ("conjnli", "conjnli-test") for e in load_source(name))
    assert counts == {"and": 561, "or": 501, "multiple": 383, "but": 178}
    assert round(100 * counts["multiple"] / 1623) == 24  # the paper has 23 %: 23.6 rounded down


@pytest.mark.parametrize(
    ("sentences", "conjunction"),
    [
        (("He sings and dances.", "He sings."), "and"),
        (("Neither he nor she sang.", "He did not sing."), "or"),
        (("It is old, but good.", "It is good."), "but"),
        (("He, she and they sang and danced.", "He sang."), "multiple"),
        (("He sang and danced.", "He sang or danced."), "multiple"),
        (("He sang and danced.", "He sang and ate."), "and"),
        (("Andy butters corn.", "The norm"), "none"),
        (("",), "none"),
    ],
)
def test_the_conjunction_of_sentences_is_found(sentences: tuple[str, ...], conjunction: str) -> None:
    assert conjunction_of(*sentences) == conjunction


def test_quotes_have_no_special_meaning_and_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    file = tmp_path / "dev.tsv"
    file.write_bytes(b'\xef\xbb\xbfPremise\tHypothesis\tLabel\r\n"A" and B\t"A\tneutral\r\n')
    (pair,) = read_pairs(file, "dev")
    assert (pair.premise, pair.hypothesis, pair.label) == ('"A" and B', '"A', "neutral")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Premise\tHypothesis\na\tb\n", r"d.tsv: missing column 'Label'"),
        ("Premise\tHypothesis\tLabel\na\tb\tmaybe\n", r"d.tsv:2: unknown label 'maybe'"),
        ("Premise\tHypothesis\tLabel\na\tb\n", r"d.tsv:2: expected 3 fields as in the first line, found 2"),
        ("", r"d.tsv: the file is empty"),
    ],
)
def test_errors_name_the_file_and_the_line(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "d.tsv"
    file.write_text(text)
    with pytest.raises(UserError, match=message):
        list(read_pairs(file, "dev"))

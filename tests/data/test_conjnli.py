"""ConjNLI is read whole, raw quotes and byte order mark and all, and each pair says which conjunction it is about."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from trivium.data.sources import load_source
from trivium.data.sources.conjnli import conjunction_kind, read_pairs
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
def test_each_part_is_whole(name: str, labels: dict[str | None, int]) -> None:
    split = load_source(name)
    assert split.name == name
    assert Counter(example.label for example in split) == labels
    assert len({example.id for example in split}) == len(split)
    assert not any("\ufeff" in example.premise for example in split)


@pytest.mark.usefixtures("real_data")
def test_multiple_conjunctions_are_as_frequent_as_the_authors_say() -> None:
    kinds = Counter(e.fact("conjunction") for name in ("conjnli", "conjnli-test") for e in load_source(name))
    assert kinds == {"and": 561, "or": 501, "multiple": 383, "but": 178}
    assert round(100 * kinds["multiple"] / 1623) == 24  # "23 %"; they too may have rounded down


@pytest.mark.parametrize(
    ("sentences", "kind"),
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
def test_the_kind_of_a_conjunction(sentences: tuple[str, ...], kind: str) -> None:
    assert conjunction_kind(*sentences) == kind


def test_quotes_are_characters_like_any_other(tmp_path: Path) -> None:
    file = tmp_path / "dev.tsv"
    file.write_bytes(b'\xef\xbb\xbfPremise\tHypothesis\tLabel\r\n"A" and B\t"A\tneutral\r\n')
    (pair,) = read_pairs(file, "dev")
    assert (pair.premise, pair.hypothesis, pair.label) == ('"A" and B', '"A', "neutral")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Premise\tHypothesis\na\tb\n", r"d.tsv: missing column 'Label'"),
        ("Premise\tHypothesis\tLabel\na\tb\tmaybe\n", r"d.tsv:2: unknown label 'maybe'"),
        ("Premise\tHypothesis\tLabel\na\tb\n", r"d.tsv:2: 2 fields where the first line names 3 columns"),
        ("", r"d.tsv: the file is empty"),
    ],
)
def test_mistakes_name_file_and_line(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "d.tsv"
    file.write_text(text)
    with pytest.raises(UserError, match=message):
        list(read_pairs(file, "dev"))

"""CoNLL-U files are read with the character offsets of words, and errors name the line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from trivium.data.conllu import ROOT, read_conllu
from trivium.errors import UserError


def line(number: str, form: str, tag: str, head: str, relation: str, misc: str = "_") -> str:
    return "\t".join((number, form, form.lower(), tag, "XX", "_", head, relation, "_", misc))


GOOD = "\n".join(
    [
        "# text = Ann can't sing.",
        line("1", "Ann", "PROPN", "4", "nsubj"),
        line("2-3", "can't", "_", "_", "_"),
        line("2", "ca", "AUX", "4", "aux"),
        line("3", "n't", "PART", "4", "advmod"),
        line("4", "sing", "VERB", "0", "root", "SpaceAfter=No"),
        line("4.1", "sung", "VERB", "_", "_"),
        line("5", ".", "PUNCT", "4", "punct"),
        "",
        line("1", "Yes", "INTJ", "0", "root"),
        "",
    ]
)


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "trees.conllu"
    path.write_text(text, encoding="utf-8")
    return path


def test_words_have_their_character_offsets(tmp_path: Path) -> None:
    first, second = read_conllu(write(tmp_path, GOOD))
    assert first.text == "Ann can't sing."
    assert [first.text[word.start : word.end] for word in first.words] == ["Ann", "ca", "n't", "sing", "."]
    assert [word.head for word in first.words] == [3, 3, 3, ROOT, 3]
    assert [word.relation for word in first.words][:2] == ["nsubj", "aux"]
    assert (second.text, second.where.rpartition(":")[2]) == ("Yes", "10")


def test_a_gzipped_file_with_other_line_endings_gives_the_same_sentences(tmp_path: Path) -> None:
    plain = [sentence.words for sentence in read_conllu(write(tmp_path, GOOD))]
    packed = tmp_path / "trees.conllu.gz"
    packed.write_bytes(gzip.compress(GOOD.replace("\n", "\r\n").encode()))
    assert [sentence.words for sentence in read_conllu(packed)] == plain


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"trees\.conllu: contains no sentences"),
        ("# only a comment\n\n", r"contains no sentences"),
        ("1\tAnn\n", r"trees\.conllu:1: expected 10 fields separated by tabs, found 2"),
        (line("2", "Ann", "PROPN", "0", "root"), r"conllu:1: expected word number 1, found '2'"),
        (line("1", "Ann", "PROPN", "7", "root"), r"conllu:1: the head '7' is not another word"),
        (line("1", "Ann", "PROPN", "1", "root"), r"conllu:1: the head '1' is not another word"),
        (line("1", "Ann", "PROPN", "x", "root"), r"conllu:1: the head 'x'"),
        (line("1-2", "can't", "_", "_", "_"), r"conllu:1: the words of 1-2 are missing"),
        (line("2-x", "can't", "_", "_", "_"), r"conllu:1: '2-x' is not a range"),
    ],
)
def test_a_damaged_file_is_an_error_of_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match=message) as raised:
        list(read_conllu(write(tmp_path, text)))
    assert "\n" not in str(raised.value)


def test_the_real_trees_have_their_published_counts(shared_data: Path) -> None:
    sentences = list(read_conllu(shared_data / "ud_ewt" / "en_ewt-ud-dev.conllu.gz"))
    assert (len(sentences), sum(len(sentence.words) for sentence in sentences)) == (2001, 25147)
    for sentence in sentences:
        assert all(a.end <= b.start for a, b in zip(sentence.words, sentence.words[1:], strict=False))

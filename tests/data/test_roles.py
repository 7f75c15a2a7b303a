"""Files of roles are read and written as they are released, and mistakes in them are told with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from trivium.data.roles import Frame, RoleSentence, read_roles, write_roles
from trivium.errors import UserError

SANG = "She sang.\nB-ARG0\tB-V\tO\n"


def test_the_words_of_nearly_all_released_sentences_are_found_again(shared_data: Path) -> None:
    found = read_roles(shared_data / "conjnli" / "conj_dev_srl.txt")
    assert (len(found.sentences), len(found.unfit)) == (1245, 1)
    assert sum(len(sentence.frames) for sentence in found.sentences) == 2078
    assert sum(not sentence.frames for sentence in found.sentences) == 6
    (unfit,) = found.unfit
    assert unfit.where.endswith("conj_dev_srl.txt:208")
    assert (unfit.words, unfit.tags) == (17, 16)


def test_predicates_are_words_and_no_punctuation(shared_data: Path) -> None:
    """If words were counted wrongly, tags would slip by one."""
    found = read_roles(shared_data / "conjnli" / "conj_dev_srl.txt")
    verbs = [sentence.words[frame.predicate] for sentence in found.sentences for frame in sentence.frames]
    # Four were tagged so: three hyphens of a verb, and a sign of money.
    assert sum(not verb[-1].isalnum() for verb in verbs) == 4
    assert sum(verb in ("is", "was", "are", "were") for verb in verbs) > 300


def test_a_sentence_has_a_frame_for_each_predicate(tmp_path: Path) -> None:
    file = tmp_path / "r.txt"
    file.write_bytes(
        b"\xef\xbb\xbfHe sang, and danced.\r\nB-ARG0\tB-V\tO\tO\tO\tO\r\nB-ARG0\tO\tO\tO\tB-V\tO\r\n\r\n\r\nNo.\r\n"
    )
    sang, no = read_roles(file).sentences
    assert sang.words == ("He", "sang", ",", "and", "danced", ".")
    assert [frame.predicate for frame in sang.frames] == [1, 4]
    assert no == RoleSentence("No.", ("No", "."), ())


def test_what_is_written_is_read_again_whatever_its_words(tmp_path: Path) -> None:
    frame = Frame(("B-ARG0", "I-ARG0", "B-V", "B-ARGM-NEG"))
    sentence = RoleSentence("don't. x-y is n't", ("don't.", "x-y", "is", "not"), (frame,))
    write_roles(tmp_path / "r.txt", [sentence, sentence])
    read = read_roles(tmp_path / "r.txt")
    assert [(each.words, each.frames) for each in read.sentences] == [(sentence.words, sentence.frames)] * 2
    assert not read.unfit


def test_sentences_that_do_not_fit_their_tags_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "r.txt"
    file.write_text(f"{SANG}\nShe sang.\nB-ARG0\tB-V\tO\tO\n")
    found = read_roles(file)
    assert len(found.sentences) == 1
    assert found.unfit == ((f"{file}:4", 3, 4),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"r\.txt: there are no sentences in it"),
        ("She sang.\nB-ARG0\tB-V\tX-ARG1\n", r"r\.txt:2: tag 3 is 'X-ARG1', and not O, B-… or I-…"),
        ("She sang.\nB-ARG0\tB-V\tI-ARG1\n", r"r\.txt:2: tag 3 is 'I-ARG1' after 'B-V': a role begins with B-"),
        ("She sang.\nI-ARG0\tB-V\tO\n", r"r\.txt:2: tag 1 is 'I-ARG0' after 'O'"),
        ("She sang.\nB-ARG0\t\tO\n", r"r\.txt:2: tag 2 is ''"),
        ("She sang.\nB-ARG0\tO\tO\n", r"r\.txt:2: there are 0 predicates \(B-V\) in the row, and not one"),
        (f"{SANG}B-ARG0\tB-V\n", r"r\.txt:3: 2 tags, where the row before has 3"),
        (f"{SANG}She danced.\n", r"r\.txt:3: 1 tags, where the row before has 3"),
    ],
)
def test_mistakes_are_one_line_with_file_and_line(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "r.txt"
    file.write_text(text)
    with pytest.raises(UserError, match=message) as raised:
        read_roles(file)
    assert "\n" not in str(raised.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_roles(tmp_path / "r.txt")

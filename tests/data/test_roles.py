"""Files of roles are read and written in the released format, and errors name the file and the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from trivium.data.roles import Frame, RoleSentence, read_roles, write_roles
from trivium.errors import UserError

SANG = "She sang.\nB-ARG0\tB-V\tO\n"


def test_nearly_all_released_sentences_have_as_many_words_as_tags(shared_data: Path) -> None:
    roles = read_roles(shared_data / "conjnli" / "conj_dev_srl.txt")
    assert (len(roles.sentences), len(roles.skipped)) == (1245, 1)
    assert sum(len(sentence.frames) for sentence in roles.sentences) == 2078
    assert sum(not sentence.frames for sentence in roles.sentences) == 6
    (unfit,) = roles.skipped
    assert unfit.where.endswith("conj_dev_srl.txt:208")
    assert (unfit.words, unfit.tags) == (17, 16)


def test_predicates_are_words_and_not_punctuation(shared_data: Path) -> None:
    """If sentences were split into other words, tags would be shifted."""
    roles = read_roles(shared_data / "conjnli" / "conj_dev_srl.txt")
    verbs = [sentence.words[frame.predicate] for sentence in roles.sentences for frame in sentence.frames]
    # Four are tagged so in the file: three hyphens inside verbs, and a currency sign.
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


def test_written_roles_are_read_back_the_same(tmp_path: Path) -> None:
    frame = Frame(("B-ARG0", "I-ARG0", "B-V", "B-ARGM-NEG"))
    sentence = RoleSentence("don't. x-y is n't", ("don't.", "x-y", "is", "not"), (frame,))
    write_roles(tmp_path / "r.txt", [sentence, sentence])
    roles = read_roles(tmp_path / "r.txt")
    assert [(back.words, back.frames) for back in roles.sentences] == [(sentence.words, sentence.frames)] * 2
    assert not roles.skipped


def test_sentences_that_do_not_match_their_tags_are_listed(tmp_path: Path) -> None:
    file = tmp_path / "r.txt"
    file.write_text(f"{SANG}\nShe sang.\nB-ARG0\tB-V\tO\tO\n")
    roles = read_roles(file)
    assert len(roles.sentences) == 1
    assert roles.skipped == ((f"{file}:4", 3, 4),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"r\.txt: contains no sentences"),
        ("She sang.\nB-ARG0\tB-V\tX-ARG1\n", r"r\.txt:2: tag 3 is 'X-ARG1': must be O, B-… or I-…"),
        ("She sang.\nB-ARG0\tB-V\tI-ARG1\n", r"r\.txt:2: tag 3 is 'I-ARG1' after 'B-V': a role must begin with B-"),
        ("She sang.\nI-ARG0\tB-V\tO\n", r"r\.txt:2: tag 1 is 'I-ARG0' after 'O'"),
        ("She sang.\nB-ARG0\t\tO\n", r"r\.txt:2: tag 2 is ''"),
        ("She sang.\nB-ARG0\tO\tO\n", r"r\.txt:2: expected one predicate \(B-V\) in the row, found 0"),
        (f"{SANG}B-ARG0\tB-V\n", r"r\.txt:3: expected 3 tags as in the first row, found 2"),
        (f"{SANG}She danced.\n", r"r\.txt:3: expected 3 tags as in the first row, found 1"),
    ],
)
def test_errors_name_the_file_and_the_line(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "r.txt"
    file.write_text(text)
    with pytest.raises(UserError, match=message) as raised:
        read_roles(file)
    assert "\n" not in str(raised.value)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_roles(tmp_path / "r.txt")

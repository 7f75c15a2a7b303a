"""SICK is read in both directions, and errors in its files name the line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from trivium.data.sources import find_sources
from trivium.data.sources.sick import read_corrected, read_semeval, read_sick
from trivium.errors import UserError

COLUMNS = (
    "pair_ID\tsentence_A\tsentence_B\tentailment_label\trelatedness_score\tentailment_AB\tentailment_BA\t"
    "sentence_A_original\tsentence_B_original\tsentence_A_dataset\tsentence_B_dataset\tSemEval_set"
)
ROW = '1\tA "dog" runs\tA "cat\tNEUTRAL\t4.5\tA_contradicts_B\tB_neutral_A\tx\ty\tFLICKR\tFLICKR\tTRAIN'
CORRECTED = "pair_ID\tsentence_A\tsentence_B\tentailment_label\trelatedness_score\n1\ta\tb\tCONTRADICTION\t04. May\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIVIUM_DATA", str(tmp_path))
    monkeypatch.setenv("TRIVIUM_CACHE", str(tmp_path / "cache"))
    (tmp_path / "sick" / "corrected").mkdir(parents=True)
    (tmp_path / "sick" / "corrected" / "SICK_whole_corpus_reannotated.csv").write_text(CORRECTED)
    return tmp_path


def sick(folder: Path, text: str) -> Path:
    path = folder / "sick" / "SICK.txt"
    path.write_bytes(text.encode())
    return path


def test_a_pair_becomes_an_example_in_each_direction(folder: Path) -> None:
    sick(folder, f"{COLUMNS}\r\n{ROW}\r\n")
    forward, backward = find_sources()["sick"]().load().examples
    assert (forward.id, forward.premise, forward.hypothesis, forward.label) == (
        "sick-1-ab", 'A "dog" runs', 'A "cat', "contradiction",
    )  # fmt: skip
    assert (backward.id, backward.premise, backward.hypothesis, backward.label) == (
        "sick-1-ba", 'A "cat', 'A "dog" runs', "neutral",
    )  # fmt: skip
    assert forward.task == backward.task == "natural"
    common = {"pair": "1", "part": "TRAIN", "label_ab": "neutral", "corrected": "contradiction"}
    assert dict(forward.facts) == {**common, "direction": "ab"}
    assert dict(backward.facts) == {**common, "direction": "ba"}


def test_quotes_have_no_special_meaning_and_any_line_ending_is_read(folder: Path) -> None:
    with_crlf = read_sick(sick(folder, f"{COLUMNS}\r\n{ROW}\r\n"))
    assert with_crlf == read_sick(sick(folder, f"\ufeff{COLUMNS}\n{ROW}"))
    assert with_crlf[0].part == "TRAIN"
    assert with_crlf[0].sentence_b == 'A "cat'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"SICK\.txt: the file is empty"),
        ("\r\n\r\n", r"SICK\.txt: the file is empty"),
        (COLUMNS + "\r\n", r"SICK\.txt: the file has no pairs after its header"),
        (
            COLUMNS.replace("entailment_BA\t", ""),
            r"SICK\.txt: missing column 'entailment_BA' \(available: 'pair_ID', .*'SemEv",
        ),
        ("a\tb\n", r"missing column 'pair_ID', 'sentence_A', .*\(available: 'a', 'b'\)"),
        (f"{COLUMNS}\n{ROW}\n2\tonly\tthree\n", r"SICK\.txt:3: expected 12 fields as in the first line, found 3"),
        (
            f"{COLUMNS}\n{ROW.replace('A_contradicts_B', 'A_entail_B')}",
            r"SICK\.txt:2: .*'A_entail_B'.*did you mean 'a_ent",
        ),
        (f"{COLUMNS}\n{ROW.replace('B_neutral_A', 'A_neutral_B')}", r"SICK\.txt:2: unknown label 'A_neutral_B'"),
        (
            f"{COLUMNS}\n{ROW.replace('NEUTRAL', 'NUTRAL')}",
            r"SICK\.txt:2: unknown label 'NUTRAL'.*did you mean 'neutral'",
        ),
        (
            f"{COLUMNS}\n{ROW.replace('TRAIN', 'TRAINS')}",
            r"SICK\.txt:2: unknown SemEval_set 'TRAINS': did you mean 'TRAIN'",
        ),
        (f"{COLUMNS}\n{ROW}\n{ROW}", r"SICK\.txt:3: duplicate pair_ID '1', first used at .*SICK\.txt:2"),
    ],
)
def test_a_damaged_file_is_an_error_of_one_line(folder: Path, text: str, message: str) -> None:
    path = sick(folder, text)
    with pytest.raises(UserError, match=message) as raised:
        read_sick(path)
    assert "\n" not in str(raised.value)


def test_the_error_for_a_file_that_is_not_utf_8_names_the_line(folder: Path) -> None:
    path = sick(folder, "")
    path.write_bytes(f"{COLUMNS}\r\n{ROW}\r\n".encode() + b"caf\xe9")
    with pytest.raises(UserError, match=r"SICK\.txt:3: not UTF-8"):
        read_sick(path)


def test_a_pair_without_a_corrected_label_is_an_error(folder: Path) -> None:
    sick(folder, f"{COLUMNS}\n{ROW.replace('1', '77', 1)}")
    with pytest.raises(UserError, match=r"the pair_ID '77' of SICK\.txt is missing"):
        find_sources()["sick"]().load()


def test_only_the_labels_of_the_damaged_corrections_are_read(folder: Path) -> None:
    corrected = read_corrected(folder / "sick" / "corrected" / "SICK_whole_corpus_reannotated.csv")
    assert corrected == {"1": "contradiction"}


def test_the_error_for_missing_data_says_how_to_get_them(folder: Path) -> None:
    with pytest.raises(UserError, match="trivium data get sick"):
        find_sources()["sick"]().load()


@pytest.mark.usefixtures("real_data")
def test_the_real_sick_has_its_published_counts() -> None:
    split = find_sources()["sick"]().load()
    forward = [example for example in split if example.fact("direction") == "ab"]
    assert (len(split), len(forward)) == (19680, 9840)
    assert len({example.id for example in split}) == 19680
    assert Counter(example.fact("label_ab") for example in forward) == {
        "neutral": 5595, "entailment": 2821, "contradiction": 1424,
    }  # fmt: skip
    assert Counter(example.fact("corrected") for example in forward) == {
        "neutral": 5663, "entailment": 2592, "contradiction": 1585,
    }  # fmt: skip
    assert Counter(example.fact("part") for example in forward) == {"TRAIN": 4439, "TRIAL": 495, "TEST": 4906}
    assert [example.id for example in split.examples[:3]] == ["sick-1-ab", "sick-1-ba", "sick-2-ab"]


def test_the_real_semeval_release_has_its_published_counts(real_data: Path) -> None:
    split = find_sources()["sick-semeval"]().load()
    assert Counter(example.fact("part") for example in split) == {"train": 4500, "trial": 500, "test": 4927}
    assert split.counts() == {"entailment": 2857, "neutral": 5611, "contradiction": 1459}
    trial = read_semeval(real_data / "sick" / "semeval2014" / "SICK_trial.txt")
    assert trial[0].sentence_a == "The young boys are playing outdoors and the man is smiling nearby"

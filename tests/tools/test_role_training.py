"""A tagger learns from files of roles, by the same bytes each time, and is measured on sentences unlike its own."""

from __future__ import annotations

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from pathlib import Path

import pytest
from transformers import AutoModelForTokenClassification

from trivium.build.conjuncts.parsers.spacy import model_name
from trivium.cli.main import run
from trivium.data.roles import Frame, RoleSentence, write_roles
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.models.tagger import Tagger, new_tagger, tags_of
from trivium.seeds import stream
from trivium.tools.role_training import alike, gather_roles, held_apart, train_tagger

CODES = [f"{first}{second}{third}" for first in "bdg" for second in "aeiou" for third in "lmn"]
TRAIN = TrainConfig(learning_rate=3e-3, batch_size=8, epochs=8, frozen="embeddings")


def made() -> list[RoleSentence]:
    frame = Frame(("B-ARG0", "B-V", "B-ARG1", "O"))
    sentences = [(f"{code}er", f"{code}ed", f"{code}ing", ".") for code in CODES]
    return [RoleSentence(" ".join(words), words, (frame,)) for words in sentences]


def tagger() -> Tagger:
    return new_tagger("tiny", tags_of(["V", "ARG0", "ARG1"]), 0)


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


def test_sentences_that_share_half_of_their_words_are_alike() -> None:
    texts = ["He sang old songs and danced", "He sang old songs", "She ate bread", "Bread ate she", "Nobody came home"]
    first, second, third, fourth, last = alike([text.split() for text in texts])
    assert first == second
    assert third == fourth
    assert len({first, third, last}) == 3


def test_equal_sentences_of_frequent_words_are_alike() -> None:
    groups = alike([("a", "b")] * 50 + [("c",)] * 50)
    assert len(set(groups)) == 2


def test_sentences_alike_are_on_one_side() -> None:
    frame = Frame(("B-ARG0", "B-V", "O"))
    sentences = [
        RoleSentence(f"w{number // 2} v{number // 2} {end}", (f"w{number // 2}", f"v{number // 2}", end), (frame,))
        for number, end in enumerate(["x", "y"] * 20)
    ]
    held_out, taught = held_apart(sentences, 0.25, stream(0, "data"))
    assert (len(held_out), len(taught)) == (10, 30)
    assert not {each.asked.words[0] for each in held_out} & {each.asked.words[0] for each in taught}


def test_where_all_are_alike_nothing_can_be_held_out() -> None:
    with pytest.raises(UserError, match="all sentences are alike"):
        held_apart(made()[:1] * 5, 0.5, stream(0, "data"))


def test_it_learns_and_gives_the_same_bytes_again(tmp_path: Path) -> None:
    for name in ("one", "two"):
        trained = tagger()
        found = train_tagger(trained, made(), TRAIN, 0, 0.2)
        trained.save(tmp_path / name)
        assert found.predicates + found.held_out == 45
        assert set(found.by_role) == {"ARG0", "ARG1"}
        assert found.f1.low <= found.f1.value <= found.f1.high
        assert found.f1.value > 90
    assert weights(tmp_path / "one") == weights(tmp_path / "two")


def test_training_that_diverges_is_told() -> None:
    lost = tagger()
    lost.model.classifier.weight.data.fill_(float("nan"))
    with pytest.raises(UserError, match=r"diverged at step .* lower --learning-rate"):
        train_tagger(lost, made(), TRAIN, 0, 0.2)


def test_the_roles_of_files_are_gathered(tmp_path: Path) -> None:
    write_roles(tmp_path / "r.txt", made()[:3])
    gathered = gather_roles([tmp_path / "r.txt", tmp_path / "r.txt"])
    assert len(gathered.sentences) == 6
    assert gathered.roles == ("ARG0", "ARG1", "V")


TREES = """1\tHe\the\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tsang\tsing\tVERB\t_\t_\t0\troot\t_\t_
3\tsongs\tsong\tNOUN\t_\t_\t2\tobj\t_\t_

1\tThey\tthey\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tleft\tleave\tVERB\t_\t_\t0\troot\t_\t_

"""


def test_the_roles_of_trees_are_derived(tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_text(TREES)
    first, second = gather_roles([tmp_path / "t.conllu"]).sentences
    assert first.words == ("He", "sang", "songs")
    assert [frame.tags for frame in first.frames] == [("B-ARG0", "B-V", "B-ARG1")]
    assert [frame.tags for frame in second.frames] == [("B-ARG0", "B-V")]


def test_the_roles_of_plain_sentences_are_those_that_a_parser_finds() -> None:
    pytest.importorskip("spacy")
    if model_name() is None:
        pytest.skip("no English model of spaCy is installed")
    texts = ["The cook bought bread.", "No verb here.", "The boys  ate the soup."]
    found = gather_roles([], texts).sentences
    assert [sentence.text for sentence in found] == texts
    assert found[0].frames[0].tags == ("B-ARG0", "I-ARG0", "B-V", "B-ARG1", "O")
    assert found[2].frames[0].tags == ("B-ARG0", "I-ARG0", "B-V", "B-ARG1", "I-ARG1", "O")


def test_nothing_to_learn_from_is_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", "srl", "--out", str(tmp_path / "srl")]) == 2
    assert "with --data or --sentences" in capsys.readouterr().err


def test_the_command_trains_says_how_well_and_saves_what_transformers_loads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    write_roles(tmp_path / "r.txt", made())
    with (tmp_path / "r.txt").open("a") as file:
        file.write("Too few.\nB-V\n\n")
    wanted = ["train", "srl", "--data", tmp_path / "r.txt", "--model", "tiny", "--out", tmp_path / "srl"]
    assert run([str(word) for word in (*wanted, "--epochs", 1, "--threads", 1)]) == 0
    said = capsys.readouterr().out
    assert "Span F1" in said
    assert "ARG0" in said
    assert "1, the first at" in said
    assert AutoModelForTokenClassification.from_pretrained(tmp_path / "srl").config.id2label[0] == "O"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "no such file"),
        ("", "contains no sentences"),
        ("He sang.\nB-ARG0\tB-V\tO\n", "there are 1 sentences with a predicate in it"),
        ("He sang.\nB-V\n", "there are 0 sentences with a predicate in it (1 do not fit their tags, the first at"),
        ("He sang.\nB-ARG0\tX\tO\n", "r.txt:2: tag 2 is 'X'"),
    ],
)
def test_mistakes_are_one_line_and_nothing_is_written(
    text: str | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if text is not None:
        (tmp_path / "r.txt").write_text(text)
    wanted = ["train", "srl", "--data", tmp_path / "r.txt", "--model", "tiny", "--out", tmp_path / "srl"]
    assert run([str(word) for word in wanted]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert words in said
    assert said.count("\n") == 1
    assert not (tmp_path / "srl").exists()

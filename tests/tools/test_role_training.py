"""A tagger is trained deterministically from files of roles, and evaluated on sentences unlike those it has seen."""

from __future__ import annotations

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from pathlib import Path

import pytest
from tests.tools.in_process import InProcessRunner
from transformers import AutoModelForTokenClassification

from trivium.build.conjuncts.parsers.spacy import model_name
from trivium.cli.main import run
from trivium.data.roles import Frame, RoleSentence, write_roles
from trivium.engine import execute
from trivium.errors import UserError
from trivium.learn.config import TrainConfig
from trivium.learn.tagging import TaggedQuery, fit_tagger
from trivium.models.tagger import Tagger, TaggingQuery, new_tagger, tags_of
from trivium.seeds import stream
from trivium.session import Session
from trivium.tools.role_training import RoleData, gather_roles, group_similar, split_questions, train_tagger

CODES = [f"{first}{second}{third}" for first in "bdg" for second in "aeiou" for third in "lmn"]
TRAIN = TrainConfig(learning_rate=3e-3, batch_size=8, epochs=8, frozen="embeddings")


def role_sentences() -> list[RoleSentence]:
    """Return 45 sentences whose roles follow from the endings of their words."""
    frame = Frame(("B-ARG0", "B-V", "B-ARG1", "O"))
    sentences = [(f"{code}er", f"{code}ed", f"{code}ing", ".") for code in CODES]
    return [RoleSentence(" ".join(words), words, (frame,)) for words in sentences]


def tagger() -> Tagger:
    return new_tagger("tiny", tags_of(["V", "ARG0", "ARG1"]), 0)


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


def test_sentences_that_share_half_of_their_words_are_similar() -> None:
    texts = ["He sang old songs and danced", "He sang old songs", "She ate bread", "Bread ate she", "Nobody came home"]
    first, second, third, fourth, last = group_similar([text.split() for text in texts])
    assert first == second
    assert third == fourth
    assert len({first, third, last}) == 3


def test_equal_sentences_of_frequent_words_are_similar() -> None:
    groups = group_similar([("a", "b")] * 50 + [("c",)] * 50)
    assert len(set(groups)) == 2


def test_similar_sentences_are_not_separated() -> None:
    frame = Frame(("B-ARG0", "B-V", "O"))
    sentences = [
        RoleSentence(f"w{number // 2} v{number // 2} {end}", (f"w{number // 2}", f"v{number // 2}", end), (frame,))
        for number, end in enumerate(["x", "y"] * 20)
    ]
    held_out, training = split_questions(sentences, 0.25, stream(0, "data"))
    assert (len(held_out), len(training)) == (10, 30)
    assert not {each.query.words[0] for each in held_out} & {each.query.words[0] for each in training}


def test_nothing_can_be_held_out_if_all_sentences_are_similar() -> None:
    with pytest.raises(UserError, match="all sentences are similar"):
        split_questions(role_sentences()[:1] * 5, 0.5, stream(0, "data"))


def test_training_learns_and_is_deterministic(tmp_path: Path) -> None:
    for name in ("first", "second"):
        runner = InProcessRunner(tmp_path / f"store-{name}")
        trained, result = train_tagger("tiny", RoleData(tuple(role_sentences()), ()), TRAIN, 0, 0.2, runner)
        trained.save(tmp_path / name)
        assert result.predicates + result.held_out == 45
        assert set(result.by_role) == {"ARG0", "ARG1"}
        assert result.f1.low <= result.f1.value <= result.f1.high
        assert result.f1.value > 90
    assert weights(tmp_path / "first") == weights(tmp_path / "second")


def test_a_second_training_on_the_same_data_trains_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_roles(tmp_path / "r.txt", role_sentences())
    session = Session(tmp_path / "store", "inline", progress=False)
    options = {"model": "tiny", "train": TRAIN.model_copy(update={"epochs": 1})}
    first = session.train_srl(tmp_path / "r.txt", tmp_path / "first", **options)

    def train(*_: object) -> None:
        raise AssertionError("it trains again")

    monkeypatch.setattr(execute, "fit_tagger", train)
    assert session.train_srl(tmp_path / "r.txt", tmp_path / "second", **options) == first
    assert weights(tmp_path / "first") == weights(tmp_path / "second")


def test_training_that_diverges_is_an_error() -> None:
    diverging = tagger()
    diverging.model.classifier.weight.data.fill_(float("nan"))
    with pytest.raises(UserError, match=r"diverged at step .* lower learning_rate="):
        fit_tagger(diverging, [TaggedQuery(TaggingQuery(("He", "sang"), 1), ("B-ARG0", "B-V"))], TRAIN, 0)


def test_the_roles_of_files_are_gathered(tmp_path: Path) -> None:
    write_roles(tmp_path / "r.txt", role_sentences()[:3])
    gathered = gather_roles([tmp_path / "r.txt", tmp_path / "r.txt"])
    assert len(gathered.sentences) == 6
    assert gathered.roles == ("ARG0", "ARG1", "V")


TREES = """1\tHe\the\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tsang\tsing\tVERB\t_\t_\t0\troot\t_\t_
3\tsongs\tsong\tNOUN\t_\t_\t2\tobj\t_\t_

1\tThey\tthey\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tleft\tleave\tVERB\t_\t_\t0\troot\t_\t_

"""


def test_the_roles_of_trees_are_derived_from_dependencies(tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_text(TREES)
    first, second = gather_roles([tmp_path / "t.conllu"]).sentences
    assert first.words == ("He", "sang", "songs")
    assert [frame.tags for frame in first.frames] == [("B-ARG0", "B-V", "B-ARG1")]
    assert [frame.tags for frame in second.frames] == [("B-ARG0", "B-V")]


def test_the_roles_of_plain_sentences_are_derived_from_a_parse() -> None:
    pytest.importorskip("spacy")
    if model_name() is None:
        pytest.skip("no English model of spaCy is installed")
    texts = ["The cook bought bread.", "No verb here.", "The boys  ate the soup."]
    sentences = gather_roles([], texts).sentences
    assert [sentence.text for sentence in sentences] == texts
    assert sentences[0].frames[0].tags == ("B-ARG0", "I-ARG0", "B-V", "B-ARG1", "O")
    assert sentences[2].frames[0].tags == ("B-ARG0", "I-ARG0", "B-V", "B-ARG1", "I-ARG1", "O")


def test_training_without_data_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", "srl", "--out", str(tmp_path / "srl"), "--store", str(tmp_path / "store")]) == 2
    assert "with --data or --sentences" in capsys.readouterr().err


def test_the_command_reports_the_accuracy_and_saves_a_model_that_transformers_loads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    write_roles(tmp_path / "r.txt", role_sentences())
    with (tmp_path / "r.txt").open("a") as file:
        file.write("Too few.\nB-V\n\n")
    arguments = ["train", "srl", "--data", tmp_path / "r.txt", "--model", "tiny", "--out", tmp_path / "srl"]
    arguments += ["--store", tmp_path / "store"]
    assert run([str(word) for word in (*arguments, "--epochs", 1, "--threads", 1)]) == 0
    output = capsys.readouterr().out
    assert "Span F1" in output
    assert "ARG0" in output
    assert "1, the first at" in output
    assert AutoModelForTokenClassification.from_pretrained(tmp_path / "srl").config.id2label[0] == "O"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "no such file"),
        ("", "contains no sentences"),
        ("He sang.\nB-ARG0\tB-V\tO\n", "needs at least 2 sentences with a predicate, found 1"),
        ("He sang.\nB-V\n", "predicate, found 0 (1 skipped because words and tags differ in number, the first at"),
        ("He sang.\nB-ARG0\tX\tO\n", "r.txt:2: tag 2 is 'X'"),
    ],
)
def test_errors_are_one_line_and_nothing_is_written(
    text: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if text is not None:
        (tmp_path / "r.txt").write_text(text)
    arguments = ["train", "srl", "--data", tmp_path / "r.txt", "--model", "tiny", "--out", tmp_path / "srl"]
    arguments += ["--store", tmp_path / "store"]
    assert run([str(word) for word in arguments]) == 2
    output = capsys.readouterr().err
    assert output.startswith("error: ")
    assert message in output
    assert output.count("\n") == 1
    assert not (tmp_path / "srl").exists()

"""A tagger reads the predicate as an input, answers for words, and its folder is an ordinary one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional
from transformers import AutoModel, AutoModelForTokenClassification

from trivium.errors import UserError
from trivium.models.encoders import load_encoder
from trivium.models.tagger import Asked, Tagger, load_tagger, new_tagger, tags_of

TAGS = tags_of(["V", "ARG0", "ARG1"])
WORDS = tuple("the dog quickly runs through the park".split())


@pytest.fixture(scope="module")
def tiny() -> Tagger:
    made = new_tagger("tiny", TAGS, 0)
    made.model.eval()
    return made


def test_the_tags_of_roles_are_both_of_each_and_o() -> None:
    assert TAGS == ("O", "B-ARG0", "I-ARG0", "B-ARG1", "I-ARG1", "B-V", "I-V")


def test_a_word_is_answered_at_its_first_token(tiny: Tagger) -> None:
    words = ("An", "embarrassingly", "long-winded", "speaker", "spoke", ".")
    encoded = tiny.tokenizer(" ".join(words), "spoke", return_tensors="pt")
    pieces = tiny.tokenizer.convert_ids_to_tokens(encoded["input_ids"][0])
    assert any(piece.startswith("##") for piece in pieces)
    # By hand: a token that begins a word stands behind a space; "long-winded" is three tokens.
    firsts = [1, 2, pieces.index("long"), pieces.index("speaker"), pieces.index("spoke"), pieces.index(".")]
    types = encoded["token_type_ids"].clone()
    types[0, pieces.index("spoke")] = 1
    with torch.no_grad():
        logits = tiny.model(**{**encoded, "token_type_ids": types}).logits[0, firsts]
    (found,) = tiny.scores([Asked(words, 4)])
    assert found.shape == (6, len(TAGS))
    assert np.allclose(found, logits.numpy(), atol=1e-5)


def test_the_predicate_decides_and_so_does_which_of_two_equal_words_it_is(tiny: Tagger) -> None:
    words = tuple("he said she said no".split())
    first, second, other = tiny.scores([Asked(words, 1), Asked(words, 3), Asked(words, 4)])
    assert not np.allclose(first, second, atol=1e-4)
    assert not np.allclose(first, other, atol=1e-4)


def test_the_loss_is_the_mean_cross_entropy_of_all_words(tiny: Tagger) -> None:
    asked = [Asked(WORDS, 3), Asked(("she", "sang"), 1)]
    gold = [("B-ARG0", "I-ARG0", "O", "B-V", "O", "O", "O"), ("B-ARG0", "B-V")]
    scores = torch.tensor(np.concatenate(tiny.scores(asked)))
    wanted = torch.tensor([TAGS.index(tag) for tags in gold for tag in tags])
    with torch.no_grad():
        found = tiny.loss(asked, gold)
    assert float(found) == pytest.approx(float(functional.cross_entropy(scores, wanted)), rel=1e-5)


def test_what_is_said_is_legal_and_does_not_depend_on_the_company(tiny: Tagger) -> None:
    asked = [Asked(WORDS, 3), Asked(("she", "sang"), 1), Asked(WORDS[:4], 3)]
    together = tiny.said(asked)
    assert together == [tiny.said([one])[0] for one in asked]
    assert [len(tags) for tags in together] == [7, 2, 4]
    assert not any(tags[0].startswith("I-") for tags in together)


def test_words_that_are_cut_off_or_vanish_are_outside(tiny: Tagger) -> None:
    long = ("word",) * 300
    (tags,) = tiny.said([Asked(long, 0)])
    assert len(tags) == 300
    assert set(tags[200:]) == {"O"}
    (scores,) = tiny.scores([Asked(("\x00", "sang", "\u200b"), 1)])
    assert scores[0].argmax() == scores[2].argmax() == 0
    assert float(tiny.loss([Asked(("\x00", "sang"), 1)], [("B-ARG0", "B-V")]).detach()) > 0
    assert tiny.said([Asked(("x" * 5000,), 0)])


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert", "deberta-v2", "modernbert", "albert"])
def test_every_family_can_be_a_tagger_and_transformers_loads_its_folder(
    save_model: Callable[..., Path], tmp_path: Path, family: str
) -> None:
    tagger = new_tagger(str(save_model(family)), TAGS, 0)
    tagger.model.eval()
    before = tagger.scores([Asked(WORDS, 3)])
    tagger.save(tmp_path / "tagger")
    assert {"config.json", "model.safetensors"} <= {file.name for file in (tmp_path / "tagger").iterdir()}
    theirs = AutoModelForTokenClassification.from_pretrained(tmp_path / "tagger")
    assert theirs.config.id2label == dict(enumerate(TAGS))
    again = load_tagger(str(tmp_path / "tagger"))
    assert again.tags == TAGS
    assert np.array_equal(again.scores([Asked(WORDS, 3)])[0], before[0])
    load_encoder(str(tmp_path / "tagger"), 0)


def test_the_seed_decides_the_layer_over_tokens() -> None:
    first, same, other = (new_tagger("minilm", TAGS, seed).model.classifier.weight for seed in (0, 0, 1))
    assert torch.equal(first, same)
    assert not torch.equal(first, other)


def test_what_cannot_tag_is_refused_in_one_line(save_model: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such folder"):
        load_tagger(str(tmp_path / "nowhere"))
    with pytest.raises(UserError, match="weights do not match"):
        load_tagger(str(save_model("bert", at="bare", kind=AutoModel)))
    with pytest.raises(UserError, match=r"has the outputs LABEL_0, LABEL_1: they must be O, B-… and I-…"):
        load_tagger(str(save_model("bert", at="other", kind=AutoModelForTokenClassification)))

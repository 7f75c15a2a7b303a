"""A tagger takes the predicate as an input, tags words, and is saved as an ordinary folder."""

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
from trivium.models.tagger import Tagger, TaggingQuery, load_tagger, new_tagger, tags_of

TAGS = tags_of(["V", "ARG0", "ARG1"])
WORDS = tuple("the dog quickly runs through the park".split())


@pytest.fixture(scope="module")
def tiny() -> Tagger:
    built = new_tagger("tiny", TAGS, 0)
    built.model.eval()
    return built


def test_the_tags_are_o_and_b_and_i_of_each_role() -> None:
    assert TAGS == ("O", "B-ARG0", "I-ARG0", "B-ARG1", "I-ARG1", "B-V", "I-V")


def test_a_word_is_tagged_at_its_first_token(tiny: Tagger) -> None:
    words = ("An", "embarrassingly", "long-winded", "speaker", "spoke", ".")
    encoded = tiny.tokenizer(" ".join(words), "spoke", return_tensors="pt")
    pieces = tiny.tokenizer.convert_ids_to_tokens(encoded["input_ids"][0])
    assert any(piece.startswith("##") for piece in pieces)
    # A token that begins a word follows a space; "long-winded" is three tokens.
    firsts = [1, 2, pieces.index("long"), pieces.index("speaker"), pieces.index("spoke"), pieces.index(".")]
    types = encoded["token_type_ids"].clone()
    types[0, pieces.index("spoke")] = 1
    with torch.no_grad():
        logits = tiny.model(**{**encoded, "token_type_ids": types}).logits[0, firsts]
    (actual,) = tiny.scores([TaggingQuery(words, 4)])
    assert actual.shape == (6, len(TAGS))
    assert np.allclose(actual, logits.numpy(), atol=1e-5)


def test_tags_depend_on_the_predicate_and_on_its_position(tiny: Tagger) -> None:
    words = tuple("he said she said no".split())
    first, second, other = tiny.scores([TaggingQuery(words, 1), TaggingQuery(words, 3), TaggingQuery(words, 4)])
    assert not np.allclose(first, second, atol=1e-4)
    assert not np.allclose(first, other, atol=1e-4)


def test_the_loss_is_the_mean_cross_entropy_of_all_words(tiny: Tagger) -> None:
    queries = [TaggingQuery(WORDS, 3), TaggingQuery(("she", "sang"), 1)]
    gold = [("B-ARG0", "I-ARG0", "O", "B-V", "O", "O", "O"), ("B-ARG0", "B-V")]
    scores = torch.tensor(np.concatenate(tiny.scores(queries)))
    targets = torch.tensor([TAGS.index(tag) for tags in gold for tag in tags])
    with torch.no_grad():
        actual = tiny.loss(queries, gold)
    assert float(actual) == pytest.approx(float(functional.cross_entropy(scores, targets)), rel=1e-5)


def test_predicted_tags_are_valid_and_do_not_depend_on_the_other_queries(tiny: Tagger) -> None:
    queries = [TaggingQuery(WORDS, 3), TaggingQuery(("she", "sang"), 1), TaggingQuery(WORDS[:4], 3)]
    together = tiny.predict(queries)
    assert together == [tiny.predict([one])[0] for one in queries]
    assert [len(tags) for tags in together] == [7, 2, 4]
    assert not any(tags[0].startswith("I-") for tags in together)


def test_words_without_tokens_are_tagged_as_outside(tiny: Tagger) -> None:
    long = ("word",) * 300
    (tags,) = tiny.predict([TaggingQuery(long, 0)])
    assert len(tags) == 300
    assert set(tags[200:]) == {"O"}
    (scores,) = tiny.scores([TaggingQuery(("\x00", "sang", "\u200b"), 1)])
    assert scores[0].argmax() == scores[2].argmax() == 0
    assert float(tiny.loss([TaggingQuery(("\x00", "sang"), 1)], [("B-ARG0", "B-V")]).detach()) > 0
    assert tiny.predict([TaggingQuery(("x" * 5000,), 0)])


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert", "deberta-v2", "modernbert", "albert"])
def test_every_family_can_be_a_tagger_and_transformers_loads_its_folder(
    save_model: Callable[..., Path], tmp_path: Path, family: str
) -> None:
    tagger = new_tagger(str(save_model(family)), TAGS, 0)
    tagger.model.eval()
    before = tagger.scores([TaggingQuery(WORDS, 3)])
    tagger.save(tmp_path / "tagger")
    assert {"config.json", "model.safetensors"} <= {file.name for file in (tmp_path / "tagger").iterdir()}
    theirs = AutoModelForTokenClassification.from_pretrained(tmp_path / "tagger")
    assert theirs.config.id2label == dict(enumerate(TAGS))
    again = load_tagger(str(tmp_path / "tagger"))
    assert again.tags == TAGS
    assert np.array_equal(again.scores([TaggingQuery(WORDS, 3)])[0], before[0])
    load_encoder(str(tmp_path / "tagger"), 0)


def test_the_token_classifier_is_initialized_from_the_seed() -> None:
    first, same, other = (new_tagger("minilm", TAGS, seed).model.classifier.weight for seed in (0, 0, 1))
    assert torch.equal(first, same)
    assert not torch.equal(first, other)


def test_models_that_cannot_tag_are_refused_in_one_line(save_model: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such folder"):
        load_tagger(str(tmp_path / "nowhere"))
    with pytest.raises(UserError, match="weights do not match"):
        load_tagger(str(save_model("bert", at="bare", auto_class=AutoModel)))
    with pytest.raises(UserError, match=r"has the outputs LABEL_0, LABEL_1: they must be O, B-… and I-…"):
        load_tagger(str(save_model("bert", at="other", auto_class=AutoModelForTokenClassification)))

"""XLNet reads pairs in both directions, and its last token represents them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast, XLNetConfig, XLNetForSequenceClassification, XLNetModel

from trivium.data.example import Example
from trivium.errors import UserError
from trivium.learn.config import ModelConfig
from trivium.learn.learner import Learner

WORDS = ["<unk>", "<pad>", "<cls>", "<sep>", *"a dog cat animal is not sleeping runs far away today".split()]
PAIRS = [
    Example.make("1", "a dog runs", "a animal runs", "entailment"),
    Example.make("2", "a cat is sleeping today far away", "a cat is not sleeping", "contradiction"),
]


def tokenizer() -> PreTrainedTokenizerFast:
    """A sentence ends with <sep>, a pair with <cls>, and padding is on the left, as in XLNet's own."""
    built = Tokenizer(models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="<unk>"))
    built.pre_tokenizer = pre_tokenizers.Whitespace()
    built.post_processor = processors.TemplateProcessing(
        single="$A:0 <sep>:0 <cls>:2",
        pair="$A:0 <sep>:0 $B:1 <sep>:1 <cls>:2",
        special_tokens=[("<sep>", 3), ("<cls>", 2)],
    )
    special = {"cls_token": "<cls>", "sep_token": "<sep>", "pad_token": "<pad>", "unk_token": "<unk>"}
    names = ["input_ids", "token_type_ids", "attention_mask"]
    return PreTrainedTokenizerFast(tokenizer_object=built, padding_side="left", model_input_names=names, **special)


def save(cls: Any, folder: Path) -> Path:
    labels = {0: "contradiction", 1: "neutral", 2: "entailment"}
    size = {"vocab_size": len(WORDS), "d_model": 16, "n_layer": 2, "n_head": 2, "d_inner": 32}
    with torch.random.fork_rng():
        torch.manual_seed(0)
        cls(XLNetConfig(**size, pad_token_id=1, id2label=labels)).save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return folder


def test_logits_of_a_pair_are_those_of_transformers_and_do_not_depend_on_the_batch(tmp_path: Path) -> None:
    folder = save(XLNetForSequenceClassification, tmp_path)
    learner = Learner.from_pretrained(folder)
    both = learner.logits(PAIRS)["nli"]
    model = XLNetForSequenceClassification.from_pretrained(folder).eval()
    for index, pair in enumerate(PAIRS):
        inputs = tokenizer()(pair.premise, pair.hypothesis, return_tensors="pt")
        with torch.no_grad():
            expected = model(**inputs).logits[0, [2, 1, 0]].numpy()
        assert np.allclose(both[index], expected, atol=1e-5)
        assert np.allclose(learner.vectors([pair])["nli"], learner.vectors(PAIRS)["nli"][index], atol=1e-5)


def test_an_encoder_gets_new_heads_at_its_last_token(tmp_path: Path) -> None:
    folder = save(XLNetModel, tmp_path)
    learner = Learner(ModelConfig(name=str(folder), pooling="last"))
    assert np.allclose(learner.vectors(PAIRS)["nli"][0], learner.vectors(PAIRS[:1])["nli"][0], atol=1e-5)
    learner.fit(PAIRS)
    assert len(learner.predict(PAIRS)) == 2
    with pytest.raises(UserError, match="must be last or mean"):
        Learner(ModelConfig(name=str(folder)))

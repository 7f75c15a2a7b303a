"""Small model folders of every family, with random weights and a tokenizer of a few words."""

from __future__ import annotations

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import (
    AlbertConfig,
    AutoModel,
    BertConfig,
    BertTokenizerFast,
    CamembertConfig,
    DebertaConfig,
    DebertaV2Config,
    DistilBertConfig,
    ElectraConfig,
    ModernBertConfig,
    MPNetConfig,
    PreTrainedConfig,
    PreTrainedTokenizerFast,
    RobertaConfig,
    XLMRobertaConfig,
)
from transformers.utils import logging

from trivium.data.example import Example

WORDS = "a man is playing guitar an instrument the dog runs . , quickly through park woman not eating".split()
BERT_WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS)
ROBERTA_WORDS = ("<s>", "<pad>", "</s>", "<unk>", "<mask>", *WORDS)
SIZE = {
    "vocab_size": 32,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 40,
}
DISENTANGLED = {
    "relative_attention": True,
    "pos_att_type": ["c2p", "p2c"],
    "position_biased_input": False,
    "type_vocab_size": 0,
}


def bert_tokenizer(**options: Any) -> PreTrainedTokenizerFast:
    """Whole words only; a second text has the type 1."""
    return BertTokenizerFast(vocab={word: number for number, word in enumerate(BERT_WORDS)}, **options)


def roberta_tokenizer(**options: Any) -> PreTrainedTokenizerFast:
    """Whole words only; no types, and padding is not number 0."""
    built = Tokenizer(models.WordLevel({word: n for n, word in enumerate(ROBERTA_WORDS)}, unk_token="<unk>"))
    built.normalizer = normalizers.Lowercase()
    built.pre_tokenizer = pre_tokenizers.Whitespace()
    built.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    special = {"cls_token": "<s>", "sep_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    return PreTrainedTokenizerFast(tokenizer_object=built, **special, **options)


CONFIGS: dict[str, PreTrainedConfig] = {
    "bert": BertConfig(**SIZE),
    "roberta": RobertaConfig(**SIZE, pad_token_id=1, type_vocab_size=1),
    "xlm-roberta": XLMRobertaConfig(**SIZE, pad_token_id=1, type_vocab_size=1),
    "camembert": CamembertConfig(**SIZE, pad_token_id=1, type_vocab_size=1),
    "albert": AlbertConfig(**SIZE, embedding_size=8),
    "electra": ElectraConfig(**SIZE, embedding_size=8),
    "deberta": DebertaConfig(**SIZE, **DISENTANGLED),
    "deberta-v2": DebertaV2Config(**SIZE, **DISENTANGLED, position_buckets=16, share_att_key=True),
    "mpnet": MPNetConfig(**SIZE),
    "distilbert": DistilBertConfig(
        vocab_size=32, dim=16, n_layers=2, n_heads=2, hidden_dim=32, max_position_embeddings=40
    ),
    "modernbert": ModernBertConfig(
        **SIZE, pad_token_id=0, cls_token_id=2, sep_token_id=3, bos_token_id=2, eos_token_id=3
    ),
}
LIKE_ROBERTA = ("roberta", "xlm-roberta", "camembert", "mpnet")


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)
    logging.set_verbosity_error()
    logging.disable_progress_bar()


@pytest.fixture(scope="session")
def families() -> tuple[str, ...]:
    return tuple(CONFIGS)


@pytest.fixture(scope="session")
def config_of() -> Callable[[str], PreTrainedConfig]:
    return CONFIGS.__getitem__


@pytest.fixture(scope="session")
def tokenizer_of() -> Callable[..., PreTrainedTokenizerFast]:
    """A tokenizer for a family; options such as the padding side."""

    def make(family: str, **options: Any) -> PreTrainedTokenizerFast:
        return (roberta_tokenizer if family in LIKE_ROBERTA else bert_tokenizer)(**options)

    return make


@pytest.fixture
def save_model(tmp_path: Path, tokenizer_of: Callable[..., PreTrainedTokenizerFast]) -> Callable[..., Path]:
    """A folder with a small model, as its owner would save it; ``auto_class`` builds it from the configuration."""

    def save(
        family: str = "bert", *, seed: int = 0, auto_class: Any = AutoModel, at: str = "model", **options: Any
    ) -> Path:
        folder = tmp_path / at
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            auto_class.from_config(CONFIGS[family]).save_pretrained(folder)
        tokenizer_of(family, **options).save_pretrained(folder)
        return folder

    return save


@pytest.fixture(scope="session")
def pairs() -> list[Example]:
    """Pairs of many lengths, in no order."""
    texts = (
        ("the dog runs", "a dog"),
        ("a man is playing guitar", "a man is playing an instrument"),
        ("a woman is eating", "the woman is not eating , the man is not eating , the dog is not eating ."),
        ("the dog runs quickly through the park .", "the dog runs"),
        ("man", "woman"),
    )
    return [Example.make(f"{n}", *both, "neutral", task="nli") for n, both in enumerate(texts)]

"""A model is known by its weights, and a predicate-aware one by those of its role encoder too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trivium.benchmarks.resolve import resolve_model
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.learn.config import ModelConfig


def folder(path: Path, text: str) -> str:
    path.mkdir()
    for name in ("config.json", "tokenizer.json"):
        (path / name).write_text(json.dumps({}))
    (path / "model.safetensors").write_text(text)
    return str(path)


def test_the_weights_of_the_role_encoder_decide_and_not_their_place(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    plain = resolve_model(ModelConfig(name="tiny"), store).fingerprint
    one, same, other = (
        resolve_model(ModelConfig(name="tiny", roles=folder(tmp_path / name, text)), store).fingerprint
        for name, text in (("one", "x"), ("same", "x"), ("other", "y"))
    )
    assert plain == "tiny-1"
    assert one == same
    assert len({plain, one, other}) == 3


def test_a_role_encoder_that_is_not_there_is_told_before_anything_is_planned(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"model\.roles is 'nowhere': no such folder"):
        resolve_model(ModelConfig(name="tiny", roles="nowhere"), Store(tmp_path))

"""A model is identified by its weights, and a predicate-aware one also by those of its role encoder."""

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


def test_fingerprint_depends_on_the_weights_of_the_role_encoder_and_not_on_its_path(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    plain = resolve_model(ModelConfig(name="tiny"), store).fingerprint
    first, same, other = (
        resolve_model(ModelConfig(name="tiny", roles=folder(tmp_path / name, text)), store).fingerprint
        for name, text in (("first", "x"), ("same", "x"), ("other", "y"))
    )
    assert plain == "tiny-1"
    assert first == same
    assert len({plain, first, other}) == 3


def test_missing_role_encoder_is_reported_before_planning(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"model\.roles is 'nowhere': no such folder"):
        resolve_model(ModelConfig(name="tiny", roles="nowhere"), Store(tmp_path))

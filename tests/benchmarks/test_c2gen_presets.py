"""Every preset can be built with nothing downloaded."""

from __future__ import annotations

import pytest

from trivium.benchmarks.c2gen.protocol import build_data
from trivium.benchmarks.c2gen.settings import PRESETS, load_settings


@pytest.mark.parametrize("preset", PRESETS)
def test_the_builtin_source_has_enough_for_every_preset(preset: str) -> None:
    settings = load_settings(preset, ("source=builtin",))
    built = build_data(settings)
    assert built.source == "builtin"
    assert list(built.folds) == list(settings.run.folds)
    assert all(len(splits.ver) == 4 * settings.data.per_type for splits in built.folds.values())


def test_the_demo_needs_nothing_that_is_not_embedded() -> None:
    settings = load_settings("demo")
    assert settings.source == "builtin"
    assert settings.model.name in ("tiny", "minilm")

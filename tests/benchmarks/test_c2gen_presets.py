"""The data of every C²Gen preset can be built without downloads."""

from __future__ import annotations

import pytest

from trivium.benchmarks.c2gen import C2GEN
from trivium.benchmarks.c2gen.design import build_data
from trivium.build.veridicality.pseudo import is_decided


@pytest.mark.parametrize("preset", sorted(C2GEN.presets.keys() - {"pseudo"}))
def test_builtin_source_has_enough_examples_for_every_preset(preset: str) -> None:
    settings = C2GEN.settings(preset, ("source=builtin",))
    built = build_data(settings)
    assert built.source == "builtin"
    assert list(built.folds) == list(settings.run.folds)
    assert all(len(splits.ver) == 4 * settings.data.per_type for splits in built.folds.values())


def test_pseudo_preset_can_be_built_with_smaller_sizes() -> None:
    few = [f"data.{label}=40" for label in ("entailment", "neutral", "contradiction", "held_out", "per_type")]
    built = build_data(C2GEN.settings("pseudo", ("source=builtin", "run.folds=[1]", *few)))
    assert len(built.pseudo[1].ver) == 160
    assert built.pseudo[1].ver.identity != built.folds[1].ver.identity
    pairs = [
        pair.example
        for by_label in (built.pool.composing, built.pool.held_out)
        for label_pairs in by_label.values()
        for pair in label_pairs
    ]
    assert all(map(is_decided, pairs))


@pytest.mark.usefixtures("real_data")
def test_sick_has_enough_decided_pairs_for_the_pseudo_preset() -> None:
    built = build_data(C2GEN.settings("pseudo", ("run.folds=[2]",)))
    assert {label: len(pairs) for label, pairs in built.pool.composing.items()} == dict.fromkeys(
        built.pool.composing, 200
    )
    assert len(built.pseudo[2].primitive) == 270


def test_demo_preset_needs_no_download() -> None:
    settings = C2GEN.settings("demo")
    assert settings.source == "builtin"
    assert settings.model.name in ("tiny", "minilm")

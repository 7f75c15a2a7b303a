"""Harder tests: their invariants hold, are checked, and the reader finds the clause in each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trivium.build.splits.harder import HARDER, Harder, build_harder, require_harder
from trivium.build.splits.stages import FoldSplits, NaturalPool, Sizes, build_fold, divide_natural, fold_of
from trivium.build.veridicality.natural import choose_natural
from trivium.data.sources import load_source
from trivium.data.split import Split
from trivium.errors import UserError
from trivium.language.embedding import decompose
from trivium.seeds import stream

SIZES = Sizes(entailment=40, neutral=40, contradiction=40, held_out=8, per_type=8, test_composed=20, test_primitive=9)


@pytest.fixture(scope="module")
def pool() -> NaturalPool:
    return divide_natural(choose_natural(load_source("builtin").examples), SIZES, stream(0, "data"))


def splits_of(pool: NaturalPool, fold: int) -> FoldSplits:
    return build_fold(pool, fold_of(fold), SIZES, stream(0, "data", "fold", fold))


@pytest.mark.parametrize("name", HARDER)
def test_invariants_hold_in_every_fold_and_the_reader_finds_the_clause(pool: NaturalPool, name: Harder) -> None:
    for fold in (1, 5, 9):
        splits = splits_of(pool, fold)
        split = build_harder(name, pool, splits, 30, stream(0, name))
        require_harder(name, split, splits)
        assert 5 <= len(split) <= 30
        found = [decompose(example.premise, str(example.hypothesis)) for example in split]
        depth = [len(layers) == len(str(e.fact("signs"))) for e, layers in zip(split, found, strict=True)]
        assert sum(depth) >= 0.8 * len(depth), [e.premise for e, ok in zip(split, depth, strict=True) if not ok][:3]


def test_a_wrong_label_and_a_trained_pair_are_reported(pool: NaturalPool) -> None:
    splits = splits_of(pool, 1)
    split = build_harder("new-pair", pool, splits, 10, stream(0, "x"))
    wrong = Split("wrong", (replace(split.examples[0], label="neutral"), *split.examples[1:]))
    with pytest.raises(UserError, match="label follows"):
        require_harder("new-pair", wrong, splits)
    seen = build_harder("relative", pool, splits, 10, stream(0, "x"))
    with pytest.raises(UserError, match="unseen in either direction"):
        require_harder("new-pair", seen, splits)


def test_worked_cases(pool: NaturalPool) -> None:
    split = build_harder("chain-2", pool, splits_of(pool, 9), 60, stream(0, "x"))
    labels = {str(example.fact("signs")): example.label for example in split}
    assert labels["--"] == "contradiction", "refuses to fail to S, which contradicts H: S holds, so H does not"
    assert labels.get("o-", "neutral") == "neutral"
    assert labels["+-"] == "entailment"

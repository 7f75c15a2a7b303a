"""A named stream gives the same numbers for ever, and streams with different names are independent."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.seeds import stream, stream_seed

NAMES = st.lists(st.sampled_from(["data", "init", "train", "memory", "fold", "bootstrap"]) | st.integers(0, 99))


# Recorded values: if they changed, all data and results built so far would change with them.
@pytest.mark.parametrize(
    ("names", "seed"),
    [
        ((0, "data"), 736_872_305_540_241_488),
        ((0, "data", "fold", 1), 7_453_176_246_827_457_063),
        ((1, "data"), 6_147_312_573_760_113_402),
        ((0, "init"), 1_519_069_808_562_059_438),
        ((0,), 3_456_079_177_858_693_020),
    ],
)
def test_the_seed_of_a_stream_never_changes(names: tuple[int, ...], seed: int) -> None:
    assert stream_seed(*names) == seed


def test_the_numbers_of_a_stream_never_change() -> None:
    assert stream(0, "data").integers(1000, size=6).tolist() == [978, 654, 860, 181, 173, 542]
    assert stream(0, "data").permutation(8).tolist() == [1, 0, 5, 6, 3, 2, 7, 4]


@given(seed=st.integers(0, 2**63), names=NAMES)
@settings(max_examples=100, deadline=None)
def test_a_seed_is_the_first_63_bits_of_the_hash_of_its_names(seed: int, names: list[str | int]) -> None:
    text = "/".join(map(str, [seed, *names]))
    bits = "".join(f"{byte:08b}" for byte in hashlib.sha256(text.encode()).digest())
    assert stream_seed(seed, *names) == int(bits[:63], 2) < 2**63


@given(seed=st.integers(0, 2**32), names=NAMES)
@settings(max_examples=50, deadline=None)
def test_the_same_names_give_the_same_stream_and_different_names_a_different_one(
    seed: int, names: list[str | int]
) -> None:
    numbers = stream(seed, *names).random(4).tolist()
    assert stream(seed, *names).random(4).tolist() == numbers
    assert stream(seed + 1, *names).random(4).tolist() != numbers
    assert stream(seed, *names, "more").random(4).tolist() != numbers


def test_a_thousand_streams_have_a_thousand_seeds() -> None:
    assert len({stream_seed(seed, name) for seed in range(250) for name in ("data", "init", "train", "memory")}) == 1000


@pytest.mark.parametrize("other", [(0, "init"), (1, "data"), (0, "data", 0)])
def test_streams_are_not_correlated(other: tuple[int, ...]) -> None:
    left, right = stream(0, "data").normal(size=20_000), stream(*other).normal(size=20_000)
    assert abs(np.corrcoef(left, right)[0, 1]) < 4 / np.sqrt(20_000)


def test_drawing_from_one_stream_changes_neither_another_stream_nor_the_global_state() -> None:
    before = np.random.get_state()[1].copy()  # type: ignore[index]
    alone = stream(3, "train").random(5).tolist()
    first, second = stream(3, "train"), stream(3, "memory")
    mixed = []
    for _ in range(5):
        second.random(7)
        mixed.append(first.random())
    assert mixed == alone
    assert (np.random.get_state()[1] == before).all()  # type: ignore[index]


def test_a_stream_does_not_depend_on_the_hash_seed_of_python() -> None:
    code = "from trivium.seeds import stream_seed; print(stream_seed(5, 'data', 'fold', 2))"
    env = {**os.environ, "PYTHONHASHSEED": "4242", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert int(process.stdout) == stream_seed(5, "data", "fold", 2)

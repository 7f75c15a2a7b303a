"""The reservoir keeps every example with the same probability; the buffer gives every stage the same share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.data.example import Example
from trivium.learn.memory import Memory, equal_shares, reservoir

Keep = Callable[[Memory, Sequence[Example], int, np.random.Generator], Memory]

STREAM = 40
SIZE = 8
RUNS = 3000
CHI_SQUARE_39 = 72.05
"""The value that a chi-square variable with 39 degrees of freedom exceeds with probability 0.001."""


@cache
def plain(number: int) -> Example:
    return Example(str(number), f"premise {number}", "hypothesis", "neutral")


def cut(lengths: Sequence[int]) -> list[list[Example]]:
    """Stages of these lengths, their examples numbered from the first stage to the last."""
    ends = np.cumsum(lengths)
    return [[plain(i) for i in range(end - length, end)] for end, length in zip(ends, lengths, strict=True)]


def numbers(memory: Memory) -> list[int]:
    return [int(example.id) for example in memory.examples]


def after(keep: Keep, stages: Sequence[Sequence[Example]], size: int, rng: np.random.Generator) -> Memory:
    memory = Memory()
    for stage in stages:
        memory = keep(memory, stage, size, rng)
    return memory


def unevenness(keep: Keep, lengths: Sequence[int]) -> float:
    """The chi-square statistic of how often each of 40 examples is among the 8 that are kept.

    An example's count is binomial with p = 8/40, and the counts add up: with n examples, Σ (O − E)² / E divided by
    (1 − p) n / (n − 1) follows a chi-square distribution with n − 1 degrees of freedom.
    """
    stages = cut(lengths)
    counts = np.zeros(STREAM)
    for run in range(RUNS):
        counts[numbers(after(keep, stages, SIZE, np.random.default_rng(run)))] += 1
    expected = RUNS * SIZE / STREAM
    return float(((counts - expected) ** 2 / expected).sum() / (1 - SIZE / STREAM) * (STREAM - 1) / STREAM)


def with_rule(index: Callable[[int, int, np.random.Generator], int]) -> Keep:
    """A reservoir in which ``index(seen, size, rng)`` decides which slot the next example takes."""

    def keep(memory: Memory, stage: Sequence[Example], size: int, rng: np.random.Generator) -> Memory:
        kept, seen = list(memory.examples), memory.seen
        for example in stage:
            seen += 1
            if len(kept) < size:
                kept.append(example)
            elif (slot := index(seen, size, rng)) < size:
                kept[slot] = example
        return Memory(tuple(kept), (1,) * len(kept), 1, seen)

    return keep


@pytest.mark.parametrize("lengths", [(40,), (15, 5, 20)], ids=["one stage", "three stages"])
def test_reservoir_keeps_every_example_with_the_same_probability(lengths: Sequence[int]) -> None:
    assert unevenness(reservoir, lengths) < CHI_SQUARE_39


@pytest.mark.parametrize(
    "wrong",
    [
        with_rule(lambda seen, size, rng: int(rng.integers(size))),
        with_rule(lambda seen, size, rng: int(rng.integers(2 * size))),
        with_rule(lambda seen, size, rng: size),
        with_rule(lambda seen, size, rng: 0 if rng.integers(seen) < size else size),
        with_rule(lambda seen, size, rng: int(rng.integers(seen - size))),
    ],
    ids=["always replaces", "replaces by a fixed chance", "never replaces", "replaces one place", "forgets the full"],
)
def test_a_faulty_reservoir_would_be_detected(wrong: Keep) -> None:
    assert unevenness(wrong, (40,)) > CHI_SQUARE_39


@given(st.lists(st.integers(1, 30), min_size=1, max_size=5), st.integers(1, 20), st.integers(0, 2**32))
@settings(deadline=None)
def test_reservoir_is_vitters_algorithm_whatever_the_stages(lengths: list[int], size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    slots: list[int] = []
    for n in range(1, sum(lengths) + 1):
        if n <= size:
            slots.append(n - 1)
        else:
            drawn = int(rng.integers(n))
            if drawn < size:
                slots[drawn] = n - 1
    memory = after(reservoir, cut(lengths), size, np.random.default_rng(seed))
    assert numbers(memory) == slots
    assert memory.seen == sum(lengths)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=5), st.integers(1, 20), st.integers(0, 2**32))
@settings(deadline=None)
def test_reservoir_is_full_as_soon_as_it_can_be_and_holds_nothing_twice(
    lengths: list[int], size: int, seed: int
) -> None:
    memory = after(reservoir, cut(lengths), size, np.random.default_rng(seed))
    assert len(memory) == len(memory.stages) == min(size, sum(lengths))
    assert len(set(numbers(memory))) == len(memory)


@given(st.integers(0, 2**32))
@settings(deadline=None)
def test_reservoir_records_the_stage_of_each_example(seed: int) -> None:
    memory = after(reservoir, cut((6, 9)), 10, np.random.default_rng(seed))
    assert memory.stages == tuple(1 if number < 6 else 2 for number in numbers(memory))
    assert memory.passed == 2


def test_a_stage_of_which_nothing_was_kept_still_counts() -> None:
    long, short, last = cut((50, 1, 400))
    memory = after(reservoir, (long, short), 2, np.random.default_rng(0))
    assert short[0] not in memory.examples
    memory = reservoir(memory, last, 2, np.random.default_rng(0))
    assert set(memory.examples) < set(last)
    assert memory.stages == (3, 3)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=5), st.integers(1, 23), st.integers(0, 2**32))
@settings(deadline=None, max_examples=200)
def test_every_stage_has_an_equal_share_and_earlier_stages_the_remainder(
    lengths: list[int], size: int, seed: int
) -> None:
    shares = [0] * len(lengths)
    for slot in range(size):
        shares[slot % len(lengths)] += 1
    stages = cut(lengths)
    memory = after(equal_shares, stages, size, np.random.default_rng(seed))
    held = [[example for example in memory.examples if example in stage] for stage in stages]
    assert [len(part) for part in held] == [min(share, length) for share, length in zip(shares, lengths, strict=True)]
    assert len(set(memory.examples)) == len(memory) <= size
    assert memory.stages == tuple(number for number, part in enumerate(held, start=1) for _ in part)
    assert memory.passed == len(lengths)
    assert memory.seen == sum(lengths)


@given(st.lists(st.integers(1, 30), min_size=2, max_size=5), st.integers(1, 23), st.integers(0, 2**32))
@settings(deadline=None)
def test_what_an_earlier_stage_holds_was_held_before(lengths: list[int], size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    memory = Memory()
    for stage in cut(lengths):
        later = equal_shares(memory, stage, size, rng)
        assert set(later.examples) - set(stage) <= set(memory.examples)
        memory = later


def test_the_share_of_a_stage_is_drawn_at_random_from_all_of_it() -> None:
    stages = cut((20, 20))
    counts = np.zeros(40)
    for run in range(RUNS):
        counts[numbers(after(equal_shares, stages, 8, np.random.default_rng(run)))] += 1
    spread = (RUNS * 0.2 * 0.8) ** 0.5
    assert np.abs(counts - RUNS * 0.2).max() < 4 * spread


def test_drawing_gives_every_example_the_same_chance_and_none_twice() -> None:
    memory = Memory(tuple(plain(i) for i in range(10)), (1,) * 10, 1, 10)
    rng = np.random.default_rng(0)
    counts = np.zeros(10)
    for _ in range(RUNS):
        drawn = [int(example.id) for example in memory.draw(3, rng)]
        assert len(set(drawn)) == 3
        counts[drawn] += 1
    assert np.abs(counts - RUNS * 0.3).max() < 4 * (RUNS * 0.3 * 0.7) ** 0.5


@pytest.mark.parametrize(("queries", "given_"), [(2, 2), (5, 5), (9, 5)])
def test_drawing_more_than_the_memory_holds_gives_all_of_it(queries: int, given_: int) -> None:
    memory = Memory(tuple(plain(i) for i in range(5)), (1,) * 5, 1, 5)
    drawn = memory.draw(queries, np.random.default_rng(3))
    assert len(set(drawn)) == len(drawn) == given_


def test_an_empty_memory_gives_nothing() -> None:
    assert Memory().draw(4, np.random.default_rng(0)) == []
    assert Memory().passed == 0


def test_a_memory_is_unchanged_by_writing_and_reading(examples: list[Example], tmp_path: Path) -> None:
    strange = replace(examples[0], id='né "ú" \\ \n 語', hypothesis=None, label=None, parts=())
    memory = Memory((*examples[:5], strange), (1, 1, 2, 2, 3, 3), passed=4, seen=77)
    memory.write(tmp_path / "memory.json")
    actual = Memory.read(tmp_path / "memory.json")
    assert actual == memory
    assert actual.examples[0].parts == examples[0].parts
    actual.write(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "memory.json").read_bytes()


def test_a_reservoir_continues_the_same_after_writing_and_reading(tmp_path: Path) -> None:
    first, second = cut((25, 25))
    memory = reservoir(Memory(), first, 6, np.random.default_rng(1))
    memory.write(tmp_path / "memory.json")
    kept_on = reservoir(memory, second, 6, np.random.default_rng(2))
    assert reservoir(Memory.read(tmp_path / "memory.json"), second, 6, np.random.default_rng(2)) == kept_on

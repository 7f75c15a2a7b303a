"""What is read is bounded: lines, compressed files, nested values and numbers."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
import time
import tracemalloc
from pathlib import Path

import pytest

from trivium.build.verification import read_csv
from trivium.data import locate
from trivium.data.conllu import read_conllu
from trivium.data.example import Example
from trivium.data.split import Split
from trivium.data.tables import read_pairs
from trivium.data.tsv import read_quoted, read_tsv
from trivium.errors import UserError

PAIR = {"premise": "A", "hypothesis": "B", "label": "neutral"}


def problem(path: Path, read: object = read_pairs) -> str:
    with pytest.raises(UserError) as raised:
        list(read(path))  # type: ignore[operator]
    assert "\n" not in str(raised.value)
    return str(raised.value).replace(str(path), path.name)


def test_a_compressed_file_that_fills_memory_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "bomb.jsonl.gz"
    line = json.dumps(PAIR).encode() + b"\n"
    with gzip.open(file, "wb", compresslevel=9) as packed:
        for _ in range(64):
            packed.write(line * (1 << 14))
    assert file.stat().st_size < 1 << 18
    message = problem(file, lambda path: locate.open_text(path))
    assert message.startswith("bomb.jsonl.gz: unpacks to more than 100 times its size: if you trust it, unpack it")


def test_a_line_without_an_end_is_refused_and_not_held_in_memory(tmp_path: Path) -> None:
    file = tmp_path / "line.jsonl.gz"
    with gzip.open(file, "wb") as packed:
        for _ in range(30):
            packed.write(b" " * (1 << 20))
    tracemalloc.start()
    assert problem(file) == "line.jsonl.gz:1: a line of more than 16,777,216 bytes: shorten or divide it"
    assert tracemalloc.get_traced_memory()[1] < 80_000_000
    tracemalloc.stop()


def test_readers_hold_one_line_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("premise\thypothesis\n" + "A man sings\tA person sings\n" * 200_000)
    tracemalloc.start()
    assert sum(1 for _ in read_tsv(file, ("premise",))) == 200_000
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_a_field_of_more_than_131072_characters_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    for text in ("x" * 140_000 + ",b\n1,2\n", "id,b\n" + "x" * 140_000 + ",2\n"):
        file.write_text(text)
        assert "field larger than field limit" in problem(file, lambda path: read_csv(path, ("id",)))
        assert "field larger than field limit" in problem(file, lambda path: read_quoted(path, ("id",)))


def test_many_columns_and_open_quotes_take_linear_time(tmp_path: Path) -> None:
    file = tmp_path / "a.tsv"
    begin = time.perf_counter()
    file.write_text("\t".join(map(str, range(50_000))) + "\n")
    problem(file)
    file.write_text("premise\thypothesis\n" + ('"a\t' + 'b""' * 400 + "\n") * 1000)
    read_pairs(file)
    assert time.perf_counter() - begin < 10


@pytest.mark.parametrize("value", ["[" * 900 + "]" * 900, "9" * 5000])
def test_deep_and_long_values_are_errors_or_texts(tmp_path: Path, value: str) -> None:
    file = tmp_path / "a.jsonl"
    for name in ("premise", "label", "note", "id"):
        row = json.dumps({**PAIR, name: "?"}).replace('"?"', value)
        file.write_text(row + "\n")
        if name in ("note", "id") and value[0] == "[":
            assert len(read_pairs(file)) == 1
        else:
            assert len(problem(file)) < 1000


def test_parts_within_parts_are_limited(tmp_path: Path) -> None:
    row: dict[str, object] = {**PAIR, "id": "0"}
    for number in range(1, 150):
        row = {**PAIR, "id": str(number), "parts": [row]}
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps({"labels": "nli3"}) + "\n" + json.dumps(row) + "\n")
    assert problem(file, Split.read) == "a.jsonl:2: parts are nested more than 20 times"


def word(number: object, head: object) -> str:
    return f"{number}\tA\ta\tNOUN\tNN\t_\t{head}\tnsubj\t_\t_\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (word(1, "9" * 5000), "a.conllu:1: the head '999"),
        (word("1-" + "9" * 5000, "_") + word(1, 0), "a.conllu:1: '1-999"),
        (word(1, 2) + word(2, 1), "a.conllu:1: the heads of the sentence form a cycle at word 1"),
        (word(1, 0) + word(2, 3) + word(3, 4) + word(4, 2), "a.conllu:1: the heads of the sentence form a cycle"),
        (word("1.1", "_"), "a.conllu:1: the sentence has no words"),
        (word(1, -1), "a.conllu:1: the head '-1' is not another word"),
        (word(1, "²"), "a.conllu:1: the head '²' is not another word"),
    ],
)
def test_heads_that_are_no_tree_are_errors(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "a.conllu"
    file.write_text(text)
    assert problem(file, read_conllu).startswith(message)


def test_examples_of_a_table_share_facts_and_labels(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("".join(json.dumps({**PAIR, "id": str(n), "genre": f"g{n % 2}"}) + "\n" for n in range(10)))
    first, _, third, *_ = read_pairs(file)
    assert first.facts is third.facts
    assert first.label is third.label
    assert pickle.loads(pickle.dumps(first)) == copy.copy(first) == first
    assert len({first, third}) == 2
    with pytest.raises(AttributeError):
        first.label = "x"  # type: ignore[misc]
    assert Example.from_json(first.to_json()) == first

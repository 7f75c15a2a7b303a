"""A split comes back from a file as it was, its identity is its content, and a damaged file is told in one line."""

from __future__ import annotations

import hashlib
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, Labels
from trivium.data.split import Split
from trivium.errors import UserError

ENDINGS = ("jsonl", "parquet")
TEXT = st.text(max_size=10) | st.sampled_from(
    [
        'He said "no"',
        "two\nlines",
        "cr\rlf\r\n",
        "tab\t",
        "\u2028\x85\x1c",
        "日本語 🐕",
        "back\\slash",
        "\ufeff",
        "\x00",
        "{}",
    ]
)
FACTS = st.dictionaries(TEXT, TEXT, max_size=2).map(lambda facts: tuple(sorted(facts.items())))


def examples(labels: Labels, parts: st.SearchStrategy[tuple[Example, ...]]) -> st.SearchStrategy[Example]:
    return st.builds(
        Example, id=TEXT, premise=TEXT, hypothesis=st.none() | TEXT, label=st.none() | st.sampled_from(labels.names),
        task=st.sampled_from(["nli", "composed"]) | TEXT.filter(bool), facts=FACTS, parts=parts,
    )  # fmt: skip


def splits_of(labels: Labels) -> st.SearchStrategy[Split]:
    plain = examples(labels, st.just(()))
    nested = examples(labels, st.lists(examples(labels, st.lists(plain, max_size=1).map(tuple)), max_size=2).map(tuple))
    return st.builds(Split, TEXT, st.lists(plain | nested, max_size=3).map(tuple), st.just(labels))


SPLITS = st.sampled_from([NLI3, NLI2]).flatmap(splits_of)
PART = Example.make("1/v", "A dog tries to run", "A dog is running", "neutral", task="veridical", verb="try")
SPLIT = Split(
    "small",
    (
        Example.make(
            "1", "A dog tries to run", "A pet is running", "neutral", task="composed", parts=(PART,), verb="try"
        ),
        Example.make("2", "Ein Hündchen läuft", None, None),
    ),
)


def written(path: Path, *rows: Any) -> Path:
    """A JSONL file of these rows; text is written as it is."""
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def row(**fields: Any) -> dict[str, Any]:
    return {"id": "1", "premise": "A", "hypothesis": "B", "label": "neutral", **fields}


def parquet(path: Path, *rows: dict[str, Any]) -> Path:
    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(UserError) as raised:
        Split.read(path)
    assert len(str(raised.value).splitlines()) == 1
    return str(raised.value)


@given(split=SPLITS)
@settings(max_examples=40, deadline=None)
def test_a_split_comes_back_from_either_format_as_it_was(split: Split) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for ending in ENDINGS:
            path = Path(folder) / f"s.{ending}"
            split.write(path)
            back = Split.read(path, split.name or None)
            assert back.examples == split.examples
            assert back.labels == split.labels
            assert back.identity == split.identity
            first = path.read_bytes()
            back.write(path)
            assert path.read_bytes() == first


@given(split=SPLITS, name=TEXT)
@settings(max_examples=15, deadline=None)
def test_the_name_does_not_count_for_the_identity(split: Split, name: str) -> None:
    assert replace(split, name=name).identity == split.identity


@pytest.mark.parametrize(
    "change",
    [
        {"id": "other"}, {"premise": "other"}, {"hypothesis": "other"}, {"hypothesis": None}, {"label": "entailment"},
        {"label": None}, {"task": "nli"}, {"facts": ()}, {"facts": (("verb", "hope"),)}, {"parts": ()},
        {"parts": (PART, PART)}, {"parts": (replace(PART, label="entailment"),)},
        {"parts": (replace(PART, facts=()),)},
    ],
    ids=repr,
)  # fmt: skip
def test_every_field_counts_for_the_identity(change: dict[str, Any]) -> None:
    first, second = SPLIT.examples
    assert Split("small", (replace(first, **change), second)).identity != SPLIT.identity


def test_order_number_and_label_scheme_count_for_the_identity() -> None:
    first, second = SPLIT.examples
    identities = [
        SPLIT.identity,
        Split("small", (second, first)).identity,
        Split("small", (first,)).identity,
        Split("small", (first, second, second)).identity,
        Split("small", ()).identity,
        Split("small", (), NLI2).identity,
        Split("small", (second,), NLI2).identity,
        Split("small", (second,)).identity,
    ]
    assert len(set(identities)) == len(identities)


def test_the_identity_is_what_earlier_versions_of_trivium_stored() -> None:
    lines = [
        '["nli3", "entailment", "neutral", "contradiction"]',
        '{"id":"1","premise":"A dog tries to run","hypothesis":"A pet is running","label":"neutral","task":"composed",'
        '"facts":{"verb":"try"},"parts":[{"id":"1/v","premise":"A dog tries to run","hypothesis":"A dog is running",'
        '"label":"neutral","task":"veridical","facts":{"verb":"try"}}]}',
        '{"id":"2","premise":"Ein Hündchen läuft","hypothesis":null,"label":null}',
    ]
    assert SPLIT.identity == hashlib.sha256("\n".join(lines).encode()).hexdigest()
    assert SPLIT.identity == "c68f849251113a529b5ad7dc741867168e997b4f4cc4d6f486c3a3298ba64a63"


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_split_gives_the_same_bytes_whatever_its_name(tmp_path: Path, ending: str) -> None:
    SPLIT.write(tmp_path / f"a.{ending}")
    replace(SPLIT, name="other").write(tmp_path / "deep" / "er" / f"b.{ending}")
    assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / "deep" / "er" / f"b.{ending}").read_bytes()


def test_a_jsonl_file_is_one_line_for_the_scheme_and_one_for_each_example(tmp_path: Path) -> None:
    SPLIT.write(tmp_path / "a.jsonl")
    lines = (tmp_path / "a.jsonl").read_bytes().split(b"\n")
    assert lines[0] == b'{"labels":"nli3"}'
    assert lines[2].decode() == '{"id":"2","premise":"Ein Hündchen läuft","hypothesis":null,"label":null}'
    assert lines[3:] == [b""]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("labels", [NLI3, NLI2], ids=["nli3", "nli2"])
def test_a_split_without_examples_comes_back(tmp_path: Path, ending: str, labels: Labels) -> None:
    Split("none", (), labels).write(tmp_path / f"none.{ending}")
    assert Split.read(tmp_path / f"none.{ending}") == Split("none", (), labels)


def test_counts_are_of_the_scheme_and_leave_out_withheld_labels() -> None:
    assert SPLIT.counts() == {"entailment": 0, "neutral": 1, "contradiction": 0}
    assert (len(SPLIT), [example.id for example in SPLIT]) == (2, ["1", "2"])


def test_a_file_written_by_hand_is_read_kindly(tmp_path: Path) -> None:
    path = tmp_path / "few.jsonl"
    lines = [
        '{"premise": "A", "hypothesis": "B", "label": "Entailment"}',
        "",
        '{"premise":"C","hypothesis":null,"label":"c"}',
    ]
    path.write_bytes(("\ufeff" + "\r\n".join(lines)).encode())
    split = Split.read(path)
    assert split.name == "few"
    assert split.labels == NLI3
    assert split.examples == (Example("1", "A", "B", "entailment"), Example("3", "C", None, "contradiction"))
    assert Split.read(path, "own").name == "own"


def test_a_parquet_file_of_three_columns_is_enough(tmp_path: Path) -> None:
    path = parquet(tmp_path / "few.parquet", {"premise": "A", "hypothesis": "B", "label": "E"})
    assert Split.read(path).examples == (Example("1", "A", "B", "entailment"),)


@pytest.mark.parametrize("missing", ["premise", "hypothesis", "label"])
def test_a_missing_column_is_told_with_those_that_are_there(tmp_path: Path, missing: str) -> None:
    broken = row(extra="x")
    del broken[missing]
    for path in (written(tmp_path / "a.jsonl", row(), broken), parquet(tmp_path / "a.parquet", broken)):
        number = 2 if path.suffix == ".jsonl" else 1
        assert refusal(path).startswith(f"{path}:{number}: the field {missing!r} is missing (there is extra, ")


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_unknown_label_is_told_with_file_line_and_neighbour(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    (written if ending == "jsonl" else parquet)(path, row(), row(label="nuetral"))
    assert refusal(path) == f"{path}:2: unknown label 'nuetral' for the scheme nli3: did you mean 'neutral'?"


@pytest.mark.parametrize("label", [0, True, ["neutral"], 1.5, ""])
def test_a_label_that_is_no_text_is_never_guessed(tmp_path: Path, label: Any) -> None:
    path = written(tmp_path / "a.jsonl", row(label=label))
    assert f"{path}:1: unknown label" in refusal(path)


def test_labels_are_read_by_the_scheme_that_the_file_names(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"labels": "nli2"}, row(label="not_entailed"))
    split = Split.read(path)
    assert (split.labels, split.examples[0].label) == (NLI2, "not-entailed")
    written(path, {"labels": "nli2"}, row(label="neutral"))
    assert f"{path}:2: unknown label 'neutral' for the scheme nli2" in refusal(path)


def test_an_unknown_scheme_is_told_with_its_neighbour(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"labels": "nli33"}, row())
    assert refusal(path) == f"unknown label scheme in {path}: 'nli33': did you mean 'nli3'?"
    written(path, {"labels": ["nli3"]}, row())
    assert refusal(path) == f"{path}:1: 'labels' must be text, not ['nli3']"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": 17}, "'id' must be text, not 17"),
        ({"id": None}, "'id' must be text, not None"),
        ({"premise": None}, "'premise' must be text, not None"),
        ({"premise": ["A"]}, "'premise' must be text, not ['A']"),
        ({"hypothesis": 3}, "'hypothesis' must be text, not 3"),
        ({"task": 1}, "'task' must be text, not 1"),
        ({"facts": {"n": 3}}, "'n' must be text, not 3"),
        ({"facts": {"n": None}}, "'n' must be text, not None"),
        ({"facts": ["n"]}, "'facts' must be an object, not ['n']"),
        ({"facts": None}, "'facts' must be an object, not None"),
        ({"parts": "none"}, "'parts' must be a list of objects, each with an 'id'"),
        ({"parts": [1]}, "'parts' must be a list of objects, each with an 'id'"),
        ({"parts": [{"premise": "A"}]}, "'parts' must be a list of objects, each with an 'id'"),
        ({"parts": [{"id": "1/v"}]}, "the field 'premise' is missing (there is id)"),
        ({"parts": [row(premise=4)]}, "'premise' must be text, not 4"),
        ({"parts": [row(label="maybe")]}, "unknown label 'maybe' for the scheme nli3"),
        ({"parts": [row(parts=[row(id=5)])]}, "'id' must be text, not 5"),
        ({"premise": "\ud800"}, "'premise' holds half a character"),
        ({"facts": {"\udfff": "x"}}, "holds half a character"),
    ],
)
def test_a_field_of_the_wrong_type_is_told_with_file_and_line(
    tmp_path: Path, fields: dict[str, Any], message: str
) -> None:
    path = written(tmp_path / "a.jsonl", row(), "", row(**fields))
    assert refusal(path).startswith(f"{path}:3: ")
    assert message in refusal(path)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": 17}, "'id' must be text, not 17"),
        ({"hypothesis": 3}, "'hypothesis' must be text, not 3"),
        ({"facts": "{"}, "'facts': not JSON (Expecting property name"),
        ({"facts": "[1]"}, "'facts' must be an object, not [1]"),
        ({"parts": '[{"id": "1"}]'}, "the field 'premise' is missing"),
    ],
)
def test_a_parquet_row_with_a_wrong_field_is_told_with_its_number(
    tmp_path: Path, fields: dict[str, Any], message: str
) -> None:
    path = parquet(tmp_path / "a.parquet", row(**fields))
    assert refusal(path).startswith(f"{path}:1: ")
    assert message in refusal(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("not json", "not JSON (Expecting value at column 1)"),
        ('{"id": "1"', "not JSON (Expecting ',' delimiter"),
        ('{"id": "1"} x', "not JSON (Extra data"),
        ("[1, 2]", "a line must be a JSON object, not list"),
        ('"text"', "a line must be a JSON object, not str"),
        ("null", "a line must be a JSON object, not NoneType"),
        ('{"id": ' + "9" * 5000 + "}", "not JSON that can be read"),
        ("[" * 100_000, "not JSON that can be read"),
    ],
    ids=["words", "unfinished", "two values", "list", "text", "null", "huge number", "deep"],
)
def test_a_line_that_is_no_json_object_is_told_with_its_number(tmp_path: Path, line: str, message: str) -> None:
    path = written(tmp_path / "a.jsonl", row(), line)
    assert refusal(path).startswith(f"{path}:2: {message}")


def test_a_file_that_is_not_utf_8_is_told_with_line_and_byte(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(json.dumps(row()).encode() + b'\n{"id": "caf\xe9"}\n')
    assert refusal(path) == f"{path}:2: not UTF-8 (byte 0xe9)"


@pytest.mark.parametrize("content", [b"", b"\n \r\n", "\ufeff".encode()])
def test_an_empty_file_is_no_split(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    assert refusal(path) == f"{path}: the file is empty"


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.JSONL", "a.jsonl.gz"])
def test_another_ending_is_refused_for_reading_and_writing(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("x")
    message = f"{path}: a split is a .jsonl or a .parquet file, not {path.suffix}"
    assert refusal(path) == message
    with pytest.raises(UserError) as raised:
        SPLIT.write(path)
    assert str(raised.value) == message
    assert path.read_text() == "x"


def test_a_file_without_ending_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "few").endswith("a split is a .jsonl or a .parquet file, not without an ending")


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_missing_file_is_told_by_its_name(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    assert refusal(path) == f"{path}: there is no such file"
    path.mkdir()
    assert refusal(path) == f"{path}: there is no such file"


@pytest.mark.parametrize("kept", [0, 3, 100, -1, -9])
def test_a_truncated_parquet_file_is_refused(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "a.parquet"
    SPLIT.write(path)
    path.write_bytes(path.read_bytes()[:kept])
    assert refusal(path).startswith(f"{path}: not a parquet file that can be read (")


def test_a_parquet_file_with_damaged_bytes_is_read_or_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    SPLIT.write(path)
    whole = path.read_bytes()
    refused = []
    for place in range(4, len(whole), 37):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            Split.read(path)
        except UserError as error:
            refused.append(str(error))
    assert len(refused) > 5
    assert all(str(path) in said for said in refused)

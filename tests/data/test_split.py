"""A split is read back from a file the same, its identity depends on its content only, and damaged files are errors."""

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

FORMATS = ("jsonl", "parquet")
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


def write_jsonl(path: Path, *rows: Any) -> Path:
    """Write a JSON Lines file of these rows; a string is written as a line of its own."""
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def row(**fields: Any) -> dict[str, Any]:
    return {"id": "1", "premise": "A", "hypothesis": "B", "label": "neutral", **fields}


def write_parquet(path: Path, *rows: dict[str, Any]) -> Path:
    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def error_of(path: Path) -> str:
    with pytest.raises(UserError) as raised:
        Split.read(path)
    assert len(str(raised.value).splitlines()) == 1
    return str(raised.value)


@given(split=SPLITS)
@settings(max_examples=40, deadline=None)
def test_a_split_is_read_back_from_either_format_the_same(split: Split) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for format in FORMATS:
            path = Path(folder) / f"s.{format}"
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
def test_the_identity_does_not_depend_on_the_name(split: Split, name: str) -> None:
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
def test_the_identity_depends_on_every_field(change: dict[str, Any]) -> None:
    first, second = SPLIT.examples
    assert Split("small", (replace(first, **change), second)).identity != SPLIT.identity


def test_the_identity_depends_on_order_number_and_label_scheme() -> None:
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


def test_the_identity_is_the_same_as_in_earlier_versions() -> None:
    lines = [
        '["nli3", "entailment", "neutral", "contradiction"]',
        '{"id":"1","premise":"A dog tries to run","hypothesis":"A pet is running","label":"neutral","task":"composed",'
        '"facts":{"verb":"try"},"parts":[{"id":"1/v","premise":"A dog tries to run","hypothesis":"A dog is running",'
        '"label":"neutral","task":"veridical","facts":{"verb":"try"}}]}',
        '{"id":"2","premise":"Ein Hündchen läuft","hypothesis":null,"label":null}',
    ]
    assert SPLIT.identity == hashlib.sha256("\n".join(lines).encode()).hexdigest()
    assert SPLIT.identity == "c68f849251113a529b5ad7dc741867168e997b4f4cc4d6f486c3a3298ba64a63"


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_split_gives_the_same_bytes_whatever_its_name(tmp_path: Path, format: str) -> None:
    SPLIT.write(tmp_path / f"a.{format}")
    replace(SPLIT, name="other").write(tmp_path / "deep" / "er" / f"b.{format}")
    assert (tmp_path / f"a.{format}").read_bytes() == (tmp_path / "deep" / "er" / f"b.{format}").read_bytes()


def test_a_jsonl_file_is_one_line_for_the_scheme_and_one_for_each_example(tmp_path: Path) -> None:
    SPLIT.write(tmp_path / "a.jsonl")
    lines = (tmp_path / "a.jsonl").read_bytes().split(b"\n")
    assert lines[0] == b'{"labels":"nli3"}'
    assert lines[2].decode() == '{"id":"2","premise":"Ein Hündchen läuft","hypothesis":null,"label":null}'
    assert lines[3:] == [b""]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("labels", [NLI3, NLI2], ids=["nli3", "nli2"])
def test_a_split_without_examples_is_read_back_the_same(tmp_path: Path, format: str, labels: Labels) -> None:
    Split("none", (), labels).write(tmp_path / f"none.{format}")
    assert Split.read(tmp_path / f"none.{format}") == Split("none", (), labels)


def test_counts_have_every_label_of_the_scheme_and_ignore_unknown_labels() -> None:
    assert SPLIT.counts() == {"entailment": 0, "neutral": 1, "contradiction": 0}
    assert (len(SPLIT), [example.id for example in SPLIT]) == (2, ["1", "2"])


def test_a_file_written_by_hand_may_lack_ids_and_have_a_byte_order_mark_and_blank_lines(tmp_path: Path) -> None:
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
    path = write_parquet(tmp_path / "few.parquet", {"premise": "A", "hypothesis": "B", "label": "E"})
    assert Split.read(path).examples == (Example("1", "A", "B", "entailment"),)


@pytest.mark.parametrize("missing", ["premise", "hypothesis", "label"])
def test_the_error_for_a_missing_field_lists_the_available_ones(tmp_path: Path, missing: str) -> None:
    broken = row(extra="x")
    del broken[missing]
    for path in (write_jsonl(tmp_path / "a.jsonl", row(), broken), write_parquet(tmp_path / "a.parquet", broken)):
        number = 2 if path.suffix == ".jsonl" else 1
        assert error_of(path).startswith(f"{path}:{number}: missing field {missing!r} (available: extra, ")


@pytest.mark.parametrize("format", FORMATS)
def test_the_error_for_an_unknown_label_names_file_and_line_and_suggests_a_label(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"a.{format}"
    (write_jsonl if format == "jsonl" else write_parquet)(path, row(), row(label="nuetral"))
    assert error_of(path) == f"{path}:2: unknown label 'nuetral' for the scheme nli3: did you mean 'neutral'?"


@pytest.mark.parametrize("label", [0, True, ["neutral"], 1.5, ""])
def test_a_label_that_is_not_text_is_an_error(tmp_path: Path, label: Any) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", row(label=label))
    assert f"{path}:1: unknown label" in error_of(path)


def test_labels_are_parsed_with_the_scheme_that_the_file_names(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", {"labels": "nli2"}, row(label="not_entailed"))
    split = Split.read(path)
    assert (split.labels, split.examples[0].label) == (NLI2, "not-entailed")
    write_jsonl(path, {"labels": "nli2"}, row(label="neutral"))
    assert f"{path}:2: unknown label 'neutral' for the scheme nli2" in error_of(path)


def test_the_error_for_an_unknown_scheme_suggests_one(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", {"labels": "nli33"}, row())
    assert error_of(path) == f"unknown label scheme in {path}: 'nli33': did you mean 'nli3'?"
    write_jsonl(path, {"labels": ["nli3"]}, row())
    assert error_of(path) == f"{path}:1: 'labels' must be text, not ['nli3']"


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
        ({"parts": [{"id": "1/v"}]}, "missing field 'premise' (available: id)"),
        ({"parts": [row(premise=4)]}, "'premise' must be text, not 4"),
        ({"parts": [row(label="maybe")]}, "unknown label 'maybe' for the scheme nli3"),
        ({"parts": [row(parts=[row(id=5)])]}, "'id' must be text, not 5"),
        ({"premise": "\ud800"}, "'premise' contains half a character"),
        ({"facts": {"\udfff": "x"}}, "contains half a character"),
    ],
)
def test_the_error_for_a_field_of_the_wrong_type_names_file_and_line(
    tmp_path: Path, fields: dict[str, Any], message: str
) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", row(), "", row(**fields))
    assert error_of(path).startswith(f"{path}:3: ")
    assert message in error_of(path)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": 17}, "'id' must be text, not 17"),
        ({"hypothesis": 3}, "'hypothesis' must be text, not 3"),
        ({"facts": "{"}, "'facts': not JSON (Expecting property name"),
        ({"facts": "[1]"}, "'facts' must be an object, not [1]"),
        ({"parts": '[{"id": "1"}]'}, "missing field 'premise'"),
    ],
)
def test_the_error_for_an_invalid_parquet_row_names_its_number(
    tmp_path: Path, fields: dict[str, Any], message: str
) -> None:
    path = write_parquet(tmp_path / "a.parquet", row(**fields))
    assert error_of(path).startswith(f"{path}:1: ")
    assert message in error_of(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("not json", "not JSON (Expecting value at column 1)"),
        ('{"id": "1"', "not JSON (Expecting ',' delimiter"),
        ('{"id": "1"} x', "not JSON (Extra data"),
        ("[1, 2]", "a line must be a JSON object, not list"),
        ('"text"', "a line must be a JSON object, not str"),
        ("null", "a line must be a JSON object, not NoneType"),
        ('{"id": ' + "9" * 5000 + "}", "JSON that cannot be parsed"),
        ("[" * 100_000, "JSON that cannot be parsed"),
    ],
    ids=["words", "unfinished", "two values", "list", "text", "null", "huge number", "deep"],
)
def test_the_error_for_a_line_that_is_not_a_json_object_names_its_number(
    tmp_path: Path, line: str, message: str
) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", row(), line)
    assert error_of(path).startswith(f"{path}:2: {message}")


def test_the_error_for_a_file_that_is_not_utf_8_names_line_and_byte(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(json.dumps(row()).encode() + b'\n{"id": "caf\xe9"}\n')
    assert error_of(path) == f"{path}:2: not UTF-8 (byte 0xe9): save the file as UTF-8"


@pytest.mark.parametrize("content", [b"", b"\n \r\n", "\ufeff".encode()])
def test_an_empty_file_is_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    assert error_of(path) == f"{path}: the file is empty"


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.JSONL", "a.jsonl.gz"])
def test_another_suffix_is_an_error_for_reading_and_writing(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("x")
    message = f"{path}: must be a .jsonl or a .parquet file"
    assert error_of(path) == message
    with pytest.raises(UserError) as raised:
        SPLIT.write(path)
    assert str(raised.value) == message
    assert path.read_text() == "x"


def test_a_file_without_a_suffix_is_an_error(tmp_path: Path) -> None:
    assert error_of(tmp_path / "few").endswith("few: must be a .jsonl or a .parquet file")


@pytest.mark.parametrize("format", FORMATS)
def test_a_missing_file_is_an_error(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"a.{format}"
    assert error_of(path) == f"{path}: no such file"
    path.mkdir()
    assert error_of(path) == f"{path}: no such file"


@pytest.mark.parametrize("kept", [0, 3, 100, -1, -9])
def test_a_truncated_parquet_file_is_an_error(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "a.parquet"
    SPLIT.write(path)
    path.write_bytes(path.read_bytes()[:kept])
    assert error_of(path).startswith(f"{path}: not a readable Parquet file (")


def test_a_parquet_file_with_damaged_bytes_is_read_or_gives_an_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    SPLIT.write(path)
    content = path.read_bytes()
    errors = []
    for index in range(4, len(content), 37):
        path.write_bytes(content[:index] + bytes([content[index] ^ 0xFF]) + content[index + 1 :])
        try:
            Split.read(path)
        except UserError as error:
            errors.append(str(error))
    assert len(errors) > 5
    assert all(str(path) in message for message in errors)

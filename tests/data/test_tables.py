"""Pairs come back from a table as they were written, and whatever is wrong with a table is one line that says where."""

from __future__ import annotations

import csv
import gzip
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trivium.data.example import Example
from trivium.data.labels import NLI2, NLI3, SENTIMENT, Labels
from trivium.data.split import Split
from trivium.data.tables import as_split, name_of, read_pair_table, read_pairs, several
from trivium.errors import UserError

Rows = list[dict[str, Any]]
TEXT = st.text(
    st.characters(blacklist_categories=("Cs",), blacklist_characters="\0\t"), min_size=1, max_size=12
).filter(str.strip) | st.sampled_from(
    ['He said "no"', '"No," he said.', '"', "two\nlines", "a,b;c", "cr\r\nlf", "日本語 🐕", "\u2028x\x85"]
)
PAIRS = st.lists(
    st.fixed_dictionaries(
        {"premise": TEXT, "hypothesis": TEXT, "label": st.sampled_from(NLI3.names), "genre": TEXT, "note": TEXT}
    ),
    min_size=1,
    max_size=4,
)


def write_csv(path: Path, rows: Rows, separator: str = ",") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=separator)
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_tsv(path: Path, rows: Rows) -> Path:
    return write_csv(path, rows, "\t")


def write_jsonl(path: Path, rows: Rows) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def write_parquet(path: Path, rows: Rows) -> Path:
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


WRITERS: dict[str, Callable[[Path, Rows], Path]] = {
    "csv": write_csv,
    "tsv": write_tsv,
    "jsonl": write_jsonl,
    "parquet": write_parquet,
}
ROW = {"premise": "It rains.", "hypothesis": "It is wet.", "label": "entailment"}


def table(folder: Path, text: str | bytes, name: str = "pairs.csv") -> Path:
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder / name


def problem(path: Path, **options: Any) -> str:
    """Return the one line that reading a file raises, without the folder."""
    with pytest.raises(UserError) as raised:
        read_pairs(path, **options)
    message = str(raised.value)
    assert "\n" not in message
    assert message.startswith((str(path), "labels="))
    return message.replace(str(path), path.name)


@pytest.mark.parametrize("ending", WRITERS)
@settings(max_examples=60, deadline=None)
@given(rows=PAIRS)
def test_pairs_come_back_as_they_were_written(ending: str, rows: Rows) -> None:
    with tempfile.TemporaryDirectory() as folder:
        split = read_pairs(WRITERS[ending](Path(folder) / f"pairs.{ending}", rows))
    expected = [
        Example.make(str(number), row["premise"], row["hypothesis"], row["label"], genre=row["genre"], note=row["note"])
        for number, row in enumerate(rows, 1)
    ]
    assert list(split) == expected
    assert (split.name, split.labels) == ("pairs", NLI3)


@settings(max_examples=60, deadline=None)
@given(rows=PAIRS)
def test_a_tsv_file_whose_quotes_are_plain_characters_is_read_as_such(rows: Rows) -> None:
    rows = [{key: "x" + " ".join(str(value).split()) for key, value in row.items()} | {"label": "n"} for row in rows]
    lines = ["\t".join(rows[0]), *("\t".join(row[column] for column in rows[0]) for row in rows)]
    with tempfile.TemporaryDirectory() as folder:
        split = read_pairs(table(Path(folder), "\n".join(lines), "pairs.tsv"))
    assert [(e.premise, e.hypothesis) for e in split] == [(row["premise"], row["hypothesis"]) for row in rows]


@pytest.mark.parametrize("first", ['"No," he said.', '"I am here', 'x" y'])
@pytest.mark.parametrize("order", ["premise hypothesis label", "label premise hypothesis", "label hypothesis premise"])
def test_an_unbalanced_quote_in_a_tsv_file_does_not_swallow_the_next_line(
    tmp_path: Path, first: str, order: str
) -> None:
    rows = [
        {"premise": first, "hypothesis": "A", "label": "neutral"},
        {"premise": "B", "hypothesis": "C", "label": "n"},
    ]
    columns = order.split()
    text = "\n".join(["\t".join(columns), *("\t".join(row[column] for column in columns) for row in rows)])
    split = read_pairs(table(tmp_path, text, "pairs.tsv"))
    assert [(e.premise, e.hypothesis) for e in split] == [(first, "A"), ("B", "C")]


@pytest.mark.parametrize(
    "columns",
    [
        ("premise", "hypothesis", "label"),
        ("sentence1", "sentence2", "gold_label"),
        ("sentence_A", "sentence_B", "entailment_label"),
        ("text", "text_pair", "labels"),
        ("context", "hypothesis", "label"),
        ("text_a", "text_b", "Label"),
        (" Premise ", "HYPOTHESIS", "gold"),
    ],
)
def test_well_known_columns_are_found(tmp_path: Path, columns: tuple[str, str, str]) -> None:
    header = ",".join([columns[2], columns[1], "genre", columns[0], "pairID"])
    (example,) = read_pairs(table(tmp_path, f"{header}\nCONTRADICTION,B,news,A,7\n"))
    assert example == Example.make("7", "A", "B", "contradiction", genre="news")


def test_named_columns_go_before_well_known_ones(tmp_path: Path) -> None:
    path = table(tmp_path, "premise,hypothesis,label,claim,verdict\nA,B,neutral,C,entailment\n")
    (example,) = read_pairs(path, hypothesis="claim", label="verdict")
    assert (example.premise, example.hypothesis, example.label) == ("A", "C", "entailment")
    assert dict(example.facts) == {"hypothesis": "B", "label": "neutral"}


@pytest.mark.parametrize(
    ("spelled", "scheme", "labels"),
    [
        (["e", " Neutral", "CONTRADICTION"], NLI3, ["entailment", "neutral", "contradiction"]),
        (["entailment", "not_entailment"], NLI2, ["entailed", "not-entailed"]),
        (["entailment", "entailment"], NLI3, ["entailment", "entailment"]),
        (["entailed", ""], NLI2, ["entailed", None]),
        (["pos", "Negative"], SENTIMENT, ["positive", "negative"]),
    ],
)
def test_the_label_scheme_follows_from_the_labels(
    tmp_path: Path, spelled: list[str], scheme: Labels, labels: list[str | None]
) -> None:
    rows = [ROW | {"label": label} for label in spelled]
    split = read_pairs(write_csv(tmp_path / "pairs.csv", rows))
    assert split.labels == scheme
    assert [example.label for example in split] == labels


def test_a_task_on_one_text_needs_no_hypothesis(tmp_path: Path) -> None:
    split = read_pairs(table(tmp_path, "text,sentiment\nA fine film.,positive\n"))
    assert (split.labels, split.examples[0].hypothesis) == (SENTIMENT, None)
    unlabelled = table(tmp_path, "text\nA fine film.\n", "more.csv")
    assert read_pairs(unlabelled, labels="negative,positive").labels == SENTIMENT
    assert "no column for the hypothesis" in problem(unlabelled)


@pytest.mark.parametrize("ending", WRITERS)
def test_numbers_are_labels_if_it_is_said_what_they_mean(tmp_path: Path, ending: str) -> None:
    rows = [ROW | {"label": number} for number in (0, 2, 1, -1)]
    path = WRITERS[ending](tmp_path / f"pairs.{ending}", rows)
    table = read_pair_table(path, labels="neutral, entailment,contradiction")
    assert [example.label for example in table.split] == ["neutral", "contradiction", "entailment"]
    assert table.left_out == 1
    assert "the label 0 (column 'label') is a number: say what 0, 1, … mean" in problem(path)
    assert "the label 2 has no name: labels= names 0 to 1 only" in problem(path, labels="entailment,neutral")


def test_numbers_that_became_floats_are_numbers_still(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "pairs.jsonl", [ROW | {"label": 1.0}, ROW | {"label": float("nan")}])
    split = read_pairs(path, labels="entailment,not_entailment")
    assert [example.label for example in split] == ["not-entailed", None]


def test_rows_without_consensus_are_left_out_and_counted(tmp_path: Path) -> None:
    rows = [ROW, ROW | {"label": "-"}, ROW | {"label": "n"}]
    path = write_jsonl(tmp_path / "pairs.jsonl", rows)
    assert read_pair_table(path).left_out == 1
    assert [example.id for example in read_pairs(path)] == ["1", "3"]
    assert "all 1 rows have the label '-'" in problem(write_jsonl(path, rows[1:2]))


def test_other_columns_become_metadata_as_text(tmp_path: Path) -> None:
    more = {
        "n": 3,
        "share": 0.5,
        "sure": True,
        "votes": ["e", "n"],
        "gone": None,
        "empty": "",
        "facts": {"verb": "try"},
    }
    (example,) = read_pairs(write_jsonl(tmp_path / "pairs.jsonl", [ROW | more]))
    assert dict(example.facts) == {"n": "3", "share": "0.5", "sure": "true", "votes": '["e", "n"]', "verb": "try"}


def test_rows_of_a_jsonl_file_may_have_different_fields(tmp_path: Path) -> None:
    rows = [{"premise": "A", "hypothesis": "B"}, ROW | {"genre": "news"}]
    split = read_pairs(write_jsonl(tmp_path / "pairs.jsonl", rows))
    assert [example.label for example in split] == [None, "entailment"]
    assert "pairs.jsonl:1: no column for the label" in problem(tmp_path / "pairs.jsonl", require_labels=True)


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_split_of_trivium_is_read_as_it_is(tmp_path: Path, ending: str) -> None:
    part = Example.make("1/v", "A", "B", "entailed", task="veridical")
    split = Split("own", (Example.make("x", "A", "B", "not-entailed", parts=(part,), verb="try"),), NLI2)
    path = tmp_path / f"own.{ending}"
    split.write(path)
    assert read_pairs(path, require_labels=True) == split
    assert "columns are fixed" in problem(path, premise="text")


def test_a_split_without_labels_or_examples_is_an_error_if_they_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    Split("own", (Example.make("x", "A", "B", None),)).write(path)
    assert read_pairs(path).examples[0].label is None
    assert "the example 'x' has no label" in problem(path, require_labels=True)
    Split("own", ()).write(path)
    assert "no examples" in problem(path)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_a_byte_order_mark_and_gzip_make_no_difference(tmp_path: Path, ending: str) -> None:
    plain = WRITERS[ending](tmp_path / f"pairs.{ending}", [ROW]).read_bytes()
    packed = tmp_path / f"pairs.{ending}.gz"
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + plain))
    assert read_pairs(packed) == read_pairs(tmp_path / f"pairs.{ending}")
    packed.write_bytes(gzip.compress(plain)[:-9])
    assert "not a complete gzip file" in problem(packed)


HEAD = "premise,hypothesis,label\n"


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.csv", "", "a.csv: the file is empty"),
        ("a.csv", HEAD, "a.csv: the file is empty, or has a header and no rows"),
        ("a.jsonl", "\n\n", "a.jsonl: the file is empty"),
        ("a.csv", HEAD + "A,B,neutral\nA,B\n", "a.csv:3: 2 fields where the header has 3 columns"),
        ("a.csv", HEAD + '"A\nA",B,neutral\nA,B,n,x\n', "a.csv:4: 4 fields where the header has 3 columns"),
        ("a.tsv", HEAD.replace(",", "\t") + "A\tB\n", "a.tsv:2: 2 fields where the header has 3 columns"),
        ("a.csv", HEAD + 'A,"B,neutral\nA,B,n\n', "a.csv:2: a quote is never closed"),
        ("a.csv", HEAD + '"A"x,B,n\n', "a.csv:2: not a CSV row"),
        ("a.csv", HEAD + f"A,B,n\n{'x' * 140_000},B,n\n", "a.csv:3: a field of more than 131,072 characters"),
        ("a.csv", HEAD + "A,B\0,n\n", "a.csv:2: a NUL byte"),
        ("a.jsonl", '{"premise": "A\\u0000", "hypothesis": "B"}', "a.jsonl:1: a NUL character in the column 'premise'"),
        ("a.csv", (HEAD + "A,B,n\nÄ,B,n\n").encode("latin-1"), "a.csv:3: not UTF-8 (byte 0xc4): save"),
        ("a.csv", HEAD.encode("utf-16"), "a.csv: UTF-16, not UTF-8 text"),
        ("a.csv", b"PK\x03\x04xxxx", "a.csv: a spreadsheet or zip archive, not UTF-8 text"),
        ("a.csv", "premise,premise,label\nA,B,n\n", "a.csv:1: the column 'premise' occurs twice"),
        ("a.csv", "id,premise,hypothesis\n1,A,B\n1,C,D\n", "a.csv:3: the id '1' is already used in line 2"),
        ("a.csv", "id,premise,hypothesis\n,A,B\n", "a.csv:2: the id (column 'id') is empty"),
        ("a.csv", "premise,hypothesis\n ,B\n", "a.csv:2: the premise (column 'premise') is empty"),
        ("a.csv", HEAD + "A,,neutral\n", "a.csv:2: the hypothesis (column 'hypothesis') is empty"),
        ("a.csv", HEAD + "A,B,n\nA,B,entailmnt\n", "a.csv:3: unknown label 'entailmnt' (column 'label'): did you mean"),
        ("a.csv", HEAD + f"A,B,{'9' * 5000}\n", "a.csv:2: unknown label '999"),
        ("a.csv", HEAD + "A,B,n\nA,B,positive\n", "a.csv:3: the label 'positive' is not of the same scheme as 'n' ("),
        ("a.csv", "one,two\nA,B\n", "a.csv:1: no column for the premise: name it with premise= (available:"),
        ("a.csv", "premise,label\nA,neutral\n", "a.csv:1: no column for the hypothesis"),
        ("a.jsonl", "[1]\n", "a.jsonl:1: a line must be a JSON object, not list"),
        ("a.jsonl", '{"premise": "A"\n', "a.jsonl:1: not JSON"),
        ("a.jsonl", '{"premise": 3, "hypothesis": "B"}\n', "a.jsonl:1: 'premise' must be text, not 3"),
        ("a.jsonl", '{"premise": "\\ud800", "hypothesis": "B"}\n', "a.jsonl:1: 'premise' contains half a character"),
        ("a.parquet", "PAR1", "a.parquet: not a readable Parquet file"),
        ("a.json", "[]", "a.json: pairs are read from .jsonl, .csv, .tsv (also with .gz) and .parquet files, not"),
        ("a.parquet.gz", "", "a.parquet.gz: pairs are read from"),
        ("a", "", "a: pairs are read from .jsonl, .csv, .tsv (also with .gz) and .parquet files, not no ending"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, name: str, content: str | bytes, expected: str) -> None:
    assert problem(table(tmp_path, content, name)).startswith(expected)


def test_a_wrong_column_name_is_told_with_the_available_ones(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", [ROW])
    message = "a.csv:1: no column 'premises' for the premise (available: premise, hypothesis, label): did you mean"
    assert problem(path, premise="premises").startswith(message)
    assert problem(path, label="xyz").endswith("(available: premise, hypothesis, label)")
    parquet = write_parquet(tmp_path / "a.parquet", [ROW])
    assert problem(parquet, label="xyz").startswith("a.parquet: no column 'xyz' for the label (available: premise")


def test_a_missing_label_is_told_with_its_line_if_labels_are_required(tmp_path: Path) -> None:
    rows = [ROW, ROW | {"label": None}]
    assert "a.csv:3: the label is missing" in problem(write_csv(tmp_path / "a.csv", rows), require_labels=True)
    message = problem(write_parquet(tmp_path / "a.parquet", rows), require_labels=True)
    assert "a.parquet:row 2: the label is missing" in message


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("entailment,neutrl", "unknown label 'neutrl': did you mean 'neutral'?"),
        ("entailment,positive", "labels of different schemes"),
        ("e,entailment", "a label occurs twice"),
    ],
)
def test_a_wrong_list_of_labels_is_told(tmp_path: Path, labels: str, expected: str) -> None:
    assert expected in problem(write_csv(tmp_path / "a.csv", [ROW]), labels=labels)


def test_a_file_that_is_not_there_or_is_a_folder_is_told(tmp_path: Path) -> None:
    assert problem(tmp_path / "a.csv") == "a.csv: no such file"
    assert problem(tmp_path / "a.parquet") == "a.parquet: no such file"
    (tmp_path / "b.csv").mkdir()
    assert problem(tmp_path / "b.csv") == "b.csv: a folder, not a file"


def test_real_snli_is_read(shared_data: Path) -> None:
    table = read_pair_table(shared_data / "snli" / "snli_1.0_dev.jsonl.gz", require_labels=True)
    assert (len(table.split), table.left_out, table.split.name) == (9842, 158, "snli_1.0_dev")


ROWS = [{"sentence1": "A", "sentence2": "B", "gold_label": "E", "topic": "x"}, {"sentence1": "C", "sentence2": "D"}]


def test_mappings_and_data_frames_are_read_as_a_file_of_the_same_rows() -> None:
    split = as_split(ROWS, "rows")
    assert split.name == "rows"
    assert [e.label for e in split] == ["entailment", None]
    assert split.examples[0].facts == (("topic", "x"),)
    frame = pd.DataFrame(ROWS)  # the second row has NaN for the label and the topic
    assert as_split(frame, "frame").examples == split.examples
    assert as_split((row for row in ROWS), "rows") == split


def test_numbered_labels_and_named_columns_of_a_data_frame() -> None:
    frame = pd.DataFrame({"a": ["It rains."], "b": ["It is wet."], "c": [0]})
    options = {"premise": "a", "hypothesis": "b", "label": "c", "labels": "entailment,neutral,contradiction"}
    (example,) = as_split(frame, "frame", **options)
    assert example.label == "entailment"


def test_splits_and_examples_are_taken_as_they_are() -> None:
    split = Split("own", (Example("1", "A", "B", "not-entailed"),), NLI2)
    assert as_split(split, "data") is split
    assert as_split(list(split), "data") == Split("data", split.examples, NLI2)
    assert [name_of(data, "data") for data in (split, "a.csv", [])] == ["own", "a.csv", "data"]


def test_a_list_of_sets_is_told_from_one_set() -> None:
    split = Split("own", (Example("1", "A", "B", "neutral"),))
    frame = pd.DataFrame(ROWS)
    assert several(["a.csv", split]) == ["a.csv", split]
    assert several(split) == [split]
    assert several(ROWS) == [ROWS]
    assert several(list(split)) == [list(split)]
    assert len(several([frame, frame])) == 2
    assert len(several(frame)) == 1


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (5, {}, "data: must be a file, a Split, a data frame, or a list of examples, mappings or pairs, not int"),
        ({"premise": ["A"]}, {}, "mappings or pairs, not dict"),
        ([], {}, "data: contains no examples"),
        (["A", "B"], {}, "data: must contain only examples, mappings, or (premise, hypothesis) pairs, not str"),
        ([Example("1", "A", "B", "maybe")], {}, "data: the labels maybe are not those of one scheme"),
        ([Example("1", "A", "B", "neutral")], {"label": "gold"}, "data: examples have no columns"),
        ([{"premise": "A", "hypothesis": "B", "label": "entialment"}], {}, "data:row 1: unknown label 'entialment'"),
        ([{"premise": "A", "hypothesis": " "}], {}, "data:row 1: the hypothesis"),
        (ROWS, {"require_labels": True}, "data:row 2: no column for the label"),
    ],
)
def test_mistakes_in_python_objects_are_one_line(data: object, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as raised:
        as_split(data, "data", **options)  # type: ignore[arg-type]
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_csv_file_of_a_spreadsheet_may_have_semicolons_and_empty_rows(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(
        "\ufeffpremise;hypothesis;gold;topic\r\nIt rains, a lot.;It is wet.;entailment;weather\r\n;;;\r\n \r\n",
        encoding="utf-8",
    )
    table = read_pair_table(path)
    assert [example.premise for example in table.split] == ["It rains, a lot."]
    assert table.where == (f"{path}:2",)
    assert table.notes("pairs.csv") == [
        "pairs.csv: separated by semicolons; premise from 'premise', hypothesis from 'hypothesis', label from 'gold'; "
        "metadata: topic; 2 empty rows skipped"
    ]
    path.write_text("premise,hypothesis\nIt rains.\n")
    assert problem(path).startswith("pairs.csv:2: 1 field where the header has 2 columns")


def test_pairs_and_lists_of_labels_are_data_too() -> None:
    assert (
        as_split([("It rains.", "It is wet."), ["It snows.", "It is hot."]], "data").examples[1].premise == "It snows."
    )
    rows = [("It rains.", "It is wet.", 1)]
    assert as_split(rows, "data", labels=["neutral", "entailment"]).examples[0].label == "entailment"

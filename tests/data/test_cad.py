"""Counterfactual revisions are read completely, each with its original, and errors name the file and the line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from trivium.data.labels import SENTIMENT
from trivium.data.sources import load_source
from trivium.data.sources.cad import ORIGINAL, PREMISE, read_pairs, read_reviews
from trivium.data.split import Split
from trivium.data.tsv import read_quoted
from trivium.errors import UserError


@pytest.mark.usefixtures("real_data")
@pytest.mark.parametrize(
    ("name", "versions"),
    [
        ("cad-snli", {"original": 2266, "revised_premise": 4532, "revised_hypothesis": 4532}),
        ("cad-imdb", {"original": 2440, "revised_text": 2440}),
    ],
)
def test_every_revision_has_its_original_with_another_label(name: str, versions: dict[str, int]) -> None:
    split = load_source(name)
    assert Counter(example.fact("version") for example in split) == versions
    by_id = {example.id: example for example in split}
    assert len(by_id) == len(split)
    for example in split:
        if example.fact("version") != ORIGINAL:
            original = by_id[str(example.fact("original"))]
            assert original.fact("version") == ORIGINAL
            assert original.fact("part") == example.fact("part")
            assert original.label != example.label


@pytest.mark.usefixtures("real_data")
def test_a_revised_premise_keeps_the_hypothesis_of_its_original() -> None:
    split = load_source("cad-snli")
    by_id = {example.id: example for example in split}
    revised = [example for example in split if example.fact("version") == PREMISE]
    same = sum(by_id[str(example.fact("original"))].hypothesis == example.hypothesis for example in revised)
    assert len(revised) - same < 10  # in a few pairs of the file the hypothesis was changed too


@pytest.mark.usefixtures("real_data")
def test_reviews_have_no_hypothesis_and_are_read_back_the_same(tmp_path: Path) -> None:
    split = load_source("cad-imdb")
    assert split.labels == SENTIMENT
    assert all(example.hypothesis is None and "<br />" not in example.premise for example in split)
    few = Split("few", split.examples[:20], SENTIMENT)
    for name in ("few.jsonl", "few.parquet"):
        few.write(tmp_path / name)
        assert Split.read(tmp_path / name).identity == few.identity


def test_each_original_has_two_revisions_in_the_order_of_the_originals(tmp_path: Path) -> None:
    file = tmp_path / "train.tsv"
    file.write_text("sentence1\tsentence2\tgold_label\n" + "".join(f'"a ""{i}"""\tb\tneutral\n' for i in range(4)))
    examples = list(read_pairs(file, PREMISE, "train"))
    assert [example.premise for example in examples] == [f'a "{i}"' for i in range(4)]
    assert [example.fact("original") for example in examples] == [f"cad-snli-original-train-{i}" for i in (1, 1, 2, 2)]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["Positive\tgood\t1", "Negative\tbad\t2"],
            r"r.tsv:3: expected the revision with batch_id '1', found batch_id '2'",
        ),
        (["Positive\tgood\t1"], r"r.tsv: the last review has no revision"),
        (["Fine\tgood\t1", "Negative\tbad\t1"], r"r.tsv:2: unknown label 'Fine'"),
        (["Positive\tgood"], r"r.tsv:2: expected 3 fields as in the first line, found 2"),
        (['Positive\t"good\t1'], r"r.tsv:2: not a table with quoted fields"),
    ],
)
def test_errors_in_reviews_name_the_file_and_the_line(lines: list[str], message: str, tmp_path: Path) -> None:
    file = tmp_path / "r.tsv"
    file.write_text("\n".join(["Sentiment\tText\tbatch_id", *lines]))
    with pytest.raises(UserError, match=message):
        list(read_reviews(file, "train"))


def test_quoted_fields_may_contain_line_breaks_and_quotes(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_bytes(b'a,b\r\n"one\r\ntwo","say ""x"", y"\r\n\r\n3,4\r\n')
    rows = list(read_quoted(file, ("a", "b")))
    assert [row.fields for row in rows] == [{"a": "one\r\ntwo", "b": 'say "x", y'}, {"a": "3", "b": "4"}]
    assert rows[1].where.endswith("t.csv:5")
    with pytest.raises(UserError, match="missing column 'c'"):
        list(read_quoted(file, ("c",)))
    file.write_text("")
    with pytest.raises(UserError, match="the file is empty"):
        list(read_quoted(file, ("a",)))

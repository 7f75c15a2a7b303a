"""Counterfactual edits: whole, each with its original, and mistakes in the files told with file and line."""

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
    known = {example.id: example for example in split}
    assert len(known) == len(split)
    for example in split:
        if example.fact("version") != ORIGINAL:
            original = known[str(example.fact("original"))]
            assert original.fact("version") == ORIGINAL
            assert original.fact("part") == example.fact("part")
            assert original.label != example.label


@pytest.mark.usefixtures("real_data")
def test_a_revised_premise_keeps_the_hypothesis_of_its_original() -> None:
    split = load_source("cad-snli")
    known = {example.id: example for example in split}
    revised = [example for example in split if example.fact("version") == PREMISE]
    same = sum(known[str(example.fact("original"))].hypothesis == example.hypothesis for example in revised)
    assert len(revised) - same < 10  # the file has a few whose hypothesis was changed too


@pytest.mark.usefixtures("real_data")
def test_reviews_are_of_one_text_and_survive_a_file(tmp_path: Path) -> None:
    split = load_source("cad-imdb")
    assert split.labels == SENTIMENT
    assert all(example.hypothesis is None and "<br />" not in example.premise for example in split)
    few = Split("few", split.examples[:20], SENTIMENT)
    for name in ("few.jsonl", "few.parquet"):
        few.write(tmp_path / name)
        assert Split.read(tmp_path / name).identity == few.identity


def test_two_revisions_belong_to_each_original_in_its_order(tmp_path: Path) -> None:
    file = tmp_path / "train.tsv"
    file.write_text("sentence1\tsentence2\tgold_label\n" + "".join(f'"a ""{i}"""\tb\tneutral\n' for i in range(4)))
    found = list(read_pairs(file, PREMISE, "train"))
    assert [example.premise for example in found] == [f'a "{i}"' for i in range(4)]
    assert [example.fact("original") for example in found] == [f"cad-snli-original-train-{i}" for i in (1, 1, 2, 2)]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["Positive\tgood\t1", "Negative\tbad\t2"], r"r.tsv:3: batch_id '2' where the revision of '1' must stand"),
        (["Positive\tgood\t1"], r"r.tsv: the last review has no revision"),
        (["Fine\tgood\t1", "Negative\tbad\t1"], r"r.tsv:2: unknown label 'Fine'"),
        (["Positive\tgood"], r"r.tsv:2: 2 fields where the first line names 3 columns"),
        (['Positive\t"good\t1'], r"r.tsv:2: not a table with quoted fields"),
    ],
)
def test_mistakes_in_reviews_name_file_and_line(lines: list[str], message: str, tmp_path: Path) -> None:
    file = tmp_path / "r.tsv"
    file.write_text("\n".join(["Sentiment\tText\tbatch_id", *lines]))
    with pytest.raises(UserError, match=message):
        list(read_reviews(file, "train"))


def test_quoted_fields_may_hold_line_ends_and_quotes(tmp_path: Path) -> None:
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

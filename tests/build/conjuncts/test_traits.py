"""What a pair is about: as recorded, else as it reads; annotations of a reader with errors in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from trivium.build.conjuncts.traits import Traits, is_covered, read_annotations, traits_of
from trivium.data.example import Example
from trivium.errors import UserError

PAIR = Example.make("a", "Anna visited Rome and Oslo.", "Anna visited Rome.", "entailment")


def test_traits_are_read_where_nothing_is_recorded() -> None:
    assert traits_of(PAIR) == Traits("and", "remove", "and", True)
    same = Example.make("b", "Anna slept.", "Anna slept.", "entailment")
    assert traits_of(same) == Traits("none", "none", "none", None)


def test_what_was_recorded_counts() -> None:
    made = Example.make(
        "a", PAIR.premise, PAIR.hypothesis, "neutral", conjunction="nor", operation="add", rule="mine", boolean="no"
    )
    assert traits_of(made) == Traits("or", "add", "mine", False)


def test_a_hypothesis_is_covered_if_the_premise_has_all_its_words() -> None:
    assert is_covered(PAIR)
    assert not is_covered(Example.make("a", PAIR.premise, "Anna visited Paris.", "neutral"))


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("x.tsv", "id\tboolean\nb\tyes\n", "no pair 'b'"),
        ("x.tsv", "id\tboolean\na\tperhaps\n", "it is yes or no"),
        ("x.tsv", "id\tboolean\na\tyes\na\tno\n", "twice"),
        ("x.tsv", "id\tvalue\na\tyes\n", "missing column 'boolean'"),
        ("x.jsonl", '{"id": "a"}\n', "'boolean' is missing"),
        ("x.jsonl", "\n", "no annotation"),
        ("x.csv", "", ".jsonl or a .tsv"),
    ],
)
def test_a_mistake_in_annotations_is_one_line(tmp_path: Path, name: str, text: str, error: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(UserError, match=error) as found:
        read_annotations(file, [PAIR])
    assert "\n" not in str(found.value)


def test_annotations_are_read_from_both_kinds_of_file(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text("id\tboolean\na\tno\n")
    (tmp_path / "x.jsonl").write_text('{"id": "a", "boolean": true}\n')
    assert read_annotations(tmp_path / "x.tsv", [PAIR]) == {"a": False}
    assert read_annotations(tmp_path / "x.jsonl", [PAIR]) == {"a": True}

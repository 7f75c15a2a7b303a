"""The layout of C²Gen's authors: a composition and its two primitives on a JSON line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from trivium.data.compositions import read_compositions
from trivium.errors import UserError

LINE = {
    "sent1": "A boy fails to fold a map", "sent2": "A boy folds a sheet", "mid_sent": "A boy folds a map",
    "veridical_label": "negative", "sick_label": "entailment", "label": "contradiction",
}  # fmt: skip


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return path


def test_a_line_is_a_composition_with_its_veridical_and_its_natural_pair(tmp_path: Path) -> None:
    (example,) = read_compositions(written(tmp_path / "data.jsonl", LINE))
    assert [(row.task, row.premise, row.hypothesis, row.label) for row in example.rows()] == [
        ("composed", LINE["sent1"], LINE["sent2"], "contradiction"),
        ("veridical", LINE["sent1"], LINE["mid_sent"], "contradiction"),
        ("natural", LINE["mid_sent"], LINE["sent2"], "entailment"),
    ]


def test_equal_natural_pairs_have_one_id_and_the_readmes_spelling_is_read(tmp_path: Path) -> None:
    other = {**LINE, "sent1": "A boy tries to fold a map", "verdical_label": "neutral", "label": "neutral"}
    del other["veridical_label"]
    first, second = read_compositions(written(tmp_path / "data.jsonl", LINE, other))
    assert first.parts[1] == second.parts[1]
    assert first.id != second.id
    assert second.parts[0].label == "neutral"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"veridical_label": "negativ"}, "data.jsonl:2: 'veridical_label' is 'negativ': did you mean 'negative'"),
        ({"label": "maybe"}, "data.jsonl:2: 'label' is 'maybe'"),
        ({"sent2": 3}, "data.jsonl:2: 'sent2' must be text"),
    ],
)
def test_a_mistake_names_the_line(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_compositions(written(tmp_path / "data.jsonl", LINE, {**LINE, **change}))

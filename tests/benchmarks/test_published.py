"""Published figures are read from the TOML file beside a benchmark."""

from __future__ import annotations

from pathlib import Path

import pytest

from trivium.benchmarks.published import Figure, load_published, parse_figure, parse_row


def test_row_has_values_deviations_and_empty_cells() -> None:
    assert parse_row("99.96±0.12 94.36 -") == (Figure(99.96, 0.12), Figure(94.36), None)


def test_deviation_of_zero_is_not_a_missing_deviation() -> None:
    assert parse_figure("100.00±0.00") == Figure(100.0, 0.0)


def test_cell_that_is_not_a_number_is_an_error() -> None:
    with pytest.raises(ValueError, match="94,36"):
        parse_row("99.96 94,36")


def test_file_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "published.toml").write_text('[table_1]\ncgen.1 = "1.0±0.5"\n', encoding="utf-8")
    first = load_published(tmp_path)
    assert first == {"table_1": {"cgen": {"1": "1.0±0.5"}}}
    (tmp_path / "published.toml").unlink()
    assert load_published(tmp_path) is first

"""The benchmark of corrections measures, stores and judges."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import corrections
from trivium.models.classifiers import new_classifier


def _figures(gain: tuple[float, float, float], guard: float = 0.0, **others: Any) -> dict[str, Any]:
    unseen = {"pairs": 180, "before": 50.0, "after": 50.0 + gain[0], "gain": list(gain)}
    tests = {"unseen": unseen, "guard": {"pairs": 1000, "before": 75.0, "after": 75.0, "gain": [guard, guard, guard]}}
    plain = {"kind": "hedges", "recognized": [["hedges", 0.9]], "method": "er-res", "refused": "", "lost": {}}
    return {**plain, "tests": tests, **others}


@pytest.mark.parametrize(
    ("figures", "verdict"),
    [
        (_figures((12.0, 5.0, 19.0)), "right"),
        (_figures((2.0, -5.0, 9.0)), "right, but no gain shown"),
        (_figures((-0.5, -5.0, 4.0)), "wrong: unseen accuracy falls"),
        (_figures((12.0, 5.0, 19.0), guard=-1.5), "wrong: loses elsewhere"),
        (_figures((12.0, 5.0, 19.0), lost={"comp": -8.5}), "wrong: loses elsewhere"),
        (_figures((12.0, 5.0, 19.0), refused="no method gains"), "refused"),
    ],
)
def test_a_written_model_must_gain_on_unseen_pairs_and_lose_nothing(figures: dict[str, Any], verdict: str) -> None:
    assert corrections.verdict_of(figures) == verdict
    assert verdict in corrections.row_of(figures)


def test_the_page_counts_shown_gains_of_ten_points() -> None:
    page = corrections.page_of(
        [_figures((12.0, 5.0, 19.0)), _figures((9.0, 5.0, 19.0)), _figures((0, 0, 0), refused="no")]
    )
    assert "nothing lost: 1 of 3." in page
    assert "Not measured: negation, quantifiers," in page
    assert "- hedges: no" in page


def test_more_corrections_show_a_gain_more_often_and_no_gain_is_rarely_shown() -> None:
    few, many = (corrections.power_of(number, share=0.6) for number in (12, 30))
    assert 0.2 < few < 0.5 < many < 0.95
    assert corrections.power_of(20, share=1 / 3) <= 0.025


@pytest.mark.usefixtures("real_data")
def test_a_kind_is_taught_measured_and_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(corrections, "SAMPLE", 4)
    monkeypatch.setattr(corrections, "GUARD", 20)
    monkeypatch.setattr(corrections, "PHENOMENA", ("negat", "comp"))
    new_classifier("tiny", seed=0).save(tmp_path / "model")
    command = [str(tmp_path / "model"), "--out", str(tmp_path / "out"), "--kind", "hedges", "--teach"]
    assert corrections.main([*command, "--number", "30", "--replay", "10", "--page", str(tmp_path / "page.md")]) == 0
    stored = tmp_path / "out" / "hedges-taught.json"
    figures = json.loads(stored.read_text())
    assert figures["tests"]["unseen"]["pairs"] == 180
    assert figures["method"] == "finetune, 30 generated, 10 replayed"
    assert "| hedges | yes" in (tmp_path / "page.md").read_text()
    written = stored.stat().st_mtime_ns
    assert corrections.main(command) == 0
    assert stored.stat().st_mtime_ns == written
    assert corrections.main([]) == 2
    assert "name a MODEL" in capsys.readouterr().err

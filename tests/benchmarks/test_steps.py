"""Strategies in benchmarks have titles, and benchmarks are found without heavy imports."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

import pytest

from trivium.benchmarks.steps import NLI_HEAD, strategy_title
from trivium.learn.strategy import STRATEGIES, Strategy, find_strategies, strategy
from trivium.models.classifiers import HEAD

TITLES = {
    "finetune": "Fine-tuning", "er-res": "ER-Res", "er-buff": "ER-Buff", "er-mir": "ER-Mir", "agem": "A-GEM",
    "kd": "KD", "mas": "MAS", "scl": "SCL", "proto": "Prototypical loss",
}  # fmt: skip


@pytest.mark.parametrize("name", TITLES)
def test_shipped_strategies_have_titles(name: str) -> None:
    assert strategy_title(name) == TITLES[name]


def test_strategy_of_a_plugin_shows_its_title_or_else_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    find_strategies()
    monkeypatch.setattr(STRATEGIES, "_components", dict(STRATEGIES._components))

    @strategy("der")
    @dataclass(frozen=True)
    class DarkReplay(Strategy):
        """A strategy with a title."""

        title = "DER"

    @strategy("plain-der")
    @dataclass(frozen=True)
    class PlainReplay(Strategy):
        """A strategy without a title."""

    assert strategy_title("der") == "DER"
    assert strategy_title("plain-der") == "plain-der"
    assert strategy_title("unknown") == "unknown"


def test_nli_head_is_that_of_classifiers() -> None:
    assert NLI_HEAD == HEAD


def test_benchmarks_are_loaded_without_heavy_imports() -> None:
    code = (
        "import sys; from trivium.benchmarks.benchmark import find_benchmarks; "
        "[benchmark.implementation for _, benchmark in find_benchmarks().items()]; "
        "sys.exit(' '.join({'torch', 'transformers', 'scipy', 'sklearn', 'lemminflect'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=120, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

"""The examples in the docstrings of the public API run, and every public method of the learner has one."""

from __future__ import annotations

import doctest
import inspect
from pathlib import Path
from types import ModuleType

import pytest

from trivium.learn import memory, strategy
from trivium.learn.learner import Learner

METHODS = {
    name: inspect.getdoc(getattr(Learner, name)) or ""
    for name, value in vars(Learner).items()
    if not name.startswith("_") and not isinstance(value, property)
}


@pytest.mark.parametrize("name", METHODS)
def test_the_example_of_a_method_continues_that_of_the_class(name: str, tmp_path: Path) -> None:
    example = METHODS[name]
    assert ">>>" in example, f"Learner.{name} has no example"
    text = f"{inspect.getdoc(Learner)}\n\n{example}"
    test = doctest.DocTestParser().get_doctest(text, {"folder": tmp_path}, f"Learner.{name}", None, 0)
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("module", [memory, strategy], ids=lambda module: module.__name__)
def test_the_examples_of_strategies_and_their_memory_run(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy.STRATEGIES, "_components", dict(strategy.STRATEGIES.items()))
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0

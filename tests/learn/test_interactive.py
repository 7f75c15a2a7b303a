"""A strategy that is defined in a script reaches worker processes with the defaults of its settings."""

from __future__ import annotations

import linecache
import subprocess
import sys
from pathlib import Path

import pytest

from trivium.learn.interactive import interactive_hash
from trivium.learn.strategy import Strategy

CELL = """
class Mine(Strategy):
    def step(self, learner, batch, memory):
        return learner.backward(learner.loss(batch))
"""

SCRIPT = """
from dataclasses import dataclass, field
from trivium.learn.interactive import interactive_strategies
from trivium.learn.strategy import Strategy, strategy

@strategy("mine")
@dataclass(frozen=True)
class Mine(Strategy):
    memory_size: int = 10
    weights: tuple[float, ...] = field(default_factory=tuple)

import sys
sys.stdout.buffer.write(interactive_strategies())
"""
WORKER = """
import sys
from trivium.learn.interactive import register_interactive
from trivium.learn.strategy import make_strategy

register_interactive(sys.stdin.buffer.read())
print(make_strategy("mine", {}), make_strategy("mine", {"memory_size": 3}))
"""


def define_in_cell(cell: str, file: str, monkeypatch: pytest.MonkeyPatch) -> type[Strategy]:
    """Define the strategy as IPython does: in ``__main__``, with the source of the cell in ``linecache``."""
    monkeypatch.setitem(linecache.cache, file, (len(cell), None, cell.splitlines(keepends=True), file))
    namespace = {"__name__": "__main__", "Strategy": Strategy}
    exec(compile(cell, file, "exec"), namespace)
    return namespace["Mine"]  # type: ignore[return-value]


def test_the_hash_of_a_notebook_strategy_depends_on_its_source_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    first = interactive_hash(define_in_cell(CELL, "/kernel-1/cell-1.py", monkeypatch))
    restarted = interactive_hash(define_in_cell("\n\n" + CELL, "/kernel-2/cell-7.py", monkeypatch))
    edited = interactive_hash(
        define_in_cell(CELL.replace("(batch)", "(batch[:1])"), "/kernel-2/cell-8.py", monkeypatch)
    )
    assert first == restarted
    assert first != edited


HELPED = """
class Mine(Strategy):
    def step(self, learner, batch, memory):
        return learner.backward(learner.loss([each for each in shortened(batch)]))
"""
HELPER = """
def shortened(batch):
    return sorted(batch, key=Order().of)[: LIMIT]
"""
ORDER = """
class Order:
    def of(self, example):
        return len(example.premise)
"""


def hash_of_notebook(cells: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> str | None:
    """Return the hash of the strategy ``Mine`` of a notebook with these cells, by the name of their file."""
    namespace = {"__name__": "__main__", "Strategy": Strategy, "LIMIT": 3}
    for file, cell in cells.items():
        monkeypatch.setitem(linecache.cache, file, (len(cell), None, cell.splitlines(keepends=True), file))
        exec(compile(cell, file, "exec"), namespace)
    return interactive_hash(namespace["Mine"])  # type: ignore[arg-type]


def test_the_hash_of_a_notebook_strategy_includes_helpers_of_other_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    first = hash_of_notebook({"/1/a.py": HELPED, "/1/b.py": HELPER, "/1/c.py": ORDER}, monkeypatch)
    unused = "def unused():\n    return 1\n"
    again = hash_of_notebook(
        {"/2/c.py": "\n" + ORDER, "/2/u.py": unused, "/2/b.py": HELPER, "/2/a.py": HELPED}, monkeypatch
    )
    assert first == again
    helper = HELPER.replace("sorted(", "list(reversed(batch)) or sorted(")
    assert first != hash_of_notebook({"/3/a.py": HELPED, "/3/b.py": helper, "/3/c.py": ORDER}, monkeypatch)
    order = ORDER.replace("premise", "hypothesis")
    assert first != hash_of_notebook({"/4/a.py": HELPED, "/4/b.py": HELPER, "/4/c.py": order}, monkeypatch)


def test_a_strategy_of_a_script_keeps_the_defaults_of_its_settings(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    sent = subprocess.run([sys.executable, tmp_path / "script.py"], check=True, capture_output=True, timeout=120).stdout
    made = subprocess.run([sys.executable, "-c", WORKER], input=sent, check=True, capture_output=True, timeout=120)
    assert made.stdout.decode().strip() == "Mine(memory_size=10, weights=()) Mine(memory_size=3, weights=())"

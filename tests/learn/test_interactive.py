"""A strategy that is defined in a script reaches worker processes with the defaults of its settings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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


def test_a_strategy_of_a_script_keeps_the_defaults_of_its_settings(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    sent = subprocess.run([sys.executable, tmp_path / "script.py"], check=True, capture_output=True, timeout=120).stdout
    made = subprocess.run([sys.executable, "-c", WORKER], input=sent, check=True, capture_output=True, timeout=120)
    assert made.stdout.decode().strip() == "Mine(memory_size=10, weights=()) Mine(memory_size=3, weights=())"

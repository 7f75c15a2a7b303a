"""Strategies can be listed, and settings read, without importing torch."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

from trivium.learn import strategies

WITHOUT_TORCH = [
    "trivium.learn.config",
    "trivium.learn.memory",
    "trivium.learn.strategy",
    *(f"{strategies.__name__}.{module.name}" for module in pkgutil.iter_modules(strategies.__path__)),
]
LIST_STRATEGIES = "from trivium.learn.strategy import find_strategies, make_strategy\nmake_strategy('er-res', {})"


@pytest.mark.parametrize(
    "code",
    ["\n".join(f"import {module}" for module in WITHOUT_TORCH), LIST_STRATEGIES],
    ids=["importing the modules", "finding and building strategies"],
)
def test_torch_is_not_imported(code: str) -> None:
    check = f"import sys\n{code}\nprint('torch' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"

"""Published figures of the papers, which every benchmark keeps in a TOML file beside its code."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@cache
def load_published(folder: Path) -> dict[str, Any]:
    """Return the content of ``published.toml`` in a benchmark's folder."""
    return tomllib.loads((folder / "published.toml").read_text("utf-8"))

"""``tv.build`` is a function, although a package has the same name."""

from __future__ import annotations

import subprocess
import sys

CHECK = """
import trivium as tv
{first}
assert len(tv.build("c2gen", preset="smoke").splits["fold-1/ver"]) == 64
"""


def test_build_can_be_called_before_and_after_the_package_is_imported() -> None:
    for first in ("", "import trivium.build.phenomena"):
        check = CHECK.format(first=first)
        result = subprocess.run([sys.executable, "-c", check], check=False, timeout=300, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr

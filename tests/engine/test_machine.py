"""What this machine is."""

from __future__ import annotations

from pathlib import Path

import pytest

from trivium.engine import machine


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("model name\t: AMD EPYC\nflags\t\t: fpu avx2 avx512f avx512_vnni avx512_bf16\n", "AMD EPYC (avx512_bf16)"),
        ("model name\t: AMD EPYC\nflags\t\t: fpu avx2 f16c\n", "AMD EPYC (avx2)"),
        ("model name\t: Old\nflags\t\t: fpu\n", "Old"),
        ("Features\t: fp asimd\n", "unknown"),
    ],
)
def test_processors_of_one_name_differ_by_their_instructions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, expected: str
) -> None:
    file = tmp_path / "cpuinfo"
    file.write_text(text)
    monkeypatch.setattr(machine, "_CPUINFO", file)
    assert machine.processor() == expected

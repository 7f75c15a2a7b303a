"""Help of every command: it ends with an example that names the command and that the command accepts."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from trivium.cli.main import make_app


def commands(part: Any, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each command, without the groups, with its path, such as ``("persona", "new")``."""
    if not hasattr(part, "commands"):
        yield path, part
        return
    for name, child in part.commands.items():
        yield from commands(child, *path, name)


COMMANDS = dict(commands(typer.main.get_command(make_app())))


def test_commands_of_all_groups_are_tested() -> None:
    assert {("run",), ("data", "get"), ("store", "gc"), ("train", "srl"), ("verify", "answer")} <= set(COMMANDS)


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_ends_with_an_example_of_the_command(path: tuple[str, ...]) -> None:
    result = CliRunner().invoke(make_app(), [*path, "--help"], env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    *_, last = (line.strip() for line in result.output.splitlines() if line.strip())
    label, _, example = last.partition(": ")
    assert label == "Example", f"the help ends with {last!r}"
    words = shlex.split(example)
    assert words[: len(path) + 1] == ["trivium", *path]
    COMMANDS[path].make_context(" ".join(path), words[len(path) + 1 :])  # raises if the example is not accepted

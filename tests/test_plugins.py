"""A user's own parts: a file is run once, its mistakes are told in one line, and its content counts for results."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from trivium import plugins
from trivium.data.sources import SOURCES, find_sources
from trivium.errors import UserError
from trivium.learn.strategy import STRATEGIES, Strategy
from trivium.plugins import load_plugins, plugin_hash

STRATEGY = '''
from dataclasses import dataclass
from trivium.learn.strategy import Strategy, strategy

@strategy("{name}")
@dataclass(frozen=True)
class Mine(Strategy):
    """A strategy of a user's own."""
    strength: float = {strength}
'''


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test registers is forgotten after it."""
    monkeypatch.setattr(plugins, "_loaded", {})
    monkeypatch.setattr(STRATEGIES, "_parts", dict(STRATEGIES._parts))
    monkeypatch.setattr(SOURCES, "_parts", dict(SOURCES._parts))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("trivium_plugin_"):
            del sys.modules[name]


def plugin(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def refusal(path: Path) -> str:
    with pytest.raises(UserError) as said:
        load_plugins([path])
    assert len(str(said.value).splitlines()) == 1
    return str(said.value)


def test_what_a_plugin_registers_is_found_by_name(tmp_path: Path) -> None:
    load_plugins([plugin(tmp_path / "mine.py", STRATEGY.format(name="mine", strength=0.5))])
    assert issubclass(STRATEGIES["mine"], Strategy)
    assert STRATEGIES["mine"]().strength == 0.5  # type: ignore[attr-defined]


def test_a_source_can_be_a_plugin_too(tmp_path: Path) -> None:
    load_plugins([plugin(tmp_path / "own.py", "from trivium.data.sources import source\nsource('own')(dict)\n")])
    assert find_sources()["own"] is dict


def test_a_plugin_is_run_once_however_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    file = plugin(tmp_path / "mine.py", f"from pathlib import Path\nopen({str(log)!r}, 'a').write('x')\n")
    (tmp_path / "link.py").symlink_to(file)
    monkeypatch.chdir(tmp_path)
    load_plugins([file, file])
    load_plugins([Path("mine.py"), tmp_path / "link.py"])
    assert log.read_text() == "x"


def test_the_hash_of_a_plugin_strategy_is_that_of_its_file(tmp_path: Path) -> None:
    file = plugin(tmp_path / "mine.py", STRATEGY.format(name="mine", strength=0.5))
    load_plugins([file])
    assert plugin_hash(STRATEGIES["mine"]) == hashlib.sha256(file.read_bytes()).hexdigest()


def test_a_changed_plugin_has_another_hash_so_that_its_results_are_not_mixed_up(tmp_path: Path) -> None:
    one = plugin(tmp_path / "one.py", STRATEGY.format(name="one", strength=0.5))
    two = plugin(tmp_path / "two.py", STRATEGY.format(name="two", strength=0.6))
    load_plugins([one, two])
    assert plugin_hash(STRATEGIES["one"]) != plugin_hash(STRATEGIES["two"])


def test_what_ships_with_trivium_has_no_plugin_hash() -> None:
    assert plugin_hash(Strategy) is None
    assert plugin_hash(dict) is None


def test_plugins_of_one_name_in_two_folders_keep_hashes_of_their_own(tmp_path: Path) -> None:
    one = plugin(tmp_path / "a" / "mine.py", STRATEGY.format(name="one", strength=0.5))
    two = plugin(tmp_path / "b" / "mine.py", STRATEGY.format(name="two", strength=0.6))
    load_plugins([one, two])
    assert plugin_hash(STRATEGIES["one"]) == hashlib.sha256(one.read_bytes()).hexdigest()
    assert plugin_hash(STRATEGIES["two"]) == hashlib.sha256(two.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\ndef broken(:\n", "SyntaxError: invalid syntax (mine.py, line 2)"),
        ("import trivium.nothing", "ModuleNotFoundError: No module named 'trivium.nothing'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("undefined_name", "NameError: name 'undefined_name' is not defined"),
    ],
)
def test_a_broken_plugin_is_told_in_one_line_with_file_and_cause(tmp_path: Path, text: str, said: str) -> None:
    file = plugin(tmp_path / "mine.py", text)
    assert refusal(file) == f"--plugin {file}: it cannot be loaded: {said}"


def test_a_broken_plugin_counts_as_not_loaded(tmp_path: Path) -> None:
    file = plugin(tmp_path / "mine.py", "1 / 0")
    refusal(file)
    plugin(file, STRATEGY.format(name="mine", strength=1.0))
    load_plugins([file])
    assert "mine" in STRATEGIES


def test_a_name_that_is_taken_is_told_as_such(tmp_path: Path) -> None:
    first = plugin(tmp_path / "one.py", STRATEGY.format(name="mine", strength=0.5))
    second = plugin(tmp_path / "two.py", STRATEGY.format(name="mine", strength=0.6))
    load_plugins([first])
    assert refusal(second) == "there are two strategy parts named 'mine': rename one of them"


def test_a_missing_plugin_and_another_kind_of_file_are_told(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.py") == f"--plugin {tmp_path / 'none.py'}: there is no such file"
    assert refusal(tmp_path) == f"--plugin {tmp_path}: there is no such file"
    other = plugin(tmp_path / "mine.toml", "x = 1")
    assert refusal(other) == f"--plugin {other}: a plugin is a Python file (.py)"


def test_plugins_before_a_broken_one_are_loaded(tmp_path: Path) -> None:
    good = plugin(tmp_path / "good.py", STRATEGY.format(name="good", strength=0.5))
    bad = plugin(tmp_path / "bad.py", "1 / 0")
    with pytest.raises(UserError, match=r"bad\.py"):
        load_plugins([good, bad])
    assert "good" in STRATEGIES

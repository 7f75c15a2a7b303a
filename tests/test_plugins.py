"""A plugin is executed once, its errors are reported in one line, and its content has a hash."""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from trivium import plugins
from trivium.cli.main import run
from trivium.data.sources import SOURCES, find_sources, load_source
from trivium.errors import UserError
from trivium.learn.strategy import STRATEGIES, Strategy, strategy_files
from trivium.plugins import load_plugins, plugin_hash

STRATEGY = '''
from dataclasses import dataclass
from trivium.learn.strategy import Strategy, strategy

@strategy("{name}")
@dataclass(frozen=True)
class Mine(Strategy):
    """A user's strategy."""
    strength: float = {strength}
'''


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Remove everything that a test registers."""
    find_sources()  # so that the registry is not empty when it is copied
    monkeypatch.setattr(plugins, "_loaded", {})
    monkeypatch.setattr(STRATEGIES, "_components", dict(STRATEGIES._components))
    monkeypatch.setattr(SOURCES, "_components", dict(SOURCES._components))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("trivium_plugin_"):
            del sys.modules[name]


def write_plugin(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def error_of(path: Path) -> str:
    with pytest.raises(UserError) as raised:
        load_plugins([path])
    assert len(str(raised.value).splitlines()) == 1
    return str(raised.value)


def test_a_component_of_a_plugin_is_found_by_name(tmp_path: Path) -> None:
    load_plugins([write_plugin(tmp_path / "mine.py", STRATEGY.format(name="mine", strength=0.5))])
    assert issubclass(STRATEGIES["mine"], Strategy)
    assert STRATEGIES["mine"]().strength == 0.5  # type: ignore[attr-defined]


def test_a_plugin_can_register_a_source(tmp_path: Path) -> None:
    load_plugins([write_plugin(tmp_path / "own.py", "from trivium.data.sources import source\nsource('own')(dict)\n")])
    assert find_sources()["own"] is dict


def test_a_plugin_is_executed_once_whatever_path_leads_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    file = write_plugin(tmp_path / "mine.py", f"from pathlib import Path\nopen({str(log)!r}, 'a').write('x')\n")
    (tmp_path / "link.py").symlink_to(file)
    monkeypatch.chdir(tmp_path)
    load_plugins([file, file])
    load_plugins([Path("mine.py"), tmp_path / "link.py"])
    assert log.read_text() == "x"


def test_the_hash_of_a_plugin_strategy_is_that_of_its_file(tmp_path: Path) -> None:
    file = write_plugin(tmp_path / "mine.py", STRATEGY.format(name="mine", strength=0.5))
    load_plugins([file])
    assert plugin_hash(STRATEGIES["mine"]) == hashlib.sha256(file.read_bytes()).hexdigest()


def test_plugins_with_different_content_have_different_hashes(tmp_path: Path) -> None:
    first = write_plugin(tmp_path / "one.py", STRATEGY.format(name="one", strength=0.5))
    second = write_plugin(tmp_path / "two.py", STRATEGY.format(name="two", strength=0.6))
    load_plugins([first, second])
    assert plugin_hash(STRATEGIES["one"]) != plugin_hash(STRATEGIES["two"])


def test_a_builtin_component_has_no_plugin_hash() -> None:
    assert plugin_hash(Strategy) is None
    assert plugin_hash(dict) is None


def test_plugins_with_the_same_file_name_in_two_folders_have_their_own_hashes(tmp_path: Path) -> None:
    first = write_plugin(tmp_path / "a" / "mine.py", STRATEGY.format(name="one", strength=0.5))
    second = write_plugin(tmp_path / "b" / "mine.py", STRATEGY.format(name="two", strength=0.6))
    load_plugins([first, second])
    assert plugin_hash(STRATEGIES["one"]) == hashlib.sha256(first.read_bytes()).hexdigest()
    assert plugin_hash(STRATEGIES["two"]) == hashlib.sha256(second.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ndef broken(:\n", "SyntaxError: invalid syntax (mine.py, line 2)"),
        ("import trivium.nothing", "ModuleNotFoundError: No module named 'trivium.nothing'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("undefined_name", "NameError: name 'undefined_name' is not defined"),
    ],
)
def test_the_error_of_a_broken_plugin_names_its_file_and_cause(tmp_path: Path, text: str, message: str) -> None:
    file = write_plugin(tmp_path / "mine.py", text)
    assert error_of(file) == f"plugins={str(file)!r}: cannot be loaded: {message}"


def test_a_broken_plugin_can_be_loaded_again_once_repaired(tmp_path: Path) -> None:
    file = write_plugin(tmp_path / "mine.py", "1 / 0")
    error_of(file)
    write_plugin(file, STRATEGY.format(name="mine", strength=1.0))
    load_plugins([file])
    assert "mine" in STRATEGIES


def test_a_name_that_is_taken_is_an_error(tmp_path: Path) -> None:
    first = write_plugin(tmp_path / "one.py", STRATEGY.format(name="mine", strength=0.5))
    second = write_plugin(tmp_path / "two.py", STRATEGY.format(name="mine", strength=0.6))
    load_plugins([first])
    assert error_of(second) == f"strategy 'mine' is already registered by {first}: choose another name"


def test_a_module_that_a_script_imports_counts_as_a_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write_plugin(tmp_path / "imported_strategy.py", STRATEGY.format(name="mine", strength=0.5))
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("imported_strategy")
    assert strategy_files(["mine", "finetune"]) == [file]
    assert plugin_hash(module.Mine) == hashlib.sha256(file.read_bytes()).hexdigest()
    load_plugins([file])
    assert STRATEGIES["mine"] is module.Mine, "it is loaded already"


def test_a_file_may_be_both_imported_and_named_as_a_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write_plugin(tmp_path / "twice_loaded.py", STRATEGY.format(name="mine", strength=0.5))
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module("twice_loaded")
    load_plugins([file])
    assert "mine" in STRATEGIES


def test_a_missing_file_and_a_file_that_is_not_python_are_errors(tmp_path: Path) -> None:
    assert error_of(tmp_path / "none.py") == f"plugins={str(tmp_path / 'none.py')!r}: no such file"
    assert error_of(tmp_path) == f"plugins={str(tmp_path)!r}: no such file"
    other = write_plugin(tmp_path / "mine.toml", "x = 1")
    assert error_of(other) == f"plugins={str(other)!r}: must be a Python file (.py)"


def test_plugins_before_a_broken_one_are_loaded(tmp_path: Path) -> None:
    good = write_plugin(tmp_path / "good.py", STRATEGY.format(name="good", strength=0.5))
    bad = write_plugin(tmp_path / "bad.py", "1 / 0")
    with pytest.raises(UserError, match=r"bad\.py"):
        load_plugins([good, bad])
    assert "good" in STRATEGIES


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("import sys\nsys.exit()", "SystemExit"),
        ("class Odd(BaseException): pass\nraise Odd('odd')", "Odd: odd"),
        ("raise GeneratorExit", "GeneratorExit"),
        (
            "class Mute(Exception):\n    def __str__(self): raise RuntimeError\nraise Mute",
            "Mute: (its message cannot be printed)",
        ),
        (
            "class Mute(Exception):\n    def __str__(self): raise SystemExit(0)\nraise Mute",
            "Mute: (its message cannot be printed)",
        ),
        ("raise ValueError('two\\nlines')", "ValueError: two lines"),
    ],
)
def test_whatever_a_plugin_raises_is_an_error_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = write_plugin(tmp_path / "mine.py", text)
    assert error_of(file) == f"plugins={str(file)!r}: cannot be loaded: {message}"


def test_a_plugin_can_be_interrupted(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        load_plugins([write_plugin(tmp_path / "mine.py", "raise KeyboardInterrupt")])


SOURCE = """
from trivium.data.sources import source

@source("own")
class Own:
    about = "own"
    def is_available(self): return True
    def load(self): {load}
"""


@pytest.mark.parametrize(
    ("load", "message"),
    [
        ("raise SystemExit(0)", "source 'own' cannot be loaded: SystemExit: 0"),
        ("raise BaseException('odd')", "source 'own' cannot be loaded: BaseException: odd"),
        ("return None", "source 'own': load() must return a Split, not NoneType"),
    ],
)
def test_whatever_a_source_of_a_plugin_raises_is_an_error(tmp_path: Path, load: str, message: str) -> None:
    load_plugins([write_plugin(tmp_path / "own.py", SOURCE.format(load=load))])
    with pytest.raises(UserError) as raised:
        load_source("own")
    assert str(raised.value) == message


def test_a_plugin_cannot_end_a_command_as_if_it_had_succeeded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SOURCE.format(load="return None").replace("return True", "raise SystemExit(0)")
    file = write_plugin(tmp_path / "own.py", text)
    assert run(["list", "sources", "--plugin", str(file)]) == 2
    assert "exit(0)" in capsys.readouterr().err

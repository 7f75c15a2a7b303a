"""The public API: loaded lazily, documented with examples that run, and the same errors as the command line."""

from __future__ import annotations

import doctest
import importlib
import inspect
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import trivium
from trivium import api
from trivium.cli.main import run
from trivium.engine.executors import ExecutorConfig
from trivium.engine.executors.local import start_local
from trivium.engine.steps import TrainStep
from trivium.engine.store import Store
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.session import Session

DOCUMENTED = ("trivium.api", "trivium.session", "trivium.engine.store", "trivium.errors", "trivium.data.tables")
HEAVY = {
    "torch",
    "transformers",
    "scipy",
    "sklearn",
    "altair",
    "spacy",
    "lemminflect",
    "pandas",
    "mlflow",
    "tensorboard",
}


def imported_by(code: str) -> set[str]:
    """Return the modules, and so the packages, that are loaded after running some code in a new process."""
    script = f"import sys\n{code}\nprint(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("name", trivium.__all__)
def test_every_public_name_exists_and_is_documented(name: str) -> None:
    thing = getattr(trivium, name)
    assert name in dir(trivium)
    if callable(thing):
        assert thing.__doc__


@pytest.mark.parametrize(
    "name", ["run", "plan", "build", "sweep", "evaluate", "diagnose", "stress", "correct", "train"]
)
def test_a_function_takes_the_arguments_of_the_method_of_its_name(name: str) -> None:
    _, *method = inspect.signature(getattr(Session, name)).parameters.values()
    *function, session = inspect.signature(getattr(api, name)).parameters.values()
    assert [str(each) for each in function] == [str(each) for each in method]
    assert session.kind is inspect.Parameter.VAR_KEYWORD


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = trivium.nothing


def test_importing_trivium_imports_nothing_heavy() -> None:
    loaded = imported_by("import trivium")
    assert not loaded & (HEAVY | {"numpy", "pydantic", "pyarrow", "rich", "typer"})


@pytest.mark.parametrize("arguments", [["--help"], ["list"], ["list", "strategies"], ["run", "--help"]])
def test_help_and_list_import_nothing_heavy(arguments: list[str]) -> None:
    loaded = imported_by(f"from trivium.cli.main import run\nrun({arguments!r})")
    assert not loaded & (HEAVY | {"numpy", "pyarrow"})
    if arguments == ["--help"]:
        assert not loaded & {"pydantic", "trivium.settings"}
    if "list" in arguments:
        assert not loaded & {"rich.table", "rich.markdown", "trivium.data.sources.builtin.words", "trivium.session"}


@pytest.mark.parametrize("module", DOCUMENTED)
def test_the_examples_in_the_docstrings_run(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    result = doctest.testmod(importlib.import_module(module), optionflags=flags)
    assert result.attempted
    assert not result.failed


@pytest.mark.parametrize(
    ("call", "arguments", "message"),
    [
        (
            lambda s: s.run("c2gne", preset="smoke"),
            ["run", "c2gne"],
            "unknown benchmark 'c2gne': did you mean 'c2gen'?",
        ),
        (lambda s: s.plan("c2gen", preset="smok"), ["plan", "c2gen", "--preset", "smok"], "did you mean 'smoke'?"),
        (
            lambda s: s.run("c2gen", preset="smoke", set={"train.epoch": 2}),
            ["run", "c2gen", "--preset", "smoke", "--set", "train.epoch=2"],
            "unknown setting 'train.epoch': did you mean 'epochs'?",
        ),
        (
            lambda s: s.run("c2gen", preset="smoke", report="no/such/folder/report.html"),
            ["run", "c2gen", "--preset", "smoke", "--report", "no/such/folder/report.html"],
            "no/such/folder/report.html",
        ),
    ],
)
def test_a_mistake_has_the_same_message_in_python_and_in_the_shell(
    call: object, arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = Session(store=tmp_path / "store", progress=False)
    with pytest.raises(trivium.UserError) as raised:
        call(session)  # type: ignore[operator]
    assert message in str(raised.value)
    assert run([*arguments, "--store", str(tmp_path / "store")]) == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_unknown_executors_and_model_policies_are_refused(tmp_path: Path) -> None:
    with pytest.raises(trivium.UserError, match="unknown executor 'loca': did you mean 'local'"):
        Session(tmp_path, executor="loca")
    with pytest.raises(trivium.UserError, match="must be 'needed', 'shared' or 'all'"):
        Session(tmp_path, keep_models="some")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "arguments", "in_python", "on_command_line"),
    [
        (
            lambda store: Session(store, keep_models="some"),  # type: ignore[arg-type]
            ["run", "c2gen", "--keep-models", "some"],
            "keep_models='some': must be",
            "--keep-models some: must be",
        ),
        (
            lambda store: Session(store, plugins=["nowhere.py"]),
            ["plan", "c2gen", "--plugin", "nowhere.py"],
            "plugins='nowhere.py': no such file",
            "--plugin nowhere.py: no such file",
        ),
        (
            lambda store: Session(store, progress=False).plan("c2gen", preset="smoke", set={"train.epoch": 2}),
            ["plan", "c2gen", "--preset", "smoke", "--set", "train.epoch=2"],
            "set=['train.epoch=2']: unknown setting",
            "--set train.epoch=2: unknown setting",
        ),
        (
            lambda store: Session(store, progress=False).train("bultin", store / "out"),
            ["train", "nli", "--data", "bultin", "--out", "nli"],
            "data='bultin': neither a source nor",
            "--data bultin: neither a source nor",
        ),
    ],
)
def test_a_parameter_is_named_as_it_is_written_in_python_or_in_the_shell(
    call: Callable[[Path], object],
    arguments: list[str],
    in_python: str,
    on_command_line: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(trivium.UserError) as raised:
        call(tmp_path / "store")
    assert in_python in str(raised.value)
    assert run([*arguments, "--store", str(tmp_path / "store")]) == 2
    assert on_command_line in " ".join(capsys.readouterr().err.split())


def test_messages_of_worker_processes_name_options_too(tmp_path: Path) -> None:
    step = TrainStep(ModelConfig(name="tiny"), "f", ("nli",), TrainConfig(device="cuda"), 0, "s", 0)
    for shell, advice in ((True, "--set train.device=cpu"), (False, "set=['train.device=cpu']")):
        config = ExecutorConfig("", workers=1, threads=1, store=Store(tmp_path).open().url, in_shell=shell)
        with start_local(config) as executor:
            executor.submit(step)
            (report,) = executor.reports()
        assert report.mistake is not None
        assert advice in report.mistake

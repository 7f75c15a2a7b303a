"""Generate pages when the site is built.

The reference of the Python API comes from ``trivium.__all__``, that of the command line from Typer, the list of
strategies from their registry, and the pages of the examples from the notebooks and scripts in ``docs/examples``.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import trivium.api
from trivium.cli.main import make_app
from trivium.learn.strategy import find_strategies, strategy_defaults


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages to the site."""
    generated = {"api": _api(), "cli": _cli(), "strategies": _strategies()}
    pages = [(f"reference/{name}.md", lines) for name, lines in generated.items()]
    for path, lines in (*pages, *_examples(Path(config.docs_dir))):
        files.append(File.generated(config, path, content="\n".join(lines)))
    return files


def _api() -> Iterator[str]:
    yield "# Python API\n"
    yield "Everything that `import trivium as tv` offers, generated from the docstrings.\n"
    names = [name for name in trivium.__all__ if not name.startswith("_")]
    parts = {
        name: getattr(trivium.api, name, None) or getattr(trivium, name) for name in names
    }  # build: not the package
    sections = {
        "Functions": [name for name, part in parts.items() if inspect.isroutine(part)],
        "Classes": [name for name, part in parts.items() if inspect.isclass(part)],
    }
    sections["Values"] = [name for name in names if not any(name in section for section in sections.values())]
    for title, members in sections.items():
        if members:
            yield f"## {title}\n"
        for name in members:
            yield from _entry(name, parts[name])
    yield "## What functions take and return\n"
    yield from (f"::: {name}\n" for name in _RESULTS)


_RESULTS = (
    "trivium.results.base.Result",
    "trivium.results.base.TableResult",
    "trivium.results.base.ChartResult",
    "trivium.learn.answers.Answer",
    "trivium.api.SessionOptions",
)
"""Classes that are not exported, but that functions take or return."""


def _strategies() -> Iterator[str]:
    yield "# Strategies\n"
    yield "What ships with Trivium; [add your own](../how-to/add-a-strategy.md).\n"
    for name, cls in sorted(find_strategies().items()):
        yield f"## {name}\n"
        yield f"{inspect.getdoc(sys.modules[cls.__module__])}\n"
        yield f"{inspect.getdoc(cls)}\n".replace("``", "`")
        if settings := strategy_defaults(cls):
            yield "| setting | default |\n|---|---|"
            yield from (f"| `strategy.{name}.{setting}` | `{default!r}` |" for setting, default in settings.items())
            yield ""


def _examples(docs: Path) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield the path and the content of a page for each notebook and script in ``docs/examples``."""
    for file in sorted((docs / "examples").iterdir()):
        if file.suffix in (".ipynb", ".py"):
            lines = _notebook(file) if file.suffix == ".ipynb" else _script(file)
            yield f"examples/{file.stem}.md", lines


def _notebook(file: Path) -> Iterator[str]:
    for number, cell in enumerate(json.loads(file.read_text(encoding="utf-8"))["cells"]):
        text = "".join(cell["source"])
        yield f"{text}\n" if cell["cell_type"] == "markdown" else f"```python\n{text}\n```\n"
        if number == 0:
            yield f"[Download the notebook]({file.name})\n"


def _script(file: Path) -> Iterator[str]:
    text = file.read_text(encoding="utf-8")
    title, _, rest = (ast.get_docstring(ast.parse(text)) or "").partition("\n")
    yield f"# {title.rstrip('.')}\n\n{rest.strip()}\n"
    yield f"[Download the script]({file.name})\n"
    code = text.split('"""', 2)[2].strip()
    yield f"```python\n{code}\n```\n"


def _entry(name: str, part: Any) -> Iterator[str]:
    if inspect.isclass(part) or inspect.isfunction(part):
        yield f"::: {part.__module__}.{part.__qualname__}\n"
        return
    yield f"### {name}\n"
    if inspect.ismethod(part):  # a decorator such as tv.strategy, the register method of a registry
        yield f"`@tv.{name}(NAME)`: {inspect.getdoc(part)}\n"
    else:
        yield f"`{part!r}`\n"


def _cli() -> Iterator[str]:
    yield "# Command line\n"
    yield "Every command and its options, generated from the program itself. `trivium COMMAND --help` shows the same.\n"
    command: Any = typer.main.get_command(make_app())
    for name, child in command.commands.items():
        yield from _command(f"trivium {name}", child, "##")


def _command(path: str, command: Any, heading: str) -> Iterator[str]:
    if command.hidden:
        return
    yield f"{heading} {path}\n"
    yield f"{inspect.cleandoc(command.help or '')}\n"
    children = getattr(command, "commands", {})
    for name, child in children.items():
        yield from _command(f"{path} {name}", child, f"{heading}#")
    if children:
        return
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    usage = "".join(f" {_metavar(argument)}" for argument in arguments)
    yield f"```\n{path}{usage} [OPTIONS]\n```\n"
    rows = [parameter for parameter in command.params if not parameter.hidden and parameter.name != "help"]
    if rows:
        yield "| argument or option | meaning | default |\n|---|---|---|"
        yield from map(_row, rows)
        yield ""
    if command.epilog:
        heading, _, example = inspect.cleandoc(command.epilog).partition(": ")
        yield f"{heading}:\n\n```\n{example}\n```\n"


def _row(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        label = f"`{_metavar(parameter)}`"
    else:
        label = ", ".join(f"`{option}`" for option in (*parameter.opts, *parameter.secondary_opts))
    meaning = " ".join((parameter.help or "").split()).replace("|", "\\|")
    if parameter.envvar:
        meaning += f" Environment variable: `{parameter.envvar}`."
    default = parameter.default
    empty = default is None or default is False or default == () or callable(default)
    shown = "required" if parameter.required else "" if empty else f"`{default}`"
    return f"| {label} | {meaning} | {shown} |"


def _metavar(argument: Any) -> str:
    name = (argument.metavar or argument.name.upper()).removesuffix("...")
    name = f"{name}…" if argument.nargs == -1 else name
    return name if argument.required or name.startswith("[") else f"[{name}]"

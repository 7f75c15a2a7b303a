"""The program ``trivium``."""

from __future__ import annotations

import errno
import importlib
from traceback import walk_tb
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from trivium.cli.console import StoppedError, complain, out
from trivium.errors import TriviumError, UserError, in_shell
from trivium.version import __version__

_COMMANDS: dict[str, tuple[str, str]] = {
    "list": ("listing:list_components", "trivium list strategies"),
    "build": ("benchmarks:build", "trivium build c2gen --source sick --out data"),
    "plan": ("benchmarks:plan", "trivium plan c2gen --preset laptop"),
    "run": ("benchmarks:run", "trivium run c2gen --preset demo --name first --report report.html"),
    "status": ("store:status", "trivium status"),
    "claims": ("benchmarks:claims", "trivium claims --all --report claims.md"),
    "report": ("benchmarks:report", "trivium report first --out report.html"),
    "compare": ("benchmarks:compare", "trivium compare first --strategies finetune,er-res"),
    "export": ("benchmarks:export", "trivium export first --format csv"),
    "sweep": ("benchmarks:sweep", "trivium sweep c2gen memory-size --values 10,100"),
    "search": ("search:search", "trivium search curriculum --trials 20"),
    "evaluate": ("evaluate:evaluate", "trivium evaluate my-model mistakes.csv --by topic --out predictions.csv"),
    "predict": ("evaluate:predict", "trivium predict my-model pairs.csv --out predictions.csv"),
    "diagnose": ("diagnose:diagnose", "trivium diagnose my-model --only logical --report diagnosis.html"),
    "stress": ("stress:stress", "trivium stress my-model --report stress.html"),
    "submit": ("stress:submit", "trivium submit conjnli my-model --out answers.txt"),
    "correct": ("correct:correct", "trivium correct my-model --examples corrections.csv --report correction.html"),
    "history": ("correct:history", "trivium history my-model-corrected"),
    "recast": ("recast:recast", "trivium recast choices questions.jsonl --out pairs.jsonl"),
    "conjunctions": ("conjunctions:conjunctions", "trivium conjunctions sentences.txt --out pairs --size 3000"),
}
"""The module and function of each command, and the example that ends its help."""

_GROUPS = {
    "data": "data:data_app",
    "store": "store:store_app",
    "train": "train:train_app",
    "verify": "verify:verify_app",
    "persona": "persona:persona_app",
}


def _version(show: bool) -> None:
    if show:
        out.print(f"trivium {__version__}")
        raise typer.Exit


def _start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    context.with_resource(in_shell())


class _Program(TyperGroup):
    """The program, in which code of a plugin or a library cannot end the process as if it had succeeded."""

    def invoke(self, context: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(context)
        except SystemExit as end:
            if _is_unread(end):
                raise
            raise UserError(
                f"the command was ended by exit({end.code!r}) in a plugin or a library: its work is not finished"
            ) from end


def _is_unread(end: SystemExit) -> bool:
    """Return whether rich ended the program because nobody reads its help to the end: ``trivium --help | head``."""
    frames = [frame for frame, _ in walk_tb(end.__traceback__)]
    return isinstance(end.__context__, BrokenPipeError) and frames[-1].f_code.co_name == "on_broken_pipe"


def make_app(only: str | None = None) -> typer.Typer:
    """Return the program; with ``only``, import no other command than this one, if there is such a command."""
    app = typer.Typer(
        help="Find out what an NLI model cannot reason about, teach it, and prove that it did not forget.",
        epilog="Example: trivium run c2gen --preset demo --report report.html",
        cls=_Program,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
    )
    app.callback()(_start)
    import_all = only not in _COMMANDS and only not in _GROUPS
    for name, (command, example) in _COMMANDS.items():
        if import_all or name == only:
            app.command(name, epilog=f"Example: {example}")(_import(command))
    for name, group in _GROUPS.items():
        if import_all or name == only:
            app.add_typer(_import(group), name=name)
    return app


def _import(reference: str) -> Any:
    module, name = reference.split(":")
    return getattr(importlib.import_module(f"trivium.cli.{module}"), name)


def run(arguments: list[str]) -> int:
    """Run the program and return the exit code: 2 for a UserError, which is printed without a traceback."""
    try:
        make_app(arguments[0] if arguments else None)(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) and not _is_unread(end) else 0
    except UserError as error:
        for line in str(error).split("\n"):
            complain(line)
        return 2
    except StoppedError as stop:
        complain(f"stopped: {stop}")
        return 130
    except TriviumError as error:
        complain(str(error))
        return 1
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        complain(f"{error.strerror}: {error.filename}")
        return 2
    return 0

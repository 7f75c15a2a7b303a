"""The program ``trivium``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from trivium import __version__
from trivium.cli.benchmarks import add_benchmark_commands
from trivium.cli.console import StoppedError, complain, out
from trivium.cli.correct import correct
from trivium.cli.data import data_app
from trivium.cli.diagnose import diagnose
from trivium.cli.listing import add_list_command
from trivium.cli.persona import persona_app
from trivium.cli.recast import recast
from trivium.cli.search import search
from trivium.cli.stress import stress, submit
from trivium.cli.sweep import sweep
from trivium.cli.train import train_app
from trivium.cli.verify import verify_app
from trivium.engine.run import StepCrashedError
from trivium.errors import UserError

app = typer.Typer(
    help="Finds out what an NLI model cannot reason about, teaches it, and proves that it did not forget.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
add_list_command(app)
app.add_typer(data_app, name="data")
add_benchmark_commands(app)
app.command()(sweep)
app.command()(search)
app.command()(diagnose)
app.command()(correct)
app.command()(stress)
app.command()(submit)
app.command()(recast)
app.add_typer(verify_app, name="verify")
app.add_typer(train_app, name="train")
app.add_typer(persona_app, name="persona")


def _version(asked: bool) -> None:
    if asked:
        out.print(f"trivium {__version__}")
        raise typer.Exit


@app.callback()
def _start(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the program; a user's mistake is one line on standard error and the exit code 2."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the program with these arguments; the exit code."""
    try:
        app(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except UserError as error:
        for line in str(error).splitlines():
            complain(line)
        return 2
    except StoppedError as stop:
        complain(f"stopped: {stop}")
        return 130
    except StepCrashedError as error:
        complain(str(error))
        return 1
    return 0

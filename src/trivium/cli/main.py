"""The program ``trivium``."""

from __future__ import annotations

import sys

import click
import typer

from trivium.cli.benchmarks import add_benchmark_commands
from trivium.cli.data import data_app
from trivium.cli.inventory import add_list_command
from trivium.cli.screen import complain
from trivium.engine.run import StepCrashedError
from trivium.errors import UserError

_INTERRUPTED = 130

app = typer.Typer(
    help="Finds out what an NLI model cannot reason about, teaches it, and proves that it did not forget.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
add_list_command(app)
app.add_typer(data_app, name="data")
add_benchmark_commands(app)


def main() -> None:
    """Run the program; a user's mistake is one line on standard error and the exit code 2."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the program with these arguments; the exit code."""
    try:
        code = app(arguments, standalone_mode=False)
    except UserError as error:
        for line in str(error).splitlines():
            complain(line)
        return 2
    except click.ClickException as error:
        error.show()
        return 2
    except (KeyboardInterrupt, click.exceptions.Abort):
        code = _INTERRUPTED
    except click.exceptions.Exit as error:
        code = error.exit_code
    except StepCrashedError as error:
        complain(f"a step failed, and that is a mistake of Trivium's:\n{error}")
        return 1
    if code == _INTERRUPTED:
        complain("stopped: what is finished is kept, and the same command goes on from there")
    return code if isinstance(code, int) else 0

"""The program ``trivium``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated

import typer

from trivium.cli import benchmarks
from trivium.cli.conjunctions import conjunctions
from trivium.cli.console import StoppedError, complain, out
from trivium.cli.correct import correct
from trivium.cli.data import data_app
from trivium.cli.diagnose import diagnose
from trivium.cli.evaluate import evaluate, predict
from trivium.cli.listing import list_components
from trivium.cli.persona import persona_app
from trivium.cli.recast import recast
from trivium.cli.search import search
from trivium.cli.store import status, store_app
from trivium.cli.stress import stress, submit
from trivium.cli.train import train_app
from trivium.cli.verify import verify_app
from trivium.errors import TriviumError, UserError, in_shell
from trivium.version import __version__

app = typer.Typer(
    help="Find out what an NLI model cannot reason about, teach it, and prove that it did not forget.",
    epilog="Example: trivium run c2gen --preset demo --report report.html",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
_COMMANDS: dict[str, tuple[Callable[..., None], str]] = {
    "list": (list_components, "trivium list strategies"),
    "build": (benchmarks.build, "trivium build c2gen --source sick --out data"),
    "plan": (benchmarks.plan, "trivium plan c2gen --preset laptop"),
    "run": (benchmarks.run, "trivium run c2gen --preset demo --name first --report report.html"),
    "status": (status, "trivium status"),
    "claims": (benchmarks.claims, "trivium claims first"),
    "report": (benchmarks.report, "trivium report first --out report.html"),
    "compare": (benchmarks.compare, "trivium compare first --strategies finetune,er-res"),
    "export": (benchmarks.export, "trivium export first --format csv"),
    "sweep": (benchmarks.sweep, "trivium sweep c2gen memory-size --values 10,100"),
    "search": (search, "trivium search curriculum --trials 20"),
    "evaluate": (evaluate, "trivium evaluate my-model mistakes.csv --by topic --out predictions.csv"),
    "predict": (predict, "trivium predict my-model pairs.csv --out predictions.csv"),
    "diagnose": (diagnose, "trivium diagnose my-model --only logical --report diagnosis.html"),
    "stress": (stress, "trivium stress my-model --report stress.html"),
    "submit": (submit, "trivium submit conjnli my-model --out answers.txt"),
    "correct": (correct, "trivium correct my-model --examples corrections.csv --report correction.html"),
    "recast": (recast, "trivium recast choices questions.jsonl --out pairs.jsonl"),
    "conjunctions": (conjunctions, "trivium conjunctions sentences.txt --out pairs --size 3000"),
}
for _name, (_command, _example) in _COMMANDS.items():
    app.command(_name, epilog=f"Example: {_example}")(_command)
app.add_typer(data_app, name="data")
app.add_typer(store_app, name="store")
app.add_typer(train_app, name="train")
app.add_typer(verify_app, name="verify")
app.add_typer(persona_app, name="persona")


def _version(show: bool) -> None:
    if show:
        out.print(f"trivium {__version__}")
        raise typer.Exit


@app.callback()
def _start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    context.with_resource(in_shell())


def main() -> None:
    """Run the program with the arguments of the process, and exit."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the program and return the exit code: 2 for a UserError, which is printed without a traceback."""
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
    except TriviumError as error:
        complain(str(error))
        return 1
    return 0

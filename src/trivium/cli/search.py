"""``trivium search``: which phenomena to train on before adversarial NLI."""

from __future__ import annotations

from typing import Annotated

import typer

from trivium.cli.console import out, resumable
from trivium.cli.options import STORE, Plugins, Preset, Seed, Set, StoreFolder, Workers, open_session
from trivium.errors import UserError


def search(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="The benchmark: curriculum.")],
    trials: Annotated[int, typer.Option("--trials", min=1, help="How many selections are tried.")] = 10,
    method: Annotated[
        str,
        typer.Option("--method", help="random, as in the paper, or tpe: learns from its trials (Optuna)."),
    ] = "random",
    seed: Seed = 0,
    preset: Preset = "laptop",
    set: Set = None,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    plugin: Plugins = None,
) -> None:
    """Search for the phenomena that help most when a model is trained on them before few adversarial examples.

    A selection is judged by dev examples that are not trained on, and the test is left alone. The same command goes on
    where it was stopped, and with more --trials after them.
    """
    from trivium.benchmarks.curriculum import CURRICULUM
    from trivium.benchmarks.curriculum.search import METHODS, Trial, prepare_search
    from trivium.engine.steps import PredictStep

    if benchmark != "curriculum":
        raise UserError(f"{benchmark}: there is nothing to search for; phenomena are selected in curriculum")
    if method not in METHODS:
        raise UserError(f"--method {method}: it is {' or '.join(METHODS)}")
    session = open_session(store, workers, plugin)
    made = prepare_search(CURRICULUM.settings(preset, set or ()), session.store)

    def run(steps: list[PredictStep]) -> None:
        if any(step.key not in session.store for step in steps):
            with resumable():
                session.run_steps([steps], "A selection, then each round of ANLI")

    direct = made.steps(())
    run(direct)
    baseline = made.accuracy(())
    out.print(f"Without an intermediate stage: {100 * baseline:.1f} %", markup=False)
    best = Trial(0, (), baseline)
    for trial in made.run(trials, method, seed, run):
        out.print(f"{trial.number}: {100 * trial.accuracy:.1f} %  {', '.join(trial.selection)}", markup=False)
        if trial.accuracy > best.accuracy:
            best = trial
    if not best.selection:
        out.print(f"None of {trials} selections is better than no intermediate stage.", markup=False)
        return
    chosen = ", ".join(f'"{name}"' for name in best.selection)
    sizes = f"sequential.sizes=[{made.size}]"  # larger ones may not leave a round enough to train on
    more = [*(set or ()), sizes, 'run.tests=["sequential"]', f"sequential.selections.found=[{chosen}]"]
    out.print(
        f"Best of {trials}: trial {best.number}, {100 * best.accuracy:.1f} % on what is held out of dev, "
        "which flatters the best of several. To test it: trivium run curriculum "
        f"{session.options(preset, more)}",
        markup=False,
    )

"""``trivium search``: select the phenomena to train on before adversarial NLI."""

from __future__ import annotations

from typing import Annotated

import typer

from trivium.cli.console import out, resumable
from trivium.cli.options import STORE, Plugins, Preset, Seed, Set, StoreFolder, Workers, open_session
from trivium.errors import UserError


def search(
    benchmark: Annotated[
        str, typer.Argument(metavar="BENCHMARK", help="The benchmark; only curriculum has phenomena to select.")
    ],
    trials: Annotated[int, typer.Option("--trials", min=1, help="The number of selections to try.")] = 10,
    method: Annotated[
        str,
        typer.Option("--method", help="random (as in the paper) or tpe (learns from earlier trials; needs Optuna)."),
    ] = "random",
    seed: Seed = 0,
    preset: Preset = "laptop",
    set: Set = None,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    plugin: Plugins = None,
) -> None:
    """Search for the phenomena that help most if a model is trained on them before a few adversarial examples.

    Selections are scored on held-out dev examples; the test set is not used. Run the same command again to continue
    after an interruption, or with more --trials to extend the search.
    """
    from trivium.benchmarks.curriculum import CURRICULUM
    from trivium.benchmarks.curriculum.search import METHODS, Trial, prepare_search
    from trivium.engine.steps import PredictStep

    if benchmark != "curriculum":
        raise UserError(f"{benchmark}: nothing to search for: only curriculum has phenomena to select")
    if method not in METHODS:
        raise UserError(f"--method {method}: must be {' or '.join(map(repr, METHODS))}")
    session = open_session(store, workers, plugin)
    selection_search = prepare_search(CURRICULUM.settings(preset, set or ()), session.store)

    def run(steps: list[PredictStep]) -> None:
        if any(step.key not in session.store for step in steps):
            with resumable():
                session.run_steps([steps], "A selection, then each round of ANLI")

    run(selection_search.steps(()))
    baseline = selection_search.accuracy(())
    out.print(f"Without an intermediate stage: {100 * baseline:.1f} %", markup=False)
    best = Trial(0, (), baseline)
    for trial in selection_search.run(trials, method, seed, run):
        out.print(f"{trial.number}: {100 * trial.accuracy:.1f} %  {', '.join(trial.selection)}", markup=False)
        if trial.accuracy > best.accuracy:
            best = trial
    if not best.selection:
        out.print(f"None of {trials} selections is better than no intermediate stage.", markup=False)
        return
    selection = ", ".join(f'"{name}"' for name in best.selection)
    sizes = f"sequential.sizes=[{selection_search.size}]"  # a larger size may leave too few examples to train on
    overrides = [*(set or ()), sizes, 'run.tests=["sequential"]', f"sequential.selections.found=[{selection}]"]
    out.print(
        f"Best of {trials}: trial {best.number}, {100 * best.accuracy:.1f} % on held-out dev examples. This "
        "overestimates its accuracy, because it is the best of several; test it with: trivium run curriculum "
        f"{session.options(preset, overrides)}",
        markup=False,
    )

"""``trivium train``: train an NLI classifier or a tagger of semantic roles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from trivium.cli.console import out, resumable, say
from trivium.cli.options import STORE, Composer, Device, LearningRate, Plugins, Seed, StoreFolder, Workers, open_session

if TYPE_CHECKING:
    from trivium.tools.role_training import TrainedTagger

Model = Annotated[str, typer.Option("--model", help="The encoder: minilm, a folder, or a name on a hub.")]
Out = Annotated[Path, typer.Option("--out", help="The folder for the model, which transformers can load.")]
Threads = Annotated[int, typer.Option("--threads", min=1, help="The number of threads; it affects the result.")]
Share = Annotated[
    float, typer.Option("--held-out", min=0.001, max=0.5, help="The share of the data that is held out for measuring.")
]
train_app = typer.Typer(help="Train an NLI classifier or a tagger of semantic roles.", no_args_is_help=True)


@train_app.command(epilog="Example: trivium train nli --data sick --out my-model")
def nli(
    data: Annotated[
        list[str], typer.Option("--data", help="A source (trivium list sources) or a file of pairs; repeatable.")
    ],
    folder: Out,
    model: Model = "minilm",
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="The maximum number of pairs of each source or file.")
    ] = None,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often each pair is seen.")] = 2,
    rate: LearningRate = 1e-4,
    device: Device = "cpu",
    batch: Annotated[int, typer.Option("--batch-size", min=1, help="The number of pairs in a batch.")] = 16,
    threads: Threads = 2,
    share: Share = 0.1,
    seed: Seed = 0,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    composer: Composer = "head",
    plugin: Plugins = None,
) -> None:
    """Train an NLI classifier, and measure it on held-out pairs."""
    from trivium.tools.training import TRAINING

    session = open_session(store, workers, plugin)
    options = {"learning_rate": rate, "batch_size": batch, "epochs": epochs, "device": device, "threads": threads}
    train = TRAINING.model_copy(update=options)
    with resumable():
        result = session.train(
            data, folder, model=model, limit=limit, held_out=share, seed=seed, train=train, composer=composer
        )
    say(str(result))


@train_app.command(epilog="Example: trivium train srl --sentences sick --out roles")
def srl(
    folder: Out,
    data: Annotated[
        list[Path] | None,
        typer.Option(
            "--data", help="A file of semantic roles as IOB2 tags, or of trees (.conllu, .conllu.gz); repeatable."
        ),
    ] = None,
    plain: Annotated[
        str | None,
        typer.Option(
            "--sentences",
            help="A file with one sentence per line, or a source (see trivium list sources); spaCy parses them.",
        ),
    ] = None,
    size: Annotated[
        int, typer.Option("--size", min=2, help="Use at most this many of --sentences, the first ones.")
    ] = 4000,
    model: Model = "minilm",
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often each predicate is seen.")] = 5,
    rate: LearningRate = 2e-4,
    device: Device = "cpu",
    batch: Annotated[int, typer.Option("--batch-size", min=1, help="The number of predicates in a batch.")] = 16,
    threads: Threads = 2,
    share: Share = 0.1,
    seed: Seed = 0,
    store: StoreFolder = STORE,
    workers: Workers = 0,
) -> None:
    """Train a tagger of semantic roles for predicate-aware models (run.roles), and measure it on held-out sentences.

    A file of roles consists of blocks separated by empty lines. A block is a sentence, followed by one line of
    tab-separated tags for each predicate. For trees and plain sentences, rules derive the roles from the dependencies.
    """
    from trivium.tools.role_training import TRAINING

    session = open_session(store, workers)
    options = {"learning_rate": rate, "batch_size": batch, "epochs": epochs, "device": device, "threads": threads}
    train = TRAINING.model_copy(update=options)
    with resumable():
        result = session.train_srl(
            data or (), folder, sentences=plain, size=size, model=model, held_out=share, seed=seed, train=train
        )
    _show_tagger(result, folder)


def _show_tagger(result: TrainedTagger, folder: Path) -> None:
    if skipped := result.skipped:
        say(f"Skipped, because words and tags differ in number: {len(skipped):,}, the first at {skipped[0].where}")
    table = Table("role", "F1", "precision", "recall", "held-out spans", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    for role, counts in sorted(result.by_role.items(), key=lambda item: (-item[1].gold, item[0])):
        scores = (f"{100 * score:.1f}" for score in (counts.f1, counts.precision, counts.recall))
        table.add_row(role, *scores, f"{counts.gold:,}")
    out.print(table)
    f1 = result.f1
    out.print(
        f"Trained on {result.predicates:,} predicates. Span F1: {f1.value:.1f} % [{f1.low:.1f}, {f1.high:.1f}] on "
        f"{result.held_out:,} held-out predicates, whose sentences are not similar to training sentences. Wrote the "
        f"model to {folder}",
        markup=False,
    )

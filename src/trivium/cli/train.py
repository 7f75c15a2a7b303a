"""``trivium train``: models to work with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from trivium.cli.console import StoppedError, counting, out, resumable, say
from trivium.cli.options import STORE, Device, LearningRate, Plugins, Seed, StoreFolder, Workers, open_session
from trivium.errors import UserError
from trivium.saving import check_free

if TYPE_CHECKING:
    from trivium.data.roles import Unfit
    from trivium.tools.role_training import TrainedTagger

Model = Annotated[str, typer.Option("--model", help="The encoder: minilm, a folder, or a name on a hub.")]
Out = Annotated[Path, typer.Option("--out", help="The folder for the model, which transformers can load.")]
Threads = Annotated[int, typer.Option("--threads", min=1, help="Threads; the result depends on them.")]
Share = Annotated[float, typer.Option("--held-out", min=0.001, max=0.5, help="The share of pairs to measure on.")]
train_app = typer.Typer(help="Train models to work with.", no_args_is_help=True)


@train_app.callback()
def _group() -> None:
    """A group of commands."""


@train_app.command(epilog="Example: trivium train nli --data sick --out my-model")
def nli(
    data: Annotated[
        list[str], typer.Option("--data", help="A source (trivium list sources) or a file of pairs; repeatable.")
    ],
    folder: Out,
    model: Model = "minilm",
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Pairs of each source or file, at most.")] = None,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often each pair is seen.")] = 2,
    rate: LearningRate = 1e-4,
    device: Device = "cpu",
    batch: Annotated[int, typer.Option("--batch-size", min=1, help="Pairs in a batch.")] = 16,
    threads: Threads = 2,
    share: Share = 0.1,
    seed: Seed = 0,
    store: StoreFolder = STORE,
    workers: Workers = 0,
    plugin: Plugins = None,
) -> None:
    """Train an NLI classifier, and measure it on pairs that were held out."""
    session = open_session(store, workers, plugin)
    from trivium.tools.training import TRAINING

    chosen = {"learning_rate": rate, "batch_size": batch, "epochs": epochs, "device": device, "threads": threads}
    train = TRAINING.model_copy(update=chosen)
    with resumable():
        result = session.train(data, folder, model=model, limit=limit, held_out=share, seed=seed, train=train)
    say(str(result))


@train_app.command(epilog="Example: trivium train srl --sentences sick --out roles")
def srl(
    folder: Out,
    data: Annotated[
        list[Path] | None,
        typer.Option("--data", help="Semantic roles in IOB2 tags, or trees (.conllu, .conllu.gz); may be repeated."),
    ] = None,
    plain: Annotated[
        str | None,
        typer.Option("--sentences", help="A file with one sentence a line, or a source: spaCy reads them."),
    ] = None,
    size: Annotated[int, typer.Option("--size", min=2, help="How many of --sentences, the first ones.")] = 4000,
    model: Model = "minilm",
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often each predicate is seen.")] = 5,
    rate: LearningRate = 2e-4,
    device: Device = "cpu",
    batch: Annotated[int, typer.Option("--batch-size", min=1, help="Predicates at a time.")] = 16,
    threads: Threads = 2,
    share: Share = 0.1,
    seed: Seed = 0,
) -> None:
    """Train a tagger of semantic roles, for predicate-aware models (run.roles), and measure it on held-out sentences.

    A file of roles has blocks with an empty line between: a sentence, then for each predicate a line of tags with tabs
    between. Of trees and of plain sentences roles are derived from the dependencies, by rules.
    """
    from trivium.build.conjuncts.texts import read_texts
    from trivium.learn.config import TrainConfig
    from trivium.models.tagger import new_tagger, tags_of
    from trivium.tools.role_training import gather_roles, train_tagger

    check_free(folder)
    if not data and plain is None:
        raise UserError("name what to learn from with --data or --sentences")
    gathered = gather_roles(data or (), [] if plain is None else read_texts(plain)[:size])
    chosen = {"learning_rate": rate, "batch_size": batch, "epochs": epochs, "device": device, "threads": threads}
    config = TrainConfig.model_validate({"warmup": 0.1, "frozen": "embeddings", **chosen})
    tagger = new_tagger(model, tags_of(gathered.roles), seed)
    try:
        with counting("training") as progress:
            found = train_tagger(tagger, gathered.sentences, config, seed, share, progress)
    except KeyboardInterrupt:
        raise StoppedError("nothing is saved") from None
    tagger.save(folder)
    _say_roles(found, gathered.unfit, folder)


def _say_roles(found: TrainedTagger, unfit: Sequence[Unfit], to: Path) -> None:
    if unfit:
        first = unfit[0].where
        out.print(
            f"Passed over, for words and tags are not as many: {len(unfit):,}, the first at {first}", markup=False
        )
    table = Table("role", "F1", "precision", "recall", "spans held out", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    for role, counts in sorted(found.by_role.items(), key=lambda item: (-item[1].gold, item[0])):
        shares = (f"{100 * share:.1f}" for share in (counts.f1, counts.precision, counts.recall))
        table.add_row(role, *shares, f"{counts.gold:,}")
    out.print(table)
    value = found.f1
    out.print(
        f"Trained on {found.predicates:,} predicates. Span F1 {value.value:.1f} % [{value.low:.1f}, {value.high:.1f}] "
        f"on {found.held_out:,} predicates held out (no sentence like theirs was trained on). The model is in {to}",
        markup=False,
    )

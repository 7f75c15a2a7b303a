"""``trivium train``: models to work with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from trivium.cli.console import StoppedError, counting, out
from trivium.cli.listing import Plugins
from trivium.errors import UserError
from trivium.plugins import load_plugins
from trivium.saving import check_free

if TYPE_CHECKING:
    from trivium.data.roles import Unfit
    from trivium.tools.role_training import TrainedTagger


def _rate(value: float) -> float:
    if not 0 < value < 1:
        raise UserError(f"--learning-rate {value:g}: it is between 0 and 1")
    return value


def _device(value: str) -> str:
    if value not in ("cpu", "cuda"):
        raise UserError(f"--device {value}: it is cpu or cuda")
    return value


LearningRate = Annotated[float, typer.Option("--learning-rate", callback=_rate, help="The learning rate.")]
Device = Annotated[str, typer.Option("--device", callback=_device, help="Where to compute: cpu or cuda.")]
Model = Annotated[str, typer.Option("--model", help="The encoder: minilm, a folder, or a name on a hub.")]
Out = Annotated[Path, typer.Option("--out", help="The folder for the model, which transformers can load.")]
Threads = Annotated[int, typer.Option("--threads", min=1, help="Threads; the result depends on them.")]
Share = Annotated[float, typer.Option("--held-out", min=0.001, max=0.5, help="The share held out.")]
Seed = Annotated[int, typer.Option("--seed", help="Another number gives another model.")]
train_app = typer.Typer(help="Train models to work with.", no_args_is_help=True)


@train_app.callback()
def _group() -> None:
    """A group of commands."""


@train_app.command()
def nli(
    data: Annotated[list[str], typer.Option("--data", help="A source (sick, builtin) or a file; may be repeated.")],
    to: Out,
    model: Model = "minilm",
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="At most so many pairs of each.")] = None,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often each pair is seen.")] = 2,
    rate: LearningRate = 1e-4,
    device: Device = "cpu",
    batch: Annotated[int, typer.Option("--batch-size", min=1, help="Pairs at a time.")] = 16,
    threads: Threads = 2,
    share: Share = 0.1,
    seed: Seed = 0,
    plugin: Plugins = None,
) -> None:
    """Train an NLI classifier, and measure it on pairs that were held out."""
    from trivium.learn.config import TrainConfig
    from trivium.models.classifiers import new_classifier
    from trivium.tools.training import gather_pairs, train_classifier

    check_free(to)
    load_plugins(plugin or ())
    pairs = gather_pairs("--data", data, limit, seed)
    chosen = {"learning_rate": rate, "batch_size": batch, "epochs": epochs, "device": device, "threads": threads}
    config = TrainConfig.model_validate({"warmup": 0.1, "frozen": "embeddings", **chosen})
    classifier = new_classifier(model, seed)
    try:
        with counting("training") as progress:
            found = train_classifier(classifier, pairs, config, seed, share, progress)
    except KeyboardInterrupt:
        raise StoppedError("nothing is saved") from None
    classifier.save(to)
    value = found.accuracy
    out.print(
        f"Trained on {found.pairs:,} pairs. Right on {value.value:.1f} % [{value.low:.1f}, {value.high:.1f}] of "
        f"{found.held_out:,} pairs held out (their sentences may occur in other pairs). The model is in {to}",
        markup=False,
    )


@train_app.command()
def srl(
    to: Out,
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

    check_free(to)
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
    tagger.save(to)
    _say_roles(found, gathered.unfit, to)


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

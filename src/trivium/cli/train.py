"""``trivium train``: models to work with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trivium.cli.inventory import Plugins
from trivium.cli.screen import StoppedError, counting, out
from trivium.errors import UserError
from trivium.plugins import load_plugins
from trivium.saving import check_free


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
train_app = typer.Typer(help="Train models to work with.", no_args_is_help=True)


@train_app.callback()
def _group() -> None:
    """A group, though there is one command so far."""


@train_app.command()
def nli(
    data: Annotated[list[str], typer.Option("--data", help="A source (sick, builtin) or a file; may be repeated.")],
    to: Annotated[Path, typer.Option("--out", help="The folder for the model, which transformers can load.")],
    model: Annotated[
        str, typer.Option("--model", help="The encoder: minilm, a folder, or a name on a hub.")
    ] = "minilm",
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="At most so many pairs of each.")] = None,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often each pair is seen.")] = 2,
    rate: LearningRate = 1e-4,
    device: Device = "cpu",
    batch: Annotated[int, typer.Option("--batch-size", min=1, help="Pairs at a time.")] = 16,
    threads: Annotated[int, typer.Option("--threads", min=1, help="Threads; the result depends on them.")] = 2,
    share: Annotated[float, typer.Option("--held-out", min=0.001, max=0.5, help="The share held out.")] = 0.1,
    seed: Annotated[int, typer.Option("--seed", help="Another number gives another model.")] = 0,
    plugin: Plugins = None,
) -> None:
    """Train an NLI classifier, and measure it on pairs that were held out."""
    from trivium.apply.training import gather_pairs, train_classifier
    from trivium.learn.config import TrainConfig
    from trivium.models.classifiers import new_classifier

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

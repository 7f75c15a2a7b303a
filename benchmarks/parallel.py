"""Compare a training in several processes with the same training in one: how far apart the weights are, and the time.

The model is without dropout, whose masks differ between processes. Usage::

    python benchmarks/parallel.py                    # two processes, `tiny`
    python benchmarks/parallel.py 4 minilm 400       # four processes, another encoder, 400 examples
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from trivium.data import Split
from trivium.data.sources import load_source
from trivium.engine.execute import execute
from trivium.engine.steps import StrategySpec, TrainStep
from trivium.engine.store import Store
from trivium.learn.config import ModelConfig, TrainConfig
from trivium.learn.strategy import find_strategies
from trivium.models.encoders import load_encoder, save_pretrained


def save_without_dropout(name: str, folder: Path) -> None:
    encoder = load_encoder(name, 0)
    save_pretrained(encoder.model, encoder.tokenizer, folder)
    config = json.loads((folder / "config.json").read_text())
    config |= {name: 0.0 for name, value in config.items() if "dropout" in name and isinstance(value, float)}
    (folder / "config.json").write_text(json.dumps(config))


def main(processes: int = 2, encoder: str = "tiny", size: int = 80) -> None:
    with tempfile.TemporaryDirectory() as folder:
        save_without_dropout(encoder, Path(folder) / "model")
        store = Store(Path(folder) / "store").open()
        examples = load_source("builtin").examples[: 2 * size]
        past, stage = (store.put_split(Split("s", part)) for part in (examples[:size], examples[size:]))
        model = ModelConfig(name=str(Path(folder) / "model"), dropout=0.0)
        train = TrainConfig(learning_rate=1e-4, batch_size=16, epochs=1)
        one = TrainStep(model, "model", ("natural",), train, 0, stage, size, past=(past,))
        print(f"| strategy | relative difference of the weights | seconds in 1 process | in {processes} |")
        print("|---|---|---|---|")
        for strategy in sorted(find_strategies()):
            alone = replace(one, strategy=StrategySpec(strategy))
            together = replace(alone, train=train.model_copy(update={"processes": processes}))
            seconds = [execute(step, store) for step in (alone, together)]
            files = [store.path(step.key) / "weights.safetensors" for step in (alone, together)]
            print(f"| {strategy} | {difference(*files):.1e} | {seconds[0]:.1f} | {seconds[1]:.1f} |", flush=True)


def difference(first: Path, second: Path) -> float:
    """The norm of the difference of two models, divided by that of the first."""
    a, b = load_file(first), load_file(second)
    apart = sum(np.square(a[name] - b[name]).sum() for name in a)
    return float(np.sqrt(apart / sum(np.square(values).sum() for values in a.values())))


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*(int(word) if word.isdigit() else word for word in given))  # type: ignore[arg-type]

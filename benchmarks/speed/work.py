"""What the sides of a comparison work on: models, pairs, compositions and vectors, written to a folder for both."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

LABELS = ("entailment", "neutral", "contradiction")
TASKS = ("composed", "veridical", "natural")


@dataclass(frozen=True)
class Sizes:
    """How much each round does."""

    rounds: int = 3
    c2gen_steps: int = 4
    finetune_steps: int = 8
    stage_steps: int = 8
    pairs: int = 768
    fold_tests: int = 96
    vectors: int = 100_000
    queries: int = 1000
    epochs: int = 1


QUICK = Sizes()
FULL = Sizes(5, 12, 24, 32, 20_000, 1200, epochs=4)


@dataclass(frozen=True)
class Workshop:
    """A folder, an encoder and sizes, from which the work of each comparison is made."""

    folder: Path
    encoder: str
    sizes: Sizes

    @cached_property
    def model(self) -> str:
        """The folder of a classifier without dropout, so that two sides compute the same numbers."""
        from trivium.models.classifiers import new_classifier

        folder = self.folder / "model"
        new_classifier(self.encoder, 0).save(folder)
        config = json.loads((folder / "config.json").read_text())
        config |= {name: 0.0 for name, value in config.items() if "dropout" in name and isinstance(value, float)}
        (folder / "config.json").write_text(json.dumps(config))
        return str(folder)

    @cached_property
    def trained(self) -> str:
        """The folder of the classifier after a short training, since the answers of an untrained one are ties."""
        from trivium.data.sources.builtin import Builtin
        from trivium.learn.config import TrainConfig
        from trivium.learn.learner import Learner

        folder = self.folder / "trained"
        train = TrainConfig(learning_rate=1e-4, batch_size=16, epochs=self.sizes.epochs)
        learner = Learner.from_pretrained(self.model, train=train)
        pairs = [replace(example, task="nli") for example in Builtin(seed=2).load()]
        learner.fit(pairs).save_pretrained(folder)
        return str(folder)

    @cached_property
    def _pairs(self) -> list[list[Any]]:
        from trivium.data.sources.builtin import Builtin

        needed = (self.sizes.rounds + 1) * max(self.sizes.pairs, 32 * self.sizes.finetune_steps)
        examples = Builtin(pairs=min(100_000, needed), seed=1).load().examples
        order = sorted(range(len(examples)), key=lambda index: (index * 7919) % len(examples))  # labels mixed
        return [[e.premise, e.hypothesis, LABELS.index(str(e.label))] for e in (examples[index] for index in order)]

    def pairs(self, number: int, **more: Any) -> Path:
        """Return the work of training or predicting ``number`` different pairs a round."""
        rounds = [self._pairs[start : start + number] for start in range(0, (self.sizes.rounds + 1) * number, number)]
        return self._write({"model": self.model, "rounds": rounds, **more})

    def stages(self, number: int, **more: Any) -> Path:
        """Return stages of pairs whose last batch has one label.

        MIR in Avalanche replays no label that the last batch of a stage has.
        """
        rounds = [
            sorted(self._pairs[start : start + number], key=lambda pair: pair[2] == 0)
            for start in range(0, (self.sizes.rounds + 1) * number, number)
        ]
        return self._write({"model": self.model, "rounds": rounds, **more})

    def compositions(self, number: int, natural: int, **more: Any) -> Path:
        """Return ``number`` compositions a round, in which each of ``natural`` pairs occurs under many verbs."""
        import numpy as np

        from trivium.build.veridicality.composition import compose
        from trivium.build.veridicality.natural import choose_natural
        from trivium.build.veridicality.verbs import INFINITIVE_VERBS
        from trivium.data.sources.builtin import Builtin

        rng = np.random.default_rng(0)
        pairs = choose_natural(Builtin().load().examples)
        rounds = []
        for _ in range(self.sizes.rounds + 1):
            chosen = [pairs[index] for index in rng.permutation(len(pairs))[:natural]]
            every = [compose(verb, pair).to_json() for verb in INFINITIVE_VERBS for pair in chosen]
            rounds.append([every[index] for index in rng.permutation(len(every))[:number]])
        heads = {
            task: {"weight": rng.normal(size=(3, self._width), scale=0.02).tolist(), "bias": [0.0] * 3}
            for task in TASKS
        }
        return self._write({"model": self._encoder, "heads": heads, "rounds": rounds, **more})

    @cached_property
    def _encoder(self) -> str:
        """The folder of the encoder without its classifier's head."""
        from transformers import AutoModel, AutoTokenizer

        folder = self.folder / "encoder"
        AutoModel.from_pretrained(self.model, add_pooling_layer=False).save_pretrained(folder)
        AutoTokenizer.from_pretrained(self.model).save_pretrained(folder)
        return str(folder)

    @property
    def _width(self) -> int:
        return int(json.loads((Path(self._encoder) / "config.json").read_text())["hidden_size"])

    def vectors(self, **more: Any) -> Path:
        """Return vectors of three labels, each around a centre of its own, and queries."""
        import numpy as np

        rng = np.random.default_rng(0)
        labels = rng.integers(3, size=self.sizes.vectors + self.sizes.queries)
        points = (rng.normal(size=(len(labels), 384)) + rng.normal(size=(3, 384))[labels]).astype(np.float32)
        file = self.folder / "vectors.npz"
        stored, queries = points[: self.sizes.vectors], points[self.sizes.vectors :]
        np.savez(file, vectors=stored, labels=labels[: self.sizes.vectors], queries=queries)
        return self._write({"vectors": str(file), **more})

    def plain(self, **work: Any) -> Path:
        """Return work that needs no data."""
        return self._write(work)

    def _write(self, work: dict[str, Any]) -> Path:
        file = self.folder / f"work-{len(list(self.folder.glob('work-*.json')))}.json"
        file.write_text(json.dumps(work))
        return file

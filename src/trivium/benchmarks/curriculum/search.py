"""Search for the phenomena to train on before adversarial NLI (section 6).

A selection of phenomena is evaluated on held-out dev examples of each ANLI round, never on its test. Trials are
ordinary steps, so an interrupted search resumes. The same seed proposes the same selections, so a search with more
trials reuses the results of earlier ones from the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from trivium.benchmarks.curriculum.sequential import few_examples, intermediate_stage, untested_dev
from trivium.benchmarks.curriculum.settings import CurriculumSettings
from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import NLI_HEAD, StepMaker
from trivium.build.phenomena.selection import source_of
from trivium.data.labels import NLI3
from trivium.data.phenomena import select_phenomena
from trivium.data.split import Split
from trivium.engine.steps import PredictStep, TrainStep
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.measure.metrics import correct
from trivium.seeds import stream, stream_seed

METHODS = ("random", "tpe")
_MIN_HELD_OUT = 100  # examples of a round to evaluate a selection on
_RANDOM_SHARE = 0.3  # the expected share of phenomena in a random selection; the paper's best has 9 of 36


class Trial(NamedTuple):
    """A selection of phenomena, and the accuracy of a model that was first trained on it."""

    number: int
    selection: tuple[str, ...]
    accuracy: float


class Proposer(Protocol):
    """Proposes selections, and may learn from their accuracies."""

    def propose(self) -> tuple[str, ...]:
        """Return the next selection."""

    def learn(self, accuracy: float) -> None:
        """Record the accuracy of the last selection."""


@dataclass(frozen=True)
class Search:
    """A search over selections of phenomena; ``names`` are those that the source has."""

    settings: CurriculumSettings
    store: Store
    names: tuple[str, ...]
    make: StepMaker

    @property
    def size(self) -> int:
        """The number of training examples of a round per label: the smallest of ``sequential.sizes``."""
        return min(self.settings.sequential.sizes)

    def steps(self, selection: Sequence[str]) -> list[PredictStep]:
        """Return the prediction step of each round for a selection."""
        seed = self.settings.run.seeds[0]
        parent = self._intermediate_stage(selection, seed)
        steps = []
        for round in self.settings.sequential.rounds:
            few = few_examples(round, self.size, self.settings.data_seed)
            model = self.make.train(few, self.settings.inoculate, seed, parent)
            steps.append(self.make.predict(model, held_out(round, self.size, self.settings.data_seed)))
        return steps

    def accuracy(self, selection: Sequence[str]) -> float:
        """Return the mean accuracy over the rounds; all predictions must be in the store."""
        accuracies = []
        for step in self.steps(selection):
            test = self.store.split(step.split)
            gold = np.array([NLI3.index(str(example.label)) for example in test], dtype=np.intp)
            accuracies.append(correct(self.store.logits(step.key)[NLI_HEAD], gold).mean())
        return float(np.mean(accuracies))

    def run(self, trials: int, method: str, seed: int, run: Callable[[list[PredictStep]], None]) -> Iterator[Trial]:
        """Yield the result of each trial; ``run`` executes the missing steps of a trial."""
        proposer = make_proposer(method, self.names, seed)
        for number in range(1, trials + 1):
            selection = proposer.propose()
            run(self.steps(selection))
            accuracy = self.accuracy(selection)
            proposer.learn(accuracy)
            yield Trial(number, selection, accuracy)

    def _intermediate_stage(self, selection: Sequence[str], seed: int) -> TrainStep | None:
        if not selection:
            return None
        return self.make.train(intermediate_stage(selection, self.settings), self.settings.train, seed)


def prepare_search(settings: CurriculumSettings, store: Store) -> Search:
    """Return a search over those phenomena of the settings that the source has."""
    if settings.model.head == "own":
        raise UserError("a search trains an encoder, but model.head is 'own': remove model.head")
    requested = [phenomenon.name for phenomenon in select_phenomena(settings.run.phenomena)]
    names = tuple(name for name in requested if source_of(settings.source, name) is not None)
    if len(names) < 2:
        raise UserError(
            f"source {settings.source!r} has {len(names)} of run.phenomena, but a search needs at least two: add some"
        )
    model, fingerprint = resolve_model(settings.model, store)
    settings = settings.model_copy(update={"model": model})
    return Search(settings, store, names, StepMaker(model, fingerprint, (NLI_HEAD,), store))


def held_out(round: str, size: int, seed: int) -> Split:
    """Return the dev examples of a round whose contexts are neither tested nor trained on."""
    trained = {example.premise for example in few_examples(round, size, seed)}
    examples = tuple(example for example in untested_dev(round) if example.premise not in trained)
    if len(examples) < _MIN_HELD_OUT:
        raise UserError(
            f"sequential.sizes has {size}, which leaves {len(examples)} examples of {round} for evaluation, fewer than "
            f"{_MIN_HELD_OUT}: lower it"
        )
    return Split(f"{round}-held-out", examples, NLI3)


def make_proposer(method: str, names: Sequence[str], seed: int) -> Proposer:
    """Return the proposer for a method: ``random``, as in the paper, or ``tpe``, Optuna's Parzen estimator."""
    if method == "random":
        return _RandomProposer(tuple(names), stream(seed, "data", "search"))
    if method == "tpe":
        return _ParzenProposer(tuple(names), stream_seed(seed, "data", "search"))
    raise UserError(f"unknown search method {method!r}: must be {' or '.join(map(repr, METHODS))}")


@dataclass(frozen=True)
class _RandomProposer:
    names: tuple[str, ...]
    rng: np.random.Generator

    def propose(self) -> tuple[str, ...]:
        selection = tuple(name for name in self.names if self.rng.random() < _RANDOM_SHARE)
        return selection or (self.names[int(self.rng.integers(len(self.names)))],)

    def learn(self, accuracy: float) -> None:
        """Do nothing: random selections do not depend on earlier ones."""


class _ParzenProposer:
    def __init__(self, names: tuple[str, ...], seed: int) -> None:
        try:
            import optuna
        except ImportError:
            raise UserError("the method 'tpe' needs Optuna: pip install 'trivium-nli[search]'") from None
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        sampler = optuna.samplers.TPESampler(seed=seed % 2**32, n_startup_trials=5, multivariate=False)
        self._study = optuna.create_study(direction="maximize", sampler=sampler)
        self._names = names
        self._failed = optuna.trial.TrialState.FAIL
        self._trial: Any = None

    def propose(self) -> tuple[str, ...]:
        while True:
            self._trial = self._study.ask()
            selection = tuple(name for name in self._names if self._trial.suggest_categorical(name, [False, True]))
            if selection:
                return selection
            self._study.tell(self._trial, state=self._failed)

    def learn(self, accuracy: float) -> None:
        self._study.tell(self._trial, accuracy)

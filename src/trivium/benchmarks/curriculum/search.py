"""Which phenomena to train on before adversarial NLI (section 6): a search over selections of them.

A selection is judged by accuracy on that part of each round's dev examples which is not trained on, and never by the
test. Trials are steps like all others: a search that was stopped goes on where it was, and one with more trials repeats
nothing, since the same trials are proposed again and found in the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from trivium.benchmarks.curriculum.sequential import apart_from_test, few_of, intermediate
from trivium.benchmarks.curriculum.settings import CurriculumSettings
from trivium.benchmarks.resolve import resolve_model
from trivium.benchmarks.steps import StepMaker
from trivium.build.phenomena.selection import source_of
from trivium.data.labels import NLI3
from trivium.data.phenomena import phenomena_of
from trivium.data.split import Split
from trivium.engine.steps import PredictStep, TrainStep
from trivium.engine.store import Store
from trivium.errors import UserError
from trivium.measure.metrics import correct
from trivium.models.classifiers import HEAD
from trivium.seeds import stream, stream_seed

METHODS = ("random", "tpe")
_JUDGES = 100  # examples of a round, at least, to judge a selection by
_SHARE = 0.3  # of the phenomena, in a random selection; the paper's best has 9 of 36


class Trial(NamedTuple):
    """A selection of phenomena, and how well a model does that was trained on it first."""

    number: int
    selection: tuple[str, ...]
    accuracy: float


class Proposer(Protocol):
    """Who says what is tried next, knowing what came out so far."""

    def propose(self) -> tuple[str, ...]:
        """The next selection."""

    def learn(self, accuracy: float) -> None:
        """What came out of the last one."""


@dataclass(frozen=True)
class Search:
    """A search over selections of the phenomena that a source has."""

    settings: CurriculumSettings
    store: Store
    names: tuple[str, ...]
    make: StepMaker

    @property
    def size(self) -> int:
        """How many examples of each label of a round are trained on: the fewest of the settings."""
        return min(self.settings.sequential.sizes)

    def steps(self, selection: Sequence[str]) -> list[PredictStep]:
        """What has to run for a selection: a prediction for each round."""
        seed, chosen = self.settings.run.seeds[0], self.settings.sequential
        before = self._before(selection, seed)
        found = []
        for round in chosen.rounds:
            few = few_of(round, self.size, self.settings.data_seed)
            model = self.make.trained(few, self.settings.inoculate, seed, before)
            found.append(self.make.predicted(model, held_out(round, self.size, self.settings.data_seed)))
        return found

    def accuracy(self, selection: Sequence[str]) -> float:
        """The mean accuracy over the rounds; all predictions must be in the store."""
        found = []
        for step in self.steps(selection):
            test = self.store.split(step.split)
            gold = np.array([NLI3.index(str(example.label)) for example in test], dtype=np.intp)
            found.append(correct(self.store.logits(step.key)[HEAD], gold).mean())
        return float(np.mean(found))

    def run(self, trials: int, method: str, seed: int, run: Callable[[list[PredictStep]], None]) -> Iterator[Trial]:
        """Try selections; ``run`` does the steps of a trial that are not done."""
        proposer = propose_by(method, self.names, seed)
        for number in range(1, trials + 1):
            selection = proposer.propose()
            run(self.steps(selection))
            accuracy = self.accuracy(selection)
            proposer.learn(accuracy)
            yield Trial(number, selection, accuracy)

    def _before(self, selection: Sequence[str], seed: int) -> TrainStep | None:
        if not selection:
            return None
        return self.make.trained(intermediate(selection, self.settings), self.settings.train, seed)


def prepare_search(settings: CurriculumSettings, store: Store) -> Search:
    """A search over the phenomena of the settings that the source has."""
    if settings.model.head == "own":
        raise UserError("a search begins with an encoder, but model.head is 'own': leave it out")
    known = [one.name for one in phenomena_of(settings.run.phenomena)]
    names = tuple(name for name in known if source_of(settings.source, name) is not None)
    if len(names) < 2:
        raise UserError(f"the source {settings.source!r} has {len(names)} of the phenomena: a search needs two or more")
    model, fingerprint = resolve_model(settings.model, store)
    settings = settings.model_copy(update={"model": model})
    return Search(settings, store, names, StepMaker(model, fingerprint, (HEAD,), store))


def held_out(round: str, size: int, seed: int) -> Split:
    """The dev examples of a round whose contexts are neither tested nor among those of the few that are trained on."""
    few = {example.premise for example in few_of(round, size, seed)}
    found = tuple(example for example in apart_from_test(round) if example.premise not in few)
    if len(found) < _JUDGES:
        raise UserError(
            f"sequential.sizes has {size}, which leaves {len(found)} examples of {round} to judge by: lower it"
        )
    return Split(f"{round}-held-out", found, NLI3)


def propose_by(method: str, names: Sequence[str], seed: int) -> Proposer:
    """Who proposes: chance, as in the paper, or Optuna's tree-structured Parzen estimator."""
    if method == "random":
        return _Chance(tuple(names), stream(seed, "data", "search"))
    if method == "tpe":
        return _Parzen(tuple(names), stream_seed(seed, "data", "search"))
    raise UserError(f"the method is {' or '.join(METHODS)}, not {method!r}")


@dataclass(frozen=True)
class _Chance:
    names: tuple[str, ...]
    rng: np.random.Generator

    def propose(self) -> tuple[str, ...]:
        chosen = tuple(name for name in self.names if self.rng.random() < _SHARE)
        return chosen or (self.names[int(self.rng.integers(len(self.names)))],)

    def learn(self, accuracy: float) -> None:
        """Chance learns nothing."""


class _Parzen:
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
            chosen = tuple(name for name in self._names if self._trial.suggest_categorical(name, [False, True]))
            if chosen:
                return chosen
            self._study.tell(self._trial, state=self._failed)

    def learn(self, accuracy: float) -> None:
        self._study.tell(self._trial, accuracy)

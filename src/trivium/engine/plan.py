"""Work out what has to run, backwards from the required predictions. Imports no torch."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import asdict, dataclass
from typing import Any

from trivium.engine.steps import DivideStep, PredictStep, Step, TrainStep
from trivium.engine.store import Store
from trivium.errors import option
from trivium.learn.strategy import find_strategies

# Seconds per example on one thread of a common processor, used until the store has measured better.
_ROUGH_RATES = {
    ("minilm", "train", "cpu"): 0.065,
    ("minilm", "predict", "cpu"): 0.025,
    ("tiny", "train", "cpu"): 0.006,
    ("tiny", "predict", "cpu"): 0.002,
}


@dataclass(frozen=True)
class Plan:
    """The steps behind the required predictions.

    ``steps`` are all of them, each once; ``todo`` those that must still run, parents before children; ``unshared`` is
    how many there would be if every model trained all of its stages itself.
    """

    steps: tuple[Step, ...]
    todo: tuple[Step, ...]
    unshared: int

    @property
    def saved(self) -> int:
        """The number of steps that sharing saves."""
        return self.unshared - len(self.steps)

    @property
    def done(self) -> int:
        """The number of steps that need not run: they are finished, or only finished steps need them."""
        return len(self.steps) - len(self.todo)

    def count(self, kind: str) -> int:
        """Return the number of steps of a kind (``train``, ``predict`` or ``divide``)."""
        return sum(step.kind == kind for step in self.steps)


@dataclass(frozen=True)
class PlanSummary:
    """What would run: how many steps, how many are shared or done, and how long the rest takes.

    ``loads`` are models that are used as they are; ``unshared`` is how many steps there would be if no model shared its
    first stages. ``repeated`` are trainings that were done before and whose models were removed; ``seconds`` is an
    estimate, or None for a model without measured costs; ``workers`` is 0 if the steps run in this process; ``pending``
    says what must run before the rest can be planned.
    """

    description: str
    steps: int
    loads: int
    trainings: int
    predictions: int
    unshared: int
    done: int
    todo: int
    repeated: int
    seconds: float | None
    workers: int
    store: str
    pending: str = ""

    @classmethod
    def of(cls, plan: Plan, store: Store, workers: int, description: str, pending: str = "") -> PlanSummary:
        """Summarize a plan for a store."""
        loads = sum(map(_is_load, plan.steps))
        has_stages = any(isinstance(each, TrainStep) and each.parent and not each.parent.is_load for each in plan.steps)
        return cls(
            description=description,
            steps=len(plan.steps),
            loads=loads,
            trainings=plan.count("train") - loads,
            predictions=plan.count("predict"),
            unshared=plan.unshared if has_stages else len(plan.steps),
            done=plan.done,
            todo=len(plan.todo),
            repeated=sum(
                step.kind == "train" and not _is_load(step) and store.was_done(step.key) for step in plan.todo
            ),
            seconds=estimate_seconds(plan, store, workers),
            workers=workers,
            store=store.url,
            pending=pending,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the fields as a plain dictionary."""
        return asdict(self)

    def lines(self) -> list[str]:
        """Return the summary as lines of text."""
        counts = ((self.loads, "load"), (self.trainings, "training"), (self.predictions, "prediction"))
        parts = ", ".join(_counted(number, name) for number, name in counts if number)
        saved = self.unshared - self.steps
        shared = f"Without shared first stages: {self.unshared:,} ({saved:,} saved). " if saved else ""
        lines = [
            self.description,
            f"{_counted(self.steps, 'step')}: {parts}. {shared}{self.done:,} done, {self.todo:,} to do.",
        ]
        if self.repeated:
            again = _counted(self.repeated, "training")
            lines.append(f"{again} must run again because the model was removed (see {option('keep_models')}).")
        if self.todo:
            expected = "No estimate for this model yet" if self.seconds is None else f"About {duration(self.seconds)}"
            where = f"with {_counted(self.workers, 'worker')}" if self.workers else "in this process"
            lines.append(f"{expected} {where}; store: {self.store}")
        return [*lines, *([self.pending] if self.pending else [])]

    def __str__(self) -> str:
        return "\n".join(self.lines())


def duration(seconds: float) -> str:
    """Format a number of seconds for people: ``40 s``, ``12 min``, ``2 h 05 min``."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"


def _counted(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"


def _is_load(step: Step) -> bool:
    return isinstance(step, TrainStep) and step.is_load


def work_of(step: Step) -> float:
    """Return the size of a step in examples, weighted by what the strategy costs."""
    if isinstance(step, DivideStep):
        return 1.0
    if isinstance(step, PredictStep):
        return float(step.size)
    factor = find_strategies()[step.strategy.name].cost
    return step.size * step.train.epochs * (factor if step.stage > 1 else 1.0)


def make_plan(runs: Iterable[Iterable[PredictStep]], store: Store, models: Iterable[TrainStep] = ()) -> Plan:
    """Return the plan for runs, each given as the predictions of one model, and for the trainings in ``models``."""
    steps: dict[str, Step] = {}
    unshared = 0
    for run in runs:
        own: dict[str, Step] = {}
        for target in run:
            _collect(target, own)
        unshared += len(own)
        steps.update(own)
    todo: dict[str, Step] = {}
    finished = frozenset(store.keys())
    for step in (*models, *(step for step in steps.values() if step.kind == "predict")):
        _collect(step, steps)
        demand(step, finished, todo)
    return Plan(tuple(steps.values()), tuple(todo.values()), unshared)


def estimate_seconds(plan: Plan, store: Store, workers: int) -> float | None:
    """Estimate the time of the remaining steps from the costs of earlier ones; None if a model has none."""
    spent: dict[tuple[str, str, str], list[float]] = {}
    for cost in store.costs():
        entry = spent.setdefault((cost["model"], cost["kind"], cost.get("device", "cpu")), [0.0, 0.0])
        entry[0] += cost["seconds"]
        entry[1] += cost["work"]
    total = 0.0
    for step in plan.todo:
        if isinstance(step, DivideStep):
            continue
        group = (step.training.model.name, step.kind, step.training.train.device)
        if group in spent and spent[group][1]:
            rate = spent[group][0] / spent[group][1]
        elif group in _ROUGH_RATES:
            rate = _ROUGH_RATES[group]
        else:
            return None
        total += rate * work_of(step)
    return total / max(1, min(workers, len(plan.todo)))


def _collect(step: Step, into: dict[str, Step]) -> None:
    if step.key in into:
        return
    for needed in step.needs:
        _collect(needed, into)
    into[step.key] = step


def demand(step: Step, finished: Set[str], todo: dict[str, Step]) -> None:
    """Add a step to ``todo`` if it is not finished, after the unfinished steps that it needs."""
    if step.key in finished or step.key in todo:
        return
    for needed in step.needs:
        demand(needed, finished, todo)
    todo[step.key] = step

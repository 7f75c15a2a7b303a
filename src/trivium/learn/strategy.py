"""What a strategy is: a frozen configuration and three methods. Plain fine-tuning is what they do by default."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from trivium.data.example import Example
from trivium.errors import ConfigError, Problem, UserError, did_you_mean
from trivium.learn.memory import Memory
from trivium.registry import Registry

if TYPE_CHECKING:
    from trivium.learn.learner import Learner

Positive = Annotated[int, Field(ge=1)]
NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]

STRATEGIES: Registry[type[Strategy]] = Registry("strategy")


@dataclass(frozen=True)
class Strategy:
    """What is done differently from plain fine-tuning, from the second stage on.

    The first stage is trained plainly and shared by all strategies. ``begin_stage`` turns the memory into whatever
    ``step`` needs; ``step`` leaves a gradient in the learner's parameters and returns the loss on the batch;
    ``end_stage`` decides what is remembered of a stage when it is over. ``cost`` is the time of a step as a multiple
    of a plain one, for estimates.
    """

    cost: ClassVar[float] = 1.0
    for_corrections: ClassVar[bool] = True
    """Whether ``trivium correct`` tries the strategy by itself."""
    title: ClassVar[str] = ""
    """The name in tables and charts; if empty, the registered name."""

    def begin_stage(self, learner: Learner, memory: Memory) -> Any:
        """Before the first batch of a stage: what :meth:`step` will be given."""
        return memory

    def step(self, learner: Learner, batch: Sequence[Example], state: Any) -> float:
        """One batch: leave a gradient behind."""
        return learner.backward(learner.loss(batch))

    def end_stage(self, learner: Learner, stage: Sequence[Example], memory: Memory) -> Memory:
        """After the last batch of a stage: the memory for the next one."""
        return memory


S = TypeVar("S", bound=Strategy)


@cache
def find_strategies() -> Registry[type[Strategy]]:
    """The registry with every strategy that ships with Trivium in it."""
    package = importlib.import_module("trivium.learn.strategies")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return STRATEGIES


def strategy(name: str) -> Callable[[type[S]], type[S]]:
    """A decorator that enters a strategy under a name."""

    def enter(kind: type[S]) -> type[S]:
        if not (isinstance(kind, type) and issubclass(kind, Strategy) and "__dataclass_fields__" in vars(kind)):
            raise UserError(f"the strategy {name!r} must be a frozen dataclass that derives from Strategy")
        STRATEGIES.register(name)(kind)
        return kind

    return enter


def make_strategy(name: str, settings: Mapping[str, Any]) -> Strategy:
    """A strategy with settings; an error that lists every mistake in them."""
    kind = find_strategies()[name]
    fields = {field.name for field in dataclasses.fields(kind)}
    problems = [
        f"strategy.{name}.{value}: there is no such setting: {did_you_mean(value, fields)}"
        for value in settings
        if value not in fields
    ]
    try:
        made: Strategy = TypeAdapter(kind).validate_python({k: v for k, v in settings.items() if k in fields})
    except ValidationError as error:
        problems += [
            f"strategy.{name}.{'.'.join(map(str, p['loc']))}: {p['msg']} (it is {p['input']!r})" for p in error.errors()
        ]
    if problems:
        raise ConfigError(Problem("settings", problem) for problem in problems)
    return made

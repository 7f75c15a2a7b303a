"""The base class of strategies, and their registry."""

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
    """A continual-learning strategy: a frozen configuration with three methods. The base class is plain fine-tuning.

    ``begin_stage`` turns the memory into the state that ``step`` needs; ``step`` leaves a gradient in the learner's
    parameters and returns the loss; ``end_stage`` decides what is remembered of a finished stage. In a benchmark, the
    first stage is trained by plain fine-tuning and shared by all strategies. ``cost`` is the time of a step as a
    multiple of a plain one, for estimates.
    """

    cost: ClassVar[float] = 1.0
    for_corrections: ClassVar[bool] = True
    """Whether ``trivium correct`` tries the strategy by itself."""
    title: ClassVar[str] = ""
    """The name in tables and charts; if empty, the registered name."""
    resumable: ClassVar[bool] = True
    """Whether a training may continue from a checkpoint inside a stage. A class that overrides :meth:`begin_stage` must
    declare it: the state then does not change during a stage, or has ``state_dict`` and ``load_state_dict``."""

    def begin_stage(self, learner: Learner, memory: Memory) -> Any:
        """Return the state for :meth:`step`. Called before the first batch of a stage."""
        return memory

    def step(self, learner: Learner, batch: Sequence[Example], state: Any) -> float:
        """Leave the gradient for a batch in the learner's parameters, and return the loss."""
        return learner.backward(learner.loss(batch))

    def end_stage(self, learner: Learner, stage: Sequence[Example], memory: Memory) -> Memory:
        """Return the memory for the next stage. Called after the last batch of a stage."""
        return memory


S = TypeVar("S", bound=Strategy)


@cache
def find_strategies() -> Registry[type[Strategy]]:
    """Return the registry, after importing every strategy that ships with Trivium."""
    package = importlib.import_module("trivium.learn.strategies")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return STRATEGIES


def strategy(name: str) -> Callable[[type[S]], type[S]]:
    """Return a class decorator that registers a strategy under a name.

    A class that is not a dataclass yet becomes a frozen one; its fields are the settings of the strategy.

    >>> @strategy("replay-two")
    ... class ReplayTwo(Strategy):
    ...     examples: int = 2
    >>> make_strategy("replay-two", {"examples": 3})
    ReplayTwo(examples=3)
    """

    def register(cls: type[S]) -> type[S]:
        if not (isinstance(cls, type) and issubclass(cls, Strategy)):
            raise UserError(f"the strategy {name!r} must be a class that derives from Strategy")
        if "__dataclass_fields__" not in vars(cls):
            cls = dataclass(frozen=True)(cls)
        STRATEGIES.register(name)(cls)
        return cls

    return register


def make_strategy(name: str, settings: Mapping[str, Any]) -> Strategy:
    """Return a strategy with these settings. Raise a ConfigError that lists every mistake in them."""
    cls = find_strategies()[name]
    fields = {field.name for field in dataclasses.fields(cls)}
    problems = [
        f"strategy.{name}.{setting}: unknown setting: {did_you_mean(setting, fields)}"
        for setting in settings
        if setting not in fields
    ]
    try:
        built: Strategy = TypeAdapter(cls).validate_python({k: v for k, v in settings.items() if k in fields})
    except ValidationError as error:
        problems += [
            f"strategy.{name}.{'.'.join(map(str, p['loc']))}: {p['msg']} (it is {p['input']!r})" for p in error.errors()
        ]
    if problems:
        raise ConfigError(Problem("settings", problem) for problem in problems)
    return built


def choose_strategy(strategy: str | Strategy, settings: Mapping[str, Any] | None = None) -> Strategy:
    """Return the strategy with this name and these settings, or the given instance itself.

    >>> choose_strategy("er-res", {"memory_size": 50})
    ReservoirReplay(memory_size=50)
    """
    if isinstance(strategy, str):
        return make_strategy(strategy, settings or {})
    if not isinstance(strategy, Strategy):
        raise UserError(f"strategy must be a name, such as 'er-res', or an instance of Strategy, not {strategy!r}")
    if settings:
        raise UserError(f"settings are for a strategy given by name: set them in {type(strategy).__name__}(...)")
    return strategy

"""The base class of strategies, and their registry."""

from __future__ import annotations

import dataclasses
import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from trivium.data.example import Example
from trivium.errors import ConfigError, Problem, UserError, did_you_mean
from trivium.learn.memory import Memory
from trivium.plugins import plugin_file
from trivium.registry import Registry, import_modules

if TYPE_CHECKING:
    from trivium.learn.learner import Learner

Positive = Annotated[int, Field(ge=1)]
"""The type of a strategy's setting that is an integer of at least 1."""
NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
"""The type of a strategy's setting that is a finite number of at least 0."""

STRATEGIES: Registry[type[Strategy]] = Registry("strategy")
_LATER: Final = "later"
V = TypeVar("V")


def later(default: V) -> V:
    """Return the field of a setting that came after its strategy: its default is left out of the keys of steps."""
    field: V = dataclasses.field(default=default, metadata={_LATER: True})
    return field


def settings_of(strategy: Strategy) -> dict[str, Any]:
    """Return the settings of a strategy that a step's key depends on."""
    values = dataclasses.asdict(strategy)
    fields = {field.name: field for field in dataclasses.fields(strategy)}
    return {
        name: value
        for name, value in values.items()
        if _LATER not in fields[name].metadata or value != fields[name].default
    }


@dataclass(frozen=True)
class Strategy:
    """A continual-learning strategy: a frozen configuration with three methods. The base class is plain fine-tuning.

    ``begin_stage`` turns the memory into the state that ``step`` needs; ``step`` leaves a gradient in the learner's
    parameters and returns the loss; ``end_stage`` decides what is remembered of a finished stage. In a benchmark, the
    first stage is trained by plain fine-tuning and shared by all strategies. ``cost`` is the time of a step as a
    multiple of a plain one, for estimates.
    """

    cost: ClassVar[float] = 1.0
    for_corrections: ClassVar[bool] = False
    """Whether ``trivium correct`` tries the strategy by default."""
    title: ClassVar[str] = ""
    """The name in tables and charts; if empty, the registered name."""
    resumable: ClassVar[bool] = True
    """Whether training may continue from a checkpoint within a stage. A class that overrides :meth:`begin_stage` must
    set it, and may do so only if its state never changes in a stage, or has ``state_dict`` and ``load_state_dict``."""
    given_examples_only: ClassVar[bool] = True
    """Whether the strategy asks the learner only about examples of the stage and of the memory. Embeddings of tokens
    that do not occur there then leave the training, which saves time and changes no result. A class that overrides
    :meth:`begin_stage` or :meth:`step` must set it."""

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
HOOKS: Final = ("begin_stage", "step", "end_stage")
"""The methods that a strategy may override."""


def declares(strategy: Strategy, flag: str, hooks: Sequence[str]) -> bool:
    """Return whether the class of a strategy sets a flag, after the last time that one of the hooks was overridden."""
    for cls in type(strategy).__mro__:
        if flag in vars(cls):
            return bool(vars(cls)[flag])
        if any(hook in vars(cls) for hook in hooks):
            return False
    return False


@cache
def find_strategies() -> Registry[type[Strategy]]:
    """Return the registry, after importing every strategy that ships with Trivium."""
    import_modules("trivium.learn.strategies")
    return STRATEGIES


def _check_class(cls: type[Strategy]) -> None:
    """Raise a UserError if a method would never be called or has wrong parameters, or a setting has no type."""
    public = {name: value for name, value in vars(cls).items() if not name.startswith("_")}
    for name, value in public.items():
        if name in vars(Strategy) or name in inspect.get_annotations(cls) or callable(value):
            continue
        if not hasattr(value, "__get__"):  # a property or the like
            type_name = type(value).__name__
            raise UserError(f"{cls.__name__}.{name}: settings need a type annotation: {name}: {type_name} = {value!r}")
    others = [name for name, value in public.items() if inspect.isfunction(value) and name not in HOOKS]
    if any(getattr(cls, hook) is not getattr(Strategy, hook) for hook in HOOKS):
        others = [name for name in others if difflib.get_close_matches(name, HOOKS, cutoff=0.8)]
    if others:
        raise UserError(f"{cls.__name__}.{others[0]} is never called: {did_you_mean(others[0], HOOKS)}")
    for hook in HOOKS:
        expected = list(inspect.signature(getattr(Strategy, hook)).parameters)
        try:
            inspect.signature(getattr(cls, hook)).bind(*expected)
        except TypeError:
            raise UserError(f"{cls.__name__}.{hook} must take ({', '.join(expected)})") from None


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
        _check_class(cls)
        if "__dataclass_fields__" not in vars(cls):
            cls = dataclass(frozen=True)(cls)
        STRATEGIES.register(name)(cls)
        return cls

    return register


def strategy_files(names: Iterable[str]) -> list[Path]:
    """Return the files outside of Trivium that define the named strategies: worker processes load them as plugins."""
    known = find_strategies()
    files = (plugin_file(known[name]) for name in dict.fromkeys(names) if name in known)
    return [file for file in files if file is not None]


def strategy_defaults(cls: type[Strategy]) -> dict[str, Any]:
    """Return the settings of a strategy with their defaults; "required" for a setting without one.

    >>> strategy_defaults(find_strategies()["er-mir"])
    {'memory_size': 100, 'memory': 'stage', 'candidates': 3, 'virtual_step': 'gradient'}
    """
    defaults = {field.name: field.default for field in dataclasses.fields(cls)}
    for field in dataclasses.fields(cls):
        if field.default_factory is not dataclasses.MISSING:
            defaults[field.name] = field.default_factory()
    return {name: "required" if value is dataclasses.MISSING else value for name, value in defaults.items()}


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
            f"strategy.{name}.{'.'.join(map(str, p['loc']))}: {p['msg']} (got {p['input']!r})" for p in error.errors()
        ]
    if problems:
        raise ConfigError(Problem("settings", problem) for problem in problems)
    return built


def choose_strategy(strategy: str | Strategy, settings: Mapping[str, Any] | None = None) -> Strategy:
    """Return the strategy with this name and these settings, or the given instance itself.

    >>> choose_strategy("er-res", {"memory_size": 50})
    ReservoirReplay(memory_size=50, memory='stage')
    """
    if isinstance(strategy, str):
        return make_strategy(strategy, settings or {})
    if not isinstance(strategy, Strategy):
        raise UserError(f"strategy must be a name, such as 'er-res', or an instance of Strategy, not {strategy!r}")
    if settings:
        raise UserError(f"settings are for a strategy given by name: set them in {type(strategy).__name__}(...)")
    return strategy

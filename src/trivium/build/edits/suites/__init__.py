"""Suites of CFL: a task that a base model is trained on, and categories of examples to correct it with.

One file for each, found here by name:

    @suite("anli")
    class AnliSuite: ...
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from trivium.data.example import Example, key_of
from trivium.data.labels import Labels
from trivium.errors import UserError
from trivium.registry import Registry
from trivium.seeds import stream


@dataclass(frozen=True)
class Suite:
    """What a base model is trained on and tested with, and the examples of each category.

    An example may be of several categories. ``sets`` is how many support sets each category has when it is learned
    alone. With ``errors_only`` only examples count that the base model gets wrong.
    """

    name: str
    title: str
    task: str
    labels: Labels
    base: tuple[Example, ...]
    tests: Mapping[str, tuple[Example, ...]]
    categories: Mapping[str, tuple[Example, ...]]
    sets: int
    errors_only: bool = False

    def candidates(self) -> tuple[Example, ...]:
        """The examples of all categories, each once."""
        return tuple(dict.fromkeys(example for examples in self.categories.values() for example in examples))


class SuiteMaker(Protocol):
    """What makes a suite. Made by calling its class with no arguments."""

    @property
    def about(self) -> str:
        """One line on what it is made from."""

    def is_there(self) -> bool:
        """Whether its data is on this machine."""

    def load(self, limit: int, test: int, seed: int) -> Suite:
        """The suite, with at most ``limit`` base examples of each source and ``test`` of each base test (0: all)."""


SUITES: Registry[Callable[[], SuiteMaker]] = Registry("few-shot suite")
suite = SUITES.register


def find_suites() -> Registry[Callable[[], SuiteMaker]]:
    """The registry with every suite that ships with Trivium in it."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return SUITES


def load_suite(name: str, limit: int, test: int, seed: int) -> Suite:
    """A suite by name, whose base knows none of what it is tested with."""
    made = find_suites()[name]().load(limit, test, seed)
    asked = {key_of(e) for examples in made.tests.values() for e in examples} | set(map(key_of, made.candidates()))
    if known := [example for example in made.base if key_of(example) in asked]:
        raise UserError(f"the suite {name!r} leaks: its base is trained on {known[0].id}, which is tested")
    return made


def drawn(examples: Sequence[Example], number: int, seed: int, *names: str) -> tuple[Example, ...]:
    """At most ``number`` of the examples (0: all), drawn at random, in the order in which they were drawn."""
    order = stream(seed, "data", "few-shot", *names).permutation(len(examples))
    return tuple(examples[place] for place in order[: number or len(examples)])


def without(examples: Iterable[Example], others: Iterable[Example]) -> list[Example]:
    """Those of the examples whose text is not among the others', each text once."""
    seen = set(map(key_of, others))
    return [example for example in {key_of(e): e for e in examples}.values() if key_of(example) not in seen]


def apart(examples: Iterable[Example], others: Iterable[Example]) -> list[Example]:
    """Those of the examples whose premise is not among the others'."""
    seen = {key_of(example)[0] for example in others}
    return [example for example in examples if key_of(example)[0] not in seen]

"""Suites of CFL: a task to train a base model on, and categories of examples to correct it with.

Each suite is one file in this package and registers itself by name:

    @suite("anli")
    class AnliSuite: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from trivium.data.example import Example, key_of
from trivium.data.labels import Labels
from trivium.errors import UserError
from trivium.registry import Registry, import_modules
from trivium.seeds import stream


@dataclass(frozen=True)
class Suite:
    """The training and test examples of a base model, and the examples of each category.

    An example may belong to several categories. ``sets`` is the number of support sets of a category that is learned
    alone. With ``errors_only``, only examples that the base model answers incorrectly are used.
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
        """Return the examples of all categories without duplicates."""
        return tuple(dict.fromkeys(example for examples in self.categories.values() for example in examples))


class SuiteMaker(Protocol):
    """The interface of a suite's class, which is instantiated without arguments."""

    @property
    def about(self) -> str:
        """A one-line description of its data."""

    def is_available(self) -> bool:
        """Return whether its data is available on this machine."""

    def load(self, limit: int, test: int, seed: int) -> Suite:
        """Load at most ``limit`` base examples of each source and ``test`` examples of each base test (0: all)."""


SUITES: Registry[Callable[[], SuiteMaker]] = Registry("few-shot suite")
suite = SUITES.register


def find_suites() -> Registry[Callable[[], SuiteMaker]]:
    """Import every suite that ships with Trivium and return the registry."""
    import_modules(__name__)
    return SUITES


def load_suite(name: str, limit: int, test: int, seed: int) -> Suite:
    """Load a suite by name. Raise a UserError if a base example is also a test or category example."""
    loaded = find_suites()[name]().load(limit, test, seed)
    tested = {key_of(e) for examples in loaded.tests.values() for e in examples} | set(map(key_of, loaded.candidates()))
    if leaked := [example for example in loaded.base if key_of(example) in tested]:
        raise UserError(
            f"suite {name!r}: the base training set contains {leaked[0].id}, which is also tested: remove it"
        )
    return loaded


def sample(examples: Sequence[Example], number: int, seed: int, *names: str) -> tuple[Example, ...]:
    """Return at most ``number`` of the examples (0: all) in random order."""
    order = stream(seed, "data", "few-shot", *names).permutation(len(examples))
    return tuple(examples[index] for index in order[: number or len(examples)])


def without(examples: Iterable[Example], others: Iterable[Example]) -> list[Example]:
    """Return the examples whose text does not occur in ``others``, without duplicates."""
    seen = set(map(key_of, others))
    return [example for example in {key_of(e): e for e in examples}.values() if key_of(example) not in seen]


def without_premises_of(examples: Iterable[Example], others: Iterable[Example]) -> list[Example]:
    """Return the examples whose premise does not occur in ``others``."""
    seen = {key_of(example)[0] for example in others}
    return [example for example in examples if key_of(example)[0] not in seen]

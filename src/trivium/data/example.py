"""The example: what a model classifies, with its label and metadata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

Key = tuple[str, str]
Fact = tuple[str, str]
Facts = tuple[Fact, ...]
_CACHED = 4096  # facts that are cached, so that examples share them
_SHORT = 200  # characters; longer facts are not cached


@dataclass(frozen=True, slots=True, init=False)
class Example:
    """A premise, a hypothesis and a label, with metadata.

    ``hypothesis`` is None for tasks on one text, such as sentiment; ``label`` is None if it is unknown. ``task`` names
    the head of the model that classifies the example. ``facts`` are pairs of name and value (relation, verb, …), sorted
    by name. ``parts`` are the primitive examples that this one is composed of; each has a task of its own.
    """

    id: str
    premise: str
    hypothesis: str | None
    label: str | None
    task: str = "nli"
    facts: tuple[tuple[str, str], ...] = ()
    parts: tuple[Example, ...] = ()

    def __init__(
        self,
        id: str,
        premise: str,
        hypothesis: str | None,
        label: str | None,
        task: str = "nli",
        facts: Facts = (),
        parts: tuple[Example, ...] = (),
    ) -> None:
        _id(self, id)
        _premise(self, premise)
        _hypothesis(self, hypothesis)
        _label(self, label)
        _task(self, task)
        _facts(self, facts)
        _parts(self, parts)

    @classmethod
    def make(
        cls,
        id: str,
        premise: str,
        hypothesis: str | None,
        label: str | None,
        *,
        task: str = "nli",
        parts: tuple[Example, ...] = (),
        **facts: str,
    ) -> Example:
        """Return an example whose facts are given as keyword arguments."""
        return cls(id, premise, hypothesis, label, task, tuple(sorted(facts.items())), parts)

    def fact(self, name: str) -> str | None:
        """Return the value of a fact, or None if the example does not have it."""
        return next((value for key, value in self.facts if key == name), None)

    def rows(self) -> Iterator[Example]:
        """Yield this example and all its parts, depth first: the inputs that a model classifies."""
        yield self
        for part in self.parts:
            yield from part.rows()

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for JSON. Task, facts and parts are left out if they have their default values."""
        plain: dict[str, Any] = {"id": self.id, "premise": self.premise, "hypothesis": self.hypothesis}
        plain["label"] = self.label
        if self.task != "nli":
            plain["task"] = self.task
        if self.facts:
            plain["facts"] = dict(self.facts)
        if self.parts:
            plain["parts"] = [part.to_json() for part in self.parts]
        return plain

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Example:
        """Return the example of a dictionary written by :meth:`to_json`."""
        return cls(
            id=plain["id"],
            premise=plain["premise"],
            hypothesis=plain.get("hypothesis"),
            label=plain.get("label"),
            task=plain.get("task", "nli"),
            facts=tuple(sorted(plain.get("facts", {}).items())),
            parts=tuple(cls.from_json(part) for part in plain.get("parts", ())),
        )


_id, _premise, _hypothesis, _label, _task, _facts, _parts = (
    vars(Example)[field.name].__set__ for field in fields(Example)
)
"""Write a slot. Twice as fast as the constructor of a frozen dataclass, which matters for a million examples."""


def shared_facts(facts: Facts) -> Facts:
    """Return equal facts from a cache, so that examples with the same facts share memory."""
    if sum(len(name) + len(value) for name, value in facts) > _SHORT:
        return tuple(map(_shared_fact, facts))
    return _cached_facts(facts)


def _shared_fact(fact: Fact) -> Fact:
    return _cached_fact(fact) if len(fact[0]) + len(fact[1]) <= _SHORT else fact


@lru_cache(maxsize=_CACHED)
def _cached_facts(facts: Facts) -> Facts:
    return tuple(map(_cached_fact, facts))


@lru_cache(maxsize=_CACHED)
def _cached_fact(fact: Fact) -> Fact:
    return fact


def check_example(example: Example) -> None:
    """Raise a TypeError or a ValueError unless all values of an example from a file are texts."""
    for row in example.rows():
        texts = [row.id, row.premise, row.task, *(text for fact in row.facts for text in fact)]
        texts += [text for text in (row.hypothesis, row.label) if text is not None]
        for text in texts:
            if not isinstance(text, str):
                raise TypeError(f"an example contains {type(text).__name__} where a text is expected")
            text.encode()  # raises if it contains a lone surrogate


def key_of(example: Example) -> Key:
    """Return premise and hypothesis, normalized in case and spaces: examples with the same key have the same text."""
    premise, hypothesis = (" ".join((text or "").lower().split()) for text in (example.premise, example.hypothesis))
    return premise, hypothesis

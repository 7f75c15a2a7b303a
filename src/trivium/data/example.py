"""One thing to classify, and what is known about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Example:
    """A premise, a hypothesis and a label, with what is known about them.

    ``hypothesis`` is None for tasks on one text (sentiment), ``label`` is None where it is withheld. ``task`` names
    the head of the model that answers. ``facts`` are name and value pairs (relation, verb, domain, …), sorted by name.
    ``parts`` are the primitive examples that this one is composed of; each has a task of its own.
    """

    id: str
    premise: str
    hypothesis: str | None
    label: str | None
    task: str = "nli"
    facts: tuple[tuple[str, str], ...] = ()
    parts: tuple[Example, ...] = ()

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
        """An example whose facts are given as keywords."""
        return cls(id, premise, hypothesis, label, task, tuple(sorted(facts.items())), parts)

    def fact(self, name: str) -> str | None:
        """The value of a fact, or None."""
        return next((value for key, value in self.facts if key == name), None)

    def rows(self) -> Iterator[Example]:
        """This example and its parts: everything that a model is asked about it."""
        yield self
        for part in self.parts:
            yield from part.rows()

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary; what has its default value is left out."""
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
        """The inverse of :meth:`to_json`."""
        return cls(
            id=plain["id"],
            premise=plain["premise"],
            hypothesis=plain.get("hypothesis"),
            label=plain.get("label"),
            task=plain.get("task", "nli"),
            facts=tuple(sorted(plain.get("facts", {}).items())),
            parts=tuple(cls.from_json(part) for part in plain.get("parts", ())),
        )


def key_of(example: Example) -> Key:
    """What two examples share that say the same: their texts, apart from capitals and spaces."""
    premise, hypothesis = (" ".join((text or "").lower().split()) for text in (example.premise, example.hypothesis))
    return premise, hypothesis

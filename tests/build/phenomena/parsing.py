"""Shared helpers to parse generated sentences. The parsers do not know how a sentence was generated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from trivium.build.phenomena import generate_parts
from trivium.build.phenomena.words import PEOPLE
from trivium.data.example import Example

Check = Callable[[dict], bool]  # type: ignore[type-arg]


def relation_in(worlds: Iterable[dict], premises: Sequence[Check], hypothesis: Check) -> str:  # type: ignore[type-arg]
    """Return the relation of the premises and the hypothesis, over all worlds in which the premises are true."""
    values = {hypothesis(world) for world in worlds if all(premise(world) for premise in premises)}
    assert values, "the premises contradict each other"
    return "neutral" if len(values) == 2 else "entailment" if values == {True} else "contradiction"


def has_label(example: Example, relation: str) -> bool:
    """Return whether the label of an example is the given relation; a two-way label only distinguishes entailment."""
    if example.label in ("entailed", "not-entailed"):
        return (relation == "entailment") == (example.label == "entailed")
    return relation == example.label


def split(text: str | None) -> list[str]:
    return str(text).removesuffix(".").split(". ")


def lower(text: str) -> str:
    return text if text.split()[0].removesuffix("'s") in PEOPLE else text[0].lower() + text[1:]


def sample(name: str, count: int) -> tuple[Example, ...]:
    return generate_parts(name, 2000, 500)[0].examples[:count]

"""Shared helpers to parse generated sentences. The parsers do not know how a sentence was generated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from trivium.build.phenomena import generate_parts
from trivium.build.phenomena.quantifiers import _GROUPS as GROUPS
from trivium.build.phenomena.relations import RELATIONS
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


def _keys(text: str) -> set[str]:
    """Return the people of a statement, and the relation and group that it is about."""
    keys = {name for name in re.findall(r"[A-Z]\w+", text) if name in PEOPLE}
    keys |= {noun for noun, plural in GROUPS if noun in text or plural in text}
    for group in (group for groups in GROUPS for group in groups):  # "students" is not from "studies"
        text = text.replace(group, "")
    for relation in RELATIONS:
        nested = f"{relation.noun} {relation.among}"
        items = any(re.search(rf"\b{item}\b", text) for item in relation.items)
        if nested in text or (items and relation.singular.split()[-1][:4] in text and "music room" not in text):
            keys.add(nested)
    return keys


def part_about(hypothesis: str, statements: Sequence[str]) -> list[str]:
    """Return the statements that share people, things or groups with the hypothesis, or with such a statement."""
    known, kept = _keys(hypothesis), set()
    for _ in statements:
        for index, text in enumerate(statements):
            if index not in kept and known & _keys(text):
                kept |= {index, index - 1} if " them " in text else {index}
                known |= {key for each in kept for key in _keys(statements[each])}
    return [statements[index] for index in sorted(kept)]


def split(text: str | None) -> list[str]:
    return str(text).removesuffix(".").split(". ")


def lower(text: str) -> str:
    return text if text.split()[0].removesuffix("'s") in PEOPLE else text[0].lower() + text[1:]


def sample(name: str, count: int) -> tuple[Example, ...]:
    return generate_parts(name, 2000, 500)[0].examples[:count]

"""Support sets of a few examples, and what is left to choose and to test with (CFL, section 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trivium.build.edits.suites import drawn
from trivium.build.splits.invariants import Invariant, check_invariant
from trivium.data.example import Example, key_of
from trivium.data.labels import Labels
from trivium.data.split import Split

_DEV = 0.3
_LEFT = 10  # examples that must be left when support sets are taken out


@dataclass(frozen=True)
class Category:
    """A category of examples: disjoint support sets, each with as many of each label, and the rest, 30 to 70."""

    name: str
    supports: tuple[Split, ...]
    dev: Split
    test: Split

    @property
    def total(self) -> int:
        """How many examples there are."""
        return sum(map(len, (*self.supports, self.dev, self.test)))


def alone(name: str, examples: Sequence[Example], labels: Labels, sets: int, each: int, seed: int) -> Category | None:
    """A category that is learned by itself; None if there are too few examples of a label, or too few left."""
    order = drawn(_different(examples), 0, seed, "alone", name)
    taken = _supports(order, labels, sets, each)
    return None if taken is None else _category(name, taken, order, taken, labels)


def in_turn(categories: Mapping[str, Sequence[Example]], labels: Labels, each: int, seed: int) -> dict[str, Category]:
    """Categories that are learned one after another, with one support set each.

    What is trained in one category is neither trained nor tested in another. Categories for which too few examples
    are left are not there.
    """
    supports: dict[str, list[Example]] = {}
    trained: set[tuple[str, str]] = set()
    for name, examples in categories.items():
        free = [example for example in _different(examples) if key_of(example) not in trained]
        taken = _supports(drawn(free, 0, seed, "in turn", name), labels, 1, each)
        if taken is not None:
            supports[name] = taken[0]
            trained |= set(map(key_of, taken[0]))
    every = [example for taken in supports.values() for example in taken]
    found = {
        name: _category(name, [taken], drawn(_different(categories[name]), 0, seed, "in turn", name), [every], labels)
        for name, taken in supports.items()
    }
    return {name: category for name, category in found.items() if category is not None}


def check_category(category: Category, others: Sequence[Category] = ()) -> list[Invariant]:
    """What is promised about a category (and others that are learned before or after it), and what breaks it."""
    trained = [set(map(key_of, support)) for one in (category, *others) for support in one.supports]
    known = set().union(*trained)
    dev = set(map(key_of, category.dev))
    repeated = len(known) < sum(map(len, trained))
    uneven = any(len(set(support.counts().values())) > 1 for support in category.supports)
    first = category.supports[0].examples[:1]
    return [
        check_invariant("nothing tested is trained", category.test, lambda e: key_of(e) not in known),
        check_invariant("nothing to choose by is trained", category.dev, lambda e: key_of(e) not in known),
        check_invariant("nothing tested is in its own dev set", category.test, lambda e: key_of(e) not in dev),
        Invariant("support sets are disjoint", len(known), first if repeated else ()),
        Invariant("as many of each label in a support set", sum(map(len, category.supports)), first if uneven else ()),
    ]


def _supports(order: Sequence[Example], labels: Labels, sets: int, each: int) -> list[list[Example]] | None:
    """The first examples of each label, dealt to the sets; the labels take turns."""
    by_label = {name: [example for example in order if example.label == name] for name in labels.names}
    if any(len(mine) < sets * each for mine in by_label.values()):
        return None
    return [
        [by_label[name][number * each + place] for place in range(each) for name in labels.names]
        for number in range(sets)
    ]


def _category(
    name: str,
    supports: Sequence[Sequence[Example]],
    order: Sequence[Example],
    trained: Sequence[Sequence[Example]],
    labels: Labels,
) -> Category | None:
    known = {key_of(example) for support in trained for example in support}
    left = [example for example in order if key_of(example) not in known]
    if len(left) < _LEFT:
        return None
    middle = round(_DEV * len(left))
    return Category(
        name,
        tuple(Split(f"support-{number}", tuple(support), labels) for number, support in enumerate(supports, 1)),
        Split("dev", tuple(left[:middle]), labels),
        Split("test", tuple(left[middle:]), labels),
    )


def _different(examples: Sequence[Example]) -> list[Example]:
    """The examples with a label, each text once."""
    return list({key_of(example): example for example in examples if example.label is not None}.values())

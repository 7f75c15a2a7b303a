"""Select support sets of a few examples; the others become the development and test set (CFL, section 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trivium.build.edits.suites import sample
from trivium.build.splits.invariants import Invariant, check_invariant
from trivium.data.example import Example, key_of
from trivium.data.labels import Labels
from trivium.data.split import Split

_DEV = 0.3  # share of the remaining examples used as development set
_MIN_REMAINING = 10  # examples for the development and test set


@dataclass(frozen=True)
class Category:
    """A category of examples: disjoint, label-balanced support sets, and the others as dev (30 %) and test set."""

    name: str
    supports: tuple[Split, ...]
    dev: Split
    test: Split

    @property
    def total(self) -> int:
        """The total number of examples."""
        return sum(map(len, (*self.supports, self.dev, self.test)))


def few_shot_category(
    name: str, examples: Sequence[Example], labels: Labels, sets: int, each: int, seed: int
) -> Category | None:
    """Return a category to be learned alone, with ``sets`` support sets of ``each`` examples per label.

    Return None if a label has too few examples, or if too few examples remain for the dev and test set.
    """
    order = sample(_unique(examples), 0, seed, "alone", name)
    supports = _supports(order, labels, sets, each)
    return None if supports is None else _category(name, supports, order, supports, labels)


def continual_categories(
    categories: Mapping[str, Sequence[Example]], labels: Labels, each: int, seed: int
) -> dict[str, Category]:
    """Return categories to be learned one after another, each with one support set of ``each`` examples per label.

    An example that is trained in one category is neither trained nor tested in another. Categories with too few
    examples are left out.
    """
    supports: dict[str, list[Example]] = {}
    trained: set[tuple[str, str]] = set()
    for name, examples in categories.items():
        untrained = [example for example in _unique(examples) if key_of(example) not in trained]
        chosen = _supports(sample(untrained, 0, seed, "in turn", name), labels, 1, each)
        if chosen is not None:
            supports[name] = chosen[0]
            trained |= set(map(key_of, chosen[0]))
    all_supports = list(supports.values())
    built = {
        name: _category(
            name, [support], sample(_unique(categories[name]), 0, seed, "in turn", name), all_supports, labels
        )
        for name, support in supports.items()
    }
    return {name: category for name, category in built.items() if category is not None}


def check_category(category: Category, others: Sequence[Category] = ()) -> list[Invariant]:
    """Check the invariants of a category; ``others`` are the categories learned before or after it."""
    trained = [set(map(key_of, support)) for each in (category, *others) for support in each.supports]
    known = set().union(*trained)
    dev = set(map(key_of, category.dev))
    repeated = len(known) < sum(map(len, trained))
    uneven = any(len(set(support.counts().values())) > 1 for support in category.supports)
    first = category.supports[0].examples[:1]
    return [
        check_invariant("no test example is trained", category.test, lambda e: key_of(e) not in known),
        check_invariant("no development example is trained", category.dev, lambda e: key_of(e) not in known),
        check_invariant("no test example is in the development set", category.test, lambda e: key_of(e) not in dev),
        Invariant("support sets are disjoint", len(known), first if repeated else ()),
        Invariant("support sets are balanced by label", sum(map(len, category.supports)), first if uneven else ()),
    ]


def _supports(order: Sequence[Example], labels: Labels, sets: int, each: int) -> list[list[Example]] | None:
    """Divide the first examples of each label among the sets; within a set, the labels alternate."""
    by_label = {name: [example for example in order if example.label == name] for name in labels.names}
    if any(len(group) < sets * each for group in by_label.values()):
        return None
    return [
        [by_label[name][number * each + index] for index in range(each) for name in labels.names]
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
    remaining = [example for example in order if key_of(example) not in known]
    if len(remaining) < _MIN_REMAINING:
        return None
    dev_size = round(_DEV * len(remaining))
    return Category(
        name,
        tuple(Split(f"support-{number}", tuple(support), labels) for number, support in enumerate(supports, 1)),
        Split("dev", tuple(remaining[:dev_size]), labels),
        Split("test", tuple(remaining[dev_size:]), labels),
    )


def _unique(examples: Sequence[Example]) -> list[Example]:
    """Return the labelled examples without duplicate texts."""
    return list({key_of(example): example for example in examples if example.label is not None}.values())

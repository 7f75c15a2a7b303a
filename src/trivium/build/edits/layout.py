"""Read categories in the layout of CFL's authors: a folder for each category and support set, with three tables.

``few_shot/SNLI/change-action-1/{train,dev,test}.tsv``, and ``continual/SNLI/change-action/{train,dev,test}.tsv``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from trivium.build.edits.selection import Category
from trivium.build.edits.suites import Suite, without
from trivium.data.example import Example, key_of
from trivium.data.labels import Labels
from trivium.data.split import Split
from trivium.data.tables import read_pairs
from trivium.errors import UserError

_PARTS = ("train", "dev", "test")
_NUMBERED = re.compile(r"(?P<name>.+)-(?P<number>[0-9]+)")


class Layout(NamedTuple):
    """The categories of a suite, as their authors divided them: each alone, and one after another."""

    alone: Mapping[str, Category]
    in_turn: Mapping[str, Category]


def read_layout(folder: Path, suite: Suite) -> Layout:
    """Read the categories of a suite. Raise a UserError if there are none."""
    alone = folder / "few_shot" / suite.title
    if not alone.is_dir():
        raise UserError(f"{alone}: no such folder: suites.{suite.name}.folder must contain few_shot/{suite.title}")
    sets: dict[str, dict[int, Path]] = {}
    for path in sorted(path for path in alone.iterdir() if path.is_dir()):
        match = _NUMBERED.fullmatch(path.name)
        if match is None:
            raise UserError(f"{path}: the name of a folder must end with the number of its support set, such as -1")
        sets.setdefault(match["name"], {})[int(match["number"])] = path
    if not sets:
        raise UserError(f"{alone}: no categories: there must be folders such as change-action-1")
    in_turn = folder / "continual" / suite.title
    named = {_slug(name): name for name in suite.categories}
    titles = {slug: named.get(slug) or slug.replace("-", " ").capitalize() for slug in sets}
    order = sorted(sets, key=lambda slug: (list(named).index(slug) if slug in named else len(named), slug))
    return Layout(
        {titles[slug]: _read(titles[slug], [sets[slug][n] for n in sorted(sets[slug])], suite) for slug in order},
        {titles[slug]: _read(titles[slug], [in_turn / slug], suite) for slug in order if (in_turn / slug).is_dir()},
    )


def with_layout(suite: Suite, layout: Layout) -> Suite:
    """Return a suite whose categories are those of a layout; its base is trained on none of their examples."""
    categories = {
        name: tuple(dict.fromkeys(example for category in both for example in _examples(category)))
        for name, both in ((name, _both(layout, name)) for name in layout.alone)
    }
    tested = [example for examples in categories.values() for example in examples]
    return replace(suite, base=tuple(without(suite.base, tested)), categories=categories, errors_only=False)


def _both(layout: Layout, name: str) -> list[Category]:
    return [part[name] for part in layout if name in part]


def _examples(category: Category) -> list[Example]:
    return [example for split in (*category.supports, category.dev, category.test) for example in split]


def _read(name: str, folders: Sequence[Path], suite: Suite) -> Category:
    """Return a category: the supports of all folders, and the dev and test sets of the first."""
    parts = {part: [_split(folder / f"{part}.tsv", part, suite) for folder in folders] for part in _PARTS}
    trained = {key_of(example) for support in parts["train"] for example in support}
    dev, test = (
        Split(part, tuple(example for example in parts[part][0] if key_of(example) not in trained), suite.labels)
        for part in _PARTS[1:]
    )
    return Category(name, tuple(parts["train"]), dev, test)


def _split(path: Path, part: str, suite: Suite) -> Split:
    """Return the examples of a file, with ids that are the same for the same text in all files."""
    read = read_pairs(path, require_labels=True)
    _check_labels(path, read.labels, suite.labels)
    examples = (replace(e, id=" | ".join(key_of(e)), task=suite.task, facts=(), parts=()) for e in read)
    return Split(part, tuple(dict.fromkeys(examples)), suite.labels)


def _check_labels(path: Path, found: Labels, expected: Labels) -> None:
    if not set(found.names) <= set(expected.names):
        raise UserError(f"{path}: the labels are {', '.join(found.names)}, not {', '.join(expected.names)}")


def _slug(name: str) -> str:
    return name.lower().replace("/", "-").replace(" ", "-")

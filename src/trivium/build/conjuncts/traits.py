"""What a pair with conjunctions is about: its conjunction, what was done, by which rule, whether that is Boolean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from trivium.build.conjuncts.labels import label_edit
from trivium.build.conjuncts.reading import read_edit
from trivium.data.example import Example
from trivium.data.jsonl import read_objects
from trivium.data.sources.conjnli import conjunction_of
from trivium.data.tsv import read_tsv
from trivium.errors import UserError

BALANCED = ("and", "or", "but")
"""The conjunctions that pairs are balanced over; *nor* counts as *or*, as in the paper."""

KINDS = (*BALANCED, "multiple", "none")
CHANGES = ("remove", "add", "replace")
"""What is done to a conjunct."""

OPERATIONS = (*CHANGES, "none")
YES, NO = "yes", "no"
_SPELLINGS = {YES: True, "true": True, "1": True, "boolean": True,
              NO: False, "false": False, "0": False, "non-boolean": False}  # fmt: skip
_WORD = re.compile(r"[^\W_]+")


class Traits(NamedTuple):
    """The kind of conjunction (and, or, but, multiple, none), the operation, the rule, and whether it is Boolean.

    The rule is that which would label the pair; where only form changes there is none, and nothing to be Boolean.
    """

    conjunction: str
    operation: str
    rule: str
    boolean: bool | None


def yes_or_no(value: bool) -> str:
    """A fact of an example that holds or does not, as it is written."""
    return YES if value else NO


def traits_of(example: Example) -> Traits:
    """What was recorded on a pair when it was built; what was not is read from its two texts."""
    read = _read(example.premise, example.hypothesis or "")
    recorded = example.fact("boolean")
    kind = example.fact("conjunction") or read.conjunction
    if example.fact("multiple") == YES:  # as ConjNLI counts, whichever of several was changed
        kind = "multiple"
    return Traits(
        conjunction="or" if kind == "nor" else kind,
        operation=example.fact("operation") or read.operation,
        rule=example.fact("rule") or read.rule,
        boolean=read.boolean if recorded is None else _SPELLINGS.get(recorded.lower()),
    )


@lru_cache(maxsize=20_000)
def _read(premise: str, hypothesis: str) -> Traits:
    kind, edit = conjunction_of(premise, hypothesis), read_edit(premise, hypothesis)
    if edit is None:
        return Traits(kind, "none", "none", None)
    labelled = label_edit(edit)
    return Traits(kind, edit.operation, labelled.rule, labelled.boolean)


def is_covered(example: Example) -> bool:
    """Whether every word of the hypothesis is one of the premise: what the lexical-overlap heuristic goes by."""
    premise, hypothesis = (set(_WORD.findall((text or "").lower())) for text in (example.premise, example.hypothesis))
    return hypothesis <= premise


def read_annotations(path: Path, examples: Iterable[Example]) -> dict[str, bool]:
    """Which examples a reader found Boolean, by id: a .jsonl or .tsv file with ``id`` and ``boolean``.

    An error names the line of an id that no example has, or that is there twice, and of a value that is neither.
    """
    known = {example.id for example in examples}
    found: dict[str, bool] = {}
    for where, fields in _lines(path):
        name, value = fields["id"], fields["boolean"].strip().lower()
        if name not in known:
            raise UserError(f"{where}: there is no pair {name!r} in what is tested (such as {min(known)!r})")
        if name in found:
            raise UserError(f"{where}: {name!r} is there twice")
        if value not in _SPELLINGS:
            raise UserError(f"{where}: 'boolean' is {fields['boolean']!r}: it is yes or no")
        found[name] = _SPELLINGS[value]
    if not found:
        raise UserError(f"{path}: there is no annotation in it")
    return found


def _lines(path: Path) -> Iterable[tuple[str, Mapping[str, str]]]:
    if path.suffix not in (".jsonl", ".tsv"):
        raise UserError(f"{path}: annotations are a .jsonl or a .tsv file with id and boolean")
    if not path.is_file():
        raise UserError(f"{path}: there is no such file")
    if path.suffix == ".tsv":
        yield from read_tsv(path, ("id", "boolean"))
        return
    for number, row in read_objects(path):
        where = f"{path}:{number}"
        for name in ("id", "boolean"):
            if name not in row:
                raise UserError(f"{where}: the field {name!r} is missing (there is {', '.join(sorted(row))})")
        yield where, {name: str(row[name]) for name in ("id", "boolean")}
